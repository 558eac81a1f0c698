/* See url.h. */
#include "url.h"

#include <ctype.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "alloc.h"
#include "logins.h"
#include "status.h"

static const struct {
    const char *text;
    enum pcdf_url_scheme scheme;
} schemes[] = {
    { "file://", PCDF_URL_FILE },
    { "http://", PCDF_URL_HTTP },
    { "https://", PCDF_URL_HTTPS },
    { "s3://", PCDF_URL_S3 },
};

/* The parts of a name, where they stand in it. */
struct parts {
    enum pcdf_url_scheme scheme;
    const char *host, *path, *query, *mode, *end; /* each ends where the next one begins */
    const char *at;                               /* the '@' behind user and password; NULL: none */
};

static bool cut_up(const char *name, struct parts *p)
{
    size_t i = 0;
    while (i < sizeof schemes / sizeof *schemes &&
           strncasecmp(name, schemes[i].text, strlen(schemes[i].text)))
        i++;
    if (i == sizeof schemes / sizeof *schemes)
        return false;
    p->scheme = schemes[i].scheme;
    p->host = name + strlen(schemes[i].text);
    p->end = name + strlen(name);
    p->mode = strchr(p->host, '#');
    if (p->scheme == PCDF_URL_S3 || p->scheme == PCDF_URL_FILE) {
        p->mode = strrchr(p->host, '#'); /* keys and paths may have one */
        if (p->mode && !strstr(p->mode, "mode="))
            p->mode = NULL;
    }
    if (!p->mode)
        p->mode = p->end;
    p->query = p->mode;
    if (p->scheme == PCDF_URL_HTTP || p->scheme == PCDF_URL_HTTPS) {
        const char *question = memchr(p->host, '?', (size_t)(p->mode - p->host));
        p->query = question ? question : p->mode;
    }
    const char *slash = memchr(p->host, '/', (size_t)(p->query - p->host));
    p->path = slash ? slash : p->query;
    p->at = NULL;
    for (const char *c = p->host; c < p->path; c++)
        if (*c == '@')
            p->at = c;
    return true;
}

bool pcdf_url_is_known(const char *name)
{
    struct parts p;
    return cut_up(name, &p);
}

bool pcdf_url_is_far(const char *name)
{
    struct parts p;
    return cut_up(name, &p) && p.scheme != PCDF_URL_FILE;
}

bool pcdf_url_has_mode(const char *name, const char *word)
{
    const char *at = strrchr(name, '#');
    size_t n = strlen(word);
    for (at = at ? at + 1 : ""; *at; at += strcspn(at, "&"), at += *at == '&') {
        const char *end = at + strcspn(at, "&"), *equals = memchr(at, '=', (size_t)(end - at));
        if (equals && (equals - at != 4 || strncasecmp(at, "mode", 4)))
            continue;
        for (const char *one = equals ? equals + 1 : at; one < end; one += strcspn(one, ",&") + 1)
            if (strcspn(one, ",&") == n && strncasecmp(one, word, n) == 0)
                return true;
    }
    return false;
}

/* ---- percent */

char *pcdf_url_encode(const char *text, size_t n, bool keeps_percent)
{
    static const char more[] = "!$&'()*+,;=:@%"; /* what a path may have besides */
    char *to = pcdf_malloc(3 * n + 1);
    size_t at = 0;
    if (!to)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        bool is_plain = (c < 0x80 && isalnum(c)) || (c && strchr("-._~/", c));
        if (is_plain || (keeps_percent && c && strchr(more, c)))
            to[at++] = (char)c;
        else
            at += (size_t)sprintf(to + at, "%%%02X", c);
    }
    to[at] = '\0';
    return to;
}

static char *decode(const char *text, size_t n)
{
    char *to = pcdf_malloc(n + 1);
    size_t at = 0;
    if (!to)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '%' && i + 2 < n && isxdigit((unsigned char)text[i + 1]) &&
            isxdigit((unsigned char)text[i + 2])) {
            char hex[3] = { text[i + 1], text[i + 2], '\0' };
            to[at++] = (char)strtol(hex, NULL, 16);
            i += 2;
        } else
            to[at++] = text[i];
    }
    to[at] = '\0';
    return to;
}

/* ---- secrets */

/* A value of a query that nobody else is to see: by the name, or because it is long. */
static bool is_secret(const char *field, size_t n, size_t value)
{
    static const char *const words[] = { "sig", "token", "cred", "key", "secret", "pass", "auth", "access" };
    char name[64];
    if (value > 15)
        return true;
    snprintf(name, sizeof name, "%.*s", (int)(n < 63 ? n : 63), field);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasestr(name, words[i]))
            return true;
    return false;
}

/* The query to `to`, which has room for 3 bytes more a field; gives the end. */
static char *tell_query(const char *query, const char *end, char *to)
{
    while (query < end) {
        size_t n = 1 + strcspn(query + 1, "&#");
        if (query + n > end)
            n = (size_t)(end - query);
        const char *equals = memchr(query, '=', n);
        size_t name = equals ? (size_t)(equals - query) : 0, value = equals ? n - name - 1 : n - 1;
        bool hides = equals ? is_secret(query + 1, name - 1, value) : value > 15;
        if (hides)
            to += sprintf(to, "%.*s...", (int)(equals ? name + 1 : 1), query);
        else
            to = (char *)memcpy(to, query, n) + n;
        query += n;
    }
    return to;
}

char *pcdf_url_plain(const char *name)
{
    struct parts p;
    size_t n = strlen(name);
    char *told = pcdf_malloc(4 * n + 8), *to = told; /* each field of a query may become longer */
    if (!told)
        return NULL;
    if (cut_up(name, &p)) {
        const char *host = p.at ? p.at + 1 : p.host;
        to += sprintf(to, "%.*s%.*s", (int)(p.host - name), name, (int)(p.query - host), host);
        to = tell_query(p.query, p.mode, to);
        sprintf(to, "%s", p.mode);
    } else
        memcpy(told, name, n + 1);
    (void)pcdf_logins_hide(told);
    return told;
}

/* ---- names that are in use, by what they are told as */

static struct hidden {
    struct hidden *next;
    char *told, *whole; /* malloc: they belong to no file */
    int users;
} * hidden;
static pthread_mutex_t hidden_lock = PTHREAD_MUTEX_INITIALIZER;

static struct hidden *find_hidden(const char *told)
{
    struct hidden *h = hidden;
    while (h && strcmp(h->told, told) != 0)
        h = h->next;
    return h;
}

static struct hidden *add_hidden(const char *told, const char *whole)
{
    struct hidden *h = calloc(1, sizeof *h);
    if (!h || !(h->told = strdup(told)) || !(h->whole = strdup(whole))) {
        if (h)
            free(h->told);
        free(h);
        return NULL;
    }
    h->next = hidden;
    return hidden = h;
}

/* The first of plain, plain#login=2.. that is free or has this whole name. */
static struct hidden *enter(const char *plain, const char *whole)
{
    size_t room = strlen(plain) + 32;
    char *told = malloc(room);
    struct hidden *h = NULL;
    for (int n = 1; told && n < INT_MAX; n++) {
        snprintf(told, room, n == 1 ? "%s" : "%s%clogin=%d", plain, strchr(plain, '#') ? '&' : '#', n);
        h = find_hidden(told);
        if (!h)
            h = add_hidden(told, whole);
        if (!h || strcmp(h->whole, whole) == 0)
            break;
    }
    free(told);
    if (h)
        h->users++;
    return h;
}

const char *pcdf_url_hide(const char *name, char **made)
{
    *made = NULL;
    if (!name || !strchr(name, ':')) /* nothing that is secret */
        return name;
    char *plain = pcdf_url_plain(name);
    if (plain && !pcdf_url_is_far(name)) {
        if (strcmp(plain, name) != 0)
            return *made = plain;
        pcdf_free(plain);
        return name;
    }
    pthread_mutex_lock(&hidden_lock);
    const struct hidden *h = plain ? enter(plain, name) : NULL;
    pthread_mutex_unlock(&hidden_lock);
    pcdf_free(plain);
    *made = h ? pcdf_strndup(h->told, strlen(h->told)) : NULL;
    return *made ? *made : pcdf_url_is_known(name) ? "a URL" : name; /* no memory */
}

void pcdf_url_forget(char *made)
{
    if (!made)
        return;
    pthread_mutex_lock(&hidden_lock);
    struct hidden **at = &hidden;
    while (*at && strcmp((*at)->told, made) != 0)
        at = &(*at)->next;
    struct hidden *h = *at;
    if (h && --h->users == 0) {
        *at = h->next;
        explicit_bzero(h->whole, strlen(h->whole));
        free(h->whole);
        free(h->told);
        free(h);
    }
    pthread_mutex_unlock(&hidden_lock);
    pcdf_free(made);
}

char *pcdf_url_whole(const char *told)
{
    pthread_mutex_lock(&hidden_lock);
    const struct hidden *h = find_hidden(told);
    char *whole = h ? pcdf_strndup(h->whole, strlen(h->whole)) : pcdf_strndup(told, strlen(told));
    pthread_mutex_unlock(&hidden_lock);
    return whole;
}

void pcdf_url_wipe(char *secret)
{
    if (secret)
        explicit_bzero(secret, strlen(secret));
    pcdf_free(secret);
}

/* ---- parse */

static bool is_good(const char *name, const struct parts *p)
{
    const char *host = p->at ? p->at + 1 : p->host;
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return false;
    for (const char *c = host; c < p->path; c++)
        if (!isalnum((unsigned char)*c) && !strchr("-._:[]", *c))
            return false;
    return p->scheme == PCDF_URL_FILE ? p->path == p->host || p->path - p->host == 9 : host < p->path;
}

static int fill_in(const struct parts *p, struct pcdf_url *url)
{
    const char *host = p->at ? p->at + 1 : p->host;
    size_t path = (size_t)(p->query - p->path);
    bool is_http = p->scheme == PCDF_URL_HTTP || p->scheme == PCDF_URL_HTTPS;
    url->scheme = p->scheme;
    url->host = pcdf_strndup(host, (size_t)(p->path - host));
    url->query = pcdf_strndup(p->query, (size_t)(p->mode - p->query));
    url->mode = pcdf_strndup(p->mode + (*p->mode == '#'), strlen(p->mode + (*p->mode == '#')));
    url->path = path == 0                    ? pcdf_strndup("/", 1)
                : p->scheme == PCDF_URL_FILE ? decode(p->path, path)
                                             : pcdf_url_encode(p->path, path, is_http);
    if (p->at)
        url->user_password = decode(p->host, (size_t)(p->at - p->host));
    bool ok = url->host && url->query && url->mode && url->path && (!p->at || url->user_password);
    return ok ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory for the parts of a URL");
}

int pcdf_url_parse(const char *name, struct pcdf_url *url)
{
    struct parts p;
    memset(url, 0, sizeof *url);
    int err;
    if (!cut_up(name, &p) || !is_good(name, &p))
        err = PCDF_FAIL(NC_EINVAL,
                        "this is no URL that can be read: http, https, s3 or file, a host and a path");
    else
        err = fill_in(&p, url);
    if (err)
        pcdf_url_free(url);
    return err;
}

void pcdf_url_free(struct pcdf_url *url)
{
    pcdf_free(url->host);
    pcdf_free(url->path);
    pcdf_free(url->query);
    pcdf_url_wipe(url->user_password);
    pcdf_free(url->mode);
    memset(url, 0, sizeof *url);
}

/* The length of a host without the port that its scheme has anyway. */
static size_t length_of_host(const struct pcdf_url *url)
{
    const char *usual = url->scheme == PCDF_URL_HTTPS ? ":443" : url->scheme == PCDF_URL_HTTP ? ":80" : "";
    size_t n = strlen(url->host), k = strlen(usual);
    return n > k && k > 0 && !strcmp(url->host + n - k, usual) ? n - k : n;
}

bool pcdf_url_same_host(const struct pcdf_url *a, const struct pcdf_url *b)
{
    size_t n = length_of_host(a);
    return a->scheme == b->scheme && n == length_of_host(b) && !strncasecmp(a->host, b->host, n);
}
