/* A walk over the grammar of SPEC with one cursor. Every function returns 0, an NC_ code with the fault
 * filled, or MORE: the bytes given end before the header does, and the file has more. */
#include "alloc.h"
#include "decoder.h"
#include "filekind.h"
#include "metaindex.h"
#include "decodefast.h"
#include "rules.h"
#include "status.h"

#include <limits.h>
#include <string.h>

enum { MORE = 1 };
enum { FIRST_STEP = 1024 };   /* bytes to ask for at least */
enum { LARGEST_STEP = 1024 }; /* times what is here, to ask for at most */

/* The add functions of meta fail with NC_ENOMEM only. */
static int no_memory(struct pcdf_decoder *d)
{
    return pcdf_decoder_fault(d, PCDF_FAULT_MEMORY, (int64_t)d->at,
                              "no memory for the definitions up to here");
}

__attribute__((noinline)) static int lack(struct pcdf_decoder *d, uint64_t size)
{
    if (size <= d->file_size - d->at)
        return MORE;
    return pcdf_decoder_fault(d, PCDF_FAULT_TRUNCATED, (int64_t)d->at,
                              "the header needs %llu bytes more, but the file ends at %llu",
                              (unsigned long long)size, (unsigned long long)d->file_size);
}

static inline int take_bytes(struct pcdf_decoder *d, uint64_t size, const unsigned char **bytes)
{
    *bytes = NULL; /* gcc does not see that lack() never gives NC_NOERR */
    if (size > d->n - d->at)
        return lack(d, size);
    *bytes = d->bytes + d->at;
    d->at += (size_t)size;
    return NC_NOERR;
}

/* A number of 4 or 8 bytes, unsigned as it stands: each caller checks its own bound. */
static inline int take_number(struct pcdf_decoder *d, size_t size, uint64_t *x)
{
    const unsigned char *b;
    PCDF_TRY(take_bytes(d, size, &b));
    *x = pcdf_bytes_get(b, size);
    return NC_NOERR;
}

/* SPEC: magic, numrecs, STREAMING. */
static int take_beginning(struct pcdf_decoder *d)
{
    const unsigned char *b;
    uint64_t numrecs;
    enum pcdf_filekind kind = d->file_size == 0 ? PCDF_FILEKIND_EMPTY : PCDF_FILEKIND_OTHER;
    if (kind == PCDF_FILEKIND_EMPTY)
        return pcdf_decoder_fault(d, PCDF_FAULT_TRUNCATED, 0, "%s", pcdf_filekind_say(kind, NULL, NULL));
    PCDF_TRY(take_bytes(d, 4, &b));
    if (memcmp(b, "CDF", 3) != 0) {
        const char *sentence = pcdf_filekind_say(pcdf_filekind_of_bytes(d->bytes, d->n), NULL, NULL);
        return pcdf_decoder_fault(d, PCDF_FAULT_MAGIC, 0, "%s",
                                  sentence ? sentence : "the file does not begin with CDF");
    }
    if (b[3] != PCDF_CDF1 && b[3] != PCDF_CDF2 && b[3] != PCDF_CDF5)
        return pcdf_decoder_fault(d, PCDF_FAULT_VERSION, 3, "version byte %u is not 1, 2 or 5", b[3]);
    d->version = (enum pcdf_version)b[3];
    pcdf_meta_init(&d->meta, d->version);

    PCDF_TRY(take_number(d, pcdf_decoder_count_size(d), &numrecs));
    d->streaming = numrecs == (d->version == PCDF_CDF5 ? UINT64_MAX : UINT32_MAX);
    if (!d->streaming && numrecs > (uint64_t)pcdf_rules_max_count(d->version))
        return pcdf_decoder_fault(d, PCDF_FAULT_NUMRECS, PCDF_NUMRECS_AT, "numrecs %llu is more than %lld",
                                  (unsigned long long)numrecs, (long long)pcdf_rules_max_count(d->version));
    d->meta.numrecs = d->streaming ? 0 : (int64_t)numrecs;
    return NC_NOERR;
}

struct list { /* what the three kinds of list differ in */
    uint32_t tag;
    enum pcdf_fault_rule too_many;
    const char *what;
};

/* Tag and number of elements. smallest: the fewest bytes an element can have; so a count is proved before
 * anything is allocated for it. *room: how many of them the bytes at hand can hold. */
static int take_list(struct pcdf_decoder *d, const struct list *list, uint64_t smallest, int *n, int *room)
{
    int64_t at = (int64_t)d->at;
    uint64_t tag, count;

    PCDF_TRY(take_number(d, 4, &tag));
    PCDF_TRY(take_number(d, pcdf_decoder_count_size(d), &count));
    if (count == 0 && tag != 0 && tag != list->tag)
        PCDF_TRY(pcdf_decoder_fault(d, PCDF_FAULT_ABSENT, at,
                                    "the list of %s is empty, but its tag is 0x%X, not 0 or 0x%X", list->what,
                                    (unsigned)tag, list->tag));
    if (count > 0 && tag != list->tag)
        return pcdf_decoder_fault(d, PCDF_FAULT_TAG, at, "the list of %s has the tag 0x%X, not 0x%X",
                                  list->what, (unsigned)tag, list->tag);
    if (count > INT_MAX)
        return pcdf_decoder_fault(d, list->too_many, at + 4, "%llu %s are more than 2147483647",
                                  (unsigned long long)count, list->what);
    if (count > (d->file_size - d->at) / smallest)
        return pcdf_decoder_fault(d, PCDF_FAULT_LONG_LIST, at + 4,
                                  "%llu %s of at least %llu bytes, but %llu bytes are left",
                                  (unsigned long long)count, list->what, (unsigned long long)smallest,
                                  (unsigned long long)(d->file_size - d->at));
    uint64_t here = (d->n - d->at) / smallest;
    *n = (int)count;
    *room = (int)(count < here ? count : here);
    return NC_NOERR;
}

__attribute__((noinline)) static int take_name_slowly(struct pcdf_decoder *d, char **name, int *name_length)
{
    int64_t at = (int64_t)d->at;
    const unsigned char *b;
    uint64_t length;

    PCDF_TRY(take_number(d, pcdf_decoder_count_size(d), &length));
    if (length == 0)
        PCDF_TRY(pcdf_decoder_fault(d, PCDF_FAULT_EMPTY_NAME, at, "a name is empty"));
    if (length > NC_MAX_NAME)
        return pcdf_decoder_fault(d, PCDF_FAULT_LONG_NAME, at, "name length %llu exceeds NC_MAX_NAME (%d)",
                                  (unsigned long long)length, NC_MAX_NAME);
    at = (int64_t)d->at;
    PCDF_TRY(take_bytes(d, (length + 3) / 4 * 4, &b));
    const unsigned char *nul = memchr(b, 0, (size_t)length);
    if (nul)
        PCDF_TRY(pcdf_decoder_fault(d, PCDF_FAULT_NUL_IN_NAME, at + (nul - b),
                                    "a name of %llu bytes ends at a NUL at %td", (unsigned long long)length,
                                    nul - b));
    length = nul ? (uint64_t)(nul - b) : length;
    *name = pcdf_arena_text(&d->meta.arena, (const char *)b, (size_t)length);
    *name_length = (int)length;
    return *name ? NC_NOERR : no_memory(d);
}

/* *name: a copy in the arena of the definitions. */
static inline int take_name(struct pcdf_decoder *d, char **name, int *name_length)
{
    bool is_taken = pcdf_fast_name(d, pcdf_decoder_count_size(d), name, name_length);
    return is_taken ? NC_NOERR : take_name_slowly(d, name, name_length);
}

static int take_dims(struct pcdf_decoder *d)
{
    static const struct list dims = { PCDF_TAG_DIMENSION, PCDF_FAULT_MANY_DIMS, "dimensions" };
    /* netCDF-C makes dimensions of up to 2^32-4 in CDF-2, though the field is a signed number. */
    const uint64_t most = d->version == PCDF_CDF5 ? INT64_MAX : UINT32_MAX - 3;
    int n, room, there;

    PCDF_TRY(take_list(d, &dims, 2 * pcdf_decoder_count_size(d), &n, &room));
    if (pcdf_list_reserve(NULL, (void **)&d->meta.dims, &d->meta.dims_room, room, sizeof *d->meta.dims))
        return no_memory(d);
    for (int i = 0; i < n; i++) {
        struct pcdf_dim dim = { 0 };
        int64_t at = (int64_t)d->at;
        uint64_t length;
        PCDF_TRY(take_name(d, &dim.name, &dim.name_length));
        int64_t length_at = (int64_t)d->at;
        PCDF_TRY(take_number(d, pcdf_decoder_count_size(d), &length));
        if (length > most)
            return pcdf_decoder_fault(d, PCDF_FAULT_DIM_LENGTH, length_at,
                                      "dimension \"%.80s\": length %llu exceeds %llu", dim.name,
                                      (unsigned long long)length, (unsigned long long)most);
        if (length > (uint64_t)pcdf_rules_max_count(d->version))
            PCDF_TRY(pcdf_decoder_fault(
                d, PCDF_FAULT_LONG_DIM, length_at, "dimension \"%.80s\": length %llu exceeds %lld", dim.name,
                (unsigned long long)length, (long long)pcdf_rules_max_count(d->version)));
        if (length == 0 && d->meta.record_dim >= 0)
            return pcdf_decoder_fault(d, PCDF_FAULT_TWO_UNLIMITED, length_at,
                                      "dimension \"%.80s\" is a second one of length 0", dim.name);
        dim.length = (int64_t)length;
        if (pcdf_meta_adopt_dim(&d->meta, &dim, &there))
            return no_memory(d);
        if (there >= 0)
            PCDF_TRY(pcdf_decoder_fault(d, PCDF_FAULT_DIM_TWICE, at,
                                        "a second dimension has the name \"%.80s\"", dim.name));
    }
    return NC_NOERR;
}

/* SPEC: nc_type. netCDF-C takes the types of CDF-5 in every version; PnetCDF and its tests refuse them. */
static int take_type(struct pcdf_decoder *d, enum pcdf_fault_rule rule, const char *what, const char *name,
                     nc_type *type)
{
    int64_t at = (int64_t)d->at;
    uint64_t x;

    PCDF_TRY(take_number(d, 4, &x));
    if (x > INT_MAX || !pcdf_type_allowed(PCDF_CDF5, (nc_type)x))
        return pcdf_decoder_fault(d, rule, at, "%s \"%.80s\": type %u is none of CDF-%d", what, name,
                                  (unsigned)x, d->version);
    if (!pcdf_type_allowed(d->version, (nc_type)x))
        return pcdf_decoder_fault(d, PCDF_FAULT_LATER_TYPE, at, "%s \"%.80s\": type %s is none of CDF-%d",
                                  what, name, pcdf_type_name((nc_type)x), d->version);
    *type = (nc_type)x;
    return NC_NOERR;
}

__attribute__((noinline)) static int take_att(struct pcdf_decoder *d, struct pcdf_atts *atts)
{
    struct pcdf_att att = { 0 };
    int64_t at = (int64_t)d->at, count_at;
    const unsigned char *values;
    uint64_t nelems;
    int there;

    PCDF_TRY(take_name(d, &att.name, &att.name_length));
    PCDF_TRY(take_type(d, PCDF_FAULT_ATT_TYPE, "attribute", att.name, &att.type));
    count_at = (int64_t)d->at;
    PCDF_TRY(take_number(d, pcdf_decoder_count_size(d), &nelems));
    uint64_t left = d->file_size - d->at;
    if (nelems > left / (uint64_t)pcdf_type_size(att.type))
        return pcdf_decoder_fault(
            d, PCDF_FAULT_LONG_ATT, count_at, "attribute \"%.80s\": %llu values of %s, %llu bytes left",
            att.name, (unsigned long long)nelems, pcdf_type_name(att.type), (unsigned long long)left);
    att.nelems = (int64_t)nelems;
    PCDF_TRY(take_bytes(d, (uint64_t)pcdf_att_padded(att.type, att.nelems), &values));
    if (pcdf_meta_copy_values(&d->meta, att.type, att.nelems, values, &att.values) ||
        pcdf_atts_adopt(&d->meta, atts, &att, &there))
        return no_memory(d);
    if (there >= 0)
        PCDF_TRY(pcdf_decoder_fault(d, PCDF_FAULT_ATT_TWICE, at,
                                    "a second attribute of the list has the name \"%.80s\"", att.name));
    return NC_NOERR;
}

static int take_atts(struct pcdf_decoder *d, struct pcdf_atts *atts)
{
    static const struct list list = { PCDF_TAG_ATTRIBUTE, PCDF_FAULT_MANY_ATTS, "attributes" };
    int n, room;
    PCDF_TRY(take_list(d, &list, 2 * pcdf_decoder_count_size(d) + 4, &n, &room));
    if (pcdf_list_reserve(&d->meta.arena, (void **)&atts->x, &atts->room, room, sizeof *atts->x))
        return no_memory(d);
    for (int i = 0; i < n; i++)
        if (!pcdf_fast_att(d, pcdf_decoder_count_size(d), atts))
            PCDF_TRY(take_att(d, atts));
    return NC_NOERR;
}

static int take_dimids(struct pcdf_decoder *d, struct pcdf_var *var)
{
    int64_t at = (int64_t)d->at;
    const size_t size = pcdf_decoder_count_size(d);
    uint64_t n;
    const unsigned char *b;

    PCDF_TRY(take_number(d, pcdf_decoder_count_size(d), &n));
    if (n > INT_MAX)
        return pcdf_decoder_fault(d, PCDF_FAULT_MANY_DIMIDS, at,
                                  "variable \"%.80s\": %llu dimensions are more than 2147483647", var->name,
                                  (unsigned long long)n);
    if (n > (d->file_size - d->at) / size)
        return pcdf_decoder_fault(d, PCDF_FAULT_LONG_DIMIDS, at,
                                  "variable \"%.80s\": %llu dimensions, but %llu bytes are left", var->name,
                                  (unsigned long long)n, (unsigned long long)(d->file_size - d->at));
    at = (int64_t)d->at;
    PCDF_TRY(take_bytes(d, n * size, &b));
    if (n == 0)
        return NC_NOERR;
    var->dimids = pcdf_arena_take(&d->meta.arena, (size_t)n * sizeof *var->dimids);
    if (!var->dimids)
        return no_memory(d);
    for (uint64_t i = 0; i < n; i++, b += size) {
        uint64_t id = pcdf_bytes_get(b, size);
        if (id >= (uint64_t)d->meta.ndims)
            return pcdf_decoder_fault(d, PCDF_FAULT_DIMID, at + (int64_t)(i * size),
                                      "variable \"%.80s\": dimension id %llu, but there are %d dimensions",
                                      var->name, (unsigned long long)id, d->meta.ndims);
        var->dimids[i] = (int)id;
    }
    var->ndims = (int)n;
    var->is_record = var->dimids[0] == d->meta.record_dim;
    for (int i = 1; i < var->ndims; i++)
        if (var->dimids[i] == d->meta.record_dim)
            return pcdf_decoder_fault(d, PCDF_FAULT_UNLIMITED_POSITION, at + i * (int64_t)size,
                                      "variable \"%.80s\": the unlimited dimension stands at %d, not first",
                                      var->name, i);
    return NC_NOERR;
}

static int take_var(struct pcdf_decoder *d)
{
    struct pcdf_var *var = &d->var;
    int64_t at = (int64_t)d->at, begin_at;
    uint64_t vsize, begin;
    int there;

    *var = (struct pcdf_var){ 0 };
    PCDF_TRY(take_name(d, &var->name, &var->name_length));
    PCDF_TRY(take_dimids(d, var));
    PCDF_TRY(take_atts(d, &var->atts));
    PCDF_TRY(take_type(d, PCDF_FAULT_VAR_TYPE, "variable", var->name, &var->type));
    PCDF_TRY(take_number(d, pcdf_decoder_count_size(d),
                         &vsize)); /* redundant (SPEC: Note on vsize): always computed anew */
    begin_at = (int64_t)d->at;
    PCDF_TRY(take_number(d, d->version == PCDF_CDF1 ? 4 : 8, &begin)); /* SPEC: OFFSET */
    var->nbytes = pcdf_meta_var_bytes(&d->meta, var->type, var->ndims, var->dimids);
    if (var->nbytes < 0)
        return pcdf_decoder_fault(d, PCDF_FAULT_VAR_SIZE, at,
                                  "variable \"%.80s\": its size does not fit in 63 bits", var->name);
    if (pcdf_meta_adopt_var(&d->meta, var, &there))
        return no_memory(d);
    var->atts.index = NULL; /* the definitions have it now */
    if (there >= 0)
        PCDF_TRY(pcdf_decoder_fault(d, PCDF_FAULT_VAR_TWICE, at, "a second variable has the name \"%.80s\"",
                                    var->name));
    PCDF_TRY(pcdf_decoder_begin(d, begin_at, begin, var));
    d->begin[d->nbegins++] = (int64_t)begin;
    return NC_NOERR;
}

static int take_vars(struct pcdf_decoder *d)
{
    static const struct list vars = { PCDF_TAG_VARIABLE, PCDF_FAULT_MANY_VARS, "variables" };
    int n, room;
    PCDF_TRY(take_list(d, &vars, 4 * pcdf_decoder_count_size(d) + 8 + (d->version == PCDF_CDF1 ? 4 : 8), &n,
                       &room));
    d->begin = room > 0 ? pcdf_malloc((size_t)room * sizeof *d->begin) : NULL;
    if ((room > 0 && !d->begin) ||
        pcdf_list_reserve(NULL, (void **)&d->meta.vars, &d->meta.vars_room, room, sizeof *d->meta.vars))
        return no_memory(d);
    d->nvars = n;
    d->vars_at = d->at;
    for (int i = 0; i < n; i++) {
        PCDF_TRY(take_var(d));
        d->last_end = d->at;
    }
    return NC_NOERR;
}

/* How long the header may be, of which r.n bytes are at hand: four times as long, or as long as it will be
 * when the variables that are missing are as long as those that are here, and one in eight more. No step is
 * so large that a count alone would make a long file be read. */
static int64_t guess_size(const struct pcdf_decoder *d)
{
    uint64_t n = d->n, guess = 4 * n, most;
    if (d->meta.nvars > 0) {
        uint64_t each = (d->last_end - d->vars_at) / (uint64_t)d->meta.nvars + 1;
        uint64_t missing = (uint64_t)(d->nvars - d->meta.nvars) * each;
        if (d->last_end + missing + missing / 8 > guess)
            guess = d->last_end + missing + missing / 8;
    }
    if (guess < FIRST_STEP)
        guess = FIRST_STEP;
    if (!__builtin_mul_overflow(n, (uint64_t)LARGEST_STEP, &most) && guess > most && most > FIRST_STEP)
        guess = most;
    return (int64_t)(guess < d->file_size ? guess : d->file_size);
}

int pcdf_decode(struct pcdf_reading *reading, const unsigned char *bytes, size_t n, int64_t file_size,
                int64_t *need, struct pcdf_meta *meta, struct pcdf_layout *layout, struct pcdf_fault *fault)
{
    struct pcdf_reading strict = { 0 };
    if (!reading)
        reading = &strict;
    if (file_size < (int64_t)n)
        file_size = (int64_t)n; /* bytes that are here are in the file */
    struct pcdf_decoder d = {
        .bytes = bytes, .n = n, .reading = reading, .file_size = (uint64_t)file_size, .fault = fault
    };

    *need = 0;
    reading->ntold = 0;
    *fault = (struct pcdf_fault){ 0 };
    pcdf_meta_init(&d.meta, PCDF_CDF1);
    int err = take_beginning(&d);
    if (!err)
        err = take_dims(&d);
    if (!err)
        err = take_atts(&d, &d.meta.gatts);
    if (!err)
        err = take_vars(&d);
    if (!err)
        err = pcdf_decoder_places(&d);
    if (err) {
        int64_t guess = guess_size(&d);
        pcdf_names_free(d.var.atts.index);
        pcdf_meta_free(&d.meta);
        pcdf_free(d.begin);
        if (err != MORE)
            return err;
        *need = guess;
        return NC_NOERR;
    }
    *meta = d.meta;
    pcdf_layout_from_begins(layout, meta, d.begin, (int64_t)d.at);
    return NC_NOERR;
}
