#!/usr/bin/env python3
"""Fixes that files come out right whatever way the bytes go: tests that are there already run again with each strategy and
each engine forced by PNETCDF_HINTS, which wins over the hints of a test, and with the ranks split into pretended nodes.

    forced_test.py BUILD [--ways REGEX] [--tests REGEX] [--all] [--list] [--jobs N]

BUILD: a build tree, whose tests ctest names. Without --all the tests of FEW in their ways alone, which CI has
time for. --ways: those of WAYS that match. What cannot hold in a way is in APART, with the reason."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

# name: (hints, pretended nodes). "own": the engine that a test, or the library, chooses for each file.
STRATEGIES = ("auto", "views", "two-phase", "independent")
ENGINES = {"own": "", "mpiio": ";pcdf_engine=mpiio", "posix": ";pcdf_engine=posix"}
WAYS = {f"{s}_{e}": (f"pcdf_debug_strategy={s}{more}", None) for s in STRATEGIES for e, more in ENGINES.items()}
WAYS.update({f"nodes{n}_{e}": (f"pcdf_debug_strategy=two-phase{more}", n) for n in (2, 3) for e, more in ENGINES.items()})
WAYS.update({f"sieve_{s}": (f"pcdf_debug_strategy=two-phase;pcdf_sieve={s}", None) for s in ("on", "off")})
WAYS.update({f"sieve_{s}_auto": (f"pcdf_sieve={s}", None) for s in ("on", "off")})
WAYS["sieve_nodes2"] = ("pcdf_debug_strategy=two-phase;pcdf_sieve=on", 2)
# Puts wait in the write queue. held: after the first write, until somebody waits for them; small: the smallest memory.
ASYNC = {"": "pcdf_async=4M", "held_": "pcdf_async=4M;pcdf_debug_async_rate=1", "small_": "pcdf_async=1"}
WAYS.update({f"async_{k}{e}": (hints + more, None) for k, hints in ASYNC.items() for e, more in ENGINES.items()})
WAYS.update({f"async_held_{s}": (f"{ASYNC['held_']};pcdf_debug_strategy={s}", None) for s in ("two-phase", "independent", "views")})
WAYS["async_held_nodes2"] = (f"{ASYNC['held_']};pcdf_debug_strategy=two-phase", 2)
WAYS["async_held_sieve"] = (f"{ASYNC['held_']};pcdf_debug_strategy=two-phase;pcdf_sieve=on", None)
WAYS["async_held_stage"] = (f"{ASYNC['held_']};pcdf_stage_dir=.", None)
del WAYS["auto_own"]  # what every other run of the tests is

# All that moves data through whole files: what --all runs, tests of every number of ranks.
MANY = r"""threads|data_errors|metadata_roundtrip|full_size|move_data|record_order|striped_create|redef_room|atomic_create|
fill_modes|handle_life|bad_rank|agreement|agreement_data|numrecs|safe_mode|mismatch|consistency|overlap_get|nonblocking|
every_symbol|every_code|peer_defects|large|unlike_hints|short_files|odd_files|recovery|checksums|checksums_read|alloc_fail|agreed_ends|
missing_rank|fault_storage|fault_mpi|fault_memory|fault_system|replay_\w+|model_random|equal|checkpoint_\w+|patterns_bench|
redef_bench|model_once|memory_shapes|example_\w+|fortran_\w+""".replace("\n", "")
# With data sieving on and off: also what fails or stops at every point.
STOPS = r"crash_states|crash_kills|crash_wander|sums_states|atomic_kill|fault_posix|overlap_put|early_failure|storage_fail|mpi_fail"
# (test, way) of the most telling: random programs in each way; ranks that overlap, requests, a rank that fails in some;
# sieving on or off where ranks put different things, and where storage fails or stops (tests/fault runs its loops so itself).
FEW = {"mpich": [(r"model_once\.n2", "(?!async).*_(mpiio|posix)|async_held_mpiio"), (r"overlap_get\.n2", "two-phase_.*")],
       "openmpi": [(r"model_once\.n3", "(?!async).*_(mpiio|posix)"), (r"overlap_get\.n4", "(?!async).*_mpiio|nodes._posix"),
                   (r"nonblocking\.n4", "(views|two-phase|nodes3)_own"),
                   (r"bad_rank\.n3", "two-phase_own|independent_posix|nodes2_mpiio"),
                   (r"model_once\.n3|nonblocking\.n4", "sieve_(on|off|nodes2)"), (r"equal|sums_states", "sieve_on"),
                   (r"(agreement_data|mismatch|unlike_hints|short_files|data_errors|checksums|recovery|move_data|numrecs)\.n2",
                    "sieve_on"), (r"(overlap_get|overlap_put|agreement_data|checksums)\.n2", "sieve_off"),
                   (r"(nonblocking|overlap_get|memory_shapes)\.n1", "sieve_(on|off)_auto"),
                   (r"(model_once|overlap_get|nonblocking|checksums|recovery|storage_fail|numrecs)\.n2", "async_held_own"),
                   (r"(model_once|bad_rank)\.n3", "async_held_nodes2"),
                   (r"(model_once|numrecs|redef_room|storage_fail)\.n2", "async_held_stage"),
                   (r"(model_once\.n3|defer_(points|errors)\.n2|move_data\.n2)", "async_small_mpiio")]}

# (test, way, why it is not run)
APART = [
    ("striped_create", ".*_posix", "it looks at calls of MPI_File_open"),
    ("every_code|agreement", ".*_(mpiio|posix)", "engines of their own fail in ways of their own: null, memory, a wrong name"),
    ("agreed_ends", "(views|two-phase|nodes.|sieve)_.*|async_held_(views|two-phase|nodes2|sieve)", "the rank whose reads fail only puts, but would read for the others"),
    ("fault_system", "(views_(own|mpiio)|async_held_views)", "OMPIO's collective writes hide failures, ROMIO's hang at them (mpiio/README.md)"),
    ("mpi_fail", "sieve_(on|off|nodes2)|async_held_(two-phase|nodes2|independent|sieve)", "it fails the calls of views, which it asks for"),
    ("defer_puts", "async_held_stage", "it counts writes, and those to a log are others"),
    ("alloc_fail", "async_held_stage", "a file without memory for its log is open without"),
    ("fill_modes", "async_held_stage", "it counts memory, of which a log has 2 MiB"),
    ("crash_(states|kills)", "async_.*", "crash_states_async and crash_kills_async know which puts still wait"),
    (r"overlap_put\.n2", ".*nodes2", "it counts puts that overlap on a node"),
    ("overlap_put", "async_held_(independent|views)", "it counts what two-phase puts do"),
    ("checksums", "nodes._.*|async_held_nodes2", "it counts blocks read back, where one rank writes whole ones"),
]


def tests_of(build, wanted, of_any_ranks):
    """(name without the prefix, command, environment, seconds) of ctest's tests that match whole or up to the ranks. of_any_ranks: also
    on a number of ranks on which this build does not have the test; wanted names it."""
    text = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    tests = {re.sub(r"^\w+\.(?!n\d)", "", test["name"]): test for test in json.loads(text.stdout)["tests"]}
    for name, test in tests.items():
        has = {p["name"]: p["value"] for p in test.get("properties", [])}
        if "mpi" not in has.get("LABELS", []):
            continue
        environment, seconds = dict(e.split("=", 1) for e in has.get("ENVIRONMENT", [])), has.get("TIMEOUT", 120)
        if re.fullmatch(rf"({wanted})(\.n\d+)?", name):
            yield name, test["command"], environment, seconds
        base, dot_n, ranks = name.rpartition(".n")
        if of_any_ranks and dot_n and name == next(other for other in tests if other.startswith(base + dot_n)):
            for n in "1234":
                if f"{base}.n{n}" not in tests and re.fullmatch(wanted, f"{base}.n{n}"):
                    at = test["command"].index("-n") + 1
                    yield f"{base}.n{n}", [*test["command"][:at], n, *test["command"][at + 1:]], environment, seconds


def apart(test, way):
    return next((why for tests, ways, why in APART if re.fullmatch(rf"({tests})(\.n\d+)?", test) and
                 re.fullmatch(ways, way)), None)


def run(job):
    """(test, way, exit status, seconds, output)."""
    (name, command, environment, seconds), way = job
    hints, nodes = WAYS[way]
    env = {**os.environ, **environment, "PNETCDF_HINTS": hints}
    if nodes:
        env["PARCDF_NODES"] = str(nodes)
    begun = time.time()
    with tempfile.TemporaryDirectory(dir=".", prefix="forced_") as folder:
        os.chmod(folder, 0o755)  # for tests that become another user
        try:
            done = subprocess.run(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace", timeout=seconds)
            status, text = done.returncode, done.stdout
        except subprocess.TimeoutExpired as e:
            status, text = 124, f"hung for {seconds} s: {(e.stdout or b'')[-2000:]}"
    return name, way, status, time.time() - begun, text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--ways", default=".*")
    parser.add_argument("--tests", default="")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--list", action="store_true", help="what would be run, and what not")
    parser.add_argument("--jobs", type=int, default=0)
    a = parser.parse_args()
    with open(os.path.join(a.build, "CMakeCache.txt")) as cache:
        mpi = "mpich" if re.search(r"^MPI_C_COMPILER\S*mpich", cache.read(), re.M) else "openmpi"
    chosen = [(a.tests, ".*")] if a.tests else [(MANY, ".*"), (STOPS, "(sieve|async)_.*"), (r"defer_\w+", "async_.*")] if a.all else FEW[mpi]
    tests = list(tests_of(a.build, "|".join(f"(?:{test})" for test, _ in chosen), not a.tests and not a.all))
    ways = [w for w in WAYS if re.fullmatch(a.ways, w)]
    jobs = [(test, way) for way in ways for test in tests if not apart(test[0], way) and any(
        re.fullmatch(rf"({names})(\.n\d+)?", test[0]) and re.fullmatch(w, way) for names, w in chosen)]
    if a.list:
        print("\n".join(f"{way}: {test[0]}" for test, way in jobs))
        print("\n".join(f"not {test}, {ways}: {why}" for test, ways, why in APART))
        return 0
    bad, most = 0, a.jobs or (1 if mpi == "mpich" else os.cpu_count())  # MPICH's ranks spin
    with ThreadPoolExecutor(most) as pool:
        for name, way, status, seconds, text in pool.map(run, jobs):
            bad += status not in (0, 77)
            if status not in (0, 77):
                print(f"FAILED {name} with {WAYS[way]}: exit {status}, {seconds:.1f} s\n{text[-3000:]}", flush=True)
            elif a.all or a.tests:
                print(f"{way} {name}: {seconds:.1f} s", flush=True)
    print(f"{len(jobs)} runs of {len(tests)} tests in {len(ways)} ways, {bad} failed")
    return 1 if bad or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
