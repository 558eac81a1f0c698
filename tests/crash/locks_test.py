#!/usr/bin/env python3
"""A file that one process changes is opened for writing by another, on file systems whose locks are refused, hold on a node
alone, or hold between nodes (lockshim.c plays them), while the owner works and after it was killed. A file that somebody may
be changing is never recovered: the owner's values are right at the end.
usage: locks_test.py MOVING SHIM PARCDF"""
import os, signal, subprocess, sys, tempfile, time, unittest
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
import runner

MOVING = SHIM = PARCDF = None
LUSTRE, NFS = '0bd00bd0', '6969'


class Locks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(dir=runner.MEMORY or '.')
        self.path = os.path.join(self.folder.name, 'run.nc')
        self.running = []

    def tearDown(self):
        for p in self.running:
            if p.poll() is None:
                p.kill()
            p.communicate()
        self.folder.cleanup()

    def start(self, command, locks=None, fs=None, node=None, option=None, boot=None):
        env = {**os.environ, 'LD_PRELOAD': SHIM, 'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1'}
        for name, value in (('', locks), ('_FS', fs), ('_NODE', node), ('_BOOT', boot)):
            if value:
                env['PCDF_LOCKS' + name] = value
        if option:
            device = os.stat(self.folder.name).st_dev
            mounts = os.path.join(self.folder.name, 'mounts')
            with open(mounts, 'w') as out:
                out.write(f'21 1 0:9999 / / rw - ext4 /dev/a rw,flock\n'
                          f'22 1 {os.major(device)}:{os.minor(device)} / /w rw,relatime - lustre mgs:/w rw,{option},lazystatfs\n')
            env['PCDF_LOCKS_MOUNTS'] = mounts
        p = subprocess.Popen(command, env=env, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.running.append(p)
        return p

    def run_to_end(self, command, **machine):
        p = self.start(command, **machine)
        out = p.communicate(timeout=60)[0]
        return p.returncode, out

    def begin(self, **machine):
        """The owner, in the middle of its change."""
        owner = self.start([MOVING, 'change', self.path], **machine)
        for _ in range(6000):
            if os.path.exists(self.path + '.moving') or owner.poll() is not None:
                break
            time.sleep(0.01)
        self.assertIsNone(owner.poll(), owner.stdout and owner.poll() is not None and owner.stdout.read())
        return owner

    def open(self, **machine):
        return self.run_to_end([MOVING, 'open', self.path], **machine)[1]

    def repair(self, *args, **machine):
        return self.run_to_end([PARCDF, 'repair', *args, self.path], **machine)

    def end(self, owner):
        open(self.path + '.go', 'w').close()
        out = owner.communicate(timeout=60)[0]
        self.assertEqual(owner.returncode, 0, out)

    def kill(self, owner):
        owner.send_signal(signal.SIGKILL)
        owner.wait()

    def values(self):
        return self.run_to_end([MOVING, 'values', self.path])[1].strip()

    def journals(self):
        return [name for name in os.listdir(self.folder.name) if 'journal' in name]

    def refused_while_it_runs(self, owner_is, opener_is, word):
        owner = self.begin(**owner_is)
        said = self.open(**opener_is)
        self.assertIn(word, said)
        self.assertIn(f'process {owner.pid}', said)
        code, out = self.repair(**opener_is)
        self.assertNotEqual(code, 0, out)
        self.end(owner)
        self.assertEqual(self.values(), 'new')
        self.assertEqual(self.journals(), [])

    def test_refused(self):
        lustre = {'locks': 'refuse', 'fs': LUSTRE, 'option': 'rw'}
        self.refused_while_it_runs(lustre, lustre, 'NC_ERECOVER')

    def test_local_to_a_node(self):
        lustre = {'locks': 'node', 'fs': LUSTRE, 'option': 'localflock'}
        self.refused_while_it_runs({**lustre, 'node': 'one'}, {**lustre, 'node': 'two'}, 'on one may be changing')

    def test_nfs(self):
        nfs = {'locks': 'node', 'fs': NFS}
        self.refused_while_it_runs({**nfs, 'node': 'one'}, {**nfs, 'node': 'two'}, 'locks prove nothing on this file system (nfs')

    def test_held_between_nodes(self):
        lustre = {'fs': LUSTRE, 'option': 'flock'}
        self.refused_while_it_runs({**lustre, 'node': 'one'}, {**lustre, 'node': 'two'}, 'NC_EACCESS')

    def test_held_here(self):
        self.refused_while_it_runs({}, {}, 'NC_EACCESS')

    def test_killed_here(self):
        self.kill(self.begin())
        self.assertIn('NC_NOERR', self.open())
        self.assertEqual(self.values(), 'new')

    def test_killed_where_locks_hold(self):
        lustre = {'fs': LUSTRE, 'option': 'flock'}
        self.kill(self.begin(**lustre))
        self.assertIn('NC_NOERR', self.open(**lustre))
        self.assertEqual(self.values(), 'new')

    def test_killed_elsewhere(self):
        lustre = {'fs': LUSTRE, 'option': 'flock'}
        self.kill(self.begin(node='one', **lustre))
        self.assertIn('cannot be seen from here', self.open(node='two', **lustre))
        code, out = self.repair(node='two', **lustre)
        self.assertEqual(code, 1, out)
        code, out = self.repair('--force', node='two', **lustre)
        self.assertEqual(code, 0, out)
        self.assertEqual(self.values(), 'new')
        self.assertEqual(self.journals(), [])

    def test_another_container_of_the_name(self):
        """Or the same host, started anew: nobody can tell."""
        lustre = {'fs': LUSTRE, 'option': 'flock', 'node': 'one'}
        self.kill(self.begin(**lustre))
        self.assertIn('cannot be seen from here', self.open(boot='two', **lustre))
        self.assertIn('NC_NOERR', self.open(**lustre))

    def test_killed_where_locks_prove_nothing(self):
        lustre = {'locks': 'refuse', 'fs': LUSTRE}
        self.kill(self.begin(**lustre))
        self.assertIn('which refuses them', self.open(**lustre))
        self.assertEqual(self.repair(**lustre)[0], 1)
        code, out = self.repair('--force', **lustre)
        self.assertEqual(code, 0, out)
        self.assertEqual(self.values(), 'new')


if __name__ == '__main__':
    PARCDF, SHIM, MOVING = (os.path.abspath(sys.argv.pop()) for _ in range(3))
    unittest.main()
