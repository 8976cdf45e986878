"""The console's pages.

Pages that make or end something start with a verb, so that a pool called `create` keeps its own page.
"""

from django.urls import path
from django.views.generic import RedirectView

from frontend.accounts import first as first_account
from frontend.accounts import page as accounts
from frontend.alerts import page as alerts
from frontend.arrays import page as arrays
from frontend.audit import page as audit
from frontend.backups import page as backups
from frontend.benchmark import page as benchmark
from frontend.boot import page as boot
from frontend.boot import state as boot_state
from frontend.charts import data as chart_data
from frontend.charts import page as charts
from frontend.chassis import bays_file as teaching_file
from frontend.chassis import editor as chassis_editor
from frontend.chassis import teach as teaching
from frontend.compression import page as compression
from frontend.copies import page as copies
from frontend.datasets import actions as dataset_actions
from frontend.datasets import destroying as dataset_destroying
from frontend.datasets import keys as dataset_keys
from frontend.datasets import new as dataset_form
from frontend.datasets import page as datasets
from frontend.datasets import properties as dataset_properties
from frontend.datasets import quotas as dataset_quotas
from frontend.dedup import page as dedup
from frontend.disks import care as disk_care
from frontend.disks import label as labels
from frontend.disks import listing as disk_list
from frontend.disks import locate
from frontend.disks import page as disks
from frontend.disks import self_tests as disk_self_tests
from frontend.disks import several as several_disks
from frontend.doctor import page as doctor
from frontend.files import adding, places
from frontend.files import page as files
from frontend.first_start import page as first_start
from frontend.jobs import page as jobs
from frontend.jobs import refresh
from frontend.machine import page as machine
from frontend.memory import page as memory
from frontend.metadata import page as metadata
from frontend.monitoring import page as monitoring
from frontend.network import page as network
from frontend.network_speed import page as network_speed
from frontend.notifications import messages as notification_messages
from frontend.notifications import page as notifications
from frontend.notifications import ping as notification_ping
from frontend.overview import page as overview
from frontend.overview import tiles
from frontend.people import groups
from frontend.people import page as people
from frontend.plans import page as plans
from frontend.plans import undo
from frontend.policies import page as policies
from frontend.pools import builder as pool_builder
from frontend.pools import care as pool_care
from frontend.pools import grow as growing
from frontend.pools import importing as pool_import
from frontend.pools import live, members
from frontend.pools import page as pools
from frontend.pools import replace as replacing
from frontend.power import page as power
from frontend.replication import act as replication_act
from frontend.replication import new as replication_form
from frontend.replication import page as replication
from frontend.report import page as report
from frontend.repositories import page as repositories
from frontend.rewrite import page as rewrite
from frontend.rights import page as rights
from frontend.scan import page as scan
from frontend.schedules import page as schedules
from frontend.search import page as search
from frontend.self_tests import page as self_tests
from frontend.sessions import page as sessions
from frontend.settings import look
from frontend.settings import page as settings
from frontend.settings import tokens as api_tokens
from frontend.shares import folder as share_folder
from frontend.shares import nfs as nfs_share
from frontend.shares import page as shares
from frontend.shares import smb as smb_share
from frontend.slow import page as slow
from frontend.snapshots import every as every_snapshot
from frontend.snapshots import page as snapshots
from frontend.snapshots import snapshot, take
from frontend.space import page as space
from frontend.stream import page as stream
from frontend.targets import change as change_target
from frontend.targets import page as targets
from frontend.targets import pairings
from frontend.welcome import page as welcome

urlpatterns = [
    path("", overview.overview, name="overview"),
    path("setup/", first_account.claim, name="claim"),
    path("setup/<str:code>/", first_account.first_account, name="first-account"),
    path("welcome/", welcome.welcome, name="welcome"),
    path("welcome/start/", first_start.start, name="first-start"),
    path("welcome/summary/", welcome.summary, name="welcome-summary"),
    path("welcome/dismiss/", welcome.dismiss, name="welcome-dismiss"),
    path("welcome/<str:name>/", welcome.step, name="welcome-step"),
    path("disks/", disk_list.disks, name="disks"),
    path("disks/<str:disk_id>/", disks.disk, name="disk"),
    path("disks/<str:disk_id>/care/", disk_care.care, name="disk-care"),
    path("disks/<str:disk_id>/self-tests/", disk_self_tests.of_disk, name="disk-self-tests"),
    path("disks/<str:disk_id>/label/", labels.label, name="disk-label"),
    path("act/disks/", several_disks.act, name="disks-act"),
    path("chassis/edit/", chassis_editor.edit, name="chassis-editor"),
    path("chassis/edit/preview/", chassis_editor.preview, name="chassis-preview"),
    path("teach/", teaching.teach, name="teach"),
    path("teach/bays.yaml", teaching_file.export, name="bays-export"),
    path("teach/import/", teaching_file.bring, name="bays-import"),
    path("locate/", locate.locate, name="locate"),
    path("lights/", locate.shining, name="lights"),
    path("pools/", pools.pools, name="pools"),
    path("pools/<str:name>/", pools.pool, name="pool"),
    path("pools/<str:name>/care/", pool_care.care, name="pool-care"),
    path("pools/<str:name>/scrubs/", pool_care.scrubs, name="pool-scrubs"),
    path("pools/<str:name>/schedule/<str:kind>/", pool_care.schedule, name="pool-schedule"),
    path("import/", pool_import.importable, name="import"),
    path("import/scan/", pool_import.probe, name="import-scan"),
    path("pools/<str:name>/replace/", replacing.replace, name="pool-replace"),
    path("pools/<str:name>/grow/", growing.grow, name="pool-grow"),
    path("pools/<str:name>/add/", members.add, name="pool-add"),
    path("pools/<str:name>/attach/", members.attach, name="pool-attach"),
    *(
        path(f"pools/<str:name>/{verb}/", members.act, {"verb": verb}, name=f"pool-{verb}")
        for verb in members.VERBS
    ),
    path("pools/<str:name>/live/", live.live, name="pool-live"),
    path("create/pool/", pool_builder.build, name="pool-builder"),
    path("create/pool/layouts/", pool_builder.recompute, name="pool-layouts"),
    path("destroy/pool/<str:name>/", pools.destroy, name="pool-destroy"),
    path("arrays/", arrays.arrays, name="arrays"),
    path("arrays/<str:name>/", arrays.array, name="array"),
    path("arrays/<str:name>/act/", arrays.act, name="array-act"),
    path("arrays/<str:name>/add/", arrays.add, name="array-add"),
    path("arrays/<str:name>/grow/", arrays.grow, name="array-grow"),
    path("create/array/", arrays.create, name="array-form"),
    path("destroy/array/<str:name>/", arrays.destroy, name="array-destroy"),
    path("datasets/", datasets.datasets, name="datasets"),
    path("datasets/locked/", dataset_keys.locked, name="datasets-locked"),
    path("keys/<path:name>/", dataset_keys.keys, name="dataset-keys"),
    path("quotas/<path:name>/", dataset_quotas.quotas, name="dataset-quotas"),
    path("datasets/<path:name>/", datasets.dataset, name="dataset"),
    path("create/dataset/", dataset_form.create, name="dataset-form"),
    path("destroy/dataset/<path:name>/", dataset_destroying.destroy, name="dataset-destroy"),
    path("rename/dataset/<path:name>/", dataset_actions.rename, name="dataset-rename"),
    path("act/dataset/<path:name>/", dataset_actions.act, name="dataset-act"),
    path("destroy/datasets/", dataset_destroying.destroy_many, name="datasets-destroy"),
    path("edit/datasets/", dataset_actions.edit_many, name="datasets-edit"),
    path("properties/<path:name>/", dataset_properties.properties, name="dataset-properties"),
    path("compare/datasets/", dataset_properties.compare, name="datasets-compare"),
    path("snapshots/", every_snapshot.every, name="snapshots-all"),
    path("snapshots/<path:dataset>/", snapshots.snapshots, name="snapshots"),
    path("create/snapshot/", take.take, name="snapshot-take"),
    path("snapshot/<path:name>/", snapshot.snapshot, name="snapshot"),
    path("changes/snapshot/<path:name>/", snapshot.changes, name="snapshot-changes"),
    path("rollback/snapshot/<path:name>/", snapshot.roll_back, name="snapshot-rollback"),
    path("destroy/snapshot/<path:name>/", snapshot.destroy, name="snapshot-destroy"),
    path("files/", places.places, name="places"),
    path("files/<path:dataset>/", files.folder, name="files"),
    path("versions/<path:dataset>/", files.versions, name="file-versions"),
    path("difference/<path:dataset>/", files.difference, name="file-difference"),
    path("download/<path:dataset>/", files.download, name="file-download"),
    path("restore/<path:dataset>/", files.restore, name="file-restore"),
    path("create/folder/<path:dataset>/", adding.new_folder, name="new-folder"),
    path("cancel-upload/<path:dataset>/", adding.cancel_upload, name="cancel-upload"),
    path("stop-restore/<path:dataset>/", files.stop_restore, name="stop-restore"),
    path("self-tests/", self_tests.self_tests, name="self-tests"),
    path("schedules/", schedules.schedules, name="schedules"),
    path("audit/", audit.audit, name="audit"),
    path("policies/", policies.policies, name="policies"),
    path("policies/<path:name>/", policies.policy, name="policy"),
    path("preview/policy/<path:name>/", policies.live_preview, name="policy-preview"),
    path("prune/", policies.prune, name="policies-prune"),
    path("replication/", replication.replications, name="replications"),
    path("replication/new/", replication_form.create, name="replication-form"),
    path("replication/<int:number>/", replication.replication, name="replication"),
    path("replication/<int:number>/act/", replication_act.act, name="replication-act"),
    path("benchmark/<str:pool>/", benchmark.benchmark, name="benchmark"),
    path("stop-benchmark/<str:pool>/", benchmark.stop, name="stop-benchmark"),
    path("dedup/<str:pool>/", dedup.dedup, name="dedup"),
    path("stop-dedup/<str:pool>/", dedup.stop, name="stop-dedup"),
    path("metadata/<str:pool>/", metadata.metadata, name="metadata"),
    path("stop-metadata/<str:pool>/", metadata.stop, name="stop-metadata"),
    path("scan/<path:dataset>/", scan.scan, name="scan"),
    path("stop-scan/<path:dataset>/", scan.stop, name="stop-scan"),
    path("rewrite/<path:dataset>/", rewrite.rewrite, name="rewrite"),
    path("rewrite-act/<str:what>/<path:dataset>/", rewrite.act, name="rewrite-act"),
    path("share-blocks/<path:dataset>/", scan.share, name="share-blocks"),
    path("compression/<path:dataset>/", compression.compression, name="compression"),
    path("stop-compression/<path:dataset>/", compression.stop, name="stop-compression"),
    path("rights/<path:dataset>/", rights.rights, name="rights"),
    path("stop-rights/<path:dataset>/", rights.stop, name="stop-rights"),
    path("backups/", backups.backups, name="backups"),
    path("backups/<str:name>/", backups.backup, name="backup"),
    path("create/backup/", backups.create, name="backup-form"),
    path("repositories/<str:name>/", repositories.repository, name="repository"),
    path("repositories/<str:name>/<str:stored_id>/", repositories.stored_files, name="stored-files"),
    path("create/repository/", repositories.create, name="repository-form"),
    path("shares/", shares.shares, name="shares"),
    path("shares/apply/", shares.apply, name="shares-apply"),
    path("shares/smb/<str:name>/", smb_share.share, name="smb-share"),
    path("shares/nfs/<int:share_id>/", nfs_share.export, name="nfs-share"),
    path("share/folder/", share_folder.share_folder, name="share-folder"),
    path("create/share/smb/", smb_share.create, name="smb-form"),
    path("create/share/nfs/", nfs_share.create, name="nfs-form"),
    path("delete/share/smb/<str:name>/", smb_share.delete, name="smb-delete"),
    path("delete/share/nfs/<int:share_id>/", nfs_share.delete, name="nfs-delete"),
    path("boot/", boot.boot, name="boot"),
    path("boot/swap/", boot_state.swap, name="boot-swap"),
    path("boot/state/", boot_state.state, name="boot-state"),
    path("stream/", stream.stream, name="stream"),
    path("overview/tiles/", tiles.tiles, name="overview-tiles"),
    path("space/", space.space, name="space"),
    path("slow/", slow.slow, name="slow"),
    path("health/", report.health, name="health"),
    path("health/send/", report.send, name="health-send"),
    path("charts/", charts.charts, name="charts"),
    path("charts/points/", chart_data.points, name="chart-points"),
    path("charts/marks/", chart_data.marks, name="chart-marks"),
    path("charts/table/", chart_data.table, name="chart-table"),
    path("sessions/", sessions.sessions, name="sessions"),
    path("people/", people.people, name="people"),
    path("people/<str:name>/", people.person, name="person"),
    path("create/person/", people.create, name="person-form"),
    path("groups/", RedirectView.as_view(pattern_name="people")),
    path("groups/<str:name>/", groups.group, name="group"),
    path("create/group/", groups.create, name="group-form"),
    path("power/", power.power, name="power"),
    path("power/start/", power.start, name="power-start"),
    path("plans/", plans.again, name="plan-again"),
    path("plans/run/", plans.run, name="plan-run"),
    path("jobs/", jobs.jobs, name="jobs"),
    path("jobs/<int:job_id>/", jobs.job, name="job"),
    path("jobs/<int:job_id>/toast/", undo.toast, name="job-toast"),
    path("undo/", undo.undo, name="undo"),
    path("jobs/<int:job_id>/abort/", jobs.abort, name="job-abort"),
    path("replication/targets/", targets.targets, name="targets"),
    path("replication/targets/new/", targets.add, name="target-form"),
    path("replication/targets/<int:number>/", targets.target, name="target"),
    path("replication/targets/<int:number>/change/", change_target.change, name="target-change"),
    path("replication/pairings/new/", pairings.offer, name="pairing-form"),
    path("replication/pairings/<int:number>/", pairings.pairing, name="pairing"),
    path("alerts/", alerts.alerts, name="alerts"),
    path("alerts/<int:alert_id>/acknowledge/", alerts.acknowledge, name="alert-acknowledge"),
    path("doctor/", doctor.doctor, name="doctor"),
    path("doctor/acknowledge/", doctor.acknowledge, name="doctor-acknowledge"),
    path("doctor/recall/", doctor.withdraw, name="doctor-recall"),
    path("settings/", settings.settings, name="settings"),
    path("settings/machine/", machine.machine, name="machine"),
    path("settings/memory/", memory.memory, name="memory"),
    path("settings/monitoring/", monitoring.monitoring, name="monitoring"),
    path("network-speed/", network_speed.speed, name="network-speed"),
    path("stop-network-speed/", network_speed.stop, name="stop-network-speed"),
    path("settings/network/", network.network, name="network"),
    *(
        path(f"settings/network/decide/{verb}/", network.decide, {"verb": verb}, name=f"network-{verb}")
        for verb in ("confirm", "revert")
    ),
    path("settings/network/<str:name>/", network.interface, name="network-interface"),
    path("keep/network/<str:key>/", network.keep, name="network-keep"),
    path("settings/notifications/", notifications.notifications, name="notifications"),
    path("settings/notifications/add/<str:kind>/", notifications.add, name="notification-add"),
    path("settings/notifications/<int:channel_id>/", notifications.channel, name="notification"),
    path("settings/notifications/<int:channel_id>/test/", notifications.test, name="notification-test"),
    path("settings/notifications/<int:channel_id>/delete/", notifications.delete, name="notification-delete"),
    path(
        "settings/notifications/<int:channel_id>/send/",
        notification_messages.send,
        name="notification-send",
    ),
    path("preview/notification/", notification_messages.live_preview, name="notification-preview"),
    path("settings/notifications/ping/", notification_ping.ping, name="ping"),
    path("settings/notifications/ping/delete/", notification_ping.delete, name="ping-delete"),
    path("settings/shares/", shares.settings, name="sharing-settings"),
    path("settings/copies/", copies.copies, name="copies"),
    path("settings/copies/send/", copies.send, name="copies-send"),
    path("settings/copies/<str:pool>/<str:copy>/", copies.download, name="copies-download"),
    path("settings/accounts/", accounts.accounts, name="accounts"),
    path("settings/accounts/<int:account_id>/", accounts.account, name="account"),
    path("settings/appearance/", look.appearance, name="appearance"),
    path("settings/tokens/", api_tokens.tokens, name="tokens"),
    path("settings/tokens/<int:token_id>/revoke/", api_tokens.revoke, name="token-revoke"),
    path("search/", search.search, name="search"),
    path("refresh/", refresh.refresh, name="refresh"),
]
