/* See stored.h. */
#include "stored.h"
#include "statspart.h"

#include <math.h>

void pcdf_stored_of(struct pcdf_stored_form *v, const struct pcdf_var *var, bool keeps_packed)
{
    const struct pcdf_meaning meaning = pcdf_meaning_of(var);
    bool is_wide = meaning.packing.type == NC_INT64 || meaning.packing.type == NC_UINT64;
    bool unpacks = meaning.packing.is_packed && !keeps_packed;

    *v = (struct pcdf_stored_form){ meaning.packing.type, is_wide && !unpacks, unpacks, meaning };
}

static void decode64(nc_type type, const unsigned char *bytes, int64_t n, double *x, double *rest)
{
    for (int64_t i = 0; i < n; i++) {
        const struct pcdf_meaning_number number = pcdf_meaning_number_of(type, bytes + i * 8);
        x[i] = number.x;
        rest[i] = number.rest;
    }
}

void pcdf_stored_decode(const struct pcdf_stored_form *v, const unsigned char *bytes, int64_t n, double *x,
                        double *rest)
{
    const struct pcdf_meaning_packing *p = &v->meaning.packing;
    bool is_wide = v->type == NC_INT64 || v->type == NC_UINT64;
    if (is_wide)
        decode64(v->type, bytes, n, x, rest);
    else
        pcdf_stats_best_loops()->decode(v->type, bytes, (int)n, x);
    pcdf_meaning_screen(&v->meaning, n, x, is_wide ? rest : NULL, (double)NAN);
    for (int64_t i = 0; v->unpacks && i < n; i++)
        x[i] = x[i] * p->scale + p->offset;
}
