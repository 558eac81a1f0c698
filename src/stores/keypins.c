/* See keypins.h. */
#include "keypins.h"

#include "alloc.h"
#include "hash.h"
#include "status.h"

enum { LEAST = 64, MOST = 1 << 21, PROBES = 16 };

/* The slot of a key: its own, a free one or, where there is neither, one that others had. */
static uint64_t *slot_of(const struct pcdf_keypins *pins, uint64_t key)
{
    for (size_t i = 0; i < PROBES; i++) {
        uint64_t *slot = pins->slots[(key + i) & (pins->room - 1)];
        if (slot[0] == key || slot[0] == 0)
            return slot;
    }
    return pins->slots[key & (pins->room - 1)];
}

static void enter(struct pcdf_keypins *pins, uint64_t key, uint64_t is)
{
    uint64_t *slot = slot_of(pins, key);
    pins->n += slot[0] == 0;
    slot[0] = key;
    slot[1] = is;
}

/* Where there is no memory, it stays as it is. */
static void grow(struct pcdf_keypins *pins)
{
    struct pcdf_keypins larger = { .room = pins->room ? 2 * pins->room : LEAST };
    if (2 * pins->n < pins->room || larger.room > MOST ||
        !(larger.slots = pcdf_calloc(larger.room, sizeof *larger.slots)))
        return;
    for (size_t i = 0; i < pins->room; i++)
        if (pins->slots[i][0])
            enter(&larger, pins->slots[i][0], pins->slots[i][1]);
    pcdf_free(pins->slots);
    *pins = larger;
}

int pcdf_keypins_agree(struct pcdf_keypins *pins, const char *name, const char *key,
                       const struct pcdf_pin *is)
{
    uint64_t hash = pcdf_hash_text(key), was = 1;
    hash += hash == 0;
    if (is)
        was = pcdf_hash_text(is->tag) ^ (uint64_t)is->size * UINT64_C(0x9e3779b97f4a7c15);
    grow(pins);
    if (!pins->slots)
        return PCDF_FAIL(NC_ENOMEM, "%s: no memory to note what its objects are", name);
    const uint64_t *slot = slot_of(pins, hash);
    if (slot[0] != hash)
        enter(pins, hash, was);
    else if (slot[1] != was)
        return PCDF_FAIL(NC_EREAD, "%s/%.200s: it has been changed since it was first read", name, key);
    return NC_NOERR;
}

void pcdf_keypins_free(struct pcdf_keypins *pins)
{
    pcdf_free(pins->slots);
    *pins = (struct pcdf_keypins){ 0 };
}
