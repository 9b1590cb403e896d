/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference_pictures.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <stdexcept>

namespace vmafx_test
{

namespace
{

/** A number of 16 bits that looks like noise. */
int noise_at(int x, int y, int c)
{
    uint32_t h = static_cast<uint32_t>(x) * 73856093u ^ static_cast<uint32_t>(y) * 19349663u ^
                 static_cast<uint32_t>(c) * 83492791u;
    h ^= h >> 13;
    h *= 0x85ebca6bu;
    return static_cast<int>(h >> 16);
}

/** Up and down between 0 and half the period. */
int wave(int at, int period)
{
    const int phase = at % period;
    return std::min(phase, period - phase);
}

/** Slopes, waves of two lengths, a disc, a striped corner and grain in two thirds; 8 bits. */
int scene(int x, int y, int c)
{
    const int dx = x - 40 - 4 * c, dy = y - 36;
    const int disc = dx * dx + dy * dy < 500 ? 45 - 20 * c : 0;
    const int stripes = x % 128 > 90 && y % 96 > 60 ? x / 3 % 2 * 40 : 0;
    const int grain = (x / 24 + y / 20) % 3 ? noise_at(x, y, c) % 9 : 0;
    return 30 + wave(2 * x + (c + 1) * y + 30 * c, 180) + wave(7 * x + (11 - 3 * c) * y, 84) +
           disc + stripes + grain;
}

/** A sample of the scene at a place that may be outside, where the edges go on. */
using Sample = std::function<int(int x, int y, int c)>;
/** One sample of the distorted picture, in the same number of bits. */
using Distortion = std::function<int(const Sample &in, int x, int y, int c)>;

int mean_around(const Sample &in, int x, int y, int c)
{
    int sum = 0;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
            sum += in(x + i, y + j, c);
    return sum / 9;
}

int mean_of_block(const Sample &in, int x, int y, int c)
{
    int sum = 0;
    for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 4; ++i)
            sum += in(x / 4 * 4 + i, y / 4 * 4 + j, c);
    return sum / 16;
}

int grey_of(const Sample &in, int x, int y)
{
    return (in(x, y, 0) + 2 * in(x, y, 1) + in(x, y, 2)) / 4;
}

/** unit: of a step of 8 bits. */
Distortion distortion_of(const std::string &name, int unit)
{
    if (name == "coarse")
        return [=](const Sample &in, int x, int y, int c) {
            return in(x, y, c) / (20 * unit) * (20 * unit) + 10 * unit;
        };
    if (name == "soft")
        return [](const Sample &in, int x, int y, int c) { return mean_around(in, x, y, c); };
    if (name == "blocks")
        return [](const Sample &in, int x, int y, int c) { return mean_of_block(in, x, y, c); };
    if (name == "grain")
        return [=](const Sample &in, int x, int y, int c) {
            return in(x, y, c) + unit * (noise_at(y, x, c + 5) % 256 - 128) / 16;
        };
    if (name == "sharp")
        return [](const Sample &in, int x, int y, int c) {
            return 2 * in(x, y, c) - mean_around(in, x, y, c);
        };
    if (name == "dark")
        return [](const Sample &in, int x, int y, int c) { return in(x, y, c) * 7 / 8; };
    if (name == "pale")
        return [](const Sample &in, int x, int y, int c) {
            return (in(x, y, c) + grey_of(in, x, y)) / 2;
        };
    if (name == "moved")
        return [](const Sample &in, int x, int y, int c) { return in(x - 1, y, c); };
    if (name == "ringing")
        return [=](const Sample &in, int x, int y, int c) {
            const int edge = std::abs(in(x + 4, y, c) - in(x - 4, y, c)) / 3;
            return in(x, y, c) + (x % 2 ? edge : -edge);
        };
    if (name == "brighter")
        return [=](const Sample &in, int x, int y, int c) { return in(x, y, c) + unit; };
    throw std::invalid_argument("no distortion " + name);
}

std::string file_name(const ReferencePair &pair, const std::string &folder, const char *which)
{
    return folder + "/" + pair.name + "_" + which + (pair.grey ? ".pgm" : ".ppm");
}

void write_picture(const ReferencePair &pair, const Picture &picture, const std::string &path)
{
    std::ofstream file(path, std::ios::binary);
    file << (pair.grey ? "P5\n" : "P6\n") << pair.width << " " << pair.height << "\n"
         << (pair.deep ? 65535 : 255) << "\n";
    static const size_t kOfRgb[] = {2, 0, 1};
    const size_t bytes = pair.deep ? 2 : 1, channels = pair.grey ? 1 : 3;
    for (size_t i = 0; i < picture.plane[0].size(); i += bytes)
        for (size_t c = 0; c < channels; ++c)
            for (size_t k = bytes; k-- > 0;)
                file.put(static_cast<char>(picture.plane[pair.grey ? 0 : kOfRgb[c]][i + k]));
    if (!file.flush())
        throw std::runtime_error("cannot write " + path);
}

} // namespace

const std::vector<ReferencePair> &reference_pairs()
{
    static const std::vector<ReferencePair> pairs = {
        /* clang-format off */
        {"coarse", 320, 240, false, false, 1, 75.03694421, 0.02},
        {"soft", 257, 131, false, false, 1, 63.23841637, 0.02},
        {"blocks", 160, 120, false, false, 1, 55.40717409, 0.02},
        {"grain", 200, 150, false, false, 1, 81.53396369, 0.02},
        {"sharp", 96, 80, false, false, 1, 78.84809192, 0.02},
        {"dark", 131, 127, false, false, 1, 54.27058580, 0.02},
        {"pale", 240, 180, false, false, 1, 10.43676300, 0.02},
        {"moved", 64, 64, false, false, 1, 53.79841782, 0.02},
        {"ringing", 211, 117, false, false, 1, 67.30369677, 0.02},
        {"coarse-deep", 150, 130, false, true, 1, 75.17693069, 0.02},
        {"grain-deep", 113, 113, false, true, 1, 76.68072095, 0.02},
        {"grain-night", 140, 130, false, false, 6, 71.16796093, 0.02},
        {"soft-grey", 180, 140, true, false, 1, 72.30017510, 0.02},
        {"brighter", 320, 240, false, false, 1, 97.00005705, 0.3},
        /* clang-format on */
    };
    return pairs;
}

ClipPair clips_of(const ReferencePair &pair)
{
    const int unit = pair.deep ? 256 : 1;
    const vmafx::PictureFormat format{static_cast<uint32_t>(pair.width),
                                      static_cast<uint32_t>(pair.height), pair.deep ? 16u : 8u,
                                      pair.grey ? vmafx::Chroma::k400 : vmafx::Chroma::k444};
    const Sample sample = [&](int x, int y, int c) {
        const int i = std::clamp(x, 0, pair.width - 1), j = std::clamp(y, 0, pair.height - 1);
        return scene(i, j, c) / pair.shade * unit + (pair.deep ? noise_at(i, j, c + 9) % 256 : 0);
    };
    const Distortion distorted = distortion_of(pair.name.substr(0, pair.name.find('-')), unit);
    ClipPair clips{{format, std::vector<Picture>(1)}, {format, std::vector<Picture>(1)}};
    static const int kChannel[] = {1, 2, 0};
    for (uint32_t p = 0; p < format.plane_count(); ++p) {
        const int c = kChannel[p];
        for (int y = 0; y < pair.height; ++y) {
            for (int x = 0; x < pair.width; ++x) {
                const int d = distorted(sample, x, y, c);
                append(clips.reference.pictures[0].plane[p], sample(x, y, c), format.bits);
                append(clips.distorted.pictures[0].plane[p], std::clamp(d, 0, 256 * unit - 1),
                       format.bits);
            }
        }
    }
    return clips;
}

void write_pictures(const ReferencePair &pair, const std::string &folder)
{
    const ClipPair clips = clips_of(pair);
    write_picture(pair, clips.reference.pictures[0], file_name(pair, folder, "reference"));
    write_picture(pair, clips.distorted.pictures[0], file_name(pair, folder, "distorted"));
}

} // namespace vmafx_test
