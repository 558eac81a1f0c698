"""NFS by the kernel: a server and two clients, each a kernel of its own in User-Mode Linux.

Options: vers=4.1|4.2|4.0|3, export=sync|async, mount=MORE (options of mount, such as noac or actimeo=0)."""
import time

import guests
import runner

PACKAGES = ["user-mode-linux", "nfs-kernel-server", "nfs-common", "rpcbind", "kmod"]
OPTIONS = {"vers": "4.1", "export": "sync", "mount": ""}
PATH = "/mnt/realfs"
DISK_MIB = 1024
PATIENCE = 240  # seconds for a guest to come up, where a machine has much else to do
LEASE = 10  # seconds after which a client that is gone has no locks
GRACE = 45  # seconds in which clients of a server that starts again may take theirs; they need some to reach it

# rpcbind and statd, which NFS 3 has for locks, want users that the host may not have
USERS = """cp /etc/passwd /run/passwd; grep -q ^_rpc: /run/passwd || echo '_rpc:x:65533:65534::/run:/bin/false' >>/run/passwd
grep -q ^statd: /run/passwd || echo 'statd:x:65532:65534::/run:/bin/false' >>/run/passwd; mount --bind /run/passwd /etc/passwd
mount -t tmpfs lib /var/lib; mkdir -p /var/lib/nfs/sm /var/lib/nfs/sm.bak /var/lib/nfs/rpc_pipefs; touch /var/lib/nfs/state
with sunrpc lockd"""
STATD = "rpcbind -w; rpc.statd --no-notify"


class System:
    def __init__(self, folder, packages, options):
        self.options = options
        network = guests.Network(folder)
        self.disk = folder / "disk"
        self.disk.write_bytes(b"")
        runner.need("truncate", "-s", f"{DISK_MIB}M", self.disk)
        runner.need("mkfs.ext4", "-q", "-F", self.disk)
        self.is_v3 = options["vers"].startswith("3")
        self.server = guests.Guest(network, folder, packages, "server", self.server_setup(), [self.disk])
        self.clients = [guests.Guest(network, folder, packages, f"client{i}", self.client_setup(), memory="1024M") for i in (1, 2)]

    def server_setup(self):
        statd = STATD if self.is_v3 else ""
        versions = "" if self.is_v3 else "-N 3"
        return f"""{USERS}
mkdir -p /mnt/disk; mount -t ext4 /dev/ubda /mnt/disk || mount -t ext4 /dev/ubd0 /mnt/disk
mkdir -p /mnt/disk/export /mnt/disk/state; chmod 1777 /mnt/disk/export
mkdir -p /mnt/disk/state/v4recovery; ln -s /mnt/disk/state/v4recovery /var/lib/nfs/v4recovery
touch /var/lib/nfs/etab /var/lib/nfs/rmtab; with nfsd; mount -t nfsd nfsd /proc/fs/nfsd
echo {LEASE} >/proc/fs/nfsd/nfsv4leasetime; echo {GRACE} >/proc/fs/nfsd/nfsv4gracetime
{statd}
exportfs -i -o rw,{self.options["export"]},no_root_squash,insecure,fsid=0,no_subtree_check '*:/mnt/disk/export'
rpc.mountd {versions}; rpc.nfsd {versions} 8
[ -n "$(ls /mnt/disk/state/v4recovery)" ] || echo Y >/proc/fs/nfsd/v4_end_grace"""

    def client_setup(self):
        more = f",{self.options['mount']}" if self.options["mount"] else ""
        if self.is_v3:
            what, source = f"vers=3,proto=tcp,mountproto=tcp{more}", "/mnt/disk/export"
        else:
            what, source = f"vers={self.options['vers']}{more}", "/"
        statd = STATD if self.is_v3 else ""
        return f"""{USERS}
with nfs nfsv3 nfsv4; {statd}
mount.nfs {self.server.address}:{source} {PATH} -o {what}"""

    def up(self):
        self.start_server()
        for client in self.clients:
            self.start_client(client)
        for client in self.clients:
            client.wait(PATIENCE)

    def start_server(self):
        self.server.start()
        self.server.wait(PATIENCE)

    def stop_server(self):
        """As a power cut: what was not on its disk is gone."""
        self.server.kill()

    def cut(self, seconds):
        """The server's network is cut for some seconds; the clients still reach each other."""
        self.server.plug(False)
        time.sleep(seconds)
        self.server.plug(True)

    def start_client(self, client):
        client.start()

    def kill_client(self, client):
        client.kill()

    def fill(self):
        """Leaves no room."""
        self.server.run(["dd", "if=/dev/zero", "of=/mnt/disk/filler", "bs=1M"], timeout=120)
        self.server.run(["sync"], timeout=60)

    def drain(self):
        self.server.run(["rm", "-f", "/mnt/disk/filler"], timeout=60)

    def down(self):
        for guest in (*self.clients, self.server):
            guest.kill()
