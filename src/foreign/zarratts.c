/* libnetcdf 4.9 writes the real numbers of a store's JSON with six digits: they are written again, whole. */
#include "zarrstore.h"
#include "alloc.h"
#include "foreign.h"
#include "status.h"
#include "tool.h"
#include "toolfile.h"
#include "tooljson.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define ATTRIBUTES ".zattrs"
#define ARRAY      ".zarray"

/* ---- JSON as libnetcdf reads it: NaN and Infinity are words, all bytes but a few stand for themselves */

static void put_text(FILE *to, const char *text, size_t n)
{
    static const char plain[] = "\"\\\n\r\t\b\f", letters[] = "\"\\nrtbf";

    fputc('"', to);
    for (size_t i = 0; i < n && text[i]; i++) {
        const char *special = strchr(plain, text[i]);
        if (special)
            fprintf(to, "\\%c", letters[special - plain]);
        else
            fputc(text[i], to);
    }
    fputc('"', to);
}

static void put_real(FILE *to, double number, bool is_float)
{
    char text[40];

    if (isnan(number) || isinf(number)) {
        fputs(isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity", to);
        return;
    }
    pcdf_tool_shortest(number, is_float, text, sizeof text);
    fprintf(to, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

static void put_number(FILE *to, nc_type type, const unsigned char *external)
{
    struct pcdf_value v = pcdf_value_load(type, external);

    if (pcdf_value_is_real(type))
        put_real(to, v.is.real, type == NC_FLOAT);
    else if (pcdf_value_is_unsigned(type))
        fprintf(to, "%" PRIu64, v.is.natural);
    else
        fprintf(to, "%" PRId64, v.is.integer);
}

static void put_att(FILE *to, const struct pcdf_att *att)
{
    int size = pcdf_type_size(att->type);

    put_text(to, att->name, strlen(att->name));
    fputs(": ", to);
    if (att->type == NC_CHAR) {
        put_text(to, (const char *)att->values, (size_t)att->nelems);
        return;
    }
    fputs(att->nelems == 1 ? "" : "[", to);
    for (int64_t i = 0; i < att->nelems; i++) {
        fputs(i > 0 ? "," : "", to);
        put_number(to, att->type, att->values + i * size);
    }
    fputs(att->nelems == 1 ? "" : "]", to);
}

static const char *type_of(nc_type type)
{
    static const char *const names[PCDF_TYPE_ROWS] = {
        [NC_BYTE] = "<i1",  [NC_CHAR] = "<U1",   [NC_SHORT] = "<i2", [NC_INT] = "<i4",
        [NC_FLOAT] = "<f4", [NC_DOUBLE] = "<f8", [NC_UBYTE] = "<u1", [NC_USHORT] = "<u2",
        [NC_UINT] = "<u4",  [NC_INT64] = "<i8",  [NC_UINT64] = "<u8"
    };
    return names[type] ? names[type] : "?";
}

/* The names of a variable's dimensions, as the tools of Zarr know them. */
static void put_dims(FILE *to, const struct pcdf_meta *meta, const struct pcdf_var *var)
{
    fputs("\"_ARRAY_DIMENSIONS\": [", to);
    for (int i = 0; i < var->ndims; i++) {
        const struct pcdf_dim *dim = &meta->dims[var->dimids[i]];
        fputs(i > 0 ? "," : "", to);
        put_text(to, dim->name, (size_t)dim->name_length);
    }
    fputs(var->ndims == 0 ? "\"_scalar_\"], " : "], ", to);
}

static void put_atts(FILE *to, const struct pcdf_meta *meta, const struct pcdf_var *var,
                     const struct pcdf_atts *atts)
{
    fputc('{', to);
    for (int i = 0; i < atts->n; i++) {
        put_att(to, &atts->x[i]);
        fputs(", ", to);
    }
    if (var)
        put_dims(to, meta, var);
    fputs("\"_NCZARR_ATTR\": {\"types\": {", to);
    for (int i = 0; i < atts->n; i++) {
        fputs(i > 0 ? ", " : "", to);
        put_text(to, atts->x[i].name, (size_t)atts->x[i].name_length);
        fprintf(to, ": \"%s\"", type_of(atts->x[i].type));
    }
    fputs("}}}", to);
}

/* ---- files */

/* Replaces a file that libnetcdf made: folder NULL: of the store itself. */
static FILE *rewrite(const struct pcdf_zarr_store *store, const char *folder, const char *name)
{
    char path[4 * NC_MAX_NAME];
    int n = snprintf(path, sizeof path, "%s%s%s", folder ? folder : "", folder ? "/" : "", name);
    int fd = n < (int)sizeof path ? openat(store->fd, path, O_RDWR | O_CLOEXEC | O_NOFOLLOW) : -1;
    FILE *file = fd >= 0 ? fdopen(fd, "r+") : NULL;
    if (fd >= 0 && !file)
        close(fd);
    return file;
}

/* Cut behind what was written. */
static bool finish(FILE *file)
{
    bool good = fflush(file) == 0 && !ferror(file) && ftruncate(fileno(file), ftell(file)) == 0;
    return fclose(file) == 0 && good;
}

static bool write_atts(const struct pcdf_zarr_store *store, const struct pcdf_meta *meta,
                       const struct pcdf_var *var, const struct pcdf_atts *atts)
{
    FILE *file = rewrite(store, var ? var->name : NULL, ATTRIBUTES);
    if (!file)
        return false;
    put_atts(file, meta, var, atts);
    return finish(file);
}

/* The value of "fill_value" in an array's own file. */
static bool write_fill(const struct pcdf_zarr_store *store, const struct pcdf_var *var)
{
    static const char key[] = "\"fill_value\": ", next[] = ", \"order\"";
    char text[16384];
    FILE *file = rewrite(store, var->name, ARRAY);
    if (!file)
        return false;
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    char *from = strstr(text, key), *to = from ? strstr(from, next) : NULL;
    if (!to || fseek(file, from - text + (long)sizeof key - 1, SEEK_SET)) {
        fclose(file);
        return false;
    }
    put_number(file, var->type, pcdf_var_fill(var));
    fputs(to, file);
    return finish(file);
}

int pcdf_zarr_attributes(struct pcdf_zarr_store *store, const struct pcdf_meta *meta)
{
    bool good = write_atts(store, meta, NULL, &meta->gatts);

    for (int i = 0; i < meta->nvars && good; i++) {
        const struct pcdf_var *var = &meta->vars[i];
        good = write_atts(store, meta, var, &var->atts);
        if (good && pcdf_value_is_real(var->type))
            good = write_fill(store, var);
    }
    return good ? PCDF_TOOL_GOOD : pcdf_tool_unusable(store->path, "%s", strerror(errno));
}
