/* See toolsay.h. */
#include "toolsay.h"

#include <stdarg.h>
#include <utf8proc.h>

struct pcdf_tool_said pcdf_tool_said;

/* ---- text from files */

/* Bytes of the printable UTF-8 character at the start of `text`, 0 when there is none. */
static int printable(const char *text)
{
    utf8proc_int32_t point;
    utf8proc_ssize_t length = utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &point);

    if (length <= 0 || point < 0x20 || (point >= 0x7F && point < 0xA0) || point == '\\')
        return 0;
    utf8proc_category_t category = utf8proc_category(point);
    bool hidden = category == UTF8PROC_CATEGORY_CF || category == UTF8PROC_CATEGORY_ZL ||
                  category == UTF8PROC_CATEGORY_ZP || category == UTF8PROC_CATEGORY_CN;
    return hidden ? 0 : (int)length;
}

void pcdf_tool_print(FILE *to, const char *text)
{
    while (*text) {
        int length = printable(text);
        if (length > 0)
            fwrite(text, 1, (size_t)length, to);
        else
            fprintf(to, "\\x%02X", (unsigned char)*text);
        text += length > 0 ? length : 1;
    }
}

/* ---- sentences */

static void say(const char *path, const char *format, va_list args)
{
    char sentence[PCDF_TOOL_SENTENCE];

    if (pcdf_tool_said.is_mute)
        return;
    vsnprintf(sentence, sizeof sentence, format, args);
    if (pcdf_tool_said.keeps) {
        if (!pcdf_tool_said.has_said)
            snprintf(pcdf_tool_said.first, PCDF_TOOL_SENTENCE, "%.400s%s%.600s", path ? path : "",
                     path ? ": " : "", sentence);
        pcdf_tool_said.has_said = true;
        return;
    }
    pcdf_tool_said.has_said = true;
    fflush(stdout);
    fputs("parcdf: ", stderr);
    if (path) {
        pcdf_tool_print(stderr, path);
        fputs(": ", stderr);
    }
    pcdf_tool_print(stderr, sentence);
    fputc('\n', stderr);
}

void pcdf_tool_mute(bool is_mute)
{
    pcdf_tool_said.is_mute = is_mute;
}

void pcdf_tool_say(const char *path, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(path, format, args);
    va_end(args);
}

int pcdf_tool_unusable(const char *path, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(path, format, args);
    va_end(args);
    return PCDF_TOOL_UNUSABLE;
}
