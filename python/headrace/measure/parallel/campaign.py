"""Every way on one number of MPI ranks: written, read back, compared. First: ../worker_campaign.py. Next: rows.py."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from headrace.measure.cases import Case
from headrace.measure.engine.campaign import Step
from headrace.measure.engine.state import State, Unit
from headrace.measure.parallel.launcher import Launcher
from headrace.measure.parallel.methods import ending_of
from headrace.measure.parallel.peers import Peer
from headrace.measure.parallel.protocol import Reply, Request
from headrace.measure.parallel.sessions import ParallelWorker, start_worker
from headrace.measure.parallel.shapes import Extents, payload
from headrace.measure.parallel.ways import Environment, Task, Way
from headrace.measure.toolbox import Tool, Toolbox
from headrace.measure.worker_campaign import MOST_PASSES, WorkerCampaign, mean_sample
from headrace.measure.workers import Answer, WorkerError
from headrace.results.methods import mpi_ranks
from headrace.results.parallel import PHASES

SMALL: Extents = (16, 16, 64)  # of the first transfer of each way, which opens connections and loads libraries


class ParallelCampaign(WorkerCampaign[Way]):
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

    def units_of(self, states: list[State[Way]]) -> list[Unit[Way]]:
        """The way that writes and the one that reads the same file."""
        files: dict[str, list[State[Way]]] = {}
        for state in sorted(states, key=lambda state: state.way.operation == "read"):
            files.setdefault(state.way.both, []).append(state)
        return [Unit(members) for members in files.values()]

    def prepare(self, step: Step) -> None:
        """The workers, then every way once with a small array."""
        self.start_workers(step)
        self._skip_what_is_not_there()
        for unit in self.units:
            way = unit.states[0].way
            if way.operation == "write" and unit.states[0].alive and way.tool in self.sessions:
                step(f"{self.task.name}: trying {way.method}")
                self._try(unit)

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
        self.empty_scratch()

    def measure_once(self, unit: Unit[Way], number: int) -> None:
        """Write and read in turn, as often as the first pair of transfers told; that one is a sample if it is long."""
        answers: dict[str, list[Answer]] = {state.way.key: [] for state in unit.states}
        first = unit.states[0].way
        try:
            while all(state.alive for state in unit.states) and self._goes_on(unit, answers):
                for state in unit.states:
                    reply = self._transfer(state) if state.alive else None
                    if reply is not None:
                        self.replies[state.way.key][number] = reply
                        answers[state.way.key].append(_answer(reply))
            self._remove(first)
        except WorkerError as error:
            for state in unit.states:
                state.fail("timed-out" if "stopped after" in str(error) else "failed", str(error))
            self.restart(first.tool)
        for state in unit.states:
            if answers[state.way.key] and state.alive:
                state.samples.append(mean_sample(number, answers[state.way.key]))

    def _goes_on(self, unit: Unit[Way], answers: Mapping[str, list[Answer]]) -> bool:
        """Whether another pass belongs to this sample. The number of passes is fixed by the first one."""
        passes = len(answers[unit.states[0].way.key])
        if not passes:
            return True
        shortest = min(sum(answer.wall for answer in members) for members in answers.values())
        planned = unit.states[0]  # for both, so that each file is read as often as it is written
        if not planned.passes:
            planned.plan_passes(shortest, self.minimum_seconds, MOST_PASSES)
        elif passes == planned.passes and planned.replanned(shortest, self.minimum_seconds, MOST_PASSES):
            for members in answers.values():
                members.clear()
            return True
        return passes < planned.passes

    def transfer(self, state: State[Way]) -> Answer:
        """One transfer; a failure of its own fails the state."""
        reply = self._transfer(state)
        return _answer(reply) if reply is not None else Answer(0.0, 0.0, 0.0, 0, 0)

    def _transfer(self, state: State[Way], extents: Extents | None = None) -> Reply | None:
        """None if the state has failed."""
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
            state.needed(max(reply.peak_memory, default=0))
            state.file_bytes = reply.file_bytes or state.file_bytes
        return reply

    def _try(self, unit: Unit[Way]) -> None:
        """What a method lacks shows before any time is spent on it; its partner fails with it."""
        pair = unit.states
        writer = pair[0]
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
        """A library that this build does not have is not a failure."""
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
