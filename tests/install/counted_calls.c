/* Interposers such as a profiler's: each counts and passes the call on. Built twice: to be preloaded (they
 * have the public names, and find the library's behind them), and with COUNTED_BY_WRAP to be linked with
 * --wrap. */
#include "counted.h"
#include <dlfcn.h>

static int calls[COUNTED_FUNCTIONS];

const int *counted_calls(void)
{
    return calls;
}

#ifdef COUNTED_BY_WRAP
#define INTERPOSE(name, params, args)                                                                        \
    int __real_##name params;                                                                                \
    int __wrap_##name params;                                                                                \
    int __wrap_##name params                                                                                 \
    {                                                                                                        \
        calls[AT_##name]++;                                                                                  \
        return __real_##name args;                                                                           \
    }
#else
#define INTERPOSE(name, params, args)                                                                        \
    int name params                                                                                          \
    {                                                                                                        \
        union {                                                                                              \
            void *found;                                                                                     \
            int(*call) params;                                                                               \
        } next = { .found = dlsym(RTLD_NEXT, #name) };                                                       \
        calls[AT_##name]++;                                                                                  \
        return next.call args;                                                                               \
    }
#endif
COUNTED(INTERPOSE)
