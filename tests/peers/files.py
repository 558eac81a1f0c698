"""Files of many kinds, the same for each number: formats, calendars, shapes, types, values that stand for none."""
import netCDF4
import numpy as np

FORMATS = ['NETCDF3_CLASSIC', 'NETCDF3_64BIT_OFFSET', 'NETCDF3_64BIT_DATA', 'NETCDF4', 'NETCDF4_CLASSIC']
CALENDARS = ['standard', 'gregorian', 'proleptic_gregorian', 'noleap', '365_day', 'all_leap', '366_day', '360_day', 'julian']
STEPS = [('hours', 6), ('hours', 1), ('days', 1), ('days', 5), ('days', 30.5), ('days', 91), ('minutes', 720), ('seconds', 21600)]
RECORDS = [1, 2, 3, 12, 25, 40, 60, 130]
SHAPES = [(3, 4), (1, 1), (5, 7), (1, 9), (8, 1), (6, 6), (2, 13)]


class Var:
    """A variable as it is stored."""

    def __init__(self, name, dims, atts, a):
        self.name, self.dims, self.atts, self.a = name, dims, atts, a

    def is_packed(self):
        return 'scale_factor' in self.atts

    def axis(self, dim):
        return self.dims.index(dim)


class File:
    """File `number`; member: another one with the same definitions; later: that follows it in time."""

    def __init__(self, path, number, member=0, later=False):
        rng = np.random.default_rng([18, number])
        self.path, self.number = path, number
        self.format = FORMATS[number % len(FORMATS)]
        self.calendar = CALENDARS[number % len(CALENDARS)]
        self.numrecs = RECORDS[rng.integers(len(RECORDS))]
        unit, step = STEPS[rng.integers(len(STEPS))]
        self.units = '%s since %04d-%02d-%02d %02d:00:00' % (unit, rng.choice([1850, 1999, 2001]), rng.integers(1, 13), rng.integers(1, 28), rng.choice([0, 6]))
        lat, lon = SHAPES[rng.integers(len(SHAPES))]
        self.lengths = dict(lev=int(rng.integers(1, 4)), lat=lat, lon=lon)
        self.unlimited = rng.random() < 0.85
        self.lat = np.linspace(-80, 80, lat) if lat > 1 else np.array([10.])
        self.lon = np.linspace(0, 360, lon, endpoint=False)
        first = rng.integers(0, 50) * step
        self.times = (first + (np.arange(self.numrecs) + (self.numrecs if later else 0)) * step).astype('f8')
        specs = [self.spec(rng, i) for i in range(4)]
        own = np.random.default_rng([18, number, member + 1, int(later)])
        self.area = np.abs(np.cos(np.deg2rad(self.lat)))[:, None] * np.linspace(1, 2, lon)[None, :]
        self.vars = {s[0]: self.values(own, *s) for s in specs}
        self.write()

    def spec(self, rng, i):
        """(name, type, dimensions, attributes)"""
        dtype = ['f4', 'f8', 'i2', 'i4'][i] if rng.random() < 0.8 else ['f4', 'f8', 'i1', 'i2'][rng.integers(4)]
        dims = ['time', 'lat', 'lon'] if i < 2 or rng.random() < 0.6 else [['time'], ['time', 'lev', 'lat', 'lon'], ['lat', 'lon'], []][rng.integers(4)]
        kind, atts = np.dtype(dtype), {}
        if rng.random() < 0.6:
            atts['_FillValue'] = kind.type(-99)
        if rng.random() < 0.25:
            atts['missing_value'] = kind.type(-98 if rng.random() < 0.5 else atts.get('_FillValue', -98))
        if kind.kind == 'i' and kind.itemsize <= 2 and rng.random() < 0.7:
            atts['scale_factor'], atts['add_offset'] = np.float64(rng.choice([0.01, 0.5])), np.float64(rng.choice([0, 273.15]))
        if rng.random() < 0.2:
            atts['valid_range'] = np.array([-50, 90], kind)
        return 'v%d' % i, dtype, dims, atts

    def values(self, rng, name, dtype, dims, atts):
        shape = [self.numrecs if d == 'time' else self.lengths[d] for d in dims]
        kind = np.dtype(dtype)
        a = rng.standard_normal(shape) * 20 + rng.choice([0, 10])
        if kind.kind == 'f' and rng.random() < 0.2:
            a = a * 1e-3 + 84.5  # sums that lose digits in float
        a = np.asarray(np.clip(a, -90, 100)).astype(kind)
        if '_FillValue' in atts:
            a = np.where(rng.random(shape) < 0.1, atts['_FillValue'], a)
        if 'missing_value' in atts:
            a = np.where(rng.random(shape) < 0.1, atts['missing_value'], a)
        if kind.kind == 'f' and self.number % 7 == 3:
            a = np.where(rng.random(shape) < 0.05, np.nan, a)
        return Var(name, dims, atts, np.asarray(a, kind))

    def write(self):
        with netCDF4.Dataset(self.path, 'w', format=self.format) as d:
            d.createDimension('time', None if self.unlimited else self.numrecs)
            for name, n in self.lengths.items():
                d.createDimension(name, n)
            self.coordinate(d, 'time', self.times, dict(units=self.units, calendar=self.calendar, standard_name='time', axis='T'))
            self.coordinate(d, 'lev', np.arange(self.lengths['lev']) * 100. + 50, dict(units='m', axis='Z', positive='up'))
            self.coordinate(d, 'lat', self.lat, dict(units='degrees_north', standard_name='latitude', axis='Y'))
            self.coordinate(d, 'lon', self.lon, dict(units='degrees_east', standard_name='longitude', axis='X'))
            d.createVariable('area', 'f8', ('lat', 'lon'))[:] = self.area
            for v in self.vars.values():
                out = d.createVariable(v.name, v.a.dtype, v.dims, fill_value=v.atts.get('_FillValue'))
                out.units = 'm'
                out.setncatts({k: x for k, x in v.atts.items() if k != '_FillValue'})
                out.set_auto_maskandscale(False)
                out[...] = v.a

    @staticmethod
    def coordinate(d, name, values, atts):
        v = d.createVariable(name, 'f8', (name,))
        v.setncatts(atts)
        v[:] = values

    def dates(self):
        return np.atleast_1d(netCDF4.num2date(self.times, self.units, self.calendar, only_use_cftime_datetimes=True))
