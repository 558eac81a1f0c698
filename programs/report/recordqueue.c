/* See recordqueue.h. */
#include "recordqueue.h"
#include "recordlines.h"

#include <string.h>

enum pcdf_record_queue_line pcdf_record_queue_line_of(const char *op)
{
    return strncmp(op, "write", 5) == 0                               ? PCDF_RECORD_QUEUE_WRITE
           : strcmp(op, "full") == 0 || strncmp(op, "settle", 6) == 0 ? PCDF_RECORD_QUEUE_WAIT
           : strcmp(op, "at_once") == 0                               ? PCDF_RECORD_QUEUE_NOW
           : strncmp(op, "stage", 5) == 0                             ? PCDF_RECORD_QUEUE_STAGE
           : strcmp(op, "queue") == 0                                 ? PCDF_RECORD_QUEUE_ENDS
                                                                      : PCDF_RECORD_NOT_QUEUE;
}

/* ---- which waits and writes were at the same time: a line comes when its span is over, so the later line of
 * two finds the earlier one. They may be of two files of the rank: one thread writes both. */

/* By one second 0 for all files. */
static struct pcdf_record_span span_of(const struct pcdf_record *r, const struct pcdf_record_line *line)
{
    double zero = (double)(r->files[line->file].id - r->files[0].id) * 1e-6;
    return (struct pcdf_record_span){ zero + line->begin, zero + line->end, line->end - line->begin };
}

static double together(const struct pcdf_record_spans *s, const struct pcdf_record_span *span)
{
    double sum = 0;
    for (int i = 0; i < s->n; i++) {
        const struct pcdf_record_span *x = &s->x[i];
        double from = x->begin > span->begin ? x->begin : span->begin,
               to = x->end < span->end ? x->end : span->end;
        if (to > from)
            sum += (to - from) * x->busy / (x->end - x->begin);
    }
    return sum;
}

static void add_span(struct pcdf_record_spans *s, const struct pcdf_record_span *span)
{
    struct pcdf_record_span *last = &s->x[s->last];
    if (s->n > 0 && span->begin >= last->begin &&
        span->begin - last->end <= 0.01 * (span->end - last->begin)) {
        last->end = span->end > last->end ? span->end : last->end;
        last->busy += span->busy;
        last->busy = last->busy < last->end - last->begin ? last->busy : last->end - last->begin;
        return;
    }
    s->last = s->n > 0 ? (s->last + 1) % PCDF_RECORD_SPANS : 0;
    s->n += s->n < PCDF_RECORD_SPANS;
    s->x[s->last] = *span;
}

/* ---- waits, by reason */

static void add_to_table(struct pcdf_record *r, struct pcdf_record_table *table,
                         const struct pcdf_record_row *one)
{
    struct pcdf_record_row *row = pcdf_record_row_of(r, table, one->name, "");
    if (!row)
        return;
    row->calls += one->calls;
    row->seconds += one->seconds;
    row->put += one->put;
}

static void add_row(struct pcdf_record *r, const char *reason, double n, double seconds, double bytes)
{
    add_to_table(r, &r->waits,
                 &(struct pcdf_record_row){ .name = reason, .calls = n, .seconds = seconds, .put = bytes });
}

/* Of a wait in an operation, or in a call outside of its operations. */
static const char *reason_of(const struct pcdf_record_line *line)
{
    static const char *const of_call[PCDF_RECORD_KINDS] = {
        [PCDF_RECORD_PUT] = "settle_order",  [PCDF_RECORD_GET] = "settle_get",
        [PCDF_RECORD_WAIT] = "settle_order", [PCDF_RECORD_SYNC] = "settle_sync",
        [PCDF_RECORD_MODE] = "settle_mode",  [PCDF_RECORD_DEFINE] = "settle_define",
        [PCDF_RECORD_OPEN] = "settle_close"
    };
    static const char *const of_storage[PCDF_RECORD_STORAGE] = { [PCDF_RECORD_WRITE] = "settle_put",
                                                                 [PCDF_RECORD_READ] = "settle_get",
                                                                 [PCDF_RECORD_FLUSH] = "settle_sync" };
    int kind = pcdf_record_storage_of(line->name);
    return line->is_call                           ? of_call[pcdf_record_kind_of(line->name)]
           : kind >= 0                             ? of_storage[kind]
           : strncmp(line->name, "resize", 6) == 0 ? "settle_resize"
           : strncmp(line->name, "close", 5) == 0  ? "settle_close"
                                                   : "settle";
}

static void add_wait(struct pcdf_record_queueing *q, struct pcdf_record *r, const struct pcdf_record_line *o)
{
    double seconds = o->end - o->begin;
    struct pcdf_record_queue *mine = &r->ranks[o->rank].queue;
    bool has_reason = strcmp(o->name, "settle") != 0;
    struct pcdf_record_pending *last = q->npending > 0 ? &q->pending[q->npending - 1] : NULL;
    mine->waits++;
    mine->wait_seconds += seconds;
    if (has_reason)
        add_row(r, o->name, 1, seconds, (double)o->bytes);
    if (strncmp(o->name, "settle", 6) == 0 && (double)o->bytes > mine->highest)
        mine->highest = (double)o->bytes;
    if (q->npending < PCDF_RECORD_PENDING) {
        q->pending[q->npending++] = (struct pcdf_record_pending){
            { o->begin, o->end, seconds }, o->file, has_reason, 1, (double)o->bytes
        };
    } else if (last->file == o->file && last->has_reason == has_reason) {
        last->span.busy += seconds;
        last->n++;
        last->bytes += (double)o->bytes;
    } else if (!has_reason) {
        add_row(r, "settle", 1, seconds, (double)o->bytes);
    }
}

/* Bytes to the log of hint pcdf_stage_dir, or from there to the file. */
static void add_staged(struct pcdf_record *r, const char *what, const struct pcdf_record_line *o)
{
    add_to_table(r, &r->staging,
                 &(struct pcdf_record_row){
                     .name = what, .calls = 1, .seconds = o->end - o->begin, .put = (double)o->bytes });
}

static void add_stage(struct pcdf_record *r, const struct pcdf_record_line *o)
{
    struct pcdf_record_queue *mine = &r->ranks[o->rank].queue;
    bool is_put = strcmp(o->name, "stage") == 0;
    add_staged(r, is_put && o->code ? "log full" : is_put ? "to the log" : "sync by log", o);
    if (!is_put)
        return;
    mine->put_seconds -= o->end - o->begin; /* of the put that it is a part of */
    if (!o->code)
        mine->staged_bytes += (double)o->bytes;
}

void pcdf_record_queueing_add(struct pcdf_record_queueing *q, struct pcdf_record *r,
                              const struct pcdf_record_line *o)
{
    enum pcdf_record_queue_line kind = pcdf_record_queue_line_of(o->name);
    struct pcdf_record_queue *mine = &r->ranks[o->rank].queue;
    const struct pcdf_record_span span = span_of(r, o);
    double seconds = o->end - o->begin;
    r->files[o->file].has_queue = true;
    r->nqueue++;
    if (kind == PCDF_RECORD_QUEUE_WRITE) {
        mine->writes++;
        mine->write_seconds += seconds;
        mine->write_bytes += (double)o->bytes;
        mine->overlapped += together(&q->waits, &span);
        add_span(&q->writes, &span);
        if (strcmp(o->name, "write_staged") == 0)
            add_staged(r, "from the log", o);
    } else if (kind == PCDF_RECORD_QUEUE_STAGE) {
        add_stage(r, o);
    } else if (kind == PCDF_RECORD_QUEUE_WAIT) {
        add_wait(q, r, o);
        mine->overlapped += together(&q->writes, &span);
        add_span(&q->waits, &span);
    } else if (kind == PCDF_RECORD_QUEUE_NOW) {
        mine->now++;
        mine->now_seconds += seconds;
        mine->now_bytes += (double)o->bytes;
        mine->put_seconds -= seconds; /* of the put that it is a part of */
    } else if ((double)o->first > mine->highest) {
        mine->highest = (double)o->first;
    }
    if (mine->overlapped > mine->write_seconds)
        mine->overlapped = mine->write_seconds;
}

double pcdf_record_queueing_take(struct pcdf_record_queueing *q, struct pcdf_record *r,
                                 const struct pcdf_record_line *line, double *inside)
{
    double before = 0;
    int kept = 0;
    *inside = 0;
    for (int i = 0; i < q->npending; i++) {
        const struct pcdf_record_pending *p = &q->pending[i];
        bool is_inside = !line->is_call && p->span.begin >= line->begin;
        if (p->file != line->file || (!line->is_call && !is_inside && !p->has_reason)) {
            q->pending[kept++] = *p; /* it has its reason from a call to come */
            continue;
        }
        *(is_inside ? inside : &before) += p->span.busy;
        if (!p->has_reason)
            add_row(r, reason_of(line), p->n, p->span.busy, p->bytes);
    }
    q->npending = kept;
    return before;
}

void pcdf_record_queueing_end(struct pcdf_record_queueing *q, struct pcdf_record *r)
{
    for (int i = 0; i < q->npending; i++)
        if (!q->pending[i].has_reason)
            add_row(r, "settle", q->pending[i].n, q->pending[i].span.busy, q->pending[i].bytes);
    q->npending = 0;
}

double pcdf_record_queueing_others(struct pcdf_record_queueing *q, const struct pcdf_record *r,
                                   const struct pcdf_record_line *call)
{
    const struct pcdf_record_span span = span_of(r, call);
    double seconds = span.end - span.begin, others = together(&q->completions, &span);
    if (strcmp(call->name, "complete") == 0)
        add_span(&q->completions, &span);
    return others < seconds ? others : seconds;
}
