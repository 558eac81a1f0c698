#!/usr/bin/env python3
"""Fixes what `parcdf repair` does and prints around parcdf_repair() (whose finds tests/dataset/recovery.c fixes): a whole
file, a marked one whose journal is lost, with and without --force, what is no file, and wrong arguments.
usage: repair_test.py PARCDF"""
import os, subprocess, sys, tempfile, unittest

PARCDF = None
GOOD, BAD, UNUSABLE = 0, 1, 2
WHOLE = b'CDF\1' + bytes(28)
MARKED = b'CDF\x81' + bytes(28)


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
        content = b'\x89HDF\r\n\x1a\n' + bytes(100)
        _, err = self.repair(self.path, content=content, status=BAD)
        self.assertIn('this is an HDF5 file', err)
        self.assertEqual(self.content(), content)

    def test_arguments(self):
        for args in ([], ['--frobnicate', 'x'], ['a', 'b']):
            out, err = self.repair(*args, status=UNUSABLE)
            self.assertTrue(err and not out)


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
