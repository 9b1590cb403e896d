# shellcheck shell=sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Sourced within fate-run.sh by tests of vmafx_hip: frames in system memory, on VAAPI surfaces, and mapped from
# these to DRM-PRIME. Each test scores the same pictures three times: as software frames, with hardware
# frames imported, and with hardware frames downloaded (import=host). All three have to be equal.
#
#   VAAPI_DEVICE     the VA device (default: the first render node)
#   VMAFX_RUNTIME    where the scores are made (default: cpu)

# fate-run.sh has set, and reads, what is neither set nor read here.
# shellcheck disable=SC2154,SC2034

# A test of what the machine lacks is neither passed nor failed: it leaves no report.
vmafx_hip_skip(){
    echo "SKIP    ${test}: $*" >&3
    test "${V:-0}" -gt 0 && cat "$errfile" >&3
    rm -f "$outfile" "$errfile" "$repfile"
    exit 0
}

# Pictures made by filters, in the format that surfaces have, or decoded: both as links main and reference.
vmafx_hip_pictures(){ # FRAMES
    case $1 in
    vaapi)  to=hwupload map=null ;;
    drm)    to=hwupload,hwmap=mode=read,format=drm_prime map=hwmap=mode=read,format=drm_prime ;;
    *)      to=null map=null ;;
    esac
    if [ -n "$streams" ]; then
        echo "[0:v:0]${map}[main];[0:v:1]${map}[reference]"
    else
        echo "sws_flags=+accurate_rnd+bitexact;testsrc2=size=320x180:rate=25:duration=0.2,scale,format=$planar,split[a][b];" \
             "[a]avgblur=2,scale,format=$format,${to}[main];[b]scale,format=$format,${to}[reference]"
    fi
}

vmafx_hip_ffmpeg(){ # FRAMES GRAPH
    hwaccel=none
    opts=
    if [ "$1" != software ]; then
        opts="-init_hw_device vaapi=va:$device -filter_hw_device va"
        if [ -n "$streams" ]; then
            hwaccel=vaapi
            opts="$opts -hwaccel_output_format vaapi -hwaccel_device va"
        fi
    fi
    # shellcheck disable=SC2086  # options are words
    ffmpeg $opts ${streams:+-i "$(target_path "$streams")"} -lavfi "$(echo "$2" | tr -d ' \n')" -f null /dev/null
}

# Whether the device gives such frames is found out without the filter.
vmafx_hip_need(){ # FRAMES
    device=$VAAPI_DEVICE
    if [ -z "$device" ]; then
        set +f
        for device in /dev/dri/renderD*; do
            [ -e "$device" ] && break
        done
        set -f
    fi
    [ -e "$device" ] ||
        vmafx_hip_skip "there is no VA device $device (VAAPI_DEVICE names one)"
    vmafx_hip_ffmpeg "$1" "$(vmafx_hip_pictures "$1");[main]null;[reference]null" >&2 ||
        vmafx_hip_skip "$device gives no $format surfaces${streams:+ decoded from $(basename "$streams")} (VAAPI_DEVICE names another device)"
}

vmafx_hip_scores(){ # FILE FRAMES IMPORT
    cleanfiles="$cleanfiles $1 $1.log"
    vmafx_hip_ffmpeg "$2" "$(vmafx_hip_pictures "$2");[main][reference]vmafx_hip=runtime=${VMAFX_RUNTIME:-cpu}:
        feature=name=psnr:import=$3,metadata=print:file=-" >"$1" 2>"$1.log"
    ret=$?
    cat "$1.log" >&2
    return $ret
}

vmafx_hip_compare(){ # WHAT SCORES SOFTWARE-SCORES
    if cmp -s "$2" "$3"; then
        echo "$1: scores of software frames"
    else
        echo "$1: other scores than software frames"
    fi
}

vmafx_hip_frames(){ # software|vaapi|drm nv12|p010le [STREAMS]
    format=$2
    case $format in
    nv12)   planar=yuv420p ;;
    p010le) planar=yuv420p10le ;;
    esac
    streams=${3:+${base}/vmafx-hip/$3}
    scores=${outdir}/${test}

    if [ "$1" = software ]; then
        vmafx_hip_scores "$scores.imported" software auto || return
        vmafx_hip_scores "$scores.downloaded" software host || return
        format=$planar
    else
        vmafx_hip_need "$1"
        vmafx_hip_scores "$scores.imported" "$1" device || return
        vmafx_hip_scores "$scores.downloaded" "$1" host || return
    fi
    vmafx_hip_scores "$scores.software" software auto || return
    sed -nE 's/.* ([0-9]+ frames imported, [0-9]+ uploaded),.* ([0-9]+ copied through the host).*/\1, \2/p' "$scores.imported.log"
    vmafx_hip_compare "as they are" "$scores.imported" "$scores.software"
    vmafx_hip_compare "import=host" "$scores.downloaded" "$scores.software"
    cat "$scores.imported"
}
