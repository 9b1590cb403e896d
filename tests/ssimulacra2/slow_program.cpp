/* SPDX-License-Identifier: BSD-2-Clause */
#include "slow_program.h"

#include <algorithm>
#include <cmath>

namespace vmafx_test
{

double DoublePlane::repeated(int x, int y) const
{
    return at(std::clamp(x, 0, width - 1), std::clamp(y, 0, height - 1));
}

namespace
{

using Pixel = std::function<double(int, int)>;

DoublePlane map(int width, int height, const Pixel &pixel)
{
    DoublePlane plane{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            plane.v.push_back(pixel(x, y));
    return plane;
}

/* ---- colour --------------------------------------------------------------------------------- */

DoublePlane samples_of(const Clip &clip, size_t picture, uint32_t p)
{
    const vmafx::PictureFormat &format = clip.format;
    const std::vector<uint8_t> &bytes = clip.pictures[picture].plane[p];
    const int width = static_cast<int>(format.plane_width(p));
    return map(width, static_cast<int>(format.plane_height(p)), [&](int x, int y) {
        const auto i = static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
        return format.bits > 8 ? bytes[2 * i] + 256 * bytes[2 * i + 1] : bytes[i];
    });
}

double catmull_rom(double a, double b, double c, double d, double at)
{
    return b + at / 2 * (c - a + at * (2 * a - 5 * b + 4 * c - d + at * (3 * (b - c) + d - a)));
}

/** Chroma at a pixel of luma. */
double chroma_at(const DoublePlane &plane, int x, int y, bool half_x, bool half_y, bool smooth)
{
    if (!smooth)
        return plane.at(half_x ? x / 2 : x, half_y ? y / 2 : y);
    const double fx = half_x ? x / 2.0 : x;
    const double fy = half_y ? (y - 0.5) / 2 : y;
    const int ix = static_cast<int>(std::floor(fx)), iy = static_cast<int>(std::floor(fy));
    const auto row = [&](int j) {
        return catmull_rom(plane.repeated(ix - 1, j), plane.repeated(ix, j),
                           plane.repeated(ix + 1, j), plane.repeated(ix + 2, j), fx - ix);
    };
    return catmull_rom(row(iy - 1), row(iy), row(iy + 1), row(iy + 2), fy - iy);
}

} // namespace

double srgb_light(double v)
{
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

double oetf_light(double v)
{
    const double beta = 0.018053968510807, alpha = 1 + 5.5 * beta;
    return v < 4.5 * beta ? v / 4.5 : std::pow((v + alpha - 1) / alpha, 1 / 0.45);
}

Rgb rgb_of(const Clip &clip, size_t picture, const ColourRules &rules)
{
    const vmafx::PictureFormat &format = clip.format;
    const int width = static_cast<int>(format.width), height = static_cast<int>(format.height);
    const double unit = std::pow(2.0, static_cast<double>(format.bits) - 8);
    const double peak = 256 * unit - 1;
    const auto light = [&](double v) { return rules.light(std::clamp(v, 0.0, 1.0)); };
    const auto luma = [&](double v) { return rules.full ? v / peak : (v / unit - 16) / 219; };
    const auto chroma = [&](double v) {
        return rules.full ? (v - 128 * unit) / peak : (v / unit - 128) / 224;
    };
    std::vector<DoublePlane> planes;
    for (uint32_t p = 0; p < format.plane_count(); ++p)
        planes.push_back(samples_of(clip, picture, p));
    if (rules.red == 0) {
        const auto plane = [&](size_t p) {
            return map(width, height,
                       [&](int x, int y) { return light(luma(planes[p].at(x, y))); });
        };
        return {plane(2), plane(0), plane(1)};
    }
    const bool half_x = format.plane_width(1) < format.width;
    const bool half_y = format.plane_height(1) < format.height;
    const auto colour = [&](size_t p) {
        if (planes.size() == 1)
            return map(width, height, [](int, int) { return 0.0; });
        return map(width, height, [&](int x, int y) {
            return chroma(chroma_at(planes[p], x, y, half_x, half_y, rules.smooth));
        });
    };
    const DoublePlane u = colour(1), v = colour(2);
    const double kr = rules.red, kb = rules.blue, kg = 1 - kr - kb;
    const auto sum = [&](double of_u, double of_v) {
        return map(width, height, [&](int x, int y) {
            return light(luma(planes[0].at(x, y)) + of_u * u.at(x, y) + of_v * v.at(x, y));
        });
    };
    return {sum(0, 2 * (1 - kr)), sum(-2 * kb * (1 - kb) / kg, -2 * kr * (1 - kr) / kg),
            sum(2 * (1 - kb), 0)};
}

/* ---- the metric ----------------------------------------------------------------------------- */

namespace
{

Rgb halved(const Rgb &in)
{
    const auto half = [](const DoublePlane &p) {
        return map((p.width + 1) / 2, (p.height + 1) / 2, [&](int x, int y) {
            return (p.repeated(2 * x, 2 * y) + p.repeated(2 * x + 1, 2 * y) +
                    p.repeated(2 * x, 2 * y + 1) + p.repeated(2 * x + 1, 2 * y + 1)) /
                   4;
        });
    };
    return {half(in[0]), half(in[1]), half(in[2])};
}

Rgb xyb_of(const Rgb &rgb)
{
    const double bias = 0.0037930732552754493;
    const auto mixed = [&](double r, double g, double b) {
        return map(rgb[0].width, rgb[0].height, [&, r, g, b](int x, int y) {
            const double sum =
                r * rgb[0].at(x, y) + g * rgb[1].at(x, y) + b * rgb[2].at(x, y) + bias;
            return std::cbrt(std::max(sum, 0.0)) - std::cbrt(bias);
        });
    };
    const DoublePlane l = mixed(0.30, 0.622, 0.078), m = mixed(0.23, 0.692, 0.078);
    const DoublePlane s = mixed(0.24342268924547819, 0.20476744424496821, 0.5518098665095536);
    const auto plane = [&](const std::function<double(double, double, double)> &f) {
        return map(l.width, l.height,
                   [&](int x, int y) { return f(l.at(x, y), m.at(x, y), s.at(x, y)); });
    };
    return {plane([](double a, double b, double) { return 14 * (a - b) / 2 + 0.42; }),
            plane([](double a, double b, double) { return (a + b) / 2 + 0.01; }),
            plane([](double a, double b, double c) { return c - (a + b) / 2 + 0.55; })};
}

/** One row or column, by three oscillators. */
std::vector<double> blurred(const std::vector<double> &in)
{
    static const double kFeed[] = {0.055295235726086613, -0.058836687026949989,
                                   0.012955819110517068};
    static const double kBack[] = {-1.9021130325903071, -1.1755705045849463,
                                   -1.2246467991473532e-16};
    const int reach = 5, count = static_cast<int>(in.size());
    const auto at = [&](int i) { return i < 0 || i >= count ? 0.0 : in[static_cast<size_t>(i)]; };
    std::vector<double> out;
    double last[3] = {}, before[3] = {};
    for (int n = -reach + 1; n < count; ++n) {
        double sum = 0;
        for (int k = 0; k < 3; ++k) {
            const double next =
                kFeed[k] * (at(n - reach - 1) + at(n + reach - 1)) - kBack[k] * last[k] - before[k];
            before[k] = last[k];
            last[k] = next;
            sum += next;
        }
        if (n >= 0)
            out.push_back(sum);
    }
    return out;
}

DoublePlane turned(const DoublePlane &in)
{
    return map(in.height, in.width, [&](int x, int y) { return in.at(y, x); });
}

DoublePlane rows_blurred(const DoublePlane &in)
{
    DoublePlane out{in.width, in.height, {}};
    for (int y = 0; y < in.height; ++y) {
        const auto begin = in.v.begin() + static_cast<ptrdiff_t>(y) * in.width;
        const std::vector<double> row = blurred({begin, begin + in.width});
        out.v.insert(out.v.end(), row.begin(), row.end());
    }
    return out;
}

DoublePlane blurred(const DoublePlane &in)
{
    return turned(rows_blurred(turned(rows_blurred(in))));
}

DoublePlane times(const DoublePlane &a, const DoublePlane &b)
{
    return map(a.width, a.height, [&](int x, int y) { return a.at(x, y) * b.at(x, y); });
}

std::array<double, 6> sub_scores(const DoublePlane &a, const DoublePlane &b)
{
    const DoublePlane m1 = blurred(a), m2 = blurred(b);
    const DoublePlane s11 = blurred(times(a, a)), s22 = blurred(times(b, b));
    const DoublePlane s12 = blurred(times(a, b));
    std::array<double, 6> sums = {};
    for (size_t i = 0; i < a.v.size(); ++i) {
        const double mu1 = m1.v[i], mu2 = m2.v[i], c2 = 0.0009;
        const double nm = 1 - (mu1 - mu2) * (mu1 - mu2);
        const double ns = 2 * (s12.v[i] - mu1 * mu2) + c2;
        const double dn = (s11.v[i] - mu1 * mu1) + (s22.v[i] - mu2 * mu2) + c2;
        const double d = (1 + std::fabs(b.v[i] - mu2)) / (1 + std::fabs(a.v[i] - mu1)) - 1;
        const double errors[] = {std::max(0.0, 1 - nm * ns / dn), std::max(0.0, d),
                                 std::max(0.0, -d)};
        for (size_t k = 0; k < 3; ++k) {
            sums[k] += errors[k];
            sums[3 + k] += std::pow(errors[k], 4);
        }
    }
    const double pixels = static_cast<double>(a.v.size());
    for (size_t k = 0; k < 3; ++k) {
        sums[k] /= pixels;
        sums[3 + k] = std::pow(sums[3 + k] / pixels, 0.25);
    }
    return sums;
}

} // namespace

SubScores slow_sub_scores(Rgb reference, Rgb distorted)
{
    SubScores found;
    for (int scale = 0; scale < 6; ++scale) {
        if (scale > 0) {
            if (reference[0].width < 8 || reference[0].height < 8)
                break;
            reference = halved(reference);
            distorted = halved(distorted);
        }
        const Rgb a = xyb_of(reference), b = xyb_of(distorted);
        for (size_t p = 0; p < 3; ++p)
            found[p].push_back(sub_scores(a[p], b[p]));
    }
    return found;
}

double slow_score(const SubScores &sub_scores, const std::vector<double> &weights)
{
    double t = 0;
    size_t next = 0;
    for (const auto &plane : sub_scores)
        for (const auto &scale : plane)
            for (const double value : scale)
                t += weights[next++] * std::fabs(value);
    t *= 0.9562382616834844;
    t = 2.326765642916932 * t - 0.020884521182843837 * t * t + 6.248496625763138e-05 * t * t * t;
    return t > 0 ? 100 - 10 * std::pow(t, 0.6276336467831387) : 100;
}

} // namespace vmafx_test
