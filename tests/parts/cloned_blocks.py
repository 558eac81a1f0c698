#!/usr/bin/python3
"""Runs cloned_blocks on file systems that clone, XFS and Btrfs, in images that it mounts: what the program's own ioctl does
by copying, they do; and the blocks are shared, as FIEMAP tells. Skipped where nobody may mount.

  cloned_blocks.py --program cloned_blocks --mpiexec CMD --dir DIR [--ranks N,N]
"""
import argparse, os, shlex, shutil, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
import runner

KINDS = {'xfs': ('mkfs.xfs', '-q', '-m', 'reflink=1'), 'btrfs': ('mkfs.btrfs', '-q')}


def play(a, folder, kind, make):
    """None, or why it cannot be tried here."""
    image, point = os.path.join(folder, kind + '.img'), os.path.join(folder, kind)
    if not shutil.which(make[0]):
        return make[0] + ' is not here'
    os.mkdir(point)
    with open(image, 'wb') as f:
        f.truncate(512 << 20)
    runner.need(*make, image)
    status, said = runner.run('mount', '-o', 'loop', image, point)
    if status:
        return 'mount: ' + said.strip()
    try:
        for ranks in a.ranks.split(','):
            print(kind, ranks, runner.need(*shlex.split(a.mpiexec), '-n', ranks, a.program, point, 'real'))
    finally:
        runner.need('umount', point)


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--program', required=True)
    p.add_argument('--mpiexec', required=True)
    p.add_argument('--dir', default='.')
    p.add_argument('--ranks', default='2')
    a = p.parse_args()
    if os.geteuid() != 0:
        print('skipped: only root may mount')
        return 77
    with tempfile.TemporaryDirectory(dir=runner.MEMORY or a.dir, prefix='cloned_blocks_') as folder:
        reasons = [play(a, folder, kind, make) for kind, make in KINDS.items()]
    for reason in filter(None, reasons):
        print('skipped:', reason)
    return 77 if all(reasons) else 0


sys.exit(main())
