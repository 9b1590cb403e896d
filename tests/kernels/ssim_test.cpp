/* SPDX-License-Identifier: BSD-2-Clause
 *
 * SSIM in integers: listed scores of clips made by formulas, and a slow program that sums up each
 * window on its own, for all depths and for sizes down to one sample.
 */
#include <random>

#include "features/registry.h"
#include "kernels/plan_scores.h"
#include "kernels/vector_clips.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx_test;

static void assert_ssim(const Clip &reference, const Clip &distorted,
                        const std::vector<double> &expected)
{
    for (const std::string &image : DirectRunner::names()) {
        const auto runner = DirectRunner::of_name(image);
        const Scores scores = score_clips(*runner, *ssim_feature(), {{}}, reference, distorted)[0];
        const auto &values = scores.frames.at("ssim");
        ck_assert_uint_eq(values.size(), expected.size());
        for (size_t i = 0; i < expected.size(); ++i)
            ck_assert_msg(same_bits(values.at(i), expected[i]),
                          "%s, %ux%u, %u bits: frame %zu is %.17g, not %.17g", image.c_str(),
                          reference.format.width, reference.format.height, reference.format.bits, i,
                          values.at(i), expected[i]);
    }
}

START_TEST(listed_scores)
{
    const ClipPair of_8_bits = vector_clips(8), of_10_bits = vector_clips(10);
    assert_ssim(of_8_bits.reference, of_8_bits.distorted,
                {0.99708632171501288, 0.99719812528307783, 0.99703823199143859});
    assert_ssim(of_10_bits.reference, of_10_bits.distorted,
                {0.99708694304526835, 0.99719884542530579, 0.99703879330136502});
}
END_TEST

static double slow_ssim(const Clip &reference, const Clip &distorted)
{
    const int weights[] = {2, 9, 28, 55, 68, 55, 28, 9, 2};
    const int width = static_cast<int>(reference.format.width);
    const int height = static_cast<int>(reference.format.height);
    const auto sample = [&](const Clip &clip, int x, int y) -> int64_t {
        const auto i = static_cast<size_t>(y * width + x);
        const std::vector<uint8_t> &bytes = clip.pictures[0].plane[0];
        return clip.format.bits > 8 ? bytes[2 * i] + 256 * bytes[2 * i + 1] : bytes[i];
    };
    const double peak = static_cast<double>((1 << reference.format.bits) - 1);
    double sum = 0, weight_sum = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            int64_t w = 0, a = 0, b = 0, aa = 0, ab = 0, bb = 0;
            for (int v = std::max(0, y - 4); v <= std::min(height - 1, y + 4); ++v) {
                for (int u = std::max(0, x - 4); u <= std::min(width - 1, x + 4); ++u) {
                    const int64_t k = weights[v - y + 4] * weights[u - x + 4];
                    const int64_t s = sample(reference, u, v), d = sample(distorted, u, v);
                    w += k;
                    a += k * s;
                    b += k * d;
                    aa += k * s * s;
                    ab += k * s * d;
                    bb += k * d * d;
                }
            }
            const double W = static_cast<double>(w);
            const double A = static_cast<double>(a), B = static_cast<double>(b);
            const double c1 = peak * peak * (0.01 * 0.01) * W * W;
            const double c2 = peak * peak * (0.03 * 0.03) * W * W;
            const double left =
                W * (2 * (A * B) + c1) * (c2 + 2 * (static_cast<double>(ab) * W - A * B));
            const double right = (A * A + B * B + c1) * (static_cast<double>(aa) * W - A * A +
                                                         static_cast<double>(bb) * W - B * B + c2);
            sum += left / right;
            weight_sum += W;
        }
    }
    return sum / weight_sum;
}

/** Noise on a slope, full scale in one corner. */
static Clip noisy(const PictureFormat &format, uint32_t seed, uint32_t noise)
{
    Clip clip{format, std::vector<Picture>(1)};
    std::mt19937 random(seed);
    const uint32_t peak = (1u << format.bits) - 1;
    for (uint32_t y = 0; y < format.height; ++y) {
        for (uint32_t x = 0; x < format.width; ++x) {
            uint32_t value =
                (x * peak / format.width + static_cast<uint32_t>(random()) % noise) & peak;
            if (x < 20 && y < 20)
                value = peak;
            clip.pictures[0].plane[0].push_back(static_cast<uint8_t>(value));
            if (format.bits > 8)
                clip.pictures[0].plane[0].push_back(static_cast<uint8_t>(value >> 8));
        }
    }
    return clip;
}

START_TEST(slow_program_gives_the_same)
{
    for (uint32_t bits = 8; bits <= 16; ++bits) {
        const PictureFormat format{131, 77, bits, Chroma::k400};
        const uint32_t noise = 1u << (bits - 3);
        const Clip a = noisy(format, bits, noise), b = noisy(format, bits + 20, noise);
        assert_ssim(a, b, {slow_ssim(a, b)});
    }
    static const uint32_t sizes[][2] = {{1, 1},   {3, 2},     {4, 9},     {9, 4},      {520, 5},
                                        {5, 250}, {513, 121}, {1030, 65}, {2100, 1001}};
    for (const auto &size : sizes) { /* the last one has more samples than a map */
        const PictureFormat format{size[0], size[1], 12, Chroma::k400};
        const Clip a = noisy(format, 5, 4096), b = noisy(format, 6, 64);
        assert_ssim(a, b, {slow_ssim(a, b)});
    }
}
END_TEST

START_TEST(equal_pictures)
{
    const Clip clip = noisy({200, 100, 8, Chroma::k400}, 1, 256);
    assert_ssim(clip, clip, {slow_ssim(clip, clip)});
    ck_assert_double_eq_tol(slow_ssim(clip, clip), 1, 1e-12);
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("ssim");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, listed_scores);
    tcase_add_test(tcase, slow_program_gives_the_same);
    tcase_add_test(tcase, equal_pictures);
    return run_tests(tcase, "ssim");
}
