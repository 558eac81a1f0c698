#!/usr/bin/env python3
"""A reader of netCDF classic files (CDF-1, CDF-2, CDF-5), written from the specification alone.

It shares no code with the library and is stricter than it: whatever the grammar or its notes do not allow raises
CdfError with the offset. Standard library only; numpy makes records faster where it is installed.

  cdf.py dump FILE                header, and a digest of the data of each variable
  cdf.py compare FILE OTHER       all dimensions, attributes, variables and data of two classic files
  cdf.py against-netcdf4 FILE     all of that against what netCDF4-python reads (77 where it is not installed)
  cdf.py against-scipy FILE       the same with scipy.io.netcdf_file (CDF-1 and CDF-2)

Options: --zero-missing reads bytes beyond the end of the file as zeros (a file whose variables were never written
is legally short); --any-version lets `compare` take files of different CDF versions.
Exit status: 0 equal or readable, 1 different or invalid, 2 unusable, 77 skipped.
"""
import argparse, hashlib, math, mmap, re, struct, sys, unicodedata
try:
    import numpy
except ImportError:
    numpy = None

TYPES = {1: ('byte', 1, 'b'), 2: ('char', 1, 'c'), 3: ('short', 2, 'h'), 4: ('int', 4, 'i'), 5: ('float', 4, 'f'),
         6: ('double', 8, 'd'), 7: ('ubyte', 1, 'B'), 8: ('ushort', 2, 'H'), 9: ('uint', 4, 'I'),
         10: ('int64', 8, 'q'), 11: ('uint64', 8, 'Q')}  # number: name, bytes, struct letter
DIMENSION, VARIABLE, ATTRIBUTE = 10, 11, 12
NAME = re.compile(r'[a-zA-Z0-9_\u0080-\U0010ffff][^\x00-\x1f/\x7f]*')


class CdfError(Exception):
    """The file breaks the specification; the text says where and how."""


def padded(n):
    return (n + 3) // 4 * 4


class Att:
    def __init__(self, name, type_, nelems, raw):
        self.name, self.type, self.nelems, self.raw = name, type_, nelems, bytes(raw)  # raw: big-endian, no padding

    @property
    def values(self):
        """bytes for char, otherwise a list of numbers."""
        if self.type == 2:
            return self.raw
        return list(struct.unpack('>%d%s' % (self.nelems, TYPES[self.type][2]), self.raw))

    def same(self, other):
        return (self.name, self.type, self.nelems, self.raw) == (other.name, other.type, other.nelems, other.raw)


class Var:
    def __init__(self, name, type_, dimids, atts, vsize, begin):
        self.name, self.type, self.dimids, self.atts, self.vsize, self.begin = name, type_, dimids, atts, vsize, begin
        self.is_record, self.shape, self.slab = False, (), 0  # slab: bytes of the variable, of one record if is_record
        self.file = None

    @property
    def nbytes(self):
        return self.slab * (self.file.numrecs if self.is_record else 1)

    def rows(self):
        """The data as it lies in the file (big-endian), in pieces: one, or one a record."""
        if not self.is_record:
            yield self.file.take(self.begin, self.slab, self.name)
            return
        for r in range(self.file.numrecs):
            yield self.file.take(self.begin + r * self.file.recsize, self.slab, self.name)

    def raw(self):
        """All values, big-endian, contiguous: a bytes-like object."""
        f = self.file
        if not self.is_record:
            return f.take(self.begin, self.slab, self.name)
        if f.numrecs == 0 or self.slab == 0:
            return b''
        end = self.begin + (f.numrecs - 1) * f.recsize + self.slab
        if numpy is None or end > f.size:
            return b''.join(self.rows())
        grid = numpy.ndarray((f.numrecs, self.slab), 'u1', f.data, self.begin, (f.recsize, 1))
        return memoryview(numpy.ascontiguousarray(grid)).cast('B')

    def array(self):
        """A numpy array in big-endian order, shaped; needs numpy."""
        letter = 'S1' if self.type == 2 else TYPES[self.type][2]
        return numpy.frombuffer(self.raw(), numpy.dtype(letter).newbyteorder('>')).reshape(self.shape)

    def digest(self):
        total = hashlib.sha256()
        for row in self.rows():
            total.update(row)
        return total.hexdigest()[:32]


class File:
    """One parsed file: version, numrecs, streaming, dims [(name, length)], record_dim, atts, vars, header_size,
    recsize, size. Dimension length 0 is the record dimension."""

    def __init__(self, path, zero_missing=False):
        self.path, self.zero_missing = path, zero_missing
        with open(path, 'rb') as f:
            self.size = f.seek(0, 2)
            self.data = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ) if self.size else b''
        self.bytes, self.at = memoryview(self.data), 0
        self.header()
        self.derive()
        self.check_layout()

    def fail(self, text, at=None):
        raise CdfError('%s: offset %d: %s' % (self.path, self.at if at is None else at, text))

    def take(self, offset, n, what):
        if offset + n <= self.size:
            return self.bytes[offset:offset + n]
        if not self.zero_missing:
            self.fail('%s needs %d bytes, the file ends at %d' % (what, n, self.size), offset)
        part = self.bytes[offset:offset + n].tobytes() if offset < self.size else b''
        return part + bytes(n - len(part))

    # -- the grammar, one method a rule ----------------------------------------------------------------------------
    def read(self, n, what):
        if n > self.size - self.at:
            self.fail('the header ends within %s' % what)
        self.at += n
        return self.bytes[self.at - n:self.at]

    def u32(self, what):
        return struct.unpack('>I', self.read(4, what))[0]

    def non_neg(self, what):
        width, bits = (8, '>q') if self.version == 5 else (4, '>i')
        value = struct.unpack(bits, self.read(width, what))[0]
        if value < 0:
            self.fail('%s is negative (%d)' % (what, value), self.at - width)
        return value

    def padding(self, n, what):
        pad = self.read(padded(n) - n, 'the padding of ' + what)
        if any(pad):
            self.fail('the padding of %s is not zero' % what, self.at - len(pad))

    def name(self, what):
        start, n = self.at, self.non_neg('the length of the name of ' + what)
        raw = bytes(self.read(n, 'the name of ' + what))
        self.padding(n, 'the name of ' + what)
        try:
            text = raw.decode('utf-8')
        except UnicodeDecodeError:
            self.fail('the name of %s, %r, is not UTF-8' % (what, raw), start)
        if not NAME.fullmatch(text) or text.endswith(' '):
            self.fail('the name of %s, %r, is not legal' % (what, text), start)
        if unicodedata.normalize('NFC', text) != text:
            self.fail('the name of %s, %r, is not in NFC' % (what, text), start)
        return text

    def nelems(self, tag, what):
        found, n = self.u32('the tag of ' + what), self.non_neg('the number of ' + what)
        if found not in (0, tag) or (found == 0 and n):
            self.fail('the list of %s has tag %d and %d elements' % (what, found, n))
        return n

    def list_of(self, tag, what, rule):
        out = [rule() for _ in range(self.nelems(tag, what))]
        names = [x[0] if isinstance(x, tuple) else x.name for x in out]
        if len(set(names)) < len(names):
            self.fail('two %s have the same name' % what)
        return out

    def nc_type(self, what):
        t = self.u32('the type of ' + what)
        if t not in TYPES or (t > 6 and self.version != 5):
            self.fail('%s has type %d, which CDF-%d has not' % (what, t, self.version), self.at - 4)
        return t

    def dim(self):
        name = self.name('a dimension')
        return name, self.non_neg('the length of dimension ' + name)

    def att(self):
        name = self.name('an attribute')
        t, n = self.nc_type('attribute ' + name), self.non_neg('the length of attribute ' + name)
        raw = self.read(n * TYPES[t][1], 'attribute ' + name)
        self.padding(len(raw), 'attribute ' + name)
        return Att(name, t, n, raw)

    def var(self):
        name = self.name('a variable')
        rank = self.non_neg('the rank of ' + name)
        if rank * 4 > self.size:
            self.fail('variable %s has %d dimensions' % (name, rank))
        dimids = [self.non_neg('a dimension of ' + name) for _ in range(rank)]
        if any(i >= len(self.dims) for i in dimids):
            self.fail('variable %s has dimensions %s of %d' % (name, dimids, len(self.dims)))
        atts = self.list_of(ATTRIBUTE, 'attributes of ' + name, self.att)
        t = self.nc_type('variable ' + name)
        vsize = self.non_neg('the size of ' + name) if self.version == 5 else self.u32('the size of ' + name)
        begin = struct.unpack(*(('>i', self.read(4, 'begin')) if self.version == 1 else ('>q', self.read(8, 'begin'))))[0]
        if begin < 0:
            self.fail('variable %s begins at %d' % (name, begin))
        return Var(name, t, dimids, atts, vsize, begin)

    def header(self):
        magic = bytes(self.read(4, 'the magic number'))
        if magic[:3] != b'CDF' or magic[3] not in (1, 2, 5):
            self.fail('the magic number is %r' % magic, 0)
        self.version = magic[3]
        width = 8 if self.version == 5 else 4
        self.streaming = bytes(self.bytes[4:4 + width]) == b'\xff' * width
        self.numrecs = 0 if self.streaming and self.read(width, 'numrecs') else self.non_neg('numrecs')
        self.dims = self.list_of(DIMENSION, 'dimensions', self.dim)
        self.atts = self.list_of(ATTRIBUTE, 'global attributes', self.att)
        self.vars = self.list_of(VARIABLE, 'variables', self.var)
        self.header_size = self.at

    # -- what follows from it ---------------------------------------------------------------------------------------
    def derive(self):
        records = [i for i, (_, n) in enumerate(self.dims) if n == 0]
        if len(records) > 1:
            self.fail('%d record dimensions' % len(records))
        self.record_dim = records[0] if records else -1
        for v in self.vars:
            v.file, v.is_record = self, bool(v.dimids) and v.dimids[0] == self.record_dim
            inner = v.dimids[1:] if v.is_record else v.dimids
            if self.record_dim in inner:
                self.fail('the record dimension of %s is not the first' % v.name)
            v.slab = math.prod(self.dims[i][1] for i in inner) * TYPES[v.type][1]
            want = padded(v.slab)
            if self.version != 5 and want > 2 ** 32 - 4:
                want = 2 ** 32 - 1
            if v.vsize != want:
                self.fail('the vsize of %s is %d, not %d' % (v.name, v.vsize, want))
        self.records = [v for v in self.vars if v.is_record]
        self.recsize = self.records[0].slab if len(self.records) == 1 else sum(padded(v.slab) for v in self.records)
        if self.streaming and self.recsize:
            self.numrecs = max(0, self.size - min(v.begin for v in self.records)) // self.recsize
        for v in self.vars:
            shape = [self.dims[i][1] for i in v.dimids]
            v.shape = tuple([self.numrecs] + shape[1:] if v.is_record else shape)

    def check_layout(self):
        """Variables in the order of the header, disjoint, fixed ones first; gaps are allowed (alignment)."""
        end = self.header_size
        for v in [v for v in self.vars if not v.is_record] + self.records:
            if v.begin < end:
                self.fail('variable %s begins at %d, before %d' % (v.name, v.begin, end), v.begin)
            end = v.begin + v.slab
        if self.records and end > self.records[0].begin + self.recsize:
            self.fail('the record section is longer than its record size %d' % self.recsize)


# -- commands --------------------------------------------------------------------------------------------------------
def dump_atts(out, owner, atts):
    for a in atts:
        print('\t\t%s:%s = %s %r' % (owner, a.name, TYPES[a.type][0], a.values), file=out)


def dump(f, out=sys.stdout):
    print('CDF-%d, header %d bytes, file %d bytes, %d records of %d bytes%s' % (
        f.version, f.header_size, f.size, f.numrecs, f.recsize, ', streaming' if f.streaming else ''), file=out)
    for i, (name, n) in enumerate(f.dims):
        print('\tdimension %s = %s' % (name, 'UNLIMITED' if i == f.record_dim else n), file=out)
    dump_atts(out, '', f.atts)
    for v in f.vars:
        print('\t%s %s(%s) begin %d bytes %d sha256 %s' % (TYPES[v.type][0], v.name, ', '.join(
            f.dims[i][0] for i in v.dimids), v.begin, v.nbytes, v.digest()), file=out)
        dump_atts(out, v.name, v.atts)


def compare_atts(owner, a, b):
    if [x.name for x in a] != [x.name for x in b]:
        yield 'attributes of %s: %s and %s' % (owner, [x.name for x in a], [x.name for x in b])
    others = {x.name: x for x in b}
    for x in a:
        y = others.get(x.name)
        if y and not x.same(y):
            yield 'attribute %s:%s: %s %r and %s %r' % (
                owner, x.name, TYPES[x.type][0], x.values, TYPES[y.type][0], y.values)


def first_difference(v, raw, other):
    raw, other, size = bytes(raw), bytes(other), TYPES[v.type][1]
    k = next((i for i in range(min(len(raw), len(other))) if raw[i] != other[i]), min(len(raw), len(other))) // size
    index, rest = [], k
    for n in reversed(v.shape):
        index.insert(0, rest % n if n else 0)
        rest = rest // n if n else 0
    return 'variable %s: first difference at %s: %s and %s' % (
        v.name, index, raw[k * size:(k + 1) * size].hex(), other[k * size:(k + 1) * size].hex())


def compare(a, b, any_version=False):
    """Yields one sentence a difference."""
    if a.version != b.version and not any_version:
        yield 'versions: CDF-%d and CDF-%d' % (a.version, b.version)
    if a.numrecs != b.numrecs:
        yield 'records: %d and %d' % (a.numrecs, b.numrecs)
    if a.dims != b.dims:
        yield 'dimensions: %s and %s' % (a.dims, b.dims)
    yield from compare_atts('', a.atts, b.atts)
    if [v.name for v in a.vars] != [v.name for v in b.vars]:
        yield 'variables: %s and %s' % ([v.name for v in a.vars], [v.name for v in b.vars])
    others = {v.name: v for v in b.vars}
    for v in [v for v in a.vars if v.name in others]:
        w = others[v.name]
        yield from compare_atts(v.name, v.atts, w.atts)
        shapes = [[f.dims[i][0] for i in x.dimids] for f, x in ((a, v), (b, w))]
        if v.type != w.type or v.shape != w.shape or shapes[0] != shapes[1]:
            yield 'variable %s: %s %s%s and %s %s%s' % (
                v.name, TYPES[v.type][0], shapes[0], v.shape, TYPES[w.type][0], shapes[1], w.shape)
        elif hashlib.sha256(v.raw()).digest() != hashlib.sha256(w.raw()).digest():
            yield first_difference(v, v.raw(), w.raw())


def against(f, dims, atts_of, variables, text, label):
    """Ours against another reader. dims: {name: (length, is_record)}; atts_of(name or None): {name: value};
    variables: {name: (shape, dimension names, function giving the array)}; text: how that reader decodes strings."""
    ours = {text(n): (f.numrecs if i == f.record_dim else k, i == f.record_dim) for i, (n, k) in enumerate(f.dims)}
    if ours != dims:
        yield 'dimensions: %s, %s reads %s' % (ours, label, dims)
    if [text(v.name) for v in f.vars] != list(variables):
        yield 'variables: %s, %s reads %s' % ([v.name for v in f.vars], label, list(variables))
    for owner, atts in [(None, f.atts)] + [(v.name, v.atts) for v in f.vars]:
        theirs = atts_of(owner and text(owner))
        if [text(a.name) for a in atts] != list(theirs):
            yield 'attributes of %s: %s, %s reads %s' % (owner, [a.name for a in atts], label, list(theirs))
        for a in [a for a in atts if text(a.name) in theirs]:
            value = theirs[text(a.name)]
            if a.type == 2:
                value = value.encode('utf-8') if isinstance(value, str) else bytes(value)
                good = value == a.raw.replace(b'\0', b'') or value == a.raw.rstrip(b'\0')
            else:
                value = numpy.atleast_1d(numpy.asarray(value))
                good = value.astype(numpy.dtype(TYPES[a.type][2]).newbyteorder('>')).tobytes() == a.raw
            if not good:
                yield 'attribute %s:%s: %r, %s reads %r' % (owner or '', a.name, a.values, label, value)
    for v in [v for v in f.vars if text(v.name) in variables]:
        shape, names, data = variables[text(v.name)]
        if tuple(shape) != v.shape or list(names) != [text(f.dims[i][0]) for i in v.dimids]:
            yield 'variable %s: shape %s, %s reads %s%s' % (v.name, v.shape, label, names, shape)
            continue
        other = numpy.asarray(data())
        if other.dtype.itemsize != TYPES[v.type][1]:
            yield 'variable %s: type %s, %s reads %s' % (v.name, TYPES[v.type][0], label, other.dtype)
            continue
        if other.dtype.kind in 'iuf':
            other = other.astype(other.dtype.newbyteorder('>'))
        if hashlib.sha256(numpy.ascontiguousarray(other)).digest() != hashlib.sha256(v.raw()).digest():
            yield first_difference(v, v.raw(), other.tobytes())


def against_netcdf4(f):
    import netCDF4
    with netCDF4.Dataset(f.path) as other:
        other.set_auto_maskandscale(False)
        other.set_auto_chartostring(False)
        atts = lambda owner: {n: x.getncattr(n) for x in [other if owner is None else other[owner]] for n in x.ncattrs()}
        dims = {n: (len(d), d.isunlimited()) for n, d in other.dimensions.items()}
        variables = {n: (v.shape, v.dimensions, lambda v=v: v[...]) for n, v in other.variables.items()}
        yield from against(f, dims, atts, variables, str, 'netCDF4-python')


def against_scipy(f):
    import scipy.io
    if f.version == 5:
        raise ImportError('scipy reads no CDF-5')
    text = lambda s: s.encode('utf-8').decode('latin1')
    with scipy.io.netcdf_file(f.path, mmap=False) as other:
        dims = {n: (f.numrecs if k is None else k, k is None) for n, k in other.dimensions.items()}
        atts = lambda owner: (other if owner is None else other.variables[owner])._attributes
        variables = {n: (v.data.shape, v.dimensions, lambda v=v: v.data) for n, v in other.variables.items()}
        yield from against(f, dims, atts, variables, text, 'scipy')


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('command', choices=['dump', 'compare', 'against-netcdf4', 'against-scipy'])
    p.add_argument('files', nargs='+', metavar='FILE')
    p.add_argument('--zero-missing', action='store_true')
    p.add_argument('--any-version', action='store_true')
    a = p.parse_args()
    if len(a.files) != (2 if a.command == 'compare' else 1):
        p.error('%s takes %s' % (a.command, 'two files' if a.command == 'compare' else 'one file'))
    try:
        files = [File(path, a.zero_missing) for path in a.files]
        if a.command == 'dump':
            dump(files[0])
            return 0
        found = {'compare': lambda: compare(files[0], files[1], a.any_version),
                 'against-netcdf4': lambda: against_netcdf4(files[0]),
                 'against-scipy': lambda: against_scipy(files[0])}[a.command]()
        bad = 0
        for sentence in found:
            print(sentence)
            bad += 1
        return 1 if bad else 0
    except ImportError as e:
        print('skipped: %s' % e)
        return 77
    except CdfError as e:
        print(e)
        return 1
    except OSError as e:
        print(e)
        return 2


if __name__ == '__main__':
    sys.exit(main())
