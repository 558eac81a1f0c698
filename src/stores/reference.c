/* See reference.h. */
#include "reference.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "alloc.h"
#include "posixio.h"
#include "status.h"
#include "storekind.h"
#include "url.h"

enum { MOST_NAME = 4096 };

void pcdf_bond_free(struct pcdf_bond *bond)
{
    pcdf_url_wipe(bond->whole);
    pcdf_free(bond->folder);
    *bond = (struct pcdf_bond){ 0 };
}

int pcdf_bond_copy(const struct pcdf_bond *from, struct pcdf_bond *to)
{
    *to = *from;
    to->whole = from->whole ? pcdf_strndup(from->whole, strlen(from->whole)) : NULL;
    to->folder = from->folder ? pcdf_strndup(from->folder, strlen(from->folder)) : NULL;
    if ((from->whole && !to->whole) || (from->folder && !to->folder)) {
        pcdf_bond_free(to);
        return PCDF_FAIL(NC_ENOMEM, "no memory for the name of a file");
    }
    return NC_NOERR;
}

static int refuse(const struct pcdf_referrer *by, const char *told, const char *why)
{
    return PCDF_FAIL(NC_EACCESS, "%s: it refers to %.300s, %s", by->name, told, why);
}

/* ---- what the user allows: the next entry of the list; NULL: no more */

static const char *next_allowed(const char **list, size_t *n)
{
    const char *at = *list ? *list + strspn(*list, ", ") : "";
    *n = strcspn(at, ",");
    *list = at + *n;
    while (*n > 0 && (at[*n - 1] == ' ' || at[*n - 1] == '/') && *n > 1)
        --*n;
    return *n > 0 ? at : NULL;
}

static bool is_allowed_host(const struct pcdf_referrer *by, const struct pcdf_url *url)
{
    const char *list = by->allows, *one;
    bool is_it = false;
    for (size_t n; !is_it && (one = next_allowed(&list, &n));) {
        struct pcdf_url allowed;
        char *text = pcdf_strndup(one, n);
        if (text && pcdf_url_is_far(text) && pcdf_url_parse(text, &allowed) == NC_NOERR) {
            is_it = pcdf_url_same_host(url, &allowed);
            pcdf_url_free(&allowed);
        }
        pcdf_free(text);
    }
    return is_it;
}

/* ---- local files */

/* "/a/./b/../c" becomes "/a/c". */
static void clean(char *path)
{
    size_t to = 0;
    for (const char *from = path; *from;) {
        from += strspn(from, "/");
        size_t n = strcspn(from, "/");
        if (n == 2 && from[0] == '.' && from[1] == '.') {
            while (to > 0 && path[--to] != '/')
                continue;
        } else if (n > 0 && !(n == 1 && from[0] == '.')) {
            path[to++] = '/';
            memmove(path + to, from, n);
            to += n;
        }
        from += n;
    }
    if (to == 0)
        path[to++] = '/';
    path[to] = '\0';
}

/* A path from the root on; false: too long, or nobody knows where we are. */
static bool make_absolute(const char *folder, const char *path, char full[PATH_MAX])
{
    char here[PATH_MAX] = "";
    int n;
    if (*path == '/')
        n = snprintf(full, PATH_MAX, "%s", path);
    else if (*folder == '/')
        n = snprintf(full, PATH_MAX, "%s/%s", folder, path);
    else if (!getcwd(here, sizeof here))
        return false;
    else
        n = snprintf(full, PATH_MAX, "%s/%s/%s", here, folder, path);
    if (n >= PATH_MAX)
        return false;
    clean(full);
    return true;
}

/* What of a path lies behind a folder; NULL: it is not below it. Both are clean. */
static const char *rest_below(const char *folder, const char *path)
{
    size_t n = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    return strncmp(path, folder, n) == 0 && path[n] == '/' && path[n + 1] ? path + n + 1 : NULL;
}

static bool has_hidden(const char *rest)
{
    return rest[0] == '.' || strstr(rest, "/.");
}

/* The folder, as it is called or as it is. *rest: in path or in real, which are clean. */
static bool lies_below(const char *folder, const char *path, const char *real, char root[PATH_MAX],
                       const char **rest)
{
    char linked[PATH_MAX];
    if (!make_absolute("/", folder, root))
        return false;
    if ((*rest = rest_below(root, path)))
        return true;
    if (!realpath(root, linked))
        return false;
    memcpy(root, linked, strlen(linked) + 1);
    return (*rest = rest_below(root, path)) || (*real && (*rest = rest_below(root, real)));
}

static bool find_root(const struct pcdf_referrer *by, const char *own, const char *path, const char *real,
                      char root[PATH_MAX], const char **rest)
{
    const char *list = by->allows, *one;
    /* A file in "/" would have all files below it. */
    if (strcmp(own, "/") != 0 && lies_below(own, path, real, root, rest) && !has_hidden(*rest))
        return true;
    for (size_t n; (one = next_allowed(&list, &n));) {
        char folder[PATH_MAX];
        if (*one != '/' || n >= sizeof folder)
            continue;
        memcpy(folder, one, n);
        folder[n] = '\0';
        if (lies_below(folder, path, real, root, rest))
            return true;
    }
    return false;
}

static int give_local(const char *root, const char *rest, char **name, struct pcdf_bond *bond)
{
    size_t room = strlen(root) + strlen(rest) + 2;
    char *full = pcdf_malloc(room);
    bond->folder = pcdf_strndup(root, strlen(root));
    if (!full || !bond->folder) {
        pcdf_free(full);
        return PCDF_FAIL(NC_ENOMEM, "no memory for the name of a file");
    }
    snprintf(full, room, "%s%s%s", root, strcmp(root, "/") ? "/" : "", rest);
    *name = full;
    return NC_NOERR;
}

static int decide_local(const struct pcdf_referrer *by, const char *told, const char *path, char **name,
                        struct pcdf_bond *bond)
{
    char folder[PATH_MAX], own[PATH_MAX], full[PATH_MAX], real[PATH_MAX], root[PATH_MAX];
    const char *slash = strrchr(by->name, '/'), *rest;
    if (by->is_far)
        return refuse(by, told,
                      "which is not below the folder of the references: far ones lead to no local file");
    int n = snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - by->name) : 1,
                     slash ? by->name : ".");
    if (n >= PATH_MAX || !make_absolute("", folder, own) || !make_absolute(own, path, full))
        return refuse(by, told, "a path that is too long");
    /* Where a link leads counts, if more than the own folder is allowed: by it one comes to the rest. */
    bool is_found = (by->allows && realpath(full, real) && find_root(by, own, real, "", root, &rest)) ||
                    find_root(by, own, full, "", root, &rest) ||
                    (realpath(full, real) && find_root(by, own, full, real, root, &rest));
    if (!is_found)
        return refuse(
            by, told,
            "which is not below the folder of the references, or is hidden (hint pcdf_references names "
            "folders that they may lead to)");
    return give_local(root, rest, name, bond);
}

/* ---- URLs */

static bool goes_up(const char *path)
{
    for (const char *part = path; *part; part += strspn(part, "/")) {
        size_t n = strcspn(part, "/");
        if (n == 2 && part[0] == '.' && part[1] == '.')
            return true;
        part += n;
    }
    return false;
}

/* Neither what a terminal obeys nor what some servers and systems take for a '/'. */
static bool is_plain_text(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            return false;
    return true;
}

static const char *scheme_text(const struct pcdf_url *url)
{
    return url->scheme == PCDF_URL_S3 ? "s3" : url->scheme == PCDF_URL_HTTPS ? "https" : "http";
}

static bool has_port(const char *bucket)
{
    return bucket[strcspn(bucket, ":[]")] != '\0';
}

/* The first name of a path: of an endpoint the bucket. */
static bool same_bucket(const struct pcdf_url *a, const struct pcdf_url *b)
{
    size_t n = strcspn(a->path + 1, "/");
    return n == strcspn(b->path + 1, "/") && strncmp(a->path + 1, b->path + 1, n) == 0;
}

/* What the user did for the host of the references holds for what they name there. `from`: their URL. */
static void grant(const struct pcdf_referrer *by, const struct pcdf_url *from, const struct pcdf_url *to,
                  struct pcdf_bond *bond, bool *takes_login)
{
    bool is_same = from && pcdf_url_same_host(from, to), is_allowed = is_allowed_host(by, to);
    bool is_s3 = to->scheme == PCDF_URL_S3;
    bool was_signed =
        is_same &&
        (is_s3 || (pcdf_url_has_mode(by->whole ? by->whole : by->name, "s3") && same_bucket(from, to)));
    bond->may_sign = was_signed || (is_s3 && is_allowed);
    bond->may_inside = is_same || is_allowed || is_s3; /* of S3 the user, or Amazon, says where it is */
    *takes_login = is_same && from->user_password;
}

/* "user:password@" as it stands in a URL. */
static const char *login_of(const char *url, int *n)
{
    const char *from = strstr(url, "://");
    from = from ? from + 3 : url;
    const char *at = memrchr(from, '@', strcspn(from, "/?#"));
    *n = at ? (int)(at + 1 - from) : 0;
    return from;
}

/* Puts a URL together again, without what stands behind '#'. Parts are as `url` has them, but of S3 the path
 * is to be as it was told. */
static int give_url(const struct pcdf_referrer *by, const struct pcdf_url *url, const char *path,
                    bool takes_login, char **name, struct pcdf_bond *bond)
{
    const char *origin = by->whole ? by->whole : by->name;
    int n = 0;
    const char *login = takes_login ? login_of(origin, &n) : "";
    size_t room = strlen(url->host) + strlen(path) + strlen(url->query) + (size_t)n + 16;
    char *whole = pcdf_malloc(room);
    if (whole)
        snprintf(whole, room, "%s://%.*s%s%s%s", scheme_text(url), n, login, url->host, path, url->query);
    *name = whole ? pcdf_url_plain(whole) : NULL;
    if (*name && strcmp(*name, whole) != 0) {
        bond->whole = whole;
        return NC_NOERR;
    }
    pcdf_url_wipe(whole);
    return *name ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory for the name of a file");
}

static int decide_url(const struct pcdf_referrer *by, const char *told, const char *full, char **name,
                      struct pcdf_bond *bond)
{
    struct pcdf_url url, from;
    bool takes_login, has_from = by->is_far && !pcdf_url_parse(by->whole ? by->whole : by->name, &from);
    int err = pcdf_url_parse(full, &url);
    if (err)
        err = refuse(by, told, "which is no URL that can be read");
    else if (url.user_password)
        err = refuse(by, "a URL with a user", "which references do not give");
    else if (url.scheme == PCDF_URL_FILE)
        err = refuse(by, told, "which is no file here");
    else if (goes_up(url.path) || (url.scheme == PCDF_URL_S3 && has_port(url.host)))
        err = refuse(by, told, "which goes up, or is no bucket");
    else {
        grant(by, has_from ? &from : NULL, &url, bond, &takes_login);
        const char *path = url.path;
        char s3[MOST_NAME];
        if (url.scheme == PCDF_URL_S3) { /* not encoded yet: it will be when it is opened */
            const char *slash = strchr(full + strlen("s3://"), '/');
            size_t n = slash ? strlen(slash) : 0, mode = strlen(url.mode) + (*url.mode != '\0');
            snprintf(s3, sizeof s3, "%.*s", (int)(n - (mode < n ? mode : 0)), slash ? slash : "/");
            path = s3;
        }
        err = give_url(by, &url, path, takes_login, name, bond);
    }
    pcdf_url_free(&url);
    if (has_from)
        pcdf_url_free(&from);
    return err;
}

/* A name below the folder of far references. */
static int decide_relative(const struct pcdf_referrer *by, const char *told, char **name,
                           struct pcdf_bond *bond)
{
    char full[MOST_NAME], plain[MOST_NAME];
    snprintf(plain, sizeof plain, "%s", by->name);
    bool is_s3 = strncasecmp(plain, "s3:", 3) == 0;
    char *end = is_s3 ? strrchr(plain, '#') : plain + strcspn(plain, "?#"); /* keys may have both */
    if (end && (!is_s3 || strstr(end, "mode=")))
        *end = '\0';
    char *host = strstr(plain, "://"), *slash = host ? strrchr(host + 3, '/') : NULL;
    if (!host || goes_up(told) || told[0] == '/' || strchr(told, '\\'))
        return refuse(by, told, "which is not below the folder of the references");
    if (slash)
        *slash = '\0';
    if (snprintf(full, sizeof full, "%s/%s", plain, told) >= (int)sizeof full)
        return refuse(by, told, "a name that is too long");
    return decide_url(by, told, full, name, bond);
}

/* ---- */

/* The length of "scheme:" where the text begins so, with a scheme of two letters or more; else 0. */
static size_t scheme_of(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || (n > 0 && text[n] && strchr("+-.", text[n])))
        n++;
    return n > 1 && isalpha((unsigned char)text[0]) && text[n] == ':' ? n + 1 : 0;
}

static bool is_scheme(const char *text, size_t n, const char *scheme)
{
    return n == strlen(scheme) + 1 && strncasecmp(text, scheme, n - 1) == 0;
}

static int decide(const struct pcdf_referrer *by, const char *told, char **name, struct pcdf_bond *bond)
{
    size_t scheme = scheme_of(told);
    const char *rest = told + scheme;
    if (is_scheme(told, scheme, "file")) {
        if (strncmp(rest, "//localhost/", 12) == 0)
            rest += 11;
        else if (strncmp(rest, "///", 3) == 0)
            rest += 2;
        if (rest[0] != '/' || rest[1] == '/')
            return refuse(by, told, "which is not below the folder of the references: it is no file:///path");
        return decide_local(by, told, rest, name, bond);
    }
    bool is_far =
        is_scheme(told, scheme, "http") || is_scheme(told, scheme, "https") || is_scheme(told, scheme, "s3");
    if (is_far && strncmp(rest, "//", 2) == 0)
        return decide_url(by, told, told, name, bond);
    if (is_far || strncmp(rest, "//", 2) == 0 || strstr(told, "://"))
        return refuse(by, told, "which is not below the folder of the references, nor http, https or s3");
    return by->is_far ? decide_relative(by, told, name, bond) : decide_local(by, told, told, name, bond);
}

int pcdf_reference_decide(const struct pcdf_referrer *by, const char *told, size_t n, char **name,
                          struct pcdf_bond *bond)
{
    *name = NULL;
    *bond = (struct pcdf_bond){ .is_bound = true };
    int err = n == 0 || n >= MOST_NAME || !is_plain_text(told, n) || strlen(told) != n
                  ? refuse(by, n == 0 ? "\"\"" : "a name with control characters, or too long a one",
                           "which is not below the folder of the references")
                  : decide(by, told, name, bond);
    if (err) {
        pcdf_free(*name);
        *name = NULL;
        pcdf_bond_free(bond);
    }
    return err;
}
