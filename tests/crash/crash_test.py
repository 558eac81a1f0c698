#!/usr/bin/env python3
"""Runs the crash machine: README.md says what it does. The folder for files is in /dev/shm where that exists.

    crash_test.py states|kills --build FOLDER --mpiexec "COMMAND..." [--ranks 1,2,3] [options below]
"""
import argparse
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import runner

RECORD = struct.Struct("=IHHQQqqqII")  # struct shim_record
NOTE, END = 13, 14  # enum shim_op


def arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("what", choices=["states", "kills"])
    p.add_argument("--build", required=True, help="folder of scenario, judge, killed")
    p.add_argument("--shim", required=True)
    p.add_argument("--mpiexec", required=True)
    p.add_argument("--scenario", help="another scenario program, of a library that is broken on purpose")
    p.add_argument("--judge", help="likewise, another judge")
    p.add_argument("--names", default="all", help="of scenarios, with commas")
    p.add_argument("--ranks", default="1,2")
    p.add_argument("--version", default="0", help="of the format; 0: each")
    p.add_argument("--seed", type=int, help="the day's")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--subsets", default="64", help="of unsynced sectors where there are too many to take all")
    p.add_argument("--every", default="20", help="one in so many states of power cuts is recovered")
    p.add_argument("--kill-every", default="5", help="one in so many states of kills")
    p.add_argument("--nested", default="200", help="one in so many recoveries is recorded; 0: none")
    p.add_argument("--together", type=int, default=0, help="recover together on so many ranks, too")
    p.add_argument("--least", type=int, default=1, help="distinct states, or kills; fewer are a failure")
    p.add_argument("--kills", type=int, default=50)
    p.add_argument("--hints", default="", help="the scenarios run with each of these, too, and are judged by the runs without: a=1,b=2|c=3")
    p.add_argument("--memory", help="scenarios that run once more as on a file system in memory, kills only; with commas")
    return p.parse_args()


class Machine:
    def __init__(self, options, place):
        self.o, self.place = options, place
        self.logs, self.files, self.judging = place / "logs", place / "files", place / "judge"
        for folder in (self.logs, self.files, self.judging):
            folder.mkdir()
        self.scenario = options.scenario or f"{options.build}/scenario"
        self.judge = options.judge or f"{options.build}/judge"

    def launch(self, ranks, folder, command, check=True, hints=None, **shim):
        env = [f"PNETCDF_HINTS={hints}"] if hints else []
        env += [f"LD_PRELOAD={self.o.shim}", f"PCDF_SHIM_FOLDER={folder}", "PCDF_SHIM_WAIT=1"]
        env += [f"PCDF_SHIM_{k.upper()}={v}" for k, v in shim.items()]
        start = [*self.o.mpiexec.split(), "-n", str(ranks)] if ranks > 1 else []  # one rank needs no launcher
        seconds = None if command[0] == self.judge else 600  # who asks for many states gives them the time
        done = subprocess.run([*start, "env", *env, *map(str, command)], stdin=subprocess.DEVNULL, text=True,
                              env={**os.environ, **(runner.KILLED if "kill" in shim else {})},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds)
        if check and done.returncode:
            print(done.stdout[-6000:])
            sys.exit(f"{command[0]} on {ranks} ranks ends with {done.returncode}")
        return done

    def record(self, ranks, names, **shim):
        for name in names.split(","):
            self.launch(ranks, self.files, [self.scenario, "run", self.files, self.logs, name, self.o.version], **shim)
            for i, hints in enumerate(self.all_hints()):
                (self.logs / f"hints{i}").mkdir(exist_ok=True)
                self.launch(ranks, self.files, [self.scenario, "run", self.files, self.logs / f"hints{i}", name, self.o.version],
                            hints=hints, **shim)

    def all_hints(self):
        return [h.replace(",", ";") for h in self.o.hints.split("|") if h]

    def all_logs(self):
        return sorted(self.logs.glob("hints*/*.log" if self.o.hints else "*.log"))


def states(machine):
    o = machine.o
    for ranks in map(int, o.ranks.split(",")):
        machine.record(ranks, o.names, disk=1)
    logs = machine.all_logs()
    random.Random(o.seed).shuffle(logs)  # the ranks take turns: mix long ones and short ones
    words = ["subsets", o.subsets, "every", o.every, "kills", o.kill_every, "nested", o.nested, "seed", o.seed]
    judge = [machine.judge, machine.judging, *words]
    done = machine.launch(2, machine.judging, [*judge, "least", o.least, *logs], check=False)
    print(done.stdout, end="")
    bad = done.returncode
    if o.together and not bad:
        some = logs[: max(1, len(logs) // 8)]
        words[3] = words[5] = words[7] = str(10 * int(o.every))
        done = machine.launch(o.together, machine.judging,
                              [machine.judge, machine.judging, *words, "together", 1, *some], check=False)
        print(f"recovered together by {o.together} ranks:\n" + done.stdout.splitlines()[-1])
        bad = done.returncode
        if bad:
            print(done.stdout)
    if o.memory and not bad:
        for ranks in map(int, o.ranks.split(",")):
            machine.record(ranks, o.memory)
        logs = [log for log in machine.all_logs() if log.name.split(".")[0] in o.memory.split(",")]
        words[3] = words[5] = o.kill_every
        words[7] = o.nested
        done = machine.launch(2, machine.judging, [*judge[:2], *words, "memory", 1, *logs], check=False)
        print(f"in memory, kills only:\n{done.stdout}", end="")
        bad = done.returncode
    return 1 if bad else 0


def count_calls(log):
    """Calls that a kill can come before."""
    data, at, n = log.read_bytes(), 0, 0
    while at + RECORD.size <= len(data):
        _, op, _, _, _, _, _, _, nname, nbytes = RECORD.unpack_from(data, at)
        at += RECORD.size + nname + nbytes
        n += op not in (NOTE, END)
    return n


def kill_one(machine, number, log, ranks, k):
    folder = machine.place / f"kill{number}"
    (folder / "files").mkdir(parents=True)
    name, version = log.name.split(".")[:2]
    machine.launch(ranks, folder / "files", [machine.scenario, "run", folder / "files", folder, name, version[1:]],
                   check=False, hints=machine.all_hints()[int(log.parent.name[5:])] if machine.o.hints else None, **({"disk": 1} if number % 2 else {}), kill=f"{k}{'torn' if number % 3 == 0 else ''}", shared=folder / "shared")
    whole = machine.logs / log.name
    return f"{whole} {folder / log.name} {folder / 'files' / f'{name}.{version}.nc'}"


def kills(machine):
    o = machine.o
    chosen = random.Random(o.seed)
    jobs = []
    for ranks in map(int, o.ranks.split(",")):
        machine.record(ranks, o.names)
        logs = [log for log in machine.all_logs() if f".n{ranks}." in log.name]
        share = o.kills // len(o.ranks.split(",")) + 1
        for i in range(share):  # each scenario in turn, each time at another call
            log = logs[(i * 7 + o.seed) % len(logs)]
            jobs.append((log, ranks, chosen.randint(1, count_calls(log))))
    with ThreadPoolExecutor(o.jobs) as pool:
        lines = list(pool.map(lambda job: kill_one(machine, job[0], *job[1]), enumerate(jobs)))
    bad = 0
    most = max(map(int, o.ranks.split(",")))
    for ranks in range(1, most + 1):  # each is recovered by another number of ranks than wrote it
        part = [line for line, job in zip(lines, jobs) if job[1] % most + 1 == ranks]
        listing = machine.place / f"list{ranks}"
        listing.write_text("\n".join(part) + "\n")
        done = machine.launch(ranks, machine.judging, [f"{o.build}/killed", listing], check=False)
        print(f"on {ranks} ranks: {done.stdout}", end="")
        bad |= done.returncode
    print(f"{len(lines)} kills")
    return 1 if bad or len(lines) < o.least else 0


def stop(*_):
    os.environ.pop("PARCDF_KEEP", None)  # nobody asked for half a run
    sys.exit("stopped")


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, stop)
    if options.seed is None:
        options.seed = runner.seed()
    place = Path(tempfile.mkdtemp(prefix="parcdf_crash_", dir=runner.MEMORY or ".")).resolve()
    start = time.time()
    try:
        bad = states(Machine(options, place)) if options.what == "states" else kills(Machine(options, place))
    finally:
        if os.environ.get("PARCDF_KEEP"):
            print(f"kept: {place}")
        else:
            shutil.rmtree(place, ignore_errors=True)
    print(f"{time.time() - start:.1f} s")
    return bad


if __name__ == "__main__":
    sys.exit(main())
