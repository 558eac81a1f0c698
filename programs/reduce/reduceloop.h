/* The loops of reduceloops.h, to be compiled for a processor: LOOPS is the name of the table, VECTOR the
 * bytes of its registers; MAX32, MIN32 (unsigned), LOWER, UPPER (floats; the second one unless the first is
 * less, or more), SWAP16, SWAP32, LOW and HIGH (half a register of words), OF_FLOATS and OF_WORDS (such a
 * half as doubles) are what compilers have no good words for. No guard: a file includes it once. A column is
 * summed by itself, row after row, so nothing depends on VECTOR. */

enum { WORDS = VECTOR / 4, REALS = VECTOR / 8, PARTS = PCDF_REDUCE_LANES / REALS };
typedef double reals __attribute__((vector_size(VECTOR)));
typedef int64_t longs __attribute__((vector_size(VECTOR)));
typedef float floats __attribute__((vector_size(VECTOR)));
typedef int32_t half_words __attribute__((vector_size(VECTOR / 2)));
typedef int32_t words __attribute__((vector_size(VECTOR)));
typedef uint32_t naturals __attribute__((vector_size(VECTOR)));

enum { BLOCKS = PCDF_REDUCE_LANES / WORDS }; /* registers of 32-bit words that hold the lanes */

static inline words load_words(const unsigned char *at)
{
    words v;
    memcpy(&v, at, sizeof v);
    return SWAP32(v);
}

static inline int32_t any_of(words mask)
{
    int32_t any = 0;
    for (int i = 0; i < WORDS; i++)
        any |= mask[i];
    return any;
}

/* ---- floats */

static inline void sum_floats(const struct pcdf_reduce_block *b, int nholes, const uint32_t *holes,
                              bool is_masked, double *sum, int32_t *count, struct pcdf_reduce_facts *facts)
{
    const words zero = { 0 }, magnitude = zero + INT32_MAX, infinite = zero + 0x7f800000;
    const words first = zero + (int32_t)(nholes > 0 ? holes[0] : 0x7fffffff),
                second = zero + (int32_t)(nholes > 1 ? holes[1] : 0x7fffffff);
    naturals most = { 0 }, least = (naturals)(zero - 1);
    words found = zero;
    for (int i = 0; i < b->n; i += PCDF_REDUCE_LANES) {
        const unsigned char *at = (const unsigned char *)b->numbers + (size_t)i * 4;
        reals to[2 * BLOCKS] = { { 0 } };
        words counts[BLOCKS] = { { 0 } };
        for (int row = 0; row < b->rows; row++, at += b->step) {
            for (int k = 0; k < BLOCKS; k++) {
                words v = load_words(at + k * VECTOR), size = v & magnitude;
                if (is_masked) {
                    words none = (v == first) | (v == second) | (size > infinite);
                    v &= ~none;
                    size &= ~none;
                    found |= none;
                    counts[k] += none + 1;
                }
                most = MAX32(most, (naturals)size);
                least = MIN32(least, (naturals)(size - 1));
                to[2 * k] += OF_FLOATS(LOW(v));
                to[2 * k + 1] += OF_FLOATS(HIGH(v));
            }
        }
        memcpy(sum + i, to, sizeof to);
        if (is_masked)
            memcpy(count + i, counts, sizeof counts);
    }
    facts->has_holes = any_of(found) != 0;
    for (int k = 0; k < WORDS; k++) {
        facts->most = k == 0 || most[k] > facts->most ? most[k] : facts->most;
        facts->least = k == 0 || least[k] < facts->least ? least[k] : facts->least;
    }
}

static void floats_loop(const struct pcdf_reduce_block *b, int nholes, const uint32_t *holes, double *sum,
                        int32_t *count, struct pcdf_reduce_facts *facts)
{
    if (count)
        sum_floats(b, nholes, holes, true, sum, count, facts);
    else
        sum_floats(b, 0, NULL, false, sum, NULL, facts);
}

static inline void add(reals *sum, reals *rest, reals x)
{
    reals s = *sum + x, back = s - *sum;
    *rest += (*sum - (s - back)) + (x - back);
    *sum = s;
}

static void float_pairs(const struct pcdf_reduce_block *b, int nholes, const uint32_t *holes, double *sum,
                        double *rest, int32_t *count)
{
    const words zero = { 0 }, magnitude = zero + INT32_MAX, infinite = zero + 0x7f800000;
    const words first = zero + (int32_t)(nholes > 0 ? holes[0] : 0x7fffffff),
                second = zero + (int32_t)(nholes > 1 ? holes[1] : 0x7fffffff);
    for (int i = 0; i < b->n; i += WORDS) {
        const unsigned char *at = (const unsigned char *)b->numbers + (size_t)i * 4;
        reals s[2] = { { 0 } }, r[2] = { { 0 } };
        words counts = { 0 };
        for (int row = 0; row < b->rows; row++, at += b->step) {
            words v = load_words(at), none = (v == first) | (v == second) | ((v & magnitude) > infinite);
            v &= ~none;
            counts += none + 1;
            add(&s[0], &r[0], OF_FLOATS(LOW(v)));
            add(&s[1], &r[1], OF_FLOATS(HIGH(v)));
        }
        memcpy(sum + i, s, sizeof s);
        memcpy(rest + i, r, sizeof r);
        memcpy(count + i, &counts, sizeof counts);
    }
}

static void float_extremes(const struct pcdf_reduce_block *b, int nholes, const uint32_t *holes, bool largest,
                           double *x, int32_t *count)
{
    const words zero = { 0 }, magnitude = zero + INT32_MAX, infinite = zero + 0x7f800000;
    const words first = zero + (int32_t)(nholes > 0 ? holes[0] : 0x7fffffff),
                second = zero + (int32_t)(nholes > 1 ? holes[1] : 0x7fffffff);
    const words worst = zero + (largest ? (int32_t)0xff800000 : 0x7f800000);
    for (int i = 0; i < b->n; i += PCDF_REDUCE_LANES) {
        const unsigned char *at = (const unsigned char *)b->numbers + (size_t)i * 4;
        words counts[BLOCKS] = { { 0 } };
        floats best[BLOCKS];
        for (int k = 0; k < BLOCKS; k++)
            best[k] = (floats)worst;
        for (int row = 0; row < b->rows; row++, at += b->step) {
            for (int k = 0; k < BLOCKS; k++) {
                words v = load_words(at + k * VECTOR);
                words none = (v == first) | (v == second) | ((v & magnitude) > infinite);
                floats value = (floats)((v & ~none) | (worst & none));
                best[k] = largest ? UPPER(value, best[k]) : LOWER(value, best[k]);
                counts[k] += none + 1;
            }
        }
        for (int k = 0; k < PCDF_REDUCE_LANES; k++) {
            x[i + k] = (double)best[k / WORDS][k % WORDS];
            count[i + k] = counts[k / WORDS][k % WORDS];
        }
    }
}

/* ---- integers */

#define LOAD(name, type, swapped)                                                                            \
    static inline words load_##name(const unsigned char *at)                                                 \
    {                                                                                                        \
        typedef type narrow __attribute__((vector_size(WORDS * sizeof(type))));                              \
        narrow v;                                                                                            \
        memcpy(&v, at, sizeof v);                                                                            \
        return __builtin_convertvector(swapped, words);                                                      \
    }
LOAD(byte, int8_t, v)
LOAD(ubyte, uint8_t, v)
LOAD(short, int16_t, (narrow)SWAP16((uint16_halves)v))
LOAD(ushort, uint16_t, SWAP16((uint16_halves)v))

/* is_wide: sums of words are doubles. */
#define SUM(name, size, is_wide)                                                                             \
    static inline void sum_##name(const struct pcdf_reduce_block *b, int nholes, const int32_t *holes,       \
                                  bool is_masked, double *sum, int32_t *count, bool *has_holes)              \
    {                                                                                                        \
        const words zero = { 0 }, first = zero + (nholes > 0 ? holes[0] : 0),                                \
                    second = zero + (nholes > 1   ? holes[1]                                                 \
                                     : nholes > 0 ? holes[0]                                                 \
                                                  : 0);                                                      \
        const words is_one = nholes > 0 ? ~zero : zero;                                                      \
        words found = zero;                                                                                  \
        for (int i = 0; i < b->n; i += PCDF_REDUCE_LANES) {                                                  \
            const unsigned char *at = (const unsigned char *)b->numbers + (size_t)i * (size);                \
            words counts[BLOCKS] = { { 0 } }, to[BLOCKS] = { { 0 } };                                        \
            reals wide[2 * BLOCKS] = { { 0 } };                                                              \
            for (int row = 0; row < b->rows; row++, at += b->step) {                                         \
                for (int k = 0; k < BLOCKS; k++) {                                                           \
                    words v = load_##name(at + k * WORDS * (size));                                          \
                    words none = ((v == first) | (v == second)) & is_one;                                    \
                    found |= none;                                                                           \
                    if (is_masked) {                                                                         \
                        v &= ~none;                                                                          \
                        counts[k] += none + 1;                                                               \
                    }                                                                                        \
                    if (is_wide) {                                                                           \
                        wide[2 * k] += OF_WORDS(LOW(v));                                                     \
                        wide[2 * k + 1] += OF_WORDS(HIGH(v));                                                \
                    } else {                                                                                 \
                        to[k] += v;                                                                          \
                    }                                                                                        \
                }                                                                                            \
            }                                                                                                \
            for (int k = 0; k < BLOCKS && !(is_wide); k++) {                                                 \
                wide[2 * k] = OF_WORDS(LOW(to[k]));                                                          \
                wide[2 * k + 1] = OF_WORDS(HIGH(to[k]));                                                     \
            }                                                                                                \
            memcpy(sum + i, wide, sizeof wide);                                                              \
            if (is_masked)                                                                                   \
                memcpy(count + i, counts, sizeof counts);                                                    \
        }                                                                                                    \
        *has_holes = any_of(found) != 0;                                                                     \
    }                                                                                                        \
    static void name##_loop(const struct pcdf_reduce_block *b, int nholes, const int32_t *holes,             \
                            double *sum, int32_t *count, bool *has_holes)                                    \
    {                                                                                                        \
        if (count)                                                                                           \
            sum_##name(b, nholes, holes, true, sum, count, has_holes);                                       \
        else                                                                                                 \
            sum_##name(b, nholes, holes, false, sum, NULL, has_holes);                                       \
    }
SUM(byte, 1, false)
SUM(ubyte, 1, false)
SUM(short, 2, false)
SUM(ushort, 2, false)
SUM(words, 4, true)

static void integers(nc_type type, const struct pcdf_reduce_block *b, int nholes, const int32_t *holes,
                     double *sum, int32_t *count, struct pcdf_reduce_facts *facts)
{
    (type == NC_BYTE     ? byte_loop
     : type == NC_UBYTE  ? ubyte_loop
     : type == NC_SHORT  ? short_loop
     : type == NC_USHORT ? ushort_loop
                         : words_loop)(b, nholes, holes, sum, count, &facts->has_holes);
}

/* ---- doubles of this machine */

/* x * x and its rounding error, by halves of 26 bits (Dekker). */
static inline reals square_of(reals x, bool is_short, reals *error)
{
    reals p = x * x;
    if (is_short) {
        *error = x - x;
        return p;
    }
    reals scaled = 134217729 * x, high = scaled - (scaled - x), low = x - high; /* 2^27 + 1 */
    *error = ((high * high - p) + 2 * high * low) + low * low;
    return p;
}

static inline void sum_reals(const struct pcdf_reduce_block *b, bool has_squares, bool is_short, double *sum,
                             double *rest, double *square, double *sub, int32_t *count)
{
    for (int i = 0; i < b->n; i += REALS) {
        const unsigned char *at = (const unsigned char *)b->numbers + (size_t)i * 8;
        reals s = { 0 }, r = { 0 }, s2 = { 0 }, r2 = { 0 }, error;
        longs counts = { 0 };
        for (int row = 0; row < b->rows; row++, at += b->step) {
            reals v;
            memcpy(&v, at, sizeof v);
            longs ok = v == v;
            v = (reals)((longs)v & ok);
            counts -= ok;
            add(&s, &r, v);
            if (has_squares) {
                add(&s2, &r2, square_of(v, is_short, &error));
                r2 += error;
            }
        }
        memcpy(sum + i, &s, sizeof s);
        memcpy(rest + i, &r, sizeof r);
        for (int k = 0; k < REALS; k++)
            count[i + k] = (int32_t)counts[k];
        if (has_squares) {
            memcpy(square + i, &s2, sizeof s2);
            memcpy(sub + i, &r2, sizeof r2);
        }
    }
}

static void reals_loop(const struct pcdf_reduce_block *b, bool is_short, double *sum, double *rest,
                       double *square, double *sub, int32_t *count)
{
    if (!square)
        sum_reals(b, false, is_short, sum, rest, NULL, NULL, count);
    else if (is_short)
        sum_reals(b, true, true, sum, rest, square, sub, count);
    else
        sum_reals(b, true, false, sum, rest, square, sub, count);
}

/* a * b and its rounding error (Dekker). */
static inline reals product_of(reals a, reals b, reals *error)
{
    reals p = a * b, ca = 134217729 * a, cb = 134217729 * b;
    reals a1 = ca - (ca - a), a2 = a - a1, b1 = cb - (cb - b), b2 = b - b1;
    *error = ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2;
    return p;
}

static void weighted(const struct pcdf_reduce_block *b, double *sum, double *rest, double *total,
                     double *more, int32_t *count)
{
    for (int i = 0; i < b->n; i += REALS) {
        const unsigned char *at = (const unsigned char *)b->numbers + (size_t)i * 8,
                            *by = (const unsigned char *)(b->weights + i);
        reals s = { 0 }, r = { 0 }, t = { 0 }, m = { 0 }, v, w, error;
        longs counts = { 0 };
        for (int row = 0; row < b->rows; row++, at += b->step, by += b->wstep) {
            memcpy(&v, at, sizeof v);
            memcpy(&w, by, sizeof w);
            longs ok = (v == v) & (w == w);
            w = (reals)((longs)w & ok);
            add(&s, &r, product_of((reals)((longs)v & ok), w, &error));
            r += error;
            add(&t, &m, w);
            counts -= ok;
        }
        memcpy(sum + i, &s, sizeof s);
        memcpy(rest + i, &r, sizeof r);
        memcpy(total + i, &t, sizeof t);
        memcpy(more + i, &m, sizeof m);
        for (int k = 0; k < REALS; k++)
            count[i + k] = (int32_t)counts[k];
    }
}

static void extremes(const struct pcdf_reduce_block *b, bool largest, double *x, int32_t *count)
{
    const reals zero = { 0 }, worst = zero + (largest ? -(double)INFINITY : (double)INFINITY);
    for (int i = 0; i < b->n; i += REALS) {
        const unsigned char *at = (const unsigned char *)b->numbers + (size_t)i * 8;
        reals best = worst;
        longs counts = { 0 };
        for (int row = 0; row < b->rows; row++, at += b->step) {
            reals v;
            memcpy(&v, at, sizeof v);
            longs better = largest ? v > best : v < best; /* of NaN: no */
            best = (reals)(((longs)v & better) | ((longs)best & ~better));
            counts -= v == v;
        }
        memcpy(x + i, &best, sizeof best);
        for (int k = 0; k < REALS; k++)
            count[i + k] = (int32_t)counts[k];
    }
}

/* ---- blocks put together */

static inline void add_one(double *sum, double *rest, double x)
{
    double s = *sum + x, back = s - *sum;
    *rest += (*sum - (s - back)) + (x - back);
    *sum = s;
}

static void add_cells(int64_t n, const double *restrict sum, const double *restrict more,
                      const int32_t *restrict some, int rows, double *restrict x, double *restrict rest,
                      int64_t *restrict count)
{
    for (int64_t i = 0; i < n; i++)
        add_one(&x[i], &rest[i], sum[i]);
    for (int64_t i = 0; more && i < n; i++)
        rest[i] += more[i];
    for (int64_t i = 0; i < n; i++)
        count[i] += some ? some[i] : rows;
}

const struct pcdf_reduce_loops LOOPS = { floats_loop, float_pairs,    integers, reals_loop,
                                         weighted,    float_extremes, extremes, add_cells };
