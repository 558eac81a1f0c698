/* See calllog.h. */
#include "posixio.h"
#include "calllog.h"

#include <stdio.h>
#include <string.h>
#include "alloc.h"
#include "filesystem.h"
#include "hintrows.h"
#include "parcdf.h"
#include "pnetcdf.h"
#include "tracefile.h"
#include "writequeue.h"

struct pcdf_calllog {
    struct pcdf_tracefile *to;
    double begin; /* of the call; by the clock, since a file's second 0 comes only when it is open */
    int64_t bytes[2], pieces; /* put, get */
    int64_t most;             /* of a part: its way and why are the call's */
    const char *way, *why;
};

struct pcdf_calllog *pcdf_calllog_make(const struct pcdf_hints *hints, int rank)
{
    if (strcmp(hints->trace, "none") == 0 || strcmp(hints->trace, "-") == 0)
        return NULL;
    struct pcdf_calllog *log = pcdf_calloc(1, sizeof *log);
    struct pcdf_tracefile *to = log ? pcdf_tracefile_make(hints->trace, rank) : NULL;
    if (!to) {
        pcdf_free(log);
        return NULL;
    }
    log->to = to;
    pcdf_calllog_begin(log);
    return log;
}

void pcdf_calllog_free(struct pcdf_calllog *log)
{
    if (log)
        pcdf_tracefile_free(log->to);
    pcdf_free(log);
}

struct pcdf_tracefile *pcdf_calllog_file(struct pcdf_calllog *log)
{
    return log ? log->to : NULL;
}

void pcdf_calllog_begin(struct pcdf_calllog *log)
{
    log->begin = pcdf_tracefile_clock();
    log->bytes[PCDF_PUT] = log->bytes[PCDF_GET] = log->pieces = 0;
    log->most = -1;
    log->way = log->why = "-";
}

void pcdf_calllog_add(struct pcdf_calllog *log, enum pcdf_dir dir, int64_t bytes, int64_t pieces,
                      const char *way, const char *why)
{
    log->bytes[dir] += bytes;
    log->pieces += pieces;
    if (bytes <= log->most)
        return;
    log->most = bytes;
    log->way = way;
    log->why = why;
}

/* One line. is_rare: such calls are few, or wait for other ranks anyway, and a crash should not lose them. */
static void write_call(const struct pcdf_dataset *ds, const char *name, int varid, bool is_rare, int err)
{
    char room[1024];
    struct pcdf_calllog *log = ds->log;
    bool is_known = varid >= 0 && varid < ds->meta.nvars;
    const char *variable =
        is_known ? pcdf_tracefile_escape(ds->meta.vars[varid].name, room, sizeof room) : "-";
    pcdf_tracefile_line(log->to, "call %s %s %.7f %.7f %lld %lld %lld %s %s %lld %d", name, variable,
                        pcdf_tracefile_at(log->to, log->begin),
                        pcdf_tracefile_at(log->to, pcdf_tracefile_clock()), (long long)log->bytes[PCDF_PUT],
                        (long long)log->bytes[PCDF_GET], (long long)log->pieces, log->way, log->why,
                        (long long)ds->meta.numrecs, err);
    if (is_rare)
        pcdf_tracefile_write(log->to);
}

int pcdf_calllog_end(const struct pcdf_dataset *ds, const char *name, int varid, int err)
{
    if (ds->log)
        write_call(ds, name, varid, true, err);
    return err;
}

void pcdf_calllog_end_access(const struct pcdf_dataset *ds, int varid, const struct pcdf_access *access,
                             bool many, int err)
{
    static const char *const forms[] = { "var", "var1", "vara", "vars", "varm", "varn" };
    static const char *const types[] = { "_text", "_schar", "_uchar", "_short",  "_ushort",   "_int",
                                         "_uint", "_long",  "_float", "_double", "_longlong", "_ulonglong" };
    char name[64];
    bool posted = access->mode == PCDF_CALL_NONBLOCKING || access->mode == PCDF_CALL_BUFFERED;
    const char *kind = access->mode == PCDF_CALL_BUFFERED ? "b" : posted ? "i" : many ? "m" : "";
    snprintf(name, sizeof name, "%s%s_%s%s%s", kind, access->dir == PCDF_PUT ? "put" : "get",
             forms[access->form], access->is_flexible ? "" : types[access->mtype],
             access->mode == PCDF_CALL_COLLECTIVE ? "_all" : "");
    write_call(ds, name, varid, access->mode == PCDF_CALL_COLLECTIVE, err);
}

/* ---- where it ran */

/* Bytes, how many, and up to where where there is more than one part: "1048576 x 4 to 67108864". */
static void write_stripes(struct pcdf_tracefile *to, const struct pcdf_stripes *s)
{
    for (int64_t i = 0; i < s->n; i++) {
        const struct pcdf_stripe_part *p = &s->part[i];
        char count[32] = "", end[32] = "";
        if (p->count > 0)
            snprintf(count, sizeof count, " x %lld", (long long)p->count);
        if (i + 1 < s->n)
            snprintf(end, sizeof end, " to %lld", (long long)p->end);
        pcdf_tracefile_line(to, "# env stripe %lld%s%s", (long long)p->bytes, count, end);
    }
}

void pcdf_calllog_environment(const struct pcdf_dataset *ds)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "", host[MPI_MAX_PROCESSOR_NAME + 1] = "", kind[16];
    char value[MPI_MAX_INFO_VAL + 1], room[1024], usual[32];
    int n;
    MPI_Info info;
    if (!ds->log)
        return;
    struct pcdf_tracefile *to = ds->log->to;
    MPI_Get_library_version(text, &n);
    MPI_Get_processor_name(host, &n);
    text[strcspn(text, ",\n")] = '\0'; /* Open MPI goes on about who packed it, MPICH about how */
    pcdf_tracefile_line(to, "# env library %s of %s (parcdf %s)", PNETCDF_VERSION, PNETCDF_RELEASE_DATE,
                        PARCDF_VERSION);
    pcdf_tracefile_line(to, "# env mpi %.200s", text);
    pcdf_tracefile_line(to, "# env host %.200s", host);
    pcdf_tracefile_line(to, "# env engine %s", ds->hints.engine);
    pcdf_tracefile_line(to, "# env filesystem %s",
                        pcdf_engine_kind(ds->hints.engine)->on_disk
                            ? pcdf_filesystem_name(pcdf_path_posix(ds->path), kind)
                            : "none");
    write_stripes(to, &ds->io->stripes);
    if (ds->queues && !pcdf_writequeue_is_on(ds->io->storage))
        pcdf_tracefile_line(to, "# env queue none"); /* pcdf_async is set, but not possible here */
    if (MPI_Info_create(&info) != MPI_SUCCESS)
        return;

    /* The hints that are not as usual. */
    bool knows = pcdf_dataset_hints(ds, info) == NC_NOERR;
    for (int i = 0; knows && i < pcdf_hint_count; i++) {
        const struct pcdf_hint_row *row = &pcdf_hint_rows[i];
        int found = 0;
        MPI_Info_get(info, row->name, MPI_MAX_INFO_VAL, value, &found);
        snprintf(usual, sizeof usual, "%lld", (long long)row->number);
        bool is_told = strcmp(row->name, "pcdf_engine") == 0 || strcmp(row->name, "pcdf_trace") == 0;
        if (found && !is_told && strcmp(value, row->text ? row->text : usual) != 0)
            pcdf_tracefile_line(to, "# env hint %s=%s", row->name,
                                pcdf_tracefile_escape(value, room, sizeof room));
    }
    MPI_Info_free(&info);
}
