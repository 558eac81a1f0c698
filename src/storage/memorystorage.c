/* Files in RAM, for tests, tools and one rank. They stand in a table of the process by path, so that what one
 * storage wrote the next finds. Kept in pages, and only pages that were written: an offset of 2^40 costs one
 * page. */

#include "storage.h"
#include "alloc.h"
#include "array.h"
#include "status.h"
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
    size_t recent;                 /* index of the page that was found last */
    /* Storages that have it open, and the table. The last one frees it. */
    int users;
};

struct memory {
    struct pcdf_storage storage;
    struct ram *ram;
    bool may_write;
};

static struct ram *table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the table and what is in it */

static void leave_ram(struct ram *r)
{
    if (--r->users > 0)
        return;
    for (size_t i = 0; i < r->pages.n; i++)
        pcdf_free(r->pages.x[i].bytes);
    pcdf_free(r->pages.x);
    pcdf_free(r->path);
    pcdf_free(r);
}

/* NULL: there is none, or no memory to make it. */
static struct ram *find_ram(const char *path, bool makes)
{
    struct ram *r = table;

    while (r && strcmp(r->path, path))
        r = r->next;
    if (r || !makes || !(r = pcdf_calloc(1, sizeof *r)))
        return r;
    r->path = pcdf_strndup(path, strlen(path));
    if (!r->path) {
        pcdf_free(r);
        return NULL;
    }
    r->users = 1;
    r->next = table;
    table = r;
    return r;
}

/* The page's bytes; made as zeros if `make`. NULL: not there, or no memory. */
static char *page_bytes(struct ram *r, int64_t number, bool make)
{
    char *bytes;
    size_t at = r->recent;

    if (at >= r->pages.n || r->pages.x[at].number != number) {
        size_t end = r->pages.n;
        for (at = 0; at < end;) { /* to the first with that number or later */
            size_t middle = at + (end - at) / 2;
            if (r->pages.x[middle].number < number)
                at = middle + 1;
            else
                end = middle;
        }
        r->recent = at;
    }
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

static void ram_resize(struct ram *r, int64_t bytes)
{
    char *last = bytes % PAGE ? page_bytes(r, bytes / PAGE, false) : NULL;

    while (r->pages.n && r->pages.x[r->pages.n - 1].number >= (bytes + PAGE - 1) / PAGE)
        pcdf_free(r->pages.x[--r->pages.n].bytes);
    if (last)
        memset(last + bytes % PAGE, 0, (size_t)(PAGE - bytes % PAGE));
    r->bytes = bytes;
}

/* Bytes behind the end are zeros in their page, too: see ram_resize. */
static int memory_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    struct memory *m = (struct memory *)s;
    const bool puts = x->dir == PCDF_PUT;
    struct ram *r = m->ram;
    int err = NC_NOERR;

    if (puts && !m->may_write)
        return PCDF_FAIL(NC_EPERM, "%s in memory is open for reading", r->path);
    *(puts ? &s->counts->write_at : &s->counts->read_at) += (int64_t)x->n;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < x->n && !err; i++) {
        const struct pcdf_piece *p = &x->pieces[i];
        int64_t done = 0, there = r->bytes - p->offset;
        if (!puts && there > 0)
            *got += there < p->length ? there : p->length;
        while (done < p->length) {
            uint64_t at = (uint64_t)(p->offset + done), inside = at % PAGE;
            char *bytes = page_bytes(r, (int64_t)(at / PAGE), puts);
            int64_t left = p->length - done, step = (int64_t)(PAGE - inside);
            step = step < left ? step : left;
            if (!bytes && puts) {
                err = NC_ENOMEM;
                break;
            }
            if (puts)
                memcpy(bytes + inside, p->data + done, (size_t)step);
            else if (bytes)
                memcpy(p->data + done, bytes + inside, (size_t)step);
            else
                memset(p->data + done, 0, (size_t)step);
            done += step;
        }
        if (puts && done > there && done > 0) /* as much as was accepted */
            r->bytes = p->offset + done;
    }
    pthread_mutex_unlock(&lock);
    return err;
}

static int memory_size(struct pcdf_storage *s, int64_t *bytes)
{
    pthread_mutex_lock(&lock);
    *bytes = ((struct memory *)s)->ram->bytes;
    pthread_mutex_unlock(&lock);
    return NC_NOERR;
}

static int memory_resize(struct pcdf_storage *s, int64_t bytes)
{
    struct memory *m = (struct memory *)s;

    if (!m->may_write)
        return PCDF_FAIL(NC_EPERM, "%s in memory is open for reading", m->ram->path);
    pthread_mutex_lock(&lock);
    ram_resize(m->ram, bytes);
    pthread_mutex_unlock(&lock);
    return NC_NOERR;
}

static int memory_close(struct pcdf_storage *s)
{
    pthread_mutex_lock(&lock);
    leave_ram(((struct memory *)s)->ram);
    pthread_mutex_unlock(&lock);
    return NC_NOERR;
}

/* The name is free, or its bytes go. */
static int memory_make(const char *path, bool noclobber)
{
    int err = NC_NOERR;

    pthread_mutex_lock(&lock);
    struct ram *r = find_ram(path, false);
    if (r && noclobber)
        err = PCDF_FAIL(NC_EEXIST, "the memory file %s exists", path);
    else if (!r && !(r = find_ram(path, true)))
        err = NC_ENOMEM;
    else
        ram_resize(r, 0);
    pthread_mutex_unlock(&lock);
    return err;
}

/* Out of the table; its memory goes at the last close. */
static int memory_remove(const char *path)
{
    struct ram **link = &table, *r;

    pthread_mutex_lock(&lock);
    while (*link && strcmp((*link)->path, path))
        link = &(*link)->next;
    r = *link;
    if (r) {
        *link = r->next;
        leave_ram(r);
    }
    pthread_mutex_unlock(&lock);
    return r ? NC_NOERR : PCDF_FAIL(NC_ENOENT, "there is no file %s in memory", path);
}

static int memory_open(const struct pcdf_storage_config *config, struct pcdf_storage **s)
{
    bool makes = config->mode == PCDF_STORAGE_CREATE;

    if (!config->path || !*config->path)
        return PCDF_FAIL(NC_EBAD_FILE, "the file name is empty");
    struct memory *m = pcdf_storage_make(sizeof *m, &pcdf_memorystorage, NULL, config);
    if (!m)
        return NC_ENOMEM;
    config->counts->file_open++;
    m->may_write = config->mode != PCDF_STORAGE_READ;
    pthread_mutex_lock(&lock);
    m->ram = find_ram(config->path, makes);
    if (m->ram)
        m->ram->users++;
    pthread_mutex_unlock(&lock);
    if (m->ram) {
        *s = &m->storage;
        return NC_NOERR;
    }
    pcdf_storage_free(&m->storage);
    return makes ? NC_ENOMEM : PCDF_FAIL(NC_ENOENT, "there is no file %s in memory", config->path);
}

const struct pcdf_storage_ops pcdf_memorystorage = {
    .name = "memory",
    .is_single = true,
    .make = memory_make,
    .remove = memory_remove,
    .open = memory_open,
    .move = memory_move,
    .size = memory_size,
    .resize = memory_resize,
    .close = memory_close,
};
