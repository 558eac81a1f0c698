#ifndef PCDF_STOREKIND_H
#define PCDF_STOREKIND_H
/* What a kind of store implements (store.h): each in a file of its own. */

#include "store.h"

struct pcdf_store_ops {
    const char *kind;
    bool has_keys;
    int (*pin)(struct pcdf_store *s, struct pcdf_pin *pin);       /* NULL: it has no object "" */
    int (*has)(struct pcdf_store *s, const char *key, bool *has); /* NULL: a byte of it is read */
    int (*locate)(struct pcdf_store *s, const char *key, int64_t *offset,
                  int64_t *length); /* NULL: it cannot */
    int (*list)(struct pcdf_store *s, const char *prefix, int (*visit)(void *context, const char *key),
                void *context);                                          /* NULL: it cannot be listed */
    void (*start)(struct pcdf_store *s, struct pcdf_fetch *f, size_t n); /* all of s; NULL: finish does it */
    int (*finish)(struct pcdf_store *s, struct pcdf_fetch *f);  /* sets got and err, returns err; memory that
  it  made is freed where it fails */
    void (*cancel)(struct pcdf_store *s, struct pcdf_fetch *f); /* ends what start began */
    void (*close)(struct pcdf_store *s);                        /* the struct itself is freed for it */
};

struct pcdf_store { /* the first member of each kind's own struct */
    const struct pcdf_store_ops *ops;
    char *name;            /* without anything secret. Owned */
    struct pcdf_bond bond; /* its own copy; whole: of far ones, always */
    struct pcdf_pin pin;
    bool is_pinned, is_far;
};

/* Memory for a store of `bytes` bytes, the struct above first. */
int pcdf_store_make(size_t bytes, const struct pcdf_store_ops *ops, const char *name,
                    const struct pcdf_pin *pin, void *store);

/* Names below each other, none of them "", "." or "..": what may be a key. */
bool pcdf_store_is_key(const char *key);

int pcdf_filestore_open(const char *path, const struct pcdf_pin *pin, struct pcdf_store **s); /* or folder */
/* A file that references name, below the folder of the bond. */
int pcdf_filestore_open_below(const char *path, const struct pcdf_bond *bond, const struct pcdf_pin *pin,
                              struct pcdf_store **s);
/* An archive over another store's object "", which it closes, also where this fails. */
int pcdf_zipstore_open(struct pcdf_store *archive, struct pcdf_store **s);
int pcdf_farstore_open(const char *url, const struct pcdf_bond *bond, const struct pcdf_pin *pin,
                       struct pcdf_store **s); /* http, https, s3 */
#endif
