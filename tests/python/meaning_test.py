"""What stands for no value: masked() masks what each row of tests/tools/meaningrows.py says, put_masked writes what it masks,
and so is the fill value of the library."""
import os
import sys

from pysupport import check, finish, need

np = need("numpy")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from meaning_test import told, write  # noqa: E402
from meaningrows import ROWS  # noqa: E402
import parcdf  # noqa: E402

write("meaning.nc", ROWS)
with parcdf.open("meaning.nc", "r+") as f:
    for r in ROWS:
        found = f[r.name].masked()
        mask = np.ma.getmaskarray(found).tolist()
        good = all(m == (v is None) for m, v, s in zip(mask, r.values, r.stored) if s == s)  # NaN stays NaN
        check(good and found.data.tolist() == f[r.name][:].tolist() or "nan" in str(r.stored), told(r), found)
        fill = np.full(4, f[r.name].fill_value, f[r.name].dtype)
        if f[r.name].dtype.itemsize > 1 or any(v is None for v in r.values) and "_FillValue" in f[r.name].attrs:
            f[r.name][:] = fill
            check(f[r.name].masked().mask.all(), "what the library fills with is no value:", told(r), fill)
        try:
            f[r.name].put_masked(slice(None), np.ma.masked_all(4, f[r.name].dtype))
        except ValueError as error:
            check("has no fill value" in str(error) and f[r.name].dtype.itemsize == 1, told(r), error)
        else:
            check(f[r.name].masked().mask.all(), "all masked:", told(r), f[r.name][:])
finish()
