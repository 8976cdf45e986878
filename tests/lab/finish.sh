#!/bin/sh
# The first process of the virtual machine that makes the image: see appliance.py. Its root is the plain file system,
# read-only on vda; vdb is the image, with its partitions and nothing in them.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8
exec </dev/console >/dev/console 2>&1
set -x
fail() { echo "Failed: $*"; sync; poweroff -f; sleep 1000; }

mountpoint -q /proc || mount -t proc proc /proc
mountpoint -q /run || mount -t tmpfs tmpfs /run
/lib/systemd/systemd-udevd --daemon && udevadm trigger && udevadm settle
modprobe --all raid1 vfat || fail "a module"
array=$(sed 's/.*ARRAY=\([0-9a-f:none]*\).*/\1/' /proc/cmdline)
if [ "$array" = none ]; then
    root=/dev/vdb3
else
    root=/dev/md127
    yes | mdadm --create "$root" --run --assume-clean --level=1 --raid-devices=2 --metadata=1.2 --bitmap=internal \
        --data-offset=4M --name=root --homehost=any --uuid="$array" /dev/vdb3 missing || fail "the array"
fi
dd if=/dev/vda of="$root" bs=1M conv=sparse,fsync || fail "the copy"
udevadm settle
mount -o rw "$root" /mnt || fail "the mount"
for folder in dev proc sys run; do mount --rbind "/$folder" "/mnt/$folder" || fail "$folder"; done
rm /mnt/root/finish.sh
chroot /mnt /usr/local/libexec/nasweb-boot-copy /dev/vdb || fail "GRUB"
chroot /mnt update-grub || fail "the menu"
chroot /mnt fstrim --verbose / || true
sync
umount --recursive /mnt || fail "unmounting"
[ "$array" = none ] || mdadm --stop "$root" || fail "stopping the array"
sync
echo "The image is complete."
poweroff -f
