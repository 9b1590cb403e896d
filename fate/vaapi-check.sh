#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# vaapi-check.sh [RELEASE...]
#
# Tests of the vmafx_hip filter on VAAPI surfaces, without a GPU: FFmpeg, its hardware decoders and
# libva are the real ones, the VA driver is tests/va-driver. Every score has to be the one of the same
# streams decoded in software. One line for each test, "N passed, N failed" at the end.
#
#   FFMPEG_BUILD   where the ffmpeg-RELEASE folders are (default: build)
#   VMAFX_BUILD    meson's build folder of libvmafx (default: build)
#   KEEP           a folder that only gets the streams and the scores of software decoding
#   STREAMS        a folder that KEEP has filled
#   TESTS          which tests, by the names of their functions (default: all)
#   GUEST          a folder that KEEP has filled: the machine is a guest with vgem, in which surfaces are
#                  dma-bufs with fences, and in which time is short
set -uo pipefail
ulimit -c 0

root=$(cd "$(dirname "$0")/.." && pwd)
out=${FFMPEG_BUILD:-$root/build}
driver=$out/va-driver
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
keep=${KEEP:-$work}
streams_in=${GUEST:-${STREAMS:-$keep}}
ffmpeg=
release=
# shellcheck source=fate/verdicts.sh
. "$root/fate/verdicts.sh"

# Where there is no node of a GPU, libva is made to take any device for one.
if [ -n "${GUEST:-}" ]; then
    device=/dev/dri/renderD128
    surroundings=(VMAFXTEST_MEMORY=vgem)
else
    device=/dev/null
    surroundings=(VMAFXTEST_MEMORY=memfd "LD_PRELOAD=$driver/node_type.so")
fi

# with_driver [VARIABLE=VALUE...] COMMAND...: libva takes our driver.
with_driver() {
    timeout "${LIMIT:-120}" env LIBVA_DRIVERS_PATH="$driver" LIBVA_DRIVER_NAME=vmafxtest LIBVA_MESSAGING_LEVEL=1 \
        "${surroundings[@]}" VMAFXTEST_VERBOSE=1 "$@"
}

decoded=(-hwaccel vaapi -hwaccel_output_format vaapi -hwaccel_device va)
on_vaapi=(-nostdin -nostats -hide_banner -y -init_hw_device "vaapi=va:$device" -filter_hw_device va)
in_software=(-nostdin -nostats -hide_banner -y)

# What is scored: in a guest only what is quick.
metrics=feature=name=psnr
[ -z "${GUEST:-}${KEEP:-}${STREAMS:-}" ] || metrics='model=:feature=name=psnr|name=motion'

scored() { # METADATA [OPTIONS]
    echo "vmafx_hip=runtime=cpu:workers=2:$metrics${2:+:$2},metadata=print:file=$1"
}

# Each stream as reference, and a blurred one as main.
encode() { # NAME SIZE SECONDS OPTIONS...
    local name=$1 source=testsrc2=size=$2:rate=25:duration=$3
    shift 3
    "$ffmpeg" "${in_software[@]}" -v error -f lavfi -i "$source" "$@" -threads 1 "$keep/$name" &&
        "$ffmpeg" "${in_software[@]}" -v error -f lavfi -i "$source,avgblur=2" "$@" -threads 1 "$keep/main-$name"
}

make_streams() {
    local x264=(-c:v libx264 -preset veryfast -g 8) mpeg2=(-c:v mpeg2video -g 8 -b:v 1M)
    encode baseline.mp4 320x180 0.6 "${x264[@]}" -profile:v baseline -refs 2 &&
        encode high.mp4 320x180 0.6 "${x264[@]}" -bf 3 -refs 4 -x264-params 'b-pyramid=normal:weightp=2:8x8dct=1' &&
        encode main.mp4 322x178 0.6 "${x264[@]}" -profile:v main -bf 2 -x264-params open-gop=1 &&
        encode slices.mp4 320x180 0.6 "${x264[@]}" -bf 2 -x264-params slices=4 &&
        encode matrices.mp4 320x180 0.6 "${x264[@]}" -x264-params cqm=jvt:8x8dct=1 &&
        encode interlaced.mp4 352x288 0.6 "${x264[@]}" -bf 2 -x264-params tff=1 &&
        encode progressive.mkv 322x178 0.6 "${mpeg2[@]}" -bf 2 &&
        encode odd-rows.mkv 176x144 0.6 "${mpeg2[@]}" -bf 1 -intra_vlc 1 -dc 10 &&
        encode fields.mkv 352x288 0.6 "${mpeg2[@]}" -bf 2 -flags +ildct+ilme -field_order tt &&
        encode steady.mp4 160x128 4 "${x264[@]}" -bf 1 &&
        cp "$root"/tests/va-driver/streams/* "$keep/"
}
streams="baseline.mp4 high.mp4 main.mp4 slices.mp4 matrices.mp4 interlaced.mp4 progressive.mkv odd-rows.mkv fields.mkv
    vp9.mkv vp9-10.mkv hevc.mkv hevc-10.mkv"

# The format of a stream's surfaces.
format_of() { # STREAM
    case $1 in
    *-10.*) echo p010le ;;
    *) echo nv12 ;;
    esac
}

upload=testsrc2=size=322x178:rate=25:duration=0.6
upload_main=$upload,avgblur=2

# Frames and scores of software decoding, which every layout has to come out with.
make_references() {
    local stream format
    for stream in $streams; do
        "$ffmpeg" "${in_software[@]}" -v error -i "$keep/main-$stream" -pix_fmt "$(format_of "$stream")" -f framemd5 "$keep/$stream.md5"
        "$ffmpeg" "${in_software[@]}" -i "$keep/main-$stream" -i "$keep/$stream" \
            -lavfi "[0:v][1:v]$(scored "$keep/$stream.scores")" -f null - >"$work/log" 2>&1
        [ "$(grep -c '^lavfi.vmafx.psnr_cb=' "$keep/$stream.scores")" = 15 ] || return 1
    done
    for format in nv12 p010; do
        "$ffmpeg" "${in_software[@]}" -f lavfi -i "$upload_main,format=$format" -f lavfi -i "$upload,format=$format" \
            -lavfi "[0:v][1:v]$(scored "$keep/$format.scores")" -f null - >"$work/log" 2>&1 || return 1
    done
}

# Scores a pair of streams on surfaces. FILTER, if any, is put in front of both inputs.
score() { # STREAM OPTIONS FILTER [VARIABLE=VALUE...]
    local stream=$1 options=$2 filter=$3
    shift 3
    rm -f "$work/scores"
    with_driver "$@" "$ffmpeg" "${on_vaapi[@]}" "${decoded[@]}" -i "$streams_in/main-$stream" "${decoded[@]}" -i "$streams_in/$stream" \
        -lavfi "[0:v]${filter:-null}[m];[1:v]${filter:-null}[r];[m][r]$(scored "$work/scores" "$options")" -f null - >"$work/log" 2>&1
    status=$?
}

# The scores are the ones of REFERENCE, and the log has lines like the PATTERNs.
scores_like() { # NAME REFERENCE PATTERN...
    local problem='' pattern name=$1 reference=$2
    shift 2
    if [ "$status" != 0 ]; then
        problem="ffmpeg exits $status"
    elif ! cmp -s "$streams_in/$reference" "$work/scores"; then
        problem="scores differ: $(diff "$streams_in/$reference" "$work/scores" | sed -n 2p)"
    else
        for pattern; do
            grep -qE -- "$pattern" "$work/log" || problem="no message like \"$pattern\""
        done
    fi
    report "$name" "$problem"
}

# Nothing is uploaded, and nothing takes the way through the host.
imported='30 frames imported, 0 uploaded, .* 0 copied through the host'
in_place='30 read in place, 0 de-tiled, 0 copied by the video processor, 0 mapped'
detiled='0 read in place, 30 de-tiled, 0 copied by the video processor, 0 mapped'
copied='0 read in place, 0 de-tiled, 30 copied by the video processor, 0 mapped'

# ---- The driver itself ----

# Its layouts are those of the address library of the GPUs' driver.
test_tiles() {
    python3 - "$root/tests/tiling/data" "$driver/tiles_check" "$work" >"$work/log" 2>&1 <<'EOF'
import json, lzma, os, re, subprocess, sys
data, check, work = sys.argv[1:]
def read(name):
    return lzma.open(f"{data}/{name}.xz").read()
def planes(entry, content, tight):
    at = 0
    for plane in entry["planes"]:
        size = plane["width"] * plane["height"] * plane["element_bytes"] if tight else plane["size"]
        at = at if tight else plane["offset"]
        yield plane, content[at:at + size]
        at += size
known = {int(m, 16) for m in re.findall(r"\{(0x02\w+),", open(os.path.dirname(data) + "/../va-driver/tiles.c").read())}
checked = set()
for entry in json.loads(read("index.json"))["tiled"]:
    modifier, name = int(entry["modifier"], 16), entry["file"].removesuffix(".xz")
    if modifier not in known or not os.path.exists(f"{data}/{name}.xz"):
        continue
    linear = read("linear_" + name.split("_", 2)[2])
    for (plane, rows), (_, tiled) in zip(planes(entry, linear, True), planes(entry, read(name), False)):
        for path, content in ("rows", rows), ("tiled", tiled):
            open(f"{work}/{path}", "wb").write(content)
        subprocess.run([check, hex(modifier), *(str(plane[k]) for k in ("width", "height", "element_bytes", "pitch_bytes")),
                        f"{work}/rows", f"{work}/tiled"], check=True)
        checked.add((modifier, plane["element_bytes"]))
print(sorted((hex(m), size) for m, size in checked))
assert len(checked) >= 16, len(checked)
EOF
    status=$?
    report "the driver's tiles are AMD's" "$([ $status = 0 ] || echo "status $status")"
}

calls() { # CASE [VARIABLE=VALUE...]
    local name=$1
    shift
    with_driver "$@" "$driver/calls_check" "$name" "$device" >"$work/log" 2>&1
    status=$?
}

test_calls() {
    local modifier
    for modifier in linear 0x0200000010401b04; do
        calls copies VMAFXTEST_MODIFIER=$modifier
        report "the driver copies between layouts, $modifier" "$([ $status = 0 ] || echo "status $status")"
    done
    calls copies VMAFXTEST_OBJECTS=2 VMAFXTEST_LATE_MS=5
    report "the driver copies late between two objects" "$([ $status = 0 ] || echo "status $status")"
    calls lists_of_modifiers VMAFXTEST_MODIFIER=0x0200000000000901
    report "the driver takes lists of modifiers" "$([ $status = 0 ] || echo "status $status")"
    calls lateness VMAFXTEST_LATE_MS=1000
    report "the driver writes late" "$([ $status = 0 ] || echo "status $status")"
    calls overwriting
    report "the driver overwrites at once" "$([ $status = 0 ] || echo "status $status")"
}

test_misuse() {
    local case
    for case in "stale_surface: surface [0-9]+ was destroyed" "stale_source: surface [0-9]+ was destroyed" \
        "wrong_kind: is of kind image" "begun_twice: has not ended" "ended_unbegun: no picture was begun" \
        "rendered_unbegun: no picture was begun" "destroyed_target: target of an open picture" \
        "mapped_twice: mapped already" "left_behind: objects are left"; do
        calls "${case%%:*}"
        report "the driver stops at misuse, ${case%%:*}" \
            "$([ $status = 134 ] && grep -qE "fatal: .*${case#*: }" "$work/log" || echo "status $status")"
    done
    calls copies VMAFXTEST_LATE=5
    report "the driver stops at a variable that it does not know" \
        "$([ $status = 134 ] && grep -q 'VMAFXTEST_LATE=5' "$work/log" || echo "status $status")"
}

# ---- Decoded streams ----

test_decoding() {
    local stream
    for stream in $streams; do
        rm -f "$work/md5"
        with_driver "$ffmpeg" "${on_vaapi[@]}" "${decoded[@]}" -i "$streams_in/main-$stream" -vf "hwdownload,format=$(format_of "$stream")" \
            -f framemd5 "$work/md5" >"$work/log" 2>&1
        status=$?
        report "frames of $stream" "$([ $status = 0 ] && grep -q 'surface [0-9]*:' "$work/log" &&
            cmp "$streams_in/$stream.md5" "$work/md5" 2>&1 || echo "status $status")"
        score "$stream" "" ""
        scores_like "scores of $stream" "$stream.scores" "$imported" "$in_place"
    done
}

test_layouts() {
    local name settings pattern stream list="high.mp4 progressive.mkv vp9-10.mkv hevc-10.mkv"
    [ -z "${GUEST:-}" ] || list="high.mp4 hevc-10.mkv"
    while IFS='|' read -r name settings pattern; do
        for stream in $list; do
            # shellcheck disable=SC2086  # settings are words
            score "$stream" "" "" $settings
            scores_like "$name, $stream" "$stream.scores" "$imported" "$in_place" "export of surface.*$pattern"
        done
    done <<'EOF'
one object, separate layers|VMAFXTEST_LAYERS=separate|objects 1,.*layers 2 R(8   GR88|16  GR32)
one object, composed layers|VMAFXTEST_LAYERS=composed|objects 1,.*layers 1 (NV12|P010)
two objects|VMAFXTEST_OBJECTS=2|objects 2,.*layers 2
two objects, composed layers|VMAFXTEST_OBJECTS=2 VMAFXTEST_LAYERS=composed|objects 2,.*layers 1
second layer RG88|VMAFXTEST_CHROMA=rg|layers 2 R(8   RG88|16  RG32)
chroma of another pitch|VMAFXTEST_CHROMA_PITCH_ALIGN=1024|pitches (320|384|640|704) 1024
luma of another pitch|VMAFXTEST_PITCH_ALIGN=2048|pitches 2048 (320|384|640|704)
padded rows|VMAFXTEST_ROW_ALIGN=512|offsets 0 (163840|196608|327680|360448)
an offset|VMAFXTEST_OFFSET=69888|offsets 69888
sizes of 0|VMAFXTEST_REPORT_SIZE=0|sizes 0 0
late writes|VMAFXTEST_LATE_MS=15|objects 1
much at once|VMAFXTEST_OBJECTS=2 VMAFXTEST_LAYERS=composed VMAFXTEST_CHROMA_PITCH_ALIGN=4096 VMAFXTEST_ROW_ALIGN=64 VMAFXTEST_OFFSET=256 VMAFXTEST_REPORT_SIZE=0 VMAFXTEST_LATE_MS=5|objects 2, sizes 0 0, layers 1
EOF
}

# Layouts of all kinds at once, of which a fixed sequence of numbers takes some for each modifier.
test_mixtures() {
    local modifier way i stream settings count=5 list=(high.mp4 hevc-10.mkv high.mp4 vp9-10.mkv)
    [ -z "${GUEST:-}" ] || count=2
    RANDOM=2026
    one_of() { # NAME VALUE...
        local name=$1
        shift
        shift $((RANDOM % $#))
        settings+=("VMAFXTEST_$name=$1")
    }
    while read -r modifier way; do
        for ((i = 0; i < count; i++)); do
            settings=("VMAFXTEST_MODIFIER=$modifier")
            one_of OBJECTS 1 2
            one_of LAYERS separate composed
            one_of CHROMA gr rg
            one_of PITCH_ALIGN 64 512 2048
            one_of CHROMA_PITCH_ALIGN 64 1024 4096
            one_of ROW_ALIGN 16 64 512
            one_of OFFSET 0 262144
            one_of REPORT_SIZE 0 1
            one_of LATE_MS 0 5
            stream=${list[i % ${#list[@]}]}
            score "$stream" "" "" "${settings[@]}"
            scores_like "mixture $stream ${settings[*]//VMAFXTEST_/}" "$stream.scores" "$imported" "${!way}"
        done
    done <<'EOF'
linear in_place
0x0200000000000901 detiled
0x0200000000801b02 detiled
0x0200000018601b03 detiled
0x0200000010401b04 detiled
0x0200000028a01f04 detiled
0x0200000000000105 detiled
0x0200000000000305 detiled
0x0200000000000405 detiled
0x0200000000082305 copied
invalid copied
EOF
}

test_modifiers() {
    local modifier stream
    for modifier in 0x0200000000000901 0x0200000000801b02 0x0200000018601b03 0x0200000010401b04 \
        0x0200000028a01f04 0x0200000000000105 0x0200000000000305 0x0200000000000405; do
        for stream in high.mp4 vp9-10.mkv; do
            score $stream "" "" VMAFXTEST_MODIFIER=$modifier
            scores_like "tiles of $modifier, $stream" $stream.scores "$imported" "$detiled" "export of surface.*modifier $modifier"
        done
    done
    score hevc-10.mkv "" "" VMAFXTEST_MODIFIER=0x0200000018601b03 VMAFXTEST_OBJECTS=2 VMAFXTEST_CHROMA=rg \
        VMAFXTEST_CHROMA_PITCH_ALIGN=2048 VMAFXTEST_LATE_MS=5
    scores_like "tiles of 10 bits in two objects, late" hevc-10.mkv.scores "$imported" "$detiled" 'objects 2.*layers 2 R16  RG32'
    score interlaced.mp4 "" "" VMAFXTEST_MODIFIER=0x0200000010401b04 VMAFXTEST_OBJECTS=2 \
        VMAFXTEST_CHROMA_PITCH_ALIGN=2048 VMAFXTEST_LATE_MS=5
    scores_like "tiles in two objects, chroma of another pitch" interlaced.mp4.scores "$imported" "$detiled" 'objects 2.*pitches 512 2048'
    score fields.mkv "" "" VMAFXTEST_MODIFIER=0x0200000028a01f04 VMAFXTEST_LAYERS=composed VMAFXTEST_OFFSET=262144
    scores_like "tiles in one layer behind an offset" fields.mkv.scores "$imported" "$detiled" 'layers 1 NV12.*offsets 262144'
    for modifier in 0x0200000000082305 invalid; do
        score high.mp4 "" "" VMAFXTEST_MODIFIER=$modifier
        scores_like "modifier $modifier" high.mp4.scores "$imported" "$copied" 'Surfaces of main are copied by .* 0x'
        score hevc-10.mkv "" "" VMAFXTEST_MODIFIER=$modifier VMAFXTEST_LATE_MS=5
        scores_like "modifier $modifier, 10 bits, late" hevc-10.mkv.scores "$imported" "$copied" 'Surfaces of main are copied by .* 0x'
        score high.mp4 "" "" VMAFXTEST_MODIFIER=$modifier VMAFXTEST_OBJECTS=2 VMAFXTEST_LATE_MS=5
        scores_like "modifier $modifier, late, in two objects" high.mp4.scores "$imported" "$copied"
        score high.mp4 "" "" VMAFXTEST_MODIFIER=$modifier VMAFXTEST_VIDEO_PROC=0
        refuses "modifier $modifier without a video processor" 'Surfaces of (main|reference) cannot be read where they are, .*; or take import=host'
        score high.mp4 "" "hwmap=mode=read,format=drm_prime" VMAFXTEST_MODIFIER=$modifier
        refuses "modifier $modifier mapped to DRM-PRIME" 'desc\.plane\[0\]\.modifier: .*cannot be read'
        score high.mp4 import=host "" VMAFXTEST_MODIFIER=$modifier
        scores_like "modifier $modifier through the host" high.mp4.scores ' 0 frames imported, 30 uploaded'
    done
}

test_ways() {
    local stream
    for stream in high.mp4 vp9-10.mkv hevc-10.mkv; do
        score $stream import=host ""
        scores_like "import=host, $stream" $stream.scores ' 0 frames imported, 30 uploaded'
    done
    score high.mp4 import=device ""
    scores_like "import=device" high.mp4.scores "$imported" "$in_place"
    score high.mp4 "" "hwmap=mode=read,format=drm_prime"
    scores_like "surfaces mapped to DRM-PRIME" high.mp4.scores "$imported"
    score hevc-10.mkv "" "hwmap=mode=read,format=drm_prime" VMAFXTEST_LATE_MS=5
    scores_like "surfaces of 10 bits mapped to DRM-PRIME" hevc-10.mkv.scores "$imported"
    score high.mp4 "" "hwmap=mode=read,format=drm_prime" VMAFXTEST_MODIFIER=0x0200000018601b03 VMAFXTEST_OBJECTS=2
    scores_like "tiles mapped to DRM-PRIME" high.mp4.scores "$imported"
    score high.mp4 import=host "hwmap=mode=read,format=drm_prime" VMAFXTEST_REPORT_SIZE=0 VMAFXTEST_LATE_MS=5
    scores_like "mapped to DRM-PRIME and downloaded" high.mp4.scores ' 0 frames imported, 30 uploaded'
    score high.mp4 import=host "hwmap=mode=read,format=drm_prime" VMAFXTEST_MODIFIER=0x0200000018601b03
    refuses "tiles mapped to DRM-PRIME and downloaded" 'modifier 0x0200000018601b03 is not linear and cannot be downloaded'
}

# Where buffers carry fences.
test_fences() {
    calls fences VMAFXTEST_LATE_MS=1000
    report "the driver's buffers carry fences" "$([ $status = 0 ] || echo "status $status")"
    calls fences VMAFXTEST_LATE_MS=1000 VMAFXTEST_OBJECTS=2
    report "both objects carry fences" "$([ $status = 0 ] || echo "status $status")"
    score high.mp4 "" "" VMAFXTEST_LATE_MS=60
    scores_like "fences that come late" high.mp4.scores "$imported" "$in_place"
    score vp9-10.mkv "" "" VMAFXTEST_LATE_MS=60
    scores_like "fences of 10 bits that come late" vp9-10.mkv.scores "$imported" "$in_place"
}

# Writes that stay out for longer than anybody waits, when all goes well so far. Not in the guest: vgem's
# fences signal after 10 s, whatever has been written.
test_stuck() {
    score steady.mp4 "" "" VMAFXTEST_LATE_FROM=120 VMAFXTEST_LATE_MS=12000
    refuses "a write that never comes" 'VAAPI: surface 0x[0-9a-f]+ is still being written after 10 s'
}

# part NAME STREAM MAIN-OPTIONS REFERENCE-OPTIONS [OPTIONS]: the pairs of surfaces are those of software decoding.
part() {
    local name=$1 stream=$2 main reference
    read -ra main <<<"$3"
    read -ra reference <<<"$4"
    "$ffmpeg" "${in_software[@]}" "${main[@]}" -i "$streams_in/main-$stream" "${reference[@]}" -i "$streams_in/$stream" \
        -lavfi "[0:v][1:v]$(scored "$work/part.scores" "${5:-}")" -f null - >"$work/log" 2>&1
    rm -f "$work/scores"
    with_driver "$ffmpeg" "${on_vaapi[@]}" "${decoded[@]}" "${main[@]}" -i "$streams_in/main-$stream" \
        "${decoded[@]}" "${reference[@]}" -i "$streams_in/$stream" \
        -lavfi "[0:v][1:v]$(scored "$work/scores" "${5:-}")" -f null - >"$work/log" 2>&1
    status=$?
    if [ $status = 0 ] && ! cmp "$work/part.scores" "$work/scores" >/dev/null 2>&1; then
        report "$name of $stream" "scores differ: $(diff "$work/part.scores" "$work/scores" | sed -n 2p)"
    else
        accepts "$name of $stream" '[1-9][0-9]* read in place'
    fi
}

# Parts of streams, and streams that change, as in software.
test_streams() {
    local stream options
    for stream in high.mp4 progressive.mkv; do
        part "a part" $stream "-ss 0.32" "-ss 0.32"
        part "a later main" $stream "-ss 0.32" ""
        part "a later reference" $stream "" "-ss 0.2"
        part "a reference that starts 0.2 s late" $stream "" "-itsoffset 0.2"
        part "a main that starts 0.2 s late" $stream "-itsoffset 0.2" ""
    done
    for stream in vp9-10.mkv hevc-10.mkv; do
        part "a part" $stream "-ss 0.32" "-ss 0.32"
    done
    for options in "" shortest=1 repeatlast=0 eof_action=pass eof_action=endall; do
        part "a short reference, ${options:-repeated}," high.mp4 "" "-t 0.24" "$options"
        part "a short main, ${options:-repeated}," high.mp4 "-t 0.24" "" "$options"
    done
    part "decoders with more surfaces" high.mp4 "-extra_hw_frames 4" "-extra_hw_frames 1"

    # Where both streams change their size, ffmpeg changes the inputs of the graph one after the other. In one
    # file no decoder is more than a queue of packets ahead of the other.
    for stream in main-progressive.mkv progressive.mkv main-odd-rows.mkv odd-rows.mkv; do
        "$ffmpeg" "${in_software[@]}" -v error -i "$keep/$stream" -c copy -f mpeg2video "$work/$stream.m2v"
    done
    for stream in main- ''; do
        cat "$work/$stream"{progressive,progressive,progressive,odd-rows}.mkv.m2v >"$work/${stream}changing.m2v"
    done
    "$ffmpeg" "${in_software[@]}" -v fatal -fflags +genpts -i "$work/main-changing.m2v" -fflags +genpts -i "$work/changing.m2v" \
        -map 0 -map 1 -c copy "$work/pair.mkv"
    with_driver "$ffmpeg" "${on_vaapi[@]}" "${decoded[@]}" -i "$work/pair.mkv" \
        -lavfi "[0:v:0][0:v:1]$(scored "$work/scores"),hwdownload,format=nv12" -f null - >"$work/log" 2>&1
    status=$?
    refuses_after_scores "a size that changes" 'The sizes differ: '
}

# peak COMMAND...: the most memory that the command had, in KiB.
peak() {
    python3 -c 'import resource, subprocess, sys
status = subprocess.call(sys.argv[2:], stdout=open(sys.argv[1], "w"), stderr=subprocess.STDOUT)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(status)' "$work/log" "$@"
}

# 10000 pairs take no more memory and descriptors than 1000 do.
test_long() {
    local seconds short long
    encode long.mkv 160x128 400 -c:v mpeg2video -g 50 -bf 2 -b:v 300k || return
    for seconds in 40 400; do
        long=$(ulimit -n 256 && peak \
            env LIBVA_DRIVERS_PATH="$driver" LIBVA_DRIVER_NAME=vmafxtest "${surroundings[@]}" timeout 120 \
            "$ffmpeg" "${on_vaapi[@]}" "${decoded[@]}" -t $seconds -i "$keep/main-long.mkv" "${decoded[@]}" -t $seconds -i "$keep/long.mkv" \
            -lavfi '[0:v][1:v]vmafx_hip=runtime=cpu:workers=2:model=:feature=name=psnr:metadata=none' -f null -)
        status=$?
        report "$((seconds * 25)) pairs with 256 descriptors" "$([ $status = 0 ] && grep -q "^.* $((seconds * 50)) read in place" "$work/log" ||
            echo "status $status")"
        short=${short:-$long}
    done
    report "memory stays flat, $short and $long KiB" "$([ "$long" -lt $((short * 3 / 2)) ] || echo "it grows")"
}

# pools MAIN REFERENCE [OPTIONS]: two pools of a fixed number of surfaces, with no frame in a queue of ffmpeg's.
pools() {
    local source="testsrc2=size=160x128:rate=25:duration=2"
    with_driver "$ffmpeg" "${on_vaapi[@]}" -f lavfi -i "$source" -lavfi "[0:v]format=nv12,split[x][y];
        [x]avgblur=2,hwupload=extra_hw_frames=$(($1 - 2))[m];[y]hwupload=extra_hw_frames=$(($2 - 2))[r];
        [m][r]$(scored "$work/pool" "${3:-}"),hwdownload,format=nv12" -f null - >"$work/log" 2>&1
    status=$?
}

test_pools() {
    local size pair exports
    pools 4 32
    refuses "a pool of 4 surfaces" "pool of main has 4 surfaces, and 5 are in use .* 1 higher"
    pools 32 4
    refuses "a pool of 4 surfaces for the reference" "pool of reference has 4 surfaces, and 5 are in use .* 1 higher"
    pools 7 32 frames_in_flight=4
    refuses "a pool too small for frames_in_flight" 'pool of main has 7 surfaces, and 8 .* or lower frames_in_flight'
    pools 32 9 frames_in_flight=8
    refuses "a reference pool too small for frames_in_flight" 'pool of reference has 9 surfaces, and 12 .* 3 higher, or lower'
    pools 32 32
    cp "$work/pool" "$work/pool-32"
    report "50 frames from large pools" "$([ "$(grep -c '^lavfi.vmafx.vmaf=' "$work/pool")" = 50 ] || echo "status $status")"
    for size in $(seq 5 32); do
        for pair in "$size 32" "32 $size" "$size $size"; do
            # shellcheck disable=SC2086  # two words
            pools $pair
            report "pools of $pair surfaces" "$([ $status = 0 ] && cmp "$work/pool-32" "$work/pool" || echo "status $status")"
        done
    done
    # Writes of a job begin by overwriting what is in the surface, as soon as it has come back.
    surroundings+=(VMAFXTEST_DERIVE=0)
    for size in 5 8; do
        pools $size $size
        report "pools of $size surfaces, overwritten at once" "$([ $status = 0 ] && cmp "$work/pool-32" "$work/pool" || echo "status $status")"
    done
    unset 'surroundings[-1]'
    pools 12 12 frames_in_flight=8
    report "pools of just what frames_in_flight needs" "$([ $status = 0 ] && cmp "$work/pool-32" "$work/pool" || echo "status $status")"
    exports=$(grep -oE 'export of surface [0-9]+' "$work/log")
    report "each surface is exported once" "$([ "$(wc -l <<<"$exports")" -le 24 ] && [ "$(wc -l <<<"$exports")" -ge 2 ] &&
        [ -z "$(sort <<<"$exports" | uniq -d)" ] || echo "exports:" "${exports//export of surface/}")"
    report "the lack of sync_files is said once" "$([ "$(grep -c 'gives no sync_file' "$work/log")" = 1 ] || echo "not once")"
}

# Surfaces that come again and again, written late: the driver is waited for once for each, the kernel's
# sync_files tell of the rest.
test_sync_files() {
    local on_kernel=("${surroundings[@]}") quiet=("${on_vaapi[@]}")
    on_vaapi+=(-v verbose)
    surroundings=("${on_kernel[@]}" VMAFXTEST_LATE_MS=10 VMAFXTEST_DERIVE=0)
    pools 5 5 import=host
    cp "$work/pool" "$work/pool-host"
    pools 5 5
    report "sync_files of two small pools" "$([ $status = 0 ] && [ "$(grep -c psnr_cb "$work/pool")" = 50 ] &&
        cmp "$work/pool-host" "$work/pool" &&
        grep -qE 'VAAPI surfaces: ([1-9]|1[0-2]) exports, ([1-9]|1[0-2]) waits in the driver, (8[89]|9[0-9]) sync_files' "$work/log" ||
        echo "status $status")"
    surroundings=("${on_kernel[@]}" VMAFXTEST_LATE_MS=13000 VMAFXTEST_DERIVE=0)
    pools 5 5
    report "a surface that is not written in time" "$([ $status != 0 ] &&
        grep -q 'is still being written after 10 s' "$work/log" || echo "status $status")"
    surroundings=("${on_kernel[@]}")
    on_vaapi=("${quiet[@]}")
}

# on_gpu ADDRESS OPTIONS RUNTIME: the node has that address, and the GPU of the runtime has 0001:c3:1f.0.
on_gpu() {
    timeout 120 env LIBVA_DRIVERS_PATH="$driver" LIBVA_DRIVER_NAME=vmafxtest VMAFXTEST_MEMORY=memfd \
        LD_PRELOAD="$driver/node_type.so:$driver/node_address.so" NODE_PCI_ADDRESS="$1" VMAFX_HIP_LIBRARY="$3" \
        "$ffmpeg" "${on_vaapi[@]}" "${decoded[@]}" -i "$streams_in/main-high.mp4" "${decoded[@]}" -i "$streams_in/high.mp4" \
        -lavfi "[0:v][1:v]vmafx_hip=$2" -f null - >"$work/log" 2>&1
    status=$?
}

# The fake GPU can be found, and nothing more: the library has no kernels for it.
test_gpu_match() {
    local gpu=${VMAFX_BUILD:-$root/build}/tests/hip/libfake_one_gpu.so
    on_gpu 0000:03:00.0 runtime=rocm "$gpu"
    refuses "a node that is no GPU of the runtime's" 'no device of runtime rocm is at 0000:03:00\.0; there are: 0001:c3:1f\.0'
    refuses "the node is named" 'Frames of main are on /dev/dri/renderD128 at 0000:03:00\.0.*device='
    on_gpu 0001:c3:1f.0 runtime=rocm "$gpu"
    refuses "the node of the runtime's GPU" 'no code object for gfx803'
    on_gpu 0000:03:00.0 runtime=rocm:device=0 "$gpu"
    refuses "device= overrides the node" 'no code object for gfx803'
    on_gpu 0000:03:00.0 runtime=rocm:import=host "$gpu"
    refuses "import=host needs no match" 'no code object for gfx803'
    on_gpu 0000:03:00.0 runtime=cpu ""
    report "the CPU answers to any node" "$([ $status = 0 ] && grep -q 'VMAF score' "$work/log" || echo "status $status")"
}

# Uploaded frames of 8 and 10 bits.
test_uploads() {
    local format settings
    for format in nv12 p010; do
        for settings in VMAFXTEST_MODIFIER=linear VMAFXTEST_DERIVE=0 "VMAFXTEST_DERIVE=0 VMAFXTEST_LATE_MS=10" \
            VMAFXTEST_MODIFIER=0x0200000000000901 VMAFXTEST_MODIFIER=0x0200000018601b03 \
            "VMAFXTEST_MODIFIER=0x0200000028a01f04 VMAFXTEST_LATE_MS=10" "VMAFXTEST_OBJECTS=2 VMAFXTEST_LAYERS=composed" "VMAFXTEST_CHROMA=rg VMAFXTEST_CHROMA_PITCH_ALIGN=4096"; do
            rm -f "$work/scores"
            # shellcheck disable=SC2086  # settings are words
            with_driver $settings "$ffmpeg" "${on_vaapi[@]}" -f lavfi -i "$upload_main,format=$format" -f lavfi -i "$upload,format=$format" \
                -lavfi "[0:v]hwupload[m];[1:v]hwupload[r];[m][r]$(scored "$work/scores")" -f null - >"$work/log" 2>&1
            status=$?
            scores_like "uploaded $format, $settings" $format.scores "$imported" 'export of surface'
        done
    done
}

# FATE's tests, as make calls fate-run.sh for them: on the guest's own node.
test_fate() {
    local command name problem
    mkdir -p "$out/ffmpeg-$release/tests/data/fate"
    while IFS= read -r command; do
        name=${command#*fate-run.sh }
        problem=
        (cd "$out/ffmpeg-$release" && with_driver VAAPI_DEVICE= sh -c "$command") >"$work/log" 2>&1 </dev/null
        status=$?
        [ "$status" = 0 ] || problem="status $status"
        ! grep -q '^SKIP' "$work/log" || problem="skipped"
        report "${name%% *}" "$problem"
    done <"$GUEST/fate-commands"
}

# Every way in which a surface can lie or come back, in few runs: for fate/vaapi-defects.sh.
test_few() {
    score high.mp4 "" "" VMAFXTEST_OBJECTS=2 VMAFXTEST_CHROMA_PITCH_ALIGN=4096 VMAFXTEST_OFFSET=256 VMAFXTEST_LATE_MS=60
    scores_like "two objects" high.mp4.scores "$imported" "$in_place"
    score high.mp4 "" "" VMAFXTEST_LAYERS=composed VMAFXTEST_CHROMA_PITCH_ALIGN=1024
    scores_like "one object" high.mp4.scores "$imported" "$in_place"
    score high.mp4 "" "" VMAFXTEST_MODIFIER=0x0200000010401b04
    scores_like "tiles" high.mp4.scores "$imported" "$detiled"
    score high.mp4 "" "" VMAFXTEST_MODIFIER=invalid VMAFXTEST_LATE_MS=5
    scores_like "a copy" high.mp4.scores "$imported" "$copied"
}

# What a program's own DRM-PRIME frames show, on dma-bufs.
test_drm() {
    local verdict name
    timeout 300 drm_check /dev/dri/card0 >"$work/drm" 2>"$work/log"
    status=$?
    while IFS= read -r verdict; do
        name=${verdict#?????}
        case $verdict in
        "ok   "*) report "$name" "" ;;
        "FAIL "*) report "${name%%: *}" "${name#*: }" ;;
        esac
    done <"$work/drm"
    report "DRM-PRIME frames to the end" "$(grep -q '^[0-9]* passed, ' "$work/drm" || echo "status $status")"
}

# A fence of the kernel that never comes, behind good ones.
test_endless() {
    score steady.mp4 "" "" VMAFXTEST_STUCK_FROM=120
    refuses "a decoded surface whose fence never comes" 'Cannot import a frame: desc\.acquire.*still pending'
    surroundings+=(VMAFXTEST_DERIVE=0 VMAFXTEST_STUCK_FROM=60)
    pools 5 5
    refuses "an uploaded surface whose fence never comes" 'Cannot import a frame: desc\.acquire.*still pending'
    unset 'surroundings[-1]' 'surroundings[-1]'
}

bench() { # STREAM FFMPEG [OPTIONS...]
    local stream=$1 program=$2
    shift 2
    LIMIT=400 with_driver "$root/tools/bench-vaapi.sh" --ffmpeg "$program" --device "$device" --rounds 1 --out "$work/bench.md" \
        --options runtime=cpu:workers=2 --clip "$streams_in/main-$stream" --reference "$streams_in/$stream" "$@" >"$work/log" 2>&1
    status=$?
}

bench_ends() { # NAME PATTERN
    report "the benchmark ends, $1" "$([ $status = 1 ] && grep -qE "^bench-vaapi: $2" "$work/log" || echo "status $status")"
}

# The benchmark for machines with a GPU: that it runs, and that it tells what is wrong. Its figures are of no interest.
test_bench() {
    rm -f "$work/bench.md"
    bench hevc-10.mkv "$ffmpeg"
    report "the benchmark" "$([ $status = 0 ] && [ "$(grep -c '^| decode.* [0-9.]* | ' "$work/bench.md")" = 6 ] &&
        grep -qF '**1.00** | 1.00-1.00 |' "$work/bench.md" && grep -q '^- 15 pairs of frames, 1 times over' "$work/bench.md" &&
        ! grep -q '^Left out' "$work/bench.md" || echo "status $status")"
    [ -z "${GUEST:-}" ] || return
    bench high.mp4 "$ffmpeg" --device "$work/none"
    bench_ends "no device" 'there is no device .*/none'
    bench high.mp4 /bin/true
    bench_ends "no VAAPI" '/bin/true has no VAAPI'
    bench high.mp4 "$ffmpeg" --reference "$streams_in/steady.mp4"
    bench_ends "other numbers of frames" '.* has 15 frames and .* has 100'
    # Decodes by hardware what it was not asked for.
    cat >"$work/liar" <<EOF
#!/bin/bash
case " \$* " in *" -hwaccel "*) set -- "\${@/main-/}" ;; esac
exec "$ffmpeg" "\$@"
EOF
    chmod +x "$work/liar"
    bench high.mp4 "$work/liar"
    bench_ends "hashes that differ" 'the hashes of .*main-high.mp4 differ, first in: 0, '
}

# What the guest is for, and what only the host can do.
if [ -n "${GUEST:-}" ]; then
    tests=${TESTS:-calls fences sync_files endless drm layouts mixtures ways fate bench}
else
    tests=${TESTS:-tiles calls misuse decoding layouts modifiers mixtures ways streams pools gpu_match uploads long stuck bench}
    [ -n "${KEEP:-}${STREAMS:-}" ] || "$root/tests/va-driver/build.sh" || exit 1
fi
releases=("$@")
[ ${#releases[@]} -gt 0 ] || mapfile -t releases < <(cd "$root/ffmpeg-patches" && printf '%s\n' [0-9]*/ | tr -d /)
for release in "${releases[@]}"; do
    ffmpeg=$out/ffmpeg-$release/ffmpeg
    if [ ! -x "$ffmpeg" ]; then
        echo "$ffmpeg is missing: run make ffmpeg" >&2
        exit 1
    fi
    if [ -z "${GUEST:-}${STREAMS:-}" ] && { ! make_streams || ! make_references; }; then
        echo "the streams of $release cannot be made or scored" >&2
        exit 1
    fi
    [ -z "${KEEP:-}" ] || exit 0
    for test in $tests; do
        "test_$test"
    done
done
verdict
