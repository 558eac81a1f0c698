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
/* Of one of another format: its definitions belong to the open file from now on. The image still reads them:
 * they stay until its storage is closed. */
void pcdf_shown_lend(struct pcdf_shown *shown, struct pcdf_meta *meta, struct pcdf_layout *layout);
#endif
