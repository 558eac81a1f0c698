#!/bin/bash
set -ex
wrappers=$PREFIX/bin
if [ "${CONDA_BUILD_CROSS_COMPILATION:-}" = 1 ] && [ "$mpi" = openmpi ]; then
    wrappers=$BUILD_PREFIX/bin # they are programs, and those of $PREFIX are for another machine
    export OPAL_PREFIX=$PREFIX
fi
cmake -S . -B build -G Ninja $CMAKE_ARGS -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib \
    -DMPI_C_COMPILER="${MPICC:-$wrappers/mpicc}" -DBUILD_SHARED_LIBS=ON -DBUILD_TESTING=OFF -DPARCDF_DROP_IN=ON \
    -DPARCDF_FORTRAN=ON "-DPARCDF_FORMATS=codecs;hdf5;curl" \
    "-DPARCDF_CODECS=deflate;isal;zstd;blosc;lz4;bzip2;szip"
cmake --build build --parallel ${CPU_COUNT:-2}
cmake --install build
