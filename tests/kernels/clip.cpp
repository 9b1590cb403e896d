/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels/clip.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace vmafx_test
{

using vmafx::Chroma;
using vmafx::PictureFormat;

namespace
{

struct CloseFile {
    void operator()(FILE *file) const { std::fclose(file); }
};
struct ClosePipe {
    void operator()(FILE *file) const { pclose(file); }
};

Chroma chroma_of(const std::string &tag)
{
    if (tag.starts_with("mono"))
        return Chroma::k400;
    if (tag.starts_with("444"))
        return Chroma::k444;
    return tag.starts_with("422") ? Chroma::k422 : Chroma::k420;
}

uint32_t bits_of(const std::string &tag)
{
    const size_t p = tag.find('p');
    const int bits = p == std::string::npos ? 0 : std::atoi(tag.c_str() + p + 1);
    return bits > 8 ? static_cast<uint32_t>(bits) : 8;
}

PictureFormat parse_header(const std::string &line)
{
    PictureFormat format{0, 0, 8, Chroma::k420};
    std::istringstream words(line);
    for (std::string word; words >> word;) {
        const std::string value = word.substr(1);
        if (word[0] == 'W')
            format.width = static_cast<uint32_t>(std::stoul(value));
        if (word[0] == 'H')
            format.height = static_cast<uint32_t>(std::stoul(value));
        if (word[0] == 'C') {
            format.chroma = chroma_of(value);
            format.bits = bits_of(value);
        }
    }
    return format;
}

bool read_line(FILE *file, std::string &line)
{
    line.clear();
    for (int c; (c = std::fgetc(file)) != EOF;) {
        if (c == '\n')
            return true;
        line += static_cast<char>(c);
    }
    return false;
}

Picture empty_picture(const PictureFormat &format)
{
    Picture picture;
    for (uint32_t p = 0; p < format.plane_count(); ++p)
        picture.plane[p].resize(size_t{format.plane_width(p)} * format.plane_height(p) *
                                format.sample_bytes());
    return picture;
}

Clip read_stream(FILE *file, const std::string &path)
{
    Clip clip;
    std::string line;
    if (!read_line(file, line) || !line.starts_with("YUV4MPEG2 "))
        throw std::runtime_error(path + " is no y4m file");
    clip.format = parse_header(line.substr(10));
    while (read_line(file, line)) {
        Picture picture = empty_picture(clip.format);
        for (auto &plane : picture.plane) {
            if (std::fread(plane.data(), 1, plane.size(), file) != plane.size())
                throw std::runtime_error(path + " ends within a frame");
        }
        clip.pictures.push_back(std::move(picture));
    }
    return clip;
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

Clip read_y4m(const std::string &path)
{
    if (!std::filesystem::exists(path))
        throw std::runtime_error(path + " does not exist");
    if (path.ends_with(".xz")) {
        std::unique_ptr<FILE, ClosePipe> pipe(popen(("xz -dc '" + path + "'").c_str(), "r"));
        return read_stream(pipe.get(), path);
    }
    std::unique_ptr<FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
    return read_stream(file.get(), path);
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
