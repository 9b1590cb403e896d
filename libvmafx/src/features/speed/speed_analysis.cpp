/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/speed/speed_analysis.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "core/failure.h"
#include "features/speed/speed_filter.h"

namespace vmafx
{

namespace
{

constexpr uint32_t kSmallestSide = kSpeedSide * kSpeedStep;

/** Bits of a normal distribution of variance 1, doubled. */
double log2_2pi_e()
{
    return std::log2(2 * std::numbers::pi * std::numbers::e);
}

/** The entropy that noise alone gives. */
float base_entropy(const SpeedWeighting &weighting)
{
    const float noise = (1 + weighting.floor) * weighting.sigma;
    return static_cast<float>(kSpeedSize * (std::log2(static_cast<double>(noise)) + log2_2pi_e()));
}

template <class T> T *allocate_array(PlanDevice &device, size_t count)
{
    return static_cast<T *>(device.allocate(count * sizeof(T)));
}

template <class T> const T *upload_array(PlanDevice &device, const std::vector<T> &values)
{
    return static_cast<const T *>(device.upload(values.data(), values.size() * sizeof(T)));
}

} // namespace

void SpeedAnalysis::prepare(PlanDevice &device, const SpeedFormat &format, const char *feature)
{
    find_size(format, feature);
    shape_ = device.cpu_tiles() ? kSpeedCpuShape : kSpeedGpuShape;
    fields_ = 2 * format.pairs;
    const bool bytes = format.sample_bytes == 1;
    const char *const reduce = filter_.resampling ? bytes ? "speed_rescale_8" : "speed_rescale_16"
                               : bytes            ? "speed_reduce_8"
                                                  : "speed_reduce_16";
    kernels_ = {device.kernel(reduce),
                device.kernel("speed_centre"),
                device.kernel("speed_covariance"),
                device.kernel("speed_system"),
                device.kernel("speed_solve"),
                device.kernel("speed_terms"),
                device.kernel("speed_score")};
    fill_reduce(device, format);
    allocate(device, format);
}

void SpeedAnalysis::find_size(const SpeedFormat &format, const char *feature)
{
    width_ = resampled_size(format.width, filter_.prescale);
    height_ = resampled_size(format.height, filter_.prescale);
    if (width_ < kSmallestSide || height_ < kSmallestSide)
        fail(VMAFX_E_RANGE, width_ < kSmallestSide ? "width" : "height",
             "%s needs planes of at least %ux%u samples after speed_prescale, these are %ux%u "
             "before and %ux%u after it",
             feature, kSmallestSide, kSmallestSide, format.width, format.height, width_, height_);
    reduced_width_ = width_ / kSpeedStep;
    reduced_height_ = height_ / kSpeedStep;
    across_ = reduced_width_ / kSpeedSide;
    down_ = reduced_height_ / kSpeedSide;
}

void SpeedAnalysis::fill_reduce(PlanDevice &device, const SpeedFormat &format)
{
    const std::vector<float> low_pass = speed_low_pass(filter_.kernel_scale);
    reduce_ = {};
    reduce_.width = static_cast<int32_t>(width_);
    reduce_.height = static_cast<int32_t>(height_);
    reduce_.out_width = static_cast<int32_t>(reduced_width_);
    reduce_.out_height = static_cast<int32_t>(reduced_height_);
    reduce_.step = format.step;
    reduce_.taps = static_cast<int32_t>(low_pass.size());
    std::copy(low_pass.begin(), low_pass.end(), reduce_.tap);
    if (!filter_.resampling)
        return;
    const Resampling method = *filter_.resampling;
    reduce_.columns = upload_array(device, resample_table(method, format.width, width_));
    reduce_.rows = upload_array(device, resample_table(method, format.height, height_));
    reduce_.axis_taps = resampling_taps(method);
    reduce_.divide = method == Resampling::kLanczos4;
}

void SpeedAnalysis::allocate(PlanDevice &device, const SpeedFormat &format)
{
    const std::vector<float> mean = speed_local_mean(filter_.kernel_scale);
    const uint32_t out_width = across_ * kSpeedSide, out_height = down_ * kSpeedSide;
    const uint32_t pitch = out_width + kSpeedPadding;
    reduce_.out = allocate_array<float>(device, size_t{fields_} * reduced_width_ * reduced_height_);
    centre_ = {};
    centre_.in = reduce_.out;
    centre_.width = reduce_.out_width;
    centre_.height = reduce_.out_height;
    centre_.taps = static_cast<int32_t>(mean.size());
    std::copy(mean.begin(), mean.end(), centre_.tap);
    centre_.out = allocate_array<float>(device, size_t{fields_} * out_height * pitch);
    centre_.out_width = static_cast<int32_t>(out_width);
    centre_.out_height = static_cast<int32_t>(out_height);
    centre_.out_pitch = static_cast<int32_t>(pitch);
    system_ = allocate_array<SpeedSystem>(device, fields_);
    const size_t blocks = size_t{across_} * down_;
    variance_ = allocate_array<float>(device, fields_ * blocks);
    term_ = allocate_array<float>(device, format.pairs * blocks);
}

void SpeedAnalysis::enqueue(PlanStream &stream, std::span<const SpeedSource> source) const
{
    SpeedReduceArgs reduce = reduce_;
    std::copy(source.begin(), source.end(), reduce.source);
    stream.launch(
        kernels_.reduce,
        Grid{groups_for(reduced_width_, shape_.reduce), reduced_height_, fields_, kSpeedThreads},
        reduce);
    stream.launch(kernels_.centre,
                  Grid{groups_for(across_ * kSpeedSide, shape_.centre), down_ * kSpeedSide, fields_,
                       kSpeedNarrowThreads},
                  centre_);
    stream.launch(kernels_.covariance,
                  Grid{groups_for(kSpeedPairs, shape_.pairs), 1, fields_, kSpeedNarrowThreads},
                  SpeedCovarianceArgs{centre_.out, centre_.out_width, centre_.out_height,
                                      centre_.out_pitch, system_});
    stream.launch(kernels_.system, Grid{kSpeedSystemParts, 1, fields_, kSpeedThreads},
                  SpeedSystemArgs{system_});
    const uint32_t blocks = across_ * down_;
    stream.launch(kernels_.solve,
                  Grid{groups_for(blocks, shape_.solve), 1, fields_, kSpeedNarrowThreads},
                  SpeedSolveArgs{centre_.out, centre_.out_height, centre_.out_pitch,
                                 static_cast<int32_t>(across_), static_cast<int32_t>(blocks),
                                 system_, variance_});
}

void SpeedAnalysis::enqueue_scores(PlanStream &stream, const SpeedWeighting &weighting,
                                   uint64_t *score) const
{
    const uint32_t blocks = across_ * down_, pairs = fields_ / 2;
    const auto count = static_cast<int32_t>(blocks);
    stream.launch(kernels_.terms,
                  Grid{groups_for(blocks, shape_.terms), 1, pairs, kSpeedNarrowThreads},
                  SpeedTermsArgs{system_, variance_, count, weighting.mode, weighting.sigma,
                                 base_entropy(weighting), log2_2pi_e(), term_});
    stream.launch(kernels_.score, Grid{1, 1, pairs, kSpeedNarrowThreads},
                  SpeedScoreArgs{system_, term_, count, score});
}

SpeedScore SpeedAnalysis::read_score(uint64_t word)
{
    const bool reference = word >> kSpeedReferenceFlag & 1;
    const bool distorted = word >> kSpeedDistortedFlag & 1;
    const auto value = std::bit_cast<float>(static_cast<uint32_t>(word));
    return {reference != distorted ? 0 : value, reference || distorted};
}

} // namespace vmafx
