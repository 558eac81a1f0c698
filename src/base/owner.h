#ifndef PCDF_OWNER_H
#define PCDF_OWNER_H
/* Who works on a file: enough about a process that another one, later and perhaps elsewhere, can tell whether
 * it still runs. */

#include <stdint.h>

enum { PCDF_OWNER_HOST = 64, PCDF_OWNER_BOOT = 40 };

struct pcdf_owner {
    int64_t process;
    int64_t started;            /* in ticks since its machine started: /proc/PID/stat, field 22 */
    int64_t space;              /* of process numbers: the inode of /proc/PID/ns/pid */
    char host[PCDF_OWNER_HOST]; /* for people; containers of one machine have several */
    char boot[PCDF_OWNER_BOOT]; /* of this start of the machine: /proc/sys/kernel/random/boot_id */
};

/* What cannot be found out is 0 or "". Local. */
void pcdf_owner_self(struct pcdf_owner *owner);

enum pcdf_owner_state {
    PCDF_OWNER_SELF,      /* this process */
    PCDF_OWNER_RUNS,      /* a process of this machine */
    PCDF_OWNER_ENDED,     /* it was one of this machine */
    PCDF_OWNER_HIDDEN,    /* on this machine, in another space of process numbers: a container */
    PCDF_OWNER_RESTARTED, /* on a host of this name, started anew since; or a container elsewhere */
    PCDF_OWNER_ELSEWHERE, /* another host */
    PCDF_OWNER_UNKNOWN
};
enum pcdf_owner_state pcdf_owner_look(const struct pcdf_owner *owner);
#endif
