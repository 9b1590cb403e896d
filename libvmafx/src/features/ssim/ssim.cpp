/* SPDX-License-Identifier: BSD-2-Clause
 *
 * SSIM of luma in integers: a mean over all samples of the similarity around them, weighted by how
 * much of the window is inside the picture.
 */
#include <algorithm>
#include <bit>

#include "core/failure.h"
#include "features/registry.h"
#include "features/ssim/ssim_kernels.h"
#include "kernels/ordered_sum_kernels.h"

namespace vmafx
{

namespace
{

constexpr const char *kName = "ssim";
constexpr uint64_t kMostSamples = uint64_t{1} << 21; /* of the map, which is made in parts */
constexpr uint32_t kCpuBand = 120;
constexpr uint32_t kMostGpuBand = 56, kLeastGpuBand = 16;
constexpr uint32_t kEnoughGpuTiles = 512;

/** Weights of the windows around each of n samples in a row, those outside left out. */
uint64_t weights_of_line(uint32_t n)
{
    constexpr int kWeight[kSsimWindow] = VMAFX_SSIM_WEIGHTS;
    uint64_t sum = 0;
    for (int k = 0; k < kSsimWindow; ++k) {
        const auto distance =
            static_cast<uint32_t>(k < kSsimRadius ? kSsimRadius - k : k - kSsimRadius);
        if (n > distance)
            sum += uint64_t{n - distance} * static_cast<uint64_t>(kWeight[k]);
    }
    return sum;
}

class SsimPlan final : public FeaturePlan
{
  public:
    size_t add_instance(const OptionSet &) override { return instances_++; }
    uint32_t reference_planes() const override { return 1; }
    uint32_t distorted_planes() const override { return 1; }
    void prepare(PlanDevice &device, const PictureFormat &format) override;
    size_t result_words() const override { return 1; }
    ScoreNames score_names(size_t) const override { return {{kName}, {}}; }
    void enqueue(const FrameJob &job) override;
    void collect(size_t instance, const uint64_t *results, uint64_t index,
                 ScoreSink &sink) override;

  private:
    void enqueue_rows(const FrameJob &job, uint32_t first, uint32_t end) const;

    size_t instances_ = 0;
    PictureFormat format_;
    bool cpu_tiles_ = false;
    const Kernel *kernel_ = nullptr, *sum_ = nullptr;
    double *map_ = nullptr;
};

void SsimPlan::prepare(PlanDevice &device, const PictureFormat &format)
{
    if (format.bits < 8 || format.bits > 16)
        fail(VMAFX_E_NOTSUP, "bits", "%s takes 8 to 16 bits a sample, not %u", kName, format.bits);
    format_ = format;
    cpu_tiles_ = device.cpu_tiles();
    kernel_ = device.kernel(format.bits == 8    ? "ssim_8"
                            : format.bits <= 12 ? "ssim_12"
                                                : "ssim_16");
    sum_ = device.kernel("ordered_sum_f64");
    const uint64_t samples = uint64_t{format.width} * format.height;
    map_ = static_cast<double *>(device.allocate(std::min(samples, kMostSamples) * sizeof(double)));
}

void SsimPlan::enqueue(const FrameJob &job)
{
    const auto part = static_cast<uint32_t>(kMostSamples / format_.width);
    for (uint32_t first = 0; first < format_.height; first += part)
        enqueue_rows(job, first, std::min(format_.height, first + part));
}

void SsimPlan::enqueue_rows(const FrameJob &job, uint32_t first, uint32_t end) const
{
    const SsimShape shape = cpu_tiles_ ? kSsimCpuShape : kSsimGpuShape;
    const uint32_t across = groups_for(format_.width, shape.width);
    uint32_t band = cpu_tiles_ ? kCpuBand : kMostGpuBand;
    if (!cpu_tiles_ && across * groups_for(end - first, band) < kEnoughGpuTiles)
        band = kLeastGpuBand;

    const PlaneView &reference = job.reference.plane[0], &distorted = job.distorted.plane[0];
    const uint64_t peak = (1u << format_.bits) - 1;
    SsimArgs args = {};
    args.reference = reference.data;
    args.distorted = distorted.data;
    args.reference_pitch = reference.pitch;
    args.distorted_pitch = distorted.pitch;
    args.width = static_cast<int32_t>(format_.width);
    args.height = static_cast<int32_t>(format_.height);
    args.first = static_cast<int32_t>(first);
    args.end = static_cast<int32_t>(end);
    args.band = static_cast<int32_t>(band);
    args.c1 = static_cast<double>(peak * peak) * (0.01 * 0.01);
    args.c2 = static_cast<double>(peak * peak) * (0.03 * 0.03);
    args.map = map_;
    job.stream->launch(kernel_, Grid{across, groups_for(end - first, band), 1, kSsimThreads}, args);

    OrderedSumArgs sum = {};
    sum.map[0] = {map_, static_cast<int64_t>(uint64_t{format_.width} * (end - first)), job.results};
    job.stream->launch(sum_, Grid{1, 1, 1, kOrderedThreads}, sum);
}

void SsimPlan::collect(size_t, const uint64_t *results, uint64_t index, ScoreSink &sink)
{
    const uint64_t weights = weights_of_line(format_.width) * weights_of_line(format_.height);
    sink.write(kName, index, std::bit_cast<double>(results[0]) / static_cast<double>(weights));
}

std::unique_ptr<FeaturePlan> create()
{
    return std::make_unique<SsimPlan>();
}

} // namespace

const FeatureDescription *ssim_feature()
{
    static const OptionTable options;
    static const FeatureDescription description = {kName, &options, {kName}, create};
    return &description;
}

} // namespace vmafx
