#!/usr/bin/env python3
"""Zip archives as stores: stored and deflated members, zip64, comments, names; damaged ones, also by chance.

    store_zip_test.py SAME_STORES [TIMES]
"""
import io
import os
import random
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
    run("two", "lap.zip", fails="overlap")
    make("secret.zip", lambda d: d.__setitem__(second(d) + 8, 1))
    run("two", "secret.zip", fails="encrypted")
    make("lzma.zip", lambda d: d.__setitem__(second(d) + 10, 14))
    run("two", "lzma.zip", fails="method 14")
    make("sum.zip", lambda d: d.__setitem__(d.find(b"two"), ord("T")))
    run("two", "sum.zip", fails="another checksum")
    make("cut.zip", lambda d: d.__delitem__(slice(len(d) - 10, None)))
    run("two", "cut.zip", fails="no record at its end")
    for name in ("stored.zip", "deflated.zip", "zip64.zip"):
        print(run(name, "mutate", TIMES), end="")
    print(f"store_zip_test: {len(bad)} failures")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
