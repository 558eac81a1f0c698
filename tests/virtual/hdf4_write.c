/* HDF4 files that Python's module does not write: in chunks, with and without deflate, in many small linked
 * blocks, and with other codecs.    hdf4_write FILE SEED CODECS: 1 or 0; hdf4_write FILE elsewhere OTHER */

#include <mfhdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int32 values[4096];

static void die(const char *what)
{
    fprintf(stderr, "hdf4_write: %s\n", what);
    exit(2);
}

static void write_chunked(int32 file, const char *name, int32 type, int deflates)
{
    int32 shape[3] = { 1 + rand() % 9, 1 + rand() % 9, 1 + rand() % 9 }, start[3] = { 0, 0, 0 };
    int32 set = SDcreate(file, name, type, 3, shape);
    HDF_CHUNK_DEF chunk;
    memset(&chunk, 0, sizeof chunk);
    for (int i = 0; i < 3; i++) {
        chunk.comp.chunk_lengths[i] = 1 + rand() % shape[i];
        chunk.chunk_lengths[i] = chunk.comp.chunk_lengths[i];
    }
    chunk.comp.comp_type = COMP_CODE_DEFLATE;
    chunk.comp.cinfo.deflate.level = 6;
    if (set == FAIL || SDsetchunk(set, chunk, deflates ? HDF_CHUNK | HDF_COMP : HDF_CHUNK) == FAIL)
        die(name);
    if (rand() % 4 == 0) /* some of it is not written */
        shape[0] = (shape[0] + 1) / 2;
    if (SDwritedata(set, start, NULL, shape, values) == FAIL || SDendaccess(set) == FAIL)
        die(name);
}

/* A few records at a time, with other sets between them. */
static void write_records(int32 file)
{
    int32 shape[2] = { SD_UNLIMITED, 1 + rand() % 7 }, sets[3];
    static const char *const names[] = { "a", "b", "c" };
    static const int32 types[] = { DFNT_INT32, DFNT_INT16, DFNT_FLOAT64 };
    for (int i = 0; i < 3; i++) {
        sets[i] = SDcreate(file, names[i], types[i], 2, shape);
        if (sets[i] == FAIL || SDsetblocksize(sets[i], 1 << (4 + rand() % 5)) == FAIL)
            die(names[i]);
        SDsetdimname(SDgetdimid(sets[i], 0), "time");
    }
    for (int record = 0; record < 12; record++)
        for (int i = 0; i < 3; i++) {
            int32 start[2] = { record, 0 }, count[2] = { 1, shape[1] };
            if ((i != 1 || record < 7) &&
                SDwritedata(sets[i], start, NULL, count, values + 7 * record) == FAIL)
                die(names[i]);
        }
    for (int i = 0; i < 3; i++)
        SDendaccess(sets[i]);
}

/* As a whole, and in chunks. */
static void write_coded(int32 file)
{
    static const comp_coder_t coders[] = { COMP_CODE_RLE, COMP_CODE_NBIT, COMP_CODE_SKPHUFF, COMP_CODE_RLE,
                                           COMP_CODE_SKPHUFF };
    int32 shape[2] = { 30, 20 }, start[2] = { 0, 0 };
    for (int i = 0; i < 5; i++) {
        char name[20];
        comp_info info;
        HDF_CHUNK_DEF chunk;
        memset(&info, 0, sizeof info);
        memset(&chunk, 0, sizeof chunk);
        info.skphuff.skp_size = chunk.comp.cinfo.skphuff.skp_size = 4;
        chunk.comp.comp_type = coders[i];
        chunk.comp.chunk_lengths[0] = chunk.chunk_lengths[0] = 7;
        chunk.comp.chunk_lengths[1] = chunk.chunk_lengths[1] = 20;
        snprintf(name, sizeof name, "coded%d", i);
        int32 set = SDcreate(file, name, DFNT_INT32, 2, shape);
        intn good = coders[i] == COMP_CODE_NBIT ? SDsetnbitdataset(set, 30, 31, FALSE, FALSE)
                    : i < 3                     ? SDsetcompress(set, coders[i], &info)
                                                : SDsetchunk(set, chunk, HDF_CHUNK | HDF_COMP);
        if (good == FAIL || SDwritedata(set, start, NULL, shape, values) == FAIL || SDendaccess(set) == FAIL)
            die(name);
    }
}

/* Attributes whose values are to lie in another file, which gets them: of the set and of the file. */
static int write_elsewhere(const char *path, const char *other)
{
    int32 shape[1] = { 4 }, start[1] = { 0 }, ref = -1;
    int32 file = SDstart(path, DFACC_CREATE), set = SDcreate(file, "v", DFNT_INT32, 1, shape);
    if (SDwritedata(set, start, NULL, shape, values) == FAIL ||
        SDsetattr(file, "a", DFNT_CHAR8, 6, "SECRET") || SDsetattr(set, "b", DFNT_CHAR8, 6, "SECRET") ||
        SDendaccess(set) || SDend(file))
        die(path);
    file = Hopen(path, DFACC_RDWR, 0);
    Vstart(file);
    while ((ref = VSgetid(file, ref)) != FAIL) {
        char class[VSNAMELENMAX + 1];
        int32 table = VSattach(file, ref, "w");
        if (VSgetclass(table, class) == FAIL ||
            (!strcmp(class, "Attr0.0") && VSsetexternalfile(table, other, 0) == FAIL) ||
            VSdetach(table) == FAIL)
            die(other);
    }
    return Vend(file) == FAIL || Hclose(file) == FAIL ? 2 : 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[2], "elsewhere"))
        return write_elsewhere(argv[1], argv[3]);
    if (argc != 4)
        return 2;
    srand((unsigned)strtoull(argv[2], NULL, 10));
    for (int i = 0; i < 4096; i++)
        values[i] = rand();
    int32 file = SDstart(argv[1], DFACC_CREATE);
    if (file == FAIL)
        die(argv[1]);
    write_chunked(file, "chunked", DFNT_INT16, 0);
    write_chunked(file, "deflated", DFNT_INT32, 1);
    unsigned seed =
        (unsigned)rand(); /* Python's module does not read little-endian ones: "same" has their values */
    srand(seed);
    write_chunked(file, "little", DFNT_LITEND | DFNT_INT32, seed & 1);
    srand(seed);
    write_chunked(file, "same", DFNT_INT32, seed & 1);
    write_records(file);
    if (atoi(argv[3]))
        write_coded(file);
    return SDend(file) == FAIL ? 2 : 0;
}
