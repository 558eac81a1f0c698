/* See kinds.h. */
#include "kinds.h"

static const char *const kind_names[PCDF_KINDS] = {
    "put", "get", "wait_all", "end of a put", "a step of a put", "a call that waits for earlier ones",
    "enddef", "enddef moving data", "fill_var_rec", "redef", "sync", "sync", "flush", "sync_numrecs",
    "refresh", "begin_indep_data", "end_indep_data", "close", "close in the background",
    "completing a closed file", "abort", "open", "create", "parcdf_set_begin", "parcdf_set_commit",
    "parcdf_set_abort", "parcdf_restart_find",
    /* safe mode */
    "def_dim", "rename_dim", "def_var", "rename_var", "put_att", "copy_att", "rename_att", "del_att",
    "set_fill", "def_var_fill", "def_var_quantize", "def_var_chunking", "def_var_deflate", "def_var_zstd",
    "def_var_szip", "def_var_fletcher32"
};

const char *pcdf_kind_name(enum pcdf_kind kind)
{
    return kind_names[kind];
}
