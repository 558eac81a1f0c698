# MPI's standard ABI (MPI 5.0, chapter 20): the target MPI::MPI_C with which PARCDF_MPI_ABI builds, in place of FindMPI's.
#
#   PARCDF_MPI_ABI_INCLUDE    a folder with an mpi.h of the standard ABI. Empty: FindMPI asks MPI_C_COMPILER, by default
#                             mpicc_abi, the compiler of an MPI for programs of this ABI
#   PARCDF_MPI_ABI_LIBRARY    with the folder: the libmpi_abi.so to link with. Empty: one is made of the header's names,
#                             for the linker alone. It is not installed, and no program runs with it
#   PARCDF_MPI_ABI_SONAME     libmpi_abi.so.1: what the library and its users ask the loader for, whatever MPI that is
#
# A library is linked, instead of leaving MPI's names undefined, so that libparcdf_abi.so can be loaded by programs that
# have no MPI before (Python's ctypes, a plug-in that is loaded with its names hidden), and so that the linker finds a
# name that the standard does not have.
option(PARCDF_MPI_ABI "build libparcdf_abi, for every MPI that has the standard ABI of MPI 5.0" OFF)
set(PARCDF_MPI_ABI_INCLUDE "" CACHE PATH "folder of an mpi.h of MPI's standard ABI; empty: as mpicc_abi says")
set(PARCDF_MPI_ABI_LIBRARY "" CACHE FILEPATH "libmpi_abi.so to link with; empty: made from mpi.h")
set(PARCDF_NAME parcdf) # of what is installed
set(PARCDF_INSTALL_INCLUDE ${CMAKE_INSTALL_INCLUDEDIR})
if(NOT PARCDF_MPI_ABI)
  return()
endif()
set(PARCDF_NAME parcdf_abi)
set(PARCDF_INSTALL_INCLUDE ${CMAKE_INSTALL_INCLUDEDIR}/parcdf_abi) # beside an ordinary parcdf's
foreach(without PARCDF_DROP_IN PARCDF_FORTRAN)
  if(${without} AND NOT "${${without}}" STREQUAL "AUTO")
    message(FATAL_ERROR "${without} is not for builds with PARCDF_MPI_ABI (doc/mpi-abi.md)")
  endif()
endforeach()
set(PARCDF_FORTRAN OFF CACHE STRING "the ABI is one of C" FORCE)

if(NOT PARCDF_MPI_ABI_INCLUDE)
  if(NOT MPI_C_COMPILER)
    find_program(MPI_C_COMPILER mpicc_abi DOC "MPI's compiler for programs of the standard ABI")
  endif()
  find_package(MPI REQUIRED COMPONENTS C)
  set(mpi_folders ${MPI_C_INCLUDE_DIRS})
else()
  set(mpi_folders ${PARCDF_MPI_ABI_INCLUDE})
endif()
find_file(mpi_abi_header mpi.h PATHS ${mpi_folders} NO_DEFAULT_PATH NO_CACHE)
set(abi_version "")
if(mpi_abi_header)
  file(STRINGS ${mpi_abi_header} abi_version REGEX "^#[ ]*define[ ]+MPI_ABI_VERSION[ ]+[0-9]+")
  string(REGEX MATCH "[0-9]+$" abi_version "${abi_version}")
endif()
if(NOT abi_version)
  message(FATAL_ERROR "PARCDF_MPI_ABI: no mpi.h of MPI's standard ABI in \"${mpi_folders}\" (it defines MPI_ABI_VERSION): "
                      "give the folder with -DPARCDF_MPI_ABI_INCLUDE=DIR, or an MPI's mpicc_abi with -DMPI_C_COMPILER")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${mpi_abi_header})
set(PARCDF_MPI_ABI_SONAME libmpi_abi.so.${abi_version})
message(STATUS "MPI: the standard ABI, version ${abi_version}, of ${mpi_abi_header}")
if(NOT PARCDF_MPI_ABI_INCLUDE)
  return()
endif()

# A library of the header's functions, which do nothing. The preprocessor finds them, as headers have them in macros and over
# several lines.
if(NOT PARCDF_MPI_ABI_LIBRARY)
  set(stub ${CMAKE_BINARY_DIR}/mpi_abi)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -E -P ${mpi_abi_header} OUTPUT_VARIABLE text RESULT_VARIABLE failed)
  string(REGEX MATCHALL "P?MPI_[A-Z][A-Za-z0-9_]*[ \n]*\\(" names "${text}")
  list(TRANSFORM names REPLACE "[ \n]*\\($" "")
  list(REMOVE_DUPLICATES names)
  if(failed OR NOT "MPI_Init" IN_LIST names)
    message(FATAL_ERROR "${mpi_abi_header}: the compiler finds no functions there")
  endif()
  list(TRANSFORM names REPLACE "(.+)" "void \\1(void) {}\n")
  string(JOIN "" text ${names})
  file(CONFIGURE OUTPUT ${stub}/names.c CONTENT "${text}")
  execute_process(COMMAND ${CMAKE_C_COMPILER} -shared -fPIC -Wl,-soname,${PARCDF_MPI_ABI_SONAME} -o ${stub}/libmpi_abi.so ${stub}/names.c
                  RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "no library could be made of ${mpi_abi_header}")
  endif()
  set(link -L${stub} -lmpi_abi) # not by its path, so that no program remembers where it lies
else()
  set(link ${PARCDF_MPI_ABI_LIBRARY})
endif()
add_library(MPI::MPI_C INTERFACE IMPORTED)
target_include_directories(MPI::MPI_C SYSTEM INTERFACE ${PARCDF_MPI_ABI_INCLUDE})
target_link_libraries(MPI::MPI_C INTERFACE ${link})
set(MPI_C_INCLUDE_DIRS ${PARCDF_MPI_ABI_INCLUDE})
