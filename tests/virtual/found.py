"""What read_all found in files of other formats, for the tests that write such files: its runs on several numbers of ranks, its findings
by name, and the sum of all of them."""
import os
import shlex
import subprocess

import numpy as np

NC = {1: "i1", 2: "S1", 3: "i2", 4: "i4", 5: "f4", 6: "f8", 7: "u1", 8: "u2", 9: "u4", 10: "i8", 11: "u8"}
BATCH = 250  # files of one run: what a command line holds


class Refused:
    """In the place of values: a get failed, with a code and a sentence."""
    def __init__(self, code, sentence):
        self.code, self.sentence = code, sentence

    def __repr__(self):
        return "refused (%d, %s)" % (self.code, self.sentence)


class Found:
    """In one file: values by the name of the variable, names of its dimensions, attributes by (variable, name); format; error: of open."""
    def __init__(self, path):
        with open(path + ".values", "rb") as f:
            data = f.read()
        self.vars, self.dims, self.atts, self.all_dims = {}, {}, {}, []
        self.format, self.error, self.warning, at = None, None, "", 0
        while at < len(data):
            end = data.index(b"\n", at)
            what = data[at:end].decode().split("\t")
            at, n = end + 1, 0
            if what[0] == "V":
                n = int(what[4])
                shape = [int(d.rsplit("=", 1)[1]) for d in what[6:]]
                self.dims[what[1]] = [d.rsplit("=", 1)[0] for d in what[6:]]
                self.vars[what[1]] = (Refused(int(what[3]), "") if what[3] != "0"
                                      else np.frombuffer(data[at:at + n], NC[int(what[2])]).reshape(shape))
            elif what[0] == "S":
                self.vars[what[1]].sentence = what[2]
            elif what[0] == "A":
                n = int(what[4])
                self.atts[what[1], what[2]] = np.frombuffer(data[at:at + n], NC[int(what[3])])
            elif what[0] == "E":
                self.error = what[1:]
            elif what[0] == "W":
                self.warning = what[1]
            elif what[0] == "D":
                self.all_dims.append(what[1])
            else:
                self.format = what[1]
            at += n


def chars(values):
    """Texts as the library shows them: characters, in one more dimension."""
    n = values.dtype.itemsize
    raw = np.frombuffer(values.tobytes(), "S1")
    return raw.reshape(values.shape + (n,) if n > 1 else values.shape)


def as_classic(values):
    """As the library shows it: in native order, bool a byte, half a float, texts characters."""
    values = np.asarray(values)
    if values.dtype.kind == "b":
        return values.astype("i1")
    if values.dtype.kind == "f" and values.dtype.itemsize == 2:
        return values.astype("f4")
    if values.dtype.kind == "S":
        return chars(values)
    return values.astype(values.dtype.newbyteorder("="))


def same(want, got):
    return (not isinstance(got, Refused) and want.dtype == got.dtype and want.shape == got.shape and want.tobytes() == got.tobytes())


def describe(values):
    return repr(values) if values is None or isinstance(values, Refused) else (values.dtype, values.shape, values.ravel()[:4])


def run(command, quiet=False):
    done = subprocess.run(command, capture_output=True, text=True)
    if not quiet:
        print((done.stdout + done.stderr)[-2000:])
    return ["%s ended with %d: %s" % (command[0], done.returncode, done.stderr[-2000:])] if done.returncode else []


class Sum:
    """Of variables of generated files on all numbers of ranks: those that are as written, and those that are refused by a sentence that
    names the codec; the differences; and files by number of ranks."""
    def __init__(self):
        self.read, self.refused, self.bad, self.files = 0, 0, [], {}

    def variable(self, path, name, want, got, codec=None):
        """codec: what the sentence of the refusal must name. NULL: it must be read."""
        if codec and isinstance(got, Refused) and got.code == -128 and codec in got.sentence and name in got.sentence:
            self.refused += 1
        elif not codec and got is not None and (want is None or same(want, got)):
            self.read += 1
        else:
            self.bad.append("%s: %s is %s, not %s" % (path, name, describe(got), codec if codec else describe(want)))

    def tell(self, what):
        print("\n".join(self.bad[:40]))
        files = ", ".join("%d on %s rank%s" % (n, ranks, "s" * (ranks != "1")) for ranks, n in self.files.items())
        print("%s: files read: %s; variables: %d as written, %d refused by a sentence that names the codec, %d differences" %
              (what, files, self.read, self.refused, len(self.bad)))
        return 1 if self.bad else 0


def read_files(programs, mpiexec, ranks, paths, total, compare):
    """Each file on each of these numbers of ranks ("1,2"), by one start of MPI for many; compare(path) takes what was found."""
    for n in ranks.split(","):
        launch = [*shlex.split(mpiexec), "-n", n] if mpiexec and n != "1" else []
        for path in paths:
            if os.path.exists(path + ".values"):
                os.unlink(path + ".values")
        for at in range(0, len(paths), BATCH):
            total.bad += run([*launch, programs + "/read_all", *paths[at:at + BATCH]], quiet=True)
        for path in paths:
            compare(path)
        total.files[n] = total.files.get(n, 0) + len(paths)
