# Which tests run with PARCDF_MPI_ABI, and with which MPI libraries (README.md). Included by cmake/PcdfTest.cmake.
#
#   PARCDF_ABI_STUBS    a folder of an MPI that has the standard ABI (lib/libmpi_abi.so.N, and its mpiexec in bin/), or of a
#                       layer that translates to one: tests run with it. Empty: with our own layer over Debian's MPICH
#                       and Open MPI, as many of them as there are
set(PARCDF_ABI_STUBS "" CACHE PATH "run the tests with the libmpi_abi.so of this folder; empty: with tests/abi's own, over MPICH and Open MPI")

# In .ci/run: each kind of call of MPI, and each way to move data. Programs of the public interface alone (PUBLIC) are
# linked with libparcdf_abi.so, the others with the archive of the same objects.
set(PARCDF_ABI_PUBLIC sessions numrecs overlap_get agreed_ends every_symbol short_files metadata_roundtrip threads)
set(PARCDF_ABI_SAMPLE ${PARCDF_ABI_PUBLIC} nonblocking reused_buffer fill_modes every_code defer_puts data_errors handle_life
    memory_types layer_calls storage_basics storage_exchange_2nodes model_once python_access python_errors)
# Never: they count or replace calls that the MPI library makes itself, to MPI or to the system (commit_rules: with MPICH it sees
# none of ROMIO's fsync, since the layer binds libmpich deeply, abishim.c).
set(PARCDF_ABI_UNFIT metadata_costs peer_defects mpi_fail many_files costs commit_rules)

# Has this build the test, and on which numbers of ranks? Only those with ranks: MPI is all that differs.
function(pcdf_abi_share name labels ranks has_test some_ranks)
  set(${has_test} FALSE PARENT_SCOPE)
  set(${some_ranks} "${ranks}" PARENT_SCOPE)
  if(name MATCHES "^abi_")
    set(${has_test} TRUE PARENT_SCOPE)
    return()
  endif()
  list(FILTER ranks INCLUDE REGEX "^[12]$") # MPICH's ranks spin
  if("${ranks}" STREQUAL "" OR "slow" IN_LIST labels OR name IN_LIST PARCDF_ABI_UNFIT)
    return()
  endif()
  if(PARCDF_TEST_CI)
    if(NOT name IN_LIST PARCDF_ABI_SAMPLE)
      return()
    endif()
    list(SORT ranks)
    list(GET ranks -1 ranks)
  endif()
  set(${has_test} TRUE PARENT_SCOPE)
  set(${some_ranks} "${ranks}" PARENT_SCOPE)
endfunction()

add_custom_target(abi_tests) # builds what the tests need, and no more
set(PARCDF_TEST_MPIS "")
if(PARCDF_ABI_STUBS)
  set(PARCDF_TEST_MPIS stubs)
  set(PARCDF_TEST_LIBRARIES_stubs ${PARCDF_ABI_STUBS}/lib)
  find_program(PARCDF_TEST_MPIEXEC_stubs NAMES mpiexec HINTS ${PARCDF_ABI_STUBS}/bin DOC "launcher of the MPI in PARCDF_ABI_STUBS")
else()
  foreach(mpi mpich openmpi)
    find_program(PARCDF_ABI_MPICC_${mpi} NAMES mpicc.${mpi} DOC "compiler of ${mpi}, for the layer of tests/abi")
    find_program(PARCDF_TEST_MPIEXEC_${mpi} NAMES mpiexec.${mpi} DOC "launcher of ${mpi}")
    if(PARCDF_ABI_MPICC_${mpi} AND PARCDF_TEST_MPIEXEC_${mpi})
      list(APPEND PARCDF_TEST_MPIS ${mpi})
      set(PARCDF_TEST_LIBRARIES_${mpi} ${CMAKE_BINARY_DIR}/tests/abi/${mpi})
    endif()
  endforeach()
endif()
