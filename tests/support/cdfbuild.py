"""Builds netCDF classic files byte by byte for tests, good ones and ones broken in one chosen place.

    b = Build(1, numrecs=2, dims=[('t', 0), ('x', 3)], atts=[('title', 2, b'hi')],
              vars=[('a', 3, ['x'], []), ('r', 1, ['t', 'x'], [('_FillValue', 1, [5])])],
              put={'var:a:vsize': 8, 'dim:x:name:pad': b'\\1'})
    b.bytes, b.at['var:a:vsize']

A file is one flat list of labelled fields; `put` replaces the value of a field (a number keeps its width; bytes
replace the field as it is), `drop` leaves fields out. `at` says where each field stands.
"""
import struct

SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 6: 8, 7: 1, 8: 2, 9: 4, 10: 8, 11: 8}
LETTERS = {1: 'b', 3: 'h', 4: 'i', 5: 'f', 6: 'd', 7: 'B', 8: 'H', 9: 'I', 10: 'q', 11: 'Q'}


def padded(n):
    return (n + 3) // 4 * 4


class Build:
    def __init__(self, version, numrecs=0, dims=(), atts=(), vars=(), put=None, drop=(), data=True, align=4,
                 tail=b''):
        self.version, self.put, self.drop, self.at, self.align = version, put or {}, set(drop), {}, align
        self.wide = 8 if version == 5 else 4
        self.offset_width = 4 if version == 1 else 8
        self.dims, self.vars, self.numrecs = list(dims), list(vars), numrecs
        self.place({})
        size = len(self.header(atts))
        self.place(self.begins(size))
        header = self.header(atts)
        self.header_size = len(header)
        self.bytes = header + tail
        if data:
            body = bytes(range(1, 251)) * (1 + (self.end - size) // 250)
            self.bytes = header + bytes(self.first - size) + body[:max(0, self.end - self.first)] + tail

    # -- layout ----------------------------------------------------------------------------------------------------
    def slab(self, var):
        n = SIZES.get(var[1], 4)
        for d in var[2]:
            n *= dict(self.dims).get(d, 1) or 1
        return n

    def is_record(self, var):
        return bool(var[2]) and dict(self.dims).get(var[2][0]) == 0

    def begins(self, size):
        at = self.first = (size + self.align - 1) // self.align * self.align if self.vars else size
        out = {}
        for v in [v for v in self.vars if not self.is_record(v)]:
            out[v[0]], at = at, at + padded(self.slab(v))
        records = [v for v in self.vars if self.is_record(v)]
        self.begin_rec = at
        for v in records:
            out[v[0]], at = at, at + padded(self.slab(v))
        self.recsize = self.slab(records[0]) if len(records) == 1 else at - self.begin_rec
        self.end = padded(self.begin_rec + self.recsize * self.numrecs)
        return out

    def place(self, begins):
        self.begin = begins

    # -- fields ----------------------------------------------------------------------------------------------------
    def field(self, label, value, width=0):
        self.at[label] = len(self.out)
        if label in self.drop:
            return
        value = self.put.get(label, value)
        if isinstance(value, int):
            value = struct.pack('>Q', value % 2 ** 64)[8 - width:]
        self.out += value

    def count(self, label, n):
        self.field(label, n, self.wide)

    def name(self, label, name):
        raw = name if isinstance(name, bytes) else name.encode()
        self.count(label + ':namelen', len(raw))
        self.field(label + ':name', raw)
        self.field(label + ':name:pad', bytes(padded(len(raw)) - len(raw)))

    def list(self, label, tag, items):
        self.field(label + ':tag', tag if items else 0, 4)
        self.count(label + ':nelems', len(items))

    def atts(self, label, atts):
        self.list(label, 12, atts)
        for name, type_, values in atts:
            a = '%s:%s' % (label, name)
            raw = bytes(values) if type_ == 2 else struct.pack('>%d%s' % (len(values), LETTERS.get(type_, 'i')), *values)
            self.name(a, name)
            self.field(a + ':type', type_, 4)
            self.count(a + ':nelems', len(values))
            self.field(a + ':values', raw)
            self.field(a + ':pad', bytes(padded(len(raw)) - len(raw)))

    def header(self, atts):
        self.out = bytearray()
        self.field('magic', b'CDF')
        self.field('version', self.version, 1)
        self.count('numrecs', self.numrecs)
        self.list('dims', 10, self.dims)
        for name, length in self.dims:
            self.name('dim:%s' % name, name)
            self.count('dim:%s:length' % name, length)
        self.atts('atts', atts)
        self.list('vars', 11, self.vars)
        names = [d[0] for d in self.dims]
        for v in self.vars:
            name, type_, dims, vatts = v
            label = 'var:%s' % name
            self.name(label, name)
            self.count(label + ':ndims', len(dims))
            for i, d in enumerate(dims):
                self.count('%s:dimid:%d' % (label, i), d if isinstance(d, int) else names.index(d))
            self.atts(label + ':atts', vatts)
            self.field(label + ':type', type_, 4)
            vsize = padded(self.slab(v))
            self.count(label + ':vsize', vsize if self.version == 5 or vsize <= 2 ** 32 - 4 else 2 ** 32 - 1)
            self.field(label + ':begin', self.begin.get(name, 0), self.offset_width)
        return bytes(self.out)
