#!/usr/bin/env python3
"""Commands for a machine of scripts/realfs, over TCP: in ssh's place, without keys and users.

    agent.py serve ADDRESS                 runs what it is told, for ever
    agent.py ADDRESS COMMAND...            runs the words, joined as ssh joins them, by a shell over there

A command sees the environment and the folder of the one who sends it. It is killed when the connection ends; what it left
behind, such as daemons, by the command `sweep`. The output of a command comes in frames: its length, its bytes; the frame
of length 0 is the last one, and the exit status follows."""
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path

PORT = 7037
MARK = "REALFS_JOB=1"  # in the environment of all that a command started


def sweep():
    """Kills all that commands left behind."""
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and MARK.encode() in (entry / "environ").read_bytes().split(b"\0"):
                os.kill(int(entry.name), signal.SIGKILL)
        except OSError:  # it has ended
            pass


def watch(connection, child):
    """Kills the command's group when the other side is gone."""
    try:
        connection.recv(1)
    except OSError:
        pass
    if child.poll() is None:
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def answer(connection):
    with connection, connection.makefile("rwb") as stream:
        task = json.loads(stream.readline())
        if task["words"] == ["sweep"]:
            sweep()
            stream.write(struct.pack("!ii", 0, 0))
            return
        try:
            child = subprocess.Popen(task["words"], env=task["env"], cwd=task["cwd"], stdin=subprocess.DEVNULL,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        except OSError as e:
            said = f"{e}\n".encode()
            stream.write(struct.pack("!i", len(said)) + said + struct.pack("!ii", 0, 127))
            return
        threading.Thread(target=watch, args=(connection, child), daemon=True).start()
        for piece in iter(lambda: os.read(child.stdout.fileno(), 65536), b""):
            stream.write(struct.pack("!i", len(piece)) + piece)
            stream.flush()
        status = child.wait()
        stream.write(struct.pack("!ii", 0, status if status >= 0 else 128 - status))


def answer_or_not(connection):
    try:
        answer(connection)
    except OSError:  # nobody listens any more
        pass


def serve(address):
    with socket.create_server((address, PORT), backlog=64) as server:
        while True:
            connection, _ = server.accept()
            threading.Thread(target=answer_or_not, args=(connection,), daemon=True).start()


def ask(address, words, take, env=None, cwd=None, timeout=None):
    """The exit status of the words over there; their output goes to take(bytes). TimeoutError where nothing came for so long."""
    with socket.create_connection((address, PORT), timeout=timeout) as connection, connection.makefile("rwb") as stream:
        env = dict(os.environ if env is None else env, REALFS_JOB="1")
        stream.write(json.dumps({"words": [str(w) for w in words], "env": env, "cwd": str(cwd or os.getcwd())}).encode() + b"\n")
        stream.flush()
        while True:
            head = stream.read(4)
            if len(head) < 4:
                raise ConnectionError(f"{address} went away")
            (length,) = struct.unpack("!i", head)
            if length == 0:
                return struct.unpack("!i", stream.read(4))[0]
            take(stream.read(length))


def out(piece):
    sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(sys.argv[2])
    sys.exit(ask(sys.argv[1], ["sh", "-c", " ".join(sys.argv[2:])], out))
