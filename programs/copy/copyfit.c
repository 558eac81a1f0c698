/* Attributes that classic files may have and other formats may not: see copyplan.h. */
#include "copyplan.h"
#include "alloc.h"
#include "meaningvalues.h"
#include "status.h"
#include "tool.h"
#include "tooldefine.h"

#include <string.h>

struct fitting {
    struct pcdf_meta *meta;
    const struct pcdf_copy_options *options;
    int varid;
};

static int refuse(const struct fitting *f, int attid, const char *why)
{
    const char *var = f->varid == NC_GLOBAL ? "" : f->meta->vars[f->varid].name;
    struct pcdf_atts *atts = pcdf_meta_atts(f->meta, f->varid);
    bool skips = f->options->skip_unsupported;

    pcdf_tool_say(f->options->to, "attribute %s:%s %s%s", var, atts->x[attid].name, why,
                  skips ? ": left out" : " (--skip-unsupported leaves it out)");
    if (skips)
        pcdf_atts_delete(f->meta, atts, attid);
    return skips ? PCDF_TOOL_GOOD : PCDF_TOOL_UNUSABLE;
}

/* Other formats have one fill value of the variable's type; classic files may say another. */
static int fit_fill(const struct fitting *f, int attid)
{
    struct pcdf_atts *atts = pcdf_meta_atts(f->meta, f->varid);
    const struct pcdf_att *att = &atts->x[attid];
    nc_type type = f->meta->vars[f->varid].type;
    unsigned char value[8];

    if (att->type == type && att->nelems == 1)
        return PCDF_TOOL_GOOD;
    if (att->nelems != 1 || !pcdf_meaning_own_fill(&f->meta->vars[f->varid], value))
        return refuse(f, attid, "is not one value of the variable's type, as the format wants it");
    if (pcdf_atts_replace(f->meta, atts, attid, type, 1, value))
        return pcdf_tool_unusable(f->options->to, "%s", pcdf_fail_text());
    return PCDF_TOOL_GOOD;
}

/* Those at the end are no text. */
static bool has_inner_nul(const struct pcdf_att *att)
{
    int64_t n = att->nelems;
    while (n > 0 && att->values[n - 1] == '\0')
        n--;
    return n > 0 && memchr(att->values, '\0', (size_t)n);
}

static int fit_atts(const struct fitting *f)
{
    const struct pcdf_atts *atts = pcdf_meta_atts(f->meta, f->varid);
    bool is_nczarr = f->options->zarr == PCDF_ZARROUT_NC;
    bool is_model = f->options->is_classic_model;
    int status = PCDF_TOOL_GOOD;

    for (int i = atts->n - 1; i >= 0 && !status; i--) {
        const struct pcdf_att *att = &atts->x[i];
        if (is_model && !pcdf_type_allowed(PCDF_CDF1, att->type))
            status = refuse(f, i, "has a type that the classic model does not know");
        else if (f->varid != NC_GLOBAL && strcmp(att->name, "_FillValue") == 0)
            status = fit_fill(f, i);
        else if (is_nczarr && att->type == NC_CHAR && has_inner_nul(att))
            status = refuse(f, i, "has NUL characters inside, where a store would cut it");
    }
    return status;
}

int pcdf_copy_fit(struct pcdf_meta *meta, const struct pcdf_copy_options *options)
{
    struct fitting f = { .meta = meta, .options = options, .varid = NC_GLOBAL };
    int status = options->is_classic_model ? pcdf_tool_define_fits_model(options->to, meta) : PCDF_TOOL_GOOD;
    status = status ? status : fit_atts(&f);

    for (f.varid = 0; f.varid < meta->nvars && !status; f.varid++)
        status = fit_atts(&f);
    return status;
}
