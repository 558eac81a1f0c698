/* Fixes hints: every one of the table is reported by inq_file_info with its default; numbers are clamped to
 * their range and words checked; what cannot be read is as if not given, and no crash; PNETCDF_HINTS wins
 * over MPI_Info, which wins over the arguments of _enddef; unknown hints are no error; the debug log tells of
 * it, and of those that begin with pcdf_ standard error, once and on rank 0, unless PARCDF_QUIET is set.
 * Bytes may have units. Names of before are taken. */

#include <fcntl.h>
#include <limits.h>
#include "together.h"
#include "filesystem.h"
#include "hints.h"
#include "mpilibrary.h"
#include "shown.h"
#include "sieve.h"
#include "storage.h"

static int ncid;

static void create(const char *name, const char *value, const char *environment)
{
    MPI_Info info = MPI_INFO_NULL;
    if (name) {
        MPI_Info_create(&info);
        MPI_Info_set(info, name, value);
    }
    if (environment)
        setenv("PNETCDF_HINTS", environment, 1);
    else
        unsetenv("PNETCDF_HINTS");
    if (my_rank == 0)
        unlink(my_path); /* of a file that takes the place of another, pcdf_commit says so */
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    unsetenv("PNETCDF_HINTS");
    if (name)
        MPI_Info_free(&info);
}

static void expect(const char *name, const char *want, const char *why)
{
    char value[MPI_MAX_INFO_VAL + 1] = "(not there)";
    MPI_Info used = MPI_INFO_NULL;
    int found = 0;
    CHECK_NC(ncmpi_inq_file_info(ncid, &used), NC_NOERR);
    MPI_Info_get(used, name, MPI_MAX_INFO_VAL, value, &found);
    CHECK(strcmp(value, want) == 0, "%s (%s) is \"%s\", not \"%s\"", name, why, value, want);
    MPI_Info_free(&used);
}

static void expect_number(const char *name, int64_t want, const char *why)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, want);
    expect(name, text, why);
}

static void done(void)
{
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* pcdf_verify says what is in force, which depends on the file (parts/checksums/checksum.c). */
static bool can_be_set(const struct pcdf_hint_row *row)
{
    return strcmp(row->name, "pcdf_verify") != 0 && strcmp(row->name, "pcdf_engine") != 0 &&
           strcmp(row->name, "pcdf_trace") != 0;
}

/* MPI-IO has its own say about the others. */
static bool is_ours(const struct pcdf_hint_row *row)
{
    return row->kind != PCDF_HINT_NOTED;
}

static void defaults(void)
{
    create(NULL, NULL, NULL);
    for (int i = 0; i < pcdf_hint_count; i++) {
        const struct pcdf_hint_row *row = &pcdf_hint_rows[i];
        if (row->kind == PCDF_HINT_INT64)
            expect_number(row->name, row->number, "default");
        else if (row->text && strcmp(row->name, "pcdf_engine") != 0)
            expect(row->name, row->text, "default");
        CHECK(strlen(row->help) > 20 && strchr(row->help, '\n') == NULL, "%s has no help", row->name);
    }
    done();
}

/* value -> what is used of it */
static void number(const struct pcdf_hint_row *row, const char *value, int64_t want)
{
    create(row->name, value, NULL);
    expect_number(row->name, want, value);
    done();
}

/* Alignments are used in multiples of 4; a write queue has 4 MiB or more, in multiples of 64 KiB. */
static int64_t in_use(const struct pcdf_hint_row *row, int64_t n)
{
    if (strcmp(row->name, "pcdf_async") == 0 && n > 0)
        return n < 4 << 20 ? 4 << 20 : (n + 0xffff) & ~(int64_t)0xffff;
    return strstr(row->name, "_align_size") ? (n + 3) / 4 * 4 : n;
}

static void numbers(const struct pcdf_hint_row *row)
{
    char text[32];
    static const char *const bad[] = { "abc", "-5", "12abc", "99999999999999999999", "0x10", "1.5" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        number(row, bad[i], row->number);
    number(row, "0", row->low > 0 ? row->number : 0);
    number(row, "1", in_use(row, row->low > 1 ? row->low : 1));
    snprintf(text, sizeof text, "%" PRId64, row->high);
    number(row, text, in_use(row, row->high));
    number(row, "9223372036854775807", in_use(row, row->high));
}

static void words(const struct pcdf_hint_row *row)
{
    char all[128], *rest = NULL;
    snprintf(all, sizeof all, "%s", row->words);
    for (char *word = strtok_r(all, "|", &rest); word; word = strtok_r(NULL, "|", &rest)) {
        create(row->name, word, NULL);
        expect(row->name, word, "a word of its");
        done();
    }
    create(row->name, "banana", NULL);
    expect(row->name, row->text, "no word of its");
    done();
    create(row->name, row->words, NULL); /* all its words, with the bars */
    expect(row->name, row->text, "no word of its");
    done();
}

/* The library asks for words by their number. */
static void word_numbers(void)
{
    static const struct {
        const char *name, *word;
        int number;
    } rows[] = { { "pcdf_debug_strategy", "views", PCDF_HINT_STRATEGY_VIEWS },
                 { "pcdf_debug_strategy", "two-phase", PCDF_HINT_STRATEGY_TWOPHASE },
                 { "pcdf_debug_strategy", "independent", PCDF_HINT_STRATEGY_INDEPENDENT },
                 { "pcdf_sieve", "on", PCDF_SIEVE_ON },
                 { "pcdf_sieve", "off", PCDF_SIEVE_OFF },
                 { "pcdf_debug_consistency", "error", PCDF_CONSISTENCY_ERROR },
                 { "pcdf_commit", "none", PCDF_COMMIT_NONE },
                 { "pcdf_commit", "auto", PCDF_COMMIT_AUTO },
                 { "pcdf_commit", "close", PCDF_COMMIT_CLOSE },
                 { "pcdf_commit", "step", PCDF_COMMIT_STEP },
                 { "pcdf_commit", "record", PCDF_COMMIT_RECORD },
                 { "pcdf_debug_move", "far", PCDF_MOVE_FAR },
                 { "pcdf_debug_move", "insert", PCDF_MOVE_INSERT },
                 { "pcdf_debug_journal", "off", PCDF_JOURNAL_OFF },
                 { "pcdf_checksum", "crc32c", PCDF_CHECKSUM_CRC32C },
                 { "pcdf_format", "netcdf4", PCDF_FORMAT_NETCDF4 },
                 { "pcdf_format", "netcdf4-classic", PCDF_FORMAT_NETCDF4_CLASSIC },
                 { "pcdf_debug_clone", "off", PCDF_CLONE_OFF },
                 { "pcdf_debug_chunk_share", "enable", PCDF_CHUNK_SHARE_ENABLE },
                 { "pcdf_debug_chunk_share", "disable", PCDF_CHUNK_SHARE_DISABLE } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int j = 0; j < pcdf_hint_count; j++)
            if (strcmp(pcdf_hint_rows[j].name, rows[i].name) == 0)
                CHECK(pcdf_hint_word(&pcdf_hint_rows[j], rows[i].word) == rows[i].number,
                      "%s=%s is not word %d", rows[i].name, rows[i].word, rows[i].number);
}

static void every_row(void)
{
    char text[600];
    for (int i = 0; i < pcdf_hint_count; i++) {
        const struct pcdf_hint_row *row = &pcdf_hint_rows[i];
        if (is_ours(row) && can_be_set(row) && row->kind == PCDF_HINT_INT64)
            numbers(row);
        else if (row->words && can_be_set(row))
            words(row);
    }
    static const char *const ours[][2] = { { "pcdf_engine", "posix" }, { "pcdf_trace", "-" } };
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        create(ours[i][0], ours[i][1], NULL);
        expect(ours[i][0], ours[i][1], "given");
        done();
    }
    memset(text, 'x', sizeof text); /* longer than is kept */
    text[sizeof text - 1] = '\0';
    size_t n = 500; /* or as much as MPI takes */
    for (text[n] = '\0'; !pcdf_mpilibrary_takes_hint("nc_burst_buf_dirname", text); n--)
        text[n - 1] = '\0';
    create("nc_burst_buf_dirname", text, NULL);
    done();
}

/* The environment has what no MPI library takes, or Open MPI does not: MPI_Info_set would end the program. */
static void too_long(void)
{
    static const size_t lengths[] = { 35, 36, 40, 255, 256, 300, 1023, 1024, 1500 };
    char text[5000], letters[1501] = "";
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        memset(letters, 'x', lengths[i]);
        snprintf(text, sizeof text, "%s=1;some_hint=%s;nc_burst_buf_dirname=%s", letters, letters, letters);
        create(NULL, NULL, text);
        if (lengths[i] < 256 && pcdf_mpilibrary_takes_hint("nc_burst_buf_dirname", letters))
            expect("nc_burst_buf_dirname", letters, "as long as MPI takes");
        done();
    }
}

/* "auto" is not what is in force. */
static void engine(const char *name, const char *value, const char *environment, const char *want)
{
    create(name, value, environment);
    expect("pcdf_engine", want, value ? value : "nothing given");
    done();
}

static void engines(void)
{
    bool is_local = pcdf_filesystem_at(".")->is_local;
    engine(NULL, NULL, NULL, is_local ? "posix" : "mpiio");
    engine("pcdf_engine", "auto", NULL, is_local ? "posix" : "mpiio");
    engine("nc_driver", "gio", NULL, is_local ? "posix" : "mpiio");
    engine("nc_driver", "mpiio", NULL, "mpiio");
    engine("pcdf_engine", "posix", "nc_driver=mpiio", "posix");
    engine("pcdf_engine", "serial", NULL, "posix");
    engine("pcdf_engine", "posix", "pcdf_engine=mpiio", "mpiio");
    engine("pcdf_comit", "none", NULL, is_local ? "posix" : "mpiio");
    engine("no_such_hint", "1", "another=1", is_local ? "posix" : "mpiio");
    create("no_such_hint", "1", "pcdf_engine=posix");
    expect("no_such_hint", "(not there)", "nobody heeds it");
    done();
}

/* Names of before mean the hints that are called otherwise now, whose own names win. */
static void old_names(void)
{
    MPI_Info info;
    create("pcdf_pack_size", "8k", "pcdf_move=far");
    expect_number("pcdf_debug_pack_size", 8192, "by its old name");
    expect("pcdf_debug_move", "far", "by its old name, in the environment");
    expect("pcdf_pack_size", "(not there)", "an old name is not reported");
    done();
    create("pcdf_tool_memory", "8M", NULL);
    done();
    create("pcdf_pack_size", "8k", "pcdf_debug_pack_size=16k");
    expect_number("pcdf_debug_pack_size", 16384, "the environment wins");
    done();
    create("pcdf_debug_pack_size", "8k", "pcdf_pack_size=16k");
    expect_number("pcdf_debug_pack_size", 16384, "the environment wins, by the old name, too");
    done();
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_strategy", "views");
    MPI_Info_set(info, "pcdf_comit", "none");
    MPI_Info_set(info, "pcdf_stage_pieces", "77");
    MPI_Info_set(info, "pcdf_debug_strategy", "two-phase");
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    expect("pcdf_debug_strategy", "two-phase", "the new name wins");
    expect_number("pcdf_debug_stage_pieces", 77, "by its old name, among others");
    done();
    create("pcdf_debug_strategy", "exchange", NULL);
    expect("pcdf_debug_strategy", "two-phase", "its old value");
    done();
    create("pcdf_debug_strategy", "views", "pcdf_strategy=exchange");
    expect("pcdf_debug_strategy", "two-phase", "its old value by its old name");
    done();
    MPI_Info_free(&info);
}

static MPI_Offset begin_of_data(const char *info_value, const char *environment, MPI_Offset argument)
{
    MPI_Offset extent = -1;
    int dim;
    create(info_value ? "nc_var_align_size" : NULL, info_value, environment);
    CHECK_NC(ncmpi_def_dim(ncid, "x", 4, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, NULL), NC_NOERR);
    CHECK_NC(ncmpi__enddef(ncid, 0, argument, 0, 0), NC_NOERR);
    CHECK_NC(ncmpi_inq_header_extent(ncid, &extent), NC_NOERR);
    done();
    return extent;
}

static void precedence(void)
{
    CHECK_INT(begin_of_data(NULL, NULL, 0), 512);
    CHECK_INT(begin_of_data(NULL, NULL, 1024), 1024);
    CHECK_INT(begin_of_data("2048", NULL, 1024), 2048);
    CHECK_INT(begin_of_data("2048", "nc_var_align_size=4096", 1024), 4096);
    CHECK_INT(begin_of_data("2048", " nc_var_align_size = 4096 ; ", 1024), 4096);
    CHECK_INT(begin_of_data("2048", "nc_var_align_size=abc", 1024), 2048); /* as if not given */
    CHECK_INT(begin_of_data("abc", NULL, 1024), 1024);
    CHECK_INT(begin_of_data(NULL, "nc_var_align_size=1024;nc_var_align_size=8192", 0), 8192);
    CHECK_INT(begin_of_data(NULL, "nc_header_align_size=2048", 0), 2048);
    CHECK_INT(begin_of_data("1024", "nc_header_align_size=2048", 0), 2048); /* an old name, but on top */
    CHECK_INT(begin_of_data("1024", "nc_header_align_size=2048;nc_var_align_size=4096", 0), 4096);
    CHECK_INT(begin_of_data("1024", "nc_header_align_size=2048\n", 0), 2048);
    CHECK_INT(begin_of_data("197", NULL, 0), 200);
    create("nc_var_align_size", "197", NULL);
    expect("nc_var_align_size", "200", "rounded up to a multiple of 4");
    done();
    create("pnetcdf_subfiling", "enable", "pnetcdf_subfiling=enable");
    expect("pnetcdf_subfiling", "disable", "a file is one file");
    done();
}

static void ill_formed(void)
{
    static const char *const texts[] = { "",     ";",      ";;;",       "=",
                                         "a",    "=b",     "a=",        "a=b=c",
                                         " = ;", "a;b;c=", "\t=\t;x=y", "no_such_hint=1;cb_nodes=1" };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        create("no_such_hint_either", "1", texts[i]);
        expect_number("pcdf_debug_view_threshold", 8, texts[i]);
        done();
    }
    char many[8192];
    memset(many, 'k', sizeof many);
    many[sizeof many - 1] = '\0';
    create(NULL, NULL, many);
    done();
    many[4000] = '=';
    create(NULL, NULL, many);
    done();
}

/* Bytes take units, as powers of 1024, in MPI_Info and in the environment; other numbers take none. */
static void units(void)
{
    static const struct {
        const char *name, *value;
        int64_t want;
    } rows[] = { { "pcdf_debug_stage_size", "32M", 33554432 },
                 { "pcdf_debug_stage_size", "128k", 131072 },
                 { "pcdf_debug_stage_size", "128K", 131072 },
                 { "pcdf_debug_stage_size", "1G", 1 << 30 },
                 { "pcdf_debug_stage_size", "64KiB", 65536 },
                 { "pcdf_debug_stage_size", " 2MiB ", 2097152 },
                 { "pcdf_debug_stage_size", "3TiB", 1 << 30 },
                 { "pcdf_debug_stage_size", "1k", 65536 },
                 { "pcdf_debug_stage_size", "0k", 16777216 },
                 { "pcdf_debug_stage_size", "32MB", 16777216 },
                 { "pcdf_debug_stage_size", "32 M", 16777216 },
                 { "pcdf_debug_stage_size", "M", 16777216 },
                 { "pcdf_debug_stage_size", "32Mi", 16777216 },
                 { "pcdf_debug_stage_size", "32m", 16777216 },
                 { "pcdf_debug_stage_size", "8388608T", 16777216 }, /* 2^63 */
                 { "pcdf_defer", "2097151T", (int64_t)2097151 << 40 },
                 { "pcdf_debug_chunk_size", "4k", 4096 },
                 { "pcdf_debug_exchange_size", "1M", 1048576 },
                 { "pcdf_header_reserve", "16k", 16384 },
                 { "nc_var_align_size", "1M", 1048576 },
                 { "nc_record_align_size", "4KiB", 4096 },
                 { "nc_header_align_size", "4k", 4096 },
                 { "nc_header_read_chunk_size", "1M", 1048576 },
                 { "nc_data_move_chunk_size", "2M", 2097152 },
                 { "nc_ibuf_size", "2M", 2097152 },
                 { "nc_burst_buf_flush_buffer_size", "1G", 1 << 30 },
                 { "pcdf_debug_stage_pieces", "4k", 65536 },
                 { "nc_hash_size_dim", "1k", 256 } };
    char text[100];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        number(&(struct pcdf_hint_row){ .name = rows[i].name }, rows[i].value, rows[i].want);
        snprintf(text, sizeof text, "%s=%s", rows[i].name, rows[i].value);
        create(NULL, NULL, text);
        expect_number(rows[i].name, rows[i].want, text);
        done();
    }
    create("striping_unit", "1M", "pcdf_engine=posix");
    expect("striping_unit", "1048576", "1M");
    done();
}

/* What a create with these hints, and a bad definition, print on standard error; the bytes, at most. */
static long printed(const char *variable, const char *name, const char *value, const char *environment,
                    char *text, size_t room)
{
    char path[1100];
    snprintf(path, sizeof path, "%s.%d.err", my_path, my_rank);
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600), saved = dup(2);
    fflush(stderr);
    dup2(file, 2);
    setenv(variable, "1", 1);
    create(name, value, environment);
    int err = ncmpi_def_dim(ncid, NULL, 1, NULL);
    done();
    unsetenv(variable);
    dup2(saved, 2);
    close(saved);
    CHECK_NC(err, NC_EBADNAME);
    long n = (long)pread(file, text, room - 1, 0);
    text[n < 0 ? 0 : n] = '\0';
    close(file);
    unlink(path);
    return n;
}

/* One of ours that does nothing is told, once, on rank 0, with the one that was meant. */
static void told(void)
{
    static const struct {
        const char *name, *value, *environment, *told;
    } rows[] = {
        { "pcdf_comit", "none", NULL,
          "hint pcdf_comit: no hint of that name is known, it has no effect; did you mean pcdf_commit?" },
        { NULL, NULL, "pcdf_header_reserf=1M",
          "pcdf_header_reserf: no hint of that name is known, it has no effect; did you mean "
          "pcdf_header_reserve?" },
        { "pcdf_strategy", "views", NULL,
          "hint pcdf_strategy: it is pcdf_debug_strategy now; the old name goes with version " },
        { "pcdf_debug_strategy", "exchange", NULL,
          "hint pcdf_debug_strategy: its value exchange is two-phase now; the old value goes with version " },
        { "pcdf_tool_memory", "8M", NULL,
          "hint pcdf_tool_memory: it is gone and has no effect; use option --memory" },
        { NULL, NULL, "pcdf_keep=2",
          "hint pcdf_keep: it is a word of pcdf_set now, as in pcdf_set=\"VALUE keep=...\"; " },
        { "pcdf_set", "/nowhere/n  match=*.never kep=2", NULL,
          "hint pcdf_set: \"kep=2\" has no effect: its words are match, step, job, files, keep" },
        { NULL, NULL, "pcdf_move=far", "hint pcdf_move: it is pcdf_debug_move now; the old name goes" },
        { "pcdf_of_another_time", "1", NULL,
          "pcdf_of_another_time: no hint of that name is known, it has no effect (`parcdf hints` lists "
          "all)" },
        { "pcdf_commit", "never", NULL,
          "pcdf_commit: the value \"never\" is not understood and not used; it is one of none|" },
        { NULL, NULL, "pcdf_debug_stage_size=32MB",
          "pcdf_debug_stage_size: the value \"32MB\" is not understood and not used; it is a number from "
          "65536 to "
          "1073741824, in bytes or as 64k" },
        { NULL, NULL, "pcdf_debug_stage_pieces=4k", "it is a number from 16 to 16777216\n" },
        { NULL, NULL, "pcdf_trace",
          "pcdf_trace: it stands in PNETCDF_HINTS, not as name=value, and is not used" },
        { "no_such_hint", "1", NULL, NULL },
        { "nc_var_align_size", "-1", "nc_no_such_hint=1;nonsense", NULL },
        { "pcdf_debug_stage_size", "1", NULL, NULL }, /* out of range: clamped, as the page says */
    };
    char text[4096];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *want = my_rank == 0 ? rows[i].told : NULL;
        CHECK_INT(
            printed("PARCDF_QUIET", rows[i].name, rows[i].value, rows[i].environment, text, sizeof text), 0);
        printed("PARCDF_NOTHING", rows[i].name, rows[i].value, rows[i].environment, text, sizeof text);
        CHECK(want ? strstr(text, want) && strncmp(text, "parcdf: hint ", 13) == 0 : text[0] == '\0',
              "row %zu, rank %d: told \"%s\"", i, my_rank, text);
        CHECK_INT(
            printed("PARCDF_NOTHING", rows[i].name, rows[i].value, rows[i].environment, text, sizeof text),
            0);
    }
}

static void debug_log(void)
{
    static const char wrong[] = "nonsense;nc_var_align_size=-1;pcdf_comit=none";
    char text[4096];
    for (int i = 0; i < 2; i++) {
        printed(i ? "PNETCDF_VERBOSE_DEBUG_MODE" : "PARCDF_DEBUG", "pcdf_debug_strategy", "banana", wrong,
                text, sizeof text);
        CHECK(strstr(text, "pcdf_debug_strategy") && strstr(text, "banana"), "the log is \"%s\"", text);
        CHECK(strstr(text, "nonsense") && strstr(text, "-1"), "the log is \"%s\"", text);
        CHECK(strstr(text, "NC_EBADNAME") && strstr(text, "pcdf_commit"), "the log is \"%s\"", text);
    }
}

/* The write queue is one of the process: its size is that of the first file that is open. */
static void shared_queue(void)
{
    char path[sizeof my_path + 8];
    MPI_Info info;
    snprintf(path, sizeof path, "%s.second", my_path);
    create("pcdf_async", "16M", NULL);
    int first = ncid;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_async", "8M");
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, info, &ncid), NC_NOERR);
    expect_number("pcdf_async", 16 << 20, "the first file's");
    CHECK_NC(ncmpi_close(first), NC_NOERR);
    done();
    create("pcdf_async", "8M", NULL);
    expect_number("pcdf_async", 8 << 20, "alone");
    done();
    MPI_Info_free(&info);
    if (my_rank == 0)
        unlink(path);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "hint_values", 100);
    told();
    defaults();
    word_numbers();
    every_row();
    units();
    engines();
    old_names();
    shared_queue();
    precedence();
    ill_formed();
    too_long();
    debug_log();
    return together_end("hint_values");
}
