/* See foreignmove.h. */
#include "foreignmove.h"
#include "foreignpack.h"
#include "alloc.h"
#include "copybox.h"
#include "status.h"
#include "tool.h"

#include <mpi.h>

enum { TAG_GO, TAG_TILE };
volatile int pcdf_foreign_is_stopped;

struct moving {
    struct pcdf_copy_tiles tiles, ahead; /* ahead: on rank 0 what was asked for */
    struct pcdf_foreign_pack pack;
    unsigned char *values;    /* of a tile that is to be packed */
    unsigned char *buffer[2]; /* one is filled or written while the other travels */
    int64_t room;             /* of each */
    MPI_Request request[2];
    int k;         /* the buffer of `ahead` */
    bool is_asked; /* `ahead` is on its way */
};

static int begin(const struct pcdf_foreign_move *m, struct moving *v)
{
    const struct pcdf_copy_tiling how = { .meta = &m->plan->out, .chunks = m->chunks, .chosen = m->chosen };
    int64_t bytes = pcdf_copy_tiles_bytes(&how);

    *v = (struct moving){ .request = { MPI_REQUEST_NULL, MPI_REQUEST_NULL }, .k = 1 };
    v->room = m->deflate ? pcdf_foreign_pack_most(&how) : bytes;
    v->values = pcdf_malloc(m->deflate ? (size_t)bytes : 1); /* untouched it takes no room */
    for (int i = 0; i < 2; i++)
        v->buffer[i] = pcdf_malloc((size_t)v->room + 1);
    int status = pcdf_copy_tiles_begin(&v->tiles, how);
    status = status ? status : pcdf_copy_tiles_begin(&v->ahead, how);
    if (!status && m->deflate)
        status = pcdf_foreign_pack_begin(&v->pack, &how, m->deflate);
    if (status || (v->values && v->buffer[0] && v->buffer[1]))
        return status;
    return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
}

static void end(const struct pcdf_foreign_move *m, struct moving *v)
{
    if (m->deflate)
        pcdf_foreign_pack_end(&v->pack);
    pcdf_copy_tiles_end(&v->ahead);
    pcdf_copy_tiles_end(&v->tiles);
    pcdf_free(v->buffer[1]);
    pcdf_free(v->buffer[0]);
    pcdf_free(v->values);
}

static int64_t bytes_of(const struct pcdf_copy_tiles *t)
{
    return t->n * pcdf_type_size(t->how.meta->vars[t->varid].type);
}

/* The tile as it travels and is written: values, or chunks. */
static int read_tile(const struct pcdf_foreign_move *m, struct moving *v, unsigned char *to, int64_t *bytes)
{
    const struct pcdf_copy_tiles *t = &v->tiles;
    unsigned char *values = m->deflate ? v->values : to;
    int status = pcdf_copy_read_box(m->plan, m->from, t->varid, t->start, t->count, true, values);

    *bytes = bytes_of(t);
    if (!status && m->deflate)
        *bytes = pcdf_foreign_pack_tile(&v->pack, t, values, to);
    return status;
}

static int write_chunks(struct pcdf_foreign_move *m, struct moving *v, const unsigned char *at)
{
    struct pcdf_foreign_chunk chunk;
    int status = PCDF_TOOL_GOOD;

    pcdf_foreign_unpack_begin(&v->pack, &v->tiles);
    while (!status && pcdf_foreign_unpack_next(&v->pack, &at, &chunk))
        status = pcdf_h5_write(m->chunk_target, v->tiles.varid, &chunk);
    return status;
}

static int write_tile(struct pcdf_foreign_move *m, struct moving *v, const unsigned char *tile)
{
    const struct pcdf_copy_tiles *t = &v->tiles;
    if (pcdf_foreign_is_stopped)
        return pcdf_tool_unusable(NULL, "stopped by a signal");
    int status =
        m->deflate ? write_chunks(m, v, tile) : pcdf_nc_write(m->target, t->varid, t->start, t->count, tile);
    m->bytes += status ? 0 : bytes_of(t);
    pcdf_tool_progress_add(m->progress, bytes_of(t));
    return status;
}

/* A tile that rank 0 both reads and writes. */
static int do_tile(struct pcdf_foreign_move *m, struct moving *v, unsigned char *room)
{
    int64_t bytes;
    int status = read_tile(m, v, room, &bytes);
    return status ? status : write_tile(m, v, room);
}

static int move_alone(struct pcdf_foreign_move *m, struct moving *v)
{
    int status = PCDF_TOOL_GOOD;

    while (!status && pcdf_copy_tiles_next(&v->tiles))
        status = do_tile(m, v, v->buffer[0]);
    return status;
}

/* ---- ranks that read for rank 0 */

/* Rank 0 has time for tiles of its own where the work is to compress them. */
static int reader_of(const struct pcdf_foreign_move *m, const struct pcdf_copy_tiles *t)
{
    return m->deflate ? pcdf_tool_owner(t->unit, m->ranks->size)
                      : 1 + pcdf_tool_owner(t->unit, m->ranks->size - 1);
}

/* A tile travels when rank 0 has said go, which it says when it has room; an empty one says that reading
 * failed, and is the last. */
static int send_tiles(struct pcdf_foreign_move *m, struct moving *v)
{
    int k = 0, go = 1, status = PCDF_TOOL_GOOD;
    int64_t bytes;

    while (go && !status && pcdf_copy_tiles_next(&v->tiles)) {
        if (reader_of(m, &v->tiles) != m->ranks->rank)
            continue;
        MPI_Wait(&v->request[k], MPI_STATUS_IGNORE);
        status = read_tile(m, v, v->buffer[k], &bytes);
        MPI_Recv(&go, 1, MPI_INT, 0, TAG_GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (go)
            MPI_Isend(v->buffer[k], status ? 0 : (int)bytes, MPI_BYTE, 0, TAG_TILE, MPI_COMM_WORLD,
                      &v->request[k]);
        k = !k;
    }
    for (int i = 0; i < 2; i++)
        MPI_Wait(&v->request[i], MPI_STATUS_IGNORE);
    return status;
}

/* For the next tile that another rank reads. */
static void ask(const struct pcdf_foreign_move *m, struct moving *v)
{
    int go = 1;

    do
        v->is_asked = pcdf_copy_tiles_next(&v->ahead);
    while (v->is_asked && reader_of(m, &v->ahead) == 0);
    if (!v->is_asked)
        return;
    int from = reader_of(m, &v->ahead);
    v->k = !v->k;
    MPI_Irecv(v->buffer[v->k], (int)v->room, MPI_BYTE, from, TAG_TILE, MPI_COMM_WORLD, &v->request[v->k]);
    MPI_Send(&go, 1, MPI_INT, from, TAG_GO, MPI_COMM_WORLD);
}

/* The tile that was asked for is there: 0; or its reader, that failed, has told why. */
static int wait_for(struct moving *v)
{
    MPI_Status st;
    int got;

    MPI_Wait(&v->request[v->k], &st);
    MPI_Get_count(&st, MPI_BYTE, &got);
    return got > 0 ? 0 : st.MPI_SOURCE;
}

/* Every reader that has a tile left waits for a word. failed: the one that does not, or 0. Tiles are dealt in
 * turn, so the next `size` of them are all readers that have any. */
static void stop_readers(const struct pcdf_foreign_move *m, struct moving *v, int failed)
{
    int stop = 0, size = m->ranks->size;

    for (int i = 0; i < (m->deflate ? size : size - 1) && pcdf_copy_tiles_next(&v->ahead); i++)
        if (reader_of(m, &v->ahead) != failed && reader_of(m, &v->ahead) != 0)
            MPI_Send(&stop, 1, MPI_INT, reader_of(m, &v->ahead), TAG_GO, MPI_COMM_WORLD);
}

/* In their order, each from where it comes. */
static int take_tiles(struct pcdf_foreign_move *m, struct moving *v)
{
    unsigned char *own = m->deflate ? pcdf_malloc((size_t)v->room + 1) : NULL;
    int failed = 0, status = PCDF_TOOL_GOOD;

    if (m->deflate && !own)
        status = pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    ask(m, v);
    while (!status && !failed && pcdf_copy_tiles_next(&v->tiles)) {
        if (reader_of(m, &v->tiles) == 0) {
            status = do_tile(m, v, own);
            continue;
        }
        const unsigned char *tile = v->buffer[v->k];
        failed = wait_for(v);
        v->is_asked = false;
        if (failed)
            break;
        ask(m, v);
        status = write_tile(m, v, tile);
    }
    if (v->is_asked) /* the one on its way when writing failed */
        failed = wait_for(v);
    if (status || failed)
        stop_readers(m, v, failed);
    pcdf_free(own);
    return status || failed ? PCDF_TOOL_UNUSABLE : PCDF_TOOL_GOOD;
}

int pcdf_foreign_move_to_root_all(struct pcdf_foreign_move *move)
{
    struct moving v;
    int mine = begin(move, &v);
    int status = pcdf_tool_worst_all(move->ranks, mine); /* the same on all ranks */

    if (!status && move->ranks->size == 1)
        status = move_alone(move, &v);
    else if (!status)
        status = move->ranks->rank == 0 ? take_tiles(move, &v) : send_tiles(move, &v);
    end(move, &v);
    return status;
}
