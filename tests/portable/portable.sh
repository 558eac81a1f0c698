#!/bin/sh
# Builds what needs no MPI (base, format, access, storage, stores, virtual) for another processor with Debian's cross compiler and
# runs the unit tests, the fuzz targets that need no MPI, and files of other formats, under qemu.
#     portable.sh s390x|aarch64 WORK_FOLDER PROGRAMS [short]       PROGRAMS: the tests of this processor
# Exit status: 0, 1, or 77 where compiler, qemu or a header is not installed (scripts/deps ci).
set -eu
arch=$1
work=$2
programs=$3
root=$(cd "$(dirname "$0")/../.." && pwd)
cc=$arch-linux-gnu-gcc
qemu=qemu-$arch-static
mpi=$(dpkg -L libmpich-dev 2>/dev/null | grep '/mpi\.h$' | head -1 || true) # MPICH's: its constants are plain numbers

for tool in "$cc" "$qemu"; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not there"; exit 77; }
done
for header in "$mpi" /usr/include/utf8proc.h; do
    [ -e "$header" ] || { echo "skipped: the headers of MPICH and libutf8proc are not there"; exit 77; }
done

rm -rf "$work/portable_$arch"
mkdir -p "$work/portable_$arch/include"
cd "$work/portable_$arch"
cp /usr/include/utf8proc.h include/ # the same for all processors; their folder has this one's other headers
flags="-O2 -g -std=c11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Wall -Wextra -Werror -isystem include -isystem ${mpi%/mpi.h}"
for layer in src/base src/format src/meaning src/access src/storage src/stores src/virtual tests/fuzz tests/support; do
    flags="$flags -I$root/$layer"
done
$cc $flags -c "$root"/src/base/*.c "$root"/src/format/*.c "$root"/src/meaning/*.c "$root"/src/access/*.c "$root"/src/storage/*.c "$root"/src/stores/*.c \
    "$root"/src/virtual/*.c "$root/tests/portable/nolibs.c"
$cc $flags -O3 -c "$root"/src/access/steps_*.c # as CMakeLists.txt has it: vector instructions

failed=0
# NAME, then arguments: compiles NAME.c of tests/ with what else it needs, runs it
try() {
    name=$1
    shift
    more=
    case $name in fuzz_decode) more="$root/tests/fuzz/fuzz_mutate.c" ;; esac
    case $name in fuzz_*) more="$more $root/tests/fuzz/fuzz_driver.c" ;; esac
    # what the linker says of dlopen in static programs is of no account: there are no plug-ins here
    $cc $flags -static "$root"/tests/*/"$name.c" $more ./*.o -lm -o "$name" 2>"$name.log" || { cat "$name.log"; exit 1; }
    [ "$name" = image_file ] || $qemu "./$name" "$@" || { echo "$arch: $name failed"; failed=1; }
}
# base_names and cdl_header have names beyond ASCII, which nolibs.c does not know; decode_mutate and
# header_memory take minutes
tests="decode_faults spec_dumps layout_rules crc_values sums_bytes classic_definitions"
targets=
if [ "${4:-}" != short ]; then # what takes minutes under qemu
    tests="$tests meta_model convert_pairs quantize_values plan_rounds request_limits"
    targets="decode journal cdl convert"
fi
for test in $tests; do
    try "$test"
done
try virtual_random 0 40
try store_files
try image_file
if [ -d "$programs" ]; then
    /usr/bin/python3 -B "$root/tests/portable/images.py" "$qemu" "$PWD/image_file" "$programs" || { echo "$arch: other formats failed"; failed=1; }
fi
for target in $targets; do
    python3 -B "$root/tests/fuzz/seeds.py" $target seeds_$target
    try fuzz_$target seeds_$target
done
exit $failed
