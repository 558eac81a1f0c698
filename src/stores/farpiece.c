/* See farpiece.h. */
#include "farpiece.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include "alloc.h"
#include "loader.h"
#include "numbers.h"
#include "status.h"

/* The SHA-256 of no bytes, which is the body of a request that gets. */
#define EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

struct pcdf_far_limits pcdf_far_limits = {
    .gap = 256 << 10,
    .size = 8 << 20,
    .parallel = 16,
    .tries = 8,
    .first_tries = 3,
    .patience_ms = 60000,
    .delay_ms = 100,
    .retry_after_s = 30,
    .connect_ms = 10000,
    .idle_ms = 20000,
    .all_ms = 600000,
};

int64_t pcdf_far_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000 + 1; /* never 0 */
}

static void sleep_ms(int64_t ms)
{
    struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
    nanosleep(&t, NULL);
}

/* ---- verdicts */

__attribute__((format(printf, 4, 5))) static void
end_piece(struct pcdf_far_piece *p, const struct pcdf_far_line *line, int err, const char *format, ...)
{
    va_list args;
    int n = snprintf(p->sentence, sizeof p->sentence, "%.250s: ", line->name);
    va_start(args, format);
    vsnprintf(p->sentence + n, sizeof p->sentence - (size_t)n, format, args);
    va_end(args);
    p->is_done = true;
    p->err = err;
    p->ended = pcdf_far_now();
}

static int64_t retry_after(const struct pcdf_far_line *line, const char *text)
{
    struct tm tm = { 0 };
    int64_t seconds = 0;
    if (*text && strspn(text, "0123456789") == strlen(text))
        seconds = strtoll(text, NULL, 10);
    else if (*text && strptime(text, "%a, %d %b %Y %H:%M:%S", &tm))
        seconds = (int64_t)timegm(&tm) - (int64_t)time(NULL);
    return 1000 * pcdf_smaller(pcdf_larger(seconds, 0), line->limits.retry_after_s);
}

/* Later again, unless it was tried often enough. */
static void try_again(struct pcdf_far_line *line, struct pcdf_far_piece *p, const char *why,
                      const char *after)
{
    int64_t now = pcdf_far_now(), delay = (int64_t)line->limits.delay_ms << (p->tries < 12 ? p->tries : 12);
    line->random = line->random * 6364136223846793005u + 1442695040888963407u;
    delay = delay / 2 + (int64_t)((line->random >> 33) % (uint64_t)(delay + 1));
    if (!p->first_failure)
        p->first_failure = now;
    p->not_before = now + pcdf_larger(delay, retry_after(line, after));
    if (++p->tries >= (line->is_answered ? line->limits.tries : line->limits.first_tries) ||
        p->not_before - p->first_failure > line->limits.patience_ms)
        end_piece(p, line, NC_EREAD, "%s; tried %d times", why, p->tries);
    else
        line->retries++;
}

/* "bytes 0-9/100". A star in the place of the size: -1, it is not told (RFC 9110, 14.4). */
static bool read_range(const char *text, int64_t *first, int64_t *last, int64_t *size)
{
    char *end;
    if (strncasecmp(text, "bytes ", 6) != 0)
        return false;
    errno = 0;
    *first = *last = -1;
    if (text[6] == '*')
        end = (char *)text + 7;
    else {
        *first = strtoll(text + 6, &end, 10);
        if (*end != '-')
            return false;
        *last = strtoll(end + 1, &end, 10);
    }
    *size = -1;
    if (*first >= 0 && strcmp(end, "/*") == 0)
        return !errno && *first <= *last && *last < INT64_MAX;
    if (*end != '/' || end[1] < '0' || end[1] > '9')
        return false;
    *size = strtoll(end + 1, &end, 10);
    return !*end && !errno && *first <= *last && *last < *size;
}

/* A weak ETag says less than one needs: with the time it says more. */
static struct pcdf_pin pin_of(const struct pcdf_http_answer *a, int64_t size)
{
    struct pcdf_pin pin = { .size = size };
    bool is_strong = a->etag[0] == '"';
    snprintf(pin.tag, sizeof pin.tag, "%s", is_strong ? a->etag : a->modified);
    if (!is_strong && a->etag[0] && strlen(a->etag) + strlen(a->modified) + 2 < sizeof pin.tag)
        snprintf(pin.tag, sizeof pin.tag, "%.55s %.62s", a->etag, a->modified);
    return pin;
}

static bool is_same(const struct pcdf_pin *a, const struct pcdf_pin *b)
{
    return a->size == b->size && strcmp(a->tag, b->tag) == 0;
}

/* Is this still what it was, here and in pieces that came before? */
static bool believe(const struct pcdf_far_line *line, struct pcdf_far_piece *p, const struct pcdf_pin *is)
{
    const struct pcdf_pin *was = p->pin.size >= 0 ? &p->pin : p->got > 0 ? &p->is : is;
    if (!is_same(was, is)) {
        end_piece(p, line, NC_EREAD, "it has been changed since it was opened");
        return false;
    }
    p->is = *is;
    return true;
}

/* The first answer to a request for the last bytes tells where these begin. From then on it is a range as any
 * other, of this version of the object. */
static void place_from_end(struct pcdf_far_piece *p, const struct pcdf_http_answer *a)
{
    int64_t first, last, size;
    if (!p->from_end || !read_range(a->range, &first, &last, &size))
        return;
    if (size < 0) /* the last bytes end where it does */
        size = last + 1;
    if (last != size - 1 || first != pcdf_larger(size - p->length, 0))
        return;
    p->offset = first;
    p->length = size - first;
    p->pin = pin_of(a, size);
    p->from_end = false;
}

/* The size that earlier answers told; -1: none did. */
static int64_t known_size(const struct pcdf_far_piece *p)
{
    return p->pin.size >= 0 ? p->pin.size : p->got > 0 ? p->is.size : -1;
}

/* The first bytes, of an object whose size was not told: it is asked for (judge_size). */
static void take_unsized(struct pcdf_far_line *line, struct pcdf_far_piece *p,
                         const struct pcdf_http_answer *a, int64_t first, int64_t last)
{
    if (p->from_end || first != p->offset + p->got || last >= p->offset + p->length || a->got == 0 ||
        a->got > last - first + 1 || (a->length >= 0 && a->length != last - first + 1)) {
        try_again(line, p, "the server gives another range than was asked for", a->retry_after);
        return;
    }
    line->gives_ranges = true;
    p->is = pin_of(a, -1);
    p->got += a->got;
    p->asks_size = true;
}

/* The answer to a HEAD. */
static void judge_size(struct pcdf_far_line *line, struct pcdf_far_piece *p, const struct pcdf_http_answer *a)
{
    struct pcdf_pin is = pin_of(a, a->length);
    if (a->length < 0) {
        end_piece(p, line, NC_ENOTSUPPORT, "the server does not say how long it is");
    } else if (strcmp(is.tag, p->is.tag) != 0 || is.size < p->offset + p->got) {
        end_piece(p, line, NC_EREAD, "it has been changed since it was opened");
    } else {
        p->is = is;
        p->asks_size = false;
        p->is_done = p->got == pcdf_smaller(p->length, is.size - p->offset);
    }
}

static void judge_part(struct pcdf_far_line *line, struct pcdf_far_piece *p, const struct pcdf_http_answer *a)
{
    int64_t first, last, size;
    place_from_end(p, a);
    bool is_unsized = read_range(a->range, &first, &last, &size) && size < 0;
    if (is_unsized && known_size(p) < 0) {
        take_unsized(line, p, a, first, last);
        return;
    }
    int64_t from = p->offset + p->got, end = p->offset + p->length;
    bool is_range = !p->from_end && read_range(a->range, &first, &last, &size);
    if (is_unsized)
        size = known_size(p);
    if (!is_range || first != from || last != pcdf_smaller(end, size) - 1 || a->got > last - first + 1 ||
        (a->length >= 0 && a->length != last - first + 1)) {
        try_again(line, p, "the server gives another range than was asked for", a->retry_after);
        return;
    }
    struct pcdf_pin is = pin_of(a, size);
    if (!believe(line, p, &is))
        return;
    line->gives_ranges = true;
    if (a->got == last - first + 1 && a->is_whole) {
        p->got += a->got;
        p->is_done = true;
        return;
    }
    if (a->got <= last - first) /* else more came than was said */
        p->got += a->got;
    try_again(line, p, a->error[0] ? a->error : "the answer ends early", a->retry_after);
}

/* All of it where a part was asked for. */
static void judge_whole(struct pcdf_far_line *line, struct pcdf_far_piece *p,
                        const struct pcdf_http_answer *a)
{
    bool is_known = p->pin.size >= 0 || (p->path && !p->may_be_whole && a->length >= 0);
    if (!line->gives_ranges && !p->is_plain && is_known) { /* it never did, so it will not */
        p->is = p->pin.size >= 0 ? p->pin : pin_of(a, a->length);
        p->has_no_ranges = p->is_done = true;
        return;
    }
    if (!p->may_be_whole || p->offset + p->got != 0) {
        try_again(line, p, "the server gives all of the object where a part was asked for", a->retry_after);
        return;
    }
    struct pcdf_pin is = pin_of(a, a->length >= 0 ? a->length : a->got);
    if (a->length < 0 && !a->is_whole)
        end_piece(p, line, NC_ENOTSUPPORT, "the server does not give parts of files, nor their size");
    else if (a->is_whole || a->length > p->length) {
        if (!believe(line, p, &is))
            return;
        p->got = a->is_whole ? a->got : 0;
        p->has_no_ranges = p->is_done = true;
    } else
        try_again(line, p, a->error[0] ? a->error : "the answer ends early", a->retry_after);
}

static void judge_nothing(struct pcdf_far_line *line, struct pcdf_far_piece *p,
                          const struct pcdf_http_answer *a)
{
    int64_t size = -1;
    bool is_range = strncasecmp(a->range, "bytes */", 8) == 0;
    if (is_range)
        size = strtoll(a->range + 8, NULL, 10);
    if (!is_range || p->is_plain || size > p->offset + p->got || size < 0) {
        try_again(line, p, "the server refuses a range that is there", a->retry_after);
        return;
    }
    if (size == 0 && p->may_be_whole && p->pin.size < 0 && !p->is_plain) { /* is it empty, really? */
        p->is_plain = true;
        return;
    }
    struct pcdf_pin is = pin_of(a, size);
    if (p->pin.size >= 0 && size != p->pin.size)
        end_piece(p, line, NC_EREAD, "it has been changed since it was opened");
    else {
        p->is = p->pin.size >= 0 ? p->pin : is;
        p->is_done = true;
    }
}

/* S3 tells another region's name; once. */
static bool learn_region(struct pcdf_far_line *line, const struct pcdf_http_answer *a)
{
    if (!line->is_s3 || line->region_is_told || !a->region[0] ||
        strspn(a->region, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(a->region))
        return false;
    char *region = pcdf_strndup(a->region, strlen(a->region));
    if (!region)
        return false;
    pcdf_free(line->who.region);
    line->who.region = region;
    return line->region_is_told = true;
}

static void judge_refusal(struct pcdf_far_line *line, struct pcdf_far_piece *p,
                          const struct pcdf_http_answer *a)
{
    char why[80];
    switch (a->status) {
    case 404:
    case 410:
        end_piece(p, line, NC_ENOENT, "it is not there (HTTP %d)", a->status);
        return;
    case 401:
    case 403:
    case 407:
        end_piece(
            p, line, NC_EACCESS, "access is refused (HTTP %d)%s%s", a->status,
            line->is_stranger ? ": references name it, so the request was not signed (hint "
                                "pcdf_references=s3://bucket signs it)"
            : line->is_s3 && !line->who.user_password
                ? "; no credentials were found, so the request was not signed"
                : "",
            (line->is_s3 || p->path) && a->status == 403
                ? "; S3 says so also of what is not there, to whom may not list the bucket (mode nolist)"
                : "");
        p->is_forbidden = a->status == 403;
        return;
    case 412:
        end_piece(p, line, NC_EREAD, "it has been changed since it was opened");
        return;
    default:
        snprintf(why, sizeof why, "the server answers with HTTP status %d", a->status);
        if (a->status == 408 || a->status == 429 || a->status >= 500)
            try_again(line, p, why, a->retry_after);
        else if ((a->status == 301 || a->status == 307 || a->status == 400) && learn_region(line, a))
            p->not_before = 0;
        else
            end_piece(p, line, NC_EREAD, "%s", why);
    }
}

static void judge(struct pcdf_far_line *line, struct pcdf_far_piece *p, const struct pcdf_http_answer *a)
{
    line->is_answered |= !a->has_no_connection;
    bool is_encoded = a->encoding[0] && strcasecmp(a->encoding, "identity") != 0;
    if (a->status == 0 && a->is_inside) {
        end_piece(p, line, NC_EACCESS, "a host of the inside (%s), to which %s", a->error,
                  line->is_guarded ? "references do not lead (hint pcdf_references=http://host allows it)"
                                   : "a host of the outside does not lead");
    } else if (a->status == 0) {
        if (a->may_retry)
            try_again(line, p, a->error, "");
        else
            end_piece(p, line, NC_EREAD, "%s", a->error[0] ? a->error : "no answer");
    } else if ((a->status == 200 || a->status == 206) && is_encoded)
        try_again(line, p, "the server encodes what was asked for as it is", a->retry_after);
    else if (a->status == 200 && p->asks_size)
        judge_size(line, p, a);
    else if (a->status == 206 && !p->is_plain && !p->asks_size)
        judge_part(line, p, a);
    else if (a->status == 200)
        judge_whole(line, p, a);
    else if (a->status == 416)
        judge_nothing(line, p, a);
    else
        judge_refusal(line, p, a);
}

/* ---- requests */

static char *url_of(const struct pcdf_far_line *line, const struct pcdf_far_piece *p)
{
    char *base = pcdf_credentials_url(&line->who, &line->url);
    size_t n = base ? strlen(base) : 0;
    size_t room = n + strlen(line->url.query) + (p->path ? strlen(p->path) : 0) + 2;
    char *all = base ? pcdf_malloc(room) : NULL;
    if (all)
        snprintf(all, room, "%s%s%s%s", base, p->path && base[n - 1] != '/' ? "/" : "",
                 p->path ? p->path : "", line->url.query);
    pcdf_free(base);
    return all;
}

static void begin(struct pcdf_far_line *line, struct pcdf_far_piece *p)
{
    struct pcdf_http_header headers[3];
    bool has_range = !p->is_plain && !p->asks_size;
    struct pcdf_http_request r = { .is_head = p->asks_size,
                                   .first = !has_range || p->from_end ? -1 : p->offset + p->got,
                                   .last = !has_range    ? -1
                                           : p->from_end ? p->length
                                                         : p->offset + p->length - 1,
                                   .headers = headers,
                                   .to = p->to + p->got,
                                   .room = p->length - p->got,
                                   .connect_ms = line->limits.connect_ms,
                                   .idle_ms = line->limits.idle_ms,
                                   .all_ms = line->limits.all_ms,
                                   .ca_bundle = line->ca_bundle,
                                   .is_guarded = line->is_guarded };
    char signs[128];
    const struct pcdf_pin *pin = p->pin.size >= 0 ? &p->pin : p->got > 0 ? &p->is : NULL;
    char *url = url_of(line, p);
    r.url = url;
    if (pin && pin->tag[0] == '"')
        headers[r.nheaders++] = (struct pcdf_http_header){ "If-Match", pin->tag };
    if (line->is_s3 && line->who.user_password) {
        snprintf(signs, sizeof signs, "aws:amz:%.60s:s3", line->who.region);
        r.sigv4 = signs;
        r.user_password = line->who.user_password;
        headers[r.nheaders++] = (struct pcdf_http_header){ "x-amz-content-sha256", EMPTY };
        if (line->who.token)
            headers[r.nheaders++] = (struct pcdf_http_header){ "x-amz-security-token", line->who.token };
    } else
        r.user_password = line->url.user_password;
    p->transfer = url ? line->http->start(&r) : NULL;
    pcdf_free(url);
    line->requests++;
    line->running += p->transfer != NULL;
    if (!p->transfer)
        end_piece(p, line, NC_ENOMEM, "no memory for a request");
}

void pcdf_far_line_start(struct pcdf_far_line *line)
{
    int64_t now = pcdf_far_now();
    for (struct pcdf_far_piece *p = line->pieces; p && line->running < line->limits.parallel; p = p->next)
        if (!p->is_done && !p->transfer && p->not_before <= now)
            begin(line, p);
}

/* ms until a piece may be begun again; -1: none waits for that. */
static int64_t next_begin(const struct pcdf_far_line *line)
{
    int64_t soonest = -1, now = pcdf_far_now();
    for (const struct pcdf_far_piece *p = line->pieces; p; p = p->next)
        if (!p->is_done && !p->transfer && (soonest < 0 || p->not_before - now < soonest))
            soonest = pcdf_larger(p->not_before - now, 0);
    return soonest;
}

/* Takes one answer, waiting at most ms; false: none came. */
static bool take_answer(struct pcdf_far_line *line, int64_t ms)
{
    enum { MOST = 64 };
    void *transfers[MOST];
    struct pcdf_far_piece *of[MOST];
    int n = 0;
    for (struct pcdf_far_piece *p = line->pieces; p && n < MOST; p = p->next)
        if (p->transfer) {
            transfers[n] = p->transfer;
            of[n++] = p;
        }
    int which = n > 0 ? line->http->wait(transfers, n, (int)ms) : -1;
    if (which >= 0) {
        struct pcdf_http_answer a;
        struct pcdf_far_piece *p = of[which];
        line->http->finish(p->transfer, &a);
        p->transfer = NULL;
        line->running--;
        judge(line, p, &a);
    }
    return which >= 0;
}

/* Waits for one answer, or until there is something to begin. */
static void step(struct pcdf_far_line *line)
{
    pcdf_far_line_start(line);
    int64_t ms = line->running < line->limits.parallel ? next_begin(line) : -1;
    if (ms < 0 || ms > 1000)
        ms = 1000;
    if (line->running == 0)
        sleep_ms(ms);
    else
        (void)take_answer(line, ms);
}

/* Also where the piece is there already, the line goes on: else it would stand still while chunks that have
 * come are decoded. */
int pcdf_far_piece_wait(struct pcdf_far_line *line, struct pcdf_far_piece *piece)
{
    while (line->running > 0 && take_answer(line, 0))
        continue;
    pcdf_far_line_start(line);
    while (!piece->is_done)
        step(line);
    return piece->err ? PCDF_FAIL(piece->err, "%s", piece->sentence) : NC_NOERR;
}

/* ---- the line */

void pcdf_far_piece_add(struct pcdf_far_line *line, struct pcdf_far_piece *piece)
{
    struct pcdf_far_piece **at = &line->pieces;
    while (*at)
        at = &(*at)->next;
    *at = piece;
}

static void end_transfer(struct pcdf_far_line *line, struct pcdf_far_piece *p)
{
    if (p->transfer) {
        line->http->finish(p->transfer, NULL);
        line->running--;
        p->transfer = NULL;
    }
}

void pcdf_far_piece_drop(struct pcdf_far_line *line, struct pcdf_far_piece *piece)
{
    struct pcdf_far_piece **at = &line->pieces;
    if (--piece->users > 0)
        return;
    end_transfer(line, piece);
    while (*at && *at != piece)
        at = &(*at)->next;
    if (*at)
        *at = piece->next;
    if (piece->owns_to)
        pcdf_free(piece->to);
    pcdf_free(piece->path);
    pcdf_free(piece);
}

/* A file of certificates, by our own variable or those that others have. NULL: the system's. */
static const char *ca_bundle(void)
{
    static const char *const names[] = { "PARCDF_CA_BUNDLE", "AWS_CA_BUNDLE", "CURL_CA_BUNDLE",
                                         "SSL_CERT_FILE" };
    const char *file = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !(file && *file); i++)
        file = secure_getenv(names[i]);
    return file && *file ? file : NULL;
}

int pcdf_far_line_open(struct pcdf_far_line *line, const struct pcdf_bond *bond, const char *told)
{
    const struct pcdf_plugin *plugin;
    char what[300];
    memset(line, 0, sizeof *line);
    line->limits = pcdf_far_limits;
    line->name = told;
    line->random = (uint64_t)pcdf_far_now() * 2654435761u + (uint64_t)getpid();
    line->ca_bundle = ca_bundle();
    snprintf(what, sizeof what, "%.250s is far away", told);
    PCDF_TRY(pcdf_url_parse(bond->whole, &line->url));
    bool is_users = !bond->is_bound, may_sign = is_users || bond->may_sign;
    line->is_guarded = !is_users && !bond->may_inside;
    line->is_s3 =
        line->url.scheme == PCDF_URL_S3 || (is_users ? pcdf_url_has_mode(bond->whole, "s3") : bond->may_sign);
    line->is_stranger = line->is_s3 && !may_sign;
    int err = line->is_s3 ? pcdf_credentials_find(&line->url, may_sign, &line->who) : NC_NOERR;
    if (!err)
        err = pcdf_plugin_load("curl", what, &plugin);
    if (!err && !plugin->http)
        err = PCDF_FAIL(NC_ENOTBUILT, "%s, and the plug-in curl has no transport", what);
    if (!err)
        line->http = plugin->http;
    else
        pcdf_far_line_close(line);
    return err;
}

void pcdf_far_line_close(struct pcdf_far_line *line)
{
    for (struct pcdf_far_piece *p = line->pieces, *next; p; p = next) {
        next = p->next;
        p->users = 1;
        pcdf_far_piece_drop(line, p);
    }
    pcdf_url_free(&line->url);
    pcdf_credentials_free(&line->who);
}
