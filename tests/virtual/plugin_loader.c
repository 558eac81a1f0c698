/* Which plug-ins are loaded, which are not, and what is said then.    plugin_loader FOLDER: has good and old
 */

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "alloc.h"
#include "check.h"
#include "loader.h"
#include "status.h"

static void refused(const char *name, const char *said)
{
    const struct pcdf_plugin *plugin;
    CHECK_INT(pcdf_plugin_load(name, "x.nc4 is an HDF5 file", &plugin), NC_ENOTBUILT);
    CHECK(strstr(pcdf_fail_text(), said) && strstr(pcdf_fail_text(), "x.nc4 is an HDF5 file"), "%s: \"%s\"",
          name, pcdf_fail_text());
}

static void copy(const char *from, const char *to, mode_t mode)
{
    char line[2000];
    snprintf(line, sizeof line, "cp %s %s", from, to);
    CHECK_INT(system(line), 0);
    CHECK_INT(chmod(to, mode), 0);
}

int main(int argc, char **argv)
{
    const struct pcdf_plugin *plugin = NULL, *again = NULL;
    char good[1100], own[1000];
    if (argc != 2 || !getcwd(own, sizeof own))
        return 2;
    setenv("PARCDF_PLUGINS", argv[1], 1);
    refused("absent", "libparcdf-absent.so");
    refused("absent", argv[1]);
    refused("old", "another version of parcdf (99, not");
    CHECK_INT(pcdf_plugin_load("good", "x", &plugin), NC_NOERR);
    setenv("PARCDF_PLUGINS", "/nowhere", 1); /* once loaded, it stays */
    CHECK_INT(pcdf_plugin_load("good", "x", &again), NC_NOERR);
    CHECK(plugin && plugin == again && !strcmp(plugin->name, "good"), "%p, %p", (void *)plugin,
          (void *)again);

    /* What is not trusted, or is no plug-in. */
    snprintf(good, sizeof good, "%s/libparcdf-good.so", argv[1]);
    (void)mkdir("trusted", 0755); /* of the run before, perhaps */
    (void)mkdir("open", 0777);
    CHECK_INT(chmod("open", 0777), 0);
    copy(good, "trusted/libparcdf-writable.so", 0666);
    copy(good, "trusted/libparcdf-misnamed.so", 0644);
    copy(good, "trusted/parcdf-map", 0755);
    copy("/dev/null", "trusted/libparcdf-empty.so", 0644);
    copy(good, "open/libparcdf-anyones.so", 0644);
    setenv("PARCDF_PLUGINS", "trusted", 1); /* not absolute */
    refused("misnamed", "is not in trusted");
    snprintf(good, sizeof good, "%s/open", own);
    setenv("PARCDF_PLUGINS", good, 1);
    refused("anyones", "is not in");
    snprintf(good, sizeof good, "%s/trusted", own);
    setenv("PARCDF_PLUGINS", good, 1);
    refused("writable", "is not in");
    refused("misnamed", "is no plug-in of parcdf");
    refused("empty", "cannot be loaded");
    char *program = pcdf_plugin_program("parcdf-map");
    CHECK(program && strstr(program, "/trusted/parcdf-map"), "%s", program ? program : "none");
    pcdf_free(program);
    CHECK(!pcdf_plugin_program("libparcdf-empty.so"), "a file that is no program");
    return check_done("plugin_loader");
}
