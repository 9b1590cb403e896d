/* SPDX-License-Identifier: BSD-2-Clause
 *
 * PSNR-HVS-M of up to three planes: squared errors of the frequencies of overlapping blocks,
 * weighted and masked as an eye would. libvmaf adds them up in one float per plane, in the order
 * of blocks and frequencies, so the device stores them and adds them up in that order.
 */
#include <bit>
#include <cmath>

#include "core/failure.h"
#include "features/psnr_hvs/psnr_hvs_kernels.h"
#include "features/registry.h"

namespace vmafx
{

namespace
{

constexpr const char *kName = "psnr_hvs";
constexpr uint32_t kPlanes = 3;
constexpr const char *kPlaneNames[kPlanes] = {"psnr_hvs_y", "psnr_hvs_cb", "psnr_hvs_cr"};
constexpr uint32_t kMostBits = 12;

double decibels(double error)
{
    return 10 * (-1 * std::log10(error));
}

class PsnrHvsPlan final : public FeaturePlan
{
  public:
    size_t add_instance(const OptionSet &) override { return instances_++; }
    uint32_t reference_planes() const override { return (1u << kPlanes) - 1; }
    uint32_t distorted_planes() const override { return reference_planes(); }
    void prepare(PlanDevice &device, const PictureFormat &format) override;
    size_t result_words() const override { return kPlanes; }
    ScoreNames score_names(size_t instance) const override;
    void enqueue(const FrameJob &job) override;
    void collect(size_t instance, const uint64_t *results, uint64_t index,
                 ScoreSink &sink) override;

  private:
    struct Plane {
        uint32_t columns, rows; /* of blocks */
        float *errors;
        int64_t count() const { return int64_t{columns} * rows * kPsnrHvsValues; }
    };
    uint32_t tiles(const Plane &plane) const { return groups_for(plane.columns, tile_blocks_); }
    double mean_error(uint32_t plane, uint64_t result) const;

    size_t instances_ = 0;
    PictureFormat format_;
    Plane planes_[kPlanes] = {};
    uint32_t tile_blocks_ = 1;
    const Kernel *kernel_ = nullptr;
    const Kernel *sum_ = nullptr;
};

/** Samples of a plane that libvmaf scores: chroma of odd pictures is rounded down. */
uint32_t scored(uint32_t size, bool halved)
{
    return halved ? size / 2 : size;
}

uint32_t blocks(uint32_t size)
{
    return (size - 1) / kPsnrHvsStep;
}

void PsnrHvsPlan::prepare(PlanDevice &device, const PictureFormat &format)
{
    const bool chroma = format.chroma != Chroma::k400;
    const bool narrow = chroma && format.chroma != Chroma::k444;
    const bool low = format.chroma == Chroma::k420;
    const uint32_t width = narrow ? 2 * kPsnrHvsSide : kPsnrHvsSide;
    const uint32_t height = low ? 2 * kPsnrHvsSide : kPsnrHvsSide;
    if (format.width < width || format.height < height)
        fail(
            VMAFX_E_RANGE, format.width < width ? "width" : "height",
            "psnr_hvs needs planes of at least %dx%d, which are pictures of %ux%u; these are %ux%u",
            kPsnrHvsSide, kPsnrHvsSide, width, height, format.width, format.height);
    if (format.bits > kMostBits)
        fail(VMAFX_E_NOTSUP, "bits", "psnr_hvs takes 8 to %u bits a sample, not %u", kMostBits,
             format.bits);
    format_ = format;
    tile_blocks_ = device.cpu_tiles() ? kPsnrHvsCpuBlocks : kPsnrHvsGpuBlocks;
    kernel_ = device.kernel(format.bits == 8 ? "psnr_hvs_8" : "psnr_hvs_16");
    sum_ = device.kernel("psnr_hvs_sum");
    for (uint32_t p = 0; p < format.plane_count(); ++p) {
        Plane &plane = planes_[p];
        plane.columns = blocks(scored(format.width, p > 0 && narrow));
        plane.rows = blocks(scored(format.height, p > 0 && low));
        const size_t blocks = size_t{tiles(plane)} * tile_blocks_ * plane.rows;
        plane.errors =
            static_cast<float *>(device.allocate(blocks * kPsnrHvsValues * sizeof(float)));
    }
}

ScoreNames PsnrHvsPlan::score_names(size_t) const
{
    ScoreNames names;
    names.prompt.assign(kPlaneNames, kPlaneNames + format_.plane_count());
    names.prompt.push_back(kName);
    return names;
}

void PsnrHvsPlan::enqueue(const FrameJob &job)
{
    const uint32_t planes = format_.plane_count();
    PsnrHvsArgs args = {};
    for (uint32_t p = 0; p < planes; ++p) {
        const PlaneView &reference = job.reference.plane[p], &distorted = job.distorted.plane[p];
        const Plane &plane = planes_[p];
        args.plane[p] = {reference.data,
                         distorted.data,
                         reference.pitch,
                         distorted.pitch,
                         plane.errors,
                         static_cast<int32_t>(plane.columns),
                         static_cast<int32_t>(plane.rows),
                         job.results + p};
    }
    job.stream->launch(kernel_, Grid{tiles(planes_[0]), planes_[0].rows, planes, kPsnrHvsThreads},
                       args);
    job.stream->launch(sum_, Grid{planes, 1, 1, kPsnrHvsSumThreads}, args);
}

/** Of a coefficient, relative to the square of the largest sample; in floats. */
double PsnrHvsPlan::mean_error(uint32_t plane, uint64_t result) const
{
    const auto sum = static_cast<float>(std::bit_cast<double>(result));
    const uint32_t peak = (1u << format_.bits) - 1;
    return sum / static_cast<float>(planes_[plane].count()) / static_cast<float>(peak * peak);
}

void PsnrHvsPlan::collect(size_t, const uint64_t *results, uint64_t index, ScoreSink &sink)
{
    double error[kPlanes] = {};
    for (uint32_t p = 0; p < format_.plane_count(); ++p) {
        error[p] = mean_error(p, results[p]);
        sink.write(kPlaneNames[p], index, decibels(error[p]));
    }
    const bool luma_alone = format_.plane_count() == 1;
    sink.write(kName, index,
               decibels(luma_alone ? error[0] : error[0] * 0.8 + 0.1 * (error[1] + error[2])));
}

std::unique_ptr<FeaturePlan> create()
{
    return std::make_unique<PsnrHvsPlan>();
}

} // namespace

const FeatureDescription *psnr_hvs_feature()
{
    static const OptionTable options;
    static const FeatureDescription description = {
        kName, &options, {"psnr_hvs_y", "psnr_hvs_cb", "psnr_hvs_cr", kName}, create};
    return &description;
}

} // namespace vmafx
