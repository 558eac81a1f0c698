/* See record.h. */
#include "record.h"
#include "alloc.h"
#include "recordlines.h"
#include "recordqueue.h"
#include "tool.h"
#include "toolfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const pcdf_record_kinds[PCDF_RECORD_KINDS] = {
    "put", "get", "wait", "sync and flush", "define", "mode", "open and close"
};

int pcdf_record_kind_of(const char *name)
{
    static const struct {
        const char *begins;
        int kind;
    } kinds[] = {
        { "put_", PCDF_RECORD_PUT },       { "iput_", PCDF_RECORD_PUT },    { "bput_", PCDF_RECORD_PUT },
        { "mput_", PCDF_RECORD_PUT },      { "fill_var", PCDF_RECORD_PUT }, { "get_", PCDF_RECORD_GET },
        { "iget_", PCDF_RECORD_GET },      { "mget_", PCDF_RECORD_GET },    { "wait", PCDF_RECORD_WAIT },
        { "sync", PCDF_RECORD_SYNC },      { "flush", PCDF_RECORD_SYNC },   { "enddef", PCDF_RECORD_DEFINE },
        { "_enddef", PCDF_RECORD_DEFINE }, { "redef", PCDF_RECORD_DEFINE }, { "create", PCDF_RECORD_OPEN },
        { "open", PCDF_RECORD_OPEN },      { "close", PCDF_RECORD_OPEN },   { "abort", PCDF_RECORD_OPEN },
        { "complete", PCDF_RECORD_OPEN }
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(name, kinds[i].begins, strlen(kinds[i].begins)) == 0)
            return kinds[i].kind;
    return PCDF_RECORD_MODE;
}

int pcdf_record_storage_of(const char *op)
{
    return strncmp(op, "put", 3) == 0                                ? PCDF_RECORD_WRITE
           : strncmp(op, "get", 3) == 0                              ? PCDF_RECORD_READ
           : strcmp(op, "flush") == 0 || strcmp(op, "sync_all") == 0 ? PCDF_RECORD_FLUSH
                                                                     : -1;
}

/* ---- tables */

static uint32_t hash_of(const char *a, const char *b)
{
    uint32_t h = 2166136261u;
    for (; *a; a++)
        h = (h ^ (unsigned char)*a) * 16777619u;
    for (h = (h ^ 0xff) * 16777619u; *b; b++)
        h = (h ^ (unsigned char)*b) * 16777619u;
    return h;
}

/* NULL: no memory. */
struct pcdf_record_row *pcdf_record_row_of(struct pcdf_record *r, struct pcdf_record_table *t,
                                           const char *name, const char *other)
{
    const uint32_t mask = 2 * PCDF_RECORD_MOST_ROWS - 1;
    uint32_t at = hash_of(name, other) & mask;
    for (; t->slots[at]; at = (at + 1) & mask) {
        struct pcdf_record_row *row = &t->x[t->slots[at] - 1];
        if (strcmp(row->name, name) == 0 && strcmp(row->other, other) == 0)
            return row;
    }
    if (t->n == PCDF_RECORD_MOST_ROWS)
        return &t->x[t->n - 1];
    if (t->n == PCDF_RECORD_MOST_ROWS - 1)
        name = "(others)", other = "";
    struct pcdf_record_row *row = &t->x[t->n];
    row->name = pcdf_arena_text(&r->arena, name, strlen(name));
    row->other = pcdf_arena_text(&r->arena, other, strlen(other));
    if (!row->name || !row->other)
        return NULL;
    t->slots[at] = (uint16_t)++t->n;
    return row;
}

static void add_to_row(struct pcdf_record_row *row, const struct pcdf_record_line *c, double storage,
                       bool moves)
{
    if (!row)
        return;
    row->calls++;
    row->seconds += c->end - c->begin;
    row->storage += storage;
    row->pieces += (double)c->pieces;
    row->put += moves ? (double)c->put : 0;
    row->get += moves ? (double)c->get : 0;
    row->waiting += moves ? 0 : (double)c->put + (double)c->get;
    row->kind = pcdf_record_kind_of(c->name);
}

/* ---- adding up */

struct adding {
    struct pcdf_record *r;
    double storage;                                   /* seconds of operations since the last call */
    double read;                                      /* bytes */
    double posted[PCDF_RECORD_MOST_ROWS], all_posted; /* of each variable, since a call moved such */
    struct pcdf_record_queueing queueing;
};

static int power_of(double bytes)
{
    int power = bytes >= 1 ? ilogb(bytes) : 0;
    return power < PCDF_RECORD_SIZES ? power : PCDF_RECORD_SIZES - 1;
}

static void add_sieved(struct pcdf_record_sieved *s, const struct pcdf_record_line *o)
{
    s->operations++;
    s->pieces += (double)o->pieces;
    s->bytes += (double)o->first;
    s->moved += (double)o->bytes;
}

/* Lines that tell of something beside the operations: true, it was one. */
static bool add_told(struct pcdf_record *r, const struct pcdf_record_line *o)
{
    if (strcmp(o->name, "sieve") == 0) {
        add_sieved(&r->sieved, o);
    } else if (strcmp(o->name, "chunks") == 0) {
        r->chunks.chunks += (double)o->pieces;
        r->chunks.values += (double)o->first;
        r->chunks.stored += (double)o->bytes;
    } else if (strcmp(o->name, "chunks_anew") == 0) {
        r->chunks.anew += (double)o->pieces;
        r->chunks.lost += (double)o->bytes;
    } else {
        return strcmp(o->name, "nodes") == 0;
    }
    return true;
}

/* What the program waited for the queue is time of the storage, too, where it is not in an operation. */
static void add_waits(struct adding *a, const struct pcdf_record_line *line)
{
    struct pcdf_record_queue *queue = &a->r->ranks[line->rank].queue;
    double inside, before = pcdf_record_queueing_take(&a->queueing, a->r, line, &inside);
    a->storage += before;
    a->r->ranks[line->rank].waiting += before;
    if (!a->r->files[line->file].has_queue)
        return;
    if (line->is_call) {
        queue->call_seconds += line->end - line->begin;
    } else if (pcdf_record_storage_of(line->name) == PCDF_RECORD_WRITE) {
        queue->puts++;
        queue->put_seconds += line->end - line->begin - inside;
        queue->put_bytes += (double)line->bytes;
    }
}

static void add_operation(struct adding *a, const struct pcdf_record_line *o)
{
    struct pcdf_record *r = a->r;
    int kind = pcdf_record_storage_of(o->name);
    struct pcdf_record_rank *rank = &r->ranks[o->rank];
    if (add_told(r, o))
        return;
    if (pcdf_record_queue_line_of(o->name)) {
        pcdf_record_queueing_add(&a->queueing, r, o);
        return;
    }
    add_waits(a, o);
    a->storage += o->end - o->begin;
    r->noperations++;
    rank->operations++;
    if (kind < 0)
        return;
    rank->storage[kind] += o->end - o->begin;
    if (kind == PCDF_RECORD_FLUSH)
        return;
    if (kind == PCDF_RECORD_READ)
        a->read += (double)o->bytes;
    if (o->pieces > 0)
        r->pieces[kind][power_of((double)o->bytes / (double)o->pieces)] += (double)o->pieces;
    bool is_header = strcmp(o->name, "put") == 0 && o->first == 0 && o->rank == 0;
    r->header_writes += is_header;
    r->files[o->file].headers += is_header;
    r->count_writes += strcmp(o->name, "put") == 0 && o->first == 4 && o->bytes <= 8;
}

/* The time of a call that moves what others posted is theirs, by their bytes. */
static void share_out(struct adding *a, const struct pcdf_record_line *c, double storage)
{
    struct pcdf_record_table *t = &a->r->variables;
    for (int i = 0; i < t->n; i++) {
        double share = a->posted[i] / a->all_posted;
        t->x[i].seconds += share * (c->end - c->begin);
        t->x[i].storage += share * storage;
        a->posted[i] = 0;
    }
    a->all_posted = 0;
}

static void add_to_variable(struct adding *a, const struct pcdf_record_line *c, double storage, bool moves)
{
    struct pcdf_record *r = a->r;
    double bytes = (double)c->put + (double)c->get;
    if (strcmp(c->variable, "-") == 0) {
        if (moves && a->all_posted > 0 && bytes > 0)
            share_out(a, c, storage);
        return;
    }
    struct pcdf_record_row *row = pcdf_record_row_of(r, &r->variables, c->variable, "");
    if (!row)
        return;
    add_to_row(row, c, storage, true);
    if (moves)
        return;
    a->posted[row - r->variables.x] += bytes;
    a->all_posted += bytes;
}

/* Else the bytes did not move in this call. */
static bool is_strategy(const char *way)
{
    static const char *const strategies[] = { "independent", "two-phase", "views", "chunked" };
    bool is_one = false;
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++)
        is_one |= strcmp(way, strategies[i]) == 0;
    return is_one;
}

static void add_small(struct pcdf_record *r, const struct pcdf_record_line *c)
{
    double bytes = (double)c->put + (double)c->get;
    struct pcdf_record_small *small =
        strcmp(c->why, "independent-mode") == 0 ? &r->independent : &r->collective;
    if (pcdf_record_kind_of(c->name) > PCDF_RECORD_GET || !is_strategy(c->way) || bytes <= 0 ||
        bytes >= PCDF_RECORD_SMALL)
        return;
    small->calls++;
    small->seconds += c->end - c->begin;
    small->bytes += bytes;
}

static void add_call(struct adding *a, const struct pcdf_record_line *c)
{
    struct pcdf_record *r = a->r;
    struct pcdf_record_rank *rank = &r->ranks[c->rank];
    struct pcdf_record_file *file = &r->files[c->file];
    bool waits = strcmp(c->way, "posted") == 0 || strcmp(c->way, "deferred") == 0,
         has_way = strcmp(c->way, "-") != 0;
    int kind = pcdf_record_kind_of(c->name);
    add_waits(a, c);
    double put = waits ? 0 : (double)c->put, get = waits ? 0 : (double)c->get;
    add_to_row(pcdf_record_row_of(r, &r->calls, c->name, ""), c, a->storage, !waits);
    if (has_way)
        add_to_row(pcdf_record_row_of(r, &r->ways, c->way, c->why), c, a->storage, !waits);
    add_to_variable(a, c, a->storage, !waits);
    add_small(r, c);
    r->ncalls++;
    rank->calls++;
    rank->seconds[kind] += c->end - c->begin;
    rank->put += put;
    rank->get += get;
    file->put += put;
    r->queued += file->has_queue ? put : 0;
    file->get += get;
    r->put += put;
    r->get += get;
    if (kind <= PCDF_RECORD_GET && c->put > 0)
        r->sizes[0][power_of((double)c->put)]++;
    if (kind <= PCDF_RECORD_GET && c->get > 0)
        r->sizes[1][power_of((double)c->get)]++;
    r->redefs += strcmp(c->name, "redef") == 0 && c->rank == 0;
    if (strstr(c->name, "enddef"))
        r->moved += a->read;
    if (c->code && !r->errors)
        r->first_error = c->code;
    r->errors += c->code != 0;
    a->storage = a->read = 0;
}

static void add_line(void *context, const struct pcdf_record_line *line)
{
    struct adding *a = context;
    struct pcdf_record_file *file = &a->r->files[line->file];
    file->begin = line->begin < file->begin ? line->begin : file->begin;
    file->end = line->end > file->end ? line->end : file->end;
    a->r->ranks[line->rank].is_there = true;
    if (line->is_call) {
        struct pcdf_record_line own = *line;
        own.end -= pcdf_record_queueing_others(&a->queueing, a->r, line);
        add_call(a, &own);
    } else {
        add_operation(a, line);
    }
}

/* ---- the time of the page */

static int by_id(const void *a, const void *b)
{
    const struct pcdf_record_file *const *x = a, *const *y = b;
    return ((*x)->id > (*y)->id) - ((*x)->id < (*y)->id);
}

/* The clocks tell where the files lie to each other. What a program does between files may be long, and logs
 * of several runs may stand in one file: a pause of more than a fifth of what was before is left out. */
static int place_files(struct pcdf_record *r)
{
    struct pcdf_record_file **order = pcdf_malloc((size_t)(r->nfiles + 1) * sizeof *order);
    double end = 0, cut = 0;
    int n = 0;
    if (!order)
        return PCDF_TOOL_UNUSABLE;
    for (int i = 0; i < r->nfiles; i++)
        if (r->files[i].end >= r->files[i].begin) /* else no line was about it */
            order[n++] = &r->files[i];
    qsort(order, (size_t)n, sizeof *order, by_id);
    double first = n > 0 ? (double)order[0]->id * 1e-6 + order[0]->begin : 0;
    for (int i = 0; i < n; i++) {
        struct pcdf_record_file *file = order[i];
        double begin = (double)file->id * 1e-6 + file->begin - first - cut, pause = begin - end;
        if (i > 0 && pause > 0.2 * end) {
            cut += pause - 0.02 * end;
            begin = end + 0.02 * end;
        }
        file->shift = begin - file->begin;
        end = file->end + file->shift > end ? file->end + file->shift : end;
    }
    r->span = end;
    pcdf_free(order);
    return PCDF_TOOL_GOOD;
}

int pcdf_record_read(struct pcdf_record *r, char *const *logs, int n)
{
    struct adding *a = pcdf_calloc(1, sizeof *a);
    int status = a ? PCDF_TOOL_GOOD : PCDF_TOOL_UNUSABLE;
    memset(r, 0, sizeof *r);
    r->files = pcdf_calloc(PCDF_RECORD_MOST_FILES, sizeof *r->files);
    if (!a || !r->files) {
        pcdf_tool_say(NULL, "no memory to read the recording");
        pcdf_free(a);
        return PCDF_TOOL_UNUSABLE;
    }
    a->r = r;
    for (int i = 0; i < n && !status; i++) {
        a->storage = a->read = a->all_posted = 0;
        memset(a->posted, 0, sizeof a->posted);
        memset(&a->queueing, 0, sizeof a->queueing);
        status = pcdf_record_lines(r, logs[i], true, add_line, a);
        pcdf_record_queueing_end(&a->queueing, r);
    }
    pcdf_free(a);
    if (!status && r->ncalls + r->noperations + r->nqueue == 0) {
        const char *other = pcdf_tool_why(logs[0], NULL);
        pcdf_tool_say(logs[0], "this is neither a recording of pcdf_trace nor JSON of parcdf bench%s%s",
                      other ? ": " : "", other ? other : "");
        return PCDF_TOOL_BAD;
    }
    return status ? status : place_files(r);
}

int pcdf_record_again(struct pcdf_record *r, char *const *logs, int n,
                      void (*look)(void *context, const struct pcdf_record_line *line), void *context)
{
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < n && !status; i++)
        status = pcdf_record_lines(r, logs[i], false, look, context);
    return status;
}

void pcdf_record_free(struct pcdf_record *r)
{
    pcdf_arena_free(&r->arena);
    pcdf_free(r->files);
    pcdf_free(r->ranks);
}
