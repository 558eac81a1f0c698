#!/usr/bin/env python3
"""Fixes: the file that a command makes has its name only when it is whole, replaces nothing that it was not asked to, and
loses no input and no mode; other processes' leftovers, long names and signals do not matter.

    output_test.py PARCDF
"""
import glob
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PARCDF = sys.argv.pop(1)
SMALL = 'netcdf a { dimensions: x=4; t=UNLIMITED; variables: int f(x); double d(t); data: f=1,2,3,4; d=1,2,3; }'
LARGE = 'netcdf b { dimensions: x=%d; variables: float f(x); }'


class Outputs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        os.chdir(self.folder.name)
        self.addCleanup(os.chdir, '/')
        self.make('a.nc', SMALL)

    def make(self, name, text):
        subprocess.run([PARCDF, 'gen', '-o', name, '/dev/stdin'], input=text.encode(), check=True)

    def parcdf(self, *words):
        done = subprocess.run([PARCDF, *words], capture_output=True, text=True, timeout=120)
        return done.returncode, done.stderr.strip()

    def leftovers(self):
        return [name for name in os.listdir('.') if '.parcdf-' in name]

    def content(self, name):
        with open(name, 'rb') as f:
            return f.read()

    def test_the_input_is_spared(self):
        before = self.content('a.nc')
        self.assertEqual(self.parcdf('refs', '-O', '-o', 'a.nc', 'a.nc'),
                         (2, 'parcdf: a.nc: this is the file that is read'))
        with open('b.json', 'wb') as f:
            done = subprocess.run([PARCDF, 'refs', 'a.nc'], stdout=f)
        self.assertEqual(done.returncode, 0)
        os.link('a.nc', 'same.nc')
        self.assertEqual(self.parcdf('copy', '-O', 'a.nc', 'same.nc')[0], 2)
        self.assertEqual(self.content('a.nc'), before)

    def test_modes_stay(self):
        for mode in 0o600, 0o444, 0o640:
            self.make('to.nc', SMALL)
            os.chmod('to.nc', mode)
            self.assertEqual(self.parcdf('copy', '-O', 'a.nc', 'to.nc')[0], 0)
            self.assertEqual(os.stat('to.nc').st_mode & 0o777, mode)
            os.remove('to.nc')
        old = os.umask(0o027)
        self.addCleanup(os.umask, old)
        self.assertEqual(self.parcdf('copy', 'a.nc', 'new.nc')[0], 0)
        self.assertEqual(os.stat('new.nc').st_mode & 0o777, 0o640)

    def test_links(self):
        os.symlink('nothing', 'dangling.nc')
        self.assertEqual(self.parcdf('copy', 'a.nc', 'dangling.nc'),
                         (2, 'parcdf: dangling.nc: this is a symbolic link to nothing'))
        self.make('target.nc', SMALL)
        os.symlink('target.nc', 'link.nc')
        self.assertEqual(self.parcdf('copy', '-O', '-k', 'cdf5', 'a.nc', 'link.nc')[0], 0)
        self.assertTrue(os.path.islink('link.nc'))
        self.assertEqual(self.content('target.nc')[:4], b'CDF\5')

    def test_names_that_are_long_or_taken(self):
        name = 'n' * 253
        self.assertEqual(self.parcdf('gen', '-o', name, self.text())[0], 0)
        self.assertEqual(self.content(name), self.content('a.nc'))
        self.assertEqual(self.leftovers(), [])

    def text(self):
        with open('a.cdl', 'w') as f:
            f.write(SMALL)
        return 'a.cdl'

    def start_copy(self, to):
        self.make('large.nc', LARGE % 40_000_000)
        copying = subprocess.Popen([PARCDF, 'copy', 'large.nc', to], stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + 60
        while not glob.glob(to + '.parcdf-*') and copying.poll() is None and time.monotonic() < until:
            time.sleep(0.001)
        return copying

    def test_a_file_that_comes_meanwhile_stays(self):
        copying = self.start_copy('to.nc')
        with open('to.nc', 'w') as f:
            f.write('precious')
        _, sentence = copying.communicate(timeout=120)
        self.assertEqual(copying.returncode, 2, sentence)
        self.assertIn('a file of this name has come to be meanwhile, and stays', sentence)
        self.assertEqual(self.content('to.nc'), b'precious')
        self.assertEqual(self.leftovers(), [])

    def test_signals_leave_nothing(self):
        for number in signal.SIGXCPU, signal.SIGTERM:
            copying = self.start_copy('to.nc')
            copying.send_signal(number)
            copying.communicate(timeout=120)
            self.assertNotEqual(copying.returncode, 0)
            self.assertEqual(self.leftovers(), [])
            self.assertFalse(os.path.exists('to.nc'))


unittest.main()
