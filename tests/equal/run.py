#!/usr/bin/python3
"""Runs equal_cases of the peer (Debian's libpnetcdf, Open MPI) and ours on N ranks and compares the files they leave.

  run.py --ours PROG --peer PROG [--mpiexec-ours CMD] [--mpiexec-peer CMD] [--ranks 1,2,4] [--case NAME] [--keep]

CMD is a command line to which "-n N PROG DIR" is added. Files must be byte-equal, with two exceptions. Bytes that belong to
nothing (alignment gaps, padding of records), where the peer leaves what its MPI-IO had in memory: there ours must hold
zeros; in the cases whose data was moved by a redef ("free") ours may hold old data there. And the end of the data that
nobody wrote: the peer's file may end before it, ours goes on to it with zeros. Exit 0 equal, 1 different, 77 no peer.
"""
import argparse, os, shlex, shutil, subprocess, sys, tempfile
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
sys.dont_write_bytecode = True
import cdf, runner


def run(mpiexec, ranks, program, directory, case):
    os.makedirs(directory)
    command = shlex.split(mpiexec) + ['-n', str(ranks), program, directory] + ([case] if case else [])
    env = dict(os.environ, **runner.MPI)
    for name in ('PNETCDF_HINTS', 'PNETCDF_SAFE_MODE'):
        env.pop(name, None)
    done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, timeout=300)
    return [] if done.returncode == 0 else ['%s on %d ranks: exit status %d' % (program, ranks, done.returncode)]


def owned(f):
    """(offset, length) of every byte that the header gives a meaning, the header first."""
    yield 0, f.header_size
    for v in f.vars:
        if not v.is_record:
            yield v.begin, v.slab
    for record in range(f.numrecs):
        for v in f.records:
            yield v.begin + record * f.recsize, v.slab


def end(f):
    """Where the last byte that the header names ends."""
    ends = [v.begin + v.slab for v in f.vars if not v.is_record]
    ends += [v.begin + (f.numrecs - 1) * f.recsize + v.slab for v in f.records if f.numrecs]
    return max(ends, default=f.header_size)


def tail(ours, peer, size):
    """One sentence unless ours is as long as the peer's, or has, behind the peer's end, zeros to the end of the data."""
    mine = os.path.getsize(ours)
    if mine <= size:
        return None  # a shorter one differs, byte by byte
    if mine != end(cdf.File(ours, zero_missing=True)):
        return 'sizes %d and %d (peer), and the data ends at %d' % (mine, size, end(cdf.File(ours, zero_missing=True)))
    with open(ours, 'rb') as f:
        at = size
        while at < mine:
            try:
                at = max(at, os.lseek(f.fileno(), at, os.SEEK_DATA))  # holes hold zeros
            except OSError:
                break
            f.seek(at)
            piece = f.read(1 << 20)
            if piece.strip(b'\0'):
                return 'byte %d, behind the end of the peer\'s file, is not zero' % (at + len(piece) - len(piece.lstrip(b'\0')))
            at += len(piece)
    return None


def first(a, b):
    return next((i for i in range(min(len(a), len(b))) if a[i] != b[i]), min(len(a), len(b)))


def where(path, offset):
    try:
        f = cdf.File(path, zero_missing=True)
    except (cdf.CdfError, ValueError) as e:
        return 'a file that cdf.py refuses: %s' % e
    if offset < f.header_size:
        return 'the header (%d bytes)' % f.header_size
    for v in f.vars:
        if not v.is_record and v.begin <= offset < v.begin + v.slab:
            return 'variable %s, byte %d' % (v.name, offset - v.begin)
        if v.is_record and offset >= v.begin and (offset - v.begin) % f.recsize < v.slab:
            return 'variable %s, record %d' % (v.name, (offset - v.begin) // f.recsize)
    return 'a gap'


def compare(name, gaps, ours, peer, notes):
    """One sentence when the files differ, else None."""
    have = [os.path.exists(p) for p in (ours, peer)]
    if have != [True, True]:
        return None if have == [False, False] else 'only %s left a file' % ('ours' if have[0] else 'the peer')
    b = open(peer, 'rb').read()
    said = tail(ours, peer, len(b))
    if said:
        return said
    a = open(ours, 'rb').read(len(b))
    if a == b:
        return None
    at = first(a, b)
    if where(peer, at) == 'a gap' and len(a) == len(b):
        f = cdf.File(peer, zero_missing=True)
        kept, mine = bytearray(b), bytearray(a)  # what nothing owns is blanked in both
        owns = bytearray(len(b))
        for o, n in owned(f):
            owns[o:o + n] = b'\1' * len(owns[o:o + n])
        for i in [i for i, owner in enumerate(owns) if not owner and a[i] != b[i]]:
            if gaps == 'free' or a[i] == 0:
                kept[i] = mine[i] = 0
        if kept == mine:
            notes.append(name)
            return None
        at = first(mine, kept)
    return 'sizes %d and %d (peer); first difference at byte %d (%s and %s), in %s' % (
        len(a), len(b), at, a[at:at + 4].hex() or 'end', b[at:at + 4].hex() or 'end', where(peer, at))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--ours', required=True)
    p.add_argument('--peer', required=True)
    p.add_argument('--mpiexec-ours', default='mpiexec.openmpi')
    p.add_argument('--mpiexec-peer', default='mpiexec.openmpi')
    p.add_argument('--ranks', default='1,2,4')
    p.add_argument('--case')
    p.add_argument('--keep', action='store_true')
    a = p.parse_args()
    if not os.access(a.peer, os.X_OK):
        print('skipped: %s is not there (libpnetcdf with Open MPI was not found)' % a.peer)
        return 77
    listed = subprocess.run(shlex.split(a.mpiexec_peer) + ['-n', '1', a.peer, '--list'], check=True, text=True,
                            stdout=subprocess.PIPE, env=dict(os.environ, **runner.MPI)).stdout
    cases = [line.split() for line in listed.splitlines() if len(line.split()) == 2]
    if a.case:
        cases = [c for c in cases if c[0] == a.case or c[0].rsplit('.', 1)[0] == a.case]
    top, bad, notes, seen = tempfile.mkdtemp(prefix='equal_'), [], [], 0
    for n in [int(x) for x in a.ranks.split(',')]:
        ours, peer = (os.path.join(top, '%s%d' % (who, n)) for who in ('ours', 'peer'))
        bad += run(a.mpiexec_peer, n, a.peer, peer, a.case) + run(a.mpiexec_ours, n, a.ours, ours, a.case)
        for name, gaps in cases:
            seen += 1
            said = compare(name, gaps, *(os.path.join(d, name + '.nc') for d in (ours, peer)), notes)
            if said:
                bad.append('%s on %d ranks: %s' % (name, n, said))
        if set(os.listdir(ours)) != set(os.listdir(peer)):
            bad.append('on %d ranks: names left differ: %s' % (n, set(os.listdir(ours)) ^ set(os.listdir(peer))))
    for sentence in bad:
        print(sentence)
    if notes:
        print('equal but for gaps that nothing owns: %s' % ', '.join(sorted(set(notes))))
    print('%d files of %d cases compared, %d differences' % (seen, len(cases), len(bad)))
    if a.keep or (bad and a.case):
        print('kept: %s' % top)
    else:
        shutil.rmtree(top)
    return 1 if bad or not cases else 0


if __name__ == '__main__':
    sys.exit(main())
