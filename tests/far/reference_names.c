/* Random names in files of references, put together from parts that are spelled to lead elsewhere: whatever
 * is allowed lies below the folder, or is a URL whose login and signature belong to its host. 20000 names.
 *
 *   reference_names [NAMES] */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "alloc.h"
#include "check.h"
#include "reference.h"
#include "url.h"

static uint64_t state = 88172645463325252u;
static char own[4096]; /* the folder of the local references, with '/' */

static unsigned below(size_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state % n);
}

static void make_name(char *name, size_t room)
{
    static const char *const parts[] = { "file:",  "FILE:",     "http:", "https://",  "s3://",    "x://",
                                         "ufs:",   "//",        "/",     "..",        ".",        "h.org",
                                         "me:pw@", "127.0.0.1", "[::1]", "localhost", "data.bin", "sub",
                                         "near",   ".hidden",   "?x=1",  "#mode=s3",  "%2e",      "\\",
                                         ":",      "@",         "#",     "?",         "a",        " " };
    *name = '\0';
    for (unsigned n = 1 + below(7); n > 0; n--)
        strncat(name, below(30) == 0 ? own : parts[below(sizeof parts / sizeof *parts)],
                room - 1 - strlen(name));
    if (below(50) == 0)
        name[below(strlen(name) + 1)] = (char)below(256);
}

static void check_local(const struct pcdf_referrer *by, const char *told, const char *name,
                        const struct pcdf_bond *bond)
{
    size_t n = strlen(own);
    CHECK(!by->is_far, "%s leads from far away to %s", told, name);
    CHECK(!strncmp(name, bond->folder, strlen(bond->folder)) && !strstr(name, "/../"), "%s: %s", told, name);
    CHECK(by->allows || (!strncmp(name, own, n) && name[n] && name[n] != '.' && !strstr(name + n, "/.")),
          "%s leads to %s", told, name);
}

static void check_url(const char *told, const char *name, const struct pcdf_bond *bond)
{
    struct pcdf_url url;
    CHECK(pcdf_url_is_far(name), "%s leads to %s", told, name);
    CHECK(!bond->may_sign || !strncasecmp(name, "s3://h.org", 10), "%s is signed: %s", told, name);
    int err = pcdf_url_parse(bond->whole ? bond->whole : name, &url);
    CHECK(!err, "%s: no URL: %s", told, name);
    if (err)
        return;
    CHECK(!url.user_password || (url.scheme == PCDF_URL_HTTP && !strncasecmp(url.host, "h.org", 5) &&
                                 (!url.host[5] || !strcmp(url.host + 5, ":80"))),
          "%s: the login goes to %s", told, url.host);
    pcdf_url_free(&url);
}

/* A name of a user is told without its login, and found again with it. */
static void check_hidden(const char *name)
{
    char *made;
    const char *told = pcdf_url_hide(name, &made);
    char *whole = pcdf_url_whole(told);
    CHECK(!pcdf_url_is_far(name) || !strcmp(whole, name), "%s becomes %s", name, whole);
    pcdf_free(whole);
    pcdf_url_forget(made);
}

int main(int argc, char **argv)
{
    char told[2000], path[4200], *name;
    struct pcdf_bond bond;
    mkdir("near", 0777);
    if (!getcwd(own, sizeof own - 10))
        return 2;
    strcat(own, "/near/");
    snprintf(path, sizeof path, "%sr.json", own);
    const struct pcdf_referrer by[] = {
        { path, NULL, NULL, false },
        { "near/r.json", NULL, "/tmp,http://127.0.0.1,s3://h.org", false },
        { "http://h.org/d/r.json?s=1", "http://me:pw@h.org/d/r.json?s=1", "/", true },
        { "s3://h.org/d/r.json", NULL, NULL, true },
    };
    for (int i = argc > 1 ? atoi(argv[1]) : 20000; i > 0; i--) {
        const struct pcdf_referrer *from = &by[below(sizeof by / sizeof *by)];
        make_name(told, sizeof told);
        check_hidden(told);
        if (pcdf_reference_decide(from, told, strlen(told), &name, &bond))
            continue;
        if (bond.folder)
            check_local(from, told, name, &bond);
        else
            check_url(told, name, &bond);
        pcdf_free(name);
        pcdf_bond_free(&bond);
    }
    CHECK_INT(pcdf_alloc_now(), 0);
    return check_done("reference_names");
}
