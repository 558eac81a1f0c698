#!/usr/bin/env python3
"""Runs one fuzz target that was built with fuzz_driver.c: on its seeds, on what was found before (found/TARGET*), and
on mutations of both, by the day's seed.  usage: driven.py TARGET PROGRAM... -- [options of the driver]"""
import subprocess, sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'support'))
import runner


def main():
    target, words = sys.argv[1], sys.argv[2:]
    program, options = words[:words.index('--')], words[words.index('--') + 1:]
    seeds = Path('seeds_' + target)
    for old in seeds.glob('*'):
        old.unlink()
    subprocess.run([sys.executable, '-B', HERE / 'seeds.py', target, seeds], check=True)
    found = sorted(str(p) for p in (HERE / 'found').glob(target + '-*'))
    if '--seed' not in options and '--every' not in options:
        options += ['--seed', str(runner.seed())]
    return subprocess.run(program + options + found + [str(seeds)]).returncode


if __name__ == '__main__':
    sys.exit(main())
