"""What root file systems are made of. Plain values: changing one changes the cache key.

`PACKAGES` are the appliance's; the laboratory adds what only its tests need.
"""

SUITE = "trixie"
# The last one for network cards and processors whose makers give no source.
COMPONENTS = "main,contrib,non-free-firmware"
IMAGE_BYTES = 12 * 1024**3

# Not the cloud kernel: it has no usb-storage, and the appliance boots from flash drives.
PACKAGES = [
    "acl",
    "ansible-core",
    "avahi-daemon",
    "build-essential",
    "ca-certificates",
    "dbus",
    "dkms",
    "dosfstools",
    "e2fsprogs",
    "fdisk",
    "gdisk",
    "grub-efi-amd64-bin",
    "grub-pc-bin",
    "grub2-common",
    "hdparm",
    "initramfs-tools",
    "iproute2",
    "kmod",
    "ledmon",
    "less",
    "libnss-myhostname",
    "linux-headers-amd64",
    "linux-image-amd64",
    "mdadm",
    "nano",
    "nfs-kernel-server",
    "nginx-light",
    "openssh-server",
    "procps",
    "python3",
    "python3-venv",
    "redis-server",
    "rsync",
    "samba",
    "smartmontools",
    "smbclient",
    "sudo",
    "systemd-sysv",
    "udev",
    "wsdd2",
    "xfsprogs",
]

# A second step, because DKMS compiles for the kernel it finds: its headers must be configured by then.
ZFS_PACKAGES = ["zfs-dkms", "zfsutils-linux", "zfs-zed"]

LAB_PACKAGES = [
    "attr",
    "avahi-utils",
    "cifs-utils",
    "cryptsetup",
    "curl",
    "lvm2",
    "ntfs-3g",
    "parted",
    "zfs-test",
]
FLASH_PACKAGES = [
    "amd64-microcode",
    "firmware-realtek",
    "intel-microcode",
    "systemd-resolved",
    "systemd-timesyncd",
    "systemd-zram-generator",
    "zstd",
]

# Nothing on a NAS reads these, and they are a third of the files that every image copies.
LEFT_OUT = ("/usr/share/man/*", "/usr/share/doc/*", "/usr/share/locale/*", "/usr/share/info/*")

# Each costs seconds of every emulated boot. The network services are off until something asks for them.
LAB_MASKED = [
    "apt-daily.timer",
    "apt-daily-upgrade.timer",
    "dpkg-db-backup.timer",
    "e2scrub_all.timer",
    "e2scrub_reap.service",
    "fstrim.timer",
    "ledmon.service",
    "logrotate.timer",
    "mdcheck_continue.timer",
    "mdcheck_start.timer",
    "openipmi.service",
    "systemd-pcrphase.service",
]
LAB_DISABLED = [
    "avahi-daemon.service",
    "avahi-daemon.socket",
    "nfs-server.service",
    "nginx.service",
    "nmbd.service",
    "redis-server.service",
    "samba-ad-dc.service",
    "smbd.service",
    "winbind.service",
    "wsdd2.service",
]

LAB_FILES = {
    "etc/hostname": "nas\n",
    "etc/hosts": "127.0.0.1 localhost\n127.0.1.1 nas\n::1 localhost ip6-localhost ip6-loopback\n",
    "etc/fstab": "/dev/vda / ext4 defaults,noatime 0 1\n",
    # QEMU's user network answers DNS there.
    "etc/resolv.conf": "nameserver 10.0.2.3\n",
    "etc/systemd/network/lab.network": "[Match]\nName=en*\n\n[Network]\nDHCP=ipv4\n",
    # No penalties: who asks a machine that is just starting whether it answers must not be locked out for it.
    "etc/ssh/sshd_config.d/lab.conf": (
        "UseDNS no\nPermitRootLogin prohibit-password\nMaxSessions 50\nPerSourcePenalties no\n"
    ),
    # Only what these machines have: emulated, an initramfs with every driver takes long to unpack.
    "etc/initramfs-tools/conf.d/lab": "MODULES=list\n",
    "etc/initramfs-tools/modules": """\
virtio_pci
virtio_blk
virtio_scsi
virtio_net
ext4
ahci
sd_mod
raid1
xhci_pci
usb_storage
""",
}
