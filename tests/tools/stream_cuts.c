/* Delivers cut streams by the code of `parcdf copy - OUT`, many in one process. Lines of standard input: FILE
 * CUT PIECE OUT: of the file the first CUT bytes come, PIECE at a time; what is to be delivered is OUT. For
 * each, one line: 0, or the code of an error; then records, size, bytes missing, bytes thrown away, and
 * whether the variables without records are whole. */
#include "copystream.h"
#include "status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int put(void *to, const unsigned char *bytes, size_t n)
{
    return fwrite(bytes, 1, n, to) == n ? NC_NOERR : NC_EWRITE;
}

static unsigned char *read_all(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END))
        return NULL;
    *n = (size_t)ftell(f);
    unsigned char *bytes = malloc(*n + 1);
    rewind(f);
    if (fread(bytes, 1, *n, f) != *n)
        exit(3);
    fclose(f);
    return bytes;
}

static int deliver(const unsigned char *bytes, size_t cut, size_t piece, const char *to,
                   struct pcdf_copystream_end *end)
{
    FILE *out = fopen(to, "wb");
    struct pcdf_copystream s = { .put = put, .context = out };
    int err = out ? NC_NOERR : NC_EWRITE;
    for (size_t at = 0, n; at < cut && !err; at += n) {
        n = cut - at < piece ? cut - at : piece;
        err = pcdf_copystream_take(&s, bytes + at, n);
    }
    if (!err)
        err = pcdf_copystream_finish(&s, end);
    if (!err) {
        fflush(out);
        if (ftruncate(fileno(out), end->size) || fseek(out, 4, SEEK_SET) ||
            fwrite(end->count, 1, (size_t)end->width, out) != (size_t)end->width)
            err = NC_EWRITE;
    }
    if (out)
        fclose(out);
    pcdf_copystream_free(&s);
    return err;
}

int main(void)
{
    char from[1000], to[1000], last[1000] = "";
    size_t cut, piece, n = 0;
    unsigned char *bytes = NULL;
    while (scanf("%999s %zu %zu %999s", from, &cut, &piece, to) == 4) {
        struct pcdf_copystream_end end = { 0 };
        if (strcmp(from, last) != 0) {
            free(bytes);
            bytes = read_all(from, &n);
            strcpy(last, from);
        }
        if (!bytes || cut > n)
            return 2;
        int err = deliver(bytes, cut, piece, to, &end);
        printf("%d %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %d\n", err, end.numrecs, end.size,
               end.missing, end.behind, end.has_fixed);
        fflush(stdout);
    }
    free(bytes);
    return 0;
}
