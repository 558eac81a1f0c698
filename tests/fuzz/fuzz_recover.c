/* Fuzz target for recovery: a file and a journal beside it, honest or not, are opened. Nothing crashes, hangs
 * or takes memory that the file does not justify. A dry repair changes nothing; a marked file is not opened
 * for reading only; an open for writing that fails leaves a marked file marked, so that nobody reads it; one
 * that succeeds leaves a file without mark and journal that a strict reading takes; and where the journal
 * says the truth about a change that had not moved anything yet, the new definitions hold and all data is
 * kept.
 *
 * Input: choices, the old definitions, the change, the numbers of the journal where they are lies, records of
 * rounds, and bytes to change in the journal. */
#include <dirent.h>
#include <fcntl.h>
#include <parcdf.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "equalmeta.h"
#include "crc32c.h"
#include "decode.h"
#include "encode.h"
#include "fuzzlib.h"
#include "journal.h"

#define NONCE 0x80000002f0000012u /* one that a journal may have */

enum { MARK = 0x80, MOST_FILE = 1 << 17, MOST_MEMORY = 1 << 27 };
enum {
    MARKED = 1,
    OTHER_INODE = 2,
    UNSIGNED = 4,
    LIES = 8,
    RECORDS = 16,
    PATCHES = 32,
    CUT = 64,
    LOST = 128
};

/* A reader of a marked file looks again for a second, in which here nothing changes. */
int nanosleep(const struct timespec *time, struct timespec *left)
{
    (void)time;
    (void)left;
    return 0;
}

static char folder[64], path[96], sidecar[96];
static MPI_Info info;

static void clean(void)
{
    unlink(path);
    unlink(sidecar);
    rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const char *const words[] = { "pcdf_engine", "posix", NULL };
    snprintf(folder, sizeof folder, "%s/parcdf-fuzz-XXXXXX", access("/dev/shm", W_OK) ? "." : "/dev/shm");
    DEMAND(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/f.nc", folder);
    snprintf(sidecar, sizeof sidecar, "%s/.f.nc.parcdf-journal", folder);
    atexit(clean);
    fuzz_begin();
    info = fuzz_hints(words);
    return argc && argv ? 0 : 1;
}

/* ---- the change */

struct change {
    struct pcdf_meta old, new;
    struct pcdf_layout from, to;
    unsigned char *old_header, *new_header;
    int64_t file_size; /* with all its data */
};

static void define_old(struct fuzz_input *in, struct pcdf_meta *meta)
{
    static const enum pcdf_version versions[3] = { PCDF_CDF1, PCDF_CDF2, PCDF_CDF5 };
    static const int record[2] = { 0, 1 };
    int nvars;

    pcdf_meta_init(meta, versions[fuzz_pick(in, 3)]);
    DEMAND(pcdf_meta_add_dim(meta, "t", 0, NULL) == NC_NOERR);
    DEMAND(pcdf_meta_add_dim(meta, "x", 1 + fuzz_pick(in, 200), NULL) == NC_NOERR);
    nvars = 1 + fuzz_pick(in, 3);
    for (int i = 0; i < nvars; i++) {
        char name[2] = { (char)('a' + i), '\0' };
        int what = fuzz_byte(in);
        bool is_record = what & 1;
        DEMAND(pcdf_meta_add_var(meta, name, 1 + what / 4 % 6, is_record ? 2 : 1,
                                 is_record ? record : record + 1, NULL) == NC_NOERR);
    }
    meta->numrecs = fuzz_pick(in, 5);
}

static void define_new(struct fuzz_input *in, struct change *c)
{
    static const struct pcdf_alignment none = { 0 };
    static const int dims[2] = { 0, 1 };
    int what = fuzz_byte(in);
    int64_t length = (int64_t)fuzz_number(in, 2) % 3000;

    DEMAND(pcdf_meta_copy(&c->new, &c->old) == NC_NOERR);
    if (what & 1)
        DEMAND(pcdf_atts_put(&c->new, &c->new.gatts, "g", NC_CHAR, length, NULL) == NC_NOERR);
    if (what & 2)
        DEMAND(pcdf_meta_add_var(&c->new, "y", NC_INT, 1, dims + 1, NULL) == NC_NOERR);
    if (what & 4)
        DEMAND(pcdf_meta_add_var(&c->new, "z", NC_SHORT, 2, dims, NULL) == NC_NOERR);
    DEMAND(pcdf_layout_build(&c->from, &c->old, NULL, &none) == NC_NOERR);
    DEMAND(pcdf_layout_build(&c->to, &c->new, &c->from, &none) == NC_NOERR);
    c->old_header = malloc((size_t)c->from.header_size);
    c->new_header = malloc((size_t)c->to.header_size);
    DEMAND(c->old_header && c->new_header);
    pcdf_encode(&c->old, &c->from, c->old_header);
    pcdf_encode(&c->new, &c->to, c->new_header);
    c->file_size = pcdf_layout_file_end(&c->from, &c->old);
    DEMAND(c->file_size < MOST_FILE / 2);
}

static void release(struct change *c)
{
    pcdf_meta_free(&c->old);
    pcdf_meta_free(&c->new);
    pcdf_layout_free(&c->from);
    pcdf_layout_free(&c->to);
    free(c->old_header);
    free(c->new_header);
}

/* Byte `at` of the old file's data. */
static unsigned char data_byte(int64_t at)
{
    return (unsigned char)(at * 7 + at / 251 + 1);
}

/* ---- the files */

static void write_file(const char *name, const unsigned char *bytes, int64_t n)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    DEMAND(fd >= 0 && write(fd, bytes, (size_t)n) == n && close(fd) == 0);
}

/* What the file holds, at most MOST_FILE bytes of it. */
static int64_t read_file(unsigned char *bytes)
{
    int fd = open(path, O_RDONLY);
    DEMAND(fd >= 0);
    int64_t n = read(fd, bytes, MOST_FILE);
    DEMAND(n >= 0 && close(fd) == 0);
    return n;
}

static int64_t write_old(const struct change *c, int flags, struct fuzz_input *in)
{
    static unsigned char bytes[MOST_FILE];
    int64_t n = c->file_size;
    for (int64_t i = c->from.header_size; i < n; i++)
        bytes[i] = data_byte(i);
    memcpy(bytes, c->old_header, (size_t)c->from.header_size);
    if (flags & MARKED)
        (void)pcdf_journal_mark(bytes[3], NONCE, bytes + PCDF_MARK_AT);
    if (flags & CUT)
        n = n * fuzz_byte(in) / 255;
    write_file(path, bytes, n);
    return n;
}

static int64_t lie(struct fuzz_input *in, int64_t truth)
{
    const int64_t values[] = { truth,     truth + 1,       truth - 1, 0,       1,         4096,
                               8192,      1 << 16,         1 << 24,   1 << 30, INT32_MAX, INT64_MAX,
                               INT64_MIN, (int64_t)1 << 40 };
    return values[fuzz_byte(in) % (sizeof values / sizeof values[0])];
}

static void make_head(const struct change *c, int flags, struct fuzz_input *in, struct pcdf_journal *j)
{
    struct stat st;
    DEMAND(stat(path, &st) == 0);
    bool moves = memcmp(c->from.begin, c->to.begin, (size_t)c->old.nvars * sizeof *c->from.begin) != 0 ||
                 c->from.recsize != c->to.recsize;
    *j = (struct pcdf_journal){ .nonce = NONCE,
                                .inode = (int64_t)st.st_ino + !!(flags & OTHER_INODE),
                                .file_size = c->file_size,
                                .old_header = c->old_header,
                                .old_size = c->from.header_size,
                                .new_header = c->new_header,
                                .new_size = c->to.header_size,
                                .parts = moves,
                                .chunk = moves ? PCDF_JOURNAL_BLOCK : 0,
                                .step = moves && fuzz_pick(in, 2) ? PCDF_JOURNAL_BLOCK : 0,
                                .room = moves ? PCDF_JOURNAL_BLOCK : 0 };
    if (flags & LIES) {

        j->file_size = lie(in, j->file_size);
        j->parts = lie(in, j->parts);
        j->chunk = lie(in, j->chunk);
        j->room = fuzz_pick(in, 3) ? j->chunk : lie(in, 0);
        j->step = lie(in, j->step);
    }
}

static void put_records(const struct pcdf_journal *j, struct fuzz_input *in, unsigned char *bytes, int64_t n)
{
    for (int i = 0; i < 3; i++) {
        int64_t part = fuzz_pick(in, 3), round = fuzz_pick(in, 4);
        struct pcdf_journal_record r = { .nonce = j->nonce,
                                         .round = lie(in, round),
                                         .there = lie(in, PCDF_JOURNAL_BLOCK),
                                         .has_data = fuzz_pick(in, 2) };
        if (j->parts <= 0 || j->parts > 4 || j->room < 0 || j->room > 8192 || j->step < 0 || j->step > 8192)
            return;
        int64_t at = pcdf_journal_slot(j, part, round);
        if (j->step > 0 && fuzz_pick(in, 2)) {
            r.step = lie(in, round + 1);
            r.is_unsummed = fuzz_pick(in, 2);
            at = pcdf_journal_step_slot(j, part, round + 1);
        }
        int64_t data = at + PCDF_JOURNAL_BLOCK;
        if (r.has_data && r.there >= 0 && r.there <= n && data <= n - r.there)
            r.data_crc = pcdf_crc32c(0, bytes + data, (size_t)r.there);
        if (at <= n - PCDF_JOURNAL_RECORD)
            pcdf_journal_record_encode(&r, bytes + at);
    }
}

/* What an open put aside. */
static void clear_folder(void)
{
    char name[400];
    const struct dirent *entry;
    DIR *names = opendir(folder);
    DEMAND(names);
    while ((entry = readdir(names)))
        if (strncmp(entry->d_name, ".parcdf-", 8) == 0) {
            snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
            unlink(name);
        }
    closedir(names);
}

/* The process that this one is, or one of another start of this machine: both let go. */
static void put_heartbeat(const struct pcdf_journal *j, struct fuzz_input *in, unsigned char *bytes,
                          int64_t n)
{
    struct pcdf_journal_heartbeat b = { .nonce = j->nonce };
    pcdf_owner_self(&b.owner);
    b.owner.boot[0] ^= fuzz_byte(in) & 1;
    int64_t at = pcdf_journal_heartbeat_at(j, 0);
    if (at <= n - PCDF_JOURNAL_HEARTBEAT)
        pcdf_journal_heartbeat_encode(&b, bytes + at);
}

static void put_patches(struct fuzz_input *in, unsigned char *bytes, int64_t n)
{
    for (int i = 0; i < 8 && !fuzz_is_over(in); i++) {
        uint64_t at = fuzz_number(in, 2) % (uint64_t)n;
        bytes[at] = fuzz_byte(in);
    }
}

static void write_journal(const struct change *c, int flags, struct fuzz_input *in)
{
    static unsigned char bytes[1 << 17];
    struct pcdf_journal j;
    int64_t n = sizeof bytes;

    make_head(c, flags, in, &j);
    memset(bytes, 0, sizeof bytes);
    DEMAND(pcdf_journal_head_size(&j) < n);
    pcdf_journal_encode(&j, bytes);
    put_heartbeat(&j, in, bytes, n);
    if (flags & RECORDS)
        put_records(&j, in, bytes, n);
    if (flags & PATCHES)
        put_patches(in, bytes, n / 8);
    uint64_t length = 0;
    for (int i = 0; i < 8; i++)
        length = length << 8 | bytes[8 + i];
    if (!(flags & UNSIGNED) && length <= (uint64_t)n - 4) {
        uint32_t crc = pcdf_crc32c(0, bytes, (size_t)length);
        for (int i = 0; i < 4; i++)
            bytes[length + (uint64_t)i] = (unsigned char)(crc >> 8 * (3 - i));
    }
    write_file(sidecar, bytes, flags & CUT ? n * fuzz_byte(in) / 255 : n);
}

/* ---- what must hold */

/* All data of the old file stands where the new header says. */
static void check_kept(const struct change *c, const unsigned char *bytes, int64_t n)
{
    for (int v = 0; v < c->old.nvars; v++) {
        const struct pcdf_var *var = &c->old.vars[v];
        int64_t records = var->is_record ? c->old.numrecs : 1;
        for (int64_t r = 0; r < records; r++)
            for (int64_t i = 0; i < var->nbytes; i++) {
                int64_t at = c->from.begin[v] + r * c->from.recsize * var->is_record + i;
                int64_t now = c->to.begin[v] + r * c->to.recsize * var->is_record + i;
                DEMAND(now < n && bytes[now] == data_byte(at));
            }
    }
}

static void check_recovered(const struct change *c, bool honest)
{
    static unsigned char bytes[MOST_FILE];
    struct pcdf_layout layout;
    struct pcdf_fault fault;
    struct pcdf_meta meta;
    int64_t need = 0, n = read_file(bytes);

    DEMAND(access(sidecar, F_OK) != 0);
    DEMAND(pcdf_decode(NULL, bytes, (size_t)n, INT64_MAX, &need, &meta, &layout, &fault) == NC_NOERR &&
           need == 0);
    if (honest) {
        DEMAND(equal_meta(&meta, &c->new));
        check_kept(c, bytes, n);
    }
    pcdf_layout_free(&layout);
    pcdf_meta_free(&meta);
}

static void check_untouched(const unsigned char *before, int64_t n)
{
    static unsigned char bytes[MOST_FILE];
    DEMAND(read_file(bytes) == n && memcmp(bytes, before, (size_t)n) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t n)
{
    static unsigned char before[MOST_FILE];
    struct fuzz_input in = { input, n, 0 };
    struct change c;
    char report[512];
    int flags = fuzz_byte(&in), ncid;

    if (flags & LOST) /* half of the inputs keep both files whole */
        flags &= fuzz_byte(&in);
    else
        flags &= ~CUT;
    define_old(&in, &c.old);
    define_new(&in, &c);
    unlink(sidecar);
    int64_t size = write_old(&c, flags, &in);
    bool marked = (flags & MARKED) && size >= 4;
    if (!(flags & LOST))
        write_journal(&c, flags, &in);
    DEMAND(read_file(before) == size);

    (void)parcdf_repair(path, PARCDF_REPAIR_DRY_RUN, report, sizeof report);
    check_untouched(before, size);
    int err = ncmpi_open(MPI_COMM_SELF, path, NC_NOWRITE, info, &ncid);
    DEMAND(!marked || err != NC_NOERR);
    if (!err)
        DEMAND(ncmpi_close(ncid) == NC_NOERR);
    check_untouched(before, size);
    err = ncmpi_open(MPI_COMM_SELF, path, NC_WRITE, info, &ncid);
    bool honest = marked && flags == MARKED;
    if (err && honest)
        fprintf(stderr, "%s\n", parcdf_last_error());
    DEMAND(!honest || err == NC_NOERR);
    if (!err) {
        DEMAND(ncmpi_close(ncid) == NC_NOERR);
        check_recovered(&c, honest);
    } else if (marked) {
        (void)read_file(before);
        DEMAND(before[3] & MARK);
    }
    clear_folder();
    release(&c);
    fuzz_check_memory();
    DEMAND(pcdf_alloc_peak() < MOST_MEMORY);
    return 0;
}
