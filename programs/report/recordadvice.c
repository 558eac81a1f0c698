/* What a person who knows the library would say of a recording, each with the figures that make him say it.
 */
#include "alloc.h"
#include "recordpage.h"
#include "reporthtml.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { R = PCDF_HTML_ROOM };

struct advising {
    FILE *f;
    const struct pcdf_record *r;
    double seconds; /* of all calls of all ranks */
    int given;
};

static void advise(struct advising *a, const char *head, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* head: our own words and numbers, as is the rest: only names need the escaping that both get. */
static void advise(struct advising *a, const char *head, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fputs("<li><b>", a->f);
    pcdf_html_text(a->f, head);
    fputs("</b><span>", a->f);
    pcdf_html_text(a->f, text);
    fputs("</span></li>\n", a->f);
    a->given++;
}

static double percent(const struct advising *a, double seconds)
{
    return a->seconds > 0 ? 100 * seconds / a->seconds : 0;
}

static double of_kind(const struct pcdf_record *r, int kind)
{
    double sum = 0;
    for (int i = 0; i < r->nranks; i++)
        sum += r->ranks[i].seconds[kind];
    return sum;
}

static const struct pcdf_record_row *way_named(const struct pcdf_record *r, const char *name)
{
    for (int i = 0; i < r->ways.n; i++)
        if (strcmp(r->ways.x[i].name, name) == 0)
            return &r->ways.x[i];
    return NULL;
}

/* ---- what may be said */

static void small_calls(struct advising *a)
{
    const struct pcdf_record_small *independent = &a->r->independent, *collective = &a->r->collective;
    char head[256], n[R], b[R];
    if (independent->calls >= 100 && percent(a, independent->seconds) >= 15) {
        snprintf(head, sizeof head, "%.0f %% of the time is in %s independent calls of %s on average",
                 percent(a, independent->seconds), pcdf_html_count(n, independent->calls),
                 pcdf_html_bytes(b, independent->bytes / independent->calls));
        advise(
            a, head,
            "Each is an operation of its own on the storage. Use nonblocking calls (iput, iget, bput) and "
            "one wait, or better one wait_all: then neighbouring pieces are moved in one operation. Or set "
            "hint pcdf_defer=67108864, with which each rank defers its puts and writes many at once.");
    }
    if (collective->calls >= 100 && percent(a, collective->seconds) >= 15) {
        snprintf(head, sizeof head,
                 "%.0f %% of the time is in %s collective calls of %s on each rank on average",
                 percent(a, collective->seconds), pcdf_html_count(n, collective->calls),
                 pcdf_html_bytes(b, collective->bytes / collective->calls));
        advise(a, head,
               "Each needs a message among all ranks. Use nonblocking calls and one wait_all for many of "
               "them (iput, then wait_all). Or set hint pcdf_defer=67108864, with which the library defers "
               "puts and writes many at once; the program need not be changed.");
    }
}

static void definitions(struct advising *a)
{
    const struct pcdf_record *r = a->r;
    char head[256], n[R], b[R];
    double seconds = of_kind(r, PCDF_RECORD_DEFINE);
    if (r->redefs >= 3) {
        snprintf(head, sizeof head,
                 "The program went back to define mode %s times; the header was written %s times",
                 pcdf_html_count(n, r->redefs), pcdf_html_count(b, r->header_writes));
        advise(a, head,
               "That took %.0f %% of the time. Define all variables and attributes before one enddef; values "
               "of attributes that keep their size may be changed in data mode.",
               percent(a, seconds));
    } else if (r->header_writes > 20 + 2.0 * r->nfiles) {
        snprintf(head, sizeof head, "The header was written %s times", pcdf_html_count(n, r->header_writes));
        advise(a, head,
               "Each change of a definition or attribute in data mode writes it. Make all changes between "
               "one redef and enddef, or before the first enddef.");
    }
    if (r->moved >= 1 << 20) {
        snprintf(head, sizeof head, "enddef moved %s because the header had no room to grow",
                 pcdf_html_bytes(b, r->moved));
        advise(a, head,
               "Leave room when the file is made: hint pcdf_header_reserve=65536 (or h_minfree of "
               "ncmpi__enddef). Then no data is moved for later definitions.");
    }
}

/* Chunks that were written before they were complete, and again. */
static void lost_room(struct advising *a)
{
    const struct pcdf_record_chunks *c = &a->r->chunks;
    char head[256], n[R], b[R], lost[R];
    if (c->lost < 1 << 20 || c->lost < c->stored / 20)
        return;
    snprintf(head, sizeof head, "%s of the %s that chunks took in netCDF-4 files are lost room",
             pcdf_html_bytes(lost, c->lost), pcdf_html_bytes(b, c->stored));
    advise(a, head,
           "Chunks were changed %s times when they were in the file already, and got a new place each time. "
           "`parcdf copy -k netcdf4` gives the room back. Put chunks whole between two syncs, or give "
           "incomplete ones more memory (hint pcdf_chunk_memory), or choose chunks that one put completes.",
           pcdf_html_count(n, c->anew));
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of n numbers, one a rank: their median, and which rank has most. */
static double median_of(const struct pcdf_record *r, double (*value)(const struct pcdf_record_rank *),
                        int *slowest, double *most, int *there)
{
    double *x = pcdf_malloc(((size_t)r->nranks + 1) * sizeof *x), median = 0;
    *there = 0;
    *most = -1;
    for (int i = 0; x && i < r->nranks; i++) {
        if (!r->ranks[i].is_there)
            continue;
        double mine = value(&r->ranks[i]);
        x[(*there)++] = mine;
        if (mine > *most) {
            *most = mine;
            *slowest = i;
        }
    }
    if (*there > 0) {
        qsort(x, (size_t)*there, sizeof *x, by_value);
        median = (x[(*there - 1) / 2] + x[*there / 2]) / 2;
    }
    pcdf_free(x);
    return median;
}

static double moved_by(const struct pcdf_record_rank *rank)
{
    return rank->put + rank->get;
}

static void imbalance(struct advising *a)
{
    char head[256], b[R], c[R];
    int slowest = 0, there;
    double most, median = median_of(a->r, pcdf_record_rank_storage, &slowest, &most, &there);
    if (there > 1 && median > 0 && most / median >= 1.5 && percent(a, most) >= 5) {
        snprintf(head, sizeof head, "Rank %d is %.1f times slower at the storage than the median rank",
                 slowest, most / median);
        advise(a, head,
               "It spent %s there, the others %s, and the others wait for it in collective calls. Check "
               "whether it has more bytes than others, whether its host is slow, or whether it is an "
               "aggregator for too many ranks (hint nc_num_aggrs_per_node).",
               pcdf_html_seconds(b, most), pcdf_html_seconds(c, median));
    }
    median = median_of(a->r, moved_by, &slowest, &most, &there);
    if (there > 1 && most > 1 << 20 && most >= 2 * median) {
        snprintf(head, sizeof head, "Rank %d moves %s, the median rank %s", slowest, pcdf_html_bytes(b, most),
                 pcdf_html_bytes(c, median));
        advise(a, head,
               "If one rank collects and writes all values, everything passes through one process. Let each "
               "rank put its own part in one collective call.");
    }
}

static void waiting(struct advising *a)
{
    const struct pcdf_record *r = a->r;
    double sync = of_kind(r, PCDF_RECORD_SYNC), storage = 0;
    char head[256], b[R];
    for (int i = 0; i < r->nranks; i++)
        storage += pcdf_record_rank_storage(&r->ranks[i]);
    if (percent(a, sync) >= 20) {
        snprintf(head, sizeof head, "%.0f %% of the time is in sync and flush", percent(a, sync));
        advise(a, head,
               "Each waits until all data is on the storage. Call ncmpi_sync only where a crash must not "
               "lose anything. close does it once, and hint pcdf_commit sets how safe the data must be.");
    }
    if (a->seconds > 0 && storage < 0.4 * a->seconds && a->seconds > 0.05) {
        snprintf(head, sizeof head, "The storage accounts for %.0f %% of the time in calls",
                 percent(a, storage));
        advise(a, head,
               "In the other %s, summed over all ranks, the ranks wait for each other, agree, and pack "
               "values. If ranks begin a collective call at different times, the time line shows long bars "
               "for the early ones.",
               pcdf_html_seconds(b, a->seconds - storage));
    }
}

/* ---- the write queue */

static const struct pcdf_record_row *longest_wait(const struct pcdf_record *r)
{
    const struct pcdf_record_row *best = NULL;
    for (int i = 0; i < r->waits.n; i++)
        if (!best || r->waits.x[i].seconds > best->seconds)
            best = &r->waits.x[i];
    return best;
}

static bool has_environment(const struct pcdf_record *r, const char *name, const char *begins)
{
    for (int i = 0; i < r->environment.n; i++)
        if (strcmp(r->environment.x[i].name, name) == 0 &&
            strncmp(r->environment.x[i].other, begins, strlen(begins)) == 0)
            return true;
    return false;
}

/* Which found no room in the log of hint pcdf_stage_dir. */
static bool log_was_full(const struct pcdf_record *r)
{
    for (int i = 0; i < r->staging.n; i++)
        if (strcmp(r->staging.x[i].name, "log full") == 0)
            return true;
    return false;
}

static void full_queue(struct advising *a, const struct pcdf_record_queue *sum)
{
    const struct pcdf_record *r = a->r;
    char head[256], text[256], n[R], s[R], b[R];
    double full = 0, times = 0, busy = 0;
    for (int i = 0; i < r->waits.n; i++)
        if (strcmp(r->waits.x[i].name, "full") == 0) {
            full = r->waits.x[i].seconds;
            times = r->waits.x[i].calls;
        }
    for (int i = 0; i < r->nranks; i++)
        busy = r->ranks[i].queue.write_seconds > busy ? r->ranks[i].queue.write_seconds : busy;
    if (percent(a, full) < 10)
        return;
    snprintf(head, sizeof head,
             "The write queue was full %s times: %s of waiting, %.0f %% of the time in calls",
             pcdf_html_count(n, times), pcdf_html_seconds(s, full), percent(a, full));
    snprintf(text, sizeof text, "It had %s on each rank (hint pcdf_async), and %s were put. %s",
             r->memory > 0 ? pcdf_html_bytes(b, (double)r->memory) : "little memory",
             pcdf_html_bytes(s, sum->put_bytes),
             log_was_full(r) ? "The logs in pcdf_stage_dir had no room either: the folder was full, or "
                               "pcdf_debug_stage_limit was reached. "
                             : "");
    if (busy >= 0.9 * r->span)
        advise(a, head,
               "%sThe thread wrote nearly all the time, so the storage is the limit, and more memory only "
               "delays the wait. Write less, or less often.",
               text);
    else
        advise(
            a, head, "%sGive it the bytes that a rank puts between two phases of computation%s.", text,
            has_environment(r, "hint", "pcdf_debug_async_rate=") ||
                    has_environment(r, "hint", "pcdf_async_rate=")
                ? ", or set a larger pcdf_debug_async_rate: until the queue is full, the thread pauses for it"
                : "");
}

/* What to do about a wait that the order of calls makes; NULL: it is none. */
static const char *remedy_of(const char *wait)
{
    static const struct {
        const char *op, *remedy;
    } remedies[] = {
        { "settle_get",
          "Gets read what was put just before: read first, or keep these values in the program." },
        { "settle_order",
          "Calls lie between the bytes of an earlier put, which another rank may still write: "
          "put such parts in one call, or with iput and one wait_all." },
        { "settle_put", "The header was written between puts: define everything before the first put." },
        { "settle_define", "Define everything before the first put, or put in another order." },
        { "settle_mode", "Stay in one data mode, or change it before a phase of computation ends." },
        { "settle_turn",
          "Independent gets or inquiries come while the thread writes: make them before the puts." },
    };
    for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++)
        if (strcmp(remedies[i].op, wait) == 0)
            return remedies[i].remedy;
    return NULL;
}

static void back_and_forth(struct advising *a)
{
    const struct pcdf_record_row *most = NULL;
    char head[256], n[R], s[R];
    double seconds = 0, times = 0;
    for (int i = 0; i < a->r->waits.n; i++) {
        const struct pcdf_record_row *row = &a->r->waits.x[i];
        if (!remedy_of(row->name))
            continue;
        seconds += row->seconds;
        times += row->calls;
        most = !most || row->seconds > most->seconds ? row : most;
    }
    if (!most || percent(a, seconds) < 10)
        return;
    snprintf(head, sizeof head, "Calls waited %s times, %s, until the write queue had written earlier puts",
             pcdf_html_count(n, times), pcdf_html_seconds(s, seconds));
    advise(a, head, "%s", remedy_of(most->name));
}

/* It saved little: why? */
static void useless_queue(struct advising *a, const struct pcdf_record_queue *sum)
{
    const struct pcdf_record_row *wait = longest_wait(a->r);
    char head[256], s[R], w[R];
    double saved = pcdf_record_saved(sum);
    bool is_sync = wait && strcmp(wait->name, "settle_sync") == 0;
    snprintf(head, sizeof head, "The write queue saved %s of %s of writing", pcdf_html_seconds(s, saved),
             pcdf_html_seconds(w, sum->write_seconds));
    if (sum->writes == 0) {
        if (sum->put_bytes > 0)
            advise(a, "The write queue was on, but no put waited in it",
                   "The ranks wrote all of their puts themselves. Puts by file views of MPI-IO (hint "
                   "pcdf_debug_strategy=views) and the header may not wait.");
    } else if (saved >= 0.1 * sum->write_seconds || percent(a, sum->write_seconds) < 5) {
        if (sum->write_seconds < 0.5 * sum->put_seconds)
            advise(a, head,
                   "The storage takes the bytes faster than puts are converted and packed: there was little "
                   "to save, and pcdf_async=0 saves the memory.");
    } else if (wait && strcmp(wait->name, "full") == 0) {
        advise(a, head, "Most of that time, the program waited because the queue was full.");
    } else if (wait && (is_sync || strcmp(wait->name, "settle_close") == 0)) {
        advise(a, head,
               "The program waits in %s for what it has just put. The queue saves time where the program "
               "computes between the puts and the next %s",
               is_sync ? "sync" : "close",
               is_sync ? "sync." : "close, and with pcdf_async_close=true behind the close, too.");
    } else {
        advise(a, head,
               "While the thread wrote, the program waited for it. The queue saves time where the program "
               "computes after its puts.");
    }
}

static void queue(struct advising *a)
{
    const struct pcdf_record_queue sum = pcdf_record_queue_sum(a->r);
    if (has_environment(a->r, "queue", "none"))
        advise(a, "The hint pcdf_async was set, but a file had no write queue",
               "Another thread may only write where the file system of all nodes shows one file to all of "
               "them at once, and where MPI-IO's own calls are not needed; and the memory must be there.");
    if (!pcdf_record_has_queue(a->r))
        return;
    full_queue(a, &sum);
    back_and_forth(a);
    useless_queue(a, &sum);
}

static void others(struct advising *a)
{
    const struct pcdf_record *r = a->r;
    char head[256], n[R];
    if (way_named(r, "views")) {
        snprintf(head, sizeof head, "%s calls went through MPI-IO's collective calls",
                 pcdf_html_count(n, way_named(r, "views")->calls));
        advise(a, head,
               "The hint pcdf_debug_strategy=views asks for it. With it, some MPI libraries hide failures; "
               "two-phase I/O is as fast: see the page Strategies of the manual.");
    }
    if (r->errors > 0) {
        snprintf(head, sizeof head, "%s calls returned an error, the first %d", pcdf_html_count(n, r->errors),
                 r->first_error);
        advise(a, head,
               "With PARCDF_DEBUG=1 in the environment, the library prints what was wrong with each. The "
               "page Errors lists the codes.");
    }
    if (r->count_writes > 1000 && r->independent.calls + r->collective.calls > 0) {
        snprintf(head, sizeof head, "The number of records was written %s times",
                 pcdf_html_count(n, r->count_writes));
        advise(a, head,
               "Records are added in many small steps. Put several records in one call, or use nonblocking "
               "puts for the variables of a record and wait once.");
    }
}

void pcdf_record_advice(FILE *f, const struct pcdf_record *r)
{
    struct advising a = { .f = f, .r = r, .seconds = pcdf_record_seconds(r) };
    pcdf_html_section(f, "Advice", NULL);
    fputs("<ul class=\"advice\">\n", f);
    small_calls(&a);
    definitions(&a);
    lost_room(&a);
    imbalance(&a);
    waiting(&a);
    queue(&a);
    others(&a);
    if (a.given == 0)
        fputs("<li class=\"good\"><b>Nothing is remarkable</b><span>No kind of call, no rank and no header "
              "takes much more time than the others.</span></li>\n",
              f);
    fputs("</ul>\n", f);
    pcdf_html_section_end(f);
}
