#!/usr/bin/env python3
"""Tests on a real distributed file system, whose clients each have caches of their own: brings it up on this machine, runs
jobs whose ranks are on both clients, and takes it down, also when it is interrupted.

    realfs.py SYSTEM BUILD [TESTS] [--set OPTION=VALUE]... [--ranks 2,4] [--timeout SECONDS] [--folder FOLDER] [--list|--run COMMAND]

SYSTEM: a file of this folder, such as nfs. BUILD: a build tree with Open MPI. TESTS: those of the choice (choice.py) whose
names match; without it, all. --set: an option of the system, which its file lists. --folder: where packages, logs and the
output of what failed go (BUILD/realfs). --run: a command for a shell on the first client instead, in a folder of the system, where
`mpiexec.openmpi` has its ranks on all clients. Prints a line for each test. 77 where such systems cannot be made here."""
import argparse
import importlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import runner

import agent
import choice
import faults

INSIDE = "PARCDF_REALFS_INSIDE"
HERE = Path(__file__).resolve().parent
SPACES = ["--net", "--mount", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc", "--propagation", "private"]


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


def enter_namespaces():
    """Starts this script again where it may make networks and mount; whatever ends this process ends all that it made."""
    for tool in ("unshare", "setpriv", "ip", "mount", "mkfs.ext4"):
        if not shutil.which(tool):
            skip(f"no program `{tool}` here")
    words = ["unshare", *SPACES, *([] if os.geteuid() == 0 else ["--user", "--map-root-user"])]
    trial = "ip link set lo up && ip link add realfs type bridge && ip tuntap add realfs1 mode tap"
    tried = subprocess.run([*words, "sh", "-c", trial], capture_output=True, text=True)
    if tried.returncode:
        skip(f"namespaces with networks are not allowed here: {tried.stderr.strip()[:200]}")
    inner = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *words, sys.executable, "-B", *sys.argv],
                             env=dict(os.environ, **{INSIDE: "1"}), start_new_session=True)

    def end(number, _):  # the wait below cannot be interrupted by another one
        os.kill(inner.pid, signal.SIGKILL)
        os._exit(128 + number)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    sys.exit(inner.wait())


def get_packages(names, folder):
    """The folder into which Debian's packages, and what they need that is not installed, are unpacked; nothing is installed."""
    root, stamp = folder / "root", folder / "names"
    if stamp.exists() and stamp.read_text().split() == names:
        return root
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "archives/partial").mkdir(parents=True)
    apt = ["apt-get", "-qq", "-o", f"Dir::Cache::archives={folder}/archives"]
    runner.run(*apt, "update", timeout=600)
    status, text = runner.run(*apt, "-y", "--download-only", "--no-install-recommends", "--reinstall", "install", *names, timeout=1800)
    if status:
        skip(f"packages {' '.join(names)}: {text[-500:]}")
    for archive in sorted((folder / "archives").glob("*.deb")):
        runner.need("dpkg-deb", "-x", archive, root)
    shutil.rmtree(folder / "archives")
    stamp.write_text(" ".join(names))
    return root


def job_environment(system, folder):
    """For a program on the first client: what it starts with mpiexec has its ranks on all clients in turn."""
    hosts = folder / "mpihosts"
    hosts.write_text("".join(f"{client.name} slots=16\n" for client in system.clients))
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", INSIDE, "TMPDIR", "LD_"))}
    return {**kept, **runner.MPI, "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_plm": "rsh",
            "OMPI_MCA_plm_rsh_agent": f"{sys.executable} -B {HERE}/agent.py", "OMPI_MCA_orte_default_hostfile": str(hosts),
            "OMPI_MCA_rmaps_base_mapping_policy": "node", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
            "OMPI_MCA_btl": "self,vader,tcp", "TMPDIR": "/run", "HOME": "/run"}


class Jobs:
    """Runs tests on a system, each in a folder of its own there, and notes the results."""

    def __init__(self, system, build, folder, path, seconds):
        self.system, self.build, self.folder, self.path, self.seconds = system, build, folder, path, seconds
        self.environment = job_environment(system, folder)
        self.results = []

    def sweep(self):
        for client in self.system.clients:
            try:
                client.sweep()
            except OSError:  # it was killed
                pass

    def run(self, words, cwd, hints="", take=None, **environment):
        """(exit status, output) of a command on the first client; take: gets the output as it comes."""
        env = dict(self.environment, PNETCDF_HINTS=hints, **environment)
        status, text = self.system.clients[0].run(words, self.seconds, env, cwd, take)
        self.sweep()
        return status, text

    def test(self, test):
        begun, first = time.time(), self.system.clients[0]
        place = f"{self.path}/{re.sub('[^A-Za-z0-9_.]', '_', test.name)}"
        first.run(["mkdir", "-p", place], 30)
        first.run(["chmod", "1777", place], 30)
        if test.fault:
            bad, told, text = faults.cases(self.system)[test.fault](self, self.build, test.ranks, place)
            result, text = "failed" if bad else "passed", "\n".join([text, *bad, told])
        else:
            status, text = self.run(test.words, place, test.hints, **test.environment)
            result = {0: "passed", 77: "skipped", 124: "hung"}.get(status, f"failed {status}")
        self.note(test.name, result, time.time() - begun, text)
        first.run(["rm", "-rf", place], 60)

    def note(self, name, result, seconds, text):
        self.results.append((name, result))
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("-----")] or [""]
        said = lines[-1 if result == "passed" or name.startswith("faults/") else 0]
        print(f"{seconds:7.1f} s  {name:44} {result:10} {said[:100]}", flush=True)
        if result not in ("passed", "skipped"):
            (self.folder / f"{name.replace('/', '_')}.txt").write_text(text)


def where(jobs):
    """Fails unless ranks of a job are on every client, which see the same folder."""
    script = "echo $OMPI_COMM_WORLD_RANK >here.$(hostname); echo on $(hostname)"
    status, text = jobs.run(["mpiexec.openmpi", "-n", str(len(jobs.system.clients)), "sh", "-c", script], jobs.path)
    found = sorted(re.findall(r"on (\S+)", text))
    if status or found != sorted(client.name for client in jobs.system.clients):
        sys.exit(f"the ranks are not on every client: exit status {status}\n{text[-3000:]}")
    for client in jobs.system.clients:
        text = client.run(["sh", "-c", "cat here.*"], 30, cwd=jobs.path)[1]
        if len(text.split()) != len(jobs.system.clients):
            sys.exit(f"{client.name} does not see the files of the others: {text!r}")


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system")
    parser.add_argument("build", type=Path)
    parser.add_argument("tests", nargs="?", default=".*")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE")
    parser.add_argument("--ranks", default="2,4")
    parser.add_argument("--timeout", type=int, default=240)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--run", metavar="COMMAND")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args()


def main():
    a = read_arguments()
    build = a.build.resolve()
    tests = choice.tests(build, a.tests, [int(n) for n in a.ranks.split(",")])
    if a.list:
        print("\n".join(test.name for test in tests))
        return 0
    if not tests:
        sys.exit(f"no test matches {a.tests}: --list prints them")
    module = importlib.import_module(a.system)
    options = dict(module.OPTIONS)
    for key, _, value in (word.partition("=") for word in a.set):
        if key not in options:
            sys.exit(f"{a.system} has no option {key}, but {' '.join(options)}")
        options[key] = value
    folder = (a.folder or build / "realfs").resolve()
    packages = get_packages(module.PACKAGES, folder / f"packages-{a.system}")
    if INSIDE not in os.environ:  # inside there is no network
        if not a.run:
            runner.need("cmake", "--build", build, "--target", *sorted({t for test in tests for t in test.targets}), timeout=7200)
        enter_namespaces()
    scratch = folder / "-".join([a.system, *(re.sub("[^A-Za-z0-9.]", "_", word) for word in a.set)])
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    begun = time.time()
    system = module.System(scratch, packages, options)
    try:
        system.up()
        jobs = Jobs(system, build, scratch, module.PATH, a.timeout)
        where(jobs)
        print(f"{a.system} {' '.join(a.set)}: {len(system.clients)} clients after {time.time() - begun:.0f} s", flush=True)
        if a.run:
            return jobs.run(["sh", "-c", a.run], jobs.path, os.environ.get("PNETCDF_HINTS", ""), take=agent.out)[0]
        for test in tests:
            jobs.test(test)
    finally:
        system.down()
    bad = [name for name, result in jobs.results if result not in ("passed", "skipped")]
    print(f"{a.system}: {len(jobs.results)} tests, {len(bad)} failed, {time.time() - begun:.0f} s; output in {scratch}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
