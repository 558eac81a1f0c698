/* Steps of the file's life: create, enddef, redef, abort, close and open again, sync, the two data modes. */
#include "program.h"

static MPI_Info random_hints(void)
{
    static const char *const strategies[] = { "auto", "views", "two-phase", "independent" };
    MPI_Info info;
    char number[32];
    MPI_Info_create(&info);
#define HINT(name, ...)                                                                                      \
    do {                                                                                                     \
        snprintf(number, sizeof number, __VA_ARGS__);                                                        \
        MPI_Info_set(info, name, number);                                                                    \
        tell(" %s=%s", name, number);                                                                        \
    } while (0)
    HINT("pcdf_debug_stage_size", "%d", 65536 << below(3));
    HINT("pcdf_debug_stage_pieces", "%d", (int)(16 + below(100)));
    HINT("pcdf_debug_chunk_size", "%d", (int)(4096 + below(8192)));
    HINT("pcdf_debug_view_threshold", "%d", (int)(2 + below(20)));
    const char *strategy = strategies[below(4)];
    HINT("pcdf_debug_strategy", "%s", is_left_out(strategy) ? "auto" : strategy);
    HINT("nc_header_read_chunk_size", "%d", (int)(48 + below(2000)));
    if (!g.tame && one_in(4))
        HINT("nc_var_align_size", "%d", (int)(1 + below(700)));
    if (!g.tame && one_in(4))
        HINT("nc_record_align_size", "%d", (int)(1 + below(700)));
    HINT("nc_data_move_chunk_size", "%d", (int)(1024 + below(8192)));
#undef HINT
    if (now.netcdf4)
        netcdf4_hints(info);
    return info;
}

void defs_free(void)
{
    for (int i = 0; i < now.nvars; i++) {
        free(now.vars[i].data);
        free(now.vars[i].mask);
    }
    memset(&now, 0, sizeof now);
    now.record_dim = -1;
}

void create_file(void)
{
    static const int formats[] = { 1, 2, 5 };
    defs_free();
    if (g.formats == NC_FORMAT_NETCDF4 || g.formats == NC_FORMAT_NETCDF4_CLASSIC)
        now.netcdf4 = g.formats;
    else if (g.formats == 34)
        now.netcdf4 = one_in(3) ? NC_FORMAT_NETCDF4_CLASSIC : NC_FORMAT_NETCDF4;
    now.format = now.netcdf4 ? 5 : g.formats ? g.formats : formats[below(3)];
    int cmode = now.netcdf4 == NC_FORMAT_NETCDF4           ? NC_NETCDF4
                : now.netcdf4 == NC_FORMAT_NETCDF4_CLASSIC ? NC_NETCDF4 | NC_CLASSIC_MODEL
                                                           : format_cmode(now.format);
    g.safe = !g.tame && one_in(4);
    setenv("PNETCDF_SAFE_MODE", g.safe ? "1" : "0", 1); /* read by create and open */
    tell("create %s%d%s", now.netcdf4 ? "netCDF-4, format " : "CDF-", now.netcdf4 ? now.netcdf4 : now.format,
         g.safe ? " safe mode" : "");
    MPI_Info info = random_hints();
    EXPECT(ncmpi_create(MPI_COMM_WORLD, g.path, cmode, info, &g.ncid), NC_NOERR);
    MPI_Info_free(&info);
    memset(g.numrecs, 0, sizeof g.numrecs);
    g.mode = MODE_DEFINE;
    g.readonly = false;
    g.is_new = true;
}

static void open_file(bool readonly)
{
    tell("; open%s", readonly ? " read-only" : "");
    MPI_Info info = random_hints();
    EXPECT(ncmpi_open(MPI_COMM_WORLD, g.path, readonly ? NC_NOWRITE : NC_WRITE, info, &g.ncid), NC_NOERR);
    MPI_Info_free(&info);
    agree_records();
    all_seen();
    set_header();
    g.mode = MODE_COLLECTIVE;
    g.readonly = readonly;
    now.fill_on = false;
    for (int i = 0; i < now.nvars; i++)
        now.vars[i].filled = true; /* a file does not say */
}

/* After define mode: where did the library put things? They may be anywhere that the format allows, except
 * lower than before. (Exactly where is what tests/equal and the tests of the layout fix.) */
static void learn_layout(void)
{
    int64_t end = 0;
    struct m_defs *m = &now;
    g.mode = MODE_COLLECTIVE;
    g.is_new = false;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < m->nvars; i++) {
            struct m_var *v = &m->vars[i];
            MPI_Offset at = -1;
            if (v->is_record != (pass == 1))
                continue;
            v->is_new &= !m->netcdf4;
            if (m->netcdf4) /* it has no such layout */
                continue;
            EXPECT(ncmpi_inq_varoffset(g.ncid, i, &at), NC_NOERR);
            if (at < end || (!v->is_new && at < v->begin))
                say("variable %s begins at %lld, after %lld, and was at %lld", v->name, (long long)at,
                    (long long)end, (long long)v->begin);
            v->begin = at;
            v->is_new = false;
            end = at + var_bytes(v);
        }
    set_header();
}

void step_enddef(void)
{
    bool plain = one_in(2), aligned = g.tame ? false : one_in(3);
    MPI_Offset h = below(600), v_align = aligned ? 1 + below(700) : 4, v = below(300),
               r_align = 1 + below(600);
    if (plain)
        tell("enddef");
    else
        tell("_enddef %lld %lld %lld %lld", (long long)h, (long long)v_align, (long long)v,
             (long long)r_align);
    int err = plain ? ncmpi_enddef(g.ncid) : ncmpi__enddef(g.ncid, h, v_align, v, r_align);
    expect(err, g.mode == MODE_DEFINE ? NC_NOERR : NC_ENOTINDEFINE, "enddef");
    if (g.mode != MODE_DEFINE)
        return;
    fill_new_variables();
    learn_layout();
}

void step_redef(void)
{
    tell("redef");
    EXPECT(ncmpi_redef(g.ncid), g.readonly ? NC_EPERM : g.mode == MODE_DEFINE ? NC_EINDEFINE : NC_NOERR);
    if (g.mode == MODE_DEFINE || g.readonly)
        return;
    agree_records();
    all_seen();
    set_header();
    before = now;
    g.mode = MODE_DEFINE;
}

void close_file(void)
{
    int want = drop_all_pending() ? NC_EPENDING : NC_NOERR;
    EXPECT(ncmpi_close(g.ncid), want);
}

void step_abort(void)
{
    if (g.mode != MODE_DEFINE || (g.is_new && !one_in(4)) || (now.netcdf4 && g.is_atomic))
        return;
    tell("abort");
    int want = drop_all_pending() ? NC_EPENDING : NC_NOERR;
    EXPECT(ncmpi_abort(g.ncid), want);
    if (g.is_new) {
        if (g.rank == 0 && access(g.path, F_OK) == 0)
            say("abort of a new file has left it");
        MPI_Barrier(MPI_COMM_WORLD);
        create_file();
        return;
    }
    for (int i = before.nvars; i < now.nvars; i++) {
        free(now.vars[i].data);
        free(now.vars[i].mask);
    }
    now = before;
    open_file(false);
}

void check_definitions(bool with_fill)
{
    int ndims, nvars, natts, unlimited;
    char name[NC_MAX_NAME + 1];
    EXPECT(ncmpi_inq(g.ncid, &ndims, &nvars, &natts, &unlimited), NC_NOERR);
    if (ndims != now.ndims || nvars != now.nvars || natts != now.gatts.n || unlimited != now.record_dim)
        say("inq: %d dimensions, %d variables, %d attributes, record dimension %d; not %d, %d, %d, %d", ndims,
            nvars, natts, unlimited, now.ndims, now.nvars, now.gatts.n, now.record_dim);
    for (int i = 0; i < now.nvars; i++) {
        nc_type type;
        int dimids[NC_MAX_VAR_DIMS > 64 ? 64 : NC_MAX_VAR_DIMS];
        EXPECT(ncmpi_inq_var(g.ncid, i, name, &type, &ndims, dimids, &natts), NC_NOERR);
        if (strcmp(name, now.vars[i].name) || type != now.vars[i].type || ndims != now.vars[i].ndims ||
            natts != now.vars[i].atts.n || memcmp(dimids, now.vars[i].dimids, (size_t)ndims * sizeof(int)))
            say("inq_var: variable %d is %s of type %d with %d dimensions", i, name, type, ndims);
        if (with_fill)
            check_fill(i);
        if (now.netcdf4)
            check_stored(g.ncid, i);
    }
}

/* Names find what they name, and numbers of the layout are those of the model. */
static void check_inquiries(void)
{
    int id = -1, format = -1, nrecvars = -1, right = 0;
    MPI_Offset n = -1;
    for (int i = 0; i < now.ndims; i++) {
        EXPECT(ncmpi_inq_dimid(g.ncid, now.dims[i].name, &id), NC_NOERR);
        EXPECT(ncmpi_inq_dimlen(g.ncid, i, &n), NC_NOERR);
        if (id != i || (i != now.record_dim && n != now.dims[i].length))
            say("dimension %s has id %d, not %d, or length %lld", now.dims[i].name, id, i, (long long)n);
    }
    for (int i = 0; i < now.nvars; i++) {
        const struct m_var *v = &now.vars[i];
        right += v->is_record;
        EXPECT(ncmpi_inq_varid(g.ncid, v->name, &id), NC_NOERR);
        if (id != i)
            say("variable %s has id %d, not %d", v->name, id, i);
        for (int k = 0; k < v->atts.n; k++) {
            nc_type type = NC_NAT;
            EXPECT(ncmpi_inq_attid(g.ncid, i, v->atts.x[k].name, &id), NC_NOERR);
            EXPECT(ncmpi_inq_att(g.ncid, i, v->atts.x[k].name, &type, &n), NC_NOERR);
            if (id != k || type != v->atts.x[k].type || n != v->atts.x[k].n)
                say("attribute %s of variable %d is number %d, type %d, length %lld", v->atts.x[k].name, i,
                    id, type, (long long)n);
        }
    }
    EXPECT(ncmpi_inq_format(g.ncid, &format), NC_NOERR);
    EXPECT(ncmpi_inq_num_rec_vars(g.ncid, &nrecvars), NC_NOERR);
    EXPECT(ncmpi_inq_recsize(g.ncid, &n), NC_NOERR);
    int right_format = now.netcdf4 ? now.netcdf4 : now.format == 5 ? NC_FORMAT_CDF5 : now.format;
    if (format != right_format || nrecvars != right || (g.mode != MODE_DEFINE && n != defs_recsize(&now)))
        say("format %d, %d record variables, record size %lld", format, nrecvars, (long long)n);
    if (now.netcdf4)
        return;
    EXPECT(ncmpi_inq_header_size(g.ncid, &n), NC_NOERR);
    if (g.mode != MODE_DEFINE && n != (MPI_Offset)header.n)
        say("the header has %lld bytes, not %zu", (long long)n, header.n);
}

void step_inquire(void)
{
    tell("inquire");
    check_definitions(true);
    check_inquiries();
}

void finish_file(void)
{
    if (g.mode == MODE_DEFINE) {
        EXPECT(ncmpi_enddef(g.ncid), NC_NOERR);
        fill_new_variables();
        learn_layout();
    }
    close_file();
    agree_records();
    all_seen();
    g.mode = MODE_CLOSED;
}

void step_reopen(void)
{
    tell("close");
    close_file();
    for (int i = 0; i < now.nvars && g.mode == MODE_DEFINE; i++)
        now.vars[i].is_new |= g.is_new;
    bool defining = g.mode == MODE_DEFINE;
    if (defining)
        fill_new_variables();
    g.mode = MODE_CLOSED;
    open_file(one_in(g.judged ? 10 : 4));
    if (defining)
        learn_layout();
    check_definitions(true);
}

void step_sync(void)
{
    tell("sync");
    EXPECT(ncmpi_flush(g.ncid), NC_NOERR);
    EXPECT(ncmpi_sync(g.ncid), g.mode == MODE_DEFINE ? NC_EINDEFINE : NC_NOERR);
    if (g.mode == MODE_DEFINE)
        return;
    agree_records();
    all_seen();
    set_header();
    if (now.netcdf4 && one_in(3) && !is_left_out("look"))
        read_synced();
}

void step_sync_numrecs(void)
{
    if (g.mode == MODE_DEFINE)
        return;
    tell("sync_numrecs");
    bool refused = g.readonly && defs_recsize(&now) > 0;
    EXPECT(ncmpi_sync_numrecs(g.ncid), refused ? NC_EPERM : NC_NOERR);
    agree_records();
    if (g.mode == MODE_INDEPENDENT && defs_recsize(&now) > 0) /* else there is nothing to agree on */
        set_header();
}

void step_begin_indep(void)
{
    if (g.stays_together)
        return;
    tell("begin_indep");
    EXPECT(ncmpi_begin_indep_data(g.ncid), g.mode == MODE_DEFINE ? NC_EINDEFINE : NC_NOERR);
    if (g.mode != MODE_COLLECTIVE)
        return;
    g.mode = MODE_INDEPENDENT;
    set_header();
}

void step_end_indep(void)
{
    tell("end_indep");
    EXPECT(ncmpi_end_indep_data(g.ncid), g.mode == MODE_DEFINE ? NC_EINDEFINE : NC_NOERR);
    if (g.mode != MODE_INDEPENDENT)
        return;
    g.mode = MODE_COLLECTIVE;
    agree_records();
    all_seen();
    set_header();
}
