# The target uninstall: takes away what the last install of this build folder put somewhere, and nothing else. Included before
# the first rule of installation, since the folders that are already there are noted before anything is copied.
#
# CMake writes the paths of installed files to install_manifest*.txt, without DESTDIR; of folders it writes nothing. So a
# step of the installation notes which of the folders that others may use, too, were there before (UninstallSteps.cmake).
set(uninstall_folders "")
foreach(folder IN ITEMS BINDIR INCLUDEDIR LIBDIR DATADIR MANDIR DOCDIR)
  list(APPEND uninstall_folders "${CMAKE_INSTALL_${folder}}")
endforeach()
foreach(below IN ITEMS parcdf cmake pkgconfig)
  list(APPEND uninstall_folders ${CMAKE_INSTALL_LIBDIR}/${below})
endforeach()
set(PARCDF_ZSH_FOLDER ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "where zsh looks for functions, below the prefix")
list(APPEND uninstall_folders ${CMAKE_INSTALL_MANDIR}/man1 ${CMAKE_INSTALL_MANDIR}/man3 ${PARCDF_ZSH_FOLDER}
            ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

foreach(component IN ITEMS parcdf dropin)
  install(CODE "set(PCDF_BUILD \"${CMAKE_CURRENT_BINARY_DIR}\")\nset(PCDF_FOLDERS \"${uninstall_folders}\")\n\
include(\"${CMAKE_CURRENT_LIST_DIR}/UninstallSteps.cmake\")\npcdf_note_folders()" COMPONENT ${component})
endforeach()
if(NOT TARGET uninstall)
  add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DPCDF_BUILD=${CMAKE_CURRENT_BINARY_DIR}
                    -P ${CMAKE_CURRENT_LIST_DIR}/UninstallSteps.cmake VERBATIM)
endif()
