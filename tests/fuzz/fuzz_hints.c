/* Fuzz target for hints: any text in PNETCDF_HINTS, any value of a known hint in MPI_Info. Each number is in
 * its range, each word one of the row's, each text ends; what is reported is what holds; no leak. Where the
 * text gives a hint a good value that value holds, and a bad one changes nothing.
 *
 * Input: the number of a row, a value up to the first newline, then the text of PNETCDF_HINTS. */
#include "debuglog.h"
#include "fuzzlib.h"
#include "hintrows.h"
#include "hints.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    fuzz_begin();
    return argc && argv ? 0 : 1;
}

static void check_reported(const struct pcdf_hint_row *row, const char *value)
{
    char *end;
    if (row->text) {
        DEMAND((row->words ? pcdf_hint_word(row, value) >= 0 : strlen(value) < PCDF_HINT_TEXT_MAX));
        return;
    }
    long long number = strtoll(value, &end, 10);
    DEMAND(*end == '\0' && end > value);
    /* Alignments are rounded up to a multiple of 4. */
    DEMAND(number == row->number || (number >= row->low && number - 3 <= row->high));
}

/* What holds of all hints, as it is reported to the user. */
static void check_hints(const struct pcdf_hints *hints)
{
    char value[MPI_MAX_INFO_VAL + 1];
    MPI_Info info;
    int found;

    MPI_Info_create(&info);
    DEMAND(pcdf_hints_report(hints, info) == NC_NOERR);
    for (int i = 0; i < pcdf_hint_count; i++) {
        MPI_Info_get(info, pcdf_hint_rows[i].name, MPI_MAX_INFO_VAL, value, &found);
        DEMAND(found);
        check_reported(&pcdf_hint_rows[i], value);
    }
    MPI_Info_free(&info);
    DEMAND(hints->stage_size % 8 == 0 && hints->chunk_size % 8 == 0);
}

/* A value alone: what hintrows.h promises of it, and the same through MPI_Info. */
static void check_value(const struct pcdf_hint_row *row, const char *value)
{
    struct pcdf_hints hints;
    char got[MPI_MAX_INFO_VAL + 1] = "";
    int64_t number = -7;
    MPI_Info info, report;
    int found = 0;

    enum pcdf_hint_verdict verdict = pcdf_hint_number(row, value, &number);
    DEMAND(verdict == PCDF_HINT_BAD ? number == -7 : number >= 0);
    if (!*value || strlen(value) >= MPI_MAX_INFO_VAL)
        return;
    unsetenv("PNETCDF_HINTS");
    MPI_Info_create(&info);
    MPI_Info_create(&report);
    MPI_Info_set(info, row->name, value);
    DEMAND(pcdf_hints_read(&hints, info, true) == NC_NOERR);
    check_hints(&hints);
    DEMAND(pcdf_hints_report(&hints, report) == NC_NOERR);
    MPI_Info_get(report, row->name, MPI_MAX_INFO_VAL, got, &found);
    if (row->text) {
        bool good = (row->words ? pcdf_hint_word(row, value) >= 0 : strlen(value) < PCDF_HINT_TEXT_MAX);
        DEMAND(found && (!good || strcmp(got, value) == 0));
        DEMAND(good || strcmp(got, row->text) == 0);
    } else if (verdict == PCDF_HINT_BAD) {
        DEMAND(found && strtoll(got, NULL, 10) == row->number);
    }
    pcdf_hints_free(&hints);
    MPI_Info_free(&info);
    MPI_Info_free(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char *text = malloc(n + 1);
    struct pcdf_hints hints;

    DEMAND(text);
    memcpy(text, bytes, n);
    text[n] = '\0';
    char *value = n > 0 ? text + 1 : text, *environment = strchr(value, '\n');
    if (environment)
        *environment++ = '\0';
    check_value(&pcdf_hint_rows[(n > 0 ? bytes[0] : 0) % pcdf_hint_count], value);
    setenv("PNETCDF_HINTS", environment ? environment : "", 1);
    DEMAND(pcdf_hints_read(&hints, MPI_INFO_NULL, true) == NC_NOERR);
    check_hints(&hints);
    pcdf_hints_free(&hints);
    free(text);
    fuzz_check_memory();
    return 0;
}

/* clang-format off */
static const char *const words[] = {
    "=", ";", " ", "\n", "\t", "0", "1", "-1", "512", "9223372036854775807", "9223372036854775808", "0x10", "1e3", "auto", "enable",
    "disable", "true", "false", "none", "close", "record", "|", "mpiio", "off", "nc_var_align_size=", "pcdf_debug_stage_size=",
    "nc_header_align_size=", "pcdf_commit=", "pcdf_debug_journal=off;", "striping_unit=", "nc_burst_buf_dirname=", "pcdf_engine=",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
};
/* clang-format on */

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t most, unsigned int seed)
{
    if (seed % 2)
        return LLVMFuzzerMutate(bytes, n, most);
    return fuzz_add_word(bytes, n, most, seed / 2, words, sizeof words / sizeof words[0]);
}
