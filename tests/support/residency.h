#ifndef RESIDENCY_H
#define RESIDENCY_H
/* What this process holds of memory and descriptors, as the system tells, for tests that bound it. */

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a line of /proc/self/status ("VmRSS:", "VmHWM:"); negative where there is none. */
static inline int64_t residency_bytes(const char *key)
{
    char line[256];
    long long kib = -1;
    FILE *f = fopen("/proc/self/status", "r");
    size_t n = strlen(key);
    while (f && kib < 0 && fgets(line, sizeof line, f))
        if (!strncmp(line, key, n))
            kib = atoll(line + n);
    if (f)
        fclose(f);
    return 1024 * kib;
}

/* Entries of /proc/self/fd: open descriptors, and always the same number more. Negative where there is none.
 */
static inline int residency_descriptors(void)
{
    int n = 0;
    DIR *folder = opendir("/proc/self/fd");
    if (!folder)
        return -1;
    while (readdir(folder))
        n++;
    closedir(folder);
    return n;
}

/* The peak is what is held now. False where the kernel does not let us. */
static inline bool residency_reset_peak(void)
{
    FILE *f = fopen("/proc/self/clear_refs", "w");
    bool good = f && fputs("5", f) >= 0;
    return f ? fclose(f) == 0 && good : false;
}
#endif
