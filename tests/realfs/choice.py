"""Which tests run on a real distributed file system: tests of ctest, as they are, with their ranks on all clients."""
import json
import re
import subprocess
from dataclasses import dataclass, field

import faults

# group: (tests of ctest without their number of ranks, {name of a way: hints})
PLAIN = {"": ""}
FORCED = {f"{s}_{e}": f"pcdf_debug_strategy={s};pcdf_engine={e}" for s in ("two-phase", "independent") for e in ("posix", "mpiio")}
SIEVE = {"sieve_on": "pcdf_debug_strategy=two-phase;pcdf_sieve=on", "sieve_off": "pcdf_debug_strategy=two-phase;pcdf_sieve=off"}
ASYNC = {"async": "pcdf_async=4M", "async_posix": "pcdf_async=4M;pcdf_engine=posix"}
GROUPS = {
    "collective": ("overlap_get|numrecs|nonblocking|consistency|agreement_data|short_files|move_data|record_order|redef_room|fill_modes|"
                   "handle_life|atomic_create|recovery|checksums|large", PLAIN),
    "model": ("model_once", {**PLAIN, **FORCED, **SIEVE, **ASYNC}),
    "storage": ("storage_basics|storage_exchange|storage_queue", PLAIN),
    "forced": ("overlap_get|nonblocking|numrecs", {**FORCED, **ASYNC}),
    "sieve": ("overlap_get|sieve_puts", SIEVE),
    "close": ("async_close|async_calls|serial_writers", PLAIN),
    "sets": ("set_features|set_full", PLAIN),
    "followers": ("followers", {**PLAIN, "posix": "pcdf_engine=posix"}),
    "formats": ("fields_netcdf4|chunk_writes|h5append_two", PLAIN),
    "bench": ("checkpoint_sphere|checkpoint_block|patterns_bench|redef_bench", PLAIN),
}


@dataclass
class Test:
    name: str
    words: list
    hints: str = ""
    environment: dict = field(default_factory=dict)
    targets: list = field(default_factory=list)
    fault: str = ""  # of faults.py
    ranks: int = 0


def programs(build):
    """{name without ranks: (command behind the number of ranks, environment, targets)} of ctest's tests with a launcher."""
    text = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True).stdout
    found = {}
    for test in json.loads(text)["tests"]:
        words = test.get("command", [])
        if not re.fullmatch(r"[\w.]+\.n\d+", test["name"]) or "-n" not in words:
            continue
        words = ["." if word == "/dev/shm" else word for word in words[words.index("-n") + 2:]]
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        environment = dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", []))
        environment = {k: v for k, v in environment.items() if not k.startswith("OMPI_")}
        targets = [word[len(str(build)) + 1:] for word in words if word.startswith(f"{build}/")]
        found[test["name"].rpartition(".")[0]] = words, environment, targets
    return found


def tests(build, wanted, ranks):
    """The tests whose names, GROUP/TEST[.WAY].nRANKS, match the regular expression somewhere."""
    known, chosen = programs(build), []
    for group, (names, ways) in GROUPS.items():
        for name in (n for n in known if re.fullmatch(names, n)):
            words, environment, targets = known[name]
            for way, hints in ways.items():
                for n in ranks:
                    label = f"{group}/{name}{'.' if way else ''}{way}.n{n}"
                    if re.search(wanted, label):
                        chosen.append(Test(label, ["mpiexec.openmpi", "-n", str(n), *words], hints, environment, targets))
    for name in faults.cases(None):
        for n in ranks:
            if re.search(wanted, f"faults/{name}.n{n}"):
                chosen.append(Test(f"faults/{name}.n{n}", [], targets=["tests/bin/faultjob"], fault=name, ranks=n))
    return chosen
