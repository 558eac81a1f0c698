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
html_theme_options = {"footer_icons": []}
pygments_style = "friendly"
