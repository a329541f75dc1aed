"""A table of hints as the library has it, and a way to look at a script in a test."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from headrace.job_scripts.finding import Finding
from headrace.job_scripts.findings import findings

Found = Callable[..., list[tuple[str, int]]]

_SWITCHES = ("enable", "disable", "automatic")
_ROMIOS = frozenset({"romio", "cray"})


@dataclass(frozen=True)
class Row:
    name: str
    words: tuple[str, ...]
    least: int | None
    most: int | None
    takers: frozenset[str]

    def means(self, value: str) -> bool:
        if self.least is None or self.most is None:
            return not self.words or value in self.words
        return value.lstrip("-").isdigit() and self.least <= int(value) <= self.most


def _number(name: str, takers: frozenset[str], least: int) -> Row:
    return Row(name, (), least, 2**31 - 1, takers)


def _word(name: str, takers: frozenset[str], words: tuple[str, ...] = ()) -> Row:
    return Row(name, words, None, None, takers)


_ROWS = [
    _number("cb_nodes", _ROMIOS | {"ompio"}, 1),
    _number("cb_buffer_size", _ROMIOS | {"ompio"}, 1),
    _word("collective_buffering", frozenset({"ompio"}), ("true", "false")),
    _number("stripe_width", frozenset({"ompio"}), -1),
    _word("cb_config_list", _ROMIOS),
    _number("striping_factor", _ROMIOS, -1),
    _number("striping_unit", _ROMIOS, 0),
    _word("romio_no_indep_rw", _ROMIOS),
    *(_word(f"romio_{name}", _ROMIOS, _SWITCHES) for name in ("cb_read", "cb_write", "ds_read", "ds_write")),
    _number("cray_cb_nodes_multiplier", frozenset({"cray"}), 1),
    _number("cray_cb_write_lock_mode", frozenset({"cray"}), 0),
    _number("h_minfree", frozenset({"pnetcdf"}), 0),
]
TABLE = {row.name: row for row in _ROWS}


def script(folder: Path, text: str, name: str = "job.sh") -> Path:
    """A file with this text."""
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def all_of(folder: Path, text: str, name: str = "job.sh") -> list[Finding]:
    """What is found in a text."""
    return findings(script(folder, text, name), TABLE)


def codes(found: list[Finding]) -> list[tuple[str, int]]:
    """Codes and lines."""
    return [(one.code, one.line) for one in found]
