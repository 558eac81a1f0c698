#ifndef DATAFAULTS_H
#define DATAFAULTS_H
/* What can be wrong with a data call, in the order of reference 4.5: the table of data_errors.c. */

#include "datacalls.h"

enum { FIXED, RECORD, SCALAR, BARE, LETTERS, NOVEL, VARIDS }; /* variables; NOVEL: in define mode only */
enum { ROWS = 4, COLUMNS = 5 };

/* What a fault sets. Two faults that touch the same cannot be made at once. */
enum field {
    F_NCID = 1,
    F_READONLY = 2,
    F_MODE = 4,
    F_VARID = 8,
    F_MEMORY = 16,
    F_ATTACHED = 32,
    F_NUM = 64,
    F_STARTS = 128,
    F_START0 = 256,
    F_START1 = 512,
    F_COUNT0 = 1024,
    F_COUNT1 = 2048,
    F_STRIDE0 = 4096,
    F_STRIDE1 = 8192,
    F_BUFTYPE = 16384,
    F_BUFCOUNT = 32768,
    F_VALUES = 65536,
    F_IDS = 1 << 17,
    F_RANGE = 1 << 18,
    F_RECORD = 1 << 19,
    F_START = F_START0 | F_START1,
    F_COUNT = F_COUNT0 | F_COUNT1,
    F_DERIVED = F_BUFTYPE | F_BUFCOUNT
};
enum { PAIR, LONG_DOUBLE, MIXED, BYTE, CHAR, SMALL, SPREAD, TYPES }; /* the types of F_BUFTYPE */
enum { NO_IDS, BAD_ID, ID_TWICE };                                   /* what is wrong for F_IDS */

struct fault {
    const char *what;
    int code;
    unsigned set; /* the field that gets the value; a whole array: NULL */
    long long value;
    unsigned also; /* further fields that it touches */
    unsigned ops, forms, memories;
    unsigned varids; /* bits: the variables of the call; 0 = all */
};

enum {
    PUTS = PUT | PUT_ALL | MPUT | MPUT_ALL | IPUT | BPUT,
    GETS = GET | GET_ALL | MGET | MGET_ALL | IGET,
    NOWS = PUT | PUT_ALL | GET | GET_ALL,
    MANIES = MPUT | MPUT_ALL | MGET | MGET_ALL,
    POSTS = IPUT | BPUT | IGET,
    TOGETHERS = PUT_ALL | GET_ALL | MPUT_ALL | MGET_ALL,
    ALL = PUTS | GETS,
    SLABS = VARA | VARS | VARM | VARN,
    ONES = VAR1 | VARA | VARS | VARM,
    COORDS = ONES | VARN,
    STRIDED = VARS | VARM,
    FORMS = COORDS | VAR,
    TYPED = INT,
    ANY = INT | FLEXIBLE
};
#define OF_FIXED  (1u << FIXED)
#define OF_RECORD (1u << RECORD)

static const struct fault data_faults[] = {
#include "datafaults.def"
};

static const struct fault wait_faults[] = {
    /* clang-format off */
    { "ncid",             NC_EBADID,         F_NCID, 0, 0, WAIT | WAIT_ALL | CANCEL, FORMS, ANY, 0 },
    { "define mode",      NC_EINDEFINE,      F_MODE, DEFINE, 0, WAIT | WAIT_ALL, FORMS, ANY, 0 },
    { "collective mode",  NC_ENOTINDEP,      F_MODE, TOGETHER, 0, WAIT, FORMS, ANY, 0 },
    { "independent mode", NC_EINDEP,         F_MODE, ALONE, 0, WAIT_ALL, FORMS, ANY, 0 },
    { "-4 requests",      NC_EINVAL,         F_NUM, -4, 0, WAIT | WAIT_ALL | CANCEL, FORMS, ANY, 0 },
    { "ids NULL",         NC_EINVAL,         F_IDS, NO_IDS, 0, WAIT | WAIT_ALL | CANCEL, FORMS, ANY, 0 },
    { "strange id",       NC_EINVAL_REQUEST, F_IDS, BAD_ID, 0, WAIT | WAIT_ALL | CANCEL, FORMS, ANY, 0 },
    { "id twice",         NC_EINVAL_REQUEST, F_IDS, ID_TWICE, 0, WAIT | WAIT_ALL | CANCEL, FORMS, ANY, 0 },
    { "range of a get",   NC_ERANGE,         F_RANGE, 0, 0, WAIT | WAIT_ALL, FORMS, ANY, 0 },
    /* clang-format on */
};

static const struct fault fill_faults[] = {
    /* clang-format off */
    { "ncid",             NC_EBADID,       F_NCID, 0, 0, DEF_VAR_FILL | FILL_VAR_REC, FORMS, ANY, 0 },
    { "data mode",        NC_ENOTINDEFINE, F_MODE, TOGETHER, 0, DEF_VAR_FILL, FORMS, ANY, 0 },
    { "read only",        NC_ENOTINDEFINE, F_READONLY, 0, 0, DEF_VAR_FILL, FORMS, ANY, 0 },
    { "read only",        NC_EPERM,        F_READONLY, 0, 0, FILL_VAR_REC, FORMS, ANY, 0 },
    { "define mode",      NC_EINDEFINE,    F_MODE, DEFINE, F_READONLY, FILL_VAR_REC, FORMS, ANY, 0 },
    { "NC_GLOBAL",        NC_EGLOBAL,      F_VARID, NC_GLOBAL, 0, DEF_VAR_FILL | FILL_VAR_REC, FORMS, ANY, 0 },
    { "varid",            NC_ENOTVAR,      F_VARID, VARIDS, 0, DEF_VAR_FILL | FILL_VAR_REC, FORMS, ANY, 0 },
    { "late",             NC_ELATEFILL,    F_VARID, FIXED, 0, DEF_VAR_FILL, FORMS, ANY, 0 },
    { "no records",       NC_ENOTRECVAR,   F_VARID, FIXED, 0, FILL_VAR_REC, FORMS, ANY, 0 },
    { "independent mode", NC_EINDEP,       F_MODE, ALONE, 0, FILL_VAR_REC, FORMS, ANY, 0 },
    { "not filled",       NC_ENOTFILL,     F_VARID, BARE, 0, FILL_VAR_REC, FORMS, ANY, 0 },
    { "record -1",        NC_EINVALCOORDS, F_RECORD, -1, 0, FILL_VAR_REC, FORMS, ANY, 0 },
    { "record 2^31-1",    NC_EINTOVERFLOW, F_RECORD, (1LL << 31) - 1, 0, FILL_VAR_REC, FORMS, ANY, 0 },
    /* clang-format on */
};
#endif
