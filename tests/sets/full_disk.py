#!/usr/bin/python3
"""set_full on a small file system of its own, in memory or (ext4, which wants root) in a file of 4 MiB, so that the disk is
full at each write; skipped (77) where it can't be mounted.

  full_disk.py MPIEXEC SET_FULL PARCDF FOLDER [tmpfs|ext4]
"""
import os, shlex, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
import runner

MPIEXEC, PROGRAM, PARCDF, FOLDER = sys.argv[1:5]
KIND = sys.argv[5] if len(sys.argv) > 5 else 'tmpfs'
TMPFS = 'mount -t tmpfs -o size=512k,nr_inodes=120 none "$0" && exec "$@"'
EXT4 = 'mount -o loop "$0/image" "$0/at" && cd "$0/at" && exec "$@"'

with tempfile.TemporaryDirectory(dir=FOLDER, prefix='full_disk_') as top:
    shell, at = ['unshare', '-rm', 'sh', '-c', TMPFS, top], top
    if KIND == 'ext4':
        shell, at = ['unshare', '-m', 'sh', '-c', EXT4, top], top + '/at'
        os.mkdir(at)
        made = runner.run('mkfs.ext4', '-q', '-b', '1024', '-N', '128', top + '/image', '4M')
        if os.geteuid() != 0 or made[0]:
            print('skipped: no ext4 can be made here:', made[1])
            sys.exit(77)
    status, said = runner.run(*shell, 'true')
    if status:
        print('skipped: a small file system of its own cannot be mounted here:', said)
        sys.exit(77)
    status, said = runner.run(*shell, *shlex.split(MPIEXEC), '-n', '2', PROGRAM, 'disk', PARCDF, at)
    print(said)
sys.exit(status)
