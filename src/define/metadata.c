/* Dimensions, variables and attributes of an open file: which checks, in which order (reference 4.5), and
 * what may still be changed in data mode (reference 4.13). What a change does to the definitions is format/'s
 * business. A call with checks_only stops where the change would begin. Reading order: the checks that are
 * shared, the change of a header in place, then one group for each kind. */
#include "dataset.h"

#include <limits.h>
#include <string.h>
#include "alloc.h"
#include "convert.h"
#include "encode.h"
#include "fill.h"
#include "rules.h"
#include "status.h"
#include "text.h"
#include "headerupdate.h"

/* A name as a sentence shows it: not all of 256 bytes. */
#define SHOWN "%.80s"

#define FILL_VALUE "_FillValue"

/* ---- checks that are shared */

static int need_writable(const struct pcdf_dataset *ds)
{
    if (ds->readonly)
        return PCDF_FAIL(NC_EPERM, "the file is open for reading only");
    return NC_NOERR;
}

static int need_define_mode(const struct pcdf_dataset *ds, const char *what)
{
    if (ds->mode != PCDF_MODE_DEFINE)
        return PCDF_FAIL(NC_ENOTINDEFINE, "%s needs define mode; call ncmpi_redef first", what);
    return NC_NOERR;
}

static int need_variable(const struct pcdf_dataset *ds, int varid)
{
    if (varid < 0 || varid >= ds->meta.nvars)
        return PCDF_FAIL(NC_ENOTVAR, "variable %d: the file has %d variables", pcdf_told_id(varid),
                         ds->meta.nvars);
    return NC_NOERR;
}

/* The attributes of a variable or of the file. */
static int need_atts(struct pcdf_dataset *ds, int varid, struct pcdf_atts **atts)
{
    if (varid != NC_GLOBAL)
        PCDF_TRY(need_variable(ds, varid));
    *atts = pcdf_meta_atts(&ds->meta, varid);
    return NC_NOERR;
}

/* In data mode nothing may move, so a name may only shrink. */
static int need_room_for_name(const struct pcdf_dataset *ds, const char *old, const char *name)
{
    size_t was = strlen(old), is = strlen(name);
    if (ds->mode != PCDF_MODE_DEFINE && is > was)
        return PCDF_FAIL(NC_ENOTINDEFINE,
                         "\"" SHOWN "\" has %zu bytes, \"" SHOWN
                         "\" has %zu: a longer name needs define mode; call ncmpi_redef first",
                         name, is, old, was);
    return NC_NOERR;
}

/* ---- the header in place */

struct change {
    bool in_file; /* data mode: the header on the file changes, too */
    struct pcdf_header_update touch;
};

static int begin_change(struct pcdf_dataset *ds, struct change *change)
{
    *change = (struct change){ .in_file = ds->mode != PCDF_MODE_DEFINE };
    if (!change->in_file)
        return NC_NOERR;
    PCDF_TRY(pcdf_check_poison(ds));
    int known = ds->comm.size == 1 ? ds->io_error : ds->agreed_io_error; /* not what one rank of many knows */
    if (known)                                                           /* the same on all ranks */
        return PCDF_FAIL(known, "the storage failed before (%s): nothing is written", pcdf_error_name(known));
    return pcdf_header_update_begin(ds, &change->touch);
}

/* err: of the change itself. */
static int end_change(struct pcdf_dataset *ds, struct change *change, int err)
{
    pcdf_meta_tidy(&ds->meta);
    return change->in_file ? pcdf_header_update_end(ds, &change->touch, err) : err;
}

/* ---- dimensions */

int pcdf_dim_define(struct pcdf_dataset *ds, const char *name, int64_t length, int *dimid)
{
    struct pcdf_name nfc;
    PCDF_TRY(need_define_mode(ds, "defining a dimension"));
    PCDF_TRY(pcdf_name_define(name, &nfc));
    PCDF_TRY(pcdf_rules_new_dim(&ds->meta, nfc.text, length));
    if (ds->checks_only)
        return NC_NOERR;
    return pcdf_meta_add_dim(&ds->meta, nfc.text, length, dimid);
}

static int rename_dim(struct pcdf_dataset *ds, int dimid, const char *name)
{
    struct change change;
    if (dimid < 0 || dimid >= ds->meta.ndims)
        return PCDF_FAIL(NC_EBADDIM, "dimension %d: the file has %d dimensions", pcdf_told_id(dimid),
                         ds->meta.ndims);
    int there = pcdf_meta_find_dim(&ds->meta, name);
    if (there == dimid)
        return NC_NOERR;
    if (there >= 0)
        return PCDF_FAIL(NC_ENAMEINUSE, "dimension %d has the name \"" SHOWN "\" already",
                         pcdf_told_id(there), name);
    PCDF_TRY(need_room_for_name(ds, ds->meta.dims[dimid].name, name));
    if (ds->checks_only)
        return NC_NOERR;
    PCDF_TRY(begin_change(ds, &change));
    return end_change(ds, &change, pcdf_meta_rename_dim(&ds->meta, dimid, name));
}

int pcdf_dim_rename(struct pcdf_dataset *ds, int dimid, const char *name)
{
    struct pcdf_name nfc;
    PCDF_TRY(need_writable(ds));
    PCDF_TRY(pcdf_name_define(name, &nfc));
    return rename_dim(ds, dimid, nfc.text);
}

int pcdf_dim_id(struct pcdf_dataset *ds, const char *name, int *dimid)
{
    struct pcdf_name nfc;
    PCDF_TRY(pcdf_name_lookup(name, &nfc));
    int id = pcdf_meta_find_dim(&ds->meta, nfc.text);
    if (id < 0 && nfc.text != name) /* names in files are kept byte for byte, normalised or not */
        id = pcdf_meta_find_dim(&ds->meta, name);
    if (id < 0)
        return PCDF_FAIL(NC_EBADDIM, "no dimension has the name \"" SHOWN "\"", name);
    if (dimid)
        *dimid = id;
    return NC_NOERR;
}

/* ---- variables */

int pcdf_var_define(struct pcdf_dataset *ds, const char *name, nc_type type, int ndims, const int *dimids,
                    int *varid)
{
    struct pcdf_name nfc;
    PCDF_TRY(need_define_mode(ds, "defining a variable"));
    PCDF_TRY(pcdf_name_define(name, &nfc));
    PCDF_TRY(pcdf_rules_new_var(&ds->meta, nfc.text, type, ndims, dimids));
    if (ds->checks_only)
        return NC_NOERR;
    return pcdf_meta_add_var(&ds->meta, nfc.text, type, ndims, dimids, varid);
}

/* Its own name is in use as well: the public API's tests ask for that (unlike a dimension's). */
static int rename_var(struct pcdf_dataset *ds, int varid, const char *name)
{
    struct change change;
    int there = pcdf_meta_find_var(&ds->meta, name);
    if (there >= 0)
        return PCDF_FAIL(NC_ENAMEINUSE, "variable %d has the name \"" SHOWN "\" already", pcdf_told_id(there),
                         name);
    PCDF_TRY(need_room_for_name(ds, ds->meta.vars[varid].name, name));
    if (ds->checks_only)
        return NC_NOERR;
    PCDF_TRY(begin_change(ds, &change));
    return end_change(ds, &change, pcdf_meta_rename_var(&ds->meta, varid, name));
}

int pcdf_var_rename(struct pcdf_dataset *ds, int varid, const char *name)
{
    struct pcdf_name nfc;
    PCDF_TRY(need_writable(ds));
    if (varid == NC_GLOBAL)
        return PCDF_FAIL(NC_EGLOBAL, "NC_GLOBAL is no variable that could be renamed");
    PCDF_TRY(need_variable(ds, varid));
    PCDF_TRY(pcdf_name_define(name, &nfc));
    return rename_var(ds, varid, nfc.text);
}

int pcdf_var_id(struct pcdf_dataset *ds, const char *name, int *varid)
{
    struct pcdf_name nfc;
    PCDF_TRY(pcdf_name_lookup(name, &nfc));
    int id = pcdf_meta_find_var(&ds->meta, nfc.text);
    if (id < 0 && nfc.text != name)
        id = pcdf_meta_find_var(&ds->meta, name);
    if (id < 0)
        return PCDF_FAIL(NC_ENOTVAR, "no variable has the name \"" SHOWN "\"", name);
    if (varid)
        *varid = id;
    return NC_NOERR;
}

/* ---- attributes: put */

static int check_values(enum pcdf_version version, const struct pcdf_att *att, const void *buf)
{
    int64_t most = version < PCDF_CDF5 ? INT32_MAX : (INT64_MAX - 3) / pcdf_type_size(att->type);
    if (att->nelems > 0 && !buf)
        return PCDF_FAIL(NC_EINVAL, "attribute \"" SHOWN "\": %lld values, but the buffer is NULL", att->name,
                         (long long)att->nelems);
    if (att->nelems < 0 || att->nelems > most)
        return PCDF_FAIL(NC_EINVAL, "attribute \"" SHOWN "\": length %lld is not in 0..%lld (CDF-%d)",
                         att->name, (long long)att->nelems, (long long)most, version);
    return NC_NOERR;
}

/* The fill value of a variable is one value of its type, and fixed once its data may have been filled with
 * it. */
static int check_fill_value(const struct pcdf_dataset *ds, int varid, const struct pcdf_att *att)
{
    if (varid == NC_GLOBAL || att->name[0] != '_' || strcmp(att->name, FILL_VALUE) != 0)
        return NC_NOERR;
    const struct pcdf_var *var = &ds->meta.vars[varid];
    if (att->type != var->type)
        return PCDF_FAIL(NC_EBADTYPE, FILL_VALUE " is %s, but variable \"" SHOWN "\" is %s",
                         pcdf_type_name(att->type), var->name, pcdf_type_name(var->type));
    if (att->nelems != 1)
        return PCDF_FAIL(NC_EINVAL, FILL_VALUE " of variable \"" SHOWN "\" has %lld values, not one",
                         var->name, (long long)att->nelems);
    if (ds->old_meta && varid < ds->old_meta->nvars)
        return PCDF_FAIL(NC_ELATEFILL, FILL_VALUE ": variable \"" SHOWN "\" was in the file before redef",
                         var->name);
    return NC_NOERR;
}

/* there: the attribute that has the name already, -1: none. In data mode an attribute may take the place of
 * an old one that needs as much room. */
static int need_room_for_att(const struct pcdf_dataset *ds, const struct pcdf_atts *atts,
                             const struct pcdf_att *att, int there)
{
    if (ds->mode != PCDF_MODE_DEFINE) {
        if (there < 0)
            return PCDF_FAIL(NC_ENOTINDEFINE,
                             "attribute \"" SHOWN "\" is new: that needs define mode; call ncmpi_redef first",
                             att->name);
        int64_t was = pcdf_att_padded(atts->x[there].type, atts->x[there].nelems);
        int64_t is = pcdf_att_padded(att->type, att->nelems);
        if (is > was)
            return PCDF_FAIL(
                NC_ENOTINDEFINE,
                "attribute \"" SHOWN
                "\" grows from %lld to %lld bytes: that needs define mode; call ncmpi_redef first",
                att->name, (long long)was, (long long)is);
    }
    if (there < 0 && atts->n == INT_MAX)
        return PCDF_FAIL(NC_EMAXATTS, "attribute \"" SHOWN "\": there are %d already", att->name, atts->n);
    return NC_NOERR;
}

static int store(struct pcdf_dataset *ds, struct pcdf_atts *atts, const struct pcdf_att *att, int there)
{
    struct change change;
    int err;
    PCDF_TRY(begin_change(ds, &change));
    if (there < 0)
        err = pcdf_atts_append(&ds->meta, atts, att->name, att->type, att->nelems, att->values);
    else
        err = pcdf_atts_replace(&ds->meta, atts, there, att->type, att->nelems, att->values);
    return end_change(ds, &change, err);
}

/* Values that do not fit become the type's own fill value, and the attribute is stored all the same. */
static int convert_and_store(struct pcdf_dataset *ds, struct pcdf_atts *atts, struct pcdf_att *att, int there,
                             const struct pcdf_kernels *kernels, const void *buf)
{
    unsigned char few[256];
    bool outside = false;
    if (att->nelems > 0) {
        size_t nbytes = (size_t)att->nelems * (size_t)pcdf_type_size(att->type);
        att->values = nbytes > sizeof few ? pcdf_malloc(nbytes) : few;
        if (!att->values)
            return NC_ENOMEM;
        outside = kernels->put(att->values, buf, 1, (size_t)att->nelems, pcdf_type_fill(att->type));
    }
    int err = store(ds, atts, att, there);
    if (att->values != few)
        pcdf_free(att->values);
    if (!err && outside)
        return PCDF_FAIL(NC_ERANGE,
                         "attribute \"" SHOWN "\": a value does not fit in %s, the fill value is stored",
                         att->name, pcdf_type_name(att->type));
    return err;
}

int pcdf_att_put(struct pcdf_dataset *ds, int varid, const char *name, nc_type type, int64_t nelems,
                 const void *buf, enum pcdf_mtype mtype)
{
    struct pcdf_att att = { .type = type, .nelems = nelems };
    struct pcdf_atts *atts;
    struct pcdf_name nfc;
    PCDF_TRY(need_writable(ds));
    PCDF_TRY(need_atts(ds, varid, &atts));
    PCDF_TRY(pcdf_name_define(name, &nfc));
    att.name = (char *)nfc.text; /* of an attribute that is looked at only */
    PCDF_TRY(pcdf_rules_type(&ds->meta, type));
    if (mtype == PCDF_M_EXTERNAL)
        mtype = pcdf_mtype_of(type);
    const struct pcdf_kernels *kernels = pcdf_kernels_of(ds->meta.version, type, mtype);
    if (!kernels)
        return PCDF_FAIL(NC_ECHAR, "attribute \"" SHOWN "\": no conversion from %s to %s", att.name,
                         pcdf_mtype_name(mtype), pcdf_type_name(type));
    PCDF_TRY(check_values(ds->meta.version, &att, buf));
    PCDF_TRY(check_fill_value(ds, varid, &att));
    int there = pcdf_atts_find(atts, att.name);
    PCDF_TRY(need_room_for_att(ds, atts, &att, there));
    return ds->checks_only ? NC_NOERR : convert_and_store(ds, atts, &att, there, kernels, buf);
}

/* ---- attributes: the rest */

int pcdf_att_find(struct pcdf_dataset *ds, int varid, const char *name, const struct pcdf_att **att,
                  int *attid)
{
    struct pcdf_atts *atts;
    struct pcdf_name nfc;
    PCDF_TRY(need_atts(ds, varid, &atts));
    PCDF_TRY(pcdf_name_lookup(name, &nfc));
    int id = pcdf_atts_find(atts, nfc.text);
    if (id < 0 && nfc.text != name)
        id = pcdf_atts_find(atts, name);
    if (id < 0)
        return PCDF_FAIL(NC_ENOTATT, "variable %d has no attribute \"" SHOWN "\"", pcdf_told_id(varid), name);
    if (att)
        *att = &atts->x[id];
    if (attid)
        *attid = id;
    return NC_NOERR;
}

int pcdf_att_get(struct pcdf_dataset *ds, int varid, const char *name, void *buf, enum pcdf_mtype mtype)
{
    const struct pcdf_att *att;
    PCDF_TRY(pcdf_att_find(ds, varid, name, &att, NULL));
    if (att->nelems == 0)
        return NC_NOERR;
    if (mtype == PCDF_M_EXTERNAL)
        mtype = pcdf_mtype_of(att->type);
    const struct pcdf_kernels *kernels = pcdf_kernels_of(ds->meta.version, att->type, mtype);
    if (!kernels)
        return PCDF_FAIL(NC_ECHAR, "attribute \"" SHOWN "\": no conversion from %s to %s", att->name,
                         pcdf_type_name(att->type), pcdf_mtype_name(mtype));
    if (!buf)
        return PCDF_FAIL(NC_EINVAL, "attribute \"" SHOWN "\": %lld values, but the buffer is NULL", att->name,
                         (long long)att->nelems);
    if (kernels->get(buf, 1, att->values, (size_t)att->nelems))
        return PCDF_FAIL(NC_ERANGE, "attribute \"" SHOWN "\": a value of type %s does not fit in %s",
                         att->name, pcdf_type_name(att->type), pcdf_mtype_name(mtype));
    return NC_NOERR;
}

int pcdf_att_copy(struct pcdf_dataset *in, int varid_in, const char *name, struct pcdf_dataset *out,
                  int varid_out)
{
    struct pcdf_atts *from, *to;
    const struct pcdf_att *att;
    if (!in)
        return PCDF_FAIL(NC_EBADID, "the file to copy attribute \"" SHOWN "\" from is not open",
                         name ? name : "");
    PCDF_TRY(need_writable(out));
    PCDF_TRY(need_atts(in, varid_in, &from));
    PCDF_TRY(need_atts(out, varid_out, &to));
    PCDF_TRY(pcdf_att_find(in, varid_in, name, &att, NULL));
    if (from == to)
        return NC_NOERR;
    PCDF_TRY(pcdf_rules_type(&out->meta, att->type));
    if (out->meta.version < PCDF_CDF5 && att->nelems > INT32_MAX)
        return PCDF_FAIL(NC_EINVAL, "attribute \"" SHOWN "\": %lld values are too many for CDF-%d", att->name,
                         (long long)att->nelems, out->meta.version);
    int there = pcdf_atts_find(to, att->name);
    PCDF_TRY(need_room_for_att(out, to, att, there));
    return out->checks_only ? NC_NOERR : store(out, to, att, there);
}

static int rename_att(struct pcdf_dataset *ds, struct pcdf_atts *atts, const char *old, const char *name)
{
    struct change change;
    int attid = pcdf_atts_find(atts, old);
    if (attid < 0)
        return PCDF_FAIL(NC_ENOTATT, "there is no attribute \"" SHOWN "\"", old);
    if (pcdf_atts_find(atts, name) >= 0)
        return PCDF_FAIL(NC_ENAMEINUSE, "there is an attribute \"" SHOWN "\" already", name);
    PCDF_TRY(need_room_for_name(ds, atts->x[attid].name, name));
    if (ds->checks_only)
        return NC_NOERR;
    PCDF_TRY(begin_change(ds, &change));
    return end_change(ds, &change, pcdf_atts_rename(&ds->meta, atts, attid, name));
}

int pcdf_att_rename(struct pcdf_dataset *ds, int varid, const char *name, const char *newname)
{
    struct pcdf_atts *atts;
    struct pcdf_name old, nfc;
    PCDF_TRY(need_writable(ds));
    PCDF_TRY(need_atts(ds, varid, &atts));
    PCDF_TRY(pcdf_name_lookup(name, &old));
    PCDF_TRY(pcdf_name_define(newname, &nfc));
    return rename_att(ds, atts, old.text, nfc.text);
}

int pcdf_att_delete(struct pcdf_dataset *ds, int varid, const char *name)
{
    int attid;
    PCDF_TRY(need_writable(ds));
    PCDF_TRY(need_define_mode(ds, "deleting an attribute"));
    PCDF_TRY(pcdf_att_find(ds, varid, name, NULL, &attid));
    if (ds->checks_only)
        return NC_NOERR;
    pcdf_atts_delete(&ds->meta, pcdf_meta_atts(&ds->meta, varid), attid);
    pcdf_meta_tidy(&ds->meta);
    return NC_NOERR;
}

/* ---- the fill mode of a variable */

int pcdf_fill_define(struct pcdf_dataset *ds, int varid, int no_fill, const void *value)
{
    PCDF_TRY(need_define_mode(ds, "def_var_fill"));
    PCDF_TRY(pcdf_fill_check_variable(ds, varid));
    PCDF_TRY(pcdf_fill_list(&ds->fill, varid + 1));
    if (!no_fill && value)
        PCDF_TRY(pcdf_att_put(ds, varid, FILL_VALUE, ds->meta.vars[varid].type, 1, value, PCDF_M_EXTERNAL));
    if (!ds->checks_only)
        ds->fill.listed[varid] = !no_fill;
    return NC_NOERR;
}
