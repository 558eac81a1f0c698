/* Steps that post requests and attach the buffer of bput. Every rank knows every rank's pending requests.
 * Within one rank they may overlap, and the later posted put must win; two ranks never have the same element
 * in puts, since their order is nobody's. */
#include "program.h"

struct list lists[MAX_RANKS];

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
void drop_chosen(struct list *list)
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
bool drop_all_pending(void)
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

void maps_free(unsigned char **maps)
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
    unsigned char scratch[8];
    bool fits = true;
    for (int64_t i = 0; i < p->n; i++)
        fits &= ext_put(scratch, ranges(), p->var->type, p->fill, values, p->mem, p->place[i]);
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
    if (q->put && g.readonly)
        p->error = NC_EPERM;
    int want = p->error;
    if (q->put) {
        q->values = make_values(p);
        want = want ? want : code_of_put(p, q->values);
    }
    if (p->error == NC_EPERM)
        want = NC_EPERM;
    else if (q->buffered && no_buffer)
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

void check_queue(void)
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

void step_post(void)
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

void step_buffer(void)
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
