"""What the smaller sections show: knobs, cost models, checks, provenance, several runs side by side."""

from collections import defaultdict
from dataclasses import dataclass

from headrace.reporters.html.numbers import number, percent, size
from headrace.reporters.html.series import (
    CONDITIONS,
    OPERATIONS,
    all_series,
    is_parallel,
    is_plain,
    row_label,
)
from headrace.results.run import Check, Compiler, CostModel, Directory, Row, Run
from headrace.results.statistics import ratio_of

Facts = list[tuple[str, str]]


@dataclass(frozen=True)
class Effect:
    """A knob against the default: the ratio of the two medians."""

    ratio: float
    title: str
    distinct: bool  # the two intervals do not overlap, and both rows are valid

    @property
    def direction(self) -> str:
        if not self.distinct or 0.95 < self.ratio < 1.05:
            return "same"
        return "faster" if self.ratio > 1 else "slower"


@dataclass(frozen=True)
class KnobTable:
    compiler: str
    directory: str
    knobs: list[str]
    # mechanism, operation, condition, default, one cell a knob
    rows: list[tuple[str, str, str, str, list[Effect | str]]]


def knob_tables(run: Run) -> list[KnobTable]:
    """One table for each compiler and directory: mechanisms down, knobs across."""
    tables: list[KnobTable] = []
    for series in all_series(run):
        rows = [r for r in run.rows if (r.compiler, r.directory) == (series.compiler, series.directory)]
        rows = [r for r in rows if not is_parallel(r)]
        used = {r.knob for r in rows} - {"default"}
        known = [k.name for k in run.knobs if k.name in used]
        knobs = known + sorted(used - set(known))
        groups: dict[tuple[str, str, str], dict[str, Row]] = defaultdict(dict)
        for r in rows:
            groups[row_label(r), r.operation, r.condition][r.knob] = r
        lines = [
            (*key, _default(members), [_effect(members, knob) for knob in knobs])
            for key, members in sorted(groups.items(), key=lambda item: _order(item[0]))
            if set(members) - {"default"}
        ]
        if knobs:
            tables.append(KnobTable(series.compiler, series.directory, knobs, lines))
    return tables


def _order(key: tuple[str, str, str]) -> tuple[str, int, int]:
    return key[0], OPERATIONS.index(key[1]), CONDITIONS.index(key[2])


def _default(members: dict[str, Row]) -> str:
    row = members.get("default")
    return number(row.median) if row and row.statistics else "–"


def _effect(members: dict[str, Row], knob: str) -> Effect | str:
    row, default = members.get(knob), members.get("default")
    if row is None:
        return ""
    if row.statistics is None:
        return row.outcome
    if default is None or default.statistics is None or default.median <= 0:
        return f"{number(row.median)} MB/s"
    apart = row.statistics.low > default.statistics.high or row.statistics.high < default.statistics.low
    title = f"{number(row.median)} MB/s with {knob}, {number(default.median)} MB/s without"
    return Effect(ratio_of(row, default), title, apart and row.verdict == default.verdict == "valid")


@dataclass(frozen=True)
class CheckTable:
    compilers: list[str]
    rows: list[tuple[str, str, list[Check | None]]]  # name, question, one check a compiler

    @property
    def bad(self) -> int:
        return sum(1 for _, _, cells in self.rows for cell in cells if cell and cell.answer == "wrong")


def check_table(run: Run) -> CheckTable:
    """Checks down, compilers across; checks with a wrong answer first."""
    compilers = list(dict.fromkeys(check.compiler for check in run.checks))
    groups: dict[str, dict[str, Check]] = defaultdict(dict)
    for check in run.checks:
        groups[check.name][check.compiler] = check
    rows: list[tuple[str, str, list[Check | None]]] = [
        (name, next(iter(cells.values())).question, [cells.get(c) for c in compilers]) for name, cells in groups.items()
    ]
    rows.sort(key=lambda row: all(cell is None or cell.answer != "wrong" for cell in row[2]))
    return CheckTable(compilers, rows)


def model_errors(model: CostModel) -> Facts:
    """How well the model does on what it has not seen."""
    facts: Facts = [
        ("fitted on", f"{model.fitted_on} micro-runs"),
        ("tested on", f"{model.held_out} mechanisms that were not in the fit"),
    ]
    if model.median_error is not None:
        facts.append(("median error, held out, against the table", percent(model.median_error)))
    if model.ninetieth_percentile_error is not None:
        facts.append(("90 % of the errors are below", percent(model.ninetieth_percentile_error)))
    if model.gain_median_error is not None:
        error = f"{percent(model.gain_median_error)}, {model.gain_pairs} pairs"
        facts.append(("median error of a predicted gain", error))
    if model.note:
        facts.append(("note", model.note))
    return facts


@dataclass(frozen=True)
class Column:
    """A run, compiler and directory."""

    run: str
    compiler: str
    directory: str


@dataclass(frozen=True)
class Comparison:
    """Several runs: the columns of one compiler and directory stand together."""

    columns: list[Column]
    bases: list[int]  # for each column the one that its ratios refer to
    rows: list[tuple[str, str, str, list[Row | None]]]

    def ratio(self, cells: list[Row | None], index: int) -> float | None:
        row, base = cells[index], cells[self.bases[index]]
        if row is None or base is None or row is base or not base.median or not row.median:
            return None
        return row.median / base.median


def compare(runs: list[Run], names: list[str]) -> Comparison:
    """Default settings, one process. Ratios refer to the first run with the same compiler and directory."""
    groups: dict[tuple[str, str, str], dict[Column, Row]] = defaultdict(dict)
    for run, name in zip(runs, names, strict=True):
        for row in filter(is_plain, run.rows):
            column = Column(name, row.compiler, row.directory)
            groups[row_label(row), row.operation, row.condition].setdefault(column, row)
    columns = list(dict.fromkeys(column for members in groups.values() for column in members))
    pairs = list(dict.fromkeys((c.compiler, c.directory) for c in columns))
    columns.sort(key=lambda c: (pairs.index((c.compiler, c.directory)), names.index(c.run)))
    bases: list[int] = []
    for column in columns:
        same = [i for i, c in enumerate(columns) if (c.compiler, c.directory) == (column.compiler, column.directory)]
        bases.append(same[0] if len(same) > 1 else 0)
    rows: list[tuple[str, str, str, list[Row | None]]] = [
        (*key, [groups[key].get(column) for column in columns]) for key in sorted(groups, key=_order)
    ]
    return Comparison(columns, bases, rows)


def provenance_facts(run: Run) -> Facts:
    """Everything of Provenance and of the run itself."""
    p = run.provenance
    facts = [
        ("date", p.date),
        ("headrace", p.headrace_version),
        ("command", " ".join(p.command)),
        ("complete", "yes" if run.complete else "no: the run was interrupted"),
        ("elapsed", f"{number(run.elapsed_seconds)} s"),
        ("host", p.host),
        ("system", p.system),
        ("distribution", p.distribution),
        ("processor", p.processor),
        ("cores", str(p.cores or "")),
        ("memory", size(p.memory_bytes) if p.memory_bytes else ""),
        ("dirty limits", _pairs(p.dirty_limits)),
        ("load before", ", ".join(f"{load:.2f}" for load in p.load_before)),
        ("load after", ", ".join(f"{load:.2f}" for load in p.load_after)),
        ("environment variables", _pairs(p.variables) or "none that steer I/O"),
        ("MPI", p.mpi),
        ("job", _pairs(p.job)),
    ]
    return [(name, value) for name, value in facts if value]


def settings_facts(run: Run) -> Facts:
    s = run.settings
    return [
        ("selected", ", ".join(s.select) or "everything"),
        ("size", size(s.size_bytes) if s.size_bytes else "chosen by the minimum time"),
        ("minimum time of a transfer", f"{number(s.minimum_seconds)} s"),
        ("rounds", str(s.rounds)),
        ("time budget", f"{number(s.time_budget)} s" if s.time_budget else "none"),
        ("conditions", ", ".join(s.conditions) or "not stated"),
        ("files", s.files),
        ("readers", ", ".join(map(str, s.readers)) or "none"),
        ("seed", str(s.seed)),
        ("distribution of values", s.payload_distribution or "not stated"),
        ("data", s.data),
    ]


def compiler_facts(compiler: Compiler) -> Facts:
    facts = [
        ("called as", compiler.name),
        ("path", compiler.path),
        ("vendor", compiler.vendor),
        ("version", compiler.version),
        ("--version", compiler.version_text),
        ("flags", " ".join(compiler.flags) or "none"),
        ("compiler_version()", compiler.compiler_version),
        ("compiler_options()", compiler.compiler_options),
    ]
    return [(name, value) for name, value in facts if value]


def directory_facts(directory: Directory) -> Facts:
    d = directory
    room = f"{size(d.free_bytes)} free of {size(d.total_bytes)}" if d.total_bytes else ""
    facts = [
        ("file system", d.file_system),
        ("device", d.device),
        ("mount point", d.mount_point),
        ("mount options", d.mount_options),
        ("space", room),
        ("stripe", d.stripe),
    ]
    return [(name, value) for name, value in facts if value]


def _pairs(values: dict[str, str]) -> str:
    return "\n".join(f"{name}={value}" for name, value in values.items())
