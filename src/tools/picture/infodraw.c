/* The picture: see infodraw.h. */
#include "infodraw.h"
#include "infostrip.h"
#include "tool.h"
#include "toolcell.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LETTERS = 26,
    USUAL_ROWS = 7,   /* variables that a screen of 24 lines has room for */
    OTHER_LINES = 17, /* what else there is */
    SHORTEST_BAR = 8,
    HEADER_BAR = 20,
    TYPE = 6,
    SIZE = 10,
    SHARE = 7
};

struct drawing {
    const struct pcdf_info *info;
    const struct pcdf_info_style *style;
    int columns, rows; /* rows: of variables */
    bool utf8, colours, is_high;
};

static const char *bold(const struct drawing *d)
{
    return d->colours ? "\033[1m" : "";
}

static const char *dim(const struct drawing *d)
{
    return d->colours ? "\033[2m" : "";
}

static const char *plain(const struct drawing *d)
{
    return d->colours ? "\033[0m" : "";
}

static const char *some(int64_t n, const char *one, char room[64])
{
    snprintf(room, 64, "%" PRId64 " %s%s", n, one, n == 1 ? "" : "s");
    return room;
}

static double share_of(double part, double all)
{
    return all > 0 ? part / all : 0;
}

static int number_shown(const struct drawing *d)
{
    int nvars = d->info->ds->meta.nvars;
    return nvars <= d->rows + 1 ? nvars : d->rows;
}

/* The first variables of the table have letters, by which the strips show them. */
static bool has_letter(const struct drawing *d, int rank)
{
    return rank < LETTERS && rank < number_shown(d);
}

static char letter_of(const struct drawing *d, int rank)
{
    return has_letter(d, rank) ? (char)('a' + rank) : '-';
}

static int colour_of(const struct drawing *d, int rank)
{
    return has_letter(d, rank) ? rank % PCDF_STRIP_COLOURS : PCDF_STRIP_GREY;
}

/* Between the parts of the picture, where the screen has room for it. */
static void draw_space(const struct drawing *d)
{
    if (d->is_high)
        putchar('\n');
}

/* ---- the top */

static void draw_title(const struct drawing *d)
{
    const struct pcdf_info *info = d->info;
    const struct pcdf_meta *meta = &info->ds->meta;
    const char *slash = strrchr(info->ds->file.path, '/');
    char size[PCDF_TOOL_BYTES_ROOM], other[PCDF_TOOL_BYTES_ROOM], words[64];

    fputs(bold(d), stdout);
    pcdf_tool_print(stdout, slash && slash[1] ? slash + 1 : info->ds->file.path);
    printf("%s  CDF-%d  %s", plain(d), meta->version, pcdf_tool_bytes_text(info->size, size));
    if (info->on_disk > 0 && info->on_disk < info->size / 10 * 9) /* 0: not stored yet */
        printf(" (%s on disk)", pcdf_tool_bytes_text(info->on_disk, other));
    if (meta->nrecord_vars > 0)
        printf(", %s of %s", some(meta->numrecs, "record", words),
               pcdf_tool_bytes_text(info->recsize, other));
    printf("\n%s", some(meta->ndims, "dimension", words));
    printf(", %s", some(meta->nvars, "variable", words));
    if (meta->nvars > 0)
        printf(" (%d fixed-size, %d in records)", info->nfixed, meta->nrecord_vars);
    printf(", %s\n", some(info->natts, "attribute", words));
}

/* Dimensions in as many lines as they need; in two of them without --all. */
static void draw_dimensions(const struct drawing *d)
{
    const struct pcdf_meta *meta = &d->info->ds->meta;
    int column = 0, lines = 1;

    for (int i = 0; i < meta->ndims; i++) {
        char length[48];
        bool is_record = meta->dims[i].length == 0;
        snprintf(length, sizeof length, is_record ? " %" PRId64 " (records)" : " %" PRId64,
                 is_record ? meta->numrecs : meta->dims[i].length);
        int width = pcdf_tool_width(meta->dims[i].name) + (int)strlen(length);
        int room = d->columns - (lines == 2 && !d->style->has_all && i + 1 < meta->ndims ? 14 : 1);
        if (column > 0 && column + 2 + width > room) {
            if (lines == 2 && !d->style->has_all) {
                printf(", %d more", meta->ndims - i);
                break;
            }
            fputs(",\n", stdout);
            column = 0;
            lines++;
        } else if (column > 0) {
            fputs(", ", stdout);
            column += 2;
        }
        pcdf_tool_cell(stdout, meta->dims[i].name, d->columns - 24, false);
        fputs(length, stdout);
        column += width;
    }
    if (meta->ndims > 0)
        putchar('\n');
}

/* ---- the file as a strip */

static void legend(const struct drawing *d, int *column, char letter, int colour, const char *what,
                   int64_t bytes)
{
    char size[PCDF_TOOL_BYTES_ROOM];
    int width = 4 + (int)strlen(what) + (int)strlen(pcdf_tool_bytes_text(bytes, size));

    if (bytes <= 0)
        return;
    if (*column > 0 && *column + 1 + width > d->columns) {
        putchar('\n');
        *column = 0;
    }
    *column += printf(*column > 0 ? "  " : " ") + width - 1;
    pcdf_strip_letter(stdout, letter, colour, d->colours);
    printf(" %s %s", what, size);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Its number by size; -1: none. */
static int largest_fixed(const struct pcdf_info *info)
{
    for (int k = 0; k < info->ds->meta.nvars; k++)
        if (!info->ds->meta.vars[info->by_size[k]].is_record)
            return k;
    return -1;
}

static void draw_file(const struct drawing *d)
{
    const struct pcdf_info *info = d->info;
    const struct pcdf_layout *layout = &info->ds->layout;
    const struct pcdf_meta *meta = &info->ds->meta;
    struct pcdf_strip strip;

    pcdf_strip_begin(&strip, d->columns - 2, larger(info->size, info->data_end), '.');
    pcdf_strip_add(&strip, 0, info->header_used, 'H', PCDF_STRIP_GREY);
    for (int k = 0; k < meta->nvars; k++) {
        int i = info->by_size[k];
        if (!meta->vars[i].is_record)
            pcdf_strip_add(&strip, layout->begin[i], layout->begin[i] + meta->vars[i].nbytes, letter_of(d, k),
                           colour_of(d, k));
    }
    if (meta->numrecs > 0 && info->recsize > 0)
        pcdf_strip_add(&strip, info->rec_begin, info->rec_end, 'R', PCDF_STRIP_DARK);
    for (int c = 0; c < strip.width; c++) /* where the file has ended */
        if ((c + 0.5) / strip.width * strip.total >= (double)info->size)
            strip.letters[c] = '?';
    pcdf_strip_print(&strip, stdout, d->colours, d->utf8);
    int rank = largest_fixed(info), column = 0;
    legend(d, &column, 'H', PCDF_STRIP_GREY, "header", info->header_used);
    if (rank >= 0)
        legend(d, &column, letter_of(d, rank), colour_of(d, rank),
               info->nfixed > 1 ? "and others, fixed-size" : "fixed-size", info->fixed_bytes);
    legend(d, &column, 'R', PCDF_STRIP_DARK, "records", info->rec_end - info->rec_begin);
    int64_t free = info->header_room - info->header_used + info->gap_bytes + info->tail;
    legend(d, &column, '.', PCDF_STRIP_PLAIN, "free", free);
    legend(d, &column, '?', PCDF_STRIP_PLAIN, "missing", info->behind);
    putchar('\n');
}

/* ---- variables */

static void draw_shape(const struct drawing *d, const struct pcdf_var *var, int width)
{
    const struct pcdf_meta *meta = &d->info->ds->meta;
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    if (!to) {
        printf("%*s", width, "");
        return;
    }
    fputs(var->ndims == 0 ? "scalar" : "", to);
    for (int i = 0; i < var->ndims && i < 64; i++)
        fprintf(to, "%s%s", i ? "," : "", meta->dims[var->dimids[i]].name);
    fclose(to);
    pcdf_tool_cell(stdout, text, width, true);
    free(text);
}

static void draw_share(const struct drawing *d, int64_t part, int64_t all, int width, int colour)
{
    double share = share_of((double)part, (double)all);
    char text[16];

    snprintf(text, sizeof text, part > 0 && share < 0.001 ? "<0.1 %%" : "%.1f %%", 100 * share);
    printf("%*s ", SHARE, text);
    if (d->colours)
        pcdf_strip_ink(stdout, colour);
    pcdf_tool_bar(stdout, share, width, d->utf8, false);
    fputs(plain(d), stdout);
}

static void draw_variable(const struct drawing *d, int varid, int rank, const int widths[2], int64_t all)
{
    const struct pcdf_var *var = &d->info->ds->meta.vars[varid];
    char size[PCDF_TOOL_BYTES_ROOM];
    int bar = d->columns - 2 - widths[0] - 1 - TYPE - 1 - widths[1] - 1 - SIZE - 1 - SHARE - 1;

    pcdf_strip_letter(stdout, letter_of(d, rank), colour_of(d, rank), d->colours);
    putchar(' ');
    pcdf_tool_cell(stdout, var->name, widths[0], true);
    printf(" %-*s ", TYPE, pcdf_type_cdl(var->type));
    draw_shape(d, var, widths[1]);
    printf(" %*s ", SIZE, pcdf_tool_bytes_text(d->info->bytes[varid], size));
    draw_share(d, d->info->bytes[varid], all, bar, colour_of(d, rank));
    putchar('\n');
}

static int shape_width(const struct drawing *d, int varid)
{
    const struct pcdf_meta *meta = &d->info->ds->meta;
    const struct pcdf_var *var = &meta->vars[varid];
    int width = var->ndims > 0 ? -1 : 6;

    for (int i = 0; i < var->ndims && i < 64; i++)
        width += 1 + pcdf_tool_width(meta->dims[var->dimids[i]].name);
    return width;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Of names and shapes: as wide as they are, where the bars have their least width. */
static void measure(const struct drawing *d, int widths[2])
{
    int room = d->columns - 2 - TYPE - 2 - SIZE - 2 - SHARE - 2 - SHORTEST_BAR, name = 8, shape = 6;

    for (int k = 0; k < number_shown(d); k++) {
        int i = d->info->by_size[k], wide = pcdf_tool_width(d->info->ds->meta.vars[i].name);
        name = wide > name ? wide : name;
        wide = shape_width(d, i);
        shape = wide > shape ? wide : shape;
    }
    widths[0] = least(name, room - least(shape, room / 2));
    widths[1] = least(shape, room - widths[0]);
}

static void draw_variables(const struct drawing *d)
{
    const struct pcdf_info *info = d->info;
    int nvars = info->ds->meta.nvars, shown = number_shown(d), widths[2];
    int64_t all = 0, rest = 0;
    char size[PCDF_TOOL_BYTES_ROOM], words[64];

    for (int k = 0; k < nvars; k++) {
        all = pcdf_info_sum(all, 1, info->bytes[info->by_size[k]]);
        rest = k < shown ? 0 : pcdf_info_sum(rest, 1, info->bytes[info->by_size[k]]);
    }
    measure(d, widths);
    for (int k = 0; k < shown; k++)
        draw_variable(d, info->by_size[k], k, widths, all);
    if (shown == nvars)
        return;
    int left = widths[0] + 1 + TYPE + 1 + widths[1];
    snprintf(words, sizeof words, "%d more with --all", nvars - shown);
    printf("  %s%-*.*s%s %*s ", dim(d), left, left, words, plain(d), SIZE, pcdf_tool_bytes_text(rest, size));
    draw_share(d, rest, all, d->columns - 2 - left - 1 - SIZE - 1 - SHARE - 1, PCDF_STRIP_GREY);
    putchar('\n');
}

/* ---- one record */

/* Letters that no column has. */
static void draw_unseen(const struct drawing *d, const struct pcdf_strip *strip)
{
    const struct pcdf_info *info = d->info;
    int n = 0;

    for (int k = 0; k < number_shown(d) && has_letter(d, k); k++)
        if (info->ds->meta.vars[info->by_size[k]].is_record && !pcdf_strip_has(strip, letter_of(d, k)))
            printf(n++ == 0 ? " too small to see: %c" : " %c", letter_of(d, k));
    if (n > 0)
        putchar('\n');
}

static void draw_record(const struct drawing *d)
{
    const struct pcdf_info *info = d->info;
    const struct pcdf_meta *meta = &info->ds->meta;
    struct pcdf_strip strip;
    char size[PCDF_TOOL_BYTES_ROOM];

    if (meta->nrecord_vars < 2)
        return;
    pcdf_strip_begin(&strip, d->columns - 2, info->recsize, '.');
    for (int k = 0; k < meta->nvars; k++) {
        int i = info->by_size[k];
        int64_t begin = info->ds->layout.begin[i] - info->rec_begin;
        if (meta->vars[i].is_record)
            pcdf_strip_add(&strip, begin, begin + meta->vars[i].nbytes, letter_of(d, k), colour_of(d, k));
    }
    draw_space(d);
    printf("%sone record%s of %s\n", bold(d), plain(d), pcdf_tool_bytes_text(info->recsize, size));
    pcdf_strip_print(&strip, stdout, d->colours, d->utf8);
    draw_unseen(d, &strip);
}

/* ---- the header, and how the rest is aligned */

static void draw_header(const struct drawing *d)
{
    const struct pcdf_info *info = d->info;
    char used[PCDF_TOOL_BYTES_ROOM], room[PCDF_TOOL_BYTES_ROOM];
    double share = share_of((double)info->header_used, (double)info->header_room);

    printf("%sheader%s %s of %s ", bold(d), plain(d), pcdf_tool_bytes_text(info->header_used, used),
           pcdf_tool_bytes_text(info->header_room, room));
    fputs(d->utf8 ? "▕" : "|", stdout);
    pcdf_tool_bar(stdout, share, HEADER_BAR, d->utf8, true);
    printf("%s %.0f %%\n", d->utf8 ? "▏" : "|", 100 * share);
}

/* The largest power of two that divides it: green where that is a block of the file system. */
static void draw_power(const struct drawing *d, const char *what, int64_t at)
{
    int64_t power = at & -at, block = d->info->block > 0 ? d->info->block : 4096;
    char size[PCDF_TOOL_BYTES_ROOM];

    printf("%s %s%s%s", what,
           !d->colours      ? ""
           : power >= block ? "\033[32m"
                            : "\033[33m",
           pcdf_tool_bytes_text(power, size), plain(d));
}

static void draw_alignment(const struct drawing *d)
{
    const struct pcdf_info *info = d->info;
    char block[PCDF_TOOL_BYTES_ROOM];

    if (info->nfixed == 0 && info->recsize == 0)
        return;
    printf("%saligned%s to", bold(d), plain(d));
    if (info->nfixed > 0)
        draw_power(d, " fixed-size", info->fixed_begin);
    if (info->recsize > 0) {
        draw_power(d, info->nfixed > 0 ? ", records" : " records", info->rec_begin);
        draw_power(d, ", length", info->recsize);
    }
    printf("; block %s\n", pcdf_tool_bytes_text(info->block, block));
}

/* ---- advice */

/* Words in lines that begin with `indent` columns. */
static void draw_words(const struct drawing *d, const char *text, int indent)
{
    char word[PCDF_INFO_SENTENCE];
    int column = indent;

    for (const char *at = text; *at;) {
        size_t n = strcspn(at, " ");
        n = n < sizeof word - 1 ? n : sizeof word - 1;
        memcpy(word, at, n);
        word[n] = '\0';
        int width = pcdf_tool_width(word);
        if (column > indent && column + 1 + width > d->columns) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            putchar(' ');
            column++;
        }
        pcdf_tool_print(stdout, word);
        column += width;
        at += n + (at[n] == ' ');
    }
    putchar('\n');
}

static void draw_advice(const struct drawing *d)
{
    for (int i = 0; i < d->info->nadvice; i++) {
        const struct pcdf_info_advice *a = &d->info->advice[i];
        char text[2 * PCDF_INFO_SENTENCE];
        const char *colour = !d->colours ? "" : a->is_warning ? "\033[1;31m" : "\033[1;33m";
        printf("%s%c%s ", colour, a->is_warning ? '!' : '*', plain(d));
        snprintf(text, sizeof text, "%s %s", a->reason, a->action);
        draw_words(d, text, 2);
    }
}

void pcdf_info_draw(const struct pcdf_info *info, const struct pcdf_info_style *style)
{
    struct drawing d = { .info = info, .style = style };

    d.columns = pcdf_tool_columns(stdout);
    int lines = pcdf_tool_lines(stdout);
    d.rows = style->has_all ? info->ds->meta.nvars : lines - OTHER_LINES - 4;
    d.is_high = lines > 30;
    d.rows = d.rows > USUAL_ROWS || style->has_all ? d.rows : USUAL_ROWS;
    d.utf8 = pcdf_tool_has_utf8();
    d.colours = pcdf_tool_has_colours(stdout);
    draw_title(&d);
    draw_space(&d);
    draw_file(&d);
    draw_space(&d);
    draw_dimensions(&d);
    draw_variables(&d);
    draw_record(&d);
    draw_space(&d);
    draw_header(&d);
    draw_alignment(&d);
    if (info->nadvice > 0)
        draw_space(&d);
    draw_advice(&d);
}
