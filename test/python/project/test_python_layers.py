"""The modules of the command line form no circle, import only what lies below them, and leave printing to commands."""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[3] / "python" / "headrace"
GROUND = {"errors", "marks", "version", "later", "nearest", "installing", "whole_files", "undisturbed"}
LIBRARY = GROUND | {"native", "formats", "mpi_hints", "options", "arrays", "record_files"}
# Each package (or module beside the packages) and what it may import. Nothing else, and never a package above it.
BELOW: dict[str, set[str]] = {
    "errors": set(),
    "marks": set(),
    "version": set(),
    "later": set(),
    "nearest": set(),
    "installing": {"errors"},
    "whole_files": {"errors"},
    "undisturbed": set(),
    "native": GROUND,
    "formats": GROUND | {"native"},
    "mpi_hints": GROUND | {"native"},
    "options": GROUND | {"native", "formats"},
    "arrays": GROUND | {"native", "formats", "options"},
    "cells": GROUND | {"native", "options", "arrays"},
    "record_files": GROUND | {"native", "options", "arrays"},
    "loading": GROUND | {"native", "options", "arrays"},
    "": LIBRARY | {"loading"},  # the face of the package: headrace/__init__.py
    "rules": GROUND,
    "sites": GROUND,
    "job_scripts": GROUND | {"rules"},
    "layout": LIBRARY,
    "results": GROUND,
    "model": GROUND | {"results"},
    "containers": LIBRARY | {"layout"},
    "inspect": LIBRARY | {"layout", "containers"},
    "convert": LIBRARY | {"layout", "containers", "inspect"},
    "trace": GROUND | {"rules"},
    "measure": LIBRARY | {"", "results", "sites", "model", "trace", "containers"},  # "": a worker times what users call
    "advice": GROUND | {"rules", "results", "model", "trace", "measure"},
    "settings": LIBRARY | {"results", "sites", "model", "trace", "measure", "run"},
    "run": GROUND | {"results", "model", "trace", "measure", "advice"},
    "reporters": GROUND | {"results", "model", "trace", "measure", "containers", "inspect"},
    "command_line": GROUND,
}
EVERYTHING = {*BELOW, "cli"}
BELOW |= {"commands": EVERYTHING, "cli": GROUND | {"command_line"}, "__main__": {"cli"}}
# They speak with another process on standard output, or are a script of their own.
SPEAKERS = {
    "measure/text/python_worker.py",
    "measure/binary/python_worker.py",
    "inspect/listing.py",
    "rules/page.py",
}
MODULES = {
    ".".join(("headrace", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


def imported(node: ast.Import | ast.ImportFrom) -> set[str]:
    """The modules of the package that a statement imports."""
    if isinstance(node, ast.Import):
        return {name.name for name in node.names if name.name in MODULES}
    whole = {f"{node.module}.{name.name}" for name in node.names}
    named = {name for name in whole if name in MODULES}
    return named | ({str(node.module)} if len(named) < len(whole) and node.module in MODULES else set())


def statements(tree: ast.AST, inside: bool = False) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """Each import, and whether it stands in a function."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node, inside
        else:
            yield from statements(node, inside or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))


@functools.cache  # not on import: every process that runs tests collects all of them
def trees() -> dict[str, ast.Module]:
    return {name: ast.parse(path.read_text()) for name, path in MODULES.items()}


@functools.cache
def graph() -> dict[str, set[str]]:
    """Those for types and those of functions count as well: later() loads what an import for types names."""
    return {name: set().union(*(imported(node) for node, _ in statements(tree))) for name, tree in trees().items()}


def package(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def test_no_module_imports_itself_by_way_of_others() -> None:
    state: dict[str, str] = {}

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert state.get(module) != "open", " -> ".join((*path[path.index(module) :], module))
        if module not in state:
            state[module] = "open"
            for other in sorted(graph()[module]):
                visit(other, (*path, module))
            state[module] = "closed"

    for module in MODULES:
        visit(module, ())


def test_every_package_imports_what_lies_below_it() -> None:
    wrong = [
        f"{module} imports {other}"
        for module, others in graph().items()
        for other in sorted(others)
        if package(other) != package(module) and package(other) not in BELOW[package(module)]
    ]
    assert wrong == []
    assert {package(module) for module in MODULES} <= set(BELOW)


def test_the_table_of_layers_has_no_circle() -> None:
    left = dict(BELOW)
    while left:
        free = {name for name, below in left.items() if not (below - {name}) & set(left)}
        assert free, f"a circle among {sorted(left)}"
        left = {name: below for name, below in left.items() if name not in free}


def test_only_commands_import_within_functions() -> None:
    wrong = [
        f"{module}: {ast.unparse(node)}"
        for module, tree in trees().items()
        for node, inside in statements(tree)
        if inside and package(module) not in ("commands", "cli")
    ]
    assert wrong == []


def test_what_is_loaded_later_is_imported_for_its_types() -> None:
    """So that the graph has it."""
    wrong = []
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "later":
                name = ast.literal_eval(node.args[0])
                if name in MODULES and name not in graph()[module]:
                    wrong.append(f"{module}: {name}")
    assert wrong == []


def test_only_commands_and_reporters_print() -> None:
    wrong = []
    for module, tree in trees().items():
        if package(module) in ("commands", "reporters", "cli", "command_line"):
            continue
        if str(MODULES[module].relative_to(PACKAGE)) in SPEAKERS:
            continue
        for node in ast.walk(tree):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if called in ("print", "sys.stdout.write", "sys.stderr.write", "Console", "console"):
                wrong.append(f"{module}, line {node.lineno}: {called}")  # type: ignore[attr-defined]
    assert wrong == []


def test_help_loads_nothing_heavy() -> None:
    """What the parsers of all commands import when they are loaded; `later` and functions of commands do not count."""
    heavy = {"numpy", "scipy", "pydantic", "rich", "matplotlib", "tomlkit", "h5py", "jinja2", "elftools"}
    reached, new = set[str](), {name for name in MODULES if package(name) in ("commands", "cli", "command_line")}
    wrong = []
    while new:
        module = new.pop()
        reached.add(module)
        for node in ast.iter_child_nodes(trees()[module]):  # not what stands behind TYPE_CHECKING
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [name.name for name in node.names]
                wrong += [f"{module} imports {name}" for name in names if name.split(".")[0] in heavy]
                new |= imported(node) - reached
    assert wrong == []
    assert "headrace.commands.bench" in reached
