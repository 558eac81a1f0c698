/* See refsout.h. */
#include "refsout.h"
#include "alloc.h"
#include "base64.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 3 * 16384 /* bytes made base64 at a time: whole groups of 3 */ };

static int no_memory(void)
{
    return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
}

int pcdf_refs_out_begin(struct pcdf_refs_out *out, FILE *to)
{
    *out = (struct pcdf_refs_out){ .dim = -1 };
    out->block = pcdf_malloc(STEP);
    out->text = pcdf_malloc(pcdf_base64_room(STEP));
    if (!out->block || !out->text)
        return no_memory();
    pcdf_json_begin(&out->json, to);
    pcdf_json_open(&out->json, '{', false);
    pcdf_json_key(&out->json, "version");
    pcdf_json_integer(&out->json, 1);
    pcdf_json_key(&out->json, "refs");
    pcdf_json_open(&out->json, '{', false);
    return PCDF_TOOL_GOOD;
}

void pcdf_refs_out_end(struct pcdf_refs_out *out)
{
    pcdf_json_close(&out->json, '}');
    pcdf_json_close(&out->json, '}');
    pcdf_json_end(&out->json);
}

void pcdf_refs_out_free(struct pcdf_refs_out *out)
{
    pcdf_free(out->key);
    pcdf_free(out->block);
    pcdf_free(out->text);
}

int pcdf_refs_inner_begin(struct pcdf_refs_inner *in)
{
    *in = (struct pcdf_refs_inner){ 0 };
    FILE *to = open_memstream(&in->text, &in->n);
    if (!to)
        return pcdf_tool_unusable(NULL, "no memory");
    pcdf_json_begin(&in->json, to);
    in->json.bare_nan = in->json.is_ascii = true;
    pcdf_json_open(&in->json, '{', true);
    return PCDF_TOOL_GOOD;
}

int pcdf_refs_inner_end(struct pcdf_refs_inner *in)
{
    pcdf_json_close(&in->json, '}');
    bool good = !ferror(in->json.to);
    good = fclose(in->json.to) == 0 && good;
    if (good)
        return PCDF_TOOL_GOOD;
    free(in->text);
    in->text = NULL;
    return pcdf_tool_unusable(NULL, "no memory");
}

int pcdf_refs_out_text(struct pcdf_refs_out *out, const char *name, const char *key, const char *text,
                       size_t n)
{
    size_t room = (name ? strlen(name) : 0) + strlen(key) + 2;
    char *full = pcdf_malloc(room);

    if (!full)
        return no_memory();
    snprintf(full, room, "%s%s%s", name ? name : "", name ? "/" : "", key);
    pcdf_json_key(&out->json, full);
    pcdf_free(full);
    pcdf_json_bytes(&out->json, text, n);
    return PCDF_TOOL_GOOD;
}

/* ---- an array */

int pcdf_refs_out_array(struct pcdf_refs_out *out, const char *name, int ndims)
{
    pcdf_free(out->key);
    out->key = pcdf_malloc(strlen(name) + 21 * ((size_t)ndims + 2));
    if (!out->key)
        return no_memory();
    out->name = name;
    out->ndims = ndims;
    sprintf(out->key, "%s/", name);
    return PCDF_TOOL_GOOD;
}

static void put_key(struct pcdf_refs_out *out, const int64_t *index)
{
    char *to = out->key + strlen(out->name) + 1;

    if (out->ndims == 0)
        memcpy(to, "0", 2);
    for (int i = 0; i < out->ndims; i++)
        to += sprintf(to, "%s%" PRId64, i > 0 ? "." : "", index[i] + (i == out->dim ? out->from : 0));
    pcdf_json_key(&out->json, out->key);
}

void pcdf_refs_out_place(struct pcdf_refs_out *out, const int64_t *index, const char *path, int64_t offset,
                         int64_t length)
{
    put_key(out, index);
    pcdf_json_open(&out->json, '[', true);
    pcdf_json_text(&out->json, path);
    if (length >= 0) {
        pcdf_json_integer(&out->json, offset);
        pcdf_json_integer(&out->json, length);
    }
    pcdf_json_close(&out->json, ']');
}

void pcdf_refs_out_bytes_begin(struct pcdf_refs_out *out, const int64_t *index)
{
    put_key(out, index);
    pcdf_json_here(&out->json);
    fputs("\"base64:", out->json.to);
    out->nblock = 0;
}

static void put_block(struct pcdf_refs_out *out)
{
    pcdf_base64_encode(out->block, (size_t)out->nblock, out->text);
    if (out->nblock > 0)
        fputs(out->text, out->json.to);
    out->nblock = 0;
}

void pcdf_refs_out_bytes(struct pcdf_refs_out *out, const unsigned char *bytes, int64_t n)
{
    while (n > 0) {
        int64_t now = pcdf_smaller(n, STEP - out->nblock);
        memcpy(out->block + out->nblock, bytes, (size_t)now);
        out->nblock += now;
        bytes += now;
        n -= now;
        if (out->nblock == STEP)
            put_block(out);
    }
}

void pcdf_refs_out_bytes_end(struct pcdf_refs_out *out)
{
    put_block(out);
    fputc('"', out->json.to);
}
