#!/usr/bin/env python3
"""The process that reads definitions may do anything: programs in its place that end, crash, close their ears, or say what makes no
sense. Whoever opens the file gets an error with a sentence, and soon. So does who opens a file that is replaced at that moment.

    map_process_test.py PARCDF READ_ALL PLUG-INS
"""
import os
import stat
import subprocess
import sys
import time

START = """#!/usr/bin/python3
import os, signal, socket, struct, sys, time
s = socket.socket(fileno=0)
def say(what, code=0, offset=0, length=0, more=b""):
    s.sendall(struct.pack("=iiqq", what, code, offset, length) + more)
READ, ALIVE, IMAGE, FAILED, END = 1, 2, 3, 4, 5
hello = s.recv(32, socket.MSG_WAITALL)
"""
CASES = {  # name: (program, what is said)
    "ends": ("", "ended too early"),
    "crashes": ("os.kill(os.getpid(), signal.SIGSEGV)", "crashed (signal 11)"),
    "is killed": ("os.kill(os.getpid(), signal.SIGKILL)", "killed (signal 9)"),
    "talks nonsense": ("s.sendall(b'x' * 1000); time.sleep(50)", "makes no sense"),
    "says half": ("s.sendall(b'xx')", "ended too early"),
    "ends before an image": ("say(END)", "makes no sense"),
    "gives a huge image": ("say(IMAGE, length=1 << 60); time.sleep(50)", "makes no sense"),
    "gives a negative image": ("say(IMAGE, length=-1); time.sleep(50)", "makes no sense"),
    "gives noise": ("say(IMAGE, length=4000, more=os.urandom(4000)); say(END)", "damaged"),
    "gives zeros": ("say(IMAGE, length=4000, more=bytes(4000)); say(END)", "damaged"),
    "gives two images": ("say(IMAGE, length=9, more=bytes(9)); say(IMAGE, length=9, more=bytes(9))", "makes no sense"),
    "reads before the file": ("say(READ, offset=-8, length=8); time.sleep(50)", "makes no sense"),
    "reads behind the file": ("say(READ, offset=1 << 40, length=8); time.sleep(50)", "makes no sense"),
    "reads too much": ("say(READ, offset=0, length=1 << 40); time.sleep(50)", "makes no sense"),
    "reads and ends": ("say(READ, offset=0, length=8)", "ended too early"),
    "fails at length": ("say(FAILED, code=-51, length=1 << 40); time.sleep(50)", "makes no sense"),
    "fails with success": ("say(FAILED, code=0, length=2, more=b'no')", " no"),
    "commands the terminal": (r"say(FAILED, code=-51, length=10, more=b'a\x1b[31mred\x07')", " a?[31mred?"),
    "closes its ears": ("os.close(0); time.sleep(50)", "killed (signal 9)"),
}
CASES["says for ever that it is alive"] = ("while True: say(ALIVE)", "did not end")
CASES["has a clean environment"] = (  # no secret, no descriptor
    "more = sorted(set(os.environ) - {'PARCDF_PLUGINS', 'LD_LIBRARY_PATH', 'LC_CTYPE', 'ASAN_OPTIONS', 'LSAN_OPTIONS', 'UBSAN_OPTIONS', 'TSAN_OPTIONS'})\n"
    "fds = [n for n in os.listdir('/proc/self/fd') if int(n) > 2 and os.path.exists('/proc/self/fd/' + n) and 'parcdf-map' not in os.readlink('/proc/self/fd/' + n)]\n"
    "text = ('%s %s' % (more, fds)).encode(); say(FAILED, -51, 0, len(text), text)", "[] []")
SLOW = {  # with hints pcdf_debug_map_seconds=2 and pcdf_debug_map_memory=3M
    "hears its limits": ("text = b'%d bytes, %d s' % struct.unpack('=iiqqq', hello)[3:]; say(FAILED, -51, 0, len(text), text)", "3145728 bytes, 30 s"),
    "sleeps": ("time.sleep(500)", "did not end"),
    "never listens": ("while True: say(READ, offset=0, length=8)", "did not end"),
}


REPLACE = """#!/usr/bin/python3
import os, sys
first = %r
if os.path.exists(first):
    os.replace(first, %r)
os.environ["PARCDF_PLUGINS"] = %r
os.execv(%r, sys.argv)
"""


def open_by_call(read_all, hints, path="x.nc4"):
    """(seconds, what is said) by ncmpi_open and ncmpi_get."""
    before = time.monotonic()
    subprocess.run([read_all, path], capture_output=True, timeout=200,
                   env={**os.environ, "PARCDF_PLUGINS": os.path.abspath("plugins"), "PNETCDF_HINTS": hints})
    with open(path + ".values", "rb") as f:
        return time.monotonic() - before, f.read().decode(errors="replace")


def failed_write(read_all):
    """Who reads gets no code of one that writes."""
    with open("plugins/parcdf-map", "w") as f:
        f.write(START + "say(FAILED, code=-206, length=2, more=b'no')\n")
    _, text = open_by_call(read_all, "")
    return [] if text.startswith("E\t-51\t") else [f"fails as one that writes: {text!r}"]


def write_two(kind):
    """Two files of one size, with other values; of the second one all values are 2."""
    names = [os.path.abspath(which + "." + kind) for which in ("first", "second")]
    for number, name in enumerate(names):
        if kind == "h5":
            import h5py
            with h5py.File(name, "w") as f:
                f["v"] = [number + 1] * 20
        else:
            from pyhdf.SD import SD, SDC
            sd = SD(name, SDC.WRITE | SDC.CREATE | SDC.TRUNC)
            sd.create("v", SDC.INT32, [20])[:] = [number + 1] * 20
            sd.end()
    return names


def replaced(read_all, plugins, kind):
    """libhdf4 opens the file by its name, and libhdf5 reads it through the library, which looks again and finds the new one."""
    if not os.path.exists(f"{plugins}/libparcdf-hdf{4 if kind == 'hdf' else 5}.so"):
        return []
    try:
        first, second = write_two(kind)
    except ImportError as missing:
        print("not tested:", missing)
        return []
    with open("plugins/parcdf-map", "w") as f:
        f.write(REPLACE % (second, first, plugins, plugins + "/parcdf-map"))
    _, text = open_by_call(read_all, "", first)
    is_told = text.startswith("E\t-205\t") and "first" in text and "replaced" in text
    is_new = kind == "h5" and not text.startswith("E\t") and "2" in text
    return [] if is_told or is_new else [f"{kind}, replaced meanwhile: {text!r}"]


def main(parcdf, read_all, plugins):
    bad = []
    with open("x.nc4", "wb") as f:
        f.write(b"\x89HDF\r\n\x1a\n" + bytes(4000))
    os.makedirs("plugins", exist_ok=True)
    others = os.open("x.nc4", os.O_RDONLY)
    for name, (program, said) in {**CASES, **SLOW}.items():
        with open("plugins/parcdf-map", "w") as f:
            f.write(START + program + "\n")
        os.chmod("plugins/parcdf-map", stat.S_IRWXU)
        if name in SLOW:
            seconds, text = open_by_call(read_all, "pcdf_debug_map_seconds=2;pcdf_debug_map_memory=3M")
            if not text.startswith("E\t") or said not in text or "x.nc4" not in text or not (1.5 < seconds or "bytes" in said) or seconds > 12:
                bad.append(f"{name}: {seconds:.1f} s, {text!r}")
            continue
        before = time.monotonic()
        done = subprocess.run([parcdf, "dump", "-h", "x.nc4"], capture_output=True, text=True, timeout=200,
                              pass_fds=(others,), env={**os.environ, "PARCDF_PLUGINS": os.path.abspath("plugins"), "AWS_SECRET_ACCESS_KEY": "hidden"})
        seconds = time.monotonic() - before
        if done.returncode <= 0 or said not in done.stderr or "x.nc4" not in done.stderr or seconds > 20:
            bad.append(f"{name}: status {done.returncode}, {seconds:.1f} s, {done.stderr!r}")
    bad += failed_write(read_all)
    bad += replaced(read_all, plugins, "h5") + replaced(read_all, plugins, "hdf")
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
