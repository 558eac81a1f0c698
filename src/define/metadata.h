#ifndef PCDF_METADATA_H
#define PCDF_METADATA_H
/* Dimensions, variables, attributes, fill modes and quantized variables of an open file, as src/api calls
 * them. Every rank calls them with equal arguments and runs the same pure function, so that all get the same
 * answer with no message; enddef compares the results (section 7). In data mode the ones that may run there
 * write the header through rank 0. In safe mode they are Collective: first all agree on their checks and
 * arguments (safety.h). Errors and their order: reference 4.5 and 4.13. */

#include "dataset.h"

/* id: of the dimension or variable, name: NULL; or of the variable (or NC_GLOBAL) with the attribute `name`.
 */
int pcdf_rename_all(struct pcdf_dataset *ds, enum pcdf_named what, int id, const char *name,
                    const char *newname);

int pcdf_dim_define_all(struct pcdf_dataset *ds, const char *name, int64_t length, int *dimid);
int pcdf_var_define_all(struct pcdf_dataset *ds, const char *name, nc_type type, int ndims, const int *dimids,
                        int *varid);
struct pcdf_att_values { /* an attribute to put; mtype may be PCDF_M_EXTERNAL */
    nc_type type;        /* in the file */
    enum pcdf_mtype mtype;
    int64_t n;
    const void *buf;
};
int pcdf_att_put_all(struct pcdf_dataset *ds, int varid, const char *name,
                     const struct pcdf_att_values *values);
/* in: NULL where its ncid is bad, NC_EBADID. The files that ranks copy from may differ: what they copy may
 * not. */
int pcdf_att_copy_all(struct pcdf_dataset *in, int varid_in, const char *name, struct pcdf_dataset *out,
                      int varid_out);
int pcdf_att_delete_all(struct pcdf_dataset *ds, int varid, const char *name);
/* *old: NC_FILL or NC_NOFILL; may be NULL. NC_EPERM, NC_ENOTINDEFINE, NC_EINVAL. */
int pcdf_fill_set_all(struct pcdf_dataset *ds, int mode, int *old);
/* value: NULL, or one value in the memory form of the variable's type. NC_ENOTINDEFINE, NC_EGLOBAL,
 * NC_ENOTVAR, NC_ELATEFILL, NC_ENOMEM; nothing has changed then. */
int pcdf_fill_define_all(struct pcdf_dataset *ds, int varid, int no_fill, const void *value);

/* mode: of the public header; digits mean nothing where it is none. NC_EPERM, NC_EGLOBAL, NC_ENOTVAR,
 * NC_ELATEDEF (the variable was in the file before), NC_EINVAL; NC_ENOMEM: it is not quantized. */
int pcdf_quantize_define_all(struct pcdf_dataset *ds, int varid, int mode, int digits);

/* ---- look-ups. Local. */
int pcdf_quantize_inquire(const struct pcdf_dataset *ds, int varid, int *mode, int *digits);
/* Of a dimension (NC_EBADDIM) or variable (NC_ENOTVAR). id may be NULL. */
int pcdf_id_of_name(const struct pcdf_dataset *ds, enum pcdf_named what, const char *name, int *id);
int pcdf_att_find(struct pcdf_dataset *ds, int varid, const char *name, const struct pcdf_att **att,
                  int *attid);
int pcdf_att_get(struct pcdf_dataset *ds, int varid, const char *name, void *buf, enum pcdf_mtype mtype);
/* mtype of put and get above for the generic calls, whose memory type is the external type's own. */
#define PCDF_M_EXTERNAL PCDF_M_TYPES
#endif
