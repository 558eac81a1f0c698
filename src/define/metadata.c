/* See metadata.h. A check_ function says whether a call may be made, and in which order that is asked
 * (reference 4.5); the call follows: agreement on it, then the change. What a change does to the definitions
 * is format/'s business, what it does to the header on the file headerupdate.c's. */
#include "metadata.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "alloc.h"
#include "convert.h"
#include "filewriter.h"
#include "fill.h"
#include "headerupdate.h"
#include "likeness.h"
#include "pnetcdf.h"
#include "quantize.h"
#include "request.h"
#include "rules.h"
#include "safety.h"
#include "text.h"

/* A name as a sentence shows it: not all of 256 bytes. */
#define SHOWN "%.80s"

static const char *const words[] = { "dimension", "variable", "attribute" }; /* enum pcdf_named */

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

/* In a format that this file may have. */
static int need_type(const struct pcdf_dataset *ds, nc_type type)
{
    PCDF_TRY(pcdf_rules_type(&ds->meta, type));
    return ds->writer ? ds->writer->check_type(ds, type) : NC_NOERR;
}

static int need_free_att(const struct pcdf_dataset *ds, int varid, const char *name)
{
    return ds->writer ? ds->writer->check_att(ds, varid, name) : NC_NOERR;
}

/* The attributes of a variable or of the file. */
static int need_atts(struct pcdf_dataset *ds, int varid, struct pcdf_atts **atts)
{
    if (varid != NC_GLOBAL)
        PCDF_TRY(pcdf_var_check(ds, varid));
    *atts = pcdf_meta_atts(&ds->meta, varid);
    return NC_NOERR;
}

/* ---- names */

static int find(const struct pcdf_meta *meta, enum pcdf_named what, const struct pcdf_atts *atts,
                const char *name)
{
    return what == PCDF_DIMENSION  ? pcdf_meta_find_dim(meta, name)
           : what == PCDF_VARIABLE ? pcdf_meta_find_var(meta, name)
                                   : pcdf_atts_find(atts, name);
}

/* *id: -1: nothing has the name. Names in files are kept byte for byte, normalised or not. */
static inline __attribute__((always_inline)) int look_up(const struct pcdf_meta *meta, enum pcdf_named what,
                                                         const struct pcdf_atts *atts, const char *name,
                                                         int *id)
{
    struct pcdf_name nfc;
    PCDF_TRY(pcdf_name_lookup(name, &nfc));
    *id = find(meta, what, atts, nfc.text);
    if (*id < 0 && nfc.text != name)
        *id = find(meta, what, atts, name);
    return NC_NOERR;
}

/* Programs ask for names to find out whether they are there: among many, the nearest is not looked for. */
static int no_name(const struct pcdf_meta *meta, enum pcdf_named what, const char *name)
{
    enum { MOST = 256 };
    bool is_dim = what == PCDF_DIMENSION;
    struct pcdf_likeness like = pcdf_like(name);
    char hint[PCDF_LIKE_HINT];
    int n = is_dim ? meta->ndims : meta->nvars;
    for (int i = 0; i < n && n <= MOST; i++)
        (void)pcdf_like_offer(&like, is_dim ? meta->dims[i].name : meta->vars[i].name);
    return PCDF_FAIL(is_dim ? NC_EBADDIM : NC_ENOTVAR, "no %s has the name \"" SHOWN "\"%s", words[what],
                     name, pcdf_like_hint(&like, hint));
}

int pcdf_id_of_name(const struct pcdf_dataset *ds, enum pcdf_named what, const char *name, int *id)
{
    int found;
    PCDF_TRY(look_up(&ds->meta, what, NULL, name, &found));
    if (found < 0)
        return no_name(&ds->meta, what, name);
    if (id)
        *id = found;
    return NC_NOERR;
}

struct renaming {
    int id;                 /* what gets the name; an attribute: in `atts` */
    struct pcdf_atts *atts; /* NULL of a dimension or variable */
    struct pcdf_name nfc;   /* the new name */
    bool is_same;           /* it has it already */
};

/* The own name of a dimension is no name in use; that of a variable or an attribute is: the public API's
 * tests ask for that. In data mode nothing may move, so a name may only shrink. */
static int check_rename(struct pcdf_dataset *ds, enum pcdf_named what, int id, const char *name,
                        const char *newname, struct renaming *r)
{
    const char *was, *is;
    *r = (struct renaming){ .id = id };
    PCDF_TRY(need_writable(ds));
    if (what == PCDF_DIMENSION) {
        PCDF_TRY(pcdf_name_define(newname, &r->nfc));
        if (id < 0 || id >= ds->meta.ndims)
            return PCDF_FAIL(NC_EBADDIM, "dimension %d: the file has %d dimensions", pcdf_told_id(id),
                             ds->meta.ndims);
        was = ds->meta.dims[id].name;
    } else if (what == PCDF_VARIABLE) {
        PCDF_TRY(pcdf_var_check(ds, id));
        PCDF_TRY(pcdf_name_define(newname, &r->nfc));
        was = ds->meta.vars[id].name;
    } else {
        PCDF_TRY(need_atts(ds, id, &r->atts));
        PCDF_TRY(look_up(&ds->meta, what, r->atts, name, &r->id));
        PCDF_TRY(pcdf_name_define(newname, &r->nfc));
        PCDF_TRY(need_free_att(ds, id, r->nfc.text));
        if (r->id < 0)
            return PCDF_FAIL(NC_ENOTATT, "there is no attribute \"" SHOWN "\"", name);
        was = r->atts->x[r->id].name;
    }

    is = r->nfc.text;
    r->is_same = strcmp(was, is) == 0;
    int there = find(&ds->meta, what, r->atts, is);
    if (there >= 0 && (what != PCDF_DIMENSION || there != id))
        return PCDF_FAIL(NC_ENAMEINUSE, "%s %d has the name \"" SHOWN "\" already", words[what],
                         pcdf_told_id(there), is);
    if (ds->mode != PCDF_MODE_DEFINE && strlen(is) > strlen(was))
        return PCDF_FAIL(NC_ENOTINDEFINE,
                         "\"" SHOWN "\" has %zu bytes, \"" SHOWN
                         "\" has %zu: a longer name needs define mode; call ncmpi_redef first",
                         is, strlen(is), was, strlen(was));
    return NC_NOERR;
}

int pcdf_rename_all(struct pcdf_dataset *ds, enum pcdf_named what, int id, const char *name,
                    const char *newname)
{
    static const enum pcdf_kind kinds[] = { PCDF_KIND_RENAME_DIM, PCDF_KIND_RENAME_VAR,
                                            PCDF_KIND_RENAME_ATT };
    static const int codes[] = { NC_EMULTIDEFINE_DIM_NAME, NC_EMULTIDEFINE_VAR_NAME,
                                 NC_EMULTIDEFINE_ATTR_NAME };
    struct renaming r;
    struct pcdf_header_update update;
    const struct pcdf_fact facts[] = {
        { "the name", codes[what], name, name ? PCDF_FACT_TEXT : 0 },
        { "the new name", codes[what], newname, PCDF_FACT_TEXT },
        { "the id", NC_EMULTIDEFINE_FNC_ARGS, &id, sizeof id },
    };
    PCDF_TRY(pcdf_agree_all(ds, kinds[what], check_rename(ds, what, id, name, newname, &r), facts, 3));
    if (r.is_same)
        return NC_NOERR;
    PCDF_TRY(pcdf_header_update_begin(ds, &update));
    int err = pcdf_meta_rename(&ds->meta, what, r.atts, r.id, r.nfc.text);
    return pcdf_header_update_end(ds, &update, err);
}

/* ---- dimensions and variables */

int pcdf_dim_define_all(struct pcdf_dataset *ds, const char *name, int64_t length, int *dimid)
{
    struct pcdf_name nfc;
    const struct pcdf_fact facts[] = {
        { "the name", NC_EMULTIDEFINE_DIM_NAME, name, PCDF_FACT_TEXT },
        { "the length", NC_EMULTIDEFINE_DIM_SIZE, &length, sizeof length },
    };
    int status = need_define_mode(ds, "defining a dimension");
    if (!status)
        status = pcdf_name_define(name, &nfc);
    if (!status)
        status = pcdf_rules_new_dim(&ds->meta, nfc.text, length);
    PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_DEF_DIM, status, facts, 2));
    return pcdf_meta_add_dim(&ds->meta, nfc.text, length, dimid);
}

int pcdf_var_define_all(struct pcdf_dataset *ds, const char *name, nc_type type, int ndims, const int *dimids,
                        int *varid)
{
    struct pcdf_name nfc;
    int status = need_define_mode(ds, "defining a variable");
    if (!status)
        status = pcdf_name_define(name, &nfc);
    if (!status)
        status = pcdf_rules_new_var(&ds->meta, nfc.text, type, ndims, dimids);
    if (!status && ds->writer)
        status = ds->writer->check_type(ds, type);
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

/* ---- attributes: put */

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
    int there; /* index of the name in atts; -1: none */
    struct pcdf_att att;
    struct pcdf_name nfc; /* its name */
    const struct pcdf_converter *converter;
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
    p->att.name = (char *)p->nfc.text; /* the attribute is looked at only */
    PCDF_TRY(need_free_att(ds, varid, p->att.name));
    PCDF_TRY(need_type(ds, values->type));
    enum pcdf_mtype mtype = values->mtype == PCDF_M_EXTERNAL ? pcdf_mtype_of(values->type) : values->mtype;
    p->converter = pcdf_converter_of(ds->meta.ranges, values->type, mtype);
    if (!p->converter)
        return PCDF_FAIL(NC_ECHAR, "attribute \"" SHOWN "\": no conversion from %s to %s", p->att.name,
                         pcdf_mtype_name(mtype), pcdf_type_name(values->type));
    if (values->n > 0 && !values->buf)
        return PCDF_FAIL(NC_EINVAL, "attribute \"" SHOWN "\": %lld values, but the buffer is NULL",
                         p->att.name, (long long)values->n);
    enum pcdf_version version = ds->meta.version;
    int64_t most = version < PCDF_CDF5 ? INT32_MAX : (INT64_MAX - 3) / pcdf_type_size(values->type);
    if (values->n < 0 || values->n > most)
        return PCDF_FAIL(NC_EINVAL, "attribute \"" SHOWN "\": length %lld is not in 0..%lld (CDF-%d)",
                         p->att.name, (long long)values->n, (long long)most, version);
    PCDF_TRY(check_fill_value(ds, varid, &p->att));
    p->there = pcdf_atts_find(p->atts, p->att.name);
    return need_room_for_att(ds, p);
}

/* memory: the caller's values, file: the attribute's in a get. They lie as those of a dense request. */
static int fail_range(const struct pcdf_att *att, const struct pcdf_converter *converter, enum pcdf_dir dir,
                      void *memory, const unsigned char *file)
{
    struct pcdf_request all = { .base = memory, .converter = converter, .dir = dir };
    struct pcdf_misfits misfits = { 0 };
    char owner[100], place[40];
    pcdf_misfits_count(&misfits, 0, &all, 0, att->nelems, file);
    snprintf(owner, sizeof owner, "attribute \"" SHOWN "\"", att->name);
    snprintf(place, sizeof place, " at element %lld", pcdf_told_index(misfits.element));
    return pcdf_misfits_fail(&misfits, owner,
                             dir == PCDF_PUT ? pcdf_type_name(att->type) : pcdf_mtype_name(converter->mtype),
                             place);
}

/* buf: its values, or NULL where p->att has them already, as in the file. Values that do not fit become the
 * type's own fill value, and the attribute is stored all the same. */
static int store(struct pcdf_dataset *ds, struct putting *p, const void *buf)
{
    unsigned char few[256];
    struct pcdf_header_update update;
    struct pcdf_att *att = &p->att;
    void *converted = NULL;
    bool outside = false;
    if (buf && att->nelems > 0) {
        size_t nbytes = (size_t)att->nelems * (size_t)pcdf_type_size(att->type);
        converted = att->values = nbytes > sizeof few ? pcdf_malloc(nbytes) : few;
        if (!converted)
            return NC_ENOMEM;
        outside = p->converter->put(converted, buf, 1, (size_t)att->nelems, pcdf_type_fill(att->type));
    }
    int err = pcdf_header_update_begin(ds, &update);
    if (!err) {
        err = p->there < 0
                  ? pcdf_atts_append(&ds->meta, p->atts, att->name, att->type, att->nelems, att->values)
                  : pcdf_atts_replace(&ds->meta, p->atts, p->there, att->type, att->nelems, att->values);
        err = pcdf_header_update_end(ds, &update, err);
    }
    if (converted != few)
        pcdf_free(converted);
    if (!err && outside)
        return fail_range(att, p->converter, PCDF_PUT, (void *)(uintptr_t)buf, NULL);
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
    return store(ds, &p, values->buf);
}

/* ---- attributes: the rest */

int pcdf_att_find(struct pcdf_dataset *ds, int varid, const char *name, const struct pcdf_att **att,
                  int *attid)
{
    struct pcdf_atts *atts;
    int id;
    PCDF_TRY(need_atts(ds, varid, &atts));
    PCDF_TRY(look_up(&ds->meta, PCDF_ATTRIBUTE, atts, name, &id));
    if (id < 0)
        return varid == NC_GLOBAL
                   ? PCDF_FAIL(NC_ENOTATT, "the file has no global attribute \"" SHOWN "\"", name)
                   : PCDF_FAIL(NC_ENOTATT, "variable %s has no attribute \"" SHOWN "\"",
                               ds->meta.vars[varid].name, name);
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
    const struct pcdf_converter *converter = pcdf_converter_of(ds->meta.ranges, att->type, mtype);
    if (!converter)
        return PCDF_FAIL(NC_ECHAR, "attribute \"" SHOWN "\": no conversion from %s to %s", att->name,
                         pcdf_type_name(att->type), pcdf_mtype_name(mtype));
    if (!buf)
        return PCDF_FAIL(NC_EINVAL, "attribute \"" SHOWN "\": %lld values, but the buffer is NULL", att->name,
                         (long long)att->nelems);
    if (converter->get(buf, 1, att->values, (size_t)att->nelems))
        return fail_range(att, converter, PCDF_GET, buf, att->values);
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
    PCDF_TRY(need_free_att(out, varid_out, att->name));
    PCDF_TRY(need_type(out, att->type));
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
    return pcdf_meta_atts(&in->meta, varid_in) == p.atts ? NC_NOERR : store(out, &p, NULL);
}

int pcdf_att_delete_all(struct pcdf_dataset *ds, int varid, const char *name)
{
    int attid;
    const struct pcdf_fact facts[] = {
        { "the name", NC_EMULTIDEFINE_ATTR_NAME, name, PCDF_FACT_TEXT },
        { "the id of the variable", NC_EMULTIDEFINE_FNC_ARGS, &varid, sizeof varid },
    };
    int status = need_writable(ds);
    if (!status)
        status = need_define_mode(ds, "deleting an attribute");
    if (!status)
        status = pcdf_att_find(ds, varid, name, NULL, &attid);
    PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_DEL_ATT, status, facts, 2));
    pcdf_atts_delete(&ds->meta, pcdf_meta_atts(&ds->meta, varid), attid);
    pcdf_meta_tidy(&ds->meta);
    return NC_NOERR;
}

/* ---- fill modes */

int pcdf_fill_set_all(struct pcdf_dataset *ds, int mode, int *old)
{
    const struct pcdf_fact fact = { "the mode", NC_EMULTIDEFINE_FILL_MODE, &mode, sizeof mode };
    int status = need_writable(ds);
    if (!status)
        status = need_define_mode(ds, "set_fill");
    if (!status && mode != NC_FILL && mode != NC_NOFILL)
        status = PCDF_FAIL(NC_EINVAL, "fill mode 0x%x is neither NC_FILL nor NC_NOFILL", (unsigned)mode);
    PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_SET_FILL, status, &fact, 1));
    if (old)
        *old = ds->fill.is_on ? NC_FILL : NC_NOFILL;
    pcdf_fill_free(&ds->fill); /* what single variables were told no longer holds */
    ds->fill.is_on = mode == NC_FILL;
    return NC_NOERR;
}

int pcdf_fill_define_all(struct pcdf_dataset *ds, int varid, int no_fill, const void *value)
{
    struct putting p;
    bool is_filled = !no_fill;
    size_t n = 0; /* bytes of the value */
    if (no_fill)
        value = NULL;
    int status = need_define_mode(ds, "def_var_fill");
    if (!status)
        status = pcdf_var_check(ds, varid);
    if (!status)
        status = pcdf_fill_list(&ds->fill, varid + 1);
    if (!status && value) {
        struct pcdf_att_values one = { ds->meta.vars[varid].type, PCDF_M_EXTERNAL, 1, value };
        status = check_att(ds, varid, NC_FillValue, &one, &p);
        n = pcdf_mtype_size(pcdf_mtype_of(one.type));
    }
    const struct pcdf_fact facts[] = {
        { "the id of the variable", NC_EMULTIDEFINE_FNC_ARGS, &varid, sizeof varid },
        { "the mode", NC_EMULTIDEFINE_FNC_ARGS, &is_filled, sizeof is_filled },
        { "the fill value", NC_EMULTIDEFINE_VAR_FILL_VALUE, value, n },
    };
    PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_DEF_VAR_FILL, status, facts, 3));
    if (value)
        PCDF_TRY(store(ds, &p, value));
    ds->fill.listed[varid] = is_filled;
    return NC_NOERR;
}

/* ---- quantized variables */

/* In the order of netCDF-C. */
static int check_quantize(const struct pcdf_dataset *ds, int varid, int mode, int digits)
{
    PCDF_TRY(need_writable(ds));
    PCDF_TRY(pcdf_var_check(ds, varid));
    const struct pcdf_var *var = &ds->meta.vars[varid];
    if (ds->mode != PCDF_MODE_DEFINE || (ds->old_meta && varid < ds->old_meta->nvars))
        return PCDF_FAIL(NC_ELATEDEF,
                         "variable \"" SHOWN "\" is in the file already: it is quantized from the "
                         "enddef on that makes it, or never",
                         var->name);
    if (mode < PCDF_QUANTIZE_NONE || mode >= PCDF_QUANTIZE_MODES)
        return PCDF_FAIL(NC_EINVAL, "quantize mode %d is none of the four there are", mode);
    if (mode == PCDF_QUANTIZE_NONE)
        return NC_NOERR;
    int most = pcdf_quantize_most((enum pcdf_quantize_mode)mode, var->type);
    if (most == 0)
        return PCDF_FAIL(NC_EINVAL, "variable \"" SHOWN "\" is %s: NC_FLOAT and NC_DOUBLE can be quantized",
                         var->name, pcdf_type_name(var->type));
    if (digits < 1 || digits > most)
        return PCDF_FAIL(NC_EINVAL, "variable \"" SHOWN "\": %d significant %s are not in 1..%d", var->name,
                         digits, mode == PCDF_QUANTIZE_BITROUND ? "bits" : "digits", most);
    return NC_NOERR;
}

int pcdf_quantize_define_all(struct pcdf_dataset *ds, int varid, int mode, int digits)
{
    struct putting p;
    struct pcdf_att_values one = { NC_INT, PCDF_M_INT, 1, &digits };
    const struct pcdf_fact facts[] = {
        { "the id of the variable", NC_EMULTIDEFINE_FNC_ARGS, &varid, sizeof varid },
        { "the mode", NC_EMULTIDEFINE_FNC_ARGS, &mode, sizeof mode },
        { "the digits", NC_EMULTIDEFINE_FNC_ARGS, &digits, sizeof digits },
    };
    if (mode == PCDF_QUANTIZE_NONE)
        digits = 0;
    int status = check_quantize(ds, varid, mode, digits);
    if (!status && mode != PCDF_QUANTIZE_NONE)
        status = check_att(ds, varid, pcdf_quantize_att_name((enum pcdf_quantize_mode)mode), &one, &p);
    PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_DEF_VAR_QUANTIZE, status, facts, 3));

    struct pcdf_var *var = &ds->meta.vars[varid];
    enum pcdf_quantize_mode before = (enum pcdf_quantize_mode)var->quantize.mode;
    int old = before && (int)before != mode ? pcdf_atts_find(&var->atts, pcdf_quantize_att_name(before)) : -1;
    if (old >= 0)
        pcdf_atts_delete(&ds->meta, &var->atts, old);
    var->quantize = (struct pcdf_quantize){ 0 };
    if (mode == PCDF_QUANTIZE_NONE)
        return NC_NOERR;
    if (old >= 0 && p.there > old)
        p.there--;
    PCDF_TRY(store(ds, &p, &digits));
    var->quantize = (struct pcdf_quantize){ (unsigned char)mode, (unsigned char)digits };
    return NC_NOERR;
}

int pcdf_quantize_inquire(const struct pcdf_dataset *ds, int varid, int *mode, int *digits)
{
    PCDF_TRY(pcdf_var_check(ds, varid));
    const struct pcdf_var *var = &ds->meta.vars[varid];
    const struct pcdf_quantize q = ds->readonly ? pcdf_quantize_of_var(var) : var->quantize;
    if (mode)
        *mode = q.mode;
    if (digits)
        *digits = q.digits;
    return NC_NOERR;
}
