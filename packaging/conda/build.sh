#!/bin/bash
set -ex
if [ "$mpi" = openmpi ]; then
    export OPAL_PREFIX=$PREFIX # its wrappers, also when built for another machine
fi
cmake -S . -B build -G Ninja $CMAKE_ARGS -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=$PREFIX -DCMAKE_INSTALL_LIBDIR=lib \
    -DMPI_C_COMPILER=${MPICC:-$PREFIX/bin/mpicc} -DBUILD_SHARED_LIBS=ON -DBUILD_TESTING=OFF -DPARCDF_DROP_IN=ON \
    -DPARCDF_DROP_IN_SOVERSION=8 -DPARCDF_FORTRAN=ON
cmake --build build --parallel ${CPU_COUNT:-2}
cmake --install build
