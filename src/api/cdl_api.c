/* The header of a CDL text as definitions that a program can go through: cdl_hdr_*. No MPI, no netCDF file.
 * The text is read here with stdio, since it is no data of the library's files; format/cdl.c understands it.
 */
#include <pnetcdf.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "alloc.h"
#include "cdl.h"
#include "convert.h"
#include "status.h"

enum { MOST_OPEN = 1024, FIRST_READ = 1 << 20, MOST_READ = 1 << 28 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pcdf_meta *open_headers[MOST_OPEN]; /* by handle; NULL: free. Attributes hold values of memory,
                                                     not of a file, with a NUL behind them */

/* ---- reading */

/* What data follows the header need not be read: the text is read on until it holds a whole header. */
static int parse_text(FILE *file, const char *path, char **text, struct pcdf_meta *meta)
{
    struct pcdf_cdl_fault fault = { 0 };
    size_t n = 0;
    for (size_t size = FIRST_READ;; size *= 4) {
        char *more = pcdf_realloc(*text, size);
        if (!more)
            return PCDF_FAIL(NC_ENOMEM, "%s: no memory for %zu bytes of CDL", path, size);
        *text = more;
        n += fread(more + n, 1, size - n, file);
        if (ferror(file))
            return PCDF_FAIL(NC_EFILE, "%s: cannot be read: %s", path, strerror(errno));
        int err = pcdf_cdl_parse(*text, n, PCDF_CDL_EMPTY, meta, &fault);
        if (!err)
            return NC_NOERR;
        if (n < size ||
            err == NC_ENOMEM) /* the text ended; the API knows few codes, the sentence tells more */
            return PCDF_FAIL(err == NC_EBADDIM || err == NC_ENOMEM ? err : NC_ENOTNC,
                             "%s, line %d, column %d: %s", path, fault.line, fault.column, fault.text);
        if (size >= MOST_READ)
            return PCDF_FAIL(NC_EFILE, "%s: no header in the first %zu bytes (line %d: %s)", path, n,
                             fault.line, fault.text);
    }
}

/* The values of all attributes as a program of this machine has them. A NUL follows each, since many programs
 * print those of text as strings. */
static int convert_attributes(struct pcdf_meta *meta)
{
    for (int varid = NC_GLOBAL; varid < meta->nvars; varid++) {
        struct pcdf_atts *atts = pcdf_meta_atts(meta, varid);
        for (int i = 0; i < atts->n; i++) {
            struct pcdf_att *att = &atts->x[i];
            const size_t nbytes = (size_t)att->nelems * (size_t)pcdf_type_size(att->type);
            unsigned char *values = pcdf_arena_take(&meta->arena, nbytes + 1);
            if (!values)
                return PCDF_FAIL(NC_ENOMEM, "no memory for the values of attribute \"%.80s\"", att->name);
            values[nbytes] = '\0';
            if (att->nelems > 0)
                (void)pcdf_converter_of(PCDF_CDF5, att->type, pcdf_mtype_of(att->type))
                    ->get(values, 1, att->values, (size_t)att->nelems);
            att->values = values;
        }
    }
    return NC_NOERR;
}

static int open_header(const char *path, int *hid)
{
    char *text = NULL;
    int id = 0;

    if (!path || !*path)
        return PCDF_FAIL(NC_ENOENT, "the path of the CDL text is empty");
    FILE *file = fopen(path, "rb");
    if (!file)
        return PCDF_FAIL(errno == ENOENT ? NC_ENOENT : NC_EFILE, "%s: %s", path, strerror(errno));
    struct pcdf_meta *meta = pcdf_calloc(1, sizeof *meta);
    int err = meta ? parse_text(file, path, &text, meta) : NC_ENOMEM;
    pcdf_free(text);
    (void)fclose(file);
    if (!err)
        err = convert_attributes(meta);

    if (!err) {
        pthread_mutex_lock(&lock);
        while (id < MOST_OPEN && open_headers[id])
            id++;
        if (id < MOST_OPEN)
            open_headers[id] = meta;
        pthread_mutex_unlock(&lock);
        if (id == MOST_OPEN)
            err = PCDF_FAIL(NC_ENFILE, "%d CDL headers are open already", MOST_OPEN);
    }
    if (err && meta)
        pcdf_meta_free(meta);
    if (err)
        pcdf_free(meta);
    else
        *hid = id;
    return err;
}

int cdl_hdr_open(const char *filename, int *hid)
{
    if (!hid)
        return PCDF_FAIL(NC_EINVAL, "the place for the handle is NULL");
    pcdf_alloc_aside(true);
    int err = open_header(filename, hid);
    pcdf_alloc_aside(false);
    return err;
}

/* ---- asking */

static int header_of(int hid, struct pcdf_meta **meta)
{
    struct pcdf_meta *found = NULL;
    if (hid >= 0 && hid < MOST_OPEN) {
        pthread_mutex_lock(&lock);
        found = open_headers[hid];
        pthread_mutex_unlock(&lock);
    }
    if (!found)
        return PCDF_FAIL(NC_EBADID, "%d is no open CDL header", hid);
    *meta = found;
    return NC_NOERR;
}

int cdl_hdr_close(int hid)
{
    struct pcdf_meta *meta;
    PCDF_TRY(header_of(hid, &meta));
    pthread_mutex_lock(&lock);
    open_headers[hid] = NULL;
    pthread_mutex_unlock(&lock);
    pcdf_meta_free(meta);
    pcdf_free(meta);
    return NC_NOERR;
}

static int check_id(const char *what, int id, int n)
{
    if (id >= 0 && id < n)
        return NC_NOERR;
    return PCDF_FAIL(NC_EBADID, "%s %d: the CDL header has %d", what, id, n);
}

/* cdl_hdr_inq_<name>(hid, int *): a row is the whole function. */
#define INQUIRE(name, expression)                                                                            \
    int cdl_hdr_inq_##name(int hid, int *value)                                                              \
    {                                                                                                        \
        struct pcdf_meta *meta;                                                                              \
        PCDF_TRY(header_of(hid, &meta));                                                                     \
        if (value)                                                                                           \
            *value = (expression);                                                                           \
        return NC_NOERR;                                                                                     \
    }
INQUIRE(format, (int)meta->version)
INQUIRE(ndims, meta->ndims)
INQUIRE(nvars, meta->nvars)

int cdl_hdr_inq_dim(int hid, int dimid, char **name, MPI_Offset *size)
{
    struct pcdf_meta *meta;
    PCDF_TRY(header_of(hid, &meta));
    PCDF_TRY(check_id("dimension", dimid, meta->ndims));
    if (name)
        *name = meta->dims[dimid].name;
    if (size)
        *size = meta->dims[dimid].length;
    return NC_NOERR;
}

int cdl_hdr_inq_var(int hid, int varid, char **name, nc_type *xtype, int *ndims, int **dimids)
{
    struct pcdf_meta *meta;
    PCDF_TRY(header_of(hid, &meta));
    PCDF_TRY(check_id("variable", varid, meta->nvars));
    if (name)
        *name = meta->vars[varid].name;
    if (xtype)
        *xtype = meta->vars[varid].type;
    if (ndims)
        *ndims = meta->vars[varid].ndims;
    if (dimids)
        *dimids = meta->vars[varid].dimids;
    return NC_NOERR;
}

static int attributes_of(int hid, int varid, struct pcdf_atts **atts)
{
    struct pcdf_meta *meta;
    PCDF_TRY(header_of(hid, &meta));
    if (varid != NC_GLOBAL)
        PCDF_TRY(check_id("variable", varid, meta->nvars));
    *atts = pcdf_meta_atts(meta, varid);
    return NC_NOERR;
}

int cdl_hdr_inq_nattrs(int hid, int varid, int *nattrs)
{
    struct pcdf_atts *atts;
    PCDF_TRY(attributes_of(hid, varid, &atts));
    if (nattrs)
        *nattrs = atts->n;
    return NC_NOERR;
}

int cdl_hdr_inq_attr(int hid, int varid, int attrid, char **name, nc_type *xtype, MPI_Offset *nelems,
                     void **value)
{
    struct pcdf_atts *atts;
    PCDF_TRY(attributes_of(hid, varid, &atts));
    PCDF_TRY(check_id("attribute", attrid, atts->n));
    if (name)
        *name = atts->x[attrid].name;
    if (xtype)
        *xtype = atts->x[attrid].type;
    if (nelems)
        *nelems = atts->x[attrid].nelems;
    if (value)
        *value = atts->x[attrid].values;
    return NC_NOERR;
}
