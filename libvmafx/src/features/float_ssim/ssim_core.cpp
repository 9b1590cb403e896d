/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/float_ssim/ssim_core.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "features/float_ssim/float_ssim_kernels.h"
#include "kernels/ordered_sum_kernels.h"

namespace vmafx
{

namespace
{

/* Maps of more windows would only be more memory: sums go on from one part to the next. */
constexpr uint64_t kMostWindows = uint64_t{1} << 21;

/* Rows of windows in a tile: few enough for all cores to have work, many against the ten rows that
 * are filtered once more. */
constexpr uint32_t kCpuBand = 118;
constexpr uint32_t kMostGpuBand = 54, kLeastGpuBand = 14; /* + kSsimMargin: a multiple of rows */
constexpr uint32_t kEnoughGpuTiles = 512;

uint32_t rows_of_maps(uint32_t map_width)
{
    return static_cast<uint32_t>(std::max<uint64_t>(1, kMostWindows / map_width));
}

} // namespace

SsimPictures ssim_pictures(const FrameJob &job, const PictureFormat &format)
{
    const PlaneView &reference = job.reference.plane[0], &distorted = job.distorted.plane[0];
    return {reference.data, distorted.data, reference.pitch, distorted.pitch, format.width,
            format.height,  false};
}

SsimPictures ssim_pictures(const float *reference, const float *distorted, uint32_t width,
                           uint32_t height)
{
    const uint64_t pitch = width * sizeof(float);
    return {reference, distorted, pitch, pitch, width, height, true};
}

SsimMeans ssim_means(const uint64_t *results, uint32_t width, uint32_t height)
{
    const double windows =
        static_cast<double>(uint64_t{width - kSsimMargin} * (height - kSsimMargin));
    SsimMeans means;
    for (int k = 0; k < kSsimSums; ++k)
        means.mean[k] = static_cast<float>(std::bit_cast<double>(results[k]) / windows);
    return means;
}

void SsimCore::prepare(PlanDevice &device, uint32_t bits, float step, uint64_t windows,
                       unsigned wanted)
{
    cpu_tiles_ = device.cpu_tiles();
    step_ = step;
    samples_ = device.kernel(bits == 8 ? "float_ssim_8" : "float_ssim_16");
    floats_ = device.kernel("float_ssim_f32");
    sum_doubles_ = device.kernel("ordered_sum_f64");
    sum_floats_ = device.kernel("ordered_sum_f32_f64");
    for (int k = 0; k < kSsimSums; ++k) {
        const uint64_t bytes = k == kSsimStructure ? sizeof(float) : sizeof(double);
        if (wanted & (1u << k))
            map_[k] = device.allocate(std::min(windows, kMostWindows) * bytes);
    }
}

void SsimCore::enqueue(PlanStream &stream, const SsimPictures &pictures, unsigned wanted,
                       uint64_t *results) const
{
    const uint32_t rows = pictures.height - kSsimMargin;
    const uint32_t part = rows_of_maps(pictures.width - kSsimMargin);
    for (uint32_t first = 0; first < rows; first += part)
        enqueue_rows(stream, pictures, wanted, first, std::min(rows, first + part), results);
}

void SsimCore::enqueue_rows(PlanStream &stream, const SsimPictures &pictures, unsigned wanted,
                            uint32_t first, uint32_t end, uint64_t *results) const
{
    const auto map = [&](SsimSum k) { return wanted & (1u << k) ? map_[k] : nullptr; };
    const uint32_t map_width = pictures.width - kSsimMargin, rows = end - first;
    const FloatSsimShape shape = cpu_tiles_ ? kFloatSsimCpuShape : kFloatSsimGpuShape;
    const uint32_t across = groups_for(map_width, shape.width);
    uint32_t band = cpu_tiles_ ? kCpuBand : kMostGpuBand;
    if (!cpu_tiles_ && across * groups_for(rows, band) < kEnoughGpuTiles)
        band = kLeastGpuBand;

    FloatSsimArgs args = {};
    args.reference = pictures.reference;
    args.distorted = pictures.distorted;
    args.reference_pitch = pictures.reference_pitch;
    args.distorted_pitch = pictures.distorted_pitch;
    args.width = static_cast<int32_t>(pictures.width);
    args.rows = static_cast<int32_t>(pictures.height);
    args.first = static_cast<int32_t>(first);
    args.end = static_cast<int32_t>(end);
    args.band = static_cast<int32_t>(band);
    args.step = step_;
    args.score = static_cast<double *>(map(kSsimScore));
    args.luminance = static_cast<double *>(map(kSsimLuminance));
    args.contrast = static_cast<double *>(map(kSsimContrast));
    args.structure = static_cast<float *>(map(kSsimStructure));
    stream.launch(pictures.floats ? floats_ : samples_,
                  Grid{across, groups_for(rows, band), 1, kFloatSsimThreads}, args);

    const int64_t count = static_cast<int64_t>(uint64_t{map_width} * rows);
    OrderedSumArgs sums = {};
    uint32_t maps = 0;
    for (const SsimSum k : {kSsimScore, kSsimLuminance, kSsimContrast})
        if (wanted & (1u << k))
            sums.map[maps++] = {map_[k], count, results + k};
    if (maps > 0)
        stream.launch(sum_doubles_, Grid{maps, 1, 1, kOrderedThreads}, sums);
    sums.map[0] = {map_[kSsimStructure], count, results + kSsimStructure};
    if (wanted & (1u << kSsimStructure))
        stream.launch(sum_floats_, Grid{1, 1, 1, kOrderedThreads}, sums);
}

double ssim_decibels(double score, bool bounded, const PictureFormat &format)
{
    double most = std::numeric_limits<double>::infinity();
    if (bounded) {
        const uint32_t peak = (1u << format.bits) - 1;
        const double least = 0.5 / (format.width * format.height);
        most = std::ceil(10.0 * std::log10(peak * peak / least));
    }
    const double decibels = -10.0 * std::log10(1.0 - score);
    return decibels < most ? decibels : most;
}

} // namespace vmafx
