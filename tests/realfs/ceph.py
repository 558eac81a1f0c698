"""CephFS with the client of ceph-fuse: one machine with a monitor, a manager, two OSDs and a metadata server, and two clients.

Options: osds=bluestore|memstore (on a file each; in memory, gone when they are killed), pagecache=on|off (off: the kernel keeps
no pages of a client's files, fuse_disable_pagecache), fuse=MORE (options of ceph-fuse)."""
import time

import guests
import runner
import spaces

PACKAGES = ["ceph-mon", "ceph-mgr", "ceph-osd", "ceph-mds", "ceph-fuse", "ceph-common"]
OPTIONS = {"osds": "bluestore", "pagecache": "on", "fuse": ""}
PATH = "/mnt/realfs"
OSD_MIB = 3072
CLUSTER = "6f0e5a52-7c1d-4c0e-9d0a-0d6b3c5e7a11"

CONFIGURATION = """[global]
fsid = {cluster}
mon host = {server}
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon data avail crit = 1
mon data avail warn = 1
run dir = /run
log file = {state}/$name.log
[mon]
mon data = {state}/mon
[mgr]
mgr data = {state}/mgr
mgr initial modules =
[mds]
mds data = {state}/mds
[osd]
osd data = {state}/osd$id
osd objectstore = {osds}
osd class load list = *
bluestore block create = true
bluestore block size = {bytes}
bluestore cache autotune = false
bluestore cache size = 67108864
memstore device bytes = {bytes}
memstore page set = true
[client]
log file = {state}/$name.$pid.log
fuse disable pagecache = {no_pages}
"""

# Makes the cluster where it is not there, and starts it: the first machine of its address to do so.
SERVER = """{configuration}
S={state}
if [ ! -e $S/made ]; then
    mkdir -p $S/mon $S/mgr $S/mds $S/osd0 $S/osd1
    monmaptool --create --fsid {cluster} --addv a '[v2:{server}:3300,v1:{server}:6789]' $S/map --clobber
    ceph-mon --mkfs -i a --monmap $S/map
fi
ceph-mon -i a
until timeout 5 ceph mon stat; do sleep 0.2; done
ceph-mgr -i x
for o in 0 1; do
    if [ ! -e $S/made ]; then
        u=$(cat /proc/sys/kernel/random/uuid); ceph osd new $u
        ceph-osd -i $o --mkfs --osd-uuid $u --osd-objectstore {osds}
        [ -e $S/osd$o/type ] || echo {osds} >$S/osd$o/type
        ceph osd crush add osd.$o 1.0 root=default host=server
    fi
    ceph-osd -i $o
done
if [ ! -e $S/made ]; then
    ceph osd pool create meta 8; ceph osd pool create data 8; ceph fs new realfs meta data
fi
ceph-mds -i a
until timeout 5 ceph mds stat | grep -q up:active; do sleep 0.2; done
touch $S/made"""

CLIENT = """{configuration}
ceph-fuse {fuse} {path}
until grep -q 'ceph-fuse {path} ' /proc/mounts; do sleep 0.1; done"""


class System:
    def __init__(self, folder, packages, options):
        self.options, self.folder = options, folder
        network = guests.Network(folder)
        self.server = spaces.Space(network, folder, packages, "server", "")
        words = {"cluster": CLUSTER, "server": self.server.address, "state": folder / "state", "osds": options["osds"],
                 "bytes": OSD_MIB << 20, "no_pages": "false" if options["pagecache"] == "on" else "true",
                 "fuse": options["fuse"], "path": PATH}
        (folder / "state").mkdir()
        (folder / "ceph.conf").write_text(CONFIGURATION.format(**words))
        words["configuration"] = f"mkdir -p /etc/ceph /run/ceph; cp {folder}/ceph.conf /etc/ceph/ceph.conf"
        self.server.setup = SERVER.format(**words)
        self.clients = [spaces.Space(network, folder, packages, f"client{i}", CLIENT.format(**words)) for i in (1, 2)]

    def up(self):
        self.start_server()
        for client in self.clients:
            client.start()
        for client in self.clients:
            client.wait(60)

    def start_server(self):
        self.server.start()
        self.server.wait(300)

    def stop_server(self):
        """As a power cut of all servers."""
        self.server.kill()

    def stop_part(self):
        """Stops one OSD, as when its process is killed."""
        runner.need(*self.at_server("pkill", "-9", "-f", "ceph-osd -i 1"))

    def start_part(self):
        self.server.run(["ceph-osd", "-i", "1"], 60)

    def cut(self, seconds):
        """The servers' network is cut for some seconds; the clients still reach each other."""
        self.server.plug(False)
        time.sleep(seconds)
        self.server.plug(True)

    def start_client(self, client):
        client.start()

    def kill_client(self, client):
        client.kill()

    def fill(self):
        """Leaves no room: the little that there is counts as all."""
        self.set_full("0.001")

    def drain(self):
        self.set_full("0.95")

    def set_full(self, ratio):
        """Sets the shares at which the OSDs warn and refuse, and waits until they have heard it."""
        for word in ("nearfull", "backfillfull", "full"):
            self.server.run(["ceph", "osd", f"set-{word}-ratio", ratio], 30)
        is_full = ratio < "0.5"
        end = time.time() + 60
        while time.time() < end and ("full_osds" in self.server.run(["ceph", "health", "detail"], 30)[1].lower()) != is_full:
            time.sleep(0.5)

    def down(self):
        for machine in (*self.clients, self.server):
            machine.kill()
