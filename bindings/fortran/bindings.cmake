# Whether the Fortran interfaces are built, and with what; then CMakeLists.txt beside this file builds them. Included at the
# top, as a language belongs to all folders below.
#
#   PARCDF_HAS_FORTRAN             whether they are built
#   PARCDF_FORTRAN_LIBRARY_NAME    parcdf_fortran, of the targets parcdf_fortran_shared and _static
#   PARCDF_FORTRAN_OBJECTS         their objects, for a library that is to have all in one
#
# gfortran 12 is the first whose descriptors (ISO_Fortran_binding.h) tell all that put and get must know.
set(PARCDF_FORTRAN AUTO CACHE STRING "the Fortran interfaces: ON, OFF or AUTO (where gfortran 12 and MPI's Fortran wrapper are)")
set_property(CACHE PARCDF_FORTRAN PROPERTY STRINGS AUTO ON OFF)
set(PARCDF_HAS_FORTRAN FALSE)
set(PARCDF_FORTRAN_LIBRARY_NAME "")
set(PARCDF_FORTRAN_OBJECTS "")
set(fortran_missing "")

if(PARCDF_FORTRAN STREQUAL "AUTO" AND PARCDF_SANITIZE)
  set(fortran_missing "a sanitizer is on")
elseif(PARCDF_FORTRAN)
  include(CheckLanguage)
  check_language(Fortran)
  if(CMAKE_Fortran_COMPILER)
    enable_language(Fortran)
    # The wrapper that belongs to MPI's C wrapper: mpicc.openmpi, mpif90.openmpi.
    get_filename_component(mpi_wrapper "${MPI_C_COMPILER}" NAME)
    if(NOT MPI_Fortran_COMPILER AND mpi_wrapper MATCHES "^mpicc")
      get_filename_component(mpi_folder "${MPI_C_COMPILER}" DIRECTORY)
      string(REPLACE "mpicc" "mpif90" mpi_wrapper "${mpi_wrapper}")
      find_program(MPI_Fortran_COMPILER NAMES ${mpi_wrapper} HINTS ${mpi_folder} DOC "MPI's Fortran wrapper")
    endif()
    find_package(MPI QUIET COMPONENTS Fortran)
    execute_process(COMMAND ${CMAKE_Fortran_COMPILER} -print-file-name=include OUTPUT_VARIABLE PARCDF_FORTRAN_INCLUDES
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  if(NOT CMAKE_Fortran_COMPILER)
    set(fortran_missing "there is no Fortran compiler")
  elseif(NOT CMAKE_Fortran_COMPILER_ID STREQUAL "GNU" OR CMAKE_Fortran_COMPILER_VERSION VERSION_LESS 12)
    set(fortran_missing "${CMAKE_Fortran_COMPILER} is not gfortran 12 or newer")
  elseif(NOT EXISTS "${PARCDF_FORTRAN_INCLUDES}/ISO_Fortran_binding.h")
    set(fortran_missing "ISO_Fortran_binding.h of ${CMAKE_Fortran_COMPILER} was not found")
  elseif(NOT MPI_Fortran_FOUND)
    set(fortran_missing "MPI's Fortran interface was not found")
  endif()
else()
  set(fortran_missing "PARCDF_FORTRAN is off")
endif()

if(fortran_missing STREQUAL "")
  set(PARCDF_HAS_FORTRAN TRUE)
  set(PARCDF_FORTRAN_LIBRARY_NAME parcdf_fortran)
  set(PARCDF_FORTRAN_OBJECTS $<TARGET_OBJECTS:parcdf_fortran_objects>)
  message(STATUS "Fortran: ${CMAKE_Fortran_COMPILER} ${CMAKE_Fortran_COMPILER_VERSION}")
  add_subdirectory(bindings/fortran)
elseif(PARCDF_FORTRAN AND NOT PARCDF_FORTRAN STREQUAL "AUTO")
  message(FATAL_ERROR "PARCDF_FORTRAN is on, but ${fortran_missing}")
else()
  message(STATUS "Fortran: no, ${fortran_missing}")
endif()
