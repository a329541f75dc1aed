"""Names of procedures as a Fortran programmer writes them, from those that compilers give the linker."""

import re

MAIN_PROGRAM = "main program"
_MAINS = ("MAIN__", "MAIN_", "_QQmain")
# What optimisation, OpenMP and numbering of local procedures append.
_APPENDED = re.compile(
    r"(?:\._omp_fn|\.\.omp_par|\.omp_outlined|\.constprop|\.isra|\.part|\.cold|\.localalias|\.lto_priv|\.llvm)?(?:\.\d+)*$"
)
_GFORTRAN_MODULE = re.compile(r"__(\w+?)_MOD_(\w+)$")
_GFORTRAN_SUBMODULE = re.compile(r"__\w+?_(?:SMOD|MOD)_\w+?_(?:SMOD|MOD)_(\w+)$")
_FLANG_PART = re.compile(r"([MSFP])([a-z0-9_]+)")  # names are in lower case, so capitals stand between them


def procedure_name(symbol: str) -> str:
    """For example io::save for __io_MOD_save (gfortran) and _QMioPsave (flang); a C function keeps its name."""
    name = symbol.split("@", 1)[0]
    while True:
        shorter = _APPENDED.sub("", name)
        if shorter in (name, ""):
            break
        name = shorter
    if name in _MAINS:
        return MAIN_PROGRAM
    submodule = _GFORTRAN_SUBMODULE.match(name)
    if submodule:
        return submodule[1]
    module = _GFORTRAN_MODULE.match(name)
    if module:
        return f"{module[1]}::{module[2]}"
    if name.startswith("_Q"):
        return _of_flang(name) or name
    return name[:-1].rstrip("_") if re.fullmatch(r"[a-z]\w*_", name) else name


def _of_flang(name: str) -> str:
    """Module and procedure; the hosts of a contained procedure are left out, as gfortran does."""
    text = name[2:]
    if text.startswith("FP"):  # contained in the main program
        text = "F" + text[1:]
    parts: list[tuple[str, str]] = _FLANG_PART.findall(text)
    if not parts:
        return ""
    module = next((word for mark, word in parts if mark == "M"), "")
    inner = any(mark == "F" for mark, _ in parts[:-1])
    return f"{module}::{parts[-1][1]}" if module and not inner else parts[-1][1]
