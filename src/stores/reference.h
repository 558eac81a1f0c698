#ifndef PCDF_REFERENCE_H
#define PCDF_REFERENCE_H
/* What a name in a file may lead to: the one place that decides it, for references and whatever else may name
 * files. Who sent a file chooses neither among the files of the user nor among the hosts that only the user
 * reaches, and gets no key of theirs:
 *   - a far file never leads to a local one;
 *   - a local one leads to files below its own folder, hidden ones apart, and below folders that the user
 *     allows. They are opened by pcdf_below_open, so links do not lead out;
 *   - hosts of the inside (loopback, link-local, private) only where the user named them: the references came
 *     from there, or are allowed to name them. The address counts, when it is connected (plug-in curl);
 *   - a user and password go to the host alone that they were given for, a signature of S3 to the bucket
 * alone that the user named. References give none themselves. Local, no MPI. */

#include <stdbool.h>
#include <stddef.h>

struct pcdf_referrer { /* a file that names others */
    const char *name;  /* as pcdf_store_name */
    const char *whole; /* its URL with secrets; NULL: has none */
    const char
        *allows; /* hint pcdf_references: folders, http(s)://host, s3://bucket, by commas; NULL: none */
    bool is_far;
};

/* How a store may be opened. All zero: the user named it, and may do everything. */
struct pcdf_bond {
    char *whole;     /* the URL with its secrets; NULL: the name is all */
    char *folder;    /* of a local file: it is opened below this one, with which its name begins; NULL */
    bool is_bound;   /* a file named it: it is one object, and the next two hold */
    bool may_sign;   /* S3 */
    bool may_inside; /* hosts of the inside */
};
void pcdf_bond_free(struct pcdf_bond *bond);
int pcdf_bond_copy(const struct pcdf_bond *from, struct pcdf_bond *to); /* NC_ENOMEM */

/* told, of n bytes: what the file says. *name (pcdf_free): a path or URL without secrets. NC_EACCESS: it may
 * not lead there; the sentence says why, and the way out. NC_ENOMEM. */
int pcdf_reference_decide(const struct pcdf_referrer *by, const char *told, size_t n, char **name,
                          struct pcdf_bond *bond);
#endif
