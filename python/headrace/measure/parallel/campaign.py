"""Every way on one number of MPI ranks in rounds: written, read back, compared. Next: rows.py, ../campaign.py."""

import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from headrace.measure.campaign import MOST_PASSES, Campaign, Step, mean_sample
from headrace.measure.cases import Case
from headrace.measure.parallel.launcher import Launcher
from headrace.measure.parallel.methods import ending_of
from headrace.measure.parallel.peers import Peer
from headrace.measure.parallel.protocol import PHASES, Layout, Reply, Request
from headrace.measure.parallel.sessions import ParallelWorker, start_worker
from headrace.measure.parallel.shapes import Extents, mpi_ranks, payload
from headrace.measure.parallel.ways import Environment, Way
from headrace.measure.results import Condition
from headrace.measure.rounds import State
from headrace.measure.toolbox import Tool, Toolbox
from headrace.measure.workers import Answer, WorkerError

SMALL: Extents = (16, 16, 64)  # of the first transfer of each way, which opens connections and loads libraries


@dataclass(frozen=True)
class Task:
    """What all ways of a campaign have in common; seconds, bytes."""

    name: str
    ranks: int
    directory: Path
    extents: Extents
    layout: Layout
    write_condition: Condition
    read_condition: Condition
    rounds: int
    minimum_seconds: float
    limit: float
    seed: int

    def condition(self, way: Way) -> Condition:
        return self.write_condition if way.operation == "write" else self.read_condition


class ParallelCampaign(Campaign[Way]):
    """One task. A way that reads needs the file of its partner that writes, so both run one after the other."""

    def __init__(
        self,
        task: Task,
        ways: Sequence[Way],
        workers: Mapping[str, Environment],
        peers: Mapping[str, Peer],
        launcher: Launcher,
        program: Path,
        scratch: Path,
    ) -> None:
        case = Case(task.name, rows=payload(task.extents) // 8, columns=1)
        box = Toolbox()
        for key, environment in workers.items():
            title = f"{mpi_ranks(task.ranks)}{', ' + environment.label if environment.label else ''}"
            box.tools[key] = Tool(key, title, lambda c, v, s: ([], {}))
        for key, peer in peers.items():
            box.tools[key] = Tool(key, peer.title, lambda c, v, s: ([], {}))
        super().__init__(case, ways, box, scratch, task.limit, task.rounds, task.minimum_seconds, task.seed)
        self.task, self.environments, self.peers = task, workers, peers
        self.launcher, self.program = launcher, program
        self.sessions: dict[str, ParallelWorker] = {}
        self.replies: defaultdict[str, dict[int, Reply]] = defaultdict(dict)  # of a way's key, by round

    def prepare(self, step: Step) -> None:
        """The workers, then every way once with a small array."""
        self.start_workers(step)
        self._skip_what_is_not_there()
        for state in list(self.states.values()):
            if state.way.operation == "write" and state.outcome == "measured" and state.way.tool in self.sessions:
                step(f"{self.task.name}: trying {state.way.method}")
                self._try(state)

    def start(self, key: str) -> None:
        if key in self.peers:
            return
        environment = self.environments[key]
        self.sessions[key] = start_worker(
            self.launcher, self.task.ranks, [str(self.program)], environment.variables, self.scratch, self.limit
        )
        self.box.tools[key].version = self.sessions[key].hello.mpi

    def restart(self, key: str) -> None:
        if key in self.sessions:
            self.sessions.pop(key).close()
            self.try_to_start(key)

    def finish(self) -> None:
        for session in self.sessions.values():
            session.close()
        for path in self.scratch.iterdir():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()

    def measure_once(self, state: State[Way], number: int) -> None:
        """Write and read in turn until both took long enough; the partner then has its sample of this round too."""
        pair = self._partners(state)
        if any(sample.round == number for sample in state.samples):
            return
        answers: dict[str, list[Answer]] = {member.way.key: [] for member in pair}
        try:
            while all(member.outcome == "measured" for member in pair) and self._go_on(answers):
                for member in pair:
                    if member.outcome == "measured":
                        reply = self._transfer(member)
                        if reply is not None:
                            self.replies[member.way.key][number] = reply
                            answers[member.way.key].append(_answer(reply))
                self._remove(state.way)
        except WorkerError as error:
            for member in pair:
                member.fail("timed-out" if "stopped after" in str(error) else "failed", str(error))
            self.restart(state.way.tool)
        for member in pair:
            if answers[member.way.key] and member.outcome == "measured":
                member.samples.append(mean_sample(number, answers[member.way.key]))

    def transfer(self, state: State[Way]) -> Answer:
        """One transfer; a failure of its own fails the state."""
        reply = self._transfer(state)
        return _answer(reply) if reply is not None else Answer(0.0, 0.0, 0.0, 0, 0)

    def _partners(self, state: State[Way]) -> list[State[Way]]:
        """The way that writes and the one that reads the same file."""
        way = state.way
        keys = [f"{way.both}:write", f"{way.both}:read"]
        return [self.states[key] for key in keys if key in self.states]

    def _go_on(self, answers: Mapping[str, list[Answer]]) -> bool:
        if not all(answers.values()):
            return True
        passes = len(next(iter(answers.values())))
        shortest = min(sum(answer.wall for answer in members) for members in answers.values())
        return passes < MOST_PASSES and shortest < self.minimum_seconds

    def _transfer(self, state: State[Way], extents: Extents | None = None) -> Reply | None:
        """None where the state has failed."""
        way = state.way
        if way.tool in self.peers:
            reply = self.peers[way.tool].transfer(way, self.task, self._file(way), self.launcher)
        else:
            reply = self.sessions[way.tool].ask(self._request(way, extents or self.task.extents))
        if not reply.ok:
            state.fail("failed", reply.error or f"error {reply.code}")
            return None
        if reply.bad_values:
            count = payload(extents or self.task.extents) // 8
            state.fail("wrong", f"{reply.bad_values:,} of {count:,} values were read back wrongly")
            return None
        if extents is None:
            state.peak = max(state.peak, *reply.peak_memory, 0)
            state.file_bytes = reply.file_bytes or state.file_bytes
        return reply

    def _try(self, writer: State[Way]) -> None:
        """What a method lacks shows before any time is spent on it; its partner fails with it."""
        pair = self._partners(writer)
        try:
            for member in pair:
                if all(other.outcome == "measured" for other in pair):
                    self._transfer(member, SMALL)
            self._remove(writer.way)
        except WorkerError as error:
            writer.fail("failed", str(error))
            self.restart(writer.way.tool)
        failed = next((member for member in pair if member.outcome != "measured"), None)
        for member in pair:
            if failed is not None and member.outcome == "measured":
                member.fail(failed.outcome, failed.message)

    def _skip_what_is_not_there(self) -> None:
        """A library that this build has not is no failure."""
        for state in self.states.values():
            session = self.sessions.get(state.way.tool)
            if session is None or state.outcome != "measured":
                continue
            why = unavailable(session, state.way.method)
            if why:
                state.fail("skipped", why)

    def _request(self, way: Way, extents: Extents) -> Request:
        nodes = self.sessions[way.tool].hello.nodes
        return Request(
            id=0,
            method=way.method,
            operation=way.operation,
            file=str(self._file(way)),
            layout=self.task.layout,
            extents=extents,
            seed=self.task.seed,
            sync=self.task.write_condition == "synced" and way.operation == "write",
            condition=self.task.condition(way),
            hints=way.hints,
            options=dict(way.options),
            at_page=way.at_page,
            node_size=max(1, self.task.ranks // 2) if way.two_nodes and nodes == 1 else 0,
        )

    def _remove(self, way: Way) -> None:
        """Outside the clock; what is left would fill a memory file system."""
        session = self.sessions.get(way.tool)
        if session is not None:
            file = str(self._file(way))
            session.ask(Request(id=0, method=way.method, operation="remove", file=file))

    def _file(self, way: Way) -> Path:
        plain = "".join(letter if letter.isalnum() else "-" for letter in way.both)
        return self.scratch / f"{plain}{ending_of(way.method)}"


def unavailable(session: ParallelWorker, method: str) -> str:
    """Why a worker cannot do a method; "" when it can."""
    known = session.hello.method(method)
    if known is not None and known.available:
        return known.available
    parts = method.split(":")
    if parts[0] == "headrace" and len(parts) > 1 and session.hello.formats.get(parts[1]):
        return session.hello.formats[parts[1]] or ""
    if known is None and parts[0] != "headrace":
        return "the worker has no such method"
    return ""


def _answer(reply: Reply) -> Answer:
    return Answer(
        wall=reply.seconds,
        user=reply.user,
        system=reply.system,
        peak=max(reply.peak_memory, default=0),
        differences=reply.bad_values or 0,
        phases=[reply.phases.get(phase, 0.0) for phase in PHASES],
    )
