/* See program.h: the values of puts, the sequential model they go into, and what gets must find there. */
#include "program.h"

void set_header(void)
{
    header_encode(&header, &now, g.numrecs[0]);
    header_encode(&header_on_file, &now, g.numrecs[0]);
    header_waits = false;
}

/* Do two headers differ within one sector of 512 bytes? What a shorter one leaves is zeros. */
static bool differ_in_a_sector(const struct bytes *a, const struct bytes *b)
{
    size_t n = a->n > b->n ? a->n : b->n, first = n, last = 0;
    for (size_t i = 0; i < n; i++)
        if ((i < a->n ? a->x[i] : 0) != (i < b->n ? b->x[i] : 0)) {
            first = first < i ? first : i;
            last = i;
        }
    return first >= last || first / 512 == last / 512;
}

/* What a change in data mode leaves on the file: all of it where it lies in one sector and none waits, else
 * nothing but the number of records. */
void follow_header(void)
{
    size_t width = wide(&now);
    header_encode(&header, &now, g.numrecs[0]);
    if (!header_waits)
        memcpy(header_on_file.x + 4, header.x + 4, width); /* is written on its own */
    header_waits |= !differ_in_a_sector(&header, &header_on_file);
    if (!header_waits)
        header_encode(&header_on_file, &now, g.numrecs[0]);
    memcpy(header_on_file.x + 4, header.x + 4, width);
}

static void random_number(void *buf, enum mem mem, size_t i, int kind)
{
    static const double reals[] = { 0,          1.5,   -2.75, 1e40,   -1e40,    3e9,      -3e9,
                                    1e19,       2e19,  -1e19, 127.25, -128,     255,      65535,
                                    2147483647, 1e-30, 1e30,  NAN,    INFINITY, -INFINITY };
    int n = sizeof reals / sizeof reals[0] - (g.tame ? 3 : 0);
    int64_t v = kind == 0 ? below(100) : (int64_t)next_random() >> below(64);
    double d = kind == 0 ? (double)v : reals[below(n)];
    if (mem == MEM_FLOAT)
        ((float *)buf)[i] = g.tame && fabs(d) > 1e38 ? 1e37f : (float)d;
    else if (mem == MEM_DOUBLE)
        ((double *)buf)[i] = d;
    else
        mem_set(buf, mem, i, v);
}

void *make_values(const struct part *p)
{
    char *buf = calloc(p->memory + 1, mem_sizes[p->mem]);
    uint64_t kept = g.random;
    g.random = g.seed * 7919 + (uint64_t)g.op * 131 + (uint64_t)p->rank + (uint64_t)p->serial * 1000003;
    int kind = one_in(3);
    for (size_t i = 0; i < p->memory; i++)
        random_number(buf, p->mem, i, kind);
    g.random = kept;
    return buf;
}

/* What the file will hold; NC_ERANGE or NC_NOERR. */
int model_put(const struct part *p, const void *buf)
{
    struct m_var *v = p->var;
    size_t size = ext_sizes[v->type];
    bool fits = true;
    int64_t last = -1;
    for (int64_t i = 0; i < p->n; i++)
        last = p->element[i] > last ? p->element[i] : last;
    var_reserve(v, v->is_record ? (last / v->slab + 1) * v->slab : v->slab);
    for (int64_t i = 0; i < p->n; i++) {
        size_t at = (size_t)p->element[i] * size;
        fits &= ext_put(v->data + at, ranges(), v->type, p->fill, buf, p->mem, p->place[i]);
        memset(v->mask + at, 1, size);
    }
    g.elements += p->n;
    note_unseen(p);
    return fits ? NC_NOERR : NC_ERANGE;
}

void check_code(const struct part *p, int err, int want, bool sure)
{
    if (err == want || (!sure && (err == NC_NOERR || err == NC_ERANGE)))
        return;
    say("%s of rank %d gives %s, not %s", form_names[p->form], p->rank, ncmpi_strerrno(err),
        ncmpi_strerrno(want));
}

unsigned char *writer[MAX_VARS];

int check_got(const struct part *p, const char *buf, bool *sure)
{
    size_t one = mem_sizes[p->mem], n = p->memory + 2, size = ext_sizes[p->var->type];
    const unsigned char *by = writer[p->var - now.vars];
    char *right = malloc(n * one);
    bool fits = true, all = true;
    memset(right, 0x5a, n * one);
    for (int64_t i = 0; i < p->n && !p->error; i++) {
        int64_t at = p->element[i] * (int64_t)size;
        bool raced =
            (by && by[p->element[i]] && by[p->element[i]] != p->rank + 1) || is_unseen(p, p->element[i]);
        if (!raced && at + (int64_t)size <= p->var->room && p->var->mask[at]) {
            fits &= ext_get(p->var->data + at, ranges(), p->var->type, right, p->mem, p->place[i]);
        } else { /* never written: anything may come */
            all = false;
            memcpy(right + p->place[i] * one, buf + p->place[i] * one, one);
        }
    }
    for (size_t i = 0; i < n && !g.say[0]; i++)
        if (memcmp(buf + i * one, right + i * one, one)) {
            say("a get by %s on rank %d: element %zu of the buffer (%zu) is %lld, not %lld",
                form_names[p->form], p->rank, i, p->memory, mem_int(buf, p->mem, i),
                mem_int(right, p->mem, i));
        }
    free(right);
    *sure = p->error || all || !fits;
    return p->error ? p->error : fits ? NC_NOERR : NC_ERANGE;
}

char *get_buffer(const struct part *p)
{
    size_t bytes = (p->memory + 2) * mem_sizes[p->mem];
    return memset(malloc(bytes), 0x5a, bytes);
}

int64_t most_records(void)
{
    int64_t most = 0;
    for (int r = 0; r < g.size; r++)
        most = g.numrecs[r] > most ? g.numrecs[r] : most;
    return most;
}
void agree_records(void)
{
    int64_t most = most_records();
    for (int r = 0; r < g.size; r++)
        g.numrecs[r] = most;
}
