"""The 14 situations that the guides are about: the advice is theirs if it still holds, else it says why not."""

import json
import re

import pytest

from advising import advised, described, items
from conftest import REPOSITORY
from headrace.results.conclusions import published_lines
from headrace.settings.job import Job
from headrace.sites.load import every_site, site
from headrace.sites.schema import Pattern

MIB = 2**20


def archer2(pattern: Pattern, **more: object) -> Job:
    return Job(ranks=2048, nodes=16, bytes_a_rank=32 * MIB, pattern=pattern, operations=("write",), **more)  # type: ignore[arg-type]


def test_1_a_shared_file_with_collective_calls_gets_the_settings_of_the_guide() -> None:
    found = items(advised(archer2("shared_collective"), at="archer2"))
    assert found["stripe-count"].lines == ["lfs setstripe -c -1 ."]
    assert found["sar-limit"].lines == ["export FI_OFI_RXM_SAR_LIMIT=64K"]
    hints = 'export MPICH_MPIIO_HINTS="*:cray_cb_write_lock_mode=2,*:cray_cb_nodes_multiplier=4"'
    assert found["hints"].lines == [hints] and hints.isascii()
    assert "UCX" in found["ucx"].title
    gain = found["file-per-node"].gain
    assert gain is not None and gain.factor == pytest.approx(15) and gain.known == "published"
    assert gain.low == pytest.approx(135 / 11) and gain.high == pytest.approx(180 / 9)


def test_2_a_file_for_each_process_keeps_its_stripes_and_goes_to_nvme() -> None:
    found = items(advised(archer2("file_per_process"), at="archer2"))
    assert "stripe-count" not in found, "one stripe is the default there"
    assert "sar-limit" not in found and "hints" not in found, "the guide: none required"
    gain = found["storage"].gain
    assert gain is not None and gain.factor == pytest.approx(150 / 90)
    wide = items(advised(archer2("file_per_process"), described("lustre", "cray", stripe_count=12), at="archer2"))
    assert wide["stripe-count"].stripes == 1


def test_3_a_file_for_each_node_is_advised_for_the_number_of_files_not_for_the_rate() -> None:
    found = items(advised(archer2("file_per_process"), at="archer2"))["file-per-node"]
    assert found.gain is None and "not a higher one" in found.why_no_gain and "16 instead of 2,048" in found.title
    assert set(items(advised(archer2("file_per_node"), at="archer2"))) == {"storage"}


def test_4_one_writer_of_100_gb_is_told_to_share_the_work_and_not_to_stripe() -> None:
    job = Job(ranks=2048, nodes=16, bytes_a_rank=10**11 // 2048, pattern="serial", operations=("write",))
    found = items(advised(job, at="archer2"))
    shared, files = found["shared-collective"].gain, found["file-per-process"].gain
    assert shared is not None and shared.factor == pytest.approx(10 * 2**30 / 1e9)
    assert files is not None and files.factor == pytest.approx(150 * 2**30 / 1e9)
    assert "stripe-count" not in found, "one client does not get more from more targets"


def test_5_a_shared_file_without_collective_calls() -> None:
    found = items(advised(archer2("shared_independent"), at="archer2"))
    assert "MPI_File_write_at_all" in found["collective-calls"].lines[0]
    assert "locks" in found["collective-calls"].why
    one_node = items(advised(Job(ranks=48, pattern="shared_independent"), described()))
    assert "collective-calls" not in one_node, "POP: on one node independent calls were faster"
    collective = items(advised(Job(ranks=48, pattern="shared_collective"), described()))["independent-calls"].gain
    assert collective is not None and collective.factor == pytest.approx(46.42 / 8.897)


def test_figures_of_small_pieces_are_not_held_against_large_ones() -> None:
    job = Job(ranks=8, bytes_a_rank=64 * MIB, pattern="shared_collective")
    found = items(advised(job, described()))
    assert "independent-calls" not in found and "romio" in found


def test_6_transport_settings_are_for_several_nodes_and_their_mpi() -> None:
    found = items(advised(archer2("shared_collective"), at="archer2"))
    assert {"sar-limit", "ucx"} <= set(found) and found["sar-limit"].variables == {"FI_OFI_RXM_SAR_LIMIT": "64K"}
    alone = items(advised(Job(ranks=128, pattern="shared_collective"), at="archer2"))
    other = items(advised(archer2("shared_collective"), described("lustre", "romio"), at="archer2"))
    assert not {"sar-limit", "ucx"} & (set(alone) | set(other))


def test_7_and_8_many_small_files_go_as_one_stream_in_blocks_of_a_mib() -> None:
    unpacked = items(advised(Job(files=100_000, transfer="unpack"), at="archer2"))
    assert unpacked["tar-blocks"].lines == ["tar -b 2048 --keep-old-files -xf archive.tar"]
    copied = items(advised(Job(files=100_000, transfer="copy"), at="archer2"))
    assert copied["copy-as-stream"].lines == [
        "tar -b 2048 -cf - directory | tar -b 2048 --keep-old-files -xf - -C target"
    ]
    assert items(advised(Job(files=10, transfer="copy"), at="archer2")) == {}


INTEL = described(vendors=("intel",))
RECORDS = Job(format="unformatted", statements="element", operations=("write",))


def test_9_intels_records_are_buffered() -> None:
    found = items(advised(RECORDS, INTEL))
    item = found["buffered-records"]
    assert item.lines == ["export FORT_BUFFERED=true"] and "-assume buffered_io" in item.why
    assert "ifort 17" in item.hurts and any("ifort 17" in source.machine for source in item.sources)
    assert item.gain is not None and item.gain.factor == pytest.approx(467.02 / 13.40, rel=1e-3)
    assert found["whole-arrays"].expected > item.expected
    assert "buffered-records" not in items(
        advised(RECORDS, described(vendors=("intel",), variables={"FORT_BUFFERED": "true"}))
    )
    assert "buffered-records" not in items(advised(RECORDS, described(vendors=("gnu",)))), "gfortran buffers by itself"


def test_10_with_that_forbidden_each_open_says_it() -> None:
    job = Job(format="unformatted", statements="element", operations=("write",), forbidden=frozenset({"buffered_io"}))
    item = items(advised(job, INTEL))["buffered-open"]
    assert item.lines == [] and "BUFFERED='YES'" in item.title, "a whole OPEN would lose POSITION= and STATUS="
    assert item.variables == {} and item.expected == pytest.approx(467.02 / 13.40, rel=1e-3)


def test_11_256_readers_that_skip_with_a_scalar() -> None:
    job = Job(ranks=256, format="unformatted", skip="scalar", operations=("read",))
    found = advised(job, INTEL).items
    assert [item.change for item in found] == ["skip-with-array", "buffered-records", "stream-position"]
    assert found[0].expected == pytest.approx(732.05 / 0.14355, rel=1e-3)
    assert found[1].expected == pytest.approx(732.05 / 0.96328, rel=1e-3)
    gnu = advised(job, described()).items
    assert gnu[0].change == "stream-position" and gnu[0].expected < 100, "with gfortran it was never 5,100"


def test_12_a_checkpoint_as_text() -> None:
    found = items(advised(Job(format="text", operations=("write",)), INTEL))
    assert found["binary-file"].expected == pytest.approx(77.794 / 0.87978, rel=1e-3)
    assert found["buffered-records"].expected == pytest.approx(77.794 / 7.2853, rel=1e-3)
    assert "exact" in found["binary-file"].why


def test_13_pops_100000_doubles_a_process() -> None:
    job = Job(ranks=48, pattern="serial", format="text", bytes_a_rank=800_000)
    found = items(advised(job, described()))
    assert found["parallel-binary-independent"].expected == pytest.approx(8.5 / 0.11)
    assert found["parallel-binary-collective"].expected == pytest.approx(8.5 / 0.2)
    assert "serial-binary" in found, "most of the gain comes from binary, and the item says so"
    assert "most of it comes from binary" in found["parallel-binary-independent"].why


def test_14_adios2_on_nvme() -> None:
    found = items(advised(archer2("file_per_process", format="adios2"), at="archer2"))
    assert "NVMe" in found["storage"].title and "stripe-count" not in found
    assert found["adios2-aggregation"].lines[0] == '<parameter key="NumAggregators" value="16"/>'


def test_nothing_is_advised_for_a_job_that_is_all_right() -> None:
    for job in (
        Job(ranks=8, pattern="file_per_process"),
        Job(format="unformatted", statements="array"),
        Job(format="stream"),
    ):
        assert advised(job, described()).items == []


def test_the_largest_expected_gain_comes_first_and_every_item_has_a_dated_source() -> None:
    jobs = [archer2(pattern) for pattern in ("shared_collective", "shared_independent", "file_per_process", "serial")]
    for found in [*(advised(job, at="archer2") for job in jobs), advised(RECORDS, INTEL)]:
        factors = [item.expected for item in found.items]
        assert factors == sorted(factors, reverse=True) and found.items
        for item in found.items:
            assert item.sources and all(re.fullmatch(r"\d{4}-\d\d-\d\d", source.date) for source in item.sources)
            assert item.undo and item.hurts and (item.gain or item.why_no_gain)


def test_a_smaller_job_is_promised_what_its_nodes_can_do() -> None:
    job = Job(ranks=1024, nodes=8, bytes_a_rank=32 * MIB, pattern="shared_collective", operations=("write",))
    gain = items(advised(job, at="archer2"))["file-per-process"].gain
    assert gain is not None and gain.factor == pytest.approx(7.5) and gain.known == "model"
    assert "this job has 1,024 on 8" in gain.condition


def test_profiles_say_what_the_published_figures_are() -> None:
    """The same figures stand in data/published.csv, of which reports are made."""
    published = published_lines()
    rates = site("archer2").rates
    assert len([rate for rate in rates if rate.storage]) == 4
    names = {"file_per_process": "file-per-process", "shared_collective": "single shared file, collective writes"}
    for rate in rates:
        if not rate.storage:
            continue
        for word, value in (("Median", rate.median), ("Lower", rate.lower_quartile), ("Upper", rate.upper_quartile)):
            matching = [
                float(line["value"])
                for line in published
                if line["machine"] == f"ARCHER2 {rate.storage}-based Lustre"
                and line["mechanism"] == names[rate.pattern]
                and line["condition"].startswith(word)
            ]
            assert matching == [value]
    figures = {float(line["value"]) for line in published if line["source"].startswith(("centre guide", "POP"))}
    for one in (*site("fortran-guide").gains, *(g for g in site("node").gains if g.source == "pop")):
        for value in (one.before, one.after):
            assert any(
                value == pytest.approx(known, rel=1e-9) or value == pytest.approx(known / 1000) for known in figures
            ), one


def test_figures_of_this_project_are_those_of_the_results_that_are_kept() -> None:
    medians: set[float] = set()
    for name in ("parallel", "bench"):
        rows = json.loads((REPOSITORY / "doc" / "results" / f"{name}.json").read_text())["rows"]
        medians |= {row["statistics"]["median"] for row in rows if row["statistics"]}
    kept = [gain for gain in site("node").gains if gain.source in ("parallel", "bench")]
    assert len(kept) == 8
    for gain in kept:
        for value in (gain.before, gain.after):
            assert any(value == pytest.approx(median, rel=1e-3) for median in medians), gain


def test_every_figure_of_every_profile_has_its_source() -> None:
    assert {"archer2", "fortran-guide", "lustre", "gpfs", "nfs", "beegfs", "node"} == {one.name for one in every_site()}
    for one in every_site():
        assert one.sourced() and all(source in one.sources for _, source in one.sourced())
        assert all(source.date and source.machine for source in one.sources.values())
