/* SPDX-License-Identifier: BSD-2-Clause
 *
 * SpEED of the two chroma planes of a picture.
 */
#include <algorithm>

#include "core/failure.h"
#include "features/float_depth.h"
#include "features/registry.h"
#include "features/speed/speed_analysis.h"

namespace vmafx
{

namespace
{

constexpr uint32_t kChromaBits = 6, kPairs = 2;
constexpr const char *kNames[] = {"Speed_chroma_feature_speed_chroma_u_score",
                                  "Speed_chroma_feature_speed_chroma_v_score",
                                  "Speed_chroma_feature_speed_chroma_uv_score"};

const OptionTable &options()
{
    static const OptionTable table = [] {
        OptionTable common = speed_options();
        common.push_back({"speed_weight_var_mode", "wvm", OptionType::kInt, 0, 0, 6, true});
        return common;
    }();
    return table;
}

struct Instance {
    OptionSet options;
    SpeedWeighting weighting;
    size_t analysis; /* whose planes it scores */
    size_t score;    /* number of the first instance with the same score on the device */
    double ceiling;
};

class SpeedChromaPlan final : public FeaturePlan
{
  public:
    size_t add_instance(const OptionSet &set) override;
    uint32_t reference_planes() const override { return kChromaBits; }
    uint32_t distorted_planes() const override { return kChromaBits; }
    void prepare(PlanDevice &device, const PictureFormat &format) override;
    size_t result_words() const override { return instances_.size() * kPairs; }
    ScoreNames score_names(size_t instance) const override;
    void enqueue(const FrameJob &job) override;
    void collect(size_t instance, const uint64_t *results, uint64_t index,
                 ScoreSink &sink) override;

  private:
    std::vector<Instance> instances_;
    std::vector<SpeedAnalysis> analyses_;
};

size_t SpeedChromaPlan::add_instance(const OptionSet &set)
{
    const SpeedFilter filter = speed_filter(set);
    const SpeedWeighting weighting = speed_weighting(set, set.integer("speed_weight_var_mode"));
    const auto found = std::find_if(analyses_.begin(), analyses_.end(),
                                    [&](const SpeedAnalysis &a) { return a.filter() == filter; });
    const auto analysis = static_cast<size_t>(found - analyses_.begin());
    if (found == analyses_.end())
        analyses_.emplace_back(filter);
    const auto same = std::find_if(instances_.begin(), instances_.end(), [&](const Instance &i) {
        return i.analysis == analysis && i.weighting == weighting;
    });
    const auto score = static_cast<size_t>(same - instances_.begin());
    instances_.push_back({set, weighting, analysis, score, set.number("speed_max_val")});
    return instances_.size() - 1;
}

/* Chroma planes of odd pictures are rounded up in frames, but libvmaf scores the part that is
 * rounded down. */
void SpeedChromaPlan::prepare(PlanDevice &device, const PictureFormat &format)
{
    if (format.chroma == Chroma::k400)
        fail(VMAFX_E_NOTSUP, "format", "speed_chroma needs pictures with chroma planes");
    const FloatDepth depth = float_depth(format, "speed_chroma");
    const bool half_width = format.chroma != Chroma::k444;
    const bool half_height = format.chroma == Chroma::k420;
    const SpeedFormat planes = {half_width ? format.width / 2 : format.width,
                                half_height ? format.height / 2 : format.height,
                                format.sample_bytes(), depth.step, kPairs};
    for (SpeedAnalysis &analysis : analyses_)
        analysis.prepare(device, planes, "speed_chroma");
}

ScoreNames SpeedChromaPlan::score_names(size_t instance) const
{
    ScoreNames names;
    for (const char *name : kNames)
        names.prompt.push_back(instances_[instance].options.score_name(name));
    return names;
}

void SpeedChromaPlan::enqueue(const FrameJob &job)
{
    std::vector<SpeedSource> source;
    for (const uint32_t plane : {1, 2})
        for (const PictureView *picture : {&job.reference, &job.distorted})
            source.push_back({picture->plane[plane].data, nullptr, picture->plane[plane].pitch, 0});
    for (size_t a = 0; a < analyses_.size(); ++a) {
        analyses_[a].enqueue(*job.stream, source);
        for (size_t i = 0; i < instances_.size(); ++i)
            if (instances_[i].analysis == a && instances_[i].score == i)
                analyses_[a].enqueue_scores(*job.stream, instances_[i].weighting,
                                            job.results + i * kPairs);
    }
}

void SpeedChromaPlan::collect(size_t instance, const uint64_t *results, uint64_t index,
                              ScoreSink &sink)
{
    const Instance &self = instances_[instance];
    const SpeedScore u = SpeedAnalysis::read_score(results[self.score * kPairs]);
    const SpeedScore v = SpeedAnalysis::read_score(results[self.score * kPairs + 1]);
    float both = (u.value + v.value) / 2;
    if (u.unstable != v.unstable)
        both = u.unstable ? v.value : u.value;
    const float values[] = {u.value, v.value, both};
    for (size_t i = 0; i < std::size(kNames); ++i) {
        const double value = values[i];
        sink.write(self.options.score_name(kNames[i]), index,
                   value < self.ceiling ? value : self.ceiling);
    }
}

std::unique_ptr<FeaturePlan> create()
{
    return std::make_unique<SpeedChromaPlan>();
}

} // namespace

const FeatureDescription *speed_chroma_feature()
{
    static const FeatureDescription description = {
        "speed_chroma", &options(), {kNames[0], kNames[1], kNames[2]}, create};
    return &description;
}

} // namespace vmafx
