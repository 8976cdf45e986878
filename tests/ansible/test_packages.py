"""What the installed packages may not start."""

from pathlib import Path
from typing import Any

import yaml

BASE = Path(__file__).parents[2] / "ansible" / "roles" / "base"


def _steps() -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = yaml.safe_load((BASE / "tasks" / "main.yml").read_text())
    return steps


def test_the_daemon_of_ledmon_is_masked_before_the_package_comes() -> None:
    """It would set lights of its own; only ledctl is wanted."""
    assert "ledmon" in yaml.safe_load((BASE / "defaults" / "main.yml").read_text())["base_packages"]
    names = [step["name"] for step in _steps()]
    masking = names.index("Keep ledmon's daemon from running")
    assert masking < names.index("Install packages")
    assert "'systemctl', 'mask', 'ledmon.service'" in _steps()[masking]["ansible.builtin.command"]["argv"]


def test_debians_rsyslog_is_masked_before_the_package_comes() -> None:
    """It would write the whole journal to files; only our unit is wanted. An older one goes on."""
    assert {"rsyslog", "rsyslog-openssl"} <= set(
        yaml.safe_load((BASE / "defaults" / "main.yml").read_text())["base_packages"]
    )
    names = [step["name"] for step in _steps()]
    masking = names.index("Keep Debian's rsyslog from running")
    assert masking < names.index("Install packages")
    assert _steps()[masking]["when"] == "base_rsyslog.stdout != 'installed'"
