/* SPDX-License-Identifier: BSD-2-Clause
 *
 * SpEED of the differences between luma planes and those before them.
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

constexpr uint32_t kLumaBit = 1;
constexpr int kWeightingMode = 0;
constexpr const char *kName = "Speed_temporal_feature_speed_temporal_score";

const OptionTable &options()
{
    static const OptionTable table = [] {
        OptionTable common = speed_options();
        common.push_back({"speed_use_ref_diff", "urd", OptionType::kBool, 0, 0, 1, true});
        return common;
    }();
    return table;
}

/** Fields that option sets can share. */
struct Difference {
    SpeedAnalysis analysis;
    bool from_reference; /* the distorted side: picture before minus this reference */
};

struct Instance {
    OptionSet options;
    SpeedWeighting weighting;
    size_t difference;
    size_t score; /* number of the first instance with the same score */
};

class SpeedTemporalPlan final : public FeaturePlan
{
  public:
    size_t add_instance(const OptionSet &set) override;
    uint32_t reference_planes() const override { return kLumaBit; }
    uint32_t distorted_planes() const override { return kLumaBit; }
    uint32_t history() const override { return 1; }
    uint32_t distorted_history() const override { return 1; }
    /** A frame's predecessor is the one submitted before it, also under subsampling. */
    bool every_frame() const override { return true; }
    void prepare(PlanDevice &device, const PictureFormat &format) override;
    size_t result_words() const override { return instances_.size(); }
    ScoreNames score_names(size_t instance) const override
    {
        return {{instances_[instance].options.score_name(kName)}, {}};
    }
    void check_frame(uint64_t index, uint64_t sequence) const override;
    void enqueue(const FrameJob &job) override;
    void collect(size_t instance, const uint64_t *results, uint64_t index,
                 ScoreSink &sink) override;

  private:
    std::vector<Instance> instances_;
    std::vector<Difference> differences_;
};

size_t SpeedTemporalPlan::add_instance(const OptionSet &set)
{
    const SpeedFilter filter = speed_filter(set);
    const bool from_reference = set.flag("speed_use_ref_diff");
    const auto found =
        std::find_if(differences_.begin(), differences_.end(), [&](const Difference &d) {
            return d.analysis.filter() == filter && d.from_reference == from_reference;
        });
    const auto difference = static_cast<size_t>(found - differences_.begin());
    if (found == differences_.end())
        differences_.push_back({SpeedAnalysis(filter), from_reference});
    const SpeedWeighting weighting = speed_weighting(set, kWeightingMode);
    const auto same = std::find_if(instances_.begin(), instances_.end(), [&](const Instance &i) {
        return i.difference == difference && i.weighting == weighting;
    });
    const auto score = static_cast<size_t>(same - instances_.begin());
    instances_.push_back({set, weighting, difference, score});
    return instances_.size() - 1;
}

void SpeedTemporalPlan::prepare(PlanDevice &device, const PictureFormat &format)
{
    const FloatDepth depth = float_depth(format, "speed_temporal");
    const SpeedFormat plane = {format.width, format.height, format.sample_bytes(), depth.step, 1};
    for (Difference &difference : differences_)
        difference.analysis.prepare(device, plane, "speed_temporal");
}

void SpeedTemporalPlan::check_frame(uint64_t index, uint64_t sequence) const
{
    if (index > 0 && sequence == 0)
        fail(VMAFX_E_INVALID, "index",
             "speed_temporal of frame %llu needs the pair submitted before it; submit frames from "
             "index 0 on",
             static_cast<unsigned long long>(index));
}

void SpeedTemporalPlan::enqueue(const FrameJob &job)
{
    if (job.index == 0)
        return;
    const auto minus = [](const PictureView &a, const PictureView &b) {
        return SpeedSource{a.plane[0].data, b.plane[0].data, a.plane[0].pitch, b.plane[0].pitch};
    };
    for (size_t d = 0; d < differences_.size(); ++d) {
        const Difference &difference = differences_[d];
        const SpeedSource source[] = {minus(job.previous[0], job.reference),
                                      minus(job.previous_distorted[0], difference.from_reference
                                                                           ? job.reference
                                                                           : job.distorted)};
        difference.analysis.enqueue(*job.stream, source);
        for (size_t i = 0; i < instances_.size(); ++i)
            if (instances_[i].difference == d && instances_[i].score == i)
                difference.analysis.enqueue_scores(*job.stream, instances_[i].weighting,
                                                   job.results + i);
    }
}

/* speed_max_val is part of the name alone, as in libvmaf. */
void SpeedTemporalPlan::collect(size_t instance, const uint64_t *results, uint64_t index,
                                ScoreSink &sink)
{
    const Instance &self = instances_[instance];
    const SpeedScore score = SpeedAnalysis::read_score(results[self.score]);
    sink.write(self.options.score_name(kName), index,
               index == 0 ? 0 : static_cast<double>(score.value));
}

std::unique_ptr<FeaturePlan> create()
{
    return std::make_unique<SpeedTemporalPlan>();
}

} // namespace

const FeatureDescription *speed_temporal_feature()
{
    static const FeatureDescription description = {"speed_temporal", &options(), {kName}, create};
    return &description;
}

} // namespace vmafx
