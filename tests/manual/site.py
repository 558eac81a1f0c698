#!/usr/bin/env python3
"""The manual's site is built without a warning, and links.py finds all of its links good. Skipped without Sphinx, MyST and
Furo (scripts/deps).

    site.py"""
import importlib.util
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main():
    if not shutil.which("sphinx-build") or any(not importlib.util.find_spec(m) for m in ("myst_parser", "furo")):
        print("no Sphinx with MyST and Furo")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        words = ["sphinx-build", "-q", "-W", "--keep-going", "-b", "html", "-d", Path(folder, "trees"), ROOT / "doc", Path(folder, "html")]
        if subprocess.run(words, timeout=100).returncode:
            return 1
        return subprocess.run([sys.executable, "-B", Path(__file__).with_name("links.py"), Path(folder, "html")]).returncode


if __name__ == "__main__":
    sys.exit(main())
