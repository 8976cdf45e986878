#!/bin/sh
# Run in a copy of the base tree: leaves in /later a kernel that is newer than the tree's own, as its packages, and the
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
newer() { apt-get install -y -qq --no-install-recommends -t trixie-backports "$@"; }
apt-get clean
newer --download-only "linux-image-$version"
mkdir /later
mv /var/cache/apt/archives /later/packages
mkdir -p /var/cache/apt/archives/partial
cp /later/packages/*.deb /var/cache/apt/archives
newer "linux-image-$version" "linux-headers-$version"
modinfo -k "$version" -F vermagic zfs
echo "$version" >/later/version
tar --create --file /later/module.tar --directory / "usr/lib/modules/$version/updates" \
    var/lib/dkms/zfs/*/"$version" var/lib/dkms/zfs/"kernel-$version-x86_64"
