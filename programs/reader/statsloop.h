/* The loops of stats over a block, to be compiled for a processor: LOOPS is the name of the table, VECTOR the
 * bytes of its registers. No guard: a file includes it once, with its own two words. Lanes are always the
 * same number, so the sums are, on every processor. */

enum { PER = VECTOR / 8, WIDE = PCDF_STATS_LANES / PER };
typedef double real_lanes __attribute__((vector_size(VECTOR)));
typedef int64_t int_lanes __attribute__((vector_size(VECTOR)));

/* The lanes of a where mask is all ones, of b where it is zero. */
#define CHOSEN(mask, a, b) ((real_lanes)(((int_lanes)(a) & (mask)) | ((int_lanes)(b) & ~(mask))))

#define DECODE(name, bits, value)                                                                            \
    static void decode_##name(const unsigned char *bytes, int n, double *x)                                  \
    {                                                                                                        \
        for (int i = 0; i < n; i++) {                                                                        \
            uint##bits##_t raw;                                                                              \
            memcpy(&raw, bytes + (size_t)i * sizeof raw, sizeof raw);                                        \
            raw = HOST##bits(raw);                                                                           \
            x[i] = (double)(value);                                                                          \
        }                                                                                                    \
    }
#define HOST8(raw)  (raw)
#define HOST16(raw) be16toh(raw)
#define HOST32(raw) be32toh(raw)
#define HOST64(raw) be64toh(raw)

static inline float as_float(uint32_t raw)
{
    float x;
    memcpy(&x, &raw, sizeof x);
    return x;
}

static inline double as_double(uint64_t raw)
{
    double x;
    memcpy(&x, &raw, sizeof x);
    return x;
}

DECODE(byte, 8, (int8_t)raw)
DECODE(ubyte, 8, raw)
DECODE(short, 16, (int16_t)raw)
DECODE(ushort, 16, raw)
DECODE(int, 32, (int32_t)raw)
DECODE(uint, 32, raw)
DECODE(float, 32, as_float(raw))
DECODE(double, 64, as_double(raw))

static void decode(nc_type type, const unsigned char *bytes, int n, double *x)
{
    static void (*const by_type[PCDF_TYPE_ROWS])(const unsigned char *, int, double *) = {
        [NC_BYTE] = decode_byte,     [NC_UBYTE] = decode_ubyte,  [NC_SHORT] = decode_short,
        [NC_USHORT] = decode_ushort, [NC_INT] = decode_int,      [NC_UINT] = decode_uint,
        [NC_FLOAT] = decode_float,   [NC_DOUBLE] = decode_double
    };
    by_type[type](bytes, n, x);
}

static void decode64(const unsigned char *bytes, int n, uint64_t turn, int64_t *x)
{
    for (int i = 0; i < n; i++) {
        uint64_t raw;
        memcpy(&raw, bytes + (size_t)i * sizeof raw, sizeof raw);
        x[i] = (int64_t)(be64toh(raw) ^ turn);
    }
}

struct lanes {
    real_lanes lo[WIDE], hi[WIDE], sum[WIDE];
    int_lanes valid[WIDE], fills[WIDE];
};

static void begin_lanes(struct lanes *l)
{
    const real_lanes zero = { 0 };
    for (int w = 0; w < WIDE; w++) {
        l->lo[w] = zero + (double)INFINITY;
        l->hi[w] = zero - (double)INFINITY;
        l->sum[w] = zero;
        l->valid[w] = l->fills[w] = (int_lanes){ 0 };
    }
}

static void end_lanes(const struct lanes *l, struct pcdf_stats_block *b)
{
    *b = (struct pcdf_stats_block){ .lo = (double)INFINITY, .hi = -(double)INFINITY };
    for (int i = 0; i < PCDF_STATS_LANES; i++) {
        int w = i / PER, j = i % PER;
        b->lo = l->lo[w][j] < b->lo ? l->lo[w][j] : b->lo;
        b->hi = l->hi[w][j] > b->hi ? l->hi[w][j] : b->hi;
        b->mean += l->sum[w][j];
        b->n += l->valid[w][j];
        b->fills += l->fills[w][j];
    }
}

/* Most blocks are full and have valid values only: NaN and infinities would be in the sum, fill values are
 * looked for. false: it is not such a block. */
static bool skim(const double *x, int n, const double *holes, struct pcdf_stats_block *b)
{
    const real_lanes zero = { 0 }, a = zero + holes[0], c = zero + holes[1];
    struct lanes l;

    begin_lanes(&l);
    for (int i = 0; i < n; i += PCDF_STATS_LANES) {
        for (int w = 0; w < WIDE; w++) {
            real_lanes v;
            memcpy(&v, x + i + w * PER, sizeof v);
            l.sum[w] += v;
            l.lo[w] = CHOSEN(v < l.lo[w], v, l.lo[w]);
            l.hi[w] = CHOSEN(v > l.hi[w], v, l.hi[w]);
            l.fills[w] |= (v == a) | (v == c);
        }
    }
    end_lanes(&l, b);
    b->n = n;
    return b->fills == 0 && isfinite(b->mean);
}

static void survey(double *x, int n, const double *holes, struct pcdf_stats_block *b)
{
    const real_lanes zero = { 0 }, none = zero + (double)INFINITY, most = zero + DBL_MAX;
    const real_lanes a = zero + holes[0], c = zero + holes[1];
    const int_lanes magnitude = (int_lanes){ 0 } + INT64_MAX;
    struct lanes l;

    if (n % PCDF_STATS_LANES == 0 && skim(x, n, holes, b))
        return;
    for (int i = n; i < n + PCDF_STATS_LANES; i++)
        x[i] = (double)NAN;
    begin_lanes(&l);
    for (int i = 0; i < n; i += PCDF_STATS_LANES) {
        for (int w = 0; w < WIDE; w++) {
            real_lanes v;
            memcpy(&v, x + i + w * PER, sizeof v);
            int_lanes hole = (v == a) | (v == c);
            int_lanes ok = ((real_lanes)((int_lanes)v & magnitude) <= most) & ~hole; /* false for NaN */
            real_lanes low = CHOSEN(ok, v, none), high = CHOSEN(ok, v, -none);
            l.sum[w] += (real_lanes)((int_lanes)v & ok);
            l.lo[w] = CHOSEN(low < l.lo[w], low, l.lo[w]);
            l.hi[w] = CHOSEN(high > l.hi[w], high, l.hi[w]);
            l.valid[w] -= ok;
            l.fills[w] -= hole;
        }
    }
    end_lanes(&l, b);
}

static void spread(double *x, int n, struct pcdf_stats_block *b)
{
    const real_lanes zero = { 0 }, mean = zero + b->mean;
    real_lanes rest[WIDE], squares[WIDE];

    for (int i = n; i < n + PCDF_STATS_LANES; i++)
        x[i] = b->mean;
    for (int w = 0; w < WIDE; w++)
        rest[w] = squares[w] = zero;
    for (int i = 0; i < n; i += PCDF_STATS_LANES) {
        for (int w = 0; w < WIDE; w++) {
            real_lanes v;
            memcpy(&v, x + i + w * PER, sizeof v);
            v -= mean;
            rest[w] += v;
            squares[w] += v * v;
        }
    }
    b->rest = b->m2 = 0;
    for (int i = 0; i < PCDF_STATS_LANES; i++) {
        b->rest += rest[i / PER][i % PER];
        b->m2 += squares[i / PER][i % PER];
    }
}

const struct pcdf_stats_loops LOOPS = { decode, decode64, survey, spread };
