// The C++ interface as it is installed: one program, which needs no flags beyond those of a C program.
#include <pnetcdf>
#include <iostream>

using namespace PnetCDF;

static bool run(const std::string &path, int rank, int ranks)
{
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace, NcmpiFile::classic5);
    const NcmpiVar v = file.addVar("v", ncmpiFloat, file.addDim("x", 4 * ranks));
    v.putAtt("units", "m");
    const std::vector<float> out(4, 1.5F + static_cast<float>(rank));
    v.putVar_all({ 4 * rank }, { 4 }, out.data());
    std::vector<float> in(static_cast<std::size_t>(4 * ranks));
    v.getVar_all(in.data());
    file.close();
    return in.front() == 1.5F && in.back() == 0.5F + static_cast<float>(ranks);
}

int main(int argc, char **argv)
{
    int rank, ranks, good = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    try {
        good = run(argc > 1 ? argv[1] : "client.nc", rank, ranks);
    } catch (const exceptions::NcmpiException &e) {
        std::cerr << e.what() << '\n';
    }
    MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0 && all)
        std::cout << "client: good with the C++ interface\n";
    MPI_Finalize();
    return !all;
}
