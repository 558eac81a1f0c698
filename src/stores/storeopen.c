/* Which kind of store a name leads to: see store.h. */

#include "status.h"
#include "storekind.h"
#include "url.h"

int pcdf_store_open(const char *name, const struct pcdf_pin *pin, struct pcdf_store **store)
{
    struct pcdf_url url;
    if (!pcdf_url_is_known(name))
        return pcdf_filestore_open(name, pin, store);
    PCDF_TRY(pcdf_url_parse(name, &url));
    int err = url.scheme == PCDF_URL_FILE ? pcdf_filestore_open(url.path, pin, store)
                                          : pcdf_farstore_open(name, pin, store);
    pcdf_url_free(&url);
    return err;
}
