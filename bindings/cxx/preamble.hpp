#ifndef PARCDF_PNETCDF_CXX
#define PARCDF_PNETCDF_CXX
// clang-format off
/* The C++ interface of PnetCDF 1.15: classes PnetCDF::NcmpiFile, NcmpiGroup, NcmpiDim, NcmpiVar, NcmpiAtt and others, and an
 * exception for each error. Written by bindings/cxx/cxxheader.py from the files beside it; do not edit.
 *
 *     #include <pnetcdf>
 *     PnetCDF::NcmpiFile file(MPI_COMM_WORLD, "rows.nc", PnetCDF::NcmpiFile::replace, PnetCDF::NcmpiFile::classic5);
 *     PnetCDF::NcmpiVar a = file.addVar("a", PnetCDF::ncmpiFloat, file.addDim("x", 10));
 *     a.putVar_all(start, count, values);
 *     file.close();
 *
 * Everything is inline and calls the C functions of pnetcdf.h: there is nothing to link but the C library, and a C++11 compiler
 * needs only the flags of C programs. Several source files of a program may include this header.
 *
 * Rules that hold for all classes:
 *   - A function that fails throws an exception of namespace PnetCDF::exceptions. what() has the sentence of
 *     parcdf_last_error(), and errorCode() has the number.
 *   - Objects of NcmpiGroup, NcmpiDim, NcmpiVar and NcmpiAtt are names (numbers of the C interface) of something in an open file.
 *     They own nothing and may be copied. After the file was closed, their functions throw NcBadId, also if another file got
 *     its number.
 *   - An NcmpiFile owns the open file. It cannot be copied, only moved. The destructor closes the file.
 *   - Functions that define something (add..., putAtt) enter define mode first. Collective functions that move data or wait leave it.
 *   - What is collective in C (pnetcdf.h says so) is collective here: all ranks of the file's communicator must call it. */

#include <atomic>
#include <exception>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

#include <cstring>
#include <utility>

/* The C++ bindings of MPI, which MPI 3 removed, are not used: a program needs no library for them. */
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>
#include <pnetcdf.h>

/* PnetCDF's header says this, and programs rely on it. Define PARCDF_NO_USING_NAMESPACE_STD to be without. */
#ifndef PARCDF_NO_USING_NAMESPACE_STD
namespace std {}
using namespace std;
#endif

/* As parcdf.h declares them. */
extern "C" {
PNETCDF_PUBLIC_API const char *parcdf_last_error(void);
PNETCDF_PUBLIC_API int parcdf_def_var_quantize(int ncid, int varid, int quantize_mode, int nsd);
PNETCDF_PUBLIC_API int parcdf_inq_var_quantize(int ncid, int varid, int *quantize_modep, int *nsdp);
PNETCDF_PUBLIC_API int parcdf_def_var_chunking(int ncid, int varid, int storage, const size_t *chunksizes);
PNETCDF_PUBLIC_API int parcdf_inq_var_chunking(int ncid, int varid, int *storagep, size_t *chunksizesp);
PNETCDF_PUBLIC_API int parcdf_def_var_deflate(int ncid, int varid, int shuffle, int deflate, int deflate_level);
PNETCDF_PUBLIC_API int parcdf_inq_var_deflate(int ncid, int varid, int *shufflep, int *deflatep, int *deflate_levelp);
PNETCDF_PUBLIC_API int parcdf_def_var_zstd(int ncid, int varid, int level);
PNETCDF_PUBLIC_API int parcdf_inq_var_zstd(int ncid, int varid, int *zstdp, int *levelp);
PNETCDF_PUBLIC_API int parcdf_def_var_szip(int ncid, int varid, int options_mask, int pixels_per_block);
PNETCDF_PUBLIC_API int parcdf_inq_var_szip(int ncid, int varid, int *options_maskp, int *pixels_per_blockp);
PNETCDF_PUBLIC_API int parcdf_def_var_fletcher32(int ncid, int varid, int fletcher32);
PNETCDF_PUBLIC_API int parcdf_inq_var_fletcher32(int ncid, int varid, int *fletcher32p);
}
