#!/usr/bin/env python3
"""Far stores against a server that answers wrongly: what is read is right or an error, never something else, and nothing
hangs; requests are counted; passwords, tokens and signatures are in no sentence; AWS signatures are right.

    far_store_test.py FAR_READS RANGE_READS [ROUNDS [SEED]]     ROUNDS for each kind of fault
"""
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
sys.path.insert(0, str(Path(__file__).parent))
from rangeserver import asked, serve

READS, RANGES, ROUNDS = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 10
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 1
PASSING = "reset truncated range whole unavailable drip gzip coded slow multipart more".split()
LASTING = ("changed", "swapped", "refused")  # refused: "416, of 0 bytes" says that it is another object now
bad = []


class Read(SimpleNamespace):
    """good and failed rounds, requests, those sent again, wrong values, hangs; the last sentence."""
    COUNTS = ("good", "failed", "requests", "retries", "wrong", "hangs")

    def __init__(self, good=0, failed=0, requests=0, retries=0, wrong=0, hangs=0, said=""):
        super().__init__(good=good, failed=failed, requests=requests, retries=retries, wrong=wrong, hangs=hangs, said=said)


def reads(url, file, rounds=ROUNDS, how="quick", **env):
    """What the program counted; what is wrong is told."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith("AWS_") and "_CA_BUNDLE" not in k and k != "SSL_CERT_FILE"}
    try:
        done = subprocess.run([READS, url, "www/" + file, str(SEED), str(rounds), how], capture_output=True,
                              text=True, timeout=1200, env={**plain, "HOME": os.getcwd(), **env})
    except subprocess.TimeoutExpired:
        check(False, f"{url}: it hangs")
        return Read(hangs=1)
    found = re.search(r"good (\d+) failed (\d+) requests (\d+) retries (\d+): (.*)", done.stdout)
    check(done.returncode == 0 and found, f"{url}: status {done.returncode}\n{done.stdout}{done.stderr[-2000:]}")
    reads.said += done.stdout + done.stderr
    wrong = done.stderr.count("other bytes") + done.stderr.count(" bytes at ")
    return Read(*map(int, found.groups()[:4]), wrong, 0, found[5]) if found else Read(wrong=wrong + 1)


reads.said = ""


def check(ok, text):
    if not ok:
        bad.append(text)
        print(text, file=sys.stderr)


def faults():
    """Each kind of fault; those that pass leave no error behind, a change is always an error."""
    kinds = {kind: (share, 0) for kind, share in zip(PASSING, [0.2] * len(PASSING))} | {kind: (0.1, 1) for kind in LASTING}
    rows = []
    for kind, (share, fails) in kinds.items():
        rounds = 2 if kind == "drip" and ROUNDS < 20 else ROUNDS
        with serve("--faults", kind, "--share", "0.05" if kind == "drip" else str(share), "--seed", str(SEED)) as url:
            r = reads(f"{url}/a.bin", "a.bin", rounds)
            rows.append((kind, int(asked(url, "faults")), r))
            check(r.failed > 0 and "changed" in r.said if fails else r.failed == 0, f"{kind}: {r.failed} rounds failed: {r.said}")
    for kind in ("reset", "unavailable", "range", "whole", "gzip"):  # always: an error, and an end
        with serve("--faults", kind, "--share", "1") as url:
            r = reads(f"{url}/a.bin", "a.bin", rounds=1)
            rows.append((kind + ", always", int(asked(url, "faults")), r))
            failed = kind != "whole"  # a server that gives no parts at all is one that works
            check(r.failed == failed and r.requests <= 8 * (1 + 3 * 40), f"always {kind}: {r.failed} failed, {r.requests}: {r.said}")
    print(f"{'fault':20}{'injected':>9}{'requests':>9}{'sent again':>11}{'rounds':>7}{'failed':>7}{'wrong':>6}{'hangs':>6}")
    total = sum(n for _, n, _ in rows)
    rows.append(("all", total, Read(*(sum(getattr(r, f) for *_, r in rows) for f in Read.COUNTS))))
    for kind, n, r in rows:
        print(f"{kind:20}{n:9}{r.requests:9}{r.retries:11}{r.good + r.failed:7}{r.failed:7}{r.wrong:6}{r.hangs:6}")
    check(total >= 60 * ROUNDS, f"only {total} faults")


def servers():
    for options in (["--no-ranges"], ["--no-tags"], ["--star"], ["--star", "--faults", "reset,truncated,range", "--share", "0.2"], []):
        with serve(*options) as url:
            for name in ("a.bin", "small.bin", "empty.bin"):
                r = reads(f"{url}/{name}", name, rounds=2)
                check(r.failed == 0, f"{options} {name}: {r.said}")
    with serve() as url:
        r = reads(f"{url}/small.bin", "small.bin", rounds=5)
        check(r.requests == 5, f"{r.requests} requests, not 5, for what comes with the first one")
        for name, words in (("none.bin", "not there"), ("%2e%2e/far_store_test.py", "not there")):
            r = reads(f"{url}/{name}", "a.bin", rounds=1)
            check(r.failed == 1 and words in r.said, f"{name}: {r.said}")
        check(reads(f"{url}/redirect/a.bin", "a.bin", rounds=1).good == 1, "redirect")
        check(reads(f"{url}/with%20blank", "with blank", rounds=1).good == 1, "%20")
        check(reads(f"{url}/with blank", "with blank", rounds=1).good == 1, "blank")
    r = reads(f"{url}/a.bin", "a.bin", rounds=1)  # nobody listens
    check(r.failed == 1 and "tried 3 times" in r.said, f"nobody listens: {r.said}")


def forks():
    """A child has no thread that moves its parent's requests: it finishes them by its own, and the parent does not notice."""
    for options in ([], ["--delay", "20"], ["--faults", "reset,unavailable", "--share", "0.1", "--seed", str(SEED)]):
        with serve(*options) as url:
            r = reads(f"{url}/a.bin", "a.bin", rounds=2, how="fork")
            check(r.failed == 0 and r.good == 2, f"fork, {options}: {r.said}")


def blocks():
    """The storage over it: values, and not more requests than a piece each."""
    for faults, share in (("reset", 0), ("reset,truncated,range,unavailable,more", 0.1)):
        with serve("--faults", faults, "--share", str(share), "--seed", str(SEED)) as url:
            done = subprocess.run([RANGES, f"{url}/a.bin", "www/a.bin", str(SEED), str(2 * ROUNDS)], capture_output=True,
                                  text=True, timeout=600)
            check(done.returncode == 0 and f"good {2 * ROUNDS} failed 0" in done.stdout, f"ranges: {done.stdout}{done.stderr[-2000:]}")
            check(share or int(asked(url)) <= 12 * ROUNDS, f"ranges: {asked(url)} requests")


def secrets():
    with serve("--user", "me:pass word7") as url:
        me = url.replace("//", "//me:pass%20word7@")
        check(reads(f"{me}/a.bin", "a.bin", rounds=1).good == 1, "user and password")
        r = reads(url.replace("//", "//me:wrongword7@") + "/a.bin", "a.bin", rounds=1)
        check(r.failed == 1 and f"{url}/a.bin: access is refused" in r.said, r.said)
        reads(f"{me}/none?X-Amz-Signature=feedc0de&id=7", "a.bin", rounds=1)
        r = reads(f"http://me:pass%20word7@127.0.0.1:1/none?X-Amz-Signature=feedc0de&id=7", "a.bin", rounds=1)
        check("/none?X-Amz-Signature=...&id=7" in r.said, r.said)
    for word in ("word7", "feedc0de", "SECRETX", "TOKENX"):
        check(word not in reads.said, f"{word} is told")


def signatures():
    os.makedirs(".aws", exist_ok=True)
    os.makedirs("www/bucket/some key", exist_ok=True)
    data = Path("www/a.bin").read_bytes()
    Path("www/bucket/some key/a+b=c~ü.bin").write_bytes(data)
    key = {"AWS_ACCESS_KEY_ID": "IDX", "AWS_SECRET_ACCESS_KEY": "SECRETX/+"}
    name, file = "s3://bucket/some key/a+b=c~ü.bin", "bucket/some key/a+b=c~ü.bin"
    with serve("--sign", "IDX:SECRETX/+") as url:
        end = {"AWS_ENDPOINT_URL": url}
        check(reads(name, file, 1, **key, **end).good == 1, "signed: " + asked(url, "log")[-300:])
        check(reads(f"{url}/bucket/some key/a+b=c~ü.bin#mode=bytes,s3", file, 1, **key).good == 1, "mode s3: " + asked(url, "log")[-300:])
        r = reads(name, file, 1, **end)
        check(r.failed == 1 and "not signed" in r.said, f"nobody: {r.said}")
        r = reads(name, file, 1, **{**key, "AWS_SECRET_ACCESS_KEY": "SECRETX2"}, **end)
        check(r.failed == 1 and "access is refused" in r.said, r.said)
        Path(".aws/credentials").write_text("[default]\naws_access_key_id = no\n[work]\naws_access_key_id=IDX\naws_secret_access_key = SECRETX/+\n")
        Path(".aws/config").write_text(f"[profile work]\nregion = eu-west-7\nendpoint_url = {url}/\n")
        check(reads(name, file, 1, AWS_PROFILE="work").good == 1, "profile")
        check("eu-west-7" not in asked(url, "log"), "region")
        with open(".aws/config", "a") as f:
            f.write(f"[profile config]\naws_access_key_id = IDX\naws_secret_access_key = SECRETX/+\nendpoint_url = {url}\n")
        check(reads(name, file, 1, AWS_PROFILE="config").good == 1, "credentials in the file config")
    with serve("--sign", "IDX:SECRETX/+:TOKENX//==", "--region", "eu-north-9") as url:  # the server tells its region
        end = {"AWS_ENDPOINT_URL_S3": url, "AWS_SESSION_TOKEN": "TOKENX//=="}
        check(reads(name, file, 1, **key, **end).good == 1, "token and region: " + asked(url, "log")[-300:])
    with serve("--sign", "IDX:SECRETX/+", "--virtual") as url:
        end = {"AWS_ENDPOINT_URL_S3": url.replace("127.0.0.1", "localhost"), "AWS_S3_ADDRESSING": "virtual"}
        check(reads(name, file, 1, **key, **end).good == 1, "virtual style: " + asked(url, "log")[-300:])


def hosts():
    """Redirects take no password or signature along; proxies are used; certificates are verified."""
    with serve() as other, serve("--user", "me:word7") as url:
        port = other.rsplit(":", 1)[1]
        me = url.replace("//", "//me:word7@")
        check(reads(f"{me}/elsewhere/{port}/a.bin", "a.bin", rounds=1).good == 1, "redirect to another host")
        check("GET /a.bin" in asked(other, "log") and "AUTHORIZATION" not in asked(other, "log"), "the password went along: " + asked(other, "log")[:200])
        check("WITH AUTHORIZATION" in asked(url, "log"), "no password at the first host")
    with serve() as other, serve("--sign", "IDX:SECRETX/+") as url:
        name = f"s3://elsewhere/{other.rsplit(':', 1)[1]}/a.bin"
        r = reads(name, "a.bin", 1, AWS_ENDPOINT_URL=url, AWS_ACCESS_KEY_ID="IDX", AWS_SECRET_ACCESS_KEY="SECRETX/+")
        check(r.failed == 1 and "status 302" in r.said and asked(other) == "0", f"a signed request follows: {r.said}")
    with serve() as url:
        r = reads("http://nowhere.invalid/a.bin", "a.bin", rounds=1, http_proxy=url)
        check(r.good == 1 and int(asked(url)) > 0, f"proxy: {r.said}")
    if not shutil.which("openssl"):
        return print("TLS: skipped, no openssl")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"], check=True, capture_output=True)
    with serve("--tls", "cert.pem:key.pem") as url:
        r = reads(url + "/a.bin", "a.bin", rounds=1)
        check(r.failed == 1 and "certificate" in r.said, f"a certificate that nobody knows: {r.said}")
        for name in ("PARCDF_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"):
            r = reads(url + "/a.bin", "a.bin", rounds=1, **{name: "cert.pem"})
            check(r.good == 1, f"{name}: {r.said}")


def main():
    os.makedirs("www", exist_ok=True)
    chance = random.Random(SEED)
    for name, n in (("a.bin", 3000000), ("small.bin", 100000), ("empty.bin", 0), ("with blank", 70000)):
        Path("www", name).write_bytes(chance.randbytes(n))
    faults()
    servers()
    forks()
    blocks()
    signatures()
    hosts()
    secrets()
    print(f"far_store_test: {len(bad)} failures")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
