"""`compression/{dataset}/`, `scans/{dataset}/`, `pools/{name}/dedup/`, `pools/{name}/metadata/` and
`pools/{name}/benchmark/`: what is measured of the owner's own data and pools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from jobs import questions
from jobs.api.document import PREFER, describe
from jobs.api.operations import writes
from jobs.api.questions import StillAsking, settled, still_asking
from jobs.api.views import View, found, inventory_now
from pools.benchmark.answers import BenchmarkAnswer, benchmark_answer
from pools.benchmark.see import QUESTION as BENCHMARK
from pools.benchmark.start import BenchmarkPool
from pools.benchmark.stop import StopBenchmark
from pools.compression.answers import CompressionAnswer, compression_answer
from pools.compression.measure import MeasureDataset
from pools.compression.see import QUESTION as COMPRESSION
from pools.compression.stop import StopMeasuringDataset
from pools.dedup.answers import DedupAnswer, dedup_answer
from pools.dedup.see import QUESTION as DEDUP
from pools.dedup.start import EstimateDeduplication
from pools.dedup.stop import StopDedupEstimate
from pools.files.share_blocks import ShareBlocksOfFiles
from pools.metadata.answers import MetadataAnswer, metadata_answer
from pools.metadata.see import QUESTION as METADATA
from pools.metadata.start import CountBlocksOfPool
from pools.metadata.stop import StopCountingBlocks
from pools.scan.answers import ScanAnswer, scan_answer
from pools.scan.see import QUESTION as FILES
from pools.scan.start import ScanDataset
from pools.scan.stop import StopScan


class Compression(View):
    """The measurement of one dataset."""

    area = "pools"

    @describe("get_dataset_compression", {200: CompressionAnswer, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request, name: str) -> Response:
        """How its measurement stands: ratio and speed of each compression, and the recommended one."""
        inventory = inventory_now()
        dataset = found(inventory.dataset(name), "dataset")
        answer = questions.value(COMPRESSION, settled(request, COMPRESSION, {"name": dataset.name}))
        if answer is None:
            return still_asking()
        return Response(compression_answer(dataset, inventory, answer.measured))

    @writes("dataset.measure-compression", MeasureDataset, by_path=("name",))
    def post(self, _request: Request, name: str) -> Mapping[str, Any]:
        """Measure what each compression makes of a sample of its files, in the background."""
        return {"name": name}

    @writes("dataset.stop-measuring-compression", StopMeasuringDataset, by_path=("name",))
    def delete(self, _request: Request, name: str) -> Mapping[str, Any]:
        """Stop measuring. What was measured by then is kept."""
        return {"name": name}


class Scan(View):
    """The scan of one dataset's files."""

    area = "pools"

    @describe("get_dataset_scan", {200: ScanAnswer, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request, name: str) -> Response:
        """How its scan stands: the largest folders, files by kind and size, and a recommended record size."""
        inventory = inventory_now()
        dataset = found(inventory.dataset(name), "dataset")
        answer = questions.value(FILES, settled(request, FILES, {"name": dataset.name}))
        if answer is None:
            return still_asking()
        return Response(scan_answer(dataset, inventory, answer))

    @writes("dataset.scan-files", ScanDataset, by_path=("name",))
    def post(self, _request: Request, name: str) -> Mapping[str, Any]:
        """Scan the files of its newest snapshot, in the background; on request find duplicated large ones."""
        return {"name": name}

    @writes("dataset.stop-scan", StopScan, by_path=("name",))
    def delete(self, _request: Request, name: str) -> Mapping[str, Any]:
        """Stop scanning. What was counted by then is kept."""
        return {"name": name}


class SharedBlocks(View):
    """Files of one dataset with the same content."""

    area = "files"

    @writes("dataset.share-blocks", ShareBlocksOfFiles, by_path=("dataset",))
    def post(self, _request: Request, name: str) -> Mapping[str, Any]:
        """Let files share the blocks of another one, once their bytes were found to be the same."""
        return {"dataset": name}


class Dedup(View):
    """The estimate for one pool, and its table."""

    area = "pools"

    @describe("get_pool_dedup", {200: DedupAnswer, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request, name: str) -> Response:
        """What deduplication would save, what its table would take, and whether that is worth it."""
        inventory = inventory_now()
        pool = found(inventory.pool(name), "pool")
        answer = questions.value(DEDUP, settled(request, DEDUP, {"name": pool.name}))
        if answer is None:
            return still_asking()
        return Response(dedup_answer(pool, inventory, answer))

    @writes("pool.estimate-dedup", EstimateDeduplication, by_path=("name",))
    def post(self, _request: Request, name: str) -> Mapping[str, Any]:
        """Count the equal blocks of a pool, in the background."""
        return {"name": name}

    @writes("pool.stop-dedup-estimate", StopDedupEstimate, by_path=("name",))
    def delete(self, _request: Request, name: str) -> Mapping[str, Any]:
        """Stop counting."""
        return {"name": name}


class Metadata(View):
    """The blocks of one pool by type and size."""

    area = "pools"

    @describe("get_pool_metadata", {200: MetadataAnswer, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request, name: str) -> Response:
        """How large its metadata and small blocks are, and whether a special vdev would help."""
        inventory = inventory_now()
        pool = found(inventory.pool(name), "pool")
        answer = questions.value(METADATA, settled(request, METADATA, {"name": pool.name}))
        if answer is None:
            return still_asking()
        return Response(metadata_answer(pool, inventory, answer.counted))

    @writes("pool.count-blocks", CountBlocksOfPool, by_path=("name",))
    def post(self, _request: Request, name: str) -> Mapping[str, Any]:
        """Count the blocks of a pool by type and size, in the background."""
        return {"name": name}

    @writes("pool.stop-counting-blocks", StopCountingBlocks, by_path=("name",))
    def delete(self, _request: Request, name: str) -> Mapping[str, Any]:
        """Stop counting."""
        return {"name": name}


class PoolBenchmark(View):
    """How fast one pool is."""

    area = "pools"

    @describe("get_pool_benchmark", {200: BenchmarkAnswer, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request, name: str) -> Response:
        """What benchmarks measured, what held them up, and what the layout allows."""
        inventory = inventory_now()
        pool = found(inventory.pool(name), "pool")
        answer = questions.value(BENCHMARK, settled(request, BENCHMARK, {"name": pool.name}))
        if answer is None:
            return still_asking()
        return Response(benchmark_answer(pool, inventory, answer.benchmark))

    @writes("pool.benchmark", BenchmarkPool, by_path=("name",))
    def post(self, _request: Request, name: str) -> Mapping[str, Any]:
        """Measure how fast the pool is, in the background."""
        return {"name": name}

    @writes("pool.stop-benchmark", StopBenchmark, by_path=("name",))
    def delete(self, _request: Request, name: str) -> Mapping[str, Any]:
        """Stop measuring, and destroy its dataset."""
        return {"name": name}
