"""No copy of the data: a get fills the array that it returns, a put writes from where the values lie, whatever the strides; neither makes
memory of the size of the data anywhere in the process, and the values of a put stay as they are."""
import os
import sys
import tracemalloc

from pysupport import check, finish, need

np = need("numpy")
import parcdf  # noqa: E402

MIB = 1 << 20
N = 48 * MIB // 8


def resident():
    """Bytes of memory of the process that are not pages of files."""
    with open("/proc/self/status") as file:
        return 1024 * int(next(line for line in file if line.startswith("RssAnon")).split()[1])


def growth(call):
    """What the call returns, and what numpy takes in memory at its height."""
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    value = call()
    height = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    return value, height


def main():
    if not os.access("/proc/self/clear_refs", os.W_OK):
        print("skipped: /proc/self/clear_refs cannot be written: the height of memory is not known")
        sys.exit(77)
    wide = np.zeros((2, N))
    for name, values in (("whole", np.arange(N, dtype="f8")), ("reversed", np.arange(N, dtype="f8")[::-1]),
                         ("column", np.arange(2 * N, dtype="f8").reshape(N, 2)[:, 1]), ("number", np.broadcast_to(np.float64(3), (N,))),
                         ("converted", np.arange(N, dtype="i4"))):
        with parcdf.create("copies.nc") as f:
            f.def_dim("x", N)
            v = f.def_var("v", "double", "x")
            f.enddef()
            base = values.copy() if name != "number" else None
            _, of_numpy = growth(lambda: v.put(..., values))
            check(of_numpy < MIB, name, "put: numpy made", of_numpy)
            check(base is None or np.array_equal(values, base), name, "the values changed")
            del base
            check(peak(lambda: v.put(..., values)) < 20 * MIB, name, "put: the process grew")
            out = np.zeros(N)
            _, of_numpy = growth(lambda: v.get(out=out))
            check(of_numpy < MIB and np.array_equal(out, values), name, "get into out: numpy made", of_numpy)
            check(peak(lambda: v.get(out=out)) < 20 * MIB, name, "get: the process grew")
            del out
            got, of_numpy = growth(lambda: v[...])
            check(of_numpy < N * 8 + MIB, name, "get: numpy made", of_numpy)
            check(got.base is None and got.flags.c_contiguous and np.array_equal(got, values), name, "a new array is its own memory")
            back, of_numpy = growth(lambda: v[::-1])
            check(of_numpy < N * 8 + MIB and np.array_equal(back, values[::-1]), name, "reversed get: numpy made", of_numpy)
            check(back.flags.c_contiguous, "a reversed get is contiguous")
            row = wide[1]
            request = v.iget(out=row)
            check(request.array is row, "iget reads into out")
            f.wait()
            check(request.result.ctypes.data == wide.ctypes.data + 8 * N and np.array_equal(wide[1], values), "iget")
    finish()


def peak(call):
    """By how much the process is larger at the height of the call than before it."""
    call()  # what is allocated once
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = resident()
    call()
    with open("/proc/self/status") as file:
        lines = dict(line.split(":", 1) for line in file)
    files = 1024 * int(lines["RssFile"].split()[0]) + 1024 * int(lines["RssShmem"].split()[0])
    return 1024 * int(lines["VmHWM"].split()[0]) - files - before


if __name__ == "__main__":
    main()
