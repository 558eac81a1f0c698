#ifndef POSTED_H
#define POSTED_H
/* The steps that post, wait, cancel, attach and call mput and mget; the last part of model.c, in a file of
 * its own. Every rank knows every rank's pending requests. Within one rank the requests may overlap, and the
 * later posted put must win; two ranks never have the same element in puts, since their order is nobody's. */

enum { MAX_PENDING = 24, MANY = 4 };

struct pending {
    struct part part;
    bool put, buffered, chosen;
    int id;       /* on its own rank, as buf */
    char *buf;    /* the user's */
    void *values; /* of a put, everywhere */
};
static struct list {
    int n;
    struct pending *x[MAX_PENDING];
    int64_t attached, used; /* bytes of the buffer for bput; 0: none */
} lists[MAX_RANKS];

static int64_t put_bytes(const struct pending *q)
{
    return q->part.n * (int64_t)ext_sizes[q->part.var->type];
}

static void pending_free(struct pending *q)
{
    part_free(&q->part);
    free(q->buf);
    free(q->values);
    free(q);
}

/* Forgets the chosen requests. */
static void drop_chosen(struct list *list)
{
    int kept = 0;
    for (int i = 0; i < list->n; i++) {
        struct pending *q = list->x[i];
        if (!q->chosen) {
            list->x[kept++] = q;
            continue;
        }
        list->used -= q->buffered ? put_bytes(q) : 0;
        pending_free(q);
    }
    list->n = kept;
}

/* True when there was any: the ranks agree on what close says. */
static bool drop_all_pending(void)
{
    bool any = false;
    for (int r = 0; r < g.size; r++) {
        any |= lists[r].n > 0;
        for (int i = 0; i < lists[r].n; i++)
            lists[r].x[i]->chosen = true;
        drop_chosen(&lists[r]);
        lists[r].attached = 0;
    }
    return any;
}

static void maps_free(unsigned char **maps)
{
    for (int i = 0; i < MAX_VARS; i++)
        free(maps[i]);
    memset(maps, 0, MAX_VARS * sizeof *maps);
}

/* ---- post */
static void mark_others(int rank)
{
    memset(taken, 0, sizeof taken);
    for (int r = 0; r < g.size; r++)
        for (int i = 0; i < lists[r].n && r != rank; i++) {
            const struct part *p = &lists[r].x[i]->part;
            unsigned char **map = &taken[p->var - now.vars];
            if (!*map)
                *map = calloc((size_t)var_elements(p->var), 1);
            for (int64_t k = 0; k < p->n && lists[r].x[i]->put; k++)
                (*map)[p->element[k]] = 1;
        }
}

static int code_of_put(const struct part *p, const void *values)
{
    unsigned char fill[8], scratch[8];
    bool fits = true;
    var_fill(p->var, fill);
    for (int64_t i = 0; i < p->n; i++)
        fits &= ext_put(scratch, now.format, p->var->type, fill, values, p->mem, p->place[i]);
    return fits ? NC_NOERR : NC_ERANGE;
}

static void post_here(struct pending *q, int want, bool kept)
{
    const struct part *p = &q->part;
    size_t bytes = (p->memory + 1) * mem_sizes[p->mem];
    q->buf = q->put ? malloc(bytes) : get_buffer(p);
    if (q->put)
        memcpy(q->buf, q->values, bytes);
    q->id = 12345;
    int err = run_part(p, q->put, false, q->buf,
                       q->buffered ? POST_BPUT
                       : q->put    ? POST_IPUT
                                   : POST_IGET,
                       &q->id);
    check_code(p, err, want, true);
    if (kept ? q->id < 0 : q->id != NC_REQ_NULL)
        say("posting by %s on rank %d: the id is %d", form_names[p->form], p->rank, q->id);
    if (q->put && memcmp(q->buf, q->values, bytes))
        say("posting by %s changed the user's buffer", form_names[p->form]);
    if (q->buffered) /* the user's again at once */
        memset(q->buf, 0x77, bytes);
}

static void post_one(int rank, int serial)
{
    struct list *list = &lists[rank];
    struct pending *q = calloc(1, sizeof *q);
    struct part *p = &q->part;
    p->rank = rank;
    p->serial = serial;
    q->put = !one_in(3);
    mark_others(rank);
    choose_part(p, q->put, (int)below(now.nvars));
    maps_free(taken);
    bool no_buffer = !list->attached && one_in(12);
    q->buffered = q->put && p->n && !p->error && (no_buffer || (list->attached && one_in(2)));
    tell_part(p, q->put);
    tell("%s", q->buffered ? " buffered" : "");
    int want = p->error;
    if (q->put) {
        q->values = make_values(p);
        want = want ? want : code_of_put(p, q->values);
    }
    if (q->buffered && no_buffer)
        want = NC_ENULLABUF;
    else if (q->buffered && list->used + put_bytes(q) > list->attached)
        want = NC_EINSUFFBUF;
    bool kept = (want == NC_NOERR || want == NC_ERANGE) && p->n;
    if (rank == g.rank)
        post_here(q, want, kept);
    g.errors += want && want != NC_ERANGE;
    if (!kept) {
        pending_free(q);
        return;
    }
    list->used += q->buffered ? put_bytes(q) : 0;
    list->x[list->n++] = q;
}

static void check_queue(void)
{
    MPI_Offset usage = -1;
    int n = -1;
    EXPECT(ncmpi_inq_nreqs(g.ncid, &n), NC_NOERR);
    if (n != lists[g.rank].n)
        say("%d requests are pending, not %d", n, lists[g.rank].n);
    EXPECT(ncmpi_inq_buffer_usage(g.ncid, &usage), lists[g.rank].attached ? NC_NOERR : NC_ENULLABUF);
    if (lists[g.rank].attached && usage != lists[g.rank].used)
        say("%lld bytes of the attached buffer are used, not %lld", (long long)usage,
            (long long)lists[g.rank].used);
}

static void step_post(void)
{
    if (!now.nvars)
        return;
    tell("post");
    for (int r = 0; r < g.size; r++)
        for (int64_t k = below(5); k > 0 && lists[r].n < MAX_PENDING; k--)
            post_one(r, (int)k);
    g.posts++;
    check_queue();
}

static void step_buffer(void)
{
    for (int r = 0; r < g.size; r++) {
        struct list *list = &lists[r];
        int64_t size = one_in(8) ? 0 : 1 + (below(20000) >> below(8));
        bool attach = one_in(2);
        int want = attach ? (size == 0        ? NC_ENULLBUF
                             : list->attached ? NC_EPREVATTACHBUF
                                              : NC_NOERR)
                          : (!list->attached ? NC_ENULLABUF
                             : list->used    ? NC_EPENDINGBPUT
                                             : NC_NOERR);
        tell("%s%s %lld", r ? "; " : "", attach ? "attach" : "detach", (long long)size);
        if (r == g.rank && attach)
            EXPECT(ncmpi_buffer_attach(g.ncid, size), want);
        else if (r == g.rank)
            EXPECT(ncmpi_buffer_detach(g.ncid), want);
        if (want == NC_NOERR)
            list->attached = attach ? size : 0;
    }
    check_queue();
}

/* ---- wait and cancel */
enum { HOLE = -1, STRANGER = -2, MAX_IDS = MAX_PENDING + 4 };

struct waiting {
    int num;            /* ids, or one of NC_..._ALL */
    int which[MAX_IDS]; /* in the rank's list */
    bool stranger;
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
    if ((w->stranger = one_in(15)))
        w->which[w->num++] = STRANGER;
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
        if (with_statuses && w->which[i] >= 0) {
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
static void step_wait(void)
{
    if (g.mode == MODE_DEFINE || one_in(15)) {
        refuse_wait();
        return;
    }
    tell(g.mode == MODE_COLLECTIVE ? "wait_all" : "wait");
    finish(true);
    g.waits++;
}
static void step_cancel(void)
{
    tell("cancel");
    finish(false);
}

/* ---- mput and mget */
struct many {
    int num;
    struct part parts[MANY];
    void *values[MANY]; /* of puts */
};

static int many_here(const struct many *m, bool put, char **bufs)
{
    int ids[MANY];
    MPI_Offset *starts[MANY], *counts[MANY], *strides[MANY], n[MANY];
    MPI_Datatype types[MANY];
    for (int i = 0; i < m->num; i++) {
        const struct part *p = &m->parts[i];
        ids[i] = p->varid;
        starts[i] = (MPI_Offset *)p->start;
        counts[i] = (MPI_Offset *)p->count;
        strides[i] = (MPI_Offset *)p->stride;
        n[i] = (MPI_Offset)p->n;
        types[i] = mem_datatype(p->mem);
    }
    struct call call = { .ncid = g.ncid,
                         .put = put,
                         .collective = g.mode == MODE_COLLECTIVE,
                         .form = m->num ? m->parts[0].form : FORM_VARA,
                         .starts = starts,
                         .counts = counts };
    return many_run(&call, m->num, ids, strides, (void **)bufs, n, types);
}

/* Runs the call here and checks buffers and code. */
static void many_check(const struct many *m, bool put, int want)
{
    char *bufs[MANY];
    bool loose = false;
    for (int i = 0; i < m->num; i++) {
        size_t bytes = (m->parts[i].memory + 1) * mem_sizes[m->parts[i].mem];
        bufs[i] = put ? memcpy(malloc(bytes), m->values[i], bytes) : get_buffer(&m->parts[i]);
    }
    int err = many_here(m, put, bufs);
    for (int i = 0; i < m->num; i++) {
        bool sure = true;
        int code = put ? NC_NOERR : check_got(&m->parts[i], bufs[i], &sure);
        want = want ? want : code;
        loose |= !sure;
        free(bufs[i]);
    }
    if (err != want && !(loose && !want && err == NC_ERANGE))
        say("mput or mget gives %s, not %s", ncmpi_strerrno(err), ncmpi_strerrno(want));
}

static void choose_many(struct many *m, int rank, bool put)
{
    static const enum form forms[] = { FORM_VAR, FORM_VARA, FORM_VARS };
    only_form = forms[below(3)];
    m->num = (int)below(MANY + 1);
    for (int i = 0; i < m->num; i++) {
        struct part *p = &m->parts[i];
        *p = (struct part){ .rank = rank, .serial = i };
        if (!choose_part(p, put, (int)below(now.nvars))) { /* another put has it */
            part_free(p);
            m->num = i;
            break;
        }
        p->no_stride = false;
        tell_part(p, put);
    }
    only_form = FORMS;
}

static void step_many(void)
{
    static struct many many[MAX_RANKS];
    bool put = one_in(2), collective = g.mode == MODE_COLLECTIVE;
    int want = NC_NOERR;
    if (!now.nvars)
        return;
    tell("%s", put ? "mput" : "mget");
    memset(taken, 0, sizeof taken);
    memset(many, 0, sizeof many);
    for (int r = 0; r < g.size; r++)
        choose_many(&many[r], r, put);
    for (int r = 0; r < g.size && put; r++)
        for (int i = 0; i < many[r].num; i++) {
            struct part *p = &many[r].parts[i];
            many[r].values[i] = make_values(p);
            int code = model_put(p, many[r].values[i]);
            want = r == g.rank && code ? code : want;
            if (p->n && p->records > g.numrecs[r])
                g.numrecs[r] = p->records;
        }
    many_check(&many[g.rank], put, want);
    if (put && collective)
        agree_records();
    for (int r = 0; r < g.size; r++)
        for (int i = 0; i < many[r].num; i++) {
            free(many[r].values[i]);
            part_free(&many[r].parts[i]);
        }
    maps_free(taken);
}
#endif
