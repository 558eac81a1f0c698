"""A matrix that is cut into rectangles, one for each rank. All ranks write it together, and then each rank reads whole rows.

    mpiexec -n 4 python3 block_2d.py [FILE]
"""
import sys

import numpy as np
import parcdf

ROWS, COLUMNS = 60, 84


def grid(ranks: int) -> tuple[int, int]:
    """How many rectangles down and across: as square as the number of ranks allows."""
    down = max(n for n in range(1, int(ranks**0.5) + 1) if ranks % n == 0)
    return down, ranks // down


def share(length: int, parts: int, part: int) -> slice:
    return slice(length * part // parts, length * (part + 1) // parts)


path = sys.argv[1] if len(sys.argv) > 1 else "block_2d.nc"
world = parcdf.Comm("world")
down, across = grid(world.size)
ys, xs = share(ROWS, down, world.rank // across), share(COLUMNS, across, world.rank % across)

# A rectangle with a border of one cell around it, as a solver has it: the border is not written, and nothing is copied.
height, width = ys.stop - ys.start, xs.stop - xs.start
field = np.full((height + 2, width + 2), np.nan)
field[1:-1, 1:-1] = np.arange(ys.start, ys.stop)[:, None] * 1000 + np.arange(xs.start, xs.stop)

with parcdf.create(path, comm=world) as f:
    f.def_dim("y", ROWS)
    f.def_dim("x", COLUMNS)
    matrix = f.def_var("matrix", "double", ("y", "x"), attrs={"long_name": "1000 y + x"})
    matrix[ys, xs] = field[1:-1, 1:-1]

with parcdf.open(path, comm=world) as f:
    mine = share(ROWS, world.size, world.rank)
    rows = np.empty((mine.stop - mine.start, COLUMNS))
    f["matrix"].get(mine, out=rows)
    wanted = np.arange(mine.start, mine.stop)[:, None] * 1000 + np.arange(COLUMNS)
    if not np.array_equal(rows, wanted):
        sys.exit(f"rank {world.rank} read other values than were written")
