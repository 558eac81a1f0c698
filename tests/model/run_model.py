#!/usr/bin/python3
"""Runs the model test and shrinks what fails.

  run_model.py --program PROG --mpiexec CMD [--ranks 1,2] [--seeds 1,2,today] [--ops N] [--least N] [--dir DIR]

"today" is the day's seed, or PARCDF_SEED; every seed is printed. A failing program is cut (first to the operation that
failed, then by leaving out ever smaller runs of operations while it still fails) and printed as a list of operations,
with the command that repeats it. Exit 0 good, 1 bad, also when fewer than --least operations found something to do.
"""
import argparse, os, re, shlex, sys, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
import runner

TRIALS, SECONDS = 80, 60  # that shrinking may take


def run(a, ranks, seed, ops, skip=(), more=()):
    """(exit status, output, command); a hang is a failure like any other."""
    command = shlex.split(a.mpiexec) + ['-n', str(ranks), a.program, '--seed', str(seed), '--ops', str(ops),
                                        '--dir', a.dir] + (['--deferred'] if a.deferred else []) + list(more)
    if skip:
        command += ['--skip', spans(skip)]
    return (*runner.run(*command, timeout=a.timeout), command)


def spans(numbers):
    out, numbers = [], sorted(numbers)
    for n in numbers:
        if out and out[-1][1] == n - 1:
            out[-1][1] = n
        else:
            out.append([n, n])
    return ','.join('%d-%d' % (a, b) if b > a else str(a) for a, b in out)


def shrink(a, ranks, seed, ops, text):
    """The operations that may be left out while it still fails, and the number of operations."""
    found = re.search(r'operation (\d+)', text)
    if found:
        ops = int(found.group(1)) + 1
    skip, trials, stop = set(), 0, time.time() + SECONDS
    size = max(1, ops // 2)
    while size >= 1:
        for start in range(1, ops - 1, size):
            chunk = set(range(start, min(start + size, ops - 1))) - skip
            if not chunk:
                continue
            if trials >= TRIALS or time.time() > stop:
                return skip, ops
            trials += 1
            if run(a, ranks, seed, ops, skip | chunk)[0]:
                skip |= chunk
        size //= 2
    return skip, ops


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--program', required=True)
    p.add_argument('--mpiexec', required=True)
    p.add_argument('--ranks', default='1,2')
    p.add_argument('--seeds', default='1,2,today')
    p.add_argument('--ops', type=int, default=2000)
    p.add_argument('--least', type=int, default=0)
    p.add_argument('--dir', default='/tmp')
    p.add_argument('--deferred', action='store_true', help='puts wait (hint pcdf_defer), of up to 1 MiB')
    p.add_argument('--timeout', type=float, default=200, help='seconds of one run')
    a = p.parse_args()
    if a.deferred:
        os.environ['PNETCDF_HINTS'] = 'pcdf_defer=1048576'
    bad, total, begun = 0, 0, time.time()
    for ranks in a.ranks.split(','):
        for seed in a.seeds.split(','):
            if seed == 'today':
                seed = str(runner.seed())
            status, text, command = run(a, ranks, seed, a.ops)
            print('\n'.join(line for line in text.splitlines() if status or line.startswith('model:')), flush=True)
            total += sum(int(n) for n in re.findall(r'(\d+) operations:', text))
            if status == 0:
                continue
            bad += 1
            print('failed (status %d); shrinking' % status, flush=True)
            skip, ops = shrink(a, ranks, seed, a.ops, text)
            status, text, command = run(a, ranks, seed, ops, skip, ['--print'])
            command = ['PNETCDF_HINTS=' + os.environ.get('PNETCDF_HINTS', ''), *command]
            print('smallest program that failed (status %d):\n%s\nagain: env %s' % (status, text, shlex.join(command)))
    print('%d operations in %.0f s, at least %d wanted' % (total, time.time() - begun, a.least))
    return 1 if bad or total < a.least else 0


if __name__ == '__main__':
    sys.exit(main())
