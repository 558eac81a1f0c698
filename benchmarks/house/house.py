"""What scripts/house runs when the library is built."""
import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "lint"))
import circles  # noqa: E402
import crossings  # noqa: E402
import shape  # noqa: E402
import size  # noqa: E402

TABLES = ("crossings", "size", "shape", "circles")


def show_circles(archive):
    found = circles.circles(archive)
    for circle, edges in found:
        print(circles.listing(circle, edges) if len(circle) > circles.LARGEST else f"circle of {len(circle)} files: {' '.join(circle)}")
    print(f"largest circle: {len(found[0][0]) if found else 1} files")


def figures(build):
    """{what: number}: what a change of the house is judged by."""
    trees, opened = crossings.record(build)
    numbers = {f"{case}, {what}": n for case in crossings.CASES
               for what, n in zip(("functions", "files", "depth"), crossings.summary(crossings.last(trees, case)))}
    files, lines, functions, longest = size.measure(ROOT)["all"]
    numbers |= {"files of the core": files, "lines of the core": lines, "functions of the core": functions,
                "functions in 1,000 lines": round(1000 * functions / lines, 1), "longest function, lines": longest}
    numbers |= {"each input of reduce is opened": max(opened[name] for name in ("a.nc", "b.nc"))} | shape.figures(ROOT)
    sizes = [len(circle) for circle, _ in circles.circles(build / "libparcdf.a")]
    return numbers | {"largest circle, files": max(sizes, default=1), "circles of more than two files": sum(n > 2 for n in sizes)}


def compare(before, now):
    print(f"{'':<34}{'before':>10}{'now':>10}")
    for what in dict.fromkeys([*before, *now]):
        print(f"{what:<34}{before.get(what, '-'):>10}{now.get(what, '-'):>10}")


def main():
    parser = argparse.ArgumentParser(prog="scripts/house", description="How far a reader has to walk; see benchmarks/house/README.md.")
    parser.add_argument("build", help=argparse.SUPPRESS)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"{', '.join(TABLES)} (default: all of them)")
    parser.add_argument("--list", metavar="CASE", choices=crossings.CASES, help="print the call tree of a case: " + ", ".join(crossings.CASES))
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the figures of all tables to a file")
    parser.add_argument("--against", metavar="FILE", type=Path, help="print such figures of before beside those of now")
    a = parser.parse_args()
    wrong = set(a.tables) - set(TABLES)
    if wrong:
        parser.error(f"no such table: {' '.join(sorted(wrong))}")
    build = Path(a.build)
    if a.list:
        print(crossings.listing(crossings.record(build)[0], a.list))
        return
    if a.save or a.against:
        now = figures(build)
        if a.save:
            a.save.write_text(json.dumps(now, indent=1) + "\n")
        if a.against:
            compare(json.loads(a.against.read_text()), now)
        return
    for table in a.tables or TABLES:
        print(f"== {table}")
        if table == "crossings":
            trees, opened = crossings.record(build)
            print(crossings.table(trees))
            print("reduce, rank 0 opens: " + ", ".join(f"{name} {n} times" for name, n in sorted(opened.items())))
        elif table == "size":
            print(size.table(ROOT))
        elif table == "shape":
            print(shape.table(ROOT))
        else:
            show_circles(build / "libparcdf.a")


if __name__ == "__main__":
    main()
