#ifndef PCDF_SHOWN_H
#define PCDF_SHOWN_H
/* A file that is shown: one of another format, or a classic one that is far away. All that an open file keeps
 * of it; who is not of this folder, or opens such files, knows it only by the functions. */

#include <stdbool.h>
#include <stdint.h>

struct pcdf_image;
struct pcdf_layout;
struct pcdf_meta;
struct pcdf_nodecache;

enum pcdf_chunk_share { PCDF_CHUNK_SHARE_AUTO, PCDF_CHUNK_SHARE_ENABLE, PCDF_CHUNK_SHARE_DISABLE };

struct pcdf_shown {
    struct pcdf_image *image;    /* what the storage shows */
    int64_t cache;               /* bytes of decoded chunks that this process keeps for itself */
    struct pcdf_nodecache *node; /* those that the ranks of the node share; NULL: none */
    enum pcdf_chunk_share share; /* which ones these are */
};

/* NULL: no memory. */
struct pcdf_shown *pcdf_shown_make(void);
/* With its image and its share of the node's memory. May be NULL. */
void pcdf_shown_free(struct pcdf_shown *shown);
/* Is it of another format? Not a classic file, far or near (NULL). */
bool pcdf_shown_is_other(const struct pcdf_shown *shown);
/* Of one of another format: its NC_FORMAT_. */
int pcdf_shown_format(const struct pcdf_shown *shown);
struct pcdf_shown_options { /* what an opener of a file chooses */
    bool for_writing;
    int64_t map_seconds, map_memory; /* limits of the process that reads definitions (source.h) */
    const char *references;          /* hint pcdf_references */
};
/* What is that file? *shown: of one that is shown; NULL: it is opened as always. *is_seen: it is a classic
 * file, and was read from: it can be opened for reading. NC_EPERM: a URL is to be written to. Rank 0. */
int pcdf_shown_look(const char *path, const struct pcdf_shown_options *options, struct pcdf_shown **shown,
                    bool *is_seen);
/* NC_EPERM: it is to be written to, and nobody can. */
int pcdf_shown_refuse_writing(const struct pcdf_shown *shown, const char *path);
/* Is it one of netCDF-4? */
bool pcdf_shown_is_netcdf4(const struct pcdf_shown *shown);
/* The name of the storage that shows it. */
const char *pcdf_shown_storage(const struct pcdf_shown *shown);
/* At the end of an open that succeeded: what was left out is a warning. May be NULL. */
void pcdf_shown_warn(const struct pcdf_shown *shown);
/* The NC_FORMAT_ of a file by its name; 0: it is none of these. */
int pcdf_shown_format_of(const char *path, int *format);
/* Of one of another format: its definitions belong to the open file from now on. The image still reads them:
 * they stay until its storage is closed. */
void pcdf_shown_lend(struct pcdf_shown *shown, struct pcdf_meta *meta, struct pcdf_layout *layout);
#endif
