/* What each CDF version allows. */
#include "rules.h"
#include "layout.h"
#include "status.h"

#include <limits.h>

/* A name as a sentence shows it: not all of 256 bytes. */
#define SHOWN "%.80s"

/* In CDF-1 and CDF-2 the field of a length holds 2^32-1, but SPEC: NON_NEG is an INT. */
int64_t pcdf_rules_max_count(enum pcdf_version version)
{
    return version < PCDF_CDF5 ? INT32_MAX : INT64_MAX;
}

/* The largest variable that need not be the last (reference 4.9). */
static const int64_t max_var_bytes[] = {
    [PCDF_CDF1] = INT32_MAX - 3, [PCDF_CDF2] = (int64_t)UINT32_MAX - 3, [PCDF_CDF5] = INT64_MAX - 3
};

int pcdf_rules_new_dim(const struct pcdf_meta *meta, const char *name, int64_t length)
{
    if (length < 0 || length > pcdf_rules_max_count(meta->version))
        return PCDF_FAIL(NC_EDIMSIZE, "dimension \"" SHOWN "\": length %lld is not in 0..%lld (CDF-%d)", name,
                         (long long)length, (long long)pcdf_rules_max_count(meta->version), meta->version);
    if (length == 0 && meta->record_dim >= 0)
        return PCDF_FAIL(NC_EUNLIMIT,
                         "dimension \"" SHOWN "\": dimension %d \"" SHOWN "\" is unlimited already", name,
                         pcdf_told_id(meta->record_dim), meta->dims[meta->record_dim].name);
    if (meta->ndims == INT_MAX)
        return PCDF_FAIL(NC_EMAXDIMS, "dimension \"" SHOWN "\": there are %d already", name, meta->ndims);
    int there = pcdf_meta_find_dim(meta, name);
    if (there >= 0)
        return PCDF_FAIL(NC_ENAMEINUSE, "dimension %d has the name \"" SHOWN "\" already",
                         pcdf_told_id(there), name);
    return NC_NOERR;
}

int pcdf_rules_type(const struct pcdf_meta *meta, nc_type type)
{
    if (pcdf_type_size(type) == 0)
        return PCDF_FAIL(NC_EBADTYPE, "%d is no type of the format", type);
    if (!pcdf_type_allowed(meta->version, type))
        return PCDF_FAIL(NC_ESTRICTCDF2, "%s needs CDF-5, the file is CDF-%d", pcdf_type_name(type),
                         meta->version);
    return NC_NOERR;
}

int pcdf_rules_new_var(const struct pcdf_meta *meta, const char *name, nc_type type, int ndims,
                       const int *dimids)
{
    PCDF_TRY(pcdf_rules_type(meta, type));
    if (ndims < 0)
        return PCDF_FAIL(NC_EINVAL, "variable \"" SHOWN "\": ndims is %d", name, ndims);
    if (meta->nvars == INT_MAX)
        return PCDF_FAIL(NC_EMAXVARS, "variable \"" SHOWN "\": there are %d already", name, meta->nvars);
    int there = pcdf_meta_find_var(meta, name);
    if (there >= 0)
        return PCDF_FAIL(NC_ENAMEINUSE, "variable %d has the name \"" SHOWN "\" already", pcdf_told_id(there),
                         name);
    if (ndims > 0 && !dimids)
        return PCDF_FAIL(NC_EINVAL, "variable \"" SHOWN "\": %d dimensions, but dimids is NULL", name, ndims);
    for (int i = 0; i < ndims; i++)
        if (dimids[i] < 0 || dimids[i] >= meta->ndims)
            return PCDF_FAIL(NC_EBADDIM,
                             "variable \"" SHOWN "\": dimids[%d] is %d, the file has %d dimensions", name,
                             pcdf_told_dim(i, ndims), pcdf_told_id(dimids[i]), meta->ndims);
    for (int i = 1; i < ndims; i++)
        if (dimids[i] == meta->record_dim)
            return PCDF_FAIL(NC_EUNLIMPOS,
                             "variable \"" SHOWN "\": the unlimited dimension stands at %d, not %s", name,
                             pcdf_told_dim(i, ndims), pcdf_told_dim(0, 2) == 0 ? "first" : "last");
    if (pcdf_meta_var_bytes(meta, type, ndims, dimids) < 0)
        return PCDF_FAIL(NC_EVARSIZE, "variable \"" SHOWN "\": its size does not fit in 63 bits", name);
    return NC_NOERR;
}

int pcdf_rules_sizes(const struct pcdf_meta *meta)
{
    const int64_t most = max_var_bytes[meta->version];
    int64_t sum[2] = { 0, 0 };
    bool has_large = false;
    for (int i = 0; i < meta->nvars; i++) {
        const struct pcdf_var *var = &meta->vars[i];
        int64_t *section = &sum[var->is_record];
        if (var->nbytes < 0 || __builtin_add_overflow(*section, pcdf_layout_padded(var->nbytes), section))
            return PCDF_FAIL(NC_EVARSIZE, "the sizes up to variable %d \"" SHOWN "\" do not fit in 63 bits",
                             pcdf_told_id(i), var->name);
        has_large |= var->nbytes > most;
    }

    /* A large variable may only be the last of its section; a fixed one only where no record section follows.
     */
    int last[2] = { -1, -1 };
    for (int i = 0; has_large && i < meta->nvars; i++)
        last[meta->vars[i].is_record] = i;
    for (int i = 0; has_large && i < meta->nvars; i++) {
        const struct pcdf_var *var = &meta->vars[i];
        const char *why = i != last[var->is_record]            ? "it is not the last of its section"
                          : !var->is_record && last[true] >= 0 ? "record variables follow"
                                                               : NULL;
        if (var->nbytes > most && why)
            return PCDF_FAIL(
                NC_EVARSIZE, "variable %d \"" SHOWN "\": %lld bytes are more than %lld (CDF-%d), and %s",
                pcdf_told_id(i), var->name, (long long)var->nbytes, (long long)most, meta->version, why);
    }
    return NC_NOERR;
}
