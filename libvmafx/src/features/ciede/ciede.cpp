/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CIEDE2000: the mean difference of two pictures' colours in CIELAB, on a scale of decibels. Each
 * position of luma takes the chroma sample that lies there, without interpolation.
 */
#include <bit>
#include <cmath>

#include "core/failure.h"
#include "features/ciede/ciede_kernels.h"
#include "features/float_depth.h"
#include "features/registry.h"
#include "kernels/ordered_sum_kernels.h"

namespace vmafx
{

namespace
{

constexpr const char *kName = "ciede";
constexpr const char *kScore = "ciede2000";

class CiedePlan final : public FeaturePlan
{
  public:
    size_t add_instance(const OptionSet &) override { return instances_++; }
    uint32_t reference_planes() const override { return (1u << kCiedePlanes) - 1; }
    uint32_t distorted_planes() const override { return reference_planes(); }
    void prepare(PlanDevice &device, const PictureFormat &format) override;
    size_t result_words() const override { return 1; }
    ScoreNames score_names(size_t) const override { return {{kScore}, {}}; }
    void enqueue(const FrameJob &job) override;
    void collect(size_t instance, const uint64_t *results, uint64_t index,
                 ScoreSink &sink) override;

  private:
    int64_t positions() const { return int64_t{format_.width} * format_.height; }

    size_t instances_ = 0;
    PictureFormat format_;
    uint32_t tile_width_ = 1;
    const Kernel *kernel_ = nullptr;
    const Kernel *sum_ = nullptr;
    float *differences_ = nullptr;
};

void CiedePlan::prepare(PlanDevice &device, const PictureFormat &format)
{
    if (format.chroma == Chroma::k400)
        fail(VMAFX_E_NOTSUP, "format", "ciede needs pictures with chroma planes");
    float_depth(format, kName);
    format_ = format;
    tile_width_ = device.cpu_tiles() ? kCiedeCpuWidth : kCiedeGpuWidth;
    kernel_ = device.kernel("ciede");
    sum_ = device.kernel("ordered_sum_f32_f64");
    differences_ = static_cast<float *>(
        device.allocate(static_cast<size_t>(positions()) * sizeof(*differences_)));
}

CiedePicture picture_of(const PictureView &view)
{
    CiedePicture picture = {};
    for (int p = 0; p < kCiedePlanes; ++p) {
        picture.samples[p] = view.plane[p].data;
        picture.pitch[p] = view.plane[p].pitch;
    }
    return picture;
}

void CiedePlan::enqueue(const FrameJob &job)
{
    const double scale = 1u << (format_.bits - 8);
    CiedeArgs args = {};
    args.picture[0] = picture_of(job.reference);
    args.picture[1] = picture_of(job.distorted);
    args.differences = differences_;
    args.width = static_cast<int32_t>(format_.width);
    args.sample_bytes = static_cast<int32_t>(format_.sample_bytes());
    args.shift_x = format_.chroma != Chroma::k444 ? 1 : 0;
    args.shift_y = format_.chroma == Chroma::k420 ? 1 : 0;
    args.black = 16 * scale;
    args.grey = 128 * scale;
    args.luma_step = 1 / (219 * scale);
    args.chroma_step = 1 / (224 * scale);
    job.stream->launch(
        kernel_, Grid{groups_for(format_.width, tile_width_), format_.height, 1, kCiedeThreads},
        args);

    OrderedSumArgs sum = {};
    sum.map[0] = {differences_, positions(), job.results};
    job.stream->launch(sum_, Grid{1, 1, 1, kOrderedThreads}, sum);
}

/* Equal pictures are infinitely good. */
void CiedePlan::collect(size_t, const uint64_t *results, uint64_t index, ScoreSink &sink)
{
    const double mean = std::bit_cast<double>(results[0]) / static_cast<double>(positions());
    sink.write(kScore, index, 45 - 20 * std::log10(mean));
}

std::unique_ptr<FeaturePlan> create()
{
    return std::make_unique<CiedePlan>();
}

} // namespace

const FeatureDescription *ciede_feature()
{
    static const OptionTable options;
    static const FeatureDescription description = {kName, &options, {kScore}, create};
    return &description;
}

} // namespace vmafx
