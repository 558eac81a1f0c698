"""What doc/checks.md says of a file: the rules that its header breaks, found by a second parser, written from the
specification and that table and sharing nothing with the library.

    table = Table('doc/checks.md')
    rules, end = broken(data)               # ['ABSENT', 'VSIZE', ...] as a reader meets them; where the header ends
    table.code(rules, 'write'), table.code(rules, 'read'), table.found(rules)
"""
import re, unicodedata

SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 6: 8, 7: 1, 8: 2, 9: 4, 10: 8, 11: 8}
MAX = 2 ** 63 - 1
NAME = re.compile(r'[a-zA-Z0-9_\u0080-\U0010ffff][^\x00-\x1f/\x7f]*')


def padded(n):
    return (n + 3) // 4 * 4


class Table:
    """The rows of doc/checks.md."""

    def __init__(self, path):
        self.write, self.read, self.severity = {}, {}, {}
        with open(path, encoding='utf-8') as f:
            for line in f:
                cells = [c.strip().strip('`') for c in line.strip().strip('|').split('|')]
                if len(cells) == 6 and cells[2].isupper():
                    assert cells[2] not in self.write, cells[2]
                    self.write[cells[2]], self.read[cells[2]], self.severity[cells[2]] = cells[3:]

    def code(self, rules, how):
        """Of an open: the first rule that it minds."""
        special = {'SHORT': 'NC_EFILE', 'HDF5': 'NC_ENOTBUILT', 'CHANGED': 'NC_ERECOVER'}
        for rule in rules:
            code = special.get(rule) or getattr(self, how)[rule]
            if code != 'opens':
                return code
        return 'NC_NOERR'

    def found(self, rules):
        """What `parcdf check` prints, {(severity, rule)}: all, up to what a reading refuses. Those of a second walk,
        which wants a header that reads well, and of the size of the file are not there where one is refused."""
        tolerated = [r for r in rules if r in self.read and self.read[r] == 'opens']
        refused = [r for r in rules if r in self.read and self.read[r] != 'opens']
        if refused:
            second = ('NAME', 'PADDING', 'EMPTY_TAG', 'VSIZE', 'FILL', 'ALIGNMENT', 'STREAMING', 'NO_RECORDS', 'MISSING',
                      'LOST', 'TRAILING', 'GAP')
            tolerated = [r for r in tolerated if r not in second]
        return {(self.severity[r], r) for r in tolerated + refused[:1]}


class Refused(Exception):
    pass


class Header:
    def __init__(self, data):
        self.data, self.at, self.rules = data, 0, []

    def tell(self, rule):
        self.rules.append(rule)

    def refuse(self, rule):
        self.rules.append(rule)
        raise Refused

    @property
    def left(self):
        return len(self.data) - self.at

    def take(self, n):
        if n > self.left:
            self.refuse('TRUNCATED')
        self.at += n
        return self.data[self.at - n:self.at]

    def number(self, width):
        return int.from_bytes(self.take(width), 'big')

    def count(self):
        return self.number(self.wide)

    def padding(self, n):
        if any(self.take(padded(n) - n)):
            self.tell('PADDING')

    # -- the grammar -----------------------------------------------------------------------------------------------
    def parse(self):
        if self.take(4)[:3] != b'CDF':
            self.refuse('MAGIC')
        self.version = self.data[3]
        if self.version not in (1, 2, 5):
            self.refuse('VERSION')
        self.wide, self.far = 8 if self.version == 5 else 4, 4 if self.version == 1 else 8
        self.top = 2 ** (8 * self.wide - 1) - 1  # of a NON_NEG
        numrecs = self.count()
        self.streaming = numrecs == 2 ** (8 * self.wide) - 1
        if not self.streaming and numrecs > self.top:
            self.refuse('NUMRECS')
        self.numrecs = 0 if self.streaming else numrecs
        self.dims = []  # (name, length)
        for _ in range(self.list(10, 2 * self.wide, 'MANY_DIMS')):
            self.dim()
        self.atts(None)
        self.vars = []
        for _ in range(self.list(11, 4 * self.wide + 8 + self.far, 'MANY_VARS')):
            self.var()
        self.end = self.at
        self.places()
        self.sizes()

    def list(self, tag, least, many):
        found, n = self.number(4), self.count()
        if n == 0 and found:
            self.tell('EMPTY_TAG' if found == tag else 'ABSENT')
        if n and found != tag:
            self.refuse('TAG')
        if n > 2 ** 31 - 1:
            self.refuse(many)
        if n > self.left // least:
            self.refuse('LONG_LIST')
        return n

    def name(self):
        n = self.count()
        if n == 0:
            self.tell('EMPTY_NAME')
        if n > 256:
            self.refuse('LONG_NAME')
        raw = self.take(n)
        at = len(self.rules)
        self.padding(n)
        if b'\0' in raw:
            self.rules.insert(at, 'NUL_IN_NAME')
            raw = raw[:raw.index(0)]
        try:
            text = raw.decode('utf-8')
            good = NAME.fullmatch(text) and not text.endswith(' ') and unicodedata.normalize('NFC', text) == text
        except UnicodeDecodeError:
            good = False
        if not good:
            self.tell('NAME')
        return raw

    def dim(self):
        name, length = self.name(), self.count()
        if length > (self.top if self.version == 5 else 2 ** 32 - 4):
            self.refuse('DIM_LENGTH')
        if length > self.top:
            self.tell('LONG_DIM')
        if length == 0 and any(n == 0 for _, n in self.dims):
            self.refuse('TWO_UNLIMITED')
        if any(name == other for other, _ in self.dims):
            self.tell('DIM_TWICE')
        self.dims.append((name, length))

    def type(self, rule):
        t = self.number(4)
        if t not in SIZES:
            self.refuse(rule)
        if t > 6 and self.version != 5:
            self.refuse('LATER_TYPE')
        return t

    def atts(self, fills):
        """fills: a list that takes (type, number of values) of each _FillValue."""
        names = set()
        for _ in range(self.list(12, 2 * self.wide + 4, 'MANY_ATTS')):
            name, t, n = self.name(), self.type('ATT_TYPE'), self.count()
            if n > self.left // SIZES[t]:
                self.refuse('LONG_ATT')
            self.take(n * SIZES[t])
            self.padding(n * SIZES[t])
            if name in names:
                self.tell('ATT_TWICE')
            names.add(name)
            if fills is not None and name == b'_FillValue':
                fills.append((t, n))

    def var(self):
        name, rank = self.name(), self.count()
        if rank > 2 ** 31 - 1:
            self.refuse('MANY_DIMIDS')
        if rank > self.left // self.wide:
            self.refuse('LONG_DIMIDS')
        ids = [self.count() for _ in range(rank)]
        if any(i >= len(self.dims) for i in ids):
            self.refuse('DIMID')
        shape = [self.dims[i][1] for i in ids]
        if 0 in shape[1:]:
            self.refuse('UNLIMITED_POSITION')
        fills = []
        self.atts(fills)
        t, stored, begin = self.type('VAR_TYPE'), self.count(), self.number(self.far)
        if any(name == other['name'] for other in self.vars):
            self.tell('VAR_TWICE')
        record, size = shape[:1] == [0], SIZES[t]
        for length in shape[record:]:
            size *= length
        if padded(size) > MAX:
            self.refuse('VAR_SIZE')
        if any(f != (t, 1) for f in fills):
            self.tell('FILL')
        vsize = padded(size)
        if stored != (vsize if self.version == 5 or vsize <= 2 ** 32 - 4 else 2 ** 32 - 1):
            self.tell('VSIZE')
        self.begin(begin, size, record)
        self.vars.append(dict(name=name, size=size, begin=begin, record=record, end=begin + size))

    # -- where the data lies ---------------------------------------------------------------------------------------
    def begin(self, begin, size, record):
        if begin > (2 ** 31 - 1 if self.version == 1 else MAX):
            self.refuse('BEGIN_RANGE')
        if begin + size > MAX:
            self.refuse('VAR_END')
        if begin % 4:
            self.tell('ALIGNMENT')
        if any(v['end'] > begin for v in self.vars if v['record'] == record):
            self.tell('VAR_ORDER')

    def too_large(self):
        """SPEC: at most one variable, the last fixed one without records or the last of a record, is over the limit."""
        limit = {1: 2 ** 31 - 4, 2: 2 ** 32 - 4, 5: MAX}[self.version]
        fixed = [padded(v['size']) > limit for v in self.vars if not v['record']]
        record = [padded(v['size']) > limit for v in self.vars if v['record']]
        return any(fixed[:-1]) or any(record[:-1]) or bool(any(fixed) and record)

    def places(self):
        fixed, record = ([v for v in self.vars if v['record'] == r] for r in (False, True))
        if any(v['begin'] < self.at for v in self.vars):
            self.refuse('BEGIN_IN_HEADER')
        if fixed and record and min(v['begin'] for v in record) < max(v['end'] for v in fixed):
            self.tell('SECTION_ORDER')
        self.recsize = record[0]['size'] if len(record) == 1 else sum(padded(v['size']) for v in record)
        if self.too_large() or self.recsize > MAX or sum(padded(v['size']) for v in fixed) > MAX:
            self.refuse('SIZES')
        first = min((v['begin'] for v in record), default=0)
        last = max((v['end'] for v in record), default=0)
        if last - first > self.recsize:
            self.refuse('RECORD_OVERLAP')
        if self.streaming:
            self.tell('STREAMING')
            if record and len(self.data) >= last and self.recsize:
                self.numrecs = min(1 + (len(self.data) - last) // self.recsize, self.top)
        if record and self.numrecs and last + self.numrecs * self.recsize > MAX:
            self.refuse('RECORDS_END')
        if 'VAR_ORDER' in self.rules or 'SECTION_ORDER' in self.rules:
            self.overlaps(fixed, record)
        self.fixed, self.record, self.first, self.last = fixed, record, first, last

    def overlaps(self, fixed, record):
        spans = []
        for section in (record, fixed):
            spans = sorted((v['begin'], v['end']) for v in section if v['size'])
            if any(b[0] < a[1] for a, b in zip(spans, spans[1:])):
                self.refuse('OVERLAP')
        if not record:
            return
        first = min(v['begin'] for v in record)
        end = max((v['end'] for v in record), default=0) + (self.numrecs - 1) * self.recsize if self.numrecs else first
        end = MAX if self.streaming else end
        if first < end and any(b < end and e > first for b, e in spans):
            self.refuse('OVERLAP')

    # -- what the size of the file says ----------------------------------------------------------------------------
    def sizes(self):
        size, n = len(self.data), self.numrecs
        if n and not self.record and not self.streaming:
            self.tell('NO_RECORDS')
        at = self.end
        for v in sorted(self.vars, key=lambda v: v['begin']):
            if v['begin'] > at:
                self.tell('GAP')
            at = v['begin'] + padded(v['size'])
        data_end = max([self.end] + [v['end'] for v in self.fixed])
        if any(v['end'] > size for v in self.fixed):
            self.tell('MISSING')
        if self.record and n:
            data_end = max(data_end, self.last + (n - 1) * self.recsize)
            if size < data_end:
                there, rest = divmod(max(0, size - self.first), self.recsize)
                self.tell('LOST' if there + (rest > 0) < n else 'MISSING')
        limit = padded(data_end)
        if self.record:
            limit = max(limit, self.first)
        if size > limit:
            self.tell('TRAILING')


def broken(data):
    """The rules that `data` breaks, and where its header ends (None where it has none)."""
    h = Header(data)
    early = []
    if len(data) < 8:
        early = ['SHORT']
    elif data[:3] == b'CDF' and data[3] & 0x80:
        early = ['CHANGED']
    elif data[:8] == b'\x89HDF\r\n\x1a\n':
        early = ['HDF5']
    try:
        h.parse()
    except Refused:
        pass
    return early + h.rules, getattr(h, 'end', None)
