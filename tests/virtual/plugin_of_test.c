/* A plug-in for plugin_loader.c: of the version that TEST_ABI says. */

#include "plugin.h"

__attribute__((visibility("default"))) const struct pcdf_plugin *pcdf_plugin(void);

const struct pcdf_plugin *pcdf_plugin(void)
{
    static const struct pcdf_plugin plugin = {
        .abi = TEST_ABI, .size = sizeof plugin, .name = TEST_NAME, .version = "1"
    };
    return &plugin;
}
