/* See program.h: random hyperslabs of every form, some of them wrong on purpose, and the elements they name.
 */
#include "program.h"

enum form only_form = FORMS;
unsigned char *taken[MAX_VARS];

int64_t shape_of(const struct m_var *v, int d, int64_t records)
{
    int64_t n = now.dims[v->dimids[d]].length;
    return n ? n : records;
}

static void add_element(struct part *p, int64_t element, int64_t place)
{
    if (p->n == p->room) {
        p->room = p->room * 2 + 64;
        p->element = realloc(p->element, (size_t)p->room * sizeof *p->element);
        p->place = realloc(p->place, (size_t)p->room * sizeof *p->place);
    }
    p->element[p->n] = element;
    p->place[p->n++] = (size_t)place;
    if ((size_t)place + 1 > p->memory)
        p->memory = (size_t)place + 1;
}

/* The elements of one hyperslab in the order of the interface; place0: where its first one is in memory. */
static void add_slab(struct part *p, const MPI_Offset *start, const MPI_Offset *count,
                     const MPI_Offset *stride, const MPI_Offset *imap, int64_t place0)
{
    int nd = p->var->ndims;
    int64_t index[MAX_NDIMS] = { 0 }, total = 1;
    for (int d = 0; d < nd; d++)
        total *= count[d];
    for (int64_t k = 0; k < total; k++) {
        int64_t element = 0, place = place0 + (imap ? 0 : k);
        for (int d = 0; d < nd; d++) {
            int64_t at = start[d] + index[d] * (stride ? stride[d] : 1);
            element = element * shape_of(p->var, d, 1) + at;
            if (d == 0 && p->var->is_record)
                p->records = at + 1 > p->records ? at + 1 : p->records;
            place += imap ? index[d] * imap[d] : 0;
        }
        add_element(p, element, place);
        for (int d = nd - 1; d >= 0 && ++index[d] == count[d]; d--)
            index[d] = 0;
    }
}

/* A block within `length` of each dimension; stride only where asked. */
static void random_block(const int64_t *length, int nd, MPI_Offset *start, MPI_Offset *count,
                         MPI_Offset *stride)
{
    bool whole = one_in(3);
    for (int d = 0; d < nd; d++) {
        int64_t n = length[d];
        start[d] = whole && !one_in(4) ? 0 : below(n);
        int64_t left = n - start[d], step = stride ? 1 + below(left < 4 ? left : 4) : 1;
        int64_t most = n ? (left + step - 1) / step : 0;
        count[d] = whole || one_in(3) ? most : n ? 1 + below(most) : 0;
        if (stride)
            stride[d] = step;
    }
}

static void random_imap(struct part *p)
{
    int nd = p->var->ndims, order[MAX_NDIMS];
    int64_t step = 1 + (one_in(3) ? below(3) : 0);
    for (int d = 0; d < nd; d++)
        order[d] = d;
    for (int d = nd - 1; d > 0; d--) {
        int other = (int)below(d + 1), kept = order[d];
        order[d] = order[other];
        order[other] = kept;
    }
    for (int i = nd - 1; i >= 0; i--) {
        p->imap[order[i]] = step;
        step *= p->count[order[i]] ? p->count[order[i]] : 1;
        step += one_in(4) ? 1 : 0;
    }
}

static void choose_pieces(struct part *p, const int64_t *length)
{
    int nd = p->var->ndims;
    p->num = nd ? 1 + (int)below(MAX_PIECES) : 1;
    p->no_any_counts = one_in(8);
    for (int i = 0; i < p->num; i++) {
        random_block(length, nd, p->starts[i], p->counts[i], NULL);
        p->no_counts[i] = p->no_any_counts || one_in(8);
        bool shrink = one_in(2); /* many small ones */
        for (int d = 0; d < nd; d++) {
            if (p->no_counts[i])
                p->counts[i][d] = 1;
            else if (shrink && p->counts[i][d] > 2)
                p->counts[i][d] = 1 + below(3);
            if (!length[d])
                p->num = 0; /* there is nothing to point at */
        }
    }
}

static void choose_slabs(struct part *p, bool put, bool empty)
{
    int64_t length[MAX_NDIMS] = { 0 }, known = g.numrecs[p->rank];
    int nd = p->var->ndims;
    for (int d = 0; d < nd; d++) {
        length[d] = shape_of(p->var, d, known);
        if (put && d == 0 && p->var->is_record && p->form != FORM_VAR)
            length[d] = known + 1 + below(3) < MAX_RECORDS ? known + 1 + below(3) : MAX_RECORDS;
    }
    random_block(length, nd, p->start, p->count, p->form >= FORM_VARS ? p->stride : NULL);
    if (p->form == FORM_VAR)
        for (int d = 0; d < nd; d++)
            p->start[d] = 0, p->count[d] = length[d];
    for (int d = 0; d < nd && p->form == FORM_VAR1; d++) {
        p->count[d] = 1;
        if (!length[d]) /* no record to get */
            p->form = FORM_VARA, p->count[d] = 0;
    }
    if (p->form == FORM_VARN)
        choose_pieces(p, length);
    if (empty && p->form == FORM_VARN)
        p->num = 0;
    else if (empty && nd && p->form >= FORM_VARA)
        p->count[below(nd)] = 0;
    if (p->form == FORM_VARM)
        random_imap(p);
    p->no_stride = p->form >= FORM_VARS && one_in(6);
    p->no_imap = p->form == FORM_VARM && one_in(8);
    if (p->no_stride)
        for (int d = 0; d < nd; d++) {
            p->stride[d] = 1;
        }
}

void list_elements(struct part *p)
{
    if (p->form != FORM_VARN) {
        add_slab(p, p->start, p->count, p->form >= FORM_VARS ? p->stride : NULL,
                 p->form == FORM_VARM && !p->no_imap ? p->imap : NULL, 0);
        return;
    }
    for (int i = 0; i < p->num; i++)
        add_slab(p, p->starts[i], p->counts[i], NULL, NULL, p->n);
}

void spoil(struct part *p, bool put)
{
    int nd = p->var->ndims, d = (int)below(nd), kind = (int)below(9);
    bool list = p->form == FORM_VARN, grows = put && d == 0 && p->var->is_record, slab = p->form >= FORM_VARA;
    int64_t length = nd ? shape_of(p->var, d, g.numrecs[p->rank]) : 0;
    MPI_Offset *start = list ? p->starts[p->num - 1] : p->start,
               *count = list ? p->counts[p->num - 1] : p->count;
    if (kind == 0)
        p->varid = now.nvars + 3, p->error = NC_ENOTVAR;
    else if (kind == 1)
        p->varid = NC_GLOBAL, p->error = NC_EGLOBAL;
    else if (kind == 2)
        p->mem = p->mem == MEM_TEXT ? MEM_INT : MEM_TEXT, p->error = NC_ECHAR;
    else if (nd == 0 || p->form == FORM_VAR)
        return;
    else if (kind == 3)
        start[d] = grows || one_in(3) ? -1 : length + 1 + below(3), p->error = NC_EINVALCOORDS;
    else if (kind == 4 && slab && !grows && !(list && p->no_counts[p->num - 1]))
        count[d] = length - start[d] + 1 + below(3), p->error = NC_EEDGE;
    else if (kind == 5 && slab && !(list && p->no_counts[p->num - 1]))
        count[d] = -1 - below(3), p->error = NC_ENEGATIVECNT;
    else if (kind == 6 && (p->form == FORM_VARS || p->form == FORM_VARM) && !p->no_stride)
        p->stride[d] = 0, p->error = NC_ESTRIDE;
    else if (kind == 7)
        p->no_start = true, p->error = list ? NC_ENULLSTART : NC_EINVALCOORDS;
    else if (kind == 8 && slab && !list)
        p->no_count = true, p->error = NC_EEDGE;
}

void part_free(struct part *p)
{
    free(p->element);
    free(p->place);
    p->element = NULL;
    p->place = NULL;
    p->n = p->room = 0;
    p->memory = 0;
    p->records = 0;
}

int64_t var_elements(const struct m_var *v)
{
    return v->slab * (v->is_record ? MAX_RECORDS + 1 : 1);
}

/* Does the put touch what another put of this operation (or another piece of its own list) writes? Marks it
 * if not. */
static bool claim(const struct part *p)
{
    unsigned char **map = &taken[p->var - now.vars];
    if (!*map)
        *map = calloc((size_t)var_elements(p->var), 1);
    for (int64_t i = 0; i < p->n; i++) {
        if ((*map)[p->element[i]]) {
            while (i-- > 0)
                (*map)[p->element[i]] = 0;
            return false;
        }
        (*map)[p->element[i]] = 1;
    }
    return true;
}

bool choose_part(struct part *p, bool put, int varid)
{
    bool is_free = false;
    static const enum form forms[] = { FORM_VAR,  FORM_VAR1, FORM_VARA, FORM_VARA, FORM_VARS,
                                       FORM_VARS, FORM_VARM, FORM_VARM, FORM_VARN, FORM_VARN };
    for (int attempt = 0; attempt < 4; attempt++) {
        bool empty = attempt == 3 || one_in(12);
        part_free(p);
        p->varid = varid;
        p->var = &now.vars[varid];
        p->flex = FLEX_NOT;
        p->flex_fault = FLEX_FINE;
        p->form = attempt == 3 && p->var->ndims ? FORM_VARA : attempt == 3 ? FORM_VARN : forms[below(10)];
        p->mem = p->var->type == NC_CHAR ? MEM_TEXT : (enum mem)(1 + below(MEMS - 1));
        if (only_form != FORMS)
            p->form = only_form;
        choose_slabs(p, put, empty);
        if (!p->var->ndims && p->form == FORM_VARN && empty) /* a scalar's list has one piece */
            p->num = 0, p->error = NC_EINVAL;
        list_elements(p);
        is_free = !(put || (g.tame && p->form == FORM_VARN)) || claim(p); /* the peer reads a place once */
        if (is_free)
            break;
    }
    var_fill(p->var, p->fill);
    if (only_form != FORMS)
        return is_free;
    if (p->n && one_in(g.judged ? 60 : 10)) {
        bool claimed = put;
        spoil(p, put);
        if (p->error && claimed)
            for (int64_t i = 0; i < p->n; i++)
                taken[p->var - now.vars][p->element[i]] = 0;
    }
    choose_flex(p);
    return is_free;
}

void tell_part(const struct part *p, bool put)
{
    int nd = p->var->ndims;
    tell("\n    rank %d: %s %s %s%s %s%s%s", p->rank, put ? "put" : "get", form_names[p->form],
         mem_names[p->mem], flex_names[p->flex], p->error ? "must give " : "",
         p->error ? ncmpi_strerrno(p->error) : "", p->n ? "" : " (empty)");
    tell(" var %d %s %s(", p->varid, ext_names[p->var->type], p->var->name);
    for (int d = 0; d < nd; d++)
        tell("%s%lld", d ? "," : "", (long long)now.dims[p->var->dimids[d]].length);
    tell(")");
    if (p->form == FORM_VARN)
        tell(" %d pieces", p->num);
    for (int i = 0; p->form == FORM_VARN && i < p->num; i++)
        for (int d = 0; d < nd; d++)
            tell("%s%lld:%lld", d ? "," : " ", (long long)p->starts[i][d], (long long)p->counts[i][d]);
    for (int d = 0; p->form != FORM_VARN && p->form != FORM_VAR && d < nd; d++)
        tell(" %lld:%lld/%lld", (long long)p->start[d], (long long)p->count[d],
             (long long)(p->form >= FORM_VARS ? p->stride[d] : 1));
    for (int d = 0; p->form == FORM_VARM && d < nd; d++)
        tell(" @%lld", (long long)p->imap[d]);
    tell("%s%s%s%s", p->no_start ? " start NULL" : "", p->no_count ? " count NULL" : "",
         p->no_stride ? " stride NULL" : "", p->no_imap ? " imap NULL" : "");
}
