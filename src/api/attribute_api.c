/* Attributes: put and get of all types from one table, and what is done with whole attributes. */
#include "api.h"
#include <string.h>
#include "metadata.h"

#define VALUES(mtype) (&(struct pcdf_att_values){ xtype, PCDF_M_##mtype, len, buf })

/* Without a type in the name the memory has the type that belongs to the external one. Text has one external
 * type only. */
PCDF_ON_FILE(put_att, (int ncid, int varid, const char *name, nc_type xtype, MPI_Offset len, const void *buf),
             pcdf_att_put_all(ds, varid, name, VALUES(EXTERNAL)))
PCDF_ON_FILE(get_att, (int ncid, int varid, const char *name, void *buf),
             pcdf_att_get(ds, varid, name, buf, PCDF_M_EXTERNAL))
PCDF_ON_FILE(put_att_text, (int ncid, int varid, const char *name, MPI_Offset len, const char *buf),
             pcdf_att_put_all(ds, varid, name, &(struct pcdf_att_values){ NC_CHAR, PCDF_M_TEXT, len, buf }))
PCDF_ON_FILE(get_att_text, (int ncid, int varid, const char *name, char *buf),
             pcdf_att_get(ds, varid, name, buf, PCDF_M_TEXT))

/* suffix, C type, memory type: a row makes ncmpi_put_att_<suffix> and ncmpi_get_att_<suffix>. */
#define NUMBERS(X)                                                                                           \
    X(schar, signed char, SCHAR)                                                                             \
    X(uchar, unsigned char, UCHAR)                                                                           \
    X(ubyte, unsigned char, UCHAR)                                                                           \
    X(short, short, SHORT)                                                                                   \
    X(ushort, unsigned short, USHORT)                                                                        \
    X(int, int, INT)                                                                                         \
    X(uint, unsigned int, UINT)                                                                              \
    X(long, long, LONG)                                                                                      \
    X(float, float, FLOAT)                                                                                   \
    X(double, double, DOUBLE)                                                                                \
    X(longlong, long long, LONGLONG)                                                                         \
    X(ulonglong, unsigned long long, ULONGLONG)

#define PUT_AND_GET(suffix, T, mtype)                                                                        \
    PCDF_ON_FILE(put_att_##suffix,                                                                           \
                 (int ncid, int varid, const char *name, nc_type xtype, MPI_Offset len, const T *buf),       \
                 pcdf_att_put_all(ds, varid, name, VALUES(mtype)))                                           \
    PCDF_ON_FILE(get_att_##suffix, (int ncid, int varid, const char *name, T *buf),                          \
                 pcdf_att_get(ds, varid, name, buf, PCDF_M_##mtype))
NUMBERS(PUT_AND_GET)

int ncmpi_copy_att(int ncid_in, int varid_in, const char *name, int ncid_out, int varid_out)
{
    struct pcdf_dataset *in = NULL, *out;
    PCDF_LOCK_BOTH(ncid_in, ncid_out);
    PCDF_TRY(pcdf_dataset_of(ncid_out, &out));
    (void)pcdf_dataset_of(ncid_in, &in); /* a bad one is an argument like others: the ranks talk by `out` */
    return pcdf_report(out, pcdf_att_copy_all(in, varid_in, name, out, varid_out));
}

PCDF_ON_FILE(rename_att, (int ncid, int varid, const char *name, const char *newname),
             pcdf_rename_all(ds, PCDF_ATTRIBUTE, varid, name, newname))
PCDF_ON_FILE(del_att, (int ncid, int varid, const char *name), pcdf_att_delete_all(ds, varid, name))

static int give_att(struct pcdf_dataset *ds, int varid, const char *name, nc_type *xtypep, MPI_Offset *lenp)
{
    const struct pcdf_att *att;
    PCDF_TRY(pcdf_att_find(ds, varid, name, &att, NULL));
    PCDF_GIVE(xtypep, att->type);
    PCDF_GIVE(lenp, att->nelems);
    return NC_NOERR;
}

PCDF_ON_FILE(inq_att, (int ncid, int varid, const char *name, nc_type *xtypep, MPI_Offset *lenp),
             give_att(ds, varid, name, xtypep, lenp))
PCDF_ON_FILE(inq_atttype, (int ncid, int varid, const char *name, nc_type *xtypep),
             give_att(ds, varid, name, xtypep, NULL))
PCDF_ON_FILE(inq_attlen, (int ncid, int varid, const char *name, MPI_Offset *lenp),
             give_att(ds, varid, name, NULL, lenp))
PCDF_ON_FILE(inq_attid, (int ncid, int varid, const char *name, int *idp),
             pcdf_att_find(ds, varid, name, NULL, idp))

static int attribute_name(const struct pcdf_dataset *ds, int varid, int attnum, char *name)
{
    const struct pcdf_atts *atts = pcdf_meta_atts(&ds->meta, varid);
    if (!atts)
        return PCDF_FAIL(NC_ENOTVAR, "variable %d: the file has %d variables", pcdf_told_id(varid),
                         ds->meta.nvars);
    if (attnum < 0 || attnum >= atts->n)
        return PCDF_FAIL(NC_ENOTATT, "attribute %d: variable %d has %d attributes", pcdf_told_id(attnum),
                         pcdf_told_id(varid), atts->n);
    if (!name)
        return PCDF_FAIL(NC_EINVAL, "attribute %d of variable %d: the buffer for its name is NULL",
                         pcdf_told_id(attnum), pcdf_told_id(varid));
    strcpy(name, atts->x[attnum].name);
    return NC_NOERR;
}

PCDF_ON_FILE(inq_attname, (int ncid, int varid, int attnum, char *name),
             attribute_name(ds, varid, attnum, name))
