/* SPDX-License-Identifier: BSD-2-Clause
 *
 * MS-SSIM of luma: luminance, contrast and structure of five scales, each half of the one before.
 * It is registered under two names, since SSIM has a form in integers and MS-SSIM has not; both
 * share all work on the device.
 */
#include <cmath>
#include <string>

#include "core/failure.h"
#include "features/float_depth.h"
#include "features/float_ms_ssim/ssim_half_kernels.h"
#include "features/float_ssim/float_ssim_kernels.h"
#include "features/float_ssim/ssim_core.h"
#include "features/registry.h"

namespace vmafx
{

namespace
{

constexpr uint32_t kScales = 5;
constexpr uint32_t kSmallestSide = kSsimSmallest << (kScales - 1);

/* Exponents of luminance, contrast and structure. */
struct Exponents {
    float luminance, contrast, structure;
};
constexpr Exponents kExponents[kScales] = {{0, 0.0448f, 0.0448f},
                                           {0, 0.2856f, 0.2856f},
                                           {0, 0.3001f, 0.3001f},
                                           {0, 0.2363f, 0.2363f},
                                           {0.1333f, 0.1333f, 0.1333f}};
constexpr struct {
    const char *letter;
    SsimSum sum;
} kParts[] = {{"l", kSsimLuminance}, {"c", kSsimContrast}, {"s", kSsimStructure}};

constexpr const char *kName = "ms_ssim", *kFloatName = "float_ms_ssim";

const OptionTable &options()
{
    static const OptionTable table = {
        {"enable_lcs", nullptr, OptionType::kBool, 0, 0, 1, false},
        {"enable_db", nullptr, OptionType::kBool, 0, 0, 1, false},
        {"clip_db", nullptr, OptionType::kBool, 0, 0, 1, false},
    };
    return table;
}

const OptionTable &float_options()
{
    static const OptionTable table = options();
    return table;
}

struct Instance {
    const char *name;
    bool parts, decibels, bounded;
};

std::string part_name(const Instance &instance, const char *letter, uint32_t scale)
{
    return std::string(instance.name) + "_" + letter + "_scale" + std::to_string(scale);
}

struct Scale {
    uint32_t width, height;
    unsigned wanted;
    float *picture[2]; /* null for the first: the pictures themselves */
};

class MsSsimPlan final : public FeaturePlan
{
  public:
    size_t add_instance(const OptionSet &set) override
    {
        instances_.push_back({set.is_of(float_options()) ? kFloatName : kName,
                              set.flag("enable_lcs"), set.flag("enable_db"), set.flag("clip_db")});
        return instances_.size() - 1;
    }
    uint32_t reference_planes() const override { return 1; }
    uint32_t distorted_planes() const override { return 1; }
    void prepare(PlanDevice &device, const PictureFormat &format) override;
    size_t result_words() const override { return size_t{kScales} * kSsimSums; }
    ScoreNames score_names(size_t instance) const override;
    void enqueue(const FrameJob &job) override;
    void collect(size_t instance, const uint64_t *results, uint64_t index,
                 ScoreSink &sink) override;

  private:
    unsigned wanted_of(uint32_t scale) const;
    void halve(const FrameJob &job, const SsimPictures &from, const Scale &to) const;

    std::vector<Instance> instances_;
    Scale scales_[kScales] = {};
    PictureFormat format_;
    float step_ = 1;
    SsimHalfShape shape_ = {};
    const Kernel *half_samples_ = nullptr, *half_floats_ = nullptr;
    SsimCore core_;
};

/** Luminance counts at the last scale only; elsewhere it is worked out for who asks. */
unsigned MsSsimPlan::wanted_of(uint32_t scale) const
{
    unsigned wanted = (1u << kSsimContrast) | (1u << kSsimStructure);
    bool luminance = scale + 1 == kScales;
    for (const Instance &instance : instances_)
        luminance = luminance || instance.parts;
    return luminance ? wanted | (1u << kSsimLuminance) : wanted;
}

void MsSsimPlan::prepare(PlanDevice &device, const PictureFormat &format)
{
    const char *const name = instances_.front().name;
    step_ = float_depth(format, name).step;
    require_size(format, name, kSmallestSide, kSmallestSide);
    format_ = format;
    shape_ = device.cpu_tiles() ? kSsimHalfCpuShape : kSsimHalfGpuShape;
    half_samples_ = device.kernel(format.bits == 8 ? "ssim_half_8" : "ssim_half_16");
    half_floats_ = device.kernel("ssim_half_f32");
    const auto half = [](uint32_t side) {
        return static_cast<uint32_t>(ssim_half_size(static_cast<int32_t>(side)));
    };
    scales_[0] = {format.width, format.height, wanted_of(0), {}};
    unsigned wanted = scales_[0].wanted;
    for (uint32_t s = 1; s < kScales; ++s) {
        const Scale &larger = scales_[s - 1];
        scales_[s] = {half(larger.width), half(larger.height), wanted_of(s), {}};
        wanted |= scales_[s].wanted;
        for (float *&picture : scales_[s].picture)
            picture = static_cast<float *>(
                device.allocate(uint64_t{scales_[s].width} * scales_[s].height * sizeof(float)));
    }
    core_.prepare(device, format.bits, step_,
                  uint64_t{format.width - kSsimMargin} * (format.height - kSsimMargin), wanted);
}

ScoreNames MsSsimPlan::score_names(size_t instance) const
{
    const Instance &self = instances_[instance];
    ScoreNames names;
    names.prompt.emplace_back(self.name);
    if (!self.parts)
        return names;
    for (const auto &part : kParts)
        for (uint32_t s = 0; s < kScales; ++s)
            names.prompt.push_back(part_name(self, part.letter, s));
    return names;
}

void MsSsimPlan::halve(const FrameJob &job, const SsimPictures &from, const Scale &to) const
{
    SsimHalfArgs args = {};
    args.picture[0] = from.reference;
    args.picture[1] = from.distorted;
    args.pitch[0] = from.reference_pitch;
    args.pitch[1] = from.distorted_pitch;
    args.half[0] = to.picture[0];
    args.half[1] = to.picture[1];
    args.width = static_cast<int32_t>(from.width);
    args.height = static_cast<int32_t>(from.height);
    args.step = step_;
    job.stream->launch(from.floats ? half_floats_ : half_samples_,
                       Grid{groups_for(to.width, shape_.width),
                            groups_for(to.height, shape_.height), 2, kSsimHalfThreads},
                       args);
}

void MsSsimPlan::enqueue(const FrameJob &job)
{
    SsimPictures pictures = ssim_pictures(job, format_);
    for (uint32_t s = 0; s < kScales; ++s) {
        const Scale &scale = scales_[s];
        if (s > 0) {
            halve(job, pictures, scale);
            pictures = ssim_pictures(scale.picture[0], scale.picture[1], scale.width, scale.height);
        }
        core_.enqueue(*job.stream, pictures, scale.wanted, job.results + size_t{s} * kSsimSums);
    }
}

void MsSsimPlan::collect(size_t instance, const uint64_t *results, uint64_t index, ScoreSink &sink)
{
    SsimMeans means[kScales];
    double score = 1;
    for (uint32_t s = 0; s < kScales; ++s) {
        const Scale &scale = scales_[s];
        means[s] = ssim_means(results + size_t{s} * kSsimSums, scale.width, scale.height);
        const auto power = [&](SsimSum sum, float exponent) {
            return std::pow(static_cast<double>(means[s].mean[sum]), static_cast<double>(exponent));
        };
        score *= power(kSsimLuminance, kExponents[s].luminance) *
                 power(kSsimContrast, kExponents[s].contrast) *
                 power(kSsimStructure, kExponents[s].structure);
    }
    const Instance &self = instances_[instance];
    sink.write(self.name, index,
               self.decibels ? ssim_decibels(score, self.bounded, format_) : score);
    if (!self.parts)
        return;
    for (const auto &part : kParts)
        for (uint32_t s = 0; s < kScales; ++s)
            sink.write(part_name(self, part.letter, s), index, means[s].mean[part.sum]);
}

std::unique_ptr<FeaturePlan> create()
{
    return std::make_unique<MsSsimPlan>();
}

} // namespace

const FeatureDescription *float_ms_ssim_feature()
{
    static const FeatureDescription description = {
        kFloatName, &float_options(), {kFloatName}, create};
    return &description;
}

const FeatureDescription *ms_ssim_feature()
{
    static const FeatureDescription description = {kName, &options(), {kName}, create};
    return &description;
}

} // namespace vmafx
