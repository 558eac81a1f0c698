/* Fixes that no crash loses what a sync acknowledged by logs of puts (hint pcdf_stage_dir): a session is
 * recorded, and after each call every kill, and power cuts with subsets of the unsynced sectors of the file
 * and of all logs, are built, and recovered by an open for writing or as `parcdf repair --stage` does.
 *
 *   staged_states run FILE DIR [later]     the session, on any number of ranks, with the shim; later: closes
 * in the background staged_states judge LOG FOLDER SUBSETS N   what it left, in FOLDER; at least N distinct
 * states, of which a tenth needed their logs */

#include <dirent.h>
#include <dlfcn.h>
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "check.h"
#include "crc32c.h"
#include "decode.h"
#include "recordedinode.h"
#include "sidecar.h"
#include "stagefile.h"
#include "stagereplay.h"
#include "status.h"
#include "world.h"

/* ---- the session */

enum { ELEMENTS = 200, STEPS = 11 }; /* of a rank: two sectors */

static int rank, ranks, values[ELEMENTS];
static shim_note_fn *shim_note;

static void must(int err, const char *what)
{
    if (err == NC_NOERR)
        return;
    fprintf(stderr, "%s: %s %s\n", what, ncmpi_strerror(err), parcdf_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* From now on this many records, and this value of `last`, outlive a crash. */
static void note(int records)
{
    char text[20];
    snprintf(text, sizeof text, "records %d", records);
    if (rank == 0)
        shim_note(text);
}

static MPI_Info hints(const char *dir, bool later)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_async", "4194304");
    MPI_Info_set(info, "pcdf_debug_async_rate",
                 "1"); /* the thread writes once, then only if somebody waits */
    MPI_Info_set(info, "pcdf_stage_dir", dir);
    MPI_Info_set(info, "pcdf_async_close", later ? "true" : "false");
    return info;
}

static void put(int ncid, int step)
{
    const MPI_Offset start[] = { step, (MPI_Offset)rank * ELEMENTS }, count[] = { 1, ELEMENTS };
    for (int i = 0; i < ELEMENTS; i++)
        values[i] = 100 * (step + 1) + rank;
    must(ncmpi_put_vara_int_all(ncid, 0, start, count, values), "record");
    must(ncmpi_put_vara_int_all(ncid, 1, start + 1, count + 1, values), "last");
}

static void sync_it(int ncid, int records)
{
    must(ncmpi_sync(ncid), "sync");
    note(records);
}

static void between(int ncid, int step)
{
    if (step == 3)
        must(ncmpi_flush(ncid), "flush");
    if (step == 6) {
        must(ncmpi_redef(ncid), "redef");
        must(ncmpi_put_att_int(ncid, NC_GLOBAL, "redefined", NC_INT, 1, &step), "attribute");
        must(ncmpi_enddef(ncid), "enddef");
    }
    if (step == 8) {
        must(ncmpi_begin_indep_data(ncid), "begin");
        must(ncmpi_end_indep_data(ncid), "end");
    }
}

static void finish(int ncid, const char *path, bool later, int records)
{
    must(ncmpi_close(ncid), "close");
    if (later)
        must(parcdf_wait(path), "wait");
    note(records);
}

static void session(const char *path, const char *dir, bool later)
{
    int ncid, dims[2], var;
    MPI_Info info = hints(dir, later);
    must(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), "create");
    must(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]), "t");
    must(ncmpi_def_dim(ncid, "x", (MPI_Offset)ranks * ELEMENTS, &dims[1]), "x");
    must(ncmpi_def_var(ncid, "r", NC_INT, 2, dims, &var), "r");
    must(ncmpi_def_var(ncid, "last", NC_INT, 1, &dims[1], &var), "last");
    must(ncmpi_enddef(ncid), "enddef");
    for (int i = 0; i < STEPS; i++) {
        put(ncid, i);
        if (i % 3 != 1)
            sync_it(ncid, i + 1);
        between(ncid, i);
    }
    finish(ncid, path, later, STEPS);
    must(ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, info, &ncid), "open");
    put(ncid, STEPS);
    sync_it(ncid, STEPS + 1);
    put(ncid, STEPS + 1);
    finish(ncid, path, later, STEPS + 2);
    MPI_Info_free(&info);
}

/* ---- the library sees the file under the number that it had when it was recorded (linked with --wrap) */

static struct world w;

struct pcdf_fileid __real_pcdf_fileid_at(const char *path);
struct pcdf_fileid __wrap_pcdf_fileid_at(const char *path);
struct pcdf_fileid __wrap_pcdf_fileid_at(const char *path)
{
    struct pcdf_fileid id = __real_pcdf_fileid_at(path);
    id.born = 0;
    if (recorded_inode)
        id.inode = (int64_t)recorded_inode;
    return id;
}

/* ---- one state in a folder */

static const char name[] = "f.nc", mark[] = ".parcdf-stage.";
static char folder[600], stage[700], path[700];
static long states, distinct, needed, refused;
static uint64_t seed = 1;

static uint64_t draw(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return seed >> 33;
}

static void empty_folder(const char *at)
{
    char one[1000];
    DIR *names = opendir(at);
    for (const struct dirent *entry; names && (entry = readdir(names));) {
        snprintf(one, sizeof one, "%s/%s", at, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            (void)unlink(one);
    }
    if (names)
        closedir(names);
}

/* One whose head was never whole says nothing, and may be in use: it stays. */
static int count_logs(void)
{
    char one[1000];
    int n = 0;
    DIR *names = opendir(stage);
    for (const struct dirent *entry; names && (entry = readdir(names));) {
        struct pcdf_stagefile f;
        snprintf(one, sizeof one, "%s/%s", stage, entry->d_name);
        if (!strstr(entry->d_name, mark) || pcdf_stagefile_open(one, PCDF_STAGEFILE_READ, &f))
            continue;
        pcdf_stagefile_close(&f);
        n++;
    }
    if (names)
        closedir(names);
    return n;
}

struct part { /* one file of a state */
    const char *name;
    struct bytes bytes;
};
static struct part parts[MOST_NAMES];
static int nparts;

static void write_parts(void)
{
    char at[1000];
    empty_folder(stage);
    empty_folder(folder);
    for (int pass = 0; pass < 2; pass++) /* the logs are younger */
        for (int i = 0; i < nparts; i++) {
            bool is_log = strstr(parts[i].name, mark);
            if (is_log != (pass == 1))
                continue;
            snprintf(at, sizeof at, "%s/%s", is_log ? stage : folder, parts[i].name);
            FILE *f = fopen(at, "wb");
            size_t n = (size_t)parts[i].bytes.n;
            CHECK(f && fwrite(parts[i].bytes.x, 1, n, f) == n && fclose(f) == 0, "%s cannot be made", at);
        }
}

static bool is_new_state(void)
{
    static uint64_t seen[1 << 22];
    uint64_t key = 1469598103934665603u;
    for (int i = 0; i < nparts; i++) {
        key = (key ^ pcdf_crc32c(0, parts[i].name, strlen(parts[i].name))) * 1099511628211u;
        key = (key ^ pcdf_crc32c(0, parts[i].bytes.x, (size_t)parts[i].bytes.n)) * 1099511628211u;
        key = (key ^ (uint64_t)parts[i].bytes.n) * 1099511628211u;
    }
    key |= key == 0;
    size_t at = key % (sizeof seen / sizeof *seen);
    bool is_new = seen[at] != key;
    seen[at] = key;
    return is_new;
}

/* ---- the verdict */

static char said[4000];

static void hear(void *context, const char *sentence)
{
    size_t n = strlen(said);
    (void)context;
    snprintf(said + n, sizeof said - n, "%s; ", sentence);
}

static int64_t value_at(const struct bytes *b, int64_t at)
{
    if (at + 4 > b->n)
        return 0;
    const unsigned char *x = b->x + at;
    return (int64_t)x[0] << 24 | x[1] << 16 | x[2] << 8 | x[3];
}

/* Of the file as it is: -1, or the number of records, of which the first `whole` have all their values (-1:
 * all), and no value of `last` is older than record `least`. */
static int64_t look_at(int64_t whole, int64_t least, const char *when, char *why, size_t room)
{
    static struct bytes file;
    struct pcdf_meta meta = { 0 };
    struct pcdf_layout layout = { 0 };
    struct pcdf_fault fault = { .text = "" };
    int64_t need = 0, records = -1;
    why[0] = '\0';
    if (!bytes_read(&file, path) ||
        pcdf_decode(NULL, file.x, (size_t)file.n, file.n, &need, &meta, &layout, &fault) || need > 0) {
        snprintf(why, room, "%s the header cannot be read: %s", when, fault.text);
        return -1;
    }
    records = meta.numrecs;
    if (whole < 0)
        whole = records;
    for (int64_t t = 0; meta.nvars == 2 && t < whole && !why[0]; t++)
        for (int i = 0; i < ranks * ELEMENTS; i++) {
            int64_t value = value_at(&file, layout.begin[0] + t * layout.recsize + 4 * i);
            if (value != 100 * (t + 1) + i / ELEMENTS) {
                snprintf(why, room, "%s record %d of %d has %d at %d", when, (int)t, (int)records, (int)value,
                         i);
                break;
            }
        }
    for (int i = 0; meta.nvars == 2 && least > 0 && i < ranks * ELEMENTS; i++)
        if (value_at(&file, layout.begin[1] + 4 * i) < 100 * least + i / ELEMENTS)
            snprintf(why, room, "%s `last` is %d at %d", when, (int)value_at(&file, layout.begin[1] + 4 * i),
                     i);
    pcdf_meta_free(&meta);
    pcdf_layout_free(&layout);
    return records;
}

static int recover(bool by_open)
{
    char report[2000] = "";
    const char *dirs[] = { stage };
    const struct pcdf_stagereplay config = { .path = path, .dirs = dirs, .ndirs = 1, .say = hear };
    said[0] = '\0';
    pcdf_fail_clear();
    if (!by_open) {
        int err = parcdf_repair_with(path, NULL, 0, report, sizeof report);
        return err ? err : pcdf_stagereplay(&config);
    }
    int ncid;
    MPI_Info info = hints(stage, false);
    int err = ncmpi_open(MPI_COMM_SELF, path, NC_WRITE, info, &ncid);
    MPI_Info_free(&info);
    return err ? err : ncmpi_close(ncid);
}

/* What was acknowledged is there afterwards; after a kill no record counts without its data, before and
 * after. */
static void judge_state(const char *what, size_t at, bool is_power, int64_t acknowledged)
{
    char before[600], after[600], fail[700] = "";
    bool by_open = draw() % 2;
    states++;
    if (!is_new_state())
        return;
    distinct++;
    write_parts();
    int64_t had = look_at(is_power ? 0 : -1, 0, "before it", before, sizeof before);
    int err = recover(by_open);
    if (err)
        snprintf(fail, sizeof fail, "%s", pcdf_fail_text());
    int64_t has = look_at(is_power ? acknowledged : -1, acknowledged, "then", after, sizeof after);
    bool is_bad = acknowledged > 0 || (!is_power && had >= 0);
    needed += had >= 0 && has > had;
    refused += err != NC_NOERR;
    if (!is_bad)
        return;
    CHECK(!err && has >= acknowledged && !after[0] && (had < 0 || !before[0]),
          "a %s after entry %zu, %s: %d records, then %d of %d that were acknowledged; %s %s; %s %s [%s]",
          what, at, by_open ? "open" : "repair", (int)had, (int)has, (int)acknowledged, before, after,
          err ? ncmpi_strerrno(err) : "", fail, said);
    CHECK_INT(count_logs(), 0);
}

/* ---- the states */

/* Of each file: bytes that an unsynced cut of it may have left there. */
static struct ghost {
    struct bytes tail;
    int64_t from;
    bool is_there;
} ghosts[MOST_INODES];

enum how { NOTHING, EVERYTHING, SOME, FEW, MOST }; /* of what is not synced has landed */

static bool lands(enum how how)
{
    return how == EVERYTHING || (how == SOME && draw() % 2) || (how == FEW && draw() % 8 == 0) ||
           (how == MOST && draw() % 8 != 0);
}

static void build(const struct inode *f, enum how how, struct bytes *b)
{
    const struct ghost *ghost = &ghosts[f - w.inodes];
    bytes_size(b, 0);
    bytes_put(b, 0, f->stored.x, f->stored.n);
    if (ghost->is_there && !lands(how))
        bytes_put(b, ghost->from, ghost->tail.x, ghost->tail.n);
    for (int i = 0; i < f->nresizes; i++)
        if (lands(how) && f->resizes[i].size > b->n)
            bytes_size(b, f->resizes[i].size);
    for (int64_t i = 0; i < f->nsectors; i++)
        for (int j = 0; j < f->sectors[i].n && lands(how); j++) {
            const struct delta *d = &f->sectors[i].x[j];
            bytes_put(b, i * SECTOR + d->from, d->data, d->n);
        }
}

/* The names that there are when so many of the pending ones have landed; bytes as `how`, or what programs
 * see.
 */
static void build_state(int first, enum how how, bool is_power)
{
    const char *names[2 * MOST_NAMES];
    int n = 0;
    nparts = 0;
    for (int i = 0; i < w.nstored; i++)
        names[n++] = w.stored[i].name;
    for (int i = 0; i < first && n < 2 * MOST_NAMES; i++)
        names[n++] = w.pending[i].name;
    for (int i = 0; i < n; i++) {
        int inode = world_landed(&w, names[i], first);
        bool is_known = inode < 0;
        for (int j = 0; j < nparts; j++)
            is_known |= strcmp(parts[j].name, names[i]) == 0;
        if (is_known || nparts == MOST_NAMES)
            continue;
        struct part *p = &parts[nparts++];
        p->name = names[i];
        bytes_size(&p->bytes, 0);
        if (is_power)
            build(&w.inodes[inode], how, &p->bytes);
        else
            bytes_put(&p->bytes, 0, w.inodes[inode].seen.x, w.inodes[inode].seen.n);
        if (strcmp(names[i], name) == 0)
            recorded_inode = w.inodes[inode].number;
    }
}

static void check_power(size_t at, int subsets, int64_t acknowledged)
{
    for (int i = 0; i < 2 + subsets; i++) {
        enum how how = i < 2 ? (enum how)i : SOME + (enum how)(draw() % 3);
        int first = how == NOTHING      ? 0
                    : how == EVERYTHING ? w.npending
                                        : (int)(draw() % (uint64_t)(w.npending + 1));
        build_state(first, how, true);
        judge_state("power cut", at, true, acknowledged);
    }
}

/* torn: a write that has begun, of which the first sectors are there. */
static void check_kill(size_t at, const struct entry *torn, int64_t acknowledged)
{
    build_state(w.npending, NOTHING, false);
    int inode = torn ? world_inode(&w, torn->r.inode) : -1;
    for (int i = 0; inode >= 0 && i < nparts; i++)
        if (world_seen(&w, parts[i].name) == inode) {
            int64_t most = torn->r.length / SECTOR * SECTOR;
            int64_t n = most > 0 ? (int64_t)(draw() % (uint64_t)(most / SECTOR + 1)) * SECTOR : 0;
            bytes_put(&parts[i].bytes, torn->r.offset, torn->data, n);
        }
    judge_state("kill", at, false, acknowledged);
}

/* A cut may land late: what stood there is seen again after a power cut, until the file is synced. */
static void haunt(const struct log *log, size_t at)
{
    const struct entry *e = &log->x[at], *b = e->r.op == SHIM_END ? &log->x[e->begin] : e;
    int i = e->r.op == SHIM_END && b->r.inode ? world_inode(&w, b->r.inode) : -1;
    if (i < 0)
        return;
    struct bytes *stored = &w.inodes[i].stored;
    if (b->r.op == SHIM_SYNC)
        ghosts[i].is_there = false;
    if (b->r.op != SHIM_TRUNCATE || b->r.length >= stored->n)
        return;
    bytes_size(&ghosts[i].tail, 0);
    bytes_put(&ghosts[i].tail, 0, stored->x + b->r.length, stored->n - b->r.length);
    ghosts[i].from = b->r.length;
    ghosts[i].is_there = true;
}

static void judge_log(const struct log *log, int subsets)
{
    int64_t acknowledged = 0;
    for (size_t i = 0; i < log->n && !w.trouble; i++) {
        const struct entry *e = &log->x[i];
        const char *records = log_note_after(e, "records ");
        if (records)
            acknowledged = atol(records);
        haunt(log, i);
        world_step(&w, log, i);
        if (e->r.op == SHIM_WRITE)
            check_kill(i, e, acknowledged);
        if (e->r.op != SHIM_END || log->x[e->begin].r.op == SHIM_READ)
            continue;
        check_kill(i, NULL, acknowledged);
        check_power(i, subsets, acknowledged);
    }
}

static int judge(const char *log_path, const char *place, int subsets, long least)
{
    struct log log;
    if (!log_read(&log, log_path)) {
        fprintf(stderr, "%s is no log\n", log_path);
        return 1;
    }
    for (size_t i = 0; i < log.n; i++)
        if (log.x[i].r.rank >= ranks)
            ranks = log.x[i].r.rank + 1;
    snprintf(folder, sizeof folder, "%s", place);
    snprintf(stage, sizeof stage, "%s/stage", place);
    snprintf(path, sizeof path, "%s/%s", place, name);
    mkdir(folder, 0777);
    mkdir(stage, 0777);
    judge_log(&log, subsets);
    CHECK(!w.trouble, "the log cannot be followed: %s", w.trouble);
    CHECK(distinct >= least && needed >= least / 10, "%ld of %ld states were distinct, %ld needed their logs",
          distinct, states, needed);
    printf("%ld states, %ld distinct, %ld that got records from logs, %ld refused\n", states, distinct,
           needed, refused);
    world_free(&w);
    log_free(&log);
    return check_done("staged_states");
}

int main(int argc, char **argv)
{
    int status = 0;
    MPI_Init(&argc, &argv);
    *(void **)&shim_note = dlsym(RTLD_DEFAULT, "pcdf_shim_note");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc == 6 && strcmp(argv[1], "judge") == 0)
        status = judge(argv[2], argv[3], atoi(argv[4]), atol(argv[5]));
    else if (argc >= 4 && strcmp(argv[1], "run") == 0 && shim_note)
        session(argv[2], argv[3], argc == 5);
    else
        status = 2;
    MPI_Finalize();
    return status;
}
