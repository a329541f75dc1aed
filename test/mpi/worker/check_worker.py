"""Ask headrace-parallel-worker for every method, and for what must fail.

check_worker.py <worker> <library of the full disk> <MPI ranks> <launcher and its arguments>
"""

import json
import re
import struct
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

LIST = Path(__file__).resolve().parents[3] / "include" / "headrace_status.def"
STATUS = {name: int(number) for name, number in re.findall(r"^HR_STATUS\((\w+), \w+, (.*?),", LIST.read_text(), re.M)}

WORKER, FULL_DISK, RANKS, LAUNCHER = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
EXTENTS = (13, 10, 7)  # no number of MPI ranks here divides them
VALUES = EXTENTS[0] * EXTENTS[1] * EXTENTS[2]
SEED = 11
Json = dict[str, Any]


class Worker:
    """A worker on RANKS MPI ranks."""

    def __init__(self, *before: str) -> None:
        self.process = subprocess.Popen(
            [*LAUNCHER, *before, WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.hello = self._answer()

    def say(self, line: str) -> Json:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self._answer()

    def ask(self, operation: str, method: str, file: Path | str, **more: Any) -> Json:
        asked: Json = {"id": 5, "operation": operation, "method": method, "file": str(file), "seed": SEED}
        return self.say(json.dumps({**asked, "global": EXTENTS, "verify": True, **more}))

    def close(self) -> int:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        code = self.process.wait(60)
        self.process.stdout.close()
        return code

    def _answer(self) -> Json:
        assert self.process.stdout is not None
        answer = json.loads(self.process.stdout.readline())
        assert isinstance(answer, dict)
        return answer


def expected_value(place: int) -> float:
    """splitmix64, as bench/parallel/values.hpp describes it."""
    mask = (1 << 64) - 1
    z = (SEED * 0xD1342543DE82EF95 + (place + 1) * 0x9E3779B97F4A7C15) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    z ^= z >> 31
    bits = (z & 0x800FFFFFFFFFFFFF) | ((1020 + ((z >> 52) & 7)) << 52)
    found: float = struct.unpack("<d", struct.pack("<Q", bits))[0]
    return found


class WorkerTest(unittest.TestCase):
    worker: Worker
    file: Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.worker = Worker()
        cls.file = Path.cwd() / "array"

    @classmethod
    def tearDownClass(cls) -> None:
        assert cls.worker.close() == 0

    def tearDown(self) -> None:
        self.worker.ask("remove", "", self.file)
        self.assertFalse(self.file.exists())

    def write(self, method: str, **more: Any) -> Json:
        reply = self.worker.ask("write", method, self.file, **more)
        self.assertTrue(reply["ok"], reply)
        return reply

    def test_hello_names_what_runs(self) -> None:
        hello = self.worker.hello
        self.assertEqual(hello["ranks"], RANKS)
        self.assertEqual(len(hello["node_of"]), RANKS)
        self.assertEqual(len(hello["hosts"]), hello["nodes"])
        self.assertRegex(hello["mpi_io"], "^(ompio|romio[0-9]*)$")
        self.assertIn("raw:file_per_process", [method["name"] for method in hello["methods"]])

    def test_every_method_reads_back_what_it_wrote(self) -> None:
        available = [m["name"] for m in self.worker.hello["methods"] if m["available"] is None]
        self.assertGreater(len(available), 12)
        for method in available:
            for layout in ("slab", "block"):
                with self.subTest(method=method, layout=layout):
                    reply = self.write(method, layout=layout)
                    self.check_times(reply)
                    read = self.worker.ask("read", method, self.file, layout=layout)
                    self.assertTrue(read["ok"], read)
                    self.check_times(read)
                    self.assertEqual(read["bad_values"], None if method == "null" else 0)
                    self.assertGreaterEqual(read["file_bytes"], 0 if method == "null" else 8 * VALUES)

    def check_times(self, reply: Json) -> None:
        self.assertEqual(len(reply["ranks"]), RANKS)
        self.assertEqual(min(rank["begin"] for rank in reply["ranks"]), 0)
        self.assertAlmostEqual(max(rank["end"] for rank in reply["ranks"]), reply["seconds"])
        self.assertAlmostEqual(min(rank["end"] for rank in reply["ranks"]), reply["first_done"])
        for rank in reply["ranks"]:
            in_phases = sum(rank[phase] for phase in reply["phases"])
            self.assertLessEqual(in_phases, (rank["end"] - rank["begin"]) * 1.001 + 1e-6)

    def test_files_of_rows_hold_the_array_in_fortran_order(self) -> None:
        expected = struct.pack(f"<{VALUES}d", *map(expected_value, range(VALUES)))
        for method in ("raw:rows", "mpiio:collective", "mpiio:independent"):
            self.write(method)
            self.assertEqual(self.file.read_bytes(), expected, method)

    def test_any_layout_reads_files_of_rows(self) -> None:
        self.write("raw:rows", layout="fast")
        for layout in ("slab", "pencil", "block", "fast"):
            self.assertEqual(self.worker.ask("read", "raw:rows", self.file, layout=layout)["bad_values"], 0)

    def test_one_changed_value_is_one_bad_value(self) -> None:
        self.write("raw:rows")
        with self.file.open("r+b") as file:
            file.seek(8 * 321)
            file.write(struct.pack("<d", 0.0))
        self.assertEqual(self.worker.ask("read", "raw:rows", self.file)["bad_values"], 1)

    def test_another_seed_makes_all_values_bad(self) -> None:
        self.write("fortran:sequential")
        reply = self.worker.ask("read", "fortran:sequential", self.file, seed=SEED + 1)
        self.assertEqual(reply["bad_values"], VALUES)

    def test_calls_of_mpi_io_are_counted_by_kind(self) -> None:
        for method, kind in (("mpiio:collective", "collective"), ("mpiio:independent", "independent")):
            counts = self.write(method)["counts"]
            self.assertEqual(counts[f"{kind}_writes"], RANKS)
            self.assertEqual(counts[f"bytes_{kind}"], 8 * VALUES)
            self.assertEqual(counts["opens"], RANKS)
            counts = self.worker.ask("read", method, self.file)["counts"]
            self.assertEqual(counts[f"{kind}_reads"], RANKS)
            self.assertEqual(counts[f"{kind}_writes"], 0)

    def test_events_lie_within_the_time_of_their_rank(self) -> None:
        reply = self.write("fortran:serial_binary", events=True)
        for rank in reply["ranks"]:
            self.assertTrue(rank["events"])
            for phase, begin, end in rank["events"]:
                self.assertIn(phase, reply["phases"])
                self.assertLessEqual(rank["begin"] - 1e-6, begin)
                self.assertLessEqual(begin, end)
                self.assertLessEqual(end, rank["end"] + 1e-6)

    def test_synced_writes_have_a_phase_of_their_own(self) -> None:
        for method in ("raw:file_per_process", "fortran:stream", "mpiio:collective"):
            self.assertEqual(self.write(method)["phases"]["sync"], 0, method)
            self.assertGreater(self.write(method, sync=True)["phases"]["sync"], 0, method)

    def test_a_cut_file_is_an_error_that_names_the_place(self) -> None:
        self.write("raw:shared_file")
        with self.file.open("r+b") as file:
            file.truncate(8 * VALUES - 1)
        reply = self.worker.ask("read", "raw:shared_file", self.file)
        self.assertEqual((reply["ok"], reply["code"]), (False, 5))
        self.assertIn(f"MPI rank {RANKS - 1}: ", reply["error"])
        self.assertIn(str(self.file), reply["error"])

    def test_what_was_read_beyond_the_end_of_a_file_does_not_count(self) -> None:
        self.write("mpiio:collective")
        with self.file.open("r+b") as file:
            file.truncate(8 * VALUES // 2)
        self.assertFalse(self.worker.ask("read", "mpiio:collective", self.file)["ok"])

    def test_a_missing_file_of_one_rank_is_an_error_of_all(self) -> None:
        self.write("raw:file_per_process")
        (self.file / str(RANKS - 1)).unlink()
        reply = self.worker.ask("read", "raw:file_per_process", self.file)
        self.assertEqual((reply["ok"], reply["code"]), (False, 2))
        self.assertTrue(reply["error"].startswith(f"MPI rank {RANKS - 1}: opening "), reply["error"])

    def test_arrays_with_fewer_elements_than_ranks_have_empty_blocks(self) -> None:
        for method in ("raw:shared_file", "fortran:stream", "mpiio:collective", "mpiio:independent"):
            self.write(method, layout="slab", **{"global": (3, 1, 1)})
            reply = self.worker.ask("read", method, self.file, layout="slab", **{"global": (3, 1, 1)})
            self.assertEqual(reply["bad_values"], 0, method)

    def test_requests_that_make_no_sense_are_refused_and_the_worker_goes_on(self) -> None:
        self.assertIn("1:8", self.worker.say('{"id": nonsense}')["error"])
        self.assertIn('no member "speed"', self.worker.say('{"id": 1, "speed": 3}')["error"])
        self.assertIn("expected an integer", self.worker.say('{"id": 1.5}')["error"])
        self.assertIn("expected true or false", self.worker.say('{"id": 1, "sync": 1}')["error"])
        for more, part in (
            ({"layout": "diagonal"}, "expected slab, pencil, block or fast"),
            ({"global": (3, 0, 1)}, "three extents of 1 or more"),
            ({"condition": "hot"}, "expected cached, synced, warm or cold"),
            ({"hints": "cb_nodes"}, "expected name=value"),
        ):
            reply = self.worker.ask("write", "mpiio:collective", self.file, **more)
            self.assertEqual((reply["ok"], reply["code"]), (False, STATUS["argument_invalid"]))
            self.assertIn(part, reply["error"])
        self.assertIn("no method", self.worker.ask("write", "raw:nothing", self.file)["error"])
        self.write("raw:rows")

    def test_devices_are_not_removed(self) -> None:
        reply = self.worker.ask("write", "raw:rows", "/dev/null")
        self.assertEqual((reply["ok"], reply["code"]), (False, 22))
        self.assertTrue(Path("/dev/null").is_char_device())

    def test_hints_are_in_force_or_reported_as_ignored(self) -> None:
        reply = self.write("mpiio:collective", hints="no_such_hint=3,cb_buffer_size=1048576")
        self.assertEqual(reply["hints_ignored"], "no_such_hint=3")
        self.assertIn("cb_buffer_size=1048576", reply["hints_in_force"].split(","))

    def test_blocks_differ_by_one_element_along_an_axis_at_most(self) -> None:
        self.write("raw:file_per_process", layout="fast", **{"global": (50, 1, 1)})
        sizes = [(self.file / str(rank)).stat().st_size // 8 for rank in range(RANKS)]
        self.assertEqual(sizes, [50 // RANKS + (rank < 50 % RANKS) for rank in range(RANKS)])

    def test_arrays_may_begin_with_a_page(self) -> None:
        self.write("raw:shared_file", at_page=True)
        for at_page in (False, True):
            reply = self.worker.ask("read", "raw:shared_file", self.file, at_page=at_page)
            self.assertEqual(reply["bad_values"], 0, reply)

    def test_groups_of_ranks_count_as_nodes(self) -> None:
        self.write("raw:file_per_node", node_size=2)
        self.assertEqual(len(list(self.file.iterdir())), (RANKS + 1) // 2)
        self.assertEqual(self.worker.ask("read", "raw:file_per_node", self.file, node_size=2)["bad_values"], 0)


class FullDiskTest(unittest.TestCase):
    def test_a_full_disk_is_an_error_with_its_code(self) -> None:
        file = Path.cwd() / "on_full_disk"
        most = 8 * VALUES // RANKS // 2  # bytes for each MPI rank
        worker = Worker(
            "env",
            f"LD_PRELOAD={FULL_DISK}",
            "HEADRACE_TEST_DISK_PATH=on_full_disk",
            f"HEADRACE_TEST_DISK_BYTES={most}",
        )
        for method in ("raw:file_per_process", "raw:shared_file", "raw:rows"):
            reply = worker.ask("write", method, file)
            self.assertEqual((reply["ok"], reply.get("code")), (False, 28), reply)
            self.assertIn("No space left on device", reply["error"])
        # gfortran 12 reports success for what its buffer held.
        reply = worker.ask("write", "fortran:stream", file)
        self.assertFalse(reply["ok"])
        self.assertIn(reply["code"], (28, STATUS["file_size_mismatch"]))
        worker.ask("remove", "", file)
        self.assertEqual(worker.close(), 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
