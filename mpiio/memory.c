/* Files in RAM, for tests, tools and one rank. They stand in a table of the process by path, so that what one
 * engine wrote the next finds. Kept in pages, and only pages that were written: an offset of 2^40 costs one
 * page. */

#include "engine.h"
#include "alloc.h"
#include "array.h"
#include <pthread.h>
#include <string.h>

enum { PAGE = 1 << 20 };

struct page {
    int64_t number;
    char *bytes; /* PAGE of them */
};

struct ram {
    struct ram *next;
    char *path;
    int64_t bytes;
    PCDF_ARRAY(struct page) pages; /* sorted by number */
    int opened;                    /* engines on it */
    bool removed;                  /* out of the table; freed at the last close */
};

struct memory {
    struct pcdf_engine engine;
    struct ram *ram;
    bool may_write;
};

static struct ram *table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the table and all that is in it */

static void free_ram(struct ram *r)
{
    for (size_t i = 0; i < r->pages.n; i++)
        pcdf_free(r->pages.x[i].bytes);
    pcdf_free(r->pages.x);
    pcdf_free(r->path);
    pcdf_free(r);
}

static struct ram *find_ram(const char *path)
{
    struct ram *r = table;

    while (r && strcmp(r->path, path))
        r = r->next;
    return r;
}

static struct ram *find_or_make(const char *path)
{
    struct ram *r = find_ram(path);

    if (r || !(r = pcdf_calloc(1, sizeof *r)))
        return r;
    r->path = pcdf_strndup(path, strlen(path));
    if (!r->path) {
        pcdf_free(r);
        return NULL;
    }
    r->next = table;
    table = r;
    return r;
}

/* Index of the first page with that number or a later one. */
static size_t lower_page(const struct ram *r, int64_t number)
{
    size_t low = 0, high = r->pages.n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (r->pages.x[mid].number < number)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* The page's bytes; made as zeros if `make`. NULL: not there, or no memory. */
static char *page_bytes(struct ram *r, int64_t number, bool make)
{
    size_t at = lower_page(r, number);
    char *bytes;

    if (at < r->pages.n && r->pages.x[at].number == number)
        return r->pages.x[at].bytes;
    if (!make || PCDF_RESERVE(&r->pages, r->pages.n + 1) || !(bytes = pcdf_calloc(1, PAGE)))
        return NULL;
    memmove(r->pages.x + at + 1, r->pages.x + at, (r->pages.n - at) * sizeof *r->pages.x);
    r->pages.x[at].number = number;
    r->pages.x[at].bytes = bytes;
    r->pages.n++;
    return bytes;
}

static int64_t step_of(int64_t offset, int64_t length)
{
    int64_t left = PAGE - offset % PAGE;
    return left < length ? left : length;
}

static int ram_put(struct ram *r, const char *data, int64_t length, int64_t offset)
{
    while (length > 0) {
        int64_t step = step_of(offset, length);
        char *bytes = page_bytes(r, offset / PAGE, true);
        if (!bytes)
            return NC_ENOMEM;
        memcpy(bytes + offset % PAGE, data, (size_t)step);
        data += step;
        offset += step;
        length -= step;
        if (offset > r->bytes)
            r->bytes = offset;
    }
    return NC_NOERR;
}

/* Bytes behind the end are zeros in their page too: see ram_resize. Returns how many were there. */
static int64_t ram_get(struct ram *r, char *data, int64_t length, int64_t offset)
{
    int64_t there = r->bytes - offset;

    there = there < 0 ? 0 : there < length ? there : length;
    while (length > 0) {
        int64_t step = step_of(offset, length);
        const char *bytes = page_bytes(r, offset / PAGE, false);
        if (bytes)
            memcpy(data, bytes + offset % PAGE, (size_t)step);
        else
            memset(data, 0, (size_t)step);
        data += step;
        offset += step;
        length -= step;
    }
    return there;
}

static void ram_resize(struct ram *r, int64_t bytes)
{
    size_t kept = lower_page(r, (bytes + PAGE - 1) / PAGE);
    char *last = bytes % PAGE ? page_bytes(r, bytes / PAGE, false) : NULL;

    for (size_t i = kept; i < r->pages.n; i++)
        pcdf_free(r->pages.x[i].bytes);
    r->pages.n = kept;
    if (last)
        memset(last + bytes % PAGE, 0, (size_t)(PAGE - bytes % PAGE));
    r->bytes = bytes;
}

/* --- the table, for tests and tools --- */

static int no_such(const char *path)
{
    return PCDF_FAIL(NC_ENOENT, "there is no file %s in memory", path);
}

int pcdf_memory_bytes(const char *path, int64_t *bytes)
{
    struct ram *r;

    pthread_mutex_lock(&lock);
    r = find_ram(path);
    if (r)
        *bytes = r->bytes;
    pthread_mutex_unlock(&lock);
    return r ? NC_NOERR : no_such(path);
}

int pcdf_memory_put(const char *path, const void *data, int64_t bytes)
{
    struct ram *r;
    int err = NC_ENOMEM;

    pthread_mutex_lock(&lock);
    r = find_or_make(path);
    if (r) {
        ram_resize(r, 0);
        err = ram_put(r, data, bytes, 0);
    }
    pthread_mutex_unlock(&lock);
    return err;
}

int pcdf_memory_get(const char *path, int64_t offset, void *data, int64_t bytes)
{
    struct ram *r;

    pthread_mutex_lock(&lock);
    r = find_ram(path);
    if (r)
        ram_get(r, data, bytes, offset);
    pthread_mutex_unlock(&lock);
    return r ? NC_NOERR : no_such(path);
}

int pcdf_memory_remove(const char *path)
{
    struct ram **link = &table, *r;

    pthread_mutex_lock(&lock);
    while (*link && strcmp((*link)->path, path))
        link = &(*link)->next;
    r = *link;
    if (r) {
        *link = r->next;
        r->removed = true;
        if (!r->opened)
            free_ram(r);
    }
    pthread_mutex_unlock(&lock);
    return r ? NC_NOERR : no_such(path);
}

/* --- the engine --- */

static int memory_close_all(struct pcdf_engine *e)
{
    struct ram *r = ((struct memory *)e)->ram;

    pthread_mutex_lock(&lock);
    if (--r->opened == 0 && r->removed)
        free_ram(r);
    pthread_mutex_unlock(&lock);
    pcdf_free(e);
    return NC_NOERR;
}

static int memory_size(struct pcdf_engine *e, int64_t *bytes)
{
    pthread_mutex_lock(&lock);
    *bytes = ((struct memory *)e)->ram->bytes;
    pthread_mutex_unlock(&lock);
    return NC_NOERR;
}

static int check_writable(const struct memory *m)
{
    return m->may_write ? NC_NOERR : PCDF_FAIL(NC_EPERM, "%s in memory is open for reading", m->ram->path);
}

static int memory_resize_all(struct pcdf_engine *e, int64_t bytes)
{
    struct memory *m = (struct memory *)e;

    e->counts->resize++;
    PCDF_TRY(check_writable(m));
    pthread_mutex_lock(&lock);
    ram_resize(m->ram, bytes);
    pthread_mutex_unlock(&lock);
    return NC_NOERR;
}

static int memory_sync_all(struct pcdf_engine *e)
{
    e->counts->sync++;
    return NC_NOERR;
}

static int move_pieces(struct ram *r, const struct pcdf_extents *x, int64_t *there)
{
    char *data = x->data;

    for (size_t i = 0; i < x->n; i++) {
        if (x->dir == PCDF_PUT)
            PCDF_TRY(ram_put(r, data, x->length[i], x->offset[i]));
        else
            *there += ram_get(r, data, x->length[i], x->offset[i]);
        data += x->length[i];
    }
    return NC_NOERR;
}

static int memory_move(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    struct memory *m = (struct memory *)e;
    int64_t there = 0;
    int err;

    if (x->dir == PCDF_PUT)
        PCDF_TRY(check_writable(m));
    pthread_mutex_lock(&lock);
    err = move_pieces(m->ram, x, &there);
    pthread_mutex_unlock(&lock);
    if (err)
        return err;
    *(x->dir == PCDF_PUT ? &e->counts->bytes_written : &e->counts->bytes_read) += x->nbytes;
    if (got)
        *got = there;
    return NC_NOERR;
}

static int memory_transfer(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    *(x->dir == PCDF_PUT ? &e->counts->write_at : &e->counts->read_at) += (int64_t)x->n;
    return memory_move(e, x, got);
}

static int memory_transfer_all(struct pcdf_engine *e, const struct pcdf_extents *x, int64_t *got)
{
    *(x->dir == PCDF_PUT ? &e->counts->write_view_all : &e->counts->read_view_all) += 1;
    return memory_move(e, x, got);
}

static int memory_info(struct pcdf_engine *e, MPI_Info *info)
{
    int err = MPI_Info_create(info);
    return err ? pcdf_error_from_mpi(err, NC_EMPI, "listing the hints of engine", e->ops->name) : NC_NOERR;
}

static const struct pcdf_engine_ops memory_ops = {
    .name = "memory",
    .close_all = memory_close_all,
    .size = memory_size,
    .resize_all = memory_resize_all,
    .sync_all = memory_sync_all,
    .flush = memory_sync_all,
    .transfer = memory_transfer,
    .transfer_all = memory_transfer_all,
    .info = memory_info,
};

int pcdf_memory_open_all(const struct pcdf_engine_config *config, struct pcdf_engine **e)
{
    struct memory *m;
    int ranks = 1, err = NC_NOERR;

    MPI_Comm_size(config->comm, &ranks);
    if (ranks != 1)
        return PCDF_FAIL(NC_ENOTSUPPORT, "a file in memory is for one process, not %d", ranks);
    if (!config->path || !*config->path)
        return PCDF_FAIL(NC_EBAD_FILE, "the file name is empty");
    m = pcdf_calloc(1, sizeof *m);
    if (!m)
        return NC_ENOMEM;
    config->counts->file_open++;
    pthread_mutex_lock(&lock);
    m->ram = config->mode == PCDF_MODE_CREATE ? find_or_make(config->path) : find_ram(config->path);
    if (m->ram)
        m->ram->opened++;
    pthread_mutex_unlock(&lock);
    if (!m->ram) {
        err = config->mode == PCDF_MODE_CREATE ? NC_ENOMEM : no_such(config->path);
        pcdf_free(m);
        return err;
    }
    m->engine.ops = &memory_ops;
    m->engine.counts = config->counts;
    m->may_write = config->mode != PCDF_MODE_READ;
    *e = &m->engine;
    return NC_NOERR;
}
