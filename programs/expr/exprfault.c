/* What is wrong with a program, as users see it: see expr.h. */
#include "expr.h"
#include "tool.h"
#include "toolcell.h"

enum { LINE = PCDF_EXPR_BYTES / 64 + 1 };

/* The n bytes of a line, each as one column or a part of one. */
static void take_line(const char *line, size_t n, char text[LINE])
{
    n = n < LINE - 1 ? n : LINE - 1;
    memcpy(text, line, n);
    text[n] = '\0';
    for (size_t i = 0; i < n; i++)
        text[i] = text[i] == '\t' || text[i] == '\r' ? ' ' : text[i];
}

void pcdf_expr_tell(const struct pcdf_expr_fault *fault, const char *text)
{
    enum { MOST = 400, BEFORE = 200 }; /* of long lines, what is about the place */
    size_t size = strlen(text), at = fault->at < size ? fault->at : size, begin = at, end = at;
    char part[LINE];
    pcdf_tool_say(NULL, "%s", fault->text);
    while (begin > 0 && text[begin - 1] != '\n' && at - begin < BEFORE)
        begin--;
    while (begin < at && ((unsigned char)text[begin] & 0xC0) == 0x80)
        begin++; /* not within a character */
    while (end < size && text[end] != '\n' && end - begin < MOST)
        end++;
    if (size > 0) {
        fprintf(stderr, "  ");
        take_line(text + begin, end - begin, part);
        pcdf_tool_print(stderr, part);
        take_line(text + begin, at - begin, part);
        fprintf(stderr, "\n  %*s^\n", pcdf_tool_width(part), "");
    }
}
