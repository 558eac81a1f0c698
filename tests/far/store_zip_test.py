#!/usr/bin/env python3
"""Zip archives as stores: stored and deflated members, zip64, comments, names; damaged ones, also by chance.

    store_zip_test.py SAME_STORES [TIMES]
"""
import io
import os
import random
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

SAME, TIMES = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "2000"
bad = []


def run(*words, fails=None):
    done = subprocess.run([SAME, *words], capture_output=True, text=True)
    said = done.stdout + done.stderr
    if done.returncode != (0 if fails is None else 1) or (fails or "") not in said:
        bad.append(words)
        print(words, done.returncode, said[-1500:], file=sys.stderr)
    return said


def archive(name, method, comment=b"", extra=b"", prefix=b""):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method, allowZip64=True) as z:
        for path in sorted(Path("all").rglob("*")):
            key = str(path.relative_to("all"))
            if path.is_dir():
                z.writestr(key + "/", b"")
                continue
            info = zipfile.ZipInfo(key)
            info.compress_type, info.extra = method, extra
            with z.open(info, "w", force_zip64=key.endswith("1")) as member:
                member.write(path.read_bytes())
        z.comment = comment
    Path(name).write_bytes(prefix + buffer.getvalue())
    return buffer.getvalue()


def end_of(directory, entries, at, zip64=None, classic=None):
    """The records at the end; zip64: that one's number of entries; classic: the 16 bits of the usual one."""
    length = len(directory)
    more = b"" if zip64 is None else struct.pack("<4sQHHIIQQQQ4sIQI", b"PK\6\6", 44, 45, 45, 0, 0, zip64, zip64, length, at,
                                                 b"PK\6\7", 0, at + length, 1)
    return more + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, entries & 65535, entries & 65535, length, at, 0)


def counts():
    """Every number that may stand for how many entries the directory has: what is more than it says is not lost."""
    shutil.rmtree("few", ignore_errors=True)
    os.makedirs("few")
    for key in "abcde":
        Path("few", key).write_bytes(key.encode() * 9)
    with zipfile.ZipFile("few.zip", "w") as z:
        for key in "abcde":
            z.write("few/" + key, key)
    data = Path("few.zip").read_bytes()
    at = int.from_bytes(data[-6:-2], "little")
    directory = data[at:-22]
    part = directory[:directory.rfind(b"PK\1\2")]
    for name, records, fails in (
            ("0", end_of(directory, 0, at), "0"), ("4", end_of(directory, 4, at), "tells 4"), ("5", end_of(directory, 5, at), None),
            ("6", end_of(directory, 6, at), "tells 6"), ("65535", end_of(directory, 65535, at), "65535"),
            ("64", end_of(directory, 5, at, 5), None), ("64usual", end_of(directory, 65535, at, 5), None), ("64less", end_of(directory, 4, at, 4), "tells 4"),
            ("64other", end_of(directory, 4, at, 5), "zip64"), ("64more", end_of(directory, 5, at, 65541), "tells 65541"),
            ("64most", end_of(directory, 5, at, 2**63 + 5), "zip64"), ("short", end_of(directory, 4, at).replace(
                struct.pack("<I", len(directory)), struct.pack("<I", len(part))), "right before")):
        Path("few%s.zip" % name).write_bytes(data[:at] + directory + records)
        run("few", "few%s.zip" % name, fails=fails)
    # More than 65535 members: with zip64, and as programs write them that do not know it
    with zipfile.ZipFile("many.zip", "w") as z:
        for k in range(65541):
            z.writestr(zipfile.ZipInfo("n%d" % k), b"")
        for key in "abcde":
            z.write("few/" + key, key)
    data = Path("many.zip").read_bytes()
    at = int.from_bytes(data[-50:-42], "little") if data[-42:-38] == b"PK\6\7" else 0
    end64 = data.rfind(b"PK\6\6")
    at = int.from_bytes(data[end64 + 48:end64 + 56], "little")
    directory = data[at:end64]
    for name, records, fails in (("z", data[end64:], None), ("low", end_of(directory, 65546, at), None), ("most", end_of(directory, 65535, at), None),
                                 ("lost", end_of(directory, 9, at), "65546 entries")):
        Path("many%s.zip" % name).write_bytes(data[:at] + directory + records)
        said = run("few", "many%s.zip" % name, fails=fails or "65546 listed")
        for word in "abcde":
            if not fails and " %s: " % word in said:
                bad.append(name)


def main():
    chance = random.Random(3)
    os.makedirs("all/t/u", exist_ok=True)
    for key, n in ((".zgroup", 20), ("t/.zarray", 300), ("t/0.0", 5000), ("t/0.1", 70000), ("t/u/ä ö", 1), ("t/empty", 0), ("z1", 300000)):
        Path("all", key).write_bytes(bytes(chance.choice(b"abcdefgh") for _ in range(n)))
    archive("stored.zip", zipfile.ZIP_STORED)
    archive("deflated.zip", zipfile.ZIP_DEFLATED, comment=b"PK\5\6 is no end " * 50, extra=b"\x99\x99\4\0abcd")
    for name in ("stored.zip", "deflated.zip"):
        print(run("all", name), end="")
    whole = Path("stored.zip").read_bytes()
    zip64 = whole[:-22] + b"".join([  # all numbers of the end in the record of zip64
        b"PK\6\6", (44).to_bytes(8, "little"), b"\x2d\0\x2d\0", bytes(8), int.from_bytes(whole[-12:-10], "little").to_bytes(8, "little") * 2,
        int.from_bytes(whole[-10:-6], "little").to_bytes(8, "little"), int.from_bytes(whole[-6:-2], "little").to_bytes(8, "little"),
        b"PK\6\7", bytes(4), (len(whole) - 22).to_bytes(8, "little"), b"\1\0\0\0",
        b"PK\5\6", bytes(4), b"\xff" * 12, b"\0\0"])
    Path("zip64.zip").write_bytes(zip64)
    run("all", "zip64.zip")

    def make(name, change):
        with zipfile.ZipFile(name, "w") as z:
            z.writestr("a", b"one")
            z.writestr("b", b"two")
        data = bytearray(Path(name).read_bytes())
        change(data)
        Path(name).write_bytes(data)
    os.makedirs("two", exist_ok=True)
    Path("two/a").write_bytes(b"one")
    Path("two/b").write_bytes(b"two")
    make("good.zip", lambda d: None)
    run("two", "good.zip")
    entry = b"PK\1\2"
    second = lambda d: d.rfind(entry)
    make("same.zip", lambda d: d.__setitem__(second(d) + 46, ord("a")))
    run("two", "same.zip", fails="same name")
    make("lap.zip", lambda d: d.__setitem__(slice(second(d) + 42, second(d) + 46), bytes(4)))
    run("two", "lap.zip", fails="overlaps")
    make("secret.zip", lambda d: d.__setitem__(second(d) + 8, 1))
    run("two", "secret.zip", fails="encrypted")
    make("lzma.zip", lambda d: d.__setitem__(second(d) + 10, 14))
    run("two", "lzma.zip", fails="method 14")
    make("sum.zip", lambda d: d.__setitem__(d.find(b"two"), ord("T")))
    run("two", "sum.zip", fails="another checksum")
    make("cut.zip", lambda d: d.__delitem__(slice(len(d) - 10, None)))
    run("two", "cut.zip", fails="no record at its end")
    counts()
    for name in ("stored.zip", "deflated.zip", "zip64.zip"):
        print(run(name, "mutate", TIMES), end="")
    print(f"store_zip_test: {len(bad)} failures")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
