/* See copyrefer.h. */
#include "copyrefer.h"
#include "alloc.h"
#include "meaningnames.h"
#include "status.h"

#include <ctype.h>
#include <string.h>

static const char *new_name(const struct pcdf_copy_renamed *names, int n, const char *word, size_t length)
{
    for (int i = 0; i < n; i++)
        if (strlen(names[i].old) == length && memcmp(names[i].old, word, length) == 0)
            return names[i].new;
    return NULL;
}

struct rewriting {
    const struct pcdf_copy_renamed *names;
    int n, which;
    char *to; /* NULL: only counts */
    int64_t length;
    bool is_other;
};

static void append_text(struct rewriting *w, const char *text, size_t n)
{
    if (w->to)
        memcpy(w->to + w->length, text, n);
    w->length += (int64_t)n;
}

/* A word, with its colon perhaps. */
static void put_word(struct rewriting *w, const char *word, size_t n)
{
    bool has_colon = n > 1 && word[n - 1] == ':';
    const char *with = w->which & (has_colon ? PCDF_NAMES_COLON : PCDF_NAMES_PLAIN)
                           ? new_name(w->names, w->n, word, n - has_colon)
                           : NULL;
    w->is_other |= with != NULL;
    if (with)
        append_text(w, with, strlen(with));
    append_text(w, with ? word + n - 1 : word, with ? (size_t)has_colon : n);
}

/* What stands in brackets are comments: "time: mean (interval: 1 hour)". */
static void rewrite(struct rewriting *w, const char *text, size_t n)
{
    int depth = 0;

    w->length = 0;
    for (size_t i = 0, end; i < n; i = end) {
        bool is_space = isspace((unsigned char)text[i]) || text[i] == '\0';
        for (end = i + 1; end < n && (isspace((unsigned char)text[end]) || text[end] == '\0') == is_space;
             end++)
            ;
        depth += text[i] == '(';
        if (is_space || depth > 0)
            append_text(w, text + i, end - i);
        else
            put_word(w, text + i, end - i);
        depth -= depth > 0 && text[end - 1] == ')';
    }
}

static int rewrite_att(struct pcdf_meta *meta, struct pcdf_atts *atts, int attid, struct rewriting *w)
{
    const struct pcdf_att *att = &atts->x[attid];
    const char *text = (const char *)att->values;

    w->to = NULL;
    w->is_other = false;
    rewrite(w, text, (size_t)att->nelems);
    if (!w->is_other)
        return NC_NOERR;
    w->to = pcdf_malloc((size_t)w->length + 1);
    if (!w->to)
        return NC_ENOMEM;
    rewrite(w, text, (size_t)att->nelems);
    int err = pcdf_atts_replace(meta, atts, attid, NC_CHAR, w->length, w->to);
    pcdf_free(w->to);
    return err;
}

int pcdf_copy_refer(struct pcdf_meta *meta, const struct pcdf_copy_renamed *names, int n)
{
    for (int varid = NC_GLOBAL; varid < meta->nvars && n > 0; varid++) {
        struct pcdf_atts *atts = pcdf_meta_atts(meta, varid);
        for (int i = 0; i < atts->n; i++) {
            struct rewriting w = { .names = names, .n = n, .which = pcdf_meaning_names(atts->x[i].name) };
            if (w.which && atts->x[i].type == NC_CHAR && atts->x[i].nelems > 0)
                PCDF_TRY(rewrite_att(meta, atts, i, &w));
        }
    }
    return NC_NOERR;
}
