"""What runs on the virtual machine write down: drills by commit, families of the contract by digest."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest

from tests.contract import families
from tests.imports import ROOT
from tests.lab.drills import Outcome, Report, all_drills, counts_of, measures
from tests.lab.proves import proves

GREEN = Outcome(
    commit="0123456789abcdef", changed=False, passed=4, failed=0, seconds=83, ended_at="2026-11-24 10:00"
)


def report_in(folder: Path) -> Report:
    return Report(folder / "here.json", folder / "green.json")


def test_a_report_is_read_by_the_next_run(tmp_path: Path) -> None:
    report_in(tmp_path).keep("test_keys", GREEN)
    assert report_in(tmp_path).outcomes == {"test_keys": GREEN}


def test_another_machine_goes_on_from_what_was_green_and_committed(tmp_path: Path) -> None:
    red = msgspec.structs.replace(GREEN, failed=1, ended_at="2026-11-24 12:00")
    changed = msgspec.structs.replace(GREEN, changed=True)
    report = report_in(tmp_path)
    report.keep("test_keys", GREEN)
    report.keep("test_keys", red)
    report.keep("test_bays", changed)
    assert report_in(tmp_path).outcomes == {"test_keys": red, "test_bays": changed}
    (tmp_path / "here.json").unlink()
    assert report_in(tmp_path).outcomes == {"test_keys": GREEN}


def test_what_another_run_wrote_down_meanwhile_stays(tmp_path: Path) -> None:
    long, short = report_in(tmp_path), report_in(tmp_path)
    short.keep("test_keys", GREEN)
    long.keep("test_bays", GREEN)
    assert report_in(tmp_path).outcomes == {"test_keys": GREEN, "test_bays": GREEN}
    (tmp_path / "here.json").unlink()
    assert report_in(tmp_path).outcomes == {"test_keys": GREEN, "test_bays": GREEN}


def test_the_report_says_what_was_green_at_which_commit(tmp_path: Path) -> None:
    report = report_in(tmp_path)
    report.keep("test_keys", GREEN)
    report.keep("test_bays", Outcome(
        commit="fedcba9876543210", changed=True, passed=1, failed=2, seconds=3, ended_at="2026-11-24 11:00"
    ))  # fmt: skip
    lines = [line.split() for line in report.lines(["test_bays", "test_keys", "test_files"])]
    assert lines == [
        ["RED", "test_bays", "fedcba987+", "2026-11-24", "11:00", "0:03", "1", "passed,", "2", "failed"],
        ["green", "test_keys", "012345678", "2026-11-24", "10:00", "1:23", "4", "passed,", "0", "failed"],
        ["never", "run", "test_files"],
    ]


@pytest.mark.parametrize(
    ("xml", "counts"),
    [
        ('<testsuites><testsuite tests="5" failures="1" errors="1" skipped="1"/></testsuites>', (2, 3)),
        ('<testsuites><testsuite tests="5" failures="0" errors="0" skipped="0"/></testsuites>', (5, 0)),
        (None, (0, 0)),
    ],
)
def test_what_failed_broke_or_was_skipped_is_not_green(
    tmp_path: Path, xml: str | None, counts: tuple[int, int]
) -> None:
    if xml is not None:
        (tmp_path / "junit.xml").write_text(xml)
    assert counts_of(tmp_path / "junit.xml") == counts


def test_a_drill_of_which_nothing_passed_is_not_green() -> None:
    assert GREEN.green
    assert not Outcome(commit="0", changed=False, passed=0, failed=0, seconds=1, ended_at="").green


def test_the_contract_is_no_drill_and_what_measures_seconds_is_known() -> None:
    assert "test_contract" not in all_drills()
    those = {name for name in all_drills() if measures(name)}
    assert those == {
        "test_bays", "test_benchmark", "test_measuring_stop", "test_pool_life", "test_slow_disk",
    }  # fmt: skip


def test_a_drill_proves_what_is_installed_itself_and_what_it_imports() -> None:
    keys = set(proves("test_keys"))
    assert {"host", "uv.lock", "tests/lab/test_keys.py", "tests/lab/machine.py", "tests/lab/qmp.py"} <= keys
    assert not {"frontend", "tests/lab/test_files.py", "tests/lab/pairing.py"} & keys
    assert [path for path in keys if not (ROOT / path).exists()] == []


def test_whatever_lies_in_the_lab_is_proven_by_a_drill() -> None:
    """But the contract's own, and what starts drills and machines by hand."""
    proven = {path for drill in all_drills() for path in proves(drill)}
    there = {f"tests/lab/{path.name}" for path in (ROOT / "tests/lab").iterdir() if path.is_file()}
    assert {path.removeprefix("tests/lab/") for path in there - proven} == {
        "README.md", "__init__.py", "__main__.py", "drills.py", "proves.py", "test_contract.py",
        "container.py",
    }  # fmt: skip


def test_the_digest_of_a_family_is_of_what_it_asks_for(tmp_path: Path) -> None:
    from tests.contract import test_quotas

    paths = {path.relative_to(families.ROOT).as_posix() for path in families.sources(test_quotas)}
    assert {
        "tests/contract/test_quotas.py",
        "host/commands/datasets/space.py",
        "host/probe/datasets/space.py",
    } <= paths
    assert "host/commands/shares/accounts.py" not in paths
    assert families.digest(test_quotas) == families.digest(sys.modules[test_quotas.__name__])


def test_every_family_has_a_test_in_the_core() -> None:
    without = [
        path.name for path in (families.ROOT / "tests/contract").glob("test_*.py")
        if "@pytest.mark.core" not in path.read_text()
    ]  # fmt: skip
    assert without == []


def test_what_stands_behind_a_family_exists() -> None:
    named = [path for paths in families.BEHIND.values() for path in paths]
    assert [path for path in named if not (families.ROOT / path).exists()] == []
