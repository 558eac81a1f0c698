"""Each rank has the months of its own years. Together they become one file, from which each rank reads a band of latitudes of all years.

    mpiexec -n 4 python3 parts_of_ranks.py [FILE]
"""
import sys

import numpy as np
import pandas as pd
import parcdf
import xarray as xr

LATITUDES = 90
path = sys.argv[1] if len(sys.argv) > 1 else "parts_of_ranks.nc"
world = parcdf.Comm("world")


def months(year: int) -> xr.Dataset:
    time = pd.date_range(f"{year}-01-01", periods=12, freq="MS")
    values = year + np.arange(12)[:, None] / 12 + np.zeros(LATITUDES)
    return xr.Dataset({"rain": (("time", "lat"), values, {"units": "mm"})},
                      coords={"time": time, "lat": np.linspace(-89, 89, LATITUDES)}, attrs={"source": "example"})


# The units of time are given: each rank would count from its own first month.
parcdf.to_parcdf(months(2000 + world.rank), path, world, part="time", unlimited_dims="time",
                 encoding={"time": {"units": "days since 2000-01-01", "dtype": "float64"}})

with xr.open_dataset(path, engine="parcdf", comm=world) as ds:
    band = slice(LATITUDES * world.rank // world.size, LATITUDES * (world.rank + 1) // world.size)
    means = ds.rain.isel(lat=band).groupby("time.year").mean()
    wanted = 2000 + np.arange(world.size) + np.arange(12).mean() / 12
    if means.year.values.tolist() != list(range(2000, 2000 + world.size)) or not np.allclose(means, wanted[:, None]):
        sys.exit(f"rank {world.rank} read other values than were written")
