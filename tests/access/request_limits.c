/* Fixes: whatever numbers start, count, stride and imap hold, a request is refused or its pieces lie in the
 * data section of the file, below 2^63, or in chunks of the variable. Meant for a build with UBSan. One
 * process, no file. */
#include "check.h"
#include "draw.h"
#include "alloc.h"
#include "cells.h"
#include "layout.h"
#include "plan.h"
#include "status.h"

static int64_t odd_number(void)
{
    static const int64_t limits[] = {
        -1,        -2,           INT64_MAX,     INT64_MIN,     INT64_MAX - 1,  INT64_MIN + 1,
        1LL << 31, 1LL << 32,    1LL << 40,     1LL << 60,     1LL << 61,      1LL << 62,
        INT32_MAX, -(1LL << 62), INT64_MAX / 8, INT64_MAX / 2, INT64_MAX / 16, 7
    };
    return draw(0, 2) ? draw(0, 6) : limits[draw(0, sizeof limits / sizeof *limits - 1)];
}

struct world {
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    struct pcdf_cells cells;
};

enum { WORLDS = 24, WORLDS_OF_CELLS = 12 };

static void make_world(struct world *w, int number)
{
    static const enum pcdf_version versions[] = { PCDF_CDF1, PCDF_CDF2, PCDF_CDF5 };
    struct pcdf_alignment align = { 0 };
    int dimids[3] = { 0, 1, 2 };
    *w = (struct world){ 0 };
    pcdf_meta_init(&w->meta, number < WORLDS ? versions[number % 3] : PCDF_CDF5);
    bool wide = w->meta.version == PCDF_CDF5;
    pcdf_meta_add_dim(&w->meta, "t", 0, NULL);
    pcdf_meta_add_dim(&w->meta, "x", number % 4 ? 5 : wide ? 1LL << 40 : 1 << 20, NULL);
    pcdf_meta_add_dim(&w->meta, "y", 7, NULL);
    pcdf_meta_add_var(&w->meta, "fixed", NC_INT, 2, dimids + 1, NULL);
    pcdf_meta_add_var(&w->meta, "record", NC_DOUBLE, 3, dimids, NULL);
    pcdf_meta_add_var(&w->meta, "line", NC_SHORT, 1, dimids, NULL);
    w->meta.numrecs = number % 2 ? 0 : 4;
    CHECK_INT(pcdf_layout_build(&w->layout, &w->meta, NULL, &align), NC_NOERR);
    if (number < WORLDS)
        return;
    int64_t x = number % 4 ? 2 : 1 << 28, chunk[3] = { number % 3 + 1, x, 1 }, line = 1 << 20;
    chunk[0] = x == 2 ? chunk[0] : 1;
    struct pcdf_cells_shape shapes[] = { { .chunk = chunk + 1 },
                                         { .chunk = chunk, .reserved = number },
                                         { .chunk = number % 2 ? &line : NULL } };
    CHECK_INT(pcdf_cells_build(&w->cells, &w->meta, shapes, PCDF_CELL_LEAST), NC_NOERR);
    w->layout.cells = &w->cells;
}

static bool is_inside(const struct world *w, const struct pcdf_piece *piece)
{
    struct pcdf_cell_place place;
    if (piece->length <= 0 || piece->length - 1 > INT64_MAX - piece->offset)
        return false;
    return w->layout.cells ? pcdf_cells_find(&w->cells, piece->offset, &place) &&
                                 pcdf_cells_find(&w->cells, piece->offset + piece->length - 1, &place)
                           : piece->offset >= w->layout.header_extent;
}

/* The first pieces; 2^60 of them would take too long. */
static void check_pieces(const struct world *w, struct pcdf_request *request,
                         const struct pcdf_var_layouts *layouts)
{
    static char stage[65536];
    struct pcdf_plan plan;
    CHECK_INT(pcdf_plan_build(&plan, (enum pcdf_dir)request->dir, &request, 1, layouts), NC_NOERR);
    struct pcdf_batch batch = { .next = plan.iterator.begin };
    for (int n = 0; n < 3 && batch.next != INT64_MAX; n++) {
        const struct pcdf_batch_limits limits = { batch.next, INT64_MAX, 100, sizeof stage, stage,
                                                  false,      false,     0,   false };
        CHECK_INT(plan.iterator.peek(&plan, &limits, &batch), NC_NOERR);
        for (size_t i = 0; i < batch.n; i++)
            CHECK(is_inside(w, &batch.pieces[i]), "%lld bytes at %lld", (long long)batch.pieces[i].length,
                  (long long)batch.pieces[i].offset);
    }
    pcdf_plan_free(&plan);
}

static bool any_request(const struct world *w)
{
    struct pcdf_request_context context = { &w->meta, true, false, w->layout.cells };
    struct pcdf_request request;
    struct pcdf_request *requests[] = { &request };
    struct pcdf_var_layouts layouts;
    MPI_Offset x[6][3], *starts[2] = { x[0], x[4] }, *counts[2] = { x[1], draw(0, 9) ? x[5] : NULL };
    for (int i = 0; i < 18; i++)
        x[i / 3][i % 3] = odd_number();
    enum pcdf_form form = (enum pcdf_form)draw(PCDF_FORM_VAR, PCDF_FORM_VARN);
    bool list = form == PCDF_FORM_VARN;
    struct pcdf_access access = {
        .dir = draw(0, 1) ? PCDF_PUT : PCDF_GET, .form = form, .mtype = PCDF_M_INT, .buf = x
    };
    access.start = form >= PCDF_FORM_VAR1 && !list ? x[0] : NULL;
    access.count = form >= PCDF_FORM_VARA && !list && draw(0, 9) ? x[1] : NULL;
    access.stride = form >= PCDF_FORM_VARS && !list && draw(0, 3) ? x[2] : NULL;
    access.imap = form == PCDF_FORM_VARM ? x[3] : NULL;
    access.num = list ? (int)draw(-1, 2) : 0;
    access.starts = list && draw(0, 9) ? starts : NULL;
    access.counts = list && draw(0, 9) ? counts : NULL;
    int64_t numrecs = 0;
    if (pcdf_request_make(&request, &context, (int)draw(-1, 3), &access))
        return false;
    CHECK_INT(pcdf_var_layouts_make(&layouts, &w->meta, &w->layout, requests, 1), NC_NOERR);
    struct pcdf_var_layout *layout = layouts.x;
    bool fits = !layout->var->is_record || !pcdf_request_reach(&request, layout, &numrecs);
    if (fits)
        check_pieces(w, &request, &layouts);
    pcdf_var_layouts_free(&layouts);
    pcdf_request_free(&request);
    return fits;
}

int main(void)
{
    int64_t good = 0, held = pcdf_alloc_now();
    for (int number = 0; number < WORLDS + WORLDS_OF_CELLS; number++) {
        struct world w;
        make_world(&w, number);
        for (int i = 0; i < 5000; i++)
            good += any_request(&w);
        pcdf_cells_free(&w.cells);
        pcdf_meta_free(&w.meta);
        pcdf_layout_free(&w.layout);
    }
    CHECK(good > 10000, "only %lld requests were good", (long long)good);
    CHECK_INT(pcdf_alloc_now(), held);
    return check_done("request_limits");
}
