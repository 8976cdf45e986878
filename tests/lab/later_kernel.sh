#!/bin/sh
# Run in a copy of the base tree: leaves in /later a kernel that is newer than the tree's own, as its package, and the
# module of OpenZFS that DKMS built for it, with what DKMS itself knows of that.
set -eu
echo "deb http://deb.debian.org/debian trixie-backports main" >/etc/apt/sources.list.d/later.list
apt-get update -qq
# The newest that this OpenZFS says it knows.
most=$(sed -n 's/^Linux-Maximum: *//p' /usr/src/zfs-*/META)
version=$({
    echo "$most.99999"
    apt-cache pkgnames linux-image- | sed -n 's/^linux-image-\([0-9].*+deb13-amd64\)$/\1/p'
} | sort --version-sort | grep -B1 -Fx "$most.99999" | head -n1)
apt-get install -y -qq --no-install-recommends -t trixie-backports "linux-image-$version" "linux-headers-$version"
modinfo -k "$version" -F vermagic zfs
mkdir /later
echo "$version" >/later/version
(cd /later && apt-get download -qq "linux-image-$version" && mv ./*.deb image.deb)
tar --create --file /later/module.tar --directory / "usr/lib/modules/$version/updates" \
    var/lib/dkms/zfs/*/"$version" var/lib/dkms/zfs/"kernel-$version-x86_64"
