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

static int take_fill(struct pcdf_zarr_array *a, const struct pcdf_json_value *top)
{
    const struct pcdf_json_value *fill = pcdf_json_member(top, "fill_value");
    if (!fill || fill->kind == PCDF_JSON_NULL || !strchr("iuf", a->kind))
        return PCDF_TOOL_GOOD;
    if (fill->kind == PCDF_JSON_NUMBER && a->kind != 'f') {
        if (!put_integer(a, fill->text, fill->number))
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

static int take_members(struct pcdf_zarr_array *a, const struct pcdf_json_value *top)
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
    return status ? status : take_fill(a, top);
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

/* libnetcdf writes NaN and Infinity as bare words. NULL: *fault says why. */
static const struct pcdf_json_value *read_json(struct pcdf_arena *arena, int fd, const char *what,
                                               int64_t most, const char **fault)
{
    const struct pcdf_json_rules rules = { .depth = 16, .values = 200000, .words = true };
    const struct pcdf_json_value *top = NULL;
    char *text = pcdf_malloc((size_t)most);
    size_t at = 0;
    int64_t n = 0;
    *fault = "it cannot be read";
    if (text && pcdf_posix_move(fd, PCDF_GET, text, most, 0, &n, what) == NC_NOERR && n < most)
        top = pcdf_json_read(arena, text, (size_t)n, &rules, fault, &at);
    pcdf_free(text);
    return top;
}

static int parse(struct pcdf_zarr_array *a, int fd)
{
    struct pcdf_arena arena = { 0 };
    const char *fault;
    const struct pcdf_json_value *top = read_json(&arena, fd, a->folder, MOST_TEXT, &fault);
    const char *twice = top ? find_repeated(top) : NULL;
    int status = !top    ? refuse(a, "has a .zarray that is not of Zarr: %s", fault)
                 : twice ? refuse(a, "has a .zarray with two members \"%.40s\"", twice)
                         : take_members(a, top);
    pcdf_arena_free(&arena);
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

/* ---- attributes */

static int open_member(int root, const char *folder, const char *name)
{
    char path[PATH_MAX];
    bool fits = snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", name) < (int)sizeof path;
    return fits ? openat(root, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
}

/* Does the list begin with a whole number, and have another one? */
static bool is_mixed(const struct pcdf_json_value *list)
{
    bool whole = true, other = false;
    for (const struct pcdf_json_value *v = list->first; v && list->kind == PCDF_JSON_LIST; v = v->next) {
        bool is_whole = v->kind == PCDF_JSON_NUMBER && !strpbrk(v->text, ".eENI");
        whole = v == list->first ? is_whole : whole;
        other = other || (v->kind == PCDF_JSON_NUMBER && !is_whole);
    }
    return whole && other;
}

/* libnetcdf takes the type of a list from its first number, and cuts the others: [1, 2.5] would be 1 and 2.
 * Where NCZarr says the type it takes that. */
static int check_atts(const char *store, int root, const char *folder)
{
    struct pcdf_arena arena = { 0 };
    const char *fault;
    int status = PCDF_TOOL_GOOD, fd = open_member(root, folder, ".zattrs"),
        types = open_member(root, folder, ".nczattr");
    const struct pcdf_json_value *top =
        fd >= 0 && types < 0 ? read_json(&arena, fd, folder, PCDF_JSON_MOST_BYTES, &fault) : NULL;
    const struct pcdf_json_value *said = pcdf_json_member(top, "_NCZARR_ATTR");
    said = pcdf_json_member(said ? said : pcdf_json_member(top, "_nczarr_attr"), "types");
    for (const struct pcdf_json_value *v = top ? top->first : NULL; v && !status; v = v->next)
        if (v->key && is_mixed(v) && !pcdf_json_member(said, v->key))
            status =
                pcdf_tool_unusable(store,
                                   "%s %s has the attribute %.40s, a list of whole and other numbers that "
                                   "begins with a whole one, which libnetcdf reads wrongly",
                                   *folder ? "group or array" : "group", *folder ? folder : "/", v->key);
    pcdf_arena_free(&arena);
    if (fd >= 0)
        close(fd);
    if (types >= 0)
        close(types);
    return status;
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
    int status = check_atts(store, root, folder);
    bool fits = snprintf(path, sizeof path, "%s%s.zarray", folder, *folder ? "/" : "") < (int)sizeof path;
    if (status)
        return status;
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
