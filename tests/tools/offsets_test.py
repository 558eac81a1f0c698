#!/usr/bin/env python3
"""Fixes what `parcdf offsets` prints, to the byte, with each option, for files with and without gaps and records; and
its offsets against PnetCDF's ncoffsets where that is installed.
usage: offsets_test.py PARCDF"""
import os, re, shutil, subprocess, sys, tempfile, unittest
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build

PARCDF = None
VARS = [('a', 3, ['x'], []), ('r', 1, ['t', 'x'], []), ('b', 6, [], []), ('s', 4, ['t'], [])]
HEAD = '#kind\tname\ttype\tshape\trecord\tbegin\tend\tsize\tgap\toffset\tlast\n'


def build(version=1, numrecs=2, vars=VARS, **more):
    return Build(version, numrecs=numrecs, dims=[('t', 0), ('x', 3)], vars=vars, **more)


def rows(*lines):
    return ''.join('\t'.join(line.split()) + '\n' for line in lines)


class Offsets(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)

    def write(self, b):
        path = os.path.join(self.dir.name, 'f.nc')
        with open(path, 'wb') as f:
            f.write(b.bytes)
        return path

    def run_tool(self, *args):
        p = subprocess.run([PARCDF, 'offsets', *args], capture_output=True, text=True, timeout=30)
        return p.returncode, p.stdout, p.stderr

    def table(self, path, version, *lines):
        return 0, '#file\t%s\tCDF-%d\n' % (path, version) + HEAD + rows(*lines), ''

    def test_table(self):
        for version, header in ((1, 200), (2, 216), (5, 328)):
            b = build(version)
            path, h = self.write(b), header
            self.assertEqual(b.header_size, h)
            self.assertEqual(self.run_tool(path), self.table(
                path, version,
                'header - - - - 0 %d %d 0 - -' % (h, h),
                'fixed a short x=3 - %d %d 6 0 - -' % (h, h + 6),
                'fixed b double - - %d %d 8 0 - -' % (h + 8, h + 16),
                'records - - t=2 - %d %d 8 - - -' % (h + 16, h + 32),
                'record r byte t=2,x=3 0 %d %d 3 0 0 %d' % (h + 16, h + 19, h + 27),
                'record s int t=2 0 %d %d 4 0 4 %d' % (h + 20, h + 24, h + 32)))

    def test_all_records_of_some_variables(self):
        path = self.write(build())
        want = self.table(
            path, 1, 'header - - - - 0 200 200 0 - -', 'fixed a short x=3 - 200 206 6 0 - -',
            'records - - t=2 - 216 232 8 - - -', 'record s int t=2 0 220 224 4 0 4 232',
            'record s int t=2 1 228 232 4 0 4 232')
        self.assertEqual(self.run_tool('-r', '-v', 'a,s', path), want)
        self.assertEqual(self.run_tool('-v', 'a', '-v', 's', '-r', path), want)

    def test_one_record_variable(self):
        path = self.write(build(numrecs=5, vars=[VARS[1]]))
        self.assertEqual(self.run_tool(path), self.table(
            path, 1, 'header - - - - 0 96 96 0 - -', 'records - - t=5 - 96 111 3 - - -',
            'record r byte t=5,x=3 0 96 99 3 0 0 111'))
        self.assertEqual(self.run_tool('-x', path), (0, '0\n', ''))

    def test_no_records_yet(self):
        path = self.write(build(numrecs=0, vars=[VARS[1]]))
        self.assertEqual(self.run_tool(path)[1].splitlines()[-1], 'record\tr\tbyte\tt=0,x=3\t0\t96\t99\t3\t0\t0\t-')

    def test_gaps(self):
        b = build(align=512, put={'var:b:begin': 524, 'var:r:begin': 540, 'var:s:begin': 544})
        path = self.write(b)
        self.assertEqual(self.run_tool('-g', path), (0, rows('- 200 312', 'a 520 4', 'b 532 8'), ''))
        self.assertEqual(self.run_tool('-x', path), (1, '1\n', ''))
        self.assertEqual(self.run_tool('-x', '-v', 'r', path), (0, '0\n', ''))
        self.assertEqual(self.run_tool('-g', '-v', 'b', path), (0, rows('b 532 8'), ''))
        self.assertIn('fixed\tb\tdouble\t-\t-\t524\t532\t8\t8\t-\t-\n', self.run_tool(path)[1])
        self.assertEqual(self.run_tool('-g', self.write(build())), (0, '', ''))

    def test_sizes(self):
        self.assertEqual(self.run_tool('-s', self.write(build())), (0, rows('a 6', 'r 3', 'b 8', 's 4'), ''))

    def test_names_that_hurt(self):
        vars_ = [('a,b', 4, [], []), ('tab\there', 4, [], []), ('e\u0301', 4, [], []), ('\u00e9', 4, [], [])]
        path = self.write(build(vars=vars_))
        self.assertEqual(self.run_tool('-s', '-v', 'a,b', path), (0, 'a,b\t4\n', ''))
        self.assertEqual(self.run_tool('-s', '-v', 'e\u0301', path), (0, '\u00e9\t4\n', ''))  # found by its NFC form
        self.assertIn('tab\\x09here\t4\n', self.run_tool('-s', path)[1])

    def test_numbers_at_the_end(self):
        b = Build(5, dims=[('t', 0), ('x', 2 ** 40)], vars=[('a', 6, ['t', 'x'], [])], data=False,
                  put={'numrecs': 2 ** 19})
        end = b.header_size + 2 ** 62
        self.assertTrue(self.run_tool(self.write(b))[1].endswith('\t%d\n' % end))

    def test_statuses(self):
        path = self.write(build())
        for args in ((), ('-z', path), ('-v',), (path, path)):
            status, out, err = self.run_tool(*args)
            self.assertEqual((status, out), (2, ''))
            self.assertIn('usage: parcdf offsets ', err)
        self.assertEqual(self.run_tool('-v', 'none', path), (2, '', "parcdf: %s: there is no variable none\n" % path))
        self.assertEqual(self.run_tool('-v', 'a,,b', path)[0], 2)
        self.assertEqual(self.run_tool('/nowhere')[0], 2)
        path = self.write(build(put={'version': 4}))
        self.assertEqual(self.run_tool(path),
                         (1, '', 'parcdf: %s: offset 3: version byte 4 is not 1, 2 or 5\n' % path))

    @unittest.skipUnless(shutil.which('ncoffsets'), 'ncoffsets is not installed')
    def test_as_ncoffsets(self):
        for version in (1, 2, 5):
            for b in (build(version), build(version, align=512), build(version, numrecs=7, vars=[VARS[1]])):
                path = self.write(b)
                theirs = subprocess.run(['ncoffsets', '-rs', path], capture_output=True, text=True).stdout
                want = []
                for block in re.split(r'\n\t(?=\w+ +\w+(?:\(|:))', theirs)[1:]:
                    name = re.match(r'\w+ +(\w+)', block).group(1)
                    begins = re.findall(r'start file offset = +(\d+)', block)
                    want += [(name, int(x), int(y)) for x, y in zip(begins, re.findall(
                        r'end   file offset = +(\d+)', block))]
                ours = [line.split('\t') for line in self.run_tool('-r', path)[1].splitlines()]
                got = [(f[1], int(f[5]), int(f[6])) for f in ours if f[0] in ('fixed', 'record')]
                self.assertEqual(sorted(got), sorted(want))


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
