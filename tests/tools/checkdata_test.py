#!/usr/bin/env python3
"""Fixes `parcdf check --data`: its lines and exit status for files with checksums made here, from the description of
their format alone: good, damaged, changed by another program, copied, cut off, grown, being written, torn, without
any; and with a launcher and a program that writes a file, the same on ranks that share the blocks.
usage: checkdata_test.py PARCDF [MPIEXEC WRITER]"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build

PARCDF = MPIEXEC = WRITER = None
BLOCK = 512


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def sums_path(path):
    return os.path.join(os.path.dirname(path), '.' + os.path.basename(path) + '.parcdf-sums')


def make_sums(path, is_open=0, block=BLOCK, table=None):
    with open(path, 'rb') as f:
        data, st = f.read(), os.stat(path)
    if table is None:
        table = b''.join(struct.pack('>I', crc32c(data[i:i + block])) for i in range(0, len(data), block))
    numbers = [is_open, block, len(data), st.st_ino, st.st_mtime_ns // 10**9, st.st_mtime_ns % 10**9,
               crc32c(data[:512]), crc32c(table), 4711, 86400]
    head = b'PARCDFS1' + struct.pack('>10q', *numbers) + b'host-7'.ljust(64, b'\0')
    head = head.ljust(508, b'\0')
    with open(sums_path(path), 'wb') as f:
        f.write(head + struct.pack('>I', crc32c(head)) + table)


def change(path, at, keep_time=True, cut=None, grow=b''):
    st = os.stat(path)
    with open(path, 'r+b') as f:
        if at is not None:
            f.seek(at)
            byte = f.read(1)[0]
            f.seek(at)
            f.write(bytes([byte ^ 1]))
        if cut is not None:
            f.truncate(cut)
        f.seek(0, 2)
        f.write(grow)
    os.utime(path, ns=(st.st_atime_ns, st.st_mtime_ns if keep_time else st.st_mtime_ns + 1))


def run(*args, launch=()):
    p = subprocess.run([*launch, PARCDF, 'check', '--data', *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       text=True)
    return p.returncode, p.stdout, p.stderr


class CheckData(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, 'f.nc')
        with open(self.path, 'wb') as f:
            f.write(Build(1, dims=[('x', 1000)], vars=[('a', 4, ['x'], [])]).bytes)
        self.size = os.path.getsize(self.path)
        self.blocks = -(-self.size // BLOCK)

    def tearDown(self):
        self.folder.cleanup()

    def check(self, status, *lines, args=(), err=''):
        code, out, said = run(*args, self.path)
        out = [line[len(self.path) + 2:] for line in out.splitlines() if ': good: CDF' not in line]
        self.assertEqual((code, out), (status, list(lines)), said)
        self.assertRegex(said, err or r'^$')

    def test_good(self):
        make_sums(self.path)
        self.check(0, 'data: good, %d blocks' % self.blocks)
        self.check(0, args=['-q'])

    def test_link(self):
        make_sums(self.path)
        link = os.path.join(self.folder.name, 'link')
        os.symlink('f.nc', link)
        self.assertEqual(run(link)[0], 0)

    def test_none(self):
        self.check(2, err='it has no checksums beside it')

    def test_damaged(self):
        make_sums(self.path)
        change(self.path, 3 * BLOCK + 7)
        change(self.path, self.size - 1)
        lines = [r'data: block 3, bytes 1536 to 2047: checksum \w{8}, not \w{8}',
                 r'data: block %d, bytes %d to %d: checksum \w{8}, not \w{8}' % (
                     self.blocks - 1, (self.blocks - 1) * BLOCK, self.size - 1)]
        code, out, _ = run(self.path)
        self.assertEqual(code, 1)
        for line, want in zip(out.splitlines()[1:], lines + ['data: 2 of %d blocks are damaged' % self.blocks]):
            self.assertRegex(line, '^' + re.escape(self.path) + ': ' + want + '$')
        code, out, _ = run('--max', '1', self.path)
        self.assertEqual((code, len(out.splitlines())), (1, 3))
        self.assertEqual(run('-q', self.path), (1, '', ''))

    def test_changed_by_another(self):
        make_sums(self.path)
        change(self.path, 3 * BLOCK + 7, keep_time=False)
        code, out, _ = run('--max', '0', self.path)
        self.assertEqual(code, 2)
        self.assertIn('data: 1 of %d blocks are not as they were: the file was changed by another program' % self.blocks,
                      out)

    def test_copied(self):
        make_sums(self.path)
        copy = os.path.join(self.folder.name, 'copy.nc')
        shutil.copy2(self.path, copy)
        shutil.copy2(sums_path(self.path), sums_path(copy))
        code, out, _ = run(copy)
        self.assertEqual(code, 0)
        self.assertIn('good, %d blocks; it was copied or touched since' % self.blocks, out)

    def test_cut_off(self):
        make_sums(self.path)
        change(self.path, None, cut=5 * BLOCK + 10)
        code, out, _ = run(self.path)
        self.assertEqual(code, 2)
        self.assertIn('data: block 5, bytes 2560 to 3071: the file ends at 2570\n', out)

    def test_grown(self):
        make_sums(self.path)
        change(self.path, None, grow=b'more')
        code, out, _ = run(self.path)
        self.assertEqual(code, 2)
        self.assertIn('data: it grew by another program', out)

    def test_being_written(self):
        make_sums(self.path, is_open=1)
        self.check(2, err=r'say nothing since 1970-01-02 00:00:00 UTC, when process 4711 on host-7 began')

    def test_torn(self):
        make_sums(self.path)
        change(sums_path(self.path), 40)
        self.check(2, err='the checksum of its head is wrong')
        make_sums(self.path)
        change(sums_path(self.path), 513)
        self.check(2, err='the table of its checksums is not whole')
        make_sums(self.path)
        change(sums_path(self.path), None, cut=520)
        self.check(2, err='its numbers are impossible')
        make_sums(self.path, block=2**40, table=b'')
        self.check(2, err='its numbers are impossible')
        open(sums_path(self.path), 'wb').close()
        self.check(2, err='too short')

    def test_on_ranks(self):
        if not WRITER:
            self.skipTest('no launcher')
        path = os.path.join(self.folder.name, 'run.nc')
        env = dict(os.environ, PNETCDF_HINTS='pcdf_checksum=crc32c')
        launch = [MPIEXEC, '-n', '2']
        subprocess.run([*launch, WRITER, '--grid', '32x128x160', '--keep', path], check=True, env=env,
                       stdout=subprocess.DEVNULL)
        blocks = -(-os.path.getsize(path) // 2**20)
        self.assertGreater(blocks, 3)
        for ranks in ((), launch):
            code, out, err = run(path, launch=ranks)
            self.assertEqual((code, out.count('data: good, %d blocks\n' % blocks)), (0, 1), out + err)
        with open(self.path, 'wb') as f:
            f.write(Build(1, dims=[('x', 9000)], vars=[('a', 4, ['x'], [])]).bytes)
        make_sums(self.path)
        p = subprocess.run([*launch[:-1], '1', PARCDF, 'check', '--data', path, ':', '-n', '1', PARCDF, 'check', '--data',
                            self.path], capture_output=True, text=True)
        self.assertEqual((p.returncode, p.stdout.count('data:')), (2, 0), p.stdout)
        self.assertIn('the file changes while it is read', p.stderr)
        change(path, 2**20 + 5)
        change(path, (blocks - 1) * 2**20 + 5)
        alone, together = run(path), run(path, launch=launch)
        self.assertEqual((alone[0], together[0]), (1, 1), together)
        self.assertEqual(alone[1], together[1])
        self.assertIn('2 of %d blocks are damaged' % blocks, alone[1])


if __name__ == '__main__':
    PARCDF, *more = sys.argv[1:]
    if more:
        MPIEXEC, WRITER = more
    unittest.main(argv=sys.argv[:1])
