"""What the machine announces on the network: a file of avahi.service(5)."""

from __future__ import annotations

from xml.sax.saxutils import escape

from host.inventory import Inventory, Sharing
from shares.nfs.render import exported
from shares.sealing import sealed
from shares.serving import standing

_HEADING = """<?xml version="1.0" standalone="no"?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<service-group>
  <name replace-wildcards="yes">%h</name>
"""
# Of Time Machine: the first record is the machine's, each share has one more. 0x82 stands for a share of SMB
# that takes backups; waMA is the hardware address that AFP wanted (Samba's wiki, "Configure Samba to Work
# Better with Mac OS X").
_TIME_MACHINE = "adVN={name},adVF=0x82"


def render(sharing: Sharing, inventory: Inventory) -> str:
    """The whole file: the console, and what is served. The installation begins with that of nothing."""
    text = _HEADING + _service("_https._tcp", 443)
    served = [share for share in sharing.smb if standing(share, inventory).place is not None]
    if served:
        text += _service("_smb._tcp", 445) + _service("_device-info._tcp", 0, "model=MacSamba")
    backups = [share.name for share in served if share.purpose == "time-machine" and not share.hidden]
    if backups:
        disks = [f"dk{number}={_TIME_MACHINE.format(name=name)}" for number, name in enumerate(backups)]
        text += _service("_adisk._tcp", 9, "sys=waMa=0,adVF=0x100", *disks)
    if exported(sharing, inventory):
        text += _service("_nfs._tcp", 2049, "path=/")
    return sealed(f"{text}</service-group>\n")


def _service(kind: str, port: int, *records: str) -> str:
    report = "".join(f"    <txt-record>{escape(record)}</txt-record>\n" for record in records)
    return f"  <service>\n    <type>{kind}</type>\n    <port>{port}</port>\n{report}  </service>\n"
