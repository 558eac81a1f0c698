# Which MPI FindMPI chose, and the launcher that belongs to it: where several are installed, plain mpiexec may be
# another one's.
#
#   PARCDF_MPI          openmpi, mpich or other; abi: the standard ABI
#   PARCDF_MPIEXEC      its launcher
#   PARCDF_MPI_MODULE   its pkg-config module, empty when there is none

# Enables C++ where there is a compiler for it. CMAKE_C_COMPILER=mpicc.mpich: FindMPI finds that this needs no flags, and so gives
# none to C++; there the wrapper for C++ of the same MPI is taken (mpicxx.mpich), or none.
macro(pcdf_enable_cxx)
  get_filename_component(wrapper_folder "${CMAKE_C_COMPILER}" DIRECTORY)
  get_filename_component(wrapper_name "${CMAKE_C_COMPILER}" NAME)
  if(NOT CMAKE_CXX_COMPILER AND wrapper_name MATCHES "^mpi[a-z]*cc")
    string(REPLACE "cc" "cxx" wrapper_name ${wrapper_name})
    find_program(CMAKE_CXX_COMPILER ${wrapper_name} PATHS ${wrapper_folder} NO_DEFAULT_PATH)
  endif()
  include(CheckLanguage)
  if(NOT DEFINED CMAKE_CXX_COMPILER)
    check_language(CXX)
  endif()
  if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
  endif()
endmacro()

if(PARCDF_MPI_ABI)
  set(PARCDF_MPI abi) # whichever runs: mpiio/mpilibrary.h asks it
  set(PARCDF_MPI_MODULE "")
  find_program(PARCDF_MPIEXEC NAMES mpiexec DOC "launcher of an MPI with the standard ABI")
  return()
endif()
include(CheckSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
check_symbol_exists(OPEN_MPI mpi.h PARCDF_HAVE_OPEN_MPI)
check_symbol_exists(MPICH_VERSION mpi.h PARCDF_HAVE_MPICH)
unset(CMAKE_REQUIRED_LIBRARIES)
if(PARCDF_HAVE_OPEN_MPI)
  set(PARCDF_MPI openmpi)
  set(modules ompi-c)
elseif(PARCDF_HAVE_MPICH)
  set(PARCDF_MPI mpich)
  set(modules mpich)
else()
  set(PARCDF_MPI other)
endif()

if(MPI_C_COMPILER)
  get_filename_component(mpi_bin ${MPI_C_COMPILER} DIRECTORY)
endif()
find_program(PARCDF_MPIEXEC NAMES mpiexec.${PARCDF_MPI} HINTS ${mpi_bin} DOC "launcher of the chosen MPI")
if(NOT PARCDF_MPIEXEC)
  set(PARCDF_MPIEXEC ${MPIEXEC_EXECUTABLE} CACHE FILEPATH "launcher of the chosen MPI" FORCE)
endif()

set(PARCDF_MPI_MODULE "")
foreach(module IN LISTS modules)
  pkg_check_modules(mpi_module QUIET ${module})
  if(mpi_module_FOUND)
    set(PARCDF_MPI_MODULE ${module})
  endif()
endforeach()
message(STATUS "MPI: ${PARCDF_MPI}, launched by ${PARCDF_MPIEXEC}")
