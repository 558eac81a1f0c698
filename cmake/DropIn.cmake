# The drop-in (-DPARCDF_DROP_IN=ON, install component dropin): the same objects under PnetCDF's names, for programs and
# build systems that look for those. It cannot share a prefix with PnetCDF itself.
#
#   libpnetcdf.so, .a, pnetcdf.pc, PnetCDFConfig.cmake    linked and found as PnetCDF
#   libparcdf.so.0p                                       the library: what is linked with -lpnetcdf needs this name
#   libpnetcdf.so.0d, libpnetcdf.so.8                     links to it, for programs that were linked with PnetCDF
#   pnetcdf-config, pnetcdf_version                       its questions, answered for this library
#   ncvalidator, ncoffsets, ...                           `parcdf` under those names, which it knows (programs/aliases.def)
set(PARCDF_DROP_IN_SOVERSIONS "0d;8" CACHE STRING "what follows libpnetcdf.so. in the names of PnetCDF that lead to the drop-in; Debian's programs ask for 0d, those of PnetCDF 1.15 for 8")

file(STRINGS include/pnetcdf.h lines REGEX "^#define PNETCDF_(VERSION|RELEASE_DATE) ")
string(REGEX MATCH "VERSION \"([^\"]+)\"" ignored "${lines}")
set(peer_version ${CMAKE_MATCH_1})
string(REGEX MATCH "RELEASE_DATE \"([^\"]+)\"" ignored "${lines}")
set(peer_date ${CMAKE_MATCH_1})

foreach(kind SHARED STATIC)
  string(TOLOWER pnetcdf_${kind} target)
  # PnetCDF has its Fortran interfaces in the same library; the objects need nothing of Fortran's own libraries.
  add_library(${target} ${kind} ${objects} ${PARCDF_FORTRAN_OBJECTS} ${${kind}_objects})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME pnetcdf LINKER_LANGUAGE C)
  pcdf_exported(${target} PnetCDF)
endforeach()
# A soname of ours: where PnetCDF itself is installed too, a program that needs PnetCDF's name would run on that without a
# word. It is not libparcdf's own, which has no Fortran in it.
set(folder ${CMAKE_CURRENT_BINARY_DIR}/dropin/lib)
set_target_properties(pnetcdf_shared PROPERTIES OUTPUT_NAME parcdf SOVERSION ${PROJECT_VERSION_MAJOR}p LIBRARY_OUTPUT_DIRECTORY ${folder}
                      LINK_OPTIONS "$<TARGET_PROPERTY:parcdf_shared,LINK_OPTIONS>")
file(MAKE_DIRECTORY ${folder})
set(peer_names libpnetcdf.so)
foreach(number IN LISTS PARCDF_DROP_IN_SOVERSIONS)
  list(APPEND peer_names libpnetcdf.so.${number})
endforeach()
foreach(name IN LISTS peer_names)
  file(CREATE_LINK libparcdf.so.${PROJECT_VERSION_MAJOR}p ${folder}/${name} SYMBOLIC)
  if("shared" IN_LIST installed_kinds)
    install(FILES ${folder}/${name} TYPE LIB COMPONENT dropin)
  endif()
endforeach()

pcdf_package(PnetCDF pnetcdf ${peer_version} SameMajorVersion dropin)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/installed/pnetcdf.h include/pnetcdf DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dropin)

# What the commands say of the build.
string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
string(STRIP "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}" c_flags)
string(STRIP "${CMAKE_Fortran_FLAGS} ${CMAKE_Fortran_FLAGS_${type}}" fortran_flags)
string(STRIP "${CMAKE_SHARED_LINKER_FLAGS}" ld_flags)
string(TIMESTAMP config_date "%a %b %d %H:%M:%S UTC %Y" UTC) # of SOURCE_DATE_EPOCH where that is set
# The C++ interface is a header: its users compile it, with the C++ wrapper of the same MPI or with any compiler. The C wrapper's
# name tells that of the C++ wrapper: mpicc.openmpi, Intel's mpiicc and mpiicx, Cray's cc. Another name tells nothing.
get_filename_component(mpi_wrapper "${MPI_C_COMPILER}" NAME)
get_filename_component(mpi_folder "${MPI_C_COMPILER}" DIRECTORY)
set(cxx_wrapper "${mpi_wrapper}")
foreach(pair IN ITEMS "mpicc=mpicxx" "mpiicc=mpiicpc" "mpiicx=mpiicpx" "cc$=CC")
  string(REPLACE "=" ";" pair ${pair})
  list(GET pair 0 c_name)
  list(GET pair 1 cxx_name)
  string(REGEX REPLACE "^${c_name}" "${cxx_name}" cxx_wrapper "${cxx_wrapper}")
endforeach()
set(cxx_compiler c++)
if(NOT cxx_wrapper STREQUAL mpi_wrapper)
  find_program(PARCDF_MPI_CXX NAMES ${cxx_wrapper} HINTS ${mpi_folder} DOC "MPI's C++ wrapper, which pnetcdf-config tells")
endif()
if(PARCDF_MPI_CXX)
  set(cxx_compiler ${PARCDF_MPI_CXX})
endif()
set(has_fortran no)
if(PARCDF_HAS_FORTRAN)
  set(has_fortran yes)
endif()
set(thread_safe disabled)
if(PARCDF_THREAD_SAFE)
  set(thread_safe enabled)
endif()
file(RELATIVE_PATH bin_to_prefix ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_PREFIX})
foreach(command IN ITEMS pnetcdf-config pnetcdf_version)
  configure_file(cmake/${command}.in dropin/${command} @ONLY)
  install(PROGRAMS ${CMAKE_CURRENT_BINARY_DIR}/dropin/${command} TYPE BIN COMPONENT dropin)
endforeach()

if(NOT PARCDF_PROGRAMS)
  return()
endif()

# The program knows itself by PnetCDF's names; those of netCDF-C, which it knows too, are netCDF-C's.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS programs/aliases.def)
file(STRINGS programs/aliases.def rows REGEX "^PCDF_TOOL_ALIAS")
foreach(row IN LISTS rows)
  string(REGEX MATCH "\"([^\"]+)\"" ignored "${row}")
  set(alias ${CMAKE_MATCH_1})
  if(NOT alias MATCHES "^(ncdump|ncgen|nccopy)$")
    file(CREATE_LINK parcdf ${CMAKE_CURRENT_BINARY_DIR}/dropin/${alias} SYMBOLIC)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dropin/${alias} TYPE BIN COMPONENT dropin)
  endif()
endforeach()
