/* See toolpadding.h. */
#include "toolpadding.h"
#include "posixio.h"
#include "tool.h"
#include "toolfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_PADDING = 3 };

struct fixing {
    const char *path;
    pcdf_found *told;
    void *context;
    int fd, err; /* err: of the first write that failed */
    bool is_writing;
    int64_t places;
};

/* Called twice for each finding: to count, and to write. */
static void fix(void *context, const struct pcdf_finding *finding)
{
    static const unsigned char zeros[MOST_PADDING];
    struct fixing *f = context;

    if (strcmp(finding->rule, "PADDING") != 0 || finding->nbytes < 1 || finding->nbytes > MOST_PADDING)
        return;
    f->places++;
    if (!f->is_writing || f->err)
        return;
    if (pcdf_posix_move(f->fd, PCDF_PUT, (void *)zeros, finding->nbytes, finding->offset, NULL, f->path))
        f->err = errno;
    else
        f->told(f->context, finding);
}

/* The findings of the header that is in memory, which is as it was before the first write. */
static int look(struct pcdf_tool_file *file, struct fixing *f)
{
    struct pcdf_check_result result;
    return pcdf_tool_findings(file, fix, f, &result);
}

/* The file that was read, open for writing. */
static bool open_same(struct fixing *f, int read_fd)
{
    struct stat was, is;

    f->fd = pcdf_posix_open(f->path, O_WRONLY);
    if (f->fd < 0)
        return false;
    if (fstat(read_fd, &was) == 0 && fstat(f->fd, &is) == 0 && was.st_dev == is.st_dev &&
        was.st_ino == is.st_ino)
        return true;
    close(f->fd);
    errno = ESTALE;
    return false;
}

static int write_zeros(struct pcdf_tool_file *file, struct fixing *f)
{
    if (!open_same(f, file->fd))
        return pcdf_tool_unusable(f->path, "cannot be opened for writing: %s", strerror(errno));
    bool failed;
    f->is_writing = true;
    int status = look(file, f);
    if (!f->err && pcdf_posix_sync(f->fd, f->path, &failed))
        f->err = errno;
    if (close(f->fd) && !f->err)
        f->err = errno;
    if (f->err)
        return pcdf_tool_unusable(f->path, "the padding cannot be written: %s", strerror(f->err));
    return status;
}

int pcdf_tool_fix_padding(const char *path, pcdf_found *told, void *context)
{
    struct fixing f = { .path = path, .told = told, .context = context };
    struct pcdf_tool_file file;

    int status = pcdf_tool_open_regular(&file, path);
    if (status)
        return status;
    status = look(&file, &f);
    if (!status && f.places > 0)
        status = write_zeros(&file, &f);
    pcdf_tool_close(&file);
    return status;
}
