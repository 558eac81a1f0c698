/* See sharedfile.h. */

#include "sharedfile.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "alloc.h"
#include "checksumblocks.h"
#include "filesystem.h"
#include "mpistorage.h"
#include "object.h"
#include "posixio.h"
#include "provesame.h"
#include "rangestorage.h"
#include "solewriter.h"
#include "status.h"
#include "tracestorage.h"
#include "virtualstorage.h"
#include "writequeue.h"

static const struct kind {
    const char *name;
    const struct pcdf_storage_ops *ops;
    /* It becomes the first kind where the file is not of one machine. */
    bool may_change;
} kinds[] = {
    { "mpiio", &pcdf_mpistorage, false },                                             /* the default */
    { "posix", &pcdf_posixstorage, false },  { "serial", &pcdf_posixstorage, false }, /* its older name */
    { "auto", &pcdf_posixstorage, true },    { "memory", &pcdf_memorystorage, false },
    { "null", &pcdf_nullstorage, false },    { "virtual", &pcdf_virtualstorage, false },
    { "ranges", &pcdf_rangestorage, false }, /* these two not by a hint */
};

/* NULL: there is none of that name. */
static const struct kind *find_kind(const char *name)
{
    for (size_t i = 0; name && *name && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, name))
            return &kinds[i];
    return name && *name ? NULL : kinds;
}

const struct pcdf_storage_ops *pcdf_storage_kind(const char *name)
{
    static const struct pcdf_storage_ops unknown;
    const struct kind *kind = find_kind(name);
    return kind ? kind->ops : &unknown;
}

bool pcdf_storage_shows(const char *name)
{
    const struct kind *kind = find_kind(name);
    return kind && (kind->ops == &pcdf_virtualstorage || kind->ops == &pcdf_rangestorage);
}

bool pcdf_storage_makes_stripes(const char *name, MPI_Info info)
{
    const struct kind *kind = find_kind(name);
    return kind && kind->ops->on_disk && pcdf_mpistorage_asks_for_stripes(info);
}

/* ---- opening */

/* A file with stripes, for a storage that cannot make one: MPI-IO knows how. */
static int root_make_striped(const struct pcdf_sharedfile_config *config)
{
    struct pcdf_ranks alone;
    struct pcdf_storage *s = NULL;
    PCDF_TRY(pcdf_ranks_root_alone(config->comm, config->file.path, &alone));
    alone.counts = config->file.counts;
    int err = pcdf_mpistorage_open_all(&config->file, &alone, config->info, &s);
    if (!err)
        err = pcdf_storage_close(s);
    pcdf_ranks_root_free(&alone);
    return err;
}

static int open_bottom_all(const struct pcdf_sharedfile_config *config, const struct kind *kind,
                           const struct pcdf_ranks *ranks, struct pcdf_storage **s)
{
    struct pcdf_storage_config file = config->file;
    int status = NC_NOERR;

    file.is_changed = ranks->rank == 0; /* rank 0 made or mended it before open */
    if (!kind)                          /* the same on all ranks, as what follows: the name is rank 0's */
        return PCDF_FAIL(NC_EDRIVER, "there is no engine named \"%s\"", config->engine);
    if (kind->ops->is_single && ranks->size > 1)
        return PCDF_FAIL(NC_ENOTSUPPORT, "a file of the engine %s is for one process, not %d", kind->name,
                         ranks->size);
    if (PCDF_SAME(ranks, kind->ops->is_collective))
        return pcdf_mpistorage_open_all(&file, ranks, config->info, s);
    if (PCDF_SAME(ranks, !file.is_maker))
        return kind->ops->open(&file, s);

    /* Rank 0 alone makes the file, and the others open what it made: one that lives on a machine where that
     * is not to be seen must not make a file of its own there. */
    if (ranks->rank == 0 && kind->ops->on_disk && !pcdf_filesystem_at(file.path)->is_local) {
        status = root_make_striped(config);
        file.is_maker = false;
    }
    if (ranks->rank == 0 && !status)
        status = kind->ops->open(&file, s);
    int root = status;
    pcdf_first(&status, pcdf_ranks_bcast_all(ranks, &root, sizeof root));
    file.is_maker = false;
    if (ranks->rank && !status)
        status = root ? PCDF_FAIL(root, "rank 0 could not create %s", file.path) : kind->ops->open(&file, s);
    return status;
}

/* Puts may be written by another thread: on a storage of this library's own, and where a descriptor leads to
 * what MPI-IO has open. Not on file systems whose nodes keep what they read or wrote: there MPI-IO has locks.
 */
static bool may_queue(const struct pcdf_sharedfile_config *config, const struct pcdf_storage *bottom)
{
    const struct pcdf_filesystem *fs = pcdf_filesystem_at(pcdf_path_posix(config->file.path));
    if (config->async <= 0 || config->file.mode == PCDF_STORAGE_READ)
        return false;
    return !bottom->ops->on_disk || ((fs->is_local || fs->is_coherent) && pcdf_mpistorage_may_queue(bottom));
}

/* A rank that has no memory for a queue writes at once. */
static void stack_queue(const struct pcdf_sharedfile_config *config, struct pcdf_storage **top)
{
    const struct pcdf_writequeue_config queue = { config->async, config->async_rate, config->log };
    if (may_queue(config, pcdf_storage_bottom(*top)))
        (void)pcdf_writequeue_stack(&queue, top);
}

/* The log sits on top, so that it shows the failures that tests order; checksums see what the bottom gets. */
static int stack_layers(const struct pcdf_sharedfile_config *config, int rank, struct pcdf_storage **top)
{
    const struct pcdf_storage_layer *layer = pcdf_storage_layers;
    struct pcdf_tracefile *log = config->log;
    char value[MPI_MAX_INFO_VAL + 1];
    int found;

    if (config->sums)
        PCDF_TRY(pcdf_checksumstorage_stack(config->sums, top));
    for (; config->info != MPI_INFO_NULL && layer && layer->hint; layer++)
        if (!MPI_Info_get(config->info, layer->hint, MPI_MAX_INFO_VAL, value, &found) && found)
            PCDF_TRY(layer->stack(value, rank, top));
    if (config->stack)
        PCDF_TRY(config->stack(config->stack_context, top));
    stack_queue(config, top);
    if (config->stack_above)
        PCDF_TRY(config->stack_above(config->stack_context, top));
    if (!config->trace || !*config->trace || (!log && !strcmp(config->trace, "-")))
        return NC_NOERR;
    if (!log && !(log = pcdf_tracefile_make(config->trace, rank)))
        return NC_ENOMEM;
    int err = pcdf_tracestorage_stack(log, !config->log, top);
    if (err && !config->log)
        pcdf_tracefile_free(log);
    return err;
}

static int64_t number_in(MPI_Info info, const char *key)
{
    char value[32] = "";
    int found = 0;

    if (info != MPI_INFO_NULL)
        MPI_Info_get(info, key, (int)sizeof value - 1, value, &found);
    return found ? strtoll(value, NULL, 10) : 0;
}

/* How the file is striped: as the file system tells; what it does not tell, as the hints say. */
static struct pcdf_stripes stripes_of(const struct pcdf_sharedfile_config *config, bool on_disk)
{
    int64_t unit = number_in(config->info, "striping_unit"),
            count = number_in(config->info, "striping_factor");
    struct pcdf_stripes s = { 0 };

    if (on_disk)
        pcdf_stripes_look(pcdf_path_posix(config->file.path), &s);
    if (s.n == 0 && unit > 0) {
        s.piece[0] = (struct pcdf_stripe_piece){ INT64_MAX, unit, 0 };
        s.n = 1;
    }
    for (int64_t i = 0; i < s.n; i++)
        if (s.piece[i].count == 0 && count > 0)
            s.piece[i].count = count;
    return s;
}

static void prepare_strategies(const struct pcdf_sharedfile_config *config, struct pcdf_sharedfile *f)
{
    int64_t total = number_in(config->info, "cb_nodes");

    f->kind = pcdf_storage_bottom(f->storage)->ops;
    f->is_traced = config->trace && *config->trace;
    f->twophase.proposal = config->proposal;
    if (total > 0)
        f->twophase.proposal.total = total;
}

enum {
    CODE,
    LACKS_IT,
    IS_ELSEWHERE,
    IS_INCOHERENT,
    CALL_BYTES,
    QUEUES,
    CLOCK,
    OBJECT,
    STRIPES = OBJECT + PCDF_OBJECT_NUMBERS, /* rank 0's hold: only it asks the servers */
    FIELDS = STRIPES + sizeof(struct pcdf_stripes) / sizeof(int64_t)
};

/* What this rank says of its open, for the largest of all ranks. top, bottom NULL: it has none. */
static void describe(const struct pcdf_sharedfile_config *config, const struct kind *kind,
                     const struct pcdf_ranks *ranks, const struct pcdf_storage *top,
                     const struct pcdf_storage *bottom, int status, int64_t *numbers,
                     struct pcdf_object *object)
{
    const char *path = config->file.path;
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    for (int i = 0; i < FIELDS; i++)
        numbers[i] = INT64_MIN;
    numbers[CODE] = -(int64_t)status;
    numbers[QUEUES] = top && pcdf_writequeue_is_on(top);
    numbers[LACKS_IT] = !bottom; /* this rank cannot take part in a close */
    if (bottom && kind->ops->on_disk) {
        const struct pcdf_filesystem *fs = pcdf_filesystem_at(path);
        numbers[IS_ELSEWHERE] = kind->may_change && !fs->is_local;
        numbers[IS_INCOHERENT] = !fs->is_local && !fs->is_coherent;
        numbers[CALL_BYTES] = pcdf_filesystem_call_bytes(fs);
    }
    numbers[CLOCK] = config->trace && *config->trace ? (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000 : 0;
    if (ranks->size > 1 && status == NC_NOERR && kind->ops->on_disk) { /* else there is nothing to compare */
        pcdf_object_look(path, bottom->fd, object);
        memcpy(numbers + OBJECT, object->numbers, sizeof object->numbers);
    }
    if (ranks->rank == 0 && bottom) {
        const struct pcdf_stripes stripes = stripes_of(config, kind->ops->on_disk);
        memcpy(numbers + STRIPES, &stripes, sizeof stripes);
    }
}

/* Tells other processes that this one writes the file, where that is known to help. Where the storage has no
 * descriptor for it (MPI-IO), of one that is opened here. */
static void join_writers(const struct pcdf_sharedfile_config *config, const struct pcdf_storage *bottom,
                         struct pcdf_sharedfile *f)
{
    const char *path = pcdf_path_posix(config->file.path);
    int fd = bottom->fd;
    if (!bottom->ops->on_disk || config->file.mode == PCDF_STORAGE_READ ||
        !(fd >= 0 ? pcdf_filesystem_of(fd) : pcdf_filesystem_at(path))->is_local)
        return;
    if (!pcdf_solewriter_can(fd))
        fd = f->lock_fd = pcdf_posix_open(path, O_RDWR | O_NONBLOCK | O_NOCTTY);
    f->sieve.fd = fd;
    f->sieve.asks = pcdf_solewriter_can(fd) && pcdf_solewriter_join(fd);
}

/* May a put write back what lies between its pieces? The same on all ranks: of several, rank 0's word counts,
 * and all are inside the call. */
static bool may_sieve(const struct pcdf_sharedfile_config *config, const struct pcdf_sharedfile *f,
                      const struct pcdf_storage *bottom, bool is_incoherent)
{
    if (config->sieve != PCDF_SIEVE_AUTO)
        return config->sieve == PCDF_SIEVE_ON;
    return !is_incoherent && (f->ranks.size > 1 || f->sieve.asks || !bottom->ops->on_disk);
}

/* One kind of storage, on all ranks or on none. *elsewhere: "auto" wants another; the same on all ranks. */
static int open_kind_all(const struct pcdf_sharedfile_config *config, const struct kind *kind,
                         struct pcdf_sharedfile *f, const struct pcdf_ranks *ranks, bool *elsewhere)
{
    int64_t all[FIELDS];
    struct pcdf_object object = { .is_known = false };
    struct pcdf_storage *top = NULL;
    int status = f ? NC_NOERR : NC_ENOMEM;

    pcdf_first(&status, open_bottom_all(config, kind, ranks, &top));
    const struct pcdf_storage *bottom = top; /* before layers lie on it */
    if (status == NC_NOERR)
        status = stack_layers(config, ranks->rank, &top);
    int64_t stamp = pcdf_object_stamp_all(config, ranks);
    describe(config, kind, ranks, top, bottom, status, all, &object);
    int err = pcdf_ranks_reduce_all(ranks, MPI_MAX, all, FIELDS);
    if (err) {
        pcdf_first(&status, err);
        all[CODE] = -(int64_t)status;
        all[LACKS_IT] = 1;
    }
    bool is_good = all[CODE] == 0; /* the same on all ranks, as what follows */
    bool differs = is_good && pcdf_object_differs(config, stamp, all + OBJECT);
    *elsewhere = !err && !differs && all[IS_ELSEWHERE] > 0;
    if (differs)
        status = pcdf_object_report_all(ranks, &object);
    if (is_good && !differs && !*elsewhere) {
        f->storage = top;
        f->queues = all[QUEUES] > 0;
        /* A client of NFS and its like keeps bytes for which the server may have no room. */
        f->tells_late = all[IS_INCOHERENT] > 0;
        memcpy(&f->stripes, all + STRIPES, sizeof f->stripes);
        prepare_strategies(config, f);
        join_writers(config, bottom, f);
        f->sieve.asks &= ranks->size == 1 && !f->queues && config->sieve == PCDF_SIEVE_AUTO;
        f->sieve.call = all[CALL_BYTES] > 0 ? all[CALL_BYTES] : 0; /* no file: nothing */
        f->sieve.puts = may_sieve(config, f, bottom, all[IS_INCOHERENT] > 0);
        f->sieve.always = config->sieve == PCDF_SIEVE_ON;
        f->sieve.within =
            config->sums && config->file.mode == PCDF_STORAGE_READ ? config->sums->block_size : 0;
        pcdf_tracestorage_open(top, all[CLOCK], ranks->rank, ranks->size,
                               config->file.later_path ? config->file.later_path : config->file.path);
        return NC_NOERR;
    }
    if (top) {
        top->is_poisoned = all[LACKS_IT] != 0;
        pcdf_storage_close(top); /* its result would hide why we close */
    }
    if (status == NC_NOERR && all[CODE])
        status = PCDF_FAIL((int)-all[CODE], "another rank could not open %s", config->file.path);
    return status;
}

int pcdf_sharedfile_open_all(const struct pcdf_sharedfile_config *config, struct pcdf_sharedfile **f)
{
    const struct pcdf_ranks ranks = pcdf_ranks_of(config->comm, config->file.counts, config->file.path);
    struct pcdf_sharedfile *made = pcdf_calloc(1, sizeof *made);
    bool elsewhere = false;

    if (made)
        *made = (struct pcdf_sharedfile){ .ranks = ranks,
                                          .lock_fd = -1,
                                          .view_threshold = config->view_threshold };
    int status = open_kind_all(config, find_kind(config->engine), made, &ranks, &elsewhere);
    if (PCDF_SAME(&ranks, elsewhere))
        status = open_kind_all(config, kinds, made, &ranks, &elsewhere);
    *f = status ? NULL : made;
    if (status)
        pcdf_free(made);
    return status;
}

/* ---- the file as a whole */

int pcdf_sharedfile_close_all(struct pcdf_sharedfile *f)
{
    pcdf_twophase_end(&f->twophase);
    f->storage->is_poisoned = f->is_poisoned;
    int err = pcdf_storage_close(f->storage);
    if (f->lock_fd >= 0)
        close(f->lock_fd);
    pcdf_free(f);
    return err;
}

/* Where the ranks share one file, and the storage does not know of ranks, rank 0 sets the size; the others
 * wait, so that none writes behind the new end before it is set. */
int pcdf_sharedfile_resize_all(struct pcdf_sharedfile *f, int64_t bytes)
{
    int status = NC_NOERR, root;

    if (PCDF_SAME(&f->ranks, f->kind->is_collective || !f->kind->is_shared))
        return pcdf_storage_resize(f->storage, bytes);
    if (f->ranks.rank == 0)
        status = pcdf_storage_resize(f->storage, bytes);
    root = status;
    pcdf_first(&status, pcdf_ranks_bcast_all(&f->ranks, &root, sizeof root));
    if (root && !status)
        status = PCDF_FAIL(root, "rank 0 could not resize %s to %lld bytes", f->ranks.path, (long long)bytes);
    if (f->ranks.rank && !status)
        pcdf_storage_was_resized(f->storage, bytes); /* as rank 0's storage noted */
    return status;
}

void pcdf_sharedfile_rename(struct pcdf_sharedfile *f)
{
    struct pcdf_storage *bottom = pcdf_storage_bottom(f->storage);
    if (bottom->later_path) {
        pcdf_free(bottom->path);
        bottom->path = bottom->later_path;
        bottom->later_path = NULL;
    }
    f->ranks.path = bottom->path;
}

static void set_hint(void *info, const char *name, const char *value)
{
    (void)MPI_Info_set(*(MPI_Info *)info, name, value);
}

int pcdf_sharedfile_info(struct pcdf_sharedfile *f, MPI_Info *info)
{
    int err = MPI_Info_create(info);
    struct pcdf_stripes stripes = { 0 };
    char text[24];

    if (err)
        return pcdf_error_from_mpi(err, NC_EMPI, "listing the hints of", f->ranks.path);
    if (f->kind->info)
        err = f->kind->info(pcdf_storage_bottom(f->storage), set_hint, info);
    if (!err && f->kind->on_disk)
        pcdf_stripes_look(pcdf_path_posix(f->ranks.path), &stripes);
    const struct pcdf_stripe_piece last = pcdf_stripes_at(&stripes, INT64_MAX, INT64_MAX);
    if (err) {
        MPI_Info_free(info);
    } else if (last.count > 0) {
        snprintf(text, sizeof text, "%lld", (long long)last.bytes);
        set_hint(info, "striping_unit", text);
        snprintf(text, sizeof text, "%lld", (long long)last.count);
        set_hint(info, "striping_factor", text);
    }
    return err;
}
