#!/usr/bin/env python3
"""Fixes that hostile files get the verdict of doc/checks.md: opened for writing, for reading, and by `parcdf check`;
that none of them crashes, hangs or takes more memory than is allowed, and that none is changed. The files are made by
wrong_files.py, their verdicts by verdict.py, which shares nothing with the library.
usage: hostile_test.py PARCDF HOSTILE_OPEN TABLE [--mpiexec COMMAND] [--ranks N] [--all | --named] [--no-limit]
--all: every file; --named: one of each kind; otherwise a fixed choice of at least 1,000 a version; --no-limit: no limit of address space (sanitizers)"""
import argparse, collections, os, re, resource, subprocess, sys, tempfile
import wrong_files, verdict
import runner  # wrong_files has put tests/support on the path

LEAST = 1000         # files a version
BATCH = 500          # files a run of the tool
FINDING = re.compile(r'^(.*?): offset \d+: (note|warning|error): .* \[(\w+)(?: (\w+))?\]$')


def choice(version, everything, named):
    if named:
        for name, b in wrong_files.named(version):
            yield 'cdf%d_%s' % (version, name), bytes(b.bytes)
        return
    for i, (name, data) in enumerate(wrong_files.files(version, 2000 if everything else 150)):
        if everything or i < 150 or '_mixed_' in name or i % 4 == 0:
            yield 'cdf%d_%s' % (version, name), data
    if version == 1:
        yield from wrong_files.found()


def limit():
    """The tool's address space: what it needs for itself, and 16 bytes a byte of these small files + 1 MiB."""
    resource.setrlimit(resource.RLIMIT_AS, (64 << 20, 64 << 20))


def tool_findings(parcdf, paths, limited):
    """{path: set of (severity, rule)}, and the exit status."""
    p = subprocess.run([parcdf, 'check', '-v', *paths], capture_output=True, timeout=60, preexec_fn=limit if limited else None)
    out = collections.defaultdict(set)
    for line in p.stdout.decode('utf-8').splitlines():
        m = FINDING.match(line)
        if m:
            out[m[1]].add((m[2], m[3]))
    return out, p.returncode, p.stderr.decode('utf-8', 'replace')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('parcdf'), parser.add_argument('program'), parser.add_argument('table')
    parser.add_argument('--mpiexec', default=''), parser.add_argument('--ranks', default='1')
    parser.add_argument('--all', action='store_true'), parser.add_argument('--named', action='store_true')
    parser.add_argument('--no-limit', action='store_true')
    args = parser.parse_args()
    table, bad, rules = verdict.Table(args.table), [], collections.Counter()
    base = runner.MEMORY or '.'
    with tempfile.TemporaryDirectory(dir=base, prefix='hostile') as folder:
        want, lines = {}, []
        for version in (1, 2, 5):
            n = 0
            for name, data in choice(version, args.all, args.named):
                path = os.path.join(folder, name)
                with open(path, 'wb') as f:
                    f.write(data)
                broken = verdict.broken(data)[0]
                rules.update(set(broken))
                want[path] = table.found(broken)
                lines.append('%s %s %s\n' % (path, table.code(broken, 'write'), table.code(broken, 'read')))
                n += 1
            if n < LEAST and not args.named:
                bad.append('CDF-%d: only %d files' % (version, n))
        for rule in set(table.write) - set(rules) - {'MEMORY'} if not args.named else ():
            bad.append('no file breaks the rule %s' % rule)
        paths = sorted(want)
        for i in range(0, len(paths), BATCH):
            found, status, err = tool_findings(args.parcdf, paths[i:i + BATCH], not args.no_limit)
            if status not in (0, 1) or err:
                bad.append('parcdf check: exit status %d, %s' % (status, err[:300]))
            for path in paths[i:i + BATCH]:
                if found[path] != want[path]:
                    bad.append('%s: parcdf check finds %s, the table says %s' % (
                        os.path.basename(path), sorted(found[path] - want[path]), sorted(want[path] - found[path])))
        manifest = os.path.join(folder, 'manifest')
        with open(manifest, 'w') as f:
            f.writelines(lines)
        command = [*args.mpiexec.split(';'), '-n', args.ranks] if args.mpiexec else []
        p = subprocess.run([*command, args.program, manifest], timeout=600)
        if p.returncode:
            bad.append('hostile_open: exit status %d' % p.returncode)
    for line in bad[:40]:
        print(line)
    print('hostile: %d files, %d rules, %d wrong' % (len(want), len(rules), len(bad)))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
