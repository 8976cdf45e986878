"""Creates a pool on the simulated machine through the API of a running console, and says what came of it.

`NASWEB_TOKEN=… python3 create_pool.py http://127.0.0.1:8000`
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request
from typing import Any

TIMEOUT_S = 60.0


def ask(address: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
    """Status and JSON of one request; a body makes it a POST that waits for its job."""
    request = urllib.request.Request(
        address,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {os.environ['NASWEB_TOKEN']}",
            "Content-Type": "application/json",
            "Prefer": "wait=30",
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def free_disks(api: str) -> list[str]:
    """The disks that nothing uses, once the worker has read the machine."""
    deadline = time.monotonic() + TIMEOUT_S
    while time.monotonic() < deadline:
        status, disks = ask(f"{api}/disks/")
        if status == 200 and disks["results"]:
            return [disk["id"] for disk in disks["results"] if disk["used_by"] is None]
        time.sleep(0.5)
    raise SystemExit(f"No disk was seen within {TIMEOUT_S} s: {status} {disks}")


def main() -> None:
    """Ends with a message when something is not as it should be."""
    api = f"{sys.argv[1]}/api/v1"
    disks = free_disks(api)[:6]
    pool = {"name": "tank", "ashift": 12, "vdevs": [{"role": "data", "layout": "raidz2", "disks": disks}]}
    status, plan = ask(f"{api}/pools/?dry_run=true", pool)
    if status != 200:
        raise SystemExit(f"No plan: {status} {plan}")
    status, job = ask(f"{api}/pools/", {**pool, "digest": plan["digest"]})
    if status not in (200, 202) or job["state"] != "succeeded":
        raise SystemExit(f"The job did not succeed: {status} {job}")
    status, tank = ask(f"{api}/pools/tank/")
    if status != 200 or tank["state"] != "ONLINE":
        raise SystemExit(f"The pool is not ONLINE: {status} {tank}")
    print(f"Job {job['id']} created {tank['name']} of {len(disks)} disks: {tank['state']}")


if __name__ == "__main__":
    main()
