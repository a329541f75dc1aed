"""The folders of the serial library include only what lies below them."""

import re
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[3] / "src"
BELOW = {
    "core": set(),
    "text": {"core"},
    "cells": {"core", "text"},
    "binary": {"core"},
    "inspect": {"core", "binary", "text"},
    "abi": {"core", "text", "cells", "binary", "inspect"},
    "bindings": {"core", "abi"},
}


def test_every_folder_includes_what_lies_below_it() -> None:
    wrong = []
    for source in sorted((*SOURCE.rglob("*.cpp"), *SOURCE.rglob("*.hpp"))):
        here = source.relative_to(SOURCE)
        for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', source.read_text(), re.MULTILINE):
            path = (source.parent / name).resolve()
            if not path.is_relative_to(SOURCE):
                continue
            other = path.relative_to(SOURCE).parts[0]
            if other != here.parts[0] and other not in BELOW[here.parts[0]]:
                wrong.append(f"{here} includes {name}")
    assert wrong == []
    assert {folder.name for folder in SOURCE.iterdir() if any(folder.glob("*.cpp"))} == set(BELOW)


def test_formats_and_conversions_know_no_arrays() -> None:
    for folder in ("edit", "kernels"):
        for source in (SOURCE / "text" / folder).iterdir():
            above = re.findall(r'#include "\.\./([a-z_]+\.hpp)"', source.read_text())
            assert set(above) <= {"powers_of_ten.hpp"}, source
