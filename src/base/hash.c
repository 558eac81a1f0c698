/* See hash.h. */
#include "hash.h"
#include <string.h>

static uint64_t mixed(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    return hash ^ hash >> 32;
}

/* Four words at a time, so that no multiplication waits for the one before. */
uint64_t pcdf_hash_bytes(const void *bytes, size_t n)
{
    enum { LANES = 4 };
    uint64_t lane[LANES] = { 0x9e3779b97f4a7c15u ^ n, 1, 2, 3 }, word[LANES], hash = 0;
    size_t at = 0;
    for (; at + sizeof word <= n; at += sizeof word) {
        memcpy(word, (const char *)bytes + at, sizeof word);
        for (int i = 0; i < LANES; i++)
            lane[i] = mixed(lane[i], word[i]);
    }
    memset(word, 0, sizeof word);
    if (at < n) /* there may be no bytes at all */
        memcpy(word, (const char *)bytes + at, n - at);
    for (int i = 0; i < LANES; i++)
        hash = mixed(mixed(hash, lane[i]), word[i]);
    return hash;
}

uint64_t pcdf_hash_text(const char *text)
{
    return text ? pcdf_hash_bytes(text, strlen(text)) : 1;
}
