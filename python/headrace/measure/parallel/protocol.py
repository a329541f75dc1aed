"""What the worker program of bench/parallel says, line by line. Next: sessions.py starts it."""

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from headrace.measure.workers import WorkerError
from headrace.results.parallel import Counts, Message, RankTimes
from headrace.results.records import Condition, Operation

Layout = Literal["slab", "pencil", "block", "fast"]


class Method(Message):
    """One way of the worker to write and read."""

    name: str
    operations: list[Operation] = Field(default=["write", "read"])
    description: str = ""
    available: str | None = Field(default=None, description="why not")


class Hello(Message):
    """The first line of a worker."""

    ranks: int
    nodes: int = 1
    node_of: list[int] = Field(default=[])
    hosts: list[str] = Field(default=[])
    mpi: str = ""
    mpi_io: str = "unknown"
    mpi_standard: str = ""
    compiler: str = ""
    fortran: str = ""
    headrace: str = ""
    formats: dict[str, str | None] = Field(default={})
    clock_offset: list[float] = Field(default=[])
    methods: list[Method] = Field(default=[])

    def method(self, name: str) -> Method | None:
        return next((method for method in self.methods if method.name == name), None)


class Reply(Message):
    """What one transfer cost, or why it failed."""

    id: int
    ok: bool
    error: str = ""
    code: int = 0
    seconds: float = 0.0
    first_done: float = 0.0
    last_done: float = 0.0
    phases: dict[str, float] = Field(default={})
    ranks: list[RankTimes] = Field(default=[])
    user: float = 0.0
    system: float = 0.0
    peak_memory: list[int] = Field(default=[])
    file_bytes: int = 0
    bad_values: int | None = None
    hints_in_force: str = ""
    hints_ignored: str = ""
    residency: str = ""
    counts: Counts = Counts()
    writers: int = 0
    redistributed: bool = False


class Request(BaseModel):
    """One line to the worker."""

    model_config = ConfigDict(populate_by_name=True)

    id: int
    method: str
    operation: str
    file: str = ""
    layout: Layout = "block"
    extents: tuple[int, int, int] = Field(default=(1, 1, 1), serialization_alias="global")
    seed: int = 1
    sync: bool = False
    condition: Condition = "cached"
    hints: str = ""
    options: dict[str, str] = Field(default={})
    verify: bool = True
    events: bool = True
    node_size: int = 0
    at_page: bool = False

    def line(self) -> str:
        return self.model_dump_json(by_alias=True)


def read_hello(line: str) -> Hello:
    """Raises WorkerError."""
    return Hello.model_validate(_object(line, "hello"))


def read_reply(line: str, identifier: int) -> Reply:
    """Raises WorkerError also if the reply belongs to another request."""
    data = _object(line, "id")
    try:
        reply = Reply.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise WorkerError(f"the worker's reply is not understood: {place}: {first['msg']}") from error
    if reply.id != identifier:
        raise WorkerError(f"the worker answered request {reply.id}, expected was {identifier}")
    return reply


def _object(line: str, member: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except json.JSONDecodeError as error:
        raise WorkerError(f"the worker wrote a line that is not JSON: {line[:120]} ({error.msg})") from error
    if not isinstance(data, dict) or member not in data:
        raise WorkerError(f"the worker wrote a line without '{member}': {line[:120]}")
    return data
