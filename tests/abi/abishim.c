/* The tables of values, statuses, and MPI as a whole. See abishim.h. */
#include "abishim.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef OPEN_MPI /* of Open MPI 1.10 to 5; of MPICH 3 and 4 */
static const char library[] = "libmpi.so.40";
#else
static const char library[] = "libmpich.so.12";
#endif

/* What an older MPI lacks has the meaning of what it would say or do instead. */
#if !defined MPI_ERR_PROC_ABORTED
#define MPI_ERR_PROC_ABORTED    MPI_ERR_OTHER
#define MPI_ERR_VALUE_TOO_LARGE MPI_ERR_ARG
#define MPI_ERR_SESSION         MPI_ERR_OTHER
#define MPI_ERRORS_ABORT        MPI_ERRORS_ARE_FATAL
#endif
#ifndef MPI_ERR_ERRHANDLER
#define MPI_ERR_ERRHANDLER MPI_ERR_ARG
#endif
#ifndef MPI_ERR_ABI
#define MPI_ERR_ABI MPI_ERR_OTHER
#endif

static void *loaded;

/* The native library finds its own functions first, although this layer has functions of the same names
 * (RTLD_DEEPBIND). Open MPI's plug-ins are linked to nothing, and find it among all libraries (RTLD_GLOBAL).
 */
static void load(void)
{
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    char ***variables = libc ? dlsym(libc, "environ") : NULL;
    if (variables) /* deep binding finds libc's own, which is unset in programs that have a copy */
        *variables = environ;
    loaded = dlopen(library, RTLD_NOW | RTLD_GLOBAL | RTLD_DEEPBIND);
}

void *pcdf_shim_symbol(const char *name)
{
    if (!loaded)
        load();
    void *found = loaded ? dlsym(loaded, name) : NULL;
    if (!found) {
        fprintf(stderr, "tests/abi: %s of %s: %s\n", name, library, dlerror());
        abort();
    }
    return found;
}

static const enum pcdf_shim_kind kinds[] = {
#define V(kind, name) kind,
#include "shimvalues.def"
#undef V
};
enum { ROWS = sizeof kinds / sizeof *kinds };
extern const intptr_t pcdf_abi_values[];
static intptr_t native_values[ROWS];

__attribute__((constructor)) static void fill(void)
{
    const intptr_t values[] = {
#define V(kind, name) SHIM_BITS(name),
#include "shimvalues.def"
#undef V
    };
    memcpy(native_values, values, sizeof values);
}

intptr_t pcdf_shim_native(enum pcdf_shim_kind kind, intptr_t abi)
{
    for (int i = 0; i < ROWS && abi < 65536; i++)
        if (kinds[i] == kind && pcdf_abi_values[i] == abi)
            return native_values[i];
    return abi;
}

intptr_t pcdf_shim_abi(enum pcdf_shim_kind kind, intptr_t native)
{
    const intptr_t wanted = kind >= ERROR ? SHIM_BITS((int)native) : native;
    for (int i = 0; i < ROWS; i++)
        if (kinds[i] == kind && native_values[i] == wanted)
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
    RETURN(NATIVE(Init)(argc, argv));
}

/* The standard says nothing of other numbers: here they are an error, so that nobody uses a native one. */
SHIM(Init_thread, (int *argc, char ***argv, int wanted, int *got))
{
    if (wanted != 0 && in_level(wanted) == wanted)
        return out_error(MPI_ERR_ARG);
    int err = NATIVE(Init_thread)(argc, argv, in_level(wanted), got);
    *got = out_level(*got);
    RETURN(err);
}

SHIM(Query_thread, (int *got))
{
    int err = NATIVE(Query_thread)(got);
    *got = out_level(*got);
    RETURN(err);
}

SHIM(Initialized, (int *flag))
{
    RETURN(NATIVE(Initialized)(flag));
}

SHIM(Finalized, (int *flag))
{
    RETURN(NATIVE(Finalized)(flag));
}

SHIM(Finalize, (void))
{
    RETURN(NATIVE(Finalize)());
}

SHIM(Abort, (handle comm, int code))
{
    RETURN(NATIVE(Abort)(in_comm(comm), code));
}

SHIM(Get_library_version, (char *text, int *length))
{
    RETURN(NATIVE(Get_library_version)(text, length));
}

SHIM(Get_processor_name, (char *text, int *length))
{
    RETURN(NATIVE(Get_processor_name)(text, length));
}

SHIM_OF(double, Wtime, (void))
{
    return NATIVE(Wtime)();
}

/* Codes that are no class pass as they are: those of MPICH are large. */
SHIM(Error_class, (int code, int *class))
{
    int err = NATIVE(Error_class)(in_error(code), class);
    *class = out_error(*class);
    RETURN(err);
}

SHIM(Error_string, (int code, char *text, int *length))
{
    RETURN(NATIVE(Error_string)(in_error(code), text, length));
}

SHIM(Get_address, (const void *at, MPI_Aint *address))
{
    RETURN(NATIVE(Get_address)(at, address));
}

SHIM(Errhandler_free, (handle * abi))
{
    MPI_Errhandler native = in_errhandler(*abi);
    int err = NATIVE(Errhandler_free)(&native);
    *abi = out_errhandler(native);
    RETURN(err);
}

/* ---- sessions */

#if MPI_VERSION >= 4
SHIM(Session_init, (handle info, handle errhandler, handle *session))
{
    MPI_Session native;
    int err = NATIVE(Session_init)(in_info(info), in_errhandler(errhandler), &native);
    *session = (handle)SHIM_BITS(native);
    RETURN(err);
}

SHIM(Session_finalize, (handle * session))
{
    MPI_Session native = (MPI_Session)(intptr_t)*session;
    int err = NATIVE(Session_finalize)(&native);
    *session = (handle)0x120; /* MPI_SESSION_NULL */
    RETURN(err);
}

SHIM(Group_from_session_pset, (handle session, const char *set, handle *group))
{
    MPI_Group native = MPI_GROUP_NULL;
    int err = NATIVE(Group_from_session_pset)((MPI_Session)(intptr_t)session, set, &native);
    *group = out_group(native);
    RETURN(err);
}

SHIM(Comm_create_from_group, (handle group, const char *tag, handle info, handle errhandler, handle *comm))
{
    MPI_Comm native = MPI_COMM_NULL;
    int err = NATIVE(Comm_create_from_group)(in_group(group), tag, in_info(info), in_errhandler(errhandler),
                                             &native);
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
    int err = NATIVE(Info_create)(&native);
    *info = out_info(native);
    RETURN(err);
}

SHIM(Info_dup, (handle info, handle *made))
{
    MPI_Info native = MPI_INFO_NULL;
    int err = NATIVE(Info_dup)(in_info(info), &native);
    *made = out_info(native);
    RETURN(err);
}

SHIM(Info_free, (handle * info))
{
    MPI_Info native = in_info(*info);
    int err = NATIVE(Info_free)(&native);
    *info = out_info(native);
    RETURN(err);
}

SHIM(Info_set, (handle info, const char *key, const char *value))
{
    RETURN(NATIVE(Info_set)(in_info(info), key, value));
}

SHIM(Info_delete, (handle info, const char *key))
{
    RETURN(NATIVE(Info_delete)(in_info(info), key));
}

SHIM(Info_get, (handle info, const char *key, int length, char *value, int *flag))
{
    RETURN(NATIVE(Info_get)(in_info(info), key, length, value, flag));
}

SHIM(Info_get_valuelen, (handle info, const char *key, int *length, int *flag))
{
    RETURN(NATIVE(Info_get_valuelen)(in_info(info), key, length, flag));
}

SHIM(Info_get_nkeys, (handle info, int *n))
{
    RETURN(NATIVE(Info_get_nkeys)(in_info(info), n));
}

SHIM(Info_get_nthkey, (handle info, int n, char *key))
{
    RETURN(NATIVE(Info_get_nthkey)(in_info(info), n, key));
}
