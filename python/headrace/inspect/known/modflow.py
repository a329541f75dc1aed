"""Binary files of MODFLOW: heads, concentrations, budgets, grids (.grb). First: __init__.py.

Heads: a head of 44 bytes (52 in double precision) with a label of 16 characters, then a layer. Budgets: a head of 36
bytes with a label, then arrays or lists. Both come as a stream, or as records if MODFLOW was compiled so. A grid
says in lines of text what follows them.
"""

import math
import re
from collections.abc import Callable

from headrace.containers.file_bytes import Bytes
from headrace.inspect.findings import Known, Listed
from headrace.inspect.known.found import MOST_STEPS, Stream, as_text, counted

_LABEL = re.compile(r" *[A-Z][A-Za-z0-9 _.()/+-]* *")
_MOST = 1 << 31
_SNIPPETS = {
    "heads": "import flopy\n\nheads = flopy.utils.HeadFile({file!r}, precision={precision!r}{text})\n"
    "last = heads.get_data(totim=heads.get_times()[-1])  # layers, rows, columns",
    "heads of layers": "import flopy\n\nheads = flopy.utils.HeadUFile({file!r}, precision={precision!r})\n"
    "last = heads.get_data(totim=heads.get_times()[-1])  # a list of layers",
    "concentrations": "import flopy\n\nconcentrations = flopy.utils.UcnFile({file!r}, precision={precision!r})\n"
    "last = concentrations.get_data(totim=concentrations.get_times()[-1])",
    "budget": "import flopy\n\nbudget = flopy.utils.CellBudgetFile({file!r}, precision={precision!r})\n"
    "for name in budget.get_unique_record_names():\n    print(name, len(budget.get_data(text=name)))",
    "grid": "import flopy\n\ngrid = flopy.mf6.utils.MfGrdFile({file!r})\nprint(grid.grid_type)",
}  # fmt: skip


def recognise(file: Bytes, name: str) -> Known | None:
    """The file, if it is one of these."""
    if file.read(0, 8) == b"GRID DIS":
        return _grid(file, name)
    for read in (_heads, _concentrations, _budget):
        for order in ("little", "big"):
            for marked in (False, True):
                for precision in ("single", "double"):
                    found = read(file, name, order, marked, precision)
                    if found is not None:
                        return found
    return None


def _label(text: str) -> str | None:
    return text.strip() if len(text) == 16 and _LABEL.fullmatch(text) else None


def _follow(file: Bytes, stream: Stream, step: Callable[[], bool]) -> tuple[int, int]:
    """How many steps there are, and where the last whole one ends."""
    steps, end = 0, 0
    try:
        while stream.place < file.size and steps < MOST_STEPS and step():
            steps, end = steps + 1, stream.place
    except EOFError:
        pass
    return steps, end


def _sure(steps: int, end: int, file: Bytes) -> bool:
    """Several steps, or one to the end of the file."""
    return steps > 0 and (end == file.size or steps >= 3)


def _usual(*numbers: int) -> bool:
    return all(1 <= n <= 1 << 24 for n in numbers)


def _time(value: float) -> bool:
    return math.isfinite(value) and (value == 0 or 1e-12 < value < 1e14)


def _heads(file: Bytes, name: str, order: str, marked: bool, precision: str) -> Known | None:
    real, size = ("f", 4) if precision == "single" else ("d", 8)
    stream, layers = Stream(file, order, marked), dict[tuple[str, int, int], int]()
    times = set[float]()

    def step() -> bool:
        numbers = stream.integers(2)
        period, total = (float(t) for t in stream.take(f"2{real}"))
        label = _label(stream.text(16))
        columns, rows, layer = stream.integers(3)
        if label is None or not _usual(*numbers, columns, rows, layer) or not (_time(period) and _time(total)):
            return False
        # Unstructured grids (MODFLOW-USG) name the first and the last node of the layer.
        values = rows - columns + 1 if label.endswith("U") else columns * rows
        if values < 1 or values > _MOST:
            return False
        stream.skip(size * values)
        shape = (label, values, 1) if label.endswith("U") else (label, columns, rows)
        layers[shape] = layers.get(shape, 0) + 1
        times.add(total)
        return True

    steps, end = _follow(file, stream, step)
    if not _sure(steps, end, file):
        return None
    label = next(iter(layers))[0]
    facts = [counted(steps, "layer"), counted(len(times), "time"), _words(precision, marked)]
    text = "" if label.startswith("HEAD") else f", text={label!r}"
    arrays = [Listed(key[0], f"real{8 * size}", [*key[1:], count]) for key, count in layers.items()]
    reader = "heads of layers" if label.endswith("U") else "heads"
    snippet = _snippet(reader, marked, file=name, precision=precision, text=text)
    what = "heads" if label.startswith("HEAD") else label.lower()
    title = f"MODFLOW: {what} (a head file)" if what != "heads" else "MODFLOW: heads"
    return Known("modflow-heads", title, facts, _library(marked), snippet, order, end, arrays, not marked,
                 complete=steps < MOST_STEPS)  # fmt: skip


def _snippet(what: str, marked: bool, **words: str) -> str:
    """flopy reads streams; records are read by what is said of them."""
    return "" if marked else _SNIPPETS[what].format(**words)


def _library(marked: bool) -> str:
    return "" if marked else "flopy"


def _words(precision: str, marked: bool) -> str:
    return f"{precision} precision" + (", in records" if marked else "")


def _concentrations(file: Bytes, name: str, order: str, marked: bool, precision: str) -> Known | None:
    """MT3DMS: the number of the transport step stands in front."""
    real, size = ("f", 4) if precision == "single" else ("d", 8)
    stream, layers = Stream(file, order, marked), dict[tuple[str, int, int], int]()

    def step() -> bool:
        numbers = stream.integers(3)
        (total,) = (float(t) for t in stream.take(real))
        label = _label(stream.text(16))
        columns, rows, layer = stream.integers(3)
        if label is None or not _usual(*(n + 1 for n in numbers), columns, rows, layer) or not _time(total):
            return False
        if columns * rows > _MOST:
            return False
        stream.skip(size * columns * rows)
        layers[(label, columns, rows)] = layers.get((label, columns, rows), 0) + 1
        return True

    steps, end = _follow(file, stream, step)
    if not _sure(steps, end, file):
        return None
    snippet = _snippet("concentrations", marked, file=name, precision=precision)
    arrays = [Listed(key[0], f"real{8 * size}", [*key[1:], count]) for key, count in layers.items()]
    facts = [counted(steps, "layer"), _words(precision, marked)]
    return Known(
        "mt3d-concentrations", "MT3DMS: concentrations (UCN)", facts, _library(marked), snippet, order, end, arrays,
        not marked,
        complete=steps < MOST_STEPS,
    )  # fmt: skip


def _budget(file: Bytes, name: str, order: str, marked: bool, precision: str) -> Known | None:
    real, size = ("f", 4) if precision == "single" else ("d", 8)
    stream = Stream(file, order, marked)
    terms = dict[tuple[str, tuple[int, ...], str], int]()
    periods = set[tuple[int, int]]()

    def step() -> bool:
        numbers = stream.integers(2)
        label = _label(stream.text(16))
        columns, rows, layers = stream.integers(3)
        if label is None or not _usual(*numbers, columns, rows, abs(layers)) or columns * rows * abs(layers) > _MOST:
            return False
        shape: tuple[int, ...] = (columns, rows, abs(layers))
        kind = f"real{8 * size}"
        if layers > 0:
            stream.skip(size * math.prod(shape))
        else:
            (method,) = stream.integers(1)
            if not 0 <= method <= 6 or not all(_time(float(t)) for t in stream.take(f"3{real}")):
                return False
            listed = _skip_term(stream, method, size, shape)
            if listed is None:
                return False
            shape, kind = listed if method not in (0, 1) else (shape, kind)
        key = (label, shape if kind != "list" else (), kind)
        terms[key] = terms.get(key, 0) + 1
        periods.add((numbers[0], numbers[1]))
        return True

    steps, end = _follow(file, stream, step)
    if not _sure(steps, end, file):
        return None
    facts = [counted(steps, "term"), counted(len(periods), "time step"), _words(precision, marked)]
    arrays = [Listed(label, kind, list(shape)) for label, shape, kind in terms]
    snippet = _snippet("budget", marked, file=name, precision=precision)
    return Known("modflow-budget", "MODFLOW: a cell budget", facts, _library(marked), snippet, order, end, arrays,
                 not marked,
                 complete=steps < MOST_STEPS)  # fmt: skip


def _skip_term(stream: Stream, method: int, size: int, shape: tuple[int, ...]) -> tuple[tuple[int, ...], str] | None:
    """Goes over the values of a compact budget; what they are."""
    layer, kind = shape[0] * shape[1], f"real{8 * size}"
    if method in (0, 1):
        stream.skip(size * math.prod(shape))
        return shape, kind
    if method == 3:
        stream.skip((4 + size) * layer)
        return shape[:2], kind
    if method == 4:
        stream.skip(size * layer)
        return shape[:2], kind
    if method == 6:
        stream.skip(4 * 16)
    values = 1 if method == 2 else stream.integers(1)[0]
    if not 1 <= values <= 1000:
        return None
    stream.skip(16 * (values - 1))
    (count,) = stream.integers(1)
    if not 0 <= count <= _MOST:
        return None
    stream.skip(count * ((8 if method == 6 else 4) + size * values))
    return (), "list"


def _grid(file: Bytes, name: str) -> Known | None:
    """Lines of text that say which arrays follow."""
    lines = [as_text(file.read(50 * k, 49)).split() for k in range(4)]
    try:
        count, width = int(lines[2][1]), int(lines[3][1])
    except (IndexError, ValueError):
        return None
    if lines[2][0] != "NTXT" or lines[3][0] != "LENTXT" or not (0 < count < 10_000 and 40 <= width <= 10_000):
        return None
    end, arrays, facts = 200 + count * width, [], [" ".join(lines[0])]
    sizes = {
        "INTEGER": ("int32", 4),
        "DOUBLE": ("real64", 8),
        "SINGLE": ("real32", 4),
        "CHARACTER": ("character(1)", 1),
    }
    for k in range(count):
        words = as_text(file.read(200 + k * width, width)).split()
        if not words or words[0].startswith("#"):
            continue
        try:
            kind, size = sizes[words[1]]
            shape = [int(word) for word in words[4 : 4 + int(words[3])]]
        except (KeyError, IndexError, ValueError):
            return None
        end += size * math.prod(shape)
        arrays.append(Listed(words[0], kind, shape))
    facts.append(counted(len(arrays), "array"))
    kind = lines[0][1]
    return Known(
        "modflow-grid", f"MODFLOW 6: a grid ({kind}, .grb)", facts, "flopy", _SNIPPETS["grid"].format(file=name),
        "little", min(end, file.size), arrays, True, max(0, end - file.size),
    )  # fmt: skip
