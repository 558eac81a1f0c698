"""Machines that share this kernel: namespaces with a network, names, mounts and processes of their own. Enough where a file
system's client is a program (FUSE), which then has a cache for each mount; quicker than guests with kernels.

    space = Space(network, folder, packages, "server", setup="...")     then as a Guest

The packages lie over /usr, /etc and /var of the host, which stay as they are: a program finds its plug-ins and files where its
package has them. The setup is shell; what it starts lives as long as the machine, and `sweep` leaves it alone."""
import os
import subprocess
import sys
import time

import guests
import runner


class Space(guests.Guest):
    def __init__(self, network, folder, packages, name, setup):
        self.name, self.folder, self.packages, self.setup = name, folder, packages, setup
        self.device, self.address = network.add(name)
        self.process = None

    def write_init(self):
        over = self.packages
        init = self.folder / f"{self.name}.init"
        init.write_text(f"""#!/bin/sh
set -e
mount -t tmpfs run /run; mkdir -p /run/lock /run/up/etc /run/up/var /run/work/etc /run/work/var
mount -t overlay -o lowerdir={over}/usr:/usr usr /usr
for d in bin sbin lib; do [ ! -d {over}/$d ] || mount -t overlay -o lowerdir={over}/$d:/usr/$d $d /usr/$d; done
for d in etc var; do mount -t overlay -o lowerdir={over}/$d:/$d,upperdir=/run/up/$d,workdir=/run/work/$d $d /$d; done
mount -t tmpfs mnt /mnt; mount -t tmpfs shm /dev/shm; mkdir -p /mnt/realfs
mount --bind {self.folder}/hosts /etc/hosts
hostname {self.name}
until ip link set eth0 up 2>/dev/null; do sleep 0.05; done
ip link set lo up; ip addr add {self.address}/24 dev eth0
{self.setup}
exec {sys.executable} -B {guests.HERE}/agent.py serve {self.address}
""")
        return init

    def start(self):
        runner.run("ip", "link", "del", self.device)  # a killed machine's cable may still be there
        words = ["unshare", "--net", "--uts", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--propagation", "private",
                 "sh", self.write_init()]
        with open(self.folder / f"{self.name}.log", "ab") as log:
            self.process = subprocess.Popen([str(w) for w in words], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            start_new_session=True)
        mine = os.readlink("/proc/self/ns/net")
        while os.readlink(f"/proc/{self.process.pid}/ns/net") == mine and self.process.poll() is None:
            time.sleep(0.01)
        runner.need("ip", "link", "add", self.device, "type", "veth", "peer", "name", "eth0", "netns", self.process.pid)
        runner.need("ip", "link", "set", self.device, "master", "realfs", "up")
