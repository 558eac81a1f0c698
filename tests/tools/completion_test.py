#!/usr/bin/env python3
"""Fixes what completion offers in bash and in zsh (where that is installed): all commands, each command's options and no
others', hints by name, files; nothing behind an option that takes a number.
usage: completion_test.py PARCDF"""
import os, shutil, subprocess, sys, tempfile, unittest

PARCDF = None
HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, '../../packaging/completions')
# Stands in for zsh's own functions and prints what they are given.
ZSH = r'''
_describe() { print -l -- ${${(P)2}%%:*} }
_arguments() { while [[ $1 != : ]]; do shift; done; shift; print -l -- "$@" }
compadd() { shift; print -l -- "$@" }
words=("$@")
CURRENT=$#words
source $FOLDER/_parcdf
'''
BASH = r'''
source $FOLDER/parcdf.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_parcdf
printf '%s\n' "${COMPREPLY[@]}"
'''


def listed():
    rows = subprocess.run([PARCDF, 'help', '--list'], capture_output=True, text=True, timeout=30, check=True).stdout
    commands, options = [], {}
    for kind, name, *more in (row.split('\t') for row in rows.splitlines()):
        commands += [name] if kind == 'command' else []
        if kind == 'option':
            options.setdefault(name, []).append((more[0].split(), more[1]))
    return commands, options


class Completion(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        for name in ('run one.nc', 'run2.nc', 'other.txt'):
            open(os.path.join(self.place.name, name), 'w').close()

    def shell(self, program, script, *words):
        p = subprocess.run([*program, '-c', script, 'x', PARCDF, *words], capture_output=True, text=True, timeout=30,
                           cwd=self.place.name, env=dict(os.environ, FOLDER=FOLDER))
        self.assertEqual((p.returncode, p.stderr), (0, ''))
        return p.stdout.split('\n')[:-1]

    def bash(self, *words):
        return [line for line in self.shell(['bash', '--norc'], BASH, *words) if line]

    def zsh(self, *words):
        if not shutil.which('zsh'):
            self.skipTest('there is no zsh')
        return self.shell(['zsh', '-f'], ZSH, *words)

    def test_bash_commands(self):
        commands, _ = listed()
        self.assertEqual(sorted(self.bash('')), sorted(commands + ['help']))
        self.assertEqual(self.bash('off'), ['offsets'])
        self.assertEqual(self.bash('--v'), ['--version'])
        self.assertEqual(sorted(self.bash('help', '')), sorted(commands + ['--list']))

    def test_bash_options(self):
        commands, options = listed()
        for name in commands:
            if name != 'hints':
                flags = [f for group, _ in options.get(name, []) for f in group]
                self.assertEqual(sorted(set(self.bash(name, '-'))), sorted(set(flags + ['--help'])), name)

    def test_bash_words(self):
        self.assertEqual(self.bash('hints', 'nc_var_al'), ['nc_var_align_size'])
        self.assertEqual(sorted(self.bash('check', 'run')), ['run one.nc', 'run2.nc'])
        self.assertEqual(self.bash('check', '--max', 'run'), [])
        self.assertEqual(sorted(self.bash('refs', '-o', 'run')), ['run one.nc', 'run2.nc'])
        self.assertEqual(self.bash('no_such', '-'), ['--help'])

    def test_zsh_commands(self):
        commands, _ = listed()
        self.assertEqual(sorted(self.zsh('')), sorted(commands + ['help']))
        self.assertEqual(sorted(self.zsh('help', '')), sorted(commands + ['help']))
        self.assertIn('nc_var_align_size', self.zsh('hints', ''))

    def test_zsh_options(self):
        commands, options = listed()
        for name in commands:
            if name == 'hints':
                continue
            specs = self.zsh(name, '')
            self.assertEqual(specs[-1], '*:file:_files')
            for group, argument in options.get(name, []):
                for flag in group:
                    found = [s for s in specs if s.startswith('(%s)%s[' % (' '.join(group), flag))]
                    self.assertEqual(len(found), 1, (name, flag, specs))
                    self.assertEqual(found[0].endswith(']'), argument == '-', found)

    def test_installed_names(self):
        """zsh finds a function by the file's first line."""
        with open(os.path.join(FOLDER, '_parcdf')) as f:
            self.assertEqual(f.readline(), '#compdef parcdf\n')


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
