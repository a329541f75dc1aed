"""What a statement and a byte cost here: a cost model of `headrace bench`, or coarse figures if there is none."""

import statistics

from pydantic import BaseModel, ConfigDict, Field

from headrace.model.counts import Access, Transfer, count
from headrace.model.predict import seconds_of
from headrace.results.records import Operation
from headrace.results.run import CostModel, Vendor
from headrace.trace.results import Estimate

# Without a model: what libgfortran and flang need at the least, so that too little is promised
_COPY_BYTE = 0.5e-9  # seconds; a copy and a page fault
_SYSTEM_BYTE = 0.5e-9
_TEXT_STATEMENT = 60e-9


class Inputs(BaseModel):
    """What predictions are made from. It is kept with the trace, so that another machine predicts the same."""

    model_config = ConfigDict(extra="ignore")

    source: str = Field(default="", description="a sentence part for the user")
    vendor: Vendor | None = Field(default=None, description="whose run time did most of the I/O")
    models: list[CostModel] = Field(default=[])
    file_sizes: dict[str, int] = Field(
        default={}, description="of the files that were read, when the program had ended"
    )


class Costs:
    """Predicts the seconds of statements outside of the system; those inside are the trace's own."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self._models = {model.operation: model for model in inputs.models}
        self.asked_model = False

    def model(self, operation: Operation) -> CostModel | None:
        self.asked_model = True
        return self._models.get(operation)

    def _term(self, operation: Operation, name: str) -> float | None:
        model = self._models.get(operation)
        found = [term.nanoseconds for term in model.terms if term.name == name] if model else []
        return found[0] * 1e-9 if found else None

    def system_byte(self, operation: Operation) -> float:
        """Seconds that the system needs for a byte of a large piece."""
        found = self._term(operation, "byte large")  # a run time hands large pieces on as they are
        return found if found is not None else _SYSTEM_BYTE if operation == "write" else _SYSTEM_BYTE / 2

    def arrays(self, operation: Operation, access: Access, statements: float, payload: float, size: int) -> float:
        """Seconds outside of the system for so many statements that transfer a contiguous array each."""
        model = self.model(operation)
        if model is None:
            return payload * _COPY_BYTE + statements * 1e-7
        values = payload / size / statements
        first = 1 / statements  # memory that one gave back is used by the next
        transfer = Transfer(access, statements, values, value_bytes=size, array_bytes=payload, first=first)
        counts = count(transfer, model.vendor, operation, model.cache_bytes)
        counts.terms.pop("file")
        if operation == "read" and model.vendor == "gnu" and counts.terms["byte large"]:
            counts.terms["byte aliased"] = payload  # large arrays lie 16 bytes into a page, whatever the file's access
        return max(0.0, seconds_of(model, counts) - payload * self.system_byte(operation))

    def fresh_byte(self, operation: Operation) -> float:
        """Seconds for a byte of memory that is touched for the first time."""
        self.asked_model = True
        found = self._term(operation, "fresh byte")
        return found if found is not None else _COPY_BYTE

    def text_statement(self, operation: Operation, form: str) -> float:
        """Seconds that one formatted statement costs beside its items, less the end of a record, which remains."""
        model = self.model(operation)
        if model is None:
            return _TEXT_STATEMENT
        edits = ("*",) if form == "list-directed" else ("e15.5", "es24.16e3")
        known = [model.formatted[edit][0] for edit in edits if edit in model.formatted]
        whole = 1e-9 * statistics.median(known) if known else 0.0
        return max(0.0, whole - (self._term(operation, "text record") or 0.0))

    def swapped_byte(self, operation: Operation) -> float:
        """Seconds for a byte whose order is swapped, beside its transfer."""
        self.asked_model = True
        return self._term(operation, "byte converted") or 0.0


def estimate(seconds: float, low: float, high: float) -> Estimate:
    """In order, and not negative."""
    low = max(0.0, min(low, seconds))
    return Estimate(seconds=max(0.0, seconds), low=low, high=max(seconds, high, 0.0))
