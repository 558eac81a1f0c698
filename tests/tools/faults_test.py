#!/usr/bin/env python3
"""Fixes what commands that make files do when a system call fails, moves fewer bytes than were asked, or a signal comes: status 0 only
with the whole file; otherwise a sentence and nothing under the name, or with -O the file that was there; no temporary file; inputs stay; no hang.
Every command runs in tool_server.c, where MPI has started already; kills on two ranks have an mpiexec of their own.
usage: faults_test.py PARCDF SERVER SHIM MPIEXEC [--all] [--faults N] [--only CASE] [--seed N]
  --all: each call of each case fails in each way; otherwise a sample of N faults (default 400)"""
import argparse, collections, os, random, re, select, shutil, signal, subprocess, sys, tempfile, time
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
import runner

WAYS = {'read': ['EIO', 'EINTR', 'short', 'zero', 'EIO+', 'short+'], 'write': ['EIO', 'ENOSPC', 'EINTR', 'short', 'zero', 'ENOSPC+', 'short+'],
        'open': ['EIO', 'EMFILE', 'EACCES'], 'sync': ['EIO', 'ENOSPC', 'EIO+'], 'rename': ['EIO', 'ENOSPC'], 'close': ['EIO', 'ENOSPC'],
        'truncate': ['EIO', 'ENOSPC'], 'allocate': ['ENOSPC'], 'unlink': ['EACCES']}
DATE = re.compile(rb'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ')
LIMIT = 100  # seconds for an answer

HEAT = '''netcdf heat { dimensions: time = UNLIMITED ; y = 30 ; x = 40 ; bnds = 2 ; len = 5 ;
variables: double time(time) ; time:units = "days since 2001-01-01" ; time:bounds = "time_bnds" ; double time_bnds(time, bnds) ;
  double x(x) ; double y(y) ; float temp(time, y, x) ; temp:units = "K" ; temp:_FillValue = -1.f ; short flags(time, x) ; flags:scale_factor = 0.5 ;
  double area(y, x) ; char name(len) ; :history = "made" ;
data: name = "abcde" ; '''


def cdl(start, records):
    rows = range(start, start + records)
    text = HEAT + 'time = %s ; ' % ', '.join(str(15.5 + 30 * t) for t in rows)
    text += 'time_bnds = %s ; ' % ', '.join('%d, %d' % (30 * t, 30 * t + 30) for t in rows)
    text += 'x = %s ; y = %s ; ' % (', '.join(map(str, range(40))), ', '.join(map(str, range(30))))
    text += 'temp = %s ; ' % ', '.join('_' if i % 17 == 3 else str((i * 7919 + 31 * t) % 1000 / 8) for t in rows for i in range(1200))
    text += 'flags = %s ; ' % ', '.join(str((i * 31 + t) % 100) for t in rows for i in range(40))
    return text + 'area = %s ; }' % ', '.join(str(1 + i % 5) for i in range(1200))


# Name, command with its words; OUT is what it makes. Those of a command that is not there are left out.
CASES = [
    ('reduce time', 'reduce mean time a.nc OUT'),
    ('reduce months', 'reduce --each month max time,x a.nc b.nc OUT'),
    ('reduce across', 'reduce std --across a.nc a.nc OUT'),
    ('reduce median', 'reduce median y a.nc OUT'),
    ('reduce weights', 'reduce -v temp -w area mean y,x a.nc OUT'),
    ('reduce netcdf4', 'reduce sum time a.nc4 OUT'),
    ('copy', 'copy -k cdf5 a.nc OUT'),
    ('copy select', 'copy -v temp -d x,3,20,2 -d time,1, a.nc OUT'),
    ('copy values', 'copy --select x=3:20 --select time=2001-02:2001-03 a.nc OUT'),
    ('copy join', 'copy a.nc b.nc OUT'),
    ('copy checksum', 'copy --checksum a.nc OUT'),
    ('copy netcdf4', 'copy -k cdf5 a.nc4 OUT'),
    ('copy zarr', 'copy -k zarr3 --shards 0 a.nc OUT'),
    ('copy append', 'copy --append b.nc OUT'),
    ('copy large', 'copy -k cdf5 large.nc OUT'),
    ('reduce large', 'reduce mean time large.nc OUT'),
    ('copy names', 'copy --rename temp=t --set t:units=degC --drop flags a.nc OUT'),
    ('copy merge', 'copy --merge warm.nc flags.nc OUT'),
    ('reduce masked', 'reduce -v temp --masked-by temp>3&&area==2 mean y,x a.nc OUT'),
    ('calc difference', 'calc d=a:temp-b:temp;e=a:flags*2 a.nc again.nc OUT'),
    ('calc shift', 'calc --all d=where(temp>50,shift(temp,x,1),sqrt(area)) a.nc OUT'),
    ('calc large', 'calc w=v*2+1 large.nc OUT'),
    ('join time', 'join b.nc a.nc OUT'),
    ('join new', 'join --keep-first --new member a.nc a.nc OUT'),
    ('join tiles', 'join --layout x:2 left.nc right.nc OUT'),
    ('join missing', 'join --fill-missing fms.nc OUT'),
    ('refs', 'refs -i 100 -o OUT a.nc'),
    ('refs several', 'refs -o OUT a.nc b.nc'),
    ('refs large', 'refs -c 1 -o OUT large.nc'),
]


class Server:
    """One, or a few ranks, that run commands and answer."""

    def __init__(self, o, folder, said, ranks):
        self.o, self.folder, self.said, self.ranks, self.process = o, folder, said, ranks, None

    def start(self):
        env = dict(os.environ, **runner.MPI)
        words = ['env', 'LD_PRELOAD=' + self.o.shim, 'PCDF_SHIM_FOLDER=' + self.folder, self.o.server, self.said]
        if self.ranks > 1:
            words = self.o.mpiexec.split() + ['-n', str(self.ranks)] + words
        self.process = subprocess.Popen(words, cwd=self.folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)

    def stop(self):
        if self.process:
            self.process.stdin.close()
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None

    def ask(self, words, rank=0, order='-', number=0, microseconds=0):
        """(how it ended, how many calls failed, how many were of the kind)"""
        if not self.process:
            self.start()
        line = '\t'.join([str(rank), order, str(number), str(microseconds)] + words) + '\n'
        self.process.stdin.write(line.encode())
        ready, _, _ = select.select([self.process.stdout], [], [], LIMIT)
        answer = self.process.stdout.readline().decode().split() if ready else []
        if len(answer) != 4:
            how = 'no answer' if ready else 'hang'
            self.process.kill()
            self.stop()
            return how, 0, 0
        how = ' '.join(answer[:2])
        return ('hang' if how == 'signal 9' and number != 9 else how), int(answer[2]), int(answer[3])


def content(path):
    """Of a file, or of a folder; None: there is none. The dates in a history are not the same in each run."""
    if os.path.isdir(path):
        return {os.path.relpath(os.path.join(at, n), path): content(os.path.join(at, n)) for at, _, names in os.walk(path) for n in names}
    if not os.path.lexists(path):
        return None
    with open(path, 'rb') as f:
        return DATE.sub(b'0000-00-00T00:00:00Z', f.read())


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


class Case:
    def __init__(self, world, name, words, replaces):
        self.world, self.name = world, name + (' -O' if replaces else '')
        self.replaces, self.appends = replaces, '--append' in words
        words = words.split()
        self.command = words[0]
        self.words = [words[0]] + (['-O'] if replaces else []) + ['out' if w == 'OUT' else w for w in words[1:]]
        self.kept = None if not replaces and not self.appends else world.kept_store if 'zarr3' in words else world.kept
        self.old = self.kept and content(self.kept)
        self.prepare()
        how, _, _ = world.servers[1].ask(self.words)
        self.good = self.result()
        self.works = how == 'exit 0' and self.good is not None and self.good != self.old
        self.why = '%s: %s: %s' % (self.name, how, world.sentences())
        self.counts = {}

    def prepare(self):
        for name in os.listdir(self.world.folder):
            if name not in self.world.inputs:
                remove(self.world.path(name))
        if self.kept:
            (shutil.copytree if os.path.isdir(self.kept) else shutil.copyfile)(self.kept, self.world.path('out'))
        open(self.world.said, 'w').close()

    def result(self):
        """What is there; a file that was wanted with checksums is whole with them alone."""
        sums = content(self.world.path('.out.parcdf-sums'))
        return content(self.world.path('out')) if '--checksum' not in self.words else (content(self.world.path('out')), sums is not None)

    def count(self, ranks, op):
        """How many calls of this kind there are on rank 0 when nothing fails."""
        if (ranks, op) not in self.counts:
            self.prepare()
            self.counts[ranks, op] = self.world.servers[ranks].ask(self.words, order=op + ':1000000:EIO')[2]
        return self.counts[ranks, op]

    def judge(self, how, op, way, rank=0):
        """What is wrong, or None."""
        world, got, said = self.world, self.result(), self.world.sentences()
        if '--checksum' in self.words and how != 'exit 0':  # they come after the file
            got = got[0] if got[0] != self.good[0] else self.good
        is_old = got == self.old or (self.appends and got is not None and got[:len(self.old)] == self.old)
        cut = op == 'read' and way.rstrip('+') in ('zero', 'short') and how == 'exit 1'  # a file that ends too early: zeros, and it is said
        if how in ('hang', 'no answer'):
            return how
        if how == 'exit 0' and got != self.good:
            return 'status 0, but the file is not what it should be (%s)' % ('none' if got is None else 'differs')
        if how != 'exit 0' and not is_old and got != self.good and not cut:
            return '%s, and a file that is neither the old nor the new one' % how
        if how.startswith('exit') and how != 'exit 0' and rank == 0 and not said.strip():
            return how + ' without a sentence'
        if how.startswith('exit') and how not in ('exit 0', 'exit 1', 'exit 2'):
            return how
        names = set(os.listdir(world.folder)) - set(world.inputs) - {'out'} - ({'.out.parcdf-sums'} if '--checksum' in self.words else set())
        remains = op == 'unlink' or (op == 'open' and isinstance(got, dict))  # the old store's folder cannot be looked into
        if names and not remains and how != 'signal 9':
            return '%s, left are %s' % (how, ' '.join(sorted(names)))
        for name, stat in world.inputs.items():
            if world.stat(name) != stat:
                return '%s: the input %s was changed' % (how, name)
        return None


class World:
    """The folder, its inputs, the servers, what was found."""

    def __init__(self, o, folder):
        self.o, self.folder = o, os.path.join(folder, 'in')
        os.mkdir(self.folder)
        self.kept, self.kept_store, self.said = os.path.join(folder, 'old'), os.path.join(folder, 'old.zarr'), os.path.join(folder, 'said')
        self.make()
        self.inputs = {name: self.stat(name) for name in os.listdir(self.folder)}
        self.servers = {n: Server(o, self.folder, self.said, n) for n in (1, 2)}
        self.tally, self.bad = collections.Counter(), []

    def path(self, name):
        return os.path.join(self.folder, name)

    def stat(self, name):
        st = os.stat(self.path(name))
        return st.st_size, st.st_mtime_ns, st.st_ino

    def make(self):
        import netCDF4
        import numpy as np
        for name, start, records in (('a', 0, 4), ('b', 4, 3)):
            with open(self.kept, 'w') as f:
                f.write(cdl(start, records))
            subprocess.run([self.o.parcdf, 'gen', '-o', self.path(name + '.nc'), self.kept], check=True)
        shutil.copyfile(self.path('a.nc'), self.kept)
        shutil.copyfile(self.kept, self.path('again.nc'))
        for name, words in (('warm', ['-x', 'flags']), ('flags', ['-V', 'flags'])):
            subprocess.run([self.o.parcdf, 'copy', *words, self.path('a.nc'), self.path(name + '.nc')], check=True)
        for name, part in (('left', '0,19'), ('right', '20,39')):
            subprocess.run([self.o.parcdf, 'copy', '-d', 'x,' + part, self.path('a.nc'), self.path(name + '.nc')], check=True)
        subprocess.run([self.o.parcdf, 'copy', '-k', 'zarr3', self.path('b.nc'), self.kept_store], check=True)
        subprocess.run([self.o.parcdf, 'copy', '--set', 'x:domain_decomposition=1,40,1,20', self.path('left.nc'), self.path('fms.nc')], check=True)
        with netCDF4.Dataset(self.path('a.nc4'), 'w') as d:
            for name, n in (('time', None), ('x', 300)):
                d.createDimension(name, n)
            v = d.createVariable('v', 'f4', ('time', 'x'), zlib=True, chunksizes=(2, 100))
            v[:] = np.arange(3000).reshape(10, 300)
        with netCDF4.Dataset(self.path('large.nc'), 'w', format='NETCDF3_64BIT_DATA') as d:
            for name, n in (('time', None), ('x', 150000)):
                d.createDimension(name, n)
            v = d.createVariable('v', 'f8', ('time', 'x'))
            v[:] = np.arange(900000).reshape(6, 150000)

    def sentences(self):
        with open(self.said, errors='replace') as f:
            return f.read()

    def try_one(self, case, ranks, rank, op, k, way):
        """Did anything fail?"""
        order = '%s:%d%s:%s' % (op, k, '+' if way.endswith('+') else '', way.rstrip('+'))
        case.prepare()
        how, fired, _ = self.servers[ranks].ask(case.words, rank, order)
        wrong = case.judge(how, op, way, rank)
        if fired or how in ('hang', 'no answer'):
            self.tally['faults on %d' % ranks] += 1
            self.tally['%s: %s' % (case.command, how)] += 1
        if wrong:
            self.bad.append('%s: %s, rank %d of %d: %s; it said: %s' % (' '.join(case.words), order, rank, ranks, wrong, self.sentences().strip()[-300:]))
            print(self.bad[-1], flush=True)
        return fired > 0

    def sweep(self, cases, ranks, ways=WAYS):
        """Each call of each kind, in each way."""
        for case in cases:
            begun, before = time.monotonic(), self.tally['faults on %d' % ranks]
            for op, list_of_ways in ways.items():
                for way in list_of_ways:
                    for rank in range(ranks):
                        k = 1
                        while self.try_one(case, ranks, rank, op, k, way) and (k < 2 or '+' not in way or ranks == 1):
                            k += 1
            print('%-24s on %d: %5d faults, %.1f s' % (case.name, ranks, self.tally['faults on %d' % ranks] - before, time.monotonic() - begun), flush=True)

    def sample(self, cases, ranks, n, rng):
        for _ in range(n):
            case, op = rng.choice(cases), rng.choice(['read', 'write', 'read', 'write'] + list(WAYS))
            most = case.count(ranks, op)
            if most:
                self.try_one(case, ranks, rng.randrange(ranks), op, rng.randint(1, most), rng.choice(WAYS[op]))

    def kill_alone(self, case, rng, number):
        """A signal at any instant of the command, in the server's child."""
        case.prepare()
        case.took = getattr(case, 'took', None) or self.time_of(case)
        case.prepare()
        how, _, _ = self.servers[1].ask(case.words, number=number, microseconds=int(rng.random() * case.took * 1.2e6))
        self.after_kill(case, how, 'signal %d' % number)

    def time_of(self, case):
        begun = time.monotonic()
        self.servers[1].ask(case.words)
        return time.monotonic() - begun

    def after_kill(self, case, how, what):
        wrong = case.judge(how, 'kill', '')
        self.tally['kills'] += 1
        self.tally['%s: %s: %s' % (case.command, what, 'ended before' if how == 'exit 0' else 'killed')] += 1
        if wrong:
            self.bad.append('%s: %s: %s' % (' '.join(case.words), what, wrong))
            print(self.bad[-1], flush=True)

    def kill_ranks(self, case, rng, number):
        """The launcher, or a rank, gets it. MPICH's launcher, asked to end, ends its ranks, and then with 0 in a third of the runs."""
        case.prepare()
        env = dict(os.environ, **runner.MPI, **runner.KILLED)
        p = subprocess.Popen(self.o.mpiexec.split() + ['-n', '2', self.o.parcdf] + case.words, cwd=self.folder, env=env,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.1, 0.5))
        ranks = children_of(p.pid)
        target = rng.choice(ranks) if ranks and (number == signal.SIGKILL or rng.random() < 0.5) else p.pid
        try:
            os.kill(target, number)
        except ProcessLookupError:
            pass
        try:
            p.wait(timeout=60)
        except subprocess.TimeoutExpired:
            p.kill()
            self.bad.append('%s on 2 ranks: signal %d: hang' % (' '.join(case.words), number))
        until = time.monotonic() + 10
        while any(os.path.exists('/proc/%d/exe' % r) for r in ranks) and time.monotonic() < until:
            time.sleep(0.01)
        is_told = target != p.pid or 'mpich' not in self.o.mpiexec
        self.after_kill(case, 'exit 0' if p.returncode == 0 and is_told else 'signal %d' % number, 'signal %d on 2 ranks' % number)


def children_of(pid):
    try:
        with open('/proc/%d/task/%d/children' % (pid, pid)) as f:
            return [int(word) for word in f.read().split()]
    except OSError:
        return []


def cases_of(world, only):
    known = subprocess.run([world.o.parcdf, 'help', '--list'], capture_output=True, text=True, check=True).stdout
    cases = []
    for name, words in CASES:
        if 'command\t%s\t' % words.split()[0] not in known or (only and only not in name):
            continue
        for replaces in (False,) if '--append' in words else (False, True):
            case = Case(world, name, words, replaces)
            if not case.works:
                world.bad.append('does not work where nothing fails: ' + case.why)
            cases.append(case)
    return [c for c in cases if c.works]


def main():
    p = argparse.ArgumentParser()
    for word in ('parcdf', 'server', 'shim', 'mpiexec'):
        p.add_argument(word)
    p.add_argument('--all', action='store_true')
    p.add_argument('--faults', type=int, default=400)
    p.add_argument('--kills', type=int)
    p.add_argument('--only')
    p.add_argument('--seed', type=int)
    o = p.parse_args()
    rng = random.Random(o.seed if o.seed is not None else runner.seed())
    with tempfile.TemporaryDirectory(dir=runner.MEMORY) as folder:
        world = World(o, os.path.realpath(folder))
        cases = cases_of(world, o.only)
        if o.all:
            world.sweep(cases, 1)
            world.sweep(cases, 2)
        else:
            world.sample(cases, 1, o.faults * 3 // 4, rng)
            world.sample(cases, 2, o.faults // 4, rng)
        kills = o.kills if o.kills is not None else 150 if o.all else 30
        for i in range(kills):
            world.kill_alone(rng.choice(cases), rng, (signal.SIGTERM, signal.SIGKILL)[i % 2])
        for i in range(kills // 5 if o.all or o.kills else 4):
            world.kill_ranks(rng.choice(cases), rng, (signal.SIGTERM, signal.SIGKILL)[i % 2])
        for server in world.servers.values():
            server.stop()
    for what, n in sorted(world.tally.items()):
        print('%6d  %s' % (n, what))
    print('\n'.join(world.bad[:50]) or 'nothing wrong')
    return 1 if world.bad else 0


if __name__ == '__main__':
    sys.exit(main())
