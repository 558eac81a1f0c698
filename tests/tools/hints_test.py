#!/usr/bin/env python3
"""Fixes what `parcdf hints` prints: every row of src/base/hintrows.def and otherhints.def, in that order, those that are not
promised last, name, values and help in lines of at most 80 columns; one row by its name; exit statuses. And that the table of old
names and values (oldhints.def) names hints and values that there are, and goes when it has to.
usage: hints_test.py PARCDF"""
import os, re, subprocess, sys, textwrap, unittest

PARCDF = None
BASE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../src/base')
ROW = re.compile(r'^PCDF_HINT\((\w+), (\w+), \w+, \w+, (.*?), (ANY|(?:RANGE|BYTES|WORDS)\(.*?\)), "(.*)"\)$', re.M)
OTHER = re.compile(r'^PCDF_OTHER_HINT\((\w+), "(.*?)", (\w+), "(.*)"\)$', re.M)
EFFECTS = {'UNDERSTOOD': 'understood', 'PASSED': 'passed on to MPI-IO', 'IGNORED': 'without effect'}
NUMBERS = {'INT64_MAX': 2**63 - 1, 'INT32_MAX': 2**31 - 1}
GOOD, UNUSABLE = 0, 2
WIDEST = 80


def number(text):
    """An integer of C with its few operators: 3, INT64_MAX / 4, 1 << 30."""
    words = [str(NUMBERS.get(word, word)) for word in text.split()]
    left, operator, right = (words + ['+', '0'])[:3]
    return {'+': int(left) + int(right), '/': int(left) // int(right) if int(right) else 0,
            '<<': int(left) << int(right)}[operator]


def is_debug(name):
    return name.startswith('pcdf_debug_')


def rows():
    """(name, the line about values, help) of each row, read from the table itself."""
    text = open(BASE + '/hintrows.def').read()
    others = open(BASE + '/otherhints.def').read()
    found = []
    for name, kind, fallback, allowed, what in ROW.findall(text):
        if kind in ('TEXT', 'ENUM', 'BOOL'):
            words = re.fullmatch(r'WORDS\("(.*)"\)', allowed)
            values = 'default %s, %s' % (fallback, 'one of ' + words[1] if words else 'any text')
        else:
            word, low, high = re.fullmatch(r'(RANGE|BYTES)\((.*), (.*)\)', allowed).groups()
            units = ', or as 64k, 32M, 1GiB' if word == 'BYTES' else ''
            values = 'default %d, from %d to %d%s' % (number(fallback), number(low), number(high), units)
        found.append((name, values, what))
    for name, whose, effect, what in OTHER.findall(others):
        found.append((name, 'a hint of %s, %s' % (whose, EFFECTS[effect]), what))
    found.sort(key=lambda row: is_debug(row[0]))
    assert len(found) == len(re.findall(r'^PCDF_(?:OTHER_)?HINT\(', text + others, re.M)), 'a row that this test cannot read'
    return found


def printed(some):
    def filled(text):
        return textwrap.fill(text, WIDEST, initial_indent='    ', subsequent_indent='    ', break_on_hyphens=False, break_long_words=False)
    return ''.join('%s\n    %s\n%s\n' % (name, values, filled(what)) for name, values, what in some)


class Hints(unittest.TestCase):
    maxDiff = None

    def run_tool(self, *args, **more):
        p = subprocess.run([PARCDF, *args], stderr=subprocess.PIPE, stdout=more.get('stdout', subprocess.PIPE), text=True,
                           timeout=30)
        return p.returncode, p.stdout, p.stderr

    def test_every_row(self):
        self.assertLessEqual(sum(name.startswith('pcdf_') and not is_debug(name) for name, _, _ in rows()), 21)
        promised, debug = [row for row in rows() if not is_debug(row[0])], [row for row in rows() if is_debug(row[0])]
        heading = '\nNot promised, for tests and experiments; any version may change or drop them:\n\n'
        self.assertEqual(self.run_tool('hints'), (GOOD, printed(promised) + heading + printed(debug), ''))

    def test_old_names(self):
        names = {row[0] for row in rows()}
        old = dict(re.findall(r'^PCDF_OLD_(?:HINT|WORD)\((\w+), (\w+)(?:, "\w+")?\)$', open(BASE + '/oldhints.def').read(), re.M))
        end = re.search(r'PCDF_OLD_HINTS_END "(.*)"', open(BASE + '/hintrows.h').read())[1]
        now = open(BASE + '/../../VERSION').read().strip()
        self.assertLessEqual(set(old.values()), names)
        self.assertFalse(names & set(old))
        values = {name: line.rsplit('one of ', 1)[-1].split('|') for name, line, _ in rows()}
        for name, before, after in re.findall(r'^PCDF_OLD_VALUE\((\w+), "(.*)", "(.*)"\)$', open(BASE + '/oldhints.def').read(), re.M):
            self.assertIn(after, values[name])
            self.assertNotIn(before, values[name])
        self.assertTrue(not old or [int(n) for n in now.split('.')] < [int(n) for n in end.split('.')],
                        'version %s takes the old names no longer: their rows go' % end)

    def test_one_row(self):
        for row in rows():
            self.assertEqual(self.run_tool('hints', row[0]), (GOOD, printed([row]), ''))

    def test_width(self):
        for line in self.run_tool('hints')[1].split('\n'):
            self.assertLessEqual(len(line), WIDEST, line)
            self.assertEqual(line, line.rstrip())

    def test_misuse(self):
        for args, what in ((['no_such_hint'], 'the library knows no hint of that name'),
                           ([''], 'the library knows no hint of that name'),
                           (['nc_driver', 'nc_burst_buf'], 'one hint at a time')):
            self.assertEqual(self.run_tool('hints', *args),
                             (UNUSABLE, '', 'parcdf hints: %s\nusage: parcdf hints [NAME]\n' % what))

    def test_help(self):
        status, out, err = self.run_tool('help', 'hints')
        self.assertEqual((status, err), (GOOD, ''))
        self.assertIn('PNETCDF_HINTS', out)
        for line in out.split('\n'):
            self.assertLessEqual(len(line), WIDEST, line)
        self.assertIn('\n  hints ', self.run_tool('help')[1])

    def test_unwritable(self):
        with open('/dev/full', 'w') as full:
            self.assertEqual(self.run_tool('hints', stdout=full)[0], UNUSABLE)


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
