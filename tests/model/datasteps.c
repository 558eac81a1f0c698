/* Steps of blocking puts and gets, a part on every rank. */
#include "program.h"

int run_part(const struct part *p, bool put, bool collective, void *buf, enum posting way, int *id)
{
    MPI_Offset *starts[MAX_PIECES], *counts[MAX_PIECES];
    for (int i = 0; i < MAX_PIECES; i++) {
        starts[i] = (MPI_Offset *)p->starts[i];
        counts[i] = p->no_counts[i] ? NULL : (MPI_Offset *)p->counts[i];
    }
    struct call call = { .ncid = g.ncid,
                         .varid = p->varid,
                         .put = put,
                         .collective = collective,
                         .form = p->form,
                         .mem = p->mem,
                         .start = p->no_start ? NULL : p->start,
                         .count = p->no_count ? NULL : p->count,
                         .stride = p->no_stride ? NULL : p->stride,
                         .imap = p->no_imap ? NULL : p->imap,
                         .num = p->num,
                         .starts = p->no_start ? NULL : starts,
                         .counts = p->no_any_counts ? NULL : counts,
                         .buf = buf };
    if (p->flex)
        return flexible_run(&call, p, way, id);
    return id ? call_post(&call, way, id) : call_run(&call);
}

static void put_here(const struct part *p, bool collective, int want, const void *values)
{
    size_t bytes = (p->memory + 1) * mem_sizes[p->mem];
    char *buf = malloc(bytes + 64);
    memcpy(buf, values, bytes);
    memset(buf + bytes, 0x5a, 64);
    int err = run_part(p, true, collective, buf, POST_IPUT, NULL);
    check_code(p, err, want, true);
    if (memcmp(buf, values, bytes))
        say("a put by %s changed the user's buffer", form_names[p->form]);
    free(buf);
}

static void get_here(const struct part *p, bool collective)
{
    char *buf = get_buffer(p);
    bool sure;
    int err = run_part(p, false, collective, buf, POST_IGET, NULL);
    int want = check_got(p, buf, &sure);
    check_code(p, err, want, sure);
    free(buf);
}

/* libpnetcdf 1.12.3 hangs when one rank has no data for a record variable and another has, or one puts a list
 * and another a block. */
static bool too_wild(const struct part *parts)
{
    bool records = false, fixed = false, odd = false, varn = false, slabs = false;
    for (int r = 0; r < g.size; r++) {
        records |= parts[r].var->is_record;
        fixed |= !parts[r].var->is_record;
        odd |= parts[r].error || !parts[r].n;
        varn |= parts[r].form == FORM_VARN;
        slabs |= parts[r].form != FORM_VARN;
    }
    return g.tame && ((records && fixed) || (varn && slabs) || odd);
}

bool choose_collective(void)
{
    return (g.mode == MODE_COLLECTIVE) != one_in(25);
}

void share_error(int *errors, size_t step)
{
    int worst = NC_NOERR;
    for (int r = 0; r < g.size; r++) {
        int error = *(int *)((char *)errors + (size_t)r * step);
        worst = error < worst ? error : worst;
    }
    for (int r = 0; r < g.size && g.safe && worst; r++)
        *(int *)((char *)errors + (size_t)r * step) = worst;
}

int refusal(bool put, bool collective)
{
    if (put && g.readonly)
        return NC_EPERM;
    if (g.mode == MODE_DEFINE)
        return NC_EINDEFINE;
    if (collective == (g.mode == MODE_COLLECTIVE))
        return NC_NOERR;
    return collective ? NC_EINDEP : NC_ENOTINDEP;
}

/* The puts of all ranks into the model. Returns this rank's values and, in *want, its code. */
static void *model_puts(const struct part *parts, int *want)
{
    void *values = NULL;
    for (int r = 0; r < g.size; r++) {
        const struct part *p = &parts[r];
        void *buf = make_values(p);
        int code = p->error ? p->error : model_put(p, buf);
        if (!p->error && p->n && p->records > g.numrecs[r])
            g.numrecs[r] = p->records;
        if (r == g.rank)
            *want = code, values = buf;
        else
            free(buf);
    }
    return values;
}

static void move_data(bool put)
{
    static struct part parts[MAX_RANKS];
    bool collective = choose_collective(), same = one_in(2);
    int shared = (int)below(now.nvars), want = NC_NOERR, refused = refusal(put, collective);
    if (!now.nvars)
        return;
    tell("%s %s", collective ? "collective" : "independent", put ? "put" : "get");
    memset(taken, 0, sizeof taken);
    memset(parts, 0, sizeof parts);
    bool decomposed = !refused && collective && !g.tame && now.vars[shared].ndims && one_in(3);
    if (decomposed)
        choose_decomposition(parts, put, shared);
    for (int r = 0; r < g.size; r++) {
        parts[r].rank = r;
        parts[r].together = collective;
        if (!decomposed)
            choose_part(&parts[r], put, same ? shared : (int)below(now.nvars));
        parts[r].error = refused ? refused : parts[r].error;
        tell_part(&parts[r], put);
        g.errors += parts[r].error != 0;
    }
    if (collective)
        share_error(&parts[0].error, sizeof parts[0]);
    if (!(collective && too_wild(parts))) {
        void *values = put ? model_puts(parts, &want) : NULL;
        if (put)
            put_here(&parts[g.rank], collective, want, values);
        else
            get_here(&parts[g.rank], collective);
        if (put && collective && !refused)
            agree_records();
        free(values);
    }
    *(put ? &g.puts : &g.gets) += 1;
    for (int r = 0; r < g.size; r++)
        part_free(&parts[r]);
    maps_free(taken);
}
void step_put(void)
{
    move_data(true);
}
void step_get(void)
{
    move_data(false);
}
