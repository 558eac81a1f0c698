"""How Sphinx makes the site of the manual (scripts/manual): MyST reads the Markdown, Furo draws it, and nothing is
fetched from the network when it is read."""
import re
from pathlib import Path

HEADER = (Path(__file__).resolve().parent.parent / "include/parcdf.h").read_text()

project = "parcdf"
version = release = re.search(r'PARCDF_VERSION +"([^"]+)"', HEADER)[1]
copyright = "the authors of parcdf, BSD 3-Clause"
html_title = f"parcdf {version}"

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["README.md"]
root_doc = "index"
myst_heading_anchors = 3
suppress_warnings = ["myst.header"]

html_theme = "furo"
html_show_sphinx = False
html_copy_source = False
html_static_path = ["manual.css"]
html_css_files = ["manual.css"]
html_theme_options = {"footer_icons": []}
pygments_style = "friendly"

# The order of the pages beside the text; a page that is missing here is a warning, and an error of scripts/manual.
PAGES = {
    "Use": "getting-started concepts glossary examples tools info consistency watching checkpoints crashes checksums diff checks copy reduce calc join times values nco-cdo other-formats far-files foreign performance report compressed-output asynchronous-output deferring costs errors hints debug-hints strategies storages clusters mpi-abi parallel-file-systems moving differences fortran cxx python dump gen format",
    "Functions": "functions files define attributes variables varn nonblocking flexible several fill inquiry cdl parcdf-h",
}


def add_contents(_, page, source):
    """index.md stays Markdown that everyone reads; Sphinx wants its own words in it."""
    if page == root_doc:
        for caption, names in PAGES.items():
            lines = "\n".join(names.split())
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n"


def setup(app):
    app.connect("source-read", add_contents)
