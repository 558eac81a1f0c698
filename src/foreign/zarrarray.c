/* See zarrarray.h: what .zarray says. */
#include "zarrarray.h"
#include "alloc.h"
#include "bytes.h"
#include "jsonread.h"
#include "posixio.h"
#include "status.h"
#include "tool.h"
#include "value.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TEXT = 64 << 10, MOST_DEPTH = 64 };

static int refuse(const struct pcdf_zarr_array *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static int refuse(const struct pcdf_zarr_array *a, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return pcdf_tool_unusable(a->store, "array %s %s", *a->folder ? a->folder : "/", text);
}

/* ---- its members */

static int take_codec(struct pcdf_zarr_array *a, const struct pcdf_json_value *top)
{
    const struct pcdf_json_value *codec = pcdf_json_member(top, "compressor");
    const struct pcdf_json_value *filters = pcdf_json_member(top, "filters");
    const char *id = pcdf_json_string(codec, "id", "");
    if (filters && filters->first)
        return refuse(a, "has the filter %.40s, which parcdf does not undo",
                      pcdf_json_string(filters->first, "id", "?"));
    a->is_deflated = strcmp(id, "zlib") == 0 || strcmp(id, "gzip") == 0;
    if (codec && codec->kind != PCDF_JSON_NULL && !a->is_deflated)
        return refuse(a,
                      "is compressed with %.40s%s%.40s, which parcdf does not undo (it does zlib and gzip)",
                      *id ? id : "an unnamed codec", strcmp(id, "blosc") == 0 ? " and " : "",
                      strcmp(id, "blosc") == 0 ? pcdf_json_string(codec, "cname", "?") : "");
    return PCDF_TOOL_GOOD;
}

static int take_type(struct pcdf_zarr_array *a, const struct pcdf_json_value *top)
{
    const char *type = pcdf_json_string(top, "dtype", "");
    bool is_whole = strlen(type) == 3 && strchr("<>|", type[0]);
    a->kind = is_whole ? type[1] : '?';
    a->size = is_whole ? type[2] - '0' : 0;
    a->is_big = type[0] == '>';
    bool is_number = (strchr("iu", a->kind) && strchr("1248", '0' + a->size)) ||
                     (a->kind == 'f' && (a->size == 4 || a->size == 8));
    bool is_text = strchr("US", a->kind) && a->size == 1 && a->is_nczarr;
    if (a->kind == '?' || (!is_number && !is_text))
        return refuse(a, "has the type \"%.40s\", which classic files do not know",
                      *type ? type : "(a list)");
    if (is_text && (a->is_deflated || a->is_fortran))
        return refuse(a, "is text that is compressed or in Fortran's order, which parcdf does not read");
    return PCDF_TOOL_GOOD;
}

/* Lengths: whole numbers up to 2^53. */
static int take_lengths(struct pcdf_zarr_array *a, const struct pcdf_json_value *top, const char *key,
                        int64_t least, int64_t *lengths, int *n)
{
    const struct pcdf_json_value *list = pcdf_json_member(top, key);
    *n = 0;
    if (!list || list->kind != PCDF_JSON_LIST || list->n > PCDF_ZARR_DIMS)
        return refuse(a, "has no \"%s\" of at most %d lengths", key, PCDF_ZARR_DIMS);
    for (const struct pcdf_json_value *v = list->first; v; v = v->next) {
        if (v->kind != PCDF_JSON_NUMBER || v->number < (double)least || v->number > 0x1p53 ||
            v->number != floor(v->number))
            return refuse(a, "has a \"%s\" that is no length", key);
        lengths[(*n)++] = (int64_t)v->number;
    }
    return PCDF_TOOL_GOOD;
}

static int take_shape(struct pcdf_zarr_array *a, const struct pcdf_json_value *top)
{
    int nchunks, status = take_lengths(a, top, "shape", 0, a->shape, &a->ndims);
    status = status ? status : take_lengths(a, top, "chunks", 1, a->chunk, &nchunks);
    if (!status && nchunks != a->ndims)
        status = refuse(a, "has %d dimensions and chunks of %d", a->ndims, nchunks);
    if (!status && a->ndims == 0)
        status = refuse(a, "has no dimension; libnetcdf cannot read scalars of a store");
    a->nbytes = a->size;
    for (int i = 0; i < a->ndims && !status; i++)
        if (__builtin_mul_overflow(a->nbytes, a->chunk[i], &a->nbytes) || a->nbytes > UINT32_MAX)
            status = refuse(a, "has chunks of more than 4 GiB");
    return status;
}

static void put_real(struct pcdf_zarr_array *a, double real)
{
    float f4 = (float)real;
    memcpy(a->fill, a->size == 4 ? (const void *)&f4 : (const void *)&real, (size_t)a->size);
    a->has_fill = true;
}

/* The integer that is written at `digits`, with all of its 64 bits; false: it is none of the type. */
static bool put_integer(struct pcdf_zarr_array *a, const char *digits, double number)
{
    bool is_unsigned = a->kind == 'u';
    errno = 0;
    uint64_t bits = is_unsigned ? strtoull(digits, NULL, 10) : (uint64_t)strtoll(digits, NULL, 10);
    int unused = 64 - 8 * a->size;
    uint64_t cut = bits << unused;
    uint64_t back = is_unsigned ? cut >> unused : (uint64_t)((int64_t)cut >> unused);
    if (errno == ERANGE || back != bits || number != (is_unsigned ? (double)bits : (double)(int64_t)bits))
        return false;
    unsigned char big[8];
    pcdf_bytes_put(big, bits, 8);
    memcpy(a->fill, big + 8 - a->size, (size_t)a->size);
    pcdf_values_swap(a->fill, 1, a->size);
    a->has_fill = true;
    return true;
}

static int take_fill(struct pcdf_zarr_array *a, const struct pcdf_json_value *top, const char *text)
{
    static const char key[] = "\"fill_value\"";
    const struct pcdf_json_value *fill = pcdf_json_member(top, "fill_value");
    const char *at = strstr(text, key);
    if (!fill || fill->kind == PCDF_JSON_NULL || !strchr("iuf", a->kind))
        return PCDF_TOOL_GOOD;
    at = at ? at + strlen(key) : "";
    at += strspn(at, " \t\r\n:");
    if (fill->kind == PCDF_JSON_NUMBER && a->kind != 'f') {
        if (!put_integer(a, at, fill->number))
            return refuse(a, "has a \"fill_value\" that is none of its type");
    } else if (fill->kind == PCDF_JSON_NUMBER)
        put_real(a, fill->number);
    else if (a->kind == 'f' && fill->kind == PCDF_JSON_TEXT && strcmp(fill->text, "NaN") == 0)
        put_real(a, (double)NAN);
    else if (a->kind == 'f' && fill->kind == PCDF_JSON_TEXT && strstr(fill->text, "Infinity"))
        put_real(a, fill->text[0] == '-' ? -(double)INFINITY : (double)INFINITY);
    else
        return refuse(a, "has a \"fill_value\" that is no number");
    return PCDF_TOOL_GOOD;
}

static int take_members(struct pcdf_zarr_array *a, const struct pcdf_json_value *top, const char *text)
{
    const char *order = pcdf_json_string(top, "order", "C"),
               *separator = pcdf_json_string(top, "dimension_separator", ".");
    a->is_nczarr = pcdf_json_member(top, "_NCZARR_ARRAY") != NULL;
    a->is_fortran = strcmp(order, "F") == 0;
    a->separator = separator[0];
    if (pcdf_json_number(top, "zarr_format", 0) != 2)
        return refuse(a, "is of another version of Zarr than 2");
    if ((!a->is_fortran && strcmp(order, "C") != 0) || strlen(separator) != 1 || !strchr("./", separator[0]))
        return refuse(a, "has an order or a separator that Zarr does not know");
    int status = take_codec(a, top);
    status = status ? status : take_type(a, top);
    status = status ? status : take_shape(a, top);
    return status ? status : take_fill(a, top, text);
}

/* ---- the file */

/* A name that an object has twice: libnetcdf may take the other one. NULL: none. */
static const char *find_repeated(const struct pcdf_json_value *value)
{
    const char *found = NULL;
    for (const struct pcdf_json_value *v = value->first; v && !found; v = v->next) {
        for (const struct pcdf_json_value *w = v->next; w && v->key && !found; w = w->next)
            found = strcmp(v->key, w->key) == 0 ? v->key : NULL;
        found = found ? found : find_repeated(v);
    }
    return found;
}

/* NaN and Infinity, which libnetcdf writes as bare words, in quotes; room: 3 times n. */
static size_t quote_words(const char *text, size_t n, char *room)
{
    size_t m = 0;
    bool inside = false;
    for (size_t i = 0; i < n; i++) {
        static const char *const words[] = { "NaN", "Infinity", "-Infinity" };
        size_t length = 0;
        for (size_t w = 0; w < 3 && !inside; w++)
            if (n - i >= strlen(words[w]) && memcmp(text + i, words[w], strlen(words[w])) == 0)
                length = strlen(words[w]);
        if (text[i] == '"' && (i == 0 || text[i - 1] != '\\'))
            inside = !inside;
        if (length > 0)
            room[m++] = '"';
        memcpy(room + m, text + i, length > 0 ? length : 1);
        m += length > 0 ? length : 1;
        if (length > 0)
            room[m++] = '"';
        i += length > 0 ? length - 1 : 0;
    }
    room[m] = '\0';
    return m;
}

static int parse(struct pcdf_zarr_array *a, int fd)
{
    struct pcdf_arena arena = { 0 };
    const char *fault = "it cannot be read";
    size_t at = 0;
    char *text = pcdf_malloc(MOST_TEXT), *quoted = pcdf_malloc(3 * MOST_TEXT);
    const struct pcdf_json_value *top = NULL;
    int64_t n = 0;
    if (text && quoted && pcdf_posix_move(fd, PCDF_GET, text, MOST_TEXT, 0, &n, a->folder) == NC_NOERR &&
        n < MOST_TEXT)
        top = pcdf_json_read(&arena, quoted, quote_words(text, (size_t)n, quoted), &fault, &at);
    const char *twice = top ? find_repeated(top) : NULL;
    int status = !top    ? refuse(a, "has a .zarray that is not of Zarr: %s", fault)
                 : twice ? refuse(a, "has a .zarray with two members \"%.40s\"", twice)
                         : take_members(a, top, quoted);
    pcdf_arena_free(&arena);
    pcdf_free(text);
    pcdf_free(quoted);
    return status;
}

int pcdf_zarr_open(const char *store, int root, const char *folder, struct pcdf_zarr_array **array)
{
    char path[PATH_MAX];
    struct pcdf_zarr_array *a = pcdf_calloc(1, sizeof *a);
    *array = a;
    if (a)
        *a = (struct pcdf_zarr_array){ .store = store,
                                       .root = root,
                                       .folder = pcdf_strndup(folder, strlen(folder)) };
    if (!a || !a->folder)
        return pcdf_tool_unusable(store, "%s", pcdf_fail_text());
    bool fits = snprintf(path, sizeof path, "%s%s.zarray", folder, *folder ? "/" : "") < (int)sizeof path;
    int fd = fits ? openat(root, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    int status =
        fd < 0 ? refuse(a, "has no .zarray that can be read: %s", fits ? strerror(errno) : "its name is long")
               : parse(a, fd);
    if (fd >= 0)
        close(fd);
    return status;
}

void pcdf_zarr_close(struct pcdf_zarr_array *array)
{
    if (!array)
        return;
    pcdf_free(array->folder);
    pcdf_free(array->bytes);
    pcdf_free(array);
}

/* ---- all of them */

static int check_folder(const char *store, int root, const char *folder, int depth);

static int check_inside(const char *store, int root, const char *folder, int depth, DIR *dir)
{
    int status = PCDF_TOOL_GOOD;
    for (struct dirent *e = readdir(dir); e && !status; e = readdir(dir)) {
        char path[PATH_MAX];
        struct stat st;
        bool fits =
            snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", e->d_name) < (int)sizeof path;
        if (e->d_name[0] != '.' && fits && fstatat(root, path, &st, 0) == 0 && S_ISDIR(st.st_mode))
            status = check_folder(store, root, path, depth + 1);
    }
    return status;
}

/* An array holds no other, so the folders of its chunks are not looked through. */
static int check_folder(const char *store, int root, const char *folder, int depth)
{
    char path[PATH_MAX];
    struct stat st;
    struct pcdf_zarr_array *array = NULL;
    int status = PCDF_TOOL_GOOD;
    bool fits = snprintf(path, sizeof path, "%s%s.zarray", folder, *folder ? "/" : "") < (int)sizeof path;
    if (fits && fstatat(root, path, &st, 0) == 0) {
        status = pcdf_zarr_open(store, root, folder, &array);
        if (!status && !*folder)
            status = refuse(
                array, "is alone, without a group around it; name a folder with a .zgroup that holds it");
        pcdf_zarr_close(array);
        return status;
    }
    int fd = openat(root, *folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 && depth < MOST_DEPTH ? fdopendir(fd) : NULL;
    if (!dir && fd >= 0)
        close(fd);
    if (dir) {
        status = check_inside(store, root, folder, depth, dir);
        closedir(dir);
    }
    return status;
}

int pcdf_zarr_check(const char *store, int root)
{
    return check_folder(store, root, "", 0);
}
