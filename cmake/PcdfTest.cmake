# Functions that add tests. A test exits 0 (good), 77 (skipped: something it needs is not here) or else (failed), and
# runs in a folder of its own below tests/run of the build tree.
#
#   pcdf_test(NAME [SOURCES file...] [RANKS n...] [LABELS label...] [LIBS lib...] [ARGS arg...] [TIMEOUT seconds] [SMOKE] [NO_TEST])
#       one program, NAME.c unless SOURCES are given; one test a number of ranks: NAME for 0 (no launcher, the default),
#       NAME.n2 for 2. MPICH's ranks spin, so with MPICH numbers above 2 are left out; SMOKE keeps them. NO_TEST: the
#       program alone.
#   pcdf_run(NAME COMMAND word... [RANKS n...] [LABELS ...] [TIMEOUT ...] [ENVIRONMENT A=b...] [SMOKE])
#       the same for a command that exists already, such as $<TARGET_FILE:program>.
#   pcdf_script(NAME file.py [ARGS arg...] [LABELS ...] [TIMEOUT ...] [ENVIRONMENT A=b...])
#       a script in Python, where there is one. A script that starts ranks itself has the label mpi and the machine to
#       itself; one that starts MPI without a launcher the label alone.
#
# LIBS is pcdf_internal (the static library and every layer's folder) unless given; pcdf_pure is base, format and storage,
# without MPI.
set(PARCDF_TEST_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
    OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_plm=isolated)
option(PARCDF_TEST_SERIAL "also the tests that the MPI library cannot change (labels unit and lint)" ON)
set(PARCDF_TEST_PREFIX "" CACHE STRING "put before the name of every test, to tell two builds apart")
if(PARCDF_SANITIZE)
  list(APPEND PARCDF_TEST_ENVIRONMENT UBSAN_OPTIONS=print_stacktrace=1)
endif()

find_program(Python3_EXECUTABLE NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH) # the one that has Debian's modules
find_package(Python3 COMPONENTS Interpreter)

# Object files do not travel through a library that is linked to, hence the sources.
add_library(pcdf_pure INTERFACE)
target_sources(pcdf_pure INTERFACE $<TARGET_OBJECTS:pcdf_base> $<TARGET_OBJECTS:pcdf_format> $<TARGET_OBJECTS:pcdf_storage>)
target_include_directories(pcdf_pure INTERFACE ${PROJECT_SOURCE_DIR}/src/storage ${PROJECT_SOURCE_DIR}/src/format ${PROJECT_SOURCE_DIR}/src/base)
target_link_libraries(pcdf_pure INTERFACE PkgConfig::utf8proc)

add_library(pcdf_internal INTERFACE)
target_link_libraries(pcdf_internal INTERFACE parcdf_static)
foreach(layer IN LISTS layers)
  target_include_directories(pcdf_internal INTERFACE $<TARGET_PROPERTY:${layer},INTERFACE_INCLUDE_DIRECTORIES>)
endforeach()

function(pcdf_run name)
  cmake_parse_arguments(PARSE_ARGV 1 T "SMOKE" "TIMEOUT" "COMMAND;RANKS;LABELS;ENVIRONMENT")
  if(NOT PARCDF_TEST_SERIAL AND NOT "alone" IN_LIST T_LABELS AND ("unit" IN_LIST T_LABELS OR "lint" IN_LIST T_LABELS))
    return()
  endif()
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 120)
  endif()
  if("${T_RANKS}" STREQUAL "")
    set(T_RANKS 0)
  endif()
  if(PARCDF_SANITIZE)
    math(EXPR T_TIMEOUT "3 * ${T_TIMEOUT}")
  endif()
  foreach(ranks IN LISTS T_RANKS)
    if(PARCDF_MPI STREQUAL "mpich" AND ranks GREATER 2 AND NOT T_SMOKE)
      continue()
    endif()
    set(test ${PARCDF_TEST_PREFIX}${name})
    set(launch "")
    set(labels ${T_LABELS})
    set(processors 1)
    if("mpi" IN_LIST labels)
      set(processors 16)
    endif()
    if(ranks GREATER 0)
      string(APPEND test .n${ranks})
      set(launch ${PARCDF_MPIEXEC} -n ${ranks})
      list(APPEND labels mpi)
      set(processors ${ranks})
    endif()
    set(environment ${PARCDF_TEST_ENVIRONMENT} ${T_ENVIRONMENT})
    # MPI libraries hold memory at exit; ours is counted (pcdf_alloc_now)
    if(PARCDF_SANITIZE AND ("mpi" IN_LIST labels OR "alone" IN_LIST labels))
      list(APPEND environment ASAN_OPTIONS=detect_leaks=0)
    endif()
    set(place ${CMAKE_BINARY_DIR}/tests/run/${test})
    file(MAKE_DIRECTORY ${place})
    add_test(NAME ${test} COMMAND ${launch} ${T_COMMAND} WORKING_DIRECTORY ${place})
    set_tests_properties(${test} PROPERTIES TIMEOUT ${T_TIMEOUT} SKIP_RETURN_CODE 77 LABELS "${labels}"
                         PROCESSORS ${processors} ENVIRONMENT "${environment}")
  endforeach()
endfunction()

function(pcdf_script name script)
  if(NOT Python3_FOUND)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 2 T "" "TIMEOUT" "ARGS;LABELS;ENVIRONMENT")
  get_filename_component(script ${script} ABSOLUTE)
  pcdf_run(${name} COMMAND ${Python3_EXECUTABLE} -B ${script} ${T_ARGS} LABELS ${T_LABELS} TIMEOUT ${T_TIMEOUT}
           ENVIRONMENT ${T_ENVIRONMENT})
endfunction()

function(pcdf_test name)
  cmake_parse_arguments(PARSE_ARGV 1 T "SMOKE;NO_TEST" "TIMEOUT" "SOURCES;RANKS;LABELS;LIBS;ARGS")
  if(NOT T_LIBS)
    set(T_LIBS pcdf_internal)
  endif()
  if(NOT T_SOURCES)
    set(T_SOURCES ${name}.c)
  endif()
  add_executable(${name} ${T_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
  target_link_libraries(${name} PRIVATE ${T_LIBS} m)
  if(T_NO_TEST)
    return()
  endif()
  set(flags "")
  if(T_SMOKE)
    set(flags SMOKE)
  endif()
  pcdf_run(${name} COMMAND $<TARGET_FILE:${name}> ${T_ARGS} RANKS ${T_RANKS} LABELS ${T_LABELS} TIMEOUT ${T_TIMEOUT} ${flags})
endfunction()
