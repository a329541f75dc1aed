"""What another form of the same I/O statement would gain, from the cost model of a results file.

    headrace predict --from unformatted:element --to unformatted:whole --count 1e7

Every `headrace bench` fits a cost model to short micro-runs of each compiler, tests it on the mechanisms that it
measured, and stores both; a run with --select or --no-model has none. This command answers from it, without running
anything. Names of mechanisms are those of `headrace bench --list`. Exit code 0; 2 for an unknown mechanism or a file
without a cost model.
"""

import argparse
import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from headrace.commands.arguments import file
from headrace.errors import HeadraceError

if TYPE_CHECKING:
    from headrace.model.predict import Prediction
    from headrace.results.run import CostModel, Run

SCOPE = "Processor time only (user + system): what a storage device adds is not in it."


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `predict` to the command line."""
    parser = commands.add_parser(
        "predict",
        help="what another form of an I/O statement would gain",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--from", dest="before", required=True, metavar="FAMILY:MECHANISM", help="the form in use")
    parser.add_argument("--to", dest="after", required=True, metavar="FAMILY:MECHANISM", help="the form to change to")
    parser.add_argument("--count", required=True, type=_count, metavar="N", help="array elements, for example 1e7")
    parser.add_argument(
        "--results",
        type=file,
        metavar="FILE",
        help="JSON of headrace bench; default: newest headrace-*.json here with a cost model",
    )
    parser.add_argument("--fc", metavar="COMPILER", help="one compiler of the file; default: all of them")
    parser.add_argument("--operation", choices=("write", "read", "both"), default="both")
    parser.add_argument("--json", action="store_true", help="print JSON, times in seconds")
    parser.set_defaults(run=run, needs=("headrace.model.predict",))


def run(args: argparse.Namespace) -> int:
    """Answer from the cost models of one results file."""
    from headrace.model.predict import predict
    from headrace.results.files import load

    path, passed_over = (args.results, []) if args.results else newest_results(Path())
    models = choose_models(load(path), path, args.fc, args.operation)
    predictions = [predict(model, args.before, args.after, args.count) for model in models]
    if args.json:
        print(json.dumps({"results": str(path), "scope": SCOPE, "predictions": [_record(p) for p in predictions]}))
    else:
        print(_text(predictions, models, path))
        if passed_over:
            print(f"note: newer, but without a cost model: {', '.join(map(str, passed_over))}")
    return 0


def newest_results(folder: Path) -> tuple[Path, list[Path]]:
    """The newest headrace-*.json of `folder` that holds a cost model, and newer ones that do not."""
    from headrace.results.files import load

    found = sorted(folder.glob("headrace-*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    if not found:
        raise HeadraceError(
            f"no headrace-*.json in {folder.resolve()}", "run 'headrace bench' first, or name a file with --results"
        )
    passed_over: list[Path] = []
    for path in found:
        try:
            if load(path).cost_models:
                return path, passed_over
        except HeadraceError:  # results of another command, or a file that is cut
            pass
        passed_over.append(path)
    return found[0], []  # its error says what is missing


def choose_models(found: "Run", path: Path, compiler: str | None, operation: str) -> list["CostModel"]:
    """The models of a run that were asked for."""
    if not found.cost_models:
        left_out = [skip.why for skip in found.skipped if skip.what.startswith("cost model")]
        why = left_out[0] if left_out else "--select and --no-model leave it out" if found.settings.select else ""
        raise HeadraceError(
            f"{path}: holds no cost model{f' ({why})' if why else ''}",
            "run 'headrace bench' without --select and --no-model, or name another file with --results",
        )
    names = {c.identifier: {c.name, c.path, c.identifier, c.identifier.split()[0], c.vendor} for c in found.compilers}
    models = [
        model
        for model in found.cost_models
        if operation in ("both", model.operation)
        and (compiler is None or compiler in names.get(model.compiler, set()) | {model.compiler})
    ]
    if not models:
        known = ", ".join(dict.fromkeys(f"{m.compiler} ({m.operation})" for m in found.cost_models))
        raise HeadraceError(f"{path}: no cost model for {compiler or 'any compiler'}, {operation}", f"it has {known}")
    return models


def _count(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 1 and value == int(value)):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of array elements; write for example 1e7")
    return value


def _text(predictions: list["Prediction"], models: list["CostModel"], path: Path) -> str:
    first = predictions[0]
    lines = [
        f"{first.before} -> {first.after}, {first.count:,.0f} values",
        f"from {path}",
        "",
        f"{'compiler':20} {'':5}  {'before, s':>20}  {'after, s':>20}  {'times faster':>24}",
    ]
    for one in predictions:
        lines.append(
            f"{one.compiler:20} {one.operation:5}  {_with_interval(one.before_seconds, one.time_error):>20}  "
            f"{_with_interval(one.after_seconds, one.time_error):>20}  {_with_interval(one.gain, one.gain_error):>24}"
        )
    lines += ["", SCOPE, _meaning(models)]
    warnings = dict.fromkeys(warning for one in predictions for warning in one.warnings)
    return "\n".join(lines + [f"warning: {warning}" for warning in warnings])


def _with_interval(value: float, error: float | None) -> str:
    from headrace.model.predict import interval

    if error is None:
        return f"{value:.3g}"
    low, high = interval(value, error)
    return f"{value:.3g} ({low:.3g}..{high:.3g})"


def _meaning(models: list["CostModel"]) -> str:
    tested = [model for model in models if model.gain_ninetieth_percentile_error is not None]
    if not tested:
        return "No interval: this file has no measured mechanism that the model could be tested on."
    numbers = ", ".join(dict.fromkeys(str(model.held_out) for model in tested))
    return (
        "In brackets: where 9 of 10 measured figures lay when each model was tested on mechanisms that\n"
        f"were not in its fit ({numbers} of them), against the times of the table."
        + "".join(f"\n{model.compiler}, {model.operation}: {model.note}." for model in tested if model.note)
    )


def _record(prediction: "Prediction") -> dict[str, object]:
    return asdict(prediction) | {"gain": prediction.gain, "gain_interval": prediction.gain_interval}
