#!/usr/bin/env python3
"""Fixes how much memory commands that compute and copy need beyond what MPI needs: 64 MiB a rank, or what --memory says, whatever the size and
shape of the file, on one and two ranks.
usage: memory_test.py PARCDF MPIEXEC [--mib N] [--all]    N: of each file, default 192, beyond 512 it is a hole; --all: each call and file on 1
and 2 ranks, otherwise a sample by the day's seed"""
import argparse, os, subprocess, sys, tempfile, time
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build
from every_memory_test import names, write
import runner

MIB = 1 << 20
MOST = 64  # MiB a rank, beyond MPI
# How each command is called on a file `a(t, y, x)`; the second word of a row: how much the options let it take, in MiB.
CALLS = [
    ('reduce mean t IN OUT', MOST), ('reduce mean y,x IN OUT', MOST), ('reduce --each 7 std t IN OUT', MOST), ('reduce median y IN OUT', MOST),
    ('reduce --window 3 max t IN OUT', MOST), ('reduce -w w mean t,y,x IN OUT', MOST), ('reduce --across mean IN IN2 OUT', MOST),
    ('copy IN OUT', MOST), ('copy -d x,3,900,7 -d t,1,,2 IN OUT', MOST), ('copy IN IN2 OUT', MOST),
    ('reduce --memory 16M std t IN OUT', 16), ('reduce --memory 16M median t IN OUT', 16), ('copy --select w=-1e30:1e30 IN OUT', MOST),
    ('copy --keep-first --merge IN IN2 OUT', MOST), ('reduce -v a --masked-by a>3 mean t,y,x IN OUT', MOST),
    ('calc b=a*2+1 IN OUT', MOST), ('calc b=a-shift(a,t,1)+shift(a,x,-3)*w IN OUT', MOST), ('calc --memory 16M b=a:a-b:a IN IN2 OUT', 16),
    ('join --along t IN IN2 OUT', MOST), ('join --keep-first --new m IN IN2 OUT', MOST), ('join --layout x:2 IN IN2 OUT', MOST),
]


def shapes(mib):
    """(name, a file of so many MiB of holes): many records, few large ones, a fixed variable"""
    for name, t, y, x in (('records', mib, 256, 1024), ('large', 4, max(1, mib // 4), 256 * 1024), ('thin', mib * 256, 1, 1024)):
        yield name, Build(5, numrecs=t, dims=[('t', 0), ('y', y), ('x', x)], vars=[('w', 5, ['x'], []), ('a', 5, ['t', 'y', 'x'], [])], data=False)
    yield 'fixed', Build(5, dims=[('t', mib // 4), ('y', 1024), ('x', 1024)], vars=[('w', 5, ['x'], []), ('a', 5, ['t', 'y', 'x'], [])], data=False)


def watch(file, words):
    """As a rank: runs the command and notes the most that it had resident, in KiB."""
    p = subprocess.Popen(words, stdout=subprocess.DEVNULL, close_fds=False)  # a rank of MPICH talks with mpiexec by a descriptor
    _, status, usage = os.wait4(p.pid, 0)
    with open(file, 'a') as f:
        f.write('%d\n' % usage.ru_maxrss)
    return os.waitstatus_to_exitcode(status)


def most_of(o, folder, ranks, words):
    """Exit status, and MiB of the rank that had most."""
    note = os.path.join(folder, 'note')
    done = subprocess.run(o.mpiexec.split() + ['-n', str(ranks), sys.executable, '-B', os.path.abspath(__file__), '--watch', note, o.parcdf] + words,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=300)
    with open(note) as f:
        most = max(int(line) for line in f) / 1024
    os.unlink(note)
    if done.returncode:
        print(done.stderr[-500:])
    return done.returncode, most


def main():
    if sys.argv[1] == '--watch':
        return watch(sys.argv[2], sys.argv[3:])
    p = argparse.ArgumentParser()
    p.add_argument('parcdf')
    p.add_argument('mpiexec')
    p.add_argument('--mib', type=int, default=192)
    p.add_argument('--all', action='store_true')
    o = p.parse_args()
    os.environ.update(runner.MPI)
    known, bad, made = names(o.parcdf), [], None
    with tempfile.TemporaryDirectory(dir=runner.MEMORY) as folder:
        base = most_of(o, folder, 2, ['--version'])[1]
        files = {name: os.path.join(folder, name) for name in ('IN', 'IN2', 'OUT')}
        rows = [(shape, call, most, ranks) for shape in shapes(o.mib) for call, most in CALLS for ranks in (1, 2) if call.split()[0] in known]
        for (shape, b), call, most, ranks in rows if o.all else runner.sample(rows, 12, runner.seed()):
            if made != shape:
                for name in ('IN', 'IN2'):
                    write(files[name], b)
                made = shape
            if call.startswith('copy IN IN2') and shape == 'fixed':
                continue  # nothing to join
            begun = time.monotonic()
            status, mib = most_of(o, folder, ranks, [files.get(w, w) for w in call.split()])
            print('%-8s %-36s on %d: %4d, %6.1f MiB above MPI, %.1f s' % (shape, call, ranks, status, mib - base, time.monotonic() - begun), flush=True)
            if mib - base > most:
                bad.append('%s: %s on %d: %.0f MiB above MPI, more than %d' % (shape, call, ranks, mib - base, most))
            if status != 0:
                bad.append('%s: %s on %d: exit status %d' % (shape, call, ranks, status))
            if os.path.exists(files['OUT']):
                os.unlink(files['OUT'])
    print('\n'.join(bad) or 'no more than promised above the %.0f MiB of a rank that does nothing' % base)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
