#!/bin/sh
# Builds one fuzz target with clang's libFuzzer and runs it for a bounded time on fresh seeds and earlier finds.
# usage: run.sh TARGET WORK_FOLDER [libFuzzer options]
# The library is built once for a work folder, with MPI for the targets that need it (Open MPI's flags).
# Exit status: 0 nothing found, 77 skipped (no clang with libFuzzer), otherwise what was found is in WORK_FOLDER.
set -eu
target=$1
work=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
clang=${CLANG:-clang}
flags="-g -O1 -std=c11 -D_GNU_SOURCE -DPARCDF_THREAD_SAFE=0 -fsanitize=fuzzer-no-link,address,undefined
-fno-sanitize-recover=undefined ${MORE_FLAGS:-}"

mkdir -p "$work"
cd "$work"
echo 'int LLVMFuzzerTestOneInput(const unsigned char *b, unsigned long n) { return b && n ? 0 : 0; }' >probe.c
if ! $clang $flags -fsanitize=fuzzer probe.c -o probe 2>probe.log; then
    echo "skipped: $clang with libFuzzer is not there"
    exit 77
fi
if ! command -v python3 >/dev/null; then
    echo "skipped: python3, which writes the seeds, is not there"
    exit 77
fi

kind=pure layers="src/base src/format src/meaning" libs=-lutf8proc more=
case $target in
decode | reads) more=$here/fuzz_mutate.c ;;
time) more=-lm ;;
esac
case $target in
reads | convert | hints | program | recover | roundtrip | expr)
    if ! command -v mpicc.openmpi >/dev/null; then
        echo "skipped: Open MPI is not there"
        exit 77
    fi
    kind=whole layers="$layers src/sets src/storage src/stores src/virtual src/access mpiio src/dataset src/transfer src/define src/file src/api src/parts $(cd "$root" && echo src/parts/*/)"
    flags="$flags $(mpicc.openmpi --showme:compile)" libs="$libs $(mpicc.openmpi --showme:link) -lm -lpthread"
    # MPI libraries hold memory at exit; ours is counted
    export ASAN_OPTIONS=detect_leaks=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm=isolated
    ;;
esac
if [ "$target" = roundtrip ] || [ "$target" = expr ]; then
    kind=tools layers="$layers programs programs/reader programs/cdl programs/expr"
fi
folders="-I$root/include -I$root/tests/support"
sources=
for layer in $layers; do
    [ -d "$root/$layer" ] || continue
    folders="$folders -I$root/$layer"
    sources="$sources $(find "$root/$layer" -maxdepth 1 -name '*.c' ! -name main.c ! -name toolbench.c ! -name 'absent*.c')"
done
sed -n 's/^PCDF_PART(\([a-z_]*\), "[^"]*", /PCDF_BUILT(\1, /p' "$root/src/parts/parts.def" >builtparts.def # CMake does it elsewhere
folders="$folders -I$PWD"
if [ ! -e $kind.a ] || [ -n "$(find "$root/src" "$root/mpiio" "$root/programs" -newer $kind.a -name '*.[ch]' -print -quit)" ]; then
    rm -rf $kind $kind.a
    mkdir $kind
    (cd $kind && $clang $flags $folders -c $sources && ar rc ../$kind.a ./*.o)
fi
$clang $flags -fsanitize=fuzzer $folders "$here/fuzz_$target.c" $more $kind.a $libs -o "fuzz_$target"

rm -rf "seeds_$target"
python3 -B "$here/seeds.py" "$target" "seeds_$target"
for find in "$here"/found/"$target"-*; do
    [ ! -e "$find" ] || cp "$find" "seeds_$target"
done
mkdir -p "corpus_$target"
[ $# -gt 0 ] || set -- -runs=200000 -max_total_time=8
exec "./fuzz_$target" -max_len=2048 -rss_limit_mb=1024 -timeout=10 -verbosity=0 -print_final_stats=1 "$@" \
    "corpus_$target" "seeds_$target"
