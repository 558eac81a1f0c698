/* What becomes of a header that is against a rule of faults.def. */
#include "decoder.h"
#include "status.h"

#include <stdarg.h>
#include <stdio.h>

static const struct {
    int code;
    enum { REFUSED, TOLERATED, TOLD } how;
} rules[PCDF_FAULT_RULES] = {
#define PCDF_FAULT(rule, how, code, meaning) [PCDF_FAULT_##rule] = { (code), (how) },
#include "faults.def"
#undef PCDF_FAULT
};

int pcdf_decoder_fault(struct pcdf_decoder *d, enum pcdf_fault_rule rule, int64_t at, const char *format, ...)
{
    struct pcdf_reading *reading = d->reading;
    bool is_told = rules[rule].how == TOLD || (rules[rule].how == TOLERATED && reading->is_lenient);
    if (is_told && reading->ntold++ > 0 && !reading->told)
        return NC_NOERR; /* counted; only the first is kept */

    struct pcdf_fault f = { .code = rules[rule].how == TOLD ? NC_NOERR : rules[rule].code,
                            .rule = rule,
                            .offset = at };
    va_list args;
    va_start(args, format);
    int lead = snprintf(f.text, sizeof f.text, "offset %lld: ", (long long)at);
    vsnprintf(f.text + lead, sizeof f.text - (size_t)lead, format, args);
    va_end(args);
    /* Names come from the file: a sentence is one printable line. */
    for (char *c = f.text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F)
            *c = '?';

    if (!is_told) {
        *d->fault = f;
        return PCDF_FAIL(f.code, "%s", f.text);
    }
    if (reading->ntold == 1)
        reading->first = f;
    if (reading->told)
        reading->told(reading->context, &f);
    return NC_NOERR;
}
