/* See debuglog.h. */
#include "debuglog.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "crc32c.h"
#include "status.h"
#include "worldmodel.h"

static bool is_set(const char *name)
{
    const char *text = getenv(name);
    return text && *text && *text != '0';
}

bool pcdf_debuglog_is_on(void)
{
    return is_set("PARCDF_DEBUG") || is_set("PNETCDF_VERBOSE_DEBUG_MODE");
}

/* One write a line, so that the lines of several ranks do not mix. */
static void print(const char *text)
{
    dprintf(STDERR_FILENO, "parcdf: rank %d: %s\n", pcdf_world_rank(), text);
}

void pcdf_debuglog(const char *format, ...)
{
    char text[1024];
    va_list args;
    if (!pcdf_debuglog_is_on())
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    print(text);
}

void pcdf_debuglog_tell(const char *format, ...)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    /* CRCs of what this process told. When the table is full, it has told enough. */
    static uint32_t told[64];
    static size_t n;
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (pcdf_debuglog_is_on())
        print(text);
    if (pcdf_debuglog_is_on() || is_set("PARCDF_QUIET"))
        return;
    uint32_t crc = pcdf_crc32c(0, text, strlen(text));
    pthread_mutex_lock(&lock);
    bool is_told = n == sizeof told / sizeof told[0];
    for (size_t i = 0; i < n; i++)
        is_told |= told[i] == crc;
    if (!is_told)
        told[n++] = crc;
    pthread_mutex_unlock(&lock);
    if (!is_told)
        dprintf(STDERR_FILENO, "parcdf: %s\n", text);
}
