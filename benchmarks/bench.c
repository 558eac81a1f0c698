#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <pnetcdf.h>

static const char *program = "benchmark";
static bool shows_progress;
static const char *to_remove;
static int failure = 1;

/* The parent of a process and the first letters of its name; 0: the system does not tell. */
static int parent_of(int process, char name[16])
{
    char path[64], line[256];
    int parent = 0;
    name[0] = '\0';
    snprintf(path, sizeof path, "/proc/%d/status", process);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        sscanf(line, "Name: %15s", name);
        if (sscanf(line, "PPid: %d", &parent) == 1)
            break;
    }
    if (f)
        fclose(f);
    return parent;
}

/* mpiexec puts a pipe between its terminal and the ranks, so ask where the stderr of the launcher goes. */
static bool launcher_on_terminal(void)
{
    static const char *const launchers[] = { "mpiexec", "mpirun", "orterun", "prterun", "srun" };
    char name[16], path[64], target[64];
    int process = getpid();
    for (int level = 0; level < 5 && process > 1; level++) {
        int parent = parent_of(process, name);
        for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
            if (strncmp(name, launchers[i], strlen(launchers[i])) != 0)
                continue;
            snprintf(path, sizeof path, "/proc/%d/fd/2", process);
            ssize_t n = readlink(path, target, sizeof target - 1);
            target[n > 0 ? n : 0] = '\0';
            return strncmp(target, "/dev/pts/", 9) == 0 || strncmp(target, "/dev/tty", 8) == 0;
        }
        process = parent;
    }
    return false;
}

void bench_start(const char *name, bool is_root)
{
    program = name;
    shows_progress = is_root && (isatty(STDERR_FILENO) || launcher_on_terminal());
}

/* --- options
 * ------------------------------------------------------------------------------------------------ */

static void print_help(const struct bench_option *options, int n, const char *about)
{
    printf("%s\n\n", about);
    for (int i = 0; i < n; i++) {
        char left[64];
        const struct bench_option *o = &options[i];
        snprintf(left, sizeof left, "%s%s%s%s", o->name[1] ? "--" : "-", o->name, o->value ? " " : "",
                 o->value ? o->value : "");
        printf("  %-24s %s", left, o->help);
        if (o->kind == 'n')
            printf(" [%lld]", (long long)*(int64_t *)o->to);
        else if (o->kind == 't' && *(const char **)o->to)
            printf(" [%s]", *(const char **)o->to);
        printf("\n");
    }
    printf("  %-24s %s\n", "--help", "this text");
}

static const struct bench_option *find_option(const struct bench_option *options, int n, const char *arg,
                                              size_t length)
{
    for (int i = 0; i < n; i++) {
        size_t dashes = options[i].name[1] ? 2 : 1;
        if (strncmp(arg, "--", dashes) == 0 && strlen(options[i].name) == length - dashes &&
            strncmp(arg + dashes, options[i].name, length - dashes) == 0)
            return &options[i];
    }
    return NULL;
}

static bool set_option(const struct bench_option *o, const char *value)
{
    if (o->kind == 't') {
        *(const char **)o->to = value;
        return true;
    }
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (errno || end == value || *end || number < 0)
        return false;
    *(int64_t *)o->to = number;
    return true;
}

/* Control characters of an argument or a path do not reach the terminal. */
static void say_plainly(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        fprintf(stderr, *c < ' ' || *c == 0x7f ? "\\x%02X" : "%c", *c);
}

static int usage(bool speak, const char *sentence, const char *arg)
{
    if (!speak)
        return BENCH_USAGE;
    fprintf(stderr, "%s: %s ", program, sentence);
    say_plainly(arg);
    fputs(" (see --help)\n", stderr);
    return BENCH_USAGE;
}

int bench_options(int argc, char **argv, const struct bench_option *options, int n, const char *about,
                  bool speak)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            if (speak)
                print_help(options, n, about);
            return BENCH_HELP;
        }
        size_t length = strcspn(argv[i], "=");
        const struct bench_option *o =
            length > 1 && argv[i][0] == '-' ? find_option(options, n, argv[i], length) : NULL;
        if (!o)
            return usage(speak, "unknown argument", argv[i]);
        bool has_value = argv[i][length] == '=';
        if (o->kind == 'f' && !has_value) {
            *(bool *)o->to = true;
            continue;
        }
        if (o->kind == 'f')
            return usage(speak, "no value belongs to", argv[i]);
        if (!has_value && i + 1 == argc)
            return usage(speak, "a value is missing after", argv[i]);
        const char *value = has_value ? argv[i] + length + 1 : argv[++i];
        if (!set_option(o, value))
            return usage(speak, "not a number:", value);
    }
    return BENCH_GO;
}

/* --- numbers
 * ------------------------------------------------------------------------------------------------ */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct bench_stats bench_stats(double *x, int n)
{
    if (n == 0)
        return (struct bench_stats){ 0, 0, 0 };
    qsort(x, (size_t)n, sizeof *x, by_size);
    return (struct bench_stats){ x[0], (x[(n - 1) / 2] + x[n / 2]) / 2, x[n - 1] };
}

struct bench_stats bench_stats_all(MPI_Comm comm, const double *mine, int n)
{
    int size;
    PMPI_Comm_size(comm, &size);
    double *all = bench_alloc((size_t)size * (size_t)n, sizeof *all);
    PMPI_Allgather(mine, n, MPI_DOUBLE, all, n, MPI_DOUBLE, comm);
    struct bench_stats stats = bench_stats(all, size * n);
    free(all);
    return stats;
}

double bench_max_all(MPI_Comm comm, double mine)
{
    double most;
    PMPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, comm);
    return most;
}

int64_t bench_sum_all(MPI_Comm comm, int64_t mine)
{
    int64_t sum;
    PMPI_Allreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, comm);
    return sum;
}

int64_t bench_largest_all(MPI_Comm comm, int64_t mine)
{
    int64_t most;
    PMPI_Allreduce(&mine, &most, 1, MPI_INT64_T, MPI_MAX, comm);
    return most;
}

double bench_seconds(void)
{
    return PMPI_Wtime();
}

int64_t bench_peak_kib(void)
{
    char line[256];
    long long kib = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmHWM: %lld kB", &kib) == 1)
            break;
    if (f)
        fclose(f);
    return kib;
}

/* --- ends
 * --------------------------------------------------------------------------------------------------- */

void bench_remove_on_failure(const char *path)
{
    to_remove = path;
}

void bench_fail_with(int status)
{
    failure = status;
}

const char *bench_program(void)
{
    return program;
}

void bench_fail(const char *format, ...)
{
    va_list args;
    int rank = 0, size = 1;
    char sentence[512];
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "%s: rank %d: ", program, rank);
    say_plainly(sentence);
    fputc('\n', stderr);
    fflush(NULL);
    if (to_remove)
        unlink(to_remove);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size == 1) /* nobody waits, and MPI_Abort would add a page of its own */
        _exit(failure);
    PMPI_Abort(MPI_COMM_WORLD, failure);
    abort();
}

void bench_check(int err, const char *what, const char *name)
{
    if (err != NC_NOERR)
        bench_fail("%s %s: %s", what, name, ncmpi_strerror(err));
}

void bench_fsync(const char *path)
{
    int fd = open(path, O_RDWR);
    if (fd < 0 || fsync(fd) || close(fd))
        bench_fail("syncing %s: %s", path, strerror(errno));
}

void *bench_grow(void *old, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        bench_fail("%zu times %zu bytes do not fit in memory", n, size);
    void *memory = realloc(old, bytes ? bytes : 1);
    if (!memory)
        bench_fail("no memory for %zu bytes", bytes);
    return memory;
}

void *bench_alloc(size_t n, size_t size)
{
    void *memory = bench_grow(NULL, n, size);
    memset(memory, 0, n * size);
    return memory;
}

/* --- JSON
 * --------------------------------------------------------------------------------------------------- */

/* Leads and what follows them; that is enough for what must be readable JSON. */
static bool is_utf8(const unsigned char *c)
{
    while (*c) {
        int more = *c < 0x80 ? 0 : *c >= 0xf0 && *c < 0xf5 ? 3 : *c >= 0xe0 && *c < 0xf0 ? 2 : 1;
        if (more == 1 && (*c < 0xc2 || *c >= 0xe0))
            return false;
        for (c++; more > 0; more--)
            if ((*c++ & 0xc0) != 0x80)
                return false;
    }
    return true;
}

static void json_string(FILE *f, const char *text)
{
    bool is_text = is_utf8((const unsigned char *)text);
    fputc('"', f);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c >= 0x80 && !is_text)
            fputs("\\ufffd", f);
        else if (*c == '"' || *c == '\\')
            fprintf(f, "\\%c", *c);
        else if (*c < ' ')
            fprintf(f, "\\u%04x", *c);
        else
            fputc(*c, f);
    fputc('"', f);
}

static void json_key(struct bench_json *j, const char *key)
{
    if (j->comma)
        fputc(',', j->f);
    j->comma = true;
    if (key) {
        json_string(j->f, key);
        fputc(':', j->f);
    }
}

void bench_json_begin(struct bench_json *j, const char *key, char bracket)
{
    json_key(j, key);
    fputc(bracket, j->f);
    j->comma = false;
}

void bench_json_end(struct bench_json *j, char bracket)
{
    fputc(bracket == '{' ? '}' : ']', j->f);
    j->comma = true;
}

void bench_json_text(struct bench_json *j, const char *key, const char *value)
{
    json_key(j, key);
    json_string(j->f, value);
}

void bench_json_int(struct bench_json *j, const char *key, int64_t value)
{
    json_key(j, key);
    fprintf(j->f, "%lld", (long long)value);
}

void bench_json_real(struct bench_json *j, const char *key, double value)
{
    json_key(j, key);
    fprintf(j->f, "%.9g", value);
}

void bench_json_stats(struct bench_json *j, const char *key, struct bench_stats s)
{
    bench_json_begin(j, key, '{');
    bench_json_real(j, "min", s.min);
    bench_json_real(j, "median", s.median);
    bench_json_real(j, "max", s.max);
    bench_json_end(j, '{');
}

/* --- progress
 * ----------------------------------------------------------------------------------------------- */

void bench_progress(const char *what, int64_t done, int64_t total)
{
    static double last;
    enum { WIDTH = 40 };
    char bar[WIDTH + 1];
    if (!shows_progress || total <= 0 || (done < total && bench_seconds() - last < 0.1))
        return;
    last = bench_seconds();
    int full = (int)(done * WIDTH / total);
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i < full ? '#' : '.';
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r%-8s [%s] %3d %%%s", what, bar, (int)(done * 100 / total),
            done == total ? "\r\033[K" : "");
    fflush(stderr);
}

/* --- main
 * -------------------------------------------------------------------------------------------------------- */

static bool is_root(void)
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

int bench_begin(int *argc, char ***argv, const char *name, const char *about,
                const struct bench_option *options, int n)
{
    MPI_Init(argc, argv);
    bench_start(name, is_root());
    return bench_options(*argc, *argv, options, n, about, is_root());
}

int bench_misused(const char *what)
{
    if (!is_root())
        return BENCH_USAGE;
    fprintf(stderr, "%s: ", program);
    say_plainly(what);
    fputc('\n', stderr);
    return BENCH_USAGE;
}

int bench_end(int code)
{
    MPI_Finalize();
    return code == BENCH_USAGE ? 2 : 0;
}

void bench_path(char path[BENCH_PATH], const char *folder, const char *name)
{
    if (snprintf(path, BENCH_PATH, "%s/%s", folder, name) >= BENCH_PATH)
        bench_fail("the folder's name is too long");
}
