"""The cost model: counts, fit, held-out test, and the command that answers from it."""

import argparse
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from headrace.commands import predict as command
from headrace.errors import HeadraceError
from headrace.measure.catalogue import Mechanism, all_mechanisms, family_files
from headrace.model.counts import MEANING, count
from headrace.model.evaluate import gain_errors, printed_seconds, score, time_errors
from headrace.model.fit import fit
from headrace.model.mechanisms import ALL, FLANG, FLANG_READ, FORMS, NOT_MODELLED, READ, form_of, why_not_modelled
from headrace.model.microruns import MicroTime, chosen_runs
from headrace.model.predict import predict, predict_seconds, seconds_of
from headrace.results.files import load, save
from headrace.results.records import Operation, Sample
from headrace.results.run import Compiler, CostModel, Provenance, Row, Run, Settings, Skip, Vendor
from headrace.results.statistics import describe

CACHE = float(32 << 20)
VENDORS: tuple[Vendor, ...] = ("gnu", "llvm")
OPERATIONS: tuple[Operation, ...] = ("write", "read")
FRESH = 0.4  # ns a byte


def compiler(vendor: Vendor = "gnu") -> Compiler:
    name = "gfortran" if vendor == "gnu" else "flang"
    return Compiler(
        name=name,
        path=f"/usr/bin/{name}",
        vendor=vendor,
        version="1.2.3",
        identifier=f"{name} 1.2.3",
        version_text=f"{name} 1.2.3",
        flags=["-O2"],
    )


def true_model(vendor: Vendor, operation: Operation) -> CostModel:
    """Coefficients that differ from each other, so that a mix-up is found out."""
    edits = {"*": (90.0, 310.0), "* int32": (70.0, 40.0), "e15.5": (140.0, 250.0)}
    edits |= {"es24.16e3": (130.0, 340.0), "g0": (120.0, 330.0), "z17": (100.0, 45.0)}
    size = {"file": 20000, "fresh byte": FRESH, "growth byte": 0.5, "byte small": 0.3, "byte large": 0.28}
    size |= {"byte uncached": 0.08, "byte aliased": 0.2, "byte converted": 0.11}
    terms = [{"name": name, "nanoseconds": size.get(name, 5.0 + 7 * place)} for place, name in enumerate(MEANING)]
    return CostModel.model_validate(
        {
            "compiler": compiler(vendor).identifier,
            "operation": operation,
            "vendor": vendor,
            "cache_bytes": CACHE,
            "terms": terms,
            "formatted": edits,
        }
    )


def micro_times(vendor: Vendor, operation: Operation) -> list[MicroTime]:
    """What the micro-runs would take on a machine that obeys `true_model`."""
    model = true_model(vendor, operation)
    times = []
    for run in chosen_runs():
        if run.access == "memory":
            times.append(MicroTime(run, "memory", 8 * run.items * run.statements * FRESH * 1e-9, 1))
        else:
            seconds = seconds_of(model, count(run.transfer(vendor), vendor, operation, CACHE))
            times.append(MicroTime(run, operation, seconds, 1))
    return times


def fitted(vendor: Vendor, operation: Operation) -> CostModel:
    return fit(compiler(vendor), Path("/scratch"), micro_times(vendor, operation), operation, CACHE)


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("vendor", VENDORS)
def test_fit_recovers_known_coefficients(vendor: Vendor, operation: Operation) -> None:
    true = true_model(vendor, operation)
    known = {term.name: term.nanoseconds for term in true.terms}
    model = fitted(vendor, operation)
    assert {"file", "statement sequential", "scalar item", "byte small"} <= {term.name for term in model.terms}
    for term in model.terms:
        assert term.nanoseconds == pytest.approx(known[term.name], rel=1e-3), term.name
    for edit, pair in model.formatted.items():
        assert pair == pytest.approx(true.formatted[edit], rel=1e-3), edit


def test_micro_runs_determine_the_growth_of_flangs_records() -> None:
    assert "growth byte" in {term.name for term in fitted("llvm", "write").terms}
    assert "growth byte" not in {term.name for term in fitted("gnu", "write").terms}


def test_every_form_is_a_mechanism_of_the_catalogue() -> None:
    known = {mechanism.key for mechanism in all_mechanisms()}
    assert set(FORMS) <= known
    assert set(FLANG) | set(READ) | set(FLANG_READ) <= set(FORMS)


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("vendor", VENDORS)
def test_every_form_is_predicted_from_a_fitted_model(vendor: Vendor, operation: Operation) -> None:
    model, true = fitted(vendor, operation), true_model(vendor, operation)
    for key in FORMS:
        assert predict_seconds(model, key, 3e6) == pytest.approx(predict_seconds(true, key, 3e6), rel=1e-2), key


def test_payload_does_not_depend_on_the_compiler() -> None:
    for key in FORMS:
        for operation in OPERATIONS:
            sizes = {form_of(key, vendor, operation).transfer(3e6).payload for vendor in VENDORS}
            assert len(sizes) == 1, key


def test_flangs_item_by_item_record_costs_the_square_of_its_length() -> None:
    model = true_model("llvm", "write")
    small, large = (predict_seconds(model, "unformatted:nested_natural", n) for n in (1e7, 4e7))
    assert 14 < large / small < 16.5


def sample(seconds: float) -> Sample:
    return Sample(
        round=0,
        passes=1,
        total=seconds,
        open=0,
        transfer=seconds,
        close=0,
        sync=0,
        user=seconds,
        system=0,
        system_calls=0,
    )


def row(model: CostModel, key: str, factor: float, **changes: object) -> Row:
    """A measured row whose median time is `factor` times what the model says; its least one is half of that."""
    seconds = predict_seconds(model, key, 3e6, 1) * factor
    family, mechanism = key.split(":")
    values = {
        "compiler": model.compiler,
        "directory": "/scratch",
        "family": family,
        "mechanism": mechanism,
        "statement": "write (unit) array",
        "shape": "rows",
        "operation": model.operation,
        "condition": "cached" if model.operation == "write" else "warm",
        "count": 3000000,
        "samples": [sample(seconds / 2), sample(seconds), sample(2 * seconds)],
        "payload_bytes": 24_000_000,
        "statistics": describe([24 / seconds * f for f in (0.5, 1, 2)]),
    }
    return Row.model_validate(values | changes)


def test_score_states_the_error_of_measured_rows() -> None:
    model = true_model("gnu", "write")
    rows = [row(model, "unformatted:element", 1.25), row(model, "unformatted:whole", 1.0)]
    scored = score([model], rows)[0]
    assert scored.held_out == 2
    assert scored.median_error == pytest.approx(0.1)
    assert scored.gain_pairs == 1
    assert scored.gain_median_error == pytest.approx(0.2)
    assert gain_errors(model, rows) == pytest.approx([-0.2])
    assert scored.ninetieth_percentile_error == pytest.approx(0.18)
    assert "90 % within 15%" in scored.note and "missed: 18%" in scored.note


def test_errors_are_stated_against_the_median_time_of_the_table() -> None:
    """Not against the least processor time, which is half of it here."""
    model = true_model("gnu", "write")
    one = row(model, "unformatted:whole", 1.1)
    assert printed_seconds(one) == pytest.approx(one.payload_bytes / (one.median * 1e6))
    assert time_errors(model, [one]) == {"unformatted:whole": pytest.approx(1 / 1.1 - 1)}


def test_a_met_target_is_no_note() -> None:
    model = true_model("gnu", "write")
    assert score([model], [row(model, "unformatted:whole", 1.05)])[0].note == ""


@pytest.mark.parametrize("mechanism", all_mechanisms(), ids=lambda mechanism: mechanism.key)
def test_every_mechanism_has_a_form_or_a_reason(mechanism: Mechanism) -> None:
    assert (mechanism.key in FORMS) != bool(why_not_modelled(mechanism.key))


def test_reasons_name_mechanisms_that_exist() -> None:
    known = {m.key for m in all_mechanisms()} | {m.family for m in all_mechanisms()}
    assert set(NOT_MODELLED) <= known


def values_of_a_statement(statement: str, shape: str) -> int:
    """As the Fortran source has it: a loop's step, a row, or all of the array."""
    loop = re.match(r"(?:\w+ = .*?; )?do i = 1, size\(array(, 2)?[^;]*?\)(?:, (\d+))?;", statement)
    if not loop:
        return ALL
    if loop[1]:
        return 3
    return int(loop[2] or 1)


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("mechanism", [m for m in all_mechanisms() if m.key in FORMS], ids=lambda m: m.key)
def test_forms_say_what_the_source_does(mechanism: Mechanism, operation: Operation) -> None:
    """Values of a statement, size of a value, access and edit descriptor, read off the mechanism's own statements."""
    form, statement = form_of(mechanism.key, "gnu", operation), mechanism.statement(operation)
    transfer = re.search(rf"\b{operation} \(unit(.*)", statement)
    assert transfer, statement
    assert form.values == values_of_a_statement(statement, mechanism.shape)
    assert form.value_bytes == (4 if mechanism.shape == "integer" else 8) or form.edit
    opened = family_files()[mechanism.family].read_text()
    if mechanism.family in ("stream", "direct"):
        assert f'access="{form.access}"' in opened
    else:
        assert form.access == "sequential"
    assert ("rec=" in transfer[1]) == (form.access == "direct")
    if form.edit.startswith("*"):
        assert transfer[1].startswith(", *)")
    elif form.edit:
        assert form.edit in statement or (operation == "read" and transfer[1].startswith(", *)"))
    else:
        assert re.match(r"\)|, (rec|asynchronous)=", transfer[1])
    assert form.converted == ("convert=" in opened)


@pytest.mark.parametrize(
    "changes",
    [
        {"condition": "synced"},
        {"knob": "unbuffered"},
        {"processes": 2},
        {"outcome": "failed"},
        {"verdict": "unverified"},
        {"compiler": "other 1.0"},
        {"family": "memory", "mechanism": "copy"},
        {"samples": []},
    ],
    ids=lambda changes: "-".join(map(str, changes)),
)
def test_score_leaves_out_rows_that_the_model_does_not_speak_about(changes: dict[str, object]) -> None:
    model = true_model("gnu", "write")
    scored = score([model], [row(model, "unformatted:element", 3.0, **changes)])[0]
    assert scored.held_out == 0
    assert scored.median_error is None
    assert scored.note


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A small results file with models of two compilers, tested on two mechanisms each."""
    models = [fitted(vendor, operation) for vendor in VENDORS for operation in OPERATIONS]
    rows = [row(m, key, factor) for m in models for key, factor in (("stream:row", 1.1), ("stream:whole", 0.9))]
    provenance = Provenance(date="2026-11-21", headrace_version="0.1.0", command=[], host="here", system="Linux")
    run = Run(
        provenance=provenance,
        compilers=[compiler(vendor) for vendor in VENDORS],
        rows=rows,
        cost_models=score(models, rows),
    )
    path = tmp_path / "headrace-small.json"
    save(run, path)
    return path


def ask(words: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    args = parser.parse_args(["predict", *words.split()])
    run: Callable[[argparse.Namespace], int] = args.run
    return run(args)


def test_models_survive_the_results_file(results: Path) -> None:
    stored = load(results).cost_models[0]
    assert predict(stored, "stream:element", "stream:whole", 1e7).gain > 1


def test_command_prints_times_gain_and_what_the_interval_means(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(f"--from unformatted:element --to unformatted:whole --count 1e7 --results {results}") == 0
    text = capsys.readouterr().out
    assert "10,000,000 values" in text
    assert text.count("gfortran 1.2.3") >= 2
    assert "9 of 10" in text
    assert "storage" in text
    assert max(len(line) for line in text.splitlines() if not line.startswith("from ")) <= 100


def test_command_takes_the_newest_results_of_the_current_directory(
    results: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(results.parent)
    assert ask("--from stream:row --to stream:whole --count 3000000 --json --fc flang --operation read") == 0
    answer = json.loads(capsys.readouterr().out)
    (prediction,) = answer["predictions"]
    assert prediction["compiler"] == "flang 1.2.3"
    assert prediction["gain"] == pytest.approx(prediction["before_seconds"] / prediction["after_seconds"])
    low, high = prediction["gain_interval"]
    assert low < prediction["gain"] < high


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--from unformatted:elemnt --to unformatted:whole --count 10", "does not know the mechanism"),
        ("--from stream:row --to stream:whole --count 10 --fc ifx", "no cost model for ifx"),
        ("--from stream:row --to stream:whole --count 10 --results none.json", "cannot be read"),
    ],
    ids=["unknown-mechanism", "unknown-compiler", "no-such-file"],
)
def test_command_names_what_is_wrong(results: Path, monkeypatch: pytest.MonkeyPatch, words: str, says: str) -> None:
    monkeypatch.chdir(results.parent)
    with pytest.raises(HeadraceError, match=says):
        ask(words)


def test_unknown_mechanism_suggests_the_near_one(results: Path) -> None:
    with pytest.raises(HeadraceError) as caught:
        ask(f"--from unformatted:elemnt --to stream:row --count 10 --results {results}")
    assert "did you mean unformatted:element" in caught.value.hint


def test_no_results_file_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(HeadraceError, match="no headrace"):
        ask("--from stream:row --to stream:whole --count 10")


def test_results_without_a_cost_model_are_an_error(results: Path) -> None:
    run = load(results)
    save(run.model_copy(update={"cost_models": []}), results)
    with pytest.raises(HeadraceError, match="holds no cost model"):
        ask(f"--from stream:row --to stream:whole --count 10 --results {results}")
    skipped = [Skip(what="cost model", why="--select measures too few mechanisms")]
    settings = Settings(select=["stream"])
    save(run.model_copy(update={"cost_models": [], "skipped": skipped, "settings": settings}), results)
    with pytest.raises(HeadraceError, match=r"no cost model \(--select measures too few") as caught:
        ask(f"--from stream:row --to stream:whole --count 10 --results {results}")
    assert "without --select" in caught.value.hint


def test_a_newer_file_without_a_model_is_passed_over(
    results: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    newer, cut = results.parent / "headrace-selected.json", results.parent / "headrace-cut.json"
    save(load(results).model_copy(update={"cost_models": []}), newer)
    cut.write_text("{")
    for age, path in enumerate((cut, newer, results)):
        os.utime(path, (1e9 - age, 1e9 - age))
    monkeypatch.chdir(results.parent)
    assert ask("--from stream:row --to stream:whole --count 10") == 0
    text = capsys.readouterr().out
    assert "from headrace-small.json" in text
    assert "newer, but without a cost model: headrace-cut.json, headrace-selected.json" in text


def test_a_missed_target_is_said_with_the_answer(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = load(results)
    models = [m.model_copy(update={"note": "the target is missed: 28%"}) for m in run.cost_models]
    save(run.model_copy(update={"cost_models": models}), results)
    assert ask(f"--from stream:row --to stream:whole --count 10 --results {results}") == 0
    assert "gfortran 1.2.3, read: the target is missed: 28%." in capsys.readouterr().out


def test_a_mechanism_that_is_left_out_says_why(results: Path) -> None:
    with pytest.raises(
        HeadraceError, match="leaves out the mechanism 'stream:seek_random': the micro-runs have no POS="
    ):
        ask(f"--from stream:seek_random --to stream:whole --count 10 --results {results}")


@pytest.mark.parametrize("text", ["ten", "0", "-3", "1.5", "inf", "nan"])
def test_count_must_be_a_whole_number(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        ask(f"--from stream:row --to stream:whole --count={text}")
    assert "whole number" in capsys.readouterr().err
