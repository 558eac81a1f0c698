"""Machines with kernels of their own: guests of User-Mode Linux on a network that only they and this process see.

A guest needs neither KVM nor modules of the host. Its root is the host's, read-only, so that a build runs in it as it is;
what a program writes goes to /run, /tmp and /dev/shm of the guest, or to the file system that is tested.

    network = Network(folder)
    guest = Guest(network, folder, packages, "client1", setup="mount ...", disks=[image])
    guest.start()
    guest.wait(60)                        until it takes commands
    guest.run(["hostname"], timeout=10)   (exit status, output)
    guest.kill()                          as a machine that loses its power"""
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import agent

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import runner

NETWORK = "10.78.0"  # inside namespaces: nobody else sees it
HERE = Path(__file__).resolve().parent


class Network:
    """A bridge, with this process at its end."""

    def __init__(self, folder):
        self.names, self.folder = [], folder
        runner.need("ip", "link", "set", "lo", "up")
        runner.need("ip", "link", "add", "realfs", "type", "bridge")
        runner.need("ip", "addr", "add", f"{NETWORK}.254/24", "dev", "realfs")
        runner.need("ip", "link", "set", "realfs", "up")

    def add(self, name):
        """A plug for a machine: (its device on this side, its address)."""
        self.names.append(name)
        number = len(self.names)
        known = "".join(f"{NETWORK}.{i + 1} {other}\n" for i, other in enumerate(self.names))
        (self.folder / "hosts").write_text("127.0.0.1 localhost\n" + known)
        return f"realfs{number}", f"{NETWORK}.{number}"


class Guest:
    def __init__(self, network, folder, packages, name, setup, disks=(), memory="768M"):
        self.name, self.folder, self.packages, self.setup, self.disks, self.memory = name, folder, packages, setup, disks, memory
        self.device, self.address = network.add(name)
        self.process = None
        runner.need("ip", "tuntap", "add", self.device, "mode", "tap")
        runner.need("ip", "link", "set", self.device, "master", "realfs", "up")

    def write_init(self):
        """What its kernel starts first: mounts, the network, the setup of the system, the agent."""
        modules = next((self.packages / "usr/lib/uml/modules").iterdir())
        tools = f"{self.packages}/usr/sbin:{self.packages}/sbin:{self.packages}/usr/bin"
        tmp = "" if str(HERE).startswith("/tmp/") else "mount -t tmpfs tmp /tmp"
        init = self.folder / f"{self.name}.init"
        init.write_text(f"""#!/bin/sh
export PATH={tools}:/usr/sbin:/usr/bin:/sbin:/bin HOME=/run
export LD_LIBRARY_PATH={self.packages}/usr/lib/x86_64-linux-gnu:{self.packages}/lib/x86_64-linux-gnu
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev 2>/dev/null
mkdir -p /dev/shm /dev/pts; mount -t tmpfs shm /dev/shm; mount -t devpts pts /dev/pts
ln -sf /proc/self/fd /dev/fd
mount -t tmpfs run /run; mount -t tmpfs mnt /mnt; {tmp}
mkdir -p /mnt/realfs /run/kmod /run/modules/lib/modules; ln -s {modules} /run/modules/lib/modules/$(uname -r)
ln -s {self.packages}/bin/kmod /run/kmod/modprobe
printf '#!/bin/sh\nexec /run/kmod/modprobe -d /run/modules "$@"\n' >/run/modprobe; chmod +x /run/modprobe
echo /run/modprobe >/proc/sys/kernel/modprobe
mount --bind {self.folder}/hosts /etc/hosts
hostname {self.name}
ip link set lo up; ip link set vec0 up; ip addr add {self.address}/24 dev vec0
with() {{ for m in "$@"; do /run/modprobe $m || echo "no module $m"; done; }}
{self.setup}
unset LD_LIBRARY_PATH
ulimit -n 4096
exec python3 -B {HERE}/agent.py serve {self.address}
""")
        init.chmod(0o755)
        return init

    def start(self):
        init = self.write_init()
        words = [self.packages / "usr/bin/linux.uml", f"mem={self.memory}", f"umid={self.name}", f"uml_dir={self.folder}",
                 "rootfstype=hostfs", "rootflags=/", "ro", f"vec0:transport=tap,ifname={self.device},depth=64,gro=1",
                 f"init={init}", "con=null", "con0=fd:0,fd:1", "quiet", "panic=1"]
        words += [f"ubd{i}={disk}" for i, disk in enumerate(self.disks)]
        with open(self.folder / f"{self.name}.log", "ab") as log:
            self.process = subprocess.Popen([str(w) for w in words], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            start_new_session=True)

    def wait(self, seconds):
        end = time.time() + seconds
        while time.time() < end and self.process.poll() is None:
            try:
                if self.run(["true"], timeout=5)[0] == 0:
                    return
            except OSError:
                time.sleep(0.2)
        said = (self.folder / f"{self.name}.log").read_text(errors="replace")[-3000:]
        raise RuntimeError(f"guest {self.name} is not there after {seconds} s; it printed\n{said}")

    def run(self, words, timeout, env=None, cwd="/", take=None):
        """(exit status, output): 124 where it took too long, and runs until a sweep; OSError where the guest is not there.
        take: gets the output as it comes."""
        pieces, status = [], []
        end = time.time() + timeout

        def got(piece):
            pieces.append(piece)
            if take:
                take(piece)

        def work():
            try:
                status.append(agent.ask(self.address, words, got, env, cwd, timeout=timeout))
            except TimeoutError:
                status.append(124)
            except OSError as e:
                status.append(e)
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join(max(0.1, end - time.time()) + 1)
        code = status[0] if status else 124
        if isinstance(code, OSError):
            raise code
        return code, b"".join(pieces).decode(errors="replace")

    def sweep(self):
        """Ends all that commands left running in it."""
        self.run(["sweep"], timeout=20)

    def plug(self, is_in):
        """Its network cable: a device that is down makes the guest's unusable for ever."""
        runner.need("ip", "link", "set", self.device, *(["master", "realfs"] if is_in else ["nomaster"]))

    def kill(self):
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, 9)
            self.process.wait()
