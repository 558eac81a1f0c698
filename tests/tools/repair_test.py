#!/usr/bin/env python3
"""Fixes what `parcdf repair` does and prints around parcdf_repair() (whose finds tests/dataset/recovery.c fixes): a whole
file, a marked one whose journal is lost, with and without --force, what is no file, logs of puts (--stage), as written
here from the description of their form, and wrong arguments.
usage: repair_test.py PARCDF"""
import os, struct, subprocess, sys, tempfile, unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build

PARCDF = None
GOOD, BAD, UNUSABLE = 0, 1, 2
WHOLE = b'CDF\1' + bytes(28)
MARKED = b'CDF\x81' + bytes(28)


# What libhdf5 1.10.8 wrote behind the signature: superblocks of versions 0 to 3.
SUPERBLOCKS = [
    '0000000000080800 0400100000000000 0000000000000000 ffffffffffffffff 1808000000000000 ffffffffffffffff',
    '0100000000080800 0400100000000000 2800000000000000 00000000ffffffff ffffffff24030000 00000000ffffffff',
    '0208080000000000 00000000ffffffff ffffffff18080000 0000000030000000 00000000b81fadf8',
    '0308080000000000 00000000ffffffff ffffffff18080000 0000000030000000 0000000009bc6cfd']


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return crc ^ 0xffffffff


def sealed(magic, body, size):
    """A unit of a log (src/format/stagerecord.h): magic, numbers, zeros, CRC."""
    unit = (magic + body).ljust(size - 4, b'\0')
    return unit + struct.pack('>I', crc32c(unit))


def stage_log(path, inode, rank, nranks, records, nonce=0x8000000000000001):
    """records: ('data', number, offset, bytes) or ('sync', number, numrecs, applied)."""
    name = path.encode()
    numbers = struct.pack('>QqqqqQ', nonce, rank, nranks, inode, 86400, len(name))
    head = sealed(b'PARCDFL1', numbers.ljust(496, b'\0') + struct.pack('>I', crc32c(name)), 512)
    log = (head + name).ljust(7168 + 512, b'\0') + sealed(b'PARCDFLS', struct.pack('>Qqqq', nonce, 1, 0, 0), 64)
    log = log.ljust(8192, b'\0')
    for kind, number, a, b in records:
        if kind == 'sync':
            log += sealed(b'PARCDFLY', struct.pack('>QqqqqI', nonce, 1, number, a, b, 0), 64)
        else:
            payload = struct.pack('>qq', a, len(b)) + b
            log += sealed(b'PARCDFLD', struct.pack('>QqqqqI', nonce, 1, number, 1, len(b), crc32c(payload)), 64) + payload
    return log


class Repair(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, 'run.nc')

    def tearDown(self):
        self.folder.cleanup()

    def repair(self, *args, content=None, status=GOOD):
        if content is not None:
            with open(self.path, 'wb') as out:
                out.write(content)
        p = subprocess.run([PARCDF, 'repair', *args], capture_output=True, text=True, timeout=30, env={
            **os.environ, 'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1'})
        self.assertEqual(p.returncode, status, p.stdout + p.stderr)
        return p.stdout, p.stderr

    def content(self):
        with open(self.path, 'rb') as file:
            return file.read()

    def test_whole(self):
        out, err = self.repair(self.path, content=WHOLE)
        self.assertEqual(out, f'{self.path}: nothing to do: no change of the file was interrupted\n')
        self.assertEqual(err, '')
        self.assertEqual(self.content(), WHOLE)

    def test_journal_lost(self):
        for args in ([], ['--dry-run']):
            out, err = self.repair(*args, self.path, content=MARKED, status=BAD)
            self.assertIn('no journal lies beside it', out)
            self.assertIn('--force takes the mark away', out)
            self.assertIn('only --force', err)
            self.assertEqual(self.content(), MARKED)
        out, _ = self.repair('--force', '--dry-run', self.path)
        self.assertEqual(self.content(), MARKED)
        out, _ = self.repair('--force', self.path)
        self.assertIn('the mark was taken away', out)
        self.assertEqual(self.content(), WHOLE)

    def test_journal_that_no_change_needs(self):
        journal = os.path.join(self.folder.name, '.run.nc.parcdf-journal')
        with open(journal, 'wb') as out:
            out.write(b'of nothing')
        out, _ = self.repair('--dry-run', self.path, content=WHOLE)
        self.assertIn(journal, out)
        self.assertTrue(os.path.exists(journal))
        self.repair(self.path)
        self.assertFalse(os.path.exists(journal))

    def test_no_file(self):
        _, err = self.repair(self.path, status=UNUSABLE)
        self.assertIn(self.path, err)

    def test_not_ours(self):
        content = b'\x1f\x8b\x08' + bytes(100)
        _, err = self.repair(self.path, content=content, status=BAD)
        self.assertIn('this file is compressed with gzip', err)
        self.assertEqual(self.content(), content)

    def test_hdf5(self):
        """Of a file whose journal is lost: the mark without a nonce, and with one."""
        for behind in SUPERBLOCKS:
            whole = b'\x89HDF\r\n\x1a\n' + bytes.fromhex(behind) + b'more' * 200
            out, _ = self.repair(self.path, content=whole)
            self.assertIn('nothing to do', out)
            for nonce in (b'', b'\x80nonce\0\2'):
                marked = whole[:7] + b'\x8a' + nonce + whole[8 + len(nonce):]
                for args in ([], ['--dry-run']):
                    out, err = self.repair(*args, self.path, content=marked, status=BAD)
                    self.assertIn('no journal lies beside it', out)
                    self.assertIn('only --force', err)
                    self.assertEqual(self.content(), marked)
                self.repair('--force', '--dry-run', self.path)
                self.assertEqual(self.content(), marked)
                out, _ = self.repair('--force', self.path)
                self.assertIn('the mark was taken away', out)
                self.assertEqual(self.content(), whole)

    def test_stage(self):
        """Two ranks, on two nodes; one put came after the last sync of all."""
        build = Build(2, dims=[('t', 0)], vars=[('r', 4, ['t'], [])])
        at, content = build.begin_rec, build.bytes
        with open(self.path, 'wb') as out:
            out.write(content)
        folders = [os.path.join(self.folder.name, node) for node in ('a', 'b')]
        logs = [os.path.join(folders[i], f'run.nc.parcdf-stage.8000000000000001.{i}') for i in range(2)]
        records = [('data', 1, at, b'zero'), ('sync', 1, 2, 0), ('data', 2, at, b'more')], \
                  [('data', 1, at + 4, b'last'), ('sync', 1, 2, 0), ('sync', 2, 2, 0)]
        for i in range(2):
            os.mkdir(folders[i])
            with open(logs[i], 'wb') as out:
                out.write(stage_log(os.path.realpath(self.path), os.stat(self.path).st_ino, i, 2, records[i]))
        out, err = self.repair('--stage', folders[0], self.path, status=BAD)
        self.assertIn('1 of 2 ranks are missing (rank 1)', err)
        self.assertEqual(self.content(), content)
        stages = [word for folder in folders for word in ('--stage', folder)]
        out, _ = self.repair('--dry-run', *stages, self.path)
        self.assertIn('8 bytes of puts wait', out)
        self.assertEqual(self.content(), content)
        out, _ = self.repair(*stages, self.path)
        self.assertIn('sync 1 is the last one', out)
        want = Build(2, numrecs=2, dims=[('t', 0)], vars=[('r', 4, ['t'], [])])
        self.assertEqual(self.content(), want.bytes[:at] + b'zerolast')
        self.assertEqual([os.listdir(folder) for folder in folders], [[], []])
        out, _ = self.repair(*stages, self.path)
        self.assertIn('no log has anything', out)

    def test_arguments(self):
        for args in ([], ['--stage'], ['--stage', 'x'], ['--frobnicate', 'x'], ['a', 'b']):
            out, err = self.repair(*args, status=UNUSABLE)
            self.assertTrue(err and not out)


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
