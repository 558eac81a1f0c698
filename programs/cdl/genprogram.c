/* A C program that makes the file: definitions in one function, the values in as many as they need, since a
 * compiler takes many small arrays better than a large one. Written as the values come; only main, which
 * comes last, needs to know how many parts and records there are. */
#include "alloc.h"
#include "gen.h"
#include "meaningvalues.h"
#include "genc.h"
#include "tool.h"

#include <inttypes.h>
#include <string.h>

enum { PIECE = 4000 }; /* bytes of text in a part: C promises literals of 4095 */

struct pcdf_gen_program {
    struct pcdf_gen_sink sink; /* first */
    const struct pcdf_meta *meta;
    FILE *to;
    char *path;
    bool no_fill;
    int64_t parts;
};

static int told(const struct pcdf_gen_program *program)
{
    if (!ferror(program->to))
        return PCDF_TOOL_GOOD;
    return pcdf_tool_unusable("standard output", "cannot be written");
}

/* --- values -----------------------------------------------------------------------------------------------
 */

static void begin_part(struct pcdf_gen_program *program, int varid)
{
    program->parts++;
    fprintf(program->to, "/* ");
    pcdf_genc_comment(program->to, program->meta->vars[varid].name);
    fprintf(program->to, " */\nstatic void part_%" PRId64 "(int ncid)\n{\n", program->parts);
}

static int put_part(struct pcdf_gen_program *program, int varid, int64_t first, int64_t n,
                    const unsigned char *bytes)
{
    nc_type type = program->meta->vars[varid].type;

    begin_part(program, varid);
    pcdf_genc_array(program->to, type, n, bytes);
    fprintf(program->to,
            "    put(ncid, %d, %s, (int)sizeof values[0], %" PRId64 ", %" PRId64 ", values);\n}\n\n", varid,
            pcdf_genc_mpi_type(type), first, n);
    return told(program);
}

static int put_values(struct pcdf_gen_sink *sink, int varid, int64_t first, int64_t n,
                      const unsigned char *bytes)
{
    struct pcdf_gen_program *program = (struct pcdf_gen_program *)sink;
    nc_type type = sink->meta->vars[varid].type;
    int64_t most = type == NC_CHAR ? PIECE : n, take;

    for (int status = PCDF_TOOL_GOOD; n > 0; first += take, n -= take, bytes += take) {
        take = n < most ? n : most;
        status = put_part(program, varid, first, take, bytes);
        if (status)
            return status;
    }
    return PCDF_TOOL_GOOD;
}

static int repeat(struct pcdf_gen_sink *sink, int varid, int64_t first, int64_t n, const unsigned char *value)
{
    struct pcdf_gen_program *program = (struct pcdf_gen_program *)sink;
    nc_type type = sink->meta->vars[varid].type;

    begin_part(program, varid);
    pcdf_genc_array(program->to, type, 1, value);
    fprintf(program->to,
            "    repeat(ncid, %d, %s, (int)sizeof values[0], %" PRId64 ", %" PRId64 ", values);\n}\n\n",
            varid, pcdf_genc_mpi_type(type), first, n);
    return told(program);
}

static int fill(struct pcdf_gen_sink *sink, int varid, int64_t first, int64_t n)
{
    unsigned char value[8];

    pcdf_meaning_fill(&sink->meta->vars[varid], value);
    return repeat(sink, varid, first, n, value);
}

static int zero(struct pcdf_gen_sink *sink, int varid, int64_t first, int64_t n)
{
    static const unsigned char zeros[8];
    return repeat(sink, varid, first, n, zeros);
}

/* --- definitions ------------------------------------------------------------------------------------------
 */

static void define_att(const struct pcdf_gen_program *program, int varid, const struct pcdf_att *att)
{
    FILE *to = program->to;
    char owner[24] = "NC_GLOBAL";

    if (varid != NC_GLOBAL)
        snprintf(owner, sizeof owner, "%d", varid);
    fprintf(to, "    {\n    ");
    if (att->nelems == 0)
        fprintf(to, "    static const char values[] = \"\";\n");
    else
        pcdf_genc_array(to, att->type, att->nelems, att->values);
    fprintf(to, "        TRY(ncmpi_put_att(ncid, %s, ", owner);
    pcdf_genc_text(to, att->name, strlen(att->name));
    fprintf(to, ", %s, %" PRId64 ", values));\n    }\n", pcdf_type_name(att->type), att->nelems);
}

static void define_var(const struct pcdf_gen_program *program, int varid)
{
    const struct pcdf_var *var = &program->meta->vars[varid];

    fprintf(program->to, "    {\n        const int dimids[] = { ");
    for (int i = 0; i < var->ndims; i++)
        fprintf(program->to, "%d, ", var->dimids[i]);
    fprintf(program->to, "-1 };\n        TRY(ncmpi_def_var(ncid, ");
    pcdf_genc_text(program->to, var->name, strlen(var->name));
    fprintf(program->to, ", %s, %d, dimids, &id));\n    }\n", pcdf_type_name(var->type), var->ndims);
}

static void write_definitions(const struct pcdf_gen_program *program)
{
    const struct pcdf_meta *meta = program->meta;
    FILE *to = program->to;

    fprintf(to, "static void define(int ncid)\n{\n    int id = 0;\n\n");
    for (int i = 0; i < meta->ndims; i++) {
        fprintf(to, "    TRY(ncmpi_def_dim(ncid, ");
        pcdf_genc_text(to, meta->dims[i].name, strlen(meta->dims[i].name));
        if (meta->dims[i].length == 0)
            fprintf(to, ", NC_UNLIMITED, &id));\n");
        else
            fprintf(to, ", %" PRId64 ", &id));\n", meta->dims[i].length);
    }
    for (int i = 0; i < meta->nvars; i++)
        define_var(program, i);
    for (int i = -1; i < meta->nvars; i++) {
        int varid = i < 0 ? NC_GLOBAL : i;
        const struct pcdf_atts *atts = pcdf_meta_atts(meta, varid);
        for (int k = 0; k < atts->n; k++)
            define_att(program, varid, &atts->x[k]);
    }
    fprintf(to, "    (void)ncid;\n    (void)id;\n}\n\n");
}

/* --- the program's own text -------------------------------------------------------------------------------
 */

static const char includes[] = "#include <math.h>\n"
                               "#include <mpi.h>\n"
                               "#include <pnetcdf.h>\n"
                               "#include <stdio.h>\n"
                               "#include <stdlib.h>\n"
                               "#include <string.h>\n\n";

static const char helpers[] =
    "static void check(int err, int line)\n"
    "{\n"
    "    if (err == NC_NOERR)\n"
    "        return;\n"
    "    fprintf(stderr, \"line %d: %s\\n\", line, ncmpi_strerror(err));\n"
    "    MPI_Abort(MPI_COMM_WORLD, 1);\n"
    "}\n"
    "#define TRY(call) check((call), __LINE__)\n\n"
    "/* n values of a variable from number `first` on, in the order of its array: as blocks of whole rows. "
    "*/\n"
    "static void put(int ncid, int varid, MPI_Datatype type, int size, MPI_Offset first, MPI_Offset n,\n"
    "                const void *values)\n"
    "{\n"
    "    MPI_Offset shape[RANK], start[RANK], count[RANK], take;\n"
    "    const char *from = values;\n"
    "    int ndims, d, dimids[RANK];\n\n"
    "    TRY(ncmpi_inq_varndims(ncid, varid, &ndims));\n"
    "    if (ndims == 0) {\n"
    "        TRY(ncmpi_put_var_all(ncid, varid, values, 1, type));\n"
    "        return;\n"
    "    }\n"
    "    TRY(ncmpi_inq_vardimid(ncid, varid, dimids));\n"
    "    for (d = 0; d < ndims; d++)\n"
    "        TRY(ncmpi_inq_dimlen(ncid, dimids[d], &shape[d]));\n"
    "    for (; n > 0; n -= take, first += take, from += take * size) {\n"
    "        MPI_Offset rest = first;\n"
    "        for (d = ndims - 1; d > 0; d--) {\n"
    "            start[d] = rest % shape[d];\n"
    "            rest /= shape[d];\n"
    "            count[d - 1] = 1;\n"
    "        }\n"
    "        start[0] = rest;\n"
    "        take = 1;\n"
    "        for (d = ndims - 1; d > 0 && start[d] == 0 && n / take >= shape[d]; d--) {\n"
    "            count[d] = shape[d];\n"
    "            take *= shape[d];\n"
    "        }\n"
    "        count[d] = n / take;\n"
    "        if (d > 0 && count[d] > shape[d] - start[d]) /* records have no end */\n"
    "            count[d] = shape[d] - start[d];\n"
    "        take *= count[d];\n"
    "        TRY(ncmpi_put_vara_all(ncid, varid, start, count, from, take, type));\n"
    "    }\n"
    "}\n\n"
    "/* One value, n times. */\n"
    "static void repeat(int ncid, int varid, MPI_Datatype type, int size, MPI_Offset first, MPI_Offset n,\n"
    "                   const void *value)\n"
    "{\n"
    "    static char values[1 << 16];\n"
    "    MPI_Offset room = (MPI_Offset)sizeof values / size, take, i;\n\n"
    "    for (i = 0; i < room; i++)\n"
    "        memcpy(values + i * size, value, (size_t)size);\n"
    "    for (; n > 0; n -= take, first += take) {\n"
    "        take = n < room ? n : room;\n"
    "        put(ncid, varid, type, size, first, take, values);\n"
    "    }\n"
    "}\n\n";

static void write_table(const struct pcdf_gen_program *program)
{
    FILE *to = program->to;

    if (program->parts == 0)
        return;
    fprintf(to, "static void (*const parts[])(int) = {");
    for (int64_t i = 1; i <= program->parts; i++)
        fprintf(to, "%spart_%" PRId64 ",", (i - 1) % 8 ? " " : "\n    ", i);
    fprintf(to, "\n};\n\n");
}

static void write_make(const struct pcdf_gen_program *program)
{
    const struct pcdf_meta *meta = program->meta;
    FILE *to = program->to;
    const char *mode = meta->version == PCDF_CDF1   ? ""
                       : meta->version == PCDF_CDF2 ? " | NC_64BIT_OFFSET"
                                                    : " | NC_64BIT_DATA";

    fprintf(to,
            "static void make(const char *path)\n{\n    int ncid;\n\n"
            "    TRY(ncmpi_create(MPI_COMM_SELF, path, NC_CLOBBER%s, MPI_INFO_NULL, &ncid));\n"
            "    TRY(ncmpi_set_fill(ncid, %s, NULL));\n"
            "    define(ncid);\n"
            "    TRY(ncmpi__enddef(ncid, 0, 4, 0, 4));\n",
            mode, program->no_fill ? "NC_NOFILL" : "NC_FILL");
    if (program->parts > 0)
        fprintf(to, "    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)\n"
                    "        parts[i](ncid);\n");
    fprintf(to, "    (void)put;\n    (void)repeat;\n    TRY(ncmpi_close(ncid));\n}\n\n");
}

static void write_main(const struct pcdf_gen_program *program)
{
    FILE *to = program->to;

    fprintf(to, "int main(int argc, char **argv)\n{\n    int rank;\n\n"
                "    MPI_Init(&argc, &argv);\n"
                "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                "    if (rank == 0)\n"
                "        make(argc > 1 ? argv[1] : ");
    pcdf_genc_text(to, program->path, strlen(program->path));
    fprintf(to, ");\n    MPI_Finalize();\n    return 0;\n}\n");
}

/* --- begin and end ----------------------------------------------------------------------------------------
 */

int pcdf_gen_program_begin(struct pcdf_gen_program **out, FILE *to, const char *path,
                           const struct pcdf_meta *meta, bool no_fill)
{
    struct pcdf_gen_program *program = pcdf_calloc(1, sizeof *program);
    int rank = 1;

    if (program)
        *program = (struct pcdf_gen_program){ .sink = { meta, put_values, fill, zero },
                                              .meta = meta,
                                              .to = to,
                                              .path = pcdf_strndup(path, strlen(path)),
                                              .no_fill = no_fill };
    if (!program || !program->path) {
        pcdf_free(program);
        return pcdf_tool_unusable(NULL, "no memory for a program");
    }
    for (int i = 0; i < meta->nvars; i++)
        rank = meta->vars[i].ndims > rank ? meta->vars[i].ndims : rank;
    fprintf(to,
            "/* Makes a netCDF file. Compile with mpicc and link the library of pnetcdf.h; the argument\n"
            " * is the file's name. */\n%s",
            includes);
    fprintf(to, "enum { RANK = %d }; /* dimensions of a variable, at most */\n\n%s", rank, helpers);
    *out = program;
    return told(program);
}

struct pcdf_gen_sink *pcdf_gen_program_sink(struct pcdf_gen_program *program)
{
    return &program->sink;
}

int pcdf_gen_program_end(struct pcdf_gen_program *program)
{
    write_definitions(program);
    write_table(program);
    write_make(program);
    write_main(program);
    fflush(program->to);
    int status = told(program);
    pcdf_gen_program_abandon(program);
    return status;
}

void pcdf_gen_program_abandon(struct pcdf_gen_program *program)
{
    pcdf_free(program->path);
    pcdf_free(program);
}
