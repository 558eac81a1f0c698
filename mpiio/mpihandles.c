/* The handles of MPI-IO: names, hints, opening and closing. */

#include "mpistorage.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "fileplace.h"
#include "filesystem.h"
#include "mpilibrary.h"
#include "posixio.h"
#include "provesame.h"
#include "status.h"

static bool has_hint(MPI_Info info, const char *key)
{
    int length, found = 0;

    return info != MPI_INFO_NULL && !MPI_Info_get_valuelen(info, key, &length, &found) && found;
}

/* ROMIO also reads hints from the file that ROMIO_HINTS names, a name and a value a line, "#" before a
 * comment. */
bool pcdf_mpistorage_asks_for_stripes(MPI_Info info)
{
    static const char *const names[] = { "striping_factor", "striping_unit", "start_iodevice",
                                         "overstriping_ratio" };
    const char *path = pcdf_mpilibrary_is_open_mpi() ? NULL : getenv("ROMIO_HINTS");
    FILE *file = path ? fopen(path, "re") : NULL;
    char line[1024], name[32] = "", value[32] = "";
    bool stripes = false;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        stripes |= has_hint(info, names[i]);
    while (file && !stripes && fgets(line, sizeof line, file))
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            stripes |=
                line[0] != '#' && sscanf(line, "%31s %31s", name, value) == 2 && strcmp(name, names[i]) == 0;
    if (file)
        fclose(file);
    return stripes;
}

/* Collective on the communicator of m, as MPI_File_open is. create: more of its mode. OMPIO takes a
 * file-system prefix for part of the name; ROMIO takes all before a colon for a prefix, and programs write
 * names such as out_12:00:00, so it gets one that says nothing. */
static int open_handle_all(struct pcdf_mpifile *m, const char *path, int create, MPI_File *file)
{
    char room[PATH_MAX + 8];
    const char *posix = pcdf_path_posix(path);
    const char *name = pcdf_mpilibrary_is_open_mpi() ? posix : path;
    if (!pcdf_mpilibrary_is_open_mpi() && posix == path && strchr(path, ':') &&
        (size_t)snprintf(room, sizeof room, "ufs:%s", path) < sizeof room)
        name = room;
    m->storage.counts->file_open++;
    int err = MPI_File_open(m->ranks.comm, name, (m->may_write ? MPI_MODE_RDWR : MPI_MODE_RDONLY) | create,
                            m->info, file);
    if (err) {
        *file = MPI_FILE_NULL;
        return pcdf_error_from_mpi(err, NC_EFILE, "opening", path);
    }
    MPI_File_set_errhandler(*file, MPI_ERRORS_RETURN);
    return NC_NOERR;
}

/* A descriptor of this rank's own, open before anything is written: whoever has a file open when writing its
 * pages to the disk fails is told by the next fsync. -1 where POSIX knows no such file, which ROMIO's
 * MPI_File_open agrees on itself: paths with a file-system prefix may mean nothing to it. OMPIO waits for
 * ever when another rank than 0 cannot open the file, so this is tried before. */
static int open_own(const struct pcdf_mpifile *m, const char *path, int *fd)
{
    const char *posix = pcdf_path_posix(path);

    *fd = pcdf_posix_open(posix, (m->may_write ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_NOCTTY);
    if (*fd < 0 && m->ranks.size > 1 && pcdf_mpilibrary_is_open_mpi() && posix == path)
        return pcdf_posix_error(errno, NC_EFILE, "opening", path);
    return NC_NOERR;
}

/* One try: what it left behind on some ranks cannot be taken back, so none must follow. A handle that another
 * rank lacks can be neither used nor closed, MPI_Finalize takes it. */
int pcdf_mpifile_open_viewed_all(struct pcdf_mpifile *m)
{
    const char *path = m->storage.path;
    char now[PATH_MAX];

    if (PCDF_SAME(&m->ranks, m->viewed != MPI_FILE_NULL))
        return NC_NOERR;
    if (PCDF_SAME(&m->ranks, m->viewed_failed != NC_NOERR)) /* the code may be another */
        return PCDF_FAIL(m->viewed_failed, "%s could not be opened for transfers together", path);
    /* The path that the open was given may be gone, since the file was renamed. */
    m->ranks.path = path;

    /* By its name, under which there may be another file by now. */
    int fd = -1, err = pcdf_fileplace_now(m->storage.fd, path, now)
                           ? NC_NOERR
                           : PCDF_FAIL(NC_EACCESS, "%s was removed, and cannot be opened again", path);
    if (!err && pcdf_mpilibrary_is_open_mpi())
        err = open_own(m, now, &fd);
    if (fd >= 0)
        close(fd);
    err = pcdf_ranks_agree_all(&m->ranks, err, "open %s", path);
    if (err) /* on all ranks */
        return err;
    m->viewed_failed = pcdf_ranks_agree_all(&m->ranks, open_handle_all(m, now, 0, &m->viewed),
                                            "open %s for transfers together", path);
    if (m->viewed_failed)
        m->viewed = MPI_FILE_NULL;
    return m->viewed_failed;
}

int pcdf_mpifile_close_all(struct pcdf_storage *s)
{
    struct pcdf_mpifile *m = (struct pcdf_mpifile *)s;
    MPI_File *const handles[] = { &m->viewed, &m->plain };
    int status = NC_NOERR;

    /* Lustre and others tell whoever closes first that bytes were lost since: OMPIO does not listen. */
    if (s->fd >= 0 && close(s->fd) && errno != EINTR)
        status = pcdf_posix_error(errno, NC_EWRITE, "closing", s->path);
    s->fd = -1;
    for (int i = 0; i < 2 && !s->is_poisoned; i++) { /* else the handles stay with MPI_Finalize */
        int err = MPI_SUCCESS;
        if (handles[i] == &m->plain && !s->is_released)
            pcdf_first(&status, pcdf_mpifile_check_end(m));
        if (PCDF_SAME(&m->ranks, *handles[i] != MPI_FILE_NULL))
            err = MPI_File_close(handles[i]);
        if (err)
            pcdf_first(&status, pcdf_error_from_mpi(err, NC_EWRITE, "closing", s->path));
    }
    if (m->info != MPI_INFO_NULL)
        MPI_Info_free(&m->info);
    return status;
}

int pcdf_mpifile_info(struct pcdf_storage *s, void (*tell)(void *, const char *, const char *), void *context)
{
    struct pcdf_mpifile *m = (struct pcdf_mpifile *)s;
    char name[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    MPI_Info info;
    int err = MPI_File_get_info(m->viewed == MPI_FILE_NULL ? m->plain : m->viewed, &info), n = 0, found;

    if (err)
        return pcdf_error_from_mpi(err, NC_EFILE, "listing the hints of", m->storage.path);
    MPI_Info_get_nkeys(info, &n);
    for (int i = 0; i < n; i++) {
        MPI_Info_get_nthkey(info, i, name);
        if (!MPI_Info_get(info, name, MPI_MAX_INFO_VAL, value, &found) && found)
            tell(context, name, value);
    }
    MPI_Info_free(&info);
    return NC_NOERR;
}

/* The user's hints and ours. Data sieving on writes reads a neighbour's bytes and writes them back, so it is
 * off whatever the user says. Made before anything that needs memory of ours: ROMIO broadcasts hint by hint
 * in MPI_File_open, so a rank with fewer hints would take part in other broadcasts than the rest. */
static int make_info(MPI_Info user, const char *path, MPI_Info *info)
{
    int err = user == MPI_INFO_NULL ? MPI_Info_create(info) : MPI_Info_dup(user, info);

    if (err)
        *info = MPI_INFO_NULL;
    else
        err = MPI_Info_set(*info, "romio_ds_write", "disable");
    if (!err && !has_hint(*info, "romio_cb_write"))
        err = MPI_Info_set(*info, "romio_cb_write", "enable");
    return err ? pcdf_error_from_mpi(err, NC_ENOMEM, "preparing the hints for", path) : NC_NOERR;
}

/* Before the open all agree that nobody lacks what it needs: a handle that a rank has no memory for could not
 * be closed by the others. Where bytes reach the file system by system calls alone, a rank syncs what it
 * wrote itself; MPI_File_sync has all of them wait. With a prefix ROMIO may not ask the system at all. */
static int agree_all(const struct pcdf_ranks *ranks, const char *path, int status, bool *syncs_by_mpi)
{
    bool has_prefix = pcdf_path_posix(path) != path;
    int64_t all[2] = { -(int64_t)status, has_prefix || !pcdf_filesystem_at(path)->by_system };

    pcdf_first(&status, pcdf_ranks_reduce_all(ranks, MPI_MAX, all, 2));
    *syncs_by_mpi = all[1] != 0;
    return status || !all[0] ? status : PCDF_FAIL((int)-all[0], "another rank cannot open %s", path);
}

int pcdf_mpistorage_open_all(const struct pcdf_storage_config *config, const struct pcdf_ranks *ranks,
                             MPI_Info info, struct pcdf_storage **s)
{
    MPI_Info hints;
    int status = make_info(info, config->path, &hints);
    int create = (config->mode == PCDF_STORAGE_CREATE ? MPI_MODE_CREATE : 0) |
                 (config->is_maker && config->is_exclusive ? MPI_MODE_EXCL : 0);
    struct pcdf_mpifile *m = pcdf_storage_make(sizeof *m, &pcdf_mpistorage, NULL, config);

    if (m) {
        m->ranks = *ranks;
        m->info = hints;
        m->plain = m->viewed = MPI_FILE_NULL;
        m->may_write = config->mode != PCDF_STORAGE_READ;
        m->is_dirty = config->is_changed;
    }
    pcdf_first(&status, m ? NC_NOERR : NC_ENOMEM);
    if (!status && !config->is_maker) /* then it is not there yet */
        status = open_own(m, config->path, &m->storage.fd);
    status = agree_all(ranks, config->path, status, m ? &m->syncs_by_mpi : &(bool){ false });
    if (!status) /* on all ranks */
        status = open_handle_all(m, config->path, create, &m->plain);
    if (!status && config->is_maker)
        (void)open_own(m, config->path, &m->storage.fd);
    if (status == NC_NOERR) {
        *s = &m->storage;
    } else if (m) {
        m->storage.is_poisoned = true; /* the other ranks' close is not this rank's */
        pcdf_storage_close(&m->storage);
    } else if (hints != MPI_INFO_NULL) {
        MPI_Info_free(&hints);
    }
    return status;
}
