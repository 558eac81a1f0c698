#ifndef PCDF_BYTES_H
#define PCDF_BYTES_H
/* Big-endian bytes, read and written through a cursor that knows its end. A step that does not fit takes
 * nothing; no code assumes the byte order of the machine. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t pcdf_bytes_get16(const unsigned char *b)
{
    return (uint16_t)(b[0] << 8 | b[1]);
}

static inline uint32_t pcdf_bytes_get32(const unsigned char *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static inline uint64_t pcdf_bytes_get64(const unsigned char *b)
{
    return (uint64_t)pcdf_bytes_get32(b) << 32 | pcdf_bytes_get32(b + 4);
}

static inline void pcdf_bytes_put16(unsigned char *b, uint16_t x)
{
    b[0] = (unsigned char)(x >> 8);
    b[1] = (unsigned char)x;
}

static inline void pcdf_bytes_put32(unsigned char *b, uint32_t x)
{
    pcdf_bytes_put16(b, (uint16_t)(x >> 16));
    pcdf_bytes_put16(b + 2, (uint16_t)x);
}

static inline void pcdf_bytes_put64(unsigned char *b, uint64_t x)
{
    pcdf_bytes_put32(b, (uint32_t)(x >> 32));
    pcdf_bytes_put32(b + 4, (uint32_t)x);
}

struct pcdf_reader {
    const unsigned char *bytes;
    size_t n, at; /* at <= n always */
};

/* The next `size` bytes, which stay where they are; false when fewer are left. */
static inline bool pcdf_reader_take(struct pcdf_reader *r, uint64_t size, const unsigned char **taken)
{
    if (size > r->n - r->at)
        return false;
    *taken = r->bytes + r->at;
    r->at += (size_t)size;
    return true;
}

static inline bool pcdf_reader_u32(struct pcdf_reader *r, uint32_t *x)
{
    const unsigned char *b;
    if (!pcdf_reader_take(r, 4, &b))
        return false;
    *x = pcdf_bytes_get32(b);
    return true;
}

static inline bool pcdf_reader_u64(struct pcdf_reader *r, uint64_t *x)
{
    const unsigned char *b;
    if (!pcdf_reader_take(r, 8, &b))
        return false;
    *x = pcdf_bytes_get64(b);
    return true;
}

struct pcdf_writer {
    unsigned char *bytes;
    size_t n, at;
    bool full; /* a step did not fit and nothing of it was written */
};

static inline unsigned char *pcdf_writer_room(struct pcdf_writer *w, size_t size)
{
    if (w->full || size > w->n - w->at) {
        w->full = true;
        return NULL;
    }
    w->at += size;
    return w->bytes + w->at - size;
}

static inline void pcdf_writer_u32(struct pcdf_writer *w, uint32_t x)
{
    unsigned char *b = pcdf_writer_room(w, 4);
    if (b)
        pcdf_bytes_put32(b, x);
}

static inline void pcdf_writer_u64(struct pcdf_writer *w, uint64_t x)
{
    unsigned char *b = pcdf_writer_room(w, 8);
    if (b)
        pcdf_bytes_put64(b, x);
}

/* The bytes and zeros up to the next multiple of 4. SPEC: padding. */
static inline void pcdf_writer_padded(struct pcdf_writer *w, const void *from, size_t size)
{
    size_t padding = (4 - size % 4) % 4;
    unsigned char *b = pcdf_writer_room(w, size + padding);
    if (!b || size + padding == 0)
        return;
    memset(b + size + padding - 4, 0, 4); /* where the padding is */
    memcpy(b, from, size);
}
#endif
