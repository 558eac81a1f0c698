/* See header.h. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "alloc.h"
#include "filekind.h"
#include "followfile.h"
#include "debuglog.h"
#include "decode.h"
#include "encode.h"
#include "header.h"
#include "metadifference.h"
#include "shown.h"
#include "sidecar.h"
#include "vote.h"

int pcdf_header_encode(const struct pcdf_meta *meta, const struct pcdf_layout *layout,
                       struct pcdf_header_bytes *header)
{
    int64_t size = pcdf_encode_size(meta);
    unsigned char *bytes = pcdf_malloc((size_t)size);
    if (!bytes)
        return PCDF_FAIL(NC_ENOMEM, "no memory for a header of %lld bytes", (long long)size);
    pcdf_encode(meta, layout, bytes);
    *header = (struct pcdf_header_bytes){ bytes, size };
    return NC_NOERR;
}

struct pcdf_header_span pcdf_header_changed(const struct pcdf_dataset *ds,
                                            const struct pcdf_header_bytes *header,
                                            const struct pcdf_header_bytes *old)
{
    enum { BLOCK = 4096 }; /* most of them are equal */
    const unsigned char *a = header->bytes, *b = old->bytes;
    int64_t both = header->size < old->size ? header->size : old->size;
    struct pcdf_header_span s = { 0, header->size };
    if (ds->header_is_noncanonical)
        return s;
    while (both - s.from >= BLOCK && memcmp(a + s.from, b + s.from, BLOCK) == 0)
        s.from += BLOCK;
    while (s.from < both && a[s.from] == b[s.from])
        s.from++;
    if (header->size > old->size)
        return s;
    while (s.to - s.from >= BLOCK && memcmp(a + s.to - BLOCK, b + s.to - BLOCK, BLOCK) == 0)
        s.to -= BLOCK;
    while (s.to > s.from && a[s.to - 1] == b[s.to - 1])
        s.to--;
    return s;
}

/* ---- one piece at an explicit offset, by rank 0 */

enum { NUMRECS_AT = 4, NUMRECS_MOST = 8 };

/* Of a change: a nonce stands where the number of records will (define/change.h). */
static bool is_mark(int64_t offset, const void *bytes)
{
    const unsigned char *b = bytes;
    return offset == PCDF_MARK_AT && b[0] & PCDF_CHANGE_MARK;
}

/* All else has the number of records, also journals: it becomes STREAMING on its way to the file alone. */
static int put_streaming(struct pcdf_dataset *ds, int64_t offset, const void *bytes, int64_t nbytes)
{
    unsigned char *b = pcdf_malloc((size_t)nbytes);
    int64_t end = NUMRECS_AT + (ds->meta.version == PCDF_CDF5 ? 8 : 4);
    if (!b)
        return PCDF_FAIL(NC_ENOMEM, "no memory to write the header");
    memcpy(b, bytes, (size_t)nbytes);
    for (int64_t i = NUMRECS_AT; i < end; i++)
        if (i >= offset && i - offset < nbytes)
            b[i - offset] = 0xff;
    int err = pcdf_storage_move_at(ds->io->storage, PCDF_PUT, b, nbytes, offset, NULL);
    pcdf_free(b);
    return err;
}

int pcdf_header_root_put(struct pcdf_dataset *ds, int64_t offset, const void *bytes, int64_t nbytes)
{
    if (nbytes <= 0)
        return NC_NOERR;
    ds->put_bytes += nbytes;
    if (ds->is_streaming && offset < NUMRECS_AT + NUMRECS_MOST && !is_mark(offset, bytes))
        return put_streaming(ds, offset, bytes, nbytes);
    return pcdf_storage_move_at(ds->io->storage, PCDF_PUT, (void *)bytes, nbytes, offset,
                                NULL); /* a put changes nothing of them */
}

int pcdf_header_root_write_numrecs(struct pcdf_dataset *ds, int64_t numrecs, bool may_be_late)
{
    unsigned char field[8];
    if (numrecs == ds->numrecs_on_file || ds->is_streaming || ds->writer)
        return NC_NOERR;
    int size = pcdf_encode_numrecs(ds->meta.version, numrecs, field);
    const struct pcdf_piece piece = { 4, size, (char *)field };
    int err = pcdf_storage_move(
        ds->io->storage,
        &(struct pcdf_extents){ .dir = PCDF_PUT, .may_queue = may_be_late, .n = 1, .pieces = &piece }, NULL);
    ds->put_bytes += size;
    if (!err)
        ds->numrecs_on_file = numrecs;
    pcdf_first(&ds->io_error, err);
    return err;
}

/* ---- reading */

static void log_tolerated(void *context, const struct pcdf_fault *fault)
{
    const struct pcdf_dataset *ds = context;
    pcdf_debuglog("%s: warning: %s", ds->path, fault->text);
}

/* The file opens, but is not as the specification says: the first oddity is the sentence that
 * parcdf_last_error has after the call, and the debug log names all. */
static void tell_tolerated(struct pcdf_dataset *ds, const struct pcdf_reading *seen,
                           const struct pcdf_header_bytes *header, int64_t file_size)
{
    struct pcdf_reading reading = { .is_lenient = seen->is_lenient, .told = log_tolerated, .context = ds };
    struct pcdf_layout layout;
    struct pcdf_fault fault;
    struct pcdf_meta meta;
    int64_t need;

    if (pcdf_debuglog_is_on() && pcdf_decode(&reading, header->bytes, (size_t)header->size, file_size, &need,
                                             &meta, &layout, &fault) == NC_NOERR) {
        pcdf_layout_free(&layout);
        pcdf_meta_free(&meta);
    }
    (void)PCDF_FAIL(NC_NOERR, "warning: %s (%lld oddities; `parcdf check %s` lists them)", seen->first.text,
                    (long long)seen->ntold, ds->path);
}

static int decode(struct pcdf_dataset *ds, const struct pcdf_header_bytes *header, int64_t file_size,
                  int64_t *need)
{
    struct pcdf_reading reading = { .is_lenient = ds->readonly };
    struct pcdf_fault fault;
    int err = pcdf_decode(&reading, header->bytes, (size_t)header->size, file_size, need, &ds->meta,
                          &ds->layout, &fault);
    if (!err && *need == 0 && reading.ntold > 0 && ds->ranks.rank == 0)
        tell_tolerated(ds, &reading, header, file_size);
    if (!err || err == NC_ENOMEM)
        return err ? PCDF_FAIL(err, "%s", fault.text) : NC_NOERR;
    return PCDF_FAIL(err, "%s: %s", ds->path, fault.text);
}

static int check_signature(const char *path, const unsigned char *bytes, int64_t n)
{
    char room[PCDF_FILEKIND_ROOM];
    if (n == 0)
        return PCDF_FAIL(NC_EFILE, "%s: %s", path, pcdf_filekind_say(PCDF_FILEKIND_EMPTY, NULL, NULL));
    if (n < 8)
        return PCDF_FAIL(NC_EFILE, "%s: %lld bytes are too few for a netCDF file", path, (long long)n);
    if (memcmp(bytes, "CDF", 3) == 0 && (bytes[3] & PCDF_CHANGE_MARK))
        return NC_ERECOVER;           /* root_read says why */
    if (memcmp(bytes, "CDF", 3) == 0) /* its data is not looked at */
        return NC_NOERR;
    enum pcdf_filekind kind = pcdf_filekind_of_bytes(bytes, (size_t)n);
    if (kind == PCDF_FILEKIND_OTHER)
        return NC_NOERR;
    return PCDF_FAIL(kind == PCDF_FILEKIND_HDF5 ? NC_ENOTBUILT : NC_ENOTNC, "%s: %s", path,
                     pcdf_filekind_say(kind, path, room));
}

/* Reads as much as the header needs, and keeps its bytes for the others. *parsed: into ds. Where others wait
 * for the bytes it is looked through for its end alone, and parsed when they do it, too. */
static int root_read_once(struct pcdf_dataset *ds, struct pcdf_header_bytes *header, int64_t *file_size,
                          bool *parsed)
{
    PCDF_TRY(pcdf_storage_size(ds->io->storage, file_size));
    int64_t need = ds->hints.header_chunk;
    for (bool first = true; need > 0; first = false) {
        int64_t had = header->size, size = need < *file_size ? need : *file_size;
        unsigned char *more = pcdf_realloc(header->bytes, (size_t)size);
        if (!more)
            return PCDF_FAIL(NC_ENOMEM, "no memory for %lld bytes of header", (long long)size);
        *header = (struct pcdf_header_bytes){ more, size };
        ds->get_bytes += size - had;
        PCDF_TRY(pcdf_storage_move_at(ds->io->storage, PCDF_GET, more + had, size - had, had, NULL));
        if (first)
            PCDF_TRY(check_signature(ds->path, header->bytes, header->size));
        int64_t end = ds->ranks.size > 1 ? pcdf_decode_header_length(header->bytes, (size_t)header->size) : 0;
        if (end > 0) {
            header->size = end;
            return NC_NOERR;
        }
        PCDF_TRY(decode(ds, header, *file_size, &need));
    }
    *parsed = true;
    header->size = ds->layout.header_size;
    return NC_NOERR;
}

enum { LOOKS_AT_A_MARK = 84 }; /* 10 s for a job changing the file */

struct look { /* a reader's, while a job may change definitions */
    struct pcdf_sidecar_facts before, after, last_before;
    struct pcdf_header_bytes last; /* what the look before this one read */
    int tries, status, last_status;
};

/* Did a job begin the change that the file's mark tells of, and end in the middle of it? Two changes, one
 * after the other, show the same mark, and between them nobody holds a journal. So nobody may have written to
 * the file since the look before this one, which was longer ago than file systems round their times to. */
static bool is_interrupted(const struct pcdf_dataset *ds, const struct look *look)
{
    /* From this look on, 16 ms and more lie between two looks. */
    enum { LONG_AGO = 5 };
    struct pcdf_sidecar_facts now = { 0 };
    if (look->tries < LONG_AGO || look->last_status != NC_ERECOVER ||
        memcmp(&look->last_before, &look->after, sizeof look->after) != 0 ||
        pcdf_journalfile_owner_works(ds->path))
        return false;
    (void)pcdf_sidecar_inspect(ds->path, &now);
    return memcmp(&look->after, &now, sizeof now) == 0;
}

/* Was one header read, not half of the old one and half of the new one? So it was if nobody wrote meanwhile,
 * or if two looks saw the same definitions; records may have been added. */
static bool is_one_header(const struct pcdf_dataset *ds, const struct look *look,
                          const struct pcdf_header_bytes *header)
{
    enum { LOOKS = 12, NUMRECS = 4 }; /* 0.8 s; where the number of records stands */
    const unsigned char *a = header->bytes, *b = look->last.bytes;
    if (look->status == NC_ENOMEM || look->status == NC_EREAD)
        return true;
    if (look->status == NC_ERECOVER)
        return look->tries == LOOKS_AT_A_MARK || is_interrupted(ds, look);
    if (look->tries >= LOOKS || memcmp(&look->before, &look->after, sizeof look->after) == 0)
        return true;
    if (header->size != look->last.size || header->size < NUMRECS + 8 || memcmp(a, b, NUMRECS) != 0)
        return false;
    int64_t behind = NUMRECS + (a[3] == PCDF_CDF5 ? 8 : 4);
    return memcmp(a + behind, b + behind, (size_t)(header->size - behind)) == 0;
}

/* Rank 0. A writer that has the file open is alone: only readers look again. */
static int root_read(struct pcdf_dataset *ds, struct pcdf_header_bytes *header, int64_t *file_size,
                     bool *parsed)
{
    bool may_change = ds->readonly && ds->storage_kind->on_disk;
    struct look look = { 0 };
    for (;; look.tries++) {
        if (may_change)
            (void)pcdf_sidecar_inspect(ds->path, &look.before);
        look.status = root_read_once(ds, header, file_size, parsed);
        if (may_change)
            (void)pcdf_sidecar_inspect(ds->path, &look.after);
        if (!may_change || is_one_header(ds, &look, header))
            break;
        if (*parsed) {
            pcdf_meta_free(&ds->meta);
            pcdf_layout_free(&ds->layout);
        }
        *parsed = false;
        pcdf_free(look.last.bytes);
        look.last = *header;
        look.last_status = look.status;
        look.last_before = look.before;
        *header = (struct pcdf_header_bytes){ 0 };
        /* 1, 2, 4 ms and so on, up to 128 ms */
        nanosleep(&(struct timespec){ 0, 1000000L << (look.tries < 7 ? look.tries : 7) }, NULL);
        /* Else a client of the file system shows what it kept from the look before. */
        if (ds->io->tells_late)
            (void)pcdf_followfile_size(pcdf_storage_bottom(ds->io->storage), file_size);
    }
    pcdf_free(look.last.bytes);
    if (look.status != NC_ERECOVER)
        return look.status;
    return look.tries < LOOKS_AT_A_MARK
               ? PCDF_FAIL(NC_ERECOVER, "a change of the file was interrupted; open it for writing, or run "
                                        "`parcdf repair`, and it is finished")
               : PCDF_FAIL(NC_ERECOVER, "%s: another job is changing the definitions", ds->path);
}

/* ---- from rank 0 to the others */

#define FIRST_CHUNK 8192

/* The verdict comes with the payload, so that small headers need no second message. */
struct first_message {
    int64_t status, file_size, header_size;
    char text[640]; /* rank 0's sentence about status */
    unsigned char bytes[FIRST_CHUNK];
};

#define IN_FIRST(size) ((size_t)((size) < FIRST_CHUNK ? (size) : FIRST_CHUNK))

static bool is_streaming(const struct first_message *first)
{
    static const unsigned char ones[NUMRECS_MOST] = { 255, 255, 255, 255, 255, 255, 255, 255 };
    const unsigned char *b = first->bytes;
    return first->header_size >= NUMRECS_AT + NUMRECS_MOST &&
           memcmp(b + NUMRECS_AT, ones, b[3] == PCDF_CDF5 ? 8 : 4) == 0;
}

/* Rank 0's header (header.bytes, unless status says otherwise) to all ranks; every rank frees header->bytes.
 * *streams: its number of records is STREAMING; the same on all ranks, also on those without memory. */
static int share_all(struct pcdf_dataset *ds, int status, struct pcdf_header_bytes *header,
                     int64_t *file_size, bool *streams)
{
    struct first_message first = { .status = status, .file_size = *file_size };
    bool is_root = ds->ranks.rank == 0;
    if (is_root && !status) {
        first.header_size = header->size;
        memcpy(first.bytes, header->bytes, IN_FIRST(header->size));
    }
    if (is_root && status)
        snprintf(first.text, sizeof first.text, "%s", pcdf_fail_text());
    pcdf_first(&status, pcdf_ranks_bcast_all(&ds->ranks, &first, sizeof first));
    *file_size = first.file_size;
    *streams = is_streaming(&first);
    if (!is_root && first.status)
        pcdf_first(&status, PCDF_FAIL((int)first.status, "rank 0: %s", first.text));
    if (!is_root && first.header_size > 0) {
        header->size = first.header_size;
        header->bytes = pcdf_malloc((size_t)header->size);
        if (header->bytes)
            memcpy(header->bytes, first.bytes, IN_FIRST(header->size));
        else
            pcdf_first(&status,
                       PCDF_FAIL(NC_ENOMEM, "no memory for a header of %lld bytes", (long long)header->size));
    }
    if (PCDF_SAME(&ds->ranks, first.header_size <= FIRST_CHUNK) || ds->ranks.size == 1)
        return status;
    /* A rank without memory for the bytes cannot take part in their broadcast. */
    int err = pcdf_ranks_agree_all(&ds->ranks, header->bytes ? NC_NOERR : NC_ENOMEM, "keep the header");
    if (PCDF_SAME(&ds->ranks, err != NC_NOERR)) /* the code may differ */
        return err;
    pcdf_first(&status, pcdf_ranks_bcast_all(&ds->ranks, header->bytes + FIRST_CHUNK,
                                             first.header_size - FIRST_CHUNK));
    return status;
}

static int read_all(struct pcdf_dataset *ds, int status)
{
    struct pcdf_header_bytes header = { 0 };
    int64_t file_size = 0, need = 0;
    bool is_root = ds->ranks.rank == 0, parsed = false, streams = false;
    if (is_root && !status)
        status = root_read(ds, &header, &file_size, &parsed);
    pcdf_first(&status, share_all(ds, status, &header, &file_size, &streams));
    if (!parsed && !status)
        status = decode(ds, &header, file_size, &need);
    /* need is 0 for bytes that decode, or skim, went through to their end. */
    if (!status && need > 0)
        status =
            PCDF_FAIL(NC_ENOTNC, "the header does not end within its %lld bytes", (long long)header.size);

    /* Do definitions say more of the file's bytes than the bytes themselves must? The format leaves some
     * open: the sizes of variables, padding, the tags of empty lists. Then what a change leaves alone is not
     * what it seems. Only NC_ENOMEM is an error: definitions that cannot be written as they stand are odd. */
    if (is_root && !status && !ds->readonly) {
        struct pcdf_header_bytes usual = { 0 };
        int64_t behind = ds->meta.version == PCDF_CDF5 ? 12 : 8; /* the number of records */
        int err = pcdf_header_encode(&ds->meta, &ds->layout, &usual);
        ds->header_is_noncanonical =
            err || usual.size > header.size || memcmp(usual.bytes, header.bytes, 4) != 0 ||
            memcmp(usual.bytes + behind, header.bytes + behind, (size_t)(usual.size - behind)) != 0;
        pcdf_free(usual.bytes);
        status = err == NC_ENOMEM ? err : NC_NOERR;
    }
    if (!status)
        pcdf_parts_header_read(ds, &header);
    ds->is_streaming = streams; /* whatever the hint said: the file does */
    ds->file_size = file_size;
    ds->is_short = !status && pcdf_layout_file_end(&ds->layout, &ds->meta) > file_size;
    pcdf_free(header.bytes);
    return status;
}

/* All ranks have the definitions of another format, which came with its image: there is no header. */
static void take_definitions(struct pcdf_dataset *ds)
{
    pcdf_shown_lend(ds->shown, &ds->meta, &ds->layout);
    ds->file_size = pcdf_layout_file_end(&ds->layout, &ds->meta);
    if (ds->ranks.rank == 0)
        ds->get_bytes += ds->layout.header_size; /* as of a classic file */
}

int pcdf_header_read_all(struct pcdf_dataset *ds, int status)
{
    if (!pcdf_shown_is_other(ds->shown)) /* the same on all ranks */
        status = read_all(ds, status);
    else
        take_definitions(ds);
    ds->numrecs_on_file = ds->whole_records = ds->meta.numrecs;
    return status;
}

int pcdf_header_adopt_all(struct pcdf_dataset *ds, struct pcdf_header_bytes *mine, char *difference,
                          size_t size)
{
    struct pcdf_header_bytes header = { 0 };
    int64_t file_size = INT64_MAX, need = 0;
    bool is_root = ds->ranks.rank == 0, streams; /* never: in memory it has a number */
    difference[0] = '\0';
    int status = share_all(ds, NC_NOERR, is_root ? mine : &header, &file_size, &streams);
    if (is_root)
        return status;
    /* Stays where the bytes cannot be parsed for lack of memory. */
    struct pcdf_meta meta = ds->meta;
    struct pcdf_layout layout = ds->layout;
    if (!status) {
        status = decode(ds, &header, file_size, &need);
        if (!status) {
            ds->meta.ranges = meta.ranges; /* no header tells it */
            (void)pcdf_meta_difference(&meta, &ds->meta, ds->ranks.rank, difference, size);
            pcdf_meta_free(&meta);
            pcdf_layout_free(&layout);
        }
    }
    pcdf_free(header.bytes);
    return status;
}
