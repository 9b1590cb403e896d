# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Sourced by the checks of the filter: verdicts on a run of ffmpeg, whose exit status is in $status, its log
# in $work/log, and its release in $release.
# shellcheck disable=SC2154  # work and release are the check's
passed=0
failed=0
status=0

report() { # NAME PROBLEM (empty: passed)
    if [ -z "$2" ]; then
        echo "ok   $release $1"
        passed=$((passed + 1))
    else
        echo "FAIL $release $1: $2"
        [ ! -f "$work/log" ] || sed 's/^/     /' "$work/log" | tail -n 15
        failed=$((failed + 1))
    fi
}

# By the time limit or by a signal of a crash. ffmpeg exits by the low byte of an error, which may be any.
ended() {
    case $status in
    124 | 132 | 134 | 135 | 136 | 137 | 139 | 143) true ;;
    *) false ;;
    esac
}

# What is wrong with a run that should have ended with an error and a message like PATTERN.
no_refusal() { # PATTERN
    if [ "$status" = 0 ]; then
        echo "ffmpeg exits 0"
    elif ended; then
        echo "ffmpeg was ended, status $status"
    elif ! grep -qE -- "$1" "$work/log"; then
        echo "no message like \"$1\""
    fi
}

# After an error there is no score, and ffmpeg says so by its status.
refuses() { # NAME PATTERN
    local problem
    problem=$(no_refusal "$2")
    [ -n "$problem" ] || ! grep -q 'VMAF score' "$work/log" || problem="there is a score line"
    report "$1" "$problem"
}

# An error in the middle, whose scores so far are said to be of the first pairs.
refuses_after_scores() { # NAME PATTERN
    local problem
    problem=$(no_refusal "$2")
    [ -n "$problem" ] || grep -q 'The graph ended before its streams: the scores are of the first' "$work/log" ||
        problem="not said of which pairs the scores are"
    report "$1" "$problem"
}

accepts() { # NAME PATTERN...
    local problem='' name=$1 pattern
    shift
    [ "$status" = 0 ] || problem="ffmpeg exits $status"
    for pattern; do
        [ -n "$problem" ] || grep -qE -- "$pattern" "$work/log" || problem="no message like \"$pattern\""
    done
    report "$name" "$problem"
}

# The last lines of a check.
verdict() {
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}
