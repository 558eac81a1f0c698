/* The loops of stats for every processor. */
#include "statspart.h"

#include <endian.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define LOOPS  pcdf_stats_loops_portable
#define VECTOR 16
#include "statsloop.h"
