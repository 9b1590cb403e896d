#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# bench-vaapi.sh [OPTIONS]
#
# What it costs to score streams that a GPU decodes: decoding alone, frames taken through the host's
# memory, and surfaces scored where they are. First the frames of both ways are compared with those of
# software decoding; then the ways run in turns, round by round, since speeds drift. The table goes to
# standard output and to a file. Needs bash, awk and an ffmpeg with VAAPI and vmafx_hip.
#
#   --clip FILE       the distorted stream (default: one of 1920x1080, made with libx264)
#   --reference FILE  its reference, with as many frames (default: the clip itself)
#   --loops N         each stream N times over in a run, to make the start weigh less (default: 1)
#   --rounds N        (default: 5)
#   --device NODE     (default: /dev/dri/renderD128)
#   --ffmpeg FILE     (default: build/ffmpeg-7.1/ffmpeg)
#   --options TEXT    options of vmafx_hip, as in runtime=cpu:workers=2
#   --out FILE        (default: build/bench-vaapi.md)
set -uo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
clip=
reference=
loops=1
rounds=5
device=/dev/dri/renderD128
ffmpeg=$root/build/ffmpeg-7.1/ffmpeg
options=
out=$root/build/bench-vaapi.md

die() { echo "bench-vaapi: $*" >&2; exit 1; }

while [ $# -gt 0 ]; do
    if [ "$1" = --help ]; then
        sed -n '/^# bench-vaapi/,/^set/s/^# \{0,1\}//p' "$0"
        exit 0
    fi
    [ $# -gt 1 ] || die "$1 needs a value, or is no option: see --help"
    case $1 in
    --clip) clip=$2 ;;
    --reference) reference=$2 ;;
    --loops) loops=$2 ;;
    --rounds) rounds=$2 ;;
    --device) device=$2 ;;
    --ffmpeg) ffmpeg=$2 ;;
    --options) options=$2 ;;
    --out) out=$2 ;;
    *) die "$1 is no option: see --help" ;;
    esac
    shift 2
done
for number in "$loops" "$rounds"; do
    [[ $number =~ ^[1-9][0-9]*$ ]] || die "--loops and --rounds are numbers from 1 on, not $number"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The line of a log that says most of why ffmpeg failed.
reason() { # LOG
    local line
    line=$(grep -aiE 'error|fail|cannot|invalid|impossible|no such|no VA display' "$1" | sed -n 1p)
    echo "${line:-see above}"
}

quiet=(-nostdin -nostats -hide_banner -y)
on_vaapi=("${quiet[@]}" -init_hw_device "vaapi=va:$device" -filter_hw_device va)
decoded=(-hwaccel vaapi -hwaccel_device va -hwaccel_output_format vaapi)

# ---- What is there ----

command -v "$ffmpeg" >/dev/null || die "there is no ffmpeg at $ffmpeg: run make ffmpeg, or name one by --ffmpeg"
"$ffmpeg" -hide_banner -hwaccels >"$work/list" 2>&1 || die "$ffmpeg does not run: $(sed -n 1p "$work/list")"
grep -qx ' *vaapi *' "$work/list" ||
    die "$ffmpeg has no VAAPI: configure it with --enable-vaapi, or name another one by --ffmpeg"
"$ffmpeg" -hide_banner -filters >"$work/filters" 2>&1
grep -q ' vmafx_hip ' "$work/filters" || die "$ffmpeg has no filter vmafx_hip: name another one by --ffmpeg"
[ -e "$device" ] || die "there is no device $device: name one by --device"

if [ -z "$clip" ]; then
    "$ffmpeg" -hide_banner -encoders 2>/dev/null | grep libx264 >"$work/list" ||
        die "$ffmpeg has no libx264 to make a clip with: name one by --clip"
    echo "making a clip" >&2
    for name in clip reference; do
        filter=testsrc2=size=1920x1080:rate=25:duration=12
        [ $name = reference ] || filter=$filter,avgblur=2
        "$ffmpeg" "${quiet[@]}" -f lavfi -i "$filter" -pix_fmt yuv420p -c:v libx264 -preset veryfast -bf 2 \
            "$work/$name.mkv" >"$work/log" 2>&1 || die "no clip can be made: $(reason "$work/log")"
    done
    clip=$work/clip.mkv
    reference=$work/reference.mkv
fi
reference=${reference:-$clip}
for file in "$clip" "$reference"; do
    [ -f "$file" ] || die "there is no file $file"
done

# ---- What is decoded ----

# FFmpeg's line about the first video stream, as in "h264 (High), yuv420p(tv), 1920x1080".
stream_of() { # FILE
    "$ffmpeg" -hide_banner -i "$1" 2>&1 | sed -n 's/^ *Stream #0:[0-9].* Video: //p' | sed -n 1p
}

surface_format() { # FILE
    local line
    line=$(stream_of "$1")
    case $line in
    *yuv420p10*) echo p010le ;;
    *'yuv420p('* | *'yuv420p,'* | *'yuvj420p('* | *'yuvj420p,'*) echo nv12 ;;
    *) die "$1 is not 4:2:0 of 8 or 10 bits: ${line:-no video}" ;;
    esac
}

# Frames by software and by VAAPI have to have the same hashes.
compare_frames() { # FILE FORMAT
    "$ffmpeg" "${quiet[@]}" -i "$1" -map 0:v:0 -fps_mode passthrough -pix_fmt "$2" -f framemd5 "$work/software" >"$work/log" 2>&1 ||
        die "$1 cannot be decoded: $(reason "$work/log")"
    if ! "$ffmpeg" "${on_vaapi[@]}" "${decoded[@]}" -i "$1" -map 0:v:0 -fps_mode passthrough -vf "hwdownload,format=$2" \
        -f framemd5 "$work/vaapi" >"$work/log" 2>&1; then
        sed 's/^/    /' "$work/log" >&2
        if grep -qE 'Device creation failed|No VA display|initialise VAAPI' "$work/log"; then
            die "$device is no device that VAAPI can open: $(reason "$work/log")"
        fi
        die "$device does not decode $1 ($(stream_of "$1")): $(reason "$work/log")"
    fi
    if ! cmp -s "$work/software" "$work/vaapi"; then
        die "the hashes of $1 differ, first in: $(diff "$work/software" "$work/vaapi" | sed -n 's/^> //p' | sed -n 1p);" \
            "what is decoded wrong needs no benchmark"
    fi
    grep -vc '^#' "$work/software"
}

format=$(surface_format "$clip") || exit 1
reference_format=$(surface_format "$reference") || exit 1
frames=$(compare_frames "$clip" "$format") || exit 1
reference_frames=$(compare_frames "$reference" "$reference_format") || exit 1
[ "$frames" = "$reference_frames" ] || die "$clip has $frames frames and $reference has $reference_frames: cut one of them"
[ "$frames" -gt 0 ] || die "$clip has no frames"

# ---- The ways ----

filter=vmafx_hip${options:+=$options}
cpus=$(nproc 2>/dev/null || grep -c '^processor' /proc/cpuinfo)

# A graph that leads both inputs through CHAIN, where FORMAT stands for each one's, into FILTER.
graph() { # CHAIN FILTER
    echo "[0:v:0]${1//FORMAT/$format}[m];[1:v:0]${1//FORMAT/$reference_format}[r];[m][r]$2"
}

graph_of() { # WAY
    case $1 in
    download) echo "[0:v:0]hwdownload,format=${format}[m];[1:v:0]hwdownload,format=${reference_format}[r]" ;;
    libvmaf) graph "hwdownload,format=FORMAT,scale,format=yuv420p|yuv420p10le" "libvmaf=n_threads=$cpus" ;;
    upload) graph "hwdownload,format=FORMAT" "$filter" ;;
    hwmap) graph "hwmap=mode=read+direct,format=FORMAT" "$filter" ;;
    drm) graph "hwmap=mode=read,format=drm_prime" "$filter" ;;
    surfaces | first) graph null "$filter" ;;
    esac
}

# Sets what ffmpeg does with its inputs.
outputs_of() { # WAY
    case $1 in
    decode) arguments=(-map 0:v:0 -map 1:v:0) ;;
    download) arguments=(-lavfi "$(graph_of download)" -map "[m]" -map "[r]") ;;
    first) arguments=(-lavfi "$(graph_of first)" -frames:v 1) ;;
    *) arguments=(-lavfi "$(graph_of "$1")") ;;
    esac
    arguments+=(-fps_mode passthrough -f null -)
}

title_of() { # WAY
    case $1 in
    decode) echo "decode" ;;
    download) echo "decode, hwdownload" ;;
    libvmaf) echo "decode, hwdownload, libvmaf" ;;
    upload) echo "decode, hwdownload, vmafx_hip" ;;
    hwmap) echo "decode, hwmap direct, vmafx_hip" ;;
    drm) echo "decode, hwmap to DRM-PRIME, vmafx_hip" ;;
    surfaces) echo "decode, vmafx_hip" ;;
    first) echo "the first pair alone" ;;
    esac
}

run_way() { # WAY
    local arguments loop=()
    [ "$loops" = 1 ] || loop=(-stream_loop $((loops - 1)))
    outputs_of "$1"
    "$ffmpeg" "${on_vaapi[@]}" "${loop[@]}" "${decoded[@]}" -i "$clip" "${loop[@]}" "${decoded[@]}" -i "$reference" \
        "${arguments[@]}" >"$work/$1.log" 2>&1
}

score_of() { # WAY
    sed -n 's/.*VMAF score: //p' "$work/$1.log" | sed -n 1p
}

candidates=(decode download upload hwmap drm surfaces first)
if grep -q ' libvmaf ' "$work/filters"; then
    candidates=(decode download libvmaf upload hwmap drm surfaces first)
fi

# Once each, to see which ones there are; whatever is loaded for the first time is loaded now.
ways=()
left_out=()
score=
for way in "${candidates[@]}"; do
    echo "trying: $(title_of "$way")" >&2
    if ! run_way "$way"; then
        case $way in
        decode | surfaces)
            tail -n 15 "$work/$way.log" | sed 's/^/    /' >&2
            die "$(title_of "$way"): $(reason "$work/$way.log")"
            ;;
        esac
        left_out+=("$(title_of "$way"): $(reason "$work/$way.log")")
        continue
    fi
    case $way in
    upload | hwmap | drm | surfaces)
        score=${score:-$(score_of "$way")}
        [ "$score" = "$(score_of "$way")" ] ||
            die "scores differ: $score, and $(score_of "$way") of $(title_of "$way")"
        ;;
    esac
    ways+=("$way")
done

# ---- Time ----

TIMEFORMAT='%R %U %S'
for ((round = 0; round < rounds; round++)); do
    echo "round $((round + 1)) of $rounds" >&2
    for ((i = 0; i < ${#ways[@]}; i++)); do
        way=${ways[(i + round) % ${#ways[@]}]}
        { time run_way "$way"; } 2>"$work/time" || die "$(title_of "$way") failed in round $((round + 1)): $(reason "$work/$way.log")"
        echo "$round $way $(tail -n 1 "$work/time")" >>"$work/times"
    done
done

# A row's numbers: frames a second, CPU time, the time next to the surfaces' and over decoding's.
numbers_of() { # WAY
    awk -v way="$1" -v pairs=$((frames * loops)) '
        function sort(list, count,   i, j, value) {
            for (i = 2; i <= count; i++) {
                value = list[i]
                for (j = i - 1; j > 0 && list[j] > value; j--)
                    list[j + 1] = list[j]
                list[j + 1] = value
            }
        }
        function median(list, count) {
            return count % 2 ? list[(count + 1) / 2] : (list[count / 2] + list[count / 2 + 1]) / 2
        }
        { wall[$1, $2] = $3 > 0 ? $3 : 0.001; cpu[$1, $2] = $4 + $5 }
        $2 == way { rounds++; round[rounds] = $1 }
        END {
            for (i = 1; i <= rounds; i++) {
                r = round[i]
                fps[i] = pairs / wall[r, way]
                busy[i] = 1000 * cpu[r, way] / pairs
                ratio[i] = wall[r, way] / wall[r, "surfaces"]
                over[i] = 1000 * (wall[r, way] - wall[r, "decode"]) / pairs
                seconds[i] = wall[r, way]
            }
            sort(fps, rounds); sort(busy, rounds); sort(ratio, rounds); sort(over, rounds); sort(seconds, rounds)
            if (way == "first")
                printf "%.3f\n", median(seconds, rounds)
            else
                printf "%.1f | %.1f-%.1f | %.2f | %.2f | **%.2f** | %.2f-%.2f\n", median(fps, rounds), fps[1], fps[rounds],
                    median(busy, rounds), median(over, rounds), median(ratio, rounds), ratio[1], ratio[rounds]
        }' "$work/times"
}

print_table() {
    local way
    echo "# Scoring of streams that VAAPI decodes"
    echo
    echo "$("$ffmpeg" -version | sed -n '1s/ Copyright.*//p'), $device, $(sed -n 's/^model name.*: //p' /proc/cpuinfo | sed -n 1p), $cpus CPUs; $rounds rounds."
    echo
    echo "- main: $(basename "$clip"), $(stream_of "$clip")"
    echo "- reference: $(basename "$reference"), $(stream_of "$reference")"
    echo "- $frames pairs of frames, $loops times over; the frames of both are those of software decoding"
    sed -n 's/^\[Parsed_vmafx_hip[^]]*\] \(.* pairs in .*\|.* frames imported.*\|Hardware frames: .*\)/- \1/p' "$work/surfaces.log"
    [ -z "$score" ] || echo "- VMAF $score in each way through vmafx_hip$([ ! -s "$work/libvmaf.log" ] || echo ", $(score_of libvmaf) by libvmaf")"
    echo
    echo "| way | pairs/s | range | CPU ms/pair | ms/pair over decode | **time, as a multiple of the surfaces'** | range |"
    echo "| --- | --- | --- | --- | --- | --- | --- |"
    for way in "${ways[@]}"; do
        [ "$way" = first ] || echo "| $(title_of "$way") | $(numbers_of "$way") |"
    done
    echo
    [[ " ${ways[*]} " != *" first "* ]] ||
        echo "The start, up to the first pair, takes $(numbers_of first) s of each run with vmafx_hip: where that is much, take a longer clip or more --loops."
    for way in "${left_out[@]}"; do
        echo "Left out: $way"
    done
}

mkdir -p "$(dirname "$out")"
print_table | tee "$out"
