/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Anti-noise SNR of luma: low-passed reference against the rest of the low-passed distorted
 * picture.
 */
#include <bit>
#include <cmath>

#include "features/float_ansnr/float_ansnr_kernels.h"
#include "features/float_depth.h"
#include "features/registry.h"
#include "kernels/ordered_sum_kernels.h"

namespace vmafx
{

namespace
{

constexpr const char *kName = "float_ansnr";
constexpr const char *kPeakName = "float_anpsnr";
constexpr uint32_t kSmallestSide = 3;
constexpr double kSmallestNoise = 1e-10;
constexpr size_t kSignal = 0, kNoise = 1, kWords = 2; /* of the results: doubles */

class FloatAnsnrPlan final : public FeaturePlan
{
  public:
    size_t add_instance(const OptionSet &) override { return instances_++; }
    uint32_t reference_planes() const override { return 1; }
    uint32_t distorted_planes() const override { return 1; }
    void prepare(PlanDevice &device, const PictureFormat &format) override;
    size_t result_words() const override { return kWords; }
    ScoreNames score_names(size_t) const override { return {{kName, kPeakName}, {}}; }
    void enqueue(const FrameJob &job) override;
    void collect(size_t instance, const uint64_t *results, uint64_t index,
                 ScoreSink &sink) override;

  private:
    size_t instances_ = 0;
    PictureFormat format_;
    FloatDepth depth_ = {};
    FloatAnsnrShape shape_ = {};
    const Kernel *kernel_ = nullptr;
    const Kernel *sum_ = nullptr;
    float *rows_[kWords] = {};
};

void FloatAnsnrPlan::prepare(PlanDevice &device, const PictureFormat &format)
{
    require_size(format, kName, kSmallestSide, kSmallestSide);
    depth_ = float_depth(format, kName);
    format_ = format;
    shape_ = device.cpu_tiles() ? kFloatAnsnrCpuShape : kFloatAnsnrGpuShape;
    kernel_ = device.kernel(format.bits == 8 ? "float_ansnr_8" : "float_ansnr_16");
    sum_ = device.kernel("ordered_sum_f32");
    for (float *&rows : rows_)
        rows = static_cast<float *>(device.allocate(format.height * sizeof(float)));
}

void FloatAnsnrPlan::enqueue(const FrameJob &job)
{
    const PlaneView &reference = job.reference.plane[0], &distorted = job.distorted.plane[0];
    const FloatAnsnrArgs args = {reference.data,
                                 distorted.data,
                                 reference.pitch,
                                 distorted.pitch,
                                 rows_[kSignal],
                                 rows_[kNoise],
                                 static_cast<int32_t>(format_.width),
                                 static_cast<int32_t>(format_.height),
                                 depth_.step};
    job.stream->launch(
        kernel_, Grid{1, groups_for(format_.height, shape_.rows), 1, kFloatAnsnrThreads}, args);
    OrderedSumArgs sums = {};
    for (size_t i = 0; i < kWords; ++i)
        sums.map[i] = {rows_[i], format_.height, job.results + i};
    job.stream->launch(sum_, Grid{kWords, 1, 1, kOrderedThreads}, sums);
}

void FloatAnsnrPlan::collect(size_t, const uint64_t *results, uint64_t index, ScoreSink &sink)
{
    const double signal = std::bit_cast<double>(results[kSignal]);
    const double noise = std::bit_cast<double>(results[kNoise]);
    const float ratio = static_cast<float>(signal) / static_cast<float>(noise);
    sink.write(kName, index,
               noise == 0 ? depth_.ceiling : 10.0 * std::log10(static_cast<double>(ratio)));
    const double floored = noise > kSmallestNoise ? noise : kSmallestNoise;
    const double peaks = depth_.peak * depth_.peak * format_.width * format_.height;
    const double peak_ratio = 10.0 * std::log10(peaks / floored);
    sink.write(kPeakName, index, peak_ratio < depth_.ceiling ? peak_ratio : depth_.ceiling);
}

std::unique_ptr<FeaturePlan> create()
{
    return std::make_unique<FloatAnsnrPlan>();
}

} // namespace

const FeatureDescription *float_ansnr_feature()
{
    static const OptionTable options;
    static const FeatureDescription description = {kName, &options, {kName}, create};
    return &description;
}

} // namespace vmafx
