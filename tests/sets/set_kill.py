#!/usr/bin/python3
"""Fixes that a job which writes checkpoints of three files on three communicators, and is killed at a random instant, leaves
a set of which the newest complete generation is one step, whole, and at least the last one that a rank saw committed; and
that the next job, on any number of ranks, goes on from there. By parcdf_set_begin, and by hints alone.

  set_kill.py --program set_job --mpiexec CMD --dir DIR [--kills N] [--ranks N] [--seed N]
"""
import argparse, os, random, shlex, signal, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
import runner


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--program', required=True)
    p.add_argument('--mpiexec', required=True)
    p.add_argument('--dir', default='.')
    p.add_argument('--ranks', type=int, default=4)
    p.add_argument('--kills', type=int, default=12)
    p.add_argument('--seed', type=int, default=int.from_bytes(os.urandom(4), 'big'))
    p.add_argument('--keep', type=int, default=3)
    a = p.parse_args()
    chance = random.Random(a.seed)
    bad, alive, committed = [], 0, 0

    def start(ranks, *words, hints=''):
        env = dict(os.environ, **runner.MPI)
        env['PNETCDF_HINTS'] = hints
        return subprocess.Popen(shlex.split(a.mpiexec) + ['-n', str(ranks), a.program, *words], env=env, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors='replace')

    def lines(path):
        return open(path).read().split('\n')[:-1] if os.path.exists(path) else []

    def wait_until(is_so, job):
        until = time.time() + 30
        while not is_so() and job.poll() is None and time.time() < until:
            time.sleep(0.002)

    def kill(folder, job, after, steps):
        """All ranks, which wrote their numbers, `after` seconds from when the last of them did, and `steps` are committed."""
        wait_until(lambda: len(lines(folder + '/pids')) >= a.ranks, job)
        wait_until(lambda: len(lines(folder + '/seen')) >= steps, job)
        pids = lines(folder + '/pids')
        time.sleep(after)
        running = job.poll() is None
        for pid in pids if running else []:
            try:
                os.kill(int(pid), signal.SIGKILL)
            except ProcessLookupError:
                pass
        return running

    with tempfile.TemporaryDirectory(dir=a.dir, prefix='set_kill_') as top:
        step = {}
        for k in range(a.kills):
            how = 'hints' if k % 4 == 3 else 'write'
            folder = '%s/%s' % (top, how)
            os.makedirs(folder, exist_ok=True)
            if os.path.exists(folder + '/pids'):
                os.unlink(folder + '/pids')
            before = len(lines(folder + '/seen'))
            hints = 'pcdf_set=keep=%d' % a.keep
            if how == 'hints':
                hints = 'pcdf_set=%s/ckpt keep=%d files=3 step=name match=*.nc job=job%d' % (folder, a.keep, k)
            job = start(a.ranks, folder, how, str(step.get(how, 0)), '100000', hints=hints)
            # A third of the jobs are killed after a step, however slow this machine is (MPICH's ranks spin).
            steps = before + 1 if k % 3 == 1 else 0
            alive += kill(folder, job, chance.choice((0.02, 0.2, 0.5)) * chance.random(), steps)
            out = job.communicate(timeout=60)[0]
            seen = [int(s) for s in lines(folder + '/seen')]
            least = seen[-1] if seen else -1
            check = start(chance.randint(1, 3), folder, 'check', str(least))
            said = check.communicate(timeout=60)[0]
            newest = [int(line.split()[1]) for line in said.split('\n') if line.startswith('newest ')]
            if check.returncode or len(newest) != 1:
                bad.append('kill %d (%s), committed %d: %s\nthe job said: %s' % (k, how, least, said, out[-1500:]))
            step[how] = max(newest + [least]) + 1
            committed = sum(len(lines('%s/%s/seen' % (top, h))) for h in ('write', 'hints'))
        # a last job that is not killed tidies up
        for how in ('write', 'hints'):
            folder = '%s/%s' % (top, how)
            if not os.path.isdir(folder):
                continue
            hints = 'pcdf_set=keep=%d' % a.keep
            if how == 'hints':
                hints = 'pcdf_set=%s/ckpt keep=%d files=3 step=name match=*.nc job=last' % (folder, a.keep)
            job = start(2, folder, how, str(step.get(how, 0)), '2', hints=hints)
            out = job.communicate(timeout=60)[0]
            left = sorted(n for n in os.listdir(folder) if n.endswith(('-parts', '-removed', '-newset', '-link')))
            sets = [n for n in os.listdir(folder) if n.endswith('.parcdf-set')]
            if job.returncode or left or len(sets) > a.keep:
                bad.append('the last job (%s): %s%s; it leaves %s, %s' % (how, job.returncode, out, left, sets))
    for sentence in bad:
        print(sentence)
    print('set_kill: seed %d, %d kills of %d jobs, %d steps committed, %d differences' % (a.seed, alive, a.kills, committed, len(bad)))
    return 1 if bad or alive == 0 or committed == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
