#!/usr/bin/env python3
"""What src/storage/extentshift.h says of ext4, shown on this machine's: a power cut between the transactions of an inserted
range, or of one that is taken out, leaves the larger size and one hole as long as the range, with old places below it and new
ones above it. A file system in a file, with a small journal and a file of many extents, makes one call several transactions;
then the journal is cut off before each commit, and replayed by a mount. Skipped where nobody may mount.
usage: extents_test.py FOLDER"""
import ctypes, os, re, shutil, subprocess, sys, tempfile

BLOCK, BLOCKS, AT, RANGE = 1024, 60000, 5, 64
KEEP_PUNCH, COLLAPSE, INSERT = 3, 8, 32  # FALLOC_FL_
libc = ctypes.CDLL(None, use_errno=True)


def sh(command):
    return subprocess.run(command, shell=True, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout


def fallocate(fd, mode, at, length):
    if libc.fallocate64(fd, mode, ctypes.c_int64(at), ctypes.c_int64(length)):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def block(i):
    return (b'%015d\n' % i) * (BLOCK // 16)


class Disk:
    """An image, mounted as long as it is in a `with`."""

    def __init__(self, image):
        self.image, self.point = image, image + '.mnt'
        os.makedirs(self.point, exist_ok=True)

    def __enter__(self):
        sh(f'mount -o loop,commit=300 {self.image} {self.point}')
        self.fd = None
        return self

    def open(self, name):
        self.fd = os.open(f'{self.point}/{name}', os.O_RDWR | os.O_CREAT)
        return self.fd

    def __exit__(self, *unused):
        if self.fd is not None:
            os.close(self.fd)
        sh(f'umount {self.point} || umount -l {self.point}')


def free_blocks(disk):
    st = os.statvfs(disk.point)
    return st.f_bavail * st.f_frsize // BLOCK


def make_fragmented(image):
    """Only every second block of the file system is free when the file is written."""
    sh(f'rm -f {image}; truncate -s 230M {image}; mkfs.ext4 -q -b {BLOCK} -J size=1 -m 0 {image}')
    with Disk(image) as disk:
        fill = os.open(f'{disk.point}/fill', os.O_RDWR | os.O_CREAT)
        fallocate(fill, 0, 0, (free_blocks(disk) - 10000) * BLOCK)
        os.fsync(fill)
        for i in range(0, 2 * BLOCKS, 2):
            fallocate(fill, KEEP_PUNCH, (1000 + i) * BLOCK, BLOCK)
        os.sync()
        rest = os.open(f'{disk.point}/rest', os.O_RDWR | os.O_CREAT)
        fallocate(rest, 0, 0, (free_blocks(disk) - BLOCKS - 4000) * BLOCK)
        fd = disk.open('data')
        for i in range(BLOCKS):
            os.pwrite(fd, block(i)[:BLOCK if i < BLOCKS - 1 else 500], i * BLOCK)
        os.fsync(fd)
        os.ftruncate(rest, 0)
        os.close(fill), os.close(rest)
        os.sync()


def commits(image):
    log = subprocess.run(f'debugfs -R "logdump -a" {image}', shell=True, capture_output=True, text=True).stdout
    return [tuple(map(int, c)) for c in re.findall(r'sequence (\d+), type 2 \(commit block\) at block (\d+)', log)]


def look(disk, size):
    """(state, wrong blocks): old, new, or how many blocks are at their old place."""
    fd = disk.open('data')
    now, at, length = os.fstat(fd).st_size, AT * BLOCK, RANGE * BLOCK
    hole = os.lseek(fd, at, os.SEEK_HOLE)
    if now == size:
        state, below = 'old', BLOCKS
    else:
        assert now == size + length, f'{now} bytes, not {size} or {size + length}'
        end = os.lseek(fd, hole, os.SEEK_DATA)
        assert end - hole == length, f'a hole of {end - hole} bytes, not {length}'
        assert os.lseek(fd, end, os.SEEK_HOLE) == now, 'another hole'
        below = hole // BLOCK
        state = 'new' if hole == at else below
    wrong = 0
    for i in range(BLOCKS):
        want = block(i)[:BLOCK if i < BLOCKS - 1 else 500]
        wrong += os.pread(fd, len(want), (i if i < below else i + RANGE) * BLOCK) != want
    return state, wrong


def states_of(place, image, mode):
    """Makes the call on a copy of the image; returns the states before each commit, and the image afterwards."""
    after, cut = f'{place}/after{mode}', f'{place}/cut'
    shutil.copy(image, after)
    with Disk(after):
        pass  # what the image's journal holds is in its place
    with Disk(after) as disk:
        last = max([c[0] for c in commits(after)] + [0])
        fd = disk.open('data')
        size = os.fstat(fd).st_size - (RANGE * BLOCK if mode == COLLAPSE else 0)
        fallocate(fd, mode, AT * BLOCK, RANGE * BLOCK)
        os.fsync(fd)
        shutil.copy(after, cut + '.whole')
    states = []
    for number, at in [c for c in commits(cut + '.whole') if c[0] > last] + [(0, 0)]:
        shutil.copy(cut + '.whole', cut)
        if number:
            where = int(sh(f'debugfs -R "bmap <8> {at}" {cut} 2>/dev/null'))
            with open(cut, 'r+b') as f:
                f.seek(where * BLOCK)
                f.write(bytes(BLOCK))
        with Disk(cut) as disk:
            states.append(look(disk, size))
    return states, after


def main(folder):
    tools = all(shutil.which(t) for t in ('mkfs.ext4', 'debugfs', 'mount', 'umount'))
    with tempfile.TemporaryDirectory(dir=folder) as place:
        image = f'{place}/image'
        try:
            if not tools or os.getuid() != 0:
                raise OSError('no tools, or not root')
            sh(f'truncate -s 8M {image} && mkfs.ext4 -q {image}')
            with Disk(image):
                pass
        except (OSError, subprocess.CalledProcessError) as why:
            print('skipped: no file system can be mounted here:', why)
            return 77
        make_fragmented(image)
        bad = 0
        for what, mode in (('inserting', INSERT), ('taking out', COLLAPSE)):
            states, image = states_of(place, image, mode)
            print(f'{what}: ' + ', '.join(f'{s} ({w} blocks wrong)' for s, w in states))
            in_between = any(s not in ('old', 'new') for s, _ in states)
            bad += sum(w for _, w in states) + (not in_between)
            bad += states[-1][0] != ('new' if mode == INSERT else 'old')
        return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
