/* See recordqueue.h. */
#include "recordqueue.h"
#include "recordlines.h"

#include <string.h>

enum pcdf_record_queue_line pcdf_record_queue_line_of(const char *op)
{
    return strncmp(op, "write", 5) == 0                               ? PCDF_RECORD_QUEUE_WRITE
           : strcmp(op, "full") == 0 || strncmp(op, "settle", 6) == 0 ? PCDF_RECORD_QUEUE_WAIT
           : strcmp(op, "at_once") == 0                               ? PCDF_RECORD_QUEUE_NOW
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

static void keep(struct pcdf_record_spans *s, const struct pcdf_record_span *span)
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

static void add_wait(struct pcdf_record_queueing *q, struct pcdf_record *r, const struct pcdf_record_line *o)
{
    double seconds = o->end - o->begin;
    struct pcdf_record_queue *mine = &r->ranks[o->rank].queue;
    struct pcdf_record_row *row = pcdf_record_row_of(r, &r->waits, o->name, "");
    mine->waits++;
    mine->wait_seconds += seconds;
    if (row) {
        row->calls++;
        row->seconds += seconds;
        row->put += (double)o->bytes;
    }
    if (strncmp(o->name, "settle", 6) == 0 && (double)o->bytes > mine->highest)
        mine->highest = (double)o->bytes;
    if (q->npending < PCDF_RECORD_PENDING) {
        q->pending[q->npending].span = (struct pcdf_record_span){ o->begin, o->end, seconds };
        q->pending[q->npending++].file = o->file;
    } else if (q->pending[q->npending - 1].file == o->file) {
        q->pending[q->npending - 1].span.busy += seconds;
    }
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
        keep(&q->writes, &span);
    } else if (kind == PCDF_RECORD_QUEUE_WAIT) {
        add_wait(q, r, o);
        mine->overlapped += together(&q->writes, &span);
        keep(&q->waits, &span);
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

double pcdf_record_queueing_take(struct pcdf_record_queueing *q, const struct pcdf_record_line *line,
                                 double *inside)
{
    double before = 0;
    int kept = 0;
    *inside = 0;
    for (int i = 0; i < q->npending; i++) {
        if (q->pending[i].file != line->file) {
            q->pending[kept++] = q->pending[i];
            continue;
        }
        bool is_inside = !line->is_call && q->pending[i].span.begin >= line->begin;
        *(is_inside ? inside : &before) += q->pending[i].span.busy;
    }
    q->npending = kept;
    return before;
}

double pcdf_record_queueing_others(struct pcdf_record_queueing *q, const struct pcdf_record *r,
                                   const struct pcdf_record_line *call)
{
    const struct pcdf_record_span span = span_of(r, call);
    double seconds = span.end - span.begin, others = together(&q->completions, &span);
    if (strcmp(call->name, "complete") == 0)
        keep(&q->completions, &span);
    return others < seconds ? others : seconds;
}
