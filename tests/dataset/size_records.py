#!/usr/bin/python3
"""Fixes that a file of hint pcdf_streaming has only whole records, at whatever instant somebody looks or the job is killed,
that its header is never written again, and that a job can go on with such a file: size_records.c writes it, on several
ranks of different speeds, while this program reads it all the time.

  size_records.py --program size_records --mpiexec CMD --dir DIR [--rounds N]
"""
import argparse, os, random, shlex, signal, struct, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
import runner
import cdf

X = 12
SHAPES = [([(1, X - 1)], 0), ([(1, X), (3, 1)], 1), ([(4, X), (6, 1), (1, X - 1)], 1), ([(4, 1), (6, X)], 0)]
LETTERS, SIZES = {1: 'b', 3: 'h', 4: 'i', 6: 'd'}, {1: 1, 3: 2, 4: 4, 6: 8}


class Watched:
    def __init__(self, path, shape):
        self.path, self.shape, self.good, self.header, self.seen = path, SHAPES[shape], 0, None, []

    def look(self):
        """Checks all records that came since the last look; false: there is no header yet."""
        try:
            with open(self.path, 'rb') as f:
                data = f.read(os.fstat(f.fileno()).st_size)
        except FileNotFoundError:
            return False
        if len(data) < 100 or data[:3] != b'CDF':
            return False
        f = cdf.File(self.path, zero_missing=True)
        if not f.vars or not f.records:
            return False
        assert f.streaming, 'the header counts records'
        begin, self.header = f.records[0].begin, self.header or data[:f.header_size]
        assert data[:f.header_size] == self.header, 'the header changed'
        last = max(v.begin + v.slab for v in f.records)
        n = 1 + (len(data) - last) // f.recsize if len(data) >= last else 0
        assert n >= self.good, 'records went away: %d, then %d' % (self.good, n)
        for r in range(self.good, n):
            for v, (var, (kind, length)) in enumerate(zip(f.records, self.shape[0])):
                at = var.begin + r * f.recsize
                want = struct.pack('>%d%s' % (length, LETTERS[kind]), *[(31 * r + 7 * i + 13 * v) % 100 + 1 for i in range(length)])
                assert data[at:at + len(want)] == want, 'record %d of %d, variable %d, is not whole' % (r, n, v)
        self.good = n
        self.seen.append(n)
        return True


def header_puts(a, folder):
    """Puts of a traced job that begin in the header, by the logs of both ranks: there is one, the first."""
    log, path, found = os.path.join(folder, 'log'), os.path.join(folder, 'traced.nc'), []
    subprocess.run(shlex.split(a.mpiexec) + ['-n', '2', a.program, path, 'create', '5', '2', '9', '1', 'wait'], check=True,
                   env=dict(os.environ, **runner.MPI, PNETCDF_HINTS='pcdf_trace=' + log), stdout=subprocess.DEVNULL, timeout=60)
    header = cdf.File(path, zero_missing=True).header_size
    for rank in 0, 1:
        words = [line.split() for line in open('%s.%d' % (log, rank))]
        found += [w for w in words if w[0].startswith('put') and w[1] != '0' and int(w[2]) < header]
    return found


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--program', required=True)
    p.add_argument('--mpiexec', required=True)
    p.add_argument('--dir', default='.')
    p.add_argument('--rounds', type=int, default=8)
    p.add_argument('--most', type=int, default=4, help='ranks')
    a = p.parse_args()
    seed = int(os.environ.get('SEED', random.randrange(2 ** 32)))
    r, kills, looks = random.Random(seed), 0, 0
    with tempfile.TemporaryDirectory(dir=a.dir) as folder:
        for round in range(a.rounds):
            shape, version, ranks = round % len(SHAPES), r.choice([1, 2, 5]), r.randint(1, a.most)
            path, form = os.path.join(folder, 'f%d.nc' % round), r.choice(['wait', 'wait', 'vara'])
            at_once, hints = r.choice([1, 1, 3]) if form == 'wait' else 1, r.choice(['', '', 'pcdf_defer=1000', 'pcdf_async=4M',
                                                                                  'pcdf_commit=record', 'pcdf_debug_strategy=two-phase'])
            what = 'seed %d round %d: CDF-%d, shape %d, %d ranks, %s, %d at once, %s' % (
                seed, round, version, shape, ranks, form, at_once, hints)
            w, how, target = Watched(path, shape), 'create', 60 + round
            try:
                while True:
                    job = subprocess.Popen(shlex.split(a.mpiexec) + ['-n', str(ranks), a.program, path, how, str(version),
                                                                     str(shape), str(target), str(at_once), form],
                                           env=dict(os.environ, **runner.MPI, PNETCDF_HINTS=hints), stdin=subprocess.DEVNULL,
                                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
                    limit = r.choice([10, 25, 40]) if how == 'create' and round % 2 else target + 1
                    while job.poll() is None:
                        there = w.look()
                        if there and w.good >= limit:
                            os.killpg(job.pid, signal.SIGKILL)
                            kills += 1
                            break
                    out = job.communicate(timeout=60)[0]
                    time.sleep(0.05 if limit < target else 0)
                    w.look()
                    if limit > target or job.returncode >= 0:
                        assert job.returncode == 0, out
                        assert 'streaming true' in out, out
                        if how == 'append':
                            break
                    how, target = 'append', target + 5
                assert w.good == target, '%d of %d records' % (w.good, target)
            except (AssertionError, subprocess.TimeoutExpired) as e:
                sys.exit('%s: %s' % (what, e))
            looks += len(w.seen)
        puts = header_puts(a, folder)
        if len(puts) != 1:
            sys.exit('puts in the header: %s' % puts)
    print('%d rounds, %d kills, %d looks' % (a.rounds, kills, looks))


main()
