/* See metadata.h. A check_ function says whether a call may be made, and in which order that is asked
 * (reference 4.5); the call follows: agreement on it, then the change. What a change does to the definitions
 * is format/'s business, what it does to the header on the file headerupdate.c's. */
#include "metadata.h"
#include <limits.h>
#include <string.h>
#include "alloc.h"
#include "convert.h"
#include "fill.h"
#include "headerupdate.h"
#include "pnetcdf.h"
#include "rules.h"
#include "safety.h"
#include "text.h"

/* A name as a sentence shows it: not all of 256 bytes. */
#define SHOWN "%.80s"

/* ---- checks that are shared */

static int need_writable(const struct pcdf_dataset *ds)
{
    return ds->readonly ? PCDF_FAIL(NC_EPERM, "the file is open for reading only") : NC_NOERR;
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

/* ---- dimensions */

static int check_new_dim(const struct pcdf_dataset *ds, const char *name, int64_t length,
                         struct pcdf_name *nfc)
{
    PCDF_TRY(need_define_mode(ds, "defining a dimension"));
    PCDF_TRY(pcdf_name_define(name, nfc));
    return pcdf_rules_new_dim(&ds->meta, nfc->text, length);
}

int pcdf_dim_define_all(struct pcdf_dataset *ds, const char *name, int64_t length, int *dimid)
{
    struct pcdf_name nfc;
    const struct pcdf_fact facts[] = {
        { "the name", NC_EMULTIDEFINE_DIM_NAME, name, PCDF_FACT_TEXT },
        { "the length", NC_EMULTIDEFINE_DIM_SIZE, &length, sizeof length },
    };
    PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_DEF_DIM, check_new_dim(ds, name, length, &nfc), facts, 2));
    return pcdf_meta_add_dim(&ds->meta, nfc.text, length, dimid);
}

/* Its own name is no name in use. */
static int check_dim_name(const struct pcdf_dataset *ds, int dimid, const char *name, struct pcdf_name *nfc)
{
    PCDF_TRY(need_writable(ds));
    PCDF_TRY(pcdf_name_define(name, nfc));
    if (dimid < 0 || dimid >= ds->meta.ndims)
        return PCDF_FAIL(NC_EBADDIM, "dimension %d: the file has %d dimensions", pcdf_told_id(dimid),
                         ds->meta.ndims);
    int there = pcdf_meta_find_dim(&ds->meta, nfc->text);
    if (there >= 0 && there != dimid)
        return PCDF_FAIL(NC_ENAMEINUSE, "dimension %d has the name \"" SHOWN "\" already",
                         pcdf_told_id(there), nfc->text);
    return need_room_for_name(ds, ds->meta.dims[dimid].name, nfc->text);
}

int pcdf_dim_rename_all(struct pcdf_dataset *ds, int dimid, const char *name)
{
    struct pcdf_name nfc;
    struct pcdf_header_update update;
    const struct pcdf_fact facts[] = {
        { "the new name", NC_EMULTIDEFINE_DIM_NAME, name, PCDF_FACT_TEXT },
        { "the id", NC_EMULTIDEFINE_FNC_ARGS, &dimid, sizeof dimid },
    };
    PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_RENAME_DIM, check_dim_name(ds, dimid, name, &nfc), facts, 2));
    if (strcmp(ds->meta.dims[dimid].name, nfc.text) == 0)
        return NC_NOERR;
    PCDF_TRY(pcdf_header_update_begin(ds, &update));
    return pcdf_header_update_end(ds, &update, pcdf_meta_rename_dim(&ds->meta, dimid, nfc.text));
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

static int check_new_var(const struct pcdf_dataset *ds, const char *name, nc_type type, int ndims,
                         const int *dimids, struct pcdf_name *nfc)
{
    PCDF_TRY(need_define_mode(ds, "defining a variable"));
    PCDF_TRY(pcdf_name_define(name, nfc));
    return pcdf_rules_new_var(&ds->meta, nfc->text, type, ndims, dimids);
}

int pcdf_var_define_all(struct pcdf_dataset *ds, const char *name, nc_type type, int ndims, const int *dimids,
                        int *varid)
{
    struct pcdf_name nfc;
    int status = check_new_var(ds, name, type, ndims, dimids, &nfc);
    if (ds->safe_mode) { /* the same on all ranks */
        const struct pcdf_fact facts[] = {
            { "the name", NC_EMULTIDEFINE_VAR_NAME, name, PCDF_FACT_TEXT },
            { "the type", NC_EMULTIDEFINE_VAR_TYPE, &type, sizeof type },
            { "the number of dimensions", NC_EMULTIDEFINE_VAR_NDIMS, &ndims, sizeof ndims },
            { "a dimension", NC_EMULTIDEFINE_VAR_DIMIDS, dimids, (size_t)ndims * sizeof *dimids },
        };
        status = pcdf_agree_all(ds, PCDF_KIND_DEF_VAR, status, facts, 4);
    }
    PCDF_TRY(status);
    return pcdf_meta_add_var(&ds->meta, nfc.text, type, ndims, dimids, varid);
}

/* Its own name is in use as well: the public API's tests ask for that (unlike a dimension's). */
static int check_var_name(const struct pcdf_dataset *ds, int varid, const char *name, struct pcdf_name *nfc)
{
    PCDF_TRY(need_writable(ds));
    if (varid == NC_GLOBAL)
        return PCDF_FAIL(NC_EGLOBAL, "NC_GLOBAL is no variable that could be renamed");
    PCDF_TRY(need_variable(ds, varid));
    PCDF_TRY(pcdf_name_define(name, nfc));
    int there = pcdf_meta_find_var(&ds->meta, nfc->text);
    if (there >= 0)
        return PCDF_FAIL(NC_ENAMEINUSE, "variable %d has the name \"" SHOWN "\" already", pcdf_told_id(there),
                         nfc->text);
    return need_room_for_name(ds, ds->meta.vars[varid].name, nfc->text);
}

int pcdf_var_rename_all(struct pcdf_dataset *ds, int varid, const char *name)
{
    struct pcdf_name nfc;
    struct pcdf_header_update update;
    const struct pcdf_fact facts[] = {
        { "the new name", NC_EMULTIDEFINE_VAR_NAME, name, PCDF_FACT_TEXT },
        { "the id", NC_EMULTIDEFINE_FNC_ARGS, &varid, sizeof varid },
    };
    PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_RENAME_VAR, check_var_name(ds, varid, name, &nfc), facts, 2));
    PCDF_TRY(pcdf_header_update_begin(ds, &update));
    return pcdf_header_update_end(ds, &update, pcdf_meta_rename_var(&ds->meta, varid, nfc.text));
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
    if (varid == NC_GLOBAL || att->name[0] != '_' || strcmp(att->name, NC_FillValue) != 0)
        return NC_NOERR;
    const struct pcdf_var *var = &ds->meta.vars[varid];
    if (att->type != var->type)
        return PCDF_FAIL(NC_EBADTYPE, NC_FillValue " is %s, but variable \"" SHOWN "\" is %s",
                         pcdf_type_name(att->type), var->name, pcdf_type_name(var->type));
    if (att->nelems != 1)
        return PCDF_FAIL(NC_EINVAL, NC_FillValue " of variable \"" SHOWN "\" has %lld values, not one",
                         var->name, (long long)att->nelems);
    if (ds->old_meta && varid < ds->old_meta->nvars)
        return PCDF_FAIL(NC_ELATEFILL, NC_FillValue ": variable \"" SHOWN "\" was in the file before redef",
                         var->name);
    return NC_NOERR;
}

struct putting { /* an attribute that is to be put */
    struct pcdf_atts *atts;
    int there; /* which of them has the name already, -1: none */
    struct pcdf_att att;
    struct pcdf_name nfc; /* its name */
    const struct pcdf_kernels *kernels;
};

/* In data mode an attribute may take the place of an old one that needs as much room. */
static int need_room_for_att(const struct pcdf_dataset *ds, const struct putting *p)
{
    const char *name = p->att.name;
    if (ds->mode != PCDF_MODE_DEFINE) {
        if (p->there < 0)
            return PCDF_FAIL(NC_ENOTINDEFINE,
                             "attribute \"" SHOWN "\" is new: that needs define mode; call ncmpi_redef first",
                             name);
        int64_t was = pcdf_att_padded(p->atts->x[p->there].type, p->atts->x[p->there].nelems);
        int64_t is = pcdf_att_padded(p->att.type, p->att.nelems);
        if (is > was)
            return PCDF_FAIL(
                NC_ENOTINDEFINE,
                "attribute \"" SHOWN
                "\" grows from %lld to %lld bytes: that needs define mode; call ncmpi_redef first",
                name, (long long)was, (long long)is);
    }
    if (p->there < 0 && p->atts->n == INT_MAX)
        return PCDF_FAIL(NC_EMAXATTS, "attribute \"" SHOWN "\": there are %d already", name, p->atts->n);
    return NC_NOERR;
}

static int check_att(struct pcdf_dataset *ds, int varid, const char *name,
                     const struct pcdf_att_values *values, struct putting *p)
{
    p->att = (struct pcdf_att){ .type = values->type, .nelems = values->n };
    PCDF_TRY(need_writable(ds));
    PCDF_TRY(need_atts(ds, varid, &p->atts));
    PCDF_TRY(pcdf_name_define(name, &p->nfc));
    p->att.name = (char *)p->nfc.text; /* of an attribute that is looked at only */
    PCDF_TRY(pcdf_rules_type(&ds->meta, values->type));
    enum pcdf_mtype mtype = values->mtype == PCDF_M_EXTERNAL ? pcdf_mtype_of(values->type) : values->mtype;
    p->kernels = pcdf_kernels_of(ds->meta.version, values->type, mtype);
    if (!p->kernels)
        return PCDF_FAIL(NC_ECHAR, "attribute \"" SHOWN "\": no conversion from %s to %s", p->att.name,
                         pcdf_mtype_name(mtype), pcdf_type_name(values->type));
    PCDF_TRY(check_values(ds->meta.version, &p->att, values->buf));
    PCDF_TRY(check_fill_value(ds, varid, &p->att));
    p->there = pcdf_atts_find(p->atts, p->att.name);
    return need_room_for_att(ds, p);
}

static int store(struct pcdf_dataset *ds, const struct putting *p)
{
    struct pcdf_header_update update;
    const struct pcdf_att *a = &p->att;
    PCDF_TRY(pcdf_header_update_begin(ds, &update));
    int err = p->there < 0 ? pcdf_atts_append(&ds->meta, p->atts, a->name, a->type, a->nelems, a->values)
                           : pcdf_atts_replace(&ds->meta, p->atts, p->there, a->type, a->nelems, a->values);
    return pcdf_header_update_end(ds, &update, err);
}

/* Values that do not fit become the type's own fill value, and the attribute is stored all the same. */
static int convert_and_store(struct pcdf_dataset *ds, struct putting *p, const void *buf)
{
    unsigned char few[256];
    struct pcdf_att *att = &p->att;
    bool outside = false;
    if (att->nelems > 0) {
        size_t nbytes = (size_t)att->nelems * (size_t)pcdf_type_size(att->type);
        att->values = nbytes > sizeof few ? pcdf_malloc(nbytes) : few;
        if (!att->values)
            return NC_ENOMEM;
        outside = p->kernels->put(att->values, buf, 1, (size_t)att->nelems, pcdf_type_fill(att->type));
    }
    int err = store(ds, p);
    if (att->values != few)
        pcdf_free(att->values);
    if (!err && outside)
        return PCDF_FAIL(NC_ERANGE,
                         "attribute \"" SHOWN "\": a value does not fit in %s, the fill value is stored",
                         att->name, pcdf_type_name(att->type));
    return err;
}

int pcdf_att_put_all(struct pcdf_dataset *ds, int varid, const char *name,
                     const struct pcdf_att_values *values)
{
    struct putting p;
    int status = check_att(ds, varid, name, values, &p);
    if (ds->safe_mode) { /* the same on all ranks */
        bool is_external = !status && values->mtype == PCDF_M_EXTERNAL;
        enum pcdf_mtype memory = is_external ? pcdf_mtype_of(values->type) : values->mtype;
        size_t n = status ? 0 : (size_t)values->n * pcdf_mtype_size(memory);
        const struct pcdf_fact facts[] = {
            { "the name", NC_EMULTIDEFINE_ATTR_NAME, name, PCDF_FACT_TEXT },
            { "the id of the variable", NC_EMULTIDEFINE_FNC_ARGS, &varid, sizeof varid },
            { "the type", NC_EMULTIDEFINE_ATTR_TYPE, &values->type, sizeof values->type },
            { "the length", NC_EMULTIDEFINE_ATTR_LEN, &values->n, sizeof values->n },
            { "the type in memory", NC_EMULTIDEFINE_FNC_ARGS, &memory, sizeof memory },
            { "a value", NC_EMULTIDEFINE_ATTR_VAL, values->buf, n },
        };
        status = pcdf_agree_all(ds, PCDF_KIND_PUT_ATT, status, facts, 6);
    }
    PCDF_TRY(status);
    return convert_and_store(ds, &p, values->buf);
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

/* p: the attribute as it is in `in`. */
static int check_copy(struct pcdf_dataset *in, int varid_in, const char *name, struct pcdf_dataset *out,
                      int varid_out, struct putting *p)
{
    struct pcdf_atts *from;
    const struct pcdf_att *att;
    if (!in)
        return PCDF_FAIL(NC_EBADID, "the file to copy attribute \"" SHOWN "\" from is not open",
                         name ? name : "");
    PCDF_TRY(need_writable(out));
    PCDF_TRY(need_atts(in, varid_in, &from));
    PCDF_TRY(need_atts(out, varid_out, &p->atts));
    PCDF_TRY(pcdf_att_find(in, varid_in, name, &att, NULL));
    p->att = *att;
    p->there = pcdf_atts_find(p->atts, att->name);
    if (from == p->atts)
        return NC_NOERR;
    PCDF_TRY(pcdf_rules_type(&out->meta, att->type));
    if (out->meta.version < PCDF_CDF5 && att->nelems > INT32_MAX)
        return PCDF_FAIL(NC_EINVAL, "attribute \"" SHOWN "\": %lld values are too many for CDF-%d", att->name,
                         (long long)att->nelems, out->meta.version);
    return need_room_for_att(out, p);
}

int pcdf_att_copy_all(struct pcdf_dataset *in, int varid_in, const char *name, struct pcdf_dataset *out,
                      int varid_out)
{
    struct putting p = { .there = -1 };
    int status = check_copy(in, varid_in, name, out, varid_out, &p);
    const struct pcdf_att *att = &p.att;
    size_t n = att->nelems > 0 ? (size_t)att->nelems * (size_t)pcdf_type_size(att->type) : 0;
    const struct pcdf_fact facts[] = {
        { "the name", NC_EMULTIDEFINE_ATTR_NAME, name, PCDF_FACT_TEXT },
        { "the id of the variable copied from", NC_EMULTIDEFINE_FNC_ARGS, &varid_in, sizeof varid_in },
        { "the id of the variable copied to", NC_EMULTIDEFINE_FNC_ARGS, &varid_out, sizeof varid_out },
        { "the type", NC_EMULTIDEFINE_ATTR_TYPE, &att->type, sizeof att->type },
        { "the length", NC_EMULTIDEFINE_ATTR_LEN, &att->nelems, sizeof att->nelems },
        { "a value", NC_EMULTIDEFINE_ATTR_VAL, att->values, n },
    };
    PCDF_TRY(pcdf_agree_all(out, PCDF_KIND_COPY_ATT, status, facts, 6));
    return pcdf_meta_atts(&in->meta, varid_in) == p.atts ? NC_NOERR : store(out, &p);
}

static int check_att_name(struct pcdf_dataset *ds, int varid, const char *name, const char *newname,
                          struct putting *p)
{
    struct pcdf_name old;
    PCDF_TRY(need_writable(ds));
    PCDF_TRY(need_atts(ds, varid, &p->atts));
    PCDF_TRY(pcdf_name_lookup(name, &old));
    PCDF_TRY(pcdf_name_define(newname, &p->nfc));
    p->there = pcdf_atts_find(p->atts, old.text);
    if (p->there < 0)
        return PCDF_FAIL(NC_ENOTATT, "there is no attribute \"" SHOWN "\"", old.text);
    if (pcdf_atts_find(p->atts, p->nfc.text) >= 0)
        return PCDF_FAIL(NC_ENAMEINUSE, "there is an attribute \"" SHOWN "\" already", p->nfc.text);
    return need_room_for_name(ds, p->atts->x[p->there].name, p->nfc.text);
}

int pcdf_att_rename_all(struct pcdf_dataset *ds, int varid, const char *name, const char *newname)
{
    struct putting p;
    struct pcdf_header_update update;
    const struct pcdf_fact facts[] = {
        { "the name", NC_EMULTIDEFINE_ATTR_NAME, name, PCDF_FACT_TEXT },
        { "the new name", NC_EMULTIDEFINE_ATTR_NAME, newname, PCDF_FACT_TEXT },
        { "the id of the variable", NC_EMULTIDEFINE_FNC_ARGS, &varid, sizeof varid },
    };
    int status = check_att_name(ds, varid, name, newname, &p);
    PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_RENAME_ATT, status, facts, 3));
    PCDF_TRY(pcdf_header_update_begin(ds, &update));
    return pcdf_header_update_end(ds, &update, pcdf_atts_rename(&ds->meta, p.atts, p.there, p.nfc.text));
}

static int check_att_delete(struct pcdf_dataset *ds, int varid, const char *name, int *attid)
{
    PCDF_TRY(need_writable(ds));
    PCDF_TRY(need_define_mode(ds, "deleting an attribute"));
    return pcdf_att_find(ds, varid, name, NULL, attid);
}

int pcdf_att_delete_all(struct pcdf_dataset *ds, int varid, const char *name)
{
    int attid;
    const struct pcdf_fact facts[] = {
        { "the name", NC_EMULTIDEFINE_ATTR_NAME, name, PCDF_FACT_TEXT },
        { "the id of the variable", NC_EMULTIDEFINE_FNC_ARGS, &varid, sizeof varid },
    };
    PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_DEL_ATT, check_att_delete(ds, varid, name, &attid), facts, 2));
    pcdf_atts_delete(&ds->meta, pcdf_meta_atts(&ds->meta, varid), attid);
    pcdf_meta_tidy(&ds->meta);
    return NC_NOERR;
}

/* ---- fill modes */

static int check_fill_mode(const struct pcdf_dataset *ds, int mode)
{
    if (ds->readonly)
        return PCDF_FAIL(NC_EPERM, "set_fill: the file was opened for reading");
    PCDF_TRY(need_define_mode(ds, "set_fill"));
    if (mode != NC_FILL && mode != NC_NOFILL)
        return PCDF_FAIL(NC_EINVAL, "fill mode 0x%x is neither NC_FILL nor NC_NOFILL", (unsigned)mode);
    return NC_NOERR;
}

int pcdf_fill_set_all(struct pcdf_dataset *ds, int mode, int *old)
{
    const struct pcdf_fact fact = { "the mode", NC_EMULTIDEFINE_FILL_MODE, &mode, sizeof mode };
    PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_SET_FILL, check_fill_mode(ds, mode), &fact, 1));
    if (old)
        *old = ds->fill.is_on ? NC_FILL : NC_NOFILL;
    pcdf_fill_free(&ds->fill); /* what was said of single variables no longer holds */
    ds->fill.is_on = mode == NC_FILL;
    return NC_NOERR;
}

static int check_var_fill(struct pcdf_dataset *ds, int varid, const void *value,
                          struct pcdf_att_values *values, struct putting *p)
{
    PCDF_TRY(need_define_mode(ds, "def_var_fill"));
    PCDF_TRY(pcdf_fill_check_variable(ds, varid));
    PCDF_TRY(pcdf_fill_list(&ds->fill, varid + 1));
    *values = (struct pcdf_att_values){ ds->meta.vars[varid].type, PCDF_M_EXTERNAL, 1, value };
    return value ? check_att(ds, varid, NC_FillValue, values, p) : NC_NOERR;
}

int pcdf_fill_define_all(struct pcdf_dataset *ds, int varid, int no_fill, const void *value)
{
    struct putting p;
    struct pcdf_att_values values;
    bool is_filled = !no_fill;
    if (no_fill)
        value = NULL;
    int status = check_var_fill(ds, varid, value, &values, &p);
    size_t n = !status && value ? pcdf_mtype_size(pcdf_mtype_of(values.type)) : 0;
    const struct pcdf_fact facts[] = {
        { "the id of the variable", NC_EMULTIDEFINE_FNC_ARGS, &varid, sizeof varid },
        { "the mode", NC_EMULTIDEFINE_FNC_ARGS, &is_filled, sizeof is_filled },
        { "the fill value", NC_EMULTIDEFINE_VAR_FILL_VALUE, value, n },
    };
    PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_DEF_VAR_FILL, status, facts, 3));
    if (value)
        PCDF_TRY(convert_and_store(ds, &p, value));
    ds->fill.listed[varid] = is_filled;
    return NC_NOERR;
}
