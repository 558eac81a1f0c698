#!/usr/bin/env python3
"""Who else takes the hostile files? Our verdict (`parcdf check`) beside netCDF-C's (ncdump -h) and that of ncvalidator,
two parsers of other people, over wrong_files.py: a line a file whose verdicts differ with --list, a table by the rule that a
file breaks first always.

It fails where we are wrong by any account: a file that doc/checks.md calls unsafe is taken for writing, or one that
netCDF-C reads is not taken for reading, unless REFUSED says why its data is not where its header says. Others' crashes
and hangs are counted, not judged.  usage: differential.py PARCDF TABLE [--every N] [--list]
Exit status: 0, 1, or 77 where neither of the others is installed."""
import argparse, collections, os, re, resource, shutil, subprocess, sys, tempfile
import wrong_files, verdict
import runner  # wrong_files has put tests/support on the path

# Rules whose breakers we do not read though netCDF-C takes the header, and what it does with them.
REFUSED = {
    'TRUNCATED': 'zeros behind the end of the file are taken for the rest of the header',
    'LONG_LIST': 'zeros behind the end of the file are taken for elements',
    'LONG_ATT': 'zeros behind the end of the file are taken for values',
    'NUMRECS': 'a number of records with the top bit set is taken as it is; there are no such records',
    'LONG_NAME': 'a name of more than 256 bytes is copied into arrays of 257',
    'TWO_UNLIMITED': 'a second dimension of length 0 makes variables whose size nobody knows',
    'LATER_TYPE': 'a type that its version of the format does not have; ncvalidator and PnetCDF refuse it too',
    'DIM_LENGTH': 'a negative length is taken; no data can be where it leads',
    'RECORDS_END': 'the end of the last record wraps around',
    'RECORD_OVERLAP': 'one record lies over the next',
}
FINDING = re.compile(r'^(.*?): offset \d+: (note|warning|error): .* \[(\w+)(?: (\w+))?\]$')


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def accepts(command):
    """'yes', 'no', 'crash' or 'hang'."""
    try:
        p = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, timeout=5,
                           preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return 'hang'
    return 'yes' if p.returncode == 0 else 'crash' if p.returncode < 0 or p.returncode > 128 else 'no'


def ours(parcdf, paths):
    """{path: (taken for writing, taken for reading)}: what has a code is not taken for writing; an error, for neither."""
    out = {path: (True, True) for path in paths}
    p = subprocess.run([parcdf, 'check', '-v', *paths], capture_output=True, text=True, timeout=60)
    for line in p.stdout.splitlines():
        m = FINDING.match(line)
        if m and m[4]:
            out[m[1]] = (False, out[m[1]][1] and m[2] != 'error')
    return out


def files(every):
    for version in (1, 2, 5):
        for i, (name, data) in enumerate(wrong_files.files(version, 150)):
            if i % every == 0 or re.match(r'\d\d_|sound', name):
                yield 'cdf%d_%s' % (version, name), data


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('parcdf'), parser.add_argument('table')
    parser.add_argument('--every', type=int, default=1, help='of the files without a name of their own, each N-th')
    parser.add_argument('--list', action='store_true')
    args = parser.parse_args()
    others = {'netCDF-C': ['ncdump', '-h'], 'ncvalidator': ['ncvalidator', '-q']}
    others = {name: command for name, command in others.items() if shutil.which(command[0])}
    if not others:
        print('skipped: neither ncdump nor ncvalidator is there')
        return 77
    table, bad, sums = verdict.Table(args.table), [], collections.defaultdict(collections.Counter)
    base = runner.MEMORY or '.'
    with tempfile.TemporaryDirectory(dir=base, prefix='differential') as folder:
        broken, paths = {}, []
        for name, data in files(args.every):
            paths.append(os.path.join(folder, name))
            with open(paths[-1], 'wb') as f:
                f.write(data)
            broken[paths[-1]] = verdict.broken(data)[0]
        for at in range(0, len(paths), 500):
            for path, (writes, reads) in ours(args.parcdf, paths[at:at + 500]).items():
                rules, name = broken[path], os.path.basename(path)
                first = next((r for r in rules if table.code([r], 'read') != 'NC_NOERR'), rules[0] if rules else 'none')
                said = {'we write': 'yes' if writes else 'no', 'we read': 'yes' if reads else 'no'}
                for other, command in others.items():
                    said[other] = accepts(command + [path])
                sums[first].update(k + ' ' + v for k, v in said.items())
                sums[first]['files'] += 1
                if writes and table.code(rules, 'write') != 'NC_NOERR':
                    bad.append('%s is taken for writing; the table says %s' % (name, table.code(rules, 'write')))
                if not reads and said.get('netCDF-C') == 'yes' and first not in REFUSED:
                    bad.append('%s: netCDF-C reads it, we do not: %s' % (name, ' '.join(rules)))
                if args.list and len(set(said.values())) > 1:
                    print('%-40s %s' % (name, ', '.join('%s: %s' % s for s in said.items())))
    kinds = [k + v for k in ['we write', 'we read', *others] for v in ([' yes'] if k[:2] == 'we' else [' yes', ' crash', ' hang'])]
    print('%-20s %6s  %s' % ('broken first', 'files', '  '.join(kinds)))
    for rule, n in sorted(sums.items()):
        print('%-20s %6d  %s' % (rule, n['files'], '  '.join('%*d' % (len(k), n[k]) for k in kinds)))
    for line in bad[:40]:
        print(line)
    print('differential: %d files, %d wrong' % (sum(n['files'] for n in sums.values()), len(bad)))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
