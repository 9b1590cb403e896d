#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# build.sh [RELEASE...]
#
# Builds FFmpeg with the vmafx_hip filter: build/ffmpeg-RELEASE/ffmpeg and ffprobe, which run from
# there with no environment set. Without arguments: every release that has a patch series.
#
#   FFMPEG_SRC=DIR   puts the filter into that FFmpeg tree instead, and builds nothing
#   VMAFX_BUILD      meson's build folder of libvmafx (default: build)
#   FFMPEG_BUILD     where the ffmpeg-RELEASE folders go (default: build)
#   JOBS             parallel compilations (default: one for each CPU)
#   OPTFLAGS         as FFmpeg's --optflags: with -O1 it compiles in half of the time, for tests
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
here=$root/ffmpeg-patches
out=${FFMPEG_BUILD:-$root/build}
library=${VMAFX_BUILD:-$root/build}
jobs=${JOBS:-$(nproc)}

die() { echo "build.sh: $*" >&2; exit 1; }

if [ -n "${FFMPEG_SRC:-}" ]; then
    release=$("$here/apply.sh" "$FFMPEG_SRC")
    cat <<EOF
$FFMPEG_SRC (FFmpeg $release) now has the filter vmafx_hip. Configure it with
    ./configure --enable-libvmafx --enable-libdrm ...
where pkg-config finds libvmafx: installed, or with
    PKG_CONFIG_PATH=$library/meson-uninstalled
Add --enable-vaapi for VAAPI surfaces. Then run make.
EOF
    exit 0
fi

[ -f "$library/meson-uninstalled/libvmafx-uninstalled.pc" ] ||
    die "no libvmafx in $library: build it first, or set VMAFX_BUILD"
library=$(cd "$library" && pwd)
mkdir -p "$out"
out=$(cd "$out" && pwd)

# What tests and the demo need, nothing that FFmpeg would find on the machine by itself.
# shellcheck disable=SC2054
configuration=(
    --disable-everything --disable-autodetect --disable-doc --disable-debug --disable-network --disable-ffplay
    --enable-libvmafx --enable-libdrm --enable-vaapi --enable-zlib
    --enable-gpl --enable-libx264
    --enable-indev=lavfi
    --enable-protocol=file,pipe,fd,md5
    --enable-demuxer=rawvideo,yuv4mpegpipe,mov,matroska,nut,h264,hevc,mpegvideo,mpegps,image2,image2pipe
    --enable-muxer=null,framecrc,framemd5,framehash,hash,md5,rawvideo,yuv4mpegpipe,matroska,mov,mp4,nut,h264,mpeg1video,mpeg2video,image2
    --enable-parser=h264,hevc,mpegvideo,vp9,png,mjpeg
    --enable-decoder=rawvideo,wrapped_avframe,h264,hevc,mpeg1video,mpeg2video,vp9,ffv1,png,mjpeg
    --enable-encoder=rawvideo,wrapped_avframe,pcm_s16le,libx264,mpeg2video,ffv1,png
    --enable-hwaccel=h264_vaapi,hevc_vaapi,mpeg2_vaapi,vp9_vaapi
    --enable-bsf=h264_mp4toannexb,hevc_mp4toannexb,extract_extradata,null
    --enable-filter=avgblur,buffer,buffersink,color,concat,crop,fps,format,gblur,hwdownload,hwmap,hwupload,loop,metadata,noise,null,nullsink,pad,psnr,scale,scale_vaapi,select,setparams,setsar,setpts,settb,showinfo,split,ssim,testsrc,testsrc2,tpad,trim,vflip,vmafx_hip,zoompan
    # rpath of the old kind, which also serves the runtimes that libvmafx opens by name.
    "--extra-ldexeflags=-Wl,--disable-new-dtags,-rpath,$library/libvmafx/src,-rpath,$library/libvmafx/runtimes/cpu,-rpath,$library/libvmafx/runtimes/cuda"
)
[ -z "${OPTFLAGS:-}" ] || configuration+=("--optflags=$OPTFLAGS")
export PKG_CONFIG_PATH=$library/meson-uninstalled${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}

# Extracts a tarball once. The patches go on before the first configure, since every change of
# configure's answers would compile almost everything again.
extract() {
    local tarball=$1 source=$2 fresh
    [ -f "$source/.extracted" ] && [ "$(cat "$source/.extracted")" = "$(basename "$tarball")" ] && return
    rm -rf "$source"
    fresh=$(mktemp -d "$out/extract.XXXXXX")
    tar -C "$fresh" --strip-components=1 -xf "$tarball"
    basename "$tarball" >"$fresh/.extracted"
    mv "$fresh" "$source"
}

# FFmpeg asks that configure be run again where it, or a list that it reads, changed.
configure() {
    local source=$1 build=$2 stamp=$2/.configured key
    key=$(printf '%s\n' "${configuration[@]}"
        cat "$source/configure" "$source/libavfilter/allfilters.c" \
            "$library/meson-uninstalled/libvmafx-uninstalled.pc" | sha256sum)
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$key" ] && return
    rm -f "$stamp"
    (cd "$build" && "$source/configure" "${configuration[@]}" >configure.log 2>&1) || {
        tail -n 20 "$build/configure.log" >&2
        die "configure failed, see $build/configure.log"
    }
    echo "$key" >"$stamp"
}

build() {
    local release=$1 tarball source=$out/ffmpeg-$1/source build=$out/ffmpeg-$1
    tarball=$("$here/fetch.sh" "$release")
    mkdir -p "$build"
    extract "$tarball" "$source"
    "$here/apply.sh" "$source" >/dev/null
    configure "$source" "$build"
    # The log of a first build is long and of no interest unless it fails.
    if ! make -C "$build" -j"$jobs" ffmpeg ffprobe >"$build/make.log" 2>&1; then
        grep -m20 -E 'error|undefined|No rule|\*\*\*' "$build/make.log" >&2 || true
        die "make failed, see $build/make.log"
    fi
    if grep -n 'vmafx_hip.*warning:' "$build/make.log" >&2; then
        rm -f "$build"/libavfilter/*vmafx_hip*.o # to be told of again
        die "the filter compiles with warnings"
    fi
    "$build/ffmpeg" -hide_banner -h filter=vmafx_hip >"$build/filter-help.txt" 2>&1 ||
        die "$build/ffmpeg does not run: $(cat "$build/filter-help.txt")"
    grep -q '^Filter vmafx_hip' "$build/filter-help.txt" || die "$build/ffmpeg lacks the filter vmafx_hip"
    echo "$build/ffmpeg"
}

releases=("$@")
[ ${#releases[@]} -gt 0 ] || mapfile -t releases < <(cd "$here" && printf '%s\n' [0-9]*/ | tr -d /)
for release in "${releases[@]}"; do
    [ -d "$here/$release" ] || die "there is no patch series for FFmpeg $release"
    build "$release"
done
