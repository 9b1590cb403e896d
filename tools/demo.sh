#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Scores an H.264 encode of natural pictures with the filter vmafx_hip and shows where the scores
# are: in each frame's metadata, in the log, in a report.
#
#   DEMO_VIDEO=FILE    a clip of your own instead of the photographs
#   FFMPEG_RELEASE     which of the FFmpeg builds to use (default: 9.0, built if it is not there)
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
build=${BUILD:-build}
[ "${build#/}" != "$build" ] || build=$root/$build
release=${FFMPEG_RELEASE:-9.0}
work=$build/demo
cache=${VMAFX_CACHE:-$root/.cache}/demo
photographs=lomiri-wallpapers-16.04

die() { echo "demo.sh: $*" >&2; exit 1; }

ffmpeg=$(VMAFX_BUILD=$build FFMPEG_BUILD=$build "$root/ffmpeg-patches/build.sh" "$release")
run() { "$ffmpeg" -nostdin -hide_banner -loglevel error -y "$@"; }

# The photographs are taken out of a Debian package, which is not installed.
fetch_photographs() {
    local package
    mkdir -p "$cache/package"
    (
        cd "$cache/package"
        rm -f ./*.deb
        apt-get download -qq "$photographs" 2>/dev/null && exit
        if [ "$(id -u)" = 0 ]; then apt-get update -qq; else sudo apt-get update -qq; fi
        apt-get download -qq "$photographs"
    ) || die "Debian's package $photographs cannot be fetched; try DEMO_VIDEO=FILE"
    package=$(echo "$cache"/package/*.deb)
    dpkg-deb -x "$package" "$cache/files"
    mv "$cache/files/usr/share/backgrounds" "$cache/photographs"
    rm -r "$cache/files" "$cache/package"
}

# A camera moves over three photographs, 20 frames each.
make_reference() {
    local names=(picosdeeuropa_by_Aitzol_Berasategi Bridge_by_Sander_Klootwijk Dragonfly_by_Bolly)
    local inputs=() graph="" labels="" i
    for i in "${!names[@]}"; do
        [ -f "$cache/photographs/${names[i]}.jpg" ] || die "$photographs no longer holds ${names[i]}.jpg; try DEMO_VIDEO=FILE"
        inputs+=(-loop 1 -framerate 25 -t 0.8 -i "$cache/photographs/${names[i]}.jpg")
        graph+="[$i:v]scale=1200:800:force_original_aspect_ratio=increase:flags=bicubic,"
        graph+="crop=960:540:x=60+n*3:y=40+n*2,setsar=1,format=yuv420p,setparams=range=tv:colorspace=bt709[v$i];"
        labels+="[v$i]"
    done
    run "${inputs[@]}" -filter_complex "$graph${labels}concat=n=${#names[@]}[v]" -map '[v]' -c:v ffv1 "$1"
}

mkdir -p "$work"
reference=$work/reference.mkv
if [ -n "${DEMO_VIDEO:-}" ]; then
    reference=$DEMO_VIDEO
    [ -f "$reference" ] || die "no file $reference"
    echo "A clip that is not yuv420p is converted to it, since its encode is"
else
    [ -d "$cache/photographs" ] || fetch_photographs
    make_reference "$reference"
fi

echo "Encoding $reference at low quality with libx264"
run -i "$reference" -an -c:v libx264 -preset fast -crf 36 -pix_fmt yuv420p "$work/distorted.mp4"

score=(-i "$work/distorted.mp4" -i "$reference" -lavfi
    "[0:v]settb=AVTB,setpts=PTS-STARTPTS[main];[1:v]settb=AVTB,setpts=PTS-STARTPTS,format=yuv420p[ref];[main][ref]vmafx_hip=feature=name=psnr:log_path=$work/report.json:log_fmt=json,metadata=print:file=$work/metadata.txt"
    -f null -)
echo
echo "Scoring:"
echo "  $ffmpeg$(printf " '%s'" "${score[@]}" | sed "s/'\([-a-zA-Z0-9_./]*\)'/\1/g")"
"$ffmpeg" -nostdin -nostats -hide_banner -loglevel info -y "${score[@]}" >"$work/score.log" 2>&1 || {
    tail -n 20 "$work/score.log" >&2
    die "scoring failed"
}

echo
echo "Some metadata of the first frames (all of it: $work/metadata.txt):"
awk '/^frame:/ { n++ } n > 4 { exit } /^frame:|\.(vmaf|psnr_y|integer_(adm2|motion2|vif_scale0))=/ { print "  " $0 }' \
    "$work/metadata.txt"
frames=$(grep -c '^frame:' "$work/metadata.txt")
scored=$(grep -c '^lavfi\.vmafx\.vmaf=' "$work/metadata.txt")
if [ "$frames" = 0 ] || [ "$frames" != "$scored" ]; then
    die "$scored of $frames frames carry a score"
fi

echo
echo "Pooled over $frames frames:"
sed -nE 's/^\[[^]]*vmafx_hip[^]]*\] /  /p' "$work/score.log"
grep -q 'VMAF score: ' "$work/score.log" || die "there is no pooled score"
echo
echo "Report: $work/report.json"
