#ifndef PCDF_STAGING_H
#define PCDF_STAGING_H
/* The second tier of the write queue (hint pcdf_stage_dir): each rank's log of puts on storage of its node,
 * from open to close. All ranks have one, or none. storage/stagelog.h is the log; storage/stagereplay.h what
 * is done with the logs after a crash.
 *
 * With logs, a sync in collective mode acknowledges what is in the file or in the logs; the header counts
 * records when they are in the file. What ends, publishes or moves something waits for the file as always,
 * after which the logs are empty. */

#include "part.h"

extern const struct pcdf_part_ops pcdf_part_staging;
#endif
