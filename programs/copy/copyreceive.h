#ifndef PCDF_COPYRECEIVE_H
#define PCDF_COPYRECEIVE_H
/* `parcdf copy - TO`: a classic file that comes through standard input, in the order of its bytes. */

#include "copyoptions.h"

/* Standard input to TO, which gets its name when it is complete. A status: BAD where it is not all that was
 * sent. */
int pcdf_copy_receive(const struct pcdf_copy_options *options);
#endif
