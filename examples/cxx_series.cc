// The C++ interface: a time series of a field, of which each rank has some rows. Records are posted and
// written by one wait; every rank reads the rows of its right neighbour, as floats. An error is an exception:
// the program goes on after it.
//
//     mpicxx cxx_series.cc $(pkg-config --cflags --libs parcdf)
//     mpiexec -n 4 ./a.out [FILE]
//
// The file closes when the NcmpiFile ends, also when an exception ends it. A program that wants to know that
// everything is in the file calls close(), which throws what went wrong; a destructor must not throw.

#include <pnetcdf>
#include <iostream>

using PnetCDF::NcmpiDim;
using PnetCDF::NcmpiFile;
using PnetCDF::NcmpiVar;

namespace
{

const MPI_Offset rows = 3, columns = 5, steps = 4; // rows of each rank

double value_of(MPI_Offset step, MPI_Offset row, MPI_Offset column)
{
    return static_cast<double>(1000 * step + 10 * row + column);
}

void write(const std::string &path, int rank, int ranks)
{
    NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::replace, NcmpiFile::classic5);
    const NcmpiDim time = file.addDim("time"); // no length: unlimited
    const NcmpiDim y = file.addDim("y", rows * ranks), x = file.addDim("x", columns);
    const NcmpiVar height = file.addVar("height", PnetCDF::ncmpiDouble, { time, y, x });
    height.putAtt("units", "m");
    height.putAtt("valid_range", PnetCDF::ncmpiDouble, 2, std::vector<double>{ 0, 1e6 }.data());
    file.putAtt("title", "a series");

    // Each step keeps its memory until the wait; the first data call leaves define mode.
    std::vector<std::vector<double>> kept;
    std::vector<int> requests(steps), statuses(steps);
    for (MPI_Offset step = 0; step < steps; step++) {
        kept.push_back(std::vector<double>());
        for (MPI_Offset i = 0; i < rows * columns; i++)
            kept.back().push_back(value_of(step, rank * rows + i / columns, i % columns));
        height.iputVar({ step, rank * rows, 0 }, { 1, rows, columns }, kept.back().data(),
                       &requests[static_cast<std::size_t>(step)]);
    }
    file.Wait_all(static_cast<int>(steps), requests.data(), statuses.data());
    file.close();
}

int read(const std::string &path, int rank, int ranks)
{
    int wrong = 0;
    const NcmpiFile file(MPI_COMM_WORLD, path, NcmpiFile::read);
    const NcmpiVar height = file.getVar("height");
    std::string units;
    height.getAtt("units").getValues(units);
    wrong += units != "m" || height.getDim(0).getSize() != steps;

    const MPI_Offset first = (rank + 1) % ranks * rows;
    std::vector<float> got(static_cast<std::size_t>(steps * rows * columns));
    height.getVar_all({ 0, first, 0 }, { steps, rows, columns }, got.data()); // converted
    for (MPI_Offset i = 0; i < steps * rows * columns; i++)
        wrong += got[static_cast<std::size_t>(i)] !=
                 static_cast<float>(value_of(i / (rows * columns), first + i / columns % rows, i % columns));

    try {
        height.getVar_all({ steps, 0, 0 }, { 1, 1, 1 }, got.data()); // there is no such record
        wrong++;
    } catch (const PnetCDF::exceptions::NcmpiException &e) { // the file is still open, and good
        if (rank == 0)
            std::cout << "as expected, error " << e.errorCode() << ": " << e.what() << '\n';
    }
    return wrong;
}

} // namespace

int main(int argc, char **argv)
{
    int rank, ranks, wrong, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::string path = argc > 1 ? argv[1] : "cxx_series.nc";
    try {
        write(path, rank, ranks);
        wrong = read(path, rank, ranks);
    } catch (const std::exception &e) {
        std::cerr << e.what() << '\n';
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        std::cout << path << ": " << steps << " records of " << rows * ranks << " rows, " << all
                  << " values wrong\n";
    MPI_Finalize();
    return all != 0;
}
