/* See credentials.h. */
#include "credentials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "alloc.h"
#include "status.h"

/* ---- files of AWS: [section], name = value */

static void trim(char **text)
{
    char *end = *text + strlen(*text);
    while (end > *text && strchr(" \t\r\n", end[-1]))
        *--end = '\0';
    *text += strspn(*text, " \t");
}

/* Sets *value where the file has the name in the section; that of before stays where it has not. */
static int look_up(const char *path, const char *section, const char *name, char **value)
{
    char line[4096];
    bool is_here = false;
    int err = NC_NOERR;
    FILE *file = *value ? NULL : fopen(path, "re");
    while (file && !err && !*value && fgets(line, sizeof line, file)) {
        char *text = line, *equals;
        if (line[0] == ' ' || line[0] == '\t')
            continue; /* of a nested setting */
        trim(&text);
        if (*text == '[') {
            text[strcspn(text, "]")] = '\0';
            is_here = strcmp(text + 1, section) == 0;
        } else if (is_here && *text != '#' && (equals = strchr(text, '='))) {
            char *right = equals + 1;
            *equals = '\0';
            trim(&text);
            trim(&right);
            if (strcasecmp(text, name) == 0 && *right && !(*value = pcdf_strndup(right, strlen(right))))
                err = NC_ENOMEM;
        }
    }
    if (file)
        fclose(file);
    explicit_bzero(line, sizeof line);
    return err;
}

static const char *place(const char *variable, const char *name, char path[4096])
{
    const char *set = secure_getenv(variable), *home = secure_getenv("HOME");
    snprintf(path, 4096, "%s%s", set ? set : home ? home : "", set ? "" : name);
    return path;
}

static int of_files(const char *name, char **value)
{
    char path[4096], section[256];
    const char *profile = secure_getenv("AWS_PROFILE");
    if (!profile || !*profile)
        profile = "default";
    PCDF_TRY(look_up(place("AWS_SHARED_CREDENTIALS_FILE", "/.aws/credentials", path), profile, name, value));
    snprintf(section, sizeof section, "%s%s", strcmp(profile, "default") ? "profile " : "", profile);
    return look_up(place("AWS_CONFIG_FILE", "/.aws/config", path), section, name, value);
}

static int of_environment(const char *name, char **value)
{
    const char *text = *value ? NULL : secure_getenv(name);
    if (text && *text && !(*value = pcdf_strndup(text, strlen(text))))
        return NC_ENOMEM;
    return NC_NOERR;
}

/* ---- who */

static int join(const char *id, const char *secret, char **both)
{
    size_t n = strlen(id) + strlen(secret) + 2;
    *both = pcdf_malloc(n);
    if (!*both)
        return NC_ENOMEM;
    snprintf(*both, n, "%s:%s", id, secret);
    return NC_NOERR;
}

/* All from one place: a token belongs to its key. */
static int find_who(struct pcdf_credentials *c)
{
    const char *no = secure_getenv("AWS_NO_SIGN_REQUEST");
    char *id = NULL, *secret = NULL;
    if (no && (!strcasecmp(no, "yes") || !strcasecmp(no, "true") || !strcmp(no, "1")))
        return NC_NOERR;
    int err = of_environment("AWS_ACCESS_KEY_ID", &id);
    if (!err && id) {
        err = of_environment("AWS_SECRET_ACCESS_KEY", &secret);
        pcdf_first(&err, of_environment("AWS_SESSION_TOKEN", &c->token));
    } else if (!err) {
        err = of_files("aws_access_key_id", &id);
        pcdf_first(&err, of_files("aws_secret_access_key", &secret));
        pcdf_first(&err, of_files("aws_session_token", &c->token));
    }
    if (!err && id && secret)
        err = join(id, secret, &c->user_password);
    pcdf_url_wipe(id);
    pcdf_url_wipe(secret);
    return err;
}

/* "bucket.s3.eu-west-1.amazonaws.com", "s3.eu-west-1.amazonaws.com" */
static int region_of_host(const char *host, char **region)
{
    const char *s3 = strncmp(host, "s3.", 3) == 0 ? host + 3 : strstr(host, ".s3.");
    const char *end = strstr(host, ".amazonaws.com");
    if (s3 && s3 != host + 3)
        s3 += strlen(".s3.");
    if (s3 && end && s3 < end && !memchr(s3, '.', (size_t)(end - s3)) &&
        !(*region = pcdf_strndup(s3, (size_t)(end - s3))))
        return NC_ENOMEM;
    return NC_NOERR;
}

static int find_all(const struct pcdf_url *url, bool may_sign, struct pcdf_credentials *c)
{
    const char *style = secure_getenv("AWS_S3_ADDRESSING");
    c->is_virtual = style && strcasecmp(style, "virtual") == 0;
    if (may_sign)
        PCDF_TRY(find_who(c));
    if (url->scheme != PCDF_URL_S3)
        PCDF_TRY(region_of_host(url->host, &c->region));
    PCDF_TRY(of_environment("AWS_REGION", &c->region));
    PCDF_TRY(of_environment("AWS_DEFAULT_REGION", &c->region));
    PCDF_TRY(of_files("region", &c->region));
    if (!c->region && !(c->region = pcdf_strndup("us-east-1", 9)))
        return NC_ENOMEM;
    PCDF_TRY(of_environment("AWS_ENDPOINT_URL_S3", &c->endpoint));
    PCDF_TRY(of_environment("AWS_ENDPOINT_URL", &c->endpoint));
    PCDF_TRY(of_files("endpoint_url", &c->endpoint));
    for (size_t n = c->endpoint ? strlen(c->endpoint) : 0; n > 0 && c->endpoint[n - 1] == '/'; n--)
        c->endpoint[n - 1] = '\0';
    return NC_NOERR;
}

int pcdf_credentials_find(const struct pcdf_url *url, bool may_sign, struct pcdf_credentials *c)
{
    memset(c, 0, sizeof *c);
    int err = find_all(url, may_sign, c);
    if (err)
        pcdf_credentials_free(c);
    return err;
}

void pcdf_credentials_free(struct pcdf_credentials *c)
{
    pcdf_url_wipe(c->user_password);
    pcdf_url_wipe(c->token);
    pcdf_free(c->region);
    pcdf_free(c->endpoint);
    memset(c, 0, sizeof *c);
}

/* ---- where */

char *pcdf_credentials_url(const struct pcdf_credentials *c, const struct pcdf_url *url)
{
    size_t room = strlen(url->host) + strlen(url->path) + 128 + (c->region ? strlen(c->region) : 0) +
                  (c->endpoint ? strlen(c->endpoint) : 0);
    char *text = pcdf_malloc(room);
    if (!text)
        return NULL;
    const char *colon = c->endpoint ? strstr(c->endpoint, "://") : NULL;
    if (url->scheme != PCDF_URL_S3)
        snprintf(text, room, "%s://%s%s", url->scheme == PCDF_URL_HTTPS ? "https" : "http", url->host,
                 url->path);
    else if (colon && c->is_virtual)
        snprintf(text, room, "%.*s://%s.%s%s", (int)(colon - c->endpoint), c->endpoint, url->host, colon + 3,
                 url->path);
    else if (colon)
        snprintf(text, room, "%s/%s%s", c->endpoint, url->host, url->path);
    else if (strchr(url->host, '.')) /* a certificate covers one name before the rest */
        snprintf(text, room, "https://s3.%s.amazonaws.com/%s%s", c->region, url->host, url->path);
    else
        snprintf(text, room, "https://%s.s3.%s.amazonaws.com%s", url->host, c->region, url->path);
    return text;
}
