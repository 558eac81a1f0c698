/* A program of random steps on one file, which are the same for a seed on any number of ranks: puts of parts
 * of records and of fixed variables, redefs that add attributes and variables and rename them, syncs. It goes
 * on where a killed one stopped: what is in the file must be what all finished steps left, or one more.
 *
 *   wander run SEED STEPS FILE DONE      DONE: a byte is appended for each step that all ranks finished
 *   wander check SEED STEPS FILE DONE    looks only, one rank */
#include <fcntl.h>
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "check.h"

enum {
    MOST_VARS = 8,
    MOST_RECORDS = 12,
    MOST_LENGTH = 900,
    MOST_TEXT = 8000,
    MOST = MOST_RECORDS * MOST_LENGTH
};

struct variable {
    bool is_record;
    int length, name; /* the name is a number */
    unsigned char written[MOST];
};

struct model {
    struct variable vars[MOST_VARS];
    int nvars, records, text;
};

static int rank, size;
static uint64_t seed;
static int values[MOST];

/* ---- what the steps are */

static uint64_t random_of(int step, int which)
{
    uint64_t x = seed * 0x9e3779b97f4a7c15u + (uint64_t)step * 1000003 + (uint64_t)which * 7919;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static int pick(int step, int which, int n)
{
    return (int)(random_of(step, which) % (uint64_t)n);
}

static int value_of(int var, int index)
{
    return var * 1000003 + index * 31 + 7;
}

static void add_variable(struct model *m, int step, int which)
{
    struct variable *v = &m->vars[m->nvars];
    memset(v, 0, sizeof *v);
    v->is_record = m->nvars == 0 || pick(step, which, 3) > 0;
    v->length = 1 + pick(step, which + 1, MOST_LENGTH - 1);
    v->name = m->nvars++;
}

enum kind { CREATE, PUT, REDEF, SYNC };

static enum kind kind_of(int step)
{
    int die = pick(step, 0, 10);
    return step == 0 ? CREATE : die < 5 ? PUT : die < 9 ? REDEF : SYNC;
}

struct part { /* of one variable */
    int var, record, from, to;
};

static struct part part_of(const struct model *m, int step)
{
    struct part p = { .var = pick(step, 1, m->nvars) };
    const struct variable *v = &m->vars[p.var];
    int most = m->records + 2 < MOST_RECORDS ? m->records + 2 : MOST_RECORDS;
    p.record = v->is_record ? pick(step, 2, most) : 0;
    p.from = pick(step, 3, v->length);
    p.to = p.from + 1 + pick(step, 4, v->length - p.from);
    return p;
}

static void apply(struct model *m, int step)
{
    switch (kind_of(step)) {
    case CREATE:
        *m = (struct model){ .text = 20 };
        add_variable(m, step, 10);
        add_variable(m, step, 20);
        break;
    case PUT: {
        struct part p = part_of(m, step);
        struct variable *v = &m->vars[p.var];
        memset(v->written + p.record * v->length + p.from, 1, (size_t)(p.to - p.from));
        if (v->is_record && p.record >= m->records)
            m->records = p.record + 1;
        break;
    }
    case REDEF:
        m->text = pick(step, 1, MOST_TEXT) + 1;
        if (m->nvars < MOST_VARS && pick(step, 2, 2))
            add_variable(m, step, 10);
        m->vars[pick(step, 3, m->nvars)].name = 100 + step;
        break;
    default:
        break;
    }
}

/* ---- the steps, on the file */

#define NC(call)                                                                                             \
    do {                                                                                                     \
        int nc_got_ = (call);                                                                                \
        CHECK(nc_got_ == NC_NOERR, "seed %llu rank %d: %s: %s", (unsigned long long)seed, rank,              \
              ncmpi_strerrno(nc_got_), parcdf_last_error());                                                 \
    } while (0)

static void name_of(const struct variable *v, char name[32])
{
    snprintf(name, 32, "variable_%d", v->name);
}

static void define(int ncid, const struct variable *v)
{
    char name[32], length[40];
    int dims[2], id;
    name_of(v, name);
    snprintf(length, sizeof length, "of_%s", name);
    NC(ncmpi_inq_dimid(ncid, "time", &dims[0]));
    NC(ncmpi_def_dim(ncid, length, v->length, &dims[1]));
    NC(ncmpi_def_var(ncid, name, NC_INT, v->is_record ? 2 : 1, v->is_record ? dims : dims + 1, &id));
}

static void put_text(int ncid, int n)
{
    static char text[MOST_TEXT];
    memset(text, 't', sizeof text);
    NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "history", n, text));
}

static int create(const char *path, const struct model *m, MPI_Info info)
{
    int ncid, dim, mode = seed % 3 == 0 ? 0 : seed % 3 == 1 ? NC_64BIT_OFFSET : NC_64BIT_DATA;
    NC(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | mode, info, &ncid));
    NC(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dim));
    for (int i = 0; i < m->nvars; i++)
        define(ncid, &m->vars[i]);
    put_text(ncid, m->text);
    NC(ncmpi_enddef(ncid));
    NC(ncmpi_sync(ncid));
    return ncid;
}

static void put(int ncid, const struct part *p, const struct model *m)
{
    const struct variable *v = &m->vars[p->var];
    int n = p->to - p->from, from = p->from + n * rank / size, to = p->from + n * (rank + 1) / size;
    const MPI_Offset start[2] = { p->record, from }, count[2] = { 1, to - from };
    for (int i = from; i < to; i++)
        values[i - from] = value_of(p->var, p->record * v->length + i);
    NC(ncmpi_put_vara_int_all(ncid, p->var, v->is_record ? start : start + 1,
                              v->is_record ? count : count + 1, values));
}

static void change(int ncid, const struct model *was, const struct model *now)
{
    char name[32];
    NC(ncmpi_redef(ncid));
    put_text(ncid, now->text);
    for (int i = 0; i < now->nvars; i++) {
        struct variable fresh = now->vars[i];
        fresh.name = i < was->nvars ? fresh.name : i;
        if (i >= was->nvars)
            define(ncid, &fresh);
        name_of(&now->vars[i], name);
        if (i >= was->nvars ? now->vars[i].name != i : now->vars[i].name != was->vars[i].name)
            NC(ncmpi_rename_var(ncid, i, name));
    }
    NC(ncmpi_enddef(ncid));
}

/* ---- is the file what steps left? */

static bool has_definitions(int ncid, const struct model *m)
{
    int nvars = 0;
    MPI_Offset text = 0;
    char name[NC_MAX_NAME + 1], want[32];
    if (ncmpi_inq_nvars(ncid, &nvars) || nvars != m->nvars ||
        ncmpi_inq_attlen(ncid, NC_GLOBAL, "history", &text) || text != m->text)
        return false;
    for (int i = 0; i < nvars; i++) {
        name_of(&m->vars[i], want);
        if (ncmpi_inq_varname(ncid, i, name) || strcmp(name, want) != 0)
            return false;
    }
    return true;
}

static void check_values(int ncid, const struct model *m, const char *path)
{
    static int got[MOST];
    for (int i = 0; i < m->nvars; i++) {
        const struct variable *v = &m->vars[i];
        const MPI_Offset none[2] = { 0, 0 }, start = 0, count[2] = { m->records, v->length };
        const MPI_Offset *from = v->is_record ? none : &start, *n = v->is_record ? count : count + 1;
        int total = v->is_record ? m->records * v->length : v->length, bad = 0;
        int err = total ? ncmpi_get_vara_int_all(ncid, i, from, n, got) : NC_NOERR;
        CHECK(err == NC_NOERR || err == NC_ETRUNC, "%s: %s", path, ncmpi_strerrno(err));
        for (int k = 0; k < total; k++)
            bad += v->written[k] && got[k] != value_of(i, k);
        CHECK(bad == 0, "seed %llu, %s: %d values of variable %d are lost", (unsigned long long)seed, path,
              bad, i);
    }
}

/* What `done` steps left, or one more; returns how many. */
static int check_file(int ncid, struct model *m, int done, int steps, const char *path)
{
    static struct model next;
    MPI_Offset records = -1;
    next = *m;
    if (done < steps)
        apply(&next, done);
    bool is_next = !has_definitions(ncid, m);
    CHECK(!is_next || has_definitions(ncid, &next),
          "seed %llu, %s: neither the definitions of step %d nor of the next", (unsigned long long)seed, path,
          done);
    NC(ncmpi_inq_dimlen(ncid, 0, &records));
    CHECK(records >= m->records && records <= next.records, "seed %llu, %s: %lld records, not %d to %d",
          (unsigned long long)seed, path, (long long)records, m->records, next.records);
    check_values(ncid, is_next ? &next : m, path);
    if (is_next)
        *m = next;
    return done + is_next;
}

/* ---- */

static void run(const char *path, const char *done_path, int done, int steps)
{
    static struct model m, was;
    MPI_Info info;
    int ncid = -1;
    MPI_Info_create(&info);
    MPI_Info_set(info, "nc_data_move_chunk_size", "4096");
    for (int i = 0; i < done; i++)
        apply(&m, i);
    if (done > 0) {
        NC(ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, info, &ncid));
        if (check_bad)
            MPI_Abort(MPI_COMM_WORLD, 1);
        done = check_file(ncid, &m, done, steps, path);
    }
    int fd = rank == 0 ? open(done_path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    for (int i = 0; rank == 0 && i < done; i++)
        CHECK_INT(write(fd, "+", 1), 1);
    for (; done < steps && !check_bad; done++) {
        was = m;
        apply(&m, done);
        enum kind kind = kind_of(done);
        struct part p = kind == PUT ? part_of(&was, done) : (struct part){ 0 };
        if (kind == CREATE)
            ncid = create(path, &m, info);
        else if (kind == PUT)
            put(ncid, &p, &m);
        else if (kind == REDEF)
            change(ncid, &was, &m);
        else
            NC(ncmpi_sync(ncid));
        (void)parcdf_wait(NULL); /* with pcdf_async a step is finished when it is in the file */
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            CHECK_INT(write(fd, "+", 1), 1);
    }
    NC(ncmpi_close(ncid));
    MPI_Info_free(&info);
}

static void look(const char *path, int done, int steps)
{
    static struct model m;
    int ncid = -1;
    for (int i = 0; i < done; i++)
        apply(&m, i);
    NC(ncmpi_open(MPI_COMM_SELF, path, NC_NOWRITE, MPI_INFO_NULL, &ncid));
    if (ncid >= 0) {
        (void)check_file(ncid, &m, done, steps, path);
        NC(ncmpi_close(ncid));
    }
}

int main(int argc, char **argv)
{
    struct stat st = { 0 };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    alarm(100);
    CHECK(argc == 6, "usage: wander run|check SEED STEPS FILE DONE");
    if (argc == 6) {
        seed = strtoull(argv[2], NULL, 10);
        (void)stat(argv[5], &st);
        MPI_Barrier(MPI_COMM_WORLD);
        if (strcmp(argv[1], "run") == 0)
            run(argv[4], argv[5], (int)st.st_size, atoi(argv[3]));
        else
            look(argv[4], (int)st.st_size, atoi(argv[3]));
    }
    MPI_Finalize();
    return rank == 0 || check_bad ? check_done("wander") : 0;
}
