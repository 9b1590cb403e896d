/* SPDX-License-Identifier: BSD-2-Clause
 *
 * SSIM of luma in floats, of pictures that are shrunk first. Option sets with the same factor share
 * all work on the device.
 */
#include <algorithm>

#include "core/failure.h"
#include "features/float_depth.h"
#include "features/float_ssim/float_ssim_kernels.h"
#include "features/float_ssim/ssim_core.h"
#include "features/registry.h"

namespace vmafx
{

namespace
{

constexpr const char *kName = "float_ssim";
const char *const kPartNames[] = {"float_ssim_l", "float_ssim_c", "float_ssim_s"};
constexpr float kFullSide =
    256; /* the shorter side that pictures are shrunk to, or less than 1.5 of it */

const OptionTable &options()
{
    static const OptionTable table = {
        {"enable_lcs", nullptr, OptionType::kBool, 0, 0, 1, false},
        {"enable_db", nullptr, OptionType::kBool, 0, 0, 1, false},
        {"clip_db", nullptr, OptionType::kBool, 0, 0, 1, false},
        {"scale", nullptr, OptionType::kInt, 0, 0, 10, false},
    };
    return table;
}

struct Instance {
    bool parts, decibels, bounded;
    uint32_t scale;  /* 0: by the size of the pictures */
    size_t size = 0; /* index of its Shrunk */
};

/** Pictures of one factor. */
struct Shrunk {
    uint32_t factor, width, height;
    unsigned wanted;
    float *picture[2]; /* null for factor 1: the pictures themselves */
};

uint32_t factor_for(const PictureFormat &format)
{
    const float ratio = static_cast<float>(std::min(format.width, format.height)) / kFullSide;
    const auto whole = static_cast<uint32_t>(ratio);
    return std::max(1u, ratio - static_cast<float>(whole) >= 0.5f ? whole + 1 : whole);
}

class FloatSsimPlan final : public FeaturePlan
{
  public:
    size_t add_instance(const OptionSet &set) override
    {
        instances_.push_back({set.flag("enable_lcs"), set.flag("enable_db"), set.flag("clip_db"),
                              static_cast<uint32_t>(set.integer("scale"))});
        return instances_.size() - 1;
    }
    uint32_t reference_planes() const override { return 1; }
    uint32_t distorted_planes() const override { return 1; }
    void prepare(PlanDevice &device, const PictureFormat &format) override;
    size_t result_words() const override { return sizes_.size() * kSsimSums; }
    ScoreNames score_names(size_t instance) const override;
    void enqueue(const FrameJob &job) override;
    void collect(size_t instance, const uint64_t *results, uint64_t index,
                 ScoreSink &sink) override;

  private:
    size_t size_of(uint32_t factor);
    void shrink(const FrameJob &job, const Shrunk &size) const;

    std::vector<Instance> instances_;
    std::vector<Shrunk> sizes_;
    PictureFormat format_;
    float step_ = 1;
    bool cpu_tiles_ = false;
    const Kernel *box_ = nullptr;
    SsimCore core_;
};

/** Shrunk pictures are a sample larger where the side is odd, whatever the factor. */
size_t FloatSsimPlan::size_of(uint32_t factor)
{
    const auto same = [&](const Shrunk &size) { return size.factor == factor; };
    const auto found = std::find_if(sizes_.begin(), sizes_.end(), same);
    if (found != sizes_.end())
        return static_cast<size_t>(found - sizes_.begin());
    const auto side = [&](uint32_t full) { return factor == 1 ? full : full / factor + full % 2; };
    const Shrunk size = {factor, side(format_.width), side(format_.height), 0, {}};
    if (size.width < kSsimSmallest || size.height < kSsimSmallest)
        fail(
            VMAFX_E_RANGE, size.width < kSsimSmallest ? "width" : "height",
            "%s needs pictures of at least %ux%u after they are shrunk by scale=%u, these are then "
            "%ux%u; use larger pictures or a smaller scale",
            kName, kSsimSmallest, kSsimSmallest, factor, size.width, size.height);
    sizes_.push_back(size);
    return sizes_.size() - 1;
}

void FloatSsimPlan::prepare(PlanDevice &device, const PictureFormat &format)
{
    step_ = float_depth(format, kName).step;
    format_ = format;
    cpu_tiles_ = device.cpu_tiles();
    for (Instance &instance : instances_) {
        instance.size = size_of(instance.scale > 0 ? instance.scale : factor_for(format));
        sizes_[instance.size].wanted |= instance.parts ? (1u << kSsimSums) - 1 : 1u << kSsimScore;
    }
    box_ = device.kernel(format.bits == 8 ? "ssim_box_8" : "ssim_box_16");
    uint64_t windows = 0;
    unsigned wanted = 0;
    for (Shrunk &size : sizes_) {
        windows =
            std::max(windows, uint64_t{size.width - kSsimMargin} * (size.height - kSsimMargin));
        wanted |= size.wanted;
        if (size.factor == 1)
            continue;
        for (float *&picture : size.picture)
            picture = static_cast<float *>(
                device.allocate(uint64_t{size.width} * size.height * sizeof(float)));
    }
    core_.prepare(device, format.bits, step_, windows, wanted);
}

ScoreNames FloatSsimPlan::score_names(size_t instance) const
{
    ScoreNames names;
    names.prompt.push_back(kName);
    if (instances_[instance].parts)
        names.prompt.insert(names.prompt.end(), std::begin(kPartNames), std::end(kPartNames));
    return names;
}

void FloatSsimPlan::shrink(const FrameJob &job, const Shrunk &size) const
{
    const PlaneView &reference = job.reference.plane[0], &distorted = job.distorted.plane[0];
    SsimBoxArgs args = {};
    args.picture[0] = reference.data;
    args.picture[1] = distorted.data;
    args.pitch[0] = reference.pitch;
    args.pitch[1] = distorted.pitch;
    args.shrunk[0] = size.picture[0];
    args.shrunk[1] = size.picture[1];
    args.width = static_cast<int32_t>(format_.width);
    args.height = static_cast<int32_t>(format_.height);
    args.shrunk_width = static_cast<int32_t>(size.width);
    args.factor = static_cast<int32_t>(size.factor);
    args.step = step_;
    args.weight = 1.0f / static_cast<float>(size.factor * size.factor);
    const int columns =
        ssim_box_columns(cpu_tiles_ ? kSsimBoxCpuSpan : kSsimBoxGpuSpan, args.factor);
    job.stream->launch(box_, Grid{groups_for(size.width, columns), size.height, 2, kSsimBoxThreads},
                       args);
}

void FloatSsimPlan::enqueue(const FrameJob &job)
{
    uint64_t *results = job.results;
    for (const Shrunk &size : sizes_) {
        if (size.factor > 1)
            shrink(job, size);
        const SsimPictures pictures =
            size.factor == 1
                ? ssim_pictures(job, format_)
                : ssim_pictures(size.picture[0], size.picture[1], size.width, size.height);
        core_.enqueue(*job.stream, pictures, size.wanted, results);
        results += kSsimSums;
    }
}

void FloatSsimPlan::collect(size_t instance, const uint64_t *results, uint64_t index,
                            ScoreSink &sink)
{
    const Instance &self = instances_[instance];
    const Shrunk &size = sizes_[self.size];
    const SsimMeans means = ssim_means(results + self.size * kSsimSums, size.width, size.height);
    const double score = means.mean[kSsimScore];
    sink.write(kName, index, self.decibels ? ssim_decibels(score, self.bounded, format_) : score);
    if (!self.parts)
        return;
    for (size_t k = 0; k < std::size(kPartNames); ++k)
        sink.write(kPartNames[k], index, means.mean[kSsimLuminance + k]);
}

std::unique_ptr<FeaturePlan> create()
{
    return std::make_unique<FloatSsimPlan>();
}

} // namespace

const FeatureDescription *float_ssim_feature()
{
    static const FeatureDescription description = {kName, &options(), {kName}, create};
    return &description;
}

} // namespace vmafx
