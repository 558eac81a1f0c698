#!/usr/bin/python3
"""Fixes what `parcdf restart` says of sets that a job wrote: the newest generation that is complete, why newer ones are not,
the paths of its files; that --restore gives it the names again, and --finish takes away what a job left.

  restart_test.py PARCDF SET_JOB MPIEXEC FOLDER RANKS
"""
import json, os, shlex, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
import runner

PARCDF, JOB, MPIEXEC, TOP, RANKS = sys.argv[1:6]
bad = []


def expect(what, got, want):
    if got != want:
        bad.append('%s: %r, not %r' % (what, got, want))


def restart(*words, ranks=0):
    launch = shlex.split(MPIEXEC) + ['-n', str(ranks)] if ranks else []
    r = subprocess.run(launch + [PARCDF, 'restart', *words], env=dict(os.environ, **runner.MPI), capture_output=True, text=True,
                       timeout=60)
    return r.returncode, r.stdout, r.stderr


def told(*words, ranks=0):
    code, out, err = restart('--json', *words, ranks=ranks)
    return code, json.loads(out)[0] if out else err


def member(folder, name, key):
    return '%s/.%s.nc.%s.parcdf-member' % (folder, name, key)


def key_of(folder, number):
    return json.load(open('%s/ckpt.%06d.parcdf-set' % (folder, number)))['key']


def damage(path):
    with open(path, 'r+b') as f:
        f.seek(3000)
        byte = f.read(1)[0]
        f.seek(3000)
        f.write(bytes([byte ^ 64]))


with tempfile.TemporaryDirectory(dir=TOP, prefix='restart_') as d:
    d = os.path.realpath(d)
    expect('a folder without sets', restart(d)[0], 1)
    expect('no such folder', restart(d + '/none/ckpt')[0], 2)
    env = dict(os.environ, PNETCDF_HINTS='pcdf_set=keep=4', **runner.MPI)
    subprocess.run(shlex.split(MPIEXEC) + ['-n', RANKS, JOB, d, 'write', '0', '4'], env=env, check=True, timeout=120)
    files = ['%s/%s.nc' % (d, name) for name in ('all', 'even', 'odd')]
    keys = [None] + [key_of(d, g) for g in (1, 2, 3, 4)]
    code, said = told(d)
    expect('the status', code, 0)
    expect('the generation', (said['newest']['generation'], said['newest']['step'], said['newest']['verified']), (4, '000003', True))
    expect('names', [f['path'] for f in said['newest']['files']], files)
    expect('--files', restart('--files', d)[1].split('\n')[:-1], files)
    expect('a list', len(restart('--list', d)[1].splitlines()), 4)

    damage(member(d, 'even', keys[4]))
    for ranks in (0, int(RANKS)):
        code, said = told(d, ranks=ranks)
        expect('after damage, %d ranks' % ranks, (code, said['newest']['generation'], [n['generation'] for n in said['newer']]), (0, 3, [4]))
        if 'has the checksum' not in said['newer'][0]['why'] or 'even.nc' not in said['newer'][0]['why']:
            bad.append('damage: ' + said['newer'][0]['why'])
    expect('sizes alone', told('--quick', d)[1]['newest']['generation'], 4)
    expect('the damaged one', restart('--generation', '4', d)[0], 1)
    os.truncate(member(d, 'all', keys[3]), 1000)
    os.unlink(member(d, 'odd', keys[2]))
    code, said = told(d + '/ckpt')
    expect('cut, and gone', (code, said['newest']['generation'], [n['generation'] for n in said['newer']]), (0, 1, [4, 3, 2]))
    expect('the member', [f['path'] for f in said['newest']['files']], [member(d, n, keys[1]) for n in ('all', 'even', 'odd')])
    expect('restored', restart('--restore', d)[0], 0)
    expect('their names', [os.stat(f).st_ino for f in files], [os.stat(member(d, n, keys[1])).st_ino for n in ('all', 'even', 'odd')])

    left = d + '/.ckpt.0123456789abcdef.parcdf-parts'  # of a job that never noted who it is
    os.mkdir(left)
    os.utime(left, (1, 1))
    expect('in the making', len(told('--quick', d)[1]['making']), 1)
    expect('finish', (restart('--finish', d)[0], os.path.exists(left)), (0, False))
    with open(d + '/ckpt.000001.parcdf-set', 'r+b') as f:
        f.write(b'?')
    code, said = told(d)
    expect('none', (code, said['newest'], len(said['newer'])), (1, None, 4))
for sentence in bad:
    print(sentence)
print('restart: %d wrong' % len(bad))
sys.exit(1 if bad else 0)
