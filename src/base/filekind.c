/* See filekind.h. */
#include "filekind.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY  "`parcdf copy FILE out.nc` makes a netCDF classic file of it"
#define UNDO  "undo that first"
#define LEADS "of URLs those of http, https, s3 and file are read, and none is written"

static const char *const sentences[] = {
    [PCDF_FILEKIND_CLASSIC] = "this is a netCDF classic file; `parcdf dump FILE` prints it as CDL text",
    [PCDF_FILEKIND_EMPTY] = "the file is empty: nothing has been written to it yet, or a copy failed",
    [PCDF_FILEKIND_HDF5] = "this is an HDF5 file, as those of netCDF-4 are; " COPY,
    [PCDF_FILEKIND_HDF5_MARKED] =
        "this is an HDF5 file whose metadata a job is changing, or was changing when it crashed; then "
        "`parcdf repair FILE` finishes the change",
    [PCDF_FILEKIND_HDF4] = "this is an HDF4 file; " COPY,
    [PCDF_FILEKIND_ZARR] = "this folder is a Zarr store; " COPY,
    [PCDF_FILEKIND_ZARR3] = "this folder is a Zarr store of version 3; " COPY,
    [PCDF_FILEKIND_FOLDER] = "this is a folder, not a file",
    [PCDF_FILEKIND_ZIP] = "this is a zip archive; unpack it first (`unzip FILE`) and name what is inside",
    [PCDF_FILEKIND_GZIP] = "this file is compressed with gzip; " UNDO " (`gunzip -k FILE`)",
    [PCDF_FILEKIND_BZIP2] = "this file is compressed with bzip2; " UNDO " (`bunzip2 -k FILE`)",
    [PCDF_FILEKIND_XZ] = "this file is compressed with xz; " UNDO " (`unxz -k FILE`)",
    [PCDF_FILEKIND_ZSTD] = "this file is compressed with zstd; " UNDO " (`unzstd FILE`)",
    [PCDF_FILEKIND_GRIB] =
        "this is a GRIB file; other programs make netCDF of it (`cdo -f nc copy FILE out.nc`)",
    [PCDF_FILEKIND_CDL] = "this is CDL text; `parcdf gen -o out.nc FILE` makes a netCDF file of it",
    [PCDF_FILEKIND_HTML] = "this is a page of HTML, perhaps what a server said in the place of the file",
    [PCDF_FILEKIND_LFS] = "this is a pointer of Git LFS in the place of the file; `git lfs pull` brings it",
    [PCDF_FILEKIND_TEXT] = "this is text",
    [PCDF_FILEKIND_ZARR_URL] = "this is the URL of a Zarr store; " COPY,
    [PCDF_FILEKIND_FILE_URL] = "this is a URL; " LEADS "; give the path behind file:// alone",
    [PCDF_FILEKIND_BUCKET_URL] = "this is a URL of an object store; " LEADS,
    [PCDF_FILEKIND_URL] = "this is a URL; " LEADS,
};

const char *pcdf_filekind_say(enum pcdf_filekind kind, const char *path, char room[PCDF_FILEKIND_ROOM])
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+:=,@%-";
    const char *text = sentences[kind], *at = path && text ? strstr(text, "FILE") : NULL;
    size_t n = path ? strlen(path) : 0;

    /* With quotes, perhaps, the path is a word for a shell, unless it is too long, or odd. */
    bool is_odd = n == 0 || n > 120 || path[0] == '-' || strpbrk(path, "'\"\\");
    for (size_t i = 0; i < n && !is_odd; i++)
        is_odd = (unsigned char)path[i] < ' ' || path[i] == 0x7f;
    if (!at || is_odd)
        return text;
    const char *quote = strspn(path, plain) == n ? "" : "'";
    snprintf(room, PCDF_FILEKIND_ROOM, "%.*s%s%s%s%s", (int)(at - text), text, quote, path, quote,
             at + strlen("FILE"));
    return room;
}

/* ---- bytes */

static const struct {
    const char *bytes;
    size_t n;
    enum pcdf_filekind kind;
} signatures[] = {
    { "CDF\1", 4, PCDF_FILEKIND_CLASSIC },
    { "CDF\2", 4, PCDF_FILEKIND_CLASSIC },
    { "CDF\5", 4, PCDF_FILEKIND_CLASSIC },
    { "\x0e\x03\x13\x01", 4, PCDF_FILEKIND_HDF4 },
    { PCDF_HDF5_MARKED, 8, PCDF_FILEKIND_HDF5_MARKED },
    { "PK\3\4", 4, PCDF_FILEKIND_ZIP },
    { "PK\5\6", 4, PCDF_FILEKIND_ZIP }, /* without members */
    { "\x1f\x8b", 2, PCDF_FILEKIND_GZIP },
    { "BZh", 3, PCDF_FILEKIND_BZIP2 },
    { "\xfd"
      "7zXZ",
      6, PCDF_FILEKIND_XZ },
    { "\x28\xb5\x2f\xfd", 4, PCDF_FILEKIND_ZSTD },
    { "GRIB", 4, PCDF_FILEKIND_GRIB },
};
static const char hdf5[] = "\x89HDF\r\n\x1a\n";
enum { HDF5_BYTES = 8, HEAD = 1024 };

/* The kind of a text by its first word that is neither blank nor comment (of CDL); OTHER: it is no text. */
static enum pcdf_filekind kind_of_text(const unsigned char *bytes, size_t n)
{
    static const struct {
        const char *word;
        enum pcdf_filekind kind;
    } words[] = {
        { "netcdf ", PCDF_FILEKIND_CDL },
        { "netcdf\n", PCDF_FILEKIND_CDL },
        { "<!doctype html", PCDF_FILEKIND_HTML },
        { "<html", PCDF_FILEKIND_HTML },
        { "version https://git-lfs", PCDF_FILEKIND_LFS },
    };
    size_t at = 0;
    for (size_t i = 0; i < n; i++)
        if ((bytes[i] < ' ' && !isspace(bytes[i])) || bytes[i] == 0x7f)
            return PCDF_FILEKIND_OTHER;
    for (;;) {
        while (at < n && isspace(bytes[at]))
            at++;
        if (at + 1 >= n || bytes[at] != '/' || bytes[at + 1] != '/')
            break;
        while (at < n && bytes[at] != '\n')
            at++;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].word);
        if (n - at >= length && strncasecmp((const char *)bytes + at, words[i].word, length) == 0)
            return words[i].kind;
    }
    return PCDF_FILEKIND_TEXT;
}

enum pcdf_filekind pcdf_filekind_of_bytes(const unsigned char *bytes, size_t n)
{
    if (n == 0)
        return PCDF_FILEKIND_EMPTY;
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
        if (n >= signatures[i].n && memcmp(bytes, signatures[i].bytes, signatures[i].n) == 0)
            return signatures[i].kind;
    for (size_t at = 0; at + HDF5_BYTES <= n; at = at ? 2 * at : 512)
        if (memcmp(bytes + at, hdf5, HDF5_BYTES) == 0)
            return PCDF_FILEKIND_HDF5;
    return kind_of_text(bytes, n < HEAD ? n : HEAD);
}

/* ---- paths */

static size_t read_at(int fd, unsigned char *bytes, size_t n, off_t at)
{
    size_t done = 0;
    ssize_t got = lseek(fd, at, SEEK_SET) == at;
    for (; done < n && got > 0; done += got > 0 ? (size_t)got : 0)
        got = read(fd, bytes + done, n - done);
    return done;
}

static enum pcdf_filekind kind_of_file(const char *path)
{
    unsigned char bytes[HEAD];
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return PCDF_FILEKIND_OTHER;
    enum pcdf_filekind kind = PCDF_FILEKIND_OTHER;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        size_t n = read_at(fd, bytes, HEAD, 0);
        kind = n > 0 || st.st_size == 0 ? pcdf_filekind_of_bytes(bytes, n) : PCDF_FILEKIND_OTHER;
        /* The signature of HDF5 may stand further on than the first bytes. */
        bool may_be_hdf5 = kind == PCDF_FILEKIND_OTHER || kind == PCDF_FILEKIND_TEXT;
        for (off_t at = HEAD; may_be_hdf5 && at < INT64_C(1) << 40; at *= 2) {
            may_be_hdf5 = read_at(fd, bytes, HDF5_BYTES, at) == HDF5_BYTES;
            if (may_be_hdf5 && memcmp(bytes, hdf5, HDF5_BYTES) == 0)
                kind = PCDF_FILEKIND_HDF5;
        }
    }
    close(fd);
    return kind;
}

static enum pcdf_filekind kind_of_name(const char *name)
{
    const char *colon = strstr(name, "://"), *hash = strrchr(name, '#');
    if (!colon || colon == name ||
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-") <
            (size_t)(colon - name))
        return PCDF_FILEKIND_OTHER;
    if (strncmp(name, "file:", 5) == 0)
        return hash && strstr(hash, "zarr") ? PCDF_FILEKIND_ZARR_URL : PCDF_FILEKIND_FILE_URL;
    if (strncmp(name, "s3:", 3) == 0 || strncmp(name, "gs:", 3) == 0)
        return PCDF_FILEKIND_BUCKET_URL;
    return PCDF_FILEKIND_URL;
}

enum pcdf_filekind pcdf_filekind_of(const char *path)
{
    static const char *const signs[] = { ".zgroup", ".zarray", ".zmetadata", ".nczarr", ".zattrs" };
    struct stat st;
    if (stat(path, &st) != 0)
        return kind_of_name(path);
    if (S_ISREG(st.st_mode))
        return kind_of_file(path);
    if (!S_ISDIR(st.st_mode))
        return PCDF_FILEKIND_OTHER;

    /* A folder: what is in it tells. */
    enum pcdf_filekind kind = PCDF_FILEKIND_FOLDER;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return kind;
    if (fstatat(fd, "zarr.json", &st, 0) == 0)
        kind = PCDF_FILEKIND_ZARR3;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (fstatat(fd, signs[i], &st, 0) == 0)
            kind = PCDF_FILEKIND_ZARR;
    close(fd);
    return kind;
}
