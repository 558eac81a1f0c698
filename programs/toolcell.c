/* See toolcell.h. */
#include "toolcell.h"
#include "tool.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <utf8proc.h>

enum { USUAL = 80, NARROWEST = 40, WIDEST = 400, CELL = 2048 };

int pcdf_tool_columns(FILE *to)
{
    const char *said = getenv("COLUMNS");
    struct winsize size;
    int columns = 0;

    if (ioctl(fileno(to), TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
    if (columns == 0 && said)
        columns = atoi(said);
    if (columns <= 0)
        columns = USUAL;
    return columns < NARROWEST ? NARROWEST : columns > WIDEST ? WIDEST : columns;
}

int pcdf_tool_lines(FILE *to)
{
    struct winsize size;
    return ioctl(fileno(to), TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : 24;
}

bool pcdf_tool_has_utf8(void)
{
    static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}

/* The text as it is printed; cut at the room's end, which no column of a table reaches. */
static void printed(const char *text, char room[CELL])
{
    FILE *to = fmemopen(room, CELL - 1, "w");

    memset(room, 0, CELL);
    if (!to)
        return;
    pcdf_tool_print(to, text);
    fclose(to);
}

/* Bytes of the character at the start and, added to *columns, its width. */
static size_t step(const char *text, int *columns)
{
    utf8proc_int32_t point;
    utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &point);
    if (n <= 0) { /* a character that the room's end cut */
        ++*columns;
        return 1;
    }
    *columns += utf8proc_charwidth(point);
    return (size_t)n;
}

static int width_of(const char *text)
{
    int columns = 0;
    while (*text)
        text += step(text, &columns);
    return columns;
}

int pcdf_tool_width(const char *text)
{
    char room[CELL];
    printed(text, room);
    return width_of(room);
}

int pcdf_tool_cell(FILE *to, const char *text, int width, bool pad)
{
    char room[CELL];
    int columns = 0;

    printed(text, room);
    bool is_cut = width_of(room) > width;
    const char *at = room;
    while (*at) {
        int next = columns;
        size_t n = step(at, &next);
        if (next > width - is_cut)
            break;
        fwrite(at, 1, n, to);
        at += n;
        columns = next;
    }
    if (is_cut)
        fputc('~', to);
    columns += is_cut;
    if (pad && columns < width)
        fprintf(to, "%*s", width - columns, "");
    return pad && columns < width ? width : columns;
}

void pcdf_tool_fit(double number, bool is_integer, int width, char *room, size_t size)
{
    if (is_integer && fabs(number) < 1e15) {
        snprintf(room, size, "%.0f", number);
        if ((int)strlen(room) <= width)
            return;
    }
    for (int digits = 6; digits > 0; digits--) {
        snprintf(room, size, "%.*g", digits, number);
        if ((int)strlen(room) <= width)
            return;
    }
}

const char *pcdf_tool_bytes_text(int64_t bytes, char room[PCDF_TOOL_BYTES_ROOM])
{
    static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    double x = (double)bytes / 1024;
    int unit = 0;

    if (bytes < 1024) {
        snprintf(room, PCDF_TOOL_BYTES_ROOM, "%" PRId64 " byte%s", bytes, bytes == 1 ? "" : "s");
        return room;
    }
    for (; x >= 1023.95 && unit < 5; unit++)
        x /= 1024;
    snprintf(room, PCDF_TOOL_BYTES_ROOM, "%.*f %s", x < 9.95 && x != floor(x) ? 1 : 0, x, units[unit]);
    return room;
}

static double within(double share)
{
    return share > 0 ? share < 1 ? share : 1 : 0; /* NaN: 0 */
}

void pcdf_tool_bar(FILE *to, double share, int width, bool utf8, bool pad)
{
    static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
    int steps = utf8 ? 8 : 1, full = (int)lround(within(share) * width * steps);
    int columns = 0;

    full = full == 0 && share > 0 ? 1 : full;
    for (; columns < full / steps; columns++)
        fputs(utf8 ? "█" : "#", to);
    if (full % steps > 0) {
        fputs(eighths[full % steps], to);
        columns++;
    }
    if (pad && columns < width)
        fprintf(to, "%*s", width - columns, "");
}

void pcdf_tool_column(FILE *to, double share, bool utf8)
{
    static const char *const heights[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    static const char signs[] = " .:-=+*%#";
    int height = (int)lround(within(share) * 8);

    height = height == 0 && share > 0 ? 1 : height;
    if (utf8)
        fputs(heights[height], to);
    else
        fputc(signs[height], to);
}
