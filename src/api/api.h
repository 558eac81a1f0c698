#ifndef PCDF_API_H
#define PCDF_API_H
/* Most public functions on an open file are a row: name without ncmpi_, arguments (the first is int ncid),
 * and the call that they are, in which `ds` is the open file. The prototypes in pnetcdf.h are what the
 * compiler checks a row against. */

#include <pnetcdf.h>
#include "dataset.h"
#include "lock.h"
#include "status.h"

#define PCDF_ON_FILE(name, arguments, ...)                                                                   \
    int ncmpi_##name arguments                                                                               \
    {                                                                                                        \
        struct pcdf_dataset *ds;                                                                             \
        PCDF_LOCK(ncid);                                                                                     \
        PCDF_TRY(pcdf_dataset_of(ncid, &ds));                                                                \
        return pcdf_report(ds, __VA_ARGS__);                                                                 \
    }

/* The same for a call that has a line in a recording; varid -1: of no variable. */
#define PCDF_ON_FILE_LOGGED(name, arguments, varid, ...)                                                     \
    PCDF_ON_FILE(name, arguments, PCDF_CALLED(ds, #name, varid, (__VA_ARGS__)))

/* An output may be NULL. */
#define PCDF_GIVE(place, value) ((place) ? (void)(*(place) = (value)) : (void)0)
#endif
