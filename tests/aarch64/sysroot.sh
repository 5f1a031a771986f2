#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# sysroot.sh FOLDER: puts what programs for aarch64 are compiled and linked with into FOLDER, from
# the packages of the Debian that this runs on. It needs no rights, and the system stays as it is:
# apt works on an index of its own.

set -euo pipefail

packages=(libc6-dev libstdc++6 libinih-dev libtinyxml2-dev libqhull-dev libccd-dev
          libtinyobjloader-dev liblodepng-dev zlib1g-dev check)

folder=$(realpath -m "$1")
stamp=$folder/packages
if [[ -e $stamp && $(< "$stamp") == "${packages[*]}" ]]; then exit; fi

rm -rf "$folder"
work=$folder.apt
mkdir -p "$folder" "$work"/{lists/partial,archives/partial}
trap 'rm -rf "$work"' EXIT
: > "$work/status"   # no package is installed
cat > "$work/apt.conf" << EOF
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
Debug::NoLocking "true";
Dir::Cache "$work";
Dir::Cache::Archives "$work/archives";
Dir::State "$work";
Dir::State::Lists "$work/lists";
Dir::State::Status "$work/status";
EOF
export APT_CONFIG=$work/apt.conf
apt-get -qq update
apt-get -qq --yes --download-only install "${packages[@]}"
for package in "$work"/archives/*.deb; do
  dpkg-deb --extract "$package" "$folder"
done
echo "${packages[*]}" > "$stamp"
