"""Times and gains from a stored cost model, with the uncertainty that the held-out test found."""

from dataclasses import dataclass, field

from headrace.errors import HeadraceError
from headrace.model.counts import Counts, count
from headrace.model.mechanisms import form_of
from headrace.results.run import CostModel


@dataclass
class Prediction:
    """Processor seconds of two mechanisms that move `count` values, and their ratio."""

    compiler: str
    operation: str
    before: str
    after: str
    count: float
    before_seconds: float
    after_seconds: float
    time_error: float | None  # 9 of 10 predicted times were this close, as a fraction
    gain_error: float | None  # 9 of 10 predicted gains
    warnings: list[str] = field(default_factory=list)

    @property
    def gain(self) -> float:
        """How many times faster `after` is."""
        return self.before_seconds / self.after_seconds

    @property
    def gain_interval(self) -> tuple[float, float] | None:
        """In the held-out test the measured gain lay in such an interval 9 times in 10."""
        return None if self.gain_error is None else interval(self.gain, self.gain_error)


def interval(value: float, error: float) -> tuple[float, float]:
    """Where the measured figure lies when |predicted / measured - 1| <= error; symmetric in logarithm."""
    return value / (1 + error), value * (1 + error)


def predict_seconds(model: CostModel, mechanism: str, values: float, passes: int | None = None) -> float:
    """Processor seconds, user and system, of one transfer of `values` values. Raises HeadraceError if unknown.

    `passes`: None for a program that does it once, else the transfers in one process of the benchmark.
    """
    return seconds_of(model, count_of(model, mechanism, values, passes))


def count_of(model: CostModel, mechanism: str, values: float, passes: int | None = None) -> Counts:
    """What the mechanism makes the run time of this model do."""
    transfer = form_of(mechanism, model.vendor, model.operation).transfer(values, passes)
    return count(transfer, model.vendor, model.operation, model.cache_bytes)


def seconds_of(model: CostModel, counts: Counts) -> float:
    """Counts times coefficients."""
    coefficients = {term.name: term.nanoseconds for term in model.terms}
    total = sum(coefficients.get(name, 0.0) * number for name, number in counts.terms.items())
    for edit, (statements, items) in counts.text.items():
        if edit not in model.formatted:
            raise HeadraceError(
                f"the {model.operation} model of {model.compiler} has no edit descriptor '{edit}'",
                f"it has {', '.join(model.formatted) or 'none'}; run the benchmark again",
            )
        statement, item = model.formatted[edit]
        total += statement * statements + item * items
    return total * 1e-9


def predict(model: CostModel, before: str, after: str, values: float) -> Prediction:
    """What changing the form `before` into `after` gains."""
    return Prediction(
        compiler=model.compiler,
        operation=model.operation,
        before=before,
        after=after,
        count=values,
        before_seconds=predict_seconds(model, before, values),
        after_seconds=predict_seconds(model, after, values),
        time_error=model.ninetieth_percentile_error,
        gain_error=model.gain_ninetieth_percentile_error,
        warnings=_warnings(model, before, after, values),
    )


def _warnings(model: CostModel, before: str, after: str, values: float) -> list[str]:
    """What makes this prediction less certain than the held-out errors say."""
    found: list[str] = []
    if model.vendor not in ("gnu", "llvm"):
        found.append(
            f"how {model.compiler} lowers these statements is not known to headrace; as gfortran does is assumed"
        )
    sizes = {form_of(key, model.vendor, model.operation).value_bytes for key in (before, after)}
    if len(sizes) > 1:
        found.append(f"{before} and {after} move values of different size")
    coefficients = {term.name for term in model.terms}
    for key in (before, after):
        missing = [n for n, number in count_of(model, key, values).terms.items() if number and n not in coefficients]
        if missing:
            found.append(f"{key}: the model has no figure for {', '.join(missing)}; the time is too low by that")
    return found
