"""GlusterFS with the client of glusterfs (FUSE): one machine with three bricks, and two clients.

Options: volume=shard|plain|replica (files in pieces of 4 MiB over the bricks; whole files on one brick each; each file on all
three), caches=on|off (off: neither the volume's layers nor the kernel of a client keep data), client=MORE (options of glusterfs)."""
import time

import guests
import runner
import spaces

PACKAGES = ["glusterfs-server", "glusterfs-client", "attr"]
OPTIONS = {"volume": "shard", "caches": "on", "client": ""}
PATH = "/mnt/realfs"
BRICK_MIB = 1536

# Makes the volume where it is not there, and starts its bricks. Gluster wants an address that is not the loopback's.
SERVER = """mkdir -p /var/run/gluster /var/log/glusterfs {state}/glusterd
mount --bind {state}/glusterd /var/lib/glusterd
glusterd -L WARNING
until timeout 10 gluster --mode=script volume list; do sleep 0.2; done
if [ ! -e {state}/made ]; then
    gluster --mode=script volume create realfs {kind} {bricks} force
    {options}
    gluster --mode=script volume start realfs
    touch {state}/made
fi
until [ $(gluster --mode=script volume status realfs detail | grep -c 'Online *: Y') = 3 ]; do sleep 0.2; done"""

CLIENT = """mkdir -p /var/run/gluster /var/log/glusterfs
glusterfs -s {server} --volfile-id=realfs -l {folder}/$(hostname).gluster.log {client} {path}
until stat -f {path} | grep -q fuse; do sleep 0.1; done"""

KINDS = {"shard": "", "plain": "", "replica": "replica 3"}
CACHES = ("write-behind", "io-cache", "quick-read", "read-ahead", "stat-prefetch", "open-behind", "readdir-ahead")
UNCACHED = "--direct-io-mode=enable --attribute-timeout=0 --entry-timeout=0"


def volume_options(options):
    """What is set before the volume starts."""
    settings = []
    if options["volume"] == "shard":
        settings += ["features.shard on", "features.shard-block-size 4MB"]
    if options["caches"] == "off":
        settings += [f"performance.{cache} off" for cache in CACHES]
    return "\n    ".join(f"gluster --mode=script volume set realfs {setting}" for setting in settings)


class System:
    def __init__(self, folder, packages, options):
        network, state = guests.Network(folder), folder / "state"
        (state / "glusterd").mkdir(parents=True)
        self.server = spaces.Space(network, folder, packages, "server", "")
        self.bricks = [state / f"brick{i}" for i in (1, 2, 3)]
        for brick in self.bricks:  # mounted here, so that they outlive the server
            brick.mkdir()
            runner.need("mount", "-t", "tmpfs", "-o", f"size={BRICK_MIB}m", "brick", brick)
        self.server.setup = SERVER.format(state=state, kind=KINDS[options["volume"]],
                                          bricks=" ".join(f"{self.server.address}:{brick}/b" for brick in self.bricks),
                                          options=volume_options(options))
        words = options["client"] if options["caches"] == "on" else f"{UNCACHED} {options['client']}"
        client = CLIENT.format(server=self.server.address, folder=folder, client=words, path=PATH)
        self.clients = [spaces.Space(network, folder, packages, f"client{i}", client) for i in (1, 2)]

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
        """All bricks at once, as when the machine goes down."""
        self.server.kill()

    def stop_part(self):
        """Kills the process of one brick."""
        runner.run("pkill", "-9", "-f", f"glusterfsd .*{self.bricks[1]}/b")

    def start_part(self):
        self.server.run(["gluster", "--mode=script", "volume", "start", "realfs", "force"], 60)

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
        """Leaves no room on the bricks."""
        for brick in self.bricks:
            runner.run("dd", "if=/dev/zero", f"of={brick}/filler", "bs=1M")

    def drain(self):
        for brick in self.bricks:
            (brick / "filler").unlink(missing_ok=True)

    def down(self):
        for machine in (*self.clients, self.server):
            machine.kill()
