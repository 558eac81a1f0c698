# libparcdf-hdf4.so, where libhdf4 is found.
find_path(PARCDF_HDF4_INCLUDE mfhdf.h PATH_SUFFIXES hdf)
find_library(PARCDF_MFHDF_LIBRARY NAMES mfhdfalt mfhdf)
find_library(PARCDF_DF_LIBRARY NAMES dfalt df)
mark_as_advanced(PARCDF_HDF4_INCLUDE PARCDF_MFHDF_LIBRARY PARCDF_DF_LIBRARY)
if(PARCDF_HDF4_INCLUDE AND PARCDF_MFHDF_LIBRARY AND PARCDF_DF_LIBRARY)
  message(STATUS "plug-in hdf4: ${PARCDF_MFHDF_LIBRARY}")
  pcdf_plugin(hdf4 ${PARCDF_MFHDF_LIBRARY} ${PARCDF_DF_LIBRARY})
  target_include_directories(parcdf_hdf4 PRIVATE ${PROJECT_SOURCE_DIR}/src/base) # codes.h: numbers
  # libhdf4's headers are for h4file.c alone: they define netCDF's names in another way.
  set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/hdf4/h4file.c PROPERTIES COMPILE_OPTIONS "-isystem;${PARCDF_HDF4_INCLUDE}")
  set(PARCDF_HAS_HDF4_PLUGIN TRUE PARENT_SCOPE)
else()
  message(STATUS "plug-in hdf4: no libhdf4")
endif()
