"""Measurements of a dataset's files and of a pool: begun, reported, stopped, and refused where there is
nothing to measure.

No command writes a file; what is said of files is held against what OpenZFS stores by a drill of the lab
(tests/lab/test_measuring.py).
"""

from __future__ import annotations

import msgspec
import pytest

from host.benchmark.profiles import LEAST_BYTES
from host.benchmark.values import Benchmark, Profile
from host.blocks.table import LIMITS
from host.blocks.values import PoolBlocks
from host.commands.backups import (
    ForgetRepository,
    InitRepository,
    MakeRepositoryFolder,
    StoreRepositorySecret,
    WriteRepository,
)
from host.commands.closed import decode, encode
from host.commands.datasets.measuring import (
    MeasureCompression,
    ReadMeasured,
    ScanFiles,
    StopMeasuring,
    What,
    run_of,
)
from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.files import RestoreFile, ShareBlocks
from host.commands.network_speed import ListenForSpeedTests
from host.commands.pools.benchmark import RemoveBenchmarkDataset, StartBenchmark
from host.commands.pools.blocks import CountBlocks
from host.commands.pools.care import ReadRequestSizes
from host.commands.pools.dedup import EstimateDedup, ReadDedupTable
from host.dedup.values import DedupEstimate
from host.probe.datasets.measured import (
    read_benchmark,
    read_dedup_estimate,
    read_dedup_table,
    read_measured,
    read_network_speed,
    read_pool_blocks,
    read_scanned,
)
from host.repositories.settings import LocalFolder, RepositorySettings
from host.scan.requests import parse_request_sizes
from host.scan.values import Scanned
from tests.contract.bench import POOL, Bench
from tests.contract.secrets import PHRASE, reference
from tests.contract.waiting import first_answer

REPOSITORY = "5ca0000000000000"


def begin(name: str, tag: str = "one") -> MeasureCompression:
    return MeasureCompression(
        run=run_of(name), dataset=name, tag=tag, record_bytes=131072, ashift=12, embeds=True
    )


def store_into(tank: Bench, place: str) -> None:
    """What a command can write into a dataset: a repository's own files."""
    tank.host.run(MakeRepositoryFolder(repository=REPOSITORY))
    settings = RepositorySettings(local=LocalFolder(path=place))
    tank.host.run(WriteRepository(repository=REPOSITORY, settings=settings))
    tank.host.run(StoreRepositorySecret(repository=REPOSITORY, what="password", secret=reference(PHRASE)))
    tank.host.run(InitRepository(repository=REPOSITORY))
    tank.host.run(ForgetRepository(repository=REPOSITORY))


@pytest.mark.core
def test_a_snapshot_is_measured_in_a_unit_and_reported(tank: Bench) -> None:
    name = tank.fresh()
    assert read_measured(tank.host, name) is None
    tank.host.run(ZfsSnapshot(names=(f"{name}@one",)))
    tank.host.run(begin(name))
    first = read_measured(tank.host, name)
    assert first is not None
    assert (first.dataset, first.snapshot, first.record_bytes, first.ashift) == (name, "one", 131072, 12)
    tank.host.run(
        StopMeasuring(what="compression", run=run_of(name))
    )  # a real one has ended, as nothing is there
    last = read_measured(tank.host, name)
    assert last is not None
    assert last.verdict in {"empty", "stopped"}
    assert (last.measured_blocks, last.choices, last.phase) == (0, (), "done")


@pytest.mark.core
def test_the_files_of_a_snapshot_are_scanned(tank: Bench) -> None:
    name = tank.fresh()
    assert read_scanned(tank.host, name) is None
    store_into(tank, f"/mnt/{name}/there")
    tank.host.run(ZfsSnapshot(names=(f"{name}@one",)))
    tank.host.run(ScanFiles(run=run_of(name), dataset=name, tag="one", compare=True))

    def over() -> Scanned | None:
        found = read_scanned(tank.host, name)
        return found if found is not None and found.verdict is not None else None

    found = first_answer(tank.host, over)
    assert (found.dataset, found.snapshot, found.verdict, found.whole) == (name, "one", "done", True)
    assert found.files >= 2  # its config, and a key
    assert sum(one.files for one in found.kinds) == sum(one.files for one in found.sizes) == found.files
    assert "there" in {one.path for one in found.largest_folders}
    assert found.disk_bytes > 0
    assert (found.compares, found.duplicates, found.compared_bytes) == (True, (), 0)  # none is of 1 MiB


def test_a_copy_gets_the_blocks_of_what_it_was_made_from(tank: Bench) -> None:
    name = tank.fresh()
    store_into(tank, f"/mnt/{name}/there")
    tank.host.run(ZfsSnapshot(names=(f"{name}@one",)))
    tank.host.run(
        RestoreFile(
            restore="00000000c0c1c2c3", dataset=name, tag="one", path="there/config", folder="", name="copy"
        )
    )
    key = run_of(name)
    wish = ShareBlocks(key=key, dataset=name, kept="there/config", paths=("copy", "there/none", "there"))
    said = tank.host.run(wish).stdout.splitlines()
    assert said[0].startswith("copy shares its blocks now (") and said[0].endswith(" bytes).")
    assert said[1:] == [
        "there/none stays as it is. There is nothing at this path.",
        "there stays as it is. This is no regular file, so it has no content to be read.",
    ]
    refused = tank.refuse(ShareBlocks(key=key, dataset=name, kept="there/config", paths=("there/config",)))
    assert (refused.exit, refused.stderr) == (
        3, "No file shares its blocks now. It is the same file under two names.\n",
    )  # fmt: skip


def test_the_equal_blocks_of_a_pool_are_counted(tank: Bench) -> None:
    store_into(tank, f"/mnt/{POOL}/store")
    assert read_dedup_table(tank.host, POOL) is None
    tank.host.run(EstimateDedup(run=run_of(POOL), pool=POOL, memory_mib=512))

    def over() -> DedupEstimate | None:
        found = read_dedup_estimate(tank.host, POOL)
        return found if found is not None and found.verdict is not None else None

    found = first_answer(tank.host, over)
    assert (found.pool, found.verdict, found.words, found.phase) == (POOL, "done", "", "done")
    assert found.different_blocks == sum(row.blocks for row in found.rows) > 0
    assert all(row.size_bytes <= row.referenced_bytes for row in found.rows)


def test_the_blocks_of_a_pool_are_counted(tank: Bench) -> None:
    store_into(tank, f"/mnt/{POOL}/blocks")
    tank.host.run(CountBlocks(run=run_of(POOL), pool=POOL))

    def over() -> PoolBlocks | None:
        found = read_pool_blocks(tank.host, POOL)
        return found if found is not None and found.verdict is not None else None

    found = first_answer(tank.host, over)
    assert (found.pool, found.verdict, found.words, found.phase) == (POOL, "done", "", "done")
    assert found.metadata.allocated_bytes >= found.metadata.stored_bytes > found.metadata.count > 0
    assert found.files.allocated_bytes >= found.files.stored_bytes >= 0
    assert [one.up_to_bytes for one in found.small] == list(LIMITS)
    assert 0 <= found.small[0].count <= found.small[-1].count <= found.files.count


def test_the_sizes_of_requests_are_counted(tank: Bench) -> None:
    store_into(tank, f"/mnt/{POOL}/requests")
    found = parse_request_sizes(tank.host.run(ReadRequestSizes(name=POOL)).stdout)
    assert [one.from_bytes for one in found] == [512 << power for power in range(16)]
    assert sum(one.writes for one in found) > 0
    assert tank.refuse(ReadRequestSizes(name="gone")).stderr.startswith("Unable to parse pools/vdevs list.\n")


def test_a_pool_that_is_gone_is_refused_with_the_reason(tank: Bench) -> None:
    refused = tank.refuse(EstimateDedup(run=run_of("gone"), pool="gone", memory_mib=512))
    assert refused.stderr.endswith("cannot open 'gone': dataset does not exist\n")
    assert read_dedup_estimate(tank.host, "gone") is None
    tank.refuse(ReadDedupTable(pool="gone"))
    refused = tank.refuse(CountBlocks(run=run_of("gone"), pool="gone"))
    assert refused.stderr.endswith("cannot open 'gone': no such pool\n")


def test_a_snapshot_that_is_gone_is_refused_with_the_reason(tank: Bench) -> None:
    name = tank.fresh()
    refused = tank.refuse(begin(name, "gone"))
    assert refused.stderr.endswith("No such file or directory.\n")
    assert read_measured(tank.host, name) is None


@pytest.mark.parametrize("what", ["compression", "files", "dedup", "blocks", "benchmark", "network"])
def test_no_measurement_is_known_without_its_report(tank: Bench, what: What) -> None:
    assert tank.host.run(ReadMeasured(what=what, run="f" * 16)).exit == 1
    assert tank.host.run(StopMeasuring(what=what, run="f" * 16)).exit == 5


def test_the_helper_takes_no_record_size_that_is_none() -> None:
    for wrong in ({"record_bytes": 1000}, {"ashift": 30}, {"tag": "a b/../c"}):
        with pytest.raises(msgspec.ValidationError):
            decode(encode(msgspec.structs.replace(begin("tank/files"), **wrong)))


def measure(profile: Profile = "sequential") -> StartBenchmark:
    return StartBenchmark(
        run=run_of(POOL), pool=POOL, profile=profile, record_bytes=131072, compression="lz4", clients=1,
        size_bytes=LEAST_BYTES,
    )  # fmt: skip


def test_a_pool_is_measured_and_nothing_is_left(tank: Bench) -> None:
    before = {row.name for row in tank.datasets()}
    tank.host.run(measure())
    first = read_benchmark(tank.host, POOL)
    assert first is not None and (first.pool, first.profile, first.verdict) == (POOL, "sequential", None)
    assert tank.refuse(measure()).stderr.count("already loaded") == 1

    def over() -> Benchmark | None:
        found = read_benchmark(tank.host, POOL)
        return found if found is not None and found.verdict is not None else None

    found = first_answer(tank.host, over)
    assert (found.verdict, found.words, found.phase, found.left_s) == ("done", "", "done", None)
    assert [(one.part, one.kind) for one in found.parts] == [("write", "write"), ("read", "read")]
    assert all(one.bytes_per_s > 0 and one.p99_s >= one.mean_s > 0 for one in found.parts)
    assert {row.name for row in tank.datasets()} == before
    assert tank.host.run(RemoveBenchmarkDataset(pool=POOL)).exit == 1  # as nothing is there


def test_a_benchmark_of_no_pool_is_refused_with_the_reason(tank: Bench) -> None:
    refused = tank.refuse(msgspec.structs.replace(measure(), pool="gone", run=run_of("gone")))
    assert refused.stderr.endswith("cannot create 'gone/.nasweb-benchmark': no such pool 'gone'\n")
    assert read_benchmark(tank.host, "gone") is None


def test_the_network_is_measured_to_other_machines_alone(tank: Bench) -> None:
    run = run_of("network")
    tank.host.run(ListenForSpeedTests(run=run, port=5201))
    first = read_network_speed(tank.host)
    assert first is not None and (first.verdict, first.host, first.port) == (None, "", 5201)
    tank.host.run(StopMeasuring(what="network", run=run))
    last = read_network_speed(tank.host)
    assert last is not None
    assert (last.verdict, last.words, last.phase, last.transfers) == ("done", "Nobody measured.", "done", ())
    with pytest.raises(msgspec.ValidationError):
        decode(encode(ListenForSpeedTests(run=run, port=80)))
