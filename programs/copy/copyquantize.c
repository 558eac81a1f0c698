/* See copyquantize.h. */
#include "copyquantize.h"
#include "alloc.h"
#include "meaningnames.h"
#include "options.h"
#include "status.h"

#include <string.h>

static const char *const words[PCDF_QUANTIZE_MODES] = { "", "bitgroom", "granularbr", "bitround" };

bool pcdf_copy_quantize_read(const char *text, struct pcdf_quantize *how)
{
    const char *slash = strchr(text, '/');
    int64_t digits = 0;
    for (int mode = 1; slash && mode < PCDF_QUANTIZE_MODES; mode++) {
        if (strlen(words[mode]) != (size_t)(slash - text) ||
            strncmp(words[mode], text, (size_t)(slash - text)) != 0)
            continue;
        if (!pcdf_options_number(slash + 1, 1, pcdf_quantize_most((enum pcdf_quantize_mode)mode, NC_DOUBLE),
                                 &digits))
            return false;
        *how = (struct pcdf_quantize){ (unsigned char)mode, (unsigned char)digits };
        return true;
    }
    return false;
}

static void mark_named(const struct pcdf_meta *meta, const struct pcdf_var *var, bool *is_needed)
{
    for (int i = 0; i < var->ndims; i++) {
        int id = pcdf_meta_find_var(meta, meta->dims[var->dimids[i]].name);
        if (id >= 0)
            is_needed[id] = true;
    }
    for (int i = 0; i < var->atts.n; i++) {
        const struct pcdf_att *att = &var->atts.x[i];
        struct pcdf_meaning_slice rest = pcdf_meaning_slice_of(att), word;
        while ((word = pcdf_meaning_next_variable(att->name, &rest)).length > 0) {
            int id = pcdf_meaning_variable(meta, var, word);
            if (id >= 0)
                is_needed[id] = true;
        }
    }
}

int pcdf_copy_quantize(struct pcdf_meta *meta, struct pcdf_quantize how)
{
    const enum pcdf_quantize_mode mode = (enum pcdf_quantize_mode)how.mode;
    const unsigned char digits[4] = { 0, 0, 0, how.digits }; /* as a file has an integer */
    bool *is_needed = pcdf_calloc((size_t)meta->nvars + 1, sizeof *is_needed);
    int err = is_needed ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory for %d variables", meta->nvars);
    for (int i = 0; !err && i < meta->nvars; i++)
        mark_named(meta, &meta->vars[i], is_needed);
    for (int i = 0; !err && i < meta->nvars; i++) {
        struct pcdf_var *var = &meta->vars[i];
        if (is_needed[i] || how.digits > pcdf_quantize_most(mode, var->type))
            continue;
        err = pcdf_atts_put(meta, &var->atts, pcdf_quantize_att_name(mode), NC_INT, 1, digits);
        var->quantize = how;
    }
    pcdf_free(is_needed);
    return err;
}
