/* See recordlines.h. */
#include "recordlines.h"
#include "alloc.h"
#include "tool.h"
#include "toolfile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 8192, WORDS = 12 };

struct log {
    struct pcdf_record *r;
    bool first;
    int file;                            /* that the lines are about; -1: not known */
    int rank_in[PCDF_RECORD_MOST_FILES]; /* of the log, in each file; -1: not told yet */
    void (*look)(void *context, const struct pcdf_record_line *line);
    void *context;
};

/* ---- words */

/* Cuts the line at single blanks; the last word has the rest. */
static int split(char *line, char **words, int most)
{
    int n = 0;
    while (n < most) {
        words[n++] = line;
        char *blank = n < most ? strchr(line, ' ') : NULL;
        if (!blank)
            return n;
        *blank = '\0';
        line = blank + 1;
    }
    return n;
}

static bool read_integer(const char *word, int64_t low, int64_t *number)
{
    char *end;
    errno = 0;
    long long x = strtoll(word, &end, 10);
    *number = x;
    return end != word && !*end && !errno && x >= low && x <= (int64_t)1 << 62;
}

static bool read_seconds(const char *word, double *number)
{
    char *end;
    *number = strtod(word, &end);
    return end != word && !*end && isfinite(*number) && fabs(*number) < 1e9;
}

static int hex_of(char c)
{
    const char *all = "0123456789ABCDEF", *found = c ? strchr(all, c) : NULL;
    return found ? (int)(found - all) : -1;
}

/* %XX in place; "-" alone stays what it is. */
static void unescape(char *text)
{
    char *to = text;
    for (; *text; text++) {
        int high = *text == '%' ? hex_of(text[1]) : -1, low = high >= 0 ? hex_of(text[2]) : -1;
        bool is_escape = low >= 0 && (high || low);
        *to++ = is_escape ? (char)(high * 16 + low) : *text;
        text += is_escape ? 2 : 0;
    }
    *to = '\0';
}

/* ---- remarks: which file, which rank, where */

static int file_of(struct pcdf_record *r, int64_t id, bool add)
{
    for (int i = r->nfiles - 1; i >= 0; i--)
        if (r->files[i].id == id)
            return i;
    if (!add || r->nfiles == PCDF_RECORD_MOST_FILES)
        return -1;
    r->files[r->nfiles] =
        (struct pcdf_record_file){ .id = id, .path = "", .begin = INFINITY, .end = -INFINITY };
    return r->nfiles++;
}

static bool has_rank(struct pcdf_record *r, int64_t rank)
{
    if (rank < r->nranks)
        return true;
    if (rank >= PCDF_RECORD_MOST_RANKS)
        return false;
    struct pcdf_record_rank *more = pcdf_realloc(r->ranks, ((size_t)rank + 1) * sizeof *more);
    if (!more)
        return false;
    memset(more + r->nranks, 0, ((size_t)rank + 1 - (size_t)r->nranks) * sizeof *more);
    r->ranks = more;
    r->nranks = (int)rank + 1;
    return true;
}

static void note_file(struct log *log, char **words)
{
    struct pcdf_record *r = log->r;
    int64_t rank, nranks;
    if (log->file < 0 || !read_integer(words[2], 0, &rank) || !read_integer(words[3], 1, &nranks) ||
        rank >= nranks || nranks > INT32_MAX || !has_rank(r, rank)) {
        r->nskipped += log->first;
        return;
    }
    log->rank_in[log->file] = (int)rank;
    if (!log->first)
        return;
    struct pcdf_record_file *file = &r->files[log->file];
    unescape(words[4]);
    const char *path = *file->path ? file->path : pcdf_arena_text(&r->arena, words[4], strlen(words[4]));
    file->path = path ? path : "";
    file->nranks = (int)nranks;
    file->nlogs++;
}

/* A value of "# env". */
static void note_environment(struct log *log, const char *name, const char *value)
{
    static const char asked[] = "pcdf_async=";
    struct pcdf_record *r = log->r;
    int64_t bytes;
    struct pcdf_record_row *row = pcdf_record_row_of(r, &r->environment, name, value);
    if (row)
        row->calls++;
    if (log->file < 0 || strcmp(name, "hint") != 0 || strncmp(value, asked, sizeof asked - 1) != 0 ||
        !read_integer(value + sizeof asked - 1, 1, &bytes))
        return;
    r->files[log->file].has_queue = true;
    r->memory = bytes > r->memory ? bytes : r->memory;
}

static void remark(struct log *log, char *line)
{
    char *words[WORDS];
    int64_t id;
    int n = split(line, words, 5);
    bool in = n == 3 && strcmp(words[1], "in") == 0;
    if (in && read_integer(words[2], 0, &id)) {
        log->file = file_of(log->r, id, log->first);
        log->r->nleft_out += log->first && log->file < 0;
    } else if (n == 5 && strcmp(words[1], "file") == 0) {
        note_file(log, words);
    } else if (n >= 4 && strcmp(words[1], "env") == 0) {
        if (n == 5)
            words[4][-1] = ' '; /* the value is the rest of the line */
        unescape(words[3]);
        if (log->first)
            note_environment(log, words[2], words[3]);
    } else {
        log->r->nskipped += log->first;
    }
}

/* ---- calls and operations */

static bool is_word(const char *word)
{
    return strlen(word) > 0 && strlen(word) < 64;
}

/* What logs of before call otherwise. */
static const char *word_now(const char *word)
{
    static const char *const words[][2] = {
        { "offsets", "independent" },        { "exchange", "two-phase" },
        { "alone", "independent" },          { "no-exchange", "no-two-phase" },
        { "put_exchange", "put_two_phase" }, { "get_exchange", "get_two_phase" },
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i][0]) == 0)
            return words[i][1];
    return word;
}

static bool read_call(char **w, int n, struct pcdf_record_line *c)
{
    int64_t code;
    c->is_call = true;
    if (n != 12 || !is_word(w[1]) || !is_word(w[8]) || !is_word(w[9]))
        return false;
    c->name = w[1];
    c->way = word_now(w[8]);
    c->why = strcmp(w[8], "alone") == 0 ? "independent-mode" : word_now(w[9]);
    c->variable = w[2];
    unescape(w[2]);
    bool good = read_seconds(w[3], &c->begin) && read_seconds(w[4], &c->end) &&
                read_integer(w[5], 0, &c->put) && read_integer(w[6], 0, &c->get) &&
                read_integer(w[7], 0, &c->pieces) && read_integer(w[10], 0, &c->records) &&
                read_integer(w[11], -9999, &code) && code < 9999;
    c->code = good ? (int)code : 0;
    return good && c->begin <= c->end && *w[2];
}

static bool read_operation(char **w, int n, struct pcdf_record_line *o)
{
    int64_t code;
    if (n != 7 || !is_word(w[0]))
        return false;
    o->name = word_now(w[0]);
    o->variable = o->way = o->why = "-";
    bool good = read_integer(w[1], 0, &o->pieces) && read_integer(w[2], 0, &o->first) &&
                read_integer(w[3], 0, &o->bytes) && read_integer(w[4], -9999, &code) && code < 9999 &&
                read_seconds(w[5], &o->begin) && read_seconds(w[6], &o->end);
    o->code = good ? (int)code : 0;
    return good && o->begin <= o->end;
}

static void entry(struct log *log, char *line)
{
    char *words[WORDS + 1];
    struct pcdf_record_line x = { .file = log->file };
    int n = split(line, words, WORDS + 1);
    bool good = strcmp(words[0], "call") == 0 ? read_call(words, n, &x) : read_operation(words, n, &x);
    x.rank = log->file >= 0 ? log->rank_in[log->file] : -1;
    if (good && x.rank >= 0)
        log->look(log->context, &x);
    else
        log->r->nskipped += log->first;
}

/* A line with its end, without it; false: there is none any more. *whole: it fits and has an end. */
static bool next_line(FILE *in, char line[LINE], bool *whole)
{
    if (!fgets(line, LINE, in))
        return false;
    size_t n = strlen(line);
    *whole = n > 0 && line[n - 1] == '\n';
    if (*whole)
        line[n - 1] = '\0';
    for (int c = 0; !*whole && n == LINE - 1 && c != '\n' && c != EOF;)
        c = fgetc(in);
    return true;
}

int pcdf_record_lines(struct pcdf_record *r, const char *path, bool first,
                      void (*look)(void *context, const struct pcdf_record_line *line), void *context)
{
    char line[LINE];
    bool whole;
    struct log *log = pcdf_malloc(sizeof *log);
    FILE *in = log ? fopen(path, "r") : NULL;
    if (!in) {
        pcdf_tool_say(path, "%s", log ? strerror(errno) : "no memory to read it");
        pcdf_free(log);
        return PCDF_TOOL_UNUSABLE;
    }
    *log = (struct log){ .r = r, .first = first, .file = -1, .look = look, .context = context };
    for (int i = 0; i < PCDF_RECORD_MOST_FILES; i++)
        log->rank_in[i] = -1;
    while (next_line(in, line, &whole)) {
        if (!whole)
            r->nskipped += first;
        else if (line[0] == '#')
            remark(log, line);
        else if (line[0])
            entry(log, line);
    }
    int err = ferror(in) ? errno : 0;
    fclose(in);
    pcdf_free(log);
    r->nlogs += first;
    if (err)
        pcdf_tool_say(path, "%s", err == EISDIR ? pcdf_tool_why(path, strerror(err)) : strerror(err));
    return err ? PCDF_TOOL_UNUSABLE : PCDF_TOOL_GOOD;
}
