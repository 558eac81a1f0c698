#ifndef PCDF_QUEUE_H
#define PCDF_QUEUE_H
/* The write queue of a file (hint pcdf_async): a put returns when its bytes are in memory of the queue
 * (storage/writequeue.h), and a thread writes them. This part knows what the queues of other ranks may still
 * hold.
 *
 * A queue keeps the order of its own rank alone. So a call whose bytes lie between those of a put that is
 * outstanding, which some rank may not have written yet, waits until all ranks have; and a record is counted
 * when all ranks have written its first put.
 *
 * All ranks keep the same list: what a put covers is agreed by its vote. Each vote also tells up to which put
 * each rank has written everything, so nothing is sent for it. Between puts and gets nothing else is: any
 * other call waits for the queue of its own rank before each vote (waits_for_queue in queue.c), and so finds
 * all written; but a sync by logs and a close in the background do not. */

#include "part.h"

extern const struct pcdf_part_ops pcdf_part_queue;
#endif
