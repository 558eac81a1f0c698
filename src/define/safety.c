/* See safety.h. */
#include "safety.h"

#include <string.h>
#include "convert.h"

/* ---- facts */

uint64_t pcdf_facts_hash(const struct pcdf_fact *facts, int n)
{
    uint64_t hashes[PCDF_FACTS_MAX] = { 0 };
    for (int i = 0; i < n; i++)
        hashes[i] = facts[i].hash;
    return pcdf_hash_bytes(hashes, (size_t)n * sizeof hashes[0]);
}

/* ---- agreement */

int pcdf_name_difference_all(struct pcdf_dataset *ds, enum pcdf_kind kind, const struct pcdf_fact *facts,
                             int n)
{
    int64_t most[2 * PCDF_FACTS_MAX] = { 0 };
    for (int i = 0; i < n; i++) { /* all equal when the largest is the complement of the largest complement */
        most[2 * i] = (int64_t)(facts[i].hash >> 1);
        most[2 * i + 1] = ~most[2 * i];
    }
    int err = pcdf_ranks_max_all(&ds->comm, most, 2 * n);
    ds->poisoned |= err != NC_NOERR;
    PCDF_TRY(err);
    for (int i = 0; i < n; i++)
        if (most[2 * i] != ~most[2 * i + 1])
            return PCDF_FAIL(facts[i].code, "%s: %s differs between ranks; nothing is done (safe mode)",
                             pcdf_kind_name(kind), facts[i].what);
    /* Only the sum of the hashes can have differed, in a bit that is not sent here. */
    return PCDF_FAIL(NC_EMULTIDEFINE, "%s: arguments differ between ranks", pcdf_kind_name(kind));
}

int pcdf_agree_all(struct pcdf_dataset *ds, enum pcdf_kind kind, int status, const struct pcdf_fact *facts,
                   int n)
{
    struct pcdf_vote vote = { .kind = kind, .error = status, .hash = pcdf_facts_hash(facts, n) };
    if (ds->poisoned) /* on all ranks that still call */
        return pcdf_check_poison(ds);
    int err = pcdf_vote_all(ds, &vote);
    if (!err && vote.error && vote.error != status)
        err = PCDF_FAIL(vote.error, "%s fails on another rank: nothing is done (safe mode)",
                        pcdf_kind_name(kind));
    else if (!err && vote.error)
        err = status;
    else if (!err && vote.hash_differs) /* the same on all ranks */
        err = pcdf_name_difference_all(ds, kind, facts, n);
    return err;
}

void pcdf_checks_begin(struct pcdf_dataset *ds)
{
    ds->checks_only = true;
}

int pcdf_checks_end(struct pcdf_dataset *ds, int status)
{
    ds->checks_only = false;
    return status;
}

/* ---- the calls: in safe mode their checks, the agreement on checks and arguments, then the change. Arrays
 * are looked at only when the checks found them good. */

int pcdf_dim_define_all(struct pcdf_dataset *ds, const char *name, int64_t length, int *dimid)
{
    if (ds->safe_mode) { /* the same on all ranks */
        int status = PCDF_CHECKS_OF(ds, pcdf_dim_define(ds, name, length, dimid));
        const struct pcdf_fact facts[] = {
            { "the name", NC_EMULTIDEFINE_DIM_NAME, pcdf_hash_text(name) },
            { "the length", NC_EMULTIDEFINE_DIM_SIZE, pcdf_hash_number(length) },
        };
        PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_DEF_DIM, status, facts, 2));
    }
    return pcdf_dim_define(ds, name, length, dimid);
}

int pcdf_dim_rename_all(struct pcdf_dataset *ds, int dimid, const char *name)
{
    if (ds->safe_mode) { /* the same on all ranks */
        int status = PCDF_CHECKS_OF(ds, pcdf_dim_rename(ds, dimid, name));
        const struct pcdf_fact facts[] = {
            { "the new name", NC_EMULTIDEFINE_DIM_NAME, pcdf_hash_text(name) },
            { "the id", NC_EMULTIDEFINE_FNC_ARGS, pcdf_hash_number(dimid) },
        };
        PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_RENAME_DIM, status, facts, 2));
    }
    return pcdf_dim_rename(ds, dimid, name);
}

int pcdf_var_define_all(struct pcdf_dataset *ds, const char *name, nc_type type, int ndims, const int *dimids,
                        int *varid)
{
    if (ds->safe_mode) { /* the same on all ranks */
        int status = PCDF_CHECKS_OF(ds, pcdf_var_define(ds, name, type, ndims, dimids, varid));
        size_t n = status ? 0 : (size_t)ndims * sizeof *dimids;
        const struct pcdf_fact facts[] = {
            { "the name", NC_EMULTIDEFINE_VAR_NAME, pcdf_hash_text(name) },
            { "the type", NC_EMULTIDEFINE_VAR_TYPE, pcdf_hash_number(type) },
            { "the number of dimensions", NC_EMULTIDEFINE_VAR_NDIMS, pcdf_hash_number(ndims) },
            { "a dimension", NC_EMULTIDEFINE_VAR_DIMIDS, pcdf_hash_bytes(dimids, n) },
        };
        PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_DEF_VAR, status, facts, 4));
    }
    return pcdf_var_define(ds, name, type, ndims, dimids, varid);
}

int pcdf_var_rename_all(struct pcdf_dataset *ds, int varid, const char *name)
{
    if (ds->safe_mode) { /* the same on all ranks */
        int status = PCDF_CHECKS_OF(ds, pcdf_var_rename(ds, varid, name));
        const struct pcdf_fact facts[] = {
            { "the new name", NC_EMULTIDEFINE_VAR_NAME, pcdf_hash_text(name) },
            { "the id", NC_EMULTIDEFINE_FNC_ARGS, pcdf_hash_number(varid) },
        };
        PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_RENAME_VAR, status, facts, 2));
    }
    return pcdf_var_rename(ds, varid, name);
}

int pcdf_att_put_all(struct pcdf_dataset *ds, int varid, const char *name, nc_type type, int64_t nelems,
                     const void *buf, enum pcdf_mtype mtype)
{
    if (ds->safe_mode) { /* the same on all ranks */
        int status = PCDF_CHECKS_OF(ds, pcdf_att_put(ds, varid, name, type, nelems, buf, mtype));
        enum pcdf_mtype memory = !status && mtype == PCDF_M_EXTERNAL ? pcdf_mtype_of(type) : mtype;
        size_t n = status ? 0 : (size_t)nelems * pcdf_mtype_size(memory);
        const struct pcdf_fact facts[] = {
            { "the name", NC_EMULTIDEFINE_ATTR_NAME, pcdf_hash_text(name) },
            { "the id of the variable", NC_EMULTIDEFINE_FNC_ARGS, pcdf_hash_number(varid) },
            { "the type", NC_EMULTIDEFINE_ATTR_TYPE, pcdf_hash_number(type) },
            { "the length", NC_EMULTIDEFINE_ATTR_LEN, pcdf_hash_number(nelems) },
            { "the type in memory", NC_EMULTIDEFINE_FNC_ARGS, pcdf_hash_number(memory) },
            { "a value", NC_EMULTIDEFINE_ATTR_VAL, pcdf_hash_bytes(buf, n) },
        };
        PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_PUT_ATT, status, facts, 6));
    }
    return pcdf_att_put(ds, varid, name, type, nelems, buf, mtype);
}

/* The files that ranks copy from may differ: what they copy may not. */
int pcdf_att_copy_all(struct pcdf_dataset *in, int varid_in, const char *name, struct pcdf_dataset *out,
                      int varid_out)
{
    if (out->safe_mode) { /* the same on all ranks */
        const struct pcdf_att none = { 0 }, *att = &none;
        int status = PCDF_CHECKS_OF(out, pcdf_att_copy(in, varid_in, name, out, varid_out));
        if (!status)
            status = pcdf_att_find(in, varid_in, name, &att, NULL);
        size_t n = att->nelems > 0 ? (size_t)att->nelems * (size_t)pcdf_type_size(att->type) : 0;
        const struct pcdf_fact facts[] = {
            { "the name", NC_EMULTIDEFINE_ATTR_NAME, pcdf_hash_text(name) },
            { "the id of the variable copied from", NC_EMULTIDEFINE_FNC_ARGS, pcdf_hash_number(varid_in) },
            { "the id of the variable copied to", NC_EMULTIDEFINE_FNC_ARGS, pcdf_hash_number(varid_out) },
            { "the type", NC_EMULTIDEFINE_ATTR_TYPE, pcdf_hash_number(att->type) },
            { "the length", NC_EMULTIDEFINE_ATTR_LEN, pcdf_hash_number(att->nelems) },
            { "a value", NC_EMULTIDEFINE_ATTR_VAL, pcdf_hash_bytes(att->values, n) },
        };
        PCDF_TRY(pcdf_agree_all(out, PCDF_KIND_COPY_ATT, status, facts, 6));
    }
    return pcdf_att_copy(in, varid_in, name, out, varid_out);
}

int pcdf_att_rename_all(struct pcdf_dataset *ds, int varid, const char *name, const char *newname)
{
    if (ds->safe_mode) { /* the same on all ranks */
        int status = PCDF_CHECKS_OF(ds, pcdf_att_rename(ds, varid, name, newname));
        const struct pcdf_fact facts[] = {
            { "the name", NC_EMULTIDEFINE_ATTR_NAME, pcdf_hash_text(name) },
            { "the new name", NC_EMULTIDEFINE_ATTR_NAME, pcdf_hash_text(newname) },
            { "the id of the variable", NC_EMULTIDEFINE_FNC_ARGS, pcdf_hash_number(varid) },
        };
        PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_RENAME_ATT, status, facts, 3));
    }
    return pcdf_att_rename(ds, varid, name, newname);
}

int pcdf_att_delete_all(struct pcdf_dataset *ds, int varid, const char *name)
{
    if (ds->safe_mode) { /* the same on all ranks */
        int status = PCDF_CHECKS_OF(ds, pcdf_att_delete(ds, varid, name));
        const struct pcdf_fact facts[] = {
            { "the name", NC_EMULTIDEFINE_ATTR_NAME, pcdf_hash_text(name) },
            { "the id of the variable", NC_EMULTIDEFINE_FNC_ARGS, pcdf_hash_number(varid) },
        };
        PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_DEL_ATT, status, facts, 2));
    }
    return pcdf_att_delete(ds, varid, name);
}

int pcdf_fill_set_all(struct pcdf_dataset *ds, int mode, int *old)
{
    if (ds->safe_mode) { /* the same on all ranks */
        int status = PCDF_CHECKS_OF(ds, pcdf_fill_set(ds, mode, old));
        const struct pcdf_fact fact = { "the mode", NC_EMULTIDEFINE_FILL_MODE, pcdf_hash_number(mode) };
        PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_SET_FILL, status, &fact, 1));
    }
    return pcdf_fill_set(ds, mode, old);
}

int pcdf_fill_define_all(struct pcdf_dataset *ds, int varid, int no_fill, const void *value)
{
    if (ds->safe_mode) { /* the same on all ranks */
        int status = PCDF_CHECKS_OF(ds, pcdf_fill_define(ds, varid, no_fill, value));
        bool has_value = !status && !no_fill && value;
        size_t n = has_value ? pcdf_mtype_size(pcdf_mtype_of(ds->meta.vars[varid].type)) : 0;
        const struct pcdf_fact facts[] = {
            { "the id of the variable", NC_EMULTIDEFINE_FNC_ARGS, pcdf_hash_number(varid) },
            { "the mode", NC_EMULTIDEFINE_FNC_ARGS, pcdf_hash_number(!no_fill) },
            { "the fill value", NC_EMULTIDEFINE_VAR_FILL_VALUE, pcdf_hash_bytes(value, n) },
        };
        PCDF_TRY(pcdf_agree_all(ds, PCDF_KIND_DEF_VAR_FILL, status, facts, 3));
    }
    return pcdf_fill_define(ds, varid, no_fill, value);
}
