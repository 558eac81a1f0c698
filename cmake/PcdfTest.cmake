# Functions that add tests. A test exits 0 (good), 77 (skipped: something it needs is not here) or else (failed), and
# runs in a folder of its own below tests/run of the build tree.
#
#   pcdf_test(NAME [SOURCES file...] [RANKS n...] [LABELS label...] [LIBS lib...] [ARGS arg...] [TIMEOUT seconds] [IN build...] [NEEDS format...] [SMOKE] [NO_TEST])
#       one program, NAME.c unless SOURCES are given; one test a number of ranks: NAME for 0 (no launcher, the default),
#       NAME.n2 for 2. MPICH's ranks spin, so with MPICH numbers above 2 are left out; SMOKE keeps them. NO_TEST: the
#       program alone.
#   pcdf_run(NAME COMMAND word... [RANKS n...] [LABELS ...] [TIMEOUT ...] [ENVIRONMENT A=b...] [LOCK name] [IN build...] [NEEDS format...] [SMOKE])
#       the same for a command that exists already, such as $<TARGET_FILE:program>.
#   pcdf_script(NAME FILE.py [ARGS arg...] [LABELS ...] [TIMEOUT ...] [ENVIRONMENT A=b...] [LOCK name] [IN build...] [NEEDS format...])
#       a script in Python, where there is one. Tests with the same LOCK do not run at the same time. A script that starts ranks itself has the label mpi, and so has one that
#       starts MPI without a launcher.
#
# scripts/test has four builds: optimized (gcc, Open MPI), mpich (gcc, MPICH), abi (PARCDF_MPI_ABI; its tests are those of
# tests/abi/abitests.cmake, and IN says nothing of it) and sanitized (clang, Open MPI, Debug). With
# PARCDF_TEST_CI a build has its share of the tests alone: IN names the builds that run a test. Without IN: label lint
# optimized, others optimized and sanitized. mpich also runs those of PARCDF_TEST_MPICH, whatever IN says. mpich and sanitized run
# each on 2 ranks, or on the first number where 2 is none of them; optimized on all, or on the smallest and the largest where
# sanitized runs the test, too. IN soak: not there; scripts/test --all runs everything, with PARCDF_TEST_CI off.
#
# NEEDS names formats (as PARCDF_FORMATS does) without which there is no test: codecs, hdf5, hdf4, curl; or parts (PARCDF_PARTS).
# A program of pcdf_test is built all the same, after those of the formats that are there; not without a part that it needs.
#
# LIBS is pcdf_internal (the static library, every layer's folder, and the storages that only tests have) unless given; pcdf_pure is base, format, storage, stores
# and virtual, without MPI.
# pml ob1: not looking for networks that are not there makes the start of ranks 0.2 s shorter, thousands of times.
set(PARCDF_TEST_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
    OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_plm=isolated OMPI_MCA_pml=ob1 PARCDF_PLUGINS=${PROJECT_BINARY_DIR}/plugins)
# What another MPI library can change: its MPI-IO, types, communicators, threads, launcher, errors and bindings. These call all MPI
# functions that the tests of both libraries call (LD_AUDIT, November 2026), but for those that mpi4py needs to start.
set(PARCDF_TEST_MPICH agreed_ends agreement async_calls async_close atomic_create atomic_kill bad_rank closing_names consistency costs crash_kills
    cxx_programs defer_puts storage_basics storage_big storage_choice storage_errors storage_exchange storage_exchange_2nodes storage_exchange_queue
    storage_fault storage_huge storage_queue storage_throttle every_code fault_storage fault_memory fault_mpi fault_system fill_modes followers
    forced_ways fortran_client08 fortran_client77 fortran_client90 fortran_flash_like fortran_s3d_like handle_life hint_values local_paths many_files
    many_windows memory_types mismatch missing_rank model_once model_random mpi_fail node_chunks nonblocking numrecs other_hints overlap_get
    overlap_put python_errors python_lifetime random_names realerrors_romio replay_g safe_mode sessions set_features staged_puts striped_create
    threads unlike_hints watch_nfs watchdog_abort)
option(PARCDF_TEST_CI "only the tests that .ci/run runs in a build of this kind" OFF)
option(PARCDF_TEST_SERIAL "also the tests that the MPI library cannot change (labels unit and lint)" ON)
set(PARCDF_TEST_PREFIX "" CACHE STRING "put before the name of every test, to tell two builds apart")
set(PARCDF_TEST_BUILD optimized)
if(PARCDF_SANITIZE)
  set(PARCDF_TEST_BUILD sanitized)
  # MPI libraries are not instrumented: what they do to memory that both touch would look like races.
  list(APPEND PARCDF_TEST_ENVIRONMENT UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=ignore_noninstrumented_modules=1)
elseif(PARCDF_MPI_ABI)
  set(PARCDF_TEST_BUILD abi)
elseif(PARCDF_MPI STREQUAL "mpich")
  set(PARCDF_TEST_BUILD mpich)
endif()

# With PARCDF_MPI_ABI the same programs run with several MPI libraries: for each of PARCDF_TEST_MPIS, put before the names of
# tests, tests/abi gives PARCDF_TEST_MPIEXEC_NAME and PARCDF_TEST_LIBRARIES_NAME, its launcher and the folder of its libmpi_abi.
set(PARCDF_TEST_MPIS default)
set(PARCDF_TEST_MPIEXEC_default ${PARCDF_MPIEXEC})
if(PARCDF_MPI_ABI)
  include(${PROJECT_SOURCE_DIR}/tests/abi/abitests.cmake)
endif()

find_program(Python3_EXECUTABLE NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH) # the one that has Debian's modules
find_package(Python3 COMPONENTS Interpreter)

# Object files do not travel through a library that is linked to, hence the sources.
add_library(pcdf_pure INTERFACE)
target_sources(pcdf_pure INTERFACE $<TARGET_OBJECTS:pcdf_base> $<TARGET_OBJECTS:pcdf_format> $<TARGET_OBJECTS:pcdf_meaning> $<TARGET_OBJECTS:pcdf_storage> $<TARGET_OBJECTS:pcdf_sets>
               $<TARGET_OBJECTS:pcdf_stores> $<TARGET_OBJECTS:pcdf_virtual>)
foreach(folder virtual stores sets storage meaning format base)
  target_include_directories(pcdf_pure INTERFACE ${PROJECT_SOURCE_DIR}/src/${folder})
endforeach()
target_link_libraries(pcdf_pure INTERFACE PkgConfig::utf8proc ${CMAKE_DL_LIBS} m)

add_library(pcdf_internal INTERFACE)
target_sources(pcdf_internal INTERFACE $<TARGET_OBJECTS:pcdf_testlayers>)
target_link_libraries(pcdf_internal INTERFACE parcdf_static)
foreach(layer IN LISTS layers)
  target_include_directories(pcdf_internal INTERFACE $<TARGET_PROPERTY:${layer},INTERFACE_INCLUDE_DIRECTORIES>)
endforeach()

# pcdf_only_in(build...): ends a folder's list here where CI does not run the rest in this build.
macro(pcdf_only_in)
  set(only_in ${ARGN}) # the arguments of a macro are no variable
  if(PARCDF_TEST_CI AND NOT PARCDF_TEST_BUILD IN_LIST only_in)
    return()
  endif()
endmacro()

# Of a test's numbers of ranks: 2, or the first where 2 is none of them. The build optimized has all, or the first and the last
# where sanitized has 2.
function(pcdf_sample_ranks ranks builds some)
  list(LENGTH ranks n)
  if(NOT PARCDF_TEST_BUILD STREQUAL "optimized")
    list(GET ranks 0 sample)
    if(2 IN_LIST ranks)
      set(sample 2)
    endif()
  elseif(n GREATER 2 AND 2 IN_LIST ranks AND sanitized IN_LIST builds)
    list(GET ranks 0 -1 sample)
  else()
    set(sample ${ranks})
  endif()
  set(${some} "${sample}" PARENT_SCOPE)
endfunction()

# Whether this build has a test with such labels and builds (IN), and on which of its numbers of ranks.
function(pcdf_share name labels builds ranks smoke has_test some_ranks)
  if(PARCDF_MPI_ABI)
    pcdf_abi_share(${name} "${labels}" "${ranks}" is_one abi_ranks)
    set(${has_test} ${is_one} PARENT_SCOPE)
    set(${some_ranks} "${abi_ranks}" PARENT_SCOPE)
    return()
  endif()
  set(is_serial FALSE)
  if("unit" IN_LIST labels OR "lint" IN_LIST labels)
    set(is_serial TRUE)
  endif()
  set(${has_test} TRUE PARENT_SCOPE)
  if(is_serial AND NOT PARCDF_TEST_SERIAL AND NOT "alone" IN_LIST labels)
    set(${has_test} FALSE PARENT_SCOPE)
  endif()
  if(PARCDF_TEST_BUILD STREQUAL "mpich" AND NOT smoke AND NOT "${ranks}" STREQUAL "")
    list(FILTER ranks EXCLUDE REGEX "^([3-9]|[1-9][0-9])$")
    if("${ranks}" STREQUAL "")
      set(${has_test} FALSE PARENT_SCOPE)
    endif()
  endif()
  if(PARCDF_TEST_CI)
    if("${builds}" STREQUAL "")
      set(builds optimized sanitized)
      if("lint" IN_LIST labels)
        set(builds optimized)
      endif()
    endif()
    if(PARCDF_TEST_BUILD STREQUAL "mpich" AND name IN_LIST PARCDF_TEST_MPICH)
      list(APPEND builds mpich)
    endif()
    if(NOT PARCDF_TEST_BUILD IN_LIST builds)
      set(${has_test} FALSE PARENT_SCOPE)
    endif()
    if(NOT "${ranks}" STREQUAL "")
      pcdf_sample_ranks("${ranks}" "${builds}" ranks)
    endif()
  endif()
  set(${some_ranks} "${ranks}" PARENT_SCOPE)
endfunction()

# pcdf_pick(NAME a b c...): one of them, by the seed of scripts/test.
function(pcdf_pick name)
  set(seed "$ENV{PARCDF_SEED}")
  if(NOT seed MATCHES "^[0-9]+$")
    string(TIMESTAMP seed "%Y%m%d")
  endif()
  math(EXPR at "${seed} % (${ARGC} - 1)")
  list(GET ARGN ${at} picked)
  set(${name} ${picked} PARENT_SCOPE)
endfunction()

# How many of ctest's places a test takes; -j has three for each core (scripts/test). Open MPI's ranks yield while they
# wait, so other tests run beside them. MPICH's do not yield: such a test has two cores to itself.
function(pcdf_places labels ranks places)
  set(${places} 2 PARENT_SCOPE)
  if("mpi" IN_LIST labels OR ranks GREATER 1)
    set(${places} 3 PARENT_SCOPE)
    if(PARCDF_TEST_BUILD MATCHES "mpich|abi")
      set(${places} 6 PARENT_SCOPE)
    elseif(ranks GREATER 3)
      set(${places} 4 PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Sets `missing` to those of the formats that this build does not have.
function(pcdf_missing missing)
  set(not_there ${ARGN})
  foreach(need IN LISTS ARGN)
    if(need IN_LIST PARCDF_PARTS_BUILT OR (NOT need IN_LIST PARCDF_PARTS_KNOWN AND TARGET parcdf_${need}))
      list(REMOVE_ITEM not_there ${need})
    endif()
  endforeach()
  set(${missing} "${not_there}" PARENT_SCOPE)
endfunction()

function(pcdf_run name)
  cmake_parse_arguments(PARSE_ARGV 1 T "SMOKE" "TIMEOUT;LOCK" "COMMAND;RANKS;LABELS;ENVIRONMENT;IN;NEEDS")
  pcdf_missing(missing ${T_NEEDS})
  if(missing)
    return()
  endif()
  if("${T_RANKS}" STREQUAL "")
    set(T_RANKS 0)
  endif()
  pcdf_share(${name} "${T_LABELS}" "${T_IN}" "${T_RANKS}" "${T_SMOKE}" has_test T_RANKS)
  if(NOT has_test)
    return()
  endif()
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 120)
  endif()
  if(PARCDF_SANITIZE)
    math(EXPR T_TIMEOUT "3 * ${T_TIMEOUT}")
  endif()
  set(mpis ${PARCDF_TEST_MPIS})
  if(name MATCHES "^abi_")
    set(mpis default)
  endif()
  foreach(mpi IN LISTS mpis)
    foreach(ranks IN LISTS T_RANKS)
      set(test ${PARCDF_TEST_PREFIX}${name})
      set(environment ${PARCDF_TEST_ENVIRONMENT} ${T_ENVIRONMENT})
      if(NOT mpi STREQUAL "default")
        set(test ${PARCDF_TEST_PREFIX}${mpi}.${name})
        list(APPEND environment "LD_LIBRARY_PATH=${PARCDF_TEST_LIBRARIES_${mpi}}")
      endif()
      set(launch "")
      set(labels ${T_LABELS})
      if(ranks GREATER 0)
        string(APPEND test .n${ranks})
        set(launch ${PARCDF_TEST_MPIEXEC_${mpi}} -n ${ranks})
        list(APPEND labels mpi)
      endif()
      pcdf_places("${T_LABELS}" ${ranks} places)
      # MPI libraries hold memory at exit; ours is counted (pcdf_alloc_now)
      if(PARCDF_SANITIZE AND ("mpi" IN_LIST labels OR "alone" IN_LIST labels))
        list(APPEND environment ASAN_OPTIONS=detect_leaks=0)
      endif()
      set(place ${CMAKE_BINARY_DIR}/tests/run/${test})
      file(MAKE_DIRECTORY ${place})
      add_test(NAME ${test} COMMAND ${launch} ${T_COMMAND} WORKING_DIRECTORY ${place})
      set_tests_properties(${test} PROPERTIES TIMEOUT ${T_TIMEOUT} SKIP_RETURN_CODE 77 LABELS "${labels}"
                           PROCESSORS ${places} COST ${T_TIMEOUT} ENVIRONMENT "${environment}")
      if(T_LOCK)
        set_tests_properties(${test} PROPERTIES RESOURCE_LOCK ${T_LOCK})
      endif()
    endforeach()
  endforeach()
endfunction()

function(pcdf_script name script)
  if(NOT Python3_FOUND OR (PARCDF_MPI_ABI AND NOT name MATCHES "^abi_")) # others start ranks themselves, by one launcher
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 2 T "" "TIMEOUT;LOCK" "ARGS;LABELS;ENVIRONMENT;IN;NEEDS")
  get_filename_component(script ${script} ABSOLUTE)
  pcdf_run(${name} COMMAND ${Python3_EXECUTABLE} -B ${script} ${T_ARGS} LABELS ${T_LABELS} TIMEOUT ${T_TIMEOUT}
           ENVIRONMENT ${T_ENVIRONMENT} LOCK ${T_LOCK} IN ${T_IN} NEEDS ${T_NEEDS})
endfunction()

function(pcdf_test name)
  cmake_parse_arguments(PARSE_ARGV 1 T "SMOKE;NO_TEST" "TIMEOUT" "SOURCES;RANKS;LABELS;LIBS;ARGS;IN;NEEDS")
  if(NOT T_LIBS)
    set(T_LIBS pcdf_internal)
    if(PARCDF_MPI_ABI AND name IN_LIST PARCDF_ABI_PUBLIC)
      set(T_LIBS parcdf_shared)
    endif()
  endif()
  if(NOT T_SOURCES)
    set(T_SOURCES ${name}.c)
  endif()
  add_executable(${name} ${T_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
  target_link_libraries(${name} PRIVATE ${T_LIBS} m)
  foreach(format IN LISTS T_NEEDS)
    if(TARGET parcdf_${format})
      add_dependencies(${name} parcdf_${format})
    endif()
  endforeach()
  set(parts ${T_NEEDS})
  list(REMOVE_ITEM parts codecs hdf5 hdf4 curl)
  pcdf_missing(missing ${parts})
  if(PARCDF_MPI_ABI OR missing)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
  if(T_NO_TEST)
    return()
  endif()
  set(flags "")
  if(T_SMOKE)
    set(flags SMOKE)
  endif()
  pcdf_share(${name} "${T_LABELS}" "${T_IN}" "${T_RANKS}" "${T_SMOKE}" has_test ranks)
  if(NOT has_test)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  elseif(PARCDF_MPI_ABI)
    add_dependencies(abi_tests ${name})
  endif()
  pcdf_run(${name} COMMAND $<TARGET_FILE:${name}> ${T_ARGS} RANKS ${T_RANKS} LABELS ${T_LABELS} TIMEOUT ${T_TIMEOUT} IN ${T_IN}
           NEEDS ${T_NEEDS} ${flags})
endfunction()
