#ifndef PCDF_ZARRTYPE_H
#define PCDF_ZARRTYPE_H
/* Types, single values and codecs as Zarr names them. Local; nothing of the JSON is trusted. */

#include "codecs.h"
#include "jsonread.h"
#include "plugin.h"

struct pcdf_zarr_type {
    enum pcdf_stored stored;
    int size; /* bytes of an element */
    bool is_big;
};

/* false: there is no such type here. is_nczarr: "<U1" is one byte. */
bool pcdf_zarr_type2(const char *dtype, bool is_nczarr, struct pcdf_zarr_type *type);
bool pcdf_zarr_type3(const struct pcdf_json_value *data_type, struct pcdf_zarr_type *type);

/* A number as a native value of the type: false if it is none, or not exactly. `to` has 8 bytes. */
bool pcdf_zarr_number(const struct pcdf_json_value *v, enum pcdf_stored stored, int size, unsigned char *to);
/* "NaN", "Infinity", "-Infinity", or the bits of a real, such as "0x7fc00000". */
bool pcdf_zarr_word(const char *text, int size, unsigned char *to);
/* A fill value: also words, bits ("0x7fc00000"), and base64 of texts, of which only NULs are taken, but of
 * texts of one byte. *has: it is not null. */
bool pcdf_zarr_fill(const struct pcdf_json_value *v, const struct pcdf_zarr_type *type, unsigned char *to,
                    bool *has);

/* Adds a codec by its name and its configuration (numcodecs' of version 2, or that of version 3); one that is
 * not known is a codec of that name. False: there are too many. */
bool pcdf_zarr_codec(const char *name, const struct pcdf_json_value *configuration, struct pcdf_chain *chain);
bool pcdf_zarr_unknown_codec(const char *name, struct pcdf_chain *chain);
#endif
