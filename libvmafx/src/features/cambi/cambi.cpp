/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CAMBI: how visible bands of false contours are in a picture's luma. The device makes the sums of
 * the strongest contrasts of each scale; option sets share what they have in common.
 */
#include <algorithm>

#include "core/failure.h"
#include "features/cambi/cambi_passes.h"
#include "features/registry.h"

namespace vmafx
{

namespace
{

constexpr const char *kScoreName = "Cambi_feature_cambi_score";
constexpr const char *kSourceName = "cambi_source";
constexpr const char *kFullReferenceName = "cambi_full_reference";

struct Instance {
    OptionSet options;
    std::string name;
    bool full_reference;
    double max_value = 0;
    size_t distorted = 0, source = 0; /* means of the passes */
};

class CambiPlan final : public FeaturePlan
{
  public:
    size_t add_instance(const OptionSet &set) override
    {
        check_cambi_options(set);
        const bool full = set.flag("full_ref");
        if (full && reference_planes() != 0)
            fail(VMAFX_E_INVALID, "options.full_ref",
                 "another option set of cambi has full_ref already, and scores cambi_source and "
                 "cambi_full_reference have no options in their names");
        instances_.push_back({set, set.score_name(kScoreName), full});
        return instances_.size() - 1;
    }

    uint32_t reference_planes() const override
    {
        return std::any_of(instances_.begin(), instances_.end(),
                           [](const Instance &i) { return i.full_reference; });
    }
    uint32_t distorted_planes() const override { return 1; }

    void prepare(PlanDevice &device, const PictureFormat &format) override;
    size_t result_words() const override { return passes_.result_words(); }
    ScoreNames score_names(size_t instance) const override;
    void enqueue(const FrameJob &job) override { passes_.enqueue(job); }
    void collect(size_t instance, const uint64_t *results, uint64_t index,
                 ScoreSink &sink) override;

  private:
    void check_excess(const uint64_t *results, uint64_t index, bool reference) const;

    std::vector<Instance> instances_;
    PictureFormat format_;
    CambiPasses passes_;
};

void CambiPlan::prepare(PlanDevice &device, const PictureFormat &format)
{
    format_ = format;
    for (Instance &instance : instances_) {
        const CambiSetting setting = resolve_cambi(instance.options, format);
        instance.max_value = setting.max_value;
        instance.distorted =
            passes_.add(setting.distorted, setting.distorted_measure, setting.top_share);
        if (instance.full_reference)
            instance.source =
                passes_.add(setting.source, setting.source_measure, setting.top_share);
    }
    passes_.prepare(device, format);
}

ScoreNames CambiPlan::score_names(size_t instance) const
{
    const Instance &self = instances_[instance];
    ScoreNames names{{self.name}, {}};
    if (self.full_reference)
        names.prompt.insert(names.prompt.end(), {kSourceName, kFullReferenceName});
    return names;
}

void CambiPlan::check_excess(const uint64_t *results, uint64_t index, bool reference) const
{
    const uint64_t count = passes_.excess(results, reference);
    if (count > 0)
        fail(VMAFX_E_INVALID, reference ? "reference" : "distorted",
             "%llu luma samples of frame %llu are larger than %u, the largest of %u bits; give the "
             "frame's true depth",
             static_cast<unsigned long long>(count), static_cast<unsigned long long>(index),
             (1u << format_.bits) - 1, format_.bits);
}

void CambiPlan::collect(size_t instance, const uint64_t *results, uint64_t index, ScoreSink &sink)
{
    const Instance &self = instances_[instance];
    check_excess(results, index, false);
    const double distorted = passes_.score(results, self.distorted);
    sink.write(self.name, index, std::min(distorted, self.max_value));
    if (!self.full_reference)
        return;
    check_excess(results, index, true);
    const double source = passes_.score(results, self.source);
    sink.write(kSourceName, index, std::min(source, self.max_value));
    sink.write(kFullReferenceName, index,
               std::min(std::max(0.0, distorted - source), self.max_value));
}

std::unique_ptr<FeaturePlan> create()
{
    return std::make_unique<CambiPlan>();
}

} // namespace

const FeatureDescription *cambi_feature()
{
    static const FeatureDescription description = {"cambi", &cambi_options(), {kScoreName}, create};
    return &description;
}

} // namespace vmafx
