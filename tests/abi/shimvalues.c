/* The values of the ABI: compiled with its header, include/mpi.h. See abishim.h. */
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

extern const intptr_t pcdf_abi_values[];
const intptr_t pcdf_abi_values[] = {
#define V(kind, name) (intptr_t)(name),
#include "shimvalues.def"
};
