"""Lets /var and /home lie on a pool. `nasweb-state` of the ansible role `boot` starts it.

What is wanted is in files below /etc/nasweb/state (`host.commands.system.moved_state`), on the system's own
disk. Whatever happens, and whenever the power goes, what that disk has is whole, and the machine starts from
it where the pool is missing.

`copy`: while the machine works, the first copy. Once it has gone well the next start moves.
`move`: at the start, before anything writes to /var, the last copy, or the way back.
`start`: at each start from then on, mount.
"""
