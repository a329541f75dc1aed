"""What can be traced in an executable, and if it cannot, why: one plain sentence.

Nothing is executed: ELF files are read with pyelftools.
"""

import functools
import os
import platform
import re
import shutil
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headrace.errors import HeadraceError
from headrace.trace.elf import opened
from headrace.trace.installed import NOTE

# What a run time defines, and the shared library that it lies in otherwise.
_RUN_TIMES = {
    "gfortran": ("_gfortran_st_write", r"libgfortran(?:-[0-9a-f]+)?\.so\.(\d+)"),
    "LLVM flang": ("_FortranAioEndIoStatement", r"lib(?:FortranRuntime|flang_rt\.runtime)\.so"),
}
_GFORTRAN_VERSIONS = (3, 4, 5)
_OTHERS = {"Intel Fortran": r"libifcore", "NVIDIA or classic flang": r"lib(?:nvf|flang\.so|pgf90)"}
_MACHINES = {"x86_64": "EM_X86_64", "aarch64": "EM_AARCH64"}
_MACHINE_NAMES = {"EM_X86_64": "x86-64", "EM_AARCH64": "aarch64", "EM_386": "32-bit x86", "EM_ARM": "32-bit ARM"}
_FOLDERS = ("/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib")
_LAUNCHERS = {
    *("mpirun", "mpiexec", "orterun", "prterun", "srun", "aprun", "jsrun", "flux", "make", "gmake", "ninja", "ctest"),
    *("sh", "bash", "dash", "zsh", "ksh", "env", "nice", "time", "timeout", "nohup", "numactl", "taskset", "python"),
}


@dataclass(frozen=True)
class Found:
    """Whether Fortran statements of a program can be counted, and a sentence for the user."""

    can_trace: bool
    sentence: str
    run_time: str = ""  # whose statements are counted: the name of a shared library, or "static"
    compiler: str = ""  # whose run time that is, as in _RUN_TIMES


def check(name: str) -> Found:
    """Look at a program. Raises HeadraceError if it is not there, or cannot be read or executed."""
    return _look(_find(name))


def _find(name: str) -> Path:
    found = shutil.which(name)
    path = Path(found) if found else Path(name)
    if path.is_dir():
        raise HeadraceError(f"{name}: a directory, not a program")
    if not path.exists():
        raise HeadraceError(f"{name}: no such file" if "/" in name else f"{name}: no program of this name is in PATH")
    if not os.access(path, os.X_OK):
        raise HeadraceError(f"{name}: no permission to execute it", hint_of_mode(path, name))
    if not os.access(path, os.R_OK):
        raise HeadraceError(f"{name}: no permission to read it, so nothing can be said of it")
    return path


def hint_of_mode(path: Path, name: str) -> str:
    """For a file that nobody may execute: a program or a script, or something else."""
    try:
        with path.open("rb") as file:
            start = file.read(4)
    except OSError:
        return ""
    is_program = start == b"\x7fELF" or start.startswith(b"#!")
    return (
        f"chmod +x {name}" if is_program else "it is not a program: if it is a source file, name the program made of it"
    )


def _look(path: Path) -> Found:
    with path.open("rb") as file:
        start = file.read(256)
    if start.startswith(b"#!"):
        return _look_at_script(start)
    if not start.startswith(b"\x7fELF"):
        return Found(False, "neither a program of this machine nor a script that begins with #!")
    blocked = _is_privileged(path)
    if blocked:
        return Found(False, blocked)
    return _look_at_elf(path)


def _look_at_script(start: bytes) -> Found:
    words = start[2:].split(b"\n", 1)[0].decode(errors="replace").split()
    if not words:
        return Found(False, "a script whose first line names no interpreter")
    interpreter = shutil.which(words[1]) if Path(words[0]).name == "env" and len(words) > 1 else shutil.which(words[0])
    if not interpreter:
        return Found(False, f"a script whose interpreter is not there: {' '.join(words)}")
    said = f"a script of {interpreter}: the Fortran programs that it starts and the libraries that it loads are traced"
    return Found(True, said)


def _is_privileged(path: Path) -> str:
    """Why the loader would ignore LD_PRELOAD, if it would."""
    status = path.stat()
    changes_user = status.st_mode & stat.S_ISUID and status.st_uid != os.getuid()
    changes_group = status.st_mode & stat.S_ISGID and status.st_gid != os.getgid()
    if changes_user or changes_group:
        return "set-uid or set-gid: the system loads nothing into such a program; trace a copy without that mode (cp)"
    try:
        capable = "security.capability" in os.listxattr(path)
    except OSError:
        capable = False
    if capable and os.getuid() != 0:
        return "it has file capabilities: the system loads nothing into such a program; trace a copy without them (cp)"
    return ""


def _look_at_elf(path: Path) -> Found:
    with opened(path) as elf:
        machine = elf.header["e_machine"]
        ours = _MACHINES.get(platform.machine())
        if machine != ours or elf.elfclass != 64:
            made_for = _MACHINE_NAMES.get(machine, machine) if elf.elfclass == 64 or machine != "EM_X86_64" else "x32"
            here = _MACHINE_NAMES.get(ours or "", platform.machine())
            return Found(False, f"made for another processor ({made_for}); this machine is {here}")
        if elf.header["e_type"] not in ("ET_EXEC", "ET_DYN"):
            return Found(False, "an object file or a core file, not a program")
        interpreter = next((part.get_interp_name() for part in elf.iter_segments("PT_INTERP")), "")
        static = _static_run_time(elf)
        has_names = elf.get_section_by_name(".symtab") is not None
        is_linked = any(note["n_name"] == NOTE for part in elf.iter_segments("PT_NOTE") for note in part.iter_notes())
    if is_linked:
        return Found(
            True,
            "linked with the object of headrace trace --object: every Fortran I/O statement is traced, calls of "
            "MPI-IO, HDF5, NetCDF and PnetCDF are not",
            "static",
        )
    if not interpreter:
        what = f"with the run time of {static}" if static else "" if has_names else "and without names (stripped)"
        sentence = f"fully static {what}".rstrip()
        how = "link it again without -static, or with the object of headrace trace --object"
        return Found(False, f"{sentence}: nothing can be loaded into it; {how}")
    if "musl" in Path(interpreter).name:
        return Found(False, "of musl libc, and the library that counts is of glibc: compile it for glibc")
    if static:
        return _static_sentence(static)
    return _by_libraries(path, has_names)


def _static_run_time(elf: Any) -> str:
    """The Fortran run time that the program itself has, if its names are there."""
    table = elf.get_section_by_name(".symtab")
    if table is None:
        return ""
    texts = elf.get_section(table["sh_link"]).data()
    for name, (function, _) in _RUN_TIMES.items():
        if f"\0{function}\0".encode() not in texts:  # a look at each symbol of a large program takes seconds
            continue
        for symbol in table.get_symbol_by_name(function) or ():
            if symbol["st_shndx"] != "SHN_UNDEF":
                return name
    return ""


def _static_sentence(run_time: str) -> Found:
    if platform.machine() == "x86_64":
        said = (
            f"the run time of {run_time} is linked into it: its calls are redirected at the start, nothing needs to be"
        )
        return Found(True, f"{said} compiled again", "static", run_time)
    how = "leave out -static-libgfortran" if run_time == "gfortran" else "link it with -shared-libflangrt"
    return Found(False, f"the run time of {run_time} is linked into it, which is traced on x86-64 only: {how}")


def _by_libraries(path: Path, has_names: bool) -> Found:
    """By the run time among the shared libraries, of the program and of the libraries that those need."""
    found = _shared_run_time(path, {name: _Needed(path, None) for name in _needed_by(path)})
    if found:  # itself: most programs need dozens of libraries, which need not be read
        return found
    needed = _all_needed(path)
    found = _shared_run_time(path, needed)
    if found:
        return found
    for name, pattern in _OTHERS.items():
        for library in needed:
            if re.match(pattern, library):
                return Found(False, f"{library}: the run time of {name} is not traced")
    inside = _inside_of_a_library(needed)
    if inside:
        return inside
    if path.name.partition(".")[0].rstrip("0123456789") in _LAUNCHERS:
        return Found(True, "it starts other programs, and these are traced: name yours to check it")
    if not has_names:
        return Found(
            False,
            "no Fortran run time among its libraries, and it has no names (stripped): if it is Fortran, link it with "
            "the shared run time. Only its own reads and writes are counted; libraries that it loads later and "
            "programs that it starts are traced",
        )
    return Found(
        False,
        "no Fortran in it: only its own reads and writes are counted. Libraries that it loads later (Python modules) "
        "and programs that it starts are traced",
    )


def _shared_run_time(path: Path, needed: "dict[str, _Needed]") -> Found | None:
    """A run time of Fortran among these libraries."""
    for name, (_, pattern) in _RUN_TIMES.items():
        for library, one in needed.items():
            match = re.match(pattern, library)
            if not match:
                continue
            through = "" if one.by == path else f", through {one.by.name}"
            if name == "gfortran" and int(match[1]) not in _GFORTRAN_VERSIONS:
                return Found(False, f"{library}{through}: a run time of gfortran that this headrace does not know")
            said = f"{library}{through}: every Fortran I/O statement is traced, nothing needs to be compiled again"
            return Found(True, said, library, name)
    return None


@dataclass(frozen=True)
class _Needed:
    """A library: which file needs it, and where it is."""

    by: Path
    where: Path | None


def _inside_of_a_library(needed: dict[str, _Needed]) -> Found | None:
    """A run time that was linked statically into a shared library of the program."""
    for library, one in needed.items():
        if one.where is None:
            continue
        with opened(one.where) as elf:
            static = _static_run_time(elf)
        if static:
            found = _static_sentence(static)
            return Found(found.can_trace, f"{Path(library).name}: {found.sentence}", found.run_time, found.compiler)
    return None


def _dynamic_tags(file: Path) -> list[Any]:
    with opened(file) as elf:
        section = next(iter(elf.iter_segments("PT_DYNAMIC")), None)
        return list(section.iter_tags()) if section else []


def _needed_by(file: Path) -> list[str]:
    """The libraries that a file itself names."""
    return [tag.needed for tag in _dynamic_tags(file) if tag.entry.d_tag == "DT_NEEDED"]


def _all_needed(path: Path) -> dict[str, _Needed]:
    """Every library that is needed, by its name."""
    found: dict[str, _Needed] = {}
    waiting = [path]
    inherited: list[str] = []
    while waiting:
        file = waiting.pop()
        tags = _dynamic_tags(file)
        folders = [
            folder.replace("$ORIGIN", str(file.resolve().parent)).replace("${ORIGIN}", str(file.resolve().parent))
            for tag in tags
            if tag.entry.d_tag in ("DT_RPATH", "DT_RUNPATH")
            for folder in (tag.rpath if tag.entry.d_tag == "DT_RPATH" else tag.runpath).split(":")
        ]
        inherited += folders
        for tag in tags:
            if tag.entry.d_tag == "DT_NEEDED" and tag.needed not in found:
                where = _locate(tag.needed, inherited)
                found[tag.needed] = _Needed(file, where)
                if where is not None:
                    waiting.append(where)
    return found


def _locate(library: str, folders: list[str]) -> Path | None:
    preferred = [*folders, *os.environ.get("LD_LIBRARY_PATH", "").split(":")]
    for folder in (*preferred, _cached().get(library, ""), *_FOLDERS):
        path = Path(folder) / library
        if folder and path.is_file() and os.access(path, os.R_OK):
            return path
    return None


@functools.cache
def _cached() -> dict[str, str]:
    """The folders of libraries that the loader has noted (ldconfig -p)."""
    program = shutil.which("ldconfig") or "/sbin/ldconfig"
    try:
        listed = subprocess.run([program, "-p"], capture_output=True, text=True, timeout=20).stdout
    except (OSError, subprocess.TimeoutExpired):
        return {}
    word = "x86-64" if platform.machine() == "x86_64" else "AArch64"
    return {
        match[1]: str(Path(match[3]).parent)
        for match in re.finditer(r"^\s*(\S+) \((.*)\) => (\S+)$", listed, re.MULTILINE)
        if word in match[2]
    }
