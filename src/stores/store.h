#ifndef PCDF_STORE_H
#define PCDF_STORE_H
/* Stores of bytes that are only read: a file, a folder of files, a zip archive, and the same far away, behind
 * HTTP or S3. A store has objects, which are named by keys ("temp/0.0"); a file or URL of its own has one, of
 * the key "". Who reads asks for ranges of objects, several at a time: a far store joins what lies near each
 * other and has several requests on the way.
 *
 * All functions are local, and no MPI is called. A store may be used by one thread at a time. Nothing that a
 * store gives is trusted by it: whoever reads checks what the bytes say. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "reference.h"

struct pcdf_store;

/* What an object was when it was first looked at. That of the object "" is the same on all ranks; of objects
 * with keys, each process has its own (keypins.h). One that does not match any more is an error and never a
 * mixture of two. */
struct pcdf_pin {
    int64_t size;  /* bytes; -1: not pinned */
    char tag[120]; /* of far ones the ETag or Last-Modified; of files inode and time as text (a device has
                      another number on each node) */
};

/* Of a local file: is it still the same one, not shorter, but changed? */
bool pcdf_pin_is_grown(const struct pcdf_pin *was, const struct pcdf_pin *is);

/* One range of one object. */
struct pcdf_fetch {
    struct pcdf_store *store;
    const char *key;
    int64_t offset, length; /* length -1: all that is there from the offset on; `to` is NULL then */
    int64_t most;           /* with length -1: more bytes are an error */
    bool from_end;          /* the last `length` bytes, or all of a shorter object: offset is out */
    unsigned char *to;      /* NULL: memory is made, which the caller frees (pcdf_free) */
    /* out, when it is finished: */
    int64_t got;  /* bytes; less than length only where the object ends */
    int64_t size; /* of the whole object, where the store knows it by then; else -1 */
    int err;      /* NC_ENOENT: the store has no such object; NC_EREAD: ends early, was changed, a key that
                     cannot be one ("../x"); several fetches: see pcdf_fetch_finish */
    /* between start and finish the store's own: */
    bool makes; /* `to` was NULL */
    void *inner;
};

/* `name`: a path, or a URL with a scheme of pcdf_url_is_known. pin: NULL, or what the object "" was: it is
 * compared when it is first read. No byte is read yet, unless to find out what it is.
 * NC_ENOENT, NC_EACCESS, NC_ENOTBUILT (a plug-in is missing), NC_EBADFILE. */
int pcdf_store_open(const char *name, const struct pcdf_pin *pin, struct pcdf_store **store);
/* The same of a name that may not come from the user: reference.h. */
int pcdf_store_open_bound(const char *name, const struct pcdf_bond *bond, const struct pcdf_pin *pin,
                          struct pcdf_store **store);
void pcdf_store_close(struct pcdf_store *store); /* NULL: nothing */
/* The name without password or signature, for sentences. */
const char *pcdf_store_name(const struct pcdf_store *store);
/* How it was opened: so may be others of this name. */
const struct pcdf_bond *pcdf_store_bond(const struct pcdf_store *store);
/* Does it have objects under keys (a folder, an archive, a prefix), or is it one object, of the key ""? */
bool pcdf_store_has_keys(const struct pcdf_store *store);
/* Does each request of it wait for a network? */
bool pcdf_store_is_far(const struct pcdf_store *store);
/* Of the object "": its size and what it is to be pinned to. Costs a request where nothing was read yet. */
int pcdf_store_pin(struct pcdf_store *store, struct pcdf_pin *pin);
/* Is there an object of this key? A far store keeps its first bytes, up to 256 KiB, for the next read of it.
 */
int pcdf_store_has(struct pcdf_store *store, const char *key, bool *has);
/* Are its objects parts of one file, which has the store's name: an archive? */
bool pcdf_store_can_locate(const struct pcdf_store *store);
/* Where in that file the bytes of an object lie. NC_ENOENT; NC_ENOTSUPPORT: they are packed there, or the
 * store is no such file. */
int pcdf_store_locate(struct pcdf_store *store, const char *key, int64_t *offset, int64_t *length);
/* The keys below a prefix ("" or one that ends with '/'), with '/' behind those that have keys below them;
 * each once, in no order, until visit returns an error. NC_ENOTSUPPORT: this kind cannot be listed. */
int pcdf_store_list(struct pcdf_store *store, const char *prefix,
                    int (*visit)(void *context, const char *key), void *context);

/* Begins n fetches, which are finished in any order, each once. Files are read when they are finished. */
void pcdf_fetch_start(struct pcdf_fetch *fetches, size_t n);
/* Waits for n fetches; an error of one is in its err, and the first of them is returned, with its sentence. A
 * missing object is no error here. */
int pcdf_fetch_finish(struct pcdf_fetch *fetches, size_t n);
/* In the place of finish, without waiting: got is 0, and memory that was made is freed. */
void pcdf_fetch_cancel(struct pcdf_fetch *fetches, size_t n);
/* Start and finish of one, with memory for all of an object up to `most` bytes: NC_ENOENT where it is not
 * there. */
int pcdf_store_read_all(struct pcdf_store *store, const char *key, int64_t most, unsigned char **bytes,
                        int64_t *n);
#endif
