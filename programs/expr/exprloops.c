/* Operations whose values are doubles: see exprloops.h. Loops that the compiler is to make vectors of: so
 * there are no calls in those of arithmetic, and no branches. */
#include "exprloops.h"
#include "exprtypes.h"

#include <math.h>

#define MISSING ((double)NAN)
#define EACH(value)                                                                                          \
    do {                                                                                                     \
        for (int i = 0; i < n; i++)                                                                          \
            to[i] = (value);                                                                                 \
    } while (0)
#define EITHER_MISSING   ((a[i] != a[i]) | (b[i] != b[i]))
#define TRUTH(condition) EACH(EITHER_MISSING ? MISSING : (condition) ? 1.0 : 0.0)

/* ---- arithmetic */

static void arithmetic(enum pcdf_expr_op op, int n, const double *restrict a, const double *restrict b,
                       double *restrict to)
{
    switch (op) {
    case PCDF_EXPR_ADD:
        EACH(a[i] + b[i]);
        break;
    case PCDF_EXPR_SUBTRACT:
        EACH(a[i] - b[i]);
        break;
    case PCDF_EXPR_MULTIPLY:
        EACH(a[i] * b[i]);
        break;
    case PCDF_EXPR_DIVIDE:
        EACH(a[i] / b[i]);
        break;
    case PCDF_EXPR_MIN:
        EACH(EITHER_MISSING ? MISSING : a[i] < b[i] ? a[i] : b[i]);
        break;
    case PCDF_EXPR_MAX:
        EACH(EITHER_MISSING ? MISSING : a[i] > b[i] ? a[i] : b[i]);
        break;
    default: /* FILL */
        EACH(a[i] != a[i] ? b[i] : a[i]);
    }
}

/* The remainder has the sign of the divisor, and a == b * floor_divide + remainder, as in Python. */
static double remainder_of(double a, double b)
{
    double r = fmod(a, b);
    if (r == 0)
        return copysign(0, b);
    return (r < 0) != (b < 0) ? r + b : r;
}

static double floor_divide(double a, double b)
{
    double r = fmod(a, b), quotient;
    if (b == 0)
        return a / b;
    quotient = (a - r) / b - (r != 0 && (r < 0) != (b < 0));
    if (quotient == 0)
        return copysign(0, a / b);
    double whole = floor(quotient);
    return quotient - whole > 0.5 ? whole + 1 : whole;
}

static void divide_whole(enum pcdf_expr_op op, bool is_integer, int n, const double *restrict a,
                         const double *restrict b, double *restrict to)
{
    if (op == PCDF_EXPR_FLOOR_DIVIDE)
        EACH(is_integer && b[i] == 0 ? MISSING : floor_divide(a[i], b[i]));
    else
        EACH(b[i] == 0 ? MISSING : remainder_of(a[i], b[i]));
}

/* ---- comparisons; and, or: of missing values only where the other one does not decide */

static void compare(enum pcdf_expr_op op, int n, const double *restrict a, const double *restrict b,
                    double *restrict to)
{
    switch (op) {
    case PCDF_EXPR_LESS:
        TRUTH(a[i] < b[i]);
        break;
    case PCDF_EXPR_LESS_EQUAL:
        TRUTH(a[i] <= b[i]);
        break;
    case PCDF_EXPR_GREATER:
        TRUTH(a[i] > b[i]);
        break;
    case PCDF_EXPR_GREATER_EQUAL:
        TRUTH(a[i] >= b[i]);
        break;
    case PCDF_EXPR_EQUAL:
        TRUTH(a[i] == b[i]);
        break;
    case PCDF_EXPR_UNEQUAL:
        TRUTH(a[i] != b[i]);
        break;
    case PCDF_EXPR_AND:
        EACH(((a[i] == 0) | (b[i] == 0)) ? 0.0 : EITHER_MISSING ? MISSING : 1.0);
        break;
    default: /* OR */
        EACH((((a[i] == a[i]) & (a[i] != 0)) | ((b[i] == b[i]) & (b[i] != 0))) ? 1.0
             : EITHER_MISSING                                                  ? MISSING
                                                                               : 0.0);
    }
}

static void choose(int n, const double *restrict c, const double *restrict a, const double *restrict b,
                   double *restrict to)
{
    EACH(c[i] != c[i] ? MISSING : c[i] != 0 ? a[i] : b[i]);
}

/* ---- functions */

/* C says that pow(1, NaN) is 1. */
static double power_of(double a, double b)
{
    return b == 2 ? a * a : b == 0.5 ? sqrt(a) : a != a || b != b ? MISSING : pow(a, b);
}

static void power(int n, const double *restrict a, const double *restrict b, double *restrict to)
{
    bool is_one = true;
    for (int i = 1; i < n; i++)
        is_one &= b[i] == b[0];
    if (is_one && b[0] == 2) /* the same as power_of, and faster */
        EACH(a[i] * a[i]);
    else if (is_one && b[0] == 0.5)
        EACH(sqrt(a[i]));
    else
        EACH(power_of(a[i], b[i]));
}

static void simple(enum pcdf_expr_op op, int n, const double *restrict a, double *restrict to)
{
    switch (op) {
    case PCDF_EXPR_NOT:
        EACH(a[i] != a[i] ? MISSING : a[i] == 0 ? 1.0 : 0.0);
        break;
    case PCDF_EXPR_NEGATE:
        EACH(-a[i]);
        break;
    case PCDF_EXPR_ABS:
        EACH(fabs(a[i]));
        break;
    case PCDF_EXPR_SIGN:
        EACH(a[i] != a[i] ? MISSING : (double)(a[i] > 0) - (double)(a[i] < 0));
        break;
    case PCDF_EXPR_MISSING:
        EACH(a[i] != a[i] ? 1.0 : 0.0);
        break;
    case PCDF_EXPR_SQRT:
        EACH(sqrt(a[i]));
        break;
    case PCDF_EXPR_RADIANS:
        EACH(a[i] * (3.14159265358979323846 / 180));
        break;
    default: /* DEGREES */
        EACH(a[i] * (180 / 3.14159265358979323846));
    }
}

static double (*const functions[PCDF_EXPR_OPS])(double) = {
    [PCDF_EXPR_FLOOR] = floor, [PCDF_EXPR_CEIL] = ceil, [PCDF_EXPR_ROUND] = rint,  [PCDF_EXPR_TRUNC] = trunc,
    [PCDF_EXPR_CBRT] = cbrt,   [PCDF_EXPR_EXP] = exp,   [PCDF_EXPR_EXPM1] = expm1, [PCDF_EXPR_LOG] = log,
    [PCDF_EXPR_LOG10] = log10, [PCDF_EXPR_LOG2] = log2, [PCDF_EXPR_LOG1P] = log1p, [PCDF_EXPR_SIN] = sin,
    [PCDF_EXPR_COS] = cos,     [PCDF_EXPR_TAN] = tan,   [PCDF_EXPR_ASIN] = asin,   [PCDF_EXPR_ACOS] = acos,
    [PCDF_EXPR_ATAN] = atan,   [PCDF_EXPR_SINH] = sinh, [PCDF_EXPR_COSH] = cosh,   [PCDF_EXPR_TANH] = tanh
};

static void call(double (*of)(double), int n, const double *a, double *to)
{
    EACH(of(a[i]));
}

static void call_both(enum pcdf_expr_op op, int n, const double *a, const double *b, double *to)
{
    if (op == PCDF_EXPR_ATAN2)
        EACH(atan2(a[i], b[i]));
    else /* C says that of an infinite number and NaN it is infinite */
        EACH(EITHER_MISSING ? MISSING : hypot(a[i], b[i]));
}

void pcdf_expr_loop(enum pcdf_expr_op op, bool is_integer, int n, const struct pcdf_expr_block *args,
                    double *to)
{
    const double *a = args[0].x, *b = args[1].x;
    switch (op) {
    case PCDF_EXPR_ADD:
    case PCDF_EXPR_SUBTRACT:
    case PCDF_EXPR_MULTIPLY:
    case PCDF_EXPR_DIVIDE:
    case PCDF_EXPR_MIN:
    case PCDF_EXPR_MAX:
    case PCDF_EXPR_FILL:
        arithmetic(op, n, a, b, to);
        break;
    case PCDF_EXPR_FLOOR_DIVIDE:
    case PCDF_EXPR_REMAINDER:
        divide_whole(op, is_integer, n, a, b, to);
        break;
    case PCDF_EXPR_POWER:
        power(n, a, b, to);
        break;
    case PCDF_EXPR_WHERE:
        choose(n, a, b, args[2].x, to);
        break;
    case PCDF_EXPR_ATAN2:
    case PCDF_EXPR_HYPOT:
        call_both(op, n, a, b, to);
        break;
    default:
        if (functions[op])
            call(functions[op], n, a, to);
        else if (op >= PCDF_EXPR_LESS && op <= PCDF_EXPR_OR)
            compare(op, n, a, b, to);
        else
            simple(op, n, a, to);
    }
}

/* ---- casts */

static int64_t cast_integer(nc_type type, int n, const double *restrict a, double *restrict to)
{
    double least = (double)pcdf_expr_least(type), most = (double)pcdf_expr_most(type);
    int64_t lost = 0;
    for (int i = 0; i < n; i++) {
        double x = trunc(a[i]);
        bool fits = (x >= least) & (x <= most);
        lost += !fits & (x == x);
        to[i] = fits ? x : MISSING;
    }
    return lost;
}

int64_t pcdf_expr_cast(nc_type type, int n, const struct pcdf_expr_block *arg, double *to)
{
    const double *a = arg->x;
    if (pcdf_expr_is_integer(type))
        return cast_integer(type, n, a, to);
    if (type == NC_FLOAT)
        EACH((double)(float)a[i]);
    else
        EACH(a[i]);
    return 0;
}
