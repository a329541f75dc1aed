"""Makes the pages that FORD wrote open without a network: python setup/offline_pages.py DIRECTORY

FORD's pages load Bootstrap and MathJax from a content delivery network. Bootstrap is laid beside the pages, from the
package that pyproject.toml names; MathJax goes, because no comment of ours has a formula. Fails if a page still loads
anything from elsewhere.
"""

import re
import sys
from importlib.resources import files
from pathlib import Path

_LOADED = re.compile(
    r"""<(?:script|img|link)\b[^>]*?\b(?:src|href)=["'](?P<place>(?:https?:)?//[^"']+)["'][^>]*>(?:\s*</script>)?"""
)
_OF_ANOTHER_HOST = re.compile(r"""\s+(?:integrity|crossorigin)=["'][^"']*["']""")
_FROM_BOOTSTRAP = {"bootstrap.min.css": "css", "bootstrap.bundle.min.js": "js"}


def make_offline(directory: Path) -> int:
    """Rewrites every page below `directory`; returns how many there are.

    Raises ValueError that names the page and the place if one would still need a network.
    """
    pages = sorted(directory.rglob("*.html"))
    used = set()
    for page in pages:
        up = "../" * (len(page.relative_to(directory).parts) - 1)

        def local(match: re.Match[str], page: Path = page, up: str = up) -> str:
            name = match["place"].rpartition("/")[2].partition("?")[0]
            if name == "MathJax.js":
                return ""
            if name not in _FROM_BOOTSTRAP:
                raise ValueError(f"{page} loads {match['place']}: teach {__file__} where to take it from")
            used.add(name)
            tag = _OF_ANOTHER_HOST.sub("", match[0])  # a browser asks file:// for none of them
            return tag.replace(match["place"], f"{up}{_FROM_BOOTSTRAP[name]}/{name}")

        page.write_text(_LOADED.sub(local, page.read_text()))
    for name in used:
        folder = _FROM_BOOTSTRAP[name]
        (directory / folder).mkdir(exist_ok=True)
        source = files("bootstrap") / "static" / "bootstrap" / folder / name
        (directory / folder / name).write_bytes(source.read_bytes())
    return len(pages)


if __name__ == "__main__":
    print(f"{make_offline(Path(sys.argv[1]))} pages open without a network")
