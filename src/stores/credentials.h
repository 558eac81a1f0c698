#ifndef PCDF_CREDENTIALS_H
#define PCDF_CREDENTIALS_H
/* Who asks S3, and where it is, as AWS's own programs find it: the environment (AWS_ACCESS_KEY_ID,
 * AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION, AWS_DEFAULT_REGION, AWS_PROFILE, AWS_ENDPOINT_URL_S3,
 * AWS_ENDPOINT_URL, AWS_NO_SIGN_REQUEST), ~/.aws/credentials and ~/.aws/config. Nothing here is in a
 * sentence. Local. */

#include <stdbool.h>
#include "url.h"

struct pcdf_credentials {
    char *user_password; /* "ID:SECRET"; NULL: nobody, the request is not signed */
    char *token;         /* of a session; NULL: none */
    char *region;
    char *endpoint;  /* "http://host:port"; NULL: Amazon's */
    bool is_virtual; /* the bucket is in the host's name also at an endpoint (AWS_S3_ADDRESSING=virtual) */
};

/* may_sign: else nobody asks. NC_ENOMEM. */
int pcdf_credentials_find(const struct pcdf_url *url, bool may_sign, struct pcdf_credentials *c);
void pcdf_credentials_free(struct pcdf_credentials *c);
/* The http or https URL of an object, without its query (pcdf_free): url's, or of s3 the one behind the
 * endpoint. NULL: no memory. */
char *pcdf_credentials_url(const struct pcdf_credentials *c, const struct pcdf_url *url);
#endif
