/* See typemap.h. */
#include "typemap.h"
#include <stdbool.h>

void pcdf_typemap_free(struct pcdf_typemap *tree)
{
    pcdf_free(tree->nodes.x);
    pcdf_free(tree->blocks.x);
    *tree = (struct pcdf_typemap){ 0 };
}

/* ---- Reach: what passes here has no overflow later ---- */

/* *reach += |count * bytes| */
static int widen(int64_t *reach, int64_t count, int64_t bytes)
{
    int64_t way;
    if (__builtin_mul_overflow(count, bytes, &way) || way == INT64_MIN ||
        __builtin_add_overflow(*reach, way < 0 ? -way : way, reach))
        return PCDF_FAIL(NC_EINVAL, "%lld x %lld bytes of the MPI datatype go beyond any memory",
                         (long long)count, (long long)bytes);
    return NC_NOERR;
}

static int multiply_elements(int64_t count, int64_t each, int64_t *n)
{
    if (__builtin_mul_overflow(count, each, n))
        return PCDF_FAIL(NC_EINVAL, "%lld x %lld elements of the MPI datatype are more than memory can hold",
                         (long long)count, (long long)each);
    return NC_NOERR;
}

int pcdf_memnode_shift(struct pcdf_memnode *node, int64_t bytes)
{
    if (node->n == 0)
        return NC_NOERR;
    PCDF_TRY(widen(&node->reach, 1, bytes));
    node->at += bytes;
    return NC_NOERR;
}

/* ---- Building ---- */

/* A node's origin is where its parent places it: the way to its own origin goes up into the parent. */
static int add_child(struct pcdf_typemap *tree, const struct pcdf_memnode *node, size_t *index)
{
    PCDF_TRY(PCDF_RESERVE(&tree->nodes, tree->nodes.n + 1));
    *index = tree->nodes.n++;
    tree->nodes.x[*index] = *node;
    tree->nodes.x[*index].at = 0;
    return NC_NOERR;
}

/* Are `count` copies `step` bytes apart one evenly spaced sequence of what the node repeats? */
static bool goes_on(const struct pcdf_typemap *tree, const struct pcdf_memnode *node, int64_t step)
{
    if (node->kind == PCDF_MEM_RUN)
        return node->n == 1 || step == node->n * node->step;
    return node->kind == PCDF_MEM_LOOP && step == node->n / tree->nodes.x[node->child].n * node->step;
}

int pcdf_typemap_loop(struct pcdf_typemap *tree, const struct pcdf_memnode *child, int64_t count,
                      int64_t step, struct pcdf_memnode *out)
{
    struct pcdf_memnode loop = *child;
    if (count <= 0 || child->n == 0) {
        *out = (struct pcdf_memnode){ .kind = PCDF_MEM_RUN };
        return NC_NOERR;
    }
    if (count > 1) {
        PCDF_TRY(multiply_elements(count, child->n, &loop.n));
        PCDF_TRY(widen(&loop.reach, count, step));
        if (!goes_on(tree, child, step)) {
            PCDF_TRY(add_child(tree, child, &loop.child));
            loop.kind = PCDF_MEM_LOOP;
            loop.step = step;
        } else if (child->n == 1) {
            loop.step = step;
        }
    }
    *out = loop;
    return NC_NOERR;
}

/* Adds a block at the end of the tree's, with room for the entry that ends the list. list->n and nblocks
 * count what the list holds so far. */
static int add_block(struct pcdf_typemap *tree, struct pcdf_memnode *list, int64_t at, size_t child,
                     int64_t n)
{
    struct pcdf_memblock block = { list->n, at, child };
    PCDF_TRY(PCDF_RESERVE(&tree->blocks, tree->blocks.n + 2));
    if (__builtin_add_overflow(list->n, n, &list->n))
        return PCDF_FAIL(NC_EINVAL, "more elements in an MPI datatype than memory can hold");
    tree->blocks.x[tree->blocks.n++] = block;
    list->nblocks++;
    return NC_NOERR;
}

/* Extends `into` by `next` where both are runs and together are one. */
static bool merge_runs(struct pcdf_memnode *into, const struct pcdf_memnode *next)
{
    if (into->kind != PCDF_MEM_RUN || next->kind != PCDF_MEM_RUN)
        return false;
    int64_t way, length, reach;
    if (__builtin_sub_overflow(next->at, into->at, &way) ||
        __builtin_add_overflow(into->reach, next->reach, &reach))
        return false;
    int64_t step = into->n > 1 ? into->step : next->n > 1 ? next->step : way;
    if ((next->n > 1 && next->step != step) || __builtin_mul_overflow(into->n, step, &length) ||
        way != length)
        return false;
    into->step = step;
    into->n += next->n;
    into->reach = reach;
    return true;
}

/* The next part that is not empty, merged with all that continues it. *i becomes the index behind them. */
static bool next_part(size_t n, const struct pcdf_memnode *parts, size_t *i, struct pcdf_memnode *part)
{
    while (*i < n && parts[*i].n == 0)
        ++*i;
    if (*i == n)
        return false;
    *part = parts[(*i)++];
    while (*i < n && (parts[*i].n == 0 || merge_runs(part, &parts[*i])))
        ++*i;
    return true;
}

int pcdf_typemap_join(struct pcdf_typemap *tree, size_t n, const struct pcdf_memnode *parts,
                      struct pcdf_memnode *out)
{
    struct pcdf_memnode list = { .kind = PCDF_MEM_LIST, .block = tree->blocks.n }, part, next;
    size_t i = 0, child;
    if (!next_part(n, parts, &i, &part)) {
        *out = (struct pcdf_memnode){ .kind = PCDF_MEM_RUN };
        return NC_NOERR;
    }
    bool more = next_part(n, parts, &i, &next);
    if (!more) {
        *out = part;
        return NC_NOERR;
    }
    for (;; part = next, more = next_part(n, parts, &i, &next)) {
        if (part.reach > list.reach)
            list.reach = part.reach;
        PCDF_TRY(add_child(tree, &part, &child));
        PCDF_TRY(add_block(tree, &list, part.at, child, part.n));
        if (!more)
            break;
    }
    tree->blocks.x[tree->blocks.n++] = (struct pcdf_memblock){ .first = list.n };
    *out = list;
    return NC_NOERR;
}

#define LENGTH_OF(list, i) ((list)->lengths ? (list)->lengths[i] : (list)->length)

/* Blocks of one length, evenly spaced: many programs write a vector this way. */
static bool is_even(const struct pcdf_memlist *list, int64_t *gap)
{
    if (list->n > 1 && __builtin_sub_overflow(list->places[1], list->places[0], gap))
        return false;
    for (int64_t i = 1; i < list->n; i++) {
        int64_t here;
        if (LENGTH_OF(list, i) != LENGTH_OF(list, 0) ||
            __builtin_sub_overflow(list->places[i], list->places[i - 1], &here) || here != *gap)
            return false;
    }
    return true;
}

/* How far the blocks lie from each other at most. */
static int list_reach(const struct pcdf_memlist *list, int64_t *reach)
{
    int64_t most = *reach;
    for (int64_t i = 0; i < list->n; i++) {
        int64_t here = *reach;
        if (LENGTH_OF(list, i) <= 0)
            continue;
        PCDF_TRY(widen(&here, LENGTH_OF(list, i), list->step));
        PCDF_TRY(widen(&here, list->places[i], list->unit));
        most = here > most ? here : most;
    }
    *reach = most;
    return NC_NOERR;
}

/* Blocks in the order given; one that begins where the one before ends is part of it. */
static int list_blocks(struct pcdf_typemap *tree, const struct pcdf_memlist *list, size_t child, int64_t each,
                       struct pcdf_memnode *out)
{
    int64_t end = 0;
    PCDF_TRY(PCDF_RESERVE(&tree->blocks, tree->blocks.n + (size_t)list->n + 1));
    for (int64_t i = 0; i < list->n; i++) {
        int64_t n, length = LENGTH_OF(list, i), at = list->places[i] * list->unit;
        if (length <= 0)
            continue;
        PCDF_TRY(multiply_elements(length, each, &n));
        if (out->nblocks > 0 && at == end) {
            if (__builtin_add_overflow(out->n, n, &out->n))
                return PCDF_FAIL(NC_EINVAL, "more elements in an MPI datatype than memory can hold");
        } else {
            PCDF_TRY(add_block(tree, out, at, child, n));
        }
        end = at + length * list->step;
    }
    if (out->nblocks > 0)
        tree->blocks.x[tree->blocks.n++] = (struct pcdf_memblock){ .first = out->n };
    return NC_NOERR;
}

static int list_even(struct pcdf_typemap *tree, const struct pcdf_memnode *child,
                     const struct pcdf_memlist *list, int64_t gap, struct pcdf_memnode *out)
{
    int64_t step;
    PCDF_TRY(pcdf_typemap_loop(tree, child, list->n > 0 ? LENGTH_OF(list, 0) : 0, list->step, out));
    if (out->n == 0)
        return NC_NOERR;
    if (__builtin_mul_overflow(gap, list->unit, &step))
        return PCDF_FAIL(NC_EINVAL, "blocks of an MPI datatype go beyond any memory");
    PCDF_TRY(pcdf_typemap_loop(tree, out, list->n, step, out));
    return pcdf_memnode_shift(out, list->places[0] * list->unit);
}

int pcdf_typemap_list(struct pcdf_typemap *tree, const struct pcdf_memnode *child,
                      const struct pcdf_memlist *list, struct pcdf_memnode *out)
{
    struct pcdf_memnode item = *child, made = { .kind = PCDF_MEM_LIST,
                                                .at = child->at,
                                                .reach = child->reach,
                                                .step = list->step,
                                                .block = tree->blocks.n };
    int64_t gap = 0;
    size_t index;
    PCDF_TRY(list_reach(list, &made.reach));
    if (list->n <= 0 || child->n == 0 || is_even(list, &gap))
        return list_even(tree, child, list, gap, out);
    if (child->kind == PCDF_MEM_RUN && child->n > 1 && list->step == child->n * child->step) {
        item.n = 1; /* copies of runs that are runs */
        made.step = child->step;
    }
    PCDF_TRY(add_child(tree, &item, &index));
    PCDF_TRY(list_blocks(tree, list, index, child->n, &made));
    if (made.nblocks > 1) {
        *out = made;
        return NC_NOERR;
    }
    /* all one block, or none */
    int64_t at = made.nblocks > 0 ? tree->blocks.x[made.block].at : 0;
    tree->blocks.n = made.block;
    PCDF_TRY(pcdf_typemap_loop(tree, &item, made.n / item.n, made.step, out));
    return pcdf_memnode_shift(out, at);
}

/* ---- Finding ---- */

/* The last block that does not begin behind element e. */
static const struct pcdf_memblock *find_block(const struct pcdf_typemap *tree,
                                              const struct pcdf_memnode *list, int64_t e)
{
    const struct pcdf_memblock *blocks = &tree->blocks.x[list->block];
    size_t low = 0, high = list->nblocks; /* blocks[low].first <= e < blocks[high].first */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (blocks[middle].first <= e)
            low = middle;
        else
            high = middle;
    }
    return &blocks[low];
}

struct pcdf_memrun pcdf_typemap_run(const struct pcdf_typemap *tree, const struct pcdf_memnode *root,
                                    int64_t e)
{
    int64_t at = root->at;
    const struct pcdf_memnode *node = root;
    while (node->kind != PCDF_MEM_RUN) {
        const struct pcdf_memblock *block = NULL;
        if (node->kind == PCDF_MEM_LIST) {
            block = find_block(tree, node, e);
            at += block->at;
            e -= block->first;
        }
        const struct pcdf_memnode *child = &tree->nodes.x[block ? block->child : node->child];
        if (block && child->n == 1) /* a block of single elements is a run */
            return (struct pcdf_memrun){ at + child->at + e * node->step, node->step,
                                         block[1].first - block->first - e };
        at += child->at + e / child->n * node->step;
        e %= child->n;
        node = child;
    }
    return (struct pcdf_memrun){ at + e * node->step, node->step, node->n - e };
}

struct visit {
    const struct pcdf_typemap *tree;
    pcdf_typemap_visitor *rows;
    void *arg;
};

static void visit_node(const struct visit *v, const struct pcdf_memnode *node, int64_t at, int64_t e,
                       int64_t n);

/* Elements [e, e + n) of copies of `child`, the first of them at `at`. */
static void visit_copies(const struct visit *v, const struct pcdf_memnode *child, int64_t at, int64_t step,
                         int64_t e, int64_t n)
{
    if (child->kind == PCDF_MEM_RUN) {
        v->rows(v->arg, &(struct pcdf_memrows){ at + child->at, child->step, child->n, step }, e, n);
        return;
    }
    if (e >= child->n) {
        at += e / child->n * step;
        e %= child->n;
    }
    for (int64_t now; n > 0; n -= now, at += step, e = 0) {
        now = child->n - e < n ? child->n - e : n;
        visit_node(v, child, at + child->at, e, now);
    }
}

/* Elements [e, e + n) of a node, which begins at `at`. */
static void visit_node(const struct visit *v, const struct pcdf_memnode *node, int64_t at, int64_t e,
                       int64_t n)
{
    if (node->kind == PCDF_MEM_RUN) {
        v->rows(v->arg, &(struct pcdf_memrows){ at, node->step, node->n, 0 }, e, n);
        return;
    }
    if (node->kind == PCDF_MEM_LOOP) {
        visit_copies(v, &v->tree->nodes.x[node->child], at, node->step, e, n);
        return;
    }
    const struct pcdf_memblock *block = find_block(v->tree, node, e);
    e -= block->first;
    for (int64_t now; n > 0; n -= now, block++, e = 0) {
        now = block[1].first - block->first - e;
        if (now > n)
            now = n;
        const struct pcdf_memnode *child = &v->tree->nodes.x[block->child];
        if (child->n == 1) /* a block of single elements is a run */
            v->rows(v->arg,
                    &(struct pcdf_memrows){ at + block->at + child->at + e * node->step, node->step, now, 0 },
                    0, now);
        else
            visit_copies(v, child, at + block->at, node->step, e, now);
    }
}

void pcdf_typemap_visit(const struct pcdf_typemap *tree, const struct pcdf_memnode *root, int64_t e,
                        int64_t n, pcdf_typemap_visitor *visitor, void *arg)
{
    const struct visit visit = { tree, visitor, arg };
    visit_node(&visit, root, root->at, e, n);
}
