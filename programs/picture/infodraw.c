/* How the file is stored, as a picture: see infodraw.h. */
#include "infodrawing.h"
#include "infostrip.h"
#include "numbers.h"
#include "tool.h"
#include "toolcell.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LETTERS = 26, SHORTEST_BAR = 8, HEADER_BAR = 20, OFFSET = 14, SIZE = 10, SHARE = 7, WIDEST_NAME = 32 };

const char *pcdf_drawing_bold(const struct pcdf_drawing *d)
{
    return d->colours ? "\033[1m" : "";
}

const char *pcdf_drawing_dim(const struct pcdf_drawing *d)
{
    return d->colours ? "\033[2m" : "";
}

const char *pcdf_drawing_plain(const struct pcdf_drawing *d)
{
    return d->colours ? "\033[0m" : "";
}

const char *pcdf_drawing_some(int64_t n, const char *one, char room[64])
{
    snprintf(room, 64, "%" PRId64 " %s%s", n, one, n == 1 ? "" : "s");
    return room;
}

void pcdf_drawing_space(const struct pcdf_drawing *d)
{
    if (d->is_high)
        putchar('\n');
}

static double share_of(double part, double all)
{
    return all > 0 ? part / all : 0;
}

int pcdf_drawing_shown(const struct pcdf_drawing *d)
{
    int nvars = d->info->ds->meta.nvars;
    return nvars <= d->rows + 1 ? nvars : d->rows;
}

static bool has_letter(const struct pcdf_drawing *d, int rank)
{
    return rank < LETTERS && rank < pcdf_drawing_shown(d);
}

char pcdf_drawing_letter(const struct pcdf_drawing *d, int rank)
{
    return has_letter(d, rank) ? (char)('a' + rank) : '-';
}

int pcdf_drawing_colour(const struct pcdf_drawing *d, int rank)
{
    return has_letter(d, rank) ? rank % PCDF_STRIP_COLOURS : PCDF_STRIP_GREY;
}

/* ---- how the file is stored, in words */

static void draw_storage(const struct pcdf_drawing *d)
{
    const struct pcdf_info *info = d->info;
    const struct pcdf_meta *meta = &info->ds->meta;
    char size[PCDF_TOOL_BYTES_ROOM], other[PCDF_TOOL_BYTES_ROOM], words[64], first[128], second[160];
    const struct pcdf_tool_source *source = info->ds->file.source;
    bool is_other = pcdf_tool_source_is_image(source);
    int n = snprintf(first, sizeof first, " as %s%sCDF-%d, %s",
                     is_other ? pcdf_source_kind_name(source->image->kind) : "", is_other ? "; read as " : "",
                     meta->version, pcdf_tool_bytes_text(info->size, size));

    if (info->on_disk > 0 && info->on_disk < info->size / 10 * 9) /* 0: not stored yet */
        n += snprintf(first + n, sizeof first - (size_t)n, " (%s on disk)",
                      pcdf_tool_bytes_text(info->on_disk, other));
    int m = snprintf(second, sizeof second, "header of %s", pcdf_tool_bytes_text(info->header_used, size));
    if (meta->nrecord_vars > 0)
        m += snprintf(second + m, sizeof second - (size_t)m, ", %s of %s",
                      pcdf_drawing_some(meta->numrecs, "record", words),
                      pcdf_tool_bytes_text(info->recsize, other));
    bool fits = (int)strlen("stored: ") + n + m <= d->columns;
    printf("%sstored%s%s:%s%s\n", pcdf_drawing_bold(d), pcdf_drawing_plain(d), first, fits ? " " : "\n  ",
           second);
}

/* Of a file whose values are elsewhere than those of the classic file that it is read as. */
static void draw_room(const struct pcdf_drawing *d)
{
    const struct pcdf_tool_chunks_room *room = &d->info->room;
    char values[PCDF_TOOL_BYTES_ROOM], file[PCDF_TOOL_BYTES_ROOM];
    if (d->info->has_room)
        printf("  values take %s of the %s of the file\n", pcdf_tool_bytes_text(room->values, values),
               pcdf_tool_bytes_text(room->file, file));
}

/* ---- the file as a strip */

static void legend(const struct pcdf_drawing *d, int *column, char letter, int colour, const char *what,
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

/* Its number by size; -1: none. */
static int largest_fixed(const struct pcdf_info *info)
{
    for (int k = 0; k < info->ds->meta.nvars; k++)
        if (!info->ds->meta.vars[info->by_size[k]].is_record)
            return k;
    return -1;
}

static void draw_file(const struct pcdf_drawing *d)
{
    const struct pcdf_info *info = d->info;
    const struct pcdf_layout *layout = &info->ds->layout;
    const struct pcdf_meta *meta = &info->ds->meta;
    struct pcdf_strip strip;

    pcdf_strip_begin(&strip, d->columns - 2, pcdf_larger(info->size, info->data_end), '.');
    pcdf_strip_add(&strip, 0, info->header_used, 'H', PCDF_STRIP_GREY);
    for (int k = 0; k < meta->nvars; k++) {
        int i = info->by_size[k];
        if (!meta->vars[i].is_record)
            pcdf_strip_add(&strip, layout->begin[i], layout->begin[i] + meta->vars[i].nbytes,
                           pcdf_drawing_letter(d, k), pcdf_drawing_colour(d, k));
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
        legend(d, &column, pcdf_drawing_letter(d, rank), pcdf_drawing_colour(d, rank),
               info->nfixed > 1 ? "and others, fixed-size" : "fixed-size", info->fixed_bytes);
    legend(d, &column, 'R', PCDF_STRIP_DARK, "records", info->rec_end - info->rec_begin);
    int64_t free = info->header_room - info->header_used + info->gap_bytes + info->tail;
    legend(d, &column, '.', PCDF_STRIP_PLAIN, "free", free);
    legend(d, &column, '?', PCDF_STRIP_PLAIN, "missing", info->behind);
    putchar('\n');
}

/* ---- variables, with -v: where they lie and what part of the data they are */

static void draw_share(const struct pcdf_drawing *d, int64_t part, int64_t all, int width, int colour)
{
    double share = share_of((double)part, (double)all);
    char text[16];

    snprintf(text, sizeof text, part > 0 && share < 0.001 ? "<0.1 %%" : "%.1f %%", 100 * share);
    printf("%*s ", SHARE, text);
    if (d->colours)
        pcdf_strip_ink(stdout, colour);
    pcdf_tool_bar(stdout, share, width, d->utf8, false);
    fputs(pcdf_drawing_plain(d), stdout);
}

static void draw_variable(const struct pcdf_drawing *d, int varid, int rank, int name, int64_t all)
{
    const struct pcdf_info *info = d->info;
    char size[PCDF_TOOL_BYTES_ROOM];
    int bar = d->columns - 2 - name - 1 - OFFSET - 1 - SIZE - 1 - SHARE - 1;

    pcdf_strip_letter(stdout, pcdf_drawing_letter(d, rank), pcdf_drawing_colour(d, rank), d->colours);
    putchar(' ');
    pcdf_tool_cell(stdout, info->ds->meta.vars[varid].name, name, true);
    printf(" %*" PRId64 " %*s ", OFFSET, info->ds->layout.begin[varid], SIZE,
           pcdf_tool_bytes_text(info->bytes[varid], size));
    draw_share(d, info->bytes[varid], all, bar < SHORTEST_BAR ? SHORTEST_BAR : bar,
               pcdf_drawing_colour(d, rank));
    putchar('\n');
}

static void draw_variables(const struct pcdf_drawing *d)
{
    const struct pcdf_info *info = d->info;
    int shown = pcdf_drawing_shown(d), name = 8;
    int64_t all = 0;

    for (int k = 0; k < info->ds->meta.nvars; k++)
        all = pcdf_info_sum(all, 1, info->bytes[info->by_size[k]]);
    for (int k = 0; k < shown; k++) {
        int wide = pcdf_tool_width(info->ds->meta.vars[info->by_size[k]].name);
        name = wide > name ? wide : name;
    }
    name = name < WIDEST_NAME ? name : WIDEST_NAME;
    if (shown > 0)
        printf("%s%-*s %*s %*s %*s%s\n", pcdf_drawing_dim(d), 2 + name, "variable", OFFSET, "begins at byte",
               SIZE, "size", SHARE, "share", pcdf_drawing_plain(d));
    for (int k = 0; k < shown; k++)
        draw_variable(d, info->by_size[k], k, name, all);
}

/* ---- one record */

/* Letters that no column has. */
static void draw_unseen(const struct pcdf_drawing *d, const struct pcdf_strip *strip)
{
    const struct pcdf_info *info = d->info;
    int n = 0;

    for (int k = 0; k < pcdf_drawing_shown(d) && has_letter(d, k); k++)
        if (info->ds->meta.vars[info->by_size[k]].is_record &&
            !pcdf_strip_has(strip, pcdf_drawing_letter(d, k)))
            printf(n++ == 0 ? " too small to see: %c" : " %c", pcdf_drawing_letter(d, k));
    if (n > 0)
        putchar('\n');
}

static void draw_record(const struct pcdf_drawing *d)
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
            pcdf_strip_add(&strip, begin, begin + meta->vars[i].nbytes, pcdf_drawing_letter(d, k),
                           pcdf_drawing_colour(d, k));
    }
    pcdf_drawing_space(d);
    printf("%sone record%s of %s\n", pcdf_drawing_bold(d), pcdf_drawing_plain(d),
           pcdf_tool_bytes_text(info->recsize, size));
    pcdf_strip_print(&strip, stdout, d->colours, d->utf8);
    draw_unseen(d, &strip);
}

/* ---- the header, and how the rest is aligned */

static void draw_header(const struct pcdf_drawing *d)
{
    const struct pcdf_info *info = d->info;
    char used[PCDF_TOOL_BYTES_ROOM], room[PCDF_TOOL_BYTES_ROOM];
    double share = share_of((double)info->header_used, (double)info->header_room);

    printf("%sheader%s %s of %s ", pcdf_drawing_bold(d), pcdf_drawing_plain(d),
           pcdf_tool_bytes_text(info->header_used, used), pcdf_tool_bytes_text(info->header_room, room));
    fputs(d->utf8 ? "▕" : "|", stdout);
    pcdf_tool_bar(stdout, share, HEADER_BAR, d->utf8, true);
    printf("%s %.0f %%\n", d->utf8 ? "▏" : "|", 100 * share);
}

/* The largest power of two that divides it: green where that is a block of the file system. */
static void draw_power(const struct pcdf_drawing *d, const char *what, int64_t at)
{
    int64_t power = at & -at, block = d->info->block > 0 ? d->info->block : 4096;
    char size[PCDF_TOOL_BYTES_ROOM];

    printf("%s %s%s%s", what,
           !d->colours      ? ""
           : power >= block ? "\033[32m"
                            : "\033[33m",
           pcdf_tool_bytes_text(power, size), pcdf_drawing_plain(d));
}

static void draw_alignment(const struct pcdf_drawing *d)
{
    const struct pcdf_info *info = d->info;
    char block[PCDF_TOOL_BYTES_ROOM];

    if (info->nfixed == 0 && info->recsize == 0)
        return;
    printf("%saligned%s to", pcdf_drawing_bold(d), pcdf_drawing_plain(d));
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
static void draw_words(const struct pcdf_drawing *d, const char *text, int indent)
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

void pcdf_drawing_warning(const struct pcdf_drawing *d, const char *text)
{
    printf("%s!%s ", d->colours ? "\033[1;31m" : "", pcdf_drawing_plain(d));
    draw_words(d, text, 2);
}

/* What is wrong always; with -v also what could be better, or is good to know. */
static void draw_advice(const struct pcdf_drawing *d)
{
    int hidden = 0;
    char words[64];

    for (int i = 0; i < d->info->nadvice; i++) {
        const struct pcdf_info_advice *a = &d->info->advice[i];
        char text[2 * PCDF_INFO_SENTENCE];
        const char *colour = !d->colours ? "" : a->is_warning ? "\033[1;31m" : "\033[1;33m";
        if (!a->is_warning && !d->style->is_verbose) {
            hidden++;
            continue;
        }
        printf("%s%c%s ", colour, a->is_warning ? '!' : '*', pcdf_drawing_plain(d));
        snprintf(text, sizeof text, "%s %s", a->reason, a->action);
        draw_words(d, text, 2);
    }
    if (hidden > 0)
        printf("%s%s on storage with -v%s\n", pcdf_drawing_dim(d), pcdf_drawing_some(hidden, "note", words),
               pcdf_drawing_plain(d));
}

/* Lines that the parts below the variables take, of a file without faults. */
static int lines_below(const struct pcdf_info *info, const struct pcdf_info_style *style)
{
    if (info->ds->series)
        return 6;
    int lines = 4 + (info->ds->meta.nrecord_vars > 1 ? 3 : 0) + (info->nadvice > 0);
    return style->is_verbose ? lines + 3 : lines;
}

int pcdf_info_draw(const struct pcdf_info *info, const struct pcdf_info_style *style)
{
    struct pcdf_drawing d = { .info = info, .style = style };

    d.columns = pcdf_tool_columns(stdout);
    d.lines = pcdf_tool_lines(stdout);
    d.is_high = d.lines > 30;
    d.utf8 = pcdf_tool_has_utf8();
    d.colours = pcdf_tool_has_colours(stdout);
    int status = pcdf_drawing_contents(&d, lines_below(info, style) + (d.is_high ? 2 : 0));
    if (status)
        return status;
    putchar('\n');
    if (info->ds->series)
        return pcdf_drawing_series(&d);
    draw_storage(&d);
    draw_room(&d);
    draw_file(&d);
    draw_record(&d);
    if (style->is_verbose) {
        pcdf_drawing_space(&d);
        draw_variables(&d);
        draw_header(&d);
        draw_alignment(&d);
    }
    if (info->nadvice > 0)
        pcdf_drawing_space(&d);
    draw_advice(&d);
    return PCDF_TOOL_GOOD;
}
