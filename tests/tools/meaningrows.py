"""The rows of meaning_test.py: what attributes say of stored numbers. See row().

Rules, by the names that the rows use:
  TYPE   CF 1.11 2.5.1, NUG Appendix B: _FillValue and missing_value have the type of the variable. One of another type counts as
         the value of the variable's type that it is; a double beside floats as the float nearest to it, as netCDF-C converts it
  NONE   a number that the type does not have, and a text, stand for no value
  FILL   NUG: without _FillValue, that of the type is the fill value; types of one byte have none
  SEVERAL CF 1.11 2.5.1: missing_value may be a vector
  LIMIT  NUG: what lies below valid_min, above valid_max or outside of valid_range is missing; valid_range comes first
  ROUND  a limit of floats is rounded to a float, as they are
  PACKED NUG valid_range: of the type of scale_factor and add_offset, wider than that of the variable: limits of unpacked values;
         else, as _FillValue and missing_value (CF 2.5.1), of stored ones
  MIXED  of two limits each follows PACKED by itself: of stored numbers or of values, compared as floats or as doubles
  SIGN   NUG Appendix B _Unsigned; CF 1.11 2.2: a byte with limits such as 0, 255 is unsigned
  PACK   CF 1.11 8.1: stored * scale_factor + add_offset
  ACTUAL CF 1.11 2.5.1: actual_range says what there is, and makes nothing missing
  IMPLIED NUG: "if valid limits are not defined, the fill value implies one". Nobody applies it, so nor do we
"""
from collections import namedtuple

N = None  # missing
BYTE, CHAR, SHORT, INT, FLOAT, DOUBLE, UBYTE, USHORT, UINT, INT64, UINT64 = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
CODES = dict(i1=BYTE, S1=CHAR, i2=SHORT, i4=INT, f4=FLOAT, f8=DOUBLE, u1=UBYTE, u2=USHORT, u4=UINT, i8=INT64, u8=UINT64)
NAN, INF = float('nan'), float('inf')
Row = namedtuple('Row', 'name type atts stored values rule judges')
ROWS = []


def row(rule, type, stored, values, **atts):
    """rule: as above; type: of the variable; stored: its four numbers; values: what they mean, N is missing; atts, by the short
    names below: (type, numbers...), a text, a number of the variable's type, or a list of these."""
    names = {'fill': '_FillValue', 'miss': 'missing_value', 'sign': '_Unsigned', 'lo': 'valid_min', 'hi': 'valid_max', 'range': 'valid_range',
             'scale': 'scale_factor', 'off': 'add_offset', 'actual': 'actual_range'}
    made = []
    for key, value in atts.items():
        if isinstance(value, str):
            made.append((names[key], CHAR, value.encode()))
        elif isinstance(value, tuple):
            made.append((names[key], CODES[value[0]], list(value[1:])))
        else:
            made.append((names[key], CODES[type], value if isinstance(value, list) else [value]))
    ROWS.append(Row('v%03d_%s' % (len(ROWS), rule.lower()), type, made, stored, values, rule, ''))


F01 = 0.10000000149011612  # 0.1f
D4 = 9.969209968386869e36  # the fill value of floats and doubles

# ---- _FillValue and missing_value of another type (netcdf-c #3038, #1766, #1151)
for key in ('fill', 'miss'):
    row('TYPE', 'f4', [1, -9999, 3, 4], [1, N, 3, 4], **{key: -9999})
    row('TYPE', 'f4', [1, -9999, 3, 4], [1, N, 3, 4], **{key: ('f8', -9999)})
    row('TYPE', 'f4', [1, -9999, 3, 4], [1, N, 3, 4], **{key: ('i4', -9999)})
    row('TYPE', 'f4', [1, -999, 3, 4], [1, N, 3, 4], **{key: ('i2', -999)})
    row('TYPE', 'f4', [1, 1e20, 3, 4], [1, N, 3, 4], **{key: ('f8', 1e20)})
    row('TYPE', 'f4', [1, -99.9, 3, 4], [1, N, 3, 4], **{key: ('f8', -99.9)})
    row('NONE', 'f4', [1, 3.4028234663852886e38, 3, 4], [1, 3.4028234663852886e38, 3, 4], **{key: ('f8', 1e300)})
    row('TYPE', 'f8', [1, -9999, 3, 4], [1, N, 3, 4], **{key: ('f4', -9999)})
    row('TYPE', 'f8', [1, -9999, 3, 4], [1, N, 3, 4], **{key: ('i4', -9999)})
    row('TYPE', 'f8', [1, 1e20, 1.00000002004087734272e20, 4], [1, 1e20, N, 4], **{key: ('f4', 1e20)})
    row('TYPE', 'i2', [1, -999, 3, 4], [1, N, 3, 4], **{key: ('i4', -999)})
    row('TYPE', 'i2', [1, -999, 3, 4], [1, N, 3, 4], **{key: ('f8', -999)})
    row('TYPE', 'i2', [1, -999, 3, 4], [1, N, 3, 4], **{key: ('f4', -999)})
    row('TYPE', 'i2', [1, 77, 3, 4], [1, N, 3, 4], **{key: ('i1', 77)})
    row('NONE', 'i2', [1, -1, 3, 4], [1, -1, 3, 4], **{key: ('i4', 65535)})
    row('NONE', 'i2', [1, 0, 3, -32768], [1, 0, 3, -32768], **{key: ('f8', 1e20)})
    row('NONE', 'i2', [1, 5, 3, 4], [1, 5, 3, 4], **{key: ('f8', 5.5)})
    row('NONE', 'i2', [1, 0, 3, 4], [1, 0, 3, 4], **{key: ('f4', NAN)})
    row('TYPE', 'i4', [1, -9999, 3, 4], [1, N, 3, 4], **{key: ('f8', -9999)})
    row('TYPE', 'i4', [1, -999, 3, 4], [1, N, 3, 4], **{key: ('i2', -999)})
    row('NONE', 'i4', [1, -2147483648, 0, 4], [1, -2147483648, 0, 4], **{key: ('f4', -1e20)})
    row('TYPE', 'i1', [1, -99, 3, 4], [1, N, 3, 4], **{key: ('i4', -99)})
    row('TYPE', 'i1', [1, -99, 3, 4], [1, N, 3, 4], **{key: ('f8', -99)})
    row('NONE', 'i1', [1, -1, 3, 4], [1, -1, 3, 4], **{key: ('i2', 255)})
    row('TYPE', 'u1', [1, 255, 3, 4], [1, N, 3, 4], **{key: ('i2', 255)})
    row('NONE', 'u1', [1, 255, 3, 4], [1, 255, 3, 4], **{key: ('i1', -1)})
    row('TYPE', 'u2', [1, 65534, 3, 4], [1, N, 3, 4], **{key: ('i4', 65534)})
    row('NONE', 'u2', [1, 65534, 3, 4], [1, 65534, 3, 4], **{key: ('i2', -2)})
    row('TYPE', 'i8', [1, -9999, 3, 4], [1, N, 3, 4], **{key: ('f8', -9999)})
    row('TYPE', 'i8', [2 ** 53, 2 ** 53 + 1, 3, 4], [N, 2 ** 53 + 1, 3, 4], **{key: ('f8', 2.0 ** 53)})
    row('NONE', 'i8', [1, 2 ** 63 - 1, 3, 4], [1, 2 ** 63 - 1, 3, 4], **{key: ('f8', 2.0 ** 63)})
    row('TYPE', 'u8', [1, 2 ** 63, 3, 4], [1, N, 3, 4], **{key: ('f8', 2.0 ** 63)})
    row('NONE', 'u8', [1, 2 ** 64 - 1, 3, 4], [1, 2 ** 64 - 1, 3, 4], **{key: ('i4', -1)})
    row('TYPE', 'f4', [1, NAN, 3, 4], [1, N, 3, 4], **{key: NAN})
    row('TYPE', 'f4', [1, NAN, 3, 4], [1, N, 3, 4], **{key: ('f8', NAN)})
    row('TYPE', 'f8', [1, NAN, 3, 4], [1, N, 3, 4], **{key: ('f4', NAN)})
    row('TYPE', 'f4', [1, INF, 3, 4], [1, N, 3, 4], **{key: ('f8', INF)})
    row('TYPE', 'f4', [1, 0, -0.0, 4], [1, N, N, 4], **{key: ('i4', 0)})
    row('TYPE', 'i2', [1, 0, 3, 4], [1, N, 3, 4], **{key: 0})
    row('NONE', 'f4', [1, -9999, 3, 4], [1, -9999, 3, 4], **{key: '-9999'})
    row('NONE', 'i2', [1, -999, 3, 4], [1, -999, 3, 4], **{key: '-999'})
    row('NONE', 'f4', [1, 2, 3, 4], [1, 2, 3, 4], **{key: 'none'})
    row('NONE', 'i2', [1, 2, 3, 4], [1, 2, 3, 4], **{key: ('f8',)})
# ---- the fill values of types
row('FILL', 'f4', [1, D4, 3, 4], [1, N, 3, 4])
row('FILL', 'f8', [1, D4, 3, 4], [1, N, 3, 4])
row('FILL', 'i2', [1, -32767, 3, 4], [1, N, 3, 4])
row('FILL', 'i4', [1, -2147483647, 3, 4], [1, N, 3, 4])
row('FILL', 'i8', [1, -9223372036854775806, 3, 4], [1, N, 3, 4])
row('FILL', 'u2', [1, 65535, 3, 4], [1, N, 3, 4])
row('FILL', 'u4', [1, 4294967295, 3, 4], [1, N, 3, 4])
row('FILL', 'u8', [1, 18446744073709551614, 3, 4], [1, N, 3, 4])
row('FILL', 'i1', [1, -127, 3, 4], [1, -127, 3, 4])
row('FILL', 'u1', [1, 255, 3, 4], [1, 255, 3, 4])
row('FILL', 'i1', [1, -127, 3, 4], [1, N, 3, 4], fill=-127)
row('FILL', 'i2', [1, -32767, -1, 4], [1, N, N, 4], miss=-1)
row('FILL', 'i2', [1, -32767, -1, 4], [1, -32767, N, 4], fill=-1)
row('FILL', 'i2', [1, -32767, 3, 4], [1, N, 3, 4], fill=('f8', 1e20))
row('FILL', 'f4', [1, D4, 3, 4], [1, D4, 3, 4], fill=('f8', -9999))
row('FILL', 'f4', [1, D4, 3, 4], [1, N, 3, 4], fill='-9999')
row('FILL', 'i2', [1, -1, -2, 4], [1, N, N, 4], fill=-1, miss=-2)
row('FILL', 'i2', [1, -1, -2, 4], [1, N, N, 4], fill=('i4', -1), miss=('f8', -2))
row('FILL', 'f4', [1, NAN, -9, 4], [1, N, N, 4], fill=NAN, miss=('f8', -9))
row('FILL', 'f4', [1, NAN, 3, 4], [1, N, 3, 4], fill=-1)
# ---- several values
row('SEVERAL', 'i2', [1, -1, -2, -3], [1, N, N, N], miss=[-1, -2, -3])
row('SEVERAL', 'f4', [1, -99, -999, 4], [1, N, N, 4], miss=('f8', -99, -999))
row('SEVERAL', 'f4', [1, NAN, -999, 4], [1, N, N, 4], miss=[NAN, -999])
row('SEVERAL', 'i4', [1, -1, -2, 4], [1, N, N, 4], miss=('f8', -1, -2))
row('SEVERAL', 'i1', [1, -1, -2, 4], [1, N, N, 4], miss=('i2', -1, -2))
row('SEVERAL', 'u1', [1, 254, 255, 4], [1, N, N, 4], miss=('i4', 254, 255))
row('SEVERAL', 'i2', [1, -1, -2, 4], [1, N, N, 4], miss=('i4', -1, 70000, -2))
row('SEVERAL', 'i2', [40, 39, 3, 41], [N, N, N, 41], miss=list(range(1, 41)))
row('SEVERAL', 'i8', [1, 2 ** 53 + 1, 2 ** 53, 4], [1, N, 2 ** 53, N], miss=[2 ** 53 + 1, 4])
row('SEVERAL', 'f4', [5, 6, -1, 8], [5, 6, N, 8], miss=('f8', -1, 1e300))
# ---- limits
for t in ('i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'f4', 'f8'):
    row('LIMIT', t, [1, 9, 10, 11], [N, 9, 10, N], range=[9, 10])
row('LIMIT', 'i2', [1, 9, 10, 11], [N, 9, 10, 11], lo=9)
row('LIMIT', 'i2', [1, 9, 10, 11], [1, 9, 10, N], hi=10)
row('LIMIT', 'i2', [1, 9, 10, 11], [N, 9, 10, N], lo=9, hi=10)
row('LIMIT', 'i2', [1, 9, 10, 11], [N, 9, 10, N], lo=10, hi=100, range=[9, 10])
row('LIMIT', 'i2', [1, 9, 10, 11], [N, 9, 10, N], range=('i4', 9, 10))
row('LIMIT', 'i2', [1, 9, 10, 11], [N, 9, 10, N], range=('f8', 9, 10))
row('LIMIT', 'i2', [1, 9, 10, 11], [N, 9, 10, N], range=('i1', 9, 10))
row('LIMIT', 'i2', [1, 9, 10, 11], [1, 9, 10, 11], range=('i4', -100000, 100000))
row('LIMIT', 'i2', [1, 9, 10, 11], [N, N, N, N], range=('i4', 100000, 200000))
row('LIMIT', 'i2', [1, 9, 10, 11], [1, 9, 10, N], hi=('f8', 10.5))
row('LIMIT', 'i2', [1, 9, 10, 11], [1, 9, 10, 11], range=[9, 10, 11])
row('LIMIT', 'i2', [1, 9, 10, 11], [1, 9, 10, 11], range='9, 10')
row('LIMIT', 'i2', [1, 9, 10, 11], [1, 9, 10, 11], lo='9')
row('LIMIT', 'f4', [1, 9, NAN, 11], [N, 9, N, N], range=[9, 10])
row('LIMIT', 'f4', [1, 9, 10, 11], [1, 9, 10, N], range=[NAN, 10])
row('LIMIT', 'f4', [1, 9, 10, 11], [1, 9, 10, 11], range=('f8', -1e300, 1e300))
row('LIMIT', 'f8', [1, 9, 10, 11], [N, 9, 10, N], range=('f4', 9, 10))
row('LIMIT', 'f4', [1, 9, 10, 11], [N, 9, 10, N], range=('i4', 9, 10))
row('LIMIT', 'i8', [2 ** 53, 2 ** 53 + 1, 2 ** 53 + 2, 1], [N, 2 ** 53 + 1, 2 ** 53 + 2, N], lo=2 ** 53 + 1)
row('LIMIT', 'i8', [2 ** 53, 2 ** 53 + 1, 2 ** 53 + 2, 1], [2 ** 53, 2 ** 53 + 1, N, 1], hi=2 ** 53 + 1)
row('LIMIT', 'u8', [2 ** 63, 2 ** 63 + 1, 2 ** 63 + 2, 1], [2 ** 63, 2 ** 63 + 1, N, 1], hi=2 ** 63 + 1)
row('LIMIT', 'i2', [1, 9, 10, 11], [N, N, N, N], range=[10, 9])
row('LIMIT', 'i2', [1, -1, 10, 11], [1, N, 10, N], fill=-1, range=[-5, 10])
row('LIMIT', 'i2', [1, -1, 10, 11], [1, N, 10, N], fill=-1, range=[0, 10])
row('ROUND', 'f4', [0.1, 0.2, 0.3, 0.4], [F01, N, N, N], hi=('f8', 0.1))
row('ROUND', 'f4', [0.1, 0.2, 0.3, 0.4], [N, 0.20000000298023224, 0.30000001192092896, 0.4000000059604645], lo=('f8', 0.2))
row('ROUND', 'f4', [0.7, 0.2, 0.3, 0.4], [0.699999988079071, N, N, N], lo=('f8', 0.7))
row('ROUND', 'f4', [0.1, 0.7, 0.3, 0.4], [F01, N, 0.30000001192092896, N], range=('f8', 0.1, 0.3))
row('ROUND', 'f4', [0.1, 0.2, 0.3, 0.4], [F01, N, N, N], hi=0.1)
row('ROUND', 'f8', [0.1, F01, 0.3, 0.4], [0.1, F01, N, N], hi=('f4', 0.1))
row('ROUND', 'f8', [0.1, F01, 0.3, 0.4], [0.1, N, N, N], hi=('f8', 0.1))
row('ACTUAL', 'i2', [1, 9, 10, 11], [1, 9, 10, 11], actual=[9, 10])
row('ACTUAL', 'f4', [1, 9, 10, 11], [1, 9, 10, 11], actual=('f8', 9, 10))
row('ACTUAL', 'i2', [1, 9, 10, 11], [0.5, 4.5, 5, 5.5], actual=('f4', 4.5, 5), scale=('f4', 0.5))
row('ACTUAL', 'i2', [1, 9, 10, 11], [N, 9, 10, 11], actual=[10, 10], lo=9)
row('IMPLIED', 'i2', [100, 99, 98, -5], [100, N, 98, -5], fill=99)
row('IMPLIED', 'f4', [1, -1, -2, 4], [1, N, -2, 4], fill=-1)
row('IMPLIED', 'i1', [100, 127, 98, -5], [100, N, 98, -5], fill=127)
row('IMPLIED', 'f4', [1, 2e36, 9.98e36, 4], [1, 2e36, 9.979999822733242e36, 4])
# ---- packed numbers
F5, D5 = ('f4', 0.5), ('f8', 0.5)
row('PACK', 'i2', [1, 2, 3, 4], [0.5, 1, 1.5, 2], scale=F5)
row('PACK', 'i2', [1, 2, 3, 4], [0.5, 1, 1.5, 2], scale=D5)
row('PACK', 'i2', [1, 2, 3, 4], [11, 12, 13, 14], off=('f8', 10))
row('PACK', 'i2', [1, 2, 3, 4], [10.5, 11, 11.5, 12], scale=F5, off=('f4', 10))
row('PACK', 'i2', [1, 2, 3, 4], [10.5, 11, 11.5, 12], scale=F5, off=('f8', 10))
row('PACK', 'i2', [1, 2, 3, 4], [-0.5, -1, -1.5, -2], scale=('f8', -0.5))
row('PACK', 'i2', [1, 2, 3, 4], [2, 4, 6, 8], scale=('i2', 2))
row('PACK', 'i2', [1, 2, 3, 4], [2, 4, 6, 8], scale=('i4', 2))
row('PACK', 'i1', [1, 2, 3, 4], [10, 12, 14, 16], scale=('i4', 2), off=('i4', 8))
row('PACK', 'f4', [1, 2, 3, 4], [0.5, 1, 1.5, 2], scale=F5)
row('PACK', 'f8', [1, 2, 3, 4], [0.5, 1, 1.5, 2], scale=D5)
row('PACK', 'i4', [1, 2, 3, 4], [0.5, 1, 1.5, 2], scale=D5)
row('PACK', 'i8', [1, 2, 3, 4], [0.5, 1, 1.5, 2], scale=D5)
row('PACK', 'u1', [1, 2, 3, 255], [0.5, 1, 1.5, 127.5], scale=D5)
row('PACK', 'i2', [1, 2, 3, 4], [7, 7, 7, 7], scale=('f8', 0), off=('f8', 7))
row('PACK', 'i2', [1, 2, 3, 4], [1, 2, 3, 4], scale=('f8', 1), off=('f8', 0))
row('PACK', 'i2', [1, 2, 3, 4], [1, 2, 3, 4], scale='none')
row('PACK', 'i2', [1, 2, 3, 4], [1, 2, 3, 4], scale=('f8', 1, 2))
row('PACK', 'i2', [1, 2, 3, 7], [1.100000023841858, 1.2000000476837158, 1.2999999523162842, 1.7000000476837158], scale=('f4', 0.1), off=('f4', 1))
row('PACK', 'i2', [1, 2, 3, 7], [0.1, 0.2, 0.30000000000000004, 0.7000000000000001], scale=('f8', 0.1))
row('PACK', 'i2', [1, -1, 3, 4], [0.5, N, 1.5, 2], scale=F5, fill=-1)
row('PACK', 'i2', [1, -1, 3, 4], [0.5, N, 1.5, 2], scale=F5, fill=('i4', -1))
row('PACK', 'i2', [1, -1, 3, 4], [0.5, N, 1.5, 2], scale=D5, miss=('f8', -1))
row('PACK', 'i2', [1, -1, 3, 4], [0.5, N, 1.5, 2], scale=D5, miss=('f4', -1))
row('PACK', 'i2', [2, 1, 3, 4], [1, N, 1.5, 2], scale=D5, miss=('f8', 1))
row('PACK', 'i2', [1, -1, 3, 4], [0.5, -0.5, 1.5, 2], scale=D5, miss=('f8', 1e20))
row('PACK', 'i2', [1, -32767, 3, 4], [0.5, N, 1.5, 2], scale=D5)
row('PACK', 'i1', [1, -127, 3, 4], [0.5, -63.5, 1.5, 2], scale=D5)
# limits of packed numbers
row('PACKED', 'i2', [1, 2, 3, 4], [N, 1, 1.5, N], scale=D5, range=[2, 3])
row('PACKED', 'i2', [1, 2, 3, 4], [N, 1, 1.5, N], scale=D5, range=('f8', 1, 1.5))
row('PACKED', 'i2', [1, 2, 3, 4], [N, 1, 1.5, N], scale=F5, range=('f4', 1, 1.5))
row('PACKED', 'i2', [1, 2, 3, 4], [N, 1, 1.5, 2], scale=F5, lo=('f4', 1))
row('PACKED', 'i2', [1, 2, 3, 4], [0.5, 1, 1.5, N], scale=F5, hi=('f4', 1.5))
row('PACKED', 'i2', [1, 2, 3, 4], [N, 1, 1.5, N], scale=F5, lo=2, hi=3)
row('PACKED', 'i2', [1, 2, 3, 4], [N, 1, 1.5, N], scale=D5, range=('i4', 2, 3))
row('PACKED', 'i1', [1, 2, 3, 4], [N, 1, 1.5, N], scale=D5, range=('i2', 2, 3))
row('PACKED', 'i1', [1, 2, 3, 4], [N, 1, 1.5, N], scale=F5, range=('f4', 1, 1.5))
row('PACKED', 'i2', [1, 2, 3, 4], [11, 12, N, N], off=('f8', 10), range=('f8', 11, 12))
row('PACKED', 'i2', [1, 2, 3, 4], [N, -1, -1.5, N], scale=('f8', -0.5), range=[2, 3])
row('PACKED', 'i2', [1, 2, 3, 4], [N, -1, -1.5, N], scale=('f8', -0.5), range=('f8', -1.5, -1))
row('PACKED', 'f4', [1, 2, 3, 4], [N, 1, 1.5, N], scale=F5, range=('f4', 2, 3))
row('PACKED', 'f4', [1, 2, 3, 4], [N, 1, 1.5, N], scale=D5, range=('f8', 1, 1.5))
row('PACKED', 'f4', [1, 2, 3, 4], [N, 1, 1.5, N], scale=F5, range=('i4', 2, 3))
row('PACKED', 'f8', [1, 2, 3, 4], [N, 1, 1.5, N], scale=D5, range=('f8', 2, 3))
row('PACKED', 'i2', [1, 2, 3, 4], [N, 1, 1.5, N], scale=F5, range=('f8', 1, 1.5))
row('PACKED', 'i2', [1, 2, 3, 4], [N, 1, 1.5, N], scale=D5, range=('f4', 1, 1.5))
row('PACKED', 'i2', [100, 200, 300, 400], [10.000000149011612, N, N, N], scale=('f4', 0.1), hi=('f4', 10))
row('PACKED', 'i2', [-1, 2, 3, 4], [N, 1, 1.5, N], scale=D5, fill=-1, range=('f8', -10, 1.5))
# limits of two kinds
D01 = ('f8', 0.1)
row('MIXED', 'i2', [1, 2, 3, 4], [N, 1, 1.5, N], scale=F5, lo=2, hi=('f4', 1.5))
row('MIXED', 'i2', [1, 2, 3, 4], [N, 1, 1.5, N], scale=F5, lo=('f4', 1), hi=3)
row('MIXED', 'i2', [1, 2, 3, 4], [N, 1, 1.5, N], scale=F5, lo=('i4', 2), hi=('f8', 1.5))
row('MIXED', 'i2', [-20, 5, 20000, 200], [N, 0.05, N, 2], scale=('f8', 0.01), lo=-10, hi=('f8', 100))
row('MIXED', 'i2', [1, 2, 3, 4], [N, N, -1.5, -2], scale=('f8', -0.5), lo=2, hi=('f8', -1.2))
row('MIXED', 'f4', [1, 2, 3, 4], [N, 1, 1.5, N], scale=D5, lo=2, hi=('f8', 1.5))
row('MIXED', 'i2', [1, -1, 3, 4], [0.5, N, 1.5, N], scale=F5, fill=-1, lo=-5, hi=('f4', 1.5))
row('MIXED', 'i8', [2 ** 53, 2 ** 53 + 1, 2 ** 53 + 2, 1], [N, 2 ** 52, N, N], scale=D5, lo=2 ** 53 + 1, hi=('f8', 2.0 ** 52))
row('MIXED', 'i2', [-1, 1, 3, 4], [N, 0.1, N, N], scale=D01, lo=('f4', 0), hi=('f8', 0.3))
row('MIXED', 'i2', [-1, 1, 3, 4], [N, 0.1, N, N], scale=D01, lo=0, hi=('f8', 0.3))
row('MIXED', 'i2', [-1, 1, 3, 4], [N, 0.1, 0.3, N], scale=D01, lo=('f8', 0), hi=('f4', 0.3))
# ---- signs
row('SIGN', 'i1', [1, -1, -2, 3], [1, 255, 254, 3], sign='true')
row('SIGN', 'i1', [1, -1, -2, 3], [1, 255, 254, 3], sign='True')
row('SIGN', 'i1', [1, -1, -2, 3], [1, 255, 254, 3], sign='true\0')
row('SIGN', 'i1', [1, -1, -2, 3], [1, 255, 254, 3], sign='TRUE  ')
row('SIGN', 'i1', [1, -1, -2, 3], [1, -1, -2, 3], sign='false')
row('SIGN', 'i1', [1, -1, -2, 3], [1, -1, -2, 3], sign='maybe')
row('SIGN', 'i1', [1, -1, -2, 3], [1, -1, -2, 3], sign='truest')
row('SIGN', 'u1', [1, 255, 254, 3], [1, -1, -2, 3], sign='false')
row('SIGN', 'u2', [1, 65534, 3, 4], [1, -2, 3, 4], sign='false')
row('SIGN', 'u1', [1, 255, 254, 3], [1, 255, 254, 3], sign='true')
row('SIGN', 'i2', [1, -1, -2, 3], [1, 65535, 65534, 3], sign='true')
row('SIGN', 'i4', [1, -1, -2, 3], [1, 4294967295, 4294967294, 3], sign='true')
row('SIGN', 'i8', [1, -1, -2, 3], [1, 2 ** 64 - 1, 2 ** 64 - 2, 3], sign='true')
row('SIGN', 'f4', [1, -1, -2, 3], [1, -1, -2, 3], sign='true')
row('SIGN', 'i1', [1, -1, -2, 3], [1, N, 254, 3], sign='true', fill=-1)
row('SIGN', 'i1', [1, -1, -2, 3], [1, N, 254, 3], sign='true', miss=-1)
row('SIGN', 'i1', [1, -1, -2, 3], [1, N, 254, 3], sign='true', fill=('u1', 255))
row('SIGN', 'i1', [1, -1, -2, 3], [1, N, 254, 3], sign='true', miss=('i2', 255))
row('SIGN', 'i1', [1, -1, -2, 3], [1, N, 254, 3], sign='true', miss=('i4', -1))
row('SIGN', 'i2', [1, -1, -2, 3], [1, N, 65534, 3], sign='true', fill=('i4', -1))
row('SIGN', 'i2', [1, -1, -2, 3], [1, N, 65534, 3], sign='true', fill=('f8', 65535))
row('SIGN', 'i2', [1, -32767, -2, 3], [1, N, 65534, 3], sign='true')
row('SIGN', 'i1', [1, -1, -2, 3], [1, N, N, 3], sign='true', miss=[-1, -2])
row('SIGN', 'i1', [1, -1, -2, -128], [1, N, 254, 128], sign='true', range=[0, -2])
row('SIGN', 'i1', [1, -1, -2, -128], [1, N, 254, 128], sign='true', range=('i2', 0, 254))
row('SIGN', 'i1', [1, -1, -2, -128], [1, N, 254, 128], sign='true', range=('i4', 0, -2))
row('SIGN', 'i1', [1, -1, -2, -128], [1, N, 254, 128], sign='true', lo=0, hi=-2)
row('SIGN', 'i2', [0, 2, -6, -32768], [0, 1, 32765, 16384], sign='true', range=[0, -6], scale=F5)
row('SIGN', 'i2', [0, 2, -6, -5], [0, 1, 32765, N], sign='true', range=('i4', 0, -6), scale=F5)
row('SIGN', 'i2', [0, 2, -6, -5], [0, 1, 32765, N], sign='true', range=('i4', 0, 65530), scale=F5)
row('SIGN', 'i1', [0, 2, -6, -5], [0, 1, 125, N], sign='true', range=('f4', 0, 125), scale=F5)
row('SIGN', 'i1', [1, -1, -2, 3], [0.5, N, 127, 1.5], sign='true', fill=-1, scale=D5)
row('SIGN', 'i1', [0, -1, -56, 100], [0, 255, 200, 100], range=('i2', 0, 255))
row('SIGN', 'i1', [0, -1, -56, 100], [0, N, 200, 100], range=('i2', 0, 200))
row('SIGN', 'i1', [0, -1, -56, 100], [0, 255, 200, 100], range=('i4', 0, 255))
row('SIGN', 'i1', [0, -1, -56, 100], [0, 255, 200, 100], range=('f4', 0, 255))
row('SIGN', 'i1', [0, -1, -56, 100], [0, 255, 200, 100], range=[0, -1])
row('SIGN', 'i1', [0, -1, -56, 100], [0, 255, 200, 100], lo=('i2', 0), hi=('i2', 255))
row('SIGN', 'i1', [0, -1, -56, 100], [0, 255, 200, 100], lo=0, hi=-1)
row('SIGN', 'i1', [0, -1, -56, 100], [0, 255, 200, 100], hi=('i2', 255))
row('SIGN', 'i1', [0, -1, -56, 100], [0, -1, -56, 100], range=('i2', -128, 127))
row('SIGN', 'i1', [0, -1, -56, 100], [0, -1, -56, 100], range=[-128, 127])
row('SIGN', 'i1', [0, -1, -56, 100], [0, N, N, 100], range=[0, 127])
row('SIGN', 'i1', [0, -1, -56, 100], [0, N, N, 100], range=('i2', 0, 255), sign='false')
row('SIGN', 'i1', [0, -1, -56, 100], [0, 127.5, 100, 50], range=('i2', 0, 255), scale=F5)
row('SIGN', 'i1', [0, -1, -56, 100], [0, N, N, 50], range=('f4', 0, 255), scale=F5)
row('SIGN', 'i1', [0, -1, -56, 100], [0, N, 200, 100], range=('i2', 0, 255), fill=-1)
row('SIGN', 'i2', [0, -1, -56, 100], [0, N, N, 100], range=('i4', 0, 65535))
row('SIGN', 'i1', [0, -1, -56, 100], [-100, N, 0, -50], lo=('f4', -100), hi=('i2', 200), scale=F5, off=('f4', -100))
row('SIGN', 'i1', [0, -1, -56, 100], [N, N, 100, 50], lo=('f4', 0.5), hi=('i2', 200), scale=F5)
row('SIGN', 'i1', [0, -1, -56, 100], [N, -0.5, -28, N], lo=('f4', -100), hi=-1, scale=F5)
# Who makes the same of a row, in the order of the rows: n netCDF4-python 1.6, x xarray 2023, c CDO 2.1; o NCO 5.1, which is asked for
# the mean where that is real; - nobody. `meaning_test.py PARCDF --judges` compares.
AGREE = (
    'nxco nxco nxco nxco xo xo nxco nxco nxco nxco nxc nxc nxc nxc nxc nxc nxc nxc nxc nxc nxc nxc nxc nxc nxc xc nxc nxc '
    'nxc n n nxc nxc nxc nxc nxc nxo nxco nxc nxc nxc nxco xc nxc nxc nxc nxc x x nxco nxc nxc nxc nxc nxc nxc nxc nxc nxc '
    'nxc nxc nxc nxc nxc nxc nxc nxc nxc xc nxc nxc nxc n n nxc nxc nxc nxc nxc nx nxc nxc nxco nxc nxco nxc n n n n n n n '
    'n xc xc nxc n nxc n nxco n nx nx nx nxc nx nx nx nx nx nx x nx n xc n n n n n n n n n n n n n n n n n nxc - - nxc nxc '
    'nxc n n nxco n n n n n n nc nc - - - - n n n nxc nxco nxco n nxc nxco nxc nxco nxco nxco nxc nxco nxco nxco nxco nxco '
    'nxco nxco nxco nxco nxco xco nxco nxco nc nc nxco nxco nxco nxco nxc nxc nx nxco n xco n o o - - n n n o - n o n o n n '
    'o o - - - o - - - - - - - - - nxc nc nxc n xc xc xc x x xc nx nx nx nxco nx n xc xc n nx x - n n - n n nx n - - nx c - '
    'c - - - - - nxc nxc n - c - - - - - n ').split()
assert len(AGREE) == len(ROWS)
ROWS = [r._replace(judges=letters.strip('-')) for r, letters in zip(ROWS, AGREE)]
