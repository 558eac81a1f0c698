/* Requests by libcurl. One thread, which is begun with the first request, moves all of them, so that bytes
 * come while the program computes. It touches curl only while there are transfers: a program may end at any
 * other time. */

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "plugin.h"

enum state { WAITS, RUNS, TO_CANCEL, ENDED };
enum { REDIRECTS = 5, CONNECTIONS = 32, LOW_SPEED = 1024 };

struct transfer {
    struct transfer *next; /* in the list of those that the thread has not seen yet, or is to cancel */
    CURL *easy;
    struct curl_slist *headers;
    enum state state; /* under the lock, as `next` */
    int generation;   /* of another one: a parent's, which nobody moves here */
    unsigned char *to;
    int64_t room;
    bool is_over; /* the body has more than the room */
    bool is_guarded;
    bool by_proxy;       /* guarded: the proxy alone is connected to */
    bool came_to_inside; /* before the first redirect */
    char inside[64];     /* the address that was refused; "": none */
    CURLcode result;
    struct pcdf_http_answer answer;
    char text[CURL_ERROR_SIZE];
};

static struct {
    pthread_mutex_t lock;
    pthread_mutex_t moves; /* the thread holds it while it is inside of curl, but where it waits there */
    pthread_cond_t ended, begun;
    bool has_thread;
    CURLM *multi;
    struct transfer *news;
    int running;
    int generation; /* forks so far */
    bool sees_forks;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER, .moves = PTHREAD_MUTEX_INITIALIZER };

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
static void keep_field(char *to, size_t room, const char *value, size_t n)
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
            keep_field(fields[i].to, fields[i].room, colon + 1, n - length - 1);
    if (number[0] && strspn(number, "0123456789") == strlen(number))
        a->length = strtoll(number, NULL, 10);
    return n;
}

/* ---- where it goes */

static bool is_inside_v4(uint32_t a)
{
    static const struct {
        uint32_t net;
        int bits;
    } nets[] = {
        { 0x00000000, 8 },  /* this host */
        { 0x0a000000, 8 },  /* private, as the next but four */
        { 0x64400000, 10 }, /* of carriers */
        { 0x7f000000, 8 },  /* loopback */
        { 0xa9fe0000, 16 }, /* link-local: what clouds tell a machine about itself */
        { 0xac100000, 12 }, { 0xc0a80000, 16 }, { 0xc0000000, 24 }, /* special purposes */
        { 0xc6120000, 15 },                                         /* benchmarks */
        { 0xe0000000, 3 },                                          /* multicast, reserved, broadcast */
    };
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++)
        if (((a ^ nets[i].net) >> (32 - nets[i].bits)) == 0)
            return true;
    return false;
}

static uint32_t word_of(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Of version 6: all but global unicast, and addresses of version 4 that stand in others. */
static bool is_inside_v6(const unsigned char *a)
{
    static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff },
                               translated[12] = { 0x00, 0x64, 0xff, 0x9b };
    if (memcmp(a, mapped, 12) == 0 || memcmp(a, translated, 12) == 0)
        return is_inside_v4(word_of(a + 12));
    if (a[0] == 0x20 && a[1] == 0x02) /* 6to4 */
        return is_inside_v4(word_of(a + 2));
    return (a[0] & 0xe0) != 0x20;
}

/* Loopback, link-local, private and the like; and what is no address of the internet at all. */
static bool is_inside(const struct sockaddr *a, char text[64])
{
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    if (a->sa_family == AF_INET) {
        memcpy(&v4, a, sizeof v4);
        inet_ntop(AF_INET, &v4.sin_addr, text, 64);
        return is_inside_v4(ntohl(v4.sin_addr.s_addr));
    }
    snprintf(text, 64, "a socket of this machine");
    if (a->sa_family != AF_INET6)
        return true;
    memcpy(&v6, a, sizeof v6);
    inet_ntop(AF_INET6, &v6.sin6_addr, text, 64);
    return is_inside_v6(v6.sin6_addr.s6_addr);
}

/* Behind a redirect the answer before it is still there. */
static bool may_go_to(struct transfer *t, const struct sockaddr *a)
{
    char text[64];
    bool inside = is_inside(a, text), is_redirect = t->answer.status >= 300 && t->answer.status < 400;
    if (!is_redirect && inside)
        t->came_to_inside = true;
    bool may = !inside || t->by_proxy || (!t->is_guarded && (!is_redirect || t->came_to_inside));
    if (!may)
        memcpy(t->inside, text, sizeof text);
    return may;
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *a)
{
    (void)purpose;
    if (!may_go_to(context, &a->addr))
        return CURL_SOCKET_BAD;
    return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

static bool read_address(const char *text, struct sockaddr_storage *a)
{
    struct addrinfo numeric = { .ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM }, *found = NULL;
    if (getaddrinfo(text, NULL, &numeric, &found) || !found)
        return false;
    memset(a, 0, sizeof *a);
    memcpy(a, found->ai_addr, found->ai_addrlen < sizeof *a ? found->ai_addrlen : sizeof *a);
    freeaddrinfo(found);
    return true;
}

/* Before each request, also on a connection that others began. */
static int before_request(void *context, char *there, char *here, int port, int own_port)
{
    struct sockaddr_storage a;
    (void)here, (void)port, (void)own_port;
    bool may = there && read_address(there, &a) && may_go_to(context, (const struct sockaddr *)&a);
    return may ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

/* By a proxy, whose address says nothing: the name counts where it is an address, or this machine's. */
static bool is_inside_name(const char *url, char text[64])
{
    char host[256];
    struct sockaddr_storage a;
    const char *from = strstr(url, "://");
    from = from ? from + 3 : url;
    size_t n = *from == '[' ? strcspn(++from, "]") : strcspn(from, ":/?#");
    if (n >= sizeof host)
        return true;
    memcpy(host, from, n);
    host[n] = '\0';
    while (n > 0 && host[n - 1] == '.')
        host[--n] = '\0';
    snprintf(text, 64, "%.63s", host);
    bool is_local = n >= 9 && strcasecmp(host + n - 9, "localhost") == 0 && (n == 9 || host[n - 10] == '.');
    return is_local || (read_address(host, &a) && is_inside((const struct sockaddr *)&a, text));
}

/* As curl looks for it. */
static const char *proxy_of(bool is_https)
{
    static const char *const plain[] = { "http_proxy", "all_proxy", "ALL_PROXY", NULL };
    static const char *const secure[] = { "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", NULL };
    for (const char *const *name = is_https ? secure : plain; *name; name++) {
        const char *proxy = secure_getenv(*name);
        if (proxy && *proxy)
            return proxy;
    }
    return "";
}

/* A guarded request goes by the proxy, where there is one, or directly: no_proxy names hosts of the inside.
 */
static bool set_guard(struct transfer *t, const struct pcdf_http_request *r, bool is_https)
{
    const char *proxy = r->is_guarded ? proxy_of(is_https) : "";
    t->is_guarded = r->is_guarded;
    t->by_proxy = *proxy;
    bool ok = !curl_easy_setopt(t->easy, CURLOPT_OPENSOCKETFUNCTION, open_socket) &&
              !curl_easy_setopt(t->easy, CURLOPT_OPENSOCKETDATA, (void *)t) &&
              !curl_easy_setopt(t->easy, CURLOPT_PREREQFUNCTION, before_request) &&
              !curl_easy_setopt(t->easy, CURLOPT_PREREQDATA, (void *)t);
    if (ok && r->is_guarded)
        ok = !curl_easy_setopt(t->easy, CURLOPT_PROXY, proxy) &&
             !curl_easy_setopt(t->easy, CURLOPT_NOPROXY, "");
    if (t->by_proxy && !is_inside_name(r->url, t->inside))
        t->inside[0] = '\0';
    t->came_to_inside = !r->is_guarded && (*proxy_of(true) || *proxy_of(false)); /* perhaps the proxy's */
    return ok;
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
        pthread_mutex_lock(&all.moves);
        curl_multi_perform(all.multi, &alive);
        pthread_mutex_unlock(&all.moves);
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

/* ---- forks: a child has no thread, and leaves the parent's connections alone */

static void before_fork(void)
{
    pthread_mutex_lock(&all.lock);
    pthread_mutex_lock(&all.moves);
}

static void in_parent(void)
{
    pthread_mutex_unlock(&all.moves);
    pthread_mutex_unlock(&all.lock);
}

/* What curl has there is not freed: that would speak to the servers, in the parent's name. */
static void in_child(void)
{
    pthread_mutex_init(&all.moves, NULL);
    pthread_mutex_init(&all.lock, NULL);
    all.has_thread = false;
    all.multi = NULL;
    all.news = NULL;
    all.running = 0;
    all.generation++;
}

/* Signals are for the program's threads. */
static bool begin_thread(void)
{
    pthread_condattr_t clock;
    pthread_t thread;
    sigset_t every, was;
    if (all.has_thread)
        return true;
    if (!all.sees_forks && pthread_atfork(before_fork, in_parent, in_child))
        return false;
    all.sees_forks = true;
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
    ok = ok && set_guard(t, r, is_https);
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
    if (t && t->inside[0]) {
        t->state = ENDED;
        t->result = CURLE_ABORTED_BY_CALLBACK;
    } else if (t) {
        pthread_mutex_lock(&all.lock);
        t->generation = all.generation;
        tell_thread(t);
        pthread_mutex_unlock(&all.lock);
    }
    return t;
}

/* Of a parent, which moves it in its own memory alone. */
static bool is_lost(const struct transfer *t)
{
    return t->state != ENDED && t->generation != all.generation;
}

static int first_ended(void **transfers, int n)
{
    for (int i = 0; i < n; i++) {
        const struct transfer *t = transfers[i];
        if (t->state == ENDED || is_lost(t))
            return i;
    }
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
    if (is_lost(t)) { /* its handle is the parent's: it is not freed */
        pthread_mutex_unlock(&all.lock);
        if (answer)
            *answer = (struct pcdf_http_answer){ .may_retry = true, .length = -1 };
        if (answer)
            snprintf(answer->error, sizeof answer->error, "the process was forked meanwhile");
        free(t);
        return;
    }
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
    if (t->inside[0] && t->result != CURLE_OK) {
        a->is_inside = true;
        a->may_retry = a->has_no_connection = false;
        snprintf(a->error, sizeof a->error, "%s", t->inside);
    }
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
