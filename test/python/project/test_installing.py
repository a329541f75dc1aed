"""What headrace advises if something is missing works where it runs: in a checkout and outside."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import REPOSITORY
from headrace import installing, native
from headrace.errors import HeadraceError
from headrace.installing import how_to_install, how_to_reinstall


def test_in_a_checkout_its_own_script_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installing, "checkout", lambda: REPOSITORY)
    monkeypatch.setattr(sys, "prefix", str(REPOSITORY / ".venv"))
    assert how_to_install("h5py", "convert") == (
        f"{sys.executable} -m pip install h5py, or for all of them, in {REPOSITORY}: sh setup/venv.sh convert"
    )
    assert how_to_reinstall() == f"rm -rf .venv/stamps && sh setup/venv.sh, in {REPOSITORY}"


@pytest.mark.parametrize("root", [None, REPOSITORY])
def test_elsewhere_pip_of_the_same_python_is_named(monkeypatch: pytest.MonkeyPatch, root: Path | None) -> None:
    monkeypatch.setattr(installing, "checkout", lambda: root)
    monkeypatch.setattr(sys, "prefix", "/somewhere/else")
    assert how_to_install("zarr", "convert") == f"{sys.executable} -m pip install 'zarr>=3'"
    again = how_to_reinstall()
    assert again == f"{sys.executable} -m pip install --force-reinstall --no-cache-dir --no-deps {root or 'headrace'}"
    # The words are a command: pip takes them, as far as it goes without a network.
    words = [*shlex.split(how_to_install("h5py", "convert")), "--dry-run", "--no-index", "--no-deps"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 or "No matching distribution found for h5py" in done.stderr, done.stderr


def test_a_library_that_cannot_be_loaded_says_how_to_build_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "libheadrace_core.so"
    broken.write_text("no library")
    monkeypatch.setattr(native, "library_path", lambda: str(broken))
    for named, said in (("", how_to_reinstall()), (str(broken), "HEADRACE_LIBRARY names it: unset it, or name a")):
        monkeypatch.setenv("HEADRACE_LIBRARY", named)
        native.library.cache_clear()
        try:
            with pytest.raises(HeadraceError, match="cannot be loaded") as caught:
                native.library()
        finally:
            native.library.cache_clear()
        assert said in caught.value.hint
