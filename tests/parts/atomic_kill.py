#!/usr/bin/python3
"""Fixes that a job that is killed before its first sync, under hint pcdf_atomic_create, leaves the old file byte for byte,
and that the next create with the hint removes what the job left, but nothing that may be in use; that jobs which write one
name at once give it one after the other, each a whole file, and never rename a file that is not theirs; and that the new
file has mode, owner and access list of the old one.

  atomic_kill.py --program atomic_create --mpiexec CMD --dir DIR [--ranks N]
"""
import argparse, fcntl, glob, os, shlex, struct, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
import runner


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--program', required=True)
    p.add_argument('--mpiexec', required=True)
    p.add_argument('--dir', default='.')
    p.add_argument('--ranks', default='2')
    a = p.parse_args()
    bad = []

    def start(path, what):
        command = shlex.split(a.mpiexec) + ['-n', a.ranks, a.program, path, what]
        return subprocess.Popen(command, env=dict(os.environ, **runner.MPI), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, errors='replace')

    def end(job):
        out = job.communicate(timeout=60)[0]
        return subprocess.CompletedProcess(job.args, job.returncode, out)

    def run(path, what):
        return end(start(path, what))

    def start_slow(path, what):
        """The job, when it has written all and is about to close, and what lets it go on."""
        before = set(glob.glob(path + '.waits-*'))
        job = start(path, what)
        for _ in range(6000):
            new = set(glob.glob(path + '.waits-*')) - before
            if new or job.poll() is not None:
                break
            time.sleep(0.01)
        check(new, what + ': the job has not come to its close')
        return job, lambda: [os.unlink(name) for name in new]

    def holds(path, value):
        data = open(path, 'rb').read() if os.path.exists(path) else b''
        return data.endswith(struct.pack('>i', value) * 120)

    def unfinished(folder):
        return sorted(glob.glob(os.path.join(folder, '.*.parcdf-new')))

    def check(truth, sentence):
        if not truth:
            bad.append(sentence)

    with tempfile.TemporaryDirectory(dir=a.dir, prefix='atomic_kill_') as folder:
        path = os.path.join(folder, 'state.nc')
        made = run(path, '1')
        check(made.returncode == 0, 'the first file: ' + made.stdout)
        old = open(path, 'rb').read() if os.path.exists(path) else b''
        for how in ('die', 'die-defining'):
            check(run(path, how).returncode != 0, how + ': the job was not killed')
            check(open(path, 'rb').read() == old, how + ': the old file has changed')
            check(len(unfinished(folder)) == 1 and len(os.listdir(folder)) == 2,
                  '%s: the folder has %s' % (how, sorted(os.listdir(folder))))
        with open(unfinished(folder)[0]) as held:
            fcntl.flock(held, fcntl.LOCK_SH)  # as its job does
            check(run(path, '2').returncode == 0 and len(unfinished(folder)) == 1, 'one that is held was removed')
        again = run(path, '3')
        check(again.returncode == 0, 'made again: ' + again.stdout)
        check(os.listdir(folder) == ['state.nc'], 'made again: the folder has %s' % sorted(os.listdir(folder)))

        # two jobs at once: B has begun, and made its file, before A ends
        slow, go = start_slow(path, '10slow')
        other, go_other = start_slow(path, '20slow')
        check(len(unfinished(folder)) == 2, 'two jobs have the files %s' % unfinished(folder))
        check(holds(path, 3), 'the old file has changed')
        go()
        one = end(slow)
        check(one.returncode == 0 and holds(path, 10), 'the first of two jobs: ' + one.stdout)
        third = run(path, '30')
        check(third.returncode == 0 and holds(path, 30), 'a job in between: ' + third.stdout)
        go_other()
        two = end(other)
        check(two.returncode == 0 and holds(path, 20), 'the second of two jobs: ' + two.stdout)

        # somebody takes the file away, or puts another one there
        for replaced in (False, True):
            slow, go = start_slow(path, '40slowlost')
            mine = unfinished(folder)
            for name in mine:
                os.unlink(name)
                if replaced:
                    open(name, 'w').write('not yours')
            go()
            lost = end(slow)
            check(lost.returncode == 0 and holds(path, 20), 'the new file was lost: ' + lost.stdout)
            check(not replaced or [open(n).read() for n in mine if os.path.exists(n)] == ['not yours'], 'a file that is not the job\'s was changed')
            for name in unfinished(folder):
                os.unlink(name)

        # mode, owner, access list (user 1234 may read)
        acl = struct.pack('<I', 2) + b''.join(struct.pack('<HHI', *e) for e in (
            (1, 6, 0xffffffff), (2, 4, 1234), (4, 0, 0xffffffff), (16, 4, 0xffffffff), (32, 0, 0xffffffff)))
        os.chmod(path, 0o640)
        try:
            os.setxattr(path, 'system.posix_acl_access', acl)
        except OSError:
            acl = None
        if os.getuid() == 0:
            os.chown(path, 65534, 65534)
        old = os.stat(path)
        slow, go = start_slow(path, '50slow')
        check([os.stat(n).st_mode & 0o777 for n in unfinished(folder)] == [0o600], 'the new file is not private')
        go()
        check(end(slow).returncode == 0 and holds(path, 50), 'over a file with an access list')
        new = os.stat(path)
        check((new.st_mode, new.st_uid, new.st_gid) == (old.st_mode, old.st_uid, old.st_gid), 'old %s, new %s' % (old, new))
        check(acl is None or ('system.posix_acl_access' in os.listxattr(path) and
              os.getxattr(path, 'system.posix_acl_access') == acl), 'the access list is another')

        # what jobs on other machines left: it goes when it is old, and only of this file
        left = (('.state.nc.far-12-00c0ffee-345-1.parcdf-new', 1.5, True), ('.state.nc.far-13-00c0ffee-345-1.parcdf-new', 8, False),
                ('.other.nc.far-13-00c0ffee-345-1.parcdf-new', 8, True), ('.state.nc.mine.parcdf-new', 8, True))
        for name, days, _ in left:
            name = os.path.join(folder, name)
            open(name, 'w').close()
            os.utime(name, (time.time() - days * 86400,) * 2)
        check(run(path, '60').returncode == 0 and holds(path, 60), 'beside what others left')
        for name, _, stays in left:
            check(os.path.exists(os.path.join(folder, name)) == stays, '%s %s' % (name, 'is gone' if stays else 'stays'))
    for sentence in bad:
        print(sentence)
    print('atomic_kill: %d differences' % len(bad))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
