/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels/vector_clips.h"

#include <algorithm>

namespace vmafx_test
{

namespace
{

int reference_value(int plane, int x, int y, int n)
{
    if (plane == 0)
        return (3 * x + 5 * y + 7 * n + ((x * y) >> 4) + 40 * (((x >> 3) + (y >> 3) + n) & 1)) &
               255;
    if (plane == 1)
        return (2 * x + 3 * y + 9 * n + ((x * y) >> 5)) & 255;
    return 255 - ((x + 4 * y + 5 * n) & 255);
}

int error_value(int plane, int x, int y, int n)
{
    const bool changed = ((x >> 4) + (y >> 4)) & 1;
    return changed ? (7 * x + 13 * y + 5 * n + 3 * plane) % 11 - 5 : 0;
}

} // namespace

ClipPair vector_clips(uint32_t bits)
{
    const vmafx::PictureFormat format{192, 176, bits, vmafx::Chroma::k420};
    ClipPair clips{{format, std::vector<Picture>(3)}, {format, std::vector<Picture>(3)}};
    const int peak = (1 << bits) - 1, unit = bits == 8 ? 1 : 4;
    for (int n = 0; n < 3; ++n) {
        for (uint32_t p = 0; p < 3; ++p) {
            for (int y = 0; y < static_cast<int>(format.plane_height(p)); ++y) {
                for (int x = 0; x < static_cast<int>(format.plane_width(p)); ++x) {
                    const int plane = static_cast<int>(p);
                    const int low = bits == 8 ? 0 : (x + y) & 3;
                    const int r = unit * reference_value(plane, x, y, n) + low;
                    const int d = r + unit * error_value(plane, x, y, n);
                    const auto at = static_cast<size_t>(n);
                    append(clips.reference.pictures[at].plane[p], r, bits);
                    append(clips.distorted.pictures[at].plane[p], std::clamp(d, 0, peak), bits);
                }
            }
        }
    }
    return clips;
}

} // namespace vmafx_test
