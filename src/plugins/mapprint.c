/* See maphost.h. */

#include "maphost.h"
#include <inttypes.h>
#include <string.h>
#include "status.h"

static const char *const stored_names[] = { "int", "uint", "real", "bool", "text", "ucs4" };
static int ndims, nvars;

static int print_kind(void *to, int kind)
{
    fprintf(to, "kind %s\n", pcdf_source_kind_name((enum pcdf_source_kind)kind));
    return NC_NOERR;
}

static int print_dim(void *to, const char *group, const char *name, int64_t length, int is_unlimited, int *id)
{
    *id = ndims++;
    fprintf(to, "dim %d %s/%s %" PRId64 "%s\n", *id, group, name, length, is_unlimited ? " unlimited" : "");
    return NC_NOERR;
}

static void print_bytes(FILE *to, const char *what, const void *bytes, int64_t n)
{
    fprintf(to, " %s", what);
    for (int64_t i = 0; i < n && i < 64; i++)
        fprintf(to, "%02x", ((const unsigned char *)bytes)[i]);
    fprintf(to, n > 64 ? "..." : "");
}

static int print_var(void *to, const struct pcdf_map_var *v, int *id)
{
    *id = nvars++;
    fprintf(to, "var %d %s/%s %s%d%s (", *id, v->group, v->name, stored_names[v->stored], v->size,
            v->is_big ? " big" : "");
    if (v->is_contiguous)
        fprintf(to, " contiguous");
    for (int i = 0; i < v->ndims; i++)
        fprintf(to, "%s%d:%" PRId64 "/%" PRId64, i ? " " : "", v->dims[i], v->shape[i], v->chunk[i]);
    fprintf(to, ")");
    for (int i = 0; i < v->ncodecs; i++)
        fprintf(to, " %d:%s", v->codecs[i].id, v->codecs[i].name);
    if (v->fill)
        print_bytes(to, "fill ", v->fill, v->size);
    if (v->values)
        print_bytes(to, "values ", v->values, v->nvalues);
    if (v->offset >= 0)
        fprintf(to, " at %" PRId64, v->offset);
    fprintf(to, v->has_table ? " table\n" : "\n");
    return NC_NOERR;
}

static int print_chunk(void *to, int64_t number, int64_t offset, int64_t length, uint32_t mask)
{
    fprintf(to, "chunk %" PRId64 " %" PRId64 " %" PRId64 " %x\n", number, offset, length, mask);
    return NC_NOERR;
}

static int print_att(void *to, const char *group, int var, const char *name, const struct pcdf_map_values *v)
{
    fprintf(to, "att %d %s:%s %s%d x %" PRId64, var, group, name, stored_names[v->stored], v->size, v->n);
    print_bytes(to, "", v->values, v->n * v->size);
    fprintf(to, "\n");
    return NC_NOERR;
}

static int print_left_out(void *to, const char *sentence)
{
    fprintf(to, "left out: %s\n", sentence);
    return NC_NOERR;
}

static int print_failure(void *to, int code, const char *sentence)
{
    fprintf(to, "failed %d: %s\n", code, sentence);
    return code;
}

static void print_nothing(void *to)
{
    (void)to;
}

struct pcdf_map_builder pcdf_mapprint_functions(FILE *to)
{
    return (struct pcdf_map_builder){ to,        print_kind,     print_dim,     print_var,    print_chunk,
                                      print_att, print_left_out, print_failure, print_nothing };
}
