#!/usr/bin/env python3
"""A server of files by HTTP with ranges, on 127.0.0.1, which answers wrongly where it is told to.

    rangeserver.py FOLDER [--delay MS] [--rate MB/S] [--faults a,b,...] [--share P] [--seed N] [--no-ranges] [--no-tags] [--sign ID:SECRET[:TOKEN]]
                   [--virtual] [--no-list] [--expire N] [--star] [--user U:P] [--log FILE] [--region R] [--tls CERT:KEY]

Prints its port, and ends when its standard input does. GET /_/requests gives the number of requests so far, /_/faults that of
the faults, and /_/log a line for each; /_/change changes what the ETags say. /redirect/NAME leads to /NAME, /elsewhere/PORT/NAME to a
server of another name, /file-redirect/NAME to file:///NAME. --no-list: 403 for what is not there; --expire N: and for all after N requests; --star: no answer to a range
tells the size. It is also a proxy, to itself.

Faults, each in a share P of the requests (decided by the seed and the number of the request): reset truncated range whole
unavailable drip changed swapped (If-Match is not looked at) gzip coded slow multipart more refused
"""
import argparse
import gzip
import hashlib
import hmac
import random
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass

    def take(self, n):
        """All answers share a line of so many bytes a second."""
        if self.options.rate:
            with self.lock:
                self.line_free = max(self.line_free, time.monotonic()) + n / (self.options.rate * 1e6)
                wait = self.line_free - time.monotonic()
            if wait > 0.002:
                time.sleep(wait)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def plain(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        o = self.server.options
        if self.path.startswith("http://"):  # by a proxy, which this is then
            self.path = "/" + self.path.split("/", 3)[3]
        path, _, query = self.path.partition("?")
        if path.startswith("/_/"):
            return self.control(path)
        with self.server.lock:
            number = self.server.count
            self.server.count += 1
            self.server.lines.append(f"{self.command} {self.path} {self.headers.get('Range', '-')}" + " WITH AUTHORIZATION" * ("Authorization" in self.headers))
        fault = self.server.fault(number, (self.path, self.headers.get("Range")))
        if o.delay:
            time.sleep(o.delay / 1000)
        if o.user and self.headers.get("Authorization") != "Basic " + __import__("base64").b64encode(o.user.encode()).decode():
            return self.plain(401, WWW_Authenticate='Basic realm="x"')
        if o.sign:
            why = self.wrong_signature(path, query)
            if why:
                with self.server.lock:
                    self.server.lines.append("SIGNATURE " + why)
                return self.plain(403, why.encode())
            region = self.headers["Authorization"].split("/")[2]
            if o.region and region != o.region:
                return self.plain(400, x_amz_bucket_region=o.region)
        name = urllib.parse.unquote(path)
        if o.virtual:
            name = "/" + self.headers["Host"].split(".")[0] + name
        if name.startswith("/redirect/"):
            return self.plain(302, Location="/" + name[len("/redirect/"):])
        if name.startswith("/file-redirect/"):
            return self.plain(302, Location="file:///" + name[len("/file-redirect/"):])
        if name.startswith("/elsewhere/"):
            return self.plain(302, Location="http://localhost:" + name[len("/elsewhere/"):])
        file = (Path(o.folder) / name.lstrip("/")).resolve()
        if Path(o.folder).resolve() not in file.parents or not file.is_file():
            return self.plain(403 if o.no_list else 404)
        if o.expire and number >= o.expire:
            return self.plain(403)
        self.give(file, fault)

    def control(self, path):
        with self.server.lock:
            if path == "/_/change":
                self.server.version += 1
            text = {"/_/log": "\n".join(self.server.lines), "/_/faults": str(self.server.faults)}.get(path, str(self.server.count))
        self.plain(200, text.encode())

    def give(self, file, fault):
        o, size = self.server.options, file.stat().st_size
        match = self.headers.get("If-Match")
        if fault == "swapped" and not match:  # the first answer says what the file is
            fault = None
        if fault:
            with self.server.lock:
                self.server.faults += 1
        version = self.server.version + (fault in ("changed", "swapped"))
        tag = f'"{file.stat().st_ino:x}-{size}-{version}"'
        begin, end, asked = 0, size, self.headers.get("Range", "")
        is_range = asked.startswith("bytes=") and not o.no_ranges and fault != "whole"
        if fault == "refused":
            return self.plain(416, Content_Range="bytes */0")
        if fault == "unavailable":
            return self.plain(503, b"<Error>later</Error>", Retry_After="0")
        if is_range:
            a, _, b = asked[6:].partition("-")
            begin, end = (max(0, size - int(b)), size) if not a else (int(a), min(size, int(b) + 1 if b else size))
            if begin >= size:
                return self.plain(416, Content_Range=f"bytes */{size}")
        if match and match != tag and fault != "swapped":
            return self.plain(412)
        with file.open("rb") as f:
            f.seek(begin + (fault == "range") * (begin >= 16 and -16))
            body = f.read(end - begin)
        self.send_response(206 if is_range else 200)
        if is_range:
            shift = 16 if fault == "range" else 0
            self.send_header("Content-Range", f"bytes {begin + shift}-{end - 1 + shift}/{'*' if o.star else size}")
        if fault in ("coded", "swapped"):  # other bytes, as many
            body = bytes(b ^ 85 for b in body[:4096]) + body[4096:]
        if fault == "coded":
            self.send_header("Content-Encoding", "br")
        if fault == "gzip":
            body = gzip.compress(body, 1)
            self.send_header("Content-Encoding", "gzip")
        if fault == "multipart":
            self.send_header("Content-Type", "multipart/byteranges; boundary=x")
            body = b"--x\r\n\r\n" + body[:-7]
            self.send_header("Content-Range", "")
        if fault == "more":
            body += b"more"
        if not o.no_tags:
            self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        try:
            self.send_body(body, fault)
        except OSError:
            self.close_connection = True

    def send_body(self, body, fault):
        if fault in ("reset", "truncated"):
            self.wfile.write(body[:len(body) * self.server.random.randrange(100) // 100])
            self.wfile.flush()
            if fault == "reset":
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR) if fault == "truncated" else self.connection.close()
        elif fault == "drip":
            for i in range(min(len(body), 100)):
                self.wfile.write(body[i:i + 1])
                self.wfile.flush()
                time.sleep(0.1)
            self.close_connection = True
        else:
            for at in range(0, len(body), 1 << 18):
                self.server.take(len(body[at:at + (1 << 18)]))
                self.wfile.write(body[at:at + (1 << 18)])
                if fault == "slow":
                    time.sleep(0.02)

    def wrong_signature(self, path, query):
        """What is wrong with the signature of AWS, version 4; None: nothing."""
        who, secret, token = (self.server.options.sign.split(":") + [None])[:3]
        text = self.headers.get("Authorization", "")
        if not text.startswith("AWS4-HMAC-SHA256 "):
            return "not signed"
        fields = dict(part.strip().split("=", 1) for part in text[len("AWS4-HMAC-SHA256 "):].split(","))
        key_id, date, region, service, _ = fields["Credential"].split("/")
        signed = fields["SignedHeaders"].split(";")
        if key_id != who or service != "s3":
            return "somebody else"
        if token and (self.headers.get("x-amz-security-token") != token or "x-amz-security-token" not in signed):
            return "no token"
        if "host" not in signed or "x-amz-content-sha256" not in signed:
            return "host or hash not signed"
        canonical = "\n".join([self.command, path, "&".join(sorted(query.split("&"))) if query else "",
                               *[f"{name}:{' '.join(self.headers.get(name, '').split())}" for name in signed], "",
                               ";".join(signed), self.headers.get("x-amz-content-sha256", "")])
        to_sign = "\n".join(["AWS4-HMAC-SHA256", self.headers["x-amz-date"], f"{date}/{region}/{service}/aws4_request",
                             hashlib.sha256(canonical.encode()).hexdigest()])
        key = ("AWS4" + secret).encode()
        for part in (date, region, service, "aws4_request"):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        good = hmac.new(key, to_sign.encode(), hashlib.sha256).hexdigest()
        return None if hmac.compare_digest(good, fields["Signature"]) else "signature differs"


@contextmanager
def serve(*options, folder="www"):
    """For tests: a server in a process of its own, by its URL."""
    p = subprocess.Popen([sys.executable, __file__, folder, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield f"http{'s' * ('--tls' in options)}://127.0.0.1:{int(p.stdout.readline())}"
    finally:
        p.stdin.close()
        p.wait(10)


def asked(url, what="requests", **how):
    with urllib.request.urlopen(f"{url}/_/{what}", **how) as answer:
        return answer.read().decode()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("folder")
    for name, kind in (("delay", float), ("rate", float), ("share", float), ("seed", int), ("expire", int)):
        p.add_argument("--" + name, type=kind, default=0)
    for name in ("faults", "sign", "user", "log", "region", "tls"):
        p.add_argument("--" + name, default="")
    for name in ("no-ranges", "no-tags", "no-list", "star", "virtual"):
        p.add_argument("--" + name, action="store_true")
    options = p.parse_args()
    server = Server(("127.0.0.1", 0), Handler)
    server.options, server.count, server.lines, server.version, server.lock = options, 0, [], 0, threading.Lock()
    server.line_free = server.faults = 0
    server.random = random.Random(options.seed)
    faults = [f for f in options.faults.split(",") if f]

    in_a_row = {}  # wrong answers to the same question

    def fault(number, question):
        """A client asks eight times: a share that is not all leaves it a right answer."""
        chance = random.Random(options.seed * 1000003 + number)
        kind = chance.choice(faults) if faults and chance.random() < options.share else None
        with server.lock:
            in_a_row[question] = in_a_row.get(question, 0) + 1 if kind else 0
            return None if in_a_row[question] > 6 and options.share < 1 else kind
    server.fault = fault
    if options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options.tls.split(":"))
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1], flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()


if __name__ == "__main__":
    main()
