/* Damaged files of other formats: each is opened and all of it is read through the library, in this process.
 * It opens and its values come, or an error has a sentence, and soon; nothing is held afterwards, and memory
 * stays bounded. What parcdf-map does in its own process is an error here. mutate RUNS SEED LIST: each line
 * of LIST has the name that is opened, a tab, and the file of it that is changed, which is as before at the
 * end; the file of the run that failed stays as it was then */

#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "check.h"

enum {
    MOST_SEED = 1 << 22,
    MOST_ITEMS = 20000,
    MOST_NAME = 3000,
    MOST_VALUES = 1 << 16, /* that are read in one get */
    MOST_VARS = 40,
    MOST_DIMS = 1030,
    MOST_SECONDS = 60, /* parcdf-map is given up after 30 s of CPU, or 2 s without progress */
    MOST_MEMORY = 512  /* MiB */
};

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

static struct item {
    char *opened, *mutated;
} items[MOST_ITEMS];
static int nitems;
static uint64_t state;
static char what[2 * MOST_NAME];
static long opened, whole, crashed, ended;
static char values[MOST_VALUES * 8];

static uint64_t draw(uint64_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % n;
}

/* ---- damage */

/* Mostly where metadata is: numbers of 2, 4 and 8 bytes. */
static size_t mutate_bytes(unsigned char *x, size_t n)
{
    static const unsigned char special[] = { 0, 1, 0x7f, 0x80, 0xff, 0xfe };
    for (uint64_t changes = 1 + draw(8); changes > 0 && n > 0; changes--) {
        size_t at = draw(4) ? draw(n) : n - 1 - draw(n < 200 ? n : 200), length = 1u << draw(4);
        switch (draw(5)) {
        case 0:
            x[at] ^= (unsigned char)(1u << draw(8));
            break;
        case 1:
            for (size_t i = at; i < n && i < at + length; i++)
                x[i] = special[draw(sizeof special)];
            break;
        case 2:
            if (at + length <= n)
                memmove(x + at, x + draw(n - length + 1), length);
            break;
        case 3:
            x[at] = (unsigned char)draw(256);
            break;
        default:
            if (draw(8) == 0)
                n = n / 2 + draw(n - n / 2);
        }
    }
    return n;
}

static size_t put_word(char *x, size_t n)
{
    static const char *const words[] = { "null",
                                         "-1",
                                         "0",
                                         "1e400",
                                         "9223372036854775807",
                                         "18446744073709551615",
                                         "[]",
                                         "{}",
                                         "\"\"",
                                         "true",
                                         "4294967296",
                                         "[1,2,3]",
                                         "\"F\"",
                                         "NaN",
                                         "1.5",
                                         "[[]]",
                                         "\"<i8\"",
                                         "\"|S3\"",
                                         "\"/\"",
                                         "1000",
                                         "3",
                                         "\"..\"",
                                         "\"zstd\"",
                                         "\"blosc\"",
                                         "1000000000",
                                         "\"float64\"",
                                         "\"complex64\"",
                                         "{\"name\":\"gzip\",\"configuration\":{\"level\":1}}" };
    size_t at = draw(n), end;
    const char *word = words[draw(sizeof words / sizeof *words)];
    size_t length = strlen(word);
    while (at > 0 && x[at] != ':' && x[at] != ',' && x[at] != '[')
        at--;
    for (end = at + 1; end < n && !strchr(",]}\n", x[end]);)
        end++;
    if (end > n || n - (end - at) + length + 1 >= MOST_SEED)
        return n;
    memmove(x + at + 1 + length, x + end, n - end);
    memcpy(x + at + 1, word, length);
    return n - (end - at) + 1 + length;
}

/* Bytes that are changed, and words of JSON that take the place of others. */
static size_t mutate_text(char *x, size_t n)
{
    for (uint64_t changes = 1 + draw(3); changes > 0 && n > 1; changes--) {
        size_t at = draw(n);
        switch (draw(6)) {
        case 0:
            x[at] = (char)draw(256);
            break;
        case 1:
            x[at] ^= (char)(1 << draw(8));
            break;
        case 2: /* a digit */
            for (size_t i = 0; i < n && (x[at] < '0' || x[at] > '9'); i++)
                at = (at + 1) % n;
            x[at] = "0123456789-.e"[draw(13)];
            break;
        case 3:
        case 4:
            n = put_word(x, n);
            break;
        default:
            if (draw(4) == 0)
                n = draw(n) + 1;
        }
    }
    return n;
}

/* ---- reading */

static void judge(int err, const char *of)
{
    CHECK(!err || *parcdf_last_error(), "%s: %s: error %d without a sentence", what, of, err);
    CHECK(err != NC_EINTERNAL, "%s: %s: %s", what, of, parcdf_last_error());
}

static void read_atts(int nc, int var, int natts)
{
    char name[NC_MAX_NAME + 1];
    for (int i = 0; i < natts; i++) {
        nc_type type;
        MPI_Offset n = 0;
        CHECK_INT(ncmpi_inq_attname(nc, var, i, name), NC_NOERR);
        CHECK_INT(ncmpi_inq_att(nc, var, name, &type, &n), NC_NOERR);
        if (n < MOST_VALUES)
            judge(ncmpi_get_att(nc, var, name, values), name);
    }
}

static MPI_Datatype type_of(nc_type type)
{
    const MPI_Datatype types[] = { MPI_DATATYPE_NULL, MPI_SIGNED_CHAR,   MPI_CHAR,
                                   MPI_SHORT,         MPI_INT,           MPI_FLOAT,
                                   MPI_DOUBLE,        MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT,
                                   MPI_UNSIGNED,      MPI_LONG_LONG_INT, MPI_UNSIGNED_LONG_LONG };
    return types[type];
}

/* All of it, where it is small, or else some boxes. */
static bool read_var(int nc, int var)
{
    static MPI_Offset shape[MOST_DIMS], start[MOST_DIMS], count[MOST_DIMS];
    static int dims[MOST_DIMS];
    char name[NC_MAX_NAME + 1];
    nc_type type;
    int ndims, natts;
    MPI_Offset n = 1;
    bool is_small = true, good = true;
    CHECK_INT(ncmpi_inq_var(nc, var, name, &type, &ndims, NULL, &natts), NC_NOERR);
    read_atts(nc, var, natts);
    if (ndims > MOST_DIMS || type < NC_BYTE || type > NC_UINT64)
        return false;
    CHECK_INT(ncmpi_inq_vardimid(nc, var, dims), NC_NOERR);
    for (int i = 0; i < ndims; i++) {
        CHECK_INT(ncmpi_inq_dimlen(nc, dims[i], &shape[i]), NC_NOERR);
        is_small = is_small && shape[i] <= MOST_VALUES && (n *= shape[i]) <= MOST_VALUES;
    }
    for (int k = 0; k < (is_small ? 1 : 3); k++) {
        n = 1;
        for (int i = 0; i < ndims; i++) {
            MPI_Offset most = is_small ? shape[i] : shape[i] < MOST_VALUES / n ? shape[i] : MOST_VALUES / n;
            start[i] = is_small || shape[i] == 0 ? 0 : (MPI_Offset)draw((uint64_t)(shape[i] - most + 1));
            count[i] = most;
            n *= most > 0 ? most : 1;
        }
        for (int i = 0; i < ndims; i++)
            n = count[i] == 0 ? 0 : n;
        int err = ncmpi_get_vara_all(nc, var, start, count, values, n, type_of(type));
        judge(err, name);
        good = good && !err;
    }
    return good;
}

static void look(const char *name, MPI_Info info)
{
    int nc, nvars = 0, natts = 0, err = ncmpi_open(MPI_COMM_SELF, name, NC_NOWRITE, info, &nc);
    bool good = true;
    judge(err, "open");
    if (err) {
        crashed += strstr(parcdf_last_error(), "crashed") != NULL;
        ended += strstr(parcdf_last_error(), "did not end") != NULL ||
                 strstr(parcdf_last_error(), "killed") != NULL;
        return;
    }
    opened++;
    CHECK_INT(ncmpi_inq_nvars(nc, &nvars), NC_NOERR);
    CHECK_INT(ncmpi_inq_natts(nc, &natts), NC_NOERR);
    read_atts(nc, NC_GLOBAL, natts);
    for (int var = 0; var < nvars && var < MOST_VARS; var++)
        good &= read_var(nc, var);
    CHECK_INT(ncmpi_close(nc), NC_NOERR);
    whole += good;
}

/* ---- files */

static size_t load(const char *name, char *to)
{
    FILE *f = fopen(name, "rb");
    size_t n = f ? fread(to, 1, MOST_SEED, f) : 0;
    if (f)
        fclose(f);
    return n;
}

static void save(const char *name, const char *from, size_t n)
{
    FILE *f = fopen(name, "wb");
    if (!f || fwrite(from, 1, n, f) != n || fclose(f)) {
        perror(name);
        exit(2);
    }
}

static bool is_text(const char *name)
{
    const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name, *dot = strrchr(last, '.');
    return last[0] == '.' || (dot && !strcmp(dot, ".json"));
}

static bool read_list(const char *name)
{
    static char line[2 * MOST_NAME];
    FILE *f = fopen(name, "r");
    while (f && fgets(line, sizeof line, f) && nitems < MOST_ITEMS) {
        line[strcspn(line, "\n")] = '\0';
        char *tab = strchr(line, '\t');
        if (!tab)
            continue;
        *tab = '\0';
        items[nitems++] = (struct item){ strdup(line), strdup(tab + 1) };
    }
    if (f)
        fclose(f);
    return nitems > 0;
}

static void too_long(int number)
{
    (void)number;
    static const char sentence[] = ": it hangs\n";
    if (write(2, what, strlen(what)) < 0 || write(2, sentence, sizeof sentence - 1) < 0)
        _exit(4);
    _exit(3);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* MiB */
static long most_memory(int who)
{
    struct rusage usage;
    getrusage(who, &usage);
    return usage.ru_maxrss / 1024;
}

static double one(long k, MPI_Info info)
{
    static char seed[MOST_SEED + 1], x[MOST_SEED + 1];
    const struct item *item = &items[draw((uint64_t)nitems)];
    size_t n = load(item->mutated, seed);
    memcpy(x, seed, n);
    snprintf(what, sizeof what, "mutation %ld of %s", k, item->mutated);
    save(item->mutated, x, is_text(item->mutated) ? mutate_text(x, n) : mutate_bytes((unsigned char *)x, n));
    double from = now();
    alarm(MOST_SECONDS);
    look(item->opened, info);
    alarm(0);
    double seconds = now() - from;
    MPI_Offset held = 0;
    CHECK_INT(ncmpi_inq_malloc_size(&held), NC_NOERR);
    CHECK(held == 0, "%s: %lld bytes are held", what, (long long)held);
    if (check_bad == 0) /* else the file shows it */
        save(item->mutated, seed, n);
    return seconds;
}

int main(int argc, char **argv)
{
    long runs = argc > 3 ? atol(argv[1]) : 0;
    double slowest = 0;
    MPI_Info info;
    MPI_Init(&argc, &argv);
    if (runs == 0 || !read_list(argv[3]))
        return 2;
    signal(SIGALRM, too_long);
#ifndef SANITIZED
    struct rlimit limit = { (rlim_t)MOST_MEMORY << 20, (rlim_t)MOST_MEMORY << 20 };
    setrlimit(RLIMIT_DATA, &limit); /* whoever wants more hears that there is none */
#endif
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_debug_map_seconds", "2");
    MPI_Info_set(info, "pcdf_debug_map_memory", "512M");
    state = (uint64_t)atoll(argv[2]) * 2654435761u + 88172645463325252u;
    for (long k = 0; k < runs && check_bad == 0; k++) {
        double seconds = one(k, info);
        slowest = seconds > slowest ? seconds : slowest;
    }
    MPI_Info_free(&info);
    printf("%ld mutations: %ld opened, %ld of them read whole; %ld refused, %ld of these by a crash of "
           "parcdf-map "
           "and %ld by its limits; slowest %.2f s; most memory %ld MiB, of parcdf-map %ld MiB\n",
           runs, opened, whole, runs - opened, crashed, ended, slowest, most_memory(RUSAGE_SELF),
           most_memory(RUSAGE_CHILDREN));
#ifndef SANITIZED
    CHECK(most_memory(RUSAGE_SELF) <= MOST_MEMORY, "%ld MiB", most_memory(RUSAGE_SELF));
#endif
    CHECK(opened > 0 && opened < runs, "%ld of %ld open", opened, runs);
    MPI_Finalize();
    return check_done("mutate");
}
