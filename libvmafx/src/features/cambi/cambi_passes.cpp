/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/cambi/cambi_passes.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "features/cambi/cambi_tables.h"

namespace vmafx
{

namespace
{

constexpr size_t kExcessWords = 2; /* of the distorted picture and the reference */

Grid tiles(uint32_t width, uint32_t height, const CambiShape &shape, uint32_t planes = 1)
{
    return Grid{groups_for(width, shape.width), groups_for(height, shape.height), planes,
                kCambiThreads};
}

/** Flat codes of 49 that are too few for a plane of this size. */
int mask_threshold(uint32_t width, uint32_t height)
{
    const uint32_t blocks = (width >> 6) * (height >> 6);
    const int digits = blocks > 1 ? static_cast<int>(std::bit_width(blocks - 1)) : 0;
    constexpr int kSquare = kCambiFlatSide * kCambiFlatSide;
    return (kSquare + 3 * (digits - 11) - 1) >> 1;
}

} // namespace

size_t CambiPasses::add(const CambiPicture &picture, const CambiMeasure &measure, double top_share)
{
    auto sampled = std::find_if(sampled_.begin(), sampled_.end(),
                                [&](const Sampled &s) { return s.picture == picture; });
    if (sampled == sampled_.end())
        sampled = sampled_.insert(sampled, {picture, {}});
    auto pass = std::find_if(sampled->passes.begin(), sampled->passes.end(),
                             [&](const Pass &p) { return p.measure == measure; });
    if (pass == sampled->passes.end())
        pass = sampled->passes.insert(pass, {measure, {}});
    for (const Mean &mean : pass->means)
        if (mean.top_share == top_share)
            return mean.number;
    Divisors divisors = {{}, measure.window};
    for (int s = 0; s < kCambiScales; ++s)
        divisors.counts[s] = wanted(scale_of(picture, measure, s), top_share);
    pass->means.push_back({top_share, means_.size()});
    means_.push_back(divisors);
    return means_.size() - 1;
}

CambiPasses::Plane CambiPasses::scale_of(const CambiPicture &picture, const CambiMeasure &measure,
                                         int scale)
{
    Plane plane = {picture.width, picture.height};
    for (int i = 0; i < scale + (measure.half ? 1 : 0); ++i)
        plane = {(plane.width + 1) / 2, (plane.height + 1) / 2};
    return plane;
}

int CambiPasses::wanted(const Plane &plane, double top_share)
{
    const auto samples = static_cast<int>(plane.samples());
    return std::clamp(static_cast<int>(top_share * samples), 1, samples);
}

void CambiPasses::prepare(PlanDevice &device, const PictureFormat &format)
{
    format_ = format;
    cpu_ = device.cpu_tiles();
    const bool bytes = format.bits == 8;
    excess_kernel_ = device.kernel("cambi_excess_16");
    prepare_kernel_ = device.kernel(bytes ? "cambi_prepare_8" : "cambi_prepare_16");
    mask_kernel_ = device.kernel("cambi_mask");
    scale_kernel_ = device.kernel("cambi_scale");
    contrast_kernel_ = device.kernel("cambi_contrast");
    count_kernel_ = device.kernel("cambi_count");
    pick_kernel_ = device.kernel("cambi_pick");
    for (Sampled &sampled : sampled_)
        upload_tables(device, sampled);
    const std::vector<float> reciprocals = cambi_reciprocals();
    reciprocals_ = static_cast<const float *>(
        device.upload(reciprocals.data(), reciprocals.size() * sizeof(float)));
    allocate(device);
}

void CambiPasses::upload_tables(PlanDevice &device, Sampled &sampled)
{
    const auto upload = [&device](const auto &table) {
        return device.upload(table.data(), table.size() * sizeof(table[0]));
    };
    const CambiPicture &picture = sampled.picture;
    if (picture.width != format_.width || picture.height != format_.height) {
        sampled.columns =
            static_cast<const int32_t *>(upload(cambi_sample_places(format_.width, picture.width)));
        sampled.rows = static_cast<const int32_t *>(
            upload(cambi_sample_places(format_.height, picture.height)));
    }
    for (Pass &pass : sampled.passes) {
        const CambiBins bins = cambi_bins(pass.measure);
        pass.low = bins.low;
        pass.high = bins.high;
        pass.weights = static_cast<const uint8_t *>(upload(cambi_weights(pass.measure, bins)));
    }
}

/** Planes are as large as the largest that any option set needs. */
void CambiPasses::allocate(PlanDevice &device)
{
    size_t whole = 0, scaled[kCambiScales] = {};
    for (const Sampled &sampled : sampled_) {
        whole = std::max(whole, Plane{sampled.picture.width, sampled.picture.height}.samples());
        for (const Pass &pass : sampled.passes)
            for (int s = 0; s < kCambiScales; ++s)
                scaled[s] =
                    std::max(scaled[s], scale_of(sampled.picture, pass.measure, s).samples());
    }
    codes_ = static_cast<uint16_t *>(device.allocate(whole * sizeof(uint16_t)));
    mask_ = static_cast<uint8_t *>(device.allocate(whole));
    for (int s = 0; s < 2; ++s)
        scaled_[s] = static_cast<uint16_t *>(device.allocate(scaled[s] * sizeof(uint16_t)));
    for (int s = 0; s < kCambiScales; ++s) {
        bins_[s] = static_cast<uint16_t *>(device.allocate(scaled[s] * sizeof(uint16_t)));
        contrast_[s] = static_cast<float *>(device.allocate(scaled[s] * sizeof(float)));
    }
    selection_ =
        static_cast<CambiSelection *>(device.allocate(kCambiScales * sizeof(CambiSelection)));
}

size_t CambiPasses::result_words() const
{
    return kExcessWords + means_.size() * kCambiScales;
}

void CambiPasses::enqueue(const FrameJob &job)
{
    for (const bool reference : {false, true})
        if (std::any_of(sampled_.begin(), sampled_.end(),
                        [reference](const Sampled &s) { return s.picture.reference == reference; }))
            enqueue_excess(job, reference);
    for (const Sampled &sampled : sampled_) {
        enqueue_picture(job, sampled);
        for (const Pass &pass : sampled.passes) {
            enqueue_scales(job, sampled, pass);
            enqueue_contrast(job, sampled, pass);
            for (const Mean &mean : pass.means)
                enqueue_mean(job, sampled, pass, mean);
        }
    }
}

/** Words of 16 bits can hold more than the depth's values. */
void CambiPasses::enqueue_excess(const FrameJob &job, bool reference)
{
    if (format_.bits == 8 || format_.bits == 16)
        return;
    const PlaneView &plane = (reference ? job.reference : job.distorted).plane[0];
    const CambiExcessArgs args = {plane.data,
                                  plane.pitch,
                                  static_cast<int32_t>(format_.width),
                                  static_cast<int32_t>(format_.height),
                                  (1 << format_.bits) - 1,
                                  job.results + (reference ? 1 : 0)};
    job.stream->launch(
        excess_kernel_,
        tiles(format_.width, format_.height, cpu_ ? kCambiRowsCpuShape : kCambiRowsGpuShape), args);
}

void CambiPasses::enqueue_picture(const FrameJob &job, const Sampled &sampled)
{
    const CambiPicture &picture = sampled.picture;
    const PlaneView &plane = (picture.reference ? job.reference : job.distorted).plane[0];
    const int bits = static_cast<int>(format_.bits);
    CambiPrepareArgs args = {};
    args.picture = plane.data;
    args.pitch = plane.pitch;
    args.source_width = static_cast<int32_t>(format_.width);
    args.source_height = static_cast<int32_t>(format_.height);
    args.width = static_cast<int32_t>(picture.width);
    args.height = static_cast<int32_t>(picture.height);
    args.left = std::max(10 - bits, 0);
    args.right = std::max(bits - 10, 0);
    args.smooth = picture.smooth;
    args.columns = sampled.columns;
    args.rows = sampled.rows;
    args.codes = codes_;
    job.stream->launch(
        prepare_kernel_,
        tiles(picture.width, picture.height, cpu_ ? kCambiRowsCpuShape : kCambiRowsGpuShape), args);
    const CambiMaskArgs mask = {codes_, mask_, args.width, args.height,
                                mask_threshold(picture.width, picture.height)};
    job.stream->launch(
        mask_kernel_,
        tiles(picture.width, picture.height, cpu_ ? kCambiMaskCpuShape : kCambiMaskGpuShape), mask);
}

void CambiPasses::enqueue_scales(const FrameJob &job, const Sampled &sampled, const Pass &pass)
{
    CambiScaleArgs args = {};
    args.source = codes_;
    args.source_width = static_cast<int32_t>(sampled.picture.width);
    args.mask = mask_;
    args.mask_width = args.source_width;
    args.step = args.mask_step = pass.measure.half ? 2 : 1;
    args.low = pass.low;
    args.high = pass.high;
    args.first_bin = pass.measure.steps;
    for (int s = 0; s < kCambiScales; ++s) {
        const Plane plane = scale_of(sampled.picture, pass.measure, s);
        args.codes = scaled_[s % 2];
        args.bins = bins_[s];
        args.width = static_cast<int32_t>(plane.width);
        args.height = static_cast<int32_t>(plane.height);
        job.stream->launch(
            scale_kernel_,
            tiles(plane.width, plane.height, cpu_ ? kCambiScaleCpuShape : kCambiScaleGpuShape),
            args);
        args.source = args.codes;
        args.source_width = args.width;
        args.step = 2;
        args.mask_step *= 2;
    }
}

void CambiPasses::enqueue_contrast(const FrameJob &job, const Sampled &sampled, const Pass &pass)
{
    CambiContrastArgs args = {};
    for (int s = 0; s < kCambiScales; ++s) {
        const Plane plane = scale_of(sampled.picture, pass.measure, s);
        args.plane[s] = {bins_[s], contrast_[s], static_cast<int32_t>(plane.width),
                         static_cast<int32_t>(plane.height)};
    }
    args.pad = static_cast<int32_t>(pass.measure.window / 2);
    args.steps = pass.measure.steps;
    args.bins = pass.bins();
    args.weights = pass.weights;
    args.reciprocals = reciprocals_;
    args.columns = cpu_ ? kCambiCpuColumns : kCambiGpuColumns;
    while (!cpu_ && args.bins * (args.columns / 2) > kCambiGpuWords)
        args.columns /= 2;
    const CambiShape shape = {args.columns, cpu_ ? kCambiCpuRows : kCambiGpuRows};
    const Plane finest = scale_of(sampled.picture, pass.measure, 0);
    job.stream->launch(contrast_kernel_, tiles(finest.width, finest.height, shape, kCambiScales),
                       args);
}

void CambiPasses::enqueue_mean(const FrameJob &job, const Sampled &sampled, const Pass &pass,
                               const Mean &mean)
{
    job.stream->clear(selection_, kCambiScales * sizeof(CambiSelection));
    CambiSelectArgs args = {};
    for (int s = 0; s < kCambiScales; ++s) {
        const Plane plane = scale_of(sampled.picture, pass.measure, s);
        args.plane[s] = {contrast_[s], static_cast<int32_t>(plane.samples()),
                         wanted(plane, mean.top_share)};
    }
    args.selection = selection_;
    args.sums = job.results + kExcessWords + mean.number * kCambiScales;
    const CambiShape chunk = {cpu_ ? kCambiCpuCount : kCambiGpuCount, 1};
    const auto samples = static_cast<uint32_t>(args.plane[0].samples);
    for (args.digit = 0; args.digit < kCambiDigits; ++args.digit) {
        job.stream->launch(count_kernel_, tiles(samples, 1, chunk, kCambiScales), args);
        job.stream->launch(pick_kernel_, Grid{1, 1, kCambiScales, kCambiThreads}, args);
    }
}

uint64_t CambiPasses::excess(const uint64_t *results, bool reference) const
{
    return results[reference ? 1 : 0];
}

double CambiPasses::score(const uint64_t *results, size_t mean) const
{
    const Divisors &divisors = means_[mean];
    const uint64_t *const sums = results + kExcessWords + mean * kCambiScales;
    double weighted = 0;
    for (int s = 0; s < kCambiScales; ++s) {
        const double sum = std::ldexp(static_cast<double>(sums[s]), -kCambiSumShift);
        weighted += sum / divisors.counts[s] * (16 >> s);
    }
    return weighted / (divisors.window * divisors.window);
}

} // namespace vmafx
