#ifndef PCDF_URL_H
#define PCDF_URL_H
/* Names of far things: http://, https://, s3://bucket/key, and file:///path, with a mode behind '#' as
 * netCDF-C has it: "#mode=bytes", "#mode=zarr,s3". A user and password, and what signs a query, are in no
 * sentence and in no name that goes to others: they stay in the memory of the process. Local. */

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
/* A copy of the name without secrets, for sentences and for all who are told of it (pcdf_free). What is no
 * URL is copied. The secrets are kept in the process, so that pcdf_url_parse of this copy has them again.
 * NULL: no memory. Any thread. */
char *pcdf_url_tell(const char *name);
/* The name to go on with: itself, or of a URL with secrets a copy without them, which is in *made, too
 * (pcdf_free; else NULL). name: may be NULL. */
const char *pcdf_url_hide(const char *name, char **made);
/* NC_EINVAL: it is none of these, or damaged. */
int pcdf_url_parse(const char *name, struct pcdf_url *url);
void pcdf_url_free(struct pcdf_url *url);
/* Is this word one of the modes of the name: of "#mode=a,b" a and b? */
bool pcdf_url_has_mode(const char *name, const char *word);
/* The text with all bytes but letters, digits, "-._~" and '/' as %XX (pcdf_free); keeps_percent: what is
 * encoded already stays, and so do other characters that a path may have. NULL: no memory. */
char *pcdf_url_encode(const char *text, size_t n, bool keeps_percent);
#endif
