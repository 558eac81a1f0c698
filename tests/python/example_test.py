"""An example, in an environment where the package is found; skipped where a module that it imports is not installed.

    example_test.py FILE"""
import re
import runpy
import sys
from pathlib import Path

from pysupport import need

EXAMPLE = Path(sys.argv[1])
need(*re.findall(r"^import (\w+)", EXAMPLE.read_text(), re.M))
sys.argv = [str(EXAMPLE), EXAMPLE.stem + ".nc"]
runpy.run_path(str(EXAMPLE), run_name="__main__")
