/* `parcdf refs`: where the chunks of each variable lie, as references that Zarr's readers follow (kerchunk's
 * JSON of version 1). What is written is as large as the number of chunks; what is in memory is not. */
#include "alloc.h"
#include "options.h"
#include "refsmake.h"
#include "tool.h"
#include "tooloutput.h"
#include "toolpaths.h"
#include "toolseries.h"
#include "toolshare.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MIB = 1 << 20,
    MOST_CHUNK = 1024 /* MiB */
};

static int put_references(struct pcdf_refs_making *m, FILE *to)
{
    int status = pcdf_refs_out_begin(&m->out, to);
    if (!status)
        status = pcdf_refs_make(m);
    if (!status)
        pcdf_refs_out_end(&m->out);
    pcdf_refs_out_free(&m->out);
    return status;
}

/* To a file of that name, which is said to be `path`. */
static int put_to(struct pcdf_refs_making *m, const char *name, const char *path)
{
    FILE *to = fopen(name, "w");
    if (!to)
        return pcdf_tool_unusable(path, "%s", strerror(errno));
    int status = put_references(m, to);
    bool failed = ferror(to) != 0;
    failed = fclose(to) != 0 || failed;
    return failed && !status ? pcdf_tool_unusable(path, "cannot be written") : status;
}

static int put_to_file(struct pcdf_refs_making *m)
{
    const struct pcdf_refs_options *o = m->options;
    struct pcdf_tool_output out;

    for (int i = 0; i < o->n; i++)
        if (!pcdf_tool_output_spares(o->output, o->paths[i]))
            return PCDF_TOOL_UNUSABLE;
    int status = pcdf_tool_output_begin(&out, o->output, o->replace);
    if (status)
        return status;
    status = put_to(m, out.name, o->output);
    if (status)
        pcdf_tool_output_abandon(&out);
    return status ? status : pcdf_tool_output_commit(&out);
}

/* One of several files may be opened more than once: what it is, is looked at once. */
static int refer(const struct pcdf_refs_options *o)
{
    static const struct pcdf_tool_ranks alone = { .size = 1 };
    const struct pcdf_tool_series_choice choice = {
        .n = o->n, .paths = o->paths, .along = o->along, .with_values = true
    };
    struct pcdf_refs_making m = { .options = o };
    int status = PCDF_TOOL_GOOD;

    if (o->n > 1)
        status = pcdf_tool_sources_share_all(&alone, (struct pcdf_tool_sharing){ 0 }, o->n, o->paths);
    if (!status)
        status = pcdf_tool_series_open(&m.ds, &choice);
    if (status)
        return status;
    status = pcdf_refs_make_check(&m);
    if (!status)
        status = o->output ? put_to_file(&m) : put_references(&m, stdout);
    if (!status && (m.ds.read_behind || m.is_partial))
        status = PCDF_TOOL_BAD;
    pcdf_tool_dataset_close(&m.ds);
    return status;
}

static const struct pcdf_option rows[] = {
    { "-o, --output OUT", "write to OUT instead of standard output",
      PCDF_WORD(struct pcdf_refs_options, output) },
    { "-O, --replace", "replace OUT if it exists", PCDF_FLAG(struct pcdf_refs_options, replace) },
    { "-u, --url URL",
      "where readers find the file, or the folder of several files (default: absolute paths)",
      PCDF_WORD(struct pcdf_refs_options, url) },
    { "-c, --chunk-size MIB", "largest size of a chunk, 1 to 1024 MiB (default 16)",
      PCDF_NUMBER(struct pcdf_refs_options, chunk_bytes, 1, MOST_CHUNK,
                  "-c takes a number of MiB from 1 to 1024") },
    { "-i, --inline BYTES",
      "write variables and chunks of at most BYTES into the JSON itself, which saves a request for each "
      "(default 0)",
      PCDF_NUMBER(struct pcdf_refs_options, inline_bytes, 0, MOST_CHUNK *(int64_t)MIB,
                  "-i takes a number of bytes up to 1024 MiB") },
    { "--along DIM",
      "dimension along which several files follow each other (default: the record dimension, or that of "
      "time)",
      PCDF_WORD(struct pcdf_refs_options, along) },
    { 0 }
};
static const struct pcdf_options option_table = { .rows = rows,
                                                  .column = 24,
                                                  .unknown = "unknown option, or one without its argument: %",
                                                  .least = 1,
                                                  .few = "a file is needed" };

static int run(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    static const struct pcdf_tool_ranks alone = { .size = 1 };
    struct pcdf_refs_options options = { .chunk_bytes = 16 }; /* MiB */
    struct pcdf_arguments files;
    struct pcdf_tool_paths paths;

    (void)ranks;
    int status = pcdf_tool_options(&pcdf_tool_refs, &options, argc, argv, &files);
    if (status)
        return status;
    options.chunk_bytes *= MIB;
    status = pcdf_tool_paths_all(&alone, files.n, files.x, &paths);
    if (status)
        return status;
    options.n = paths.n;
    options.paths = paths.x;
    status = refer(&options);
    pcdf_tool_paths_free(&paths);
    return status;
}

const struct pcdf_tool_command pcdf_tool_refs = {
    .name = "refs",
    .usage = "[-o OUT [-O]] [OPTION...] FILE...",
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
            "Several files, or a folder of them, become one set of references: their records\n"
            "follow each other in the order of time. Files of other formats need chunks that\n"
            "all have the same lengths and are full where another file follows.\n\n",
    .options = &option_table,
    .more_help = "\nExit status: 0 good; 1 bad (not a netCDF classic file, data is missing at its\n"
                 "end, or a variable was left out); 2 unusable.\n\n"
                 "EXAMPLES\n"
                 "  parcdf refs -o run.json run.nc\n"
                 "  parcdf refs -o all.json run_1.nc run_2.nc\n"
                 "  parcdf refs --url s3://bucket/run.nc --chunk-size 64 run.nc > run.json\n"
                 "  parcdf refs --inline 4096 run.nc | head -20\n",
    .run = run,
};
