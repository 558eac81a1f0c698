#ifndef PCDF_URL_H
#define PCDF_URL_H
/* Names of far things: http://, https://, s3://bucket/key, and file:///path, with a mode behind '#' as
 * netCDF-C has it: "#mode=bytes", "#mode=zarr,s3". A user and password, and what signs a query, are in no
 * sentence: names are told without them, and the whole URL goes to those alone who ask the server. Local. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pcdf_url_scheme { PCDF_URL_FILE, PCDF_URL_HTTP, PCDF_URL_HTTPS, PCDF_URL_S3 };

struct pcdf_url {
    enum pcdf_url_scheme scheme;
    char *host;          /* with its port; of s3 the bucket; of file "" */
    char *path;          /* from the '/' on, percent-encoded; of file as the system has it */
    char *query;         /* from the '?' on, or "" */
    char *user_password; /* decoded; NULL: none */
    char *mode;          /* behind the '#', or "" */
};

/* Is it a URL of one of these schemes? */
bool pcdf_url_is_known(const char *name);
bool pcdf_url_is_far(const char *name); /* one of these, but of file:// */
/* A copy of the name without secrets (pcdf_free), for sentences; also of what is no URL that we know, such as
 * ftp://. NULL: no memory. */
char *pcdf_url_plain(const char *name);
/* The name to go on with, for one that the user gives: itself, or a copy without secrets, which is in *made,
 * too (else NULL). Until pcdf_url_forget(made), pcdf_url_whole of it gives the whole name: two names that
 * differ in secrets alone are told differently ("#login=2"). name: may be NULL. Any thread. */
const char *pcdf_url_hide(const char *name, char **made);
void pcdf_url_forget(char *made); /* frees it; NULL: nothing */
/* The whole name for one that pcdf_url_hide gave, or a copy of the name (pcdf_free). NULL: no memory. */
char *pcdf_url_whole(const char *told);
/* NC_EINVAL: it is none of these, or damaged. */
int pcdf_url_parse(const char *name, struct pcdf_url *url);
void pcdf_url_free(struct pcdf_url *url);
/* The same scheme, host and port? */
bool pcdf_url_same_host(const struct pcdf_url *a, const struct pcdf_url *b);
/* Frees a text of which no copy is to stay in memory; NULL: nothing. */
void pcdf_url_wipe(char *secret);
/* Is this word one of the modes of the name: of "#mode=a,b" a and b? */
bool pcdf_url_has_mode(const char *name, const char *word);
/* The text with all bytes but letters, digits, "-._~" and '/' as %XX (pcdf_free); keeps_percent: what is
 * encoded already stays, and so do other characters that a path may have. NULL: no memory. */
char *pcdf_url_encode(const char *text, size_t n, bool keeps_percent);
#endif
