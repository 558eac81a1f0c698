#!/usr/bin/env python3
"""`parcdf check` of HDF5 files: chunks that lie over each other, or outside of the file, and with --data each chunk that cannot be decoded,
or has another checksum; a file whose metadata was being changed.

    checkhdf5_test.py PARCDF
"""
import os
import struct
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

GOOD, BAD, UNUSABLE = 0, 1, 2


def make(name):
    with h5py.File(name, "w") as f:  # object headers of version 1 have no checksum
        f.create_dataset("z", data=np.random.default_rng(1).random(1000), chunks=(100,), compression="gzip")
        f.create_dataset("s", data=np.arange(1000, dtype="i4"), chunks=(100,), fletcher32=True)
        f.create_dataset("r", data=np.arange(3000, dtype="i4").reshape(3, 1000), chunks=(1, 500))
        f.create_dataset("c", data=np.arange(500, dtype="i4"))
    with h5py.File(name) as f:
        chunks = {v: [f[v].id.get_chunk_info(k).byte_offset for k in range(f[v].id.get_num_chunks())] for v in "zsr"}
        return bytearray(open(name, "rb").read()), chunks, f["c"].id.get_offset()


def patched(whole, old, new):
    """Where an address stands, another one does."""
    old, content = struct.pack("<Q", old), bytearray(whole)
    assert content.count(old) == 1
    at = content.find(old)
    content[at:at + 8] = struct.pack("<Q", new)
    return content


def flipped(whole, places):
    content = bytearray(whole)
    for at in places:
        content[at] ^= 255
    return content


def main(parcdf):
    whole, chunks, c = make("whole.h5")
    size = len(whole)
    tables = [  # file, options, status, what is said how often
        ("good", whole, ["-v"], GOOD, {"good: HDF5 file, dimensions 3, variables 4": 1, "errors 0, warnings 0, notes 0": 1, "note:": 0}),
        ("good", whole, ["--data"], GOOD, {"all 28": 0, "bytes of it can be read": 1}),
        ("over each other", patched(whole, chunks["r"][2], chunks["r"][1] + 100), [], BAD,
         {f'offset {chunks["r"][1] + 100}: error: chunks lie over each other, ': 1, "errors 1": 1, "CHUNK_OVERLAP": 1}),
        ("of two variables", patched(whole, c, chunks["r"][5] + 8), [], BAD, {'the first time those of "r" and "c" [CHUNK_OVERLAP': 1}),
        ("outside", patched(whole, c, size - 8), [], BAD, {f'offset {size - 8}: error: 1 of the chunks of variable "c" lie outside': 1, "OUTSIDE": 1}),
        ("deflate", flipped(whole, [chunks["z"][3] + 5, chunks["z"][3] + 6, chunks["z"][7] + 5]), [], GOOD, {"errors 0": 1}),
        ("deflate", flipped(whole, [chunks["z"][3] + 5, chunks["z"][3] + 6, chunks["z"][7] + 5]), ["--data"], BAD,
         {"variable z, chunk 3: the chunk is damaged: deflate": 1, "variable z, chunk 7: the chunk is damaged: deflate": 1}),
        ("fletcher32", flipped(whole, [chunks["s"][k] + 8 for k in (2, 3, 9)]), ["--data", "--max", "2"], BAD,
         {"variable s, chunk 2: the chunk is damaged: fletcher32": 1, "chunk 3": 1, "chunk 9": 0}),
        ("marked", bytearray(b"\x89HDF\r\n\x1a\x8a") + whole[8:], [], None, {"parcdf repair": 1}),
    ]
    failed = 0
    for what, content, options, status, said in tables:
        with open("file.h5", "wb") as out:
            out.write(content)
        done = subprocess.run([parcdf, "check", *options, "file.h5"], capture_output=True, text=True, timeout=60)
        text = done.stdout + done.stderr
        wrong = [t for t, n in said.items() if text.count(t) != n]
        if wrong or (done.returncode == GOOD if status is None else done.returncode != status):
            failed += 1
            print(f"{what} {options}: status {done.returncode}, not {wrong}:\n{text}")
    return 1 if failed else 0


if __name__ == "__main__":
    parcdf = os.path.realpath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        code = main(parcdf)
        os.chdir("/")
    sys.exit(code)
