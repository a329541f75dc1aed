"""Sphinx: the guides of this folder, and the Fortran reference that FORD wrote before."""

import re
from pathlib import Path

from headrace.rules.page import page

(Path(__file__).parent / "reference" / "rules.md").write_text(page())  # it is in the repository too: a test compares them

project = "headrace"
author = "The headrace developers"
project_copyright = "The headrace developers"
_version = re.search(r'^version = "(.+)"', (Path(__file__).parent.parent / "fpm.toml").read_text(), re.MULTILINE)
version = release = _version[1] if _version else ""

extensions = ["myst_parser"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "ford.md"]
html_theme = "alabaster"
html_theme_options = {
    "description": "Fast Fortran I/O, measured",
    "page_width": "60em",
    "extra_nav_links": {"The Fortran interface": "fortran/index.html"},  # in the pages alone: FORD makes it for them
}
html_extra_path = ["_build/extra"]  # FORD's pages, as fortran/index.html
