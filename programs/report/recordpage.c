/* See recordpage.h. */
#include "recordpage.h"
#include "reporthtml.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 60, RANKS_SHOWN = 64 };

double pcdf_record_rank_seconds(const struct pcdf_record_rank *rank)
{
    double sum = 0;
    for (int k = 0; k < PCDF_RECORD_KINDS; k++)
        sum += rank->seconds[k];
    return sum;
}

double pcdf_record_rank_storage(const struct pcdf_record_rank *rank)
{
    double sum = 0;
    for (int k = 0; k < PCDF_RECORD_STORAGE; k++)
        sum += rank->storage[k];
    return sum + rank->waiting;
}

double pcdf_record_seconds(const struct pcdf_record *r)
{
    double sum = 0;
    for (int i = 0; i < r->nranks; i++)
        sum += pcdf_record_rank_seconds(&r->ranks[i]);
    return sum;
}

/* ---- what is known at a glance */

static double slowest_seconds(const struct pcdf_record *r)
{
    double most = 0;
    for (int i = 0; i < r->nranks; i++) {
        double seconds = pcdf_record_rank_seconds(&r->ranks[i]);
        most = seconds > most ? seconds : most;
    }
    return most;
}

static int ranks_there(const struct pcdf_record *r)
{
    int n = 0;
    for (int i = 0; i < r->nranks; i++)
        n += r->ranks[i].is_there;
    return n;
}

static void tiles(FILE *f, const struct pcdf_record *r)
{
    char a[PCDF_HTML_ROOM], b[PCDF_HTML_ROOM], more[3 * PCDF_HTML_ROOM];
    double slowest = slowest_seconds(r), bytes = r->put + r->get;
    fputs("<div class=\"tiles\">\n", f);
    snprintf(more, sizeof more, "%s time%s a file was opened", pcdf_html_count(b, r->nfiles),
             r->nfiles == 1 ? "" : "s");
    pcdf_html_tile(f, "ranks", pcdf_html_count(a, ranks_there(r)), more);
    snprintf(more, sizeof more, "%s operations of the storage", pcdf_html_count(b, r->noperations));
    pcdf_html_tile(f, "calls", pcdf_html_count(a, r->ncalls), more);
    pcdf_html_tile(f, "put", pcdf_html_bytes(a, r->put), "by all ranks");
    pcdf_html_tile(f, "got", pcdf_html_bytes(a, r->get), "by all ranks");
    snprintf(more, sizeof more, "of %s recorded; the slowest rank", pcdf_html_seconds(b, r->span));
    pcdf_html_tile(f, "time in calls", pcdf_html_seconds(a, slowest), more);
    if (slowest > 0 && bytes > 0) {
        snprintf(more, sizeof more, "%s/s", pcdf_html_bytes(b, bytes / slowest));
        pcdf_html_tile(f, "rate", more, "bytes over the slowest rank's time in calls");
    }
    if (pcdf_record_has_queue(r))
        pcdf_record_queue_tiles(f, r);
    fputs("</div>\n", f);
}

/* ---- tables of calls, variables, ways */

static int by_seconds(const void *a, const void *b)
{
    const struct pcdf_record_row *const *x = a, *const *y = b;
    if ((*x)->seconds != (*y)->seconds)
        return (*x)->seconds < (*y)->seconds ? 1 : -1;
    return strcmp((*x)->name, (*y)->name);
}

static void cells_of(FILE *f, const struct pcdf_record_row *row, double most, int colour)
{
    pcdf_html_cell_count(f, row->calls);
    pcdf_html_cell_seconds(f, row->seconds);
    pcdf_html_cell_bar(f, most > 0 ? row->seconds / most : 0, colour);
    pcdf_html_cell_seconds(f, row->storage);
    pcdf_html_cell_bytes(f, row->put);
    pcdf_html_cell_bytes(f, row->get);
}

static void add_row(struct pcdf_record_row *sum, const struct pcdf_record_row *row)
{
    sum->calls += row->calls;
    sum->seconds += row->seconds;
    sum->storage += row->storage;
    sum->put += row->put;
    sum->get += row->get;
}

/* The rows that took most time, and the sum of the others. */
static void rows_of(FILE *f, const struct pcdf_record_table *t, const char *heads, bool has_kinds)
{
    const struct pcdf_record_row *order[PCDF_RECORD_MOST_ROWS];
    struct pcdf_record_row rest = { 0 };
    char text[PCDF_HTML_ROOM + 20], room[PCDF_HTML_ROOM];
    for (int i = 0; i < t->n; i++)
        order[i] = &t->x[i];
    qsort(order, (size_t)t->n, sizeof *order, by_seconds);
    pcdf_html_table(f, heads);
    if (t->n == 0)
        pcdf_html_row_none(f, 7);
    for (int i = 0; i < t->n && i < SHOWN; i++) {
        pcdf_html_row(f);
        pcdf_html_cell(f, order[i]->name);
        cells_of(f, order[i], order[0]->seconds, has_kinds ? order[i]->kind : PCDF_RECORD_PUT);
        pcdf_html_row_end(f);
    }
    for (int i = SHOWN; i < t->n; i++)
        add_row(&rest, order[i]);
    if (t->n > SHOWN) {
        snprintf(text, sizeof text, "%s others", pcdf_html_count(room, t->n - SHOWN));
        pcdf_html_row(f);
        pcdf_html_cell(f, text);
        cells_of(f, &rest, order[0]->seconds, PCDF_RECORD_MODE);
        pcdf_html_row_end(f);
    }
    pcdf_html_table_end(f);
}

static const struct {
    const char *word, *means;
} words[] = {
    { "independent", "each rank moves its own pieces" },
    { "two-phase", "two-phase I/O: through aggregators and shared windows" },
    { "views", "file views and collective calls of MPI-IO" },
    { "chunked", "each rank encodes or decodes the chunks that it needs" },
    { "posted", "nonblocking: pending until wait" },
    { "deferred", "deferred: written by a later call (pcdf_defer)" },
    { "nothing", "no rank had any bytes" },
    { "hint", "a hint asks for it" },
    { "one-rank", "there is one rank" },
    { "short-file", "the file ends before its data" },
    { "no-two-phase", "the storage or the nodes do not support two-phase I/O" },
    { "pieces-large", "pieces of at least pcdf_debug_chunk_size: to copy them costs more than the calls" },
    { "piece-one", "one piece on each rank, and no stripe that two of them write to" },
    { "pieces-small", "many small pieces: a few large ranges are written instead" },
    { "file-striped", "ranks that write to the same stripe would wait for each other" },
    { "ranks-share", "several ranks read the same part of a far file: one fetches it for all" },
    { "chunks", "the file is of another format: to read for other ranks would mean decoding for them" },
    { "independent-mode", "the call is in independent mode" },
    { "other-rank", "because of the pieces of another rank" },
};

static const char *meaning_of(const char *word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, word) == 0)
            return words[i].means;
    return "";
}

static void sieved(FILE *f, const struct pcdf_record_sieved *s)
{
    fputs("<h3>Data sieving: pieces moved together with the gaps between them</h3>\n", f);
    pcdf_html_table(f, "|#operations|#pieces|#their bytes|#bytes moved");
    pcdf_html_row(f);
    pcdf_html_cell(f, "sieved");
    pcdf_html_cell_count(f, s->operations);
    pcdf_html_cell_count(f, s->pieces);
    pcdf_html_cell_bytes(f, s->bytes);
    pcdf_html_cell_bytes(f, s->moved);
    pcdf_html_row_end(f);
    pcdf_html_table_end(f);
}

static void chunks(FILE *f, const struct pcdf_record_chunks *c)
{
    fputs("<h3>Chunks of netCDF-4 files: what was written to the file</h3>\n", f);
    pcdf_html_table(f, "|#chunks|#their values|#bytes in the file|#changed later|#room lost");
    pcdf_html_row(f);
    pcdf_html_cell_more(f, "chunks", "a chunk that is changed when it is in the file gets a new place");
    pcdf_html_cell_count(f, c->chunks);
    pcdf_html_cell_bytes(f, c->values);
    pcdf_html_cell_bytes(f, c->stored);
    pcdf_html_cell_count(f, c->anew);
    pcdf_html_cell_bytes(f, c->lost);
    pcdf_html_row_end(f);
    pcdf_html_table_end(f);
}

static void ways(FILE *f, const struct pcdf_record *r)
{
    double most = 0;
    for (int i = 0; i < r->ways.n; i++)
        most = r->ways.x[i].seconds > most ? r->ways.x[i].seconds : most;
    pcdf_html_section(f, "How the bytes went",
                      "The strategy of each put, get and wait, and its reason. The page Strategies of the "
                      "manual explains the rule.");
    pcdf_html_table(f, "way|because|#calls|#time|share|#bytes|#pieces");
    if (r->ways.n == 0)
        pcdf_html_row_none(f, 7);
    for (int i = 0; i < r->ways.n; i++) {
        const struct pcdf_record_row *row = &r->ways.x[i];
        pcdf_html_row(f);
        pcdf_html_cell_more(f, row->name, meaning_of(row->name));
        pcdf_html_cell_more(f, row->other, meaning_of(row->other));
        pcdf_html_cell_count(f, row->calls);
        pcdf_html_cell_seconds(f, row->seconds);
        pcdf_html_cell_bar(f, most > 0 ? row->seconds / most : 0, row->kind);
        pcdf_html_cell_bytes(f, row->put + row->get + row->waiting);
        pcdf_html_cell_count(f, row->pieces);
        pcdf_html_row_end(f);
    }
    pcdf_html_table_end(f);
    if (r->sieved.operations > 0)
        sieved(f, &r->sieved);
    if (r->chunks.chunks > 0)
        chunks(f, &r->chunks);
    pcdf_html_section_end(f);
}

/* ---- sizes */

static void sizes(FILE *f, const char *title, double (*counts)[PCDF_RECORD_SIZES])
{
    char low[PCDF_HTML_ROOM], text[PCDF_HTML_ROOM + 8];
    double most = 0;
    int first = PCDF_RECORD_SIZES, last = -1;
    for (int i = 0; i < PCDF_RECORD_SIZES; i++) {
        double n = counts[0][i] + counts[1][i];
        most = n > most ? n : most;
        first = n > 0 && i < first ? i : first;
        last = n > 0 ? i : last;
    }
    fprintf(f, "<div><h3>%s</h3>\n", title);
    pcdf_html_table(f, "bytes|#put|#got|");
    for (int i = first; i <= last; i++) {
        double n = counts[0][i] + counts[1][i];
        if (n == 0)
            continue;
        snprintf(text, sizeof text, "from %s", pcdf_html_bytes(low, (double)((int64_t)1 << i)));
        pcdf_html_row(f);
        pcdf_html_cell(f, text);
        pcdf_html_cell_count(f, counts[0][i]);
        pcdf_html_cell_count(f, counts[1][i]);
        pcdf_html_cell_bar(f, n / most, counts[0][i] >= counts[1][i] ? PCDF_RECORD_PUT : PCDF_RECORD_GET);
        pcdf_html_row_end(f);
    }
    if (last < 0)
        pcdf_html_row_none(f, 4);
    pcdf_html_table_end(f);
    fputs("</div>\n", f);
}

/* ---- ranks, files, environment */

static void ranks(FILE *f, const struct pcdf_record *r)
{
    double most = slowest_seconds(r);
    int shown = 0, there = ranks_there(r);
    pcdf_html_section(
        f, "Ranks",
        there > RANKS_SHOWN
            ? "Time in calls; the first ranks, and those that took nearly as long as the slowest one."
            : "Time in calls: the part of the storage; the rest is waiting, packing and agreement.");
    pcdf_html_table(f, "rank|#calls|#time in calls||#storage|#operations|#put|#got");
    for (int i = 0; i < r->nranks; i++) {
        const struct pcdf_record_rank *rank = &r->ranks[i];
        double seconds = pcdf_record_rank_seconds(rank);
        char room[24];
        if (!rank->is_there || (shown >= RANKS_SHOWN && seconds < 0.98 * most) || shown >= 2 * RANKS_SHOWN)
            continue;
        shown++;
        snprintf(room, sizeof room, "%d", i);
        pcdf_html_row(f);
        pcdf_html_cell(f, room);
        pcdf_html_cell_count(f, rank->calls);
        pcdf_html_cell_seconds(f, seconds);
        pcdf_html_cell_bar(f, most > 0 ? seconds / most : 0, PCDF_RECORD_PUT);
        pcdf_html_cell_seconds(f, pcdf_record_rank_storage(rank));
        pcdf_html_cell_count(f, rank->operations);
        pcdf_html_cell_bytes(f, rank->put);
        pcdf_html_cell_bytes(f, rank->get);
        pcdf_html_row_end(f);
    }
    pcdf_html_table_end(f);
    pcdf_html_section_end(f);
}

static void files(FILE *f, const struct pcdf_record *r)
{
    pcdf_html_section(f, "Files", "Each time a file was opened.");
    pcdf_html_table(f, "file|#ranks|#logs|#from|#open for|#put|#got|#header written");
    for (int i = 0; i < r->nfiles && i < SHOWN; i++) {
        const struct pcdf_record_file *file = &r->files[i];
        if (file->end < file->begin)
            continue;
        pcdf_html_row(f);
        pcdf_html_cell(f, file->path);
        pcdf_html_cell_count(f, file->nranks);
        pcdf_html_cell_count(f, file->nlogs);
        pcdf_html_cell_seconds(f, file->begin + file->shift);
        pcdf_html_cell_seconds(f, file->end - file->begin);
        pcdf_html_cell_bytes(f, file->put);
        pcdf_html_cell_bytes(f, file->get);
        pcdf_html_cell_count(f, file->headers);
        pcdf_html_row_end(f);
    }
    pcdf_html_table_end(f);
    if (r->nfiles > SHOWN)
        pcdf_html_format(f, "%d more are not listed.", r->nfiles - SHOWN);
    pcdf_html_section_end(f);
}

static void environment(FILE *f, const struct pcdf_record *r)
{
    pcdf_html_section(
        f, "Where it ran",
        "What each rank recorded when it opened a file; hints only if they are not the default.");
    pcdf_html_table(f, "what|value|#times said");
    if (r->environment.n == 0)
        pcdf_html_row_none(f, 3);
    for (int i = 0; i < r->environment.n && i < SHOWN; i++) {
        pcdf_html_row(f);
        pcdf_html_cell(f, r->environment.x[i].name);
        pcdf_html_cell(f, r->environment.x[i].other);
        pcdf_html_cell_count(f, r->environment.x[i].calls);
        pcdf_html_row_end(f);
    }
    pcdf_html_table_end(f);
    if (r->nskipped + r->nleft_out > 0)
        pcdf_html_format(f,
                         "In the logs, %.0f lines were not understood (a killed program leaves half a line), "
                         "and %.0f groups of lines belong to files for which the page has no room.",
                         r->nskipped, r->nleft_out);
    pcdf_html_section_end(f);
}

int pcdf_record_page(FILE *f, struct pcdf_record *r, char *const *logs, int n)
{
    tiles(f, r);
    pcdf_record_advice(f, r);
    int status = pcdf_record_lanes(f, r, logs, n);
    pcdf_html_section(f, "Time by call",
                      "Sums over all ranks. Storage: the part in operations of the storage.");
    rows_of(f, &r->calls, "call|#calls|#time|share|#storage|#put|#got", true);
    pcdf_html_section_end(f);
    pcdf_html_section(f, "Time by variable",
                      "Sums over all ranks. The time of a wait, or of a call that writes deferred puts, is "
                      "divided by bytes.");
    rows_of(f, &r->variables, "variable|#calls|#time|share|#storage|#put|#got", false);
    pcdf_html_section_end(f);
    ways(f, r);
    pcdf_html_section(f, "Sizes", NULL);
    fputs("<div class=\"two\">\n", f);
    sizes(f, "what a call moves, on a rank", r->sizes);
    sizes(f, "pieces that the storage got", r->pieces);
    fputs("</div>\n", f);
    pcdf_html_section_end(f);
    if (pcdf_record_has_queue(r))
        pcdf_record_queue_page(f, r);
    ranks(f, r);
    files(f, r);
    environment(f, r);
    return status;
}
