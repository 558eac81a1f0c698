/* The step of mput and mget: several variables in one call. */
#include "program.h"

struct many {
    int num;
    struct part parts[MANY];
    void *values[MANY]; /* of puts */
};

static int many_here(const struct many *m, bool put, char **bufs)
{
    int ids[MANY];
    MPI_Offset *starts[MANY], *counts[MANY], *strides[MANY], n[MANY];
    MPI_Datatype types[MANY];
    for (int i = 0; i < m->num; i++) {
        const struct part *p = &m->parts[i];
        ids[i] = p->varid;
        starts[i] = (MPI_Offset *)p->start;
        counts[i] = (MPI_Offset *)p->count;
        strides[i] = (MPI_Offset *)p->stride;
        n[i] = (MPI_Offset)p->n;
        types[i] = mem_datatype(p->mem);
    }
    struct call call = { .ncid = g.ncid,
                         .put = put,
                         .collective = g.mode == MODE_COLLECTIVE,
                         .form = m->num ? m->parts[0].form : FORM_VARA,
                         .starts = starts,
                         .counts = counts };
    return many_run(&call, m->num, ids, strides, (void **)bufs, n, types);
}

/* Runs the call here and checks buffers and code. */
static void many_check(const struct many *m, bool put, int want)
{
    char *bufs[MANY];
    bool loose = false;
    for (int i = 0; i < m->num; i++) {
        size_t bytes = (m->parts[i].memory + 1) * mem_sizes[m->parts[i].mem];
        bufs[i] = put ? memcpy(malloc(bytes), m->values[i], bytes) : get_buffer(&m->parts[i]);
    }
    int err = many_here(m, put, bufs);
    for (int i = 0; i < m->num; i++) {
        bool sure = true;
        int code = put ? NC_NOERR : check_got(&m->parts[i], bufs[i], &sure);
        want = want ? want : code;
        loose |= !sure;
        free(bufs[i]);
    }
    if (err != want && !(loose && !want && err == NC_ERANGE))
        say("mput or mget gives %s, not %s", ncmpi_strerrno(err), ncmpi_strerrno(want));
}

static void choose_many(struct many *m, int rank, bool put)
{
    static const enum form forms[] = { FORM_VAR, FORM_VARA, FORM_VARS };
    only_form = forms[below(3)];
    m->num = (int)below(MANY + 1);
    for (int i = 0; i < m->num; i++) {
        struct part *p = &m->parts[i];
        *p = (struct part){ .rank = rank, .serial = i };
        if (!choose_part(p, put, (int)below(now.nvars))) { /* another put has it */
            part_free(p);
            m->num = i;
            break;
        }
        p->no_stride = false;
        tell_part(p, put);
    }
    only_form = FORMS;
}

void step_many(void)
{
    static struct many many[MAX_RANKS];
    bool put = one_in(2), collective = g.mode == MODE_COLLECTIVE;
    int want = NC_NOERR;
    if (!now.nvars)
        return;
    tell("%s", put ? "mput" : "mget");
    memset(taken, 0, sizeof taken);
    memset(many, 0, sizeof many);
    for (int r = 0; r < g.size; r++)
        choose_many(&many[r], r, put);
    for (int r = 0; r < g.size && put; r++)
        for (int i = 0; i < many[r].num; i++) {
            struct part *p = &many[r].parts[i];
            many[r].values[i] = make_values(p);
            int code = model_put(p, many[r].values[i]);
            want = r == g.rank && code ? code : want;
            if (p->n && p->records > g.numrecs[r])
                g.numrecs[r] = p->records;
        }
    many_check(&many[g.rank], put, want);
    if (put && collective)
        agree_records();
    for (int r = 0; r < g.size; r++)
        for (int i = 0; i < many[r].num; i++) {
            free(many[r].values[i]);
            part_free(&many[r].parts[i]);
        }
    maps_free(taken);
}
