#!/usr/bin/env python3
"""The manual pages: no formatter complains, every command and public function has one, `man FUNCTION` shows its prototype. On a terminal of
80 columns no line is longer and no word is broken, and the description begins on the first screens.

    pages_test.py GENERATOR INCLUDE_FOLDER"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def said_by(*words, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=100, **more)
    return done.stdout, done.stdout + done.stderr if done.returncode else done.stderr


def complaints(pages):
    """What formatters say of pages that have text."""
    bad = []
    if shutil.which("mandoc"):
        shown, said = said_by("mandoc", "-T", "lint", "-W", "style", *pages)
        bad += (shown + said).splitlines()
    if shutil.which("groff"):
        bad += said_by("groff", "-man", "-ww", "-Tutf8", *pages)[1].splitlines()
    return bad


def shown(page):
    """A page as text, without underlining."""
    if shutil.which("mandoc"):
        text = said_by("mandoc", "-T", "utf8", "-O", "width=200", page)[0]
    else:
        text = said_by("groff", "-man", "-rLL=200n", "-Tutf8", "-P-c", page)[0]
    return " ".join(re.sub(".\b", "", text).split())


COLUMNS, FIRST_LINES = 80, 100


def on_a_terminal(page):
    """A page as the terminals of each formatter show it."""
    if shutil.which("mandoc"):
        yield said_by("mandoc", "-T", "utf8", "-O", f"width={COLUMNS - 2}", page)[0]
    if shutil.which("groff"):
        yield said_by("groff", "-man", "-t", f"-rLL={COLUMNS - 2}n", "-Tutf8", "-P-c", page)[0]


def unfit(page):
    """What does not suit a terminal of 80 columns."""
    bad = []
    for text in on_a_terminal(page):
        lines = re.sub(".\b", "", text).splitlines()
        bad += [f"{page.name}: {len(line)} columns: {line.strip()}" for line in lines if len(line) > COLUMNS]
        bad += [f"{page.name}: a broken word: {line.strip()}" for line in lines if line.endswith("\N{HYPHEN}")]
        where = [i for i, line in enumerate(lines) if line.strip() == "DESCRIPTION"]
        if page.suffix == ".3" and (not where or where[0] > FIRST_LINES):
            bad.append(f"{page.name}: the description is not within the first {FIRST_LINES} lines")
    return bad


def commands_without(folder):
    """Commands of `parcdf`, names that it answers to, and other programs, that have no page."""
    source = Path(__file__).resolve().parents[2]
    commands = re.findall(r"^PCDF_TOOL\((\w+)\)", (source / "programs/commands.def").read_text(), re.M)
    aliases = re.findall(r'^PCDF_TOOL_ALIAS\("([^"]+)"', (source / "programs/aliases.def").read_text(), re.M)
    wanted = [f"man/man1/parcdf-{c}.1" for c in commands + ["map"]] + ["man/man1/parcdf.1"]
    wanted += [f"dropin/man1/{a}.1" for a in aliases + ["pnetcdf-config", "pnetcdf_version"] if a not in ("ncdump", "ncgen", "nccopy")]
    return [f"there is no {page}" for page in wanted if not Path(folder, page).exists()]


def main(generator, include):
    functions = [name for header in ("pnetcdf.h", "parcdf.h") for name in
                 re.findall(r"^PNETCDF_PUBLIC_API [^;(]*?\b(\w+)\(", Path(include, header).read_text(), re.M)]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([sys.executable, "-B", generator, f"{folder}/man", f"{folder}/dropin"], text=True, stdout=subprocess.PIPE)
        print(done.stdout.strip())
        bad = ["the generator failed"] if done.returncode else []
        pages = [p for p in sorted(Path(folder).rglob("*.[13]")) if not p.read_text().startswith(".so")]
        bad += commands_without(folder) + complaints(pages)
        bad += [line for page in pages for line in unfit(page)]
        texts = {}
        for name in functions:
            link = Path(folder, "man/man3", f"{name}.3")
            target = re.fullmatch(r"\.so (man3/[\w-]+\.3)\n", link.read_text()) if link.exists() else None
            page = Path(folder, "man", target[1]) if target else None
            if not page or not page.exists():
                bad.append(f"{name}: no page")
                continue
            if shutil.which("mandoc") or shutil.which("groff"):
                texts[page] = texts.get(page) or shown(page)
                bad += [] if re.search(rf"\b{name}\(", texts[page]) else [f"{name}: {page.name} does not show it"]
    print("\n".join(bad) or f"{len(functions)} functions on {len(texts)} pages; {len(pages)} pages")
    return 1 if bad or len(functions) < 900 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
