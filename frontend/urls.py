"""The console's pages.

Pages that make or end something start with a verb, so that a pool called `create` keeps its own page.
"""

from django.urls import path

from frontend.pages import (
    chassis_editor,
    dataset_form,
    datasets,
    disk_care,
    disks,
    first_account,
    jobs,
    labels,
    locate,
    overview,
    plans,
    pool_builder,
    pools,
    refresh,
    search,
    settings,
    snapshots,
    teaching,
    teaching_file,
)

urlpatterns = [
    path("", overview.overview, name="overview"),
    path("setup/<str:code>/", first_account.first_account, name="first-account"),
    path("disks/", disks.disks, name="disks"),
    path("disks/<str:disk_id>/", disks.disk, name="disk"),
    path("disks/<str:disk_id>/care/", disk_care.care, name="disk-care"),
    path("disks/<str:disk_id>/label/", labels.label, name="disk-label"),
    path("chassis/edit/", chassis_editor.edit, name="chassis-editor"),
    path("chassis/edit/preview/", chassis_editor.preview, name="chassis-preview"),
    path("teach/", teaching.teach, name="teach"),
    path("teach/bays.yaml", teaching_file.export, name="bays-export"),
    path("teach/import/", teaching_file.bring, name="bays-import"),
    path("locate/", locate.locate, name="locate"),
    path("lights/", locate.shining, name="lights"),
    path("pools/", pools.pools, name="pools"),
    path("pools/<str:name>/", pools.pool, name="pool"),
    path("create/pool/", pool_builder.build, name="pool-builder"),
    path("create/pool/layouts/", pool_builder.recompute, name="pool-layouts"),
    path("destroy/pool/<str:name>/", pools.destroy, name="pool-destroy"),
    path("datasets/", datasets.datasets, name="datasets"),
    path("datasets/<path:name>/", datasets.dataset, name="dataset"),
    path("create/dataset/", dataset_form.create, name="dataset-form"),
    path("destroy/dataset/<path:name>/", datasets.destroy, name="dataset-destroy"),
    path("snapshots/<path:dataset>/", snapshots.snapshots, name="snapshots"),
    path("plans/", plans.again, name="plan-again"),
    path("plans/run/", plans.run, name="plan-run"),
    path("jobs/", jobs.jobs, name="jobs"),
    path("jobs/<int:job_id>/", jobs.job, name="job"),
    path("jobs/<int:job_id>/abort/", jobs.abort, name="job-abort"),
    path("settings/", settings.settings, name="settings"),
    path("settings/tokens/", settings.create, name="token-create"),
    path("settings/tokens/<int:token_id>/revoke/", settings.revoke, name="token-revoke"),
    path("search/", search.search, name="search"),
    path("refresh/", refresh.refresh, name="refresh"),
]
