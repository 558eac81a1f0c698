#ifndef PCDF_CONVERT_H
#define PCDF_CONVERT_H
/* Values between memory and file: conversion, range check, byte order and gathering in one pass, from one
 * table of converters (external type x memory type x direction). Rules: reference 4.8 and section 0 of the
 * architecture page. No netCDF state, no MPI: a converter sees two arrays. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "access.h"
#include "types.h"

/* n elements from memory (stride elements apart, may be negative or 0) to dense file bytes, any alignment:
 * big-endian, or in the byte order of this machine, as in the chunks of a netCDF-4 file. fill: the external
 * fill value in file bytes, stored where a value does not fit. Returns true when some value did not fit.
 * memory is never written to. */
typedef bool pcdf_converter_put(unsigned char *restrict file, const void *restrict memory, ptrdiff_t stride,
                                size_t n, const unsigned char *fill);
/* The other way; a value that does not fit becomes the default fill value of the memory type. */
typedef bool pcdf_converter_get(void *restrict memory, ptrdiff_t stride, const unsigned char *restrict file,
                                size_t n);

struct pcdf_converter {
    pcdf_converter_put *put;
    pcdf_converter_get *get;
    int size, xsize;               /* bytes of a value in memory; in file */
    unsigned char mtype;           /* enum pcdf_mtype */
    unsigned char native, xnative; /* representations in memory, and in the file (natives.h) */
    /* The values change their type: more than a change of byte order, and some may not fit. */
    bool converts;
    /* The file bytes are the memory bytes: a dense put may be written from the user's buffer. */
    bool is_copy;
    bool is_native; /* the file has this machine's byte order */
};

/* NULL when text meets numbers (NC_ECHAR). By the rules of CDF-1/2 (meta.h: ranges) unsigned char and NC_BYTE
 * are the same bytes. */
const struct pcdf_converter *pcdf_converter_of(enum pcdf_version ranges, nc_type xtype,
                                               enum pcdf_mtype mtype);

/* The same for a file in the byte order of this machine. */
const struct pcdf_converter *pcdf_converter_native(const struct pcdf_converter *converter);

/* Rounds n floats or doubles, of which the first has this number in its put, in place, and stores them as the
 * file of this converter has them; file: elsewhere, or the same place where converter->is_native. */
struct pcdf_quantizer;
void pcdf_convert_quantized(const struct pcdf_converter *k, const struct pcdf_quantizer *q,
                            unsigned char *values, size_t n, int64_t number, unsigned char *file);

/* A dense put of many values whose bytes nobody reads soon, as in the write queue: stored past the cache.
 * Never where they are written to a file at once, which then took up to twice as long. False: nothing was
 * done, it is to be put as usual (too few values for it, values that change their type, a place or a
 * processor that does not allow it). */
enum { PCDF_STREAM_BYTES = 256 };
bool pcdf_convert_stream(const struct pcdf_converter *k, unsigned char *restrict file,
                         const void *restrict memory, size_t n);
/* After these, before another thread is told of the bytes. */
void pcdf_convert_stream_end(void);

/* The converters use what the processor has: "portable", "avx2", "avx512" or "neon"; environment PARCDF_SIMD
 * may name a lower one (a name that this processor lacks is ignored). For tests and benchmarks: use from now
 * on the one named, NULL = the best; false: the processor lacks it. */
const char *pcdf_convert_level(void);
bool pcdf_convert_use(const char *name);

/* A value of the memory (of a put) or of the file (of a get) as text, for sentences: reals are rounded. */
void pcdf_convert_text(const struct pcdf_converter *k, enum pcdf_dir dir, const void *value, char *text,
                       size_t room);

size_t pcdf_mtype_size(enum pcdf_mtype mtype);
const char *pcdf_mtype_name(enum pcdf_mtype mtype); /* "unsigned char" */
/* The memory type whose values are those of an external type (NC_INT -> PCDF_M_INT, NC_CHAR -> PCDF_M_TEXT).
 */
enum pcdf_mtype pcdf_mtype_of(nc_type xtype);
#endif
