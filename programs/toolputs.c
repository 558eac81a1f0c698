/* See toolputs.h. */
#include "toolputs.h"
#include "tool.h"

#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stddef.h>

_Static_assert(sizeof(MPI_Offset) == sizeof(int64_t), "places are handed over as they are");

enum state { FINISHED, PUTS, FAILED }; /* of a rank in a round; the largest one tells what happens */

static int say(const struct pcdf_tool_puts *p, int err)
{
    return err ? pcdf_tool_unusable(p->to, "%s", parcdf_last_error()) : PCDF_TOOL_GOOD;
}

int pcdf_tool_puts_begin_all(struct pcdf_tool_puts *puts, const struct pcdf_tool_ranks *ranks, int ncid,
                             const char *to)
{
    int format = 0;
    *puts = (struct pcdf_tool_puts){ .ranks = ranks, .to = to, .ncid = ncid };
    int status = say(puts, ncmpi_inq_format(ncid, &format));
    puts->is_together = format == NC_FORMAT_NETCDF4 || format == NC_FORMAT_NETCDF4_CLASSIC;
    if (!status && !puts->is_together) /* the same on all ranks */
        status = say(puts, ncmpi_begin_indep_data(ncid));
    return status;
}

/* ---- rounds */

static enum state meet_all(struct pcdf_tool_puts *p, enum state mine)
{
    enum state worst = (enum state)pcdf_tool_worst_all(p->ranks, (int)mine);
    p->is_over = worst == FAILED;
    return worst;
}

static int post(const struct pcdf_tool_puts *p, const struct pcdf_tool_put *put)
{
    int ndims = 0, ignored;
    MPI_Offset n = 1;
    int err = ncmpi_inq_varndims(p->ncid, put->varid, &ndims);
    for (int i = 0; i < ndims; i++)
        n *= put->count[i];
    return err ? err
               : ncmpi_iput_vara(p->ncid, put->varid, (const MPI_Offset *)put->start,
                                 (const MPI_Offset *)put->count, put->values, put->are_doubles ? n : 1,
                                 put->are_doubles ? MPI_DOUBLE : MPI_DATATYPE_NULL, &ignored);
}

static int put_in_round_all(struct pcdf_tool_puts *p, const struct pcdf_tool_put *put)
{
    if (p->is_over || meet_all(p, PUTS) == FAILED)
        return PCDF_TOOL_UNUSABLE; /* whose rank said why */
    int status = say(p, post(p, put)), waited = ncmpi_wait_all(p->ncid, NC_REQ_ALL, NULL, NULL);
    return status ? status : say(p, waited);
}

static int put_alone(const struct pcdf_tool_puts *p, const struct pcdf_tool_put *put)
{
    const MPI_Offset *start = (const MPI_Offset *)put->start, *count = (const MPI_Offset *)put->count;
    return say(p, put->are_doubles
                      ? ncmpi_put_vara_double(p->ncid, put->varid, start, count, put->values)
                      : ncmpi_put_vara(p->ncid, put->varid, start, count, put->values, 1, MPI_DATATYPE_NULL));
}

int pcdf_tool_put_all(struct pcdf_tool_puts *puts, const struct pcdf_tool_put *put)
{
    return puts->is_together ? put_in_round_all(puts, put) : put_alone(puts, put);
}

int pcdf_tool_puts_finish_all(struct pcdf_tool_puts *puts, int status)
{
    enum state mine = status ? FAILED : FINISHED;
    while (puts->is_together && !puts->is_over && meet_all(puts, mine) == PUTS)
        if (say(puts, ncmpi_wait_all(puts->ncid, NC_REQ_ALL, NULL, NULL)))
            mine = FAILED;
    if (puts->is_over || mine == FAILED)
        status = PCDF_TOOL_UNUSABLE;
    return pcdf_tool_worst_all(puts->ranks, status);
}

int pcdf_tool_puts_close_all(struct pcdf_tool_puts *puts, const char *to)
{
    int first = puts->is_together ? NC_NOERR : ncmpi_end_indep_data(puts->ncid);
    if (first && to)
        (void)pcdf_tool_unusable(to, "%s", parcdf_last_error());
    int err = ncmpi_close(puts->ncid);
    if (!first && err && to)
        (void)pcdf_tool_unusable(to, "%s", parcdf_last_error());
    return first || err ? PCDF_TOOL_UNUSABLE : PCDF_TOOL_GOOD;
}
