#!/usr/bin/env python3
"""Fixes the program under the name ncvalidator, beside PnetCDF's where that is installed: exit status and last line on good and
broken files, each intended difference with its reason; -q, -x, -t, -h; and `parcdf check --fix-padding`, which changes the
padding alone.
usage: validator_test.py PARCDF"""
import os, shutil, subprocess, sys, tempfile, unittest
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
import crosscheck_test
from cdfbuild import Build

PARCDF, PEER = None, shutil.which('ncvalidator')
PARTS = dict(dims=[('t', 0), ('x', 3)], atts=[('title', 2, b'hi')], numrecs=1,
             vars=[('a', 3, ['x'], [('u', 2, b'm')]), ('r', 5, ['t'], [])])
PADDING = {'dim:x:name:pad': b'\1\2\3', 'var:a:name:pad': b'\0\0\4', 'atts:title:pad': b'\xff\0', 'var:a:atts:u:pad': b'\7\0\7'}
DIFFERENT = dict(crosscheck_test.STRICTER_HERE, **{  # valid here or there alone
    'STREAMING in CDF-5': 'the specification has it', 'gaps': 'the one record is not padded, but the file may be',
    'zero byte in a name': 'the name is not what the file says', 'a tag on an empty list': 'not what the specification has'})


class Validator(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.ours = os.path.join(self.place.name, 'ncvalidator')
        os.symlink(PARCDF, self.ours)

    def file(self, raw, name='f.nc'):
        path = os.path.join(self.place.name, name)
        with open(path, 'wb') as f:
            f.write(raw)
        return path

    def run_it(self, *words):
        p = subprocess.run(words, capture_output=True, text=True, timeout=30)
        return p.returncode, p.stdout, p.stderr

    def content(self, path):
        with open(path, 'rb') as f:
            return f.read()

    @unittest.skipUnless(PEER, 'PnetCDF has no ncvalidator here')
    def test_beside_the_peer(self):
        same = 0
        for what, path in crosscheck_test.files(self.place.name):
            ours, theirs = ((p[0], p[1].strip().split('\n')[-1]) for p in (self.run_it(self.ours, path), self.run_it(PEER, path)))
            with self.subTest(what):
                if what in DIFFERENT:
                    self.assertNotEqual(ours, theirs, 'no difference any more')
                else:
                    self.assertEqual(ours, theirs)
                    same += 1
        self.assertGreater(same, 30)

    def test_verdicts(self):
        for version in (1, 2, 5):
            path = self.file(Build(version, **PARTS).bytes)
            self.assertEqual(self.run_it(self.ours, path),
                             (0, 'File "%s" is a valid NetCDF classic CDF-%d file.\n' % (path, version), ''))
            path = self.file(Build(version, put=PADDING, **PARTS).bytes)
            status, out, err = self.run_it(self.ours, path)
            self.assertEqual((status, err, out.count('Error @ [0x')), (1, '', len(PADDING)), out)
            self.assertTrue(out.endswith('File "%s" fails to conform with classic CDF-%d file format specifications\n'
                                         % (path, version)), out)
        path = self.file(b'no such format')
        self.assertEqual(self.run_it(self.ours, path)[1].split('\n')[-2], 'File "%s" format is unknown' % path)

    def test_options(self):
        good, bad = self.file(Build(1, **PARTS).bytes), self.file(Build(1, put=PADDING, **PARTS).bytes, 'bad.nc')
        self.assertEqual(self.run_it(self.ours, '-q', good), (0, '', ''))
        self.assertEqual(self.run_it(self.ours, bad, '-q'), (1, '', ''))
        status, out, _ = self.run_it(self.ours, '-t', good)
        self.assertEqual(status, 0)
        self.assertIn('\nfixed\ta\tshort\tx=3\t', out)
        for words in (['-h'], [], ['-z']):
            status, out, err = self.run_it(self.ours, *words)
            self.assertEqual((status, out), (1, ''))
            self.assertIn('Usage: ncvalidator', err)
        self.assertEqual(self.run_it(self.ours, good + '.none')[::2],
                         (1, 'parcdf: %s.none: No such file or directory\n' % good))

    def test_repair(self):
        for version in (1, 2, 5):
            good, bad = Build(version, **PARTS).bytes, Build(version, put=PADDING, **PARTS).bytes
            path = self.file(bad)
            self.assertEqual(self.run_it(self.ours, path)[0], 1)
            self.assertEqual(self.content(path), bad)
            status, out, err = self.run_it(self.ours, '-x', path)
            self.assertEqual((status, err), (1, ''))
            self.assertIn('has been repaired', out)
            self.assertEqual(self.content(path), good)
            self.assertEqual(self.run_it(self.ours, '-x', path)[0], 0)

    def test_fix_padding(self):
        """The same by `parcdf check`; a second time there is nothing to do."""
        for version in (1, 2, 5):
            good, broken = Build(version, **PARTS), Build(version, put=PADDING, **PARTS)
            path = self.file(broken.bytes)
            status, out, err = self.run_it(PARCDF, 'check', '--fix-padding', path)
            self.assertEqual((status, err), (0, ''))
            lines = out.split('\n')
            self.assertEqual(len(lines), len(PADDING) + 2)
            self.assertEqual(lines[0], '%s: offset %d: fixed (3 bytes set to zero): the padding after dimension "x" is 0x01, not zero'
                             % (path, broken.at['dim:x:name:pad']))
            self.assertTrue(lines[-2].endswith('errors 0, warnings 0, notes 0'), out)
            self.assertEqual(self.content(path), good.bytes)
            before = os.stat(path).st_mtime_ns
            self.assertEqual(self.run_it(PARCDF, 'check', '--fix-padding', path), (0, path + ': ' + lines[-2][len(path) + 2:] + '\n', ''))
            self.assertEqual(os.stat(path).st_mtime_ns, before, 'it was written to')

    def test_fix_padding_of_what_cannot_be(self):
        """A header that breaks the format, and a file that cannot be written, stay as they are."""
        broken = Build(1, put=dict(PADDING, **{'var:r:type': 99}), **PARTS).bytes
        path = self.file(broken)
        self.assertEqual(self.run_it(PARCDF, 'check', '--fix-padding', path)[0], 1)
        self.assertEqual(self.content(path), broken)
        if os.geteuid() != 0:
            path = self.file(Build(1, put=PADDING, **PARTS).bytes)
            os.chmod(path, 0o400)
            status, out, err = self.run_it(PARCDF, 'check', '--fix-padding', path)
            self.assertEqual((status, out, err.count('\n')), (2, '', 1))
        quiet = self.file(Build(1, put=PADDING, **PARTS).bytes, 'quiet.nc')
        self.assertEqual(self.run_it(PARCDF, 'check', '-q', '--fix-padding', quiet), (0, '', ''))
        self.assertEqual(self.content(quiet), Build(1, **PARTS).bytes)


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
