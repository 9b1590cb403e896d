#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fetch-rocm.sh SUITE
# Unpacks the HIP runtime of a Debian suite, all that it needs down to the C library, and HIP's headers
# into a folder of the cache (VMAFX_CACHE, by default .cache), and prints its path. Nothing is installed:
# apt works on lists and a status file of its own, and checks the suite's signature and every package.
set -eu

suite=${1:?usage: fetch-rocm.sh SUITE}
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${VMAFX_CACHE:-$root/.cache}/rocm/$suite
say() { echo "fetch-rocm.sh: $*" >&2; }

if [ -f "$folder/complete" ]; then
    echo "$folder"
    exit 0
fi

# The machine's own mirror of Debian, from apt's configuration.
codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
# shellcheck disable=SC2016  # apt's own variables
targets=$(apt-get indextargets --format '$(CREATED_BY) $(COMPONENT) $(RELEASE) $(REPO_URI) $(SIGNED_BY)')
line=$(echo "$targets" | awk -v codename="$codename" \
    '$1 == "Packages" && $2 == "main" && $3 == codename && $4 ~ /\/debian\/?$/ && !found { found = 1; print $4, $5 }')
mirror=${line%% *}
keyring=${line#* }
[ -n "$mirror" ] || {
    say "apt's configuration has no mirror of Debian $codename"
    exit 2
}
[ -f "$keyring" ] || keyring=/usr/share/keyrings/debian-archive-keyring.gpg

rm -rf "$folder"
mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial" "$folder/root"
echo "deb [arch=amd64 signed-by=$keyring] $mirror $suite main" >"$folder/apt/list"
: >"$folder/apt/status"
apt() {
    command=$1
    shift
    "$command" -q -o APT::Architecture=amd64 -o APT::Install-Recommends=false -o APT::Sandbox::User=root \
        -o "Dir::Etc::sourcelist=$folder/apt/list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null \
        -o "Dir::State::lists=$folder/apt/lists" -o "Dir::State::status=$folder/apt/status" \
        -o "Dir::Cache=$folder/apt" -o "Dir::Cache::archives=$folder/apt/archives" \
        -o Acquire::Check-Valid-Until=false -o Acquire::Retries=3 "$@"
}

say "looking for ROCm in Debian $suite"
apt apt-get update >&2
# The newest: libamdhip64-5, libamdhip64-6 and so on.
runtime=$(apt apt-cache search --names-only '^libamdhip64-[0-9]+$' | awk '{ print $1 }' | sort -V | tail -n 1)
[ -n "$runtime" ] || {
    say "Debian $suite has no libamdhip64"
    exit 2
}
apt apt-get install -y --download-only "$runtime" libstdc++6 zlib1g >&2
(cd "$folder/apt/archives" && apt apt-get download libamdhip64-dev >&2)
for package in "$folder"/apt/archives/*.deb; do
    dpkg-deb -x "$package" "$folder/root"
done
dpkg-deb -f "$(find "$folder/apt/archives" -name "${runtime}_*.deb")" Version >"$folder/version"
rm -rf "$folder/apt"
touch "$folder/complete"
echo "$folder"
