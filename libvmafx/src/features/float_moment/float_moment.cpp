/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Means of luma and of its square, in 8-bit steps, of both pictures.
 */
#include "features/float_depth.h"
#include "features/float_moment/float_moment_kernels.h"
#include "features/registry.h"
#include "features/squares.h"
#include "kernels/squares_in_order_kernels.h"

namespace vmafx
{

namespace
{

constexpr const char *kName = "float_moment";
constexpr const char *kFirstNames[2] = {"float_moment_ref1st", "float_moment_dis1st"};
constexpr const char *kSecondNames[2] = {"float_moment_ref2nd", "float_moment_dis2nd"};

/* Words of a picture's results. */
constexpr size_t kFirst = 0, kSecond = 1, kSecondInOrder = 2, kWords = 3;

class FloatMomentPlan final : public FeaturePlan
{
  public:
    size_t add_instance(const OptionSet &) override { return instances_++; }
    uint32_t reference_planes() const override { return 1; }
    uint32_t distorted_planes() const override { return 1; }
    void prepare(PlanDevice &device, const PictureFormat &format) override;
    size_t result_words() const override { return 2 * kWords; }
    ScoreNames score_names(size_t) const override
    {
        return {{kFirstNames[0], kFirstNames[1], kSecondNames[0], kSecondNames[1]}, {}};
    }
    void enqueue(const FrameJob &job) override;
    void collect(size_t instance, const uint64_t *results, uint64_t index,
                 ScoreSink &sink) override;

  private:
    size_t instances_ = 0;
    PictureFormat format_;
    double step_ = 1;
    FloatMomentShape shape_ = {};
    const Kernel *kernel_ = nullptr;
    const Kernel *in_order_ = nullptr; /* only where sums can need it */
};

void FloatMomentPlan::prepare(PlanDevice &device, const PictureFormat &format)
{
    step_ = float_depth(format, kName).step;
    format_ = format;
    shape_ = device.cpu_tiles() ? kFloatMomentCpuShape : kFloatMomentGpuShape;
    kernel_ = device.kernel(format.bits == 8    ? "float_moment_8"
                            : format.bits <= 12 ? "float_moment_12"
                                                : "float_moment_16");
    if (squares_need_order(format.width, format.height, format.bits))
        in_order_ = device.kernel("squares_in_order");
}

void FloatMomentPlan::enqueue(const FrameJob &job)
{
    FloatMomentArgs args = {};
    SquaresArgs squares = {};
    args.width = squares.width = static_cast<int32_t>(format_.width);
    args.height = squares.height = static_cast<int32_t>(format_.height);
    for (size_t i = 0; i < 2; ++i) {
        const PlaneView &plane = (i == 0 ? job.reference : job.distorted).plane[0];
        uint64_t *const words = job.results + i * kWords;
        args.picture[i] = {plane.data, plane.pitch, words};
        squares.entry[i] = {plane.data, nullptr,         plane.pitch,
                            0,          words + kSecond, words + kSecondInOrder};
    }
    job.stream->launch(kernel_,
                       Grid{groups_for(format_.width, shape_.width),
                            groups_for(format_.height, shape_.height), 2, kFloatMomentThreads},
                       args);
    if (in_order_)
        job.stream->launch(in_order_, Grid{2, 1, 1, kSquaresThreads}, squares);
}

void FloatMomentPlan::collect(size_t, const uint64_t *results, uint64_t index, ScoreSink &sink)
{
    const double samples = static_cast<double>(format_.width) * format_.height;
    for (size_t i = 0; i < 2; ++i) {
        const double sum = static_cast<double>(results[i * kWords + kFirst]) * step_;
        sink.write(kFirstNames[i], index, sum / samples);
    }
    for (size_t i = 0; i < 2; ++i) {
        const uint64_t *const words = results + i * kWords;
        const double sum = sum_of_squares(words[kSecond], words[kSecondInOrder]) * (step_ * step_);
        sink.write(kSecondNames[i], index, sum / samples);
    }
}

std::unique_ptr<FeaturePlan> create()
{
    return std::make_unique<FloatMomentPlan>();
}

} // namespace

const FeatureDescription *float_moment_feature()
{
    static const OptionTable options;
    static const FeatureDescription description = {kName, &options, {kName}, create};
    return &description;
}

} // namespace vmafx
