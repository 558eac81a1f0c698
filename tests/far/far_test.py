#!/usr/bin/env python3
"""Files behind HTTP and S3 through the library and the commands: one request opens, on one rank and on four; values are those
of the file here, also where the server answers wrongly; the whole file is read within 1.3 times what curl needs; secrets are in
no sentence, path, report or trace.

    far_test.py FAR_OPEN PARCDF MPIEXEC [ROUNDS]
"""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path
sys.path.insert(0, str(Path(__file__).parent))
from rangeserver import asked, serve

OPEN, PARCDF, MPIEXEC = sys.argv[1:4]
ROUNDS = int(sys.argv[4]) if len(sys.argv) > 4 else 4
bad, said = [], []


def check(ok, text):
    if not ok:
        bad.append(text)
        print(text, file=sys.stderr)


def run(*words, ranks=0, fails=False, **env):
    launch = [MPIEXEC, "-n", str(ranks)] if ranks else []
    plain = {k: v for k, v in os.environ.items() if not k.startswith("AWS_")}
    done = subprocess.run([*launch, *words], capture_output=True, text=True, errors="replace", timeout=300, env={**plain, **env})
    text = done.stdout + done.stderr
    said.append(text)
    check((done.returncode != 0) == fails, f"{words} on {ranks}: status {done.returncode}\n{text[-2000:]}")
    return text


def far(url, file, what, ranks, **env):
    """How many gets, or the open, failed; values are compared by the program."""
    text = run(OPEN, url, "www/" + file, what, ranks=ranks, **env)
    found = re.search(r"^failed (\d+)", text, re.M)
    return int(found[1]) if found else -1, text


def cdf5(name, atts=0, **variables):
    """A classic file of variables of doubles, of one dimension each, and so many long attributes."""
    def text(s):
        raw = s.encode()
        return struct.pack(">q", len(raw)) + raw + bytes(-len(raw) % 4)

    lists = [struct.pack(">iq", 10, len(variables)) + b"".join(text("d" + v) + struct.pack(">q", n) for v, n in variables.items()),
             struct.pack(">iq", 12, atts) + b"".join(text(f"a{i}") + struct.pack(">iq", 2, 4000) + b"x" * 4000 for i in range(atts))
             if atts else struct.pack(">iq", 0, 0)]
    size = sum(len(text(v)) + 8 + 8 + 12 + 4 + 8 + 8 for v in variables) + 12
    begin, rows = 4 + 8 + sum(map(len, lists)) + size, b""
    for i, (v, n) in enumerate(variables.items()):
        rows += text(v) + struct.pack(">qq", 1, i) + struct.pack(">iq", 0, 0) + struct.pack(">iqq", 6, 8 * n, begin)
        begin += 8 * n
    head = b"CDF\5" + struct.pack(">q", 0) + lists[0] + lists[1] + struct.pack(">iq", 11, len(variables)) + rows
    with open(name, "wb") as f:
        f.write(head)
        for i, n in enumerate(variables.values()):
            f.write(b"".join(struct.pack(">d", i + k % 1000 / 7) for k in range(min(n, 1000))) * (n // 1000 + 1))
            f.truncate(f.seek(begin - sum(list(variables.values())[i + 1:]) * 8))
    return len(head)


def opening():
    with serve() as url:
        for ranks in (1, 2, 4):
            for file, most in (("plain.nc", 1), ("many.nc", 2)):
                before = int(asked(url))
                failed, _ = far(f"{url}/{file}", file, "open", ranks)
                check(failed == 0 and int(asked(url)) - before <= most,
                      f"opening {file} on {ranks} ranks: {int(asked(url)) - before} requests, {failed} failed")
            failed, text = far(f"{url}/plain.nc", "plain.nc", "all", ranks)
            check(failed == 0, text)
            before = int(asked(url))
            failed, text = far(f"{url}/small.nc#mode=bytes", "small.nc", "all", ranks)
            check(failed == 0 and int(asked(url)) - before == 1, f"small.nc on {ranks} ranks: {int(asked(url)) - before} requests")
        text = run(OPEN, url + "/none.nc", "www/plain.nc", "open", ranks=2)
        check("is not there" in text, text)


def speed():
    """A line of 100 MB/s, on which each request takes 50 ms: five times, the best of each."""
    with serve("--delay", "50", "--rate", "100") as url:
        curl, ours = [], []
        for _ in range(5 if ROUNDS > 4 else 2):
            began = time.monotonic()
            subprocess.run(["curl", "-s", "-o", "/dev/null", url + "/large.nc"], check=True)
            curl.append(time.monotonic() - began)
            ours.append(float(re.search(r"seconds ([\d.]+)", run(OPEN, url + "/large.nc", "-", "time", ranks=1))[1]))
        print(f"whole file, {os.path.getsize('www/large.nc') / 1e6:.0f} MB, 50 ms, 100 MB/s: curl {min(curl):.3f} s, parcdf {min(ours):.3f} s: "
              f"{min(ours) / min(curl):.2f}")
        check(min(ours) <= 1.3 * min(curl), "more than 1.3 times curl's")


def collective():
    """What several ranks read is fetched once for all of them."""
    size = os.path.getsize("www/shared.nc")
    with serve() as url:
        for what in ("same", "steps", "rows", "long"):
            for ranks in (1, 2, 4):
                before = len(asked(url, "log"))
                failed, text = far(f"{url}/shared.nc", "shared.nc", what, ranks)
                ends = re.findall(r"bytes=(\d+)-(\d+)", asked(url, "log")[before:])
                came = sum(min(int(b), size - 1) + 1 - int(a) for a, b in ends)
                print(f"{what} on {ranks} ranks: {came / 2**20:.1f} of {size / 2**20:.1f} MiB in {len(ends)} requests")
                check(failed == 0 and came <= 1.1 * size, f"{what} on {ranks} ranks: {came} bytes of {size}; {text[-500:]}")


def faults():
    requests = 0
    for seed in range(ROUNDS):
        for kinds in ("reset,truncated,unavailable", "range,whole,gzip,coded,more,multipart", "reset,truncated,range,gzip,more,unavailable,slow,drip" if seed == 0 else "reset,range"):
            with serve("--faults", kinds, "--share", "0.15", "--seed", str(seed)) as url:
                failed, text = far(f"{url}/plain.nc", "plain.nc", "all", 1 + seed % 3)
                check(failed == 0, f"{kinds}, seed {seed}: {text[-1000:]}")
                requests += int(asked(url))
    texts = []
    for seed in range(3):  # right values or the sentence; once, at least, the sentence
        with serve("--faults", "changed", "--share", "0.3", "--seed", str(seed)) as url:
            texts.append(far(f"{url}/plain.nc", "plain.nc", "all", 2)[1])
    check(any("has been changed" in text for text in texts), f"changed: {texts[-1][-1000:]}")
    print(f"{requests} requests, 15 % of them with faults")


def commands():
    with serve() as url:
        here = run(PARCDF, "dump", "www/plain.nc")
        check(run(PARCDF, "dump", url + "/plain.nc") == here, "dump differs")
        check("are the same" in run(PARCDF, "diff", url + "/plain.nc", "www/plain.nc"), "diff")
        check(run(PARCDF, "stats", url + "/plain.nc") == run(PARCDF, "stats", "www/plain.nc"), "stats differ")
        check(": good:" in run(PARCDF, "check", url + "/plain.nc"), "check")
        run(PARCDF, "copy", "-O", url + "/plain.nc", "copy.nc")
        run(PARCDF, "diff", "copy.nc", "www/plain.nc")
        refs = run(PARCDF, "refs", url + "/plain.nc")
        check(url + "/plain.nc" in refs, "refs without the URL")
        near = f"file://{os.getcwd()}/www/plain.nc"
        check("are the same" in run(PARCDF, "diff", near, "www/plain.nc"), "diff of file://")
        check(far(near, "plain.nc", "all", 2)[0] == 0, "file:// by the library")
        run(PARCDF, "repair", url + "/plain.nc", fails=True)
        run(PARCDF, "offsets", url + "/plain.nc", fails=True)


def shards():
    """Of a shard the index and the chunks that are wanted are read, and all of it once at most; also without ranges."""
    run(PARCDF, "copy", "-O", "-k", "zarr3", "--chunks", "da/1000,db/1000,dc/1000,dd/1000", "www/plain.nc", "www/shards.zarr")
    sizes = sum(p.stat().st_size for p in Path("www/shards.zarr").rglob("c/*"))
    part = run(PARCDF, "dump", "-v", "b(50100:50110)", "www/plain.nc").split("data:")[1]
    for options in ((), ("--faults", "reset,truncated,range", "--share", "0.2"), ("--no-ranges",)):
        with serve(*options) as url:
            text = run(PARCDF, "dump", "-v", "b(50100:50110)", url + "/shards.zarr")
            check(text.split("data:")[1] == part, f"{options}: {text[-500:]}")
            ranges = [line.split("bytes=")[1] for line in asked(url, "log").splitlines() if "/b/c/" in line and "bytes=" in line]
            # dump reads ahead: 72 KB
            check(options or ranges == [f"-{200 * 16 + 4}", "400000-471999"], f"some chunks of a shard cost {ranges}")
            run(PARCDF, "diff", url + "/shards.zarr", "www/plain.nc")
    with serve("--faults", "changed", "--share", "0.4", "--seed", "3") as url:  # a shard is read at several times
        check("it has been changed since it was first read" in run(PARCDF, "diff", url + "/shards.zarr", "www/plain.nc", fails=True), "changed shards")
    with serve() as url:
        run(PARCDF, "diff", url + "/shards.zarr", "www/plain.nc", ranks=2)
        ends = [line.split("bytes=")[1].split("-") for line in asked(url, "log").splitlines() if "/c/" in line and "bytes=" in line]
        came = sum(int(b) + 1 - int(a) if a else int(b) for a, b in ends)
        check(came <= 1.3 * sizes and len(ends) < 60, f"{came} bytes of {sizes} in {len(ends)} requests")


def sparse():
    """A chunk that HTTP 403 forbids is an error, unless the user says that the store cannot be listed; and then as long as metadata can be read."""
    os.makedirs("www/sparse.zarr/v", exist_ok=True)
    array = dict(zarr_format=2, shape=[8], chunks=[4], dtype="<i4", compressor=None, filters=None, order="C", fill_value=7)
    Path("www/sparse.zarr/.zmetadata").write_text(json.dumps({"zarr_consolidated_format": 1, "metadata": {".zgroup": {"zarr_format": 2}, "v/.zarray": array}}))
    Path("www/sparse.zarr/v/0").write_bytes(struct.pack("<4i", 1, 2, 3, 4))
    with serve("--no-list") as url:
        store = url + "/sparse.zarr"
        check("HTTP 403" in run(PARCDF, "dump", store, fails=True), "a forbidden chunk")
        check("mode nolist" in run(PARCDF, "dump", store, fails=True), "no way out is told")
        check("v = 1, 2, 3, 4, _, _, _, _" in run(PARCDF, "dump", store + "#mode=zarr,nolist"), "mode nolist")
        check("v = 1, 2, 3, 4, _, _, _, _" in run(PARCDF, "dump", store + "#mode=zarr,nolist", ranks=2), "mode nolist on 2 ranks")
        run(PARCDF, "dump", url + "/none.zarr#mode=zarr,nolist", fails=True)
    with serve("--no-list", "--expire", "1") as url:  # the key runs out: then all is forbidden, and nothing is known of the chunks
        check("HTTP 403" in run(PARCDF, "dump", url + "/sparse.zarr#mode=zarr,nolist", fails=True), "a key that ran out")


def secrets():
    with serve("--user", "me:wordX77") as url:
        with_user = url.replace("//", "//me:wordX77@")
        failed, text = far(with_user + "/plain.nc", "plain.nc", "all", 2, PNETCDF_HINTS="pcdf_trace=trace.txt")
        check(failed == 0 and f"path {url}/plain.nc" in text, text)
        for command in ("info", "dump", "stats", "check", "refs"):
            run(PARCDF, command, with_user + "/plain.nc")
            run(PARCDF, command, with_user + "/none.nc?X-Amz-Signature=feedX88", fails=True)
        far(with_user.replace("me:", "you:") + "/plain.nc", "plain.nc", "open", 2)
    os.makedirs("www/bucket", exist_ok=True)
    shutil.copy("www/plain.nc", "www/bucket/plain.nc")
    key = {"AWS_ACCESS_KEY_ID": "IDX", "AWS_SECRET_ACCESS_KEY": "SECRETX99", "AWS_SESSION_TOKEN": "TOKENX66"}
    with serve("--sign", "IDX:SECRETX99:TOKENX66") as url:
        failed, text = far("s3://bucket/plain.nc", "plain.nc", "all", 2, AWS_ENDPOINT_URL=url, **key)
        check(failed == 0, text)
        run(PARCDF, "info", "s3://bucket/plain.nc", AWS_ENDPOINT_URL=url, **key)
        far("s3://bucket/none.nc", "plain.nc", "open", 2, AWS_ENDPOINT_URL=url, **key)
        far("s3://bucket/plain.nc", "plain.nc", "open", 2, AWS_ENDPOINT_URL=url, **{**key, "AWS_SECRET_ACCESS_KEY": "SECRETX98"})
    traces = [p.read_text(errors="replace") for p in Path(".").glob("trace*")]
    check(traces, "no trace was written")
    for word in ("wordX77", "feedX88", "SECRETX9", "TOKENX66"):
        check(not any(word in text for text in said + traces), f"{word} is told")


def main():
    os.makedirs("www", exist_ok=True)
    cdf5("www/small.nc", a=100, b=2000)
    cdf5("www/plain.nc", a=100, b=200000, c=10, d=150000)
    head = cdf5("www/many.nc", atts=100, a=100, b=1000)
    check(head > 300000, f"a header of {head} bytes")
    cdf5("www/large.nc", a=16000000)
    cdf5("www/shared.nc", a=2100000, b=10)
    for part in (opening, collective, commands, shards, sparse, secrets, faults, speed):
        part()
    print(f"far_test: {len(bad)} failures")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
