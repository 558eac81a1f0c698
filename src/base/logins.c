/* See logins.h. */
#include "logins.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Schemes of the network: behind these a login is meant also where slashes are missing. */
static bool is_of_network(const char *text, const char *colon)
{
    static const char *const schemes[] = { "http", "https", "s3",  "ftp",  "ftps",   "sftp", "gs",  "gcs",
                                           "abfs", "az",    "dav", "davs", "webdav", "ssh",  "dap4" };
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t n = strlen(schemes[i]);
        const char *from = colon - n;
        if ((size_t)(colon - text) >= n && !strncasecmp(from, schemes[i], n) &&
            (from == text || !isalnum((unsigned char)from[-1])))
            return true;
    }
    return false;
}

/* Behind the '@' that ends the login; NULL: none begins at `from`. Such as "me:pass/word@host": a password
 * that was not encoded ends the host too early, which then has no number behind its colon. */
static char *end_of_login(char *from, bool needs_colon)
{
    size_t authority = strcspn(from, "/?#\"' \t\n"), all = strcspn(from, "\"' \t\n");
    char *at = memrchr(from, '@', authority), *colon = memchr(from, ':', authority);
    if (at && (!needs_colon || (colon && colon < at)))
        return at + 1;
    bool is_port = colon && strspn(colon + 1, "0123456789") == authority - (size_t)(colon + 1 - from);
    if (!colon || is_port || from[0] == '[' || !(at = memrchr(from, '@', all)))
        return NULL;
    return at + 1;
}

bool pcdf_logins_hide(char *text)
{
    bool is_found = false;
    for (char *colon = text; (colon = strchr(colon, ':')); colon++) {
        size_t slashes = strspn(colon + 1, "/");
        bool is_url = colon > text && isalnum((unsigned char)colon[-1]) && slashes >= 2;
        if (!is_url && !is_of_network(text, colon))
            continue;
        char *from = colon + 1 + slashes, *end = end_of_login(from, !is_url);
        if (end) {
            memmove(from, end, strlen(end) + 1);
            is_found = true;
        }
    }
    return is_found;
}
