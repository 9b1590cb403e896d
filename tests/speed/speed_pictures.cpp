/* SPDX-License-Identifier: BSD-2-Clause */
#include "speed_pictures.h"

namespace vmafx_test
{

namespace
{

void append(std::vector<uint8_t> &plane, int value, bool wide)
{
    plane.push_back(static_cast<uint8_t>(value));
    if (wide)
        plane.push_back(static_cast<uint8_t>(value >> 8));
}

int reference_sample(int x, int y, int t, int plane, bool wide)
{
    const int moved = x + 2 * t;
    const int fine = (moved / 6 + 1) * (y / 5 + 1) * (2 * plane + 3) % 61;
    const int coarse = (moved / 23 * 7 + y / 19 * 11 + 5 * plane) % 29;
    const int value = 60 + fine + 2 * coarse;
    return wide ? 4 * value + (moved + y + plane) % 4 : value;
}

int distorted_sample(int reference, int x, int y, bool wide)
{
    const int step = wide ? 32 : 8;
    return (x / 32 + y / 32) % 3 ? reference / step * step + step / 2 : reference;
}

} // namespace

ClipPair speed_clips(const vmafx::PictureFormat &format, int frames)
{
    const bool wide = format.bits > 8;
    const int shift = wide ? static_cast<int>(format.bits) - 10 : 0;
    ClipPair pair{{format, {}}, {format, {}}};
    for (int t = 0; t < frames; ++t) {
        Picture reference, distorted;
        for (uint32_t p = 0; p < format.plane_count(); ++p) {
            const int width = static_cast<int>(format.plane_width(p));
            const int height = static_cast<int>(format.plane_height(p));
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    const int r = reference_sample(x, y, t, static_cast<int>(p), wide);
                    append(reference.plane[p], r << shift, wide);
                    append(distorted.plane[p], distorted_sample(r, x, y, wide) << shift, wide);
                }
            }
        }
        pair.reference.pictures.push_back(std::move(reference));
        pair.distorted.pictures.push_back(std::move(distorted));
    }
    return pair;
}

} // namespace vmafx_test
