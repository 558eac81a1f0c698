# What lets others find an installed library, under one of its two names: the CMake package and the pkg-config file.
#
#   pcdf_package(PACKAGE LIBRARY VERSION COMPATIBILITY COMPONENT)
#
# installs the targets LIBRARY_shared and LIBRARY_static with lib/cmake/PACKAGE and lib/pkgconfig/LIBRARY.pc, all in the
# install component COMPONENT. Targets for others: PACKAGE::PACKAGE (shared), PACKAGE::PACKAGE_C (the same),
# PACKAGE::PACKAGE_static, and PACKAGE::PACKAGE_Fortran and _Fortran_static where Fortran is built: LIBRARY_fortran_shared
# and _static with their own LIBRARY-fortran.pc, or, where there are none, the libraries themselves.
#
# BUILD_SHARED_LIBS chooses the kinds that are installed: ON the shared libraries, OFF the static ones; unset, both. Where only
# one kind is, its targets have the plain names, and the .pc file and pnetcdf-config tell all that a static library needs.
#
# PARCDF_FLAVOUR=NAME puts several builds, each of another MPI library, into one prefix (as Debian does with HDF5):
#
#   LIBDIR/libparcdf_NAME.so.0                        found by the loader, as its soname is its own
#   LIBDIR/parcdf/NAME/libparcdf.so and .a            the link and the archive, so that programs are linked with -lparcdf
#   LIBDIR/pkgconfig/parcdf-NAME.pc, LIBDIR/cmake/parcdf-NAME/
#   INCLUDEDIR                                        is chosen by the caller: include/parcdf/NAME
#
# find_package(parcdf) takes the one whose MPI library is the project's (PackageVersion.cmake.in). The drop-in keeps its names.
#
# Nothing installed names the prefix: every file finds it from where it lies, so that an installed tree may be moved and
# `cmake --install --prefix` may name another place than was configured.
include(CMakePackageConfigHelpers)
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")

set(installed_kinds shared static)
set(SHARED_objects "")
set(STATIC_objects "")
if(DEFINED BUILD_SHARED_LIBS)
  set(installed_kinds static)
  if(BUILD_SHARED_LIBS)
    set(installed_kinds shared)
  endif()
endif()

# What a static library needs, unless it has it in it.
# Not as a module of pkg-config: its flags for the compiler (-DUTF8PROC_EXPORTS) are no business of our users.
set(utf8proc_libs -lutf8proc)
foreach(folder IN LISTS utf8proc_LIBRARY_DIRS)
  list(PREPEND utf8proc_libs "-L${folder}")
endforeach()
list(JOIN utf8proc_libs " " utf8proc_libs)
set(config_libs "")
if(PARCDF_UTF8PROC_INSIDE)
  find_library(PARCDF_UTF8PROC_ARCHIVE libutf8proc.a HINTS ${utf8proc_LIBRARY_DIRS} ${utf8proc_LIBDIR})
  if(NOT PARCDF_UTF8PROC_ARCHIVE)
    message(FATAL_ERROR "PARCDF_UTF8PROC_INSIDE is on, but libutf8proc.a was not found")
  endif()
  set(utf8proc_libs "")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/utf8proc)
  file(REMOVE_RECURSE ${folder})
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND ${CMAKE_AR} x ${PARCDF_UTF8PROC_ARCHIVE} WORKING_DIRECTORY ${folder} RESULT_VARIABLE failed)
  file(GLOB STATIC_objects ${folder}/*)
  if(failed OR NOT STATIC_objects)
    message(FATAL_ERROR "${CMAKE_AR} takes nothing out of ${PARCDF_UTF8PROC_ARCHIVE}")
  endif()
  set_source_files_properties(${STATIC_objects} PROPERTIES EXTERNAL_OBJECT TRUE)
elseif(NOT "shared" IN_LIST installed_kinds)
  set(config_libs " ${utf8proc_libs}")
endif()

# The file name of a library, and where its archive and its link without a version go.
function(pcdf_named target name)
  set(own_name ${name})
  get_target_property(type ${target} TYPE)
  if(PARCDF_FLAVOUR AND type STREQUAL "SHARED_LIBRARY")
    set(own_name ${name}_${PARCDF_FLAVOUR})
  endif()
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${own_name})
endfunction()

# Installs the targets of a library that are of the kinds wanted; others are made only if something needs them.
function(pcdf_install_target target export library component)
  set(archive ${CMAKE_INSTALL_LIBDIR})
  set(namelink "")
  if(target STREQUAL "pnetcdf_shared") # libparcdf.so is another library's
    set(namelink NAMELINK_SKIP)
  endif()
  if(PARCDF_FLAVOUR AND library MATCHES "^parcdf")
    set(archive ${CMAKE_INSTALL_LIBDIR}/parcdf/${PARCDF_FLAVOUR})
    set(namelink NAMELINK_SKIP)
    if(target MATCHES "shared$")
      string(REGEX REPLACE "_shared$" "" name ${target})
      set(link ${CMAKE_CURRENT_BINARY_DIR}/links/lib${name}.so)
      file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/links)
      file(CREATE_LINK ../../lib${name}_${PARCDF_FLAVOUR}.so.${PROJECT_VERSION_MAJOR} ${link} SYMBOLIC)
      install(FILES ${link} DESTINATION ${archive} COMPONENT ${component})
    endif()
  endif()
  install(TARGETS ${target} EXPORT ${export}
          LIBRARY COMPONENT ${component} NAMELINK_COMPONENT ${component} ${namelink}
          ARCHIVE DESTINATION ${archive} COMPONENT ${component})
endfunction()

# Includes and libraries of a target whose other users are outside: what the package's config file finds for them.
function(pcdf_exported target package)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${public_folder}>
                             $<INSTALL_INTERFACE:${PARCDF_INSTALL_INCLUDE}>)
  target_link_libraries(${target} PUBLIC $<BUILD_INTERFACE:MPI::MPI_C> $<INSTALL_INTERFACE:${package}::mpi>)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY" AND NOT PARCDF_UTF8PROC_INSIDE)
    target_link_libraries(${target} PUBLIC $<BUILD_INTERFACE:PkgConfig::utf8proc> $<INSTALL_INTERFACE:${package}::utf8proc>)
  elseif(type STREQUAL "SHARED_LIBRARY")
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:PkgConfig::utf8proc> m)
  endif()
endfunction()

function(pcdf_package package library package_version compatibility component)
  set(pc_libdir ${CMAKE_INSTALL_LIBDIR})
  set(suffix_of_files "")
  if(PARCDF_FLAVOUR AND library STREQUAL "parcdf")
    set(suffix_of_files -${PARCDF_FLAVOUR})
    string(APPEND pc_libdir /parcdf/${PARCDF_FLAVOUR})
  endif()
  set(place ${CMAKE_INSTALL_LIBDIR}/cmake/${package}${suffix_of_files})
  set(has_fortran ${PARCDF_HAS_FORTRAN})
  foreach(part IN ITEMS shared static fortran_shared fortran_static)
    set(target ${library}_${part})
    if(NOT TARGET ${target})
      continue()
    endif()
    string(REGEX REPLACE "^fortran_" "" kind ${part})
    if(NOT kind IN_LIST installed_kinds)
      set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL TRUE)
      continue()
    endif()
    string(REPLACE "shared" "" suffix "${part}")
    string(REGEX REPLACE "_$" "" suffix "${suffix}")
    string(REPLACE "fortran" "Fortran" suffix "${suffix}")
    string(JOIN "_" name ${package} ${suffix})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    # A file for each, as each needs other things to be found; namelink and library go together.
    pcdf_install_target(${target} ${name}Targets ${library} ${component})
    install(EXPORT ${name}Targets NAMESPACE ${package}:: DESTINATION ${place} COMPONENT ${component})
  endforeach()

  configure_package_config_file(cmake/PackageConfig.cmake.in ${package}Config.cmake INSTALL_DESTINATION ${place}
                                NO_SET_AND_CHECK_MACRO)
  write_basic_package_version_file(${package}BasicVersion.cmake VERSION ${package_version} COMPATIBILITY ${compatibility})
  file(READ ${CMAKE_CURRENT_BINARY_DIR}/${package}BasicVersion.cmake basic_version)
  configure_file(cmake/PackageVersion.cmake.in ${package}ConfigVersion.cmake @ONLY)
  configure_file(cmake/PackageMpi.cmake.in ${package}Mpi.cmake @ONLY)
  set(config_files Config ConfigVersion Mpi)
  list(TRANSFORM config_files REPLACE "(.+)" "${CMAKE_CURRENT_BINARY_DIR}/${package}\\1.cmake")
  install(FILES ${config_files}
          DESTINATION ${place} COMPONENT ${component})

  set(pc_name ${package})
  set(pc_public "")
  set(pc_private "${PARCDF_MPI_MODULE}")
  set(pc_libs "")
  set(pc_libs_private "${utf8proc_libs}")
  if(NOT "shared" IN_LIST installed_kinds) # every program is linked with what the archive needs
    set(pc_public "${PARCDF_MPI_MODULE}")
    set(pc_private "")
    set(pc_libs " ${utf8proc_libs}")
    set(pc_libs_private "")
  endif()
  set(fortran_target ${library}_fortran_shared)
  if(library STREQUAL "parcdf")
    set(library ${PARCDF_NAME})
  endif()
  set(pc_files ${library}${suffix_of_files}.pc)
  configure_file(cmake/library.pc.in ${pc_files} @ONLY)
  if(TARGET ${fortran_target})
    set(pc_name "${package} for Fortran")
    set(pc_public ${library}${suffix_of_files})
    set(pc_private "")
    set(pc_libs "")
    set(pc_libs_private "")
    set(library ${library}_fortran)
    configure_file(cmake/library.pc.in ${package}${suffix_of_files}-fortran.pc @ONLY)
    list(APPEND pc_files ${package}${suffix_of_files}-fortran.pc)
  endif()
  list(TRANSFORM pc_files PREPEND ${CMAKE_CURRENT_BINARY_DIR}/)
  install(FILES ${pc_files} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${component})
endfunction()
