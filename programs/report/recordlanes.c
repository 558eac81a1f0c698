/* The time line: a lane a rank, calls above, operations on the storage below; where there was a write queue,
 * the waits for it and the writes of its thread below these. A few thousand calls are drawn
 * one by one; of more, each column of a lane has the colour of what took most of its time. So the page stays
 * small. */
#include "alloc.h"
#include "recordpage.h"
#include "recordqueue.h"
#include "reporthtml.h"
#include "tool.h"

#include <string.h>

enum { LANES = 32, COLUMNS = 800, ALL_COLUMNS = 8000, ONE_BY_ONE = 4000, WIDTH = 1000, TRACKS = 4 };

enum track { CALLS, STORAGE, WAITS, WRITES };
static const struct {
    int y, height, end; /* end: of a lane whose last track it is */
} tracks[TRACKS] = { { 1, 14, 16 }, { 16, 5, 22 }, { 22, 4, 27 }, { 27, 6, 34 } };

struct cell {
    float
        seconds[PCDF_RECORD_KINDS]; /* by what is in the track: kinds of calls, of operations; or the first */
};

struct lanes {
    struct pcdf_record *r;
    FILE *f;
    int rank[LANES], n; /* ranks with a lane */
    int ntracks;
    int columns, lane;  /* that is drawn now */
    double column;      /* seconds of one */
    struct cell *cells; /* of a lane, of a track, in columns; NULL: one by one */
};

static const char *const storage_names[PCDF_RECORD_STORAGE] = { "write", "read", "flush" };
static const int storage_colours[PCDF_RECORD_STORAGE] = { PCDF_RECORD_PUT, PCDF_RECORD_GET,
                                                          PCDF_RECORD_SYNC };

struct place { /* of a bar */
    enum track track;
    int kind; /* -1: it has none */
};

static struct place place_of(const struct pcdf_record_line *line)
{
    enum pcdf_record_queue_line queue =
        line->is_call ? PCDF_RECORD_NOT_QUEUE : pcdf_record_queue_line_of(line->name);
    if (line->is_call)
        return (struct place){ CALLS, pcdf_record_kind_of(line->name) };
    if (queue == PCDF_RECORD_QUEUE_WAIT || queue == PCDF_RECORD_QUEUE_WRITE)
        return (struct place){ queue == PCDF_RECORD_QUEUE_WAIT ? WAITS : WRITES, 0 };
    return (struct place){ STORAGE, pcdf_record_storage_of(line->name) };
}

static int colour_of(const struct place *p)
{
    return p->track == CALLS     ? p->kind
           : p->track == STORAGE ? storage_colours[p->kind]
           : p->track == WAITS   ? PCDF_HTML_WAIT
                                 : PCDF_HTML_QUEUE;
}

static const char *name_of(const struct place *p)
{
    return p->track == CALLS     ? pcdf_record_kinds[p->kind]
           : p->track == STORAGE ? storage_names[p->kind]
           : p->track == WAITS   ? "waited for the queue"
                                 : "write by the thread";
}

static double page_time(const struct lanes *l, const struct pcdf_record_line *line, double seconds)
{
    return seconds + l->r->files[line->file].shift;
}

static int lane_of(const struct lanes *l, int rank)
{
    int i = 0;
    while (i < l->n && l->rank[i] != rank)
        i++;
    return i < l->n ? i : -1;
}

/* ---- which ranks: all, or some evenly, and the slowest */

static void choose_ranks(struct lanes *l)
{
    const struct pcdf_record *r = l->r;
    int there = 0, slowest = 0;
    double most = -1;
    for (int i = 0; i < r->nranks; i++) {
        double seconds = pcdf_record_rank_seconds(&r->ranks[i]);
        there += r->ranks[i].is_there;
        if (r->ranks[i].is_there && seconds > most) {
            most = seconds;
            slowest = i;
        }
    }
    for (int i = 0, seen = 0; i < r->nranks && l->n < LANES; i++) {
        if (!r->ranks[i].is_there)
            continue;
        bool due = there <= LANES || (int64_t)seen * (LANES - 1) >= (int64_t)l->n * there;
        if (due || i == slowest)
            l->rank[l->n++] = i;
        seen++;
    }
}

/* ---- columns */

static void add_to_cells(void *context, const struct pcdf_record_line *line)
{
    struct lanes *l = context;
    const struct place place = place_of(line);
    int lane = lane_of(l, line->rank);
    if (lane < 0 || place.kind < 0 || (int)place.track >= l->ntracks)
        return;
    double begin = page_time(l, line, line->begin) / l->column,
           end = page_time(l, line, line->end) / l->column;
    struct cell *cells = l->cells + ((size_t)lane * (size_t)l->ntracks + place.track) * (size_t)l->columns;
    begin = begin > 0 ? begin : 0;
    end = end < l->columns ? end : l->columns;
    for (int i = (int)begin; i < l->columns && i < end; i++) {
        double from = begin > i ? begin : i, to = end < i + 1 ? end : i + 1;
        if (to > from)
            cells[i].seconds[place.kind] += (float)((to - from) * l->column);
    }
}

static int main_kind(const struct cell *cell, double column)
{
    int best = -1;
    float most = (float)(0.02 * column); /* less of it is not worth a mark */
    for (int k = 0; k < PCDF_RECORD_KINDS; k++)
        if (cell->seconds[k] > most) {
            most = cell->seconds[k];
            best = k;
        }
    return best;
}

static void bar(FILE *f, double x, double width, const struct place *place)
{
    fprintf(f, "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" class=\"k%d\"><title>", x,
            tracks[place->track].y, width < 0.3 ? 0.3 : width, tracks[place->track].height, colour_of(place));
}

static void draw_columns(FILE *f, const struct cell *cells, const struct lanes *l, enum track track)
{
    char room[PCDF_HTML_ROOM];
    for (int i = 0, next; i < l->columns; i = next) {
        const struct place place = { track, main_kind(&cells[i], l->column) };
        double seconds = 0;
        for (next = i; next < l->columns && main_kind(&cells[next], l->column) == place.kind; next++)
            seconds += place.kind >= 0 ? (double)cells[next].seconds[place.kind] : 0;
        if (place.kind < 0)
            continue;
        bar(f, (double)i * WIDTH / l->columns, (double)(next - i) * WIDTH / l->columns, &place);
        fprintf(f, "%s, ", name_of(&place));
        pcdf_html_text(f, pcdf_html_seconds(room, seconds));
        pcdf_html_format(f, " of %s", pcdf_html_seconds(room, (next - i) * l->column));
        fputs("</title></rect>\n", f);
    }
}

/* ---- one by one */

static void title_of(FILE *f, const struct lanes *l, const struct pcdf_record_line *line)
{
    char a[PCDF_HTML_ROOM], b[PCDF_HTML_ROOM], c[PCDF_HTML_ROOM];
    bool named = strcmp(line->variable, "-") != 0;
    pcdf_html_format(f, "%s%s%s, %s from %s", line->name, named ? " " : "", named ? line->variable : "",
                     pcdf_html_seconds(a, line->end - line->begin),
                     pcdf_html_seconds(b, page_time(l, line, line->begin)));
    double bytes = line->is_call ? (double)line->put + (double)line->get : (double)line->bytes;
    if (bytes > 0)
        pcdf_html_format(f, ", %s in %s piece%s", pcdf_html_bytes(a, bytes),
                         pcdf_html_count(c, (double)line->pieces), line->pieces == 1 ? "" : "s");
    if (strcmp(line->way, "-") != 0)
        pcdf_html_format(f, ", %s", line->way);
    if (line->code)
        pcdf_html_format(f, ", error %d", line->code);
}

static void draw_one(void *context, const struct pcdf_record_line *line)
{
    struct lanes *l = context;
    const struct place place = place_of(line);
    double scale = l->r->span > 0 ? WIDTH / l->r->span : 0;
    if (line->rank != l->rank[l->lane] || place.kind < 0 || (int)place.track >= l->ntracks)
        return;
    bar(l->f, scale * page_time(l, line, line->begin), scale * (line->end - line->begin), &place);
    title_of(l->f, l, line);
    fputs("</title></rect>\n", l->f);
}

/* ---- together */

static void legend_of(FILE *f, int colour, const char *text)
{
    fprintf(f,
            "<span><svg width=\"11\" height=\"11\" aria-hidden=\"true\"><rect class=\"k%d\" width=\"11\" "
            "height=\"11\"/></svg>%s</span>\n",
            colour, text);
}

static void legend(FILE *f, int ntracks)
{
    fputs("<div class=\"legend\">", f);
    for (int k = 0; k < PCDF_RECORD_KINDS; k++)
        legend_of(f, k, pcdf_record_kinds[k]);
    if (ntracks > WAITS) {
        legend_of(f, PCDF_HTML_WAIT, "waited for the write queue");
        legend_of(f, PCDF_HTML_QUEUE, "written by its thread");
    }
    fputs("<span>thin: the storage writes, reads, flushes</span></div>\n", f);
}

static void axis(FILE *f, double span)
{
    char room[PCDF_HTML_ROOM];
    fputs("<div class=\"axis\">", f);
    for (int i = 0; i <= 4; i++) {
        fputs("<span>", f);
        pcdf_html_text(f, pcdf_html_seconds(room, span * i / 4));
        fputs("</span>", f);
    }
    fputs("</div>\n", f);
}

static int draw_lanes(struct lanes *l, char *const *logs, int n)
{
    int status = PCDF_TOOL_GOOD, height = tracks[l->ntracks - 1].end;
    for (l->lane = 0; l->lane < l->n && !status; l->lane++) {
        fprintf(
            l->f,
            "<div class=\"lane\"><span>rank %d</span><svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
            "height=\"%d\" role=\"img\" aria-label=\"rank %d\">\n",
            l->rank[l->lane], WIDTH, height, height, l->rank[l->lane]);
        size_t first = (size_t)l->lane * (size_t)l->ntracks;
        for (int i = 0; l->cells && i < l->ntracks; i++)
            draw_columns(l->f, l->cells + (first + (size_t)i) * (size_t)l->columns, l, (enum track)i);
        if (!l->cells)
            status = pcdf_record_again(l->r, logs, n, draw_one, l);
        fputs("</svg></div>\n", l->f);
    }
    return status;
}

int pcdf_record_lanes(FILE *f, struct pcdf_record *r, char *const *logs, int n)
{
    struct lanes l = { .r = r, .f = f };
    int status = PCDF_TOOL_GOOD;
    bool one_by_one = r->ncalls + r->noperations + r->nqueue <= ONE_BY_ONE;
    choose_ranks(&l);
    l.ntracks = pcdf_record_has_queue(r) ? TRACKS : WAITS;
    l.columns = l.n > ALL_COLUMNS / COLUMNS ? ALL_COLUMNS / l.n : COLUMNS;
    l.column = r->span > 0 ? r->span / l.columns : 1;
    if (!one_by_one) {
        l.cells = pcdf_calloc((size_t)l.n * (size_t)l.ntracks * (size_t)l.columns, sizeof *l.cells);
        if (!l.cells)
            pcdf_tool_say(NULL, "no memory for the time line");
        status = l.cells ? pcdf_record_again(r, logs, n, add_to_cells, &l) : PCDF_TOOL_UNUSABLE;
    }
    pcdf_html_section(
        f, "Time line",
        one_by_one ? "Every call of every rank; hold the pointer on a bar for what it is."
                   : "What took most of the time of each stretch; hold the pointer on a bar for how much.");
    legend(f, l.ntracks);
    if (!status)
        status = draw_lanes(&l, logs, n);
    axis(f, r->span);
    pcdf_html_section_end(f);
    pcdf_free(l.cells);
    return status;
}
