# The target man: the manual pages, written by manpages.py to PARCDF_MAN_DIR (man1, man3), and those of the drop-in's
# commands beside it. Without Python there are none.
find_program(Python3_EXECUTABLE NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_package(Python3 COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  message(STATUS "no Python: no manual pages")
  return()
endif()

file(GLOB man_sources CONFIGURE_DEPENDS include/*.h programs/*.c programs/*/*.c programs/*.def src/plugins/maphost.c src/base/hintrows.def examples/*.c cmake/*.in)
set(man_stamp ${CMAKE_BINARY_DIR}/man.stamp)
add_custom_command(OUTPUT ${man_stamp}
                   COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/manpages.py ${PARCDF_MAN_DIR} ${PARCDF_MAN_DIR}-dropin
                   COMMAND ${CMAKE_COMMAND} -E touch ${man_stamp}
                   DEPENDS ${man_sources} ${CMAKE_CURRENT_LIST_DIR}/manpages.py
                   COMMENT "Writing the manual pages" VERBATIM)
add_custom_target(man ALL DEPENDS ${man_stamp})
if(PARCDF_DROP_IN)
  install(DIRECTORY ${PARCDF_MAN_DIR}-dropin/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT dropin)
endif()
