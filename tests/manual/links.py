#!/usr/bin/env python3
"""The manual hangs together: each link and picture leads to a file or heading that is there, every page is reached from
the first, each public function is on some page and none is named that does not exist. With a built site: its links and
pictures too, and nothing that a browser would fetch from another machine.

    links.py [HTML_FOLDER]"""
import html.parser
import re
import sys
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOC = ROOT / "doc"
sys.path.insert(0, str(ROOT / "src/api"))
from header import ATTRIBUTE_TYPES, FORMS  # noqa: E402


def without_code(text):
    text = re.sub(r"^(`{3,})[^\n]*\n.*?^\1$", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", lambda m: m[0] if "](" in m[0] else "x", text)


def slug(heading):
    heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def anchors(path):
    text = re.sub(r"^(`{3,})[^\n]*\n.*?^\1$", "", path.read_text(), flags=re.M | re.S)
    return {slug(h) for h in re.findall(r"^#{1,6} +(.*)$", text, re.M)}


def markdown(bad):
    reached, todo = set(), [DOC / "index.md"]
    while todo:
        page = todo.pop()
        if page in reached:
            continue
        reached.add(page)
        raw = page.read_text()
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^(`{3,})[^\n]*\n.*?^\1$", "", raw, flags=re.M | re.S)):
            if re.match(r"[a-z]+:", target):
                bad.append(f"{page.name}: {target} leads out of the project")
                continue
            name, _, anchor = target.partition("#")
            path = (page.parent / name).resolve() if name else page
            if not path.exists():
                bad.append(f"{page.name}: there is no {target}")
            elif anchor and anchor not in anchors(path):
                bad.append(f"{page.name}: {path.name} has no heading for #{anchor}")
            elif path.suffix == ".md" and path.parent == DOC:
                todo.append(path)
    for page in DOC.glob("*.md"):
        if page not in reached and page.name != "README.md":
            bad.append(f"{page.name} is not reached from index.md")
    for picture in DOC.glob("*.svg"):
        if not any(f"]({picture.name})" in p.read_text() for p in DOC.glob("*.md")):
            bad.append(f"{picture.name} is on no page")


def base(name):
    """ncmpi_put_vara_float_all -> ncmpi_put_vara: what the pages tell of all types and of both ways at once."""
    name = re.sub(r"_all$", "", name) if name != "ncmpi_wait_all" else name
    return re.sub(rf"_({'|'.join(suffix for suffix, _ in ATTRIBUTE_TYPES)})$", "", name)


def functions(bad):
    public = set()
    for header in ("pnetcdf.h", "parcdf.h"):
        text = re.sub(r"/\*.*?\*/", "", (ROOT / "include" / header).read_text(), flags=re.S)
        public |= set(re.findall(r"\b((?:ncmpi|cdl_hdr|parcdf)_\w+)\(", text)) | set(re.findall(r"\(\*(parcdf_\w+)\)", text))
    public.add("parcdf_abi")  # a library, no function
    named = set()
    for page in DOC.glob("*.md"):
        if page.name == "differences.md":
            continue
        for token in re.findall(r"(?<!::)\b(?:ncmpi|cdl_hdr|parcdf)_\w*[a-zA-Z0-9]\b(?![_*])", page.read_text()):
            forms = FORMS if "FORM" in token else [""]
            for form in forms:
                name = token.replace("FORM", form).replace("TYPE", "float")
                known = name in public or base(name) in {base(p) for p in public}
                if not known:
                    bad.append(f"{page.name}: there is no function {token}")
                named.add(base(name))
    bad += [f"no page names {f}" for f in sorted({base(p) for p in public} - named)]


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.ids = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids |= {attrs[k] for k in ("id", "name") if attrs.get(k)}
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        loads = attrs.get("src") or (attrs.get("href") if tag == "link" else None)
        if loads and attrs.get("rel") not in ("search", "index", "next", "prev"):
            self.loads.append(loads)


def site(folder, bad):
    pages = {p: Page(p.read_text()) for p in folder.rglob("*.html")}
    for path, page in pages.items():
        for target in page.loads + page.links:
            if re.match(r"(https?:)?//", target):
                if target in page.loads:
                    bad.append(f"{path.name}: fetches {target}")
                continue
            name, _, anchor = urllib.parse.unquote(target).partition("#")
            to = (path.parent / name.partition("?")[0]).resolve() if name else path
            if to.is_dir():
                to = to / "index.html"
            if not to.exists():
                bad.append(f"{path.name}: there is no {target}")
            elif anchor and to in pages and anchor not in pages[to].ids:
                bad.append(f"{path.name}: {to.name} has no #{anchor}")
    for sheet in folder.rglob("*.css"):
        for target in re.findall(r"(?:@import\s*|url\()\s*['\"]?((?:https?:)?//[^'\")]+)", sheet.read_text()):
            bad.append(f"{sheet.name}: fetches {target}")
    return len(pages)


def main(*folder):
    bad = []
    markdown(bad)
    functions(bad)
    if folder:
        print(f"{site(Path(folder[0]).resolve(), bad)} pages of HTML")
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
