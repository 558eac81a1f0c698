/* See range.h. */
#include "range.h"
#include "numbers.h"
#include "vote.h"

static int64_t next_in(void *context, int64_t from)
{
    const struct pcdf_range *s = context;
    int64_t next = s->all->next(s->all->context, pcdf_larger(from, s->span.begin));
    return next < s->span.end ? next : INT64_MAX;
}

static int peek_in(void *context, const struct pcdf_batch_limits *limits, struct pcdf_batch *batch)
{
    const struct pcdf_range *s = context;
    struct pcdf_batch_limits mine = *limits;
    mine.to = pcdf_smaller(limits->to, s->span.end);
    int err = s->all->peek(s->all->context, &mine, batch);
    if (!err && batch->next >= s->span.end)
        batch->next = INT64_MAX;
    return err;
}

static void copy_in(void *context, char *bytes)
{
    const struct pcdf_range *s = context;
    s->all->copy(s->all->context, bytes);
}

struct pcdf_iterator pcdf_range_iterator(struct pcdf_range *range)
{
    struct pcdf_iterator it = *range->all;
    it.context = range;
    it.next = next_in;
    it.peek = peek_in;
    it.copy = copy_in;
    it.begin = it.nbytes > 0 ? next_in(range, range->span.begin) : INT64_MAX;
    it.end = pcdf_smaller(it.end, range->span.end);
    if (it.begin == INT64_MAX) { /* nothing of this rank */
        it.nbytes = it.pieces = 0;
        it.end = 0;
    }
    return it;
}

struct range_vote {
    struct pcdf_vote common;
    int64_t next; /* the smallest holds */
};
static const struct pcdf_vote_form range_form = { { PCDF_VOTE_SMALLEST(range_vote, next) } };

int pcdf_range_next_all(struct pcdf_dataset *ds, enum pcdf_kind kind, const struct pcdf_iterator *all,
                        int64_t from, int status, int64_t *next)
{
    struct range_vote vote = { .common = { .kind = kind },
                               .next = all->nbytes > 0 ? all->next(all->context, from) : INT64_MAX };
    pcdf_first_vote(ds, &status, pcdf_vote_form_all(ds, &range_form, &vote.common));
    if (!status && vote.common.io_error)
        status = PCDF_FAIL(vote.common.io_error, "writing failed on some rank: nothing further was put");
    *next = status ? INT64_MAX : vote.next;
    return status;
}
