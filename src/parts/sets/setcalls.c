/* See setcalls.h. Ranks of any
 * communicator that has nothing to do with those of the files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "file.h"
#include "generation.h"
#include "parcdf.h"
#include "part.h"
#include "setcalls.h"
#include "setwords.h"

static int config_of(const struct pcdf_setwords *words, const char *set, const char *step,
                     struct pcdf_member_config *config)
{
    if (!set || !strchr(set, '/') || !*(strrchr(set, '/') + 1))
        return PCDF_FAIL(NC_EINVAL, "\"%s\" is no name of a set: it is DIR/NAME", set ? set : "");
    *config = (struct pcdf_member_config){
        .set = set, .step = step ? step : "", .job = words->job, .keep = words->keep
    };
    return NC_NOERR;
}

/* Rank 0's ticket on all, and are they all of one mind? */
static int share_ticket_all(const struct pcdf_ranks *ranks, struct pcdf_generation_ticket *t)
{
    struct pcdf_generation_ticket mine = *t;
    int status = pcdf_ranks_bcast_all(ranks, t, sizeof *t);
    if (!status && (strcmp(mine.given, t->given) != 0 || strcmp(mine.step, t->step) != 0))
        status = PCDF_FAIL(NC_EMULTIDEFINE_FNC_ARGS, "set %s and step \"%s\" here, %s and \"%s\" on rank 0",
                           mine.given, mine.step, t->given, t->step);
    return pcdf_ranks_agree_all(ranks, status, "begin a generation");
}

int pcdf_set_begin_all(MPI_Comm comm, const char *set, const char *step, MPI_Info info)
{
    struct pcdf_ranks ranks;
    struct pcdf_lease lease;
    struct pcdf_hints hints;
    struct pcdf_setwords words;
    struct pcdf_member_config config;
    struct pcdf_generation_ticket ticket;
    PCDF_TRY(pcdf_comm_of_all(comm, info, set ? set : "a set", &ranks, &lease));
    int status = pcdf_hints_read(&hints, info, ranks.rank == 0);
    if (!status && pcdf_generation_is_open())
        status = PCDF_FAIL(NC_EINVAL, "a generation is begun already: commit or abort it");
    if (!status) {
        pcdf_setwords_read(&hints, &words);
        status = config_of(&words, set, step, &config);
    }
    if (!status)
        status = pcdf_generation_ticket(&config, ranks.rank == 0, &ticket);
    pcdf_hints_free(&hints);
    PCDF_TRY(pcdf_first_agree_all(&ranks, &lease, PCDF_KIND_SET_BEGIN, status)); /* on all ranks, as below */
    PCDF_TRY(share_ticket_all(&ranks, &ticket));
    status = pcdf_generation_enter(&ticket, ranks.rank == 0);
    status = pcdf_ranks_agree_all(&ranks, status, "begin a generation");
    if (status)
        pcdf_generation_leave();
    return status;
}

static int check_begun(void)
{
    return pcdf_generation_is_open()
               ? NC_NOERR
               : PCDF_FAIL(NC_EINVAL, "no generation is begun: parcdf_set_begin does it");
}

int pcdf_set_commit_all(MPI_Comm comm)
{
    struct pcdf_ranks ranks;
    struct pcdf_lease lease;
    int64_t sums[3], committed = 0;
    PCDF_TRY(pcdf_comm_of_all(comm, MPI_INFO_NULL, "a set", &ranks, &lease));
    PCDF_TRY(pcdf_first_agree_all(&ranks, &lease, PCDF_KIND_SET_COMMIT, check_begun())); /* on all ranks */
    int status = pcdf_parts_wait_all(NULL);
    struct pcdf_generation_counts mine = pcdf_generation_counts();
    memcpy(sums, (int64_t[]){ mine.open, mine.whole, mine.failed }, sizeof sums);
    pcdf_first(&status, pcdf_ranks_reduce_all(&ranks, MPI_SUM, sums, 3));
    status = pcdf_ranks_agree_all(&ranks, status, "close its files"); /* the same on all ranks, as the sums */
    if (!status && sums[0] > 0)
        return PCDF_FAIL(NC_EINVAL, "%lld files of the generation are still open", (long long)sums[0]);
    if (!status && sums[2] > 0)
        status =
            PCDF_FAIL(NC_EWRITE, "%lld files of the generation failed, it is given up", (long long)sums[2]);
    if (!status && sums[1] == 0)
        status = PCDF_FAIL(NC_EINVAL, "no file of the generation was created, it is given up");
    if (!status && ranks.rank == 0)
        status = pcdf_generation_root_commit(sums[1], &committed);
    char why[400];
    snprintf(why, sizeof why, "%s", pcdf_fail_text());
    if (status && !committed && ranks.rank == 0) { /* its files need room */
        (void)pcdf_generation_root_discard();
        (void)pcdf_fail(status, "%s", why);
    }
    if (status && committed > 0) { /* the next begin does what is left */
        status =
            pcdf_fail(NC_NOERR, "warning: generation %lld is committed, but %s", (long long)committed, why);
    }
    pcdf_generation_leave();
    return pcdf_ranks_agree_all(&ranks, status, "commit the generation");
}

int pcdf_set_abort_all(MPI_Comm comm)
{
    struct pcdf_ranks ranks;
    struct pcdf_lease lease;
    PCDF_TRY(pcdf_comm_of_all(comm, MPI_INFO_NULL, "a set", &ranks, &lease));
    PCDF_TRY(pcdf_first_agree_all(&ranks, &lease, PCDF_KIND_SET_ABORT, check_begun())); /* on all ranks */
    int64_t open = pcdf_generation_counts().open;
    int status = pcdf_ranks_reduce_all(&ranks, MPI_SUM, &open, 1);
    /* Otherwise the last of the open files takes it along, or the next begin. */
    if (!status && open == 0 && ranks.rank == 0)
        status = pcdf_generation_root_discard();
    pcdf_generation_leave();
    return pcdf_ranks_agree_all(&ranks, status, "give the generation up");
}

/* ---- parcdf_restart_find */

struct text {
    char *at;
    size_t used, room;
};

static int add(struct text *t, const char *a, const char *b, const char *c)
{
    size_t need = strlen(a) + strlen(b) + strlen(c) + 8;
    if (t->room - t->used < need) {
        char *more = realloc(t->at, (t->used + need) * 2);
        if (!more)
            return PCDF_FAIL(NC_ENOMEM, "no memory for the names of %s", b);
        t->at = more;
        t->room = (t->used + need) * 2;
    }
    t->used += (size_t)sprintf(t->at + t->used, "%s\t%s%s%s\n", a, b, *c ? "\t" : "", c);
    return NC_NOERR;
}

/* Each rank reads some of its files. NC_EFILE on any rank: it is not whole. */
static int check_share(const struct pcdf_set *set, const struct pcdf_setmanifest *m,
                       const struct pcdf_ranks *r, bool reads)
{
    int status = r->rank == 0 ? pcdf_set_is_whole(set, m) : NC_NOERR;
    for (size_t i = (size_t)r->rank; reads && !status && i < m->nfiles; i += (size_t)r->size) {
        char *path = NULL;
        uint32_t crc = 0;
        status = pcdf_set_where(set, m, i, &path);
        if (!status)
            status = pcdf_set_sum(path, 0, m->files[i].size, &crc);
        if (!status && crc != m->files[i].crc)
            status = PCDF_FAIL(NC_EFILE, "%s is not the file that was committed: its checksum differs", path);
        pcdf_free(path);
    }
    return status;
}

static int list_files(const struct pcdf_set *set, const struct pcdf_setmanifest *m, struct text *t)
{
    int err = add(t, "step", m->step, "");
    for (size_t i = 0; i < m->nfiles && !err; i++) {
        char *path = NULL;
        err = pcdf_set_where(set, m, i, &path);
        if (!err)
            err = add(t, "file", m->files[i].file, path);
        pcdf_free(path);
    }
    return err;
}

/* Is it not complete? Else nobody can tell now, and an older one is no answer. */
static bool is_verdict(int err)
{
    return err == NC_ENOENT || err == NC_EFILE || err == NC_EREAD;
}

/* The worst of all ranks in *err, 0: all is well. Returns why it cannot be told, the same on all ranks. */
static int agree_all(const struct pcdf_ranks *r, int *err)
{
    int64_t told[2] = { *err, is_verdict(*err) ? NC_NOERR : *err };
    PCDF_TRY(pcdf_ranks_reduce_all(r, MPI_MIN, told, 2));
    if (told[1] && *err != told[1])
        (void)PCDF_FAIL((int)told[1], "another rank could not look at a generation");
    *err = (int)told[0];
    return (int)told[1];
}

/* Of rank 0's list, from the newest on. */
static int find_all(const struct pcdf_set *set, const struct pcdf_setlist *list, const struct pcdf_ranks *r,
                    int flags, int64_t *found, struct text *t)
{
    int64_t n = (int64_t)list->n;
    int status = pcdf_ranks_bcast_all(r, &n, sizeof n);
    for (int64_t i = n; i-- > 0 && !status;) { /* the same on all ranks */
        struct pcdf_setmanifest m = { .number = 0 };
        int64_t number = r->rank == 0 ? list->numbers[i] : 0;
        status = pcdf_ranks_bcast_all(r, &number, sizeof number);
        int err = status ? status : pcdf_set_read(set, number, false, &m);
        if (!err)
            err = check_share(set, &m, r, flags & PARCDF_RESTART_VERIFY);
        pcdf_first(&status, agree_all(r, &err));
        if (!status && !err) { /* the same on all ranks */
            t->used = 0;
            err = r->rank == 0 ? list_files(set, &m, t) : NC_NOERR;
            pcdf_first(&status, agree_all(r, &err));
        }
        pcdf_setmanifest_free(&m);
        if (!status && !err) {
            *found = number;
            return NC_NOERR;
        }
    }
    return status;
}

int pcdf_restart_find_all(MPI_Comm comm, const char *path, int flags, long long *generation, char *report,
                          size_t size)
{
    struct pcdf_ranks ranks;
    struct pcdf_lease lease;
    struct pcdf_set set = { .fs = NULL };
    struct pcdf_setlist list = { .n = 0 };
    struct text text = { NULL, 0, 0 };
    int64_t found = 0, length;
    PCDF_TRY(pcdf_comm_of_all(comm, MPI_INFO_NULL, path ? path : "a set", &ranks, &lease));
    int status = path ? pcdf_set_open(path, &set) : PCDF_FAIL(NC_EINVAL, "the name of the set is NULL");
    bool is_open = !status;
    if (!status && ranks.rank == 0)
        status = pcdf_set_list(&set, &list);
    status = pcdf_first_agree_all(&ranks, &lease, PCDF_KIND_RESTART_FIND, status);
    if (!status) /* the same on all ranks */
        status = find_all(&set, &list, &ranks, flags, &found, &text);
    length = (int64_t)text.used;
    if (!status && found) { /* the same on all ranks */
        status = pcdf_ranks_bcast_all(&ranks, &length, sizeof length);
        char *all = calloc(1, (size_t)length + 1);
        if (all && text.at)
            memcpy(all, text.at, text.used);
        status = pcdf_ranks_agree_all(&ranks, all ? NC_NOERR : NC_ENOMEM, "find a restart");
        if (!status)
            status = pcdf_ranks_bcast_all(&ranks, all, length);
        if (!status && report && size)
            snprintf(report, size, "%s", all);
        free(all);
    } else if (!status) {
        status = PCDF_FAIL(NC_ENOENT, "%s has no complete generation", path);
    }
    if (generation)
        *generation = found;
    free(text.at);
    pcdf_setlist_free(&list);
    if (is_open)
        pcdf_set_close(&set);
    return status;
}
