/* SPDX-License-Identifier: BSD-2-Clause */
#include "coded_picture.h"

#include <stddef.h>

const struct codec *codec_of(VAProfile profile)
{
    switch (profile) {
    case VAProfileMPEG2Simple:
    case VAProfileMPEG2Main:
        return &codec_mpeg2;
    case VAProfileH264ConstrainedBaseline:
    case VAProfileH264Main:
    case VAProfileH264High:
        return &codec_h264;
    case VAProfileHEVCMain:
    case VAProfileHEVCMain10:
        return &codec_hevc;
    case VAProfileVP9Profile0:
    case VAProfileVP9Profile2:
        return &codec_vp9;
    default:
        return NULL;
    }
}
