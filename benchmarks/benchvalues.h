#ifndef VALUES_H
#define VALUES_H
/* The values that a checkpoint holds: a function of variable, record and index, exact in the variable's type.
 */

#include "workload.h"

/* Writes into buffer (native form) what the pieces of one record of one variable hold. */
void values_make(const struct pcdf_meta *meta, const struct decomp *d, const struct pieces *p, int varid,
                 int64_t record, void *buffer);
/* How many elements of buffer are not what values_make would write; *first: the flat index of the first. */
int64_t values_wrong(const struct pcdf_meta *meta, const struct decomp *d, const struct pieces *p, int varid,
                     int64_t record, const void *buffer, int64_t *first);
/* n values of `size` bytes from big-endian to native. */
void values_native(const unsigned char *external, int size, int64_t n, void *native);

/* One typed collective call for all types: varn, or vara where the shape is one piece a rank. */
int values_put_all(int ncid, int varid, nc_type type, bool is_record, bool one_piece, const struct pieces *p,
                   const void *buffer);
int values_get_all(int ncid, int varid, nc_type type, bool is_record, bool one_piece, const struct pieces *p,
                   void *buffer);
/* The same as a pending request, which the wait carries out; nothing where there are no pieces. */
int values_post_put(int ncid, int varid, nc_type type, bool is_record, bool one_piece, const struct pieces *p,
                    const void *buffer);
int values_post_get(int ncid, int varid, nc_type type, bool is_record, bool one_piece, const struct pieces *p,
                    void *buffer);
/* A scalar, independently: a scalar has no count that other ranks could set to 0, and the peer hangs in a
 * varn that has a piece of one on some ranks only. */
int values_put_scalar(int ncid, int varid, nc_type type, const void *buffer);
int values_get_scalar(int ncid, int varid, nc_type type, void *buffer);
int values_put_att(int ncid, int varid, const struct pcdf_att *att);
/* Is the attribute in the file what the header says? */
bool values_att_equal(int ncid, int varid, const struct pcdf_att *att);
#endif
