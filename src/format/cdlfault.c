/* How the parsers of CDL say what is wrong: see cdltoken.h. */
#include "cdltoken.h"

#include <stdarg.h>
#include <stdio.h>

int pcdf_cdl_fail(struct pcdf_cdl_fault *fault, struct pcdf_cdl_place place, int code, const char *format,
                  ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(fault->text, sizeof fault->text, format, args);
    va_end(args);
    fault->code = code;
    fault->line = place.line;
    fault->column = place.column;
    return pcdf_failed(pcdf_fail(code, "line %d, column %d: %s", place.line, place.column, fault->text));
}

int pcdf_cdl_placed(struct pcdf_cdl_fault *fault, struct pcdf_cdl_place place, int code)
{
    return code && !fault->code ? pcdf_cdl_fail(fault, place, code, "%s", pcdf_fail_text()) : code;
}
