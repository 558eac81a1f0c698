#!/usr/bin/python3
"""Fixes that a job that is killed before its first sync, under hint pcdf_atomic_create, leaves the old file byte for byte,
and that the next create with the hint removes what the job left.

  atomic_kill.py --program atomic_create --mpiexec CMD --dir DIR [--ranks N]
"""
import argparse, os, shlex, subprocess, sys, tempfile

MPI = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'OMPI_MCA_mpi_yield_when_idle': '1',
       'OMPI_MCA_rmaps_base_oversubscribe': '1'}


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--program', required=True)
    p.add_argument('--mpiexec', required=True)
    p.add_argument('--dir', default='.')
    p.add_argument('--ranks', default='2')
    a = p.parse_args()
    bad = []

    def run(path, what):
        command = shlex.split(a.mpiexec) + ['-n', a.ranks, a.program, path, what]
        return subprocess.run(command, env=dict(os.environ, **MPI), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors='replace', timeout=60)

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
            check(sorted(os.listdir(folder)) == ['.state.nc.parcdf-new', 'state.nc'],
                  '%s: the folder has %s' % (how, sorted(os.listdir(folder))))
        again = run(path, '3')
        check(again.returncode == 0, 'made again: ' + again.stdout)
        check(os.listdir(folder) == ['state.nc'], 'made again: the folder has %s' % sorted(os.listdir(folder)))
    for sentence in bad:
        print(sentence)
    print('atomic_kill: %d differences' % len(bad))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
