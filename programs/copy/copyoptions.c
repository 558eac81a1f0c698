/* See copyoptions.h. */
#include "copyoptions.h"
#include "alloc.h"
#include "copypipe.h"
#include "copyquantize.h"
#include "options.h"
#include "toolkind.h"
#include "types.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    ZARR = -1,        /* and enum pcdf_zarrout_kind below it */
    PACKED_UNIT = 4,  /* what the format asks for */
    SHARD = 64 << 20, /* bytes */
    MOST_ZSTD = 22
};
static char wrong[400];

#define WRONG(...) (snprintf(wrong, sizeof wrong, __VA_ARGS__), wrong)

/* Kinds of stores. */
static const struct kind {
    const char *name;
    int version;
} kinds[] = {
    { "nczarr", ZARR - PCDF_ZARROUT_NC },
    { "zarr", ZARR - PCDF_ZARROUT_2 },
    { "zarr2", ZARR - PCDF_ZARROUT_2 },
    { "zarr3", ZARR - PCDF_ZARROUT_3 },
};

static const char *read_kind(struct pcdf_copy_options *o, const char *text)
{
    int special = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcasecmp(kinds[i].name, text) == 0)
            special = kinds[i].version;
    int format = special ? 0 : pcdf_tool_format(text);
    o->is_classic_model = format == PCDF_TOOL_NETCDF4_CLASSIC;
    o->is_netcdf4 = pcdf_tool_format_is_netcdf4(format);
    o->version = pcdf_tool_format_version(format);
    if (!o->version && !special)
        return WRONG("'%.100s' is no kind of file: classic (nc3, 1), 64-bit-offset (nc6, 2), cdf5 (nc5, 5)",
                     text);
    o->kind = text;
    o->zarr = special < ZARR ? (enum pcdf_zarrout_kind)(ZARR - special) : PCDF_ZARROUT_NONE;
    return NULL;
}

/* -k KIND; -4 and such, as nccopy has them: the row has the kind. */
static const char *take_kind(void *into, const struct pcdf_option *row, const char *text)
{
    return read_kind(into, text ? text : row->fault);
}

/* A number of bytes, with K, M or G behind it perhaps. */
static bool read_bytes(const char *text, int64_t *bytes)
{
    static const char units[] = "kmg";
    char *end;
    errno = 0;
    long long n = strtoll(text, &end, 10);
    bool good = end != text && !errno && n >= 0 && n <= INT32_MAX;
    const char *unit = *end ? strchr(units, tolower((unsigned char)*end)) : NULL;
    for (const char *u = units; good && unit && u <= unit; u++)
        n *= 1024;
    if (!good || (unit ? end[1] : *end) || n > INT64_C(1) << 40)
        return false;
    *bytes = n;
    return true;
}

#define WANTS_BYTES(option) option " wants a number of bytes, such as 4096 or 1M, not '%'"

static const char *take_bytes(void *into, const struct pcdf_option *row, const char *text)
{
    int64_t *bytes = (int64_t *)(void *)((char *)into + row->at);
    return read_bytes(text, bytes) ? NULL : pcdf_options_wrong(row->fault, text);
}

/* An index, or nothing, up to a comma or the end. */
static bool take_index(const char **at, bool *has, int64_t *index)
{
    char *end;
    errno = 0;
    *has = **at && **at != ',';
    if (*has) {
        *index = strtoll(*at, &end, 10);
        if (end == *at || errno)
            return false;
        *at = end;
    }
    return !**at || **at == ',';
}

/* name,low names one index; name,low, all from there on. */
static const char *take_range(void *into, const struct pcdf_option *row, const char *text)
{
    struct pcdf_copy_options *o = into;
    (void)row;
    if (o->nranges == PCDF_COPY_RANGES)
        return WRONG("more than %d options -d", PCDF_COPY_RANGES);
    struct pcdf_copy_range *range = &o->ranges[o->nranges++];
    const char *at = text;
    size_t n = 0;
    bool has_stride = false, good;
    *range = (struct pcdf_copy_range){ .stride = 1 };
    for (; *at && *at != ',' && n < sizeof range->name - 1; at++) {
        if (*at == '\\' && at[1] == ',')
            at++;
        range->name[n++] = *at;
    }
    good = *at++ == ',' && take_index(&at, &range->has_low, &range->low);
    bool one = good && range->has_low && !*at;
    if (good && *at++ == ',')
        good = take_index(&at, &range->has_high, &range->high) &&
               (!*at || (at++, take_index(&at, &has_stride, &range->stride) && !*at));
    if (one) {
        range->has_high = true;
        range->high = range->low;
    }
    if (!good && strchr(text, '.'))
        return WRONG("-d %.100s: -d takes indices; --select %.80s=LOW:HIGH takes values", text, range->name);
    if (!good || (!range->has_low && !range->has_high && !has_stride))
        return WRONG("-d wants DIM,LOW[,HIGH[,STRIDE]], not '%.100s'", text);
    return range->stride > 0 ? NULL : WRONG("-d %.100s: the stride is 1 at least", text);
}

/* Terms with ; between them. */
static const char *read_terms(struct pcdf_copy_options *o, const char *text, int box)
{
    while (*text) {
        size_t n = strcspn(text, ";");
        if (o->nterms == PCDF_COPY_TERMS)
            return WRONG("more than %d coordinates to select by", PCDF_COPY_TERMS);
        char *copy = pcdf_strndup(text, n);
        if (!copy)
            return WRONG("no memory for the options");
        if (!memchr(copy, '=', n))
            return WRONG("--select and --box want NAME=RANGE,..., not '%.100s'", text);
        o->terms[o->nterms++] = (struct pcdf_copy_term_text){ copy, box };
        text += n + (text[n] == ';');
    }
    return NULL;
}

static const char *take_select(void *into, const struct pcdf_option *row, const char *text)
{
    (void)row;
    return read_terms(into, text, -1);
}

static const char *take_box(void *into, const struct pcdf_option *row, const char *text)
{
    struct pcdf_copy_options *o = into;
    (void)row;
    return read_terms(o, text, o->nboxes++);
}

static const char *take_edit(void *into, const struct pcdf_option *row, const char *text)
{
    struct pcdf_copy_options *o = into;
    if (o->nedits == PCDF_COPY_EDITS)
        return WRONG("more than %d options --rename, --drop and --set", PCDF_COPY_EDITS);
    o->edits[o->nedits++] = (struct pcdf_copy_edit_text){ (enum pcdf_copy_edit_kind)row->low, text };
    return NULL;
}

static const char *take_level(void *into, const struct pcdf_option *row, const char *text)
{
    struct pcdf_copy_options *o = into;
    (void)row;
    if (text[0] < '0' || text[0] > '9' || text[1])
        return WRONG("--deflate takes a level from 1 to 9");
    o->deflate = text[0] - '0';
    o->says_level = true;
    return NULL;
}

static const char *take_quantize(void *into, const struct pcdf_option *row, const char *text)
{
    struct pcdf_copy_options *o = into;
    (void)row;
    return pcdf_copy_quantize_read(text, &o->quantize)
               ? NULL
               : WRONG("--quantize takes bitgroom/N, granularbr/N (digits, 1 to 15) or bitround/N (bits, 1 "
                       "to 52)");
}

static const char *take_zstd(void *into, const struct pcdf_option *row, const char *text)
{
    struct pcdf_copy_options *o = into;
    (void)row;
    int64_t level = 0;
    if (!pcdf_options_number(text, 1, MOST_ZSTD, &level))
        return WRONG("--zstd takes a level from 1 to %d", MOST_ZSTD);
    o->zstd = (int)level;
    return NULL;
}

/* DIM/LENGTH,... or bytes. */
static const char *take_shards(void *into, const struct pcdf_option *row, const char *text)
{
    struct pcdf_copy_options *o = into;
    o->has_shards = true;
    o->shards = strchr(text, '/') ? text : NULL;
    o->shard_bytes = 0;
    return o->shards || read_bytes(text, &o->shard_bytes) ? NULL : pcdf_options_wrong(row->fault, text);
}

static const char *take_packed(void *into, const struct pcdf_option *row, const char *none)
{
    struct pcdf_copy_options *o = into;
    (void)row, (void)none;
    o->align = o->record_align = PACKED_UNIT;
    return NULL;
}

static const struct pcdf_option rows[] = {
    { "-k, --kind KIND",
      "classic (nc3, 1), 64-bit-offset (nc6, 2) or cdf5 (nc5, 5); default: as FROM. If the data does not fit "
      "into\nthis kind, the command says so before it writes\nanything",
      PCDF_TAKEN(take_kind), .is_always_read = true },
    { "-v, --variables A,B",
      "these variables, with their dimensions and coordinates (coordinate variables, and variables that "
      "attributes such as coordinates, bounds and grid_mapping name)",
      PCDF_WORD(struct pcdf_copy_options, with_coordinates) },
    { "-V, --only A,B", "these variables, with their dimensions", PCDF_WORD(struct pcdf_copy_options, only) },
    { "-x, --exclude A,B", "all variables except these", PCDF_WORD(struct pcdf_copy_options, excluded) },
    { "-d, --dimension CUT",
      "DIM,LOW[,HIGH[,STRIDE]]: only these indices of a dimension, LOW and HIGH included; negative ones "
      "count from the end",
      PCDF_TAKEN(take_range) },
    { "--select NAME=RANGE,..",
      "only what has these values of a coordinate:\nLOW:HIGH (one may be missing), VALUE, ~VALUE (the "
      "nearest), VALUE~DISTANCE; numbers or dates, of which 2001-03 is the whole month; longitudes go round",
      PCDF_TAKEN(take_select) },
    { "--box NAME=RANGE;..", "the same for several names at once; of several boxes\nany one",
      PCDF_TAKEN(take_box) },
    { "--rename OLD=NEW",
      "a variable, dimension or both; attributes that name it, such as coordinates, follow. VAR:OLD=NEW: an "
      "attribute; :OLD=NEW a global one, *:OLD=NEW one of all variables",
      PCDF_TAKEN_AS(take_edit, PCDF_COPY_RENAME) },
    { "--drop WHAT", "leave out a variable VAR, or an attribute VAR:ATT, :ATT or *:ATT",
      PCDF_TAKEN_AS(take_edit, PCDF_COPY_DROP) },
    { "--set VAR:ATT=VALUE", "give an attribute this value: numbers, or text",
      PCDF_TAKEN_AS(take_edit, PCDF_COPY_SET) },
    { "-h, --header-only", "only the definitions: no records; all values of other variables are fill values",
      PCDF_FLAG(struct pcdf_copy_options, header_only) },
    { "-a, --append",
      "add the records of all FROM to the existing file TO; they count only when all of them are in the "
      "file, or\none by one where its size counts them (STREAMING)",
      PCDF_FLAG(struct pcdf_copy_options, append) },
    { "-O, --replace", "replace TO if it exists", PCDF_FLAG(struct pcdf_copy_options, replace) },
    { "-u, --fix-records", "make the record dimension a fixed one",
      PCDF_FLAG(struct pcdf_copy_options, fix_records) },
    { "--unlimited DIM", "make this dimension the record dimension",
      PCDF_WORD(struct pcdf_copy_options, unlimited) },
    { "--align BYTES", "begin the data at a multiple of BYTES (such as 4096,\n1M)",
      PCDF_TAKEN_AT(take_bytes, struct pcdf_copy_options, align, int64_t), .fault = WANTS_BYTES("--align") },
    { "--record-align BYTES", "begin the records at a multiple of BYTES",
      PCDF_TAKEN_AT(take_bytes, struct pcdf_copy_options, record_align, int64_t),
      .fault = WANTS_BYTES("--record-align") },
    { "--header-reserve BYTES", "leave room for the header to grow",
      PCDF_TAKEN_AT(take_bytes, struct pcdf_copy_options, reserve, int64_t),
      .fault = WANTS_BYTES("--header-reserve") },
    { "--packed", "leave no gaps", PCDF_TAKEN(take_packed) },
    { "--recompute", "compute the number of records from the size of FROM",
      PCDF_FLAG(struct pcdf_copy_options, recompute) },
    { "--checksum", "keep checksums beside TO, for `parcdf check --data`",
      PCDF_FLAG(struct pcdf_copy_options, checksum) },
    { "--merge",
      "put the variables of all FROM into one file; those that several have must be equal, and so must "
      "dimensions\nand coordinates",
      PCDF_FLAG(struct pcdf_copy_options, merge) },
    { "--keep-first",
      "take variables without records from the first file,\neven if they differ in the others; with --merge, "
      "any variables but coordinates",
      PCDF_FLAG(struct pcdf_copy_options, keep_first) },
    { "--keep-last", "with --merge: the same, from the last file",
      PCDF_FLAG(struct pcdf_copy_options, keep_last) },
    { "--stream", "with - as FROM or TO: leave the number of records to the size of the file (STREAMING)",
      PCDF_FLAG(struct pcdf_copy_options, stream) },
    { "--partial", "with - as FROM: deliver the whole records of a stream that ended early",
      PCDF_FLAG(struct pcdf_copy_options, partial) },
    { "--records N",
      "with - as FROM: deliver nothing unless N records came, and no byte more; with --follow: end after N "
      "records",
      PCDF_NUMBER(struct pcdf_copy_options, records, 0, INT64_MAX,
                  "--records wants a number of records, not '%'") },
    { "--follow",
      "with --stream and - as TO: FROM is being written: go on with each new record, until a signal asks to "
      "end",
      PCDF_FLAG(struct pcdf_copy_options, follow) },
    { "--behind N", "with --follow: send a record only when N later ones are there",
      PCDF_NUMBER(struct pcdf_copy_options, behind, 0, INT64_MAX,
                  "--behind wants a number of records, not '%'") },
    { "--timeout SECONDS", "with --follow: end when no record came for so long",
      PCDF_SECONDS(struct pcdf_copy_options, timeout, "--timeout wants a number of seconds, not '%'") },
    { "--strict-order",
      "refuse records that go back in time, or repeat, from one file to the next; without this they are told",
      PCDF_FLAG(struct pcdf_copy_options, strict_order) },
    { "--quantize MODE/N",
      "keep N digits (bitgroom, granularbr) or bits (bitround) of floats and doubles, but not of coordinates "
      "and "
      "what else attributes name",
      PCDF_TAKEN(take_quantize) },
    { "--history",
      "write a line with this command to the attribute history, as copies do that are parts, are renamed or "
      "joined",
      PCDF_FLAG(struct pcdf_copy_options, has_history) },
    { "--no-history", "do not", PCDF_FLAG(struct pcdf_copy_options, no_history) },
    { "-n, --dry-run", "print what TO would be, and how many bytes are read",
      PCDF_FLAG(struct pcdf_copy_options, dry_run) },
    { "--json", "print what was done", PCDF_FLAG(struct pcdf_copy_options, json) },
    { "--verbose", "print what was done, and how fast, on standard error",
      PCDF_FLAG(struct pcdf_copy_options, verbose) },
    { .help = "\n"
              "FROM may also be netCDF-4, HDF5, HDF4, a Zarr store, or a file far away. -k zarr\n"
              "(zarr2), zarr3 and nczarr make a Zarr store, which is a folder; -k netcdf4\n"
              "(nc4, 3) and netcdf4-classic (nc7, 4) a netCDF-4 file (this needs the package\n"
              "parcdf-formats). Without -k, a TO that ends in .nc4 or .zarr (zarr, compressed)\n"
              "selects the format. More options for these formats:\n" },
    { "--deflate N", "compress: zlib, level 1 to 9 (zarr3: gzip); 0: not", PCDF_TAKEN(take_level) },
    { "--zstd N", "compress with zstd, level 1 to 22", PCDF_TAKEN(take_zstd) },
    { "--shuffle", "Zarr, version 2: shuffle bytes before they are compressed; netCDF-4 does so anyway",
      PCDF_FLAG(struct pcdf_copy_options, shuffle) },
    { "--chunks DIM/LEN,..", "lengths of chunks along dimensions",
      PCDF_WORD(struct pcdf_copy_options, chunks) },
    { "--shards SIZE",
      "zarr3: put chunks together into files of about so many bytes (default 64M; 0: not), or of lengths "
      "DIM/LEN,..",
      PCDF_TAKEN(take_shards), .fault = WANTS_BYTES("--shards") },
    { "--skip-unsupported", "leave out what the format of TO cannot hold, with a message",
      PCDF_FLAG(struct pcdf_copy_options, skip_unsupported) },
    { "-3", NULL, PCDF_TAKEN(take_kind), .fault = "nc3" },
    { "-4", NULL, PCDF_TAKEN(take_kind), .fault = "nc4" },
    { "-5", NULL, PCDF_TAKEN(take_kind), .fault = "nc5" },
    { "-6", NULL, PCDF_TAKEN(take_kind), .fault = "nc6" },
    { "-7", NULL, PCDF_TAKEN(take_kind), .fault = "nc7" },
    { 0 }
};
const struct pcdf_options pcdf_copy_table = { .rows = rows,
                                              .column = 24,
                                              .unknown = "option % is not known, or lacks its value" };

static const char *check_together(const struct pcdf_copy_options *o)
{
    int lists = (o->with_coordinates != NULL) + (o->only != NULL) + (o->excluded != NULL);

    if (lists > 1)
        return WRONG("-v, -V and -x exclude each other");
    if (o->append &&
        (lists || o->version || o->nranges || o->nterms || o->nedits || o->header_only || o->fix_records ||
         o->unlimited || o->align || o->record_align || o->reserve || o->recompute || o->quantize.mode))
        return WRONG(
            "--append keeps the definitions and the layout of TO: options that change them have no place");
    if (o->has_history && (o->append || o->no_history))
        return WRONG("--history has no place beside %s", o->append ? "--append" : "--no-history");
    if (o->append && o->replace)
        return WRONG("--append and -O exclude each other");
    if (o->merge && (o->append || o->nterms || o->strict_order))
        return WRONG("--merge has no place beside --append, --select, --box and --strict-order");
    if (o->keep_last && (!o->merge || o->keep_first))
        return WRONG("--keep-last is for --merge, without --keep-first");
    if (o->nfrom > 1 && o->recompute)
        return WRONG("--recompute is for one file at a time");
    return NULL;
}

/* "-" stands for a pipe. */
static const char *check_pipe(const struct pcdf_copy_options *o)
{
    bool reads = false, writes = strcmp(o->to, "-") == 0;
    for (int i = 0; i < o->nfrom; i++)
        reads = reads || strcmp(o->from[i], "-") == 0;
    if (reads && (writes || !pcdf_copy_is_whole(o)))
        return WRONG("what comes from a pipe is written as it is: copy it to a file first (parcdf copy - "
                     "FILE), and FILE then");
    if (writes && (o->append || o->zarr || o->is_netcdf4 || o->checksum || o->json || o->dry_run))
        return WRONG("only a classic file goes through a pipe, and nothing else is printed");
    if (o->stream && !reads && !writes)
        return WRONG("--stream is for copies from and to a pipe (-)");
    if (o->partial && !reads)
        return WRONG("--partial is for copies from a pipe (-)");
    if (o->follow && (!writes || !o->stream || !pcdf_copy_is_whole(o)))
        return WRONG("--follow is for copies of whole files with --stream to a pipe (-)");
    if (!o->follow && (o->behind || o->timeout > 0))
        return WRONG("--behind and --timeout are for --follow");
    if (o->records >= 0 && !reads && !o->follow)
        return WRONG("--records is for copies from a pipe (-), and for --follow");
    if (o->records >= 0 && o->partial)
        return WRONG("--records and --partial exclude each other");
    return NULL;
}

/* Options of one format beside the name of another. */
static const char *check_format(struct pcdf_copy_options *o)
{
    bool is_zarr = o->zarr != PCDF_ZARROUT_NONE;

    if (is_zarr && (o->nfrom > 1 || o->append))
        return WRONG("only classic files are joined or appended to");
    if ((is_zarr || o->is_netcdf4) && (o->align || o->record_align || o->reserve || o->checksum))
        return WRONG("alignment, header reserve and checksums are for classic files");
    if (is_zarr && o->quantize.mode)
        return WRONG("--quantize is for copies to classic files and netCDF-4");
    if (!is_zarr && !o->is_netcdf4 && (o->zstd || o->shuffle))
        return WRONG("--zstd and --shuffle are for copies to netCDF-4 and Zarr");
    if (o->deflate && o->zstd)
        return WRONG("--deflate and --zstd exclude each other");
    if (o->shuffle && o->zarr == PCDF_ZARROUT_3)
        return WRONG("Zarr of version 3 has no codec for --shuffle");
    if (o->has_shards && o->zarr != PCDF_ZARROUT_3)
        return WRONG("--shards is for copies to Zarr of version 3");
    if (o->zarr == PCDF_ZARROUT_3 && !o->has_shards)
        o->shard_bytes = SHARD;
    return NULL;
}

bool pcdf_copy_is_url(const char *path)
{
    const char *mode = strstr(path, "#mode=");
    return mode && strstr(path, "://");
}

bool pcdf_copy_writes_history(const struct pcdf_copy_options *o)
{
    bool is_part = o->with_coordinates || o->only || o->excluded || o->nranges || o->nterms ||
                   o->header_only || o->quantize.mode;
    return !o->no_history && !o->append && (o->has_history || is_part || o->nedits || o->nfrom > 1);
}

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

/* What to make where -k says nothing; what is appended to has a kind. */
static void take_kind_of_name(struct pcdf_copy_options *o)
{
    if (o->kind || (o->append && !pcdf_copy_is_url(o->to)))
        return;
    const char *mode = pcdf_copy_is_url(o->to) ? strstr(o->to, "#mode=") : "";
    if (strstr(mode, "zarr3"))
        (void)read_kind(o, "zarr3");
    else if (*mode)
        (void)read_kind(o, strstr(mode, "zarr") && !strstr(mode, "nczarr") ? "zarr" : "nczarr");
    else if (ends_in(o->to, ".zarr") || ends_in(o->to, ".zarr/")) {
        (void)read_kind(o, "zarr");
        o->may_compress = !o->says_level && !o->zstd;
    } else if (ends_in(o->to, ".nc4"))
        (void)read_kind(o, "nc4");
}

const char *pcdf_copy_read_options(struct pcdf_copy_options *options, int argc, char **argv)
{
    struct pcdf_arguments rest;

    *options = (struct pcdf_copy_options){ .records = -1 };
    pcdf_tool_history_keep(&options->history, argc, argv);
    const char *fault = pcdf_options_read(&pcdf_copy_table, options, argc, argv, &rest);
    options->from = rest.x;
    options->nfrom = rest.n > 1 ? rest.n - 1 : 0;
    options->to = rest.n > 0 ? rest.x[rest.n - 1] : NULL;
    if (fault)
        return fault;
    if (rest.n < 2)
        return WRONG("%s", rest.n ? "TO is missing: where to copy to" : "FROM and TO are missing");
    take_kind_of_name(options);
    const char *sentence = check_together(options);
    if (!sentence)
        sentence = check_pipe(options);
    return sentence ? sentence : check_format(options);
}
