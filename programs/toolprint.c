/* Text from files on its way to people. Beside main.c, so that every program that is linked with the commands
 * has it. */
#include "tool.h"

#include <utf8proc.h>

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
