/* See fill.h. Modes first, then the writing. What is to be filled is counted as one stream of bytes: the
 * variables one behind the other, of a record variable its part of record after record. Each rank takes a
 * range of that stream. */
#include <string.h>
#include "alloc.h"
#include "convert.h"
#include "fill.h"
#include "header.h"
#include "pnetcdf.h"
#include "rules.h"
#include "records.h"
#include "defer.h"
#include "numbers.h"
#include "request.h"
#include "transfer.h"
#include "meaningvalues.h"

/* ---- modes */

void pcdf_fill_free(struct pcdf_fill_modes *modes)
{
    pcdf_free(modes->listed);
    *modes = (struct pcdf_fill_modes){ 0 };
}

static bool is_filled(const struct pcdf_fill_modes *modes, int varid)
{
    if (varid < modes->nlisted)
        return modes->listed[varid];
    return varid < modes->from_file || modes->is_on;
}

int pcdf_fill_list(struct pcdf_fill_modes *modes, int n)
{
    if (n <= modes->nlisted)
        return NC_NOERR;
    bool *more = pcdf_realloc(modes->listed, (size_t)n * sizeof *more);
    if (!more)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the fill modes of %d variables", n);
    modes->listed = more;
    for (int i = modes->nlisted; i < n; i++)
        more[i] = i < modes->from_file || modes->is_on;
    modes->nlisted = n;
    return NC_NOERR;
}

int pcdf_var_check(const struct pcdf_dataset *ds, int varid)
{
    if (varid == NC_GLOBAL)
        return PCDF_FAIL(NC_EGLOBAL, "NC_GLOBAL is no variable: it has attributes only");
    if (varid < 0 || varid >= ds->meta.nvars)
        return PCDF_FAIL(NC_ENOTVAR, "variable %d: the file has %d variables", pcdf_told_id(varid),
                         ds->meta.nvars);
    return NC_NOERR;
}

int pcdf_fill_inquire(const struct pcdf_dataset *ds, int varid, int *no_fill, void *value)
{
    PCDF_TRY(pcdf_var_check(ds, varid));
    const struct pcdf_var *var = &ds->meta.vars[varid];
    if (no_fill)
        *no_fill = !is_filled(&ds->fill, varid);
    if (!value)
        return NC_NOERR;
    unsigned char fill[8];
    pcdf_meaning_fill(var, fill);
    (void)pcdf_converter_of(ds->meta.ranges, var->type, pcdf_mtype_of(var->type))->get(value, 1, fill, 1);
    return NC_NOERR;
}

/* ---- what is new since redef */

static int first_new(const struct pcdf_dataset *ds)
{
    return ds->old_meta ? ds->old_meta->nvars : 0;
}

uint64_t pcdf_fill_hash(const struct pcdf_dataset *ds)
{
    uint64_t hash = 0;
    for (int i = first_new(ds); i < ds->meta.nvars; i++) {
        const struct pcdf_quantize q = ds->meta.vars[i].quantize;
        if (is_filled(&ds->fill, i))
            hash = (hash ^ (uint64_t)i ^ 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
        if (q.mode)
            hash = (hash ^ (uint64_t)i << 16 ^ (uint64_t)q.mode << 8 ^ q.digits) * 0x9e3779b97f4a7c15u;
    }
    return hash;
}

int pcdf_fill_adopt_all(struct pcdf_dataset *ds)
{
    struct pcdf_fill_modes modes = { 0 };
    bool is_root = ds->ranks.rank == 0;
    int n = ds->meta.nvars;
    int status = pcdf_ranks_bcast_all(&ds->ranks, &n, sizeof n);
    int err = status ? status : pcdf_fill_list(&modes, n);
    for (int at = 0; !status && at < n; at += 1024) { /* on all ranks: one without memory listens */
        unsigned char some[1024] = { 0 };
        int now = n - at < 1024 ? n - at : 1024;
        for (int i = 0; is_root && i < now; i++)
            some[i] = is_filled(&ds->fill, at + i);
        pcdf_first(&err, pcdf_ranks_bcast_all(&ds->ranks, some, sizeof some));
        for (int i = 0; at + i < modes.nlisted && i < now; i++)
            modes.listed[at + i] = some[i];
    }
    modes.is_on = ds->fill.is_on;
    if (err) {
        pcdf_fill_free(&modes);
        return err;
    }
    pcdf_fill_free(&ds->fill);
    ds->fill = modes;
    return NC_NOERR;
}

/* Bytes of the stream that variable i gives; no sum of them overflows, since the layout ends within 63 bits.
 */
static int64_t stream_of(const struct pcdf_dataset *ds, int varid)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    return is_filled(&ds->fill, varid) ? var->nbytes * (var->is_record ? ds->meta.numrecs : 1) : 0;
}

/* ---- writing */

/* The stream is dealt out in units, so that ranks do not share blocks. */
enum { UNIT = 65536, PIECES = 256, ALL_NEW = -1 };

struct filler { /* gathers pieces until its buffer is full */
    struct pcdf_dataset *ds;
    unsigned char *buffer;
    int64_t room, bytes;
    size_t n;
    struct pcdf_piece pieces[PIECES]; /* their bytes stand in `buffer`, in order */
    unsigned char small[4096];        /* where memory is short */
};

static int put_pieces(struct filler *f)
{
    const struct pcdf_extents x = { .dir = PCDF_PUT, .n = f->n, .pieces = f->pieces };
    if (x.n == 0)
        return NC_NOERR;
    f->ds->put_bytes += f->bytes;
    f->bytes = 0;
    f->n = 0;
    return pcdf_storage_move(f->ds->io->storage, &x, NULL);
}

/* Puts what fits of a piece into the buffer and returns how much that is: 0, put them first. */
static int64_t gather(struct filler *f, const struct pcdf_var *var, int64_t offset, int64_t length,
                      int64_t inside)
{
    int64_t behind = f->n ? f->pieces[f->n - 1].offset + f->pieces[f->n - 1].length : 0;
    int64_t now = f->room - f->bytes < length ? f->room - f->bytes : length;
    bool joins = f->n && offset == behind;
    int size = pcdf_type_size(var->type);
    if (now == 0 || offset < behind || (!joins && f->n == PIECES)) /* pieces rise */
        return 0;
    if (!joins)
        f->pieces[f->n++] = (struct pcdf_piece){ offset, 0, (char *)f->buffer + f->bytes };

    /* The value again and again, its byte inside % size first: 8 bytes, a multiple of every size, then twice
     * as many each time. */
    unsigned char value[8], *to = f->buffer + f->bytes;
    pcdf_meaning_fill(var, value);
    int64_t done = now < 8 ? now : 8;
    for (int64_t i = 0; i < done; i++)
        to[i] = value[(inside + i) % size];
    for (int64_t more; done < now; done += more) {
        more = done < now - done ? done : now - done;
        memcpy(to + done, to, (size_t)more);
    }
    f->pieces[f->n - 1].length += now;
    f->bytes += now;
    return now;
}

/* Bytes [from, to) of a variable, counted from its record `record` on. */
static int fill_range(struct filler *f, int varid, int64_t record, int64_t from, int64_t to)
{
    const struct pcdf_var *var = &f->ds->meta.vars[varid];
    const struct pcdf_layout *layout = &f->ds->layout;
    for (int64_t now; from < to; from += now) {
        int64_t inside = from % var->nbytes, left = var->nbytes - inside;
        int64_t step = var->is_record ? layout->recsize : 0;
        int64_t offset = layout->begin[varid] + (record + from / var->nbytes) * step + inside;
        now = gather(f, var, offset, left < to - from ? left : to - from, inside);
        if (now == 0)
            PCDF_TRY(put_pieces(f));
    }
    return NC_NOERR;
}

/* Where the share of a rank begins in a stream of `total` bytes; that of rank `size` is the end. */
static int64_t share_begins(int64_t total, int rank, int size)
{
    int64_t units = total / UNIT + (total % UNIT > 0), each = units / size, more = units % size;
    int64_t unit = each * rank + (rank < more ? rank : more);
    return unit > total / UNIT ? total : unit * UNIT;
}

/* The share of rank `rank` of `size` in a stream of `total` bytes: of what is new, or of one record of one
 * variable. */
static int fill_share(struct pcdf_dataset *ds, int varid, int64_t record, int64_t total, int rank, int size)
{
    bool is_all = varid == ALL_NEW;
    int end = is_all ? ds->meta.nvars : varid + 1;
    int64_t low = share_begins(total, rank, size), high = share_begins(total, rank + 1, size), at = 0;
    struct filler f = { .ds = ds, .room = high - low };
    int status = NC_NOERR;
    if (f.room > ds->hints.stage_size)
        f.room = ds->hints.stage_size;
    f.buffer = f.room > (int64_t)sizeof f.small ? pcdf_malloc((size_t)f.room) : NULL;
    if (!f.buffer) {
        f.buffer = f.small;
        f.room = sizeof f.small;
    }
    for (int i = is_all ? first_new(ds) : varid; i < end && at < high && !status; i++) {
        int64_t n = is_all ? stream_of(ds, i) : ds->meta.vars[i].nbytes;
        status = fill_range(&f, i, record, low > at ? low - at : 0, n < high - at ? n : high - at);
        at += n;
    }
    if (!status)
        status = put_pieces(&f);
    if (f.buffer != f.small)
        pcdf_free(f.buffer);
    return status;
}

int64_t pcdf_fill_bytes(const struct pcdf_dataset *ds)
{
    int64_t total = 0;
    for (int i = first_new(ds); i < ds->meta.nvars; i++)
        total += stream_of(ds, i);
    return total;
}

int pcdf_fill_new(struct pcdf_dataset *ds)
{
    return fill_share(ds, ALL_NEW, 0, pcdf_fill_bytes(ds), ds->ranks.rank, ds->ranks.size);
}

/* ---- one record */

/* Where chunks are somebody's: a put of the one value, again and again (imap 0). Each rank has its part of
 * the first dimension behind the records. status: a rank that has an error takes part with nothing. */
static int put_fill_all(struct pcdf_dataset *ds, int varid, int64_t recno, bool alone, int status)
{
    const struct pcdf_request_context context = { &ds->meta, ds->is_relaxed, false, ds->layout.cells };
    int ndims = status ? 1 : ds->meta.vars[varid].ndims, rank = alone ? 0 : ds->ranks.rank, no_fill;
    int64_t shape[1 + PCDF_CHUNK_DIMS] = { 0 }, size = alone ? 1 : ds->ranks.size;
    MPI_Offset start[1 + PCDF_CHUNK_DIMS] = { 0 }, count[1 + PCDF_CHUNK_DIMS],
                         imap[1 + PCDF_CHUNK_DIMS] = { 0 };
    unsigned char value[8];
    struct pcdf_request one, *only = &one;
    if (!status && ndims > PCDF_CHUNK_DIMS)
        status = PCDF_FAIL(NC_EMAXDIMS, "variable %s has %d dimensions", ds->meta.vars[varid].name, ndims);
    if (!status) {
        pcdf_var_shape(&ds->meta, &ds->meta.vars[varid], shape);
        (void)pcdf_fill_inquire(ds, varid, &no_fill, value);
        for (int d = 0; d < ndims; d++)
            count[d] = shape[d];
        start[0] = recno;
        count[0] = ndims > 1 || rank == 0;
        if (ndims > 1) {
            start[1] = shape[1] / size * rank + pcdf_smaller(shape[1] % size, rank);
            count[1] = shape[1] / size + (rank < shape[1] % size);
        }
        const struct pcdf_access access = { .dir = PCDF_PUT,
                                            .form = PCDF_FORM_VARM,
                                            .mode = PCDF_CALL_COLLECTIVE,
                                            .start = start,
                                            .count = count,
                                            .imap = imap,
                                            .buf = value,
                                            .mtype = pcdf_mtype_of(ds->meta.vars[varid].type) };
        status = pcdf_request_make(&one, &context, varid, &access);
    }
    bool has_request = !status;
    status = pcdf_transfer_all(ds, PCDF_KIND_FILL, PCDF_NOT_DEFERRED, &only, has_request, status);
    if (has_request)
        pcdf_request_free(&one);
    return status;
}

static int fill_agreed_all(struct pcdf_dataset *ds, int varid, int64_t recno, int status)
{
    struct pcdf_vote vote = { .kind = PCDF_KIND_FILL,
                              .error = status,
                              .numrecs = status ? 0 : recno + 1,
                              .hash = ((uint64_t)varid * 0x9e3779b97f4a7c15u + (uint64_t)recno) << 1,
                              .variable = status ? NULL : ds->meta.vars[varid].name };
    int err = pcdf_vote_all(ds, &vote);
    if (!err && vote.io_error)
        err = PCDF_FAIL(vote.io_error, "an earlier write to the file failed on some rank");
    else if (PCDF_SAME_IN(ds, !err && ds->safe_mode && (vote.error || vote.hash_differs)))
        err = status = PCDF_FAIL(vote.error ? vote.error : NC_EMULTIDEFINE_FNC_ARGS,
                                 "fill_var_rec fails or names another record on some rank (safe mode)");
    if (PCDF_SAME_IN(ds, !err && ds->writer)) {
        bool alone = vote.error || vote.hash_differs;
        pcdf_first_vote(ds, &status, put_fill_all(ds, varid, recno, alone, status));
    } else if (PCDF_SAME_IN(ds, !err)) { /* the same on all ranks from here on */
        /* Nobody counts on a rank that does something else; and of a STREAMING file the end comes last. */
        bool alone = vote.error || vote.hash_differs || ds->is_streaming;
        int64_t total = status ? 0 : ds->meta.vars[varid].nbytes;
        int io = status ? NC_NOERR
                        : fill_share(ds, varid, recno, total, alone ? 0 : ds->ranks.rank,
                                     alone ? 1 : ds->ranks.size);
        pcdf_first(&ds->io_error, io);
        pcdf_first(&status, io);
        if (vote.numrecs > ds->meta.numrecs)
            pcdf_first_vote(ds, &status, pcdf_records_count_all(ds, PCDF_KIND_FILL, vote.numrecs));
    }
    pcdf_first_vote(ds, &status, err);
    return status;
}

int pcdf_fill_record_all(struct pcdf_dataset *ds, int varid, int64_t recno)
{
    if (ds->readonly) /* the same on all ranks */
        return PCDF_FAIL(NC_EPERM, "fill_var_rec: the file was opened for reading");
    if (ds->mode == PCDF_MODE_DEFINE) /* the same on all ranks */
        return PCDF_FAIL(NC_EINDEFINE, "fill_var_rec in define mode; call ncmpi_enddef first");
    PCDF_TRY(pcdf_check_poison(ds));
    int status = pcdf_var_check(ds, varid);
    if (!status && !ds->meta.vars[varid].is_record)
        status = PCDF_FAIL(NC_ENOTRECVAR, "variable %s has no records", ds->meta.vars[varid].name);
    if (!status && ds->mode == PCDF_MODE_INDEPENDENT)
        status =
            PCDF_FAIL(NC_EINDEP, "fill_var_rec in independent data mode; call ncmpi_end_indep_data first");
    if (ds->mode == PCDF_MODE_INDEPENDENT) /* the same on all ranks, as is what follows */
        return status;
    const struct pcdf_var *var = status ? NULL : &ds->meta.vars[varid];
    if (var && !is_filled(&ds->fill, varid) && pcdf_atts_find(&var->atts, NC_FillValue) < 0)
        status =
            PCDF_FAIL(NC_ENOTFILL, "variable %s: its fill mode is off and it has no _FillValue", var->name);
    else if (var && recno < 0)
        status = PCDF_FAIL(NC_EINVALCOORDS, "variable %s: record %lld; the first record is %lld", var->name,
                           pcdf_told_index(recno), pcdf_told_index(0));
    int64_t last;
    bool too_far = recno >= pcdf_rules_max_count(ds->meta.version) ||
                   __builtin_mul_overflow(recno + 1, ds->layout.recsize, &last) ||
                   __builtin_add_overflow(last, ds->layout.begin_rec, &last);
    if (!status && too_far)
        status = PCDF_FAIL(NC_EINTOVERFLOW, "variable %s: record %lld is beyond what the format can hold",
                           var->name, pcdf_told_index(recno));
    int err = pcdf_defer_write_all(ds, PCDF_KIND_FILL); /* what was put before is filled over */
    if (ds->poisoned)
        return err;
    pcdf_first_vote(ds, &status, err);
    return fill_agreed_all(ds, varid, recno, status);
}
