#!/usr/bin/env python3
"""Fixes `parcdf bench`: it runs alone and on two ranks, also with computation between the records, its JSON has every member of the schema below with numbers that
agree with each other, values are right, no file stays behind, none is lost, hints reach the file, and wrong arguments or a folder that
is not there are one sentence and exit status 2.
usage: bench_test.py PARCDF MPIEXEC"""
import json, os, shlex, subprocess, sys, tempfile, unittest

PARCDF, MPIEXEC = None, []
SMALL = ["--grid", "8x12x16", "--vars", "2"]
STATS = {"min": float, "median": float, "max": float}
STEPS = {"compute": float, "computation": str, "n": int, "computed": STATS, "waited": STATS, "step": STATS,
         "observed_mib_per_second": STATS}
PHASES = ["define", "write", "close", "open", "read"]
SCHEMA = {"program": str, "library": str, "case": str, "ranks": int, "read_ranks": int, "format": int, "records": int,
          "repeats": int, "variables": int, "partitioned": int, "bytes": int, "data_calls": int, "values": int, "wrong": int,
          "pieces_a_rank": STATS, "pieces_a_call": STATS, "peak_kib": STATS, "pending": str,
          "environment": {"mpi": str, "filesystem": str, "path": str, "hosts": dict, "hints": dict},
          "phases": {"written": {"seconds": STATS, "mib_per_second": STATS},
                     **{p: {"seconds": STATS, "by_rank": list, "mpi": dict} for p in PHASES}}}


def differs(value, schema, where="it"):
    """What of the value is not as the schema says; [] when all is."""
    if isinstance(schema, dict):
        missing = [f"{where}.{k} is missing" for k in schema if k not in value]
        return missing + [d for k in schema if k in value for d in differs(value[k], schema[k], f"{where}.{k}")]
    good = isinstance(value, (int, float)) if schema is float else isinstance(value, schema)
    return [] if good else [f"{where} is {value!r}"]


class Bench(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(dir=".")
        self.addCleanup(self.folder.cleanup)

    def run_it(self, *words, ranks=0):
        launch = [*MPIEXEC, "-n", str(ranks)] if ranks else []
        return subprocess.run([*launch, PARCDF, "bench", *words], capture_output=True, text=True, timeout=60)

    def check(self, done, ranks):
        self.assertEqual(done.returncode, 0, done.stderr)
        run = json.loads(done.stdout)
        self.assertEqual(differs(run, SCHEMA), [])
        self.assertEqual((run["ranks"], run["read_ranks"], run["wrong"]), (ranks, max(ranks - 1, 1), 0))
        self.assertEqual(sum(run["environment"]["hosts"].values()), ranks)
        for phase in PHASES:
            seconds, times = run["phases"][phase]["seconds"], run["phases"][phase]["by_rank"]
            self.assertEqual(len(times), run["read_ranks"] if phase in ("open", "read") else ranks)
            self.assertLessEqual(seconds["min"], min(times) + 1e-9)
            self.assertGreaterEqual(seconds["max"], max(times) - 1e-9)
        self.assertEqual(os.listdir(self.folder.name), [])
        return run

    def test_alone(self):
        run = self.check(self.run_it(*SMALL, "--json", "--dir", self.folder.name, "--hints", "pcdf_defer=70000"), 1)
        self.assertEqual(run["environment"]["hints"]["pcdf_defer"], "70000")
        # two records of a float and a double field, the mask, and the time of each record
        self.assertEqual(run["bytes"], 8 * 12 * 16 * (2 * (4 + 8) + 4) + 2 * 8)

    def test_two_ranks(self):
        run = self.check(self.run_it(*SMALL, "--json", "--repeat", "2", "--dir", self.folder.name, ranks=2), 2)
        self.assertEqual(run["repeats"], 2)

    def test_steps(self):
        """Between records the program computes: values are made and compared as ever, and what it waited is of all calls."""
        for words in ([], ["--work"], ["--case", "sphere", "--ne", "2", "--levels", "2", "--pending", "record"]):
            case = SMALL if "--case" not in words else []
            run = self.check(self.run_it(*case, *words, "--json", "--records", "3", "--repeat", "2", "--compute", "0.02", "--dir",
                                         self.folder.name, ranks=2), 2)
            steps = run["steps"]
            self.assertEqual(differs(steps, STEPS), [])
            self.assertEqual((steps["compute"], steps["n"]), (0.02, 6))
            self.assertEqual(steps["computation"], "work" if "--work" in words else "sleep")
            if "--work" not in words: # how long work takes depends on the machine's mood
                self.assertGreaterEqual(steps["computed"]["min"], 0.02)
            self.assertGreaterEqual(steps["step"]["max"], steps["waited"]["max"])
            self.assertGreaterEqual(steps["step"]["min"], steps["computed"]["min"])
            self.assertEqual(steps["observed_mib_per_second"], run["phases"]["written"]["mib_per_second"])
        self.assertNotIn("steps", self.check(self.run_it(*SMALL, "--json", "--dir", self.folder.name), 1))
        done = self.run_it(*SMALL, "--compute", "0.01", "--dir", self.folder.name)
        self.assertRegex(done.stdout, r"(?m)^2 steps, each with 0.01 s of computation \(sleep\)$")
        self.assertRegex(done.stdout, r"(?m)^observed +[0-9.]+ +[0-9.]+ +[0-9.]+   MiB/s: ")

    def test_table(self):
        done = self.run_it(*SMALL, "--dir", self.folder.name)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"(?m)^values compared +\d+, 0 wrong$")

    def test_files_that_exist(self):
        """A file of that name is spared, also by a run that fails; -O replaces it, and it is removed as ever."""
        at = os.path.join(self.folder.name, "checkpoint.nc")
        for words in (["--dir", self.folder.name], ["-o", at], ["--keep", at]):
            for ranks in (0, 2):
                with open(at, "w") as f:
                    f.write("mine")
                done = self.run_it(*SMALL, *words, ranks=ranks)
                self.assertEqual((done.returncode, done.stdout), (2, ""), (words, ranks))
                self.assertIn(f"parcdf bench: {at}: the file exists (option -O replaces it)\n", done.stderr)
                with open(at) as f:
                    self.assertEqual(f.read(), "mine")
        self.check(self.run_it(*SMALL, "--json", "--repeat", "2", "-O", "--dir", self.folder.name, ranks=2), 2)
        self.assertEqual(self.run_it(*SMALL, "--overwrite", "--keep", at).returncode, 0)
        self.assertEqual(self.run_it(*SMALL, "--overwrite", "--keep", at).returncode, 0)
        os.mkdir(self.folder.name + "/file.nc")
        self.assertEqual(self.run_it(*SMALL, "-O", "-o", self.folder.name + "/file.nc").returncode, 2)
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["checkpoint.nc", "file.nc"])

    def test_sentences(self):
        for words in (["--what"], ["--repeat", "none"], ["--dir", "no/such/folder"], ["--case", "cube"], ["--hints", "x", *SMALL],
                      ["--header", "a"], ["--wrf", "no/such/file"], ["file.nc"], ["--compute", "x"], ["--compute", "-1"],
                      ["--compute", "nan"], ["--compute", "1", "--pending", "file"]):
            done = self.run_it(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), (words, done.stderr))
            self.assertTrue(done.stderr.startswith("parcdf bench: "), done.stderr)


if __name__ == "__main__":
    PARCDF, MPIEXEC = sys.argv[1], shlex.split(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
