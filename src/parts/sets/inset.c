/* See inset.h. */
#include "inset.h"
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "alloc.h"
#include "checksum.h"
#include "crc32c.h"
#include "dataset.h"
#include "debuglog.h"
#include "generation.h"
#include "posixio.h"
#include "publish.h"
#include "setwords.h"
#include "sidecar.h"
#include "vote.h"

struct in_set {
    struct pcdf_member *member; /* rank 0: a new file's, until its close */
    bool is_over;               /* the ranks agreed: it is in no set */
};

struct set_vote {
    struct pcdf_vote common;
    bool committed; /* the generation, by this close */
};
static const struct pcdf_vote_form form = { { PCDF_VOTE_LARGEST(set_vote, committed) } };

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Patterns between commas. */
static bool matches(const char *patterns, const char *name)
{
    char copy[PCDF_HINT_TEXT_MAX], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", patterns);
    for (char *p = strtok_r(copy, ",", &rest); p; p = strtok_r(NULL, ",", &rest))
        if (fnmatch(p, name, 0) == 0)
            return true;
    return false;
}

/* Rank 0: does the hint mean this file? In any case *words is what it says. */
static bool is_wanted(const struct pcdf_dataset *ds, struct pcdf_setwords *words)
{
    pcdf_setwords_read(&ds->hints, words);
    if (pcdf_generation_is_open()) /* parcdf_set_begin */
        return true;
    return words->set[0] && matches(words->match, last_part(pcdf_path_posix(ds->path)));
}

/* The last run of digits of a name, with -, _, T and : between digits; an extension of letters does not count
 * (nc4). */
static void step_of_name(const char *name, char *step, size_t size)
{
    const char *point = strrchr(name, '.');
    const char *end = point && isalpha((unsigned char)point[1]) ? point : name + strlen(name);
    while (end > name && !isdigit((unsigned char)end[-1]))
        end--;
    const char *at = end;
    while (at > name && (isdigit((unsigned char)at[-1]) ||
                         (strchr("-_T:", at[-1]) && at - 1 > name && isdigit((unsigned char)at[-2]))))
        at--;
    snprintf(step, size, "%.*s", (int)(end - at), at);
}

/* Of these words, which it changes. */
static struct pcdf_member_config member_config_of(const struct pcdf_dataset *ds, struct pcdf_setwords *w)
{
    if (strcmp(w->step, "name") == 0)
        step_of_name(last_part(pcdf_path_posix(ds->path)), w->step, sizeof w->step);
    return (struct pcdf_member_config){
        .set = w->set, .step = w->step, .job = w->job, .files = w->files, .keep = w->keep
    };
}

/* ---- create and open */

/* A new file is made under the member's name. */
static int root_join(struct pcdf_opening *o, struct pcdf_setwords *words, struct in_set *own,
                     int64_t *decision)
{
    bool can;
    PCDF_TRY(pcdf_publish_root_can(o, &can));
    if (!can)
        return NC_NOERR;
    const struct pcdf_member_config config = member_config_of(o->ds, words);
    PCDF_TRY(pcdf_member_begin(&config, pcdf_path_posix(o->ds->path), &own->member));
    o->new_path = pcdf_member_path(own->member);
    o->set = pcdf_member_set(own->member);
    *decision = true;
    return NC_NOERR;
}

/* For reading: ds->new_path is the member of the newest complete generation, where it is another file than
 * what has the name. Nothing where there is none. */
static int root_find(struct pcdf_dataset *ds, const char *name)
{
    struct pcdf_set set;
    struct stat by_name, by_member;
    char *member = NULL;
    const char *posix = pcdf_path_posix(ds->path);
    int err = pcdf_set_open(name, &set);
    if (!err) {
        err = pcdf_set_member_of(&set, posix, &member);
        pcdf_set_close(&set);
    }
    if (err == NC_ENOMEM || err == NC_EREAD || err == NC_EACCESS)
        /* The newest generation is not known: the user's name may be that of an older one. */
        return err;
    if (err)
        pcdf_debuglog("%s is opened as always: %s", ds->path, pcdf_fail_text());
    pcdf_fail_clear();
    bool is_same = member && !stat(posix, &by_name) && !stat(member, &by_member) &&
                   by_name.st_ino == by_member.st_ino && by_name.st_dev == by_member.st_dev;
    if (member)
        pcdf_debuglog("%s is opened as %s, of the newest complete generation of %s", ds->path, member, name);
    if (member && !is_same) {
        size_t prefix = (size_t)(posix - ds->path), size = prefix + strlen(member) + 1;
        ds->new_path = pcdf_malloc(size);
        if (ds->new_path)
            snprintf(ds->new_path, size, "%.*s%s", (int)prefix, ds->path, member);
        err = ds->new_path ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory to open %s", ds->path);
    }
    pcdf_free(member);
    return ds->new_path || !member || is_same ? NC_NOERR : err;
}

static int root_place(struct pcdf_opening *o, void *own, int64_t *decision)
{
    if (o->for_writing && !o->creates)
        return NC_NOERR;
    struct pcdf_setwords words;
    if (!is_wanted(o->ds, &words))
        return NC_NOERR;
    if (o->has_writer)
        return PCDF_FAIL(NC_ENOTSUPPORT, "%s: a netCDF-4 file cannot be a member of a set (hint pcdf_set)",
                         o->ds->path);
    if (o->creates)
        return root_join(o, &words, own, decision);
    PCDF_TRY(root_find(o->ds, words.set));
    *decision = o->ds->new_path != NULL;
    return NC_NOERR;
}

/* The set's manifest has the sum of the whole file; and what it names is on the storage. */
static bool agreed(struct pcdf_dataset *ds, void *own, int64_t decision)
{
    ((struct in_set *)own)->is_over = !decision;
    if (!decision)
        return false;
    ds->keeps_new_path = true;
    pcdf_dataset_close_commits(ds);
    if (ds->is_new)
        pcdf_checksum_ask(ds);
    return true;
}

/* The generation that it would be of never commits. */
static void refused(const struct pcdf_dataset *ds, const void *own)
{
    const struct in_set *in = own;
    struct pcdf_setwords words;
    if (!ds || !ds->path) { /* the hints were not read */
        pcdf_member_refuse(NULL);
    } else if (!(in && (in->member || in->is_over)) &&
               is_wanted(ds, &words)) { /* a member counts when it is freed */
        const struct pcdf_member_config config = member_config_of(ds, &words);
        pcdf_member_refuse(&config);
    }
}

/* ---- close */

/* From the sums of the blocks: nothing is read. */
static int sum_of_all(const struct pcdf_checksum *c, struct pcdf_setmember *m)
{
    if (!c || c->is_unknown || !c->table || c->head.file_size != m->size ||
        c->nblocks != pcdf_checksums_blocks(&c->head))
        return PCDF_FAIL(NC_EFILE, "the file's checksums are not of its %lld bytes", (long long)m->size);
    for (int64_t i = 0; i < c->nblocks; i++) {
        int64_t begin = i * c->head.block_size, end = pcdf_checksums_block_end(&c->head, i);
        m->crc = pcdf_crc32c_join(m->crc, c->table[i], (uint64_t)(end - begin));
    }
    return NC_NOERR;
}

static int root_end(struct pcdf_dataset *ds, struct in_set *own, int64_t *committed)
{
    const char *path = pcdf_path_posix(ds->new_path);
    struct pcdf_setmember m = { .records = ds->meta.numrecs,
                                .format = ds->meta.version == PCDF_CDF5   ? "CDF-5"
                                          : ds->meta.version == PCDF_CDF2 ? "CDF-2"
                                                                          : "CDF-1" };
    struct pcdf_sidecar_facts facts;
    PCDF_TRY(pcdf_newfile_root_prove(pcdf_publish_newfile(ds), ds->new_path));
    PCDF_TRY(pcdf_sidecar_inspect(path, &facts));
    m.size = facts.size;
    PCDF_TRY(sum_of_all(pcdf_checksum_of(ds), &m));
    PCDF_TRY(pcdf_sidecar_sync_folder(path));
    struct pcdf_member *member = own->member;
    own->member = NULL;
    return pcdf_member_end(member, &m, committed);
}

/* A file that is whole is noted, when its storage is closed; and if its generation is complete now, this is
 * committed. All ranks hear of a failure. A sync commits nothing. */
static int publish_all(struct pcdf_dataset *ds, void *own, enum pcdf_kind kind)
{
    struct in_set *in = own;
    struct set_vote vote = { .common = { .kind = kind } };
    int status = NC_NOERR;
    int64_t committed = 0;
    /* It is not the hint's, as parcdf_set_begin may have named it. */
    char set[PCDF_HINT_TEXT_MAX] = "";
    if (PCDF_SAME_IN(ds, ds->readonly || kind == PCDF_KIND_SYNC))
        return NC_NOERR;
    if (ds->ranks.rank == 0) {
        snprintf(set, sizeof set, "%s", in->member ? pcdf_member_set(in->member) : ds->hints.set);
        status = root_end(ds, in, &committed);
        if (committed)
            pcdf_debuglog("%s: generation %lld of %s is committed", ds->path, (long long)committed, set);
        if (status && committed) { /* the next begin does what is left */
            char why[400];
            snprintf(why, sizeof why, "%s", pcdf_fail_text());
            status = pcdf_fail(NC_NOERR, "warning: generation %lld of %s is committed, but %s",
                               (long long)committed, set, why);
        }
        vote.common.error = status;
        vote.committed = committed > 0;
    }
    pcdf_first_vote(ds, &status, pcdf_vote_form_all(ds, &form, &vote.common));
    if (!status && vote.common.error)
        status =
            PCDF_FAIL(vote.common.error,
                      "rank 0 could not make the file a part of its set, whose generation is not committed");
    return status;
}

static void in_force(const struct pcdf_dataset *ds, const void *own, struct pcdf_hints *hints)
{
    (void)ds;
    if (!own)
        snprintf(hints->set, sizeof hints->set, "none");
}

/* What was not ended failed. */
static void free_own(struct pcdf_dataset *ds, void *own)
{
    struct in_set *in = own;
    int64_t committed;
    (void)ds;
    if (in->member)
        (void)pcdf_member_end(in->member, NULL, &committed);
}

const struct pcdf_part_ops pcdf_part_sets = {
    .name = "sets",
    .own_size = sizeof(struct in_set),
    .is_classic_only = true,
    .root_place = root_place,
    .agreed = agreed,
    .refused = refused,
    .publish_all = publish_all,
    .in_force = in_force,
    .free = free_own,
};
