/* See misfits.h. Here is the rare way, so it converts through the same functions as the usual one. */
#include "misfits.h"
#include <assert.h>
#include <stdio.h>
#include "numbers.h"
#include "request.h"
#include "rules.h"
#include "status.h"

enum { PART = 256, WIDEST = 8 }; /* values of a part; bytes of a value */

/* ---- counting */

/* A get stores the same values in the same places again, in the same order. */
static bool some_fail(struct pcdf_request *r, int64_t first, int64_t n, const unsigned char *file)
{
    static const unsigned char fill[WIDEST];
    unsigned char bytes[PART * WIDEST];
    return r->dir == PCDF_PUT ? pcdf_request_pack(r, fill, first, n, false, bytes)
                              : pcdf_request_unpack(r, first, n, file);
}

static const unsigned char *file_at(const struct pcdf_request *r, const unsigned char *file, int64_t element)
{
    return file ? file + element * r->converter->xsize : NULL;
}

/* file: of this element, in a get. */
static void add_one(struct pcdf_misfits *m, int number, const struct pcdf_request *r, int64_t element,
                    const unsigned char *file)
{
    bool is_dense;
    const void *value = file;
    bool is_first = m->n++ == 0 || number < m->number || (number == m->number && element < m->element);
    if (!is_first)
        return;
    m->request = r;
    m->number = number;
    m->element = element;
    if (r->dir == PCDF_PUT)
        value = r->spread ? pcdf_memory_dense(r->spread, element, 1, &is_dense)
                          : r->base + element * r->converter->size;
    pcdf_convert_text(r->converter, r->dir, value, m->value, sizeof m->value);
}

void pcdf_misfits_count(struct pcdf_misfits *m, int number, struct pcdf_request *r, int64_t first, int64_t n,
                        const unsigned char *file)
{
    for (int64_t done = 0, part; done < n; done += part) {
        part = pcdf_smaller(n - done, PART);
        if (!some_fail(r, first + done, part, file_at(r, file, done)))
            continue;
        for (int64_t i = done; i < done + part; i++)
            if (some_fail(r, first + i, 1, file_at(r, file, i)))
                add_one(m, number, r, first + i, file_at(r, file, i));
    }
}

void pcdf_misfits_add(struct pcdf_misfits *m, const struct pcdf_misfits *later)
{
    int64_t n = m->n + later->n;
    if (m->n == 0)
        *m = *later;
    m->n = n;
}

/* ---- the sentence */

/* In one dimension, from 0. */
static int64_t index_in(const struct pcdf_slab *slab, int ndims, int dim, int64_t element)
{
    for (int i = ndims - 1; slab->count && i > dim; i--)
        element /= slab->count[i];
    int64_t at = slab->count ? element % slab->count[dim] : 0;
    return slab->start[dim] + at * (slab->stride ? slab->stride[dim] : 1);
}

/* " at index (2, 0)", as the caller counts; nothing of a scalar. What does not fit in the room is left out.
 */
static void put_place(const struct pcdf_request *r, int ndims, int64_t element, char *text, size_t room)
{
    const bool is_reversed = pcdf_told_dim(0, ndims) != 0;
    struct pcdf_slab slab = pcdf_request_slab(r, ndims, 0);
    size_t used = 0;
    int64_t n;
    for (int i = 0; (n = pcdf_slab_elements(&slab, ndims)) <= element; element -= n) {
        assert(i + 1 < r->num);
        slab = pcdf_request_slab(r, ndims, ++i);
    }
    text[0] = '\0';
    for (int i = 0; i < ndims && used < room; i++) {
        int dim = is_reversed ? ndims - 1 - i : i;
        const char *before = i > 0 ? ", " : ndims > 1 ? " at index (" : " at index ";
        used += (size_t)snprintf(text + used, room - used, "%s%lld%s", before,
                                 pcdf_told_index(index_in(&slab, ndims, dim, element)),
                                 ndims > 1 && i == ndims - 1 ? ")" : "");
    }
}

int pcdf_misfits_fail(const struct pcdf_misfits *m, const char *owner, const char *type, const char *place)
{
    if (m->n == 0) /* another thread changed the memory meanwhile */
        return PCDF_FAIL(NC_ERANGE, "%s: some values do not fit in %s and became fill values", owner, type);
    if (m->n == 1)
        return PCDF_FAIL(NC_ERANGE, "%s: 1 value does not fit in %s and became a fill value: %s%s", owner,
                         type, m->value, place);
    return PCDF_FAIL(NC_ERANGE, "%s: %lld values do not fit in %s and became fill values, the first is %s%s",
                     owner, (long long)m->n, type, m->value, place);
}

int pcdf_misfits_fail_data(const struct pcdf_misfits *m, const struct pcdf_var *vars, int requests)
{
    const struct pcdf_request *r = m->request;
    if (m->n == 0)
        return pcdf_misfits_fail(m, "a variable", "its type", "");
    const struct pcdf_var *var = &vars[r->varid];
    const char *type = r->dir == PCDF_PUT ? pcdf_type_name(var->type) : pcdf_mtype_name(r->converter->mtype);
    char owner[300], place[256];
    put_place(r, var->ndims, m->element, place, sizeof place);
    if (requests > 1)
        return PCDF_FAIL(NC_ERANGE,
                         "%lld values of %d requests do not fit their types and became fill values, the "
                         "first is %s%s of variable %s",
                         (long long)m->n, requests, m->value, place, var->name);
    snprintf(owner, sizeof owner, "variable %.256s", var->name);
    return pcdf_misfits_fail(m, owner, type, place);
}
