#ifndef CHECK_H
#define CHECK_H
/* The test macros: count, name the place and the values, never stop, never depend on assert. A test's main
 * ends with `return check_done("name");` (0 good, 1 bad); return CHECK_SKIP where something it needs is not
 * there. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CHECK_SKIP 77

/* One count for all files of a program. */
__attribute__((weak)) long check_made, check_bad;

#define CHECK(cond, ...)                                                                                     \
    do {                                                                                                     \
        check_made++;                                                                                        \
        if (!(cond)) {                                                                                       \
            check_bad++;                                                                                     \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #cond);                                       \
            fprintf(stderr, __VA_ARGS__);                                                                    \
            fputc('\n', stderr);                                                                             \
        }                                                                                                    \
    } while (0)

#define CHECK_INT(got, want)                                                                                 \
    do {                                                                                                     \
        int64_t check_got_ = (int64_t)(got), check_want_ = (int64_t)(want);                                  \
        CHECK(check_got_ == check_want_, "%s is %" PRId64 ", not %" PRId64, #got, check_got_, check_want_);  \
    } while (0)

static inline int check_done(const char *name)
{
    fprintf(check_bad ? stderr : stdout, "%s: %ld checks, %ld failed\n", name, check_made, check_bad);
    return check_bad ? 1 : 0;
}
#endif
