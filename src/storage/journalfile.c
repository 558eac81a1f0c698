/* See journalfile.h. */
#include "journalfile.h"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "alloc.h"
#include "filesystem.h"
#include "rootfile.h"
#include "status.h"

void pcdf_journalfile_close(struct pcdf_journalfile *f)
{
    if (f->map)
        munmap(f->map, (size_t)f->map_size);
    if (pcdf_journalfile_is_open(f))
        (void)pcdf_sidecar_close(&f->sidecar);
    pcdf_free(f->head);
    *f = (struct pcdf_journalfile){ 0 };
}

int pcdf_journalfile_read_head(struct pcdf_journalfile *f)
{
    int64_t size = 0, need = 0, at = PCDF_JOURNAL_BLOCK;
    PCDF_TRY(pcdf_sidecar_size(&f->sidecar, &size));
    do {
        if (at > size)
            at = size;
        unsigned char *more = pcdf_realloc(f->head, (size_t)at + 1);
        if (!more)
            return PCDF_FAIL(NC_ENOMEM, "no memory for %lld bytes of the journal", (long long)at);
        f->head = more;
        PCDF_TRY(pcdf_sidecar_get(&f->sidecar, f->head, at, 0, NULL));
        PCDF_TRY(pcdf_journal_decode(f->head, (size_t)at, size, &need, &f->journal));
        at = need;
    } while (need > 0);
    return NC_NOERR;
}

void pcdf_journalfile_map(struct pcdf_journalfile *f, int64_t begin, int64_t end)
{
    int64_t page = sysconf(_SC_PAGESIZE), at = begin / page * page, size = 0;
    const struct pcdf_filesystem *fs = pcdf_filesystem_of(f->sidecar.fd);
    if (!fs->is_local || pcdf_sidecar_size(&f->sidecar, &size) || size < end)
        return;
    void *map = mmap(NULL, (size_t)(end - at), fs->is_memory ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED,
                     f->sidecar.fd, at);
    if (map == MAP_FAILED)
        return;
    f->map = map;
    f->map_at = at;
    f->map_size = end - at;
    f->map_takes = fs->is_memory;
}

/* ---- heartbeats */

bool pcdf_journalfile_last_heartbeat(struct pcdf_journalfile *f, struct pcdf_journal_heartbeat *heartbeat)
{
    bool has = false;
    for (int64_t slot = 0; slot < 2; slot++) {
        unsigned char bytes[PCDF_JOURNAL_HEARTBEAT];
        struct pcdf_journal_heartbeat one;
        int err = pcdf_sidecar_get(&f->sidecar, bytes, sizeof bytes,
                                   pcdf_journal_heartbeat_at(&f->journal, slot), NULL);
        if (err || !pcdf_journal_heartbeat_decode(bytes, f->journal.nonce, &one) ||
            (has && one.number <= heartbeat->number))
            continue;
        *heartbeat = one;
        has = true;
    }
    return has;
}

void pcdf_journalfile_first_heartbeat(struct pcdf_journalfile *f, unsigned char *bytes)
{
    struct pcdf_journal_heartbeat heartbeat = { .nonce = f->journal.nonce, .time = f->journal.begun };
    f->last_heartbeat = heartbeat.time;
    pcdf_owner_self(&heartbeat.owner);
    pcdf_journal_heartbeat_encode(&heartbeat, bytes);
}

void pcdf_journalfile_heartbeat(struct pcdf_journalfile *f, bool now, bool is_over)
{
    struct pcdf_journal_heartbeat heartbeat = { .number = -1 };
    unsigned char bytes[PCDF_JOURNAL_HEARTBEAT];
    int64_t seconds = (int64_t)time(NULL);
    if (!pcdf_journalfile_is_open(f) || (!now && seconds <= f->last_heartbeat))
        return;
    (void)pcdf_journalfile_last_heartbeat(f, &heartbeat);
    heartbeat.nonce = f->journal.nonce;
    heartbeat.number++;
    heartbeat.time = f->last_heartbeat = seconds;
    heartbeat.is_marked = f->is_marked;
    heartbeat.is_over = is_over;
    pcdf_owner_self(&heartbeat.owner);
    pcdf_journal_heartbeat_encode(&heartbeat, bytes);
    (void)pcdf_sidecar_put(&f->sidecar, bytes, sizeof bytes,
                           pcdf_journal_heartbeat_at(&f->journal, heartbeat.number));
}

void pcdf_journalfile_time_text(int64_t seconds, char text[PCDF_TIME_TEXT])
{
    time_t when = (time_t)seconds;
    struct tm parts;
    if (!gmtime_r(&when, &parts) || !strftime(text, PCDF_TIME_TEXT, "%Y-%m-%d %H:%M:%S UTC", &parts))
        snprintf(text, PCDF_TIME_TEXT, "second %lld", (long long)seconds);
}

bool pcdf_journalfile_owner_works(const char *file)
{
    enum { MOMENT = 10 }; /* seconds; clocks of two machines differ */
    struct pcdf_journalfile f = { 0 };
    struct pcdf_journal_heartbeat heartbeat;
    char *path = NULL;
    bool is_there = false, works = false;
    if (pcdf_sidecar_find(file, PCDF_JOURNAL_SUFFIX, &path, &is_there) || !is_there) {
        works = false;
    } else if (pcdf_sidecar_open(file, path, PCDF_SIDECAR_WRITE, &f.sidecar)) {
        works = pcdf_sidecar_exists(path); /* somebody else's, who lets nobody look */
    } else if (!pcdf_journalfile_read_head(&f) && pcdf_journalfile_last_heartbeat(&f, &heartbeat) &&
               !heartbeat.is_over) {
        /* One that cannot be seen from here is believed to work as long as it was heard of a moment ago. */
        enum pcdf_owner_state state = pcdf_owner_look(&heartbeat.owner);
        works = state == PCDF_OWNER_RUNS || (state != PCDF_OWNER_SELF && state != PCDF_OWNER_ENDED &&
                                             (int64_t)time(NULL) - heartbeat.time < MOMENT);
    }
    pcdf_journalfile_close(&f);
    pcdf_free(path);
    return works;
}

/* ---- its name */

int pcdf_journalfile_set_aside(struct pcdf_journalfile *f)
{
    const char *path = f->sidecar.path, *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - path) : 0, size = folder + 80;
    int64_t inode;
    uint64_t nonce = f->head ? pcdf_journal_peek(f->head, &inode) : 0;
    char *name = pcdf_malloc(size);
    int err = name ? NC_EEXIST : PCDF_FAIL(NC_ENOMEM, "no memory for a name beside %s", path);
    /* One that was never written may have any nonce. */
    for (int i = 0; err == NC_EEXIST && i < 100; i++) {
        snprintf(name, size, "%.*s.parcdf-%016llx-%d%s", (int)folder, path, (unsigned long long)nonce, i,
                 PCDF_JOURNAL_SUFFIX);
        err = pcdf_file_root_rename(path, name, true);
    }
    pcdf_free(err ? name : f->sidecar.path);
    if (!err)
        f->sidecar.path = name;
    return err;
}

static bool remove_name(void *context, const char *path)
{
    struct pcdf_journalfile *f = context;
    bool is_it = pcdf_sidecar_has_name(&f->sidecar, path);
    if (is_it)
        (void)pcdf_sidecar_remove(path);
    return !is_it;
}

int pcdf_journalfile_remove(struct pcdf_journalfile *f)
{
    const char *path = f->sidecar.path;
    if (pcdf_sidecar_has_name(&f->sidecar, path))
        return pcdf_sidecar_remove(path);
    if (pcdf_sidecar_has_name(&f->sidecar, NULL)) /* somebody gave it another name */
        (void)pcdf_sidecar_each(path, PCDF_JOURNAL_SUFFIX, remove_name, f);
    return NC_NOERR;
}
