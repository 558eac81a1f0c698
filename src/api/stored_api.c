/* How variables of netCDF-4 files are stored: chunks and filters. */
#include "api.h"
#include "parcdf.h"
#include "alloc.h"
#include "storedcalls.h"

#define DEFINE(name, arguments, ...)                                                                         \
    int parcdf_def_var_##name arguments                                                                      \
    {                                                                                                        \
        const struct pcdf_stored_asked asked = { __VA_ARGS__ };                                              \
        struct pcdf_dataset *ds;                                                                             \
        PCDF_LOCK(ncid);                                                                                     \
        PCDF_TRY(pcdf_dataset_of(ncid, &ds));                                                                \
        return pcdf_report(ds, pcdf_stored_define_all(ds, varid, &asked));                                   \
    }

DEFINE(chunking, (int ncid, int varid, int storage, const size_t *chunksizes), PCDF_STORED_CALL_CHUNKING,
       { storage }, chunksizes)
DEFINE(deflate, (int ncid, int varid, int shuffle, int deflate, int deflate_level), PCDF_STORED_CALL_DEFLATE,
       { shuffle, deflate, deflate_level }, NULL)
DEFINE(zstd, (int ncid, int varid, int level), PCDF_STORED_CALL_ZSTD, { level }, NULL)
DEFINE(szip, (int ncid, int varid, int options_mask, int pixels_per_block), PCDF_STORED_CALL_SZIP,
       { options_mask, pixels_per_block }, NULL)
DEFINE(fletcher32, (int ncid, int varid, int fletcher32), PCDF_STORED_CALL_FLETCHER32, { fletcher32 }, NULL)

/* `v` is what is stored; v->chunk is freed. */
#define INQUIRE(name, arguments, ...)                                                                        \
    int parcdf_inq_var_##name arguments                                                                      \
    {                                                                                                        \
        struct pcdf_stored_var v;                                                                            \
        struct pcdf_dataset *ds;                                                                             \
        PCDF_LOCK(ncid);                                                                                     \
        PCDF_TRY(pcdf_dataset_of(ncid, &ds));                                                                \
        int err = pcdf_stored_inquire(ds, varid, &v);                                                        \
        if (err)                                                                                             \
            return pcdf_report(ds, err);                                                                     \
        __VA_ARGS__;                                                                                         \
        pcdf_free(v.chunk);                                                                                  \
        return NC_NOERR;                                                                                     \
    }

static void give_chunking(const struct pcdf_stored_var *v, int *storage, size_t *chunk)
{
    bool is_chunked = v->way == PCDF_STORED_CHUNKED;
    PCDF_GIVE(storage, is_chunked ? NC_CHUNKED : NC_CONTIGUOUS);
    for (int i = 0; is_chunked && chunk && i < v->ndims; i++)
        chunk[i] = (size_t)v->chunk[i];
}

/* Parameter i of a codec; 0: it is not there. */
static int number_of(const struct pcdf_stored_var *v, enum pcdf_codec_id id, int i)
{
    const struct pcdf_codec *codec = pcdf_stored_codec(v, id);
    return codec && codec->nparams > i ? (int)codec->params[i] : 0;
}

static int has(const struct pcdf_stored_var *v, enum pcdf_codec_id id)
{
    return pcdf_stored_codec(v, id) != NULL;
}

INQUIRE(chunking, (int ncid, int varid, int *storagep, size_t *chunksizesp),
        give_chunking(&v, storagep, chunksizesp))
INQUIRE(deflate, (int ncid, int varid, int *shufflep, int *deflatep, int *deflate_levelp),
        (PCDF_GIVE(shufflep, has(&v, PCDF_CODEC_SHUFFLE)), PCDF_GIVE(deflatep, has(&v, PCDF_CODEC_ZLIB)),
         PCDF_GIVE(deflate_levelp, number_of(&v, PCDF_CODEC_ZLIB, 0))))
INQUIRE(zstd, (int ncid, int varid, int *zstdp, int *levelp),
        (PCDF_GIVE(zstdp, has(&v, PCDF_CODEC_ZSTD)), PCDF_GIVE(levelp, number_of(&v, PCDF_CODEC_ZSTD, 0))))
INQUIRE(szip, (int ncid, int varid, int *options_maskp, int *pixels_per_blockp),
        (PCDF_GIVE(options_maskp, number_of(&v, PCDF_CODEC_SZIP, 0) & (NC_SZIP_NN | NC_SZIP_EC)),
         PCDF_GIVE(pixels_per_blockp, number_of(&v, PCDF_CODEC_SZIP, 1))))
INQUIRE(fletcher32, (int ncid, int varid, int *fletcher32p),
        PCDF_GIVE(fletcher32p, has(&v, PCDF_CODEC_FLETCHER32)))
