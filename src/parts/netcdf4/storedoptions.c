/* See storedoptions.h. */
#include "storedoptions.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "debuglog.h"
#include "hintrows.h"
#include "hints.h"
#include "status.h"

/* An item of a list: what stands between commas, without the blanks around it. */
struct item {
    int at, length; /* in the text */
};

/* False: there are no more. *next: where to go on; at first 0. */
static bool next_item(const char *text, int *next, struct item *item)
{
    int n = (int)strlen(text);
    if (*next > n)
        return false;
    int end = *next + (int)strcspn(text + *next, ",");
    *item = (struct item){ .at = *next, .length = end - *next };
    *next = end + 1;
    while (item->length > 0 && text[item->at] == ' ') {
        item->at++;
        item->length--;
    }
    while (item->length > 0 && text[item->at + item->length - 1] == ' ')
        item->length--;
    return true;
}

static bool is_word(const char *text, struct item item, const char *word)
{
    return (size_t)item.length == strlen(word) && strncmp(text + item.at, word, (size_t)item.length) == 0;
}

/* Digits alone, to the end of the item, from `least` to `most`. */
static bool number_of(const char *text, struct item item, int from, int64_t least, int64_t most,
                      int64_t *number)
{
    char digits[32];
    int n = item.length - from;
    if (n < 1 || n >= (int)sizeof digits)
        return false;
    memcpy(digits, text + item.at + from, (size_t)n);
    digits[n] = '\0';
    if ((int)strspn(digits, "0123456789") != n)
        return false;
    errno = 0;
    *number = strtoll(digits, NULL, 10);
    return errno == 0 && *number >= least && *number <= most;
}

/* ---- pcdf_chunks */

static int64_t bytes_of(const char *text, struct item item)
{
    static const struct pcdf_hint_row row = {
        .kind = PCDF_HINT_INT64, .low = 1, .high = UINT32_MAX, .is_bytes = true
    };
    char one[PCDF_OPTIONS_TEXT];
    int64_t bytes;
    memcpy(one, text + item.at, (size_t)item.length);
    one[item.length] = '\0';
    return pcdf_hint_number(&row, one, &bytes) == PCDF_HINT_GOOD ? bytes : 0;
}

static int read_dim(struct pcdf_stored_options *options, struct item item, int colon)
{
    const char *text = options->chunks;
    struct pcdf_stored_dim dim = { .name = item.at, .name_length = colon - item.at };
    int from = colon - item.at + 1;
    if (dim.name_length < 1 || !number_of(text, item, from, 1, UINT32_MAX, &dim.length))
        return PCDF_FAIL(NC_EINVAL, "\"%.*s\" is not a dimension and a length of chunks, as in lat:180",
                         item.length, text + item.at);
    if (options->ndims == PCDF_OPTIONS_DIMS)
        return PCDF_FAIL(NC_EINVAL, "it names more than %d dimensions", PCDF_OPTIONS_DIMS);
    options->dims[options->ndims++] = dim;
    return NC_NOERR;
}

static int read_size(struct pcdf_stored_options *options, struct item item)
{
    int64_t bytes = bytes_of(options->chunks, item);
    if (bytes == 0)
        return PCDF_FAIL(
            NC_EINVAL,
            "\"%.*s\" is neither auto, a number of bytes below 4 GiB such as 8MiB, nor a dimension and "
            "a length of chunks, as in lat:180",
            item.length, options->chunks + item.at);
    options->bytes = bytes;
    return NC_NOERR;
}

/* The last colon of the item: names of dimensions may have one. -1: it has none. */
static int colon_of(const char *text, struct item item)
{
    int i = item.at + item.length - 1;
    while (i >= item.at && text[i] != ':')
        i--;
    return i >= item.at ? i : -1;
}

int pcdf_options_read_chunks(struct pcdf_stored_options *options, const char *text)
{
    struct pcdf_stored_options got = *options;
    struct item item;
    int next = 0;
    got.ndims = 0;
    got.bytes = 0;
    memset(got.chunks, 0, sizeof got.chunks);
    if (strlen(text) >= sizeof got.chunks)
        return PCDF_FAIL(NC_EINVAL, "it has more than %d bytes", PCDF_OPTIONS_TEXT - 1);
    if (*text != '\0' && strcmp(text, "auto") != 0) {
        strcpy(got.chunks, text);
        while (next_item(got.chunks, &next, &item)) {
            int colon = colon_of(got.chunks, item);
            PCDF_TRY(colon < 0 ? read_size(&got, item) : read_dim(&got, item, colon));
        }
    }
    *options = got;
    return NC_NOERR;
}

int64_t pcdf_options_length(const struct pcdf_stored_options *options, const char *name)
{
    size_t n = strlen(name);
    for (int i = 0; i < options->ndims; i++) {
        const struct pcdf_stored_dim *dim = &options->dims[i];
        if ((size_t)dim->name_length == n && strncmp(options->chunks + dim->name, name, n) == 0)
            return dim->length;
    }
    return 0;
}

/* ---- pcdf_compress */

static const struct word {
    const char *name;
    enum pcdf_codec_id id;
    int least, most, usual; /* levels; usual 0: it has none */
} words[] = { { "fletcher32", PCDF_CODEC_FLETCHER32, 0, 0, 0 },
              { "shuffle", PCDF_CODEC_SHUFFLE, 0, 0, 0 },
              { "deflate", PCDF_CODEC_ZLIB, 1, 9, 1 },
              { "zstd", PCDF_CODEC_ZSTD, 1, 22, 3 } };
enum { WORDS = sizeof words / sizeof words[0], FIRST_COMPRESSOR = 2 };

/* Which word an item is, with or without a level; -1: none. */
static int word_of(const char *text, struct item item, int64_t *level)
{
    for (int i = 0; i < WORDS; i++) {
        int n = (int)strlen(words[i].name);
        *level = words[i].usual;
        if (is_word(text, item, words[i].name))
            return i;
        if (words[i].usual > 0 && item.length > n && strncmp(text + item.at, words[i].name, (size_t)n) == 0 &&
            text[item.at + n] == ':')
            return number_of(text, item, n + 1, words[i].least, words[i].most, level) ? i : -1;
    }
    return -1;
}

/* have[i]: level of word i, -1: it is not there. */
static int read_codecs(const char *text, int64_t have[WORDS])
{
    struct item item;
    int next = 0;
    for (int i = 0; i < WORDS; i++)
        have[i] = -1;
    while (next_item(text, &next, &item)) {
        int64_t level;
        int i = word_of(text, item, &level);
        if (i < 0)
            return PCDF_FAIL(
                NC_EINVAL,
                "\"%.*s\" is none of none, shuffle, fletcher32, deflate:1 to deflate:9, zstd:1 to zstd:22",
                item.length, text + item.at);
        have[i] = level;
    }
    if (have[FIRST_COMPRESSOR] >= 0 && have[FIRST_COMPRESSOR + 1] >= 0)
        return PCDF_FAIL(NC_EINVAL, "it names two compressors, deflate and zstd: one is enough");
    return NC_NOERR;
}

int pcdf_options_read_compress(struct pcdf_stored_options *options, const char *text)
{
    int64_t have[WORDS];
    if (strlen(text) >= sizeof options->compress)
        return PCDF_FAIL(NC_EINVAL, "it has more than %d bytes", PCDF_OPTIONS_TEXT - 1);
    bool is_none = *text == '\0' || strcmp(text, "none") == 0;
    if (!is_none)
        PCDF_TRY(read_codecs(text, have));
    memset(options->compress, 0, sizeof options->compress);
    options->chain = (struct pcdf_chain){ 0 };
    if (is_none)
        return NC_NOERR;
    strcpy(options->compress, text);
    for (int i = 0; i < WORDS; i++) {
        if (have[i] < 0)
            continue;
        struct pcdf_codec *codec = &options->chain.x[options->chain.n++];
        *codec = (struct pcdf_codec){ .id = words[i].id, .nparams = words[i].usual > 0 };
        codec->params[0] = (uint32_t)have[i];
        strcpy(codec->name, words[i].name);
    }
    return NC_NOERR;
}

/* ---- both */

static void tell(const struct pcdf_hints *hints, const char *name, const char *text)
{
    if (hints->speaks)
        pcdf_debuglog_tell("hint %s: \"%.80s\" is not understood and not used: %s", name, text,
                           pcdf_fail_text());
}

void pcdf_options_read_hints(struct pcdf_stored_options *options, const struct pcdf_hints *hints)
{
    char sentence[PCDF_SENTENCE];
    pcdf_fail_save(sentence);
    if (pcdf_options_read_chunks(options, hints->chunks))
        tell(hints, "pcdf_chunks", hints->chunks);
    if (pcdf_options_read_compress(options, hints->compress))
        tell(hints, "pcdf_compress", hints->compress);
    pcdf_fail_restore(sentence);
}
