#ifndef PCDF_DECODEFAST_H
#define PCDF_DECODEFAST_H
/* Names and attributes as almost all headers have them, in few instructions. Whatever is unusual (too long,
 * too short, NUL in a name, a type of a later version, a name for the second time), and what lies near the
 * end of the bytes at hand, is left where it is: false, and decode.c takes it the long way and says what is
 * wrong. What is taken here would be taken there just so. Nothing but decode.c includes this. */

#include "decoder.h"
#include "metaindex.h"

enum { PCDF_FAST_VALUES = 1 << 20 }; /* more of them in an attribute are unusual */

/* Room for n bytes and up to eight more, for whole words are written; NULL: no room without an allocation. */
static inline unsigned char *pcdf_fast_room(struct pcdf_arena *arena, size_t n)
{
    size_t room = (n + 8) & ~(size_t)7;
    return room <= (size_t)(arena->end - arena->at) ? (arena->end -= room) : NULL;
}

/* n bytes and zeros up to the end of the last word, one at least, from where eight bytes more can be read. Is
 * there a zero among the n? */
static inline bool pcdf_fast_copy(unsigned char *to, const unsigned char *from, size_t n)
{
    static const unsigned char masks[16] = { 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255 };
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    uint64_t word, behind, zeros = 0;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        memcpy(&word, from + i, 8);
        memcpy(to + i, &word, 8);
        zeros |= (word - ones) & ~word;
    }
    memcpy(&word, from + i, 8);
    memcpy(&behind, masks + 8 - (n - i), 8); /* of the last word, the bytes that are not of the n */
    zeros |= ((word | behind) - ones) & ~(word | behind);
    word &= ~behind;
    memcpy(to + i, &word, 8);
    return zeros & tops;
}

static inline bool pcdf_fast_name(struct pcdf_decoder *d, size_t count_size, char **name, int *name_length)
{
    const unsigned char *b = d->bytes + d->at;
    if (d->n - d->at < count_size + NC_MAX_NAME + 8)
        return false;
    uint64_t length = pcdf_bytes_get(b, count_size);
    if (length - 1 >= NC_MAX_NAME) /* or 0 */
        return false;
    unsigned char *to = pcdf_fast_room(&d->meta.arena, (size_t)length);
    if (!to || pcdf_fast_copy(to, b + count_size, (size_t)length))
        return false;
    *name = (char *)to;
    *name_length = (int)length;
    d->at += count_size + (size_t)((length + 3) & ~(uint64_t)3);
    return true;
}

/* What follows the name of an attribute. */
static inline bool pcdf_fast_values(struct pcdf_decoder *d, size_t count_size, struct pcdf_att *att)
{
    const unsigned char *b = d->bytes + d->at;
    size_t left = d->n - d->at;
    if (left < 4 + count_size)
        return false;
    uint64_t type = pcdf_bytes_get(b, 4);
    uint64_t nelems = pcdf_bytes_get(b + 4, count_size);
    if (type >= PCDF_TYPE_ROWS || !pcdf_type_allowed(d->version, (nc_type)type) || nelems > PCDF_FAST_VALUES)
        return false;
    size_t nbytes = (size_t)nelems * pcdf_type_rows[type].size, padded = (nbytes + 3) & ~(size_t)3;
    if (left < 4 + count_size + padded + 8)
        return false;
    att->type = (nc_type)type;
    att->nelems = (int64_t)nelems;
    att->values = nbytes > 0 ? pcdf_fast_room(&d->meta.arena, nbytes) : NULL;
    if (nbytes > 0 && !att->values)
        return false;
    for (size_t i = 0; i < nbytes; i += 8)
        memcpy(att->values + i, b + 4 + count_size + i, 8);
    for (size_t i = nbytes; i % 4 != 0; i++) /* whatever the padding in the file is */
        att->values[i] = 0;
    d->at += 4 + count_size + padded;
    return true;
}

/* The next attribute of a list that is short and has room. */
static inline bool pcdf_fast_att(struct pcdf_decoder *d, size_t count_size, struct pcdf_atts *atts)
{
    size_t at = d->at;
    if (atts->n >= PCDF_INDEX_FROM || atts->n >= atts->room)
        return false;
    struct pcdf_att *att = &atts->x[atts->n];
    bool taken =
        pcdf_fast_name(d, count_size, &att->name, &att->name_length) && pcdf_fast_values(d, count_size, att);
    for (int i = 0; taken && i < atts->n; i++)
        taken = atts->x[i].name_length != att->name_length || strcmp(atts->x[i].name, att->name) != 0;
    if (taken)
        atts->n++;
    else
        d->at = at;
    return taken;
}
#endif
