/* SPDX-License-Identifier: BSD-2-Clause
 *
 * PSNR of up to three planes. The device sums squared differences; all else happens here, in the
 * order of operations that gives libvmaf's bits.
 */
#include <algorithm>
#include <cfloat>
#include <cmath>

#include "features/psnr/psnr_kernels.h"
#include "features/registry.h"

namespace vmafx
{

namespace
{

constexpr uint32_t kPlanes = 3;
constexpr uint32_t kLumaBit = 1, kAllBits = 7;
constexpr double kSmallestMse = 1e-16;
const char *const kPsnrNames[kPlanes] = {"psnr_y", "psnr_cb", "psnr_cr"};
const char *const kMseNames[kPlanes] = {"mse_y", "mse_cb", "mse_cr"};
const char *const kAggregateNames[kPlanes] = {"apsnr_y", "apsnr_cb", "apsnr_cr"};

const OptionTable &options()
{
    static const OptionTable table = {
        {"enable_chroma", nullptr, OptionType::kBool, 1, 0, 1, false},
        {"enable_mse", nullptr, OptionType::kBool, 0, 0, 1, false},
        {"enable_apsnr", nullptr, OptionType::kBool, 0, 0, 1, false},
        {"reduced_hbd_peak", nullptr, OptionType::kBool, 0, 0, 1, false},
        {"min_sse", nullptr, OptionType::kDouble, 0, 0, DBL_MAX, false},
    };
    return table;
}

/** One option set with its running totals. */
struct Instance {
    bool chroma, mse, aggregate, reduced_peak;
    double min_sse;
    uint64_t sse[kPlanes] = {};
    uint64_t samples[kPlanes] = {};
};

class PsnrPlan final : public FeaturePlan
{
  public:
    size_t add_instance(const OptionSet &set) override
    {
        instances_.push_back({set.flag("enable_chroma"), set.flag("enable_mse"),
                              set.flag("enable_apsnr"), set.flag("reduced_hbd_peak"),
                              set.number("min_sse")});
        return instances_.size() - 1;
    }

    uint32_t reference_planes() const override
    {
        const bool chroma = std::any_of(instances_.begin(), instances_.end(),
                                        [](const Instance &i) { return i.chroma; });
        return chroma ? kAllBits : kLumaBit;
    }
    uint32_t distorted_planes() const override { return reference_planes(); }

    /** A sequence's PSNR counts frames that subsampling skips. */
    bool every_frame() const override
    {
        return std::any_of(instances_.begin(), instances_.end(),
                           [](const Instance &i) { return i.aggregate; });
    }

    void prepare(PlanDevice &device, const PictureFormat &format) override;
    size_t result_words() const override { return kPlanes; }
    ScoreNames score_names(size_t instance) const override;
    void enqueue(const FrameJob &job) override;
    void collect(size_t instance, const uint64_t *results, uint64_t index,
                 ScoreSink &sink) override;
    void finish(size_t instance, ScoreSink &sink) override;

  private:
    uint32_t width(uint32_t plane) const;
    uint32_t height(uint32_t plane) const;
    uint32_t planes_of(const Instance &instance) const;
    uint32_t squared_peak(const Instance &instance) const;
    double ceiling(const Instance &instance, uint32_t plane) const;

    std::vector<Instance> instances_;
    PictureFormat format_;
    const Kernel *kernel_ = nullptr;
    PsnrShape shape_ = {};
};

/* Chroma planes of odd pictures are rounded up in frames, but libvmaf scores the part that is
 * rounded down. */
uint32_t PsnrPlan::width(uint32_t plane) const
{
    const bool half = plane > 0 && format_.chroma != Chroma::k444;
    return half ? format_.width / 2 : format_.width;
}

uint32_t PsnrPlan::height(uint32_t plane) const
{
    const bool half = plane > 0 && format_.chroma == Chroma::k420;
    return half ? format_.height / 2 : format_.height;
}

uint32_t PsnrPlan::planes_of(const Instance &instance) const
{
    return instance.chroma ? format_.plane_count() : 1;
}

uint32_t PsnrPlan::squared_peak(const Instance &instance) const
{
    const uint32_t peak =
        instance.reduced_peak ? 255u << (format_.bits - 8) : (1u << format_.bits) - 1;
    return peak * peak;
}

double PsnrPlan::ceiling(const Instance &instance, uint32_t plane) const
{
    if (instance.min_sse == 0.0)
        return 6 * format_.bits + 12;
    const double mse = instance.min_sse / (width(plane) * height(plane));
    return std::ceil(10.0 * std::log10(squared_peak(instance) / mse));
}

void PsnrPlan::prepare(PlanDevice &device, const PictureFormat &format)
{
    format_ = format;
    shape_ = device.cpu_tiles() ? kPsnrCpuShape : kPsnrGpuShape;
    kernel_ = device.kernel(format.bits == 8    ? "psnr_8"
                            : format.bits <= 12 ? "psnr_12"
                                                : "psnr_16");
}

ScoreNames PsnrPlan::score_names(size_t instance) const
{
    const Instance &self = instances_[instance];
    ScoreNames names;
    for (uint32_t p = 0; p < planes_of(self); ++p) {
        names.prompt.push_back(kPsnrNames[p]);
        if (self.mse)
            names.prompt.push_back(kMseNames[p]);
    }
    return names;
}

void PsnrPlan::enqueue(const FrameJob &job)
{
    const uint32_t planes = reference_planes() == kLumaBit ? 1 : format_.plane_count();
    PsnrArgs args = {};
    args.sse = job.results;
    for (uint32_t p = 0; p < planes; ++p) {
        const PlaneView &reference = job.reference.plane[p], &distorted = job.distorted.plane[p];
        args.plane[p] = {reference.data,
                         distorted.data,
                         reference.pitch,
                         distorted.pitch,
                         static_cast<int32_t>(width(p)),
                         static_cast<int32_t>(height(p))};
    }
    job.stream->launch(kernel_,
                       Grid{groups_for(format_.width, shape_.width),
                            groups_for(format_.height, shape_.height), planes, kPsnrThreads},
                       args);
}

void PsnrPlan::collect(size_t instance, const uint64_t *results, uint64_t index, ScoreSink &sink)
{
    Instance &self = instances_[instance];
    const double squared = squared_peak(self);
    for (uint32_t p = 0; p < planes_of(self); ++p) {
        const uint32_t samples = width(p) * height(p);
        const double mse = static_cast<double>(results[p]) / samples;
        /* A plane without samples has no error to measure: 0/0 counts as the smallest. */
        const double floored = mse > kSmallestMse ? mse : kSmallestMse;
        const double top = ceiling(self, p);
        const double psnr = 10.0 * std::log10(squared / floored);
        sink.write(kPsnrNames[p], index, psnr < top ? psnr : top);
        if (self.mse)
            sink.write(kMseNames[p], index, mse);
        self.sse[p] += results[p];
        self.samples[p] += samples;
    }
}

void PsnrPlan::finish(size_t instance, ScoreSink &sink)
{
    const Instance &self = instances_[instance];
    if (!self.aggregate)
        return;
    const uint64_t squared = squared_peak(self);
    const auto log = [](uint64_t value) { return std::log10(static_cast<double>(value)); };
    for (uint32_t p = 0; p < kPlanes; ++p) {
        const double apsnr = 10.0 * (log(squared) + log(self.samples[p]) - log(self.sse[p]));
        const double top = std::ceil(10.0 * log(squared * self.samples[p] * 2));
        sink.write_aggregate(kAggregateNames[p], apsnr < top ? apsnr : top);
    }
}

std::unique_ptr<FeaturePlan> create()
{
    return std::make_unique<PsnrPlan>();
}

} // namespace

const FeatureDescription *psnr_feature()
{
    static const FeatureDescription description = {
        "psnr", &options(), {"psnr_y", "psnr_cb", "psnr_cr"}, create};
    return &description;
}

} // namespace vmafx
