#ifndef PCDF_IMAGELATER_H
#define PCDF_IMAGELATER_H
/* A file that grew after its image was made, while another job writes it: is what the image says of it still
 * true? Local. */

#include <stdbool.h>
#include "image.h"

/* later: an image of the same file, made later. True: each variable is as it was, with more records perhaps,
 * and each chunk lies where it lay. */
bool pcdf_image_holds(const struct pcdf_image *image, const struct pcdf_image *later);
/* Opens the only store of an image of HDF5, whose file has another size or time than the image says.
 * NC_EREAD: it is another file, or the image does not hold any more. Reads the file's metadata. */
int pcdf_image_open_grown(const struct pcdf_image *image, struct pcdf_store **store);
#endif
