/* See olderfile.h. */
#include "olderfile.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "alloc.h"
#include "filesystem.h"
#include "posixio.h"
#include "storage.h"

static void turn_off(struct pcdf_olderfile *o, const char *why)
{
    snprintf(o->why, sizeof o->why, "%s", why);
    if (o->state == PCDF_OLDERFILE_OPEN)
        close(o->fd);
    o->state = PCDF_OLDERFILE_OFF;
}

/* ---- is it as it was? */

static bool is_as_summed(const struct pcdf_olderfile *o, const struct stat *st)
{
    return S_ISREG(st->st_mode) && (int64_t)st->st_ino == o->facts.inode && st->st_size == o->facts.size &&
           st->st_mtim.tv_sec == o->facts.time && st->st_mtim.tv_nsec == o->facts.time_ns;
}

/* Since the first comparison. */
static bool is_unchanged(const struct pcdf_olderfile *o)
{
    struct stat st;
    return !fstat(o->fd, &st) && is_as_summed(o, &st) && st.st_ctim.tv_sec == o->changed &&
           st.st_ctim.tv_nsec == o->changed_ns;
}

/* The clock from which the system takes a file's times moves in ticks. A change in the tick of the last one
 * would not show: then this waits for the next tick. */
static bool is_past(const struct timespec *when)
{
    const struct timespec tick = { 0, 1000000 };
    for (int tries = 0; tries < 50; tries++) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME_COARSE, &now);
        if (now.tv_sec > when->tv_sec || (now.tv_sec == when->tv_sec && now.tv_nsec > when->tv_nsec))
            return true;
        nanosleep(&tick, NULL);
    }
    return false;
}

/* From here on each change of the file changes its times. One by a mapping does so only where its page was
 * clean, hence the flush. */
static const char *begin_to_watch(struct pcdf_olderfile *o)
{
    const unsigned all = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
    struct stat st;
    if (!pcdf_filesystem_of(o->fd)->is_local) /* another node may change it */
        return "its file system is not of this machine alone";
    if (fstat(o->fd, &st) || !is_as_summed(o, &st))
        return "it is not as it was when its checksums were made";
    o->changed = st.st_ctim.tv_sec;
    o->changed_ns = st.st_ctim.tv_nsec;
    if (!is_past(&st.st_ctim))
        return "it was changed in the future";
    if (sync_file_range(o->fd, 0, 0, all))
        return strerror(errno);
    return is_unchanged(o) ? NULL : "it is being changed";
}

static bool is_open(struct pcdf_olderfile *o)
{
    if (o->state != PCDF_OLDERFILE_UNTRIED)
        return o->state == PCDF_OLDERFILE_OPEN;
    o->fd = pcdf_posix_open(o->path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (o->fd < 0) {
        turn_off(o, strerror(errno));
        return false;
    }
    o->state = PCDF_OLDERFILE_OPEN;
    o->room = pcdf_malloc((size_t)o->block_size);
    o->shared = pcdf_calloc((size_t)(o->facts.size / o->block_size / 8 + 1), 1);
    const char *why = o->room && o->shared ? begin_to_watch(o) : "no memory";
    if (why)
        turn_off(o, why);
    return !why;
}

/* ---- sharing */

bool pcdf_olderfile_is_used(const struct pcdf_olderfile *o)
{
    return o && o->state != PCDF_OLDERFILE_OFF;
}

bool pcdf_olderfile_has(const struct pcdf_olderfile *o, int64_t block, int64_t length, uint32_t sum)
{
    int64_t begin = block * o->block_size;
    return o->state != PCDF_OLDERFILE_OFF && begin + length <= o->facts.size &&
           (length == o->block_size || begin + length == o->facts.size) && o->sums[block] == sum;
}

/* All bytes: equal checksums prove nothing. */
static bool is_same(struct pcdf_olderfile *o, const char *data, int64_t offset, int64_t length)
{
    for (int64_t n; length > 0; data += n, offset += n, length -= n) {
        n = length < o->block_size ? length : o->block_size;
        if (pread(o->fd, o->room, (size_t)n, offset) != n || memcmp(o->room, data, (size_t)n) != 0)
            return false;
    }
    return true;
}

bool pcdf_olderfile_clone(struct pcdf_olderfile *o, struct pcdf_storage *bottom, const char *data,
                          int64_t offset, int64_t length)
{
    if (!is_open(o) || !is_same(o, data, offset, length))
        return false;
    if (!pcdf_storage_clone(bottom, o->fd, offset, length)) {
        turn_off(o, strerror(errno));
        return false;
    }
    if (!is_unchanged(o)) {
        turn_off(o, "it was changed");
        return false;
    }
    bottom->counts->bytes_written += length;
    bottom->counts->bytes_cloned += length;
    for (int64_t block = offset / o->block_size; block < (offset + length) / o->block_size; block++)
        o->shared[block / 8] |= (unsigned char)(1 << block % 8);
    return true;
}

bool pcdf_olderfile_shares(const struct pcdf_olderfile *o, int64_t block)
{
    return o->state == PCDF_OLDERFILE_OPEN && block <= o->facts.size / o->block_size &&
           (o->shared[block / 8] >> block % 8 & 1);
}

void pcdf_olderfile_dedupe(struct pcdf_olderfile *o, struct pcdf_storage *bottom, int64_t block,
                           int64_t length)
{
    union {
        struct file_dedupe_range range;
        char room[sizeof(struct file_dedupe_range) + sizeof(struct file_dedupe_range_info)];
    } ask;
    struct file_dedupe_range_info *info = ask.range.info;
    for (int64_t offset = block * o->block_size, n; length > 0 && is_open(o); offset += n, length -= n) {
        memset(&ask, 0, sizeof ask);
        ask.range.src_offset = info->dest_offset = (uint64_t)offset;
        ask.range.src_length = (uint64_t)length;
        ask.range.dest_count = 1;
        info->dest_fd = bottom->fd;
        int err = ioctl(o->fd, FIDEDUPERANGE, &ask) ? errno : info->status < 0 ? -info->status : 0;
        n = (int64_t)info->bytes_deduped;
        if (err)
            turn_off(o, strerror(err));
        if (err || info->status == FILE_DEDUPE_RANGE_DIFFERS || n == 0)
            return;
        n = n < length ? n : length;
        bottom->counts->bytes_deduped += n;
    }
}

void pcdf_olderfile_free(struct pcdf_olderfile *o)
{
    if (o->state == PCDF_OLDERFILE_OPEN)
        close(o->fd);
    pcdf_free(o->path);
    pcdf_free(o->sums);
    pcdf_free(o->room);
    pcdf_free(o->shared);
    *o = (struct pcdf_olderfile){ 0 };
}
