/* SPDX-License-Identifier: BSD-2-Clause
 *
 * PSNR of luma in 8-bit steps. libvmaf squares differences in floats and adds them up in doubles.
 * Up to 12 bits no square is rounded, so the sum is that of psnr's kernels; at 16 bits the rounded
 * squares are whole numbers of 2^-16, which are summed as such.
 */
#include <cmath>

#include "features/float_depth.h"
#include "features/float_psnr/float_psnr_kernels.h"
#include "features/psnr/psnr_kernels.h"
#include "features/registry.h"
#include "features/squares.h"
#include "kernels/squares_in_order_kernels.h"

namespace vmafx
{

namespace
{

constexpr const char *kName = "float_psnr";

/* Words of the results. */
constexpr size_t kSum = 0, kInOrder = 1, kWords = 2;

constexpr double kSmallestNoise = 1e-10;

class FloatPsnrPlan final : public FeaturePlan
{
  public:
    size_t add_instance(const OptionSet &) override { return instances_++; }
    uint32_t reference_planes() const override { return 1; }
    uint32_t distorted_planes() const override { return 1; }
    void prepare(PlanDevice &device, const PictureFormat &format) override;
    size_t result_words() const override { return kWords; }
    ScoreNames score_names(size_t) const override { return {{kName}, {}}; }
    void enqueue(const FrameJob &job) override;
    void collect(size_t instance, const uint64_t *results, uint64_t index,
                 ScoreSink &sink) override;

  private:
    size_t instances_ = 0;
    PictureFormat format_;
    FloatDepth depth_ = {};
    const Kernel *kernel_ = nullptr;
    const Kernel *in_order_ = nullptr; /* only where sums can need it */
    PsnrShape shape_ = {};
};

void FloatPsnrPlan::prepare(PlanDevice &device, const PictureFormat &format)
{
    depth_ = float_depth(format, kName);
    format_ = format;
    shape_ = device.cpu_tiles() ? kPsnrCpuShape : kPsnrGpuShape;
    kernel_ = device.kernel(format.bits == 8    ? "psnr_8"
                            : format.bits <= 12 ? "psnr_12"
                                                : "float_psnr_16");
    if (squares_need_order(format.width, format.height, format.bits))
        in_order_ = device.kernel("squares_in_order");
}

void FloatPsnrPlan::enqueue(const FrameJob &job)
{
    const PlaneView &reference = job.reference.plane[0], &distorted = job.distorted.plane[0];
    PsnrArgs args = {};
    args.sse = job.results + kSum;
    args.plane[0] = {reference.data,
                     distorted.data,
                     reference.pitch,
                     distorted.pitch,
                     static_cast<int32_t>(format_.width),
                     static_cast<int32_t>(format_.height)};
    job.stream->launch(kernel_,
                       Grid{groups_for(format_.width, shape_.width),
                            groups_for(format_.height, shape_.height), 1, kPsnrThreads},
                       args);
    if (!in_order_)
        return;
    SquaresArgs squares = {};
    squares.entry[0] = {reference.data,  distorted.data,     reference.pitch,
                        distorted.pitch, job.results + kSum, job.results + kInOrder};
    squares.width = args.plane[0].width;
    squares.height = args.plane[0].height;
    job.stream->launch(in_order_, Grid{1, 1, 1, kSquaresThreads}, squares);
}

void FloatPsnrPlan::collect(size_t, const uint64_t *results, uint64_t index, ScoreSink &sink)
{
    const double step = depth_.step;
    const double sum = sum_of_squares(results[kSum], results[kInOrder]) * (step * step);
    const double noise = sum / (format_.width * format_.height);
    const double floored = noise > kSmallestNoise ? noise : kSmallestNoise;
    const double psnr = 10.0 * std::log10(depth_.peak * depth_.peak / floored);
    sink.write(kName, index, psnr < depth_.ceiling ? psnr : depth_.ceiling);
}

std::unique_ptr<FeaturePlan> create()
{
    return std::make_unique<FloatPsnrPlan>();
}

} // namespace

const FeatureDescription *float_psnr_feature()
{
    static const OptionTable options;
    static const FeatureDescription description = {kName, &options, {kName}, create};
    return &description;
}

} // namespace vmafx
