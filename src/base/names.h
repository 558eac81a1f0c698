#ifndef PCDF_NAMES_H
#define PCDF_NAMES_H
/* Name -> id, for lists that may hold 100,000 names. The table holds (hash, id) pairs of eight bytes and
 * never a name: the names stay in the caller's array of structs, each of which begins with its `char *name`;
 * the array may move. The hash is keyed by the process (SipHash), since names come from files and may be made
 * to collide. Not thread-safe, as the lists themselves are not. */

#include <stddef.h>
#include <stdint.h>

struct pcdf_names;

/* The keyed hash of a name, for tables of another kind: never the same in two processes. */
uint32_t pcdf_names_hash(const char *name, size_t length);

/* An empty table with room for n names. NC_ENOMEM: *names untouched. */
int pcdf_names_new(struct pcdf_names **names, size_t n);
int pcdf_names_copy(struct pcdf_names **to, const struct pcdf_names *from);
void pcdf_names_free(struct pcdf_names *names); /* NULL is fine */

size_t pcdf_names_count(const struct pcdf_names *names);
/* The name that was entered with this id. To rename: enter the new name with the same id, then remove the old
 * one. */
void pcdf_names_remove(struct pcdf_names *names, const char *name, int id);
/* Ids above `id` move down by one: the struct of that id leaves the array. Remove its name first. */
void pcdf_names_close_gap(struct pcdf_names *names, int id);

/* Adds a name of `length` bytes, unless the list has it: *there is its id then, else -1. NC_ENOMEM: nothing
 * changed.
 */
int pcdf_names_enter(struct pcdf_names *names, const char *name, size_t length, int id, const void *list,
                     size_t stride, int *there);

/* The id, or -1. list: the array of structs, `stride` bytes apart, each with a `char *name` first. */
int pcdf_names_find(const struct pcdf_names *names, const char *name, const void *list, size_t stride);
#endif
