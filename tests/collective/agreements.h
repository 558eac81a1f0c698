#ifndef AGREEMENTS_H
#define AGREEMENTS_H
/* What agreement.c and agreement_data.c share: the two passes, whose code a call gives on which rank, and the
 * count of cases. */

#include "together.h"

static bool my_safe; /* this pass is in safe mode */
static long my_cases;

/* Rank 0 decides for the files that are opened from now on. */
static inline void set_safe(bool on)
{
    my_safe = on;
    setenv("PNETCDF_SAFE_MODE", on ? "1" : "0", 1);
}

/* The code of a call that rank `bad` made with the error `code`; is_agreed: every rank learns it. */
static inline int code_here(int bad, int code, bool is_agreed)
{
    return is_agreed || my_rank == bad ? code : NC_NOERR;
}

static inline void check_code(const char *what, int got, int want)
{
    CHECK(got == want, "rank %d of %d: %s%s: %s, not %s", my_rank, my_size, what,
          my_safe ? ", safe mode" : "", ncmpi_strerrno(got), ncmpi_strerrno(want));
}

static inline int agreements_end(const char *name)
{
    if (my_rank == 0)
        printf("%s: %ld cases on %d ranks\n", name, my_cases, my_size);
    return together_end(name);
}
#endif
