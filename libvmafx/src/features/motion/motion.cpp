/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Motion: how much the low-passed reference changes from one picture to the next. The device sums
 * absolute differences, once per distance in time for all option sets; the scores that look at
 * neighbouring frames are made at the end of the stream.
 *
 * motion_v2 is the same, in the same plan, under names of its own: libvmaf had an extractor of this
 * name that compared pictures before it filtered them, until motion did the same.
 */
#include <algorithm>

#include "core/failure.h"
#include "features/motion/motion_kernels.h"
#include "features/motion/motion_scores.h"
#include "features/registry.h"

namespace vmafx
{

namespace
{

constexpr uint32_t kSmallestSide = 3; /* the filter's mirror needs it */
constexpr uint32_t kLargestLag = 2;

/* Work-groups that keep a multiprocessor busy, and rows below which too much is read twice. */
constexpr uint32_t kGroups = 8;
constexpr uint32_t kFewestRows = 2;

OptionTable shared_options()
{
    return {
        {"motion_force_zero", "force_0", OptionType::kBool, 0, 0, 1, true},
        {"motion_blend_factor", "mbf", OptionType::kDouble, 1, 0, 1, true},
        {"motion_blend_offset", "mbo", OptionType::kDouble, 40, 0, 1000, true},
        {"motion_fps_weight", "mfw", OptionType::kDouble, 1, 0, 5, true},
        {"motion_max_val", "mmxv", OptionType::kDouble, 10000, 0, 10000, true},
        {"motion_five_frame_window", "mffw", OptionType::kBool, 0, 0, 1, true},
        {"motion_moving_average", "mma", OptionType::kBool, 0, 0, 1, true},
    };
}

const OptionTable &options()
{
    static const OptionTable table = [] {
        OptionTable all = shared_options();
        all.push_back({"debug", nullptr, OptionType::kBool, 0, 0, 1, false});
        return all;
    }();
    return table;
}

const OptionTable &options_v2()
{
    static const OptionTable table = shared_options();
    return table;
}

class MotionPlan final : public FeaturePlan
{
  public:
    size_t add_instance(const OptionSet &set) override
    {
        const MotionNames &names = set.is_of(options_v2()) ? kMotionV2Names : kMotionNames;
        instances_.emplace_back(set, names);
        const MotionScores &added = instances_.back();
        const char *&asked = lags_[added.lag() - 1];
        if (added.needs_pictures() && !asked)
            asked = names.feature;
        return instances_.size() - 1;
    }

    uint32_t reference_planes() const override { return history() > 0 ? 1 : 0; }
    uint32_t distorted_planes() const override { return 0; }
    uint32_t history() const override { return lags_[1] ? 2 : lags_[0] ? 1 : 0; }
    /** A frame's predecessor is the one submitted before it, also under subsampling. */
    bool every_frame() const override { return true; }

    void prepare(PlanDevice &device, const PictureFormat &format) override;
    size_t result_words() const override { return kLargestLag; }
    ScoreNames score_names(size_t instance) const override { return instances_[instance].names(); }
    void check_frame(uint64_t index, uint64_t sequence) const override;
    void enqueue(const FrameJob &job) override;

    void collect(size_t instance, const uint64_t *results, uint64_t index, ScoreSink &sink) override
    {
        MotionScores &self = instances_[instance];
        self.add_frame(index, results[self.lag() - 1], format_.width * format_.height, sink);
    }

    bool may_come(size_t instance, uint64_t index) const override
    {
        return instances_[instance].is_open(index);
    }
    void finish(size_t instance, ScoreSink &sink) override { instances_[instance].finish(sink); }

  private:
    void enqueue_sad(const FrameJob &job, uint32_t lag);

    std::vector<MotionScores> instances_;
    const char *lags_[kLargestLag] = {}; /* the feature that asked first, null for none */
    PictureFormat format_;
    const Kernel *kernel_ = nullptr;
    MotionShape shape_ = {}; /* of tiles */
};

void MotionPlan::prepare(PlanDevice &device, const PictureFormat &format)
{
    if (format.width < kSmallestSide || format.height < kSmallestSide)
        fail(VMAFX_E_RANGE, "format", "%s needs pictures of at least %ux%u, these are %ux%u",
             instances_.front().feature(), kSmallestSide, kSmallestSide, format.width,
             format.height);
    format_ = format;
    shape_ = device.cpu_tiles() ? kMotionCpuShape : kMotionGpuShape;
    if (!device.cpu_tiles())
        shape_.height = static_cast<int>(rows_for(
            groups_for(format.width, static_cast<uint32_t>(shape_.width)) * format.height,
            kGroups * device.multiprocessors(), kFewestRows, static_cast<uint32_t>(shape_.height)));
    kernel_ = device.kernel(format.bits == 8 ? "motion_8" : "motion_16");
}

void MotionPlan::check_frame(uint64_t index, uint64_t sequence) const
{
    for (uint32_t lag = 1; lag <= kLargestLag; ++lag)
        if (lags_[lag - 1] && index >= lag && sequence < lag)
            fail(VMAFX_E_INVALID, "index",
                 "%s of frame %llu needs the reference submitted %u frames before it; submit "
                 "frames from index 0 on",
                 lags_[lag - 1], static_cast<unsigned long long>(index), lag);
}

void MotionPlan::enqueue(const FrameJob &job)
{
    for (uint32_t lag = 1; lag <= kLargestLag; ++lag)
        if (lags_[lag - 1] && job.index >= lag)
            enqueue_sad(job, lag);
}

void MotionPlan::enqueue_sad(const FrameJob &job, uint32_t lag)
{
    const PlaneView &previous = job.previous[lag - 1].plane[0], &current = job.reference.plane[0];
    const MotionArgs args = {previous.data,
                             current.data,
                             previous.pitch,
                             current.pitch,
                             static_cast<int32_t>(format_.width),
                             static_cast<int32_t>(format_.height),
                             shape_.height,
                             static_cast<int32_t>(format_.bits),
                             job.results + (lag - 1)};
    job.stream->launch(kernel_,
                       Grid{groups_for(format_.width, shape_.width),
                            groups_for(format_.height, shape_.height), 1, kMotionThreads},
                       args);
}

std::unique_ptr<FeaturePlan> create()
{
    return std::make_unique<MotionPlan>();
}

} // namespace

const FeatureDescription *motion_feature()
{
    static const FeatureDescription description = {
        kMotionNames.feature,
        &options(),
        {kMotionNames.sad, kMotionNames.motion, kMotionNames.motion2, kMotionNames.motion3},
        create};
    return &description;
}

const FeatureDescription *motion_v2_feature()
{
    static const FeatureDescription description = {
        kMotionV2Names.feature,
        &options_v2(),
        {kMotionV2Names.sad, kMotionV2Names.motion2, kMotionV2Names.motion3},
        create};
    return &description;
}

} // namespace vmafx
