"""What the suite runs: one Case a row. Sizes are for a quiet machine, and small ones for --quick."""
from dataclasses import dataclass, field

E3SM = {"f_h0": ("f_case_h0", "f", 387), "f_h1": ("f_case_h1", "f", 24), "g": ("g_case_hist", "g", 41),
        "i_h0": ("i_case_h0", "i", 546), "i_h1": ("i_case_h1", "i", 538)}


DURABLE = 1.1


@dataclass
class Row:
    """One figure of a case: the seconds of phases together, and what they are measured against."""
    phases: tuple
    target: float = 1.0  # peer / ours that issues 6 and 15 ask for, against the best peer, in memory; 0: none
    roof: str = ""       # the roofline's phase that moves the same bytes; "": no roof
    votes: int = 0       # MPI_Allreduce that the library's promises take
    calls: int = 0       # calls of the system that they take on each rank, of 1 KiB
    disk: float = 1.0    # the target where the folder is on a disk; with an fsync of each rank it is DURABLE


@dataclass
class Case:
    name: str
    program: str
    words: list            # arguments in full
    quick: list            # and for --quick; None: left out
    rows: dict             # name of the figure -> Row
    ranks: tuple = ()      # instead of the suite's
    rounds: int = 0        # at most
    data: str = ""         # a file below the data folder without which the case is skipped
    mpi: tuple = ("openmpi", "mpich")
    scale: int = 0         # of a series: how many pieces, requests or variables
    series: str = ""
    bytes_of: str = field(default="")  # key in the program's "bytes"
    fsync: str = ""        # the figure in which the program's --fsync is counted; "": it has no such option


def pattern(name, write, read, **more):
    """A pattern in a program run of its own, so that ours and the peer alternate closely."""
    return Case(name, "patterns", ["--pattern", name, "--repeat", "3"],
                ["--pattern", name, "--repeat", "1", "--percent", "4", "--pieces", "50000", "--requests", "25000"],
                {"write": write, "read": read}, bytes_of=name, fsync="write", **more)


def moving(name, put=1.0, get=1.0, votes=1, disk=1.0, **more):
    return pattern(name, Row((name,), put, "swap_write", votes, disk=disk), Row((name + "_read",), get, "read_swap", votes),
                   **more)


PATTERNS = [
    moving("slabs", 1.15, votes=4),
    moving("converted", 1.7, votes=4),
    moving("blocks", 1.25, 1.5),
    pattern("records", Row(("records",), 1.15, "swap_write", 2000, 2000), Row(("records_read",), 1, "read_swap", 2000, 2000)),
    moving("pending", 1.2, votes=20),
    moving("list", 3),
    moving("requests", 4),
    pattern("small", Row(("small",), 1.5, "small_write"), Row(("small_read",), 1, "small_read")),
    moving("sparse", 1.5, disk=1.5),
    moving("strided", 1.5, votes=2, disk=1.5),
    moving("flash", 1.2, votes=24),
    moving("btio", votes=5, ranks=(4, 9), mpi=("openmpi",)),
    moving("s3d"),
]

DEFINITIONS = [
    Case("header", "header", ["--vars", "20000"], ["--vars", "2000", "--repeat", "1"],
         {"define": Row(("define", "enddef", "close"), 4), "open": Row(("open", "look up"), 4)}),
    Case("redef", "redef", ["--mib", "256"], ["--mib", "8", "--repeat", "1"], {"redef": Row(("redef",), 0.9, disk=0.9)},
         fsync="redef"),
]


def checkpoints(data):
    """The main job's cases. The E3SM ones as the E3SM-IO program writes them, and F h0 and G with blocking calls too."""
    rows = {"write": Row(("written",)), "read": Row(("read",))}
    cases = [Case("sphere", "checkpoint", ["--case", "sphere"], ["--case", "sphere", "--ne", "4", "--levels", "8"], rows)]
    for name, (header, letter, partitioned) in E3SM.items():
        for pending in ["file"] + ([""] if name in ("f_h0", "g") else []):
            target = {"f": 3, "g": 1.3, "i": 3}[letter] if pending else 1
            words = ["--header", str(data / f"e3sm/{header}.txt"), "--map", str(data / f"e3sm/map_{letter}_case_16p.nc"),
                     "--expect-partitioned", str(partitioned), "--records", "2" if name.endswith("h1") else "1"]
            words += ["--pending", pending] if pending else []
            cases.append(Case(f"e3sm {name}{'' if pending else ' blocking'}", "checkpoint", words, None,
                              {"write": Row(("written",), target), "read": Row(("read",))}, ranks=(16,), rounds=3,
                              data=f"e3sm/{header}.txt", mpi=("openmpi",)))
    cases.append(Case("wrf", "checkpoint", ["--wrf", str(data / "wrf/wrf_header.txt"), "--scale", "10"], None,
                      {"write": Row(("written",), 1.2), "read": Row(("read",))}, rounds=3, data="wrf/wrf_header.txt"))
    return cases


def series():
    """Sizes that grow, for the exponent of time; the peer's runs end where they would take minutes."""
    cases = []
    for n in (1000, 10000, 100000, 1000000, 10000000):
        small = n <= 10000
        cases.append(Case(f"pieces {n}", "patterns", ["--pattern", "list", "--width", "1", "--repeat", "3", "--pieces", str(n)],
                          ["--pattern", "list", "--width", "1", "--repeat", "1", "--pieces", str(n)] if small else None,
                          {"write": Row(("list",), 0), "read": Row(("list_read",), 0)}, ranks=(2,), rounds=3, scale=n,
                          series="pieces"))
    for n in (1000, 10000, 100000, 1000000):
        cases.append(Case(f"requests {n}", "patterns", ["--pattern", "requests", "--repeat", "3", "--requests", str(n)],
                          ["--pattern", "requests", "--repeat", "1", "--requests", str(n)] if n <= 10000 else None,
                          {"write": Row(("requests",), 0), "read": Row(("requests_read",), 0)}, ranks=(2,), rounds=3, scale=n,
                          series="requests"))
    for n in (10, 100, 1000, 10000, 100000, 1000000):
        cases.append(Case(f"variables {n}", "header", ["--repeat", "3" if n < 10**6 else "1", "--vars", str(n)],
                          ["--repeat", "1", "--vars", str(n)] if n == 1000 else None,
                          {"define": Row(("define", "enddef", "close"), 0), "open": Row(("open", "look up"), 0)},
                          ranks=(2,), rounds=3, scale=n, series="variables"))
    return cases


def all_cases(data):
    return PATTERNS + DEFINITIONS + checkpoints(data) + series()
