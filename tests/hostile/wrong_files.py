"""Hostile files, the same ones each time: named ones, each of a kind that some reader crashed on, hung at or believed,
and for each version sound files with every number of the header set to values that hurt, cut at every place, with
bytes behind, and with two or three numbers wrong at once.

    for name, data in wrong_files.files(version, n): ...        n: of the last kind
"""
import os, random, struct, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build

HERE = os.path.dirname(os.path.abspath(__file__))
TX = [('t', 0), ('x', 3)]
A = ('a', 3, ['x'], [])
R = ('r', 1, ['t', 'x'], [])
S = ('s', 4, ['t'], [])
BIG, MAX = 2 ** 31 - 1, 2 ** 63 - 1
NUMBERS = ('numrecs', ':tag', ':nelems', ':namelen', ':length', ':ndims', ':type', ':vsize', ':begin')


def build(version, dims=TX, vars=(A,), **more):
    return Build(version, dims=dims, vars=list(vars), **more)


def sound(version):
    """Valid files of different shapes, small."""
    latest = 11 if version == 5 else 6
    yield 'empty', Build(version)
    yield 'dims', build(version, vars=[])
    yield 'fixed', build(version, vars=[A, ('b', 6, [], [('_FillValue', 6, [1])])], atts=[('q', 2, b'hello'), ('n', 4, [])])
    yield 'record', build(version, vars=[A, R], numrecs=3)
    yield 'records', build(version, vars=[('c', latest, ['x'], []), R, S], numrecs=2, align=512, atts=[('q', 3, [1, 2, 3])])


def named(version):
    """(check of doc/checks.md and what is wrong, file)"""
    top, wide = (MAX, 8) if version == 5 else (BIG, 4)
    ones = 2 ** (8 * wide) - 1
    b = lambda **more: build(version, **more)
    rec = dict(vars=[R, S], numrecs=3)
    yield '01_magic', b(put={'magic': b'HDF'})
    yield '01_version_0', b(put={'version': 0})
    yield '01_version_3', b(put={'version': 3})
    yield '01_version_guard', b(put={'version': 0x80 + version})
    yield '03_data_missing', b(data=False)
    yield '03_numrecs_a_billion', b(vars=[R, S], numrecs=2, put={'numrecs': 10 ** 9})
    yield '03_record_cut', b(vars=[R, S], numrecs=2, put={'numrecs': 3}, tail=b'abc')
    yield '04_streaming', b(put={'numrecs': ones}, **rec)
    yield '04_streaming_no_records', b(put={'numrecs': ones})
    yield '04_streaming_cut', b(vars=[R, S], numrecs=2, put={'numrecs': ones}, tail=b'abc')
    yield '05_numrecs_negative', b(put={'numrecs': top + 1}, **rec)
    yield '05_numrecs_minus_2', b(put={'numrecs': ones - 1}, **rec)
    yield '06_tag_of_another_list', b(put={'dims:tag': 12})
    yield '06_tag_0_with_elements', b(put={'vars:tag': 0})
    yield '06_tag_wrong_and_empty', b(put={'atts:tag': 11})
    yield '06_tag_right_and_empty', b(put={'atts:tag': 12})
    yield '07_dims_2_31', b(put={'dims:nelems': BIG})
    yield '07_dims_ones', b(put={'dims:nelems': ones})
    yield '07_atts_2_31', b(put={'atts:tag': 12, 'atts:nelems': BIG})
    yield '07_atts_ones', b(put={'atts:tag': 12, 'atts:nelems': ones})
    yield '07_vars_2_31', b(put={'vars:nelems': BIG})
    yield '07_vars_ones', b(put={'vars:nelems': ones})
    yield '08_name_257', b(dims=[('x' * 257, 3)], vars=[])
    yield '08_name_1000', b(dims=[('x' * 1000, 3)], vars=[])
    yield '08_name_256', b(dims=[('x' * 256, 3)], vars=[])
    yield '08_name_2_31', b(put={'dim:x:namelen': BIG})
    yield '09_name_ones', b(put={'dim:x:namelen': ones})
    yield '09_name_ones_but_two', b(put={'var:a:namelen': ones - 2})
    yield '10_name_empty', b(dims=[('', 3)], vars=[])
    yield '10_name_slash', b(dims=[('a/b', 3)], vars=[])
    yield '10_name_dot_dot', b(atts=[('../../x', 4, [1])])
    yield '10_name_control', b(vars=[('a\x1b[2J', 3, ['x'], [])])
    yield '10_name_nul', b(dims=[('x\0y', 3)], vars=[])
    yield '10_name_only_nul', b(vars=[('\0\0', 3, ['x'], [])])
    yield '10_name_space_at_end', b(dims=[('a ', 3)], vars=[])
    yield '11_name_not_utf8', b(vars=[(b'\xc3\x28', 3, ['x'], [])])
    yield '11_name_overlong', b(dims=[(b'a\xc0\x80', 3)], vars=[])
    yield '11_name_surrogate', b(dims=[(b'a\xed\xa0\x80', 3)], vars=[])
    yield '11_name_not_nfc', b(atts=[('e\u0301', 4, [1])])
    yield '12_dim_twice', b(put={'dim:x:name': b't'})
    yield '12_att_twice', b(atts=[('p', 4, [1]), ('q', 4, [2])], put={'atts:q:name': b'p'})
    yield '12_var_twice', b(vars=[A, ('b', 3, ['x'], [])], put={'var:b:name': b'a'})
    yield '12_nul_makes_twice', b(dims=[('x\0a', 3), ('x\0b', 4)], vars=[])
    yield '13_padding_of_name', b(put={'dim:x:name:pad': b'\0\7\0'})
    yield '13_padding_of_att', b(atts=[('q', 2, b'hi')], put={'atts:q:pad': b'\0\xff'})
    yield '14_two_unlimited', b(put={'dim:x:length': 0})
    yield '15_unlimited_second', b(vars=[('a', 3, ['x', 't'], [])])
    yield '15_unlimited_twice', b(vars=[('a', 3, ['t', 't'], [])])
    yield '16_dimid_2', b(put={'var:a:dimid:0': 2})
    yield '16_dimid_ones', b(put={'var:a:dimid:0': ones})
    yield '17_ndims_ones', b(put={'var:a:ndims': ones})
    yield '17_ndims_2_31', b(put={'var:a:ndims': BIG})
    yield '17_ndims_1025', b(vars=[('a', 1, ['one'] * 1025, [])], dims=[('one', 1)])
    yield '18_dim_negative', b(put={'dim:x:length': top + 1})
    yield '18_dim_ones', b(put={'dim:x:length': ones})
    yield '18_dim_largest', b(put={'dim:x:length': top})
    yield '19_product_wraps', b(dims=[('x', top)], vars=[('a', 6, ['x'] * 4, [])], data=False)
    yield '19_product_wraps_to_0', b(dims=[('x', 2 ** 30)], vars=[('a', 4, ['x'] * 3, [])], data=False)
    yield '20_var_type_0', b(put={'var:a:type': 0})
    yield '20_var_type_12', b(put={'var:a:type': 12})
    yield '20_var_type_ones', b(put={'var:a:type': 2 ** 32 - 1})
    yield '20_var_type_7', b(put={'var:a:type': 7})
    yield '20_var_type_11', b(put={'var:a:type': 11})
    yield '20_att_type_0', b(atts=[('q', 4, [1])], put={'atts:q:type': 0})
    yield '20_att_type_12', b(atts=[('q', 4, [1])], put={'atts:q:type': 12})
    yield '21_att_2_61', b(atts=[('q', 6, [1])], put={'atts:q:nelems': 2 ** 61 if version == 5 else 2 ** 29})
    yield '21_att_ones', b(atts=[('q', 4, [1])], put={'atts:q:nelems': ones})
    yield '22_att_long', b(atts=[('q', 4, [1])], put={'atts:q:nelems': 1000})
    yield '23_begin_0', b(put={'var:a:begin': 0})
    yield '23_begin_in_header', b(put={'var:a:begin': 40})
    yield '23_begin_odd', b(put={'var:a:begin': 201}, tail=bytes(200))
    yield '24_begin_2_31', b(put={'var:a:begin': BIG + 1})
    yield '24_begin_negative', b(put={'var:a:begin': 2 ** (31 if version == 1 else 63)})
    yield '25_end_wraps', b(put={'var:a:begin': BIG - 3 if version == 1 else MAX - 3})
    yield '26_order', b(vars=[A, ('b', 3, ['x'], [])], put={'var:a:begin': 400, 'var:b:begin': 392}, tail=bytes(300))
    yield '26_same_place', b(vars=[A, ('b', 3, ['x'], [])], put={'var:a:begin': 400, 'var:b:begin': 400}, tail=bytes(300))
    yield '26_overlap', b(vars=[A, ('b', 3, ['x'], [])], put={'var:a:begin': 400, 'var:b:begin': 404}, tail=bytes(300))
    yield '26_records_first', b(vars=[A, R], numrecs=1, put={'var:a:begin': 400, 'var:r:begin': 392}, tail=bytes(300))
    yield '26_records_over_fixed', b(vars=[A, R], numrecs=4, put={'var:a:begin': 400, 'var:r:begin': 392}, tail=bytes(300))
    yield '26_record_order', b(vars=[R, S], numrecs=2, put={'var:s:begin': 400, 'var:r:begin': 404}, tail=bytes(300))
    yield '26_record_too_long', b(vars=[R, S], numrecs=2, put={'var:r:begin': 400, 'var:s:begin': 408}, tail=bytes(300))
    yield '27_vsize_0', b(put={'var:a:vsize': 0})
    yield '27_vsize_ones', b(put={'var:a:vsize': ones})
    yield '28_records_wrap', b(put={'numrecs': top}, **rec)
    yield '28_recsize_large', b(dims=[('t', 0), ('x', top)], vars=[('r', 1, ['t', 'x'], []), S], data=False)
    yield '29_large_not_last', b(dims=[('x', BIG)], vars=[('a', 6, ['x'], []), ('b', 4, [], [])], data=False)
    yield '29_large_last', b(dims=[('x', BIG)], vars=[('b', 4, [], []), ('a', 6, ['x'], [])], data=False)
    yield '29_large_fixed_and_records', b(dims=[('t', 0), ('x', BIG)], vars=[('a', 6, ['x'], []), S], data=False)
    yield '32_fill_type', b(vars=[('a', 3, ['x'], [('_FillValue', 4, [1])])])
    yield '32_fill_two', b(vars=[('a', 3, ['x'], [('_FillValue', 3, [1, 2])])])
    yield '32_fill_none', b(vars=[('a', 3, ['x'], [('_FillValue', 3, [])])])
    yield '33_data_but_no_variable', b(vars=[], tail=b'data')
    yield '33_trailing', b(tail=b'garbage garbage')


def values(old, width, n):
    """What a number of `width` bytes of a file of n bytes is set to."""
    out = {0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 16, 100, 255, 256, 257, 1024, 1025, n, n - 1, n // 4, n // 8, old + 1,
           old - 1, old + 4, old * 2, 2 ** 16, 2 ** 29, 2 ** 30, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + old, 2 ** 32 - 4, 2 ** 32 - 1,
           2 ** 32 + old, 2 ** 61, 2 ** 61 + 1, 2 ** 62, 2 ** 63 - 4, 2 ** 63 - 1, 2 ** 63, 2 ** 63 + old, 2 ** 64 - 4,
           2 ** 64 - 2, 2 ** 64 - 1}
    return sorted({v % 2 ** (8 * width) for v in out} - {old})


def numbers(b):
    """(label, offset, width) of each number of the header."""
    for label, at in b.at.items():
        if label == 'version' or label.endswith(NUMBERS) or ':dimid:' in label:
            width = 1 if label == 'version' else 4 if label.endswith((':tag', ':type')) else \
                b.offset_width if label.endswith(':begin') else b.wide
            yield label, at, width


def with_number(data, at, width, value):
    return data[:at] + struct.pack('>Q', value)[8 - width:] + data[at + width:]


def changed(version):
    """Every number of the sound files, every value."""
    for shape, b in sound(version):
        data = bytes(b.bytes)
        for label, at, width in numbers(b):
            old = int.from_bytes(data[at:at + width], 'big')
            for v in values(old, width, len(data)):
                yield '%s_%s_%x' % (shape, label.replace(':', '-'), v), with_number(data, at, width, v)


def cut(version):
    for shape, b in sound(version):
        data = bytes(b.bytes)
        for n in list(range(b.header_size)) + list(range(b.header_size, len(data), 5)):
            yield '%s_cut_%d' % (shape, n), data[:n]


def mixed(version, n):
    """Two or three numbers at once, and now and then a byte anywhere."""
    rng, shapes = random.Random(1000 + version), [(s, b, bytes(b.bytes), list(numbers(b))) for s, b in sound(version)]
    for i in range(n):
        shape, b, data, places = rng.choice(shapes)
        for _ in range(rng.choice((2, 2, 3))):
            _, at, width = rng.choice(places)
            old = int.from_bytes(data[at:at + width], 'big')
            data = with_number(data, at, width, rng.choice(values(old, width, len(data))[:20]))
        if rng.random() < 0.3:
            at = rng.randrange(4, b.header_size)
            data = with_number(data, at, 1, rng.randrange(256))
        yield '%s_mixed_%d' % (shape, i), data


def found():
    """What fuzzing found: the files of the folder found/."""
    folder = os.path.join(HERE, 'found')
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        with open(os.path.join(folder, name), 'rb') as f:
            yield name, f.read()


def files(version, n):
    for name, b in named(version):
        yield name, bytes(b.bytes)
    yield from changed(version)
    yield from cut(version)
    yield from mixed(version, n)
