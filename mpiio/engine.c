/* Chooses an engine by name, stacks fault and trace on it, and turns errno and MPI codes into NC_ codes. */

#include "engine.h"
#include "alloc.h"
#include "filesystem.h"
#include "object.h"
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    bool on_disk;
    int (*open_all)(const struct pcdf_engine_config *config, struct pcdf_engine **e);
} engines[] = {
    { "mpiio", true, pcdf_mpifile_open_all }, /* the first is the default */
    { "posix", true, pcdf_posix_open_all },    { "serial", true, pcdf_posix_open_all }, /* its older name */
    { "auto", true, pcdf_posix_open_all },                                              /* or the first */
    { "memory", false, pcdf_memory_open_all }, { "null", false, pcdf_null_open_all },
};

static int find_engine(const char *name)
{
    if (!name || !*name)
        return 0;
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        if (!strcmp(engines[i].name, name))
            return (int)i;
    return -1;
}

bool pcdf_engine_on_disk(const char *engine)
{
    int i = find_engine(engine);
    return i >= 0 && engines[i].on_disk;
}

/* Trace sits above fault, so that its log shows the failures that were ordered; checksums lie below both.
 * *top is what has been reached. */
static int stack_engines(const struct pcdf_engine_config *config, struct pcdf_engine **top)
{
    if (config->sums)
        PCDF_TRY(pcdf_sums_stack(config, *top, top));
    if (config->fault && *config->fault)
        PCDF_TRY(pcdf_fault_stack(config, *top, top));
    if (config->trace && *config->trace)
        PCDF_TRY(pcdf_trace_stack(config, *top, top));
    return NC_NOERR;
}

/* "auto" on this rank: is posix the wrong engine for where the file is? */
static bool lies_elsewhere(int row, const struct pcdf_engine *bottom)
{
    return row >= 0 && bottom && !strcmp(engines[row].name, "auto") && !pcdf_posix_is_local(bottom);
}

/* On one rank, and of what is no file, there is nothing to compare. */
static void look_at_object(const struct pcdf_engine_config *config, int row, int status,
                           struct pcdf_object *object)
{
    int ranks = 1;

    *object = (struct pcdf_object){ .is_known = false };
    for (int i = 0; i < PCDF_OBJECT_NUMBERS; i++)
        object->numbers[i] = INT64_MIN;
    MPI_Comm_size(config->comm, &ranks);
    if (ranks > 1 && row >= 0 && engines[row].on_disk && status == NC_NOERR)
        pcdf_object_look(config, object);
}

/* One engine, on all ranks or on none. *elsewhere: "auto" wants another; the same on all ranks. */
static int open_row_all(const struct pcdf_engine_config *config, int row, struct pcdf_engine **e,
                        bool *elsewhere)
{
    struct pcdf_engine *top = NULL, *bottom;
    int status, err;
    bool is_traced = config->trace && *config->trace;
    enum { OBJECT = 4, FIELDS = OBJECT + PCDF_OBJECT_NUMBERS };
    int64_t mine[FIELDS], all[FIELDS];
    struct pcdf_object object;

    if (row < 0)
        status = PCDF_FAIL(NC_EDRIVER, "there is no engine named \"%s\"", config->engine);
    else /* on all ranks: the name is rank 0's */
        status = engines[row].open_all(config, &top);
    mine[1] = status != NC_NOERR; /* this rank cannot take part in a close */
    bottom = top;
    mine[2] = lies_elsewhere(row, bottom);
    if (status == NC_NOERR)
        status = stack_engines(config, &top);
    mine[0] = -(int64_t)status;
    mine[3] = is_traced ? pcdf_trace_wall() : 0;
    int64_t stamp = pcdf_object_stamp_all(config);
    look_at_object(config, row, status, &object);
    memcpy(mine + OBJECT, object.numbers, sizeof object.numbers);

    config->counts->allreduce++;
    err = MPI_Allreduce(mine, all, FIELDS, MPI_INT64_T, MPI_MAX, config->comm);
    if (err) {
        pcdf_first(&status, pcdf_error_from_mpi(err, NC_EMPI, "agreeing on the open", config->path));
        all[0] = -(int64_t)status;
        all[1] = 1;
        all[2] = 0;
    }
    *elsewhere = all[2] != 0;
    if (all[0] == 0 && pcdf_object_differs(config, stamp, all + OBJECT)) { /* the same on all ranks */
        *elsewhere = false;
        status = pcdf_object_tell_all(config, &object);
    } else if (all[0] == 0 && !*elsewhere) { /* the same on all ranks */
        top->stripe = bottom->stripe;
        if (is_traced)
            pcdf_trace_begin(top, config, all[3]);
        *e = top;
        return NC_NOERR;
    }
    if (top) {
        top->poisoned = all[1] != 0;
        top->ops->close_all(top); /* its result would hide the one that made us close */
    }
    if (status == NC_NOERR && all[0])
        status = PCDF_FAIL((int)-all[0], "another rank could not open %s", config->path);
    return status;
}

int pcdf_engine_open_all(const struct pcdf_engine_config *config, struct pcdf_engine **e)
{
    bool elsewhere = false;
    int status;

    *e = NULL;
    status = open_row_all(config, find_engine(config->engine), e, &elsewhere);
    if (elsewhere) /* the same on all ranks */
        status = open_row_all(config, find_engine("mpiio"), e, &elsewhere);
    return status;
}

const char *pcdf_engine_name(const struct pcdf_engine *e)
{
    while (e->below)
        e = e->below;
    return e->ops->name;
}

int pcdf_engine_add_stripes(const char *path, MPI_Info info)
{
    int64_t bytes, count;
    char text[24];
    int err;

    if (!pcdf_filesystem_stripes(path, &bytes, &count))
        return NC_NOERR;
    snprintf(text, sizeof text, "%lld", (long long)bytes);
    err = MPI_Info_set(info, "striping_unit", text);
    snprintf(text, sizeof text, "%lld", (long long)count);
    if (!err)
        err = MPI_Info_set(info, "striping_factor", text);
    return err ? pcdf_error_from_mpi(err, NC_EMPI, "listing the stripes of", path) : NC_NOERR;
}

int64_t pcdf_engine_reach(const struct pcdf_engine *e)
{
    while (e->below)
        e = e->below;
    return e->reach;
}

bool pcdf_engine_exchanges(const struct pcdf_engine *e)
{
    while (e->below)
        e = e->below;
    return e->ops->exchange_all;
}

void pcdf_engine_renamed(struct pcdf_engine *e)
{
    for (; e; e = e->below)
        if (e->ops->renamed)
            e->ops->renamed(e);
}
