// Fixes that a C++ program uses the installed headers and library: prototypes with C linkage, constants as
// C++ sees them.
#include <mpi.h>
#include <pnetcdf.h>
#include <parcdf.h>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

static void check(int err)
{
    if (err != NC_NOERR)
        throw std::runtime_error(std::string(ncmpi_strerror(err)) + ": " + parcdf_last_error());
}

static void run(const std::string &path)
{
    int rank, ranks, ncid, dimid, varid;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    check(ncmpi_create(MPI_COMM_WORLD, path.c_str(), NC_CLOBBER, MPI_INFO_NULL, &ncid));
    check(ncmpi_def_dim(ncid, "x", 4 * ranks, &dimid));
    check(ncmpi_def_var(ncid, "v", NC_FLOAT, 1, &dimid, &varid));
    check(ncmpi_enddef(ncid));
    const std::vector<float> out(4, 1.5F + static_cast<float>(rank));
    const std::vector<MPI_Offset> start{ 4 * rank }, count{ 4 };
    check(ncmpi_put_vara_float_all(ncid, varid, start.data(), count.data(), out.data()));
    std::vector<float> in(static_cast<std::size_t>(4 * ranks), NC_FILL_FLOAT);
    check(ncmpi_get_var_float_all(ncid, varid, in.data()));
    if (in.back() != 0.5F + static_cast<float>(ranks) || in.front() != 1.5F)
        throw std::runtime_error("wrong values came back");
    check(ncmpi_close(ncid));
    if (rank == 0)
        std::cout << "client: good with parcdf " << parcdf_version() << " in C++\n";
}

int main(int argc, char **argv)
{
    int failed = 0;
    MPI_Init(&argc, &argv);
    try {
        run(argc > 1 ? argv[1] : "client.nc");
    } catch (const std::exception &e) {
        std::cerr << e.what() << '\n';
        failed = 1;
    }
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed;
}
