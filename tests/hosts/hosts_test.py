#!/usr/bin/env python3
"""Fixes that a job across three hosts writes the file that it writes on one: six ranks, two a host, by Open MPI over TCP.

The hosts are made here, of one machine: network and UTS namespaces that a bridge connects, in a network of its own. A
launch agent in ssh's place enters the namespaces, so that Open MPI starts its daemons there and takes them for nodes.

    hosts_test.py --mpiexec LAUNCHER --case PROGRAM... [--case PROGRAM...] [--file PROGRAM...]

--case: a test program, run across the hosts. --file: a program that takes --keep FILE; across the hosts and on one of
them, the two files must be equal, bytes must have gone over each host's network, and the trace must name three nodes.
Skipped (77), with the reason, where namespaces are not allowed or `ip` is missing."""
import argparse
import filecmp
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HOSTS, EACH = 3, 2
NETWORK = "10.77.0"  # inside namespaces: nobody else sees it
NAMES = [f"pcdfhost{i + 1}" for i in range(HOSTS)]
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import runner

MPI = {**runner.MPI, "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
       "OMPI_MCA_plm": "rsh"}
INSIDE = "PARCDF_HOSTS_INSIDE"


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


def enter_namespaces():
    """Starts this script again where it may make networks and name hosts."""
    for tool in ("unshare", "nsenter", "ip", "mount", "hostname"):
        if not shutil.which(tool):
            skip(f"no program `{tool}` here")
    words = ["unshare", "--net", "--uts", "--mount", "--propagation", "private"]
    if os.geteuid():
        words += ["--user", "--map-root-user"]
    trial = "ip link set lo up && ip link add pcdfbr type bridge && ip link add pcdfv type veth peer name pcdfw"
    tried = subprocess.run([*words, "sh", "-c", trial], capture_output=True, text=True)
    if tried.returncode:
        skip(f"namespaces with networks are not allowed here: {tried.stderr.strip()[:200]}")
    done = subprocess.run([*words, sys.executable, "-B", *sys.argv], env=dict(os.environ, **{INSIDE: "1"}))
    sys.exit(done.returncode)


class Machine:
    """The hosts: a sleeping process each, whose namespaces they are."""

    def __init__(self, folder):
        self.folder, self.sleepers = folder, []
        known = "".join(f"{NETWORK}.{i + 1} {name}\n" for i, name in enumerate(NAMES))
        (folder / "hosts").write_text("127.0.0.1 localhost\n" + known)
        runner.need("mount", "--bind", folder / "hosts", "/etc/hosts")
        runner.need("ip", "link", "set", "lo", "up")
        runner.need("ip", "link", "add", "pcdfbr", "type", "bridge")
        runner.need("ip", "link", "set", "pcdfbr", "up")
        for i, name in enumerate(NAMES):
            self.add(i, name)
        self.agent = folder / "agent"
        self.agent.write_text("#!/bin/sh\n# in ssh's place: HOST COMMAND...\nhost=$1\nshift\n"
                              f"exec nsenter -t \"$(cat '{folder}'/$host)\" -n -u sh -c \"$*\"\n")
        self.agent.chmod(0o755)

    def add(self, i, name):
        sleeper = subprocess.Popen(["unshare", "--net", "--uts", "sleep", "600"])
        self.sleepers.append(sleeper)
        mine = os.readlink("/proc/self/ns/net")
        for _ in range(500):  # until it has a network of its own
            if os.readlink(f"/proc/{sleeper.pid}/ns/net") != mine:
                break
            time.sleep(0.01)
        (self.folder / name).write_text(str(sleeper.pid))
        runner.need("ip", "link", "add", f"pcdf{i}", "type", "veth", "peer", "name", "eth0", "netns", sleeper.pid)
        runner.need("ip", "link", "set", f"pcdf{i}", "master", "pcdfbr", "up")
        runner.need(*self.at(name), "sh", "-c", f"hostname {name} && ip link set lo up && ip addr add {NETWORK}.{i + 1}/24 "
           "dev eth0 && ip link set eth0 up")

    def at(self, name):
        return ["nsenter", "-t", (self.folder / name).read_text(), "-n", "-u"]

    def run(self, mpiexec, hosts, program, **environment):
        """Six ranks on the first `hosts` hosts; (exit status, output)."""
        slots = ",".join(f"{name}:{HOSTS * EACH // hosts}" for name in NAMES[:hosts])
        words = [*self.at(NAMES[0]), *shlex.split(mpiexec), "--host", slots, "-n", str(HOSTS * EACH), *program]
        outside = {k: v for k, v in os.environ.items() if not k.startswith("OMPI_MCA_")}
        done = subprocess.run([str(w) for w in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=100,
                              env=dict(outside, **MPI, OMPI_MCA_plm_rsh_agent=str(self.agent), **environment))
        return done.returncode, done.stdout

    def received(self):
        """Bytes that each host has got over its network."""
        def one(name):
            text = Path(f"/proc/{(self.folder / name).read_text()}/net/dev").read_text()
            return int(re.search(r"eth0:\s*(\d+)", text).group(1))
        return [one(name) for name in NAMES]

    def end(self):
        for sleeper in self.sleepers:
            sleeper.kill()
            sleeper.wait()


def where(machine, mpiexec):
    """Which ranks are on which host, as the ranks say."""
    status, text = machine.run(mpiexec, HOSTS, ["sh", "-c", "echo rank $OMPI_COMM_WORLD_RANK $(hostname)"])
    found = sorted(re.findall(r"rank (\d+) (\S+)", text), key=lambda pair: int(pair[0]))
    want = [(str(r), NAMES[r // EACH]) for r in range(HOSTS * EACH)]
    return [] if status == 0 and found == want else [f"the ranks are not where they should be: {text[-2000:]}"]


def traced(log, hosts):
    """Says what is wrong with the lines "nodes NODES AGGREGATORS WINDOW CODE" of the ranks' traces."""
    lines = re.findall(r"^nodes (\d+) (\d+) ", "".join(p.read_text() for p in log.parent.glob(log.name + ".*")), re.M)
    wrong = [(n, a) for n, a in lines if int(n) != hosts or not hosts <= int(a) <= HOSTS * EACH]
    if wrong or not lines:
        return [f"{hosts} hosts: the trace names (nodes, aggregators) {wrong or 'nowhere'}"]
    return []


def compare_files(machine, mpiexec, folder, program):
    bad, sizes = [], []
    for hosts in (1, HOSTS):
        before = machine.received()
        log = folder / f"trace{hosts}"
        status, text = machine.run(mpiexec, hosts, [*program, "--keep", folder / f"on{hosts}.nc"],
                                   PNETCDF_HINTS=f"pcdf_debug_strategy=two-phase;pcdf_trace={log}")
        moved = [b - a for a, b in zip(before, machine.received())]
        if status:
            bad.append(f"{shlex.join(program)} on {hosts} hosts: exit {status}\n{text[-3000:]}")
        sizes.append(moved)
        bad += traced(log, hosts)
    if bad:
        return bad
    size = (folder / "on1.nc").stat().st_size
    if not filecmp.cmp(folder / "on1.nc", folder / f"on{HOSTS}.nc", shallow=False):
        bad.append(f"{shlex.join(program)}: the files on one host and on {HOSTS} differ")
    if min(sizes[1]) < size // 100 or max(sizes[0]) > size // 100:
        bad.append(f"a file of {size} bytes: {sizes[0]} went over the networks on one host, {sizes[1]} on {HOSTS}")
    print(f"hosts: {' '.join(map(str, program[1:]))}: {size} bytes, {sum(sizes[1])} over the networks")
    return bad


def main():
    if INSIDE not in os.environ:
        enter_namespaces()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--case", action="append", default=[])
    parser.add_argument("--file", action="append", default=[])
    a = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="hosts_", dir="."))
    folder = folder.resolve()
    machine = Machine(folder)
    try:
        bad = where(machine, a.mpiexec)
        for case in a.case if not bad else []:
            status, text = machine.run(a.mpiexec, HOSTS, shlex.split(case))
            if status:
                bad.append(f"{case}: exit {status}\n{text[-3000:]}")
        for program in a.file if not bad else []:
            bad += compare_files(machine, a.mpiexec, folder, shlex.split(program))
    finally:
        machine.end()
        shutil.rmtree(folder)
    print("\n".join(bad) or f"{HOSTS} hosts, {HOSTS * EACH} ranks: {len(a.case) + len(a.file)} programs")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
