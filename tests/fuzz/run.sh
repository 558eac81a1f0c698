#!/bin/sh
# Builds one fuzz target with clang's libFuzzer and runs it for a bounded time on fresh seeds and earlier finds.
# usage: run.sh TARGET WORK_FOLDER [libFuzzer options]     PUBLIC=folder of pnetcdf.h, for targets of the whole library
# Exit status: 0 nothing found, 77 skipped (no clang with libFuzzer), otherwise what was found is in WORK_FOLDER.
set -eu
target=$1
work=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
clang=${CLANG:-clang}
flags="-g -O1 -std=c11 -D_GNU_SOURCE -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined ${MORE_FLAGS:-}"

mkdir -p "$work"
cd "$work"
echo 'int LLVMFuzzerTestOneInput(const unsigned char *b, unsigned long n) { return b && n ? 0 : 0; }' >probe.c
if ! $clang $flags probe.c -o probe 2>probe.log; then
    echo "skipped: $clang with libFuzzer is not there"
    exit 77
fi
if ! command -v python3 >/dev/null; then
    echo "skipped: python3, which writes the seeds, is not there"
    exit 77
fi

sources="$root/src/base/*.c $root/src/format/*.c"
folders="-I$root/src/base -I$root/src/format"
libs=-lutf8proc
case $target in
decode) sources="$sources $here/fuzz_mutate.c" ;;
esac
$clang $flags $folders $sources "$here/fuzz_$target.c" $libs -o "fuzz_$target"
rm -rf "seeds_$target"
python3 -B "$here/seeds.py" "$target" "seeds_$target"
for find in "$here"/found/"$target"-*; do
    [ ! -e "$find" ] || cp "$find" "seeds_$target"
done
mkdir -p "corpus_$target"
[ $# -gt 0 ] || set -- -runs=200000 -max_total_time=20
exec "./fuzz_$target" -max_len=2048 -rss_limit_mb=1024 -timeout=10 -verbosity=0 -print_final_stats=1 "$@" \
    "corpus_$target" "seeds_$target"
