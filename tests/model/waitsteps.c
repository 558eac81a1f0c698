/* Steps that wait for posted requests, some or all, and cancel them. */
#include "program.h"

enum { HOLE = -1, STRANGER = -2, MAX_IDS = MAX_PENDING + 6 };

struct waiting {
    int num;            /* ids, or one of NC_..._ALL */
    int which[MAX_IDS]; /* in the rank's list */
    bool stranger;      /* an id that is wrong, or there twice */
};

static void choose_wait(struct waiting *w, struct list *list)
{
    static const int kinds[] = { NC_REQ_ALL, NC_PUT_REQ_ALL, NC_GET_REQ_ALL };
    memset(w, 0, sizeof *w);
    if (one_in(2)) {
        w->num = kinds[below(3)];
        for (int i = 0; i < list->n; i++)
            list->x[i]->chosen = w->num == NC_REQ_ALL || (w->num == NC_PUT_REQ_ALL) == list->x[i]->put;
        tell(" %s;", w->num == NC_REQ_ALL ? "all" : w->num == NC_PUT_REQ_ALL ? "puts" : "gets");
        return;
    }
    for (int i = 0; i < list->n; i++)
        if ((list->x[i]->chosen = !one_in(3)))
            w->which[w->num++] = i;
    for (int64_t k = one_in(3) ? below(4) : 0; k > 0; k--)
        w->which[w->num++] = HOLE;
    if (w->num && one_in(15)) { /* an id twice: the second one is wrong */
        w->which[w->num] = w->which[below(w->num)];
        w->stranger |= w->which[w->num++] >= 0;
    }
    if (one_in(15)) {
        w->which[w->num++] = STRANGER;
        w->stranger = true;
    }
    for (int i = w->num - 1; i > 0; i--) {
        int other = (int)below(i + 1), kept = w->which[i];
        w->which[i] = w->which[other];
        w->which[other] = kept;
    }
    for (int i = 0; i < w->num; i++)
        tell(" %d", w->which[i]);
    tell(";");
}

/* The chosen puts of all ranks in the model, in the order they were posted. */
static void model_wait(void)
{
    for (int r = 0; r < g.size; r++)
        for (int i = 0; i < lists[r].n; i++) {
            struct pending *q = lists[r].x[i];
            struct part *p = &q->part;
            if (!q->chosen || !q->put)
                continue;
            model_put(p, q->values);
            unsigned char **by = &writer[p->var - now.vars];
            if (!*by)
                *by = calloc((size_t)var_elements(p->var), 1);
            for (int64_t k = 0; k < p->n; k++)
                (*by)[p->element[k]] = (unsigned char)(r + 1);
            if (p->records > g.numrecs[r])
                g.numrecs[r] = p->records;
        }
}

static void check_pending(struct pending *q, bool done, bool *loose, bool *range, int status)
{
    size_t one = mem_sizes[q->part.mem];
    bool sure = true;
    int want = NC_NOERR;
    if (q->put) {
        if (!q->buffered && memcmp(q->buf, q->values, (q->part.memory + 1) * one))
            say("the wait changed the buffer of a put by %s", form_names[q->part.form]);
    } else if (done) {
        want = check_got(&q->part, q->buf, &sure);
    } else {
        for (size_t i = 0; i < (q->part.memory + 2) * one; i++)
            if (q->buf[i] != 0x5a)
                say("a cancelled or pending get by %s wrote to its buffer", form_names[q->part.form]);
    }
    *loose |= !sure;
    *range |= want == NC_ERANGE;
    if (q->chosen && status != NC_EINVAL_REQUEST)
        check_code(&q->part, status, want, sure);
}

typedef int wait_call(int ncid, int num, int *ids, int *statuses);

/* Waits or cancels here and checks every code, id and buffer. No random numbers from here on. */
static void wait_here(const struct waiting *w, wait_call *call, bool done, bool with_statuses)
{
    struct list *list = &lists[g.rank];
    int ids[MAX_IDS], statuses[MAX_IDS], status_of[MAX_PENDING];
    bool loose = false, range = false;
    for (int i = 0; i < w->num; i++) {
        ids[i] = w->which[i] >= 0 ? list->x[w->which[i]]->id : w->which[i] == HOLE ? NC_REQ_NULL : 1000001;
        statuses[i] = 77;
    }
    int err = call(g.ncid, w->num, w->num < 0 ? NULL : ids, w->num < 0 || !with_statuses ? NULL : statuses);
    for (int i = 0; i < list->n; i++)
        status_of[i] = NC_EINVAL_REQUEST; /* not told */
    for (int i = 0; i < w->num; i++) {
        if (ids[i] != (w->which[i] == STRANGER ? 1000001 : NC_REQ_NULL))
            say("id %d of the wait is %d afterwards", i, ids[i]);
        bool twice = false;
        for (int k = 0; k < i && w->which[i] >= 0; k++)
            twice |= w->which[k] == w->which[i];
        if (with_statuses && w->which[i] >= 0 && !twice) {
            status_of[w->which[i]] = statuses[i];
            if (statuses[i] == NC_EINVAL_REQUEST)
                say("status %d of the wait is NC_EINVAL_REQUEST", i);
        } else if (with_statuses && statuses[i] != (w->which[i] == HOLE ? NC_NOERR : NC_EINVAL_REQUEST)) {
            say("status %d of the wait is %d", i, statuses[i]);
        }
    }
    for (int i = 0; i < list->n; i++)
        check_pending(list->x[i], done && list->x[i]->chosen, &loose, &range, status_of[i]);
    int want = w->stranger ? NC_EINVAL_REQUEST : range ? NC_ERANGE : NC_NOERR;
    if (err != want && !(loose && want == NC_NOERR && err == NC_ERANGE))
        say("the wait gives %s, not %s", ncmpi_strerrno(err), ncmpi_strerrno(want));
}

static void refuse_wait(void)
{
    bool all = g.mode == MODE_INDEPENDENT || (g.mode == MODE_DEFINE && one_in(2));
    int want = g.mode == MODE_DEFINE ? NC_EINDEFINE : all ? NC_EINDEP : NC_ENOTINDEP;
    wait_call *call = all ? ncmpi_wait_all : ncmpi_wait;
    tell("%s in the wrong mode", all ? "wait_all" : "wait");
    expect(call(g.ncid, NC_REQ_ALL, NULL, NULL), want, "wait");
}

static void finish(bool done)
{
    struct waiting w[MAX_RANKS];
    bool collective = g.mode == MODE_COLLECTIVE, with_statuses = !one_in(4);
    for (int r = 0; r < g.size; r++)
        choose_wait(&w[r], &lists[r]);
    if (done)
        model_wait();
    wait_here(&w[g.rank],
              !done        ? ncmpi_cancel
              : collective ? ncmpi_wait_all
                           : ncmpi_wait,
              done, with_statuses);
    maps_free(writer);
    for (int r = 0; r < g.size; r++)
        drop_chosen(&lists[r]);
    if (done && collective)
        agree_records();
    check_queue();
}
void step_wait(void)
{
    if (g.mode == MODE_DEFINE || one_in(15)) {
        refuse_wait();
        return;
    }
    tell(g.mode == MODE_COLLECTIVE ? "wait_all" : "wait");
    finish(true);
    g.waits++;
}
void step_cancel(void)
{
    tell("cancel");
    EXPECT(ncmpi_cancel(g.ncid, -4, NULL, NULL), NC_EINVAL);
    finish(false);
}
