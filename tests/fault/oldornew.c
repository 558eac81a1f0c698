/* What became of the file. */

#include "faultcase.h"
#include <parcdf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- bytes, by rank 0 alone */

void image_take(struct image *image, const char *path)
{
    FILE *f = fopen(path, "rb");
    free(image->bytes);
    *image = (struct image){ NULL, -1 };
    if (!f)
        return;
    fseek(f, 0, SEEK_END);
    image->size = ftell(f);
    rewind(f);
    image->bytes = malloc((size_t)image->size + 1);
    if (!image->bytes || fread(image->bytes, 1, (size_t)image->size, f) != (size_t)image->size)
        image->size = -1;
    fclose(f);
}

bool image_equals(const struct image *image, const char *path)
{
    struct image now = { NULL, -1 };
    image_take(&now, path);
    bool same =
        now.size == image->size && (now.size < 0 || memcmp(now.bytes, image->bytes, (size_t)now.size) == 0);
    free(now.bytes);
    return same;
}

static void journal_of(const char *path, char *journal, size_t size)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    snprintf(journal, size, "%.*s.%s.parcdf-journal", (int)(name - path), path, name);
}

bool has_journal(const char *path)
{
    char journal[1100];
    journal_of(path, journal, sizeof journal);
    return access(journal, F_OK) == 0;
}

void image_put(const struct image *image, const char *path)
{
    char journal[1100];
    journal_of(path, journal, sizeof journal);
    unlink(journal);
    unlink(path);
    if (image->size < 0)
        return;
    FILE *f = fopen(path, "wb");
    bool good = f && fwrite(image->bytes, 1, (size_t)image->size, f) == (size_t)image->size;
    CHECK((f && fclose(f) == 0) & good, "%s cannot be written", path);
}

/* ---- values */

struct view {
    const struct session *s;
    const struct scenario *scenario;
    const char *who; /* sees it: for messages */
    int ncid;
};

#define BAD(...)                                                                                             \
    do {                                                                                                     \
        check_bad++;                                                                                         \
        fprintf(stderr, "%s: rank %d: %s sees ", v->s->name, v->s->rank, v->who);                            \
        fprintf(stderr, __VA_ARGS__);                                                                        \
        fputc('\n', stderr);                                                                                 \
    } while (0)

/* A hole; what stands for bytes behind the end of the file; or the last byte of a put that failed, by which
 * mpistorage.c makes the file long enough. */
static bool is_unwritten(int got, int wanted, bool is_cut)
{
    return got == 0 || (is_cut && got == NC_FILL_INT) || got == (wanted & 0xff);
}

/* Rows of one variable; those from `fresh` on were not there before. */
static void check_rows(const struct view *v, int varid, int var, int rows, int fresh, bool may_be_unwritten)
{
    int got[(ROWS + MORE) * COLUMNS];
    MPI_Offset start[2] = { 0, 0 }, count[2] = { rows, COLUMNS };
    int err = rows ? ncmpi_get_vara_int_all(v->ncid, varid, start, count, got) : NC_NOERR;
    bool is_cut = err == NC_ETRUNC; /* nothing behind the end of the file was ever written */
    err = is_cut ? NC_NOERR : err;
    check_made++;
    if (err)
        BAD("%s in reading variable %d", ncmpi_strerrno(err), varid);
    for (int i = 0; !err && i < rows * COLUMNS; i++) {
        int row = i / COLUMNS, column = i % COLUMNS;
        bool unwritten = row >= fresh && may_be_unwritten;
        bool good = got[i] == value_of(var, row, column, 1) ||
                    (row < fresh && got[i] == value_of(var, row, column, 0)) ||
                    (unwritten && is_unwritten(got[i], value_of(var, row, column, 1), is_cut));
        if (!good) {
            BAD("%d in row %d of variable %d", got[i], row, varid);
            return;
        }
    }
}

static void check_filled(const struct view *v, int varid)
{
    int got[ROWS * COLUMNS], bad = 0;
    int err = ncmpi_get_var_int_all(v->ncid, varid, got);
    for (int i = 0; !err && i < ROWS * COLUMNS; i++)
        bad += got[i] != NC_FILL_INT;
    check_made++;
    if (err || bad)
        BAD("%d elements that are not filled, %s", bad, ncmpi_strerrno(err));
}

static void check_texts(const struct view *v)
{
    static char text[LONG_HISTORY + 1];
    MPI_Offset length = 0;
    int err = ncmpi_inq_attlen(v->ncid, NC_GLOBAL, "title", &length);
    check_made++;
    if (err || length != (MPI_Offset)strlen(title_of(0)) ||
        ncmpi_get_att_text(v->ncid, NC_GLOBAL, "title", text) ||
        (memcmp(text, title_of(0), (size_t)length) && memcmp(text, title_of(1), (size_t)length)))
        BAD("no title of either version");
    err = ncmpi_inq_attlen(v->ncid, NC_GLOBAL, "history", &length);
    if (err == NC_ENOTATT)
        return;
    if (err || (length != HISTORY && length != LONG_HISTORY) ||
        ncmpi_get_att_text(v->ncid, NC_GLOBAL, "history", text) || strspn(text, "h") < (size_t)length)
        BAD("a history that was never written");
}

static void check_content(const struct view *v)
{
    bool fresh = v->scenario->from_nothing;
    if (fresh && v->s->undefined)
        return;
    MPI_Offset records = -1;
    int nvars = 0, n, err = ncmpi_inq(v->ncid, NULL, &nvars, NULL, NULL);
    if (!err)
        err = ncmpi_inq_dimlen(v->ncid, 0, &records);
    check_made++;
    if (err || nvars < 2 || nvars > 3 || records < (fresh ? 0 : RECORDS) || records > RECORDS + MORE) {
        BAD("%d variables, %lld records, %s", nvars, (long long)records, ncmpi_strerrno(err));
        return;
    }
    check_rows(v, F, F, ROWS, fresh ? 0 : ROWS, fresh);
    check_rows(v, R, R, (int)records, fresh ? 0 : RECORDS, v->s->is_memory);
    if (!v->s->is_memory && ncmpi_inq_varid(v->ncid, "n", &n) == NC_NOERR)
        check_filled(v, n);
    check_texts(v);
}

static void look(const struct session *s, const struct scenario *scenario, MPI_Comm comm, int mode)
{
    struct view view = { s, scenario, mode == NC_WRITE ? "who opens for writing" : "a reader", -1 },
                *v = &view;
    int err = ncmpi_open(comm, s->path, mode, MPI_INFO_NULL, &v->ncid);
    if (!err) {
        check_content(v);
        err = ncmpi_close(v->ncid);
        check_made++;
        if (err)
            BAD("%s at close", ncmpi_strerrno(err));
    } else if (mode == NC_WRITE && !scenario->from_nothing) {
        BAD("%s: the file is lost: %s", ncmpi_strerrno(err), parcdf_last_error());
    }
}

void check_old_or_new(const struct session *s, const struct scenario *scenario, MPI_Comm comm)
{
    look(s, scenario, comm, NC_NOWRITE);
    look(s, scenario, comm, NC_WRITE);
    CHECK(scenario->from_nothing || !has_journal(s->path), "%s: a journal is left beside the file", s->name);
}

void add_file_checks(long *made, long *bad)
{
    *made += check_made;
    *bad += check_bad;
}
