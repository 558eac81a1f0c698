/* See refsparquet.h. The format: Parquet's file layout and its structs in Thrift's compact protocol. */
#include "refsparquet.h"
#include "alloc.h"
#include "status.h"
#include "tool.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* parquet.thrift */
enum {
    INT64 = 2,
    BYTE_ARRAY = 6,
    REQUIRED = 0,
    OPTIONAL = 1,
    UTF8 = 0,
    PLAIN = 0,
    RLE = 3,
    RLE_DICTIONARY = 8
};
enum { MOST_BYTES = 256 << 20 }; /* of names, or of values, in one file */
enum { DATA_PAGE = 0, DICTIONARY_PAGE = 2, COLUMNS = 4 };
/* Types of fields in the compact protocol. */
enum { T_I32 = 5, T_I64 = 6, T_TEXT = 8, T_LIST = 9, T_STRUCT = 12 };

static int no_memory(void)
{
    return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
}

/* ---- bytes that grow */

struct bytes {
    unsigned char *x;
    size_t n, room;
    bool is_short;
};

static void put(struct bytes *b, const void *from, size_t n)
{
    if (b->n + n > b->room) {
        size_t room = 2 * (b->room + n);
        unsigned char *grown = pcdf_realloc(b->x, room);
        b->is_short = b->is_short || !grown;
        if (!grown)
            return;
        b->x = grown;
        b->room = room;
    }
    if (n > 0)
        memcpy(b->x + b->n, from, n);
    b->n += n;
}

static void put_byte(struct bytes *b, int byte)
{
    const unsigned char c = (unsigned char)byte;
    put(b, &c, 1);
}

static void put_varint(struct bytes *b, uint64_t x)
{
    for (; x >= 128; x >>= 7)
        put_byte(b, (int)(x & 127) | 128);
    put_byte(b, (int)x);
}

static void put_u32(struct bytes *b, size_t x)
{
    const uint32_t little = htole32((uint32_t)x);
    put(b, &little, sizeof little);
}

/* ---- Thrift: fields of a struct come in the order of their numbers */

static void put_field(struct bytes *b, int *last, int number, int type)
{
    put_byte(b, (number - *last) << 4 | type);
    *last = number;
}

static void put_number(struct bytes *b, int *last, int number, int type, int64_t x)
{
    put_field(b, last, number, type);
    put_varint(b, (uint64_t)x << 1 ^ (uint64_t)(x >> 63));
}

static void put_text(struct bytes *b, const char *text)
{
    put_varint(b, strlen(text));
    put(b, text, strlen(text));
}

static void put_list(struct bytes *b, int *last, int number, int type, int n) /* n < 15 */
{
    put_field(b, last, number, T_LIST);
    put_byte(b, n << 4 | type);
}

static void put_end(struct bytes *b)
{
    put_byte(b, 0);
}

/* ---- columns */

struct column {
    const char *name;
    int type;
    bool is_optional, has_dictionary;
    int64_t begin, data, bytes; /* in the file: where it begins, its data page, how long it is */
};

/* A page: its header and its bytes. */
static void put_page(struct bytes *file, int kind, int64_t values, int encoding, const struct bytes *page)
{
    int last = 0, inner = 0;

    put_number(file, &last, 1, T_I32, kind);
    put_number(file, &last, 2, T_I32, (int64_t)page->n);
    put_number(file, &last, 3, T_I32, (int64_t)page->n);
    put_field(file, &last, kind == DATA_PAGE ? 5 : 7, T_STRUCT);
    put_number(file, &inner, 1, T_I32, values);
    put_number(file, &inner, 2, T_I32, encoding);
    if (kind == DATA_PAGE) {
        put_number(file, &inner, 3, T_I32, RLE);
        put_number(file, &inner, 4, T_I32, RLE);
    }
    put_end(file);
    put_end(file);
    put(file, page->x, page->n);
    file->is_short = file->is_short || page->is_short;
}

static bool has_value(const struct pcdf_refs_row *row, bool of_raw)
{
    return of_raw ? row->is_raw : row->path >= 0;
}

/* Which rows have a value: runs of equal bits, with their length before them. */
static void put_levels(struct bytes *page, const struct pcdf_refs_parquet *p, int64_t n, bool of_raw)
{
    struct bytes runs = { 0 };

    for (int64_t i = 0, to; i < n; i = to) {
        bool is_there = has_value(&p->rows[i], of_raw);
        for (to = i + 1; to < n && has_value(&p->rows[to], of_raw) == is_there;)
            to++;
        put_varint(&runs, (uint64_t)(to - i) << 1);
        put_byte(&runs, is_there);
    }
    put_u32(page, runs.n);
    put(page, runs.x, runs.n);
    page->is_short = page->is_short || runs.is_short;
    pcdf_free(runs.x);
}

/* Numbers of paths: runs of equal ones. */
static void put_path_numbers(struct bytes *page, const struct pcdf_refs_parquet *p, int64_t n)
{
    int width = 1;

    while (p->npaths > 1 << width)
        width++;
    put_byte(page, width);
    for (int64_t i = 0, to; i < n; i = to) {
        int64_t count = 0;
        int path = p->rows[i].path;
        to = i + 1;
        if (path < 0)
            continue;
        for (to = i; to < n && (p->rows[to].path == path || p->rows[to].path < 0); to++)
            count += p->rows[to].path >= 0;
        put_varint(page, (uint64_t)count << 1);
        for (int shift = 0; shift < width; shift += 8)
            put_byte(page, path >> shift & 255);
    }
}

static void put_paths(struct bytes *file, struct column *c, const struct pcdf_refs_parquet *p, int64_t n)
{
    struct bytes names = { 0 }, page = { 0 };

    for (int i = 0; i < p->npaths; i++) {
        put_u32(&names, strlen(p->paths[i]));
        put(&names, p->paths[i], strlen(p->paths[i]));
    }
    c->has_dictionary = p->npaths > 0;
    if (c->has_dictionary)
        put_page(file, DICTIONARY_PAGE, p->npaths, PLAIN, &names);
    c->data = (int64_t)file->n;
    put_levels(&page, p, n, false);
    if (c->has_dictionary)
        put_path_numbers(&page, p, n);
    put_page(file, DATA_PAGE, n, c->has_dictionary ? RLE_DICTIONARY : PLAIN, &page);
    pcdf_free(names.x);
    pcdf_free(page.x);
}

static void put_integers(struct bytes *file, struct column *c, const struct pcdf_refs_parquet *p, int64_t n,
                         bool of_size)
{
    struct bytes page = { 0 };

    c->data = (int64_t)file->n;
    for (int64_t i = 0; i < n; i++) {
        const struct pcdf_refs_row *row = &p->rows[i];
        uint64_t x = row->is_raw ? 0 : htole64((uint64_t)(of_size ? row->size : row->offset));
        put(&page, &x, sizeof x);
    }
    put_page(file, DATA_PAGE, n, PLAIN, &page);
    pcdf_free(page.x);
}

static void put_raw(struct bytes *file, struct column *c, const struct pcdf_refs_parquet *p, int64_t n)
{
    struct bytes page = { 0 };

    c->data = (int64_t)file->n;
    put_levels(&page, p, n, true);
    for (int64_t i = 0; i < n; i++) {
        const struct pcdf_refs_row *row = &p->rows[i];
        if (!row->is_raw)
            continue;
        put_u32(&page, (size_t)row->size);
        put(&page, p->raw + row->offset, (size_t)row->size);
    }
    put_page(file, DATA_PAGE, n, PLAIN, &page);
    pcdf_free(page.x);
}

/* ---- the end of the file: what is in it */

static void put_schema(struct bytes *b, int *last, const struct column *columns)
{
    int inner = 0;

    put_list(b, last, 2, T_STRUCT, COLUMNS + 1);
    put_field(b, &inner, 4, T_TEXT);
    put_text(b, "schema");
    put_number(b, &inner, 5, T_I32, COLUMNS);
    put_end(b);
    for (int i = 0; i < COLUMNS; i++) {
        inner = 0;
        put_number(b, &inner, 1, T_I32, columns[i].type);
        put_number(b, &inner, 3, T_I32, columns[i].is_optional ? OPTIONAL : REQUIRED);
        put_field(b, &inner, 4, T_TEXT);
        put_text(b, columns[i].name);
        if (i == 0)
            put_number(b, &inner, 6, T_I32, UTF8);
        put_end(b);
    }
}

static void put_column(struct bytes *b, const struct column *c, int64_t rows)
{
    int last = 0, inner = 0;
    const int encodings[] = { PLAIN, RLE, RLE_DICTIONARY };
    int n = c->has_dictionary ? 3 : 2;

    put_number(b, &last, 2, T_I64, c->begin);
    put_field(b, &last, 3, T_STRUCT);
    put_number(b, &inner, 1, T_I32, c->type);
    put_list(b, &inner, 2, T_I32, n);
    for (int i = 0; i < n; i++)
        put_varint(b, (uint64_t)encodings[i] << 1);
    put_list(b, &inner, 3, T_TEXT, 1);
    put_text(b, c->name);
    put_number(b, &inner, 4, T_I32, 0); /* no compression */
    put_number(b, &inner, 5, T_I64, rows);
    put_number(b, &inner, 6, T_I64, c->bytes);
    put_number(b, &inner, 7, T_I64, c->bytes);
    put_number(b, &inner, 9, T_I64, c->data);
    if (c->has_dictionary)
        put_number(b, &inner, 11, T_I64, c->begin);
    put_end(b);
    put_end(b);
}

static void put_footer(struct bytes *file, const struct column *columns, int64_t rows)
{
    struct bytes b = { 0 };
    int last = 0, inner = 0;
    int64_t bytes = 0;

    for (int i = 0; i < COLUMNS; i++)
        bytes += columns[i].bytes;
    put_number(&b, &last, 1, T_I32, 1);
    put_schema(&b, &last, columns);
    put_number(&b, &last, 3, T_I64, rows);
    put_list(&b, &last, 4, T_STRUCT, 1);
    put_list(&b, &inner, 1, T_STRUCT, COLUMNS);
    for (int i = 0; i < COLUMNS; i++)
        put_column(&b, &columns[i], rows);
    put_number(&b, &inner, 2, T_I64, bytes);
    put_number(&b, &inner, 3, T_I64, rows);
    put_end(&b);
    put_field(&b, &last, 6, T_TEXT);
    put_text(&b, "parcdf " PARCDF_VERSION);
    put_end(&b);
    put(file, b.x, b.n);
    put_u32(file, b.n);
    put(file, "PAR1", 4);
    file->is_short = file->is_short || b.is_short;
    pcdf_free(b.x);
}

static void encode(struct bytes *file, const struct pcdf_refs_parquet *p, int64_t rows)
{
    struct column columns[COLUMNS] = { { .name = "path", .type = BYTE_ARRAY, .is_optional = true },
                                       { .name = "offset", .type = INT64 },
                                       { .name = "size", .type = INT64 },
                                       { .name = "raw", .type = BYTE_ARRAY, .is_optional = true } };
    put(file, "PAR1", 4);
    for (int i = 0; i < COLUMNS; i++) {
        columns[i].begin = (int64_t)file->n;
        if (i == 0)
            put_paths(file, &columns[i], p, rows);
        else if (i == 3)
            put_raw(file, &columns[i], p, rows);
        else
            put_integers(file, &columns[i], p, rows, i == 2);
        columns[i].bytes = (int64_t)file->n - columns[i].begin;
    }
    put_footer(file, columns, rows);
}

/* ---- files */

static void forget_rows(struct pcdf_refs_parquet *p)
{
    for (int64_t i = 0; i < p->record_size; i++)
        p->rows[i] = (struct pcdf_refs_row){ .path = -1 };
    for (int i = 0; i < p->npaths; i++)
        pcdf_free(p->paths[i]);
    p->npaths = 0;
    p->path_bytes = 0;
    p->nraw = 0;
}

static int write_bytes(const struct pcdf_refs_parquet *p, const struct bytes *file)
{
    char name[4096];
    int n = snprintf(name, sizeof name, "%s/%s/refs.%" PRId64 ".parq", p->folder, p->name, p->file);
    FILE *to = n < (int)sizeof name ? fopen(name, "w") : NULL;
    int err = to ? 0 : n < (int)sizeof name ? errno : ENAMETOOLONG;

    if (to && fwrite(file->x, 1, file->n, to) != file->n)
        err = errno ? errno : EIO;
    if (to && fclose(to) && !err)
        err = errno ? errno : EIO;
    return err ? pcdf_tool_unusable(p->folder, "references of %.200s cannot be written: %s", p->name,
                                    strerror(err))
               : PCDF_TOOL_GOOD;
}

static int write_file(struct pcdf_refs_parquet *p)
{
    struct bytes file = { 0 };
    int64_t left = p->chunks - p->file * p->record_size;

    encode(&file, p, left < p->record_size ? left : p->record_size);
    int status = file.is_short ? no_memory() : write_bytes(p, &file);
    pcdf_free(file.x);
    forget_rows(p);
    p->file++;
    return status;
}

int pcdf_refs_parquet_begin(struct pcdf_refs_parquet *p, const char *folder, int64_t record_size)
{
    *p = (struct pcdf_refs_parquet){ .folder = folder, .record_size = record_size };
    p->rows = pcdf_calloc((size_t)record_size, sizeof *p->rows);
    p->paths = pcdf_calloc((size_t)record_size, sizeof *p->paths);
    if (!p->rows || !p->paths)
        return no_memory();
    forget_rows(p);
    return PCDF_TOOL_GOOD;
}

void pcdf_refs_parquet_free(struct pcdf_refs_parquet *p)
{
    for (int i = 0; i < p->npaths; i++)
        pcdf_free(p->paths[i]);
    pcdf_free(p->paths);
    pcdf_free(p->rows);
    pcdf_free(p->raw);
}

int pcdf_refs_parquet_array(struct pcdf_refs_parquet *p, const char *name, int64_t chunks)
{
    char folder[4096];
    int n = snprintf(folder, sizeof folder, "%s/%s", p->folder, name);

    p->name = name;
    p->chunks = chunks;
    p->file = 0;
    if (n >= (int)sizeof folder || mkdir(folder, 0777))
        return pcdf_tool_unusable(folder, "%s", strerror(n < (int)sizeof folder ? errno : ENAMETOOLONG));
    return PCDF_TOOL_GOOD;
}

/* The row of a chunk, when the files before its own are written. */
static int turn_to(struct pcdf_refs_parquet *p, int64_t number, struct pcdf_refs_row **row)
{
    int status = PCDF_TOOL_GOOD;

    if (number / p->record_size < p->file)
        return pcdf_tool_unusable(NULL,
                                  "variable %.200s: its chunks are not in order: a larger --record-size, or "
                                  "JSON, has place for them",
                                  p->name);
    while (p->file < number / p->record_size && !status)
        status = write_file(p);
    *row = &p->rows[number % p->record_size];
    return status;
}

/* Its number among the paths of this file, of which the newest ones are looked at: others are there twice. */
static int path_number(struct pcdf_refs_parquet *p, const char *path, int *number)
{
    enum { LOOKED_AT = 64 };

    for (*number = p->npaths - 1; *number >= 0 && *number >= p->npaths - LOOKED_AT; --*number)
        if (strcmp(p->paths[*number], path) == 0)
            return PCDF_TOOL_GOOD;
    p->path_bytes += (int64_t)strlen(path) + 4;
    if (p->npaths == p->record_size || p->path_bytes > MOST_BYTES)
        return pcdf_tool_unusable(
            NULL,
            "variable %.200s: too many names for one file of references: a smaller --record-size has fewer",
            p->name);
    p->paths[p->npaths] = pcdf_strndup(path, strlen(path));
    if (!p->paths[p->npaths])
        return no_memory();
    *number = p->npaths++;
    return PCDF_TOOL_GOOD;
}

int pcdf_refs_parquet_place(struct pcdf_refs_parquet *p, int64_t number, const char *path, int64_t offset,
                            int64_t size)
{
    struct pcdf_refs_row *row;
    int named, status = turn_to(p, number, &row);

    if (!status)
        status = path_number(p, path, &named);
    if (!status)
        *row = (struct pcdf_refs_row){ .path = named, .offset = offset, .size = size };
    return status;
}

int pcdf_refs_parquet_raw(struct pcdf_refs_parquet *p, int64_t number)
{
    struct pcdf_refs_row *row;
    int status = turn_to(p, number, &row);

    if (!status)
        *row = (struct pcdf_refs_row){ .path = -1, .offset = (int64_t)p->nraw, .is_raw = true };
    p->now = number % p->record_size;
    return status;
}

int pcdf_refs_parquet_bytes(struct pcdf_refs_parquet *p, const unsigned char *bytes, int64_t n)
{
    struct bytes raw = { p->raw, p->nraw, p->raw_room, false };

    put(&raw, bytes, (size_t)n);
    p->raw = raw.x;
    p->nraw = raw.n;
    p->raw_room = raw.room;
    if (raw.is_short || p->nraw > MOST_BYTES)
        return raw.is_short ? no_memory()
                            : pcdf_tool_unusable(NULL,
                                                 "variable %.200s: too much is written into the references; "
                                                 "a smaller --inline or --record-size has less",
                                                 p->name);
    p->rows[p->now].size += n;
    return PCDF_TOOL_GOOD;
}

int pcdf_refs_parquet_array_end(struct pcdf_refs_parquet *p)
{
    int status = PCDF_TOOL_GOOD;
    while (p->file * p->record_size < p->chunks && !status)
        status = write_file(p);
    return status;
}
