#!/usr/bin/env python3
"""Fixes that no command needs memory for the data of its files: on files of many MiB, sparse where they are huge, with one large
variable, large records, or very many small records, each has at most 64 MiB resident at any time. The commands are those of
`parcdf help --list`; a new one needs a row in CALLS.
usage: every_memory_test.py PARCDF [--mib N] [--on "MPIEXEC -n 2"]    N: size of the files, default 96"""
import argparse, os, subprocess, sys, tempfile
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build
import runner

MIB = 1 << 20
MOST = 64  # MiB resident
ENOUGH = 6 * MIB  # of a text that would be as long as the data

# How each command is called; IN and OTHER are such files, OUT goes to memory, too. None: it reads no data.
CALLS = {
    'bench': [], 'hints': [], 'report': [], 'restart': [],
    'calc': [['z = a * 2', 'IN', 'OUT'], ['--all', 'z = 1', 'IN', 'OUT']],
    'check': [['IN']],
    'copy': [['IN', 'OUT']],
    'diff': [['IN', 'OTHER']],
    'dump': [['IN'], ['--json', 'IN'], ['-h', 'IN']],
    'gen': [['-o', 'OUT', 'CDL']],
    'info': [['IN'], ['-r', 'IN']],
    'join': [['--new', 'm', 'IN', 'OTHER', 'OUT']],
    'offsets': [['IN'], ['-r', 'IN']],
    'reduce': [['mean', 'x', 'IN', 'OUT']],
    'refs': [['-o', 'OUT', 'IN'], ['-c', '1', '-i', '4096', 'IN']],
    'repair': [['IN']],
    'stats': [['IN']],
    'watch': [['--once', '--from', 'last', 'IN']],
}


def shapes(mib):
    """(name, a file of so many MiB without its data)"""
    n = mib * MIB
    yield 'variable', Build(5, dims=[('y', mib), ('x', MIB // 4)], vars=[('a', 5, ['y', 'x'], []), ('b', 3, [], [])], data=False)
    yield 'records', Build(5, numrecs=mib // 16, dims=[('t', 0), ('x', 2 * MIB - 3)],
                           vars=[('a', 6, ['t', 'x'], []), ('time', 6, ['t'], [])], data=False)
    yield 'rows', Build(5, numrecs=min(n // 64, 100000), dims=[('t', 0), ('x', 13)],
                        vars=[('a', 4, ['t', 'x'], []), ('b', 6, ['t'], []), ('s', 3, ['t'], [])], data=False)


def write(path, b):
    """Holes are no data to some commands, so there are none where the file is not huge."""
    block = bytes(range(1, 251)) * 4096
    with open(path, 'wb') as f:
        f.write(b.bytes)
        while b.end <= 512 * MIB and f.tell() < b.end:
            f.write(block[:b.end - f.tell()])
        f.truncate(b.end)


def write_cdl(path, mib):
    """A text of that size, data for the most part."""
    line = '  ' + ', '.join(str(i * 7919 % 100000) for i in range(2000)) + ',\n'
    n = mib * MIB // len(line)
    with open(path, 'w') as f:
        f.write('netcdf big {\ndimensions: x = %d ;\nvariables: int a(x) ;\ndata: a =\n' % (n * 2000 + 1))
        for _ in range(n):
            f.write(line)
        f.write('0 ;\n}\n')


def peak(words):
    """Exit status, resident MiB at most of the process and those it started; its output is read up to a point."""
    p = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    got = 0
    while got < ENOUGH:
        part = p.stdout.read1(MIB)
        if not part:
            break
        got += len(part)
    p.stdout.close()
    _, status, usage = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    return p.returncode, usage.ru_maxrss / 1024


def names(parcdf):
    rows = subprocess.run([parcdf, 'help', '--list'], capture_output=True, text=True, timeout=60, check=True).stdout
    return [row.split('\t')[1] for row in rows.splitlines() if row.startswith('command\t')]


def main():
    p = argparse.ArgumentParser()
    p.add_argument('parcdf')
    p.add_argument('--mib', type=int, default=96)
    p.add_argument('--on', default='')
    o = p.parse_args()
    bad = ['%s: a command without a row in this test' % n for n in names(o.parcdf) if n not in CALLS]
    fast = runner.MEMORY
    with tempfile.TemporaryDirectory(dir=fast) as folder:
        path = lambda name: os.path.join(folder, name)
        write_cdl(path('big.cdl'), max(8, o.mib // 16))
        for shape, b in shapes(o.mib):
            for name in ('in.nc', 'other.nc'):
                write(path(name), b)
            for name in names(o.parcdf):
                for call in CALLS.get(name, []):
                    if 'CDL' in call and shape != 'variable':
                        continue
                    files = {'IN': path('in.nc'), 'OTHER': path('other.nc'), 'OUT': path('out'), 'CDL': path('big.cdl')}
                    status, mib = peak(o.on.split() + [o.parcdf, name] + [files.get(word, word) for word in call])
                    print('%-9s %-30s %4d  %6.1f MiB' % (shape, name + ' ' + ' '.join(call), status, mib), flush=True)
                    if mib > MOST:
                        bad.append('%s: %s %s: %.0f MiB resident, more than %d' % (shape, name, ' '.join(call), mib, MOST))
                    if status not in (0, -13) and not (o.on and 'dump' in name):  # -13: its reader went away
                        bad.append('%s: %s %s: exit status %d' % (shape, name, ' '.join(call), status))
                    if os.path.exists(path('out')):
                        os.unlink(path('out'))
    print('\n'.join(bad) or 'no more than %d MiB' % MOST)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
