#!/usr/bin/env python3
"""Fixes that `parcdf check` agrees with PnetCDF's ncvalidator on what is good and what is bad, on files that ncgen
makes and on files broken in one place; where they differ on purpose the row says why. ncvalidator 1.12.3 crashes or
hangs on some kinds of bad files; those are in check_test.py alone.
usage: crosscheck_test.py PARCDF (77 where ncvalidator is not installed)"""
import os, shutil, subprocess, sys, tempfile
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build
from check_test import FOR_READING, REFUSED, TOLERATED

# Kinds on which the two differ on purpose, and why ours is the other.
STRICTER_HERE = {
    'begin beyond CDF-1': 'begin is a signed number there',
    'negative numrecs': 'NON_NEG', 'negative dimension': 'NON_NEG',
    'a record longer than the record size': 'records would overlap',
    'lost records': 'numrecs promises data that the file cannot hold',
}
MILDER_HERE = {
    'variables in another order': 'good for reading',
    'records before fixed variables': 'good for reading',
    'padding of a dimension name': 'scipy and others write such files; they read well, so: a warning',
    'padding of a variable name': 'the same', 'padding of an attribute': 'the same',
    'gaps': 'the one record is not padded, but the file may be',
    'empty, by ncgen': 'netCDF-C makes such a file 4096 bytes long',
    'bytes after the data': 'a warning', 'records that numrecs does not count': 'a warning',
    'data, but no variable': 'a warning',
    'STREAMING in CDF-5': 'the specification has it',
}
CDL = '''netcdf t { dimensions: t = UNLIMITED; x = 3; variables: byte b(x); short s(t, x); double d(t); s:a = 1s, 2s, 3s;
:title = "x"; data: b = 1, 2, 3; s = 1,2,3, 4,5,6; d = 1, 2; }'''
ONE = '''netcdf t { dimensions: t = UNLIMITED; x = 3; variables: byte b(t, x); data: b = 1,2,3, 4,5,6; }'''

EMPTY = 'netcdf e { }'


def files(folder):
    """(what, path)"""
    def write(name, data):
        path = os.path.join(folder, name)
        with open(path, 'wb') as f:
            f.write(data)
        return path
    for i, (cdl, kind) in enumerate((c, k) for c in (CDL, ONE, EMPTY) for k in ('nc3', 'nc6', 'cdf5')):
        path = os.path.join(folder, 'ncgen%d.nc' % i)
        if shutil.which('ncgen'):
            subprocess.run(['ncgen', '-k', kind, '-o', path], input=cdl.encode(), check=True)
            yield 'empty, by ncgen' if i > 5 else 'ncgen', path
    for i, row in enumerate(REFUSED + TOLERATED + FOR_READING):
        yield row[0], write('%d.nc' % i, row[1].bytes)
    for version in (1, 2, 5):
        b = Build(version, numrecs=2, dims=[('t', 0)], vars=[('r', 4, ['t'], [])], put={'numrecs': 1000})
        yield 'lost records', write('lost%d.nc' % version, b.bytes)


def good(*command):
    p = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=30)
    return p.returncode == 0


def main():
    parcdf, bad, n = os.path.abspath(sys.argv[1]), 0, 0
    if not shutil.which('ncvalidator'):
        print('skipped: ncvalidator is not installed')
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for what, path in files(folder):
            n += 1
            ours, theirs = good(parcdf, 'check', '-q', path), good('ncvalidator', '-q', path)
            if ours == theirs or what in (STRICTER_HERE if theirs else MILDER_HERE):
                continue
            bad += 1
            print('%s: %s here, %s by ncvalidator' % (what, 'good' if ours else 'bad', 'good' if theirs else 'bad'))
    print('crosscheck: %d files, %d verdicts that differ without a reason' % (n, bad))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
