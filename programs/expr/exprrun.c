/* Evaluates nodes box by box: see expr.h.
 *
 * A slot holds the values of one node over a box: of a variable, of indices, of what is shifted, of an
 * expression that has fewer dimensions than what it is part of, so that it is evaluated less often. A program
 * goes through a box block by block, and takes its operations one after the other; slots are spread over the
 * dimensions of the box as they are loaded. A frame is a box by all dimensions; what is shifted has another
 * one. */
#include "expr.h"
#include "exprtypes.h"
#include "numbers.h"
#include "toolgrid.h"

#include <math.h>

enum {
    MOST_SLOTS = 512,
    LEAST_BOX = 1 << 10,
    MOST_BOX = 1 << 17,
    MOST_DIMS = 256 /* of all */
};

struct frame {
    int64_t start[MOST_DIMS], count[MOST_DIMS];
};

struct value { /* a register: a block of values */
    double *x;
    int64_t *exact;
};

struct step {
    int node, to, args[3]; /* registers */
};

struct load {
    int slot, value; /* register */
    bool is_direct;  /* of the same dimensions */
    int n;           /* levels, as they are now */
    int64_t count[PCDF_EXPR_DIMS], step[PCDF_EXPR_DIMS];
};

struct program {
    int node; /* a node of its dimensions */
    PCDF_ARRAY(struct step) steps;
    PCDF_ARRAY(struct load) loads;
    PCDF_ARRAY(struct value) values;
    PCDF_ARRAY(struct pcdf_expr_block) now; /* by register */
    PCDF_ARRAY(int) free;
    int *of; /* register of each node; -1: none */
};

struct slot {
    int node, frame;
    double *x;
    int64_t *exact;
    bool is_valid;
    int64_t start[PCDF_EXPR_DIMS], count[PCDF_EXPR_DIMS]; /* what it holds */
    struct program *program;                              /* of expressions */
    int child;                                            /* of what is shifted */
};

struct pcdf_expr_run {
    const struct pcdf_expr *e;
    const struct pcdf_expr_reader *reader;
    PCDF_ARRAY(struct slot) slots;
    struct program main;
    int nnodes;
    const int *nodes;
    struct value *out; /* of each of them */
    int64_t most, lost;
    int nframes;
};

static const struct pcdf_expr_node *node_of(const struct pcdf_expr_run *r, int node)
{
    return &r->e->nodes.x[node];
}

static bool has_dims_of(const struct pcdf_expr_node *a, const struct pcdf_expr_node *b)
{
    return a->ndims == b->ndims && memcmp(a->dims, b->dims, (size_t)a->ndims) == 0;
}

/* ---- programs are made */

static int new_value(struct program *p, bool is_wide, int *id)
{
    struct value v = { 0 };
    PCDF_TRY(PCDF_RESERVE(&p->values, p->values.n + 1));
    PCDF_TRY(PCDF_RESERVE(&p->now, p->values.n + 1));
    PCDF_TRY(PCDF_RESERVE(&p->free, p->values.n + 1));
    v.x = pcdf_malloc(PCDF_EXPR_BLOCK * sizeof *v.x);
    v.exact = is_wide ? pcdf_malloc(PCDF_EXPR_BLOCK * sizeof *v.exact) : NULL;
    if (!v.x || (is_wide && !v.exact)) {
        pcdf_free(v.x);
        pcdf_free(v.exact);
        return NC_ENOMEM;
    }
    *id = (int)p->values.n;
    p->values.x[p->values.n++] = v;
    p->now.n = p->values.n;
    return NC_NOERR;
}

/* One that nobody needs any more, or a new one. */
static int take_value(struct program *p, bool is_wide, int *id)
{
    for (size_t i = 0; i < p->free.n; i++)
        if ((p->values.x[p->free.x[i]].exact != NULL) == is_wide) {
            *id = p->free.x[i];
            p->free.x[i] = p->free.x[--p->free.n];
            return NC_NOERR;
        }
    return new_value(p, is_wide, id);
}

static int put_constant(const struct pcdf_expr_run *r, struct program *p, int node)
{
    const struct pcdf_expr_node *n = node_of(r, node);
    bool is_integer = pcdf_expr_is_integer(n->type);
    int id;
    PCDF_TRY(new_value(p, is_integer, &id));
    struct value *v = &p->values.x[id];
    for (int i = 0; i < PCDF_EXPR_BLOCK; i++) {
        v->x[i] = n->number;
        if (is_integer)
            v->exact[i] = n->exact;
    }
    p->now.x[id] = (struct pcdf_expr_block){ v->x, v->exact, n->type };
    p->of[node] = id;
    return NC_NOERR;
}

static int make_slot(struct pcdf_expr_run *r, int node, int frame, int *id);

static int put_load(struct pcdf_expr_run *r, struct program *p, int node, int frame)
{
    const struct pcdf_expr_node *n = node_of(r, node);
    struct load load = { .is_direct = has_dims_of(n, node_of(r, p->node)) };
    PCDF_TRY(make_slot(r, node, frame, &load.slot));
    PCDF_TRY(new_value(p, n->is_wide, &load.value));
    PCDF_TRY(PCDF_RESERVE(&p->loads, p->loads.n + 1));
    p->loads.x[p->loads.n++] = load;
    p->of[node] = load.value;
    return NC_NOERR;
}

static bool is_leaf(const struct pcdf_expr_node *n)
{
    return n->op == PCDF_EXPR_VARIABLE || n->op == PCDF_EXPR_INDEX || n->op == PCDF_EXPR_SHIFT ||
           n->op == PCDF_EXPR_ROLL;
}

static int put_step(struct pcdf_expr_run *r, struct program *p, int node, const int *last)
{
    const struct pcdf_expr_node *n = node_of(r, node);
    struct step step = { .node = node };
    PCDF_TRY(take_value(p, n->is_wide, &step.to));
    p->of[node] = step.to;
    for (int i = 0; i < n->nargs; i++) {
        int arg = n->args[i], id = p->of[arg];
        bool is_step = !is_leaf(node_of(r, arg)) && node_of(r, arg)->op != PCDF_EXPR_NUMBER &&
                       has_dims_of(node_of(r, arg), node_of(r, p->node));
        step.args[i] = id;
        for (int k = 0; k < i; k++)
            is_step &= n->args[k] != arg;
        if (is_step && last[arg] == node)
            p->free.x[p->free.n++] = id;
    }
    PCDF_TRY(PCDF_RESERVE(&p->steps, p->steps.n + 1));
    p->steps.x[p->steps.n++] = step;
    return NC_NOERR;
}

/* What nodes need: of those of the program's dimensions their arguments, too. last: who needs it last; -1:
 * nobody. */
static void mark(const struct pcdf_expr_run *r, const struct program *p, const int *roots, int nroots,
                 int *last)
{
    int n = (int)r->e->nodes.n;
    for (int i = 0; i < n; i++)
        last[i] = -1;
    for (int i = 0; i < nroots; i++)
        last[roots[i]] = n;
    for (int i = n - 1; i >= 0; i--) {
        const struct pcdf_expr_node *node = node_of(r, i);
        bool is_step = last[i] >= 0 && !is_leaf(node) && has_dims_of(node, node_of(r, p->node));
        for (int k = 0; is_step && k < node->nargs; k++)
            if (last[node->args[k]] < i)
                last[node->args[k]] = i;
    }
}

static int fill_program(struct pcdf_expr_run *r, struct program *p, int frame, const int *last)
{
    for (int i = 0; i < (int)r->e->nodes.n; i++) {
        const struct pcdf_expr_node *n = node_of(r, i);
        if (last[i] < 0)
            continue;
        if (n->op == PCDF_EXPR_NUMBER)
            PCDF_TRY(put_constant(r, p, i));
        else if (is_leaf(n) || !has_dims_of(n, node_of(r, p->node)))
            PCDF_TRY(put_load(r, p, i, frame));
        else
            PCDF_TRY(put_step(r, p, i, last));
    }
    return NC_NOERR;
}

static int make_program(struct pcdf_expr_run *r, struct program *p, const int *roots, int nroots, int frame)
{
    size_t n = r->e->nodes.n;
    int *last = pcdf_malloc((n + 1) * sizeof *last);
    *p = (struct program){ .node = roots[0], .of = pcdf_malloc((n + 1) * sizeof *p->of) };
    int err = last && p->of ? NC_NOERR : NC_ENOMEM;
    if (!err) {
        mark(r, p, roots, nroots, last);
        err = fill_program(r, p, frame, last);
    }
    pcdf_free(last);
    return err;
}

static void free_program(struct program *p)
{
    for (size_t i = 0; i < p->values.n; i++) {
        pcdf_free(p->values.x[i].x);
        pcdf_free(p->values.x[i].exact);
    }
    pcdf_free(p->values.x);
    pcdf_free(p->steps.x);
    pcdf_free(p->loads.x);
    pcdf_free(p->now.x);
    pcdf_free(p->free.x);
    pcdf_free(p->of);
}

/* ---- slots are made */

static int make_expression(struct pcdf_expr_run *r, int slot, int node, int frame)
{
    struct program *p = pcdf_calloc(1, sizeof *p);
    if (!p)
        return NC_ENOMEM;
    r->slots.x[slot].program = p;
    return make_program(r, p, &node, 1, frame);
}

static int make_slot(struct pcdf_expr_run *r, int node, int frame, int *id)
{
    const struct pcdf_expr_node *n = node_of(r, node);
    for (size_t i = 0; i < r->slots.n; i++)
        if (r->slots.x[i].node == node && r->slots.x[i].frame == frame) {
            *id = (int)i;
            return NC_NOERR;
        }
    if (r->slots.n == MOST_SLOTS)
        return PCDF_FAIL(NC_EINVAL, "the program needs more than %d variables and shifts of them at once",
                         MOST_SLOTS);
    PCDF_TRY(PCDF_RESERVE(&r->slots, r->slots.n + 1));
    *id = (int)r->slots.n++;
    r->slots.x[*id] = (struct slot){ .node = node, .frame = frame, .child = -1 };
    if (n->op == PCDF_EXPR_SHIFT || n->op == PCDF_EXPR_ROLL) {
        int child;
        PCDF_TRY(make_slot(r, n->args[0], ++r->nframes, &child));
        r->slots.x[*id].child = child;
        return NC_NOERR;
    }
    return is_leaf(n) ? NC_NOERR : make_expression(r, *id, node, frame);
}

static int64_t bytes_of(const struct pcdf_expr_node *n)
{
    return n->is_wide ? 16 : 8;
}

static int make_room(struct pcdf_expr_run *r, int64_t memory)
{
    int64_t each = 0;
    for (size_t i = 0; i < r->slots.n; i++)
        each += bytes_of(node_of(r, r->slots.x[i].node));
    for (int i = 0; i < r->nnodes; i++)
        each += bytes_of(node_of(r, r->nodes[i]));
    r->most = pcdf_larger(pcdf_smaller(memory / each, MOST_BOX), LEAST_BOX);
    return NC_NOERR;
}

/* When it is needed first: slots of few dimensions need less than `most`. */
static int hold(const struct pcdf_expr_run *r, int node, double **x, int64_t **exact)
{
    size_t n = (size_t)r->most;
    if (!*x)
        *x = pcdf_malloc(n * sizeof **x);
    if (!*exact && node_of(r, node)->is_wide)
        *exact = pcdf_malloc(n * sizeof **exact);
    return *x && (*exact || !node_of(r, node)->is_wide) ? NC_NOERR : NC_ENOMEM;
}

int pcdf_expr_run_begin(struct pcdf_expr_run **run, const struct pcdf_expr *e, const int *nodes, int nnodes,
                        const struct pcdf_expr_reader *reader, int64_t memory)
{
    struct pcdf_expr_run *r = pcdf_calloc(1, sizeof *r);
    if (!r)
        return NC_ENOMEM;
    r->e = e;
    r->reader = reader;
    r->nnodes = nnodes;
    r->nodes = nodes;
    r->out = pcdf_calloc((size_t)nnodes + 1, sizeof *r->out);
    int err = r->out ? make_program(r, &r->main, nodes, nnodes, 0) : NC_ENOMEM;
    err = err ? err : make_room(r, memory);
    for (int i = 0; i < nnodes && !err; i++)
        err = hold(r, nodes[i], &r->out[i].x, &r->out[i].exact);
    for (size_t i = 0; i < r->slots.n && !err; i++)
        err = hold(r, r->slots.x[i].node, &r->slots.x[i].x, &r->slots.x[i].exact);
    if (err) {
        pcdf_expr_run_end(r);
        return err;
    }
    *run = r;
    return NC_NOERR;
}

void pcdf_expr_run_end(struct pcdf_expr_run *r)
{
    for (size_t i = 0; i < r->slots.n; i++) {
        pcdf_free(r->slots.x[i].x);
        pcdf_free(r->slots.x[i].exact);
        if (r->slots.x[i].program)
            free_program(r->slots.x[i].program);
        pcdf_free(r->slots.x[i].program);
    }
    for (int i = 0; r->out && i < r->nnodes; i++) {
        pcdf_free(r->out[i].x);
        pcdf_free(r->out[i].exact);
    }
    free_program(&r->main);
    pcdf_free(r->slots.x);
    pcdf_free(r->out);
    pcdf_free(r);
}

int64_t pcdf_expr_run_most(const struct pcdf_expr_run *r)
{
    return r->most;
}

void pcdf_expr_run_forget(struct pcdf_expr_run *r)
{
    for (size_t i = 0; i < r->slots.n; i++)
        r->slots.x[i].is_valid = false;
}

int64_t pcdf_expr_run_lost(const struct pcdf_expr_run *r)
{
    return r->lost;
}

/* ---- loads: a slot's values, spread over the dimensions of a program */

/* Levels that lie evenly behind each other become one. */
static void set_levels(const struct pcdf_expr_run *r, struct load *l, const struct program *p,
                       const struct frame *f)
{
    const struct pcdf_expr_node *to = node_of(r, p->node), *from = node_of(r, r->slots.x[l->slot].node);
    l->n = 0;
    for (int i = 0; i < to->ndims; i++) {
        int64_t count = f->count[to->dims[i]], step = 0, inner = 1;
        for (int k = from->ndims - 1; k >= 0; k--) {
            step = from->dims[k] == to->dims[i] ? inner : step;
            inner *= f->count[from->dims[k]];
        }
        if (l->n > 0 && l->step[l->n - 1] == step * count) {
            l->count[l->n - 1] *= count;
            l->step[l->n - 1] = step;
        } else {
            l->count[l->n] = count;
            l->step[l->n++] = step;
        }
    }
}

static void copy_row(const struct slot *s, int64_t from, int64_t step, int n, struct value *v, int to)
{
    for (int i = 0; i < n; i++)
        v->x[to + i] = s->x[from + i * step];
    for (int i = 0; v->exact && i < n; i++)
        v->exact[to + i] = s->exact[from + i * step];
}

/* n values, from number `first` of the box on. */
static void spread(const struct load *l, const struct slot *s, int64_t first, int n, struct value *v)
{
    int64_t index[PCDF_EXPR_DIMS], from = 0;
    int last = l->n - 1;
    pcdf_grid_index(l->n, l->count, first, index);
    for (int i = last; i >= 0; i--)
        from += index[i] * l->step[i];
    for (int done = 0; done < n;) {
        int64_t row = last < 0 ? 1 : l->count[last] - index[last], step = last < 0 ? 0 : l->step[last];
        int some = (int)pcdf_smaller(row, n - done);
        copy_row(s, from, step, some, v, done);
        done += some;
        if (done == n)
            break;
        from += some * step;
        index[last] += some;
        for (int i = last; i > 0 && index[i] == l->count[i]; i--) {
            from += l->step[i - 1] - index[i] * l->step[i];
            index[i] = 0;
            index[i - 1]++;
        }
    }
}

/* ---- a box */

static int read_slot(struct pcdf_expr_run *r, struct slot *s, const struct pcdf_expr_node *n)
{
    int64_t start[PCDF_EXPR_DIMS + 1] = { 0 }, count[PCDF_EXPR_DIMS + 1] = { 1 };
    memcpy(start + n->has_one, s->start, (size_t)n->ndims * sizeof *start);
    memcpy(count + n->has_one, s->count, (size_t)n->ndims * sizeof *count);
    return r->reader->read(r->reader->context, n->source, n->varid, start, count, s->x, s->exact);
}

static int eval_slot(struct pcdf_expr_run *r, int id, const struct frame *f);

static void take_step(struct pcdf_expr_run *r, struct program *p, const struct step *s, int n)
{
    const struct pcdf_expr_node *node = node_of(r, s->node);
    struct value *v = &p->values.x[s->to];
    struct pcdf_expr_block args[3] = { 0 };
    bool is_comparison = node->op >= PCDF_EXPR_LESS && node->op <= PCDF_EXPR_UNEQUAL, is_wide = false,
         are_integers = true;
    for (int i = 0; i < node->nargs; i++) {
        args[i] = p->now.x[s->args[i]];
        is_wide |= node_of(r, node->args[i])->is_wide;
        are_integers &= pcdf_expr_is_integer(args[i].type);
    }
    if (node->is_wide)
        r->lost += pcdf_expr_loop_wide(node->op, node->type, n, args, v->x, v->exact);
    else if (is_comparison && is_wide && are_integers)
        pcdf_expr_compare_wide(node->op, n, args, v->x);
    else if (node->op == PCDF_EXPR_CAST)
        r->lost += pcdf_expr_cast(node->type, n, args, v->x);
    else
        pcdf_expr_loop(node->op, pcdf_expr_is_integer(node->type), n, args, v->x);
    p->now.x[s->to] = (struct pcdf_expr_block){ v->x, node->is_wide ? v->exact : NULL, node->type };
}

static void load_block(struct pcdf_expr_run *r, struct program *p, const struct load *l, int64_t first, int n)
{
    const struct slot *s = &r->slots.x[l->slot];
    struct pcdf_expr_block *now = &p->now.x[l->value];
    struct value *v = &p->values.x[l->value];
    bool is_wide = node_of(r, s->node)->is_wide;
    now->type = node_of(r, s->node)->type;
    if (l->is_direct) {
        now->x = s->x + first;
        now->exact = is_wide ? s->exact + first : NULL;
        return;
    }
    spread(l, s, first, n, v);
    now->x = v->x;
    now->exact = is_wide ? v->exact : NULL;
}

static void keep_block(const struct pcdf_expr_block *now, int64_t first, int n, double *x, int64_t *exact)
{
    memcpy(x + first, now->x, (size_t)n * sizeof *x);
    if (exact)
        memcpy(exact + first, now->exact, (size_t)n * sizeof *exact);
}

static int64_t count_of(const struct pcdf_expr_node *n, const struct frame *f)
{
    int64_t count = 1;
    for (int i = 0; i < n->ndims; i++)
        count *= f->count[n->dims[i]];
    return count;
}

/* The values of roots go to `out`. */
static int run_program(struct pcdf_expr_run *r, struct program *p, const struct frame *f, const int *roots,
                       int nroots, const struct value *out)
{
    int64_t total = count_of(node_of(r, p->node), f);
    for (size_t i = 0; i < p->loads.n; i++) {
        int status = eval_slot(r, p->loads.x[i].slot, f);
        if (status)
            return status;
        set_levels(r, &p->loads.x[i], p, f);
    }
    for (int64_t first = 0; first < total; first += PCDF_EXPR_BLOCK) {
        int n = (int)pcdf_smaller(PCDF_EXPR_BLOCK, total - first);
        for (size_t i = 0; i < p->loads.n; i++)
            load_block(r, p, &p->loads.x[i], first, n);
        for (size_t i = 0; i < p->steps.n; i++)
            take_step(r, p, &p->steps.x[i], n);
        for (int i = 0; i < nroots; i++)
            keep_block(&p->now.x[p->of[roots[i]]], first, n, out[i].x, out[i].exact);
    }
    return 0;
}

static void count_indices(const struct pcdf_expr_run *r, struct slot *s)
{
    for (int64_t i = 0; i < s->count[0]; i++)
        s->x[i] = (double)(s->start[0] + i);
    for (int64_t i = 0; node_of(r, s->node)->is_wide && i < s->count[0]; i++)
        s->exact[i] = s->start[0] + i;
}

/* ---- what is shifted: the values of its child over another box, or two */

static void make_missing(struct slot *s, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        s->x[i] = (double)NAN;
    if (s->exact)
        memset(s->exact, 0, (size_t)n * sizeof *s->exact);
}

/* `some` indices of the child go to index `at` of the box. */
static int take_part(struct pcdf_expr_run *r, int id, const struct frame *f, int64_t from, int64_t some,
                     int64_t at)
{
    struct slot *s = &r->slots.x[id];
    const struct pcdf_expr_node *n = node_of(r, s->node);
    struct frame *moved = pcdf_malloc(sizeof *moved);
    int64_t outer = 1, inner = 1, length = f->count[n->dim];
    bool is_inner = false;
    if (!moved)
        return NC_ENOMEM;
    *moved = *f;
    moved->start[n->dim] = from;
    moved->count[n->dim] = some;
    int status = eval_slot(r, s->child, moved);
    pcdf_free(moved);
    for (int i = 0; i < n->ndims; i++) {
        if (n->dims[i] != n->dim)
            *(is_inner ? &inner : &outer) *= f->count[n->dims[i]];
        is_inner |= n->dims[i] == n->dim;
    }
    s = &r->slots.x[id];
    const struct slot *child = &r->slots.x[s->child];
    for (int64_t i = 0; i < outer && !status; i++) {
        int64_t to = (i * length + at) * inner, with = i * some * inner;
        memcpy(s->x + to, child->x + with, (size_t)(some * inner) * sizeof *s->x);
        if (s->exact)
            memcpy(s->exact + to, child->exact + with, (size_t)(some * inner) * sizeof *s->exact);
    }
    return status;
}

static int shift(struct pcdf_expr_run *r, int id, const struct frame *f)
{
    const struct pcdf_expr_node *n = node_of(r, r->slots.x[id].node);
    int64_t length = r->e->dims.x[n->dim].length, low = f->start[n->dim] - n->offset,
            high = low + f->count[n->dim];
    int64_t from = pcdf_larger(low, 0), to = pcdf_smaller(high, length);
    make_missing(&r->slots.x[id], count_of(n, f));
    return from < to ? take_part(r, id, f, from, to - from, from - low) : 0;
}

static int roll(struct pcdf_expr_run *r, int id, const struct frame *f)
{
    const struct pcdf_expr_node *n = node_of(r, r->slots.x[id].node);
    int64_t length = r->e->dims.x[n->dim].length, count = f->count[n->dim], done = 0;
    int status = 0;
    while (done < count && !status) {
        int64_t from = (f->start[n->dim] + done - n->offset + length) % length;
        int64_t some = pcdf_smaller(count - done, length - from);
        status = take_part(r, id, f, from, some, done);
        done += some;
    }
    return status;
}

static bool holds(const struct pcdf_expr_run *r, struct slot *s, const struct frame *f)
{
    const struct pcdf_expr_node *n = node_of(r, s->node);
    bool is = s->is_valid;
    for (int i = 0; i < n->ndims; i++) {
        is &= s->start[i] == f->start[n->dims[i]] && s->count[i] == f->count[n->dims[i]];
        s->start[i] = f->start[n->dims[i]];
        s->count[i] = f->count[n->dims[i]];
    }
    s->is_valid = is;
    return is;
}

static int eval_slot(struct pcdf_expr_run *r, int id, const struct frame *f)
{
    struct slot *s = &r->slots.x[id];
    const struct pcdf_expr_node *n = node_of(r, s->node);
    int status = 0;
    if (holds(r, s, f) || count_of(n, f) == 0)
        return 0;
    if (n->op == PCDF_EXPR_VARIABLE)
        status = read_slot(r, s, n);
    else if (n->op == PCDF_EXPR_INDEX)
        count_indices(r, s);
    else if (n->op == PCDF_EXPR_SHIFT)
        status = shift(r, id, f);
    else if (n->op == PCDF_EXPR_ROLL)
        status = roll(r, id, f);
    else
        status = run_program(r, s->program, f, &s->node, 1, &(struct value){ s->x, s->exact });
    s->is_valid = !status;
    return status;
}

int pcdf_expr_run_box(struct pcdf_expr_run *r, const int64_t *start, const int64_t *count)
{
    const struct pcdf_expr_node *n = node_of(r, r->main.node);
    struct frame *f = pcdf_calloc(1, sizeof *f);
    if (!f)
        return NC_ENOMEM;
    for (int i = 0; i < n->ndims; i++) {
        f->start[n->dims[i]] = start[i];
        f->count[n->dims[i]] = count[i];
    }
    int status = run_program(r, &r->main, f, r->nodes, r->nnodes, r->out);
    pcdf_free(f);
    return status;
}

struct pcdf_expr_block pcdf_expr_run_values(const struct pcdf_expr_run *r, int node)
{
    return (struct pcdf_expr_block){ r->out[node].x, r->out[node].exact, node_of(r, r->nodes[node])->type };
}
