/* See quantize.h. */
#include "quantize.h"
#include <string.h>
#include "value.h"

static const struct {
    const char *att_name;
    int most_of_float, most_of_double;
} modes[PCDF_QUANTIZE_MODES] = {
    [PCDF_QUANTIZE_BITGROOM] = { "_QuantizeBitGroomNumberOfSignificantDigits", 6, 15 },
    [PCDF_QUANTIZE_GRANULARBR] = { "_QuantizeGranularBitRoundNumberOfSignificantDigits", 6, 15 },
    [PCDF_QUANTIZE_BITROUND] = { "_QuantizeBitRoundNumberOfSignificantBits", 23, 52 },
};

const char *pcdf_quantize_att_name(enum pcdf_quantize_mode mode)
{
    return modes[mode].att_name;
}

int pcdf_quantize_most(enum pcdf_quantize_mode mode, nc_type type)
{
    return type == NC_FLOAT ? modes[mode].most_of_float : type == NC_DOUBLE ? modes[mode].most_of_double : 0;
}

/* The digits that an attribute tells; 0: none. */
static int digits_of(const struct pcdf_att *att, int most)
{
    if (att->nelems != 1 || att->type == NC_CHAR)
        return 0;
    double digits = pcdf_value_load_real(att->type, att->values);
    return digits >= 1 && digits <= most ? (int)digits : 0;
}

struct pcdf_quantize pcdf_quantize_of_var(const struct pcdf_var *var)
{
    struct pcdf_quantize found = { 0 };
    for (int i = 0; i < var->atts.n; i++) {
        const struct pcdf_att *att = &var->atts.x[i];
        if (att->name[0] != '_' || att->name[1] != 'Q')
            continue;
        for (int mode = 1; mode < PCDF_QUANTIZE_MODES; mode++)
            if (strcmp(att->name, modes[mode].att_name) == 0 && (!found.mode || mode < found.mode))
                found = (struct pcdf_quantize){
                    (unsigned char)mode, (unsigned char)digits_of(att, pcdf_quantize_most(mode, var->type))
                };
    }
    return found.digits > 0 ? found : (struct pcdf_quantize){ 0 };
}

void pcdf_quantize_of_atts(struct pcdf_meta *meta)
{
    for (int i = 0; i < meta->nvars; i++)
        meta->vars[i].quantize = pcdf_quantize_of_var(&meta->vars[i]);
}
