#ifndef PCDF_FILEWRITER_H
#define PCDF_FILEWRITER_H
/* How an open file is written that is no classic one. Its definitions are ds->meta and its values stand in a
 * space of cells (format/cells.h, ds->layout.cells), so puts and gets go as those of a classic file. What the
 * kernel does by itself of a classic file, it asks ds->writer for (NULL: a classic file). A part is the
 * writer: it sets ds->writer when the ranks agreed that it is on.
 *
 * Who calls a function is in its name, as in parts/part.h. A function that ends in _all returns this rank's
 * own status; a failure of storage stays in ds->io_error, too, which the next vote tells. */

#include <stdbool.h>
#include <stdint.h>
#include "dataset.h"

struct pcdf_request;

struct pcdf_writer_ops {
    /* Local: its NC_FORMAT_. */
    int (*format)(const struct pcdf_dataset *ds);

    /* ---- definitions */

    /* Replicated: may a variable or an attribute have this type (nc_type), which CDF-5 has? */
    int (*check_type)(const struct pcdf_dataset *ds, int type);
    /* Local: may a program give an attribute (varid -1: of the file) this name? NC_ENAMEINUSE. */
    int (*check_att)(const struct pcdf_dataset *ds, int varid, const char *name);
    /* Local, at enddef: layout->cells for the definitions as they are now, and *hash of what must be the same
     * on all ranks beside the header. Nothing of it holds before define_all. */
    int (*lay_out)(struct pcdf_dataset *ds, struct pcdf_layout *layout, uint64_t *hash);
    /* The definitions of ranks differed, and rank 0's were taken: so is what it has beside the header. Then
     * as lay_out, of ds->layout. */
    int (*adopt_all)(struct pcdf_dataset *ds);
    /* The end of an enddef: ds->meta and ds->layout hold from now on. Fails on all ranks or on none. */
    int (*define_all)(struct pcdf_dataset *ds);
    /* A redef begins, or this mode of data: all that was put is in the file, and every rank knows where. In
     * independent mode ranks keep what they put into what others own, until mode_all or write_all. */
    int (*mode_all)(struct pcdf_dataset *ds, enum pcdf_mode mode);

    /* ---- values */

    /* Before puts among these requests move (kind: the call): what they decide. own: the error that this
     * rank's call has by itself, which a vote tells. */
    int (*before_put_all)(struct pcdf_dataset *ds, enum pcdf_kind kind, struct pcdf_request *const *requests,
                          int n, int own);
    /* Replicated: how many bytes of the space of cells a put moves before place_all. */
    int64_t (*step)(const struct pcdf_dataset *ds);
    /* Local: did this rank's last put fail because what waits here had no room for it? Then nothing of the
     * file failed, and other puts may go on. */
    bool (*lacked_room)(const struct pcdf_dataset *ds);
    /* Chunks that a step of a put made go to the file. Fails where they do not. */
    int (*place_all)(struct pcdf_dataset *ds);

    /* ---- sync and close */

    /* Replicated: is there anything that count_all would write, beside a change of the header? */
    bool (*is_dirty)(const struct pcdf_dataset *ds);
    /* All that was put goes to the file. */
    int (*write_all)(struct pcdf_dataset *ds);
    /* What was written, and is on the storage where `commits`, gets into the definitions on the file: these,
     * so many records, and where all values are. */
    int (*count_all)(struct pcdf_dataset *ds, int64_t numrecs, bool commits);
    /* A close, of a file of which a put had failed, on some rank: the records that are whole count all the
     * same, as far as that can be done. The failure stays. */
    void (*rescue_all)(struct pcdf_dataset *ds, bool commits);
};
#endif
