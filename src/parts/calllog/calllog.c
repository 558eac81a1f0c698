/* See calllog.h. */
#include "posixio.h"
#include "calllog.h"

#include <stdio.h>
#include <string.h>
#include "dataset.h"
#include "filesystem.h"
#include "hintrows.h"
#include "parcdf.h"
#include "pnetcdf.h"
#include "tracefile.h"
#include "writequeue.h"

struct calllog {
    struct pcdf_tracefile *to; /* NULL: there is no log */
    double begin;              /* the call's, by the clock */
    int64_t bytes[2], pieces;  /* put, get */
    int64_t most;              /* bytes of the largest share: it names `way` */
    const char *way, *why;
};

static void call_begins(const struct pcdf_dataset *ds, void *own)
{
    struct calllog *log = own;
    (void)ds;
    log->begin = pcdf_tracefile_clock();
    log->bytes[PCDF_PUT] = log->bytes[PCDF_GET] = log->pieces = 0;
    log->most = -1;
    log->way = log->why = "-";
}

static void call_moves(const struct pcdf_dataset *ds, void *own, const struct pcdf_moving *what)
{
    struct calllog *log = own;
    (void)ds;
    log->bytes[what->dir] += what->bytes;
    log->pieces += what->pieces;
    if (what->bytes <= log->most)
        return;
    log->most = what->bytes;
    log->way = what->way;
    log->why = what->why;
}

/* One line. is_rare: such calls are few, or wait for other ranks anyway, and a crash should not lose them. */
static void write_call(const struct pcdf_dataset *ds, const struct calllog *log, const char *name, int varid,
                       bool is_rare, int err)
{
    char room[1024];
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

static void name_access(const struct pcdf_access *access, bool many, char *name, size_t size)
{
    static const char *const forms[] = { "var", "var1", "vara", "vars", "varm", "varn" };
    static const char *const types[] = { "_text", "_schar", "_uchar", "_short",  "_ushort",   "_int",
                                         "_uint", "_long",  "_float", "_double", "_longlong", "_ulonglong" };
    bool posted = access->mode == PCDF_CALL_NONBLOCKING || access->mode == PCDF_CALL_BUFFERED;
    const char *kind = access->mode == PCDF_CALL_BUFFERED ? "b" : posted ? "i" : many ? "m" : "";
    snprintf(name, size, "%s%s_%s%s%s", kind, access->dir == PCDF_PUT ? "put" : "get", forms[access->form],
             access->is_flexible ? "" : types[access->mtype],
             access->mode == PCDF_CALL_COLLECTIVE ? "_all" : "");
}

static void call_ends(const struct pcdf_dataset *ds, void *own, const struct pcdf_call *call)
{
    const struct calllog *log = own;
    char name[64];
    if (!log->to)
        return;
    if (!call->name)
        name_access(call->access, call->many, name, sizeof name);
    bool is_rare = call->name || call->access->mode == PCDF_CALL_COLLECTIVE;
    write_call(ds, log, call->name ? call->name : name, call->varid, is_rare, call->err);
}

/* ---- what the reader of the log should know of where it is */

/* Bytes, how many, and up to where where there is more than one part: "1048576 x 4 to 67108864". */
static void write_stripes(struct pcdf_tracefile *to, const struct pcdf_stripes *s)
{
    for (int64_t i = 0; i < s->n; i++) {
        const struct pcdf_stripe_piece *p = &s->piece[i];
        char count[32] = "", end[32] = "";
        if (p->count > 0)
            snprintf(count, sizeof count, " x %lld", (long long)p->count);
        if (i + 1 < s->n)
            snprintf(end, sizeof end, " to %lld", (long long)p->end);
        pcdf_tracefile_line(to, "# env stripe %lld%s%s", (long long)p->bytes, count, end);
    }
}

static int opened_all(struct pcdf_dataset *ds, void *own)
{
    struct pcdf_tracefile *to = ((struct calllog *)own)->to;
    char text[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "", host[MPI_MAX_PROCESSOR_NAME + 1] = "", kind[16];
    char value[MPI_MAX_INFO_VAL + 1], room[1024], usual[32];
    int n;
    MPI_Info info;
    if (!to)
        return NC_NOERR;
    MPI_Get_library_version(text, &n);
    MPI_Get_processor_name(host, &n);
    text[strcspn(text, ",\n")] = '\0'; /* without who packed Open MPI, or how MPICH */
    pcdf_tracefile_line(to, "# env library %s of %s (parcdf %s)", PNETCDF_VERSION, PNETCDF_RELEASE_DATE,
                        PARCDF_VERSION);
    pcdf_tracefile_line(to, "# env mpi %.200s", text);
    pcdf_tracefile_line(to, "# env host %.200s", host);
    pcdf_tracefile_line(to, "# env engine %s", ds->storage_kind->name);
    pcdf_tracefile_line(to, "# env filesystem %s",
                        ds->storage_kind->on_disk ? pcdf_filesystem_name(pcdf_path_posix(ds->path), kind)
                                                  : "none");
    write_stripes(to, &ds->io->stripes);
    if (ds->io->queues && !pcdf_writequeue_is_on(ds->io->storage))
        pcdf_tracefile_line(to, "# env queue none"); /* pcdf_async is set, but not possible here */
    if (MPI_Info_create(&info) != MPI_SUCCESS)
        return NC_NOERR;

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
    return NC_NOERR;
}

/* ---- the part */

static void hints_read(struct pcdf_dataset *ds, void *own)
{
    struct calllog *log = own;
    if (strcmp(ds->hints.trace, "none") != 0 && strcmp(ds->hints.trace, "-") != 0)
        log->to = pcdf_tracefile_make(ds->hints.trace, ds->ranks.rank);
    call_begins(ds, own); /* the one that opens the file */
}

static bool agreed(struct pcdf_dataset *ds, void *own, int64_t decision)
{
    (void)own, (void)decision;
    return strcmp(ds->hints.trace, "none") != 0;
}

static void configure(struct pcdf_dataset *ds, void *own, struct pcdf_sharedfile_config *config)
{
    config->trace = ds->hints.trace;
    config->log = ((struct calllog *)own)->to;
}

static void free_own(struct pcdf_dataset *ds, void *own)
{
    (void)ds;
    pcdf_tracefile_free(((struct calllog *)own)->to);
}

const struct pcdf_part_ops pcdf_part_calllog = {
    .name = "calllog",
    .own_size = sizeof(struct calllog),
    .is_local = true,
    .hints_read = hints_read,
    .agreed = agreed,
    .configure = configure,
    .opened_all = opened_all,
    .call_begins = call_begins,
    .call_moves = call_moves,
    .call_ends = call_ends,
    .free = free_own,
};
