#ifndef TRACELOG_H
#define TRACELOG_H
/* The log of this rank's file operations that hint pcdf_trace writes (storage/tracefile.h), read back. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct trace_row {
    char op[16];
    long long pieces, first, bytes;
    int result;
};

struct trace_log {
    struct trace_row *rows;
    int n;
};

/* Rows from `skip` on. The caller frees log.rows. */
static inline struct trace_log trace_read(const char *path, int rank, int skip)
{
    struct trace_log log = { 0 };
    struct trace_row row;
    char name[1200], line[4200];
    snprintf(name, sizeof name, "%s.%d", path, rank);
    FILE *in = fopen(name, "r");
    while (in && fgets(line, sizeof line, in)) /* calls and remarks stand between the operations */
        if (sscanf(line, "%15s %lld %lld %lld %d", row.op, &row.pieces, &row.first, &row.bytes,
                   &row.result) == 5 &&
            skip-- <= 0) {
            log.rows = realloc(log.rows, (size_t)(log.n + 1) * sizeof row);
            log.rows[log.n++] = row;
        }
    if (in)
        fclose(in);
    return log;
}

static inline int trace_length(const char *path, int rank)
{
    struct trace_log log = trace_read(path, rank, 0);
    free(log.rows);
    return log.n;
}

static inline void trace_remove(const char *path, int rank)
{
    char name[1200];
    snprintf(name, sizeof name, "%s.%d", path, rank);
    unlink(name);
}

static inline bool trace_is(const struct trace_row *row, const char *op)
{
    return strcmp(row->op, op) == 0;
}
#endif
