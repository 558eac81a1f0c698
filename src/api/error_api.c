/* Codes and versions as text. */
#include <parcdf.h>
#include <pnetcdf.h>

/* Before status.h, so that only the public headers can give the names their values. */
#define PCDF_ERROR(name, value, sentence)                                                                    \
    _Static_assert((name) == (value), "errors.def and pnetcdf.h differ");
#include "errors.def"
#undef PCDF_ERROR

#include <stdio.h>
#include <string.h>
#include "progress.h"
#include "status.h"

enum { TEXT_MAX = 128 };

const char *ncmpi_strerror(int err)
{
    static _Thread_local char text[TEXT_MAX];
    if (NC_ISSYSERR(err))
        return strerror_r(err, text, sizeof text); /* the GNU one: it need not use `text` */
    const char *sentence = pcdf_error_of(err)->sentence;
    if (sentence)
        return sentence;
    snprintf(text, sizeof text, "Unknown Error: %d is no code of this library", err);
    return text;
}

const char *ncmpi_strerrno(int err)
{
    static _Thread_local char text[TEXT_MAX];
    const char *name = pcdf_error_of(err)->name;
    if (name)
        return name;
    snprintf(text, sizeof text, "Unknown code %d", err);
    return text;
}

/* Programs read the number in front. */
const char *ncmpi_inq_libvers(void)
{
    return PNETCDF_VERSION " of " PNETCDF_RELEASE_DATE " (parcdf " PARCDF_VERSION ")";
}

void parcdf_set_progress(parcdf_progress progress, void *context)
{
    pcdf_progress_set(progress, context);
}

const char *parcdf_last_error(void)
{
    return pcdf_fail_text();
}

void parcdf_tell_fortran(int on)
{
    pcdf_tell_caller(on == 0 ? PCDF_CALLER_C : on == 77 ? PCDF_CALLER_F77 : PCDF_CALLER_F90);
}

const char *parcdf_version(void)
{
    return PARCDF_VERSION;
}
