/* See scatter.h. */

#include "scatter.h"
#include <string.h>
#include "bytes.h"
#include "classicvalue.h"
#include "grid.h"
#include "numbers.h"
#include "value.h"

static const bool machine_is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

/* ---- rows of a box */

/* Two dimensions are one where both the chunk and the memory have them without a gap. */
static bool follows(const struct pcdf_rows *r, int k, int64_t n, int64_t inner, int64_t outer)
{
    return r->inner[k] == inner * n && r->outer[k] == outer * n;
}

/* Of the indices that begin at start the number of the first that is not below `low`. */
static int64_t number_from(int64_t start, int64_t stride, int64_t low)
{
    return low <= start ? 0 : stride == 1 ? low - start : (low - start - 1) / stride + 1;
}

void pcdf_rows_begin(struct pcdf_rows *r, const struct pcdf_needs *needs, const struct pcdf_need *need)
{
    const struct pcdf_wanted *box = &needs->boxes.x[need->box];
    const struct pcdf_varview *w = &needs->views->vars[need->var];
    const int64_t *start = needs->bounds.x + box->bounds, *count = start + w->ndims,
                  *stride = count + w->ndims, *step = stride + w->ndims;
    int64_t index[PCDF_MOST_DIMS], place = 0;
    r->w = w;
    r->from = 0;
    r->n = r->step = r->left = 1;
    r->ndims = 0;
    pcdf_grid_index(w->ndims, w->grid, need->chunk, index);
    for (int i = 0; i < w->ndims; i++) {
        int64_t low = index[i] * w->chunk[i], high = pcdf_smaller(w->shape[i], low + w->chunk[i]);
        int64_t first = number_from(start[i], stride[i], low);
        int64_t n = pcdf_smaller(count[i], number_from(start[i], stride[i], high)) - first;
        r->from += (start[i] + first * stride[i] - low) * w->inner[i];
        place += first * step[i];
        if (n <= 1)
            continue;
        int64_t inner = w->inner[i] * stride[i];
        if (r->ndims > 0 && follows(r, r->ndims - 1, n, inner, step[i]))
            n *= r->count[--r->ndims];
        r->count[r->ndims] = n;
        r->inner[r->ndims] = inner;
        r->outer[r->ndims++] = step[i];
    }
    r->to = box->to + place * w->width;
    if (r->ndims > 0 && r->outer[r->ndims - 1] == 1) { /* else each element is a row */
        r->n = r->count[--r->ndims];
        r->step = r->inner[r->ndims];
    }
    for (int i = 0; i < r->ndims; i++) {
        r->at[i] = 0;
        r->left *= r->count[i];
    }
}

void pcdf_rows_next(struct pcdf_rows *r)
{
    r->left--;
    for (int k = r->ndims - 1; k >= 0; k--) {
        r->from += r->inner[k];
        r->to += r->outer[k] * r->w->width;
        if (++r->at[k] < r->count[k])
            return;
        r->from -= r->count[k] * r->inner[k];
        r->to -= r->count[k] * r->outer[k] * r->w->width;
        r->at[k] = 0;
    }
}

/* ---- values */

static void copy(const unsigned char *from, int64_t step, int size, int64_t n, char *to)
{
    if (step == size)
        memcpy(to, from, (size_t)(n * size));
    else
        for (int64_t i = 0; i < n; i++)
            memcpy(to + i * size, from + i * step, (size_t)size);
}

static void widen(const unsigned char *from, int64_t step, bool is_big, int64_t n, char *to, bool to_big)
{
    for (int64_t i = 0; i < n; i++, from += step, to += 4) {
        uint16_t half = (uint16_t)(is_big ? from[0] << 8 | from[1] : from[1] << 8 | from[0]);
        float value = pcdf_half_to_float(half);
        uint32_t bits;
        memcpy(&bits, &value, 4);
        if (to_big)
            pcdf_bytes_put((unsigned char *)to, bits, 4);
        else
            memcpy(to, &bits, 4);
    }
}

/* UCS-4 of `size` bytes each, as UTF-8 with NULs behind it in as many. */
static void to_utf8(const unsigned char *from, int64_t step, bool is_big, int size, int64_t n, char *to)
{
    for (int64_t i = 0; i < n; i++, from += step, to += size) {
        size_t at = 0;
        for (int k = 0; k < size; k += 4) {
            const unsigned char *b = from + k;
            uint32_t c = is_big ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
                                : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
            if (c == 0)
                break;
            at += pcdf_ucs4_to_utf8(&c, 1, (unsigned char *)to + at);
        }
        memset(to + at, 0, (size_t)size - at);
    }
}

bool pcdf_scatter_is_direct(const struct pcdf_varview *w)
{
    const struct pcdf_chunked *v = w->v;
    return v->stored != PCDF_STORED_UCS4 && !(v->stored == PCDF_STORED_REAL && v->size == 2) &&
           w->elem == w->width;
}

bool pcdf_scatter_swaps(const struct pcdf_varview *w, bool is_native)
{
    return w->elem > 1 && w->v->is_big != (machine_is_big || !is_native);
}

void pcdf_scatter_row(const struct pcdf_varview *w, const unsigned char *from, int64_t step, int64_t n,
                      char *to, bool is_native)
{
    const struct pcdf_chunked *v = w->v;
    bool to_big = machine_is_big || !is_native;
    step *= w->elem;
    if (v->stored == PCDF_STORED_UCS4)
        to_utf8(from, step, v->is_big, v->size, n, to);
    else if (v->stored == PCDF_STORED_REAL && v->size == 2)
        widen(from, step, v->is_big, n, to, to_big);
    else if (w->elem == 1 || v->is_big == to_big)
        copy(from, step, w->elem, n, to);
    else
        pcdf_values_reverse_from(from, step, n, w->elem, to);
}

void pcdf_scatter_fill(const struct pcdf_varview *w, char *to, int64_t n, bool is_native)
{
    enum { BLOCK = 4096 };
    unsigned char one[16];
    size_t width = (size_t)w->width, bytes = (size_t)n * width, done = width;
    memset(one, 0, sizeof one);
    if (w->v->stored == PCDF_STORED_UCS4 || w->v->stored == PCDF_STORED_TEXT) {
        memset(to, width == 1 ? w->v->fill[0] : 0, bytes);
        return;
    }
    for (size_t i = 0; i < width; i++)
        one[i] = w->v->fill[is_native && !machine_is_big ? width - 1 - i : i];
    memcpy(to, one, width);
    while (done < bytes) { /* twice as much each time, up to a block that stays in the cache */
        size_t some = done < BLOCK ? done : BLOCK;
        some = some < bytes - done ? some : bytes - done;
        memcpy(to + done, to, some);
        done += some;
    }
}

void pcdf_scatter_fill_chunk(const struct pcdf_needs *needs, const struct pcdf_need *run, size_t n)
{
    struct pcdf_rows rows;
    for (size_t i = 0; i < n; i++)
        for (pcdf_rows_begin(&rows, needs, &run[i]); rows.left > 0; pcdf_rows_next(&rows))
            pcdf_scatter_fill(rows.w, rows.to, rows.n, needs->is_native);
}
