"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path

from pools.api import arrays, boot, dataset_actions, dataset_keys, files, members, one_snapshot, policies
from pools.api.care import Checkpoint, Initialize, Scrub, Trim, Upgrade
from pools.api.dataset_facts import Presets, Properties
from pools.api.dataset_quotas import Quotas
from pools.api.datasets import Datasets, OneDataset
from pools.api.pools import Advice, Capacity, OnePool, Pools
from pools.api.schedules import OneScrubSchedule, Scrubs, ScrubSchedules
from pools.api.snapshots import OneSnapshot, Snapshots
from pools.api.travel import Export, Import, Importables, Relink

urlpatterns = [
    path("boot/", boot.Boot.as_view()),
    path("boot/add/", boot.Add.as_view()),
    path("boot/replace/", boot.Replace.as_view()),
    path("boot/remove/", boot.Remove.as_view()),
    path("boot/copies/", boot.Copies.as_view()),
    path("pools/", Pools.as_view()),
    path("pools/importable/", Importables.as_view()),
    path("pools/import/", Import.as_view()),
    path("pools/<str:name>/export/", Export.as_view()),
    path("pools/<str:name>/relink/", Relink.as_view()),
    path("pools/<str:name>/scrub/", Scrub.as_view()),
    path("pools/<str:name>/scrubs/", Scrubs.as_view()),
    path("scrub-schedules/", ScrubSchedules.as_view()),
    path("scrub-schedules/<int:schedule_id>/", OneScrubSchedule.as_view()),
    path("pools/<str:name>/trim/", Trim.as_view()),
    path("pools/<str:name>/initialize/", Initialize.as_view()),
    path("pools/<str:name>/upgrade/", Upgrade.as_view()),
    path("pools/<str:name>/checkpoint/", Checkpoint.as_view()),
    path("pools/<str:name>/", OnePool.as_view()),
    path("pools/<str:name>/clear/", members.Clear.as_view()),
    path("pools/<str:name>/add/", members.Add.as_view()),
    path("pools/<str:name>/attach/", members.Attach.as_view()),
    path("pools/<str:name>/detach/", members.Detach.as_view()),
    path("pools/<str:name>/replace/", members.Replace.as_view()),
    path("pools/<str:name>/offline/", members.Offline.as_view()),
    path("pools/<str:name>/online/", members.Online.as_view()),
    path("pools/<str:name>/remove/", members.Remove.as_view()),
    path("pools/<str:name>/expand/", members.Expand.as_view()),
    path("arrays/", arrays.Arrays.as_view()),
    path("arrays/<str:name>/", arrays.OneArray.as_view()),
    path("arrays/<str:name>/add/", arrays.Add.as_view()),
    path("arrays/<str:name>/replace/", arrays.Replace.as_view()),
    path("arrays/<str:name>/remove/", arrays.Remove.as_view()),
    path("arrays/<str:name>/check/", arrays.Check.as_view()),
    path("arrays/<str:name>/start/", arrays.Start.as_view()),
    path("arrays/<str:name>/grow/", arrays.Grow.as_view()),
    path("datasets/", Datasets.as_view()),
    path("datasets/<path:name>/rename/", dataset_actions.Rename.as_view()),
    path("datasets/<path:name>/promote/", dataset_actions.Promote.as_view()),
    path("datasets/<path:name>/mount/", dataset_actions.Mount.as_view()),
    path("datasets/<path:name>/unmount/", dataset_actions.Unmount.as_view()),
    path("datasets/<path:name>/load-key/", dataset_keys.Load.as_view()),
    path("datasets/<path:name>/unload-key/", dataset_keys.Unload.as_view()),
    path("datasets/<path:name>/change-key/", dataset_keys.Change.as_view()),
    path("datasets/<path:name>/test-key/", dataset_keys.Try.as_view()),
    path("datasets/<path:name>/quotas/", Quotas.as_view()),
    path("dataset-properties/", Properties.as_view()),
    path("dataset-presets/", Presets.as_view()),
    path("datasets/<path:name>/", OneDataset.as_view()),
    path("snapshots/", Snapshots.as_view()),
    path("snapshots/reclaim/", one_snapshot.Reclaim.as_view()),
    path("snapshots/<path:name>/rollback/", one_snapshot.Rollback.as_view()),
    path("snapshots/<path:name>/clone/", one_snapshot.Clone.as_view()),
    path("snapshots/<path:name>/hold/", one_snapshot.Hold.as_view()),
    path("snapshots/<path:name>/release/", one_snapshot.Release.as_view()),
    path("snapshots/<path:name>/rename/", one_snapshot.Rename.as_view()),
    path("snapshots/<path:name>/details/", one_snapshot.Details.as_view()),
    path("snapshots/<path:name>/diff/", one_snapshot.Diff.as_view()),
    path("files/", files.Folder.as_view()),
    path("files/versions/", files.Versions.as_view()),
    path("files/compare/", files.Compare.as_view()),
    path("files/download/", files.Download.as_view()),
    path("files/restores/", files.LastRestores.as_view()),
    path("files/restores/stop/", files.EndRestore.as_view()),
    path("snapshots/<path:name>/files/", files.SnapshotFolder.as_view()),
    path("snapshots/<path:name>/files/download/", files.SnapshotDownload.as_view()),
    path("snapshots/<path:name>/restore/", files.Restore.as_view()),
    path("snapshots/<path:name>/", OneSnapshot.as_view()),
    path("snapshot-policies/", policies.Policies.as_view()),
    path("snapshot-policies/preview/", policies.PolicyPreview.as_view()),
    path("snapshot-policies/run/", policies.Run.as_view()),
    path("snapshot-policies/prune/", policies.Prune.as_view()),
    path("snapshot-policies/<path:name>/", policies.OnePolicy.as_view()),
    path("capacity/", Capacity.as_view()),
    path("advice/", Advice.as_view()),
]
