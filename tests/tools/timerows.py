"""The rows of times_test.py: what units, calendars and values of times say, and texts of attributes.

Rules, by the names that the rows use:
  CF     CF 1.11 4.4: units, "since", date, clock, time zone, with or without leading zeros
  UD     the grammar of UDUNITS ("Unit Syntax", Timestamp), which CF follows: compact dates and clocks, more forms of zones
  WRF    cftime takes _ between date and clock
  NEVER  what cannot be read is refused and never guessed, also where a judge guesses
  CAL    CF 1.11 4.4.1 (CF 1.12: 4.4.3): calendars, their names and days
  MONTH  months and years are those of the calendar, as CDO and ncdump read them; a fraction is that part of the way from one
         whole month to the next, also before the base date
  FLOAT  a number stands for all that its type rounds to it: the roundest instant within half of the last place is meant
  ROUND  in doubles, what is within 1e-8 of a unit, a millisecond at most, of a whole second, minute, hour or day is that one
  SAME   units and calendars that mean the same are the same; others are converted or refused
  PAD    texts end before trailing blanks (Fortran) and at a NUL (C)

judges: c: cftime has the same, u: UDUNITS has the same; the test proves it where they are installed. Where a row names none, its
rule decides: cftime knows no months but of 360_day and ignores what it cannot read, UDUNITS knows one calendar."""
from collections import namedtuple

Row = namedtuple('Row', 'rule units calendar type values dates judges')
ROWS = []
NO = None  # refused: printed as a number, with a sentence


def row(rule, units, dates, judges='', calendar='standard', type='f8', values=(0,)):
    """dates: as `dump -t` writes them, None: this number has none; or a part of the sentence that says why there are none."""
    ROWS.append(Row(rule, units, calendar, type, list(values), dates if isinstance(dates, list) else [dates], judges))


# ---- reference dates: what follows "seconds since" -> the instant of 0
for text, rule, date, judges in (
        ('2000-01-01', 'CF', '2000-01-01', 'cu'), ('2000-1-1', 'CF', '2000-01-01', 'cu'), ('1-1-1', 'CF', '0001-01-01', 'c'),
        ('0001-01-01', 'CF', '0001-01-01', 'c'), ('10000-01-01', 'CF', '10000-01-01', 'c'), ('2000-01', 'UD', '2000-01-01', 'u'),
        ('2000-7', 'UD', '2000-07-01', 'u'), ('2000', 'UD', '2000-01-01', 'u'), ('20000103', 'UD', '2000-01-03', 'u'), ('200002', 'UD', '2000-02-01', 'u'),
        ('20000101T060000Z', 'UD', '2000-01-01 06', 'u'), ('20000101T060000', 'UD', '2000-01-01 06', 'u'), ('20000101T0630', 'UD', '2000-01-01 06:30', 'u'),
        ('20000101T06', 'UD', '2000-01-01 06', 'u'), ('20000101 060000', 'UD', '2000-01-01 06', 'u'), ('20000101 06', 'UD', '2000-01-01 06', 'u'),
        ('20000101 06:30', 'UD', '2000-01-01 06:30', 'u'), ('20000101T060000.5', 'UD', '2000-01-01 06:00:0.500000', 'u'),
        ('2000-01-01T06', 'UD', '2000-01-01 06', 'u'), ('2000-01-01T06Z', 'UD', '2000-01-01 06', 'u'), ('2000-01-01T0630', 'UD', '2000-01-01 06:30', 'u'),
        ('2000-01-01T060015', 'UD', '2000-01-01 06:00:15', 'u'), ('2000-01-01T060015Z', 'UD', '2000-01-01 06:00:15', 'u'),
        ('2000-01-01T06:30', 'CF', '2000-01-01 06:30', 'cu'), ('2000-01-01T06:30:15Z', 'CF', '2000-01-01 06:30:15', 'cu'),
        ('2000-01-01t06:30', 'CF', '2000-01-01 06:30', 'c'), ('2000-01-01 06', 'UD', '2000-01-01 06', 'u'), ('2000-01-01 6', 'UD', '2000-01-01 06', 'u'),
        ('2000-01-01 6:30', 'CF', '2000-01-01 06:30', 'cu'), ('2000-01-01 06:30:15', 'CF', '2000-01-01 06:30:15', 'cu'),
        ('2000-01-01 6:3:5', 'CF', '2000-01-01 06:03:05', 'cu'), ('2000-01-01 06:30:15.25', 'CF', '2000-01-01 06:30:15.250000', 'cu'),
        ('2000-01-01 06:30:15.', 'CF', '2000-01-01 06:30:15', 'cu'), ('2000-1-1 0:0:0.0', 'CF', '2000-01-01', 'cu'),
        ('2000-01-01T00:00:00.000000', 'CF', '2000-01-01', 'cu'), ('2000-01-01  06:30', 'CF', '2000-01-01 06:30', 'u'),
        ('2000-01-01 0630', 'UD', '2000-01-01 06:30', 'u'), ('2000-01-01 063015', 'UD', '2000-01-01 06:30:15', 'u'),
        ('2000-01-01_06:00:00', 'WRF', '2000-01-01 06', 'c'), ('2000-01-01T23:59:59.999999', 'CF', '2000-01-01 23:59:59.999999', 'cu'),
        ('2000-02-29', 'CAL', '2000-02-29', 'cu'), ('1600-02-29', 'CAL', '1600-02-29', 'cu'), ('1500-02-29', 'CAL', '1500-02-29', 'c')):
    row(rule, 'seconds since ' + text, date, judges)
# ---- time zones: what is local at 06:30 -> UTC
for text, rule, date, judges in (
        (' Z', 'CF', '06:30', 'cu'), ('Z', 'CF', '06:30', 'cu'), ('z', 'CF', '06:30', 'cu'), (' UTC', 'UD', '06:30', 'cu'), ('UTC', 'UD', '06:30', 'cu'),
        (' utc', 'UD', '06:30', 'cu'), (' GMT', 'UD', '06:30', 'cu'), (' gmt', 'UD', '06:30', 'cu'), ('GMT', 'UD', '06:30', 'cu'),
        (' +02', 'CF', '04:30', 'cu'), ('+02', 'CF', '04:30', 'cu'), (' +2', 'CF', '04:30', 'u'), ('+2', 'CF', '04:30', 'u'), (' +02:00', 'CF', '04:30', 'cu'),
        ('+02:00', 'CF', '04:30', 'cu'), (' +2:00', 'UD', '04:30', 'u'), (' +0200', 'UD', '04:30', 'cu'), ('+0200', 'UD', '04:30', 'cu'),
        (' -03:30', 'CF', '10', 'cu'), ('-03:30', 'CF', '10', 'cu'), (' -0330', 'UD', '10', 'cu'), (' -330', 'UD', '10', 'u'), (' -3:30', 'UD', '10', 'u'),
        (' -6:00', 'UD', '12:30', 'u'), (' -06', 'CF', '12:30', 'cu'), ('-6', 'CF', '12:30', 'u'), (' 2:00', 'UD', '04:30', 'u'), (' 2', 'UD', '04:30', 'u'),
        (' 0200', 'UD', '04:30', 'u'), (' 0', 'UD', '06:30', 'cu'), (' 0:00', 'UD', '06:30', 'cu'), (' 00:00', 'UD', '06:30', 'cu'),
        ('+00:00', 'CF', '06:30', 'cu'), (' -00:00', 'UD', '06:30', 'cu'), (' +5:45', 'UD', '00:45', 'u'), (' +05:45', 'CF', '00:45', 'cu'),
        (':00.5+02:00', 'CF', '04:30:0.500000', 'cu'), (':15 -2:30', 'UD', '09:00:15', 'u')):
    row(rule, 'seconds since 2000-01-01 06:30' + text, '2000-01-01 ' + date, judges)
row('CF', 'hours since 2000-01-01 00:00 +14:00', ['1999-12-31 10', '1999-12-31 11'], 'cu', values=(0, 1))
row('CF', 'hours since 2000-03-01 01:00 +02:00', ['2000-02-29 23', '2000-03-01'], 'cu', values=(0, 1))
row('CF', 'hours since 2001-03-01 01:00 +02:00', ['2001-02-28 23', '2001-03-01'], 'c', calendar='noleap', values=(0, 1))
row('CF', 'days since 2000-12-31T23:30:00-01:00', ['2001-01-01 00:30'], 'cu')
row('UD', 'days since 2000-01-01Z', ['2000-01-01'], 'cu')
row('UD', 'days since 2000-01-01 Z', ['2000-01-01'], 'cu')
row('CF', 'days since 2000-01-01 UTC', ['2000-01-01'], 'c')
# ---- what is refused
for text, judges in (('haywire', 'cu'), ('', 'cu'), ('2000/01/01', 'cu'), ('2000.01.01', 'cu'), ('Jan 1 2000', 'cu'), ('2000-Jan-01', 'cu'), ('yesterday', 'cu'),
                     ('2000-01-01 junk', 'u'), ('2000-01-01 06:30 EST', 'u'), ('2000-01-01 06:30 UT', 'u'), ('2000-01-01 06:30 +02:00:00', 'u'),
                     ('2000-01-01 06:30 + 2', 'u'), ('2000-01-01 6h', 'u'), ('2000-01-01 06.5', 'u'), ('2000-01-01 24:00:00', 'cu'), ('2000-01-01 25:00', 'cu'),
                     ('2000-01-01 12:60', 'c'), ('2000-01-01 23:59:60', 'c'), ('2000-01-01 06:30 +99', ''), ('2000-01-01 06:30 +24:00', ''),
                     ('2000-01-01 +02:00', ''), ('2000-01-01+02:00', ''), ('2000-01-01 T06:00', 'u'), ('2000-001', 'c'), ('2000001', 'c'), ('19501', 'c'),
                     ('2000-01-01T', ''), ('2000-01-01 06:30:', ''), ('2000-', 'c'), ('-', 'cu'), ('2000-01-01 06:30 Zulu', 'u')):
    row('NEVER', 'seconds since ' + text, 'cannot be read', judges)
for text, why, calendar, judges in (
        ('2000-13-01', 'no day 2000-13-01', 'standard', 'c'), ('2000-00-01', 'no day 2000-00-01', 'standard', 'c'), ('2000-01-00', 'no day', 'standard', 'c'),
        ('2000-01-32', 'no day', 'standard', 'c'), ('2000-02-30', 'no day 2000-02-30', 'standard', 'c'), ('1900-02-29', 'no day', 'standard', 'c'),
        ('20001301', 'no day', 'standard', 'c'), ('0000-00-00', 'no day', 'standard', 'c'), ('2000-02-29', 'no day', 'noleap', 'c'),
        ('2000-02-30', 'no day', 'all_leap', 'c'), ('2000-01-31', 'no day', '360_day', 'c'), ('1582-10-05', 'no day', 'standard', 'c'),
        ('1582-10-10', 'no day', 'gregorian', 'c'), ('1582-10-14', 'no day', 'standard', 'c'), ('1900-02-29', 'no day', 'proleptic_gregorian', 'c'),
        ('-1-1-1', 'no years before year 0', 'standard', ''), ('-4713-01-01 12:00', 'no years before year 0', 'julian', ''),
        ('2000-01-01', 'leap seconds', 'utc', 'c'), ('2000-01-01', 'leap seconds', 'TAI', 'c'), ('2000-01-01', 'it is none that CF names', 'martian', 'c')):
    row('CAL', 'days since ' + text, why, judges, calendar=calendar)
row('NEVER', 'furlongs since 2000-01-01', "the unit 'furlongs' is not known", 'cu')
row('NEVER', 'Ms since 2000-01-01', "the unit 'Ms' is not known", '')
row('NEVER', 'dayz since 2000-01-01', "the unit 'dayz' is not known", 'cu')
for unit, why, judges in (
        ('0 days', 'is not known', 'u'), ('-1 days', 'is not known', ''), ('0x10 days', 'is not known', 'u'), ('2 2 days', 'is not known', ''), ('', 'is not known', 'u'),
        ('number of days', 'is not known', 'u'), ('0.5days1', 'is not known', ''), ('1e days', 'is not known', 'u'), ('1000000001 days', 'is too long', ''),
        ('1e300 days', 'is too long', ''), ('99999999999999999999 s', 'is too long', ''), ('999999999 years', 'is too long', ''), ('1000000000 years', 'is too long', ''),
        ('999999999 seasons', 'is too long', ''), ('100000001 years', 'is too long', ''), ('0.3 months', 'is no whole number of months', ''),
        ('0.333333333333 days', 'has too many digits', ''), ('1e-20 s', 'has too many digits', ''), ('0.0000000001 days', 'has too many digits', '')):
    row('NEVER', unit + ' since 2000-01-01', "the unit '%s' %s" % (unit, why), judges, values=(2,))
row('NEVER', 'furlongs@2000-01-01', "the unit 'furlongs' is not known", 'u')
row('NEVER', 'days since', "the reference date '' cannot be read", 'u')
row('NEVER', 'days since@2000-01-01', "the unit 'days since' is not known", 'u')
# ---- units: 2 of them
for words, second, date, judges in (
        ('s sec secs second seconds Seconds SECONDS', 2, '2000-01-01 00:00:02', 'cu'), ('min minute minutes Minutes', 120, '2000-01-01 00:02', 'cu'),
        ('h hr hour hours Hours HOURS', 7200, '2000-01-01 02', 'cu'), ('d day days Days DAY', 172800, '2000-01-03', 'cu'), ('mins', 120, '2000-01-01 00:02', 'c'),
        ('hrs H', 7200, '2000-01-01 02', 'c'), ('D', 172800, '2000-01-03', 'c'), ('ms msec msecs millisec millisecond milliseconds', .002, '2000-01-01 00:00:0.002000', 'cu'),
        ('microsec microsecond microseconds', 2e-6, '2000-01-01 00:00:0.000002', 'cu'), ('us usec', 2e-6, '2000-01-01 00:00:0.000002', 'u'),
        ('week weeks', 1209600, '2000-01-15', 'u'), ('fortnight', 2419200, '2000-01-29', 'u'), ('common_year common_years', 730 * 86400, '2001-12-31', 'u'),
        ('leap_year', 732 * 86400, '2002-01-02', 'u'), ('Julian_year', 730.5 * 86400, '2001-12-31 12', 'u')):
    for word in words.split():
        row('CF' if 'c' in judges else 'UD', word + ' since 2000-01-01', date, judges, values=(2,))
for units, date, judges in (('6 hours since 2000-01-01', '2000-01-01 12', 'u'), ('10 days since 2000-01-01', '2000-01-21', 'u'), ('6hours since 2000-01-01', '2000-01-01 12', 'u'),
                            ('days Since 2000-01-01', '2000-01-03', 'cu'), ('days SINCE 2000-01-01', '2000-01-03', 'cu'), ('days from 2000-01-01', '2000-01-03', 'u'),
                            ('days after 2000-01-01', '2000-01-03', 'u'), ('days ref 2000-01-01', '2000-01-03', 'u'), ('days @ 2000-01-01', '2000-01-03', 'u'),
                            ('days@2000-01-01', '2000-01-03', 'u'), ('days@ 2000-01-01', '2000-01-03', 'u'), ('days since2000-01-01', '2000-01-03', 'u'),
                            ('days AFTER2000-01-01', '2000-01-03', 'u'), ('days since+2000-01-01', '2000-01-03', 'u'), ('0.5 days since 2000-01-01', '2000-01-02', 'u'),
                            ('.5 days since 2000-01-01', '2000-01-02', 'u'), ('1.5 days since 2000-01-01', '2000-01-04', 'u'), ('3.hours since 2000-01-01', '2000-01-01 06', 'u'),
                            ('1e3 days since 2000-01-01', '2005-06-23', 'u'), ('1E+3s since 2000-01-01', '2000-01-01 00:33:20', 'u'), ('006 hours since 2000-01-01', '2000-01-01 12', 'u'),
                            ('1e-3 s since 2000-01-01', '2000-01-01 00:00:0.002000', 'u'), ('0.1 hours since 2000-01-01', '2000-01-01 00:12', 'u'),
                            ('0.0416667 days since 2000-01-01', '2000-01-01 02:00:0.005760', 'u'), ('\u00b5s since 2000-01-01', '2000-01-01 00:00:0.000002', 'u'),
                            ('\u03bcs since 2000-01-01', '2000-01-01 00:00:0.000002', 'u'),
                            ('days  since   2000-01-01', '2000-01-03', 'cu'), ('days\tsince\t2000-01-01', '2000-01-03', 'cu')):
    row('UD', units, date, judges, values=(2,))
row('UD', 'nanoseconds since 2000-01-01', ['2000-01-01 00:00:01', '1999-12-31 23:59:59.500000'], 'u', values=(1e9, -5e8))
row('CF', 'milliseconds since 1970-01-01', ['2017-07-14 02:40:0.123000'], 'cu', type='i8', values=(1500000000123 - 0,))
row('CF', 'microseconds since 1970-01-01', ['2017-07-14 02:40:0.123457'], 'cu', type='i8', values=(1500000000123457,))
row('CF', 'seconds since 1970-01-01', ['2038-01-19 03:14:07'], 'cu', type='i4', values=(2147483647,))
# ---- calendars, by all names in any case
for names, dates, judges in (
        ('standard gregorian Gregorian STANDARD', ['2004-02-29', '2004-03-01', '2004-12-31'], 'c'), ('proleptic_gregorian Proleptic_Gregorian', ['2004-02-29', '2004-03-01', '2004-12-31'], 'c'),
        ('noleap 365_day NOLEAP NoLeap', ['2004-03-01', '2004-03-02', '2005-01-01'], 'c'), ('all_leap 366_day ALL_LEAP', ['2004-02-29', '2004-03-01', '2004-12-31'], 'c'),
        ('360_day 360_DAY', ['2004-02-30', '2004-03-01', '2005-01-06'], 'c'), ('julian Julian', ['2004-02-29', '2004-03-01', '2004-12-31'], 'c'),
        ('no_leap 365days', ['2004-03-01', '2004-03-02', '2005-01-01'], ''), ('360_days 360', ['2004-02-30', '2004-03-01', '2005-01-06'], '')):
    for name in names.split():
        row('CAL', 'days since 2004-01-01', dates, judges, calendar=name, values=(59, 60, 365))
row('CAL', 'days since 2100-02-28', ['2100-03-01'], 'c', values=(1,))
row('CAL', 'days since 2100-02-28', ['2100-02-29'], 'c', calendar='julian', values=(1,))
row('CAL', 'days since 2100-02-28', ['2100-02-29', '2100-03-01'], 'c', calendar='all_leap', values=(1, 2))
row('CAL', 'days since 1582-10-04', ['1582-10-03', '1582-10-04', '1582-10-15', '1582-10-16'], 'c', values=(-1, 0, 1, 2))
row('CAL', 'hours since 1582-10-15', ['1582-10-15', '1582-10-04 23', '1582-10-04'], 'c', values=(0, -1, -24))
row('CAL', 'days since 1582-10-01', ['1582-10-04 12', '1582-10-15 12'], 'c', values=(3.5, 4.5))
row('CAL', 'days since 1582-10-04', ['1582-10-05', '1582-10-10'], 'c', calendar='proleptic_gregorian', values=(1, 6))
row('CAL', 'days since 0001-01-01', ['2000-01-01'], 'c', values=(730121,))
row('CAL', 'days since 0001-01-01', ['1999-12-30'], 'c', calendar='proleptic_gregorian', values=(730117,))
row('CAL', 'days since -0001-12-31', ['0000-01-01', '0000-02-29'], 'c', calendar='proleptic_gregorian', values=(1, 60))
row('CAL', 'days since 0000-01-01', ['0000-01-01', '0001-01-01'], 'c', calendar='noleap', values=(0, 365))
row('CAL', 'days since 0000-01-01', ['0000-01-01', '0000-12-30'], 'c', calendar='360_day', values=(0, 359))
row('CAL', 'days since 0000-01-01', ['0000-01-01', '0001-01-01'], '', values=(0, 366))  # CF: deprecated, of climatologies
row('CAL', 'days since 1-7-15', 'no dates are known of the calendar none', 'c', calendar='none', values=(0, 364))
row('CAL', 'days since 0000-01-01', ['0000-01-01', None], '', values=(0, -1))  # as a reference date of that day
row('CAL', 'days since 0000-01-01', ['0000-01-01', None], '', calendar='julian', values=(0, -1))
row('CAL', 'months since 0000-02-01', ['0000-01-01', None], '', calendar='julian', values=(-1, -2))
row('CAL', 'days since 0000-01-01', ['0000-01-01', '-0001-12-31'], '', calendar='proleptic_gregorian', values=(0, -1))
# ---- months and years
IRI = dict(calendar='360_day', type='f4')
row('MONTH', 'months since 1960-01-01', ['1959-01-16', '1959-12-16', '1960-01-16', '1960-12-16'], 'c', values=(-11.5, -.5, .5, 11.5), **IRI)
row('MONTH', 'months since 1960-01-16', ['1959-12-16', '1960-01-16', '1960-02-01'], 'c', values=(-1, 0, .5), **IRI)
row('MONTH', 'months since 1960-01-01', ['1959-12-31', '1959-12-16 12', '1959-12-01', '1960-01-16 12', '1960-02-01'], '', values=(-1 / 31, -.5, -1, .5, 1))
row('MONTH', 'months since 2000-02-01', ['2000-02-15 12', '2000-03-16 12', '2000-01-16 12'], '', values=(.5, 1.5, -.5))
row('MONTH', 'months since 2001-02-01', ['2001-02-15', '2001-03-16 12'], '', calendar='noleap', values=(.5, 1.5))
row('MONTH', 'months since 2000-01-15', ['2000-02-15', '2000-12-15', '2001-01-15', '1999-12-15'], '', values=(1, 11, 12, -1))
row('MONTH', 'months since 2000-01-31', ['2000-02-29', '2000-03-31', '1999-12-31'], '', values=(1, 2, -1))
row('MONTH', 'months since 2000-01-01 12:00', ['2000-02-01 12', '1999-12-01 12'], '', values=(1, -1))
row('MONTH', 'months since 2000-01-01 00:00 +02:00', ['2000-01-31 22'], '', values=(1,))
row('MONTH', 'years since 2000-01-01', ['1999-07-01', '2000-07-01', '2001-01-01', '1990-01-01'], '', values=(-.5, .5, 1, -10))
row('MONTH', 'years since 2000-01-01', ['1999-07-01', '2000-10-01'], '', calendar='360_day', values=(-.5, .75))
row('MONTH', 'years since 1600-02-29', ['1601-02-28', '1604-02-29'], '', values=(1, 4))
row('MONTH', 'month since 2000-01-01', ['2000-02-01'], '', values=(1,))
row('MONTH', 'season since 2000-12-01', ['2001-03-01', '2001-01-16 12'], '', values=(1, .5))
row('MONTH', 'months since 1582-09-10', ['1582-10-15', '1582-11-10'], '', values=(1, 2))
row('MONTH', '3 months since 2000-01-01', ['2000-04-01', '2000-02-15 12'], '', values=(1, .5))
row('MONTH', '0.5 years since 2000-01-01', ['2000-07-01', '2000-04-01'], '', values=(1, .5))
row('MONTH', '100000000 years since 2000-01-01', ['2000-01-01', '2000-07-01'], '', calendar='noleap', values=(0, .5e-8))
# ---- precision: each hour, half hour, quarter of a day as a float
HOURS = ['%s%s' % ('2000-01-01', ' %02d' % h if h else '') for h in range(24)]
row('FLOAT', 'days since 1950-01-01', HOURS, '', type='f4', values=[18262 + h / 24 for h in range(24)])
row('FLOAT', 'days since 1850-01-01', HOURS[::3], '', type='f4', values=[54786 + h / 24 for h in range(0, 24, 3)])
row('FLOAT', 'days since 1950-01-01', ['2000-01-01 00:30', '2000-01-01 10:30', '2000-01-01 12:15'], '', type='f4', values=[18262 + m / 1440 for m in (30, 630, 735)])
row('FLOAT', 'hours since 1900-01-01', ['2000-01-01 00:30', '2000-01-01 01'], 'cu', type='f4', values=(876576.5, 876577))
row('FLOAT', 'seconds since 1970-01-01', ['2000-01-01', '2000-01-01 06'], '', type='f4', values=(946684800, 946706400))
row('FLOAT', 'days since 2000-01-01', ['2000-01-01 07:12', '2000-01-01 02:24', '2000-01-02 08'], '', type='f4', values=(.3, .1, 4 / 3))
row('FLOAT', 'months since 1960-01-01', ['1959-12-11', '1960-01-11'], '', calendar='360_day', type='f4', values=(-2 / 3, 1 / 3))
row('FLOAT', 'days since 1999-12-31', ['2000-01-01', '1999-12-31 23'], '', type='f4', values=(.99999999, 23 / 24))
# two numbers are two dates: what is just between them becomes the even one; steps that are shorter than the last place are not told
row('FLOAT', 'seconds since 1999-12-31 12:00:02', ['2001-02-03 11:59:58', '2001-02-03 12'], '', type='f4', values=(34559996, 34560000))
row('FLOAT', 'hours since 0001-01-01', ['1999-12-30 02', '1999-12-30 04', '1999-12-30 06', '1999-12-30 08'], 'c', calendar='proleptic_gregorian', type='f4',
    values=[17522808 + h for h in (2, 4, 6, 8)])
row('FLOAT', 'days since 0001-01-01', ['1999-12-30', '1999-12-30 01:30', '1999-12-30 03', '1999-12-30 04:30', '1999-12-30 06'], 'c', calendar='proleptic_gregorian', type='f4',
    values=[730117 + n / 16 for n in range(5)])
row('FLOAT', 'days since 1950-01-01', ['2000-01-01 01:30', '2000-01-01 03', '2000-01-01 04:30'], 'cu', type='f4', values=[18262 + n / 16 for n in (1, 2, 3)])
row('ROUND', 'days since 1950-01-01', HOURS, '', values=[18262 + h / 24 for h in range(24)])
row('ROUND', 'days since 0001-01-01', ['2000-01-01 23'], '', values=(730121.958333333,))
row('ROUND', 'hours since 2000-01-01', ['2000-01-01 00:20', '2000-01-01 00:00:01'], '', values=(1 / 3, 1 / 3600))
row('ROUND', 'seconds since 2000-01-01', ['2000-01-01 23:59:59.999500', '2000-01-02'], 'cu', values=(86399.9995, 86400))
row('ROUND', 'milliseconds since 2000-01-01', ['2000-01-01 23:59:59.999000', '2000-01-01 00:00:0.999900'], 'cu', values=(86399999, 999.9))
row('ROUND', 'seconds since 1970-01-01', ['2000-01-01 00:00:0.999900'], 'cu', values=(946684800.9999,))
row('ROUND', 'days since 2000-01-01', ['2000-01-01 02:57:46.666656'], 'c', values=(.12345679,))

# ---- texts, as Fortran and C programs end them
ENDS = ['', ' ', '   ', '\0', ' \0', '\0\0', '\0junk', '\n', '  \0  ']
for end in ENDS[1:]:
    row('PAD', 'days since 2004-02-28', '2004-03-01', calendar='noleap' + end, values=(1,))
    row('PAD', 'days since 2004-02-28' + end, '2004-02-29', values=(1,))
    row('PAD', 'hours since 2004-02-28 +02:00' + end, 'cannot be read')
    row('PAD', 'hours since 2004-02-28T00:00 +02:00' + end, '2004-02-27 23', values=(1,))

# ---- two files: units and calendar of each; how: same, converted (the second file's 0 in the units of the first), NO
PAIRS = [
    ('hours since 2000-01-01', '', 'h since 2000-1-1 00:00:00 UTC', 'gregorian', 'same'),
    ('days since 2000-01-01', '', 'd since 20000101', 'standard', 'same'),
    ('days since 2000-01-01', '', 'days since 2000-01-01T00:00:00Z', '', 'same'),
    ('days since 2000-01-01', '', 'days since 2000-01-01 02:00 +2', '', 'same'),
    ('days since 2000-01-01', '', 'Days since 1999-12-31 22:00 -02:00', '', 'same'),
    ('days since 2000-01-01', 'noleap', 'days since 2000-1-1 0:0', '365_day', 'same'),
    ('days since 2000-01-01', 'NOLEAP', 'days since 2000-01-01', 'noleap\0', 'same'),
    ('days since 2000-01-01', 'noleap  ', 'days since 2000-01-01   ', 'noleap', 'same'),
    ('days since 2000-01-01\0', 'standard', 'days since 2000-01-01', 'Gregorian', 'same'),
    ('days since 2000-01-01', 'all_leap', 'days since 2000-01-01', '366_day', 'same'),
    ('24 hours since 2000-01-01', '', 'days since 2000-01-01', '', 'same'),
    ('months since 2000-01-01', '360_day', 'month since 2000-1-1', '360_DAY', 'same'),
    ('years since 2000-01-01', '', '12 months since 2000-01-01', '', 'same'),
    ('days since haywire', '', 'days since haywire  ', '', 'same'),
    ('0.5 days since 2000-01-01', '', '12 hours@2000-01-01', '', 'same'),
    ('days since 1-7-15', 'none', 'days since 1-7-15', 'NONE', 'same'),
    ('days since 1-7-15', 'none', 'hours since 1-7-15', 'none', NO),
    ('weeks since 2000-01-01', '', '7 days since 2000-01-01 00:00', '', 'same'),
    ('hours since 2000-01-01', '', 'hours since 2000-01-01 06:00 +02:00', '', 4),
    ('hours since 2000-01-01', '', 'hours since 2000-01-01 06:00 -03:30', '', 9.5),
    ('days since 2000-01-01', '', 'hours since 2000-01-03 12:00', '', 2.5),
    ('days since 1950-01-01', '', 'days since 19500103T000000Z', '', 2),
    ('days since 1950-01-01', '', 'hours since 1950-01-03T060000', '', 2.25),
    ('seconds since 2000-01-01', '', 'ms since 2000-01-01 00:00:01', '', 1),
    ('days since 1582-10-04', '', 'days since 1582-10-15', '', 1),
    ('days since 1582-10-04', 'proleptic_gregorian', 'days since 1582-10-15', 'proleptic_gregorian', 11),
    ('days since 2000-02-28', 'noleap', 'days since 2000-03-01', '365_day', 1),
    ('days since 2000-02-28', '360_day', 'days since 2000-03-01', '360_day', 3),
    ('months since 2000-01-01', '', 'years since 2001-01-01', '', 12),
    ('days since 2000-01-01', '', 'days since 2000-01-01', 'noleap', NO),
    ('days since 2000-01-01', '', 'days since 2000-01-01', 'proleptic_gregorian', NO),
    ('days since 2000-01-01', '', 'days since 2000-01-01', 'utc', NO),
    ('days since 2000-01-01', '', 'months since 2000-01-01', '', NO),
    ('days since 2000-01-01', '', 'days since haywire', '', NO),
    ('days since haywire', '', 'days since 2000-01-01', '', NO),
    ('days since haywire', '', 'days since yesterday', '', NO),
    ('days since 2000-01-01', '', 'days since 2000/01/01', '', NO),
    ('days since 2000-01-01', '', 'days since 2000-13-01', '', NO),
    ('days since 2000-01-01', '', 'm', '', NO),
    ('days since 2000-01-01', '', 'days', '', NO)]
