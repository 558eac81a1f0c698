# What lets others find an installed library, under one of its two names: the CMake package and the pkg-config file.
#
#   pcdf_package(PACKAGE LIBRARY VERSION COMPATIBILITY COMPONENT)
#
# installs the targets LIBRARY_shared and LIBRARY_static with lib/cmake/PACKAGE and lib/pkgconfig/LIBRARY.pc, all in the
# install component COMPONENT. Targets for others: PACKAGE::PACKAGE (shared), PACKAGE::PACKAGE_C (the same),
# PACKAGE::PACKAGE_static, and PACKAGE::PACKAGE_Fortran and _Fortran_static where Fortran is built: LIBRARY_fortran_shared
# and _static with their own LIBRARY-fortran.pc, or, where there are none, the libraries themselves.
#
# Nothing installed names the prefix: every file finds it from where it lies, so that an installed tree may be moved and
# `cmake --install --prefix` may name another place than was configured.
include(CMakePackageConfigHelpers)
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
set(pc_requires libutf8proc ${PARCDF_MPI_MODULE})
list(JOIN pc_requires ", " pc_requires)

# Includes and libraries of a target whose other users are outside: what the package's config file finds for them.
function(pcdf_exported target package)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${public_folder}>
                             $<INSTALL_INTERFACE:${PARCDF_INSTALL_INCLUDE}>)
  target_link_libraries(${target} PUBLIC $<BUILD_INTERFACE:MPI::MPI_C> $<INSTALL_INTERFACE:${package}::mpi>)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    target_link_libraries(${target} PUBLIC $<BUILD_INTERFACE:PkgConfig::utf8proc> $<INSTALL_INTERFACE:${package}::utf8proc>)
  else()
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:PkgConfig::utf8proc>)
  endif()
endfunction()

function(pcdf_package package library package_version compatibility component)
  set(place ${CMAKE_INSTALL_LIBDIR}/cmake/${package})
  set(has_fortran ${PARCDF_HAS_FORTRAN})
  foreach(part IN ITEMS shared static fortran_shared fortran_static)
    set(target ${library}_${part})
    if(NOT TARGET ${target})
      continue()
    endif()
    string(REPLACE "shared" "" suffix "${part}")
    string(REGEX REPLACE "_$" "" suffix "${suffix}")
    string(REPLACE "fortran" "Fortran" suffix "${suffix}")
    string(JOIN "_" name ${package} ${suffix})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    # A file for each, as each needs other things to be found; namelink and library go together.
    install(TARGETS ${target} EXPORT ${name}Targets
            LIBRARY COMPONENT ${component} NAMELINK_COMPONENT ${component} ARCHIVE COMPONENT ${component})
    install(EXPORT ${name}Targets NAMESPACE ${package}:: DESTINATION ${place} COMPONENT ${component})
  endforeach()

  configure_package_config_file(cmake/PackageConfig.cmake.in ${package}Config.cmake INSTALL_DESTINATION ${place}
                                NO_SET_AND_CHECK_MACRO)
  write_basic_package_version_file(${package}ConfigVersion.cmake VERSION ${package_version} COMPATIBILITY ${compatibility})
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${package}Config.cmake ${CMAKE_CURRENT_BINARY_DIR}/${package}ConfigVersion.cmake
          DESTINATION ${place} COMPONENT ${component})

  set(pc_name ${package})
  set(pc_public "")
  set(pc_private "${pc_requires}")
  set(fortran_target ${library}_fortran_shared)
  get_target_property(library ${library}_shared OUTPUT_NAME)
  configure_file(cmake/library.pc.in ${library}.pc @ONLY)
  set(pc_files ${library}.pc)
  if(TARGET ${fortran_target})
    set(pc_name "${package} for Fortran")
    set(pc_public ${library})
    set(pc_private "")
    set(library ${library}_fortran)
    configure_file(cmake/library.pc.in ${package}-fortran.pc @ONLY)
    list(APPEND pc_files ${package}-fortran.pc)
  endif()
  list(TRANSFORM pc_files PREPEND ${CMAKE_CURRENT_BINARY_DIR}/)
  install(FILES ${pc_files} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${component})
endfunction()
