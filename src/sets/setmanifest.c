/* See setmanifest.h. The last line is the checksum of all before it. */
#include "setmanifest.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "array.h"
#include "crc32c.h"
#include "jsonread.h"
#include "owner.h"
#include "setnames.h"
#include "text.h"

typedef PCDF_ARRAY(char) textlist;
struct output {
    textlist text;
    int err;
};

static void put_bytes(struct output *o, const char *bytes, size_t n)
{
    if (!o->err)
        o->err = PCDF_RESERVE(&o->text, o->text.n + n + 1);
    if (o->err)
        return;
    memcpy(o->text.x + o->text.n, bytes, n);
    o->text.n += n;
    o->text.x[o->text.n] = '\0';
}

__attribute__((format(printf, 2, 3))) static void put(struct output *o, const char *format, ...)
{
    char room[160];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(room, sizeof room, format, args);
    va_end(args);
    put_bytes(o, room, (size_t)n);
}

static void put_text(struct output *o, const char *key, const char *text)
{
    if (!o->err && !pcdf_text_is_utf8(text))
        o->err = PCDF_FAIL(NC_EBADNAME, "the %s \"%s\" of a set is not UTF-8", key, text);
    put(o, "\"%s\": \"", key);
    for (const char *c = text; *c; c++)
        if (*c == '"' || *c == '\\')
            put(o, "\\%c", *c);
        else if ((unsigned char)*c < ' ')
            put(o, "\\u%04x", (unsigned)*c);
        else
            put_bytes(o, c, 1);
    put_bytes(o, "\"", 1);
}

/* The last line. */
static int finish(struct output *o, char **bytes, size_t *n)
{
    uint32_t crc = o->err ? 0 : pcdf_crc32c(0, o->text.x, o->text.n);
    put(o, "\"checksum\": \"%08" PRIx32 "\"}\n", crc);
    if (o->err) {
        pcdf_free(o->text.x);
        return o->err;
    }
    *bytes = o->text.x;
    *n = o->text.n;
    return NC_NOERR;
}

/* The bytes as an object whose checksum is right; NULL with *err. */
static struct pcdf_json_value *parse(const char *bytes, size_t n, struct pcdf_arena *arena, const char *what,
                                     int *err)
{
    enum { TAIL = sizeof "\"checksum\": \"00000000\"}\n" - 1 };
    static const struct pcdf_json_rules rules = { .depth = 4, .values = 16 * PCDF_SET_FILES };
    const char *fault = "its checksum is wrong";
    char tail[TAIL + 1];
    size_t at = 0;
    struct pcdf_json_value *value = NULL;
    *err = NC_NOERR;
    if (n > TAIL) {
        snprintf(tail, sizeof tail, "\"checksum\": \"%08" PRIx32 "\"}\n", pcdf_crc32c(0, bytes, n - TAIL));
        if (memcmp(bytes + n - TAIL, tail, TAIL) == 0)
            value = pcdf_json_read(arena, bytes, n, &rules, &fault, &at);
    }
    if (!value &&
        fault == pcdf_json_no_memory) /* it may be good: what takes it for damaged may remove files */
        *err = PCDF_FAIL(NC_ENOMEM, "no memory for a %s", what);
    else if (!value || value->kind != PCDF_JSON_OBJECT)
        *err = PCDF_FAIL(NC_EFILE, "the %s is not whole: %s", what, fault);
    return *err ? NULL : value;
}

/* A whole number from 0 up. */
static int64_t number_of(const struct pcdf_json_value *object, const char *key, bool *good)
{
    const struct pcdf_json_value *v = pcdf_json_member(object, key);
    char *end = NULL;
    if (!v || v->kind != PCDF_JSON_NUMBER || v->length > 19 || v->text[0] == '-') {
        *good = false;
        return 0;
    }
    errno = 0;
    long long number = strtoll(v->text, &end, 10);
    *good = *good && !errno && *end == '\0';
    return number;
}

static const char *text_of(const struct pcdf_json_value *object, const char *key, size_t most, bool *good)
{
    const char *text = pcdf_json_string(object, key, NULL);
    *good = *good && text && strlen(text) <= most;
    return *good ? text : "";
}

/* An absolute path without "." or ".." or empty parts, at whose end there is a name. */
static bool is_plain(const char *path)
{
    if (path[0] != '/' || strlen(path) >= 4096)
        return false;
    for (const char *at = path; *at;) {
        size_t n = strcspn(++at, "/");
        if (n == 0 || n > 255 || (n == 1 && at[0] == '.') || (n == 2 && at[0] == '.' && at[1] == '.'))
            return false;
        at += n;
    }
    return true;
}

/* ---- one file */

static void put_file(struct output *o, const struct pcdf_setfile *f, const char *name, const char *member)
{
    put(o, "{");
    put_text(o, "file", name);
    if (member) {
        put(o, ", ");
        put_text(o, "member", member);
    }
    put(o, ", \"size\": %" PRId64 ", \"crc32c\": \"%08" PRIx32 "\", \"records\": %" PRId64 ", ", f->size,
        f->crc, f->records);
    put_text(o, "format", f->format ? f->format : "");
    put(o, ", \"inode\": \"%" PRIx64 "\", \"changed\": \"%" PRIx64 "\"", (uint64_t)f->inode,
        (uint64_t)f->changed);
}

static uint64_t hex_of(const struct pcdf_json_value *object, const char *key, size_t most, bool *good)
{
    const char *text = text_of(object, key, most, good);
    *good = *good && *text && strspn(text, "0123456789abcdef") == strlen(text);
    return *good ? strtoull(text, NULL, 16) : 0;
}

static bool get_file(const struct pcdf_json_value *v, struct pcdf_arena *arena, const char *folder,
                     struct pcdf_setfile *f, bool *no_memory)
{
    enum { FORMAT = 64, PATH = 4096 };
    bool good = v->kind == PCDF_JSON_OBJECT;
    const char *name = text_of(v, "file", PATH, &good);
    *f = (struct pcdf_setfile){ .size = number_of(v, "size", &good),
                                .crc = (uint32_t)hex_of(v, "crc32c", 8, &good),
                                .records = number_of(v, "records", &good),
                                .format = text_of(v, "format", FORMAT, &good),
                                .inode = (int64_t)hex_of(v, "inode", 16, &good),
                                .changed = (int64_t)hex_of(v, "changed", 16, &good) };
    f->file = name;
    if (good && name[0] != '/' && folder) { /* below the folder of the set */
        size_t size = strlen(folder) + strlen(name) + 2;
        char *path = pcdf_arena_bytes(arena, size);
        *no_memory = !path;
        if (!path)
            return false;
        snprintf(path, size, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name);
        f->file = path;
    }
    return good && is_plain(f->file);
}

bool pcdf_setfile_is_below(const char *file, const char *folder)
{
    size_t n = strlen(folder);
    return n > 1 && strncmp(file, folder, n) == 0 && file[n] == '/';
}

static const char *name_below(const char *path, const char *folder)
{
    return pcdf_setfile_is_below(path, folder) ? path + strlen(folder) + 1 : path;
}

static const char *last_part(const char *path)
{
    return strrchr(path, '/') + 1;
}

/* ---- where, and by whom */

static void put_place(struct output *o, const struct pcdf_setplace *p)
{
    put(o,
        "\"folder\": \"%016" PRIx64 "\", \"folder_device\": \"%" PRIx64 "\", \"folder_inode\": \"%" PRIx64
        "\", ",
        p->path, (uint64_t)p->device, (uint64_t)p->inode);
}

/* Earlier versions noted none. */
static void get_place(const struct pcdf_json_value *v, struct pcdf_setplace *p, bool *good)
{
    *p = (struct pcdf_setplace){ 0 };
    if (!pcdf_json_member(v, "folder"))
        return;
    p->path = hex_of(v, "folder", 16, good);
    p->device = (int64_t)hex_of(v, "folder_device", 16, good);
    p->inode = (int64_t)hex_of(v, "folder_inode", 16, good);
}

static void put_owner(struct output *o, const struct pcdf_owner *by)
{
    put(o, "\"process\": %" PRId64 ", \"started\": %" PRId64 ", \"space\": %" PRId64 ", ", by->process,
        by->started, by->space);
    put_text(o, "host", by->host);
    put(o, ", ");
    put_text(o, "boot", by->boot);
}

static void get_owner(const struct pcdf_json_value *v, struct pcdf_owner *by, bool *good)
{
    *by = (struct pcdf_owner){ .process = number_of(v, "process", good),
                               .started = number_of(v, "started", good),
                               .space = number_of(v, "space", good) };
    snprintf(by->host, sizeof by->host, "%s", text_of(v, "host", sizeof by->host - 1, good));
    snprintf(by->boot, sizeof by->boot, "%s", text_of(v, "boot", sizeof by->boot - 1, good));
}

/* ---- a manifest */

void pcdf_setmanifest_free(struct pcdf_setmanifest *m)
{
    pcdf_arena_free(&m->arena);
    *m = (struct pcdf_setmanifest){ 0 };
}

int pcdf_setmanifest_encode(const struct pcdf_setmanifest *m, const char *folder, char **bytes, size_t *n)
{
    struct output o = { 0 };
    put(&o, "{\"parcdf_set\": 1, ");
    put_text(&o, "name", m->name);
    put(&o, ", ");
    put_text(&o, "step", m->step);
    put(&o, ", ");
    put_text(&o, "key", m->key);
    put(&o, ", ");
    put_text(&o, "job", m->job);
    put(&o, ", \"time\": %" PRId64 ", \"after\": %" PRId64 ", \"begun\": %" PRId64 ", ", m->time, m->after,
        m->begun);
    put_place(&o, &m->place);
    put(&o, "\"files\": [\n");
    for (size_t i = 0; i < m->nfiles && !o.err; i++) {
        char *member = pcdf_setname_member(m->files[i].file, m->key);
        if (!member)
            o.err = PCDF_FAIL(NC_ENOMEM, "no memory for the manifest of %s", m->name);
        else
            put_file(&o, &m->files[i], name_below(m->files[i].file, folder), last_part(member));
        put(&o, "}%s\n", i + 1 < m->nfiles ? "," : "],");
        pcdf_free(member);
    }
    return finish(&o, bytes, n);
}

static bool get_files(const struct pcdf_json_value *list, const char *folder, struct pcdf_setmanifest *m,
                      bool *no_memory)
{
    if (!list || list->kind != PCDF_JSON_LIST || list->n < 1 || list->n > PCDF_SET_FILES)
        return false;
    m->files = pcdf_arena_take(&m->arena, (size_t)list->n * sizeof *m->files);
    *no_memory = !m->files;
    for (const struct pcdf_json_value *v = list->first; v && m->files; v = v->next) {
        struct pcdf_setfile *f = &m->files[m->nfiles];
        if (!get_file(v, &m->arena, folder, f, no_memory))
            return false;
        char *member = pcdf_setname_member(f->file, m->key);
        bool same = member && strcmp(last_part(member), pcdf_json_string(v, "member", "")) == 0;
        *no_memory = !member;
        pcdf_free(member);
        if (!same || (m->nfiles > 0 && strcmp(f[-1].file, f->file) >= 0)) /* sorted: no file is there twice */
            return false;
        m->nfiles++;
    }
    return m->files != NULL;
}

int pcdf_setmanifest_decode(const char *bytes, size_t n, const char *folder, struct pcdf_setmanifest *m)
{
    int err;
    bool good = true, no_memory = false;
    *m = (struct pcdf_setmanifest){ 0 };
    const struct pcdf_json_value *v = parse(bytes, n, &m->arena, "manifest", &err);
    if (v) {
        good = number_of(v, "parcdf_set", &good) == 1 && good;
        m->name = text_of(v, "name", PCDF_SET_NAME, &good);
        m->step = text_of(v, "step", PCDF_SET_TEXT, &good);
        m->key = text_of(v, "key", PCDF_SET_KEY - 1, &good);
        m->job = text_of(v, "job", PCDF_SET_TEXT, &good);
        m->time = number_of(v, "time", &good);
        if (pcdf_json_member(v, "begun")) { /* earlier versions noted neither */
            m->after = number_of(v, "after", &good);
            m->begun = number_of(v, "begun", &good);
        }
        get_place(v, &m->place, &good);
        good = good && pcdf_setname_is_good(m->name) && pcdf_setname_is_good(m->key) &&
               !strchr(m->key, '.') && get_files(pcdf_json_member(v, "files"), folder, m, &no_memory);
        if (!good)
            err = no_memory ? PCDF_FAIL(NC_ENOMEM, "no memory for a manifest")
                            : PCDF_FAIL(NC_EFILE, "the manifest says what none of ours says");
    }
    if (err)
        pcdf_setmanifest_free(m);
    return err;
}

/* ---- notes */

int pcdf_setnote_encode(const struct pcdf_setfile *file, bool is_whole, const char *folder,
                        const struct pcdf_owner *by, char **bytes, size_t *n)
{
    struct output o = { 0 };
    struct pcdf_setfile none = { .file = file->file, .format = "" };
    put_file(&o, is_whole ? file : &none, name_below(file->file, folder), NULL);
    put(&o, ", ");
    put_owner(&o, by);
    put(&o, ",\n");
    return finish(&o, bytes, n);
}

int pcdf_setnote_decode(const char *bytes, size_t n, const char *folder, struct pcdf_arena *arena,
                        struct pcdf_setfile *file, struct pcdf_owner *by)
{
    int err;
    bool good = true, no_memory = false;
    const struct pcdf_json_value *v = parse(bytes, n, arena, "note", &err);
    *by = (struct pcdf_owner){ 0 };
    if (v && pcdf_json_member(v, "process"))
        get_owner(v, by, &good);
    if (v && !(get_file(v, arena, folder, file, &no_memory) && good))
        err = no_memory ? PCDF_FAIL(NC_ENOMEM, "no memory for a note")
                        : PCDF_FAIL(NC_EFILE, "the note says what none of ours says");
    return err;
}

int pcdf_setjob_encode(const struct pcdf_setjob *job, char **bytes, size_t *n)
{
    struct output o = { 0 };
    put(&o, "{");
    put_text(&o, "job", job->job);
    put(&o, ", ");
    put_text(&o, "step", job->step);
    put(&o, ", \"files\": %" PRId64 ", \"after\": %" PRId64 ", \"begun\": %" PRId64 ", ", job->files,
        job->after, job->begun);
    put_place(&o, &job->place);
    put_owner(&o, job->by);
    put(&o, ",\n");
    return finish(&o, bytes, n);
}

int pcdf_setjob_decode(const char *bytes, size_t n, struct pcdf_arena *arena, struct pcdf_setjob *job)
{
    int err;
    bool good = true;
    const struct pcdf_json_value *v = parse(bytes, n, arena, "note of a job", &err);
    if (!v)
        return err;
    job->job = text_of(v, "job", PCDF_SET_TEXT, &good);
    job->step = text_of(v, "step", PCDF_SET_TEXT, &good);
    job->files = number_of(v, "files", &good);
    job->after = number_of(v, "after", &good);
    job->begun = number_of(v, "begun", &good);
    get_place(v, &job->place, &good);
    get_owner(v, job->by, &good);
    return good ? NC_NOERR : PCDF_FAIL(NC_EFILE, "the note of a job says what none of ours says");
}
