"""Puts the page together: what the templates get, and how they are escaped."""

import base64
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from headrace.reporters.html import numbers, sections, tables
from headrace.reporters.html.bars import BarPlot, bar_plots
from headrace.reporters.html.readers import ReaderPlot, reader_plots
from headrace.reporters.html.tables import Family, families
from headrace.results.conclusions import PublishedRatio, conclude, published_ratios
from headrace.results.findings import Findings, findings
from headrace.results.goals import judgement
from headrace.results.run import Run

TEMPLATES = Path(__file__).parent / "templates"

# Control characters have no place in HTML; marks that reverse the direction of text could disguise a message.
_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True)
class View:
    """One run with everything that the page shows of it."""

    run: Run
    name: str
    anchor: str
    found: Findings
    conclusions: list[str]
    plots: list[BarPlot]
    families: list[Family]
    published: list[PublishedRatio]
    readers: list[ReaderPlot]
    knobs: list[sections.KnobTable]
    checks: sections.CheckTable

    @property
    def compilers(self) -> list[str]:
        return [compiler.identifier for compiler in self.run.compilers]

    def values(self, attribute: str) -> list[str]:
        """What a filter can choose from."""
        return list(dict.fromkeys(str(getattr(row, attribute)) for row in self.run.rows))


def render(runs: list[Run], names: list[str], found: Sequence[Findings] | None = None) -> str:
    """The whole page; `found` if the findings are drawn from other rows than those that are shown."""
    told = [findings(run) for run in runs] if found is None else found
    views = [
        _view(run, name, f"run{index}", said)
        for index, (run, name, said) in enumerate(zip(runs, names, told, strict=True), 1)
    ]
    return render_page(
        "page.html.j2",
        views=views,
        comparison=sections.compare(runs, names) if len(runs) > 1 else None,
    )


def render_page(template: str, **what: object) -> str:
    """A page of a template, with the style and the script that all have."""
    script = (TEMPLATES / "report.js").read_text(encoding="utf-8")
    return (
        _environment()
        .get_template(template)
        .render(
            **what,
            style=Markup((TEMPLATES / "style.css").read_text(encoding="utf-8")),
            script=Markup(script),
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        )
    )


def _view(run: Run, name: str, anchor: str, found: Findings) -> View:
    return View(
        run,
        name,
        anchor,
        found,
        conclude(run),
        bar_plots(run),
        families(run),
        published_ratios(run),
        reader_plots(run),
        sections.knob_tables(run),
        sections.check_table(run),
    )


def visible(value: object) -> object:
    """Text of the results as it may stand in the page; what the templates made themselves is left alone."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return _UNSAFE.sub("\ufffd", value)
    return value


def breakable(text: str) -> Markup:
    """A name or a path that may be broken after its separators."""
    return Markup(re.sub("([:_/])(?=.)", r"\1<wbr>", str(escape(visible(text)))))


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "breakable": breakable,
        "number": numbers.number,
        "ratio": numbers.ratio,
        "figure": numbers.figure,
        "interval": lambda found: numbers.figures(found.low, found.high),
        "percent": numbers.percent,
        "size": numbers.size,
        "seconds": tables.seconds,
        "verdict": tables.verdict_of,
        "judgement": judgement,
    }
    environment.globals |= {
        "columns": tables.COLUMNS,
        "filters": ("operation", "condition", "compiler", "directory", "knob"),
        "provenance_facts": sections.provenance_facts,
        "settings_facts": sections.settings_facts,
        "compiler_facts": sections.compiler_facts,
        "directory_facts": sections.directory_facts,
        "model_errors": sections.model_errors,
    }
    return environment
