/* See foreignmove.h. */
#include "foreignmove.h"
#include "alloc.h"
#include "status.h"
#include "tool.h"

#include <mpi.h>

enum { TAG_GO, TAG_TILE };
volatile int pcdf_foreign_is_stopped;

struct moving {
    struct pcdf_foreign_tiles tiles, ahead; /* ahead: on rank 0 what was asked for */
    struct pcdf_foreign_slab in;            /* in the source */
    unsigned char *buffer[2];               /* one is filled or written while the other travels */
    MPI_Request request[2];
    int k;         /* the buffer of `ahead` */
    bool is_asked; /* `ahead` is on its way */
};

static int begin(const struct pcdf_foreign_move *m, struct moving *v)
{
    int64_t bytes = pcdf_foreign_tiles_bytes(m->plan, m->chunks);

    *v = (struct moving){ .request = { MPI_REQUEST_NULL, MPI_REQUEST_NULL }, .k = 1 };
    for (int i = 0; i < 2; i++)
        v->buffer[i] = pcdf_malloc((size_t)bytes); /* untouched it takes no room */
    int status = pcdf_foreign_tiles_begin(&v->tiles, m->plan, m->chunks);
    status = status ? status : pcdf_foreign_tiles_begin(&v->ahead, m->plan, m->chunks);
    if (!status && v->buffer[0] && v->buffer[1] && pcdf_foreign_slab_room(&v->in, &m->plan->out))
        return PCDF_TOOL_GOOD;
    return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
}

static void end(struct moving *v)
{
    pcdf_foreign_slab_free(&v->in);
    pcdf_foreign_tiles_end(&v->ahead);
    pcdf_foreign_tiles_end(&v->tiles);
    pcdf_free(v->buffer[1]);
    pcdf_free(v->buffer[0]);
}

static int64_t bytes_of(const struct pcdf_foreign_tiles *t)
{
    return t->slab.n * pcdf_type_size(t->plan->out.vars[t->varid].type);
}

/* The tile's values: they lie elsewhere in the source where dimensions were cut. */
static int read_tile(const struct pcdf_foreign_move *m, const struct pcdf_foreign_tiles *t,
                     struct pcdf_foreign_slab *in, void *values)
{
    const struct pcdf_var *var = &m->plan->out.vars[t->varid];

    in->ndims = t->slab.ndims;
    in->n = t->slab.n;
    for (int i = 0; i < in->ndims; i++) {
        const struct pcdf_copy_cut *cut = &m->plan->cuts[var->dimids[i]];
        in->start[i] = cut->low + t->slab.start[i] * cut->stride;
        in->count[i] = t->slab.count[i];
        in->stride[i] = cut->stride;
    }
    return m->source->read(m->source, m->plan->source[t->varid], in, values);
}

static int write_tile(struct pcdf_foreign_move *m, const struct pcdf_foreign_tiles *t, const void *values)
{
    if (pcdf_foreign_is_stopped)
        return pcdf_tool_unusable(NULL, "stopped by a signal");
    int status = m->write(m->target, t->varid, &t->slab, values);
    m->bytes += status ? 0 : bytes_of(t);
    pcdf_tool_progress_add(m->progress, bytes_of(t));
    return status;
}

/* Of all tiles those of rank `which` of `among`. */
static int move_share(struct pcdf_foreign_move *m, struct moving *v, int which, int among)
{
    int status = PCDF_TOOL_GOOD;

    while (!status && pcdf_foreign_tiles_next(&v->tiles)) {
        if (pcdf_tool_owner(v->tiles.number, among) != which)
            continue;
        status = read_tile(m, &v->tiles, &v->in, v->buffer[0]);
        status = status ? status : write_tile(m, &v->tiles, v->buffer[0]);
    }
    return status;
}

int pcdf_foreign_move_share(struct pcdf_foreign_move *move)
{
    struct moving v;
    int status = begin(move, &v);
    status = status ? status : move_share(move, &v, move->team->rank, move->team->size);
    end(&v);
    return status;
}

/* ---- ranks that read for rank 0 */

static int reader_of(const struct pcdf_foreign_move *m, const struct pcdf_foreign_tiles *t)
{
    return 1 + pcdf_tool_owner(t->number, m->team->size - 1);
}

/* A tile travels when rank 0 has said go, which it says when it has room; an empty one says that reading
 * failed, and is the last. */
static int send_tiles(struct pcdf_foreign_move *m, struct moving *v)
{
    int k = 0, go = 1, status = PCDF_TOOL_GOOD;

    while (go && !status && pcdf_foreign_tiles_next(&v->tiles)) {
        if (reader_of(m, &v->tiles) != m->team->rank)
            continue;
        MPI_Wait(&v->request[k], MPI_STATUS_IGNORE);
        status = read_tile(m, &v->tiles, &v->in, v->buffer[k]);
        MPI_Recv(&go, 1, MPI_INT, 0, TAG_GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (go)
            MPI_Isend(v->buffer[k], status ? 0 : (int)bytes_of(&v->tiles), MPI_BYTE, 0, TAG_TILE,
                      MPI_COMM_WORLD, &v->request[k]);
        k = !k;
    }
    for (int i = 0; i < 2; i++)
        MPI_Wait(&v->request[i], MPI_STATUS_IGNORE);
    return status;
}

static void ask(const struct pcdf_foreign_move *m, struct moving *v)
{
    int go = 1;

    v->is_asked = pcdf_foreign_tiles_next(&v->ahead);
    if (!v->is_asked)
        return;
    int from = reader_of(m, &v->ahead);
    v->k = !v->k;
    MPI_Irecv(v->buffer[v->k], (int)bytes_of(&v->ahead), MPI_BYTE, from, TAG_TILE, MPI_COMM_WORLD,
              &v->request[v->k]);
    MPI_Send(&go, 1, MPI_INT, from, TAG_GO, MPI_COMM_WORLD);
}

/* The tile that was asked for is there: 0; or its reader, that failed, has told why. */
static int wait_for(struct moving *v)
{
    MPI_Status st;
    int got;

    MPI_Wait(&v->request[v->k], &st);
    MPI_Get_count(&st, MPI_BYTE, &got);
    return got == bytes_of(&v->ahead) ? 0 : st.MPI_SOURCE;
}

/* Every reader that has a tile left waits for a word. failed: the one that does not, or 0. Tiles are dealt in
 * turn, so the next size - 1 of them are all readers that have any. */
static void stop_readers(const struct pcdf_foreign_move *m, struct moving *v, int failed)
{
    int stop = 0, size = m->team->size;

    for (int i = 0; i < size - 1 && pcdf_foreign_tiles_next(&v->ahead); i++)
        if (reader_of(m, &v->ahead) != failed)
            MPI_Send(&stop, 1, MPI_INT, reader_of(m, &v->ahead), TAG_GO, MPI_COMM_WORLD);
}

static int take_tiles(struct pcdf_foreign_move *m, struct moving *v)
{
    int failed = 0, status = PCDF_TOOL_GOOD;

    ask(m, v);
    while (!status && !failed && v->is_asked && pcdf_foreign_tiles_next(&v->tiles)) {
        const unsigned char *values = v->buffer[v->k];
        failed = wait_for(v);
        v->is_asked = false;
        if (failed)
            break;
        ask(m, v);
        status = write_tile(m, &v->tiles, values);
    }
    if (v->is_asked) /* the one on its way when writing failed */
        failed = wait_for(v);
    if (status || failed)
        stop_readers(m, v, failed);
    return status || failed ? PCDF_TOOL_UNUSABLE : PCDF_TOOL_GOOD;
}

int pcdf_foreign_move_to_root_all(struct pcdf_foreign_move *move)
{
    struct moving v;
    int mine = begin(move, &v);
    int status = pcdf_tool_worst_all(move->team, mine); /* the same on all ranks, as is the team */

    if (!status && move->team->size == 1)
        status = move_share(move, &v, 0, 1);
    else if (!status)
        status = move->team->rank == 0 ? take_tiles(move, &v) : send_tiles(move, &v);
    end(&v);
    return status;
}
