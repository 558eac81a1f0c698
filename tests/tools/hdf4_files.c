/* Writes HDF4 files with libhdf4's own calls, which tests/tools/foreign_test.py copies: every type of number,
 * names that no classic file has, unlimited dimensions, scales, attributes, chunks and compression. Value i
 * of a set is 3 i - 7, in its type. usage: hdf4_files FOLDER */
#include <mfhdf.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 6000 };

static int failures;

static void must(int result, const char *what)
{
    if (result != FAIL)
        return;
    failures++;
    fprintf(stderr, "%s: %s\n", what, HEstring((hdf_err_code_t)HEvalue(1)));
}

static const struct {
    const char *name;
    int32 type;
    int size;
} types[] = {
    { "char8", DFNT_CHAR8, 1 },     { "uchar8", DFNT_UCHAR8, 1 }, { "int8", DFNT_INT8, 1 },
    { "uint8", DFNT_UINT8, 1 },     { "int16", DFNT_INT16, 2 },   { "uint16", DFNT_UINT16, 2 },
    { "int32", DFNT_INT32, 4 },     { "uint32", DFNT_UINT32, 4 }, { "float32", DFNT_FLOAT32, 4 },
    { "float64", DFNT_FLOAT64, 8 },
};
enum { NTYPES = sizeof types / sizeof *types };

/* Values as the type has them, in the machine's form. */
static void count_up(void *values, int32 type, int n)
{
    for (int i = 0; i < n; i++) {
        int number = 3 * i - 7;
        if (type == DFNT_FLOAT32)
            ((float *)values)[i] = (float)number / 3;
        else if (type == DFNT_FLOAT64)
            ((double *)values)[i] = (double)number / 3;
        else if (type == DFNT_INT32 || type == DFNT_UINT32)
            ((int *)values)[i] = number;
        else if (type == DFNT_INT16 || type == DFNT_UINT16)
            ((short *)values)[i] = (short)number;
        else
            ((signed char *)values)[i] = (signed char)number;
    }
}

static double room[MOST];

/* A set whose first n values are there. */
static int32 add(int32 file, const char *name, int32 type, int rank, int32 *shape)
{
    int32 set = SDcreate(file, name, type, rank, shape);
    must(set, name);
    return set;
}

static void put(int32 set, int32 type, int rank, const int32 *count)
{
    int32 start[4] = { 0 }, edge[4];
    int n = 1;
    for (int i = 0; i < rank; i++) {
        edge[i] = count[i];
        n *= count[i];
    }
    count_up(room, type, n);
    must(SDwritedata(set, start, NULL, edge, room), "writing");
}

static void write_types(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/types.hdf", folder);
    int32 file = SDstart(path, DFACC_CREATE), shape[2] = { 4, 5 };
    must(file, path);
    must(SDsetattr(file, "title", DFNT_CHAR8, 5, "types"), "attribute");
    for (int i = 0; i < NTYPES; i++) {
        int32 set = add(file, types[i].name, types[i].type, 2, shape);
        count_up(room, types[i].type, 3);
        must(SDsetattr(set, "three", types[i].type, 3, room), "attribute");
        must(SDsetdimname(SDgetdimid(set, 0), "y"), "dimension");
        must(SDsetdimname(SDgetdimid(set, 1), "x"), "dimension");
        put(set, types[i].type, 2, shape);
        must(SDendaccess(set), "set");
    }
    must(SDend(file), "file");
}

/* Names with what classic files forbid; a scale with attributes; a set that was never written; a
 * little-endian one. */
static void write_names(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/names.hdf", folder);
    int32 file = SDstart(path, DFACC_CREATE), shape[1] = { 6 }, fill = -5;
    must(file, path);
    int32 set = add(file, "Latitude/Longitude of it ", DFNT_INT32, 1, shape), dim = SDgetdimid(set, 0);
    must(SDsetdimname(dim, "a/b"), "dimension");
    count_up(room, DFNT_FLOAT32, 6);
    must(SDsetdimscale(dim, 6, DFNT_FLOAT32, room), "scale");
    must(SDsetdimstrs(dim, "the label", "km", "F7.2"), "scale");
    must(SDsetattr(set, "unit (in /m)", DFNT_CHAR8, 2, "km"), "attribute");
    put(set, DFNT_INT32, 1, shape);
    must(SDendaccess(set), "set");
    set = add(file, "never written", DFNT_INT32, 1, shape);
    must(SDsetfillvalue(set, &fill), "fill value");
    must(SDendaccess(set), "set");
    set = add(file, "little", DFNT_LINT16, 1, shape);
    put(set, DFNT_INT16, 1, shape);
    must(SDendaccess(set), "set");
    must(SDend(file), "file");
}

/* Two unlimited dimensions of unlike length, two sets along the first with unlike numbers of records. */
static void write_records(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/records.hdf", folder);
    int32 file = SDstart(path, DFACC_CREATE), shape[2] = { SD_UNLIMITED, 3 }, seven[2] = { 7, 3 },
          four[2] = { 4, 3 };
    must(file, path);
    int32 set = add(file, "long", DFNT_INT32, 2, shape);
    must(SDsetdimname(SDgetdimid(set, 0), "time"), "dimension");
    put(set, DFNT_INT32, 2, seven);
    must(SDendaccess(set), "set");
    set = add(file, "short", DFNT_FLOAT64, 2, shape);
    must(SDsetdimname(SDgetdimid(set, 0), "time"), "dimension");
    put(set, DFNT_FLOAT64, 2, four);
    must(SDendaccess(set), "set");
    set = add(file, "other", DFNT_INT16, 1, shape);
    must(SDsetdimname(SDgetdimid(set, 0), "event"), "dimension");
    put(set, DFNT_INT16, 1, four);
    must(SDendaccess(set), "set");
    must(SDend(file), "file");
}

static void write_chunks(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/chunks.hdf", folder);
    int32 file = SDstart(path, DFACC_CREATE), shape[3] = { 10, 20, 30 };
    HDF_CHUNK_DEF chunk;
    comp_info comp;
    must(file, path);
    memset(&chunk, 0, sizeof chunk);
    memset(&comp, 0, sizeof comp);
    chunk.comp.chunk_lengths[0] = 3;
    chunk.comp.chunk_lengths[1] = 7;
    chunk.comp.chunk_lengths[2] = 8;
    chunk.comp.comp_type = COMP_CODE_DEFLATE;
    chunk.comp.cinfo.deflate.level = 4;
    comp.deflate.level = 4;
    int32 set = add(file, "chunked", DFNT_INT16, 3, shape);
    must(SDsetchunk(set, chunk, HDF_CHUNK | HDF_COMP), "chunks");
    put(set, DFNT_INT16, 3, shape);
    must(SDendaccess(set), "set");
    set = add(file, "compressed", DFNT_FLOAT64, 3, shape);
    must(SDsetcompress(set, COMP_CODE_DEFLATE, &comp), "compression");
    put(set, DFNT_FLOAT64, 3, shape);
    must(SDendaccess(set), "set");
    must(SDend(file), "file");
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    write_types(argv[1]);
    write_names(argv[1]);
    write_records(argv[1]);
    write_chunks(argv[1]);
    return failures > 0;
}
