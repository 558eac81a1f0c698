#ifndef COMPUTE_H
#define COMPUTE_H
/* What a model does between two checkpoints: it sleeps, or does an amount of work that is the same each time.
 */

#include <stdbool.h>
#include <stdint.h>

struct compute {
    double seconds; /* of each computation; 0: there is none */
    bool works;     /* else it sleeps */
    int64_t rounds; /* of work in these seconds, as compute_prepare found */
};

/* Text as "0.5". false: no number of seconds from 0 to a day. */
bool compute_parse(struct compute *c, const char *text);
/* Finds out how much work takes the seconds while nothing else runs. Collective: all ranks work at once. */
void compute_prepare(struct compute *c);
/* Sleeps until the seconds since `begin` are over, or does the work. Returns the seconds since `begin`. */
double compute_run(const struct compute *c, double begin);
#endif
