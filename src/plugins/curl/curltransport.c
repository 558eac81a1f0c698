/* Requests by libcurl. One thread, which is begun with the first request, moves all of them, so that bytes
 * come while the program computes. It touches curl only while there are transfers: a program may end at any
 * other time. */

#include <curl/curl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include "plugin.h"

enum state { WAITS, RUNS, TO_CANCEL, ENDED };
enum { REDIRECTS = 5, CONNECTIONS = 32, LOW_SPEED = 1024 };

struct transfer {
    struct transfer *next; /* in the list of those that the thread has not seen yet, or is to cancel */
    CURL *easy;
    struct curl_slist *headers;
    enum state state; /* under the lock, as `next` */
    unsigned char *to;
    int64_t room;
    bool is_over; /* the body has more than the room */
    CURLcode result;
    struct pcdf_http_answer answer;
    char text[CURL_ERROR_SIZE];
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t ended, begun;
    bool has_thread;
    CURLM *multi;
    struct transfer *news;
    int running;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- what comes */

static bool is_body_wanted(const struct transfer *t)
{
    return t->answer.status == 200 || t->answer.status == 206;
}

static size_t take_body(char *bytes, size_t size, size_t n, void *context)
{
    struct transfer *t = context;
    (void)size;
    if (!is_body_wanted(t)) /* the page that comes with an error */
        return n;
    if ((int64_t)n > t->room - t->answer.got) {
        t->is_over = true;
        return 0;
    }
    memcpy(t->to + t->answer.got, bytes, n);
    t->answer.got += (int64_t)n;
    return n;
}

/* A field longer than its place is left out: half of an ETag is none. */
static void keep(char *to, size_t room, const char *value, size_t n)
{
    while (n > 0 && (*value == ' ' || *value == '\t'))
        value++, n--;
    while (n > 0 &&
           (value[n - 1] == ' ' || value[n - 1] == '\r' || value[n - 1] == '\n' || value[n - 1] == '\t'))
        n--;
    if (n >= room)
        n = 0;
    memcpy(to, value, n);
    to[n] = '\0';
}

static void begin_answer(struct pcdf_http_answer *a, const char *line)
{
    int status = 0;
    memset(a, 0, sizeof *a);
    a->length = -1;
    const char *blank = strchr(line, ' ');
    if (blank)
        status = atoi(blank);
    a->status = status;
}

static size_t take_header(char *line, size_t size, size_t n, void *context)
{
    struct transfer *t = context;
    struct pcdf_http_answer *a = &t->answer;
    char number[32], first[64];
    const struct {
        const char *name;
        char *to;
        size_t room;
    } fields[] = {
        { "etag", a->etag, sizeof a->etag },
        { "last-modified", a->modified, sizeof a->modified },
        { "content-range", a->range, sizeof a->range },
        { "content-encoding", a->encoding, sizeof a->encoding },
        { "x-amz-bucket-region", a->region, sizeof a->region },
        { "retry-after", a->retry_after, sizeof a->retry_after },
        { "content-length", number, sizeof number },
    };
    (void)size;
    if (n > 5 && memcmp(line, "HTTP/", 5) == 0) { /* of the last of several answers, behind redirects */
        size_t some = n < sizeof first ? n : sizeof first - 1;
        memcpy(first, line, some);
        first[some] = '\0';
        begin_answer(a, first);
        return n;
    }
    const char *colon = memchr(line, ':', n);
    size_t length = colon ? (size_t)(colon - line) : 0;
    number[0] = '\0';
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (length == strlen(fields[i].name) && strncasecmp(line, fields[i].name, length) == 0)
            keep(fields[i].to, fields[i].room, colon + 1, n - length - 1);
    if (number[0] && strspn(number, "0123456789") == strlen(number))
        a->length = strtoll(number, NULL, 10);
    return n;
}

/* ---- the thread */

static void end_transfer(struct transfer *t, CURLcode result)
{
    curl_multi_remove_handle(all.multi, t->easy);
    all.running--;
    t->result = result;
    t->state = ENDED;
    pthread_cond_broadcast(&all.ended);
}

/* Under the lock. */
static void take_news(void)
{
    while (all.news) {
        struct transfer *t = all.news;
        all.news = t->next;
        if (t->state == TO_CANCEL) {
            end_transfer(t, CURLE_ABORTED_BY_CALLBACK);
            continue;
        }
        t->state = RUNS;
        all.running++;
        if (curl_multi_add_handle(all.multi, t->easy) != CURLM_OK)
            end_transfer(t, CURLE_OUT_OF_MEMORY);
    }
}

static void take_ends(void)
{
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(all.multi, &left)))
        if (message->msg == CURLMSG_DONE) {
            CURLcode result = message->data.result;
            struct transfer *t = NULL;
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&t);
            if (t->state == RUNS)
                end_transfer(t, result);
        }
}

static void *move_all(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&all.lock);
    for (;;) {
        int alive = 0;
        while (!all.news && all.running == 0)
            pthread_cond_wait(&all.begun, &all.lock);
        take_news();
        pthread_mutex_unlock(&all.lock);
        curl_multi_perform(all.multi, &alive);
        pthread_mutex_lock(&all.lock);
        take_ends();
        bool has_work = all.running > 0 && !all.news;
        pthread_mutex_unlock(&all.lock);
        if (has_work)
            curl_multi_poll(all.multi, NULL, 0, 1000, NULL);
        pthread_mutex_lock(&all.lock);
    }
    return NULL;
}

/* Signals are for the program's threads. */
static bool begin_thread(void)
{
    pthread_condattr_t clock;
    pthread_t thread;
    sigset_t every, was;
    if (all.has_thread)
        return true;
    if (!all.multi && (curl_global_init(CURL_GLOBAL_DEFAULT) || !(all.multi = curl_multi_init())))
        return false;
    curl_multi_setopt(all.multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, (long)CONNECTIONS);
    curl_multi_setopt(all.multi, CURLMOPT_MAXCONNECTS, (long)CONNECTIONS);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&all.ended, &clock);
    pthread_cond_init(&all.begun, NULL);
    pthread_condattr_destroy(&clock);
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &was);
    all.has_thread = pthread_create(&thread, NULL, move_all, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &was, NULL);
    if (all.has_thread)
        pthread_detach(thread);
    return all.has_thread;
}

/* ---- requests */

static bool add_header(struct transfer *t, const char *text)
{
    struct curl_slist *more = curl_slist_append(t->headers, text);
    if (more)
        t->headers = more;
    return more;
}

static bool set_headers(struct transfer *t, const struct pcdf_http_request *r)
{
    bool ok = add_header(t, "Accept-Encoding: identity");
    for (int i = 0; ok && i < r->nheaders; i++) {
        size_t n = strlen(r->headers[i].name) + strlen(r->headers[i].value) + 3;
        char *line = malloc(n);
        if (line)
            snprintf(line, n, "%s: %s", r->headers[i].name, r->headers[i].value);
        ok = line && add_header(t, line);
        free(line);
    }
    return ok && !curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->headers);
}

static bool set_range(CURL *easy, const struct pcdf_http_request *r)
{
    char range[64];
    if (r->first < 0 && r->last < 0)
        return true;
    if (r->first < 0)
        snprintf(range, sizeof range, "-%lld", (long long)r->last);
    else
        snprintf(range, sizeof range, "%lld-%lld", (long long)r->first, (long long)r->last);
    return !curl_easy_setopt(easy, CURLOPT_RANGE, range);
}

#define SET(option, value) (!curl_easy_setopt(t->easy, option, value))

/* A signed request follows no redirect: its token would go along. */
static bool set_up(struct transfer *t, const struct pcdf_http_request *r)
{
    bool is_https = strncasecmp(r->url, "https:", 6) == 0;
    long slow = r->idle_ms >= 1000 ? r->idle_ms / 1000 : 1;
    bool ok = SET(CURLOPT_URL, r->url) && SET(CURLOPT_PRIVATE, (void *)t) && SET(CURLOPT_NOSIGNAL, 1L) &&
              SET(CURLOPT_PROTOCOLS_STR, "http,https") &&
              SET(CURLOPT_REDIR_PROTOCOLS_STR, is_https ? "https" : "http,https") &&
              SET(CURLOPT_FOLLOWLOCATION, r->sigv4 ? 0L : 1L) && SET(CURLOPT_MAXREDIRS, (long)REDIRECTS) &&
              SET(CURLOPT_WRITEFUNCTION, take_body) && SET(CURLOPT_WRITEDATA, (void *)t) &&
              SET(CURLOPT_HEADERFUNCTION, take_header) && SET(CURLOPT_HEADERDATA, (void *)t) &&
              SET(CURLOPT_ERRORBUFFER, t->text) && SET(CURLOPT_CONNECTTIMEOUT_MS, (long)r->connect_ms) &&
              SET(CURLOPT_TIMEOUT_MS, (long)r->all_ms) && SET(CURLOPT_LOW_SPEED_LIMIT, (long)LOW_SPEED) &&
              SET(CURLOPT_LOW_SPEED_TIME, slow) && SET(CURLOPT_BUFFERSIZE, 256L * 1024) &&
              SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L) && SET(CURLOPT_PATH_AS_IS, 1L);
    if (ok && r->ca_bundle)
        ok = SET(CURLOPT_CAINFO, r->ca_bundle);
    if (ok && r->user_password)
        ok = SET(CURLOPT_USERPWD, r->user_password);
    if (ok && r->sigv4)
        ok = SET(CURLOPT_AWS_SIGV4, r->sigv4);
    if (ok && r->is_head)
        ok = SET(CURLOPT_NOBODY, 1L);
    (void)SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS); /* where it is built in */
    return ok && set_range(t->easy, r) && set_headers(t, r);
}

static void free_transfer(struct transfer *t)
{
    curl_easy_cleanup(t->easy);
    curl_slist_free_all(t->headers);
    free(t);
}

/* Under the lock. */
static void tell_thread(struct transfer *t)
{
    t->next = all.news;
    all.news = t;
    pthread_cond_signal(&all.begun);
    curl_multi_wakeup(all.multi);
}

static void *start(const struct pcdf_http_request *r)
{
    struct transfer *t = calloc(1, sizeof *t);
    pthread_mutex_lock(&all.lock);
    bool ok = t && begin_thread();
    pthread_mutex_unlock(&all.lock);
    t = ok ? t : (free(t), NULL);
    if (t) {
        t->to = r->to;
        t->room = r->room;
        t->answer.length = -1;
        t->easy = curl_easy_init();
    }
    if (t && (!t->easy || !set_up(t, r))) {
        free_transfer(t);
        t = NULL;
    }
    if (t) {
        pthread_mutex_lock(&all.lock);
        tell_thread(t);
        pthread_mutex_unlock(&all.lock);
    }
    return t;
}

static int first_ended(void **transfers, int n)
{
    for (int i = 0; i < n; i++)
        if (((struct transfer *)transfers[i])->state == ENDED)
            return i;
    return -1;
}

static int wait_one(void **transfers, int n, int ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += (long)(ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&all.lock);
    int which = first_ended(transfers, n);
    for (int err = 0; which < 0 && !err; which = first_ended(transfers, n))
        err = pthread_cond_timedwait(&all.ended, &all.lock, &until);
    pthread_mutex_unlock(&all.lock);
    return which;
}

/* Those after which another try may do better. */
static bool may_retry(CURLcode code)
{
    switch (code) {
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_AGAIN:
        return true;
    default:
        return false;
    }
}

static void finish(void *transfer, struct pcdf_http_answer *answer)
{
    struct transfer *t = transfer;
    pthread_mutex_lock(&all.lock);
    if (t->state == WAITS) { /* still in the list */
        struct transfer **at = &all.news;
        while (*at != t)
            at = &(*at)->next;
        *at = t->next;
        t->state = ENDED;
        t->result = CURLE_ABORTED_BY_CALLBACK;
    } else if (t->state == RUNS) {
        t->state = TO_CANCEL;
        tell_thread(t);
    }
    while (t->state != ENDED)
        pthread_cond_wait(&all.ended, &all.lock);
    pthread_mutex_unlock(&all.lock);
    struct pcdf_http_answer *a = &t->answer;
    a->is_whole = t->result == CURLE_OK && (a->length < 0 || a->got == a->length || !is_body_wanted(t));
    a->may_retry = may_retry(t->result);
    a->has_no_connection = t->result == CURLE_COULDNT_CONNECT;
    /* Only of these curl's own text is taken: it names hosts and certificates, and nothing else. */
    bool has_text = t->result == CURLE_COULDNT_CONNECT || t->result == CURLE_PEER_FAILED_VERIFICATION ||
                    t->result == CURLE_COULDNT_RESOLVE_HOST;
    if (t->is_over)
        snprintf(a->error, sizeof a->error, "more comes than was asked for");
    else if (t->result != CURLE_OK)
        snprintf(a->error, sizeof a->error, "%.199s",
                 has_text && t->text[0] ? t->text : curl_easy_strerror(t->result));
    if (answer)
        *answer = *a;
    free_transfer(t);
}

static const struct pcdf_http http = { .start = start, .wait = wait_one, .finish = finish };
static char version[64];
static const struct pcdf_plugin plugin = {
    .abi = PCDF_PLUGIN_ABI,
    .size = sizeof(struct pcdf_plugin),
    .name = "curl",
    .version = version,
    .http = &http,
};

__attribute__((visibility("default"))) const struct pcdf_plugin *pcdf_plugin(void);
const struct pcdf_plugin *pcdf_plugin(void)
{
    snprintf(version, sizeof version, "libcurl %s", curl_version_info(CURLVERSION_NOW)->version);
    return &plugin;
}
