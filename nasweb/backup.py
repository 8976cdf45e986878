"""Which tables of the database copies of the settings hold: every one of them, room by room.

A new table gets a line here. What is worked out from the machine anyway is never kept; what is history
is kept and no reason for a new copy; of settings the columns are named whose change is one.
"""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.utils import timezone

from accounts.models import Token, User
from accounts.roles import Role
from machine.backup.models import CopySettingsRow
from machine.backup.tables import BackupTables, Table
from nasweb import __version__

_ACCOUNTS = (
    Table(
        name="accounts_user",
        counted=("id", "username", "password", "role", "is_active"),
        blank={"password": "'!' || lower(hex(randomblob(20)))"},  # no password fits it
    ),
    Table(name="accounts_token", kept="secret", counted=("id", "name", "digest", "scopes", "revoked")),
    Table(name="mfa_authenticator", kept="secret", counted=("id", "user_id", "type", "data")),
    Table(name="accounts_setupcode", kept="never"),
    Table(name="django_session", kept="never"),
    Table(name="account_emailaddress"),
    Table(name="account_emailconfirmation", kept="never"),
    Table(name="auth_group"),
    Table(name="auth_group_permissions"),
    Table(name="auth_permission"),
    Table(name="django_content_type"),
    Table(name="django_migrations"),
)
_JOBS = (
    Table(
        name="jobs_storedschedule",
        counted=("subject", "operation", "request", "cron", "time_zone", "missed", "enabled",
                 "longest_age_days", "owner", "removed"),
    ),
    Table(name="jobs_job"),
    Table(name="jobs_jobstep"),
    Table(name="jobs_auditevent"),
    Table(name="jobs_claim", kept="never"),
    Table(name="jobs_askedquestion", kept="never"),
    Table(name="jobs_cachedinventory", kept="never"),
    Table(name="jobs_cachedimportable", kept="never"),
    Table(name="jobs_indexeddataset", kept="never"),
    Table(name="jobs_indexedsnapshot", kept="never"),
)  # fmt: skip
_ROOMS = (
    Table(name="disks_storedcase", counted=("id", "layout", "teachings")),
    Table(name="disks_diskrecord", counted=("key", "note", "purchased", "warranty_until", "schedule")),
    Table(name="disks_diskevent"),
    Table(name="disks_diskday"),
    Table(name="disks_selftestrow", counted=("id", "settings")),
    Table(name="pools_scanrecord"),
    Table(name="pools_policyrun"),
    Table(name="pools_upload", kept="never"),
    Table(name="pools_benchmarkrow"),
    Table(name="shares_smbsharerow", counted=("id", "name", "guid", "dataset", "value")),
    Table(name="shares_nfssharerow", counted=("id", "guid", "dataset", "value")),
    Table(name="shares_sharingrow", counted=("id", "settings", "highest_uid", "highest_gid")),
    Table(name="replication_targetrow", counted=("id", "name", "value")),
    # A code that is shown lies in the memory of one machine.
    Table(
        name="replication_pairingrow",
        counted=("id", "name", "peer", "value"),
        blank={"code": "''", "host_keys": "'[]'"},
    ),
    Table(name="replication_taskrow", counted=("id", "name", "key", "value")),
    Table(name="replication_rewriterow", counted=("id", "dataset", "key", "settings")),
    Table(name="replication_runrow"),
    Table(
        name="backups_repositoryrow",
        counted=("id", "name", "key", "settings", "ready", "existing", "check_percent"),
    ),
    Table(
        name="backups_backuprow",
        counted=("id", "name", "key", "repository_id", "datasets", "exclusions", "retention", "aim_hours"),
    ),
    Table(name="backups_runrow"),
    Table(name="machine_firstbootrow"),
    Table(name="machine_stepdecision"),
    Table(name="machine_copysettingsrow", counted=("enabled", "secrets")),
    Table(name="machine_kepton", kept="never"),
    Table(name="machine_restoration"),
    Table(name="machine_metricsrow", counted=("enabled",)),
    Table(name="machine_networkspeedrow"),
)
_ALERTS = (
    Table(name="alerts_acknowledgement", counted=("code", "subject", "note", "until")),
    Table(name="alerts_incident"),
    Table(
        name="alerts_channel",
        counted=("id", "name", "kind", "fields", "secrets", "lowest", "topics", "quiet_from", "quiet_until",
                 "time_zone", "tells_end", "enabled", "remind_hours", "at_once", "digest", "alive", "report",
                 "regular_at", "regular_on", "title_template", "text_template", "to_itself"),
        # Sealed for the worker of one machine (alerts.channels.sealing): no other could open them. That there
        # were some is kept, so that nobody takes a channel without its password for a whole one.
        blank={"secrets": "(SELECT json_group_object(key, '') FROM json_each(secrets))", "lost": "'[]'"},
    ),
    Table(
        name="alerts_ping",
        counted=("fields", "secrets", "goes_to", "every_minutes", "enabled", "paused"),
        blank={"secrets": "(SELECT json_group_object(key, '') FROM json_each(secrets))"},  # as of channels
    ),
    Table(name="alerts_delivery"),
    Table(name="alerts_incidentnotice"),
    Table(name="alerts_workerkey", kept="never"),
    Table(name="alerts_watched", kept="never"),
    Table(name="alerts_arrayseen"),
    Table(name="alerts_arraycare"),
    Table(name="alerts_arrayevent"),
    Table(name="alerts_zfsevent"),
)  # fmt: skip


def carry(username: str, alias: str) -> None:
    """Copy the account of whoever restores into the restored database, with its second factor.

    Who restores from the command line has none: then the admins of this console stay admins.
    """
    found = list(User.objects.filter(username=username))
    for here in found or User.objects.filter(role=Role.ADMIN, is_active=True):
        _carry(here, alias)


def revoke(alias: str) -> None:
    """Revoke in the restored database the tokens that this console revoked, or deleted with their account.

    A revoked token keeps its row: one that is missing here went with its account, or was never here. Where
    the console has the origin of the copy and the account is missing too, it was deleted. On new flash
    drives nothing is known of the copy's tokens, and all of them work again.
    """
    here = dict(Token.objects.values_list("digest", "revoked"))
    accounts = set(User.objects.values_list("pk", "username"))
    origins = [CopySettingsRow.objects.using(one).values_list("origin").first() for one in ("default", alias)]
    for token in Token.objects.using(alias).filter(revoked=None).select_related("owner"):
        deleted = origins[0] == origins[1] and (token.owner.pk, token.owner.username) not in accounts
        if here.get(token.digest) is not None or (token.digest not in here and deleted):
            token.revoked = timezone.now()
            token.save(using=alias, update_fields=["revoked"])


def reopen(alias: str) -> None:
    """Where no admin of a restored database has a password, let the first account be made anew."""
    users = User.objects.using(alias)
    if not any(user.has_usable_password() for user in users.filter(role=Role.ADMIN, is_active=True)):
        users.all().delete()


def _carry(here: User, alias: str) -> None:
    # Of two names that differ in capitals alone neither could sign in.
    found = User.objects.using(alias).filter(username__iexact=here.username).first() or User()
    found.username, found.password = here.username, here.password
    found.role, found.is_active = Role.ADMIN, True
    found.save(using=alias)
    Authenticator.objects.using(alias).filter(user_id=found.pk).delete()
    for one in Authenticator.objects.filter(user=here):
        Authenticator.objects.using(alias).create(user_id=found.pk, type=one.type, data=one.data)


BACKUP_TABLES = BackupTables(
    tables=(*_ACCOUNTS, *_JOBS, *_ROOMS, *_ALERTS),
    summary={
        "accounts": "accounts_user",
        "SMB shares": "shares_smbsharerow",
        "NFS shares": "shares_nfssharerow",
        "schedules": "jobs_storedschedule",
        "channels": "alerts_channel",
        "known disks": "disks_diskrecord",
    },
    passwords=("person.create", "person.password", "person.change", "person.delete"),
    carry=carry,
    revoke=revoke,
    reopen=reopen,
    version=__version__,
)
