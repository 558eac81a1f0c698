/* See store.h. */

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "alloc.h"
#include "status.h"
#include "storekind.h"

int pcdf_store_make(size_t bytes, const struct pcdf_store_ops *ops, const char *name,
                    const struct pcdf_pin *pin, void *store)
{
    struct pcdf_store *s = pcdf_calloc(1, bytes);
    if (s)
        s->name = pcdf_strndup(name, strlen(name));
    if (!s || !s->name) {
        pcdf_free(s);
        return PCDF_FAIL(NC_ENOMEM, "no memory to open %s", name);
    }
    s->ops = ops;
    s->is_pinned = pin && pin->size >= 0;
    s->pin = s->is_pinned ? *pin : (struct pcdf_pin){ .size = -1 };
    *(struct pcdf_store **)store = s;
    return NC_NOERR;
}

bool pcdf_store_is_key(const char *key)
{
    for (const char *part = key;; part++) {
        size_t n = strcspn(part, "/");
        if (n == 0 || n > NAME_MAX || (n == 1 && part[0] == '.') ||
            (n == 2 && part[0] == '.' && part[1] == '.'))
            return false;
        part += n;
        if (!*part)
            return part - key < PATH_MAX;
    }
}

void pcdf_store_close(struct pcdf_store *store)
{
    if (!store)
        return;
    if (store->ops->close)
        store->ops->close(store);
    pcdf_bond_free(&store->bond);
    pcdf_free(store->name);
    pcdf_free(store);
}

const char *pcdf_store_name(const struct pcdf_store *store)
{
    return store->name;
}

const struct pcdf_bond *pcdf_store_bond(const struct pcdf_store *store)
{
    return &store->bond;
}

bool pcdf_store_has_keys(const struct pcdf_store *store)
{
    return store->ops->has_keys;
}

bool pcdf_store_is_far(const struct pcdf_store *store)
{
    return store->is_far;
}

int pcdf_store_pin(struct pcdf_store *store, struct pcdf_pin *pin)
{
    if (!store->ops->pin)
        return PCDF_FAIL(NC_EINVAL, "%s: a %s is no single object", store->name, store->ops->kind);
    return store->ops->pin(store, pin);
}

int pcdf_store_has(struct pcdf_store *store, const char *key, bool *has)
{
    unsigned char byte;
    struct pcdf_fetch f = { .store = store, .key = key, .length = 1, .to = &byte };
    if (store->ops->has)
        return store->ops->has(store, key, has);
    pcdf_fetch_start(&f, 1);
    (void)pcdf_fetch_finish(&f, 1);
    *has = !f.err;
    return f.err == NC_ENOENT ? NC_NOERR : f.err;
}

bool pcdf_store_can_locate(const struct pcdf_store *store)
{
    return store->ops->locate;
}

int pcdf_store_locate(struct pcdf_store *store, const char *key, int64_t *offset, int64_t *length)
{
    if (store->ops->locate)
        return store->ops->locate(store, key, offset, length);
    return PCDF_FAIL(NC_ENOTSUPPORT, "%s is no file with several objects", store->name);
}

int pcdf_store_list(struct pcdf_store *store, const char *prefix,
                    int (*visit)(void *context, const char *key), void *context)
{
    if (!store->ops->list)
        return PCDF_FAIL(NC_ENOTSUPPORT, "%s: a %s cannot be listed", store->name, store->ops->kind);
    return store->ops->list(store, prefix, visit, context);
}

/* Fetches of one store that follow each other are begun together. */
void pcdf_fetch_start(struct pcdf_fetch *fetches, size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        struct pcdf_store *s = fetches[i].store;
        for (end = i; end < n && fetches[end].store == s; end++) {
            fetches[end].got = fetches[end].err = 0;
            fetches[end].size = -1;
            fetches[end].inner = NULL;
            fetches[end].makes = !fetches[end].to;
        }
        if (s->ops->start)
            s->ops->start(s, fetches + i, end - i);
    }
}

static void give_back(struct pcdf_fetch *f)
{
    if (f->makes) {
        pcdf_free(f->to);
        f->to = NULL;
    }
    f->got = 0;
}

int pcdf_fetch_finish(struct pcdf_fetch *fetches, size_t n)
{
    int status = NC_NOERR;
    char why[400] = ""; /* the sentence of the error that is returned */
    for (size_t i = 0; i < n; i++) {
        int err = fetches[i].store->ops->finish(fetches[i].store, &fetches[i]);
        if (err)
            give_back(&fetches[i]);
        if (err && err != NC_ENOENT && !status)
            snprintf(why, sizeof why, "%s", pcdf_fail_text());
        if (err != NC_ENOENT)
            pcdf_first(&status, err);
    }
    return status && n > 1 ? PCDF_FAIL(status, "%s", why) : status;
}

void pcdf_fetch_cancel(struct pcdf_fetch *fetches, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct pcdf_store *s = fetches[i].store;
        if (s->ops->cancel)
            s->ops->cancel(s, &fetches[i]);
        give_back(&fetches[i]);
    }
}

int pcdf_store_read_all(struct pcdf_store *store, const char *key, int64_t most, unsigned char **bytes,
                        int64_t *n)
{
    struct pcdf_fetch f = { .store = store, .key = key, .length = -1, .most = most };
    pcdf_fetch_start(&f, 1);
    (void)pcdf_fetch_finish(&f, 1);
    if (f.err)
        return f.err;
    *bytes = f.to;
    *n = f.got;
    return NC_NOERR;
}
