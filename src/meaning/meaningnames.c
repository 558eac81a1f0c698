/* See meaningnames.h. */
#include "meaningnames.h"
#include "alloc.h"
#include "text.h"

#include <string.h>

/* CF 1.11, appendix A, and UGRID 1.0. Variables that cell_methods and the attributes of dimensions name are
 * dimensions, or come with these. */
static const struct {
    const char *name;
    int which;
    bool brings;
} attributes[] = {
    { "coordinates", PCDF_NAMES_PLAIN, true },                                 /* CF 5 */
    { "bounds", PCDF_NAMES_PLAIN, true },                                      /* CF 7.1 */
    { "climatology", PCDF_NAMES_PLAIN, true },                                 /* CF 7.4 */
    { "ancillary_variables", PCDF_NAMES_PLAIN, true },                         /* CF 3.4 */
    { "cell_measures", PCDF_NAMES_PLAIN, true },                               /* CF 7.2 */
    { "formula_terms", PCDF_NAMES_PLAIN, true },                               /* CF 4.3.3 */
    { "cell_methods", PCDF_NAMES_COLON, false },                               /* CF 7.3 */
    { "grid_mapping", PCDF_NAMES_PLAIN | PCDF_NAMES_COLON, true },             /* CF 5.6 */
    { "geometry", PCDF_NAMES_PLAIN, true },                                    /* CF 7.5 */
    { "node_coordinates", PCDF_NAMES_PLAIN, true },                            /* CF 7.5 */
    { "node_count", PCDF_NAMES_PLAIN, true },                                  /* CF 7.5 */
    { "part_node_count", PCDF_NAMES_PLAIN, true },                             /* CF 7.5 */
    { "interior_ring", PCDF_NAMES_PLAIN, true },                               /* CF 7.5 */
    { "coordinate_interpolation", PCDF_NAMES_PLAIN | PCDF_NAMES_COLON, true }, /* CF 8.3 */
    { "compress", PCDF_NAMES_PLAIN, false },                                   /* CF 8.2 */
    { "sample_dimension", PCDF_NAMES_PLAIN, false },                           /* CF 9.3 */
    { "instance_dimension", PCDF_NAMES_PLAIN, false },                         /* CF 9.3 */
    { "mesh", PCDF_NAMES_PLAIN, true },                                        /* UGRID */
    { "location_index_set", PCDF_NAMES_PLAIN, true },                          /* UGRID */
    { "face_node_connectivity", PCDF_NAMES_PLAIN, true },                      /* UGRID */
    { "edge_node_connectivity", PCDF_NAMES_PLAIN, true },                      /* UGRID */
    { "face_edge_connectivity", PCDF_NAMES_PLAIN, true },                      /* UGRID */
    { "face_face_connectivity", PCDF_NAMES_PLAIN, true },                      /* UGRID */
    { "edge_face_connectivity", PCDF_NAMES_PLAIN, true },                      /* UGRID */
    { "boundary_node_connectivity", PCDF_NAMES_PLAIN, true },                  /* UGRID */
    { "volume_node_connectivity", PCDF_NAMES_PLAIN, true },                    /* UGRID */
    { "face_coordinates", PCDF_NAMES_PLAIN, true },                            /* UGRID */
    { "edge_coordinates", PCDF_NAMES_PLAIN, true },                            /* UGRID */
    { "face_dimension", PCDF_NAMES_PLAIN, false },                             /* UGRID */
    { "edge_dimension", PCDF_NAMES_PLAIN, false }                              /* UGRID */
};
enum { ATTRIBUTES = sizeof attributes / sizeof *attributes };

static int row_of(const char *name)
{
    int i = 0;
    while (i < ATTRIBUTES && strcmp(attributes[i].name, name) != 0)
        i++;
    return i < ATTRIBUTES ? i : -1;
}

int pcdf_meaning_names(const char *attribute)
{
    int row = row_of(attribute);
    return row < 0 ? 0 : attributes[row].which;
}

/* A colon ends a word, also one without the space behind it that CF asks for: "area:areacella". */
static struct pcdf_meaning_slice next_word(struct pcdf_meaning_slice *rest)
{
    struct pcdf_meaning_slice word = pcdf_meaning_word(rest);
    const char *colon = memchr(word.text, ':', word.length);
    if (colon) {
        const char *end = word.text + word.length;
        word.length = (size_t)(colon + 1 - word.text);
        *rest = (struct pcdf_meaning_slice){ colon + 1, rest->length + (size_t)(end - (colon + 1)) };
    }
    return word;
}

struct pcdf_meaning_slice pcdf_meaning_next_variable(const char *name, struct pcdf_meaning_slice *rest)
{
    int row = row_of(name);
    struct pcdf_meaning_slice word = { "", 0 };
    if (row < 0 || !attributes[row].brings)
        return word;
    while ((word = next_word(rest)).length > 0) {
        bool has_colon = word.text[word.length - 1] == ':';
        word.length -= has_colon;
        if (word.length > 0 && attributes[row].which & (has_colon ? PCDF_NAMES_COLON : PCDF_NAMES_PLAIN))
            break;
    }
    return word;
}

/* Of variable g.h.v, which stands for v of group /g/h: g.h.WORD, then g.WORD, then WORD (CF 2.7). */
int pcdf_meaning_variable(const struct pcdf_meta *meta, const struct pcdf_var *var,
                          struct pcdf_meaning_slice word)
{
    bool is_absolute = word.length > 0 && word.text[0] == '/';
    size_t group = is_absolute ? 0 : strlen(var->name);
    char name[3 * NC_MAX_NAME];
    struct pcdf_name nfc;
    word.text += is_absolute;
    word.length -= is_absolute;
    if (word.length == 0 || word.length > NC_MAX_NAME || group > NC_MAX_NAME)
        return -1;
    for (;;) {
        while (group > 0 && var->name[group - 1] != '.')
            group--;
        memcpy(name, var->name, group);
        memcpy(name + group, word.text, word.length);
        name[group + word.length] = '\0';
        for (char *at = name + group; (at = strchr(at, '/'));)
            *at = '.';
        int id = pcdf_name_lookup(name, &nfc) ? -1 : pcdf_meta_find_var(meta, nfc.text);
        if (id >= 0 || group == 0)
            return id;
        group--;
    }
}

/* ---- what comes along */

struct bringing {
    const struct pcdf_meta *meta;
    bool *chosen;
    int *todo, n; /* variables that are chosen, and were not looked at yet */
};

static void add(struct bringing *b, int varid)
{
    if (varid < 0 || b->chosen[varid])
        return;
    b->chosen[varid] = true;
    b->todo[b->n++] = varid;
}

static void look_at(struct bringing *b, const struct pcdf_var *var)
{
    for (int i = 0; i < var->ndims; i++)
        add(b, pcdf_meta_find_var(b->meta, b->meta->dims[var->dimids[i]].name));
    for (int i = 0; i < var->atts.n; i++) {
        const struct pcdf_att *att = &var->atts.x[i];
        struct pcdf_meaning_slice rest = pcdf_meaning_slice_of(att), word;
        int most = b->meta->nvars; /* no attribute need name more */
        while (most-- > 0 && (word = pcdf_meaning_next_variable(att->name, &rest)).length > 0)
            add(b, pcdf_meaning_variable(b->meta, var, word));
    }
}

int pcdf_meaning_bring(const struct pcdf_meta *meta, bool *chosen)
{
    struct bringing b = { .meta = meta, .chosen = chosen };
    b.todo = pcdf_malloc(((size_t)meta->nvars + 1) * sizeof *b.todo);
    if (!b.todo)
        return NC_ENOMEM;
    for (int i = 0; i < meta->nvars; i++)
        if (chosen[i])
            b.todo[b.n++] = i;
    while (b.n > 0)
        look_at(&b, &meta->vars[b.todo[--b.n]]);
    pcdf_free(b.todo);
    return NC_NOERR;
}
