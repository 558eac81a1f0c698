/* Definitions as a value: copying, comparing, editing; encode and decode are inverse on random ones; a failed
 * allocation anywhere changes nothing and leaks nothing; rules give their errors in the documented order. */
#include "equalmeta.h"
#include "check.h"
#include "decode.h"
#include "randommeta.h"
#include "status.h"

enum { METAS = 400 };

static void round_trip(uint64_t seed)
{
    struct randommeta r = { .state = seed, .most = 1 + (int)(seed % 20) };
    struct pcdf_meta meta, again, copy;
    struct pcdf_layout layout, layout_again;
    struct pcdf_fault fault;
    int64_t need;
    size_t size;

    CHECK_INT(randommeta_make(&r, &meta), NC_NOERR);
    CHECK_INT(pcdf_layout_build(&layout, &meta, NULL, NULL), NC_NOERR);
    unsigned char *bytes = randommeta_encode(&meta, &layout, &size), *bytes_again = NULL;
    int err = pcdf_decode(NULL, bytes, size, (int64_t)size, &need, &again, &layout_again, &fault);
    CHECK(err == NC_NOERR && need == 0, "seed %" PRIu64 ": %d, %s", seed, err, fault.text);
    CHECK_INT(pcdf_meta_copy(&copy, &meta), NC_NOERR);
    CHECK(equal_meta(&meta, &copy), "seed %" PRIu64 ": the copy differs", seed);
    if (!err && !need) {
        CHECK(equal_meta(&meta, &again), "seed %" PRIu64 ": decoded it differs", seed);
        CHECK_INT(again.nrecord_vars, meta.nrecord_vars);
        CHECK_INT(layout_again.recsize, layout.recsize);
        CHECK_INT(layout_again.header_size, layout.header_size);
        if (meta.nvars > 0)
            CHECK_INT(layout_again.header_extent, layout.header_extent);
        bytes_again = randommeta_encode(&again, &layout_again, &size);
        CHECK(memcmp(bytes, bytes_again, size) == 0, "seed %" PRIu64 ": other bytes", seed);
        pcdf_meta_free(&again);
        pcdf_layout_free(&layout_again);
    }
    free(bytes);
    free(bytes_again);
    pcdf_layout_free(&layout);
    pcdf_meta_free(&meta);
    pcdf_meta_free(&copy);
}

/* Every allocation of copy, layout and decode fails once. */
static void no_memory(uint64_t seed)
{
    struct randommeta r = { .state = seed, .most = 12 };
    struct pcdf_meta meta, other;
    struct pcdf_layout layout, layout_other;
    struct pcdf_fault fault;
    int64_t need;
    size_t size;

    CHECK_INT(randommeta_make(&r, &meta), NC_NOERR);
    CHECK_INT(pcdf_layout_build(&layout, &meta, NULL, NULL), NC_NOERR);
    unsigned char *bytes = randommeta_encode(&meta, &layout, &size);
    int64_t before = pcdf_alloc_now();
    bool failed = true;
    for (int64_t at = 1; failed; at++) {
        pcdf_alloc_fail_at(at, 0);
        int err = pcdf_meta_copy(&other, &meta);
        failed = pcdf_alloc_asked() >= at;
        pcdf_alloc_fail_at(0, 0);
        CHECK(err == (failed ? NC_ENOMEM : NC_NOERR), "copy, allocation %" PRId64 ": %d", at, err);
        CHECK(failed ? other.ndims + other.nvars + other.gatts.n == 0 : equal_meta(&other, &meta), "copy");
        pcdf_meta_free(&other);
        CHECK_INT(pcdf_alloc_now(), before);
    }
    failed = true;
    for (int64_t at = 1; failed; at++) {
        pcdf_alloc_fail_at(at, at % 2 == 0);
        int err = pcdf_decode(NULL, bytes, size, (int64_t)size, &need, &other, &layout_other, &fault);
        failed = pcdf_alloc_asked() >= at;
        pcdf_alloc_fail_at(0, 0);
        CHECK(err == (failed ? NC_ENOMEM : NC_NOERR), "decode, allocation %" PRId64 ": %d", at, err);
        if (!err) {
            pcdf_meta_free(&other);
            pcdf_layout_free(&layout_other);
        }
        CHECK_INT(pcdf_alloc_now(), before);
    }
    pcdf_alloc_fail_at(1, 0);
    CHECK_INT(pcdf_layout_build(&layout_other, &meta, NULL, NULL), meta.nvars > 0 ? NC_ENOMEM : NC_NOERR);
    pcdf_alloc_fail_at(0, 0);
    free(bytes);
    pcdf_layout_free(&layout);
    pcdf_meta_free(&meta);
}

static void check_att(const struct pcdf_atts *atts, int id, const char *name, const char *padded)
{
    CHECK(strcmp(atts->x[id].name, name) == 0, "attribute %d is \"%s\"", id, atts->x[id].name);
    CHECK_INT(pcdf_atts_find(atts, name), id);
    size_t n = (size_t)pcdf_att_padded(atts->x[id].type, atts->x[id].nelems);
    CHECK(n == 0 ? atts->x[id].values == NULL : memcmp(atts->x[id].values, padded, n) == 0,
          "values of \"%s\"", name);
}

static void attributes(void)
{
    struct pcdf_meta meta;
    struct pcdf_atts *atts = &meta.gatts;
    char name[8];
    int renamed = 0;
    pcdf_meta_init(&meta, PCDF_CDF2);
    CHECK_INT(pcdf_atts_put(&meta, atts, "a", NC_CHAR, 3, "xyz"), NC_NOERR);
    CHECK_INT(pcdf_atts_put(&meta, atts, "b", NC_SHORT, 2, "\1\2\3\4"), NC_NOERR);
    CHECK_INT(pcdf_atts_put(&meta, atts, "c", NC_INT, 0, NULL), NC_NOERR);
    CHECK_INT(pcdf_atts_put(&meta, atts, "d", NC_BYTE, 5, NULL), NC_NOERR);
    check_att(atts, 0, "a", "xyz");
    check_att(atts, 1, "b", "\1\2\3\4");
    check_att(atts, 2, "c", "");
    check_att(atts, 3, "d", "\0\0\0\0\0\0\0");
    CHECK_INT(pcdf_atts_put(&meta, atts, "b", NC_DOUBLE, 1, "12345678"), NC_NOERR); /* replaced in place */
    check_att(atts, 1, "b", "12345678");
    CHECK_INT(atts->x[1].type, NC_DOUBLE);
    CHECK_INT(pcdf_atts_put(&meta, atts, "a", NC_CHAR, 2, atts->x[0].values), NC_NOERR); /* its own values */
    check_att(atts, 0, "a", "xy\0");
    pcdf_atts_delete(&meta, atts, 0);
    check_att(atts, 0, "b", "12345678");
    for (int i = 0; i < 20; i++) { /* now with an index */
        snprintf(name, sizeof name, "n%d", i);
        CHECK_INT(pcdf_atts_put(&meta, atts, name, NC_BYTE, 1, "z"), NC_NOERR);
    }
    CHECK(atts->index != NULL, "a long list has an index");
    CHECK_INT(pcdf_meta_rename(&meta, PCDF_ATTRIBUTE, atts, 5, "renamed"), NC_NOERR);
    pcdf_atts_delete(&meta, atts, 1);
    check_att(atts, 4, "renamed", "z\0\0");
    check_att(atts, 21, "n19", "z\0\0");
    CHECK_INT(pcdf_atts_find(atts, "n2"), -1);
    CHECK_INT(pcdf_atts_find(atts, "c"), -1);
    pcdf_alloc_fail_at(1, 1);
    CHECK_INT(pcdf_atts_put(&meta, atts, "b", NC_BYTE, 9000, NULL), NC_ENOMEM);
    CHECK_INT(pcdf_atts_put(&meta, atts, "new", NC_BYTE, 9000, NULL), NC_ENOMEM);
    check_att(atts, 0, "b", "12345678");
    for (;;) { /* as long as the block of the arena has room */
        snprintf(name, sizeof name, "b%d", renamed);
        if (renamed == 1000 || pcdf_meta_rename(&meta, PCDF_ATTRIBUTE, atts, 0, name))
            break;
        renamed++;
    }
    pcdf_alloc_fail_at(0, 0);
    CHECK(renamed < 1000, "renaming needs no memory");
    snprintf(name, sizeof name, "b%d", renamed - 1);
    check_att(atts, 0, renamed > 0 ? name : "b", "12345678");
    CHECK_INT(pcdf_atts_put(&meta, atts, "huge", NC_DOUBLE, INT64_MAX / 8, NULL), NC_ENOMEM);
    CHECK_INT(pcdf_att_padded(NC_DOUBLE, INT64_MAX / 2), -1);
    pcdf_meta_free(&meta);
    CHECK_INT(atts->n, 0);

    for (int i = 0; i < 48; i++) { /* as many as the index has room for */
        snprintf(name, sizeof name, "n%d", i);
        CHECK_INT(pcdf_atts_put(&meta, atts, name, NC_BYTE, 1, "z"), NC_NOERR);
    }
    pcdf_alloc_fail_at(1, 1);
    CHECK_INT(pcdf_meta_rename(&meta, PCDF_ATTRIBUTE, atts, 7, "other"), NC_ENOMEM);
    pcdf_alloc_fail_at(0, 0);
    check_att(atts, 7, "n7", "z\0\0");
    CHECK_INT(pcdf_atts_find(atts, "other"), -1);
    pcdf_meta_free(&meta);
}

/* What is replaced, renamed or deleted over and over gives its memory back, and the copy that does so is
 * equal. */
static void tidying(void)
{
    struct pcdf_meta meta, before;
    char name[16];
    int64_t most = 0;
    pcdf_meta_init(&meta, PCDF_CDF5);
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "d%d", i);
        CHECK_INT(pcdf_meta_add_dim(&meta, name, i, NULL), NC_NOERR);
        CHECK_INT(pcdf_meta_add_var(&meta, name, NC_INT, 1, &i, NULL), NC_NOERR);
        for (int k = 0; k < i; k++) {
            snprintf(name, sizeof name, "a%d", k);
            CHECK_INT(pcdf_atts_put(&meta, &meta.vars[i].atts, name, NC_INT, k, NULL), NC_NOERR);
        }
    }
    CHECK_INT(pcdf_meta_copy(&before, &meta), NC_NOERR);
    for (int i = 0; i < 20000; i++) {
        struct pcdf_atts *atts = &meta.vars[19].atts;
        int id = pcdf_atts_find(atts, "a18");
        pcdf_atts_delete(&meta, atts, id);
        CHECK_INT(pcdf_atts_put(&meta, atts, "a18", NC_INT, 18, NULL), NC_NOERR);
        CHECK_INT(pcdf_meta_rename(&meta, PCDF_DIMENSION, NULL, 7, i % 2 ? "d7" : "another"), NC_NOERR);
        CHECK_INT(pcdf_meta_rename(&meta, PCDF_VARIABLE, NULL, 9, i % 2 ? "d9" : "another"), NC_NOERR);
        CHECK_INT(pcdf_meta_rename(&meta, PCDF_ATTRIBUTE, &meta.vars[12].atts, 11, i % 2 ? "a11" : "another"),
                  NC_NOERR);
        pcdf_meta_tidy(&meta);
        most = pcdf_alloc_now() > most ? pcdf_alloc_now() : most;
    }
    CHECK(equal_meta(&meta, &before), "changed by being changed back");
    CHECK_INT(pcdf_meta_find_var(&meta, "d9"), 9);
    CHECK_INT(pcdf_meta_find_dim(&meta, "d7"), 7);
    CHECK_INT(pcdf_atts_find(&meta.vars[19].atts, "a17"), 17);
    CHECK(most < 400000, "%lld bytes are held", (long long)most);
    pcdf_meta_free(&meta);
    pcdf_meta_free(&before);
}

static void definitions(void)
{
    struct pcdf_meta meta, copy;
    char name[16];
    int id, dimids[2] = { 0, 1 };
    int64_t shape[2];

    pcdf_meta_init(&meta, PCDF_CDF1);
    CHECK_INT(pcdf_meta_add_dim(&meta, "t", 0, &id), NC_NOERR);
    CHECK_INT(id, 0);
    CHECK_INT(pcdf_meta_add_dim(&meta, "x", 3, &id), NC_NOERR);
    CHECK_INT(pcdf_meta_add_var(&meta, "v", NC_SHORT, 2, dimids, &id), NC_NOERR);
    CHECK(meta.vars[0].is_record && meta.vars[0].nbytes == 6 && meta.nrecord_vars == 1, "a record variable");
    CHECK_INT(pcdf_meta_add_var(&meta, "f", NC_SHORT, 1, dimids + 1, &id), NC_NOERR);
    CHECK(!meta.vars[1].is_record && meta.vars[1].nbytes == 6 && meta.nrecord_vars == 1, "a fixed variable");
    meta.numrecs = 9;
    pcdf_var_shape(&meta, &meta.vars[0], shape);
    CHECK(shape[0] == 9 && shape[1] == 3, "%" PRId64 " %" PRId64, shape[0], shape[1]);
    for (int i = 0; i < 30; i++) {
        snprintf(name, sizeof name, "d%d", i);
        CHECK_INT(pcdf_meta_add_dim(&meta, name, 1, NULL), NC_NOERR);
        CHECK_INT(pcdf_meta_add_var(&meta, name, NC_BYTE, 0, NULL, NULL), NC_NOERR);
    }
    CHECK_INT(pcdf_meta_copy(&copy, &meta), NC_NOERR);
    CHECK_INT(pcdf_meta_rename(&meta, PCDF_DIMENSION, NULL, 0, "time"), NC_NOERR);
    CHECK_INT(pcdf_meta_rename(&meta, PCDF_VARIABLE, NULL, 31, "last"), NC_NOERR);
    CHECK_INT(pcdf_meta_find_dim(&meta, "time"), 0);
    CHECK_INT(pcdf_meta_find_dim(&meta, "t"), -1);
    CHECK_INT(pcdf_meta_find_var(&meta, "last"), 31);
    CHECK_INT(pcdf_meta_find_var(&meta, "d29"), -1);
    CHECK(!equal_meta(&meta, &copy), "renamed");
    CHECK_INT(pcdf_meta_rename(&meta, PCDF_DIMENSION, NULL, 0, "t"), NC_NOERR);
    CHECK_INT(pcdf_meta_rename(&meta, PCDF_VARIABLE, NULL, 31, "d29"), NC_NOERR);
    CHECK(equal_meta(&meta, &copy), "renamed back");
    copy.numrecs++;
    CHECK(!equal_meta(&meta, &copy), "numrecs");
    copy.numrecs--;
    CHECK_INT(pcdf_atts_put(&copy, pcdf_meta_atts(&copy, 3), "a", NC_BYTE, 1, "1"), NC_NOERR);
    CHECK(!equal_meta(&meta, &copy), "an attribute more");
    CHECK(pcdf_meta_atts(&meta, NC_GLOBAL) == &meta.gatts && !pcdf_meta_atts(&meta, 32), "attribute lists");
    CHECK(pcdf_meta_atts(&meta, NC_GLOBAL) == &meta.gatts, "the global list");
    CHECK(pcdf_meta_atts(&meta, 31) == &meta.vars[31].atts && !pcdf_meta_atts(&meta, -2), "lists");
    pcdf_meta_free(&meta);
    pcdf_meta_free(&copy);
}

static void rules(void)
{
    struct pcdf_meta meta;
    int bad[] = { 0, 7 }, late[] = { 1, 0 }, big[] = { 1, 1, 1 };

    pcdf_meta_init(&meta, PCDF_CDF1);
    CHECK_INT(pcdf_rules_new_dim(&meta, "t", 0), NC_NOERR);
    CHECK_INT(pcdf_meta_add_dim(&meta, "t", 0, NULL), NC_NOERR);
    CHECK_INT(pcdf_meta_add_dim(&meta, "x", INT32_MAX, NULL), NC_NOERR);
    CHECK_INT(pcdf_rules_new_dim(&meta, "t", -1), NC_EDIMSIZE);
    CHECK_INT(pcdf_rules_new_dim(&meta, "y", (int64_t)INT32_MAX + 1), NC_EDIMSIZE);
    CHECK_INT(pcdf_rules_new_dim(&meta, "t", 0), NC_EUNLIMIT);
    CHECK_INT(pcdf_rules_new_dim(&meta, "x", 4), NC_ENAMEINUSE);
    CHECK_INT(pcdf_meta_add_var(&meta, "v", NC_INT, 0, NULL, NULL), NC_NOERR);
    CHECK_INT(pcdf_rules_new_var(&meta, "v", 0, -1, NULL), NC_EBADTYPE);
    CHECK_INT(pcdf_rules_new_var(&meta, "v", 12, -1, NULL), NC_EBADTYPE);
    CHECK_INT(pcdf_rules_new_var(&meta, "v", NC_INT64, -1, NULL), NC_ESTRICTCDF2);
    CHECK_INT(pcdf_rules_new_var(&meta, "v", NC_INT, -1, NULL), NC_EINVAL);
    CHECK_INT(pcdf_rules_new_var(&meta, "v", NC_INT, 2, NULL), NC_ENAMEINUSE);
    CHECK_INT(pcdf_rules_new_var(&meta, "w", NC_INT, 2, NULL), NC_EINVAL);
    CHECK_INT(pcdf_rules_new_var(&meta, "w", NC_INT, 2, bad), NC_EBADDIM);
    CHECK_INT(pcdf_rules_new_var(&meta, "w", NC_INT, 2, late), NC_EUNLIMPOS);
    CHECK_INT(pcdf_rules_new_var(&meta, "w", NC_INT, 3, big), NC_EVARSIZE);
    CHECK_INT(pcdf_rules_new_var(&meta, "w", NC_BYTE, 2, big), NC_NOERR);
    CHECK_INT(pcdf_rules_max_count(PCDF_CDF2), INT32_MAX);
    CHECK_INT(pcdf_rules_max_count(PCDF_CDF5), INT64_MAX);
    pcdf_meta_free(&meta);
    pcdf_meta_init(&meta, PCDF_CDF5);
    CHECK_INT(pcdf_rules_new_dim(&meta, "x", INT64_MAX), NC_NOERR);
    CHECK_INT(pcdf_rules_type(&meta, NC_UINT64), NC_NOERR);
    CHECK_INT(pcdf_meta_add_dim(&meta, "x", INT64_MAX - 3, NULL), NC_NOERR);
    CHECK_INT(pcdf_meta_add_var(&meta, "v", NC_BYTE, 1, bad, NULL), NC_NOERR);
    CHECK_INT(pcdf_rules_sizes(&meta), NC_NOERR);
    CHECK_INT(pcdf_meta_add_var(&meta, "w", NC_BYTE, 1, bad, NULL), NC_NOERR);
    CHECK_INT(pcdf_rules_sizes(&meta), NC_EVARSIZE); /* each fits in 63 bits, both do not */
    CHECK_INT(pcdf_rules_type(&meta, -1), NC_EBADTYPE);
    pcdf_meta_free(&meta);
}

/* Everything that two metas can differ in. */
static void differences(void)
{
    for (int what = 0; what < 10; what++) {
        struct pcdf_meta a, b, *m[2] = { &a, &b };
        for (int i = 0; i < 2; i++) {
            int other = i == 0 ? -1 : what; /* b differs in this */
            int dimids[2] = { 0, 1 };
            pcdf_meta_init(m[i], other == 0 ? PCDF_CDF5 : PCDF_CDF2);
            pcdf_meta_add_dim(m[i], other == 1 ? "X" : "x", other == 2 ? 4 : 3, NULL);
            pcdf_meta_add_dim(m[i], "y", 3, NULL);
            pcdf_meta_add_var(m[i], other == 3 ? "V" : "v", other == 4 ? NC_INT : NC_FLOAT, 1,
                              other == 5 ? dimids + 1 : dimids, NULL);
            pcdf_atts_put(m[i], &m[i]->vars[0].atts, other == 6 ? "A" : "a", other == 7 ? NC_CHAR : NC_BYTE,
                          2, other == 8 ? "12" : "13");
            m[i]->numrecs = other == 9;
        }
        CHECK(!equal_meta(&a, &b), "difference %d is not seen", what);
        CHECK(equal_meta(&a, &a) && equal_meta(&b, &b), "difference %d", what);
        pcdf_meta_free(&a);
        pcdf_meta_free(&b);
    }
}

static void numrecs_field(void)
{
    unsigned char bytes[8];
    CHECK_INT(pcdf_encode_numrecs(PCDF_CDF2, 0x01020304, bytes), 4);
    CHECK(memcmp(bytes, "\1\2\3\4", 4) == 0, "4 bytes");
    CHECK_INT(pcdf_encode_numrecs(PCDF_CDF5, 0x0102030405060708, bytes), 8);
    CHECK(memcmp(bytes, "\1\2\3\4\5\6\7\10", 8) == 0, "8 bytes");
}

static void types(void)
{
    static const int sizes[] = { 0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8, 0 };
    for (nc_type type = -1; type < 13; type++) {
        CHECK_INT(pcdf_type_size(type), type < 0 ? 0 : sizes[type]);
        CHECK_INT(pcdf_type_allowed(PCDF_CDF2, type), type >= 1 && type <= 6);
        CHECK_INT(pcdf_type_allowed(PCDF_CDF5, type), type >= 1 && type <= 11);
    }
    CHECK(strcmp(pcdf_type_name(NC_USHORT), "NC_USHORT") == 0, "%s", pcdf_type_name(NC_USHORT));
    CHECK(strcmp(pcdf_type_cdl(NC_UINT64), "uint64") == 0, "%s", pcdf_type_cdl(NC_UINT64));
    CHECK(strcmp(pcdf_type_name(99), "?") == 0, "%s", pcdf_type_name(99));
    CHECK(memcmp(pcdf_type_fill(NC_INT64), "\x80\0\0\0\0\0\0\2", 8) == 0, "the fill value of int64");
    CHECK(memcmp(pcdf_type_fill(NC_FLOAT), "\x7C\xF0\0\0", 4) == 0, "the fill value of float");
}

int main(void)
{
    types();
    rules();
    attributes();
    tidying();
    definitions();
    differences();
    numrecs_field();
    for (uint64_t seed = 1; seed <= METAS; seed++)
        round_trip(seed);
    for (uint64_t seed = 1; seed <= 10; seed++)
        no_memory(seed);
    CHECK_INT(pcdf_alloc_now(), 0);
    return check_done("meta_model");
}
