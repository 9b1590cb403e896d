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
constexpr size_t kDenWords = kScales * 3;
constexpr size_t kNumWords = kScales * kAdmSums;

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
    kernels_.finish = device.kernel("adm_finish");
    for (int s = 0; s < kScales; ++s) {
        kernels_.dwt[s] = device.kernel(s == 0   ? bytes ? "adm_dwt0_8" : "adm_dwt0_16"
                                        : s == 1 ? "adm_dwt1"
                                                 : "adm_dwt2");
        kernels_.den[s] = device.kernel(s == 0 ? "adm_den0" : "adm_den");
        kernels_.mask[s] = device.kernel(s == 0 ? "adm_mask0" : "adm_mask");
        kernels_.mask_pair[s] = device.kernel(s == 0 ? "adm_mask0_pair" : "adm_mask_pair");
        kernels_.mask_real[s] = device.kernel(s == 0 ? "adm_mask0_real" : "adm_mask_real");
    }
}

void AdmPlan::allocate_bands(PlanDevice &device)
{
    for (int s = 0; s < kScales; ++s) {
        const size_t sample = s == 0 ? sizeof(int16_t) : sizeof(int32_t);
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

void AdmPlan::allocate_rows(PlanDevice &device)
{
    size_t rows[kScales], all_rows = 0;
    for (int s = 0; s < kScales; ++s) {
        rows[s] = static_cast<size_t>(geometry_[s].window.bottom - geometry_[s].window.top);
        all_rows += rows[s];
    }
    row_words_ = all_rows * (3 + kAdmSums * variants_.size());
    rows_ = static_cast<uint64_t *>(device.allocate(row_words_ * sizeof(uint64_t)));
    uint64_t *next = rows_;
    for (int s = 0; s < kScales; ++s) {
        den_rows_[s] = next;
        next += rows[s] * 3;
        for (Variant &variant : variants_) {
            variant.rows[s] = next;
            next += rows[s] * kAdmSums;
        }
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
    dwt_shape_ = device.cpu_tiles() ? kAdmDwtCpuShape : kAdmDwtGpuShape;
    den_shape_ = device.cpu_tiles() ? kAdmDenCpuShape : kAdmDenGpuShape;
    mask_shape_ = device.cpu_tiles() ? kAdmMaskCpuShape : kAdmMaskGpuShape;
    plan_launches();
    find_kernels(device);
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
        const size_t sample = scale == 1 ? sizeof(int16_t) : sizeof(int32_t);
        for (int p = 0; p < 2; ++p) {
            args.source[p] = bands_[scale - 1][p].first;
            args.source_pitch[p] = bands_[scale - 1][p].pitch * sample;
        }
        args.width = bands_[scale - 1][0].width;
        args.height = bands_[scale - 1][0].height;
    }
    constexpr uint32_t kShift[kScales] = {16, 15, 16, 15};
    args.shift = kShift[scale];
    const adm::ScaleGeometry &g = geometry_[scale];
    for (int p = 0; p < 2; ++p)
        args.out[p] = bands_[scale][p];
    args.details = {std::max(g.window.left - 1, 0), std::max(g.window.top - 1, 0),
                    std::min(g.window.right + 1, g.width), std::min(g.window.bottom + 1, g.height)};
    const Grid grid = {groups_for(g.width, dwt_shape_.columns),
                       groups_for(g.height, dwt_shape_.rows * dwt_shape_.chunks), 2, kAdmThreads};
    job.stream->launch(kernels_.dwt[scale], grid, args);
}

void AdmPlan::denominator(const FrameJob &job, int scale)
{
    constexpr uint32_t kSquareShift[kScales] = {0, 31, 30, 31};
    const adm::ScaleGeometry &g = geometry_[scale];
    AdmDenArgs args{};
    args.reference = bands_[scale][0];
    args.window = g.window;
    args.square_shift = kSquareShift[scale];
    args.shift = g.den_sample_shift;
    args.rows = den_rows_[scale];
    const Grid grid = {groups_for(g.window.right - g.window.left, den_shape_.columns),
                       groups_for(g.window.bottom - g.window.top, den_shape_.rows), 1, kAdmThreads};
    job.stream->launch(kernels_.den[scale], grid, args);
}

void AdmPlan::mask(const FrameJob &job, int scale, const Launch &launch)
{
    const adm::ScaleGeometry &g = geometry_[scale];
    const Variant &first = variants_[launch.variant[0]];
    const Variant &second = variants_[launch.variant[1]];
    const int columns = g.window.right - g.window.left;
    const int strips = static_cast<int>(groups_for(columns, mask_shape_.columns - 2));
    AdmMaskArgs args{};
    args.reference = bands_[scale][0];
    args.distorted = bands_[scale][1];
    args.window = g.window;
    args.strip = (columns + strips - 1) / strips;
    args.shift = g.num_sample_shift;
    for (int d = 0; d < 2; ++d)
        args.factor[d] = first.csf[scale].fixed[d];
    args.whole_gain[0] = static_cast<uint32_t>(first.gain);
    args.whole_gain[1] = static_cast<uint32_t>(second.gain);
    args.real_gain = first.gain;
    args.rows[0] = first.rows[scale];
    args.rows[1] = second.rows[scale];
    const Grid grid = {groups_for(columns, args.strip),
                       groups_for(g.window.bottom - g.window.top, mask_shape_.rows), 1,
                       kAdmThreads};
    const Kernel *kernel = launch.pair    ? kernels_.mask_pair[scale]
                           : launch.whole ? kernels_.mask[scale]
                                          : kernels_.mask_real[scale];
    job.stream->launch(kernel, grid, args);
}

void AdmPlan::finish(const FrameJob &job)
{
    AdmFinishArgs args{};
    uint32_t tasks = 0;
    const auto flush = [&] {
        if (tasks > 0)
            job.stream->launch(kernels_.finish, Grid{tasks, 1, 1, kAdmThreads}, args);
        tasks = 0;
    };
    const auto add = [&](int scale, const uint64_t *rows, int sums, uint32_t shift, uint64_t *out) {
        const AdmRect &window = geometry_[scale].window;
        args.task[tasks++] = {rows, window.bottom - window.top, sums, shift, out};
        if (tasks == kAdmFinishTasks)
            flush();
    };
    for (int s = first_scale_; s < kScales; ++s) {
        const adm::ScaleGeometry &g = geometry_[s];
        add(s, den_rows_[s], 3, g.den_row_shift, job.results + s * 3);
        uint64_t *out = job.results + kDenWords + s * kAdmSums;
        for (const Variant &variant : variants_) {
            add(s, variant.rows[s], kAdmSums, g.num_row_shift, out);
            out += kNumWords;
        }
    }
    flush();
}

void AdmPlan::enqueue(const FrameJob &job)
{
    job.stream->clear(rows_, row_words_ * sizeof(uint64_t));
    for (int s = 0; s < kScales; ++s) {
        transform(job, s);
        if (s < first_scale_)
            continue;
        denominator(job, s);
        for (const Launch &launch : launches_)
            mask(job, s, launch);
    }
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
