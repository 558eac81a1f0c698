// What the C++ tests run, as one program: its parts are headers, since to read `pnetcdf` and the standard
// library takes longer than to compile a part.
//
//     program CXX_FILE C_FILE [accesses]         accesses: this part alone
#include <pnetcdf>
#include <algorithm>
#include <cstdint>
#include <dlfcn.h>
#include <limits>
#include <parcdf.h>
#include <type_traits>
#include "job.hpp"

using namespace PnetCDF;

static bool enddef_fails; // on this rank: after it is done

// In place of the library's, for the header alone.
int ncmpi_enddef(int ncid)
{
    typedef int (*Function)(int);
    static const Function real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "ncmpi_enddef"));
    const int code = real(ncid);
    return enddef_fails ? NC_EWRITE : code;
}

#include "accesses.hpp"
#include "classes.hpp"
#include "errors.hpp"

int main(int argc, char **argv)
{
    Job here(&argc, &argv);
    job = &here;
    const std::string path = std::string(argv[1]) + ".more", outlives = path + std::to_string(here.rank);
    try {
        accesses::all(argv[1], argv[2]);
        if (argc == 3) {
            classes::all(path);
            errors::all(path);
        }
    } catch (const std::exception &e) {
        here.fail(__FILE__, __LINE__, e.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    // A file that lives longer than MPI: its destructor leaves it alone.
    static NcmpiFile lives(MPI_COMM_SELF, outlives, NcmpiFile::replace);
    unlink(outlives.c_str());
    return here.end();
}
