/* One process of the test `locks`: changes a file and stops in the middle of it, opens it, or looks at it.
 *
 *   moving change FILE     makes it and moves all its data; in the first round it makes FILE.moving and waits
 *                          until FILE.go is there
 *   moving open FILE       for writing, and prints the code and the sentence
 *   moving values FILE     prints old, new or wrong */
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { N = 40000 };
static int values[N];
static char moving[1100], go[1100];

static void wait_in_it(const char *path, long long done, long long total, void *context)
{
    (void)path, (void)done, (void)total, (void)context;
    if (access(moving, F_OK) == 0)
        return;
    FILE *f = fopen(moving, "w");
    if (f)
        fclose(f);
    for (int i = 0; i < 3000 && access(go, F_OK) != 0; i++)
        usleep(10000);
}

static int change(const char *path, MPI_Info info)
{
    static char text[3000];
    int ncid, dim, var, bad = 0;
    memset(text, 'h', sizeof text);
    bad |= ncmpi_create(MPI_COMM_SELF, path, NC_CLOBBER | NC_64BIT_OFFSET, info, &ncid);
    bad |= ncmpi_def_dim(ncid, "x", N, &dim);
    bad |= ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &var);
    bad |= ncmpi_enddef(ncid);
    bad |= ncmpi_put_var_int_all(ncid, var, values);
    bad |= ncmpi_sync(ncid);
    parcdf_set_progress(wait_in_it, NULL);
    bad |= ncmpi_redef(ncid);
    bad |= ncmpi_put_att_text(ncid, NC_GLOBAL, "history", sizeof text, text);
    bad |= ncmpi_enddef(ncid);
    bad |= ncmpi_close(ncid);
    return bad != 0;
}

static int look(const char *path, MPI_Info info)
{
    static int got[N];
    int ncid, id;
    int err = ncmpi_open(MPI_COMM_SELF, path, NC_NOWRITE, info, &ncid);
    if (!err)
        err = ncmpi_get_var_int_all(ncid, 0, got);
    bool is_right = !err && memcmp(got, values, sizeof values) == 0;
    puts(err                                                ? ncmpi_strerrno(err)
         : !is_right                                        ? "wrong"
         : ncmpi_inq_attid(ncid, NC_GLOBAL, "history", &id) ? "old"
                                                            : "new");
    return err ? 1 : ncmpi_close(ncid);
}

int main(int argc, char **argv)
{
    int ncid, err = 1;
    MPI_Info info;
    MPI_Init(&argc, &argv);
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_engine", "posix");
    MPI_Info_set(info, "nc_data_move_chunk_size", "4096");
    for (int i = 0; i < N; i++)
        values[i] = i * 7 % 1009;
    if (argc == 3) {
        snprintf(moving, sizeof moving, "%s.moving", argv[2]);
        snprintf(go, sizeof go, "%s.go", argv[2]);
    }
    if (argc == 3 && strcmp(argv[1], "change") == 0) {
        err = change(argv[2], info);
    } else if (argc == 3 && strcmp(argv[1], "values") == 0) {
        err = look(argv[2], info);
    } else if (argc == 3) {
        err = ncmpi_open(MPI_COMM_SELF, argv[2], NC_WRITE, info, &ncid);
        printf("%s %s\n", ncmpi_strerrno(err), err ? parcdf_last_error() : "");
        err = err ? 0 : ncmpi_close(ncid);
    }
    MPI_Info_free(&info);
    MPI_Finalize();
    return err != 0;
}
