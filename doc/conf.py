"""Sphinx: the guides of this folder, Python's docstrings, and the Fortran reference that FORD wrote before.

reference/rules.md, reference/measured.md and api/c.md are made by programs; tests compare them with what those make.
"""

import re
from pathlib import Path

project = "headrace"
author = "The headrace developers"
project_copyright = "The headrace developers"
_version = re.search(r'^version = "(.+)"', (Path(__file__).parent.parent / "fpm.toml").read_text(), re.MULTILINE)
version = release = _version[1] if _version else ""

extensions = ["myst_parser", "sphinx.ext.autodoc"]
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "ford.md", "results"]
html_theme = "alabaster"
html_theme_options = {
    "description": "Fast Fortran I/O, measured",
    "page_width": "60em",
    "extra_nav_links": {"Fortran API": "fortran/index.html"},  # in the pages alone: FORD makes it for them
}
html_extra_path = ["_build/extra"]  # FORD's pages, as fortran/index.html
