/* See recorder.h. */
#include "recorder.h"
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 1 << 18 };

/* One function as it is reached by one path. */
struct node {
    const void *function;
    int parent, first_child, next_sibling; /* 0: none, since node 0 is the root */
    long calls;
};

static struct node nodes[NODES];
static int node_count = 1, here;
static _Thread_local bool recording; /* threads of the MPI library are not recorded */

/* Finds the node of `function` below `parent`, or makes it at the end of the children. */
UNSEEN static int child_of(int parent, const void *function)
{
    int *link = &nodes[parent].first_child;
    while (*link && nodes[*link].function != function)
        link = &nodes[*link].next_sibling;
    if (!*link) {
        if (node_count == NODES)
            abort();
        nodes[node_count] = (struct node){ .function = function, .parent = parent };
        *link = node_count++;
    }
    return *link;
}

UNSEEN void __cyg_profile_func_enter(void *function, void *caller);
UNSEEN void __cyg_profile_func_exit(void *function, void *caller);

UNSEEN void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)caller;
    if (!recording)
        return;
    here = child_of(here, function);
    nodes[here].calls++;
}

UNSEEN void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function, (void)caller;
    if (recording)
        here = nodes[here].parent;
}

UNSEEN void recorder_begin(void)
{
    memset(nodes, 0, (size_t)node_count * sizeof *nodes);
    node_count = 1;
    here = 0;
    recording = true;
}

UNSEEN void recorder_end(void)
{
    recording = false;
}

UNSEEN static void print_tree(FILE *out, const char *name, int round, int node, int depth)
{
    for (int i = nodes[node].first_child; i; i = nodes[i].next_sibling) {
        fprintf(out, "%s %d %d %" PRIxPTR " %ld\n", name, round, depth, (uintptr_t)nodes[i].function,
                nodes[i].calls);
        print_tree(out, name, round, i, depth + 1);
    }
}

UNSEEN void recorder_print(FILE *out, const char *name, int round)
{
    print_tree(out, name, round, 0, 1);
}
