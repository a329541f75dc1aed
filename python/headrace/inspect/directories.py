"""Directories that are one data set: Zarr stores and the output of ADIOS2."""

import re
from pathlib import Path

from headrace.containers.zarr import metadata as stores
from headrace.errors import HeadraceError
from headrace.inspect.findings import Hypothesis

_ZARR = ("zarr.json", ".zarray", ".zgroup", ".zmetadata")
_ADIOS = ("md.idx", "md.0", "mmd.0")  # the index, the metadata, and those that BP5 has beside
_DATA = re.compile(r"data\.(0|[1-9]\d{0,8})")
_SURE = 60.0  # bits
_SHOWN = 5  # names
# In the index of BP5: the version, then the record of the writers, which ends with the number of data files.
_VERSION_AT, _WRITERS_AT, _COUNT_AT = 37, 64, 89


def directory(path: Path, chunks: bool = True) -> Hypothesis:
    """What a directory is; `chunks`: also whether those of a Zarr store are whole.

    Raises HeadraceError for one that is no data set.
    """
    try:
        names = sorted((entry.name for entry in path.iterdir()), key=lambda name: (bool(_DATA.fullmatch(name)), name))
        found = _zarr(path, names, chunks) or _adios(path, names)
    except OSError as error:
        raise HeadraceError(f"{path}: cannot be read: {error.strerror}") from error
    if found is None:
        raise HeadraceError(
            f"{path}: is a directory, and neither a Zarr store, which has zarr.json or .zarray, nor ADIOS output, which"
            f" has md.idx; {_found(names)}",
            "name a file in it",
        )
    return found


def _zarr(path: Path, names: list[str], chunks: bool) -> Hypothesis | None:
    name = next((name for name in _ZARR if name in names and (path / name).is_file()), None)
    if name is None:
        return None
    about = stores.metadata(path / name)
    if about is None:
        return _damaged("zarr", "Zarr", f"{name} is not a JSON object: no reader opens the store")
    version = about.get("zarr_format", 3 if name == "zarr.json" else 2)
    detail = {"container": f"Zarr {version}", "zarr_format": version}
    for key, words in (("shape", "shape"), ("data_type", "dtype"), ("dtype", "dtype"), ("node_type", "node")):
        if key in about:
            detail[words] = about[key]
    damage, remarks = stores.check(path, chunks) if name == stores.ABOUT else ("", [])
    if damage:
        return _damaged("zarr", f"Zarr {version}", damage)
    return Hypothesis("zarr", _SURE, detail | ({"remarks": remarks} if remarks else {}), why=f"holds {name}")


def _adios(path: Path, names: list[str]) -> Hypothesis | None:
    data = [name for name in names if _DATA.fullmatch(name)]
    held = [name for name in _ADIOS if name in names]
    if not held and not (data and path.suffix == ".bp"):
        return None
    index = b""
    if "md.idx" in names:
        with (path / "md.idx").open("rb") as file:
            index = file.read(_COUNT_AT + 8)
    version = index[_VERSION_AT] if len(index) > _VERSION_AT else 5 if "mmd.0" in names else 0
    container = f"ADIOS BP{version}" if version in (4, 5) else "ADIOS BP4 or BP5"
    missing = [name for name in _ADIOS[: 3 if version == 5 else 2] if name not in names]
    if missing:
        what = f"{_listed(missing)} {'is' if len(missing) == 1 else 'are'} missing: no reader opens it; {_found(names)}"
        return _damaged("adios-bp", container, what)
    if not index.startswith(b"ADIOS-BP"):
        what = "is not an index of ADIOS" if index else "has no bytes"
        return _damaged("adios-bp", container, f"md.idx {what}: no reader opens it; {_found(names)}")
    missing = [name for name in _data_files(index, version, data) if name not in data]
    if missing:
        verb, holder = ("is", "it") if len(missing) == 1 else ("are", "they")
        what = f"{_listed(missing)} {verb} missing, with the values that {holder} held"
        return _damaged("adios-bp", container, f"{what}; {_found(names)}")
    return Hypothesis("adios-bp", _SURE, {"container": container}, why=f"holds {' and '.join(held)}")


def _data_files(index: bytes, version: int, data: list[str]) -> list[str]:
    """Those that there have to be: as many as the index of BP5 says; of BP4 all up to the last."""
    count = max((int(name.partition(".")[2]) + 1 for name in data), default=1)
    if version == 5 and index[_WRITERS_AT : _WRITERS_AT + 1] == b"w" and len(index) >= _COUNT_AT + 8:
        count = int.from_bytes(index[_COUNT_AT : _COUNT_AT + 8], "little")
    return [f"data.{number}" for number in range(min(count, 1 << 20))]


def _damaged(format_: str, container: str, words: str) -> Hypothesis:
    detail = {"container": container, "damage": "damaged", "damage_words": words}
    return Hypothesis(format_, _SURE, detail, fails_at=0, why=words)


def _listed(names: list[str]) -> str:
    """The first names, and how many others there are."""
    more = len(names) - _SHOWN
    if more > 0:
        return f"{', '.join(names[:_SHOWN])} and {more:,} more"
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def _found(names: list[str]) -> str:
    return f"found {_listed(names)}" if names else "it is empty"
