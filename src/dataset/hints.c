/* See hints.h. */
#include "hints.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "alloc.h"
#include "hash.h"
#include "debuglog.h"
#include "hintrows.h"
#include "mpilibrary.h"
#include "sieve.h"
#include "status.h"
#include "storage.h"

enum { TRUE_WORD }; /* the first word of BOOL: WORDS("true|false") */

static const size_t places[] = {
/* where row i is in struct pcdf_hints */
#define PCDF_HINT(name, kind, ranks, field, fallback, allowed, help) offsetof(struct pcdf_hints, field),
#include "hintrows.def"
#undef PCDF_HINT
};

/* Hints of other libraries that mean one of ours. */
static const struct {
    const char *name, *value;
    size_t place; /* where a number is in struct pcdf_hints */
    int64_t number;
} meanings[] = {
#define PCDF_OTHER_HINT(name, whose, effect, help)
#define PCDF_OTHER_AS(name, value, field, number)                                                            \
    { #name, value, offsetof(struct pcdf_hints, field), number },
#include "otherhints.def"
#undef PCDF_OTHER_HINT
#undef PCDF_OTHER_AS
};

/* Of a number its value, of an ENUM which word, of a BOOL 0 or 1; not of a TEXT. */
static int64_t *number_of(const struct pcdf_hints *hints, int i)
{
    assert(pcdf_hint_rows[i].kind != PCDF_HINT_TEXT);
    return (int64_t *)((char *)hints + places[i]);
}

/* Row i as text; `room` has PCDF_HINT_TEXT_MAX bytes. */
static void value_of(const struct pcdf_hints *hints, int i, char *room)
{
    const struct pcdf_hint_row *row = &pcdf_hint_rows[i];
    int length;
    if (row->kind == PCDF_HINT_TEXT) {
        memcpy(room, (const char *)hints + places[i], PCDF_HINT_TEXT_MAX);
    } else if (row->kind == PCDF_HINT_ENUM) {
        const char *word = pcdf_hint_word_text(row, (int)*number_of(hints, i), &length);
        snprintf(room, PCDF_HINT_TEXT_MAX, "%.*s", length, word);
    } else if (row->kind == PCDF_HINT_BOOL) {
        strcpy(room, *number_of(hints, i) ? "true" : "false");
    } else {
        snprintf(room, PCDF_HINT_TEXT_MAX, "%lld", (long long)*number_of(hints, i));
    }
}

static int row_of(const char *name)
{
    for (int i = 0; i < pcdf_hint_count; i++)
        if (strcmp(pcdf_hint_rows[i].name, name) == 0)
            return i;
    return -1;
}

/* Those of layers that a test program brings along are kept as they are, for them. */
static bool is_ours(const char *name)
{
    const struct pcdf_storage_layer *layer = pcdf_storage_layers;
    while (layer && layer->hint && strcmp(layer->hint, name) != 0)
        layer++;
    return strncmp(name, "pcdf_", strlen("pcdf_")) == 0 && !(layer && layer->hint);
}

/* A sentence about a hint without effect: whoever gives one of ours wants to know it. */
static void tell_without_effect(const struct pcdf_hints *hints, const char *name, const char *text)
{
    if (is_ours(name) && hints->speaks)
        pcdf_debuglog_tell("hint %.80s: %s", name, text);
    else
        pcdf_debuglog("hint %.80s: %s", name, text);
}

static void tell_unknown(const struct pcdf_hints *hints, const char *name)
{
    const char *nearest = pcdf_hint_nearest(name);
    char text[256];
    snprintf(text, sizeof text, "no hint of that name is known, it has no effect%s%s%s",
             nearest ? "; did you mean " : " (`parcdf hints` lists all)", nearest ? nearest : "",
             nearest ? "?" : "");
    tell_without_effect(hints, name, text);
}

static void tell_old(const struct pcdf_hints *hints, const struct pcdf_old_hint *old)
{
    char text[256];
    if (old->instead)
        snprintf(text, sizeof text, "it is gone and has no effect; use %s", old->instead);
    else if (old->word)
        snprintf(text, sizeof text,
                 "it is a word of %s now, as in %s=\"VALUE %s=...\"; the old name goes with version %s",
                 old->now, old->now, old->word, PCDF_OLD_HINTS_END);
    else
        snprintf(text, sizeof text, "it is %s now; the old name goes with version %s", old->now,
                 PCDF_OLD_HINTS_END);
    tell_without_effect(hints, old->name, text);
}

static void tell_old_value(const struct pcdf_hints *hints, const char *name, const char *old, const char *now)
{
    char text[256];
    snprintf(text, sizeof text, "its value %s is %s now; the old value goes with version %s", old, now,
             PCDF_OLD_HINTS_END);
    tell_without_effect(hints, name, text);
}

static void tell_bad(const struct pcdf_hints *hints, const struct pcdf_hint_row *row, const char *value)
{
    const char *is_bytes = row->is_bytes ? ", in bytes or as 64k, 32M, 1GiB" : "";
    char text[512];
    if (row->words)
        snprintf(text, sizeof text, "the value \"%.80s\" is not understood and not used; it is one of %s",
                 value, row->words);
    else if (row->kind == PCDF_HINT_TEXT)
        snprintf(text, sizeof text, "the value \"%.80s...\" is too long and not used", value);
    else
        snprintf(text, sizeof text,
                 "the value \"%.80s\" is not understood and not used; it is a number from %lld to %lld%s",
                 value, (long long)row->low, (long long)row->high, is_bytes);
    tell_without_effect(hints, row->name, text);
}

/* False: the value means nothing, and what was there stays. */
static bool set_value(struct pcdf_hints *hints, int i, const char *value)
{
    const struct pcdf_hint_row *row = &pcdf_hint_rows[i];
    enum pcdf_hint_verdict verdict = PCDF_HINT_BAD;
    size_t n = strlen(value);
    int word = pcdf_hint_word(row, value);
    if (row->kind == PCDF_HINT_TEXT && n < PCDF_HINT_TEXT_MAX) {
        char *text = (char *)hints + places[i];
        memset(text, 0, PCDF_HINT_TEXT_MAX);
        memcpy(text, value, n);
        verdict = PCDF_HINT_GOOD;
    } else if (row->words && word >= 0) {
        *number_of(hints, i) = row->kind == PCDF_HINT_BOOL ? word == TRUE_WORD : word;
        verdict = PCDF_HINT_GOOD;
    } else if (!row->text) {
        verdict = pcdf_hint_number(row, value, number_of(hints, i));
    }
    if (verdict == PCDF_HINT_BAD)
        tell_bad(hints, row, value);
    if (verdict == PCDF_HINT_CLAMPED)
        pcdf_debuglog("hint %s: %.80s is out of range, %lld is used", row->name, value,
                      (long long)*number_of(hints, i));
    return verdict != PCDF_HINT_BAD;
}

/* To MPI-IO, if MPI is used. */
static void pass_on(struct pcdf_hints *hints, const char *name, const char *value)
{
    if (hints->user != MPI_INFO_NULL)
        MPI_Info_set(hints->user, name, value);
}

/* As a program or the environment gives it. What is understood goes on to MPI-IO, which knows nothing of
 * units; the rest does not reach it. */
static bool take_value(struct pcdf_hints *hints, int i, const char *value)
{
    const char *name = pcdf_hint_rows[i].name, *now = pcdf_hint_value_now(name, value);
    char plain[32];
    if (now) {
        tell_old_value(hints, name, value, now);
        value = now;
    }
    bool is_good = set_value(hints, i, value);
    if (is_good && pcdf_hint_rows[i].is_bytes && value[strspn(value, "0123456789")] != '\0') {
        snprintf(plain, sizeof plain, "%lld", (long long)*number_of(hints, i));
        value = plain;
    }
    if (is_good)
        pass_on(hints, name, value);
    return is_good;
}

static bool is_given(MPI_Info info, const char *name)
{
    int length, found = 0;
    if (info != MPI_INFO_NULL)
        MPI_Info_get_valuelen(info, name, &length, &found);
    return found;
}

/* A word of before for a hint's value, until all of them are known. */
static void take_word(struct pcdf_hints *hints, const char *word, const char *value)
{
    size_t n = strlen(hints->words);
    snprintf(hints->words + n, sizeof hints->words - n, " %s=%s", word, value);
}

/* By any name, also one of before. */
static void take_named(struct pcdf_hints *hints, const char *name, const char *value)
{
    const struct pcdf_old_hint *old = pcdf_hint_old(name);
    int i = row_of(old ? old->now : name);
    if (old)
        tell_old(hints, old);
    if (old && old->word)
        take_word(hints, old->word, value);
    else if (i >= 0)
        (void)take_value(hints, i, value);
    else if (!is_ours(name))
        pass_on(hints, name, value);
    else if (!old)
        tell_unknown(hints, name);
}

/* Words that had names of their own, behind the value of pcdf_set: all of oldhints.def are of that hint. What
 * is too long is not used at all: half of it would make another set. */
static void take_words(struct pcdf_hints *hints)
{
    char all[2 * PCDF_HINT_TEXT_MAX + 2];
    int row = row_of("pcdf_set");
    bool is_set = strcmp(hints->set, "none") != 0;
    snprintf(all, sizeof all, "%s%s", is_set ? hints->set : "", hints->words + !is_set);
    if (hints->words[0] && !set_value(hints, row, all))
        (void)set_value(hints, row, "none");
    hints->words[0] = '\0';
}

static void take_from_info(struct pcdf_hints *hints)
{
    char value[MPI_MAX_INFO_VAL + 1], name[MPI_MAX_INFO_KEY + 1];
    int nkeys = 0, found;
    for (int i = 0; i < pcdf_hint_count; i++) {
        found = 0;
        MPI_Info_get(hints->user, pcdf_hint_rows[i].name, MPI_MAX_INFO_VAL, value, &found);
        if (found && !take_value(hints, i, value))
            MPI_Info_delete(hints->user, pcdf_hint_rows[i].name);
    }

    /* Names of before, and those that begin as ours do and are not: they are taken out, and the rest has
     * other numbers then. */
    MPI_Info_get_nkeys(hints->user, &nkeys);
    for (int k = 0; k < nkeys; k++) {
        MPI_Info_get_nthkey(hints->user, k, name);
        if (!is_ours(name) || row_of(name) >= 0)
            continue;
        MPI_Info_get(hints->user, name, MPI_MAX_INFO_VAL, value, &found);
        MPI_Info_delete(hints->user, name);
        const struct pcdf_old_hint *old = pcdf_hint_old(name);
        if (old && !old->word && *old->now && is_given(hints->user, old->now))
            tell_old(hints, old);
        else
            take_named(hints, name, value);
        MPI_Info_get_nkeys(hints->user, &nkeys);
        k = -1;
    }
    /* What the environment says of pcdf_set wins over these words. */
    take_words(hints);
}

static char *trimmed(char *text)
{
    static const char blanks[] = " \t\r\n";
    text += strspn(text, blanks);
    size_t n = strlen(text);
    while (n > 0 && strchr(blanks, text[n - 1]))
        text[--n] = '\0';
    return text;
}

static void take_item(struct pcdf_hints *hints, char *item)
{
    char *equals = strchr(item, '=');
    const char *name = item, *value = "";
    if (equals) {
        *equals = '\0';
        name = trimmed(item);
        value = trimmed(equals + 1);
    }
    if (!pcdf_mpilibrary_takes_hint(name, value)) {
        tell_without_effect(hints, name, "it stands in PNETCDF_HINTS, not as name=value, and is not used");
        return;
    }
    take_named(hints, name, value);
}

static int64_t given(int64_t newer, int64_t older)
{
    return newer > 0 ? newer : older;
}

/* PNETCDF_HINTS, "name=value;name=value", over what MPI_Info gave; of two names of one thing from one source
 * the newer wins, and the older name in PNETCDF_HINTS is still over the newer one in MPI_Info. */
static int take_environment(struct pcdf_hints *hints)
{
    const char *environment = getenv("PNETCDF_HINTS");
    int64_t v_align = given(hints->v_align, hints->header_align), header_align = hints->header_align;
    hints->v_align = hints->header_align = 0;
    if (environment) {
        char *copy = pcdf_strndup(environment, strlen(environment)), *rest = NULL;
        if (!copy)
            return PCDF_FAIL(NC_ENOMEM, "no memory for PNETCDF_HINTS");
        for (char *item = strtok_r(copy, ";", &rest); item; item = strtok_r(NULL, ";", &rest))
            if (*trimmed(item))
                take_item(hints, item);
        pcdf_free(copy);
    }
    hints->v_align = given(given(hints->v_align, hints->header_align), v_align);
    hints->header_align = given(hints->header_align, header_align);
    return NC_NOERR;
}

/* What hints of other libraries mean, where the user gave none of ours for it. */
static void take_meanings(struct pcdf_hints *hints)
{
    char value[MPI_MAX_INFO_VAL + 1];
    for (size_t k = 0; k < sizeof meanings / sizeof *meanings; k++) {
        int found = 0, row = 0;
        while (row < pcdf_hint_count && places[row] != meanings[k].place)
            row++;
        bool has_ours = row < pcdf_hint_count && is_given(hints->user, pcdf_hint_rows[row].name);
        MPI_Info_get(hints->user, meanings[k].name, MPI_MAX_INFO_VAL, value, &found);
        if (found && !has_ours && strcasecmp(value, meanings[k].value) == 0)
            *(int64_t *)((char *)hints + meanings[k].place) = meanings[k].number;
    }
}

/* PnetCDF's burst buffer is a log on storage of the node, too. */
static void take_burst_buffer(struct pcdf_hints *hints)
{
    enum { ENABLE, DEFAULT = 64 << 20 };
    if (hints->burst_buf != ENABLE)
        return;
    if (!is_given(hints->user, "pcdf_stage_dir"))
        memcpy(hints->stage_dir, hints->burst_dirname, sizeof hints->stage_dir);
    if (!is_given(hints->user, "pcdf_async"))
        hints->async = hints->burst_flush > 0 ? hints->burst_flush : DEFAULT;
}

static void set_default(struct pcdf_hints *hints, int i)
{
    if (pcdf_hint_rows[i].text)
        (void)set_value(hints, i, pcdf_hint_rows[i].text);
    else
        *number_of(hints, i) = pcdf_hint_rows[i].number;
}

static void set_defaults(struct pcdf_hints *hints, bool speaks)
{
    memset(hints, 0, sizeof *hints);
    hints->user = MPI_INFO_NULL;
    hints->speaks = speaks;
    for (int i = 0; i < pcdf_hint_count; i++)
        set_default(hints, i);
}

/* Over what stands in them already. */
static int finish(struct pcdf_hints *hints)
{
    PCDF_TRY(take_environment(hints));
    if (hints->user != MPI_INFO_NULL)
        take_meanings(hints);
    take_burst_buffer(hints);
    take_words(hints);
    hints->v_align = (hints->v_align + 3) / 4 * 4;
    hints->header_align = (hints->header_align + 3) / 4 * 4;
    hints->r_align = (hints->r_align + 3) / 4 * 4;
    hints->stage_size = hints->stage_size / 8 * 8;
    hints->chunk_size = hints->chunk_size / 8 * 8;

    /* Left out: hints of which the strongest holds, so that one rank may give it alone, and two of rank 0's
     * that were always taken from there in silence. */
    for (int i = 0; i < pcdf_hint_count; i++) {
        char value[PCDF_HINT_TEXT_MAX];
        const struct pcdf_hint_row *row = &pcdf_hint_rows[i];
        if (row->ranks == PCDF_HINT_STRONGEST || strcmp(row->name, "pcdf_engine") == 0 ||
            strcmp(row->name, "pcdf_defer") == 0)
            continue;
        value_of(hints, i, value);
        hints->asked = hints->asked * 31 + pcdf_hash_text(value);
    }
    return NC_NOERR;
}

int pcdf_hints_read(struct pcdf_hints *hints, MPI_Info info, bool speaks)
{
    set_defaults(hints, speaks);
    int err = info == MPI_INFO_NULL ? MPI_Info_create(&hints->user) : MPI_Info_dup(info, &hints->user);
    if (err != MPI_SUCCESS) {
        hints->user = MPI_INFO_NULL;
        return PCDF_FAIL(NC_EMPI, "the hints cannot be copied");
    }
    take_from_info(hints);
    return finish(hints);
}

int pcdf_hints_read_without_mpi(struct pcdf_hints *hints)
{
    set_defaults(hints, true);
    return finish(hints);
}

void pcdf_hints_drop(struct pcdf_hints *hints, const char *names, const char *why)
{
    char copy[PCDF_HINT_TEXT_MAX], before[PCDF_HINT_TEXT_MAX], now[PCDF_HINT_TEXT_MAX],
        text[2 * PCDF_HINT_TEXT_MAX], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", names);
    for (char *name = strtok_r(copy, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        char *word = strchr(name, '='), *instead = strchr(name, '>');
        if (word)
            *word++ = '\0';
        if (instead)
            *instead++ = '\0';
        int i = row_of(name);
        assert(i >= 0);
        value_of(hints, i, before);
        if (word && strcmp(before, word) != 0)
            continue;
        if (instead)
            (void)set_value(hints, i, instead);
        else
            set_default(hints, i);
        value_of(hints, i, now);
        snprintf(text, sizeof text, "%s, %s%s", why, instead ? now : "it has no effect",
                 instead ? " is used" : "");
        if (strcmp(before, now) != 0)
            tell_without_effect(hints, name, text);
    }
}

void pcdf_hints_free(struct pcdf_hints *hints)
{
    if (hints->user != MPI_INFO_NULL)
        MPI_Info_free(&hints->user);
}

int pcdf_hints_report(const struct pcdf_hints *hints, MPI_Info info)
{
    char value[MPI_MAX_INFO_VAL + 1];
    for (int i = 0; i < pcdf_hint_count; i++) {
        const struct pcdf_hint_row *row = &pcdf_hint_rows[i];
        /* MPI-IO's own word about what it was asked for stays */
        bool is_said = row->kind == PCDF_HINT_NOTED && is_given(info, row->name);
        value_of(hints, i, value);
        if (!is_said && MPI_Info_set(info, row->name, value) != MPI_SUCCESS)
            return PCDF_FAIL(NC_EMPI, "hint %s cannot be reported", row->name);
    }
    for (int i = 0; i < pcdf_other_hint_count; i++) {
        const char *name = pcdf_other_hints[i].name;
        int found = 0;
        MPI_Info_get(hints->user, name, MPI_MAX_INFO_VAL, value, &found);
        if (found && !is_given(info, name) && MPI_Info_set(info, name, value) != MPI_SUCCESS)
            return PCDF_FAIL(NC_EMPI, "hint %s cannot be reported", name);
    }
    return NC_NOERR;
}

/* ---- what ranks agree on */

static bool is_agreed(int i)
{
    return pcdf_hint_rows[i].ranks != PCDF_HINT_OWN && pcdf_hint_rows[i].kind != PCDF_HINT_TEXT;
}

void pcdf_hints_propose(const struct pcdf_hints *hints, bool is_root, int64_t *numbers)
{
    for (int i = 0; i < pcdf_hint_count; i++)
        if (is_agreed(i))
            *numbers++ =
                is_root || pcdf_hint_rows[i].ranks == PCDF_HINT_STRONGEST ? *number_of(hints, i) : INT64_MIN;
}

void pcdf_hints_agreed(struct pcdf_hints *hints, const int64_t *numbers)
{
    for (int i = 0; i < pcdf_hint_count; i++)
        if (is_agreed(i))
            *number_of(hints, i) = *numbers++;
}
