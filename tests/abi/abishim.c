/* The tables of values, statuses, and MPI as a whole. See abishim.h. */
#include "abishim.h"
#include <string.h>

static const struct {
    enum pcdf_shim_kind kind;
    intptr_t native;
} rows[] = {
#define V(kind, name) { kind, SHIM_BITS(name) },
#include "shimvalues.def"
#undef V
};
extern const intptr_t pcdf_abi_values[];
enum { ROWS = sizeof rows / sizeof *rows };

intptr_t pcdf_shim_native(enum pcdf_shim_kind kind, intptr_t abi)
{
    for (int i = 0; i < ROWS && abi < 65536; i++)
        if (rows[i].kind == kind && pcdf_abi_values[i] == abi)
            return rows[i].native;
    return abi;
}

intptr_t pcdf_shim_abi(enum pcdf_shim_kind kind, intptr_t native)
{
    const intptr_t wanted = kind >= ERROR ? SHIM_BITS((int)native) : native;
    for (int i = 0; i < ROWS; i++)
        if (rows[i].kind == kind && rows[i].native == wanted)
            return pcdf_abi_values[i];
    return native;
}

void pcdf_shim_status(struct shim_status *abi, const MPI_Status *native)
{
    if (!abi)
        return;
    abi->source = out_rank(native->MPI_SOURCE);
    abi->tag = out_tag(native->MPI_TAG);
    abi->error = out_error(native->MPI_ERROR);
#ifdef OPEN_MPI
    abi->internal[0] = native->_cancelled;
    memcpy(abi->internal + 1, &native->_ucount, sizeof native->_ucount);
#else
    _Static_assert(sizeof *native <= sizeof abi->internal, "the library's own fits");
    memcpy(abi->internal, native, sizeof *native);
#endif
}

MPI_Status pcdf_shim_native_status(const struct shim_status *abi)
{
    MPI_Status native;
#ifdef OPEN_MPI
    native = (MPI_Status){ .MPI_SOURCE = in_rank(abi->source), ._cancelled = abi->internal[0] };
    memcpy(&native._ucount, abi->internal + 1, sizeof native._ucount);
#else
    memcpy(&native, abi->internal, sizeof native);
#endif
    return native;
}

/* ---- MPI as a whole */

SHIM(Abi_get_version, (int *major, int *minor))
{
    *major = 1;
    *minor = 0;
    return 0;
}

SHIM(Init, (int *argc, char ***argv))
{
    RETURN(PMPI_Init(argc, argv));
}

SHIM(Init_thread, (int *argc, char ***argv, int wanted, int *got))
{
    int err = PMPI_Init_thread(argc, argv, in_level(wanted), got);
    *got = out_level(*got);
    RETURN(err);
}

SHIM(Query_thread, (int *got))
{
    int err = PMPI_Query_thread(got);
    *got = out_level(*got);
    RETURN(err);
}

SHIM(Initialized, (int *flag))
{
    RETURN(PMPI_Initialized(flag));
}

SHIM(Finalized, (int *flag))
{
    RETURN(PMPI_Finalized(flag));
}

SHIM(Finalize, (void))
{
    RETURN(PMPI_Finalize());
}

SHIM(Abort, (handle comm, int code))
{
    RETURN(PMPI_Abort(in_comm(comm), code));
}

SHIM(Get_library_version, (char *text, int *length))
{
    RETURN(PMPI_Get_library_version(text, length));
}

SHIM(Get_processor_name, (char *text, int *length))
{
    RETURN(PMPI_Get_processor_name(text, length));
}

__attribute__((visibility("default"))) double shim_Wtime(void) __asm__("MPI_Wtime");
double shim_Wtime(void)
{
    return PMPI_Wtime();
}

/* Codes that are no class pass as they are: those of MPICH are large. */
SHIM(Error_class, (int code, int *class))
{
    int err = PMPI_Error_class(in_error(code), class);
    *class = out_error(*class);
    RETURN(err);
}

SHIM(Error_string, (int code, char *text, int *length))
{
    RETURN(PMPI_Error_string(in_error(code), text, length));
}

SHIM(Get_address, (const void *at, MPI_Aint *address))
{
    RETURN(PMPI_Get_address(at, address));
}

SHIM(Errhandler_free, (handle * abi))
{
    MPI_Errhandler native = in_errhandler(*abi);
    int err = PMPI_Errhandler_free(&native);
    *abi = out_errhandler(native);
    RETURN(err);
}

/* ---- sessions */

#if MPI_VERSION >= 4
SHIM(Session_init, (handle info, handle errhandler, handle *session))
{
    MPI_Session native;
    int err = PMPI_Session_init(in_info(info), in_errhandler(errhandler), &native);
    *session = (handle)SHIM_BITS(native);
    RETURN(err);
}

SHIM(Session_finalize, (handle * session))
{
    MPI_Session native = (MPI_Session)(intptr_t)*session;
    int err = PMPI_Session_finalize(&native);
    *session = (handle)0x120; /* MPI_SESSION_NULL */
    RETURN(err);
}

SHIM(Group_from_session_pset, (handle session, const char *set, handle *group))
{
    MPI_Group native = MPI_GROUP_NULL;
    int err = PMPI_Group_from_session_pset((MPI_Session)(intptr_t)session, set, &native);
    *group = out_group(native);
    RETURN(err);
}

SHIM(Comm_create_from_group, (handle group, const char *tag, handle info, handle errhandler, handle *comm))
{
    MPI_Comm native = MPI_COMM_NULL;
    int err =
        PMPI_Comm_create_from_group(in_group(group), tag, in_info(info), in_errhandler(errhandler), &native);
    *comm = out_comm(native);
    RETURN(err);
}
#else
SHIM(Session_init, (handle info, handle errhandler, handle *session))
{
    (void)info, (void)errhandler, (void)session;
    RETURN(MPI_ERR_UNSUPPORTED_OPERATION);
}

SHIM(Session_finalize, (handle * session))
{
    (void)session;
    RETURN(MPI_ERR_UNSUPPORTED_OPERATION);
}

SHIM(Group_from_session_pset, (handle session, const char *set, handle *group))
{
    (void)session, (void)set, (void)group;
    RETURN(MPI_ERR_UNSUPPORTED_OPERATION);
}

SHIM(Comm_create_from_group, (handle group, const char *tag, handle info, handle errhandler, handle *comm))
{
    (void)group, (void)tag, (void)info, (void)errhandler, (void)comm;
    RETURN(MPI_ERR_UNSUPPORTED_OPERATION);
}
#endif

/* ---- hints */

SHIM(Info_create, (handle * info))
{
    MPI_Info native = MPI_INFO_NULL;
    int err = PMPI_Info_create(&native);
    *info = out_info(native);
    RETURN(err);
}

SHIM(Info_dup, (handle info, handle *made))
{
    MPI_Info native = MPI_INFO_NULL;
    int err = PMPI_Info_dup(in_info(info), &native);
    *made = out_info(native);
    RETURN(err);
}

SHIM(Info_free, (handle * info))
{
    MPI_Info native = in_info(*info);
    int err = PMPI_Info_free(&native);
    *info = out_info(native);
    RETURN(err);
}

SHIM(Info_set, (handle info, const char *key, const char *value))
{
    RETURN(PMPI_Info_set(in_info(info), key, value));
}

SHIM(Info_delete, (handle info, const char *key))
{
    RETURN(PMPI_Info_delete(in_info(info), key));
}

SHIM(Info_get, (handle info, const char *key, int length, char *value, int *flag))
{
    RETURN(PMPI_Info_get(in_info(info), key, length, value, flag));
}

SHIM(Info_get_valuelen, (handle info, const char *key, int *length, int *flag))
{
    RETURN(PMPI_Info_get_valuelen(in_info(info), key, length, flag));
}

SHIM(Info_get_nkeys, (handle info, int *n))
{
    RETURN(PMPI_Info_get_nkeys(in_info(info), n));
}

SHIM(Info_get_nthkey, (handle info, int n, char *key))
{
    RETURN(PMPI_Info_get_nthkey(in_info(info), n, key));
}
