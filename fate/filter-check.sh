#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# filter-check.sh [RELEASE...]
#
# Tests of the vmafx_hip filter through the ffmpeg command: what it refuses and how it says so, and
# what it does with streams and options. One line for each test, "N passed, N failed" at the end.
#
#   FFMPEG_BUILD   where the ffmpeg-RELEASE folders are (default: build)
set -uo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
out=${FFMPEG_BUILD:-$root/build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ffmpeg=
release=
# shellcheck source=fate/verdicts.sh
. "$root/fate/verdicts.sh"

# run MAIN REFERENCE GRAPH [OUTPUT...]: two lavfi sources through a graph; log and metadata are kept.
run() {
    local main=$1 reference=$2 graph=$3
    shift 3
    [ $# -gt 0 ] || set -- -f null -
    rm -f "$work/metadata"
    timeout 120 "$ffmpeg" -nostdin -nostats -hide_banner -y -f lavfi -i "$main" -f lavfi -i "$reference" \
        -lavfi "[0:v][1:v]$graph" "$@" >"$work/log" 2>&1
    status=$?
}

# with OPTIONS: the filter on the CPU, with its metadata in a file
with() { echo "vmafx_hip=runtime=cpu:workers=2${1:+:$1},metadata=print:file=$work/metadata"; }

source_of() { echo "testsrc2=size=${1:-160x128}:rate=25:duration=${2:-0.2},format=${3:-yuv420p}"; }
blurred() { echo "$(source_of "$@"),avgblur=3"; }

count() { grep -cE -- "$1" "$work/metadata" 2>/dev/null || true; }
check() { # NAME ACTUAL EXPECTED
    local problem=
    [ "$2" = "$3" ] || problem="\"$2\" where \"$3\" was expected"
    report "$1" "$problem"
}
pooled() { sed -nE 's/.*VMAF score: ([0-9.]+).*/\1/p' "$work/log"; }

test_refused_pairs() {
    local pair
    run "$(source_of 160x128)" "$(source_of 162x128)" "$(with)"
    refuses "sizes that differ" 'sizes differ: main is 160x128, reference is 162x128'
    run "$(source_of 160x128 0.2 yuv420p10)" "$(source_of 160x128)" "$(with)"
    refuses "depths that differ" 'bit depths differ: main has 10 bits \(yuv420p10le\), reference has 8 \(yuv420p\)'
    run "$(source_of 160x128 0.2 yuv422p)" "$(source_of 160x128)" "$(with)"
    refuses "chroma that differs" 'chroma layouts differ: main is yuv422p, reference is yuv420p'
    run "$(source_of 160x128 0.2 gray)" "$(source_of 160x128)" "$(with)"
    refuses "gray against 4:2:0" 'chroma layouts differ: main is gray, reference is yuv420p'
    run "$(source_of 160x128 0.2 rgb24)" "$(source_of 160x128)" "$(with)"
    refuses "an unsupported format of main" 'Frames of main are rgb24, which is not supported'
    run "$(source_of 160x128)" "$(source_of 160x128 0.2 bgr0)" "$(with)"
    refuses "an unsupported format of reference" 'Frames of reference are bgr0, which is not supported'
    # What follows the filter stands before it in the text, and is asked first.
    pair=$(source_of 160x128 0.2 yuv444p)
    timeout 120 "$ffmpeg" -nostdin -nostats -hide_banner -f lavfi -i "$pair" -f lavfi -i "$pair" \
        -lavfi "[scored]format=yuv420p[out];[0:v][1:v]vmafx_hip=runtime=cpu[scored]" -map '[out]' -f null - >"$work/log" 2>&1
    status=$?
    refuses "a conversion for the sake of the next filter" 'are yuv444p and would be converted to yuv420p before'
    run "$(source_of 160x128)" "$(source_of 160x128)" "$(with import=device)"
    refuses "software frames with import=device" 'software frames \(yuv420p\), which import=device refuses'
}

test_refused_options() {
    local pair
    pair=$(source_of)
    run "$pair" "$pair" "$(with nonsense=1)"
    refuses "an unknown option" "nonsense"
    run "$pair" "$pair" "$(with n_subsample=0)"
    refuses "n_subsample=0" "n_subsample"
    run "$pair" "$pair" "$(with model=version=vmaf_v9.9)"
    refuses "an unknown model" 'vmaf_v9\.9'
    run "$pair" "$pair" "$(with model=colour=red)"
    refuses "an unknown key of a model" 'unknown key "colour"'
    run "$pair" "$pair" "$(with model=vmaf_v0.6.1)"
    refuses "a model without a key" 'not of the form key=value'
    run "$pair" "$pair" "$(with 'model=version=vmaf_v0.6.1\\:disable_clip=maybe')"
    refuses "a flag that is none" 'disable_clip=maybe is neither'
    run "$pair" "$pair" "$(with 'model=version=vmaf_v0.6.1\\:ciede.depth=3')"
    refuses "an option of an extractor that the model lacks" 'ciede'
    run "$pair" "$pair" "$(with 'model=version=vmaf_v0.6.1\\:vif.nonsense=3')"
    refuses "an unknown option of an extractor" 'nonsense'
    run "$pair" "$pair" "$(with model=path=/nonexistent/model.json)"
    refuses "a model file that is not there" '/nonexistent/model\.json'
    echo '{ "model_dict": { "model": 3 ' >"$work/broken.json"
    run "$pair" "$pair" "$(with "model=path=$work/broken.json")"
    refuses "a broken model file" 'broken\.json'
    run "$pair" "$pair" "$(with 'model=version=vmaf_v0.6.1|version=vmaf_v0.6.1neg')"
    refuses "two models of one name" 'vmaf'
    run "$pair" "$pair" "$(with feature=name=nonsense)"
    refuses "an unknown feature" 'nonsense'
    run "$pair" "$pair" "$(with 'feature=name=psnr\\:nonsense=1')"
    refuses "an unknown option of a feature" 'nonsense'
    run "$pair" "$pair" "$(with feature=enable_chroma=1)"
    refuses "a feature without a name" 'has no name='
    run "$pair" "$pair" "$(with model=)"
    refuses "neither model nor feature" 'nothing to score'
    run "$pair" "$pair" "$(with device=first)"
    refuses "a device that is neither number nor address" 'device=first is neither'
    run "$pair" "$pair" "$(with device=99)"
    refuses "a device that is not there" '99'
    VMAFX_HIP_LIBRARY=/nonexistent/libamdhip64.so run "$pair" "$pair" "vmafx_hip=runtime=rocm"
    refuses "a runtime that is not there" '/nonexistent/libamdhip64\.so'
    run "$pair" "$pair" "$(with "log_path=/nonexistent/report.xml")"
    refuses "a report that cannot be written" '/nonexistent/report\.xml'
    run "$(source_of 160x128 4)" "$(source_of 160x128 4)" "$(with "log_path=/nonexistent/report.xml")" -frames:v 10 -f null -
    refuses "a report that cannot be written, and an output that closes early" '/nonexistent/report\.xml'
    run "$pair" "$pair" "$(with 'model=version=vmaf_v0.6.1\\:version=vmaf_v0.6.1neg')"
    refuses "a key of a model that is given twice" 'model: version is given twice'
    run "$pair" "$pair" "$(with 'feature=name=psnr\\:name=adm')"
    refuses "a key of a feature that is given twice" 'feature: name is given twice'
}

test_streams() {
    run "$(blurred)" "$(source_of)" "$(with feature=name=psnr)"
    accepts "a pair of streams" 'VMAF score: [0-9.]+'
    check "every frame carries a model's score" "$(count '^lavfi\.vmafx\.vmaf=[0-9.]+$')" 5
    check "every frame carries a feature's score" "$(count '^lavfi\.vmafx\.psnr_y=[0-9.]+$')" 5
    check "every frame carries scores of motion" "$(count '^lavfi\.vmafx\.integer_motion2=[0-9.]+$')" 5
    check "frames come out in order" "$(sed -nE 's/^frame:.*pts:([0-9]+).*/\1/p' "$work/metadata" | tr '\n' ' ')" "0 1 2 3 4 "
    accepts "uploads are counted" '0 frames imported, 10 uploaded'
    accepts "runtime and device are named" 'fps, runtime cpu, device '

    # FFmpeg's own psnr as a witness, to its two decimals.
    local ours
    ours=$(awk -F= '/lavfi.vmafx.psnr_y/ { printf "%.2f ", $2 }' "$work/metadata")
    run "$(blurred)" "$(source_of)" "psnr,metadata=print:file=$work/metadata"
    check "psnr_y is FFmpeg's" "$ours" "$(awk -F= '/lavfi.psnr.psnr.y/ { printf "%.2f ", $2 }' "$work/metadata")"

    run "$(blurred 160x128 0.4)" "$(source_of 160x128 0.4)" "$(with)" -f framemd5 "$work/through.md5"
    "$ffmpeg" -nostdin -v error -y -f lavfi -i "$(blurred 160x128 0.4)" -f framemd5 "$work/source.md5"
    check "main frames are passed on untouched" "$(grep -v '^#' "$work/through.md5")" "$(grep -v '^#' "$work/source.md5")"

    run "$(blurred 160x128 0.04)" "$(source_of 160x128 0.04)" "$(with)"
    accepts "a stream of one frame" '1 pairs in'
    check "the one frame carries a score" "$(count '^lavfi\.vmafx\.vmaf=')" 1
    run "$(blurred 161x133)" "$(source_of 161x133)" "$(with feature=name=psnr)"
    accepts "odd sizes" 'VMAF score: '
    check "chroma of odd sizes is scored" "$(count '^lavfi\.vmafx\.psnr_cb=')" 5
    run "$(blurred 160x128 6)" "$(source_of 160x128 6)" "$(with model=:feature=name=psnr)"
    check "a longer stream loses no frame" "$(count '^lavfi\.vmafx\.psnr_y=')" 150
    run "$(blurred 160x128 6)" "$(source_of 160x128 6)" "$(with)"
    check "nor does it with a model" "$(count '^lavfi\.vmafx\.vmaf=')" 150
    run "$(blurred 160x128 2)" "$(source_of 160x128 2)" "$(with)" -frames:v 10 -f null -
    accepts "an output that closes early" 'VMAF score: '
    accepts "it is told what the score is of" 'ended before its streams: the scores are of the first [0-9]+ pairs'
    check "it counts no frame as dropped" "$(grep -c 'streams differ' "$work/log")" 0

    # Rows from bottom to top, and the same picture stored from top to bottom.
    run "$(blurred),vflip" "$(source_of),vflip" "$(with)"
    local upside_down
    upside_down=$(pooled)
    "$ffmpeg" -nostdin -v error -y -f lavfi -i "$(blurred),vflip" "$work/main.y4m"
    "$ffmpeg" -nostdin -v error -y -f lavfi -i "$(source_of),vflip" "$work/reference.y4m"
    timeout 120 "$ffmpeg" -nostdin -hide_banner -i "$work/main.y4m" -i "$work/reference.y4m" \
        -lavfi "[0:v][1:v]$(with)" -f null - >"$work/log" 2>&1
    check "rows stored upside down" "$upside_down" "$(pooled)"
}

# Golden clips through ffmpeg: each value in the metadata is the golden one, to its last digit.
test_golden() {
    local data=$root/tests/golden/data clip reference distorted
    for clip in nat576_x264q40 odd353_444 d576_420p10 d480_422p8 d288_422p12 frames1; do
        read -r reference distorted < <(awk -F'\t' -v clip=$clip '$1 == clip { print $2, $3 }' "$data/clips/clips.tsv")
        xz -dc "$data/clips/$reference.y4m.xz" >"$work/reference.y4m"
        xz -dc "$data/clips/$distorted.y4m.xz" >"$work/main.y4m"
        rm -f "$work/metadata"
        timeout 120 "$ffmpeg" -nostdin -nostats -hide_banner -i "$work/main.y4m" -i "$work/reference.y4m" -lavfi \
            "[0:v][1:v]$(with 'feature=name=psnr:model=version=vmaf_v0.6.1\\:name=vmaf_v0.6.1|version=vmaf_v0.6.1neg\\:name=vmaf_v0.6.1neg')" \
            -f null - >"$work/log" 2>&1
        python3 - "$work/metadata" "$data/scores/$clip".{features,vmaf}.json >>"$work/log" 2>&1 <<'EOF'
import json, re, sys
golden = {}
for path in sys.argv[2:]:
    golden.update(json.load(open(path))["metrics"])
frame, compared = -1, set()
for line in open(sys.argv[1]):
    if line.startswith("frame:"):
        frame += 1
        continue
    name, value = re.fullmatch(r"lavfi\.vmafx\.(.*)=(.*)\n", line).groups()
    if name in golden:
        assert value == "%.6f" % golden[name][frame], (frame, name, value, golden[name][frame])
        compared.add(name)
assert frame + 1 == len(golden["psnr_y"]), frame
assert {"vmaf_v0.6.1", "vmaf_v0.6.1neg", "psnr_cr", "integer_motion2", "integer_adm2"} <= compared, compared
EOF
        check "golden clip $clip" $? 0
    done
}

test_formats() {
    local format
    for format in gray gray10le yuv422p yuv444p yuv420p10le yuv422p12le yuv444p16le nv12 p010le p016le; do
        run "$(source_of 160x128 0.2 "$format"),noise=alls=4:allf=t" "$(source_of 160x128 0.2 "$format")" "$(with)"
        [ "$status" = 0 ] || run "$(source_of 160x128 0.2 yuv420p),avgblur=2,format=$format" \
            "$(source_of 160x128 0.2 "$format")" "$(with)"
        accepts "format $format" 'VMAF score: '
    done
    # The same samples in two layouts.
    run "$(blurred),format=nv12" "$(source_of)" "$(with feature=name=psnr)"
    local mixed
    mixed=$(grep lavfi "$work/metadata")
    run "$(blurred)" "$(source_of)" "$(with feature=name=psnr)"
    check "nv12 against yuv420p scores as yuv420p" "$mixed" "$(grep lavfi "$work/metadata")"
}

test_colours() {
    run "$(source_of),setparams=range=tv:colorspace=bt709" "$(source_of),setparams=range=pc:colorspace=smpte170m" "$(with)"
    accepts "ranges that differ are scored" 'VMAF score: '
    check "ranges that differ are warned about once" "$(grep -c 'colour range of main is tv, of reference pc' "$work/log")" 1
    check "matrices that differ are warned about once" "$(grep -c 'colour matrix of main is bt709, of reference smpte170m' "$work/log")" 1
}

test_lengths() {
    run "$(blurred 160x128 0.4)" "$(source_of 160x128 0.2)" "$(with)"
    accepts "a shorter reference is repeated" 'reference 5 repeated, 0 dropped'
    check "all frames are scored against it" "$(count '^lavfi\.vmafx\.vmaf=')" 10
    run "$(blurred 160x128 0.4)" "$(source_of 160x128 0.2)" "$(with shortest=1)"
    check "shortest=1 ends with the reference" "$(count '^lavfi\.vmafx\.vmaf=')" 5
    run "$(blurred 160x128 0.4)" "$(source_of 160x128 0.2)" "$(with eof_action=pass)" -f framecrc "$work/crc"
    accepts "eof_action=pass passes frames without a reference" '5 without reference'
    check "these frames come out" "$(grep -vc '^#' "$work/crc")" 10
    check "these frames have no score" "$(count '^lavfi\.vmafx\.vmaf=')" 5
    run "$(blurred 160x128 8)" "$(source_of 160x128 0.2)" "$(with eof_action=pass)" -f framecrc "$work/crc"
    accepts "many frames without a reference" '195 without reference'
    check "they all come out" "$(grep -vc '^#' "$work/crc")" 200
    run "$(blurred 160x128 0.2)" "$(source_of 160x128 0.4)" "$(with shortest=1)"
    check "a longer reference with shortest=1" "$(count '^lavfi\.vmafx\.vmaf=')" 5
    check "what is cut off has not been dropped" "$(grep -c 'streams differ' "$work/log")" 0
    run "$(blurred 160x128 0.4)" "testsrc2=size=160x128:rate=50:duration=0.4,format=yuv420p" "$(with)"
    accepts "a longer reference of twice the rate" 'main 1 repeated, 0 dropped, 0 without reference; reference 0 repeated, 9 dropped'
    run "$(blurred 160x128 0.2)" "testsrc2=size=160x128:rate=50:duration=0.2,format=yuv420p" "$(with shortest=1)"
    accepts "a reference of twice the rate loses frames" 'reference 0 repeated, [1-9][0-9]* dropped'
}

test_options() {
    local pool scores="" format
    run "$(blurred 160x128 0.4)" "$(source_of 160x128 0.4)" "$(with n_subsample=3)" -f framecrc "$work/crc"
    accepts "n_subsample=3" 'VMAF score: '
    check "n_subsample=3 scores every third frame" \
        "$(awk '/^frame:/ { split($1, f, ":") } /^lavfi.vmafx.vmaf=/ { printf "%d ", f[2] }' "$work/metadata")" "0 3 6 9 "
    check "n_subsample=3 passes every frame" "$(grep -vc '^#' "$work/crc")" 10
    run "$(blurred)" "$(source_of)" "$(with log_path=)"
    accepts "an empty log_path is no report" 'VMAF score: '
    run "$(blurred)" "$(source_of)" "$(with metadata=none)"
    check "metadata=none" "$(count '^lavfi')" 0
    run "$(blurred)" "$(source_of)" "$(with metadata=model:feature=name=psnr)"
    check "metadata=model" "$(count '^lavfi\.vmafx\.vmaf=') $(count '^lavfi')" "5 5"
    run "$(blurred)" "$(source_of)" "$(with 'model=version=vmaf_v0.6.1\\:name=first|version=vmaf_v0.6.1neg\\:name=second')"
    accepts "several models, the first" 'VMAF score of first: [0-9.]+'
    accepts "several models, the second" 'VMAF score of second: [0-9.]+'
    check "several models in the metadata" "$(count '^lavfi\.vmafx\.first=') $(count '^lavfi\.vmafx\.second=')" "5 5"
    run "$(blurred)" "$(source_of)" "$(with 'feature=name=psnr\\:enable_chroma=false')"
    check "an option of a feature" "$(count 'psnr_y=') $(count 'psnr_cb=')" "5 0"
    run "$(blurred)" "$(source_of)" "$(with 'model=version=vmaf_v0.6.1\\:name=plain|version=vmaf_v0.6.1\\:name=neg\\:vif.vif_enhn_gain_limit=1.0\\:adm.adm_enhn_gain_limit=1.0')"
    accepts "options of a model's extractors" 'VMAF score of neg: [0-9.]+'
    run "$(blurred)" "$(source_of)" "$(with 'model=version=vmaf_v0.6.1\\:enable_transform=1')"
    accepts "the transform of a model" 'VMAF score: [0-9.]+'

    for pool in min harmonic_mean mean max; do
        run "$(blurred)" "$(source_of)" "$(with pool=$pool)"
        scores+="$(pooled) "
    done
    check "pooling methods rise from min to max" "$scores" "$(tr ' ' '\n' <<<"$scores" | sed '/^$/d' | sort -n | tr '\n' ' ')"
    check "pooling methods differ" "$(tr ' ' '\n' <<<"$scores" | sed '/^$/d' | sort -u | wc -l)" 4

    for format in json xml csv sub; do
        run "$(blurred)" "$(source_of)" "$(with "feature=name=psnr:log_fmt=$format:log_path=$work/report.$format")"
        python3 - "$format" "$work/report.$format" >>"$work/log" 2>&1 <<'EOF'
import csv, json, re, sys
import xml.etree.ElementTree as xml
kind, path = sys.argv[1:]
text = open(path).read()
if kind == "json":
    frames = [f["metrics"]["vmaf"] for f in json.loads(text)["frames"]]
elif kind == "xml":
    frames = [float(f.get("vmaf")) for f in xml.fromstring(text).iter("frame")]
elif kind == "csv":
    frames = [float(row["vmaf"]) for row in csv.DictReader(text.splitlines())]
else:
    frames = [float(x) for x in re.findall(r"^\{\d+\}\{\d+\}frame: \d+\|.*?vmaf: ([0-9.]+)", text, re.M)]
assert len(frames) == 5, (frames, text)
assert all(0 < f < 100 for f in frames), frames
EOF
        check "a report in $format" $? 0
    done
}

# Streams that change where they are: ffmpeg builds its graph anew. Both lie in one file, so that no decoder
# is more than a queue of packets ahead of the other, and the graph has its first frames before a change.
test_changes() {
    local kind first second part
    for kind in "size 160x128 yuv420p 176x144 yuv420p" "depth 160x128 yuv420p 160x128 yuv420p10"; do
        read -r kind first second <<<"$(awk '{ print $1, $2 "," $3, $4 "," $5 }' <<<"$kind")"
        for part in 1 2; do
            [ $part = 1 ] || first=$second
            stream_of "$first" >"$work/part-$part.h264"
            stream_of "$first,avgblur=2" >"$work/main-$part.h264"
        done
        cat "$work"/part-{1,2}.h264 >"$work/reference.h264"
        cat "$work"/part-{1,1}.h264 >"$work/unchanged.h264"
        cat "$work"/main-{1,2}.h264 >"$work/main.h264"
        pair main reference "[0:v:0][0:v:1]$(with)"
        changed "a $kind that changes in both streams"
        pair main unchanged "[0:v:0][0:v:1]$(with)"
        refuses_after_scores "a $kind that changes in main" "$changed_pair"
        pair main reference "[0:v:0]scale=160:128,format=yuv420p[m];[0:v:1]scale=160:128,format=yuv420p[r];[m][r]$(with "log_path=$work/report.xml")"
        accepts "a $kind that changes in front of a scaler" 'the scores are of the first [0-9]+ pairs' 'VMAF score'
        # What ffmpeg drops with the old graph is in no part.
        check "each part tells its pairs" "$(grep -c ' [1-9][0-9]* pairs in ' "$work/log")" 2
    done
}

stream_of() { # SIZE,FORMAT[,FILTER]
    "$ffmpeg" -nostdin -v error -f lavfi -i "testsrc2=size=${1%%,*}:rate=25:duration=1.2,format=${1#*,}" \
        -c:v libx264 -preset ultrafast -threads 1 -f h264 -
}

# Both streams in one file through GRAPH.
pair() { # MAIN REFERENCE GRAPH
    "$ffmpeg" -nostdin -v fatal -y -i "$work/$1.h264" -i "$work/$2.h264" -map 0 -map 1 -c copy "$work/pair.mkv"
    timeout 120 "$ffmpeg" -nostdin -nostats -hide_banner -y -i "$work/pair.mkv" -lavfi "$3" -f null - >"$work/log" 2>&1
    status=$?
}

changed_pair='The (sizes|bit depths) differ: main (is|has) .*, reference (is|has)'

# A graph that is built anew, or an error that names what differs behind scores that are told to be of the
# first pairs: ffmpeg changes one input after the other.
changed() { # NAME
    if [ "$status" = 0 ]; then
        report "$1" "$(grep -q 'the scores are of the first' "$work/log" || echo "nothing is said of the change")"
    else
        refuses_after_scores "$1" "$changed_pair"
    fi
}

# FFmpeg's manual names every option, and the sections around the filter's keep their anchors.
test_manual() {
    local manual=$out/ffmpeg-$release/source/doc/filters.texi option missing=
    sed -n '/^@section vmafx_hip/,/^@section /p' "$manual" >"$work/manual"
    for option in $("$ffmpeg" -hide_banner -h filter=vmafx_hip | sed -n '/^vmafx_hip AVOptions/,/^framesync/s/^   *\([a-z_]*\)  *<.*/\1/p'); do
        grep -q "^@item $option\$" "$work/manual" || missing+=" $option"
    done
    check "options that the manual lacks" "$missing" ""
    check "anchors that follow each other in the manual" "$(grep -A1 '^@anchor' "$manual" | grep -B1 -A1 'vmafx_hip' | grep -c '^@anchor')" 1
}

# Without vif: its kernels multiply what lies beside a row by taps of 0, which memcheck cannot know.
test_memory() {
    command -v valgrind >/dev/null || return
    timeout 300 valgrind -q --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
        --error-exitcode=99 "$ffmpeg" -nostdin -hide_banner -y -f lavfi -i "$(blurred 64x64 0.12)" \
        -f lavfi -i "$(source_of 64x64 0.12)" -lavfi "[0:v][1:v]$(with 'model=:feature=name=psnr|name=adm|name=motion')" -f null - >"$work/log" 2>&1
    status=$?
    accepts "memory is read, written and freed well" 'integer_adm2: [0-9.]+'
}

releases=("$@")
[ ${#releases[@]} -gt 0 ] || mapfile -t releases < <(cd "$root/ffmpeg-patches" && printf '%s\n' [0-9]*/ | tr -d /)
for release in "${releases[@]}"; do
    ffmpeg=$out/ffmpeg-$release/ffmpeg
    if [ ! -x "$ffmpeg" ]; then
        echo "$ffmpeg is missing: run make ffmpeg" >&2
        exit 1
    fi
    test_refused_pairs
    test_refused_options
    test_streams
    test_golden
    test_formats
    test_colours
    test_lengths
    test_changes
    test_options
    test_manual
    test_memory
done
verdict
