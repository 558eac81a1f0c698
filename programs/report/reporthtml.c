/* See reporthtml.h. */
#include "reporthtml.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <utf8proc.h>

/* Colours: pairs that people with any eyes tell apart, in light and dark; k0 to k6 are the kinds of calls,
 * k7 the writes of a queue, k8 the waits for it. */
/* clang-format off */
static const char style[] =
    ":root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#16191d;--soft:#5b6470;"
    "--line:#dfe3e8;--track:#eceff3;--k0:#2a6fdb;--k1:#12936b;--k2:#d18a00;--k3:#d0453e;--k4:#7a55c7;"
    "--k5:#8b95a1;--k6:#b23a86;--k7:#0f8ba0;--k8:#3d444d;--good:#12936b;--warn:#d18a00}"
    "@media(prefers-color-scheme:dark){:root{--bg:#12151a;--card:#1b1f26;--ink:#e8ebef;"
    "--soft:#9aa4b1;--line:#2e343d;--track:#262b33;--k0:#5b9cf5;--k1:#35bd90;--k2:#e6ab3a;"
    "--k3:#ef7069;--k4:#a48bea;--k5:#8791a0;--k6:#dd70b4;--k7:#45c1d4;--k8:#c3cad2;--good:#35bd90;--warn:#e6ab3a}}"
    "*{box-sizing:border-box}"
    "body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"
    "'Segoe UI',Roboto,'DejaVu Sans',sans-serif}"
    "main,header,footer{max-width:1500px;margin:0 auto;padding:0 20px}"
    "header{padding-top:28px}"
    "h1{font-size:24px;margin:0;overflow-wrap:anywhere}"
    "header p{margin:4px 0 0;color:var(--soft);overflow-wrap:anywhere}"
    "section{background:var(--card);border:1px solid var(--line);border-radius:10px;"
    "padding:16px 18px;margin:16px 0}"
    "h2{font-size:17px;margin:0 0 4px}"
    "h3{font-size:14px;margin:16px 0 4px}"
    ".about{color:var(--soft);margin:0 0 12px;max-width:75ch}"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;"
    "margin:18px 0 0}"
    ".tile{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 14px}"
    ".tile b{display:block;font-size:22px;line-height:1.25;font-weight:650}"
    ".tile span{color:var(--soft);font-size:13px;display:block;overflow-wrap:anywhere}"
    ".scroll{overflow-x:auto}"
    "table{border-collapse:collapse;width:100%;font-size:14px}"
    "th{color:var(--soft);font-weight:600;text-align:left;border-bottom:1px solid var(--line);"
    "padding:4px 10px 4px 0;white-space:nowrap}"
    "td{padding:4px 10px 4px 0;border-bottom:1px solid var(--line);vertical-align:middle}"
    "tr:last-child td{border-bottom:0}"
    "th.n,td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
    "td.w{overflow-wrap:anywhere;min-width:150px}"
    "td.b{width:30%;min-width:90px}"
    ".bar{display:block;width:100%;height:12px;background:var(--track);border-radius:3px}"
    ".k0{background:var(--k0);fill:var(--k0)}"
    ".k1{background:var(--k1);fill:var(--k1)}"
    ".k2{background:var(--k2);fill:var(--k2)}"
    ".k3{background:var(--k3);fill:var(--k3)}"
    ".k4{background:var(--k4);fill:var(--k4)}"
    ".k5{background:var(--k5);fill:var(--k5)}"
    ".k6{background:var(--k6);fill:var(--k6)}"
    ".k7{background:var(--k7);fill:var(--k7)}"
    ".k8{background:var(--k8);fill:var(--k8)}"
    ".legend{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:13px;color:var(--soft);"
    "margin:0 0 10px}"
    ".legend svg{border-radius:3px;margin-right:6px;vertical-align:-1px}"
    ".lane{display:grid;grid-template-columns:64px 1fr;align-items:center;font-size:13px;"
    "margin:3px 0}"
    ".lane span{color:var(--soft);white-space:nowrap}"
    ".lane svg{display:block;width:100%;background:var(--track);border-radius:4px}"
    ".axis{display:flex;justify-content:space-between;margin-left:64px;color:var(--soft);"
    "font-size:12px;font-variant-numeric:tabular-nums}"
    ".two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:0 32px}"
    "ul.advice{list-style:none;margin:0;padding:0}"
    "ul.advice li{border-left:4px solid var(--warn);padding:4px 0 4px 14px;margin:10px 0}"
    "ul.advice li.good{border-color:var(--good)}"
    "ul.advice b{display:block}"
    "ul.advice span{color:var(--soft)}"
    "small{color:var(--soft);font-size:12.5px}"
    "code{font:13px/1.4 ui-monospace,'DejaVu Sans Mono',monospace;background:var(--track);"
    "border-radius:4px;padding:1px 5px}"
    "footer{color:var(--soft);font-size:13px;padding-bottom:32px}"
    "@media(max-width:600px){main,header,footer{padding-left:10px;padding-right:10px}"
    "section{padding:12px}}"
    "@media print{section,.tile{break-inside:avoid}}";
/* clang-format on */

/* ---- text */

static void put_escaped(FILE *f, int32_t point, const unsigned char *c, utf8proc_ssize_t length)
{
    if (length <= 0 || (point < 0x20 && point != '\n' && point != '\t') || (point >= 0x7f && point < 0xa0) ||
        (point & 0xfffe) == 0xfffe || (point >= 0xfdd0 && point < 0xfdf0))
        fputs("\xef\xbf\xbd", f);
    else if (point == '&')
        fputs("&amp;", f);
    else if (point == '<')
        fputs("&lt;", f);
    else if (point == '>')
        fputs("&gt;", f);
    else if (point == '"')
        fputs("&quot;", f);
    else
        fwrite(c, 1, (size_t)length, f);
}

void pcdf_html_text(FILE *f, const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    while (*c) {
        utf8proc_int32_t point = -1;
        utf8proc_ssize_t length = utf8proc_iterate(c, -1, &point);
        put_escaped(f, point, c, length);
        c += length > 0 ? length : 1;
    }
}

void pcdf_html_format(FILE *f, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    pcdf_html_text(f, text);
}

/* ---- the page */

void pcdf_html_begin(FILE *f, const char *title, const char *subtitle)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          f);
    pcdf_html_text(f, title);
    fprintf(f, "</title>\n<style>%s</style>\n</head>\n<body>\n<header>\n<h1>", style);
    pcdf_html_text(f, title);
    fputs("</h1>\n<p>", f);
    pcdf_html_text(f, subtitle);
    fputs("</p>\n</header>\n<main>\n", f);
}

void pcdf_html_end(FILE *f)
{
    fprintf(f, "</main>\n<footer>Made by parcdf report, parcdf %s.</footer>\n</body>\n</html>\n",
            PARCDF_VERSION);
}

void pcdf_html_section(FILE *f, const char *title, const char *about)
{
    fputs("<section>\n<h2>", f);
    pcdf_html_text(f, title);
    fputs("</h2>\n", f);
    if (!about)
        return;
    fputs("<p class=\"about\">", f);
    pcdf_html_text(f, about);
    fputs("</p>\n", f);
}

void pcdf_html_section_end(FILE *f)
{
    fputs("</section>\n", f);
}

void pcdf_html_tile(FILE *f, const char *label, const char *value, const char *more)
{
    fputs("<div class=\"tile\"><span>", f);
    pcdf_html_text(f, label);
    fputs("</span><b>", f);
    pcdf_html_text(f, value);
    fputs("</b><span>", f);
    pcdf_html_text(f, more);
    fputs("</span></div>\n", f);
}

/* ---- numbers */

const char *pcdf_html_bytes(char room[PCDF_HTML_ROOM], double bytes)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    int i = 0;
    while (bytes >= 1024 && i < 6) {
        bytes /= 1024;
        i++;
    }
    snprintf(room, PCDF_HTML_ROOM, i == 0 || bytes >= 100 ? "%.0f %s" : "%.3g %s", bytes, units[i]);
    return room;
}

const char *pcdf_html_seconds(char room[PCDF_HTML_ROOM], double seconds)
{
    double x = fabs(seconds);
    double scale = x >= 1 || x == 0 ? 1 : x >= 1e-3 ? 1e3 : 1e6;
    const char *unit = scale == 1 ? "s" : scale == 1e3 ? "ms" : "\xc2\xb5s";
    snprintf(room, PCDF_HTML_ROOM, x * scale >= 100 ? "%.0f %s" : "%.3g %s", seconds * scale, unit);
    return room;
}

const char *pcdf_html_count(char room[PCDF_HTML_ROOM], double count)
{
    char plain[PCDF_HTML_ROOM];
    int n = snprintf(plain, sizeof plain, "%.0f", count < 1e18 ? count : 1e18), k = 0;
    for (int i = 0; i < n && k < PCDF_HTML_ROOM - 2; i++) {
        if (i > 0 && (n - i) % 3 == 0 && plain[i - 1] != '-')
            room[k++] = ',';
        room[k++] = plain[i];
    }
    room[k] = '\0';
    return room;
}

/* ---- tables */

void pcdf_html_table(FILE *f, const char *heads)
{
    fputs("<div class=\"scroll\"><table>\n<thead><tr>", f);
    while (*heads) {
        size_t n = strcspn(heads, "|");
        bool number = heads[0] == '#';
        fprintf(f, "<th%s>%.*s</th>", number ? " class=\"n\"" : "", (int)n - number, heads + number);
        heads += n + (heads[n] == '|');
    }
    fputs("</tr></thead>\n<tbody>\n", f);
}

void pcdf_html_row_none(FILE *f, int columns)
{
    fprintf(f, "<tr><td colspan=\"%d\">none</td></tr>\n", columns);
}

void pcdf_html_table_end(FILE *f)
{
    fputs("</tbody></table></div>\n", f);
}

void pcdf_html_row(FILE *f)
{
    fputs("<tr>", f);
}

void pcdf_html_row_end(FILE *f)
{
    fputs("</tr>\n", f);
}

void pcdf_html_cell(FILE *f, const char *text)
{
    fputs("<td class=\"w\">", f);
    pcdf_html_text(f, text);
    fputs("</td>", f);
}

void pcdf_html_cell_more(FILE *f, const char *text, const char *more)
{
    fputs("<td class=\"w\">", f);
    pcdf_html_text(f, text);
    if (*more) {
        fputs("<br><small>", f);
        pcdf_html_text(f, more);
        fputs("</small>", f);
    }
    fputs("</td>", f);
}

void pcdf_html_cell_number(FILE *f, const char *shown, double value)
{
    fprintf(f, "<td class=\"n\" data-value=\"%.15g\">", value);
    pcdf_html_text(f, shown);
    fputs("</td>", f);
}

void pcdf_html_cell_bytes(FILE *f, double bytes)
{
    char room[PCDF_HTML_ROOM];
    pcdf_html_cell_number(f, pcdf_html_bytes(room, bytes), bytes);
}

void pcdf_html_cell_seconds(FILE *f, double seconds)
{
    char room[PCDF_HTML_ROOM];
    pcdf_html_cell_number(f, pcdf_html_seconds(room, seconds), seconds);
}

void pcdf_html_cell_count(FILE *f, double count)
{
    char room[PCDF_HTML_ROOM];
    pcdf_html_cell_number(f, pcdf_html_count(room, count), count);
}

void pcdf_html_cell_bar(FILE *f, double share, int colour)
{
    double percent = share > 1 ? 100 : share > 0 ? 100 * share : 0;
    percent = percent > 0 && percent < 0.5 ? 0.5 : percent; /* something is there */
    fprintf(f,
            "<td class=\"b\"><svg class=\"bar\" viewBox=\"0 0 100 12\" preserveAspectRatio=\"none\" "
            "aria-hidden=\"true\"><rect class=\"k%d\" width=\"%.1f\" height=\"12\"/></svg></td>",
            colour, percent);
}
