/* The write queue of a recording (hint pcdf_async): putting, waiting and writing apart, and what the queue
 * saved. */
#include "recordpage.h"
#include "reporthtml.h"

#include <string.h>

enum { RANKS_SHOWN = 64 };

bool pcdf_record_has_queue(const struct pcdf_record *r)
{
    return r->nqueue > 0 || r->memory > 0;
}

double pcdf_record_saved(const struct pcdf_record_queue *q)
{
    return q->write_seconds - q->overlapped;
}

struct pcdf_record_queue pcdf_record_queue_sum(const struct pcdf_record *r)
{
    struct pcdf_record_queue sum = { 0 };
    for (int i = 0; i < r->nranks; i++) {
        const struct pcdf_record_queue *q = &r->ranks[i].queue;
        sum.puts += q->puts;
        sum.put_seconds += q->put_seconds;
        sum.put_bytes += q->put_bytes;
        sum.now += q->now;
        sum.now_seconds += q->now_seconds;
        sum.now_bytes += q->now_bytes;
        sum.staged_bytes += q->staged_bytes;
        sum.writes += q->writes;
        sum.write_seconds += q->write_seconds;
        sum.write_bytes += q->write_bytes;
        sum.waits += q->waits;
        sum.wait_seconds += q->wait_seconds;
        sum.overlapped += q->overlapped;
        sum.highest = q->highest > sum.highest ? q->highest : sum.highest;
        sum.call_seconds = q->call_seconds > sum.call_seconds ? q->call_seconds : sum.call_seconds;
    }
    return sum;
}

/* Ranks wait for each other: what the one saved whose thread wrote longest, the program saved. */
static const struct pcdf_record_queue *busiest(const struct pcdf_record *r)
{
    const struct pcdf_record_queue *best = &r->ranks[0].queue;
    for (int i = 1; i < r->nranks; i++)
        if (r->ranks[i].queue.write_seconds > best->write_seconds)
            best = &r->ranks[i].queue;
    return best;
}

void pcdf_record_queue_tiles(FILE *f, const struct pcdf_record *r)
{
    char a[PCDF_HTML_ROOM], b[PCDF_HTML_ROOM], more[3 * PCDF_HTML_ROOM], text[PCDF_HTML_ROOM + 2];
    const struct pcdf_record_queue sum = pcdf_record_queue_sum(r), *most = busiest(r);
    snprintf(more, sizeof more, "of %s of writing beside the program; the rank that wrote longest",
             pcdf_html_seconds(b, most->write_seconds));
    pcdf_html_tile(f, "time saved", pcdf_html_seconds(a, pcdf_record_saved(most)), more);
    snprintf(more, sizeof more, "the same rank; highest in its queue: %s", pcdf_html_bytes(b, most->highest));
    pcdf_html_tile(f, "waited for the queue", pcdf_html_seconds(a, most->wait_seconds), more);
    if (sum.call_seconds <= 0 || r->queued <= 0)
        return;
    snprintf(text, sizeof text, "%s/s", pcdf_html_bytes(a, r->queued / sum.call_seconds));
    if (sum.write_seconds > 0)
        snprintf(more, sizeof more, "bytes put over the slowest rank's wait in calls; a thread wrote %s/s",
                 pcdf_html_bytes(b, sum.write_bytes / sum.write_seconds));
    else
        snprintf(more, sizeof more, "bytes put over the slowest rank's wait in calls");
    pcdf_html_tile(f, "observed rate", text, more);
}

/* ---- the table */

/* The names of the waits and of the rows of the log differ. */
static const struct {
    const char *name, *means;
} meanings[] = {
    { "full", "waited: the queue had no room" },
    { "settle", "waited until what waits was written" },
    { "settle_get", "waited: a get of bytes that were not written yet" },
    { "settle_order",
      "waited: a call between the bytes of an earlier put, which other ranks may still write" },
    { "settle_put", "waited: a put that goes after all others, as those of the header" },
    { "settle_turn", "waited: the thread was writing when the program itself needed the storage" },
    { "settle_sync", "waited: sync or flush" },
    { "settle_define", "waited: redef or enddef" },
    { "settle_mode", "waited: a change to or from independent data mode" },
    { "settle_resize", "waited: a change of the size of the file" },
    { "settle_close", "waited: close" },
    { "to the log", "puts beyond the memory: into the log of hint pcdf_stage_dir" },
    { "log full", "the log took no more, and the put waited for memory: in the rows full" },
    { "from the log", "a part of write: the thread brought them to the file" },
    { "sync by log", "sync copied what waits in memory to the log, and waited for both storages" },
};

static const char *meaning_of(const char *name, const char *otherwise)
{
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (strcmp(meanings[i].name, name) == 0)
            return meanings[i].means;
    return otherwise;
}

struct row {
    const char *name, *means;
    double n, seconds, bytes;
    int colour;
};

static void row_of(FILE *f, double most, struct row row)
{
    pcdf_html_row(f);
    pcdf_html_cell_more(f, row.name, row.means);
    if (row.n > 0)
        pcdf_html_cell_count(f, row.n);
    else
        pcdf_html_cell(f, "");
    pcdf_html_cell_seconds(f, row.seconds);
    pcdf_html_cell_bar(f, most > 0 ? row.seconds / most : 0, row.colour);
    if (row.bytes > 0)
        pcdf_html_cell_bytes(f, row.bytes);
    else
        pcdf_html_cell(f, "");
    pcdf_html_row_end(f);
}

static void rows(FILE *f, const struct pcdf_record *r, const struct pcdf_record_queue *sum)
{
    double most = sum->put_seconds > sum->write_seconds ? sum->put_seconds : sum->write_seconds;
    for (int i = 0; i < r->waits.n; i++)
        most = r->waits.x[i].seconds > most ? r->waits.x[i].seconds : most;
    pcdf_html_table(f, "what|#times|#time||#bytes");
    row_of(f, most,
           (struct row){ "put", "accepted: in the memory of the queue, without the waits below",
                         sum->puts - sum->now, sum->put_seconds,
                         sum->put_bytes - sum->now_bytes - sum->staged_bytes, PCDF_RECORD_PUT });
    if (sum->now > 0)
        row_of(f, most,
               (struct row){ "at once", "puts that may not wait: the program wrote them itself", sum->now,
                             sum->now_seconds, sum->now_bytes, PCDF_RECORD_PUT });
    row_of(f, most,
           (struct row){ "write", "by the thread, with its syncs: the storage was busy", sum->writes,
                         sum->write_seconds, sum->write_bytes, PCDF_HTML_QUEUE });
    for (int i = 0; i < r->staging.n; i++)
        row_of(f, most,
               (struct row){ r->staging.x[i].name, meaning_of(r->staging.x[i].name, ""),
                             r->staging.x[i].calls, r->staging.x[i].seconds, r->staging.x[i].put,
                             PCDF_HTML_QUEUE });
    for (int i = 0; i < r->waits.n; i++)
        row_of(f, most,
               (struct row){ r->waits.x[i].name, meaning_of(r->waits.x[i].name, "waited"),
                             r->waits.x[i].calls, r->waits.x[i].seconds, r->waits.x[i].put, PCDF_HTML_WAIT });
    row_of(f, most,
           (struct row){ "saved", "writing by the thread while the program did not wait for it", 0,
                         pcdf_record_saved(sum), 0, PCDF_RECORD_GET });
    pcdf_html_table_end(f);
}

static void ranks(FILE *f, const struct pcdf_record *r)
{
    int shown = 0;
    char room[24];
    fputs("<h3>by rank</h3>\n", f);
    pcdf_html_table(f, "rank|#put|#write|#waited|#saved|#time in calls|#written|#highest in the queue");
    for (int i = 0; i < r->nranks && shown < RANKS_SHOWN; i++) {
        const struct pcdf_record_queue *q = &r->ranks[i].queue;
        if (q->puts + q->writes + q->waits == 0)
            continue;
        shown++;
        snprintf(room, sizeof room, "%d", i);
        pcdf_html_row(f);
        pcdf_html_cell(f, room);
        pcdf_html_cell_seconds(f, q->put_seconds);
        pcdf_html_cell_seconds(f, q->write_seconds);
        pcdf_html_cell_seconds(f, q->wait_seconds);
        pcdf_html_cell_seconds(f, pcdf_record_saved(q));
        pcdf_html_cell_seconds(f, q->call_seconds);
        pcdf_html_cell_bytes(f, q->write_bytes);
        pcdf_html_cell_bytes(f, q->highest);
        pcdf_html_row_end(f);
    }
    if (shown == 0)
        pcdf_html_row_none(f, 8);
    pcdf_html_table_end(f);
}

void pcdf_record_queue_page(FILE *f, const struct pcdf_record *r)
{
    const struct pcdf_record_queue sum = pcdf_record_queue_sum(r);
    pcdf_html_section(
        f, "Write queue",
        "Sums over all ranks, on files with hint pcdf_async. A put waits in memory, and a thread "
        "of the process writes it while the program goes on.");
    rows(f, r, &sum);
    ranks(f, r);
    pcdf_html_section_end(f);
}
