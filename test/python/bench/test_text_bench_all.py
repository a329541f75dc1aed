"""`headrace bench text --all`: a file of its own, since it takes as long as all others of `bench text`."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

from headrace.results.run import Compiler
from headrace.results.text import TextRun
from trace_runs import LONG

Command = Callable[..., "subprocess.CompletedProcess[str]"]
ALONE = ("--without", "numpy,pandas,polars,pyarrow")  # loading them anew for each case takes most of the time
ONCE = ("--size", "2e4", "--hex-table", "60", "--min-time", "0.001", "--quiet", "--rounds", "1", "--time-budget", "0.1")


def test_everything_has_every_type_shape_and_distribution(headrace: Command, tmp_path: Path, gnu: Compiler) -> None:
    done = headrace(
        "bench", "text", *ONCE, *(() if LONG else ALONE), "--all", "--fc", gnu.path, "--dir", ".", "--json", "run.json"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    run = TextRun.model_validate(json.loads((tmp_path / "run.json").read_text()))
    assert {case.kind for case in run.cases} == {"real64", "real32", "int32", "int64"}
    assert {case.columns for case in run.cases} == {3, 10, 60, 1000}
    wrong = [(row.case, row.key, row.message) for row in run.rows if row.outcome != "measured"]
    assert wrong == []
