# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Sourced: compiles for, and links with, an FFmpeg that ffmpeg-patches/build.sh built, without changing it.

# from_tree TREE TEXT: what FFmpeg's own make makes of a text.
from_tree() {
    printf 'include ffbuild/config.mak\nprint: ; @echo %s\n' "$2" | make -s --no-print-directory -C "$1" -f - print
}

# compile_filter TREE FOLDER OUT [FLAG...]: the filter's sources in FOLDER, as FFmpeg compiles them.
compile_filter() {
    local tree=$1 folder=$2 out=$3 source
    shift 3
    for source in "$folder"/*.c; do
        compile_c "$tree" "$source" "$out/$(basename "$source" .c).o" \
            -DHAVE_AV_CONFIG_H -DBUILDING_avfilter -I"$tree/source/libavfilter" "$@"
    done
}

# compile_c TREE SOURCE OBJECT [FLAG...]
compile_c() {
    local tree=$1 source=$2 object=$3 compile
    shift 3
    # shellcheck disable=SC2016  # variables of make
    read -ra compile <<<"$(from_tree "$tree" '$(CC) $(CPPFLAGS) $(CFLAGS)')"
    (cd "$tree" && "${compile[@]}" -I"$tree" -I"$tree/source" "$@" -c -o "$object" "$source")
}

# link_program TREE PROGRAM OBJECTS-FOLDER [FLAG...]: objects go before what the libraries have of that name.
link_program() {
    local tree=$1 program=$2 objects=$3 archives=() library link external
    shift 3
    for library in avdevice avfilter avformat avcodec postproc swresample swscale avutil; do
        [ ! -f "$tree/lib$library/lib$library.a" ] || archives+=("$tree/lib$library/lib$library.a")
    done
    # shellcheck disable=SC2016  # variables of make
    read -ra link <<<"$(from_tree "$tree" '$(LD) $(LDFLAGS) $(LDEXEFLAGS)')"
    # shellcheck disable=SC2016
    read -ra external <<<"$(from_tree "$tree" '$(EXTRALIBS-avdevice) $(EXTRALIBS-avfilter) $(EXTRALIBS-avformat) $(EXTRALIBS-avcodec) $(EXTRALIBS-swresample) $(EXTRALIBS-swscale) $(EXTRALIBS-avutil) $(EXTRALIBS)')"
    (cd "$tree" && "${link[@]}" "$@" -o "$program" "$objects"/*.o \
        -Wl,--start-group "${archives[@]}" -Wl,--end-group "${external[@]}" -lpthread -lm)
}
