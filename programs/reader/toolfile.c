/* Reading the head of a file in growing chunks: headers are a small part of their files. */
#include "toolfile.h"
#include "toolsay.h"
#include "alloc.h"
#include "likeness.h"
#include "filekind.h"
#include "hash.h"
#include "posixio.h"
#include "status.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_CHUNK = 64 * 1024 };

const char *pcdf_tool_why(const char *path, const char *otherwise)
{
    static char room[PCDF_FILEKIND_ROOM];
    enum pcdf_filekind kind = pcdf_filekind_of(path);
    const char *text = kind == PCDF_FILEKIND_CLASSIC ? NULL : pcdf_filekind_say(kind, path, room);
    return text ? text : otherwise;
}

static int not_there(const char *path, int err)
{
    char folder[PATH_MAX];
    const char *why = err == ENOENT ? pcdf_tool_why(path, NULL) : NULL; /* a URL, perhaps */
    if (why || err != ENOENT || !pcdf_posix_missing_folder(path, folder))
        return pcdf_tool_unusable(path, "%s", why ? why : strerror(err));
    return pcdf_tool_unusable(path, "%s (there is no folder %s)", strerror(err), folder);
}

/* If it is not open yet. O_NONBLOCK: opening a pipe that nobody writes to must not hang before it is refused.
 */
static int open_regular(struct pcdf_tool_file *file)
{
    struct stat st;

    if (file->fd < 0)
        file->fd = pcdf_posix_open(file->path, O_RDONLY | O_NONBLOCK);
    if (file->fd < 0)
        return not_there(file->path, errno);
    if (fstat(file->fd, &st) == 0 && S_ISREG(st.st_mode)) {
        file->size = st.st_size;
        return PCDF_TOOL_GOOD;
    }
    close(file->fd);
    return pcdf_tool_unusable(file->path, "%s", pcdf_tool_why(file->path, "not a regular file"));
}

/* Of an image no more than its header: what follows costs decoding, and may be of a codec that is not known.
 */
static int read_first(struct pcdf_tool_file *file)
{
    bool is_shown = pcdf_tool_source_is_image(file->source);
    int64_t first = is_shown ? file->source->image->header_size : FIRST_CHUNK;
    file->stamp = pcdf_tool_stamp(file); /* before: what is written meanwhile is a change */
    int status = pcdf_tool_read(file, file->size < first ? file->size : first);
    if (status)
        pcdf_tool_close(file);
    return status;
}

int pcdf_tool_open_regular(struct pcdf_tool_file *file, const char *path)
{
    *file = (struct pcdf_tool_file){ .path = path, .fd = -1 };
    int status = open_regular(file);
    return status ? status : read_first(file);
}

int pcdf_tool_open(struct pcdf_tool_file *file, const char *path)
{
    *file = (struct pcdf_tool_file){ .path = path, .fd = -1 };
    int status = pcdf_tool_source_open(path, &file->source, &file->fd);
    if (!status && !file->source)
        status = open_regular(file);
    if (!status && file->source && pcdf_storage_size(file->source->storage, &file->size)) {
        pcdf_tool_source_close(file->source);
        status = pcdf_tool_unusable(path, "%s", pcdf_fail_text());
    }
    return status ? status : read_first(file);
}

int pcdf_tool_move(const struct pcdf_tool_file *file, void *bytes, int64_t n, int64_t at, int64_t *got)
{
    if (file->source)
        return pcdf_storage_move_at(file->source->storage, PCDF_GET, bytes, n, at, got);
    return pcdf_posix_move(file->fd, PCDF_GET, bytes, n, at, got, file->path);
}

const char *pcdf_tool_move_text(const struct pcdf_tool_file *file)
{
    return file->source ? pcdf_fail_text() : strerror(errno);
}

int pcdf_tool_read(struct pcdf_tool_file *file, int64_t need)
{
    int64_t want = need > 2 * (int64_t)file->n ? need : 2 * (int64_t)file->n;

    if (want > file->size)
        want = file->size;
    unsigned char *bytes = pcdf_realloc(file->bytes, (size_t)want + 1);
    if (!bytes)
        return pcdf_tool_unusable(file->path, "%s", pcdf_fail_text());
    file->bytes = bytes;
    int64_t got = 0, at = (int64_t)file->n;
    if (pcdf_tool_move(file, bytes + at, want - at, at, &got))
        return pcdf_tool_unusable(file->path, "%s", pcdf_tool_move_text(file));
    file->n += (size_t)got;
    if ((int64_t)file->n < want)
        return pcdf_tool_unusable(file->path, "the file became shorter while it was read");
    return PCDF_TOOL_GOOD;
}

/* Says why a header was refused. */
static int refused(const struct pcdf_tool_file *file, int err, const struct pcdf_fault *fault)
{
    bool is_other = fault->rule == PCDF_FAULT_MAGIC || file->size == 0;
    if (err == NC_ENOMEM)
        return pcdf_tool_unusable(file->path, "%s", pcdf_fail_text());
    pcdf_tool_say(file->path, "%s", is_other ? pcdf_tool_why(file->path, fault->text) : fault->text);
    return PCDF_TOOL_BAD;
}

int pcdf_tool_decode(struct pcdf_tool_file *file, bool is_lenient, struct pcdf_meta *meta,
                     struct pcdf_layout *layout)
{
    struct pcdf_reading how = { .is_lenient = is_lenient };
    struct pcdf_fault fault = { 0 };
    int64_t need = 0;

    for (;;) {
        int err = pcdf_decode(&how, file->bytes, file->n, file->size, &need, meta, layout, &fault);
        if (err)
            return refused(file, err, &fault);
        if (need == 0)
            return PCDF_TOOL_GOOD;
        int status = pcdf_tool_read(file, need);
        if (status)
            return status;
    }
}

int pcdf_tool_findings(struct pcdf_tool_file *file, pcdf_found *found, void *context,
                       struct pcdf_check_result *result)
{
    int64_t need = 0;

    for (;;) {
        if (pcdf_check(file->bytes, file->n, file->size, &need, found, context, result))
            return pcdf_tool_unusable(file->path, "%s", pcdf_fail_text());
        if (need == 0)
            return PCDF_TOOL_GOOD;
        int status = pcdf_tool_read(file, need);
        if (status)
            return status;
    }
}

int pcdf_tool_find_variable(const struct pcdf_meta *meta, const char *name)
{
    struct pcdf_name nfc;
    return pcdf_name_lookup(name, &nfc) ? -1 : pcdf_meta_find_var(meta, nfc.text);
}

int pcdf_tool_no_variable(const char *path, const struct pcdf_meta *meta, const char *name, const char *why)
{
    struct pcdf_likeness like = pcdf_like(name);
    char hint[PCDF_LIKE_HINT];
    for (int i = 0; i < meta->nvars; i++)
        (void)pcdf_like_offer(&like, meta->vars[i].name);
    return pcdf_tool_unusable(path, "there is no variable %.200s%s%s", name, why,
                              pcdf_like_hint(&like, hint));
}

int pcdf_tool_no_dimension(const char *path, const struct pcdf_meta *meta, const char *name)
{
    struct pcdf_likeness like = pcdf_like(name);
    char hint[PCDF_LIKE_HINT];
    for (int i = 0; i < meta->ndims; i++)
        (void)pcdf_like_offer(&like, meta->dims[i].name);
    return pcdf_tool_unusable(path, "there is no dimension %.200s%s", name, pcdf_like_hint(&like, hint));
}

int64_t pcdf_tool_stamp(const struct pcdf_tool_file *file)
{
    struct statx asked; /* makes a client of a network file system ask the server */
    struct stat st;
    if (file->fd >= 0)
        (void)statx(file->fd, "", AT_EMPTY_PATH | AT_STATX_FORCE_SYNC, STATX_SIZE | STATX_MTIME, &asked);
    if (file->fd < 0 || fstat(file->fd, &st))
        return 0;
    const int64_t what[] = { st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec };
    return (int64_t)(pcdf_hash_bytes(what, sizeof what) >> 1);
}

void pcdf_tool_close(struct pcdf_tool_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    pcdf_tool_source_close(file->source);
    pcdf_free(file->bytes);
}
