"""Every question to the worker, by name. To add one: write its module, then a row here."""

from __future__ import annotations

from functools import partial

from backups import asking as backups
from host.files.answers import Measure
from host.repositories.answers import RepositorySnapshots, ServerKeys, StoredFolder
from jobs.questions import Question
from jobs.rights import ADMIN
from machine.backup import create, open_copy
from machine.backup import listing as copies
from machine.network_speed import see as speed
from machine.power import use as machine_use
from pools.benchmark import see as benchmark
from pools.compression import see as compression
from pools.dedup import see as dedup
from pools.files import compare, list_folder, measure, open_file, receive, restores, versions
from pools.metadata import see as metadata
from pools.quotas import use
from pools.scan import see as scan
from pools.snapshots import details, diff, reclaim
from replication.pairings import identity
from replication.replications import progress as replication
from replication.rewrites import progress as rewriting
from replication.targets import reaching
from shares.rights import see as rights
from shares.sessions import see

_of_pools = partial(Question, scope="pools:read")

_of_files = partial(Question, scope="files:read")

_ALL: tuple[Question, ...] = (
    _of_files(
        name="files.list",
        request=list_folder.ListFolder,
        shape=list_folder.FolderAnswer,
        answer=list_folder.answer,
    ),
    _of_files(
        name="files.versions",
        request=versions.SeeFile,
        shape=versions.VersionsAnswer,
        answer=versions.answer,
    ),
    _of_files(
        name="files.compare", request=compare.CompareFile, shape=compare.Difference, answer=compare.answer
    ),
    _of_files(name="files.open", request=open_file.OpenFile, shape=open_file.Opened, answer=open_file.answer),
    _of_files(
        name="files.restores",
        request=restores.AskRestores,
        shape=restores.Restores,
        answer=restores.answer,
        fresh_s=1.0,
    ),
    Question(
        name=receive.QUESTION,
        request=receive.ReceiveInto,
        shape=receive.Receives,
        answer=receive.answer,
        scope="files:write",
        fresh_s=0.0,
    ),
    Question(
        name="files.measure",
        request=measure.MeasureRestore,
        shape=Measure,
        answer=measure.answer,
        scope="files:write",
        fresh_s=2.0,
    ),
    _of_pools(
        name=reaching.SETUP,
        request=reaching.AskTarget,
        shape=reaching.TargetSetup,
        answer=reaching.setup,
        fresh_s=2.0,
    ),
    _of_pools(
        name=reaching.PROBE,
        request=reaching.AskTarget,
        shape=reaching.TargetProbe,
        answer=reaching.probe,
        fresh_s=2.0,
    ),
    _of_pools(
        name=identity.QUESTION, request=identity.AskIdentity, shape=identity.Identity, answer=identity.answer
    ),
    _of_pools(
        name="replication.progress",
        request=replication.AskRun,
        shape=replication.ReplicationRun,
        answer=replication.answer,
        fresh_s=1.0,
    ),
    _of_pools(
        name="replication.estimate",
        request=replication.AskRun,
        shape=replication.ReplicationRun,
        answer=replication.estimate,
        fresh_s=30.0,
    ),
    _of_pools(
        name=rewriting.QUESTION,
        request=rewriting.AskRewrite,
        shape=rewriting.RewriteState,
        answer=rewriting.answer,
        fresh_s=1.0,
    ),
    _of_pools(
        name=compression.QUESTION,
        request=compression.AskCompression,
        shape=compression.CompressionFound,
        answer=compression.answer,
        fresh_s=1.0,
    ),
    _of_pools(
        name=scan.QUESTION,
        request=scan.AskFiles,
        shape=scan.FilesFound,
        answer=scan.answer,
        also=("files:read",),  # it names people's folders
        fresh_s=1.0,
    ),
    _of_pools(
        name=dedup.QUESTION, request=dedup.AskDedup, shape=dedup.DedupFound, answer=dedup.answer, fresh_s=1.0
    ),
    _of_pools(
        name=metadata.QUESTION,
        request=metadata.AskMetadata,
        shape=metadata.MetadataFound,
        answer=metadata.answer,
        fresh_s=1.0,
    ),
    _of_pools(
        name=benchmark.QUESTION,
        request=benchmark.AskBenchmark,
        shape=benchmark.BenchmarkFound,
        answer=benchmark.answer,
        fresh_s=1.0,
    ),
    _of_pools(name="dataset.quota-use", request=use.QuotaUse, shape=use.QuotaUses, answer=use.answer),
    _of_pools(
        name="snapshot.details",
        request=details.AskDetails,
        shape=details.DetailsAnswer,
        answer=details.answer,
    ),
    _of_pools(
        name="snapshot.diff",
        request=diff.AskDiff,
        shape=diff.DiffAnswer,
        answer=diff.answer,
        also=("files:read",),  # it names people's files
        fresh_s=60.0,
    ),
    _of_pools(
        name="snapshot.reclaim",
        request=reclaim.AskReclaim,
        shape=reclaim.ReclaimAnswer,
        answer=reclaim.answer,
    ),
    Question(
        name="repository.server-keys",
        request=backups.AskServerKeys,
        shape=ServerKeys,
        answer=backups.server_keys,
        scope="pools:write",  # it lets this machine knock at another
        fresh_s=5.0,
    ),
    _of_pools(
        name="repository.snapshots",
        request=backups.AskStoredSnapshots,
        shape=RepositorySnapshots,
        answer=backups.stored_snapshots,
        fresh_s=10.0,
    ),
    _of_files(
        name="repository.folder",
        request=backups.AskStoredFolder,
        shape=StoredFolder,
        answer=backups.stored_folder,
        fresh_s=300.0,  # what is stored does not change
    ),
    _of_pools(
        name="repository.key",
        request=backups.AskRepositoryKey,
        shape=backups.RepositoryPublicKey,
        answer=backups.public_key,
    ),
    Question(
        name="rights.of",
        request=rights.AskRights,
        shape=rights.RightsFound,
        answer=rights.answer,
        scope="shares:read",
        fresh_s=2.0,
    ),
    Question(
        name="shares.sessions",
        request=see.AskSessions,
        shape=see.Sessions,
        answer=see.answer,
        scope="shares:read",
        fresh_s=4.0,
    ),
    Question(
        name=create.QUESTION,
        request=create.AskContent,
        shape=create.Content,
        answer=create.answer,
        scope="system:write",
        fresh_s=1.0,
    ),
    Question(
        name=speed.QUESTION,
        request=speed.AskSpeed,
        shape=speed.SpeedFound,
        answer=speed.answer,
        scope="system:read",
        fresh_s=1.0,
    ),
    Question(
        name=create.COPIES,
        request=copies.AskCopies,
        shape=copies.Copies,
        answer=copies.answer,
        scope="system:read",
        fresh_s=4.0,
    ),
    Question(
        name=copies.COPY,
        request=copies.AskCopy,
        shape=copies.CopyContent,
        answer=copies.answer_one,
        scope="system:read",
        fresh_s=4.0,
    ),
    Question(
        name=machine_use.QUESTION,
        request=machine_use.AskUse,
        shape=machine_use.MachineUse,
        answer=machine_use.answer,
        scope="system:write",  # of whoever may restart it
        fresh_s=4.0,
    ),
    Question(
        name=open_copy.QUESTION,
        request=open_copy.OpenCopy,
        shape=open_copy.Opened,
        answer=open_copy.answer,
        scope="system:write",
        also=(ADMIN,),
    ),
)
QUESTIONS: dict[str, Question] = {question.name: question for question in _ALL}
