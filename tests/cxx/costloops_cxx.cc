// Instructions of puts and gets, for callgrind, which counts each call of cost_measured: by C, by C++, and by
// C again.
//
//     costloops_cxx N FILE
#include <pnetcdf>
#include <cstdlib>

using namespace PnetCDF;

struct Measured {
    NcmpiVar v;
    int ncid, varid, n, wrong;
    std::vector<MPI_Offset> start, count;
    int values[4], got[4];
};

static void by_cxx(Measured &m)
{
    for (int i = 0; i < m.n; i++) {
        m.v.putVar_all(m.start, m.count, m.values);
        m.v.getVar_all(m.start, m.count, m.got);
    }
}

static void by_c(Measured &m)
{
    for (int i = 0; i < m.n; i++) {
        m.wrong +=
            ncmpi_put_vara_int_all(m.ncid, m.varid, m.start.data(), m.count.data(), m.values) != NC_NOERR;
        m.wrong += ncmpi_get_vara_int_all(m.ncid, m.varid, m.start.data(), m.count.data(), m.got) != NC_NOERR;
    }
}

extern "C" void cost_measured(void (*loop)(Measured &), Measured &m);
extern "C" __attribute__((noinline)) void cost_measured(void (*loop)(Measured &), Measured &m)
{
    loop(m);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int wrong;
    {
        NcmpiFile file(MPI_COMM_SELF, argv[2], NcmpiFile::replace);
        const NcmpiVar v = file.addVar("v", ncmpiInt, file.addDim("x", 8));
        file.enddef();
        Measured m = { v,     file.getId(), v.getId(),      std::atoi(argv[1]), 0,
                       { 2 }, { 4 },        { 1, 2, 3, 4 }, { 0, 0, 0, 0 } };
        by_c(m); // what only the first calls do is not counted
        cost_measured(by_c, m);
        cost_measured(by_cxx, m);
        cost_measured(by_c, m);
        wrong = m.wrong + (m.got[3] != 4);
    }
    MPI_Finalize();
    return wrong != 0;
}
