# libparcdf-hdf5.so, where libhdf5 is found: its serial build where there is one, whichever MPI the library itself is built with. A
# parallel one will do, as Spack and EasyBuild have it: nothing here calls MPI, but its headers include mpi.h.
pkg_search_module(hdf5 QUIET IMPORTED_TARGET hdf5-serial hdf5)
if(hdf5_FOUND AND NOT hdf5_VERSION VERSION_LESS 1.10.5) # H5Dget_num_chunks
  message(STATUS "plug-in hdf5: libhdf5 ${hdf5_VERSION}")
  pcdf_plugin(hdf5 PkgConfig::hdf5)
  target_include_directories(parcdf_hdf5 PRIVATE ${PROJECT_SOURCE_DIR}/src/base) # codes.h: numbers
  target_include_directories(parcdf_hdf5 SYSTEM PRIVATE $<TARGET_PROPERTY:MPI::MPI_C,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(parcdf_hdf5 PRIVATE H5_USE_110_API)
else()
  message(STATUS "plug-in hdf5: no libhdf5")
endif()
