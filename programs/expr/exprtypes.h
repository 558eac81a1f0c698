#ifndef PCDF_EXPRTYPES_H
#define PCDF_EXPRTYPES_H
/* Of which type results are. As numpy has it, but that integers are exact: see doc/calc.md. Pure. */

#include <stdbool.h>
#include "exprgraph.h"

enum pcdf_expr_type_rule {
    PCDF_TYPE_LEAF, /* the item says it */
    PCDF_TYPE_SAME, /* that of the first argument */
    PCDF_TYPE_PROMOTE,
    PCDF_TYPE_CHOICE, /* of the arguments but the first */
    PCDF_TYPE_REAL,   /* floats stay floats, short integers become floats, all others doubles */
    PCDF_TYPE_DIVIDE, /* of integers: double */
    PCDF_TYPE_POWER,  /* of integers by a constant that is not negative: the first one's */
    PCDF_TYPE_TRUTH   /* bytes, 0 or 1 */
};

/* Sets type, is_weak and bound of a node from its operation and its arguments. */
void pcdf_expr_type(const struct pcdf_expr *expr, struct pcdf_expr_node *node);
/* The type that holds all values of both. */
nc_type pcdf_expr_promote(nc_type a, nc_type b);
/* The type of a constant integer: int, int64, or uint64. */
nc_type pcdf_expr_type_of(pcdf_expr_whole integer);
bool pcdf_expr_is_integer(nc_type type);
/* The least and the largest value of an integer type. */
pcdf_expr_whole pcdf_expr_least(nc_type type);
pcdf_expr_whole pcdf_expr_most(nc_type type);
#endif
