/* See stripedstorage.h. */

#include "stripedstorage.h"
#include <stdlib.h>
#include "status.h"

static struct {
    struct striped_put *puts;
    size_t n, room;
    int64_t call;
} noted = { .call = -1 };

void striped_next(void)
{
    noted.call++;
}

const struct striped_put *striped_puts(size_t *n)
{
    *n = noted.n;
    return noted.puts;
}

void striped_forget(void)
{
    noted.n = 0;
    noted.call = -1;
}

static int striped_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    for (size_t i = 0; x->dir == PCDF_PUT && noted.call >= 0 && i < x->n; i++) {
        if (noted.n == noted.room) {
            size_t room = 2 * noted.room + 1024;
            struct striped_put *puts = realloc(noted.puts, room * sizeof *puts);
            if (!puts)
                return PCDF_FAIL(NC_ENOMEM, "no memory to note a put in");
            noted.puts = puts;
            noted.room = room;
        }
        noted.puts[noted.n++] = (struct striped_put){ noted.call, x->pieces[i].offset, x->pieces[i].length };
    }
    return pcdf_storage_move(s->below, x, got);
}

static const struct pcdf_storage_ops striped_ops = { .name = "striped", .move = striped_move };

int striped_stack(const char *value, int rank, struct pcdf_storage **top)
{
    struct pcdf_storage *s = pcdf_storage_make(sizeof *s, &striped_ops, *top, NULL);
    (void)value, (void)rank;
    if (!s)
        return NC_ENOMEM;
    *top = s;
    return NC_NOERR;
}
