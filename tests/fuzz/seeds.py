#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets into a folder: small valid headers of every version, type and shape, and
heads of the hostile kinds. usage: seeds.py FOLDER"""
import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
from cdfbuild import Build

TYPES = {1: range(1, 7), 2: range(1, 7), 5: range(1, 12)}


def headers():
    for version in (1, 2, 5):
        yield Build(version)
        yield Build(version, dims=[('dim', 5)])
        yield Build(version, put={'dims:tag': 10, 'atts:tag': 12, 'vars:tag': 11})
        yield Build(version, dims=[('dim', 5)], vars=[('vx', 3, ['dim'], [])])
        yield Build(version, vars=[('scalar', 6, [], [])])
        yield Build(version, numrecs=3, dims=[('t', 0), ('x', 3)], vars=[('r', 1, ['t', 'x'], [])])
        yield Build(version, put={'numrecs': 2 ** 64 - 1}, numrecs=2, dims=[('t', 0)], vars=[('r', 4, ['t'], [])])
        yield Build(version, atts=[('text', 2, b'hello'), ('none', 4, []), ('odd', 3, [1, 2, 3])])
        yield Build(version, numrecs=2, dims=[('t', 0), ('x', 3), ('y', 2)], align=512, vars=[
            ('v%d' % t, t, ['x', 'y'][:t % 3], [('_FillValue', t, b'f' if t == 2 else [1])]) for t in TYPES[version]] + [
            ('r%d' % t, t, ['t', 'x', 'y'][:1 + t % 3], []) for t in TYPES[version]])
        yield Build(version, dims=[('e\u00e9', 4)], vars=[('name with space', 4, ['e\u00e9'], [('units', 2, b'm')])])
        yield Build(version, dims=[('x', 2 ** 31 - 1)], vars=[('large', 1, ['x'], [])], data=False)
        yield Build(version, dims=[('x', 3)], vars=[('a', 1, ['x'], [])],
                    put={'var:a:vsize': 3, 'var:a:name:pad': b'\1\2\3', 'dim:x:name:pad': b'xyz'})


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for i, b in enumerate(headers()):
        with open(os.path.join(folder, 'seed%02d' % i), 'wb') as f:
            f.write(b.bytes[:2000])


if __name__ == '__main__':
    main()
