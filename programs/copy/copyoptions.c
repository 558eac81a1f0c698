/* See copyoptions.h. */
#include "copyoptions.h"
#include "alloc.h"
#include "copypipe.h"
#include "toolkind.h"
#include "types.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    FOREIGN = -1,
    ZARR = -2,        /* and enum pcdf_zarrout_kind below it */
    PACKED_UNIT = 4,  /* what the format asks for */
    SHARD = 64 << 20, /* bytes */
    MOST_ZSTD = 22
};
enum {
    O_UNLIMITED = 256,
    O_SELECT,
    O_BOX,
    O_RENAME,
    O_DROP,
    O_SET,
    O_ALIGN,
    O_RECORD_ALIGN,
    O_RESERVE,
    O_PACKED,
    O_RECOMPUTE,
    O_CHECKSUM,
    O_KEEP_FIRST,
    O_KEEP_LAST,
    O_MERGE,
    O_STRICT_ORDER,
    O_CHUNKS,
    O_DEFLATE,
    O_ZSTD,
    O_SHUFFLE,
    O_SHARDS,
    O_SKIP_UNSUPPORTED,
    O_HISTORY,
    O_NO_HISTORY,
    O_VERBOSE,
    O_STREAM,
    O_PARTIAL,
    O_RECORDS,
    O_FOLLOW,
    O_BEHIND,
    O_TIMEOUT,
    O_JSON
};

static char wrong[400];

#define WRONG(...) (snprintf(wrong, sizeof wrong, __VA_ARGS__), wrong)

/* The names and numbers of nccopy and ncgen for kinds that are not classic, and ours. */
static const struct kind {
    const char *name;
    int version;
} kinds[] = {
    { "netCDF-4", FOREIGN },
    { "netcdf4", FOREIGN },
    { "hdf5", FOREIGN },
    { "nc4", FOREIGN },
    { "enhanced", FOREIGN },
    { "3", FOREIGN },
    { "netCDF-4 classic model", FOREIGN },
    { "nc7", FOREIGN },
    { "4", FOREIGN },
    { "nczarr", ZARR - PCDF_ZARROUT_NC },
    { "zarr", ZARR - PCDF_ZARROUT_2 },
    { "zarr2", ZARR - PCDF_ZARROUT_2 },
    { "zarr3", ZARR - PCDF_ZARROUT_3 },
};

static const char *take_kind(struct pcdf_copy_options *o, const char *text)
{
    int special = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcasecmp(kinds[i].name, text) == 0)
            special = kinds[i].version;
    o->version = special ? 0 : pcdf_tool_kind(text);
    if (!o->version && !special)
        return WRONG("'%.100s' is no kind of file: classic (nc3, 1), 64-bit-offset (nc6, 2), cdf5 (nc5, 5)",
                     text);
    o->kind = text;
    o->is_foreign = special == FOREIGN;
    o->zarr = special < ZARR ? (enum pcdf_zarrout_kind)(ZARR - special) : PCDF_ZARROUT_NONE;
    return NULL;
}

/* A number of bytes, with K, M or G behind it perhaps. */
static const char *take_bytes(int64_t *bytes, const char *option, const char *text)
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
        return WRONG("--%s wants a number of bytes, such as 4096 or 1M, not '%.100s'", option, text);
    *bytes = n;
    return NULL;
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
static const char *take_range(struct pcdf_copy_options *o, const char *text)
{
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
static const char *take_terms(struct pcdf_copy_options *o, const char *text, int box)
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

static const char *take_number(int64_t *number, const char *option, const char *text)
{
    char *end;
    errno = 0;
    *number = strtoll(text, &end, 10);
    return end == text || *end || errno || *number < 0
               ? WRONG("--%s wants a number of records, not '%.100s'", option, text)
               : NULL;
}

static const char *take_seconds(struct pcdf_copy_options *o, const char *text)
{
    char *end;
    o->timeout = strtod(text, &end);
    return end == text || *end || !(o->timeout > 0 && o->timeout <= 1e6)
               ? WRONG("--timeout wants a number of seconds, not '%.100s'", text)
               : NULL;
}

static const char *take_edit(struct pcdf_copy_options *o, enum pcdf_copy_edit_kind kind, const char *text)
{
    if (o->nedits == PCDF_COPY_EDITS)
        return WRONG("more than %d options --rename, --drop and --set", PCDF_COPY_EDITS);
    o->edits[o->nedits++] = (struct pcdf_copy_edit_text){ kind, text };
    return NULL;
}

static const char *take_level(struct pcdf_copy_options *o, const char *text)
{
    if (text[0] < '0' || text[0] > '9' || text[1])
        return WRONG("--deflate takes a level from 1 to 9");
    o->deflate = text[0] - '0';
    o->says_level = true;
    return NULL;
}

static const char *take_zstd(struct pcdf_copy_options *o, const char *text)
{
    char *end;
    long level = strtol(text, &end, 10);
    if (end == text || *end || level < 1 || level > MOST_ZSTD)
        return WRONG("--zstd takes a level from 1 to %d", MOST_ZSTD);
    o->zstd = (int)level;
    return NULL;
}

/* DIM/LENGTH,... or bytes. */
static const char *take_shards(struct pcdf_copy_options *o, const char *text)
{
    o->shards = strchr(text, '/') ? text : NULL;
    o->shard_bytes = 0;
    return o->shards ? NULL : take_bytes(&o->shard_bytes, "shards", text);
}

static const char shorts[] = "k:v:V:x:d:hanOu34567";
static const struct option longs[] = {
    { "kind", required_argument, NULL, 'k' },
    { "variables", required_argument, NULL, 'v' },
    { "only", required_argument, NULL, 'V' },
    { "exclude", required_argument, NULL, 'x' },
    { "dimension", required_argument, NULL, 'd' },
    { "select", required_argument, NULL, O_SELECT },
    { "box", required_argument, NULL, O_BOX },
    { "rename", required_argument, NULL, O_RENAME },
    { "drop", required_argument, NULL, O_DROP },
    { "set", required_argument, NULL, O_SET },
    { "header-only", no_argument, NULL, 'h' },
    { "append", no_argument, NULL, 'a' },
    { "replace", no_argument, NULL, 'O' },
    { "fix-records", no_argument, NULL, 'u' },
    { "unlimited", required_argument, NULL, O_UNLIMITED },
    { "align", required_argument, NULL, O_ALIGN },
    { "record-align", required_argument, NULL, O_RECORD_ALIGN },
    { "header-reserve", required_argument, NULL, O_RESERVE },
    { "packed", no_argument, NULL, O_PACKED },
    { "recompute", no_argument, NULL, O_RECOMPUTE },
    { "checksum", no_argument, NULL, O_CHECKSUM },
    { "keep-first", no_argument, NULL, O_KEEP_FIRST },
    { "keep-last", no_argument, NULL, O_KEEP_LAST },
    { "merge", no_argument, NULL, O_MERGE },
    { "strict-order", no_argument, NULL, O_STRICT_ORDER },
    { "chunks", required_argument, NULL, O_CHUNKS },
    { "deflate", required_argument, NULL, O_DEFLATE },
    { "zstd", required_argument, NULL, O_ZSTD },
    { "shuffle", no_argument, NULL, O_SHUFFLE },
    { "shards", required_argument, NULL, O_SHARDS },
    { "skip-unsupported", no_argument, NULL, O_SKIP_UNSUPPORTED },
    { "history", no_argument, NULL, O_HISTORY },
    { "no-history", no_argument, NULL, O_NO_HISTORY },
    { "dry-run", no_argument, NULL, 'n' },
    { "verbose", no_argument, NULL, O_VERBOSE },
    { "stream", no_argument, NULL, O_STREAM },
    { "partial", no_argument, NULL, O_PARTIAL },
    { "records", required_argument, NULL, O_RECORDS },
    { "follow", no_argument, NULL, O_FOLLOW },
    { "behind", required_argument, NULL, O_BEHIND },
    { "timeout", required_argument, NULL, O_TIMEOUT },
    { "json", no_argument, NULL, O_JSON },
    { NULL, 0, NULL, 0 },
};

/* Options that are a word of their own. */
static void take_flag(struct pcdf_copy_options *o, int letter)
{
    bool *const flag[] = { ['h'] = &o->header_only,
                           ['a'] = &o->append,
                           ['O'] = &o->replace,
                           ['u'] = &o->fix_records,
                           [O_RECOMPUTE] = &o->recompute,
                           [O_CHECKSUM] = &o->checksum,
                           [O_KEEP_FIRST] = &o->keep_first,
                           [O_KEEP_LAST] = &o->keep_last,
                           [O_MERGE] = &o->merge,
                           [O_STRICT_ORDER] = &o->strict_order,
                           [O_SKIP_UNSUPPORTED] = &o->skip_unsupported,
                           [O_SHUFFLE] = &o->shuffle,
                           [O_HISTORY] = &o->has_history,
                           [O_NO_HISTORY] = &o->no_history,
                           ['n'] = &o->dry_run,
                           [O_VERBOSE] = &o->verbose,
                           [O_STREAM] = &o->stream,
                           [O_PARTIAL] = &o->partial,
                           [O_FOLLOW] = &o->follow,
                           [O_JSON] = &o->json };
    *flag[letter] = true;
}

static const char *take(struct pcdf_copy_options *o, int letter, const char *value)
{
    switch (letter) {
    case 'k':
        return take_kind(o, value);
    case '3': /* as nccopy has them: not what -k 3 is */
        return take_kind(o, "nc3");
    case '4':
    case '7':
        return take_kind(o, "nc4");
    case '5':
        return take_kind(o, "nc5");
    case '6':
        return take_kind(o, "nc6");
    case 'v':
        o->with_coordinates = value;
        return NULL;
    case 'V':
        o->only = value;
        return NULL;
    case 'x':
        o->excluded = value;
        return NULL;
    case 'd':
        return take_range(o, value);
    case O_SELECT:
        return take_terms(o, value, -1);
    case O_BOX:
        return take_terms(o, value, o->nboxes++);
    case O_RENAME:
        return take_edit(o, PCDF_COPY_RENAME, value);
    case O_DROP:
        return take_edit(o, PCDF_COPY_DROP, value);
    case O_SET:
        return take_edit(o, PCDF_COPY_SET, value);
    case O_UNLIMITED:
        o->unlimited = value;
        return NULL;
    case O_ALIGN:
        return take_bytes(&o->align, "align", value);
    case O_RECORD_ALIGN:
        return take_bytes(&o->record_align, "record-align", value);
    case O_RESERVE:
        return take_bytes(&o->reserve, "header-reserve", value);
    case O_RECORDS:
        return take_number(&o->records, "records", value);
    case O_BEHIND:
        return take_number(&o->behind, "behind", value);
    case O_TIMEOUT:
        return take_seconds(o, value);
    case O_CHUNKS:
        o->chunks = value;
        return NULL;
    case O_DEFLATE:
        return take_level(o, value);
    case O_ZSTD:
        return take_zstd(o, value);
    case O_SHARDS:
        o->has_shards = true;
        return take_shards(o, value);
    case O_PACKED:
        o->align = o->record_align = PACKED_UNIT;
        return NULL;
    default:
        take_flag(o, letter);
        return NULL;
    }
}

static const char *check_together(const struct pcdf_copy_options *o)
{
    int lists = (o->with_coordinates != NULL) + (o->only != NULL) + (o->excluded != NULL);

    if (lists > 1)
        return WRONG("-v, -V and -x exclude each other");
    if (o->append &&
        (lists || o->version || o->nranges || o->nterms || o->nedits || o->header_only || o->fix_records ||
         o->unlimited || o->align || o->record_align || o->reserve || o->recompute))
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
    if (writes && (o->append || o->zarr || o->is_foreign || o->checksum || o->json || o->dry_run))
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
    if (is_zarr && (o->align || o->record_align || o->reserve || o->checksum))
        return WRONG("alignment, header reserve and checksums are for classic files");
    if (!is_zarr && (o->zstd || o->shuffle))
        return WRONG("--zstd and --shuffle are for copies to Zarr");
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
    bool is_part = o->with_coordinates || o->only || o->excluded || o->nranges || o->nterms || o->header_only;
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
        (void)take_kind(o, "zarr3");
    else if (*mode)
        (void)take_kind(o, strstr(mode, "zarr") && !strstr(mode, "nczarr") ? "zarr" : "nczarr");
    else if (ends_in(o->to, ".zarr") || ends_in(o->to, ".zarr/")) {
        (void)take_kind(o, "zarr");
        o->may_compress = !o->says_level && !o->zstd;
    } else if (ends_in(o->to, ".nc4"))
        (void)take_kind(o, "nc4");
}

const char *pcdf_copy_read_options(struct pcdf_copy_options *options, int argc, char **argv)
{
    const char *first = NULL;
    int letter;

    *options = (struct pcdf_copy_options){ .records = -1 };
    pcdf_tool_history_keep(&options->history, argc, argv);
    opterr = 0;
    optind = 0; /* GNU: start anew */
    while ((letter = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        const char *sentence = NULL;
        if (letter == '?' || letter == ':')
            sentence =
                first ? first : WRONG("option %.100s is not known, or lacks its value", argv[optind - 1]);
        else if (!first)
            sentence = take(options, letter, optarg);
        else if (letter == 'k') /* which program it is for has to be known all the same */
            (void)take_kind(options, optarg);
        first = first ? first : sentence;
    }
    int left = argc - optind;
    options->from = argv + optind;
    options->nfrom = left > 1 ? left - 1 : 0;
    options->to = left > 0 ? argv[argc - 1] : NULL;
    if (first)
        return first;
    if (left < 2)
        return WRONG("%s", left ? "TO is missing: where to copy to" : "FROM and TO are missing");
    take_kind_of_name(options);
    const char *sentence = check_together(options);
    if (!sentence)
        sentence = check_pipe(options);
    return sentence ? sentence : check_format(options);
}
