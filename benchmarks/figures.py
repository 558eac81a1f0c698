"""What the suite makes of its runs: medians, ratios with an interval, shares of the roofline, exponents, plots."""
import math
import random
import shutil
import subprocess
from collections import defaultdict

from cases import DURABLE

OURS = "ours"


def median(x):
    x = sorted(x)
    return (x[(len(x) - 1) // 2] + x[len(x) // 2]) / 2


def seconds(said, phases):
    """From the first rank's start to the last one's end, in these phases of one run."""
    found = [said["phases"][phase] for phase in phases]
    return sum((phase.get("span") or phase["seconds"])["median"] for phase in found)


def interval(ours, peer, times=2000):
    """Where 95 of 100 ratios of medians (peer / ours) lie, of rounds drawn again with replacement; always the same draw."""
    draw = random.Random(1)
    ratios = sorted(median(draw.choices(peer, k=len(peer))) / median(draw.choices(ours, k=len(ours))) for _ in range(times))
    return ratios[int(0.025 * times)], ratios[int(0.975 * times)]


def name_of(place):
    return place["folder"] + (", durability asked for" if place["durable"] else "")


def floor_of(row, said, roof):
    """Seconds that the machine takes without a library for what a row moves; None: no roof is named."""
    if not row.roof or not isinstance(roof, dict) or not said:
        return None

    def a_call(phase):
        return seconds(roof, [phase]) / roof["calls"][phase]
    rate = roof["bytes"][row.roof] / seconds(roof, [row.roof])
    small = a_call("small_read" if "read" in row.roof else "small_write")
    return said / rate + row.votes * a_call("allreduce") + row.calls * small


def target_of(row, place):
    if place["durable"]:
        return DURABLE
    return row.disk if place["disk"] and row.target else row.target


def rows_of(result, cases):
    """One dict a figure: who took how long, peer / ours, and the share of the roof."""
    roofs = {(roof["mpi"], roof["ranks"], name_of(roof["place"])): roof["said"] for roof in result["roofs"]}
    rows = []
    for measured in result["cases"]:
        case = cases[measured["case"]]
        for name, row in case.rows.items():
            took = {label: [seconds(said, row.phases) for said in runs] for label, runs in measured["runs"].items() if runs}
            place = measured["place"]
            if OURS not in took or (place["durable"] and name != case.fsync):
                continue
            said = measured["runs"][OURS][0].get("bytes")
            moved = said.get(case.bytes_of) if isinstance(said, dict) else said
            floor = floor_of(row, moved, roofs.get((measured["mpi"], measured["ranks"], name_of(place))))
            rows.append({"case": case.name, "figure": name, "mpi": measured["mpi"], "ranks": measured["ranks"], "took": took,
                         "median": {label: median(x) for label, x in took.items()}, "target": target_of(row, place), "floor": floor,
                         "ratio": {label: ratio(took[OURS], x) for label, x in took.items() if label != OURS},
                         "bytes": moved, "scale": case.scale, "series": case.series, "place": name_of(place)})
    return rows


def ratio(ours, peer):
    """Of the medians, its interval, and the least and greatest of rounds that ran side by side."""
    pairs = [theirs / mine for mine, theirs in zip(ours, peer)]
    low, high = interval(ours, peer)
    return {"median": median(peer) / median(ours), "low": low, "high": high, "min": min(pairs), "max": max(pairs)}


def spread(x, moved):
    """Seconds, and what they are in MiB/s where something was moved."""
    rate = f"{moved / median(x) / 2**20:7.0f}" if moved else "       "
    return f"{median(x):9.5f} {min(x):9.5f}..{max(x):<9.5f}{rate}"


def table(result, rows):
    """Text: a line a figure, one more a peer."""
    machine = result["machine"]
    text = [f"{result['when']}, {machine['cpu']}, {machine['cores']} cores; {result['rounds']} rounds; load "
            f"{' to '.join(f'{load:.1f}' for load in result['load'])}{'; small sizes' if result['quick'] else ''}",
            "seconds: median min..max over rounds, from the first rank's start to the last one's end; ratio: peer / ours of the "
            "medians, [95 % interval], min..max of rounds side by side",
            "roof: what the machine takes without a library (roofline), as a share of ours; target: issues 6 and 15, the best peer",
            f"{'case':<16} {'':6} {'mpi':<8}{'ranks':>5}  {'who':<8}{'seconds':>9} {'':20}{'MiB/s':>7} {'ratio':>6} {'':36}{'roof':>5} "
            f"{'target':>6}"]
    places = list(dict.fromkeys(row["place"] for row in rows))
    for row in sorted(rows, key=lambda r: (places.index(r["place"]), bool(r["series"]))):
        if places and row["place"] == places[0]:
            text += ["", f"files in {places.pop(0)}"]
        head = f"{row['case']:<16} {row['figure']:<6} {row['mpi']:<8}{row['ranks']:>5}  "
        share = f"{100 * row['floor'] / row['median'][OURS]:4.0f} %" if row["floor"] else "      "
        text.append(f"{head}{OURS:<8}{spread(row['took'][OURS], row['bytes'])} {'':40}{share}")
        best = min(row["ratio"], key=lambda label: row["ratio"][label]["median"], default=None)
        for label, of in row["ratio"].items():
            target = ""
            if row["target"] and label == best:
                target = f"{row['target']:6.2f}{' met' if of['median'] >= row['target'] else ' not met'}"
            text.append(f"{'':{len(head)}}{label:<8}{spread(row['took'][label], row['bytes'])} {of['median']:6.2f} "
                        f"[{of['low']:6.2f},{of['high']:6.2f}] {of['min']:6.2f}..{of['max']:<6.2f}{'':8}{target}")
    text += [f"roof of {roof['mpi']}, {roof['ranks']} ranks, {name_of(roof['place'])}: {roof_line(roof['said'])}"
             for roof in result["roofs"]]
    text += [f"FAILED {case['case']}, {case['mpi']}, {case['ranks']} ranks, {name_of(case['place'])}, {label}: {why}"
             for case in result["cases"] for label, why in case["failures"].items()]
    return "\n".join(text + [f"{result['seconds']:.0f} s", ""])


def roof_line(said):
    if isinstance(said, str):
        return said
    rates = [f"{phase} {said['bytes'][phase] / seconds(said, [phase]) / 2**20:.0f}" for phase in said["bytes"]]
    return ", ".join(rates) + f" MiB/s; allreduce {1e6 * seconds(said, ['allreduce']) / said['calls']['allreduce']:.1f} us"


def slope(points):
    """The exponent of a power law through points, by least squares of logarithms."""
    x, y = [math.log(n) for n, _ in points], [math.log(t) for _, t in points]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def curves(rows):
    """(series, figure, mpi, who) -> points (size, seconds)."""
    found = defaultdict(list)
    for row in rows:
        for label, at in row["median"].items() if row["series"] else ():
            found[row["series"], row["figure"], row["mpi"], label].append((row["scale"], at))
    return {key: sorted(points) for key, points in found.items()}


def exponents(rows):
    """Text: how time grows with size, from 10,000 up; ours is to stay below 1.15."""
    text = []
    for (series, figure, mpi, label), points in sorted(curves(rows).items()):
        large = [point for point in points if point[0] >= 10000]
        if len(large) > 1:
            text.append(f"time of {series}, {figure}, {mpi}, {label}: exponent {slope(large):.2f} "
                        f"({large[0][0]} to {large[-1][0]})")
    return "\n".join(text + [""]) if text else ""


def gnuplot(script):
    """A sentence where it went wrong."""
    done = subprocess.run(["gnuplot"], input=script, capture_output=True, text=True)
    return done.stderr.strip()


def plot_ratios(rows, out):
    """A bar a figure, a file for each MPI, number of ranks and place."""
    groups = defaultdict(list)
    for row in rows:
        for label in row["ratio"] if not row["series"] else ():
            groups[row["mpi"], row["ranks"], label, row["place"]].append(row)
    trouble = []
    places = list(dict.fromkeys(row["place"] for row in rows))
    for (mpi, ranks, label, place), group in groups.items():
        number = f"-{places.index(place) + 1}" if len(places) > 1 else ""
        data = "\n".join(f'"{r["case"]} {r["figure"]}" {r["ratio"][label]["median"]} {r["ratio"][label]["low"]} '
                         f'{r["ratio"][label]["high"]}' for r in group)
        trouble.append(gnuplot(f"""set terminal svg size {200 + 28 * len(group)},460 background "white"
set output "{out}/ratio-{mpi}-{ranks}-{label}{number}.svg"
set title "{label} / ours, {mpi}, {ranks} ranks, {place}: above 1 ours takes less time" noenhanced
set logscale y 2
set grid y
set style fill solid 0.5
set boxwidth 0.6
set xtics rotate by -50 noenhanced
unset key
$d << EOD
{data}
EOD
plot [-1:{len(group)}] [0.125:] $d using 0:2:xtic(1) with boxes lc rgb "#3070b0", \\
  $d using 0:2:3:4 with yerrorbars lc rgb "black" pt 0, 1 lc rgb "red"
"""))
    return trouble


def plot_curves(points_of, out, name, x_label, y_label):
    """Lines of points on two logarithmic axes: label -> points."""
    blocks = "\n\n\n".join("\n".join(f"{x} {y}" for x, y in points) for points in points_of.values())
    lines = ", ".join(f'$d index {i} with linespoints title "{label}" noenhanced' for i, label in enumerate(points_of))
    return gnuplot(f"""set terminal svg size 720,460 background "white"
set output "{out}/{name}.svg"
set logscale xy
set grid
set key left top
set xlabel "{x_label}"
set ylabel "{y_label}"
$d << EOD
{blocks}
EOD
plot {lines}
""")


def plot_model(lines, out):
    """Counts of a put against ranks. A sentence about it."""
    if not shutil.which("gnuplot"):
        return "no plot: gnuplot is not installed (Debian: gnuplot-nox)"
    return plot_curves(lines, out, "model", "ranks", "of one collective put") or f"plot: {out}/model.svg"


def plot(rows, out):
    """Plots of all that there is. A sentence about it."""
    if not shutil.which("gnuplot"):
        return "no plots: gnuplot is not installed (Debian: gnuplot-nox)"
    trouble = plot_ratios(rows, out)
    series = defaultdict(dict)
    for (name, figure, mpi, label), points in curves(rows).items():
        if len(points) > 1:
            series[name][f"{label} {figure}, {mpi}"] = points
    for name, lines in series.items():
        trouble.append(plot_curves(lines, out, f"time-{name}", name, "seconds"))
    return "\n".join(filter(None, trouble)) or f"plots: {out}/*.svg"
