// Instructions of puts and gets by C++ and by C, for callgrind: costloops_cxx cxx|c N FILE
#include <pnetcdf>
#include <cstdlib>

using namespace PnetCDF;

extern "C" void cost_measured(void);
extern "C" __attribute__((noinline)) void cost_measured(void)
{
    __asm__ volatile("");
}

static int loops(bool by_cxx, int n, const char *path)
{
    NcmpiFile file(MPI_COMM_SELF, path, NcmpiFile::replace);
    const NcmpiVar v = file.addVar("v", ncmpiInt, file.addDim("x", 8));
    file.enddef();
    const std::vector<MPI_Offset> start(1, 2), count(1, 4);
    const int values[4] = { 1, 2, 3, 4 };
    int got[4] = { 0, 0, 0, 0 }, wrong = 0;
    const int ncid = file.getId(), varid = v.getId();
    cost_measured();
    for (int i = 0; i < n; i++) {
        if (by_cxx) {
            v.putVar_all(start, count, values);
            v.getVar_all(start, count, got);
        } else {
            wrong += ncmpi_put_vara_int_all(ncid, varid, start.data(), count.data(), values) != NC_NOERR;
            wrong += ncmpi_get_vara_int_all(ncid, varid, start.data(), count.data(), got) != NC_NOERR;
        }
    }
    cost_measured();
    return wrong + (got[3] != 4);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int wrong = loops(argv[1][1] == 'x', std::atoi(argv[2]), argv[3]);
    MPI_Finalize();
    return wrong != 0;
}
