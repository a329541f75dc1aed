"""Reads site profiles: those of this package by name, and others from files. First: schema.py."""

import functools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tomlkit
from pydantic import ValidationError
from tomlkit.exceptions import ParseError, TOMLKitError

from headrace.errors import HeadraceError, why_unreadable
from headrace.nearest import did_you_mean
from headrace.sites.schema import Site

FOLDER = Path(__file__).resolve().parent.parent / "data" / "sites"
_HELP = "the page about site profiles in the documentation shows a whole one"


def names() -> list[str]:
    """Of the profiles that come with this package."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def site(name: str) -> Site:
    """A profile of this package, or of a file (a name with a slash, or that ends in .toml). Raises HeadraceError."""
    if "/" in name or name.endswith(".toml"):
        return read(Path(name))
    if name not in names():
        raise HeadraceError(
            f'there is no site "{name}"',
            did_you_mean(name, names(), f"known: {', '.join(names())}; or name a file that ends in .toml"),
        )
    return _built_in(name)


@functools.cache
def _built_in(name: str) -> Site:
    return read(FOLDER / f"{name}.toml")


@functools.cache
def every_site() -> tuple[Site, ...]:
    """All profiles of this package."""
    return tuple(_built_in(name) for name in names())


def read(path: Path) -> Site:
    """A profile, checked. Raises HeadraceError with what is wrong and where."""
    try:
        data = tomlkit.parse(path.read_text(encoding="utf-8")).unwrap()
    except ParseError as error:
        raise HeadraceError(f"{path}: line {error.line}, column {error.col}: not TOML: {error}", _HELP) from error
    except TOMLKitError as error:
        raise HeadraceError(f"{path}: not TOML: {error}", _HELP) from error
    except (OSError, UnicodeDecodeError) as error:
        raise HeadraceError(f"{path}: cannot be read: {why_unreadable(error)}", "name a file of TOML") from error
    try:
        found = Site.model_validate(data)
    except ValidationError as error:
        raise HeadraceError(_said(path, data, error), _hint(error)) from error
    unknown = [(place, source) for place, source in found.sourced() if source not in found.sources]
    if unknown:
        place, source = unknown[0]
        raise HeadraceError(
            f'{path}: {place}: the source "{source}" is not described',
            did_you_mean(source, found.sources, f"expected one of {', '.join(found.sources)}, or [sources.{source}]"),
        )
    return found


def _said(path: Path, data: Any, error: ValidationError) -> str:
    first = error.errors()[0]
    parts = [str(part) for part in first["loc"] if "[" not in str(part)]  # without the choices of several types
    place = ".".join(parts) or "the top"
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    if first["type"] == "extra_forbidden":
        return f"{path}: {place}: this key is not known{more}"
    if first["type"] == "missing":
        return f"{path}: {place} is missing{more}"
    value = "" if isinstance(first.get("input"), dict) else str(first.get("input"))
    found = f"; found {value if len(value) < 60 else value[:60] + '...'}" if value else ""
    return f"{path}: {place}: {first['msg'].removeprefix('Value error, ')}{found}{more}"


def _hint(error: ValidationError) -> str:
    first = error.errors()[0]
    known = _keys(Site, first["loc"][:-1])
    key = str(first["loc"][-1]) if first["loc"] else ""
    if first["type"] == "extra_forbidden":
        return did_you_mean(key, known, f"expected one of {', '.join(known)}")
    if first["type"] == "missing" and key == "date":
        return "every source has a date: write date = 2026-11-26 (of a page without one: when it was read)"
    return _HELP


def _keys(model: Any, place: Iterable[int | str]) -> list[str]:
    """What may stand at a place of the profile."""
    for part in place:
        if isinstance(part, int) or not hasattr(model, "model_fields"):
            continue
        field = model.model_fields.get(part)
        models = _models(field.annotation) if field is not None else []
        if models:
            model = models[0]
    return list(getattr(model, "model_fields", {}))


def _models(annotation: Any) -> list[Any]:
    if hasattr(annotation, "model_fields"):
        return [annotation]
    return [model for argument in getattr(annotation, "__args__", ()) for model in _models(argument)]
