/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/float_vif/float_vif.h"

#include <algorithm>
#include <bit>

#include <libvmafx/status.h>

#include "core/failure.h"
#include "features/float_depth.h"
#include "features/float_vif/float_vif_scores.h"
#include "features/gaussian.h"
#include "features/registry.h"

namespace vmafx
{

using namespace float_vif;

namespace
{

constexpr uint32_t kWidestBilinear = 7680; /* libvmaf's limit */
constexpr uint32_t kPitchUnit = 32;        /* whole registers are written at the end of a row */

uint32_t pitch_of(uint32_t width)
{
    return (width + kPitchUnit - 1) / kPitchUnit * kPitchUnit;
}

Grid grid_of(int32_t width, int32_t height, const FloatVifShape &shape, uint32_t pictures)
{
    return {groups_for(width, shape.columns), groups_for(height, shape.rows), pictures,
            kFloatVifThreads};
}

FloatVifSource float_source(PlanDevice &device, uint32_t width, uint32_t height)
{
    FloatVifSource source = {};
    source.width = static_cast<int32_t>(width);
    source.height = static_cast<int32_t>(height);
    const uint64_t pitch = pitch_of(width) * sizeof(float);
    for (int p = 0; p < 2; ++p) {
        source.picture[p] = device.allocate(pitch * height);
        source.pitch[p] = pitch;
    }
    return source;
}

float *writable(const FloatVifSource &source, int picture)
{
    return static_cast<float *>(const_cast<void *>(source.picture[picture]));
}

float weight_of(double noise)
{
    const double single = static_cast<double>(static_cast<float>(noise));
    const float square = static_cast<float>(single * single);
    return static_cast<float>(static_cast<double>(square) / 65025.0);
}

Resampling method_of(const OptionSet &options)
{
    const std::string &name = options.text("vif_prescale_method");
    const std::optional<Resampling> method = resampling_of(name);
    if (!method)
        fail(VMAFX_E_INVALID, "options.vif_prescale_method",
             "there is no vif_prescale_method \"%.100s\"; use nearest, bilinear, bicubic or "
             "lanczos4",
             name.c_str());
    return *method;
}

double kernel_scale_of(const OptionSet &options)
{
    const double scale = options.number("vif_kernelscale");
    if (!is_kernel_scale(scale))
        fail(VMAFX_E_INVALID, "options.vif_kernelscale",
             "vif_kernelscale %g is none of libvmaf's; use 1, 0.5, 1.5, 2, 3, 2/3, 4/3, 5/3, 2.4, "
             "360/97, 3.5/3, 3.75/3, 4.25/3, 1/2.25, 1.4746, 1.54, 1.6, 1.06667, 0.711111, 0.74074 "
             "or 1.111111",
             scale);
    return scale;
}

} // namespace

size_t FloatVifPlan::picture_of(double prescale, Resampling method)
{
    for (size_t i = 0; i < pictures_.size(); ++i)
        if (pictures_[i].prescale == prescale && pictures_[i].method == method)
            return i;
    pictures_.push_back({prescale, method, {}, nullptr, nullptr});
    return pictures_.size() - 1;
}

size_t FloatVifPlan::pyramid_of(size_t picture, double kernel_scale)
{
    for (size_t i = 0; i < pyramids_.size(); ++i)
        if (pyramids_[i].picture == picture && pyramids_[i].kernel_scale == kernel_scale)
            return i;
    Pyramid pyramid = {picture, kernel_scale, {}, {}};
    for (size_t s = 0; s < kScales; ++s)
        pyramid.taps[s] = float_vif::taps_of(static_cast<int>(s), kernel_scale);
    pyramids_.push_back(pyramid);
    return pyramids_.size() - 1;
}

size_t FloatVifPlan::group_of(size_t pyramid, double noise)
{
    for (size_t i = 0; i < groups_.size(); ++i)
        if (groups_[i].pyramid == pyramid && groups_[i].noise == noise)
            return i;
    groups_.push_back({pyramid, noise, {}, false, {}, 0});
    return groups_.size() - 1;
}

size_t FloatVifPlan::add_instance(const OptionSet &options)
{
    const double prescale = options.number("vif_prescale");
    const Resampling method = method_of(options); /* of no account where nothing is resampled */
    const size_t picture = picture_of(prescale, prescale == 1 ? Resampling::kNearest : method);
    const size_t index =
        group_of(pyramid_of(picture, kernel_scale_of(options)), options.number("vif_sigma_nsq"));
    Group &group = groups_[index];
    const double limit = options.number("vif_enhn_gain_limit");
    const auto found = std::find(group.gains.begin(), group.gains.end(), limit);
    const size_t gain = static_cast<size_t>(found - group.gains.begin());
    if (found == group.gains.end())
        group.gains.push_back(limit);
    const bool skip = options.flag("vif_skip_scale0");
    group.wants_scale0 = group.wants_scale0 || !skip;
    instances_.push_back(
        {options,
         options.flag("debug"),
         skip,
         index,
         gain,
         {0, options.number("vif_scale1_min_val"), options.number("vif_scale2_min_val"),
          options.number("vif_scale3_min_val")}});
    return instances_.size() - 1;
}

bool FloatVifPlan::is_frame(const Picture &picture) const
{
    return resampled_size(format_.width, picture.prescale) == format_.width &&
           resampled_size(format_.height, picture.prescale) == format_.height;
}

void FloatVifPlan::check_size(const Pyramid &pyramid, const FloatVifSource &source) const
{
    /* A filter mirrors once, so pictures that it reads are larger than its radius. */
    int32_t least = 0;
    for (size_t s = 0; s < kScales; ++s)
        least = std::max(least, (pyramid.taps[s].radius + 1) << s);
    if (source.width >= least && source.height >= least)
        return;
    fail(VMAFX_E_RANGE, source.width < least ? "width" : "height",
         "float_vif with vif_kernelscale %g needs pictures of at least %dx%d, these are %dx%d%s",
         pyramid.kernel_scale, least, least, source.width, source.height,
         is_frame(pictures_[pyramid.picture]) ? "" : " after vif_prescale");
}

void FloatVifPlan::prepare_picture(PlanDevice &device, Picture &picture, float step)
{
    if (is_frame(picture)) {
        picture.source = {};
        picture.source.width = static_cast<int32_t>(format_.width);
        picture.source.height = static_cast<int32_t>(format_.height);
        picture.source.step = step;
        return;
    }
    const uint32_t width = resampled_size(format_.width, picture.prescale);
    const uint32_t height = resampled_size(format_.height, picture.prescale);
    if (picture.method == Resampling::kBilinear && width > kWidestBilinear)
        fail(VMAFX_E_RANGE, "options.vif_prescale",
             "vif_prescale %g makes pictures of %u columns, bilinear takes %u at most; use another "
             "vif_prescale_method",
             picture.prescale, width, kWidestBilinear);
    if (width == 0 || height == 0)
        fail(VMAFX_E_RANGE, width == 0 ? "width" : "height",
             "vif_prescale %g leaves nothing of pictures of %ux%u", picture.prescale, format_.width,
             format_.height);
    picture.source = float_source(device, width, height);
    const auto upload = [&](uint32_t from, uint32_t to) {
        const std::vector<ResampleTap> table = resample_table(picture.method, from, to);
        return static_cast<const ResampleTap *>(
            device.upload(table.data(), table.size() * sizeof(table[0])));
    };
    picture.columns = upload(format_.width, width);
    picture.rows = upload(format_.height, height);
}

void FloatVifPlan::prepare_pyramid(PlanDevice &device, Pyramid &pyramid)
{
    const FloatVifSource &first = pictures_[pyramid.picture].source;
    check_size(pyramid, first);
    pyramid.source[0] = first;
    for (size_t s = 1; s < kScales; ++s)
        pyramid.source[s] = float_source(device, static_cast<uint32_t>(first.width) >> s,
                                         static_cast<uint32_t>(first.height) >> s);
}

void FloatVifPlan::prepare_groups(PlanDevice &device)
{
    size_t words = 0;
    for (Group &group : groups_) {
        group.words = words;
        words += kScales * group.maps();
        for (size_t s = 0; s < kScales; ++s) {
            const size_t rows =
                static_cast<size_t>(pyramids_[group.pyramid].source[s].height) * group.maps();
            group.sums[s] = static_cast<float *>(device.allocate(rows * sizeof(float)));
        }
    }
}

void FloatVifPlan::prepare_maps(PlanDevice &device)
{
    size_t maps = 0;
    for (const Group &group : groups_) {
        const FloatVifSource &largest = pyramids_[group.pyramid].source[group.wants_scale0 ? 0 : 1];
        maps = std::max(maps, group.maps());
        map_ = std::max(map_, uint64_t{pitch_of(static_cast<uint32_t>(largest.width))} *
                                  static_cast<uint64_t>(largest.height));
    }
    maps_ = static_cast<float *>(device.allocate(maps * map_ * sizeof(float)));
}

void FloatVifPlan::prepare(PlanDevice &device, const PictureFormat &format)
{
    const float step = float_depth(format, "float_vif").step;
    format_ = format;
    shape_ = device.cpu_tiles() ? kFloatVifCpuShape : kFloatVifGpuShape;
    next_shape_ = device.cpu_tiles() ? kFloatVifNextCpuShape : kFloatVifNextGpuShape;
    const bool bytes = format.bits == 8;
    kernels_ = {device.kernel(bytes ? "float_vif_resample_8" : "float_vif_resample_16"),
                device.kernel(bytes ? "float_vif_scale_8" : "float_vif_scale_16"),
                device.kernel("float_vif_scale_f"),
                device.kernel(bytes ? "float_vif_next_8" : "float_vif_next_16"),
                device.kernel("float_vif_next_f"),
                device.kernel("row_sums"),
                device.kernel("ordered_sum_f32")};
    for (Picture &picture : pictures_)
        prepare_picture(device, picture, step);
    for (Pyramid &pyramid : pyramids_)
        prepare_pyramid(device, pyramid);
    prepare_groups(device);
    prepare_maps(device);
}

size_t FloatVifPlan::result_words() const
{
    return groups_.back().words + kScales * groups_.back().maps();
}

FloatVifSource FloatVifPlan::resampled(const FrameJob &job, const Picture &picture) const
{
    FloatVifSource frame = picture.source;
    frame.width = static_cast<int32_t>(format_.width);
    frame.height = static_cast<int32_t>(format_.height);
    const PlaneView *planes[2] = {&job.reference.plane[0], &job.distorted.plane[0]};
    for (int p = 0; p < 2; ++p) {
        frame.picture[p] = planes[p]->data;
        frame.pitch[p] = planes[p]->pitch;
    }
    if (is_frame(picture))
        return frame;
    FloatVifResampleArgs args = {};
    frame.step = float_depth(format_, "float_vif").step;
    args.source = frame;
    args.columns = picture.columns;
    args.rows = picture.rows;
    args.taps = resampling_taps(picture.method);
    args.normalise = picture.method == Resampling::kLanczos4;
    for (int p = 0; p < 2; ++p)
        args.out[p] = writable(picture.source, p);
    args.width = picture.source.width;
    args.height = picture.source.height;
    args.pitch = static_cast<uint32_t>(picture.source.pitch[0] / sizeof(float));
    job.stream->launch(kernels_.resample,
                       grid_of(args.width, args.height, kFloatVifResampleShape, 2), args);
    return picture.source;
}

void FloatVifPlan::next_pictures(const FrameJob &job, const FloatVifSource &from,
                                 const Pyramid &pyramid, size_t scale) const
{
    const FloatVifSource &to = pyramid.source[scale];
    FloatVifNextArgs args = {};
    args.source = from;
    args.taps = pyramid.taps[scale];
    for (int p = 0; p < 2; ++p)
        args.out[p] = writable(to, p);
    args.pitch = static_cast<uint32_t>(to.pitch[0] / sizeof(float));
    args.width = to.width;
    args.height = to.height;
    const bool frame = scale == 1 && is_frame(pictures_[pyramid.picture]);
    job.stream->launch(frame ? kernels_.next : kernels_.next_f,
                       grid_of(args.width, args.height, next_shape_, 2), args);
}

void FloatVifPlan::measure(const FrameJob &job, const FloatVifSource &source, const Group &group,
                           size_t scale) const
{
    const Pyramid &pyramid = pyramids_[group.pyramid];
    FloatVifArgs args = {};
    args.source = source;
    args.taps = pyramid.taps[scale];
    args.noise = group.noise;
    args.weight = weight_of(group.noise);
    args.den = maps_;
    args.pitch = pitch_of(static_cast<uint32_t>(source.width));
    const bool frame = scale == 0 && is_frame(pictures_[pyramid.picture]);
    for (size_t first = 0; first < group.gains.size(); first += kFloatVifGains) {
        const size_t count = std::min<size_t>(kFloatVifGains, group.gains.size() - first);
        args.gains = static_cast<int32_t>(count);
        for (size_t k = 0; k < count; ++k) {
            args.gain_limit[k] = static_cast<float>(group.gains[first + k]);
            args.num[k] = maps_ + (1 + first + k) * map_;
        }
        job.stream->launch(frame ? kernels_.scale : kernels_.scale_f,
                           grid_of(source.width, source.height, shape_, 1), args);
        args.den = nullptr; /* the first pass has written it */
    }
    RowSumsArgs sums = {};
    sums.maps = maps_;
    sums.map = map_;
    sums.pitch = args.pitch;
    sums.width = source.width;
    sums.height = source.height;
    sums.sums = group.sums[scale];
    job.stream->launch(kernels_.row_sums,
                       Grid{groups_for(source.height, kRowSumsRows),
                            static_cast<uint32_t>(group.maps()), 1, kRowSumsThreads},
                       sums);
}

void FloatVifPlan::add_up(const FrameJob &job) const
{
    OrderedSumArgs args = {};
    uint32_t tasks = 0;
    const auto flush = [&] {
        if (tasks > 0)
            job.stream->launch(kernels_.totals, Grid{tasks, 1, 1, kOrderedThreads}, args);
        tasks = 0;
    };
    for (const Group &group : groups_) {
        for (size_t s = group.wants_scale0 ? 0 : 1; s < kScales; ++s) {
            const int32_t rows = pyramids_[group.pyramid].source[s].height;
            for (size_t map = 0; map < group.maps(); ++map) {
                args.map[tasks++] = {group.sums[s] + map * static_cast<size_t>(rows), rows,
                                     job.results + group.words + s * group.maps() + map};
                if (tasks == kOrderedMaps)
                    flush();
            }
        }
    }
    flush();
}

void FloatVifPlan::enqueue(const FrameJob &job)
{
    std::vector<FloatVifSource> first;
    first.reserve(pictures_.size());
    for (const Picture &picture : pictures_)
        first.push_back(resampled(job, picture));
    for (size_t i = 0; i < pyramids_.size(); ++i) {
        const Pyramid &pyramid = pyramids_[i];
        for (size_t s = 0; s < kScales; ++s) {
            if (s > 0)
                next_pictures(job, s == 1 ? first[pyramid.picture] : pyramid.source[s - 1], pyramid,
                              s);
            for (const Group &group : groups_)
                if (group.pyramid == i && (s > 0 || group.wants_scale0))
                    measure(job, s == 0 ? first[pyramid.picture] : pyramid.source[s], group, s);
        }
    }
    add_up(job);
}

FloatVifPlan::Ratio FloatVifPlan::ratio_of(const uint64_t *results, const Instance &instance,
                                           size_t scale) const
{
    if (scale == 0 && instance.skip_scale0)
        return {0, -1};
    const Group &group = groups_[instance.group];
    const uint64_t *words = results + group.words + scale * group.maps();
    return {std::bit_cast<double>(words[1 + instance.gain]), std::bit_cast<double>(words[0])};
}

ScoreNames FloatVifPlan::score_names(size_t instance) const
{
    const Instance &in = instances_[instance];
    ScoreNames names;
    for (const std::string &base : float_vif_score_names(in.debug))
        names.prompt.push_back(in.options.score_name(base));
    return names;
}

void FloatVifPlan::collect(size_t instance, const uint64_t *results, uint64_t index,
                           ScoreSink &sink)
{
    const Instance &in = instances_[instance];
    std::vector<double> scores, details;
    double num = 0, den = 0;
    for (size_t s = 0; s < kScales; ++s) {
        const Ratio ratio = ratio_of(results, in, s);
        const bool skipped = s == 0 && in.skip_scale0;
        const double score = skipped ? 0 : ratio.num / ratio.den;
        scores.push_back(s > 0 && !(score > in.least[s]) ? in.least[s] : score);
        details.insert(details.end(), {ratio.num, ratio.den});
        num += skipped ? 0 : ratio.num;
        den += skipped ? 0 : ratio.den;
    }
    scores.insert(scores.end(), {den == 0 ? 1 : num / den, num, den});
    scores.insert(scores.end(), details.begin(), details.end());
    const std::vector<std::string> names = score_names(instance).prompt;
    for (size_t i = 0; i < names.size(); ++i)
        sink.write(names[i], index, scores[i]);
}

} // namespace vmafx
