/* Which kind of store a name leads to: see store.h. */

#include <string.h>
#include <strings.h>
#include "status.h"
#include "storekind.h"
#include "url.h"

/* x.zarr.zip, and what is said to be one. */
static bool is_zip(const char *name)
{
    size_t n = pcdf_url_is_known(name) ? strcspn(name, "#?") : strlen(name);
    return pcdf_url_has_mode(name, "zip") || (n > 4 && strncasecmp(name + n - 4, ".zip", 4) == 0);
}

static int open_plain(const char *name, const struct pcdf_bond *bond, const struct pcdf_pin *pin,
                      struct pcdf_store **store)
{
    struct pcdf_url url;
    if (bond->folder)
        return pcdf_filestore_open_below(name, bond, pin, store);
    if (!pcdf_url_is_known(name))
        return pcdf_filestore_open(name, pin, store);
    PCDF_TRY(pcdf_url_parse(name, &url));
    int err = url.scheme == PCDF_URL_FILE ? pcdf_filestore_open(url.path, pin, store)
                                          : pcdf_farstore_open(name, bond, pin, store);
    pcdf_url_free(&url);
    return err;
}

int pcdf_store_open_bound(const char *name, const struct pcdf_bond *bond, const struct pcdf_pin *pin,
                          struct pcdf_store **store)
{
    struct pcdf_store *opened;
    if (bond->is_bound && !bond->folder && !pcdf_url_is_far(name)) /* nobody decided that */
        return PCDF_FAIL(NC_EACCESS, "%s: references may not lead there", name);
    PCDF_TRY(open_plain(name, bond, pin, &opened));
    if (!bond->is_bound && is_zip(name) && !pcdf_store_has_keys(opened))
        return pcdf_zipstore_open(opened, store);
    *store = opened;
    return NC_NOERR;
}

int pcdf_store_open(const char *name, const struct pcdf_pin *pin, struct pcdf_store **store)
{
    return pcdf_store_open_bound(name, &(struct pcdf_bond){ 0 }, pin, store);
}
