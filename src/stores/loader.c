/* See loader.h. */

#include "loader.h"
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "alloc.h"
#include "status.h"

#ifndef PARCDF_PLUGINS_INSTALLED /* where they are to be installed, and that from bin/ */
#define PARCDF_PLUGINS_INSTALLED ""
#define PARCDF_PLUGINS_BESIDE    "../lib/parcdf"
#endif

enum { MOST_PLUGINS = 8, MOST_FOLDERS = 6, MOST_NAME = 32 };

struct folders {
    char path[MOST_FOLDERS][PATH_MAX];
    int n;
};

static struct {
    char name[MOST_NAME];
    const struct pcdf_plugin *plugin;
} loaded[MOST_PLUGINS];
static int nloaded;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- where */

/* A folder is added if it is there, and not everybody may put something into it. */
static void add_folder(struct folders *f, const char *base, const char *more)
{
    char path[2 * PATH_MAX], real[PATH_MAX];
    struct stat st;
    if (f->n == MOST_FOLDERS || base[0] != '/')
        return;
    snprintf(path, sizeof path, "%s%s%s", base, *more ? "/" : "", more);
    if (!realpath(path, real) || stat(real, &st) || !S_ISDIR(st.st_mode) || (st.st_mode & S_IWOTH))
        return;
    for (int i = 0; i < f->n; i++)
        if (!strcmp(f->path[i], real))
            return;
    snprintf(f->path[f->n++], PATH_MAX, "%s", real);
}

/* The folder of the library or, where this is linked into it, of the program. */
static bool own_folder(char folder[PATH_MAX])
{
    Dl_info info;
    char program[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    bool has_name = dladdr(&nloaded, &info) && info.dli_fname && info.dli_fname[0] == '/';
    if (n > 0)
        program[n] = '\0';
    if (!has_name && n <= 0)
        return false;
    if (!realpath(has_name ? info.dli_fname : program, folder))
        return false;
    char *end = strrchr(folder, '/');
    if (end)
        *end = '\0';
    return end != NULL;
}

static void find_folders(struct folders *f)
{
    char own[PATH_MAX];
    const char *said = secure_getenv("PARCDF_PLUGINS");
    f->n = 0;
    if (said && *said) {
        add_folder(f, said, "");
        return;
    }
    if (own_folder(own)) {
        add_folder(f, own, "parcdf");
        add_folder(f, own, "plugins"); /* of a build */
        add_folder(f, own, PARCDF_PLUGINS_BESIDE);
        add_folder(f, own, "../lib/parcdf");
        if (strlen(own) > 7 && !strcmp(own + strlen(own) - 7, "/parcdf")) /* parcdf-map, beside them */
            add_folder(f, own, "");
        if (strlen(own) > 8 && !strcmp(own + strlen(own) - 8, "/plugins"))
            add_folder(f, own, "");
    }
    add_folder(f, PARCDF_PLUGINS_INSTALLED, "");
}

/* The first of the folders that has the file, which not everybody may write to. */
static bool find_file(const char *file, char path[2 * PATH_MAX])
{
    static struct folders f; /* too large for a stack; the lock is held */
    struct stat st;
    find_folders(&f);
    for (int i = 0; i < f.n; i++) {
        snprintf(path, 2 * PATH_MAX, "%s/%s", f.path[i], file);
        if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && !(st.st_mode & S_IWOTH))
            return true;
    }
    return false;
}

static const char *looked_in(void)
{
    const char *said = secure_getenv("PARCDF_PLUGINS");
    return said && *said               ? said
           : *PARCDF_PLUGINS_INSTALLED ? PARCDF_PLUGINS_INSTALLED
                                       : "lib/parcdf beside the program";
}

/* ---- loading, with the lock */

static int load(const char *name, const char *what, const struct pcdf_plugin **plugin)
{
    char file[MOST_NAME + 20], path[2 * PATH_MAX];
    snprintf(file, sizeof file, "libparcdf-%s.so", name);
    if (!find_file(file, path))
        return PCDF_FAIL(NC_ENOTBUILT,
                         "%s: the plug-in %s that this needs is not in %s (Debian: package parcdf-formats)",
                         what, file, looked_in());
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return PCDF_FAIL(NC_ENOTBUILT, "%s: the plug-in %s cannot be loaded: %s", what, path, dlerror());
    void *symbol = dlsym(handle, "pcdf_plugin");
    pcdf_plugin_function *function;
    memcpy(&function, &symbol, sizeof function); /* ISO C has no such cast */
    const struct pcdf_plugin *p = function ? function() : NULL;
    if (!p || p->abi != PCDF_PLUGIN_ABI || p->size < sizeof *p || strcmp(p->name, name) != 0) {
        int abi = p ? p->abi : 0;
        dlclose(handle);
        if (abi != 0 && abi != PCDF_PLUGIN_ABI)
            return PCDF_FAIL(NC_ENOTBUILT, "%s: the plug-in %s is of another version of parcdf (%d, not %d)",
                             what, path, abi, PCDF_PLUGIN_ABI);
        return PCDF_FAIL(NC_ENOTBUILT, "%s: %s is no plug-in of parcdf, or cannot run here", what, path);
    }
    snprintf(loaded[nloaded].name, MOST_NAME, "%s", name);
    loaded[nloaded++].plugin = *plugin = p; /* never closed: others may have its functions */
    return NC_NOERR;
}

int pcdf_plugin_load(const char *name, const char *what, const struct pcdf_plugin **plugin)
{
    int err = NC_NOERR;
    bool is_there = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < nloaded && !is_there; i++)
        if (!strcmp(loaded[i].name, name)) {
            *plugin = loaded[i].plugin;
            is_there = true;
        }
    if (!is_there)
        err = nloaded < MOST_PLUGINS && strlen(name) < MOST_NAME
                  ? load(name, what, plugin)
                  : PCDF_FAIL(NC_EINVAL, "%s: there is no plug-in %s", what, name);
    pthread_mutex_unlock(&lock);
    return err;
}

char *pcdf_plugin_program(const char *name)
{
    char path[2 * PATH_MAX];
    pthread_mutex_lock(&lock);
    char *found = find_file(name, path) && access(path, X_OK) == 0 ? pcdf_strndup(path, strlen(path)) : NULL;
    pthread_mutex_unlock(&lock);
    return found;
}

const char *pcdf_plugin_folder(void)
{
    return looked_in();
}
