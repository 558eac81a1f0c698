/* The layers of storage that tests bring along: wherever this file is linked to, their hints are known. */

#include "faultstorage.h"
#include "stalestorage.h"
#include "stripedstorage.h"
#include "throttlestorage.h"

static const struct pcdf_storage_layer layers[] = {
    { "pcdf_fault", fault_stack },
    { "pcdf_stale", stale_stack },
    { "pcdf_throttle", throttle_stack },
    { "pcdf_note_puts", striped_stack },
    { 0 },
};

__attribute__((constructor)) static void bring_layers(void)
{
    pcdf_storage_layers = layers;
}
