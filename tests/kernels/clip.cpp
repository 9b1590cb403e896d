/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels/clip.h"

#include <algorithm>
#include <cstring>

namespace vmafx_test
{

using vmafx::Chroma;
using vmafx::PictureFormat;

namespace
{

Chroma chroma_of(uint32_t layout)
{
    switch (layout) {
    case VMAFX_LAYOUT_400:
        return Chroma::k400;
    case VMAFX_LAYOUT_422:
        return Chroma::k422;
    case VMAFX_LAYOUT_444:
        return Chroma::k444;
    default:
        return Chroma::k420;
    }
}

Picture empty_picture(const PictureFormat &format)
{
    Picture picture;
    for (uint32_t p = 0; p < format.plane_count(); ++p)
        picture.plane[p].resize(size_t{format.plane_width(p)} * format.plane_height(p) *
                                format.sample_bytes());
    return picture;
}

void put(Picture &picture, const PictureFormat &format, size_t at, int value)
{
    if (format.bits == 8) {
        picture.plane[0][at] = static_cast<uint8_t>(value);
        return;
    }
    picture.plane[0][2 * at] = static_cast<uint8_t>(value);
    picture.plane[0][2 * at + 1] = static_cast<uint8_t>(value >> 8);
}

} // namespace

vmafx::PictureView Picture::view(const PictureFormat &format) const
{
    vmafx::PictureView view;
    for (uint32_t p = 0; p < format.plane_count(); ++p)
        view.plane[p] = {plane[p].data(), uint64_t{format.plane_width(p)} * format.sample_bytes()};
    return view;
}

Clip read_clip(const support::Y4mClip &source, size_t frames)
{
    Clip clip{{source.width(), source.height(), source.bits(), chroma_of(source.layout())}, {}};
    for (size_t i = 0; i < std::min(frames, source.frames()); ++i) {
        const VmafxFrameImport desc = source.host_import(i);
        Picture picture = empty_picture(clip.format);
        for (uint32_t p = 0; p < desc.plane_count; ++p)
            std::memcpy(picture.plane[p].data(), desc.plane[p].address, picture.plane[p].size());
        clip.pictures.push_back(std::move(picture));
    }
    return clip;
}

Clip deepened(const Clip &clip, uint32_t bits)
{
    Clip deep = clip;
    deep.format.bits = bits;
    for (size_t i = 0; i < clip.pictures.size(); ++i) {
        for (uint32_t p = 0; p < clip.format.plane_count(); ++p) {
            std::vector<uint8_t> &words = deep.pictures[i].plane[p];
            words.clear();
            for (const uint8_t sample : clip.pictures[i].plane[p]) {
                const unsigned word = unsigned{sample} << (bits - 8);
                words.push_back(static_cast<uint8_t>(word));
                words.push_back(static_cast<uint8_t>(word >> 8));
            }
        }
    }
    return deep;
}

ClipPair generated_clips(uint32_t width, uint32_t height, uint32_t bits, int frames)
{
    const PictureFormat format{width, height, bits, Chroma::k400};
    ClipPair pair{{format, {}}, {format, {}}};
    const int w = static_cast<int>(width), h = static_cast<int>(height);
    const int depth = static_cast<int>(bits) - 8, top = (1 << bits) - 1;
    uint32_t state = 12345;
    const auto next = [&state] {
        state = (state * 1103515245u + 12345u) & 0x7fffffffu;
        return static_cast<int>(state);
    };
    for (int t = 0; t < frames; ++t) {
        Picture reference = empty_picture(format), distorted = empty_picture(format);
        for (int y = 0; y < h; ++y) {
            for (int x = 0; x < w; ++x) {
                const int first = next();
                int v = 30 + 150 * x / (w - 1) + 50 * y / (h - 1) + (first >> 16) % 13 - 6;
                const int dx = x - 10 - 3 * t, dy = y - 12 - 2 * t;
                v += dx * dx + dy * dy < 80 ? 45 : 0;
                v -= x > w / 2 && ((x >> 3) + (y >> 3)) % 2 == 1 ? 40 : 0;
                v = std::clamp(v, 0, 255);
                const int ref = (v << depth) + (first >> 4) % (1 << depth);
                const int noise = (next() >> 16) % 5 - 2;
                const int q = 12 << depth;
                const bool coarse = (x >> 4) % 3 != 0;
                const int dis = coarse ? ref / q * q + q / 2 : ref + noise * (1 << depth);
                const size_t at = static_cast<size_t>(y) * width + static_cast<size_t>(x);
                put(reference, format, at, ref);
                put(distorted, format, at, std::clamp(dis, 0, top));
            }
        }
        pair.reference.pictures.push_back(std::move(reference));
        pair.distorted.pictures.push_back(std::move(distorted));
    }
    return pair;
}

} // namespace vmafx_test
