/* SPDX-License-Identifier: BSD-2-Clause */
#include "coded_picture.h"

const struct codec *codec_of(VAProfile profile)
{
    return profile == VAProfileMPEG2Simple || profile == VAProfileMPEG2Main ? &codec_mpeg2
                                                                            : &codec_h264;
}
