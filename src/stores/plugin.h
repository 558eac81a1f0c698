#ifndef PCDF_PLUGIN_H
#define PCDF_PLUGIN_H
/* The only header that a plug-in includes from us (with the C library's), so that libparcdf itself links
 * neither compressors, HDF5, HDF4 nor curl. A plug-in exports one function, pcdf_plugin, and uses nothing of
 * the library but what it is given. They lie in LIBDIR/parcdf; loader.c finds them. */

#include <stddef.h>
#include <stdint.h>

enum { PCDF_PLUGIN_ABI = 4 };

/* ---- libparcdf-codecs.so */

enum pcdf_codec_id {                     /* on the wire of an image; new ones go to the end */
                     PCDF_CODEC_UNKNOWN, /* a name alone: definitions are read, values are refused with it */
                     PCDF_CODEC_ZLIB,    /* also HDF5's deflate; params: level */
                     PCDF_CODEC_GZIP,
                     PCDF_CODEC_SHUFFLE,    /* params: bytes of an element */
                     PCDF_CODEC_FLETCHER32, /* HDF5's: 4 bytes behind the rest */
                     PCDF_CODEC_CRC32C,     /* 4 bytes behind the rest, little-endian */
                     PCDF_CODEC_ADLER32,    /* numcodecs': 4 bytes before the rest, as CRC32 */
                     PCDF_CODEC_CRC32,
                     PCDF_CODEC_ZSTD,
                     PCDF_CODEC_BLOSC,
                     PCDF_CODEC_LZ4,      /* numcodecs': 4 bytes of length, little-endian, before one block */
                     PCDF_CODEC_LZ4_HDF5, /* filter 32004: big-endian length and blocks */
                     PCDF_CODEC_BZIP2,
                     PCDF_CODEC_SZIP, /* params: options mask, pixels of a block, bits of a pixel, pixels of a
                                         scanline */
                     PCDF_CODEC_JSON_TEXT, /* kerchunk's: a text between its quotes in a file of JSON, perhaps
                                              "base64:..." */
                     PCDF_CODECS
};

struct pcdf_plugin_codec {
    int id; /* enum pcdf_codec_id */
    /* Writes at most `room` bytes. 0; 1: what came in is damaged; 2: no memory; 3: encode: it would become
     * longer than its filter in HDF5 may make it. params as above; encode of zlib and gzip has a second one:
     * of how many byte planes, by shuffle, the bytes are; 0: of none. */
    int (*decode)(const uint32_t *params, int nparams, const unsigned char *in, size_t nin,
                  unsigned char *out, size_t room, size_t *nout);
    int (*encode)(const uint32_t *params, int nparams, const unsigned char *in, size_t nin,
                  unsigned char *out, size_t room, size_t *nout); /* NULL: it only reads */
    size_t (*bound)(size_t nin);                                  /* of encode: room that is enough */
};

/* ---- libparcdf-hdf5.so, libparcdf-hdf4.so: run in the process parcdf-map (maphost.c), which gives them
 * these functions; `map` is the classic builder and the image behind it. Codes are NC_ codes. */

/* What a file is. On the wire. CLASSIC: no image, the file itself, local or far; NETCDF4_CLASSIC: with
 * _nc3_strict. */
enum pcdf_source_kind {
    PCDF_SOURCE_CLASSIC,
    PCDF_SOURCE_HDF5,
    PCDF_SOURCE_NETCDF4,
    PCDF_SOURCE_NETCDF4_CLASSIC,
    PCDF_SOURCE_HDF4,
    PCDF_SOURCE_NCZARR,
    PCDF_SOURCE_ZARR2,
    PCDF_SOURCE_ZARR3,
    PCDF_SOURCE_KERCHUNK,
    PCDF_SOURCES
};

/* What a chunk holds. On the wire. INT, UINT: of 1, 2, 4 or 8 bytes; REAL: of 2 (becomes NC_FLOAT), 4 or 8;
 * BOOL: of 1, becomes NC_BYTE; TEXT: size bytes of each, becomes chars with one more dimension where size >
 * 1; UCS4: size = 4 * characters, becomes chars, size of them, in UTF-8. */
enum pcdf_stored {
    PCDF_STORED_INT,
    PCDF_STORED_UINT,
    PCDF_STORED_REAL,
    PCDF_STORED_BOOL,
    PCDF_STORED_TEXT,
    PCDF_STORED_UCS4
};

struct pcdf_map_source { /* the bytes of the file */
    void *context;
    int64_t size;
    const char *path; /* where it is a local file; else NULL */
    int (*read)(void *context, int64_t offset, int64_t length, void *to); /* all of it, or an error */
};

struct pcdf_map_values { /* struct pcdf_classic_values */
    int stored, size;    /* enum pcdf_stored */
    int64_t n;
    const void *values;
};

struct pcdf_map_codec { /* struct pcdf_codec */
    int id, nparams;
    uint32_t params[8];
    const char *name;
};

struct pcdf_map_var {
    const char *group, *name;
    int ndims;
    const int *dims; /* ids that `dim` gave */
    const int64_t *shape, *chunk;
    int stored, size, is_big, is_contiguous;
    int ncodecs;
    const struct pcdf_map_codec *codecs;
    const void *fill; /* native, as stored; NULL: none is defined */
    /* one of: */
    const void *values; /* in native order, shape's product of them: a small one, inline */
    int64_t nvalues;    /* bytes of these */
    int64_t offset;     /* contiguous: where the values lie; -1: not so */
    int has_table;      /* the `chunk_at` calls before this call are its chunks */
};

struct pcdf_map_builder {
    void *context;
    int (*kind)(void *context, int kind); /* enum pcdf_source_kind, at any time */
    int (*dim)(void *context, const char *group, const char *name, int64_t length, int is_unlimited, int *id);
    int (*var)(void *context, const struct pcdf_map_var *v, int *id); /* *id -1: it was left out */
    int (*chunk_at)(void *context, int64_t number, int64_t offset, int64_t length, uint32_t mask);
    int (*att)(void *context, const char *group, int var, const char *name, const struct pcdf_map_values *v);
    int (*left_out)(void *context, const char *sentence);
    int (*fail)(void *context, int code, const char *sentence); /* returns the code */
    void (*alive)(void *context);                               /* once in a while, in long work */
};

/* ---- libparcdf-hdf5.so, once more: the metadata of a netCDF-4 file that others write. Also run in
 * parcdf-map (metahost.c). */

struct pcdf_metadata_host { /* of the plug-in that writes metadata */
    void *context;
    int64_t size; /* of the file; 0: a new one */
    int (*read)(void *context, int64_t offset, int64_t length, void *to);
    int (*give)(void *context, int64_t offset, int64_t length, const void *bytes); /* they changed */
    int (*fail)(void *context, int code, const char *sentence);                    /* returns the code */
    void (*alive)(void *context);
    /* More room for metadata, where that of changes is full: waits for the next change. */
    void (*room)(void *context, int64_t *begin, int64_t *end);
};

struct pcdf_defined_att {
    const char *name;
    int type; /* nc_type */
    int64_t n;
    const void *values; /* in native order */
};

struct pcdf_defined_dim {
    const char *name;
    int64_t length;
    int is_unlimited; /* then it is as long as there are records */
};

struct pcdf_defined_var {
    const char *name;
    int type, ndims;
    const int *dims;
    int natts;
    const struct pcdf_defined_att *atts;
    const int64_t *chunk; /* NULL: contiguous */
    int64_t place;        /* of values that are contiguous */
    int ncodecs;
    const struct pcdf_map_codec *codecs;
    const void *fill;  /* native; NULL: what is not written is not filled */
    int is_big_endian; /* its values; attributes and fill value are native */
};

struct pcdf_definitions {
    int ndims, nvars, natts, is_classic_model;
    const struct pcdf_defined_dim *dims;
    const struct pcdf_defined_var *vars;
    const struct pcdf_defined_att *atts;
    const char *writer; /* "parcdf=0.1.0", for _NCProperties */
};

struct pcdf_written_chunk {
    int32_t var;
    uint32_t mask;
    int64_t number, offset, length; /* number: row-major over the chunks of the variable */
};

struct pcdf_metadata_change {
    /* All of them, as they are from now on; dimensions, variables that were there keep their numbers. NULL:
     * as before. They stay where they are until others took effect. */
    const struct pcdf_definitions *definitions;
    int64_t nentries; /* sorted by variable and number; none twice */
    const struct pcdf_written_chunk *entries;
    int64_t numrecs;
    /* Room that metadata gets beside what it has. All chunks end at `begin`. */
    int64_t begin, end;
};

struct pcdf_metadata_end {
    int64_t eof;  /* where the file ends; that byte exists */
    int64_t left; /* bytes of room that are still free */
};

struct pcdf_metadata_writer {
    int (*start)(const struct pcdf_metadata_host *host, void **file);
    /* Of a file that is there, before all else: its definitions, which the plug-in finds in it. They stay, as
     * those of a change. */
    int (*adopt)(void *file, const struct pcdf_definitions *definitions);
    /* flushed: gives all bytes that changed since the last time, in rising order. NULL: it gives none yet.
     * After a failure nothing but `end` is called. */
    int (*apply)(void *file, const struct pcdf_metadata_change *change, struct pcdf_metadata_end *flushed);
    void (*end)(void *file);
};

/* ---- libparcdf-curl.so */

struct pcdf_http_header {
    const char *name, *value;
};

struct pcdf_http_request {
    const char *url;     /* http or https, without user or password */
    int64_t first, last; /* Range: bytes=first-last; first -1: the last `last` bytes; both -1: no range */
    const char *user_password; /* NULL: none */
    const char *sigv4;         /* "aws:amz:region:s3"; NULL: not signed */
    int nheaders;
    const struct pcdf_http_header *headers;
    unsigned char *to; /* room for the body; more is an error */
    int64_t room;
    int connect_ms, idle_ms, all_ms; /* at most; idle: less than 1 KiB/s */
    const char *ca_bundle;           /* NULL: the system's */
    int is_head;
    int is_guarded; /* it may not come to hosts of the inside: loopback, link-local, private addresses. Where
                       it is not, a redirect from the outside may not */
};

struct pcdf_http_answer {
    int status;            /* 0: none came */
    int64_t got;           /* bytes of the body in `to` */
    int is_whole;          /* the body ended as it said */
    int has_no_connection; /* nobody listens there, or nothing gets through */
    int is_inside;         /* such a host was refused; error says which */
    int may_retry;         /* connection lost, time-out and the like, not a name that does not exist */
    char error[200];       /* "" or a sentence without the URL */
    char etag[120], modified[64], range[96], encoding[32], region[48], retry_after[48];
    int64_t length; /* Content-Length; -1 */
};

struct pcdf_http {
    void *(*start)(
        const struct pcdf_http_request *request); /* NULL: no memory; the request is copied, but `to` */
    /* Waits for one of n, at most ms: its index; -1: none has ended. */
    int (*wait)(void **transfers, int n, int ms);
    void (*finish)(void *transfer,
                   struct pcdf_http_answer *answer); /* of one that ended, or cancels; frees */
};

struct pcdf_plugin {
    int abi;
    size_t size;                            /* of this struct */
    const char *name, *version;             /* "hdf5", "libhdf5 1.10.8" */
    const struct pcdf_plugin_codec *codecs; /* ends with id 0; NULL: none */
    int (*map)(const struct pcdf_map_source *source, const struct pcdf_map_builder *builder);
    const struct pcdf_http *http;
    const struct pcdf_metadata_writer *metadata;
};

typedef const struct pcdf_plugin *pcdf_plugin_function(void);
/* The one symbol: const struct pcdf_plugin *pcdf_plugin(void); NULL: it cannot run here. */
#endif
