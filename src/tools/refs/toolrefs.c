/* `parcdf refs`: where the chunks of each variable lie, as references that Zarr's readers follow (kerchunk
 * JSON, version 1). What is printed is as large as the number of chunks; what is in memory is not. */
#include "alloc.h"
#include "base64.h"
#include "refsgrid.h"
#include "refsimage.h"
#include "refstext.h"
#include "tool.h"
#include "toolfile.h"
#include "tooljson.h"
#include "tooloutput.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MIB = 1 << 20,
    STEP = 3 * 16384,       /* bytes made base64 at a time: whole groups of 3 */
    MOST_BEHIND = 64 * MIB, /* bytes behind the file's end that are written out as zeros */
    MOST_CHUNK = 1024,      /* MiB */
};

struct options {
    const char *path, *url, *output;
    int64_t chunk_bytes, inline_bytes;
    bool replace;
};

struct making {
    const struct options *options;
    struct pcdf_tool_dataset ds;
    struct pcdf_json json;
    const char *url;
    unsigned char *block;         /* STEP bytes */
    char *text;                   /* these in base64 */
    struct pcdf_refs_image other; /* of a file of another format; its image NULL: of a classic one */
    bool is_partial;              /* a variable was left out */
};

/* ---- definitions as texts of JSON in JSON */

struct inner { /* a JSON text that becomes the string value of a key */
    struct pcdf_json json;
    char *text;
    size_t n;
};

static bool inner_begin(struct inner *in)
{
    *in = (struct inner){ 0 };
    FILE *to = open_memstream(&in->text, &in->n);
    if (!to)
        return false;
    pcdf_json_begin(&in->json, to);
    in->json.bare_nan = in->json.is_ascii = true;
    pcdf_json_open(&in->json, '{', true);
    return true;
}

static int no_memory(const struct making *m)
{
    return pcdf_tool_unusable(m->options->path, "no memory");
}

static int inner_end(struct making *m, struct inner *in, const char *key)
{
    pcdf_json_close(&in->json, '}');
    bool good = !ferror(in->json.to);
    good = fclose(in->json.to) == 0 && good;
    if (good) {
        pcdf_json_key(&m->json, key);
        pcdf_json_bytes(&m->json, in->text, in->n);
    }
    free(in->text);
    return good ? PCDF_TOOL_GOOD : no_memory(m);
}

/* "NAME/WHAT"; the caller frees it. */
static char *key_of(const struct pcdf_var *var, const char *what, size_t room)
{
    size_t size = strlen(var->name) + strlen(what) + room + 2;
    char *key = pcdf_malloc(size);
    if (key)
        snprintf(key, size, "%s/%s", var->name, what);
    return key;
}

static int put_group(struct making *m)
{
    struct inner in;

    pcdf_json_key(&m->json, ".zgroup");
    pcdf_json_text(&m->json, "{\"zarr_format\": 2}");
    if (!inner_begin(&in))
        return no_memory(m);
    pcdf_refs_attributes(&in.json, &m->ds.meta.gatts, "");
    return inner_end(m, &in, ".zattrs");
}

static int put_var_attributes(struct making *m, const struct pcdf_var *var, int ndims)
{
    static const char own[] = "_ARRAY_DIMENSIONS";
    struct inner in;
    char *key = key_of(var, ".zattrs", 0);

    if (!key || !inner_begin(&in)) {
        pcdf_free(key);
        return no_memory(m);
    }
    pcdf_json_key(&in.json, own);
    pcdf_json_open(&in.json, '[', true);
    for (int i = 0; i < ndims; i++)
        pcdf_json_text(&in.json, m->ds.meta.dims[var->dimids[i]].name);
    pcdf_json_close(&in.json, ']');
    pcdf_refs_attributes(&in.json, &var->atts, own);
    int status = inner_end(m, &in, key);
    pcdf_free(key);
    return status;
}

/* ---- chunks */

/* A chunk written out: values, then zeros up to its size. */
static int put_values(struct making *m, int varid, const struct pcdf_refs_chunk *chunk)
{
    int64_t size = pcdf_type_size(m->ds.meta.vars[varid].type), there = chunk->n * size;

    pcdf_json_here(&m->json);
    fputs("\"base64:", m->json.to);
    for (int64_t at = 0; at < chunk->nbytes; at += STEP) {
        int64_t n = chunk->nbytes - at < STEP ? chunk->nbytes - at : STEP;
        int64_t real = there - at < 0 ? 0 : there - at < n ? there - at : n;
        int status = pcdf_tool_values(&m->ds, varid, chunk->first + at / size, real / size, m->block);
        if (status)
            return status;
        memset(m->block + real, 0, (size_t)(n - real));
        pcdf_base64_encode(m->block, (size_t)n, m->text);
        fputs(m->text, m->json.to);
    }
    fputc('"', m->json.to);
    return PCDF_TOOL_GOOD;
}

/* ---- arrays */

static void put_lengths(struct pcdf_json *json, const char *key, const struct pcdf_refs_grid *grid,
                        int64_t (*length)(const struct pcdf_refs_grid *, int))
{
    pcdf_json_key(json, key);
    pcdf_json_open(json, '[', true);
    for (int i = 0; i < grid->ndims; i++)
        pcdf_json_integer(json, length(grid, i));
    pcdf_json_close(json, ']');
}

static void put_grid(struct pcdf_json *json, const struct pcdf_var *var, const struct pcdf_refs_grid *grid)
{
    put_lengths(json, "chunks", grid, pcdf_refs_grid_step);
    pcdf_json_key(json, "compressor");
    pcdf_json_null(json);
    pcdf_json_key(json, "dtype");
    pcdf_json_text(json, pcdf_refs_dtype(var->type));
    pcdf_refs_fill_value(json, var);
    pcdf_json_key(json, "filters");
    pcdf_json_null(json);
    pcdf_json_key(json, "order");
    pcdf_json_text(json, "C");
    put_lengths(json, "shape", grid, pcdf_refs_grid_length);
    pcdf_json_key(json, "zarr_format");
    pcdf_json_integer(json, 2);
}

/* grid NULL: as the file has it, which is of another format. */
static int put_array(struct making *m, int varid, const struct pcdf_refs_grid *grid)
{
    const struct pcdf_var *var = &m->ds.meta.vars[varid];
    struct inner in;
    char *key = key_of(var, ".zarray", 0);

    if (!key || !inner_begin(&in)) {
        pcdf_free(key);
        return no_memory(m);
    }
    in.json.bare_nan = false;
    if (grid)
        put_grid(&in.json, var, grid);
    else
        pcdf_refs_image_array(&m->other, varid, &in.json);
    int status = inner_end(m, &in, key);
    pcdf_free(key);
    return status;
}

/* The indexes of a chunk behind "NAME/". */
static void put_indexes(char *to, const struct pcdf_refs_grid *grid, int64_t lead, int64_t j)
{
    int64_t divisor = grid->leads;

    if (grid->ndims == 0)
        memcpy(to, "0", 2);
    for (int i = 0; i < grid->ndims; i++) {
        int64_t index = i == grid->split ? j : 0;
        if (i < grid->split) {
            divisor /= pcdf_refs_grid_length(grid, i);
            index = lead / divisor;
            lead %= divisor;
        }
        to += sprintf(to, "%s%" PRId64, i > 0 ? "." : "", index);
    }
}

static int put_chunk(struct making *m, const struct pcdf_refs_grid *grid, const struct pcdf_refs_chunk *chunk)
{
    int64_t size = pcdf_type_size(m->ds.meta.vars[grid->varid].type);
    bool is_run = !grid->is_spread || chunk->n * size <= m->ds.meta.vars[grid->varid].nbytes;

    if (m->options->inline_bytes >= chunk->nbytes || !is_run ||
        chunk->offset > m->ds.file.size - chunk->nbytes)
        return put_values(m, grid->varid, chunk);
    pcdf_json_open(&m->json, '[', true);
    pcdf_json_text(&m->json, m->url);
    pcdf_json_integer(&m->json, chunk->offset);
    pcdf_json_integer(&m->json, chunk->nbytes);
    pcdf_json_close(&m->json, ']');
    return PCDF_TOOL_GOOD;
}

static int put_chunks(struct making *m, const struct pcdf_refs_grid *grid)
{
    const struct pcdf_var *var = &m->ds.meta.vars[grid->varid];
    char *key = key_of(var, "", 21 * (size_t)(grid->ndims + 1));
    int status = key ? PCDF_TOOL_GOOD : no_memory(m);

    for (int64_t lead = 0; lead < grid->leads && !status; lead++)
        for (int64_t j = 0; j < grid->per_lead && !status && !ferror(m->json.to); j++) {
            struct pcdf_refs_chunk chunk;
            pcdf_refs_grid_chunk(grid, lead, j, &chunk);
            put_indexes(key + strlen(var->name) + 1, grid, lead, j);
            pcdf_json_key(&m->json, key);
            status = put_chunk(m, grid, &chunk);
        }
    pcdf_free(key);
    return status;
}

/* Zarr's names are paths, and a backslash is a slash to it. */
static bool has_place(const char *name)
{
    return !strpbrk(name, "/\\") && strncmp(name, ".z", 2) != 0 && strcmp(name, ".") != 0 &&
           strcmp(name, "..") != 0;
}

static int put_in_grid(struct making *m, const struct pcdf_refs_grid *grid)
{
    const struct pcdf_var *var = &m->ds.meta.vars[grid->varid];
    int status = put_array(m, grid->varid, grid);
    if (!status)
        status = put_var_attributes(m, var, var->ndims);
    return status ? status : put_chunks(m, grid);
}

static int leave_out(struct making *m, const char *why, const char *name)
{
    pcdf_tool_say(m->options->path, "variable %s: %s: left out", name, why);
    m->is_partial = true;
    return PCDF_TOOL_GOOD;
}

static int put_stored(struct making *m, int varid)
{
    const struct pcdf_var *var = &m->ds.meta.vars[varid];
    const char *flaw = pcdf_refs_image_flaw(&m->other, varid);
    if (flaw)
        return leave_out(m, flaw, var->name);
    int status = put_array(m, varid, NULL);
    if (!status)
        status = put_var_attributes(m, var, pcdf_refs_image_dims(&m->other, varid));
    return status ? status : pcdf_refs_image_chunks(&m->other, varid, &m->json);
}

static int put_variable(struct making *m, int varid)
{
    const struct pcdf_meta *meta = &m->ds.meta;
    struct pcdf_refs_grid grid;
    int64_t bytes;

    bool wraps = __builtin_mul_overflow(pcdf_tool_count(meta, varid),
                                        (int64_t)pcdf_type_size(meta->vars[varid].type), &bytes);
    if (!wraps && bytes <= m->options->inline_bytes)
        pcdf_refs_grid_whole(&grid, meta, &m->ds.layout, varid);
    else if (m->other.image)
        return put_stored(m, varid);
    else
        pcdf_refs_grid_make(&grid, meta, &m->ds.layout, varid, m->options->chunk_bytes, m->ds.file.size);
    return put_in_grid(m, &grid);
}

static int put_references(struct making *m, FILE *to)
{
    int status;

    pcdf_json_begin(&m->json, to);
    pcdf_json_open(&m->json, '{', false);
    pcdf_json_key(&m->json, "version");
    pcdf_json_integer(&m->json, 1);
    pcdf_json_key(&m->json, "refs");
    pcdf_json_open(&m->json, '{', false);
    status = put_group(m);
    for (int i = 0; i < m->ds.meta.nvars && !status && !ferror(to); i++)
        if (has_place(m->ds.meta.vars[i].name)) {
            status = put_variable(m, i);
        } else {
            pcdf_tool_say(m->options->path, "Zarr has no place for a variable of the name %s: left out",
                          m->ds.meta.vars[i].name);
            m->is_partial = true;
        }
    pcdf_json_close(&m->json, '}');
    pcdf_json_close(&m->json, '}');
    pcdf_json_end(&m->json);
    return status;
}

/* ---- the command */

static int put_to_file(struct making *m)
{
    struct pcdf_tool_output out;

    if (!pcdf_tool_output_spares(m->options->output, m->options->path))
        return PCDF_TOOL_UNUSABLE;
    int status = pcdf_tool_output_begin(&out, m->options->output, m->options->replace);
    if (status)
        return status;
    FILE *to = fopen(out.name, "w");
    if (to) {
        status = put_references(m, to);
        bool failed = ferror(to) != 0;
        failed = fclose(to) != 0 || failed;
        if (failed && !status)
            status = pcdf_tool_unusable(m->options->output, "cannot be written");
    } else
        status = pcdf_tool_unusable(m->options->output, "%s", strerror(errno));
    if (status)
        pcdf_tool_output_abandon(&out);
    return status ? status : pcdf_tool_output_commit(&out);
}

/* Before anything is printed. */
static int check_end(const struct making *m)
{
    if (m->ds.behind <= MOST_BEHIND)
        return PCDF_TOOL_GOOD;
    pcdf_tool_say(m->options->path,
                  "%" PRId64 " bytes of its data lie behind its end, more than references can make up for",
                  m->ds.behind);
    return PCDF_TOOL_BAD;
}

static int refer(const struct options *options)
{
    struct making m = { .options = options };

    int status = pcdf_tool_dataset_open(&m.ds, options->path, true);
    if (status)
        return status;
    if (pcdf_tool_source_is_image(m.ds.file.source)) {
        m.other = (struct pcdf_refs_image){ .image = m.ds.file.source->image,
                                            .url = options->url,
                                            .chunk_bytes = options->chunk_bytes };
        status = pcdf_refs_image_begin(&m.other, options->path);
        if (status) {
            pcdf_tool_dataset_close(&m.ds);
            return status;
        }
    }
    char *real = realpath(options->path, NULL);
    m.url = options->url ? options->url : real ? real : options->path;
    m.block = pcdf_malloc(STEP);
    m.text = pcdf_malloc(pcdf_base64_room(STEP));
    status = m.block && m.text ? check_end(&m) : no_memory(&m);
    if (!status)
        status = options->output ? put_to_file(&m) : put_references(&m, stdout);
    if (!status && (m.ds.read_behind || m.is_partial))
        status = PCDF_TOOL_BAD;
    pcdf_free(m.block);
    pcdf_free(m.text);
    if (m.other.image)
        pcdf_refs_image_end(&m.other);
    free(real);
    pcdf_tool_dataset_close(&m.ds);
    return status;
}

static bool parse_number(const char *text, int64_t least, int64_t most, int64_t *x)
{
    char *end;

    errno = 0;
    *x = strtoll(text, &end, 10);
    return !errno && end != text && !*end && *x >= least && *x <= most;
}

static int parse(int argc, char **argv, struct options *o)
{
    static const struct option longs[] = {
        { "output", required_argument, NULL, 'o' }, { "replace", no_argument, NULL, 'O' },
        { "url", required_argument, NULL, 'u' },    { "chunk-size", required_argument, NULL, 'c' },
        { "inline", required_argument, NULL, 'i' }, { 0 },
    };
    int c;

    opterr = 0;
    while ((c = getopt_long(argc, argv, "o:Ou:c:i:", longs, NULL)) != -1) {
        if (c == 'o')
            o->output = optarg;
        else if (c == 'O')
            o->replace = true;
        else if (c == 'u')
            o->url = optarg;
        else if (c == 'c' && !parse_number(optarg, 1, MOST_CHUNK, &o->chunk_bytes))
            return pcdf_tool_misused(&pcdf_tool_refs, "-c takes a number of MiB from 1 to %d", MOST_CHUNK);
        else if (c == 'c')
            o->chunk_bytes *= MIB;
        else if (c == 'i' && !parse_number(optarg, 0, MOST_CHUNK * (int64_t)MIB, &o->inline_bytes))
            return pcdf_tool_misused(&pcdf_tool_refs, "-i takes a number of bytes up to %d MiB", MOST_CHUNK);
        else if (c == '?')
            return pcdf_tool_misused(&pcdf_tool_refs, "unknown option, or one without its argument: %s",
                                     argv[optind - 1]);
    }
    if (optind + 1 != argc)
        return pcdf_tool_misused(&pcdf_tool_refs, "takes one file");
    o->path = argv[optind];
    return PCDF_TOOL_GOOD;
}

static int run(const struct pcdf_tool_team *team, int argc, char **argv)
{
    struct options options = { .chunk_bytes = 16 * MIB };

    (void)team;
    int status = parse(argc, argv, &options);
    return status ? status : refer(&options);
}

const struct pcdf_tool_command pcdf_tool_refs = {
    .name = "refs",
    .usage = "[-o OUT [-O]] [-u URL] [-c MIB] [-i BYTES] FILE",
    .summary = "write references so that Zarr and xarray read the file in place",
    .help = "Prints a JSON file (kerchunk references, version 1). It tells for each chunk of\n"
            "each variable which bytes of FILE are its data, so that programs for Zarr read\n"
            "FILE without a copy. Variables are cut along their first dimensions into chunks\n"
            "of limited size. A chunk holds values of one record only, unless the records of\n"
            "a variable follow each other without gaps. The attribute _FillValue becomes\n"
            "fill_value; without it, fill_value is null. Data that is missing at the end of\n"
            "FILE is written as zeros. A variable whose name Zarr does not allow, such as\n"
            "one with a backslash, is left out. Files of other formats (netCDF-4, HDF5,\n"
            "HDF4) keep their chunks and codecs; a variable that Zarr cannot read so is left\n"
            "out, with a message.\n\n"
            "  -o, --output OUT      write to OUT instead of standard output\n"
            "  -O, --replace         replace OUT if it exists\n"
            "  -u, --url URL         where readers find the file (default: its absolute\n"
            "                        path)\n"
            "  -c, --chunk-size MIB  largest size of a chunk, 1 to 1024 MiB (default 16)\n"
            "  -i, --inline BYTES    write variables and chunks of at most BYTES into the\n"
            "                        JSON itself, which saves a request for each (default 0)\n\n"
            "Exit status: 0 good; 1 bad (not a netCDF classic file, data is missing at its\n"
            "end, or a variable was left out); 2 unusable.\n\n"
            "EXAMPLES\n"
            "  parcdf refs -o run.json run.nc\n"
            "  parcdf refs --url s3://bucket/run.nc --chunk-size 64 run.nc > run.json\n"
            "  parcdf refs --inline 4096 run.nc | head -20\n",
    .run = run,
};
