/* Advice on how a file lies: a function a thing, each with its reason and what to do. */
#include "infofacts.h"
#include "toolcell.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define KIB ((int64_t)1024)
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

enum {
    PAGE = 4096,
    SMALL_FILE = 16 << 20, /* smaller ones are read, or written anew, at once */
    LITTLE_ROOM = 256,     /* of a header: less than one more variable with a few attributes needs */
    SMALL_RECORD = 16384,  /* shorter ones are slow on every file system */
    LONG_RECORD = 65536,   /* in shorter ones no rank writes whole blocks */
    MANY_RECORDS = 100,
    TINY_PART = 4096, /* of a record, beside a thousand times as much */
    TINY_SHARE = 64,
    MANY_TINY = 200,
    TENTH = 10 /* of the file in gaps, of a record in padding */
};

static struct pcdf_info_advice *add(struct pcdf_info *info, const char *rule, bool is_warning)
{
    struct pcdf_info_advice *a = &info->advice[info->nadvice++];
    *a = (struct pcdf_info_advice){ .rule = rule, .is_warning = is_warning };
    return a;
}

static void because(struct pcdf_info_advice *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void because(struct pcdf_info_advice *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(a->reason, sizeof a->reason, format, args);
    va_end(args);
}

static void then(struct pcdf_info_advice *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void then(struct pcdf_info_advice *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(a->action, sizeof a->action, format, args);
    va_end(args);
}

static void on_size(struct pcdf_info *info)
{
    char room[PCDF_TOOL_BYTES_ROOM];

    if (info->behind > 0) {
        struct pcdf_info_advice *a = add(info, "short_file", true);
        because(a, "The file ends %s before its data ends: these bytes were never written, or are lost.",
                pcdf_tool_bytes_text(info->behind, room));
        then(a, "They read as zeros; `parcdf check` tells which values they are. This is no fault if no put "
                "wrote them.");
    }
    if (info->tail > 0 && (info->recsize == 0 || info->tail < info->recsize)) {
        struct pcdf_info_advice *a = add(info, "tail", false);
        because(a, "%s follow the data.", pcdf_tool_bytes_text(info->tail, room));
        then(a, "No program reads them; `parcdf copy` leaves them out.");
    } else if (info->tail > 0) {
        struct pcdf_info_advice *a = add(info, "uncounted_records", true);
        because(a,
                "After the last counted record there is room for %" PRId64
                " more records: perhaps a program ended before it counted them.",
                info->tail / info->recsize);
        then(a, "`parcdf copy --recompute` makes a file that has them.");
    }
}

static void on_neighbours(struct pcdf_info *info)
{
    if (info->has_journal) {
        struct pcdf_info_advice *a = add(info, "journal", true);
        because(a, "The file has a journal beside it: a change of the file was interrupted, or is going on.");
        then(a, "If no process writes to the file, `parcdf repair` finishes the change.");
    }
    if (info->has_sums) {
        struct pcdf_info_advice *a = add(info, "checksums", false);
        because(a, "The file has checksums beside it.");
        then(a, "`parcdf check --data` compares the data with them. Copy both files together.");
    }
}

static void on_header(struct pcdf_info *info)
{
    char room[PCDF_TOOL_BYTES_ROOM], data[PCDF_TOOL_BYTES_ROOM];
    int64_t left = info->header_room - info->header_used, moved = info->data_end - info->header_room;

    if (info->ds->meta.nvars == 0 || left >= LITTLE_ROOM || moved < SMALL_FILE)
        return;
    struct pcdf_info_advice *a = add(info, "header_full", false);
    because(a, "The header has only %s of free room: to add a variable, %s of data may have to be moved.",
            pcdf_tool_bytes_text(left, room), pcdf_tool_bytes_text(moved, data));
    then(a, "Make room with hint pcdf_header_reserve=65536, or with `parcdf copy --header-reserve 65536`.");
}

static void on_record_place(struct pcdf_info *info)
{
    char each[PCDF_TOOL_BYTES_ROOM];
    int64_t block = info->block >= PAGE ? info->block : PAGE;

    if (info->recsize < LONG_RECORD || info->data_end < SMALL_FILE || info->rec_begin % PAGE == 0 ||
        info->recsize % PAGE != 0) /* the first record alone would be aligned */
        return;
    struct pcdf_info_advice *a = add(info, "unaligned_records", false);
    because(a,
            "Records of %s begin at byte %" PRId64
            ", which is not a multiple of 4096: ranks that write one record each share a page, "
            "and its lock, with their neighbours.",
            pcdf_tool_bytes_text(info->recsize, each), info->rec_begin);
    then(a, "Use hint nc_record_align_size=%" PRId64 ", or `parcdf copy --record-align %" PRId64 "`.", block,
         block);
}

/* A variable of a few bytes in long records: all of it is as many places as there are records. */
static void on_tiny_parts(struct pcdf_info *info)
{
    const struct pcdf_meta *meta = &info->ds->meta;
    char each[PCDF_TOOL_BYTES_ROOM], least[PCDF_TOOL_BYTES_ROOM];
    int n = 0, smallest = -1;

    if (meta->numrecs < MANY_RECORDS || info->data_end < SMALL_FILE)
        return;
    for (int i = 0; i < meta->nvars; i++) {
        const struct pcdf_var *var = &meta->vars[i];
        if (!var->is_record || var->nbytes >= TINY_PART || var->nbytes >= info->recsize / TINY_SHARE)
            continue;
        n++;
        if (smallest < 0 || var->nbytes < meta->vars[smallest].nbytes)
            smallest = i;
    }
    if (n == 0)
        return;
    struct pcdf_info_advice *a = add(info, "tiny_record_variables", false);
    because(a, "%d variable%s, with few bytes in records of %s: %.200s consists of %" PRId64 " pieces of %s.",
            n, n == 1 ? " is tiny" : "s are tiny", pcdf_tool_bytes_text(info->recsize, each),
            meta->vars[smallest].name, meta->numrecs,
            pcdf_tool_bytes_text(meta->vars[smallest].nbytes, least));
    then(a,
         "If no more records will be added, `parcdf copy --fix-records` stores each variable in one piece.");
}

static void on_short_records(struct pcdf_info *info)
{
    char each[PCDF_TOOL_BYTES_ROOM];

    if (info->recsize == 0 || info->recsize >= SMALL_RECORD || info->ds->meta.nrecord_vars < 2 ||
        info->ds->meta.numrecs < MANY_RECORDS || info->data_end < SMALL_FILE)
        return;
    struct pcdf_info_advice *a = add(info, "short_records", false);
    because(a, "There are %" PRId64 " records of only %s: each variable consists of as many small pieces.",
            info->ds->meta.numrecs, pcdf_tool_bytes_text(info->recsize, each));
    then(a, "Put and get many records in one call (a count above 1), or use `parcdf copy --fix-records`.");
}

static void beyond_limit(struct pcdf_info *info, const char *what, const char *value, const char *limit)
{
    struct pcdf_info_advice *a = add(info, "version_limit", false);
    because(a, "%s %s; the limit of CDF-%d is %s.", what, value, info->ds->meta.version, limit);
    then(a, "`parcdf copy -k cdf5` makes a file without this limit.");
}

/* Three quarters of what CDF-1 and CDF-2 can hold. */
static void on_limits(struct pcdf_info *info)
{
    const struct pcdf_meta *meta = &info->ds->meta;
    int64_t most = 0, last = 0;
    char text[PCDF_TOOL_BYTES_ROOM];

    if (meta->version == PCDF_CDF5)
        return;
    for (int i = 0; i < meta->nvars; i++) {
        most = meta->vars[i].nbytes > most ? meta->vars[i].nbytes : most;
        last = info->ds->layout.begin[i] > last ? info->ds->layout.begin[i] : last;
    }
    if (meta->version == PCDF_CDF1 && last > 2 * GIB / 4 * 3)
        beyond_limit(info, "The last variable begins at", pcdf_tool_bytes_text(last, text), "2 GiB");
    if (most > 4 * GIB / 4 * 3)
        beyond_limit(info, "The largest variable, or its part of a record, has",
                     pcdf_tool_bytes_text(most, text), "4 GiB");
    snprintf(text, sizeof text, "%" PRId64, meta->numrecs);
    if (meta->numrecs > (int64_t)INT32_MAX / 4 * 3)
        beyond_limit(info, "The number of records is", text, "2147483647");
}

static void on_gaps(struct pcdf_info *info)
{
    char all[PCDF_TOOL_BYTES_ROOM], most[PCDF_TOOL_BYTES_ROOM];

    if (info->gap_bytes < MIB || info->gap_bytes < info->data_end / TENTH)
        return;
    struct pcdf_info_advice *a = add(info, "gaps", false);
    because(a, "%s between variables are unused; the largest gap, of %s, is at byte %" PRId64 ".",
            pcdf_tool_bytes_text(info->gap_bytes, all), pcdf_tool_bytes_text(info->gap_most, most),
            info->gap_at);
    then(a, "`parcdf copy --packed` leaves them out.");
}

static void on_many_tiny(struct pcdf_info *info)
{
    if (info->ntiny < MANY_TINY)
        return;
    struct pcdf_info_advice *a = add(info, "many_tiny_variables", false);
    because(a,
            "%d fixed-size variables have less than 4 KiB each: to put one takes as long as to put far more "
            "bytes.",
            info->ntiny);
    then(a, "Use nonblocking puts (ncmpi_iput_*, then one ncmpi_wait_all), or hint pcdf_defer=16777216.");
}

static void on_padding(struct pcdf_info *info)
{
    int64_t padding = info->recsize - info->rec_bytes;

    if (info->recsize == 0 || padding <= 0 || padding < info->recsize / TENTH ||
        info->ds->meta.numrecs < MANY_RECORDS)
        return;
    struct pcdf_info_advice *a = add(info, "padding", false);
    because(a,
            "%" PRId64 " of the %" PRId64
            " bytes of a record are padding: each variable of bytes, chars or shorts "
            "takes a multiple of 4.",
            padding, info->recsize);
    then(a, "Combine several small variables into one with one more dimension.");
}

/* HDF5's metadata is not known here: what is more than it may take at most is lost. */
static void on_lost_room(struct pcdf_info *info)
{
    const struct pcdf_tool_chunks_room *room = &info->room;
    char lost[PCDF_TOOL_BYTES_ROOM], file[PCDF_TOOL_BYTES_ROOM];
    if (!info->has_room)
        return;
    int64_t rest = room->file - room->values,
            metadata = MIB + 512 * room->nchunks + 4096 * ((int64_t)info->ds->meta.nvars + info->natts);
    if (rest <= metadata || rest < room->file / TENTH)
        return;
    struct pcdf_info_advice *a = add(info, "lost_room", false);
    because(a,
            "%s of the %s of the file are no values, and more than definitions need: mostly places that "
            "chunks had before they were written anew.",
            pcdf_tool_bytes_text(rest, lost), pcdf_tool_bytes_text(room->file, file));
    then(a, "`parcdf copy -k netcdf4` makes a file without them.");
}

void pcdf_info_advise(struct pcdf_info *info)
{
    info->nadvice = 0;
    on_size(info);
    on_neighbours(info);
    on_header(info);
    on_record_place(info);
    on_tiny_parts(info);
    on_short_records(info);
    on_limits(info);
    on_gaps(info);
    on_many_tiny(info);
    on_padding(info);
    on_lost_room(info);
}
