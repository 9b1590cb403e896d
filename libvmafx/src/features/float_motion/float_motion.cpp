/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Motion in floats: how far the blurred reference is from the one before it. A measure is what the
 * device sums up; option sets share those that they have in common.
 */
#include <bit>
#include <cmath>

#include "core/failure.h"
#include "features/float_depth.h"
#include "features/float_motion/float_motion_kernels.h"
#include "features/float_motion/float_motion_scores.h"
#include "features/registry.h"
#include "kernels/ordered_sum_kernels.h"

namespace vmafx
{

namespace
{

constexpr const char *kName = "float_motion";
constexpr uint32_t kPlanes = 3;
constexpr uint32_t kSmallestSide = 3; /* the filter's mirror needs it */
constexpr uint32_t kWidestShrunk = 7680;

const OptionTable &options()
{
    static const OptionTable table = {
        {"debug", nullptr, OptionType::kBool, 1, 0, 1, false},
        {"motion_force_zero", "force_0", OptionType::kBool, 0, 0, 1, true},
        {"motion_fps_weight", "mfw", OptionType::kDouble, 1, 0, 5, true},
        {"motion_blend_factor", "mbf", OptionType::kDouble, 1, 0, 1, true},
        {"motion_blend_offset", "mbo", OptionType::kDouble, 40, 0, 1000, true},
        {"motion_add_scale1", "mdc", OptionType::kBool, 0, 0, 1, true},
        {"motion_filter_size", "mfs", OptionType::kInt, 5, 0, 9, true},
        {"motion_add_uv", "mau", OptionType::kBool, 0, 0, 1, true},
        {"motion_max_val", "mmxv", OptionType::kDouble, 10000, 0, 10000, true},
    };
    return table;
}

enum class Filter { kNone, kThree, kFive };

Filter filter_of(int size)
{
    return size == 1 ? Filter::kNone : size == 3 ? Filter::kThree : Filter::kFive;
}

/** From the middle to the outside. */
void set_taps(Filter filter, float (&taps)[3])
{
    const float none[] = {1, 0, 0}, three[] = {0.667243004f, 0.166378498f, 0};
    const float five[] = {0.402619947f, 0.244201342f, 0.054488685f};
    const float *const chosen = filter == Filter::kNone    ? none
                                : filter == Filter::kThree ? three
                                                           : five;
    for (size_t i = 0; i < 3; ++i)
        taps[i] = chosen[i];
}

/** A sum of absolute differences. */
struct Measure {
    Filter filter;
    uint32_t plane;
    bool shrunk;
    float *rows = nullptr;
    bool same(const Measure &other) const
    {
        return filter == other.filter && plane == other.plane && shrunk == other.shrunk;
    }
};

struct Instance {
    FloatMotionScores scores;
    uint32_t planes; /* whose distances are added up, 0 for none */
    bool add_shrunk;
    size_t measure[kPlanes][2]; /* numbers of measures, whole and shrunk */
};

class FloatMotionPlan final : public FeaturePlan
{
  public:
    size_t add_instance(const OptionSet &set) override;
    uint32_t reference_planes() const override;
    uint32_t distorted_planes() const override { return 0; }
    uint32_t history() const override { return measures_.empty() ? 0 : 1; }
    /** A frame's predecessor is the one submitted before it, also under subsampling. */
    bool every_frame() const override { return true; }
    void prepare(PlanDevice &device, const PictureFormat &format) override;
    size_t result_words() const override { return measures_.size(); }
    ScoreNames score_names(size_t instance) const override
    {
        return instances_[instance].scores.names();
    }
    void check_frame(uint64_t index, uint64_t sequence) const override;
    void enqueue(const FrameJob &job) override;
    void collect(size_t instance, const uint64_t *results, uint64_t index,
                 ScoreSink &sink) override;
    bool may_come(size_t instance, uint64_t index) const override
    {
        return instances_[instance].scores.is_open(index);
    }
    void finish(size_t instance, ScoreSink &sink) override
    {
        instances_[instance].scores.finish(sink);
    }

  private:
    size_t measure(const Measure &wanted);
    uint32_t width(uint32_t plane) const;
    uint32_t height(uint32_t plane) const;
    void check_format(const PictureFormat &format) const;
    void prepare_shrinking(PlanDevice &device);
    FloatMotionArgs arguments(const FrameJob &job, const Measure &measure) const;
    void enqueue_measure(const FrameJob &job, const Measure &measure);
    float distance(size_t measure, const uint64_t *results) const;

    std::vector<Instance> instances_;
    std::vector<Measure> measures_;
    PictureFormat format_;
    float step_ = 1;
    FloatMotionShape shape_ = {};
    const Kernel *kernel_ = nullptr;
    const Kernel *sum_ = nullptr;
    const Kernel *blur_ = nullptr; /* this and what follows: only where planes are shrunk */
    const Kernel *shrunk_ = nullptr;
    float *blurred_[2] = {};
    const FloatMotionPlace *across_[kPlanes] = {}, *down_[kPlanes] = {};
};

uint32_t shrunk(uint32_t size)
{
    return (size + 1) / 2;
}

/** Where the samples of a shrunk line lie in the line. */
std::vector<FloatMotionPlace> places(uint32_t size)
{
    const uint32_t count = shrunk(size);
    const float ratio = static_cast<float>(size) / static_cast<float>(count);
    std::vector<FloatMotionPlace> list;
    for (uint32_t i = 0; i < count; ++i) {
        const auto at = static_cast<float>((i + 0.5) * static_cast<double>(ratio) - 0.5);
        const float below = std::floor(at);
        list.push_back(
            {static_cast<int32_t>(below), static_cast<int32_t>(std::ceil(at)), at - below});
    }
    return list;
}

size_t FloatMotionPlan::measure(const Measure &wanted)
{
    for (size_t i = 0; i < measures_.size(); ++i)
        if (measures_[i].same(wanted))
            return i;
    measures_.push_back(wanted);
    return measures_.size() - 1;
}

size_t FloatMotionPlan::add_instance(const OptionSet &set)
{
    Instance added = {FloatMotionScores(set), 0, set.flag("motion_add_scale1"), {}};
    if (added.scores.needs_pictures())
        added.planes = set.flag("motion_add_uv") ? kPlanes : 1;
    const Filter filter = filter_of(set.integer("motion_filter_size"));
    for (uint32_t p = 0; p < added.planes; ++p) {
        added.measure[p][0] = measure({filter, p, false});
        if (added.add_shrunk)
            added.measure[p][1] = measure({filter, p, true});
    }
    instances_.push_back(added);
    return instances_.size() - 1;
}

uint32_t FloatMotionPlan::reference_planes() const
{
    uint32_t planes = 0;
    for (const Measure &measure : measures_)
        planes |= 1u << measure.plane;
    return planes;
}

/* libvmaf scores the part of odd chroma planes that is rounded down. */
uint32_t FloatMotionPlan::width(uint32_t plane) const
{
    const bool half = plane > 0 && format_.chroma != Chroma::k444;
    return half ? format_.width / 2 : format_.width;
}

uint32_t FloatMotionPlan::height(uint32_t plane) const
{
    const bool half = plane > 0 && format_.chroma == Chroma::k420;
    return half ? format_.height / 2 : format_.height;
}

void FloatMotionPlan::check_format(const PictureFormat &format) const
{
    const bool chroma = reference_planes() > 1;
    if (chroma && format.chroma == Chroma::k400)
        fail(VMAFX_E_NOTSUP, "options.motion_add_uv",
             "motion_add_uv needs chroma, and these pictures have none; leave the option out");
    const bool narrow = chroma && format.chroma != Chroma::k444;
    const bool low = chroma && format.chroma == Chroma::k420;
    require_size(format, kName, narrow ? 2 * kSmallestSide : kSmallestSide,
                 low ? 2 * kSmallestSide : kSmallestSide);
    for (const Measure &measure : measures_)
        if (measure.shrunk && shrunk(format.width) > kWidestShrunk)
            fail(VMAFX_E_RANGE, "width",
                 "motion_add_scale1 takes pictures of at most %u columns, these have %u",
                 2 * kWidestShrunk, format.width);
}

void FloatMotionPlan::prepare(PlanDevice &device, const PictureFormat &format)
{
    step_ = float_depth(format, kName).step;
    check_format(format);
    format_ = format;
    shape_ = device.cpu_tiles() ? kFloatMotionCpuShape : kFloatMotionGpuShape;
    kernel_ = device.kernel(format.bits == 8 ? "float_motion_8" : "float_motion_16");
    sum_ = device.kernel("ordered_sum_f32");
    bool shrinks = false;
    for (Measure &measure : measures_) {
        measure.rows = static_cast<float *>(device.allocate(height(measure.plane) * sizeof(float)));
        shrinks = shrinks || measure.shrunk;
    }
    if (shrinks)
        prepare_shrinking(device);
}

void FloatMotionPlan::prepare_shrinking(PlanDevice &device)
{
    blur_ = device.kernel(format_.bits == 8 ? "float_motion_blur_8" : "float_motion_blur_16");
    shrunk_ = device.kernel("float_motion_shrunk");
    for (float *&plane : blurred_)
        plane = static_cast<float *>(
            device.allocate(size_t{format_.width} * format_.height * sizeof(float)));
    const auto upload = [&device](const std::vector<FloatMotionPlace> &list) {
        return static_cast<const FloatMotionPlace *>(
            device.upload(list.data(), list.size() * sizeof(list[0])));
    };
    for (uint32_t p = 0; p < kPlanes; ++p) {
        if (!(reference_planes() & 1u << p))
            continue;
        across_[p] = upload(places(width(p)));
        down_[p] = upload(places(height(p)));
    }
}

void FloatMotionPlan::check_frame(uint64_t index, uint64_t sequence) const
{
    if (!measures_.empty() && index > 0 && sequence == 0)
        fail(VMAFX_E_INVALID, "index",
             "float_motion of frame %llu needs the reference submitted before it; submit frames "
             "from index 0 on",
             static_cast<unsigned long long>(index));
}

FloatMotionArgs FloatMotionPlan::arguments(const FrameJob &job, const Measure &measure) const
{
    const PlaneView &previous = job.previous[0].plane[measure.plane];
    const PlaneView &current = job.reference.plane[measure.plane];
    FloatMotionArgs args = {};
    args.samples[0] = previous.data;
    args.samples[1] = current.data;
    args.pitch[0] = previous.pitch;
    args.pitch[1] = current.pitch;
    args.rows = measure.rows;
    args.blurred[0] = blurred_[0];
    args.blurred[1] = blurred_[1];
    args.width = static_cast<int32_t>(width(measure.plane));
    args.height = static_cast<int32_t>(height(measure.plane));
    args.step = step_;
    set_taps(measure.filter, args.taps);
    return args;
}

void FloatMotionPlan::enqueue_measure(const FrameJob &job, const Measure &measure)
{
    const FloatMotionArgs args = arguments(job, measure);
    const uint32_t p = measure.plane, bands = groups_for(height(p), shape_.rows);
    if (!measure.shrunk) {
        job.stream->launch(kernel_, Grid{1, bands, 1, kFloatMotionThreads}, args);
        return;
    }
    job.stream->launch(
        blur_, Grid{groups_for(width(p), shape_.width), bands, 2, kFloatMotionThreads}, args);
    FloatMotionShrunkArgs small = {};
    small.blurred[0] = blurred_[0];
    small.blurred[1] = blurred_[1];
    small.across = across_[p];
    small.down = down_[p];
    small.rows = measure.rows;
    small.pitch = args.width;
    small.width = static_cast<int32_t>(shrunk(width(p)));
    small.height = static_cast<int32_t>(shrunk(height(p)));
    job.stream->launch(shrunk_,
                       Grid{1, groups_for(shrunk(height(p)), shape_.rows), 1, kFloatMotionThreads},
                       small);
}

void FloatMotionPlan::enqueue(const FrameJob &job)
{
    if (job.index == 0)
        return;
    for (const Measure &measure : measures_)
        enqueue_measure(job, measure);
    for (size_t first = 0; first < measures_.size(); first += kOrderedMaps) {
        OrderedSumArgs sums = {};
        uint32_t count = 0;
        for (size_t i = first; i < measures_.size() && count < kOrderedMaps; ++i, ++count) {
            const uint32_t rows = height(measures_[i].plane);
            sums.map[count] = {measures_[i].rows, measures_[i].shrunk ? shrunk(rows) : rows,
                               job.results + i};
        }
        job.stream->launch(sum_, Grid{count, 1, 1, kOrderedThreads}, sums);
    }
}

/** The mean of a measure, in floats. */
float FloatMotionPlan::distance(size_t measure, const uint64_t *results) const
{
    const Measure &self = measures_[measure];
    uint32_t columns = width(self.plane), rows = height(self.plane);
    if (self.shrunk) {
        columns = shrunk(columns);
        rows = shrunk(rows);
    }
    const auto sum = static_cast<float>(std::bit_cast<double>(results[measure]));
    return sum / static_cast<float>(columns * rows);
}

void FloatMotionPlan::collect(size_t instance, const uint64_t *results, uint64_t index,
                              ScoreSink &sink)
{
    Instance &self = instances_[instance];
    double sum = 0;
    for (uint32_t p = 0; p < self.planes; ++p) {
        float plane = distance(self.measure[p][0], results);
        if (self.add_shrunk)
            plane += distance(self.measure[p][1], results);
        sum += static_cast<double>(plane);
    }
    self.scores.add_frame(index, sum, sink);
}

std::unique_ptr<FeaturePlan> create()
{
    return std::make_unique<FloatMotionPlan>();
}

} // namespace

const FeatureDescription *float_motion_feature()
{
    static const FeatureDescription description = {kName,
                                                   &options(),
                                                   {FloatMotionScores::kMotionName,
                                                    FloatMotionScores::kMotion2Name,
                                                    FloatMotionScores::kMotion3Name},
                                                   create};
    return &description;
}

} // namespace vmafx
