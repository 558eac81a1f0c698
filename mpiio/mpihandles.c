/* The MPI-IO engine's handles: names, hints, opening and closing. */

#include "mpifile.h"
#include "alloc.h"
#include "filesystem.h"
#include "posixio.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_open_mpi(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;

    return !MPI_Get_library_version(text, &length) && !strncmp(text, "Open MPI", 8);
}

/* ROMIO reads hints from the file that ROMIO_HINTS names, a name and a value a line, "#" before a comment. */
bool pcdf_romio_hints_stripe(void)
{
    const char *path = is_open_mpi() ? NULL : getenv("ROMIO_HINTS");
    FILE *file = path ? fopen(path, "re") : NULL;
    char line[1024], name[32] = "", value[32] = "";
    bool stripes = false;

    while (file && !stripes && fgets(line, sizeof line, file))
        stripes = line[0] != '#' && sscanf(line, "%31s %31s", name, value) == 2 &&
                  (strcmp(name, "striping_factor") == 0 || strcmp(name, "striping_unit") == 0);
    if (file)
        fclose(file);
    return stripes;
}

/* What MPI is to be told. OMPIO takes a file-system prefix for part of the name; ROMIO takes all before a
 * colon for a prefix, and programs write names such as out_12:00:00, so it gets one that says nothing. */
static const char *name_for_mpi(const char *path, char *room, size_t size)
{
    const char *posix = pcdf_path_posix(path);

    if (is_open_mpi())
        return posix;
    if (posix != path || !strchr(path, ':'))
        return path;
    return (size_t)snprintf(room, size, "ufs:%s", path) < size ? room : path;
}

int pcdf_mpifile_open_handle(struct pcdf_mpifile *m, MPI_Comm comm, int amode, MPI_File *file)
{
    char room[PATH_MAX + 8];
    int err;

    m->engine.counts->file_open++;
    err = MPI_File_open(comm, name_for_mpi(m->path, room, sizeof room), amode, m->info, file);
    if (err) {
        *file = MPI_FILE_NULL;
        return pcdf_mpifile_error(m, err, NC_EFILE, "opening");
    }
    MPI_File_set_errhandler(*file, MPI_ERRORS_RETURN);
    return NC_NOERR;
}

int pcdf_mpifile_amode(const struct pcdf_mpifile *m)
{
    return m->may_write ? MPI_MODE_RDWR : MPI_MODE_RDONLY;
}

/* Can this rank open the file? Paths with a file-system prefix may mean nothing to POSIX: taken on trust. */
static int try_open(const char *path, int flags)
{
    int fd;

    if (pcdf_path_posix(path) != path)
        return NC_NOERR;
    fd = pcdf_posix_open(path, flags | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return pcdf_error_from_errno(errno, "opening", path);
    close(fd);
    return NC_NOERR;
}

/* Before a collective open: does anything speak against it on any rank? A handle that a rank lacks memory for
 * could not be closed by the others. And OMPIO waits for ever when another rank than 0 cannot open the file;
 * ROMIO agrees on that inside MPI_File_open. */
static int agree_open_all(const struct pcdf_engine_config *config, int flags, int status)
{
    int ranks, mine, worst = 0, err;

    MPI_Comm_size(config->comm, &ranks);
    if (ranks == 1)
        return status;
    if (status == NC_NOERR && is_open_mpi() && !config->makes_file) /* a try would make it */
        status = try_open(config->path ? config->path : "", flags);
    mine = -status;
    config->counts->allreduce++;
    err = MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, config->comm);
    if (err)
        return pcdf_error_from_mpi(err, NC_EMPI, "agreeing on the open of", config->path);
    if (worst && !status)
        return PCDF_FAIL(-worst, "another rank cannot open %s", config->path);
    return status;
}

/* After a collective open: a handle that another rank lacks can be neither used nor closed, MPI_Finalize
 * takes it. */
static int agree_viewed_all(struct pcdf_mpifile *m, int status)
{
    int ranks, worst = status, mine = status, err;

    MPI_Comm_size(m->comm, &ranks);
    if (ranks == 1)
        return status;
    m->engine.counts->allreduce++;
    err = MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MIN, m->comm);
    if (err)
        pcdf_first(&status, pcdf_mpifile_error(m, err, NC_EMPI, "agreeing on the open of"));
    if (!status && worst)
        status = PCDF_FAIL(worst, "another rank cannot open %s for transfers together", m->path);
    return status;
}

/* One try: what it left behind on some ranks cannot be taken back, so none must follow. */
int pcdf_mpifile_open_viewed_all(struct pcdf_mpifile *m)
{
    struct pcdf_engine_config config = { .comm = m->comm, .path = m->path, .counts = m->engine.counts };

    if (m->viewed != MPI_FILE_NULL) /* the same on all ranks */
        return NC_NOERR;
    if (m->viewed_failed) /* the same on all ranks, but for the code */
        return PCDF_FAIL(m->viewed_failed, "%s could not be opened for transfers together", m->path);
    if (is_open_mpi()) /* the same on all ranks */
        PCDF_TRY(
            agree_open_all(&config, m->may_write ? O_RDWR : O_RDONLY, NC_NOERR)); /* fails on all ranks */
    m->viewed_failed =
        agree_viewed_all(m, pcdf_mpifile_open_handle(m, m->comm, pcdf_mpifile_amode(m), &m->viewed));
    if (m->viewed_failed)
        m->viewed = MPI_FILE_NULL;
    return m->viewed_failed;
}

static int close_handle(struct pcdf_mpifile *m, MPI_File *file)
{
    /* Which handles there are is the same on all ranks, but for `own`, which is a rank's alone. */
    int err = *file == MPI_FILE_NULL ? MPI_SUCCESS : MPI_File_close(file);

    return err ? pcdf_mpifile_error(m, err, NC_EWRITE, "closing") : NC_NOERR;
}

int pcdf_mpifile_close_all(struct pcdf_engine *e)
{
    struct pcdf_mpifile *m = (struct pcdf_mpifile *)e;
    int status = NC_NOERR;

    if (!e->poisoned) {
        pcdf_first(&status, close_handle(m, &m->viewed));
        pcdf_first(&status, pcdf_mpifile_check_end(m));
        pcdf_first(&status, close_handle(m, &m->plain));
    }
    pcdf_twophase_end(&m->exchange);
    if (m->fd >= 0 && close(m->fd) && errno != EINTR)
        pcdf_first(&status, pcdf_posix_error(errno, NC_EWRITE, "closing", m->path));
    if (m->info != MPI_INFO_NULL)
        MPI_Info_free(&m->info);
    pcdf_free(m->path);
    pcdf_free(m->later_path);
    pcdf_free(m);
    return status;
}

void pcdf_mpifile_renamed(struct pcdf_engine *e)
{
    struct pcdf_mpifile *m = (struct pcdf_mpifile *)e;

    if (!m->later_path)
        return;
    pcdf_free(m->path);
    m->path = m->later_path;
    m->exchange.path = m->path;
    m->later_path = NULL;
}

int pcdf_mpifile_info(struct pcdf_engine *e, MPI_Info *info)
{
    struct pcdf_mpifile *m = (struct pcdf_mpifile *)e;
    int err = MPI_File_get_info(m->viewed == MPI_FILE_NULL ? m->plain : m->viewed, info);

    return err ? pcdf_mpifile_error(m, err, NC_EFILE, "listing the hints of")
               : pcdf_engine_add_stripes(pcdf_path_posix(m->path), *info);
}

static bool has_hint(MPI_Info info, const char *key)
{
    int length, found = 0;

    return !MPI_Info_get_valuelen(info, key, &length, &found) && found;
}

static int64_t number_in(MPI_Info info, const char *key)
{
    char value[32] = "";
    int found = 0;

    if (info != MPI_INFO_NULL)
        MPI_Info_get(info, key, (int)sizeof value - 1, value, &found);
    return found ? strtoll(value, NULL, 10) : 0;
}

/* The user's hints and ours. Data sieving on writes reads a neighbour's bytes and writes them back, so it is
 * off whatever the user says. Made before anything that needs memory of ours: ROMIO broadcasts hint by hint
 * in MPI_File_open, so a rank with fewer hints would take part in other broadcasts than the rest. */
static int make_info(const struct pcdf_engine_config *config, MPI_Info *info)
{
    int err = config->info == MPI_INFO_NULL ? MPI_Info_create(info) : MPI_Info_dup(config->info, info);

    if (err)
        *info = MPI_INFO_NULL;
    else
        err = MPI_Info_set(*info, "romio_ds_write", "disable");
    if (!err && !has_hint(*info, "romio_cb_write"))
        err = MPI_Info_set(*info, "romio_cb_write", "enable");
    return err ? pcdf_error_from_mpi(err, NC_ENOMEM, "preparing the hints for", config->path) : NC_NOERR;
}

/* Local. Takes over info where it makes an engine, complete or not. */
static int prepare(const struct pcdf_engine_config *config, MPI_Info info, struct pcdf_mpifile **made)
{
    struct pcdf_mpifile *m = pcdf_calloc(1, sizeof *m);
    const char *path = config->path ? config->path : "";

    if (!m)
        return NC_ENOMEM;
    m->engine.ops = &pcdf_mpifile_ops;
    m->engine.counts = config->counts;
    m->comm = config->comm;
    m->info = info;
    m->fd = -1;
    m->plain = m->viewed = MPI_FILE_NULL;
    m->may_write = config->mode != PCDF_MODE_READ;
    m->view_threshold = config->view_threshold;
    m->path = pcdf_strndup(path, strlen(path));
    if (config->later_path)
        m->later_path = pcdf_strndup(config->later_path, strlen(config->later_path));
    *made = m;
    m->exchange = (struct pcdf_twophase){ .comm = config->comm,
                                          .counts = config->counts,
                                          .path = m->path,
                                          .mover = { m, pcdf_mpifile_put_piece, pcdf_mpifile_get_piece },
                                          .stripe = number_in(config->info, "striping_unit"),
                                          .wish = config->wish };
    m->exchange.wish.total = number_in(config->info, "cb_nodes");
    return m->path && (m->later_path || !config->later_path) ? NC_NOERR : NC_ENOMEM;
}

/* Writers that share a stripe wait for each other where the file system itself has stripes; a hint alone says
 * how the user wants the file shared out. */
static void look_for_stripes(struct pcdf_mpifile *m)
{
    int64_t bytes, count;

    if (!pcdf_filesystem_stripes(pcdf_path_posix(m->path), &bytes, &count))
        return;
    m->engine.stripe = bytes;
    m->exchange.stripe = bytes;
}

int pcdf_mpifile_open_all(const struct pcdf_engine_config *config, struct pcdf_engine **e)
{
    struct pcdf_mpifile *m = NULL;
    MPI_Info info;
    MPI_File file = MPI_FILE_NULL;
    char room[PATH_MAX + 8];
    int status = make_info(config, &info), err = prepare(config, info, &m), amode, flags;

    pcdf_first(&status, err);
    amode = config->mode == PCDF_MODE_READ     ? MPI_MODE_RDONLY
            : config->mode == PCDF_MODE_CREATE ? MPI_MODE_RDWR | MPI_MODE_CREATE
                                               : MPI_MODE_RDWR;
    flags = config->mode == PCDF_MODE_READ     ? O_RDONLY
            : config->mode == PCDF_MODE_CREATE ? O_RDWR | O_CREAT
                                               : O_RDWR;
    if (config->makes_file && config->exclusive)
        amode |= MPI_MODE_EXCL;
    status = agree_open_all(config, flags, status);
    if (!status) { /* on all ranks */
        config->counts->file_open++;
        err = MPI_File_open(config->comm, name_for_mpi(config->path ? config->path : "", room, sizeof room),
                            amode, info, &file);
        if (err)
            status = pcdf_error_from_mpi(err, NC_EFILE, "opening", config->path);
    }
    if (status == NC_NOERR) {
        m->plain = file;
        look_for_stripes(m);
        MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
        *e = &m->engine;
    } else if (m) {
        m->engine.poisoned = true; /* the other ranks' close is not ours: a handle stays with MPI_Finalize */
        pcdf_mpifile_close_all(&m->engine);
    }
    if (!m && info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    return status;
}
