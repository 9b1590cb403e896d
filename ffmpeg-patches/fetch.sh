#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# fetch.sh RELEASE
#
# Brings FFmpeg's own tarball of a release (7.1, 8.1, 9.0) from the Debian suite that carries it, and
# prints its path. It is fetched once and kept; VMAFX_CACHE names the folder (default: .cache of the
# repository).
#
# apt verifies it: the suite's signed index names the tarball's SHA-256. The newer suites are known
# to this call alone. Their lists and sources live in the cache, so that the machine's own apt never
# hears of them and no binary package of a newer suite can slip in.
set -euo pipefail

release=${1:?usage: fetch.sh RELEASE}
root=$(cd "$(dirname "$0")/.." && pwd)
cache=${VMAFX_CACHE:-$root/.cache}/ffmpeg

die() { echo "fetch.sh: $*" >&2; exit 1; }

# Where each release may be, the likeliest first.
case $release in
7.1) suites="trixie" ;;
8.1) suites="sid forky" ;;
9.0) suites="forky sid" ;;
*) die "no Debian suite is known for FFmpeg $release (known: 7.1, 8.1, 9.0)" ;;
esac

shopt -s nullglob
for tarball in "$cache/ffmpeg_$release".*orig.tar.xz "$cache/ffmpeg_$release.orig.tar.xz"; do
    [ -f "$tarball.sha256" ] || continue
    (cd "$cache" && sha256sum --quiet --check "$tarball.sha256" >&2) ||
        die "$tarball is damaged: remove it and call again"
    echo "$tarball"
    exit 0
done

# Prints "URI KEYRING" of the machine's own entry for Debian's main archive: the first one that
# serves main without being the security or the updates suite. Both file formats of apt are read.
debian_mirror() {
    local file lists=()
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -f "$file" ] && lists+=("$file")
    done
    cat /dev/null "${lists[@]}" |
        sed -nE 's/#.*//; s/^[[:space:]]*deb[[:space:]]+(\[[^]]*\])?[[:space:]]*([a-z+]+:[^[:space:]]+)[[:space:]]+([^[:space:]]+)[[:space:]](.*)$/\2 \3 \4 \1/p' |
        awk '$2 ~ /^[a-z]+$/ && / main( |$)/ {
            key = ""
            if (match($0, /signed-by=[^] ]+/)) key = substr($0, RSTART + 10, RLENGTH - 10)
            print $1, key
        }'
    for file in /etc/apt/sources.list.d/*.sources; do
        # A stanza's fields may be spelled in any case; its end is a blank line or the file's end.
        awk '
            function emit() {
                if (tolower(f["enabled"]) != "no" && f["types"] ~ /(^| )deb( |$)/ &&
                    (" " f["components"] " ") ~ / main / && f["suites"] ~ /(^| )[a-z]+( |$)/) {
                    split(f["uris"], uri, " ")
                    print uri[1], f["signed-by"] ~ /^\// ? f["signed-by"] : ""
                }
                split("", f)
            }
            /^[[:space:]]*$/ { emit(); next }
            /^#/ { next }
            /^[A-Za-z-]+:/ {
                name = tolower($0); sub(/:.*/, "", name)
                value = $0; sub(/^[^:]*:[[:space:]]*/, "", value); f[name] = value
            }
            END { emit() }' "$file"
    done
}

# Third parties serve suites of one word too: the archive is the one that holds the package "dpkg".
# Each list is read to its end: a reader that leaves early would fail its writer, and with it the pipe.
choose_mirror() {
    local entries holders uri key
    entries=$(debian_mirror)
    holders=$(apt-cache madison dpkg 2>/dev/null | awk -F'|' '{ print $3 }')
    while read -r uri key; do
        if [ -n "$uri" ] && grep -qF " ${uri%/} " <<<"$holders"; then
            echo "$uri $key"
            return
        fi
    done <<<"$entries"
    grep -m1 -E '/debian/? ' <<<"$entries" || head -n 1 <<<"$entries"
}

mirror=$(choose_mirror)
[ -n "$mirror" ] || die "no entry of apt's configuration serves Debian's main archive"
read -r uri keyring <<<"$mirror"
: "${keyring:=/usr/share/keyrings/debian-archive-keyring.gpg}"
[ -f "$keyring" ] || die "$keyring is missing: install debian-archive-keyring"

apt=$cache/apt
mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$cache"
seen=

# An index past its date, as a mirror that lags or a machine's clock makes it, will do: its signature and
# the SHA-256 in it are checked, and only the version of the tarball could be an older one.
for suite in $suites; do
    echo "deb-src [signed-by=$keyring] $uri $suite main" >"$apt/$suite.list"
    options=(-q
        -o "Dir::Etc::sourcelist=$apt/$suite.list" -o Dir::Etc::sourceparts=/dev/null
        -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null
        -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt" -o "Dir::Cache::archives=$apt/archives"
        -o APT::Get::List-Cleanup=false -o Acquire::Check-Valid-Until=false -o APT::Sandbox::User=root -o Acquire::Retries=3)
    echo "Looking for FFmpeg $release in Debian $suite" >&2
    apt-get "${options[@]}" update >&2 || { seen+=" $suite: index not readable;"; continue; }
    # The newest revision of the release that the suite serves, without its epoch.
    versions=$(apt-cache "${options[@]}" showsrc ffmpeg 2>/dev/null | sed -n 's/^Version: //p' | sort -Vu)
    version=$(grep -E "^([0-9]+:)?${release//./\\.}([.-]|\$)" <<<"$versions" | tail -n 1 || true)
    if [ -z "$version" ]; then
        seen+=" $suite: ${versions//$'\n'/ };"
        continue
    fi
    work=$(mktemp -d "$cache/get.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    # --tar-only: Debian's patches and a missing .dsc do not matter here.
    (cd "$work" && apt-get "${options[@]}" source --download-only --tar-only "ffmpeg=$version" >&2) ||
        { seen+=" $suite: $version did not arrive;"; rm -rf "$work"; continue; }
    name=$(cd "$work" && echo ffmpeg_*.orig.tar.xz)
    [ -f "$work/$name" ] || die "apt brought no ffmpeg_*.orig.tar.xz of $version"
    # What apt has just verified, written down for later calls and checked once against the index.
    sources=$(apt-cache "${options[@]}" showsrc ffmpeg)
    wanted=$(awk -v name="$name" '/^Checksums-Sha256:/ { on = 1; next } /^[^ ]/ { on = 0 }
        on && $3 == name { print $1; exit }' <<<"$sources")
    [ -n "$wanted" ] || die "the index of $suite has no SHA-256 of $name"
    echo "$wanted  $name" >"$work/$name.sha256"
    (cd "$work" && sha256sum --quiet --check "$name.sha256" >&2) || die "$name differs from its SHA-256 in the index"
    mv "$work/$name.sha256" "$work/$name" "$cache/"
    echo "$cache/$name"
    exit 0
done
die "FFmpeg $release was not found. Seen:${seen%;}"
