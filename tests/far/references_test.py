#!/usr/bin/env python3
"""What names in a file of references may lead to, by a table of spellings, through the library and the commands: no local file from far
away or beyond the folder, no host of the inside, no key or password for a host that the user did not name. Each file that may not be read
holds the word SECRET, which is then in no output.

    references_test.py READ_ALL PARCDF [all MPIEXEC]     all: each row also by `parcdf copy`; and on two ranks
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path
sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "virtual"))
from found import Found, Refused
from rangeserver import asked, serve

READ_ALL, PARCDF, ALL = sys.argv[1], sys.argv[2], sys.argv[3:4] == ["all"]
HERE = os.getcwd()
OKAY = b"OKAYOK"
bad, said, rows = [], [], []


def check(ok, text):
    if not ok:
        bad.append(text)
        print(text, file=sys.stderr)


def run(*words, hints="", launch=(), **env):
    plain = {k: v for k, v in os.environ.items() if not k.startswith("AWS_") and "proxy" not in k.lower() and k != "PNETCDF_HINTS"}
    more = {"PNETCDF_HINTS": "pcdf_references=" + hints} if hints else {}
    done = subprocess.run([*launch, *words], capture_output=True, timeout=120, env={**plain, "HOME": HERE, **more, **env})
    said.append(done.stdout + done.stderr)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def references(told, **more):
    meta = {".zgroup": json.dumps({"zarr_format": 2}),
            "v/.zarray": json.dumps(dict(zarr_format=2, shape=[6], chunks=[6], dtype="|u1", compressor=None, filters=None, order="C", fill_value=0))}
    return json.dumps({"version": 1, **more, "refs": {**meta, "v/0": [told, 0, 6]}})


def files():
    for folder in ("www/sub", "near/sub/deep", "near/.hidden", "other", "near/x:", "near/file:", "other/http:/h", "moved"):
        os.makedirs(folder, exist_ok=True)
    for name in ("near/data.bin", "near/sub/data.bin", "near/sub/deep/..data", "near/a:b.bin", "near/100%25.bin", "near/with blank", "near/archive.zip",
                 "near/dir.zarr", "near/back\\slash", "moved/data.bin", "www/data.bin", "www/sub/data.bin", "www/data.bin.zip", "near/ufs:x"):
        Path(name).write_bytes(OKAY)
    for name in ("secret", "other/secret", "near/.hidden/secret", "near/.secret", "other/http:/h/secret", "www/secret"):
        Path(name).write_bytes(b"SECRET")
    for link, to in (("near/out", "../other"), ("near/out.bin", "../secret"), ("near/absolute", HERE + "/secret"), ("near/inside", "sub"),
                     ("near/up", ".."), ("near/moved.bin", "../moved/data.bin"), ("alias", "near"), ("near/null", "/dev/null"), ("near/self", "/proc/self/environ")):
        if not os.path.islink(link):
            os.symlink(to, link)
    if not os.path.exists("near/pipe"):
        os.mkfifo("near/pipe")


def row(where, told, reads=False, words="", hints="", **more):
    rows.append((where, told, reads, words, hints, more))


def local_rows():
    """From a local file: below its own folder, and what a hint opens."""
    h, below, link = HERE, "not below the folder", "link there leads out"
    for told in ("data.bin", "./data.bin", "sub/data.bin", "sub//data.bin", "sub/../data.bin", f"{h}/near/data.bin", f"file://{h}/near/data.bin",
                 f"FILE://{h}/near/data.bin", f"file:{h}/near/data.bin", f"file://localhost{h}/near/data.bin", "a:b.bin", "100%25.bin", "with blank", "archive.zip",
                 "dir.zarr", "back\\slash", f"{h}/near/sub/../data.bin", f"{h}/alias/data.bin", "ufs:x"):
        row("near", told, reads=True)
    row("near", "inside/data.bin", reads=True if kernel_follows else False, words="" if kernel_follows else link)
    for told in (f"{h}/secret", "../secret", "sub/../../secret", "sub/../../near/../secret", f"{h}/near/../secret", f"file://{h}/secret", f"FILE://{h}/secret",
                 f"File://{h}/secret", f"file:{h}/secret", f"fIlE:{h}/secret", f"file://file://{h}/secret", f"file://FILE://{h}/secret", f"file:file:{h}/secret",
                 f"file://localhost{h}/secret", f"file://127.0.0.1{h}/secret", f"file:////{h}/secret", f"//{h}/secret", f"///{h}/secret", f"x://../../..{h}/secret",
                 f"x://../secret", f"://{h}/secret", f"://../secret", f"http:/../../secret", f"http:{h}/secret", f"s3:{h}/secret", f"ftp://{h}/secret",
                 f"local://{h}/secret", f"memory://{h}/secret", f"simplecache::file://{h}/secret", f"file://~/secret", f"file://../secret", f"file:../secret",
                 f"{h}/near/./../secret", f"{h}//secret", f"{h}/./secret", f"{h}/other/http:/h/secret", f"unix://{h}/secret", "..", ".", "", "/", "sub/deep/..data", "/etc/passwd", "/proc/self/environ",
                 ".secret", ".hidden/secret", f"{h}/near/.secret", "sub/../.secret", f"file://{h}/near/.hidden/secret", "near\0/../../secret", "../secret\0.nc",
                 "data.bin\n", f"\t{h}/secret", f" {h}/secret", "-", "%2e%2e/secret", f"file://{h}/near/%2e%2e/secret", "..%2fsecret", "..\\secret", "sub/..\\..\\..\\secret",
                 f"http:///{h}/secret", f"file:///{h}/near/../secret#mode=bytes", f"{h}/near", "sub", "null", "self", "pipe", f"ufs:{h}/secret", f"lustre:{h}/secret",
                 "gopher://127.0.0.1/x", "dict://127.0.0.1:11211/x", "a" * 5000, "../" * 300 + "secret", f"{h}/nearby/../secret"):
        row("near", told)
    for told in ("out/secret", "out.bin", "absolute", "up/secret", "up/near/../secret", "up/near/out.bin", "moved.bin", "self"):
        row("near", told, words=link if told not in ("up/near/../secret",) else "")
    row("near", "{{u}}", words=below, templates={"u": f"{h}/secret"})
    row("near", "{{u}}{{w}}", words=below, templates={"u": "..", "w": "/secret"})
    row("near", "{{u}}{{w}}", words=below, templates={"u": "FI", "w": f"LE://{h}/secret"})
    row("near", "{{u}}/data.bin", reads=True, templates={"u": f"{h}/near/sub"})
    row("near", f"{h}/moved/data.bin", words="pcdf_references")
    row("near", f"{h}/moved/data.bin", reads=True, hints=f"http://host.example,{h}/moved")
    row("near", "../moved/data.bin", reads=True, hints=f"{h}/moved/")
    row("near", "moved.bin", reads=True, hints=f"{h}/moved")
    row("near", f"{h}/secret", words=below, hints=f"{h}/moved")
    row("near", f"{h}/moved/../secret", words=below, hints=f"{h}/moved")
    row("near", f"{h}/moved/data.bin", words=below, hints="moved")
    row("near", f"{h}/moved/data.bin", reads=True, hints="/")


def far_rows(url, other):
    """From far away: no local file, whatever is allowed; hosts of the inside only where the user named them."""
    h, port, inside = HERE, other.rsplit(":", 1)[1], "host of the inside"
    for told in ("data.bin", "./data.bin", "sub/data.bin", "data.bin.zip", f"{url}/data.bin", f"{url.replace('http', 'HTTP')}/sub/data.bin"):
        row("far", told, reads=True)
    for hints in ("", "/"):
        for told in (f"{h}/secret", f"file://{h}/secret", f"FILE://{h}/secret", f"file:{h}/secret", f"file://file://{h}/secret", f"file://localhost{h}/secret",
                     f"x://../../..{h}/secret", f"://{h}/secret", f"//{h}/secret", "../secret", "sub/../../secret", f"file://../secret", f"local://{h}/secret",
                     f"s3:{h}/secret", f"http:{h}/secret", f"http://{h}/secret", "data.bin\0/../secret", f"\\\\127.0.0.1\\secret", f"sub\\..\\..\\secret", ""):
            row("far", told, hints=hints)
    row("far", "{{u}}", templates={"u": f"file://{h}/secret"})
    for told in (f"{other}/data.bin", f"http://localhost:{port}/data.bin", f"http://127.1:{port}/data.bin", f"http://2130706433:{port}/data.bin", f"http://0x7f.1:{port}/data.bin",
                 f"http://0:{port}/data.bin", f"http://[::1]:{port}/data.bin", f"http://[::ffff:127.0.0.1]:{port}/data.bin", f"http://[64:ff9b::7f00:1]:{port}/data.bin",
                 "http://169.254.169.254/latest/meta-data/iam/security-credentials/", "http://10.0.0.1/x", "http://192.168.1.1/x", "http://172.16.0.1/x", "http://100.64.0.1/x",
                 "http://[fd00::1]/x", "http://[fe80::1]/x", "http://localhost:{}/data.bin".format(url.rsplit(":", 1)[1])):
        row("far", told, words=inside)
        row("near", told, words=inside)
    row("far", f"http://me:pass@{other[7:]}/data.bin", words="user")
    row("far", f"{other}/data.bin", reads=True, hints=other)
    row("near", f"{other}/data.bin", reads=True, hints=other)
    row("near", f"{other}/../data.bin", words="goes up", hints=other)
    row("near", f"{other}/data.bin#mode=bytes,s3", reads=True, hints=other)
    row("near", f"{other}/redirect/data.bin", reads=True, hints=other)
    row("near", f"{other}/elsewhere/{port}/data.bin", reads=True, hints=other)
    row("near", f"{other}/file-redirect{h}/secret", hints=other)


def verdict(name, r, values):
    where, told, reads, words, hints, _ = r
    what = f"{name} from {where}, hint {hints!r}: {told[:200]!r}"
    got = values.vars.get("v")
    sentence = values.error[1] if values.error else getattr(got, "sentence", "")
    if reads:
        check(got is not None and not isinstance(got, Refused) and got.tobytes() == OKAY, f"{what} is not read: {sentence or got}")
    else:
        check(values.error or isinstance(got, Refused), f"{what} is read: {got}")
        check(words in sentence, f"{what}: no '{words}' in {sentence!r}")


def by_library(url, groups, launch=()):
    for hints, group in groups.items():
        names = [(f"near/r{i}.json" if r[0] == "near" else f"{url}/r{i}.json") for i, r in group]
        status, text = run(READ_ALL, *names, hints=hints, launch=launch)
        check(status == 0, f"read_all ends with {status}: {text[-1000:]}")
        for (i, r), name in zip(group, names):
            verdict("open", r, Found(name if r[0] == "near" else f"r{i}.json"))


def by_command(url, i, r, command):
    where, told, reads, _, hints, _ = r
    name = f"near/r{i}.json" if where == "near" else f"{url}/r{i}.json"
    words = ("dump", name) if command == "dump" else ("copy", "-O", name, "out.nc")
    Path("out.nc").unlink(missing_ok=True)
    status, text = run(PARCDF, *words, hints=hints)
    data = Path("out.nc").read_bytes() if os.path.exists("out.nc") else b""
    good = "79, 75, 65, 89, 79, 75" in text if command == "dump" else OKAY in data
    check(good == reads and (status == 0) == reads, f"parcdf {command} from {where}, hint {hints!r}: {told[:200]!r}: status {status}\n{text[-400:]}")
    check(b"SECRET" not in data and "83, 69, 67, 82, 69, 84" not in text, f"parcdf {command} from {where} reads {told[:200]!r}")


def table():
    with serve() as url, serve() as other:
        local_rows()
        far_rows(url, other)
        groups = {}
        for i, r in enumerate(rows):
            where, told, _, _, hints, more = r
            Path("near" if where == "near" else "www", f"r{i}.json").write_text(references(told, **more))
            groups.setdefault(hints, []).append((i, r))
        by_library(url, groups)
        for i, r in enumerate(rows):
            if ALL or i % 8 == 0:
                by_command(url, i, r, "dump")
            if ALL or i % 60 == 0:
                by_command(url, i, r, "copy")
        log = asked(other, "log")
        check("AUTHORIZATION" not in log, "something is signed: " + log[:300])
    check(not any(b"SECRET" in text for text in said), "SECRET is told")
    print(f"{len(rows)} spellings, {sum(r[2] for r in rows)} of them are read")


def see(name, words="", reads=False, hints="", **env):
    """A file of references with v/0 to OKAY, by a command; with `all` by the library, too."""
    status, text = run(PARCDF, "dump", name, hints=hints, **env)
    check(reads == ("79, 75, 65, 89, 79, 75" in text) and words in text, f"{name}, hint {hints!r}: {text[-300:]}, not {'values' if reads else words}")
    if ALL:
        status, text = run(READ_ALL, name, hints=hints, **env)
        found = Found(name.rsplit("/", 1)[1] if "://" in name else name)
        got = found.vars.get("v")
        sentence = found.error[1] if found.error else getattr(got, "sentence", "")
        check(status == 0 and reads == (got is not None and not isinstance(got, Refused) and got.tobytes() == OKAY) and words in sentence,
              f"{name}, hint {hints!r}, by the library: {sentence or got}, not {'values' if reads else words}")


def credentials():
    """Keys of S3 and passwords go to the hosts alone that the user named."""
    keys = {"AWS_ACCESS_KEY_ID": "IDX", "AWS_SECRET_ACCESS_KEY": "SECRETX", "AWS_SESSION_TOKEN": "TOKENX"}
    with serve() as other, serve("--user", "me:wordX") as mine:
        me = mine.replace("//", "//me:wordX@")
        rows = {"relative": ("data.bin", True), "absolute": (f"{mine}/data.bin", True), "elsewhere": (f"{other}/data.bin", True),
                "sign": (f"{other}/data.bin#mode=bytes,s3", True), "host": (f"{mine.replace('127.0.0.1', 'localhost')}/data.bin", False),
                "user": (f"{me}/data.bin", False)}
        for name, (told, reads) in rows.items():
            for folder in ("near", "www"):
                Path(folder, name + ".json").write_text(references(told))
            hints = f"{other},{mine.replace('127.0.0.1', 'localhost')}"
            see(f"{me}/{name}.json", reads=reads, hints=hints, **keys)
            if name != "relative":
                see(f"near/{name}.json", reads=name in ("elsewhere", "sign"), hints=f"{hints},{mine}", **keys)
        log = asked(other, "log")
        check("/data.bin" in log and "AUTHORIZATION" not in log, f"a key or password went to another host: {log[:500]}")
        run(PARCDF, "dump", f"{me}/relative.json")
    os.makedirs("www/bucket", exist_ok=True)
    os.makedirs("www/private", exist_ok=True)
    for name in ("www/bucket/data.bin", "www/private/data.bin"):
        Path(name).write_bytes(OKAY)
    Path("www/bucket/own.json").write_text(references("data.bin"))
    Path("www/bucket/same.json").write_text(references("s3://bucket/data.bin"))
    Path("www/bucket/private.json").write_text(references("s3://private/data.bin"))
    Path("near/private.json").write_text(references("s3://private/data.bin"))
    with serve("--sign", "IDX:SECRETX:TOKENX") as url:
        end = {"AWS_ENDPOINT_URL": url, **keys}
        mode = f"{url}/bucket/own.json#mode=kerchunk,s3"
        for name, reads in (("s3://bucket/own.json", True), ("s3://bucket/same.json", True), ("s3://bucket/private.json", False), ("near/private.json", False), (mode, True)):
            see(name, reads=reads, words="" if reads else "not signed", **end)
        for name in ("s3://bucket/private.json", "near/private.json"):
            see(name, reads=True, hints="s3://private", **end)
        see("near/private.json", words="not signed", hints="s3://bucket", **end)


def proxies():
    """By a proxy: it decides which hosts there are, but addresses of the inside and this machine are none; no_proxy does not hold."""
    with serve() as url:
        told = {"named": ("http://nowhere.invalid/data.bin", True, ""), "listed": ("http://inner.example.invalid/data.bin", True, ""), "address": (f"{url}/data.bin", False, "inside"),
                "short": (f"http://127.1:{url.rsplit(':', 1)[1]}/data.bin", False, "inside"), "local": ("http://LocalHost./data.bin", False, "inside"),
                "below": ("http://x.localhost/data.bin", False, "inside"), "six": ("http://[::1]/data.bin", False, "inside")}
        for name, (target, reads, words) in told.items():
            Path("near", name + ".json").write_text(references(target))
            see(f"near/{name}.json", reads=reads, words=words, http_proxy=url, no_proxy="example.invalid,127.0.0.1,localhost")
        log = asked(url, "log")
        check(log.count("/data.bin") >= 2, f"not by the proxy: {log[:300]}")


def ranks():
    """The other ranks open what rank 0 was allowed, as it was allowed."""
    launch = (sys.argv[4], "-n", "2")
    with serve("--user", "me:wordX") as url:
        me = url.replace("//", "//me:wordX@")
        names = [f"{me}/relative.json", "near/ranks.json", f"{me}/many.json"]
        Path("near/ranks.json").write_text(references("sub/data.bin"))
        Path("www/many.json").write_text(references("data.bin?token=0123456789abcdef0123456789"))
        status, text = run(READ_ALL, *names, launch=launch)
        check(status == 0, f"2 ranks: {status} {text[-500:]}")
        for name in names:
            got = Found(name.rsplit("/", 1)[1] if "://" in name else name)
            check("v" in got.vars and not isinstance(got.vars["v"], Refused) and got.vars["v"].tobytes() == OKAY, f"{name.rsplit('/', 1)[1]} on 2 ranks: {got.error or got.vars}")
        check("0123456789abcdef" not in text, "a token is told")
        lines = [line for line in asked(url, "log").splitlines() if "/data.bin" in line]
        check(len(lines) >= 4 and all("WITH AUTHORIZATION" in line for line in lines), f"not each rank has asked with the password: {lines}")


def logins():
    """URLs that differ in user and password alone; many; damaged ones are told without the password."""
    with serve("--user", "me:wordX") as url:
        good, wrong, none = (url.replace("//", f"//{login}") + "/relative.json" for login in ("me:wordX@", "me:wordY@", ""))
        for names in ((good, wrong), (wrong, good), (good, none), (none, good)):
            status, text = run(PARCDF, "diff", *names)
            check(status and "access is refused" in text, f"two logins: {status} {text[-300:]}")
        status, text = run(PARCDF, "check", *(f"{good}?n={i}" for i in range(70)))
        check("access is refused" not in text and status == 0 and text.count(": good") == 70, f"70 logins: {text[:500]}")
        host = url.split("//")[1]
        damaged = [f"ftp://me:wordX@{host}/x", f"gs://me:wordX@{host}/x", f"sftp://me:wordX@{host}/x", f"s3://me:wordX@bucket/x", f"http:/me:wordX@{host}/x",
                   f"http:me:wordX@{host}/x", f"HTTP://me:wordX@{host}/none", f"http:///me:wordX@{host}/x", f"http://me:wordX@bad host/x", f"http://me:wo/rdX@{host}/x",
                   f"http://me:a#wordX@{host}/x", f"http://me:a?wordX@{host}/x", f"http://me:a@wordX@{host}/x", f"http://me:wordX@", f"http://wordX@{host}/x",
                   f"file://me:wordX@{host}/x", f"file:///none/http://me:wordX@{host}/x", f" http://me:wordX@{host}/x", f"htp://me:wordX@{host}/x",
                   f"http://me:wordX@[::1/x", f"http://me:wordX@h:99999/x", f"unknown+x://me:wordX@h/x"]
        before = len(said)
        for name in damaged if ALL else damaged[::3]:
            run(PARCDF, "info", name)
            run(PARCDF, "copy", name, "out.nc")
            run(PARCDF, "info", "--url=" + name)
        run(READ_ALL, *damaged if ALL else damaged[:1])
        for text in said[before:]:
            check(b"wordX" not in text and b"rdX" not in text, f"a password is told: {text[-300:]}")
        for values in Path(".").glob("*.values"):
            check(b"rdX" not in values.read_bytes(), f"a password is told: {values.read_bytes()[:300]}")


def main():
    global kernel_follows
    kernel_follows = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) >= (5, 6)
    files()
    table()
    credentials()
    proxies()
    if ALL:
        ranks()
    logins()
    print(f"references_test: {len(bad)} failures")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
