"""The one program that paired machines may run here, each with rights of its own.

sshd starts it for a key of `host.contents.peers`, as an account without rights: what it may not do, the
kernel refuses it too (zfs-allow(8)). It reads one command as JSON from SSH_ORIGINAL_COMMAND, holds it to the
closed set of replication, and to the datasets of this machine's file for the key; then it becomes that
command, with the connection as its standard input and output; to hash files it asks a service of root's. It
starts no shell, and uses no other word of the other side.
"""
