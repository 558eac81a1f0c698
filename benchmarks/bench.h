#ifndef BENCH_H
#define BENCH_H
/* What all benchmarks share: options, statistics, JSON, progress, memory. Programs use the public API alone,
 * so the same source runs on any library that offers it. Communication here is by PMPI_ names, which are not
 * counted. */

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* --- options: --name VALUE, --name=VALUE or a flag --name; all ranks read the same arguments
 * ---------------- */

struct bench_option {
    const char *name;  /* without the dashes; one letter: -x */
    char kind;         /* 'n' number (int64_t), 't' text (const char *), 'f' flag (bool) */
    void *to;          /* holds the default before */
    const char *value; /* how the value is called in --help */
    const char *help;
};

enum { BENCH_GO = 0, BENCH_HELP = 1, BENCH_USAGE = 2 };

/* speak: this rank prints (help to stdout, mistakes to stderr). BENCH_GO, BENCH_HELP or BENCH_USAGE. */
int bench_options(int argc, char **argv, const struct bench_option *options, int n, const char *about,
                  bool speak);

/* A whole main: MPI_Init, the program's name, its options on rank 0's behalf; BENCH_GO, ... */
int bench_begin(int *argc, char ***argv, const char *name, const char *about,
                const struct bench_option *options, int n);
/* Says on rank 0 what is wrong with the options' values. BENCH_USAGE. */
int bench_misused(const char *what);
int bench_end(int code); /* MPI_Finalize; the exit status */

/* The file `name` in `folder`. Ends the program when that is too long. */
enum { BENCH_PATH = 4096 };
void bench_path(char path[BENCH_PATH], const char *folder, const char *name);

/* --- numbers
 * ------------------------------------------------------------------------------------------------ */

struct bench_stats {
    double min, median, max;
};

struct bench_stats bench_stats(double *x, int n); /* sorts x */
/* Statistics of `n` numbers of each rank together. Collective; every rank has the result. */
struct bench_stats bench_stats_all(MPI_Comm comm, const double *mine, int n);
double bench_max_all(MPI_Comm comm, double mine);
int64_t bench_sum_all(MPI_Comm comm, int64_t mine);
int64_t bench_largest_all(MPI_Comm comm, int64_t mine);

double bench_seconds(void);
/* Most KiB this process ever held (VmHWM); 0 where the system does not tell. */
int64_t bench_peak_kib(void);

/* --- memory: never NULL; ends the program with a sentence when there is none -------------------------------
 */

void *bench_alloc(size_t n, size_t size);
void *bench_grow(void *old, size_t n, size_t size);

/* The file that bench_fail removes, NULL none: no failure leaves a part of one. `path` must stay. */
void bench_remove_on_failure(const char *path);
const char *bench_program(void);
/* Ends the program on all ranks, with exit status 1, or what bench_fail_with said: "program: rank 3:
 * sentence". */
void bench_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void bench_fail_with(int status);
/* Ends the program when err is not NC_NOERR, with ncmpi_strerror(err). */
void bench_check(int err, const char *what, const char *name);
/* This rank opens the file by open(2) and waits until its bytes are on the disk, which PnetCDF leaves to the
 * file system. Ends the program where that fails. */
void bench_fsync(const char *path);

/* --- JSON: one object on one line
 * --------------------------------------------------------------------------- */

struct bench_json {
    FILE *f;
    bool comma;
};

void bench_json_begin(struct bench_json *j, const char *key, char bracket); /* '{' or '['; key NULL: none */
void bench_json_end(struct bench_json *j, char bracket);
void bench_json_text(struct bench_json *j, const char *key, const char *value);
void bench_json_int(struct bench_json *j, const char *key, int64_t value);
void bench_json_real(struct bench_json *j, const char *key, double value);
void bench_json_stats(struct bench_json *j, const char *key, struct bench_stats s);

/* --- a bar on stderr, on rank 0, where stderr (or the launcher's) is a terminal; at most ten times a second
 * --------------------- */

void bench_progress(const char *what, int64_t done, int64_t total); /* done == total ends the line */
void bench_start(const char *program, bool is_root); /* names the program, before anything else */
#endif
