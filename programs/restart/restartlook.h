#ifndef PCDF_RESTARTLOOK_H
#define PCDF_RESTARTLOOK_H
/* The newest generation of a set that is complete, and why newer ones are not. Rank 0 looks at names and
 * manifests; all ranks share the reading of the files. */

#include "set.h"
#include "tool.h"

struct pcdf_restart_options {
    bool is_quick;      /* sizes are compared, and no checksums */
    int64_t generation; /* this one alone; 0: the newest */
};

struct pcdf_restart_newer { /* a generation that was looked at before, and is not complete */
    int64_t number;
    char why[400];
};

struct pcdf_restart_making { /* one that never became a generation, or is being made */
    char key[PCDF_SET_KEY];
    int64_t closed, begun, failed; /* files */
};

struct pcdf_restart { /* of one set; on rank 0 */
    struct pcdf_set set;
    struct pcdf_setlist list;
    bool is_found;
    struct pcdf_setmanifest newest; /* where it is found */
    char **paths;                   /* of its files */
    struct pcdf_restart_newer *newer;
    size_t nnewer;
    struct pcdf_restart_making *making;
    size_t nmaking;
};

/* Collective. path: DIR/NAME, the same on all ranks. PCDF_TOOL_GOOD: one is complete; BAD: none is;
 * UNUSABLE: that cannot be told, rank 0 said why. restart is to be freed on all ranks. */
int pcdf_restart_look_all(const struct pcdf_tool_ranks *ranks, const char *path,
                          const struct pcdf_restart_options *options, struct pcdf_restart *restart);
void pcdf_restart_free(struct pcdf_restart *restart);
#endif
