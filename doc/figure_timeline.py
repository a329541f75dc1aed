"""Draws figure_timeline.svg from a report: python3 doc/figure_timeline.py report.html METHOD...

`headrace bench parallel --report report.html` has a timeline of every method; this takes the writes of some
methods on the largest number of MPI ranks and puts them below one another with one legend.
"""

import re
import sys
from pathlib import Path

PHASES = {
    "open": "#4c78a8",
    "exchange": "#f2a541",
    "transfer": "#54a24b",
    "sync": "#b279a2",
    "close": "#e45756",
    "wait": "#bab0ac",
}
STYLE = "text{font:11px sans-serif;fill:#333}.grid{stroke:#ddd}.whole{fill:none;stroke:#999}" + "".join(
    f".c{number}{{fill:{colour}}}" for number, colour in enumerate(PHASES.values(), 1)
)


def timelines(report: str) -> dict[str, tuple[float, str]]:
    """Title to height and contents of the pictures of writes; the last number of MPI ranks wins."""
    found = {}
    for picture in re.finditer(
        r'<svg viewBox="0 0 1000 ([\d.]+)"[^>]*aria-label="([^"]*), write, ([^"]*)">(.*?)</svg>', report, re.DOTALL
    ):
        found[picture[2]] = (float(picture[1]), f"{picture[2]}: {picture[3]}\n{picture[4]}")
    return found


def main(report: Path, methods: list[str]) -> None:
    pictures = timelines(report.read_text())
    parts, y = [], 40.0
    for number, (phase, colour) in enumerate(PHASES.items()):
        parts.append(
            f'<rect x="{90 + 110 * number}" y="8" width="12" height="12" fill="{colour}"/>'
            f'<text x="{108 + 110 * number}" y="18">{phase}</text>'
        )
    for method in methods:
        height, text = pictures[method]
        title, content = text.split("\n", 1)
        parts.append(f'<text x="90" y="{y}">{title}</text><g transform="translate(0 {y + 8})">{content}</g>')
        y += height + 30
    Path("doc/figure_timeline.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 {y}" width="1000"><style>{STYLE}</style>'
        f'<rect width="1000" height="{y}" fill="white"/>{"".join(parts)}</svg>\n'
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
