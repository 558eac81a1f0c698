#!/bin/sh
# What the unit tests and the fuzz targets reach of the code that reads other people's bytes: lines and branches, by
# clang's counters.  usage: coverage.sh WORK_FOLDER [RUNS]     with --show FILE as third and fourth: what was not reached
# Exit status: 0, or 77 without clang and llvm-cov.
set -eu
work=$1
runs=${2:-20000}
show=${4:-}
root=$(cd "$(dirname "$0")/../.." && pwd)
for tool in clang llvm-cov-14 llvm-profdata-14; do
    command -v $tool >/dev/null || { echo "skipped: $tool is not there"; exit 77; }
done
mkdir -p "$work/coverage"
cd "$work/coverage"
rm -f ./*.o ./*.raw
flags="-g -O0 -std=c11 -D_GNU_SOURCE -fprofile-instr-generate -fcoverage-mapping -I$root/src/base -I$root/src/format -I$root/tests/fuzz -I$root/tests/support"
clang $flags -c "$root"/src/base/*.c "$root"/src/format/*.c
for test in decode_faults spec_dumps cdl_header meta_model journal_bytes; do
    clang $flags "$root/tests/unit/$test.c" ./*.o -lutf8proc -lm -o $test
    LLVM_PROFILE_FILE=$test.raw ./$test >/dev/null
done
for target in decode journal cdl; do
    more=
    [ $target != decode ] || more=$root/tests/fuzz/fuzz_mutate.c
    clang $flags "$root/tests/fuzz/fuzz_$target.c" $more "$root/tests/fuzz/fuzz_driver.c" ./*.o -lutf8proc -lm -o $target
    python3 -B "$root/tests/fuzz/seeds.py" $target seeds_$target
    LLVM_PROFILE_FILE=$target.raw ./$target --runs "$runs" seeds_$target
done
llvm-profdata-14 merge -o all.profile ./*.raw
objects="decode -object journal -object cdl -object decode_faults -object cdl_header -object journal_bytes"
if [ -n "$show" ]; then
    llvm-cov-14 show -instr-profile all.profile --show-branches=count $objects "$root/src/format/$show" 2>/dev/null |
        grep -E 'Branch \(.*(True: 0|False: 0)[],]'
else
    llvm-cov-14 report -instr-profile all.profile $objects "$root"/src/format/decode.c "$root"/src/format/overlap.c \
        "$root"/src/format/journal.c "$root"/src/format/cdl.c "$root"/src/format/cdltoken.c 2>/dev/null
fi
