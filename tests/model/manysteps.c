/* The step of mput and mget: several variables in one call, typed or flexible. A bad argument for one of them
 * is the answer to the whole call of this rank, which then moves nothing. */
#include "program.h"

struct many {
    int num, error; /* error: of the first part that has one */
    bool flexible;
    enum form form;
    enum mem mem; /* of all, when typed */
    struct part parts[MANY];
    void *values[MANY]; /* of puts */
};

static int many_here(const struct many *m, bool put, bool collective, char **bufs)
{
    int ids[MANY], err;
    MPI_Offset *starts[MANY], *counts[MANY], *strides[MANY], *imaps[MANY], bufcounts[MANY];
    MPI_Datatype types[MANY];
    void *bases[MANY];
    bool derived[MANY];
    for (int i = 0; i < m->num; i++) {
        const struct part *p = &m->parts[i];
        struct described d = { .base = bufs[i] };
        derived[i] = m->flexible && describe(p, bufs[i], &d);
        ids[i] = p->varid;
        starts[i] = p->no_start ? NULL : (MPI_Offset *)p->start;
        counts[i] = p->no_count ? NULL : (MPI_Offset *)p->count;
        strides[i] = p->no_stride ? NULL : (MPI_Offset *)p->stride;
        imaps[i] = p->no_imap ? NULL : (MPI_Offset *)p->imap;
        bases[i] = d.base;
        bufcounts[i] = d.count;
        types[i] = d.type;
    }
    struct manycall call = { .ncid = g.ncid,
                             .num = m->num,
                             .put = put,
                             .collective = collective,
                             .form = m->form,
                             .varids = ids,
                             .starts = starts,
                             .counts = counts,
                             .strides = strides,
                             .imaps = imaps,
                             .bufs = bases,
                             .bufcounts = bufcounts,
                             .types = types };
    err = m->flexible ? many_flexible(&call) : many_typed(&call, m->mem);
    for (int i = 0; i < m->num; i++)
        if (derived[i])
            MPI_Type_free(&types[i]);
    return err;
}

/* Runs the call here and checks buffers and code. */
static void many_check(struct many *m, bool put, bool collective, int want)
{
    char *bufs[MANY];
    bool loose = false;
    for (int i = 0; i < m->num; i++) {
        size_t bytes = (m->parts[i].memory + 1) * mem_sizes[m->parts[i].mem];
        bufs[i] = put ? memcpy(malloc(bytes), m->values[i], bytes) : get_buffer(&m->parts[i]);
    }
    int err = many_here(m, put, collective, bufs);
    for (int i = 0; i < m->num; i++) {
        bool sure = true;
        struct part *p = &m->parts[i];
        p->error = m->error; /* a get that fails changes no buffer at all */
        if (put && memcmp(bufs[i], m->values[i], (p->memory + 1) * mem_sizes[p->mem]))
            say("mput changed the buffer of its variable %d", i);
        int code = put ? NC_NOERR : check_got(p, bufs[i], &sure);
        want = want ? want : code;
        loose |= !sure;
        free(bufs[i]);
    }
    if (err != want && !(loose && !want && err == NC_ERANGE))
        say("mput or mget by %s gives %s, not %s", form_names[m->form], ncmpi_strerrno(err),
            ncmpi_strerrno(want));
}

/* A part whose memory type is that of the whole call. */
static void use_mem(const struct many *m, struct part *p)
{
    p->mem = m->mem;
    if ((p->var->type == NC_CHAR) != (m->mem == MEM_TEXT))
        p->error = NC_ECHAR;
}

static void choose_many(struct many *m, int rank, bool put, bool collective)
{
    static const enum form forms[] = { FORM_VAR, FORM_VAR1, FORM_VARA, FORM_VARS, FORM_VARM };
    int first = (int)below(now.nvars);
    m->form = only_form = forms[below(5)];
    m->flexible = one_in(2);
    m->mem = now.vars[first].type == NC_CHAR ? MEM_TEXT : (enum mem)(1 + below(MEMS - 1));
    m->num = (int)below(MANY + 1);
    tell("\n    rank %d: %s %s", rank, form_names[m->form], m->flexible ? "flexible" : mem_names[m->mem]);
    for (int i = 0; i < m->num; i++) {
        struct part *p = &m->parts[i];
        int varid = i ? (int)below(now.nvars) : first;
        if (!m->flexible && !one_in(20) && (now.vars[varid].type == NC_CHAR) != (m->mem == MEM_TEXT))
            varid = first;
        *p = (struct part){ .rank = rank, .serial = i, .together = collective };
        if (!choose_part(p, put, varid)) { /* another put has it */
            part_free(p);
            m->num = i;
            break;
        }
        if (p->form != m->form) /* var1 of no record */
            p->form = m->form, p->count[0] = 1, p->error = NC_EINVALCOORDS;
        if (!m->flexible)
            use_mem(m, p);
        if (p->n && !p->error && one_in(25))
            spoil(p, put);
        if (!m->flexible && p->mem != m->mem) /* the call has one type */
            p->mem = m->mem, p->error = NC_NOERR;
        if (m->flexible)
            choose_flex(p);
        m->error = m->error ? m->error : p->error;
        tell_part(p, put);
    }
    only_form = FORMS;
}

void step_many(void)
{
    static struct many many[MAX_RANKS];
    bool put = one_in(2), collective = choose_collective();
    int want = NC_NOERR, refused = refusal(put, collective);
    if (!now.nvars)
        return;
    tell("%s %s", collective ? "collective" : "independent", put ? "mput" : "mget");
    memset(taken, 0, sizeof taken);
    memset(many, 0, sizeof many);
    for (int r = 0; r < g.size; r++) {
        choose_many(&many[r], r, put, collective);
        many[r].error = refused ? refused : many[r].error;
        g.errors += many[r].error != 0;
    }
    if (collective)
        share_error(&many[0].error, sizeof many[0]);
    want = many[g.rank].error;
    for (int r = 0; r < g.size && put; r++)
        for (int i = 0; i < many[r].num; i++) {
            struct part *p = &many[r].parts[i];
            many[r].values[i] = make_values(p);
            int code = many[r].error ? NC_NOERR : model_put(p, many[r].values[i]);
            want = r == g.rank && code ? code : want;
            if (p->n && !many[r].error && p->records > g.numrecs[r])
                g.numrecs[r] = p->records;
        }
    many_check(&many[g.rank], put, collective, want);
    if (put && collective && !refused)
        agree_records();
    for (int r = 0; r < g.size; r++)
        for (int i = 0; i < many[r].num; i++) {
            free(many[r].values[i]);
            part_free(&many[r].parts[i]);
        }
    maps_free(taken);
}
