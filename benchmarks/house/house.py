"""What scripts/house runs when the library is built."""
import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "lint"))
import circles  # noqa: E402
import crossings  # noqa: E402
import size  # noqa: E402

TABLES = ("crossings", "size", "circles")


def show_circles(archive):
    found = circles.circles(archive)
    for circle, edges in found:
        print(circles.listing(circle, edges) if len(circle) > circles.LARGEST else f"circle of {len(circle)} files: {' '.join(circle)}")
    print(f"largest circle: {len(found[0][0]) if found else 1} files")


def main():
    parser = argparse.ArgumentParser(prog="scripts/house", description="How far a reader has to walk; see benchmarks/house/README.md.")
    parser.add_argument("build", help=argparse.SUPPRESS)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"{', '.join(TABLES)} (default: all of them)")
    parser.add_argument("--list", metavar="CASE", choices=crossings.CASES, help="print the call tree of a case: " + ", ".join(crossings.CASES))
    a = parser.parse_args()
    wrong = set(a.tables) - set(TABLES)
    if wrong:
        parser.error(f"no such table: {' '.join(sorted(wrong))}")
    build = Path(a.build)
    if a.list:
        print(crossings.listing(crossings.record(build / "benchmarks" / "crossings"), a.list))
        return
    for table in a.tables or TABLES:
        print(f"== {table}")
        if table == "crossings":
            print(crossings.table(crossings.record(build / "benchmarks" / "crossings")))
        elif table == "size":
            print(size.table(ROOT))
        else:
            show_circles(build / "libparcdf.a")


if __name__ == "__main__":
    main()
