# lib/pkgconfig/parcdf.pc. The prefix is found from where the file lies, so that an installed tree may be moved and
# `cmake --install --prefix` may name another place than was configured.
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
set(pc_requires libutf8proc ${PARCDF_MPI_MODULE})
list(JOIN pc_requires ", " pc_requires)
configure_file(cmake/parcdf.pc.in parcdf.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/parcdf.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
