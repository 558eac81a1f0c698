#ifndef PCDF_KINDS_H
#define PCDF_KINDS_H
/* The collective calls, and what they are called. */

/* What a collective call is; never its ncid, variable, form, type or arguments, in which ranks may differ. */
enum pcdf_kind {
    PCDF_KIND_PUT,
    PCDF_KIND_GET,
    PCDF_KIND_WAIT,
    PCDF_KIND_END_OF_PUT,  /* second vote of a put that raised numrecs */
    PCDF_KIND_STEP_OF_PUT, /* between its steps: waits for no queue */
    PCDF_KIND_BARRIER,     /* within a call, or parcdf_wait: puts are written */
    PCDF_KIND_ENDDEF,
    PCDF_KIND_MOVE,
    PCDF_KIND_FILL, /* fill_var_rec, and enddef filling */
    PCDF_KIND_REDEF,
    PCDF_KIND_SYNC,
    PCDF_KIND_SYNC_BY_PART, /* a part's: it waits for no queue */
    PCDF_KIND_FLUSH,
    PCDF_KIND_SYNC_NUMRECS,
    PCDF_KIND_REFRESH,
    PCDF_KIND_BEGIN_INDEP,
    PCDF_KIND_END_INDEP,
    PCDF_KIND_CLOSE,
    PCDF_KIND_CLOSE_LATER, /* a close whose second half waits ... */
    PCDF_KIND_CLOSING,     /* for this one: has everyone written everything? */
    PCDF_KIND_ABORT,
    PCDF_KIND_OPEN,
    PCDF_KIND_CREATE,
    PCDF_KIND_SET_BEGIN, /* without a file (parts/sets/setcalls.c) */
    PCDF_KIND_SET_COMMIT,
    PCDF_KIND_SET_ABORT,
    PCDF_KIND_RESTART_FIND,
    /* From here on: calls that vote in safe mode only (safety.c). */
    PCDF_KIND_DEF_DIM,
    PCDF_KIND_RENAME_DIM,
    PCDF_KIND_DEF_VAR,
    PCDF_KIND_RENAME_VAR,
    PCDF_KIND_PUT_ATT,
    PCDF_KIND_COPY_ATT,
    PCDF_KIND_RENAME_ATT,
    PCDF_KIND_DEL_ATT,
    PCDF_KIND_SET_FILL,
    PCDF_KIND_DEF_VAR_FILL,
    PCDF_KIND_DEF_VAR_QUANTIZE,
    PCDF_KIND_DEF_VAR_CHUNKING,
    PCDF_KIND_DEF_VAR_DEFLATE,
    PCDF_KIND_DEF_VAR_ZSTD,
    PCDF_KIND_DEF_VAR_SZIP,
    PCDF_KIND_DEF_VAR_FLETCHER32,
    PCDF_KINDS
};

const char *pcdf_kind_name(enum pcdf_kind kind);
#endif
