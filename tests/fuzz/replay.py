#!/usr/bin/env python3
"""Fixes that no truncation and no single changed byte of 36 valid headers breaks a property of the fuzz target.
usage: replay.py FUZZ_REPLAY (the program built of fuzz_decode.c, fuzz_replay.c and the format layer)"""
import glob, os, subprocess, sys, tempfile
import seeds

with tempfile.TemporaryDirectory() as folder:
    sys.argv, program = [sys.argv[0], folder], sys.argv[1]
    for i, b in enumerate(seeds.headers()):
        with open(os.path.join(folder, 'seed%02d' % i), 'wb') as f:
            f.write(b.bytes[:b.header_size + 16])
    sys.exit(subprocess.run([program] + sorted(glob.glob(os.path.join(folder, 'seed*')))).returncode)
