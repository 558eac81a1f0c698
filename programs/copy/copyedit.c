/* See copyedit.h. */
#include "copyedit.h"
#include "copyplan.h"
#include "copyrefer.h"
#include "copyset.h"
#include "alloc.h"
#include "status.h"
#include "text.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 2 * PCDF_COPY_EDITS }; /* OLD=NEW may be a variable and a dimension */

struct words {       /* of one option */
    char *text;      /* owned; the others point into it */
    char *var, *att; /* var: NULL where there is no colon; att: then the plain name */
    char *value;     /* behind =, NULL: there is none */
};

/* Up to `stop`, without the backslashes; what follows it, or NULL: there is no such character. */
static char *split(char *at, char stop)
{
    char *to = at;
    for (; *at && *at != stop; *to++ = *at++)
        at += *at == '\\' && at[1] && strchr(":=\\", at[1]);
    bool found = *at == stop && stop;
    char *behind = at + 1;
    *to = '\0';
    return found ? behind : NULL;
}

/* The first colon that is not escaped and stands before any =. */
static bool has_colon(const char *text)
{
    for (; *text && *text != '='; text++) {
        if (*text == ':')
            return true;
        text += *text == '\\' && text[1];
    }
    return false;
}

static int read_words(const struct pcdf_copy_edit_text *edit, struct words *w)
{
    bool is_att = has_colon(edit->text);

    *w = (struct words){ .text = pcdf_strndup(edit->text, strlen(edit->text)) };
    if (!w->text)
        return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    w->var = is_att ? w->text : NULL;
    w->att = is_att ? split(w->text, ':') : w->text;
    w->value = split(w->att, edit->kind == PCDF_COPY_DROP ? '\0' : '=');
    return PCDF_TOOL_GOOD;
}

static int find_var(const struct pcdf_meta *meta, const char *name)
{
    struct pcdf_name nfc;
    return pcdf_name_lookup(name, &nfc) ? -1 : pcdf_meta_find_var(meta, nfc.text);
}

static int find_att(const struct pcdf_atts *atts, const char *name)
{
    struct pcdf_name nfc;
    return pcdf_name_lookup(name, &nfc) ? -1 : pcdf_atts_find(atts, nfc.text);
}

/* ---- variables that are dropped */

bool pcdf_copy_edit_drops(const struct pcdf_copy_options *options)
{
    for (int i = 0; i < options->nedits; i++)
        if (options->edits[i].kind == PCDF_COPY_DROP && !has_colon(options->edits[i].text))
            return true;
    return false;
}

int pcdf_copy_edit_choose(const struct pcdf_copy_options *options, const struct pcdf_tool_dataset *ds,
                          bool *chosen)
{
    int status = PCDF_TOOL_GOOD;

    for (int i = 0; i < options->nedits && !status; i++) {
        struct words w;
        if (options->edits[i].kind != PCDF_COPY_DROP || has_colon(options->edits[i].text))
            continue;
        status = read_words(&options->edits[i], &w);
        if (status)
            break;
        int varid = find_var(&ds->meta, w.att);
        if (varid < 0)
            status = pcdf_tool_no_variable(ds->file.path, &ds->meta, w.att, " to drop");
        else
            chosen[varid] = false;
        pcdf_free(w.text);
    }
    return status;
}

/* ---- attributes of one variable, of all, or of the file */

struct editing {
    const char *path;
    struct pcdf_meta *meta;
    struct target { /* what gets another name */
        enum pcdf_named what;
        int varid, id; /* varid: of an attribute */
        char name[NC_MAX_NAME + 1], old[NC_MAX_NAME + 1];
    } * targets;
    int n, room;
};

typedef int att_action(struct editing *e, int varid, int attid, const struct words *w);

/* For the attributes that a `VAR:ATT` names. */
static int for_atts(struct editing *e, const char *option, const struct words *w, att_action *action)
{
    struct pcdf_meta *meta = e->meta;
    bool is_all = strcmp(w->var, "*") == 0;
    int only = *w->var ? find_var(meta, w->var) : NC_GLOBAL, found = 0, status = PCDF_TOOL_GOOD;

    if (!is_all && *w->var && only < 0)
        return pcdf_tool_unusable(e->path, "%s: the copy has no variable %.200s", option, w->var);
    for (int varid = is_all ? 0 : only; varid < meta->nvars && !status; varid++) {
        int attid = find_att(pcdf_meta_atts(meta, varid), w->att);
        if (attid >= 0)
            status = action(e, varid, attid, w);
        found += attid >= 0;
        if (!is_all)
            break;
    }
    if (!status && !found)
        return pcdf_tool_unusable(e->path, "%s: there is no attribute %.200s:%.200s", option, w->var, w->att);
    return status;
}

static int drop_att(struct editing *e, int varid, int attid, const struct words *w)
{
    (void)w;
    pcdf_atts_delete(e->meta, pcdf_meta_atts(e->meta, varid), attid);
    return PCDF_TOOL_GOOD;
}

/* ---- names */

static int add_target(struct editing *e, enum pcdf_named what, int varid, int id, const char *old,
                      const char *name)
{
    struct pcdf_name nfc;

    if (pcdf_name_define(name, &nfc))
        return pcdf_tool_unusable(e->path, "--rename %.200s: %s", old, pcdf_fail_text());
    for (int i = 0; i < e->n; i++)
        if (e->targets[i].what == what && e->targets[i].varid == varid && e->targets[i].id == id)
            return pcdf_tool_unusable(e->path, "--rename: %.200s gets two names", old);
    if (e->n == e->room) {
        int room = e->room ? 2 * e->room : MOST;
        struct target *more = pcdf_realloc(e->targets, (size_t)room * sizeof *more);
        if (!more)
            return pcdf_tool_unusable(e->path, "%s", pcdf_fail_text());
        e->targets = more;
        e->room = room;
    }
    struct target *t = &e->targets[e->n++];
    *t = (struct target){ .what = what, .varid = varid, .id = id };
    snprintf(t->name, sizeof t->name, "%s", nfc.text);
    snprintf(t->old, sizeof t->old, "%s", old);
    return PCDF_TOOL_GOOD;
}

static int add_att_target(struct editing *e, int varid, int attid, const struct words *w)
{
    return add_target(e, PCDF_ATTRIBUTE, varid, attid, pcdf_meta_atts(e->meta, varid)->x[attid].name,
                      w->value);
}

static int add_rename(struct editing *e, const struct words *w)
{
    if (!w->value)
        return pcdf_tool_unusable(NULL, "--rename wants OLD=NEW or VAR:OLD=NEW, not '%.200s'", w->text);
    if (w->var)
        return for_atts(e, "--rename", w, add_att_target);
    int varid = find_var(e->meta, w->att), dimid = pcdf_copy_find_dim(e->meta, w->att);
    if (varid < 0 && dimid < 0)
        return pcdf_tool_unusable(e->path, "--rename: the copy has no variable or dimension %.200s", w->att);
    int status = varid < 0 ? PCDF_TOOL_GOOD
                           : add_target(e, PCDF_VARIABLE, 0, varid, e->meta->vars[varid].name, w->value);
    if (status || dimid < 0)
        return status;
    return add_target(e, PCDF_DIMENSION, 0, dimid, e->meta->dims[dimid].name, w->value);
}

static const char *name_of(const struct editing *e, const struct target *t, int id)
{
    for (int i = 0; i < e->n; i++)
        if (e->targets[i].what == t->what && e->targets[i].varid == t->varid && e->targets[i].id == id)
            return e->targets[i].name;
    return t->what == PCDF_DIMENSION  ? e->meta->dims[id].name
           : t->what == PCDF_VARIABLE ? e->meta->vars[id].name
                                      : pcdf_meta_atts(e->meta, t->varid)->x[id].name;
}

/* When all have their new names, no two of a kind have the same one. */
static int check_names(const struct editing *e)
{
    static const char *const kinds[] = { "dimension", "variable", "attribute" };
    for (int i = 0; i < e->n; i++) {
        const struct target *t = &e->targets[i];
        int n = t->what == PCDF_DIMENSION  ? e->meta->ndims
                : t->what == PCDF_VARIABLE ? e->meta->nvars
                                           : pcdf_meta_atts(e->meta, t->varid)->n;
        for (int id = 0; id < n; id++)
            if (id != t->id && strcmp(name_of(e, t, id), t->name) == 0)
                return pcdf_tool_unusable(e->path, "--rename %.200s=%.200s: there is a%s %s of that name",
                                          t->old, t->name, t->what == PCDF_ATTRIBUTE ? "n" : "",
                                          kinds[t->what]);
    }
    return PCDF_TOOL_GOOD;
}

/* By way of names that nothing has, since names may be swapped. */
static int give_names(const struct editing *e)
{
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < e->n; i++) {
            const struct target *t = &e->targets[i];
            struct pcdf_atts *atts = t->what == PCDF_ATTRIBUTE ? pcdf_meta_atts(e->meta, t->varid) : NULL;
            char between[32];
            snprintf(between, sizeof between, "\001%d", i);
            PCDF_TRY(pcdf_meta_rename(e->meta, t->what, atts, t->id, pass ? t->name : between));
        }
    return NC_NOERR;
}

static int refer(const struct editing *e)
{
    struct pcdf_copy_renamed *names = pcdf_calloc((size_t)e->n + 1, sizeof *names);
    int n = 0;

    if (!names)
        return NC_ENOMEM;
    for (int i = 0; i < e->n; i++)
        if (e->targets[i].what != PCDF_ATTRIBUTE)
            names[n++] = (struct pcdf_copy_renamed){ e->targets[i].old, e->targets[i].name };
    int err = pcdf_copy_refer(e->meta, names, n);
    pcdf_free(names);
    return err;
}

/* ---- all edits */

static int rename_all(struct editing *e)
{
    int status = check_names(e);
    if (!status && (give_names(e) || refer(e)))
        status = pcdf_tool_unusable(e->path, "%s", pcdf_fail_text());
    return status;
}

static int set(const struct editing *e, const struct words *w)
{
    int varid = w->var && *w->var ? find_var(e->meta, w->var) : NC_GLOBAL;

    if (!w->var || !w->value)
        return pcdf_tool_unusable(NULL, "--set wants VAR:ATTRIBUTE=VALUE, not '%.200s'", w->text);
    if (*w->var && varid < 0)
        return pcdf_tool_unusable(e->path, "--set: the copy has no variable %.200s", w->var);
    return pcdf_copy_set(e->meta, varid, w->att, w->value, e->path);
}

static int edit_one(struct editing *e, const struct pcdf_copy_edit_text *edit)
{
    struct words w;
    int status = read_words(edit, &w);

    if (status)
        return status;
    if (edit->kind == PCDF_COPY_RENAME)
        status = add_rename(e, &w);
    else if (edit->kind == PCDF_COPY_SET)
        status = set(e, &w);
    else if (w.var)
        status = for_atts(e, "--drop", &w, drop_att);
    pcdf_free(w.text);
    return status;
}

int pcdf_copy_edit(const struct pcdf_copy_options *options, const char *path, struct pcdf_meta *meta)
{
    static const enum pcdf_copy_edit_kind order[] = { PCDF_COPY_DROP, PCDF_COPY_RENAME, PCDF_COPY_SET };
    struct editing e = { .path = path, .meta = meta };
    int status = PCDF_TOOL_GOOD;

    for (size_t k = 0; k < 3 && !status; k++) {
        for (int i = 0; i < options->nedits && !status; i++)
            if (options->edits[i].kind == order[k])
                status = edit_one(&e, &options->edits[i]);
        if (!status && order[k] == PCDF_COPY_RENAME)
            status = rename_all(&e);
    }
    pcdf_free(e.targets);
    return status;
}
