/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/adm/adm.h"

#include <algorithm>
#include <cmath>

#include <libvmafx/status.h>

#include "core/failure.h"
#include "features/registry.h"

namespace vmafx
{

namespace
{

using adm::kScales;

/* Results of a frame: denominators, then every variant's numerators. */
constexpr size_t kDenWords = size_t{kScales} * kAdmDenSums;
constexpr size_t kNumWords = size_t{kScales} * kAdmSums;

/* Work-groups that keep a multiprocessor busy, and rows below which too much is computed twice. */
constexpr uint32_t kMaskGroups = 3;
constexpr uint32_t kLeastMaskRows = 2;
constexpr uint32_t kDwtGroups = 6;

/* Below, the reference reads outside its buffers. */
constexpr uint32_t kLeastSize = 33;

const OptionTable &option_table()
{
    using enum OptionType;
    static const OptionTable table = {
        {"debug", nullptr, kBool, 0, 0, 1, false},
        {"adm_csf_scale", "scf", kDouble, 1.0, 0, 50, true},
        {"adm_csf_diag_scale", "scfd", kDouble, 1.0, 0, 50, true},
        {"adm_dlm_weight", "dlmw", kDouble, 0.5, 0, 1, true},
        {"adm_enhn_gain_limit", "egl", kDouble, 100.0, 1, 100, true},
        {"adm_norm_view_dist", "nvd", kDouble, 3.0, 0.75, 24, true},
        {"adm_ref_display_height", "rdh", kInt, 1080, 1, 4320, true},
        {"adm_csf_mode", "csf", kInt, 0, 0, 3, true},
        {"adm_noise_weight", "nw", kDouble, 0.03125, 0, 1500, true},
        {"adm_skip_aim", nullptr, kBool, 0, 0, 1, false},
        {"adm_skip_scale0", "ssz", kBool, 0, 0, 1, true},
        {"adm_min_val", "min", kDouble, 0.0, 0, 1, true},
    };
    return table;
}

const std::vector<const char *> &base_names()
{
    static const std::vector<const char *> names = {
        "VMAF_integer_feature_adm2_score",
        "VMAF_integer_feature_aim_score",
        "VMAF_integer_feature_adm3_score",
        "integer_adm_scale0",
        "integer_adm_scale1",
        "integer_adm_scale2",
        "integer_adm_scale3",
        "integer_adm",
        "integer_adm_num",
        "integer_adm_den",
        "integer_adm_num_scale0",
        "integer_adm_den_scale0",
        "integer_adm_num_scale1",
        "integer_adm_den_scale1",
        "integer_adm_num_scale2",
        "integer_adm_den_scale2",
        "integer_adm_num_scale3",
        "integer_adm_den_scale3",
    };
    return names;
}
constexpr size_t kPlainNames = 7;

/** The scores in the order of base_names(). */
std::vector<double> values_of(const adm::Scores &scores)
{
    std::vector<double> values = {scores.adm2, scores.aim, scores.adm3};
    values.insert(values.end(), scores.scale.begin(), scores.scale.end());
    values.insert(values.end(), {scores.adm2, scores.total_num, scores.total_den});
    for (int s = 0; s < kScales; ++s) {
        values.push_back(static_cast<double>(scores.num[s]));
        values.push_back(static_cast<double>(scores.den[s]));
    }
    return values;
}

bool same_fixed(const adm::Csf &a, const adm::Csf &b)
{
    return std::equal(a.begin(), a.end(), b.begin(),
                      [](const auto &x, const auto &y) { return x.fixed == y.fixed; });
}

constexpr size_t sample_bytes(int scale)
{
    return scale == 0 ? sizeof(int16_t) : sizeof(int32_t);
}

const void *band_of(const AdmBands &bands, int scale, uint64_t band)
{
    return static_cast<const char *>(bands.first) + band * bands.plane * sample_bytes(scale);
}

bool is_whole(double gain)
{
    return gain == std::floor(gain);
}

} // namespace

size_t AdmPlan::variant_of(const adm::Csf &csf, double gain)
{
    for (size_t i = 0; i < variants_.size(); ++i) {
        if (variants_[i].gain == gain && variants_[i].csf == csf)
            return i;
    }
    variants_.push_back({csf, gain, {}});
    return variants_.size() - 1;
}

size_t AdmPlan::add_instance(const OptionSet &options)
{
    Instance instance;
    instance.options = {options.number("adm_noise_weight"), options.number("adm_dlm_weight"),
                        options.number("adm_min_val"), options.flag("adm_skip_aim"),
                        options.flag("adm_skip_scale0")};
    instance.variant = variant_of(adm::csf_of(options), options.number("adm_enhn_gain_limit"));
    const size_t count = options.flag("debug") ? base_names().size() : kPlainNames;
    for (size_t i = 0; i < count; ++i)
        instance.names.push_back(options.score_name(base_names()[i]));
    if (!instance.options.skip_scale0)
        first_scale_ = 0;
    instances_.push_back(std::move(instance));
    return instances_.size() - 1;
}

void AdmPlan::plan_launches()
{
    launches_.clear();
    std::vector<bool> done(variants_.size(), false);
    for (size_t i = 0; i < variants_.size(); ++i) {
        if (done[i])
            continue;
        Launch launch = {{i, i}, false, is_whole(variants_[i].gain)};
        for (size_t k = i + 1; k < variants_.size() && launch.whole && !launch.pair; ++k) {
            if (!done[k] && is_whole(variants_[k].gain) &&
                same_fixed(variants_[i].csf, variants_[k].csf)) {
                launch.variant[1] = k;
                launch.pair = true;
                done[k] = true;
            }
        }
        launches_.push_back(launch);
    }
}

void AdmPlan::find_kernels(PlanDevice &device)
{
    const bool bytes = format_.bits == 8;
    for (int s = 0; s < kScales; ++s)
        kernels_.dwt[s] = device.kernel(s == 0   ? bytes ? "adm_dwt0_8" : "adm_dwt0_16"
                                        : s == 1 ? "adm_dwt1"
                                                 : "adm_dwt2");
    kernels_.mask = device.kernel("adm_mask");
    kernels_.mask_pair = device.kernel("adm_mask_pair");
    kernels_.mask_real = device.kernel("adm_mask_real");
    kernels_.finish = device.kernel("adm_finish");
}

void AdmPlan::allocate_bands(PlanDevice &device)
{
    for (int s = 0; s < kScales; ++s) {
        const size_t sample = sample_bytes(s);
        const adm::ScaleGeometry &g = geometry_[s];
        AdmBands bands;
        bands.width = g.width;
        bands.height = g.height;
        /* Kernels may read kAdmPad elements beside a row, but use none of them. */
        bands.pitch = static_cast<uint32_t>((g.width + 2 * kAdmPad + 31) / 32 * 32);
        bands.plane = static_cast<uint64_t>(bands.pitch) * static_cast<uint64_t>(g.height);
        for (AdmBands &picture : bands_[s]) {
            char *memory = static_cast<char *>(device.allocate((4 * bands.plane) * sample));
            bands.first = memory + kAdmPad * sample;
            picture = bands;
        }
    }
}

void AdmPlan::choose_tiles(PlanDevice &device)
{
    const bool cpu = device.cpu_tiles();
    const AdmMaskShape mask = cpu ? kAdmMaskCpuShape : kAdmMaskGpuShape;
    dwt_shape_ = cpu ? kAdmDwtCpuShape : kAdmDwtGpuShape;
    uint32_t all_rows = 0; /* of masks, times strips */
    for (int s = first_scale_; s < kScales; ++s) {
        const AdmRect &window = geometry_[s].window;
        const uint32_t columns = static_cast<uint32_t>(window.right - window.left);
        const uint32_t strips = groups_for(columns, static_cast<uint32_t>(mask.columns - 2));
        tiles_[s].strip = static_cast<int>(groups_for(columns, strips));
        tiles_[s].strips = static_cast<int>(groups_for(columns, groups_for(columns, strips)));
        all_rows += strips * static_cast<uint32_t>(window.bottom - window.top);
    }
    const uint32_t mask_rows = cpu ? static_cast<uint32_t>(mask.rows)
                                   : rows_for(all_rows, kMaskGroups * device.multiprocessors(),
                                              kLeastMaskRows, static_cast<uint32_t>(mask.rows));
    for (int s = 0; s < kScales; ++s) {
        const AdmRect &window = geometry_[s].window;
        Tiles &tiles = tiles_[s];
        tiles.rows = static_cast<int>(mask_rows);
        if (s >= first_scale_)
            tiles.count =
                tiles.strips * static_cast<int>(groups_for(
                                   static_cast<uint32_t>(window.bottom - window.top), mask_rows));
        const uint32_t height = static_cast<uint32_t>(geometry_[s].height);
        const uint32_t pictures_across = 2 * groups_for(static_cast<uint32_t>(geometry_[s].width),
                                                        static_cast<uint32_t>(dwt_shape_.columns));
        tiles.dwt_rows = cpu ? dwt_shape_.rows
                             : static_cast<int>(rows_for(pictures_across * height,
                                                         kDwtGroups * device.multiprocessors(), 1,
                                                         static_cast<uint32_t>(dwt_shape_.rows)));
    }
}

void AdmPlan::allocate_rows(PlanDevice &device)
{
    for (int s = first_scale_; s < kScales; ++s) {
        const AdmRect &window = geometry_[s].window;
        const size_t rows = static_cast<size_t>(window.bottom - window.top) *
                            static_cast<size_t>(tiles_[s].strips) * sizeof(uint64_t);
        den_rows_[s] = static_cast<uint64_t *>(device.allocate(rows * kAdmDenSums));
        for (Variant &variant : variants_)
            variant.rows[s] = static_cast<uint64_t *>(device.allocate(rows * kAdmSums));
    }
}

void AdmPlan::prepare(PlanDevice &device, const PictureFormat &format)
{
    if (format.width < kLeastSize || format.height < kLeastSize)
        fail(VMAFX_E_RANGE, format.width < kLeastSize ? "width" : "height",
             "adm needs pictures of at least %ux%u, these are %ux%u", kLeastSize, kLeastSize,
             format.width, format.height);
    if (format.bits < 8 || format.bits > 16)
        fail(VMAFX_E_NOTSUP, "bits", "adm reads 8 to 16 bits a sample, these have %u", format.bits);
    format_ = format;
    geometry_ = adm::geometry_of(format.width, format.height);
    plan_launches();
    find_kernels(device);
    choose_tiles(device);
    allocate_bands(device);
    allocate_rows(device);
}

size_t AdmPlan::result_words() const
{
    return kDenWords + kNumWords * variants_.size();
}

void AdmPlan::transform(const FrameJob &job, int scale)
{
    AdmDwtArgs args{};
    if (scale == 0) {
        const PlaneView *planes[2] = {&job.reference.plane[0], &job.distorted.plane[0]};
        for (int p = 0; p < 2; ++p) {
            args.source[p] = planes[p]->data;
            args.source_pitch[p] = planes[p]->pitch;
        }
        args.width = static_cast<int32_t>(format_.width);
        args.height = static_cast<int32_t>(format_.height);
        args.bits = format_.bits;
    } else {
        const size_t sample = sample_bytes(scale - 1);
        for (int p = 0; p < 2; ++p) {
            args.source[p] = bands_[scale - 1][p].first;
            args.source_pitch[p] = bands_[scale - 1][p].pitch * sample;
        }
        args.width = bands_[scale - 1][0].width;
        args.height = bands_[scale - 1][0].height;
    }
    constexpr uint32_t kShift[kScales] = {16, 15, 16, 15};
    args.shift = kShift[scale];
    args.rows = tiles_[scale].dwt_rows;
    const adm::ScaleGeometry &g = geometry_[scale];
    for (int p = 0; p < 2; ++p)
        args.out[p] = bands_[scale][p];
    args.details = {std::max(g.window.left - 1, 0), std::max(g.window.top - 1, 0),
                    std::min(g.window.right + 1, g.width), std::min(g.window.bottom + 1, g.height)};
    const Grid grid = {groups_for(g.width, dwt_shape_.columns), groups_for(g.height, args.rows), 2,
                       kAdmThreads};
    job.stream->launch(kernels_.dwt[scale], grid, args);
}

AdmMaskScale AdmPlan::mask_scale(int scale, const Launch &launch, bool denominators) const
{
    constexpr uint32_t kSquareShift[kScales] = {0, 31, 30, 31};
    const adm::ScaleGeometry &g = geometry_[scale];
    const Variant &first = variants_[launch.variant[0]];
    const Variant &second = variants_[launch.variant[1]];
    AdmMaskScale args{};
    for (int b = 0; b < 3; ++b) {
        args.reference[b] = band_of(bands_[scale][0], scale, 1 + b);
        args.distorted[b] = band_of(bands_[scale][1], scale, 1 + b);
    }
    args.pitch = bands_[scale][0].pitch;
    args.width = g.width;
    args.height = g.height;
    args.window = g.window;
    args.strip = tiles_[scale].strip;
    args.strips = tiles_[scale].strips;
    args.rows = tiles_[scale].rows;
    args.shift = g.num_sample_shift;
    for (int d = 0; d < 2; ++d)
        args.factor[d] = first.csf[scale].fixed[d];
    args.den_shift = g.den_sample_shift;
    args.den_square_shift = kSquareShift[scale];
    args.num[0] = first.rows[scale];
    args.num[1] = second.rows[scale];
    args.den = denominators ? den_rows_[scale] : nullptr;
    return args;
}

void AdmPlan::mask(const FrameJob &job, const Launch &launch, bool denominators)
{
    AdmMaskArgs args{};
    int tiles = 0;
    for (int s = 0; s < kScales; ++s) {
        if (s >= first_scale_)
            args.scale[s] = mask_scale(s, launch, denominators);
        args.scale[s].first_tile = tiles;
        tiles += tiles_[s].count;
    }
    const double gain = variants_[launch.variant[0]].gain;
    args.whole_gain[0] = static_cast<uint32_t>(gain);
    args.whole_gain[1] = static_cast<uint32_t>(variants_[launch.variant[1]].gain);
    args.real_gain = gain;
    const Kernel *kernel = launch.pair    ? kernels_.mask_pair
                           : launch.whole ? kernels_.mask
                                          : kernels_.mask_real;
    job.stream->launch(kernel, Grid{static_cast<uint32_t>(tiles), 1, 1, kAdmThreads}, args);
}

void AdmPlan::finish(const FrameJob &job)
{
    AdmFinishArgs args{};
    uint32_t tasks = 0;
    int32_t most_rows = 0;
    const auto flush = [&] {
        if (tasks > 0)
            job.stream->launch(
                kernels_.finish,
                Grid{groups_for(most_rows, kAdmFinishRows), kAdmSums, tasks, kAdmThreads}, args);
        tasks = 0;
    };
    const auto add = [&](int scale, const uint64_t *rows, int sums, uint32_t shift, uint64_t *out) {
        const AdmRect &window = geometry_[scale].window;
        const int32_t count = window.bottom - window.top;
        args.task[tasks++] = {rows, tiles_[scale].strips, sums, count, shift, out};
        most_rows = std::max(most_rows, count);
        if (tasks == kAdmFinishTasks)
            flush();
    };
    for (int s = first_scale_; s < kScales; ++s) {
        const adm::ScaleGeometry &g = geometry_[s];
        const size_t scale = static_cast<size_t>(s);
        add(s, den_rows_[s], kAdmDenSums, g.den_row_shift, job.results + scale * kAdmDenSums);
        uint64_t *out = job.results + kDenWords + scale * kAdmSums;
        for (const Variant &variant : variants_) {
            add(s, variant.rows[s], kAdmSums, g.num_row_shift, out);
            out += kNumWords;
        }
    }
    flush();
}

void AdmPlan::enqueue(const FrameJob &job)
{
    for (int s = 0; s < kScales; ++s)
        transform(job, s);
    for (size_t i = 0; i < launches_.size(); ++i)
        mask(job, launches_[i], i == 0);
    finish(job);
}

void AdmPlan::collect(size_t instance, const uint64_t *results, uint64_t index, ScoreSink &sink)
{
    const Instance &i = instances_[instance];
    const uint64_t *num = results + kDenWords + kNumWords * i.variant;
    const std::vector<double> values =
        values_of(adm::scores_of(geometry_, format_.width, format_.height, variants_[i.variant].csf,
                                 i.options, results, num));
    for (size_t k = 0; k < i.names.size(); ++k)
        sink.write(i.names[k], index, values[k]);
}

const FeatureDescription *adm_feature()
{
    static const FeatureDescription description = {
        "adm", &option_table(), base_names(),
        [] { return std::unique_ptr<FeaturePlan>(std::make_unique<AdmPlan>()); }};
    return &description;
}

} // namespace vmafx
