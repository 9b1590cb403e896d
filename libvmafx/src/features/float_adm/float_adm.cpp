/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/float_adm/float_adm.h"

#include <algorithm>

#include "features/float_depth.h"
#include "features/registry.h"
#include "kernels/ordered_sum_kernels.h"
#include "kernels/row_sums_kernels.h"

namespace vmafx
{

using namespace float_adm;

namespace
{

/* Below, bands of the last scale have a side of one sample, and libvmaf reads beside them. */
constexpr uint32_t kLeastSize = 17;
constexpr uint32_t kPitchUnit = 32; /* elements */

const OptionTable &option_table()
{
    using enum OptionType;
    static const OptionTable table = {
        {"debug", nullptr, kBool, 0, 0, 1, false},
        {"adm_enhn_gain_limit", "egl", kDouble, 100.0, 1, 100, true},
        {"adm_norm_view_dist", "nvd", kDouble, 3.0, 0.75, 24, true},
        {"adm_noise_weight", "nw", kDouble, 0.03125, 0, 1500, true},
        {"adm_csf_scale", "scf", kDouble, 1.0, 0, 50, true},
        {"adm_csf_diag_scale", "scfd", kDouble, 1.0, 0, 50, true},
        {"adm_ref_display_height", "rdf", kInt, 1080, 1, 4320, true},
        {"adm_csf_mode", "csf", kInt, 0, 0, 9, true},
        {"adm_bypass_cm", "bcm", kInt, 0, 0, 1, true},
        {"adm_adm3_apply_hm", "aah", kBool, 0, 0, 1, true},
        {"adm_p_norm", "apn", kDouble, 3.0, 1, 20, true},
        {"adm_dlm_weight", "dlmw", kDouble, 0.5, 0, 1, true},
        {"adm_min_val", "min", kDouble, 0.0, 0, 1, true},
        {"adm_f1s0", "f1s0", kDouble, -1, -1, 10, true},
        {"adm_f1s1", "f1s1", kDouble, -1, -1, 10, true},
        {"adm_f1s2", "f1s2", kDouble, -1, -1, 10, true},
        {"adm_f1s3", "f1s3", kDouble, -1, -1, 10, true},
        {"adm_f2s0", "f2s0", kDouble, -1, -1, 10, true},
        {"adm_f2s1", "f2s1", kDouble, -1, -1, 10, true},
        {"adm_f2s2", "f2s2", kDouble, -1, -1, 10, true},
        {"adm_f2s3", "f2s3", kDouble, -1, -1, 10, true},
        {"adm_skip_aim_scale", "sasc", kInt, -1, 0, 3, true},
        {"adm_skip_scale0", "ssz", kBool, 0, 0, 1, true},
    };
    return table;
}

const std::vector<const char *> &base_names()
{
    static const std::vector<const char *> names = {
        "VMAF_feature_adm2_score",
        "VMAF_feature_aim_score",
        "VMAF_feature_adm3_score",
        "VMAF_feature_adm_scale0_score",
        "VMAF_feature_adm_scale1_score",
        "VMAF_feature_adm_scale2_score",
        "VMAF_feature_adm_scale3_score",
        "adm",
        "adm_num",
        "adm_den",
        "adm_num_scale0",
        "adm_den_scale0",
        "adm_num_scale1",
        "adm_den_scale1",
        "adm_num_scale2",
        "adm_den_scale2",
        "adm_num_scale3",
        "adm_den_scale3",
    };
    return names;
}
constexpr size_t kPlainNames = 7;
constexpr size_t kBareName = 7; /* "adm" never shows options */

/** The scores in the order of base_names(). */
std::vector<double> values_of(const Scores &scores)
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

uint32_t pitch_of(int columns)
{
    return (static_cast<uint32_t>(columns) + kPitchUnit - 1) / kPitchUnit * kPitchUnit;
}

int rows_of(const FloatAdmRect &window)
{
    return window.bottom - window.top;
}
int columns_of(const FloatAdmRect &window)
{
    return window.right - window.left;
}

} // namespace

size_t FloatAdmPlan::variant_of(const Variant &wanted)
{
    size_t owner = variants_.size();
    for (size_t i = variants_.size(); i-- > 0;) {
        const Variant &known = variants_[i];
        if (known.csf != wanted.csf || known.norm != wanted.norm)
            continue;
        if (known.gain == wanted.gain && known.unmasked == wanted.unmasked)
            return i;
        owner = known.den_owner;
    }
    variants_.push_back(wanted);
    variants_.back().den_owner = owner;
    return variants_.size() - 1;
}

size_t FloatAdmPlan::add_instance(const OptionSet &options)
{
    Instance instance;
    instance.options = {options.number("adm_noise_weight"),   options.number("adm_dlm_weight"),
                        options.number("adm_min_val"),        options.number("adm_p_norm"),
                        options.flag("adm_adm3_apply_hm"),    options.flag("adm_skip_scale0"),
                        options.integer("adm_skip_aim_scale")};
    Variant variant = {};
    variant.csf = csf_of(options);
    variant.norm = options.number("adm_p_norm");
    variant.gain = options.number("adm_enhn_gain_limit");
    variant.unmasked = options.integer("adm_bypass_cm") != 0;
    instance.variant = variant_of(variant);
    if (!instance.options.skip_scale0) {
        variants_[instance.variant].wants_scale0 = true;
        variants_[variants_[instance.variant].den_owner].wants_scale0 = true;
    }
    const size_t count = options.flag("debug") ? base_names().size() : kPlainNames;
    for (size_t i = 0; i < count; ++i)
        instance.names.push_back(i == kBareName ? base_names()[i]
                                                : options.score_name(base_names()[i]));
    instances_.push_back(std::move(instance));
    return instances_.size() - 1;
}

bool FloatAdmPlan::wants_scale0() const
{
    return std::any_of(variants_.begin(), variants_.end(),
                       [](const Variant &variant) { return variant.wants_scale0; });
}

void FloatAdmPlan::allocate_bands(PlanDevice &device)
{
    for (int s = 0; s < kScales; ++s) {
        const ScaleGeometry &g = geometry_[s];
        FloatAdmBands bands = {};
        bands.width = g.width;
        bands.height = g.height;
        bands.pitch = pitch_of(g.width);
        bands.plane = static_cast<uint64_t>(bands.pitch) * static_cast<uint64_t>(g.height);
        for (FloatAdmBands &picture : bands_[s]) {
            bands.first = static_cast<float *>(device.allocate(4 * bands.plane * sizeof(float)));
            picture = bands;
        }
    }
}

void FloatAdmPlan::allocate_sums(PlanDevice &device)
{
    const FloatAdmRect &largest = geometry_[wants_scale0() ? 0 : 1].window;
    map_ = uint64_t{pitch_of(columns_of(largest))} * static_cast<uint64_t>(rows_of(largest));
    maps_ = static_cast<float *>(device.allocate(kFloatAdmMaps * map_ * sizeof(float)));
    for (size_t i = 0; i < variants_.size(); ++i) {
        for (int s = 0; s < kScales; ++s) {
            const size_t sums = maps_of(i) * static_cast<size_t>(rows_of(geometry_[s].window));
            variants_[i].sums[s] = static_cast<float *>(device.allocate(sums * sizeof(float)));
        }
    }
}

void FloatAdmPlan::prepare(PlanDevice &device, const PictureFormat &format)
{
    require_size(format, "float_adm", kLeastSize, kLeastSize);
    step_ = float_depth(format, "float_adm").step;
    format_ = format;
    geometry_ = geometry_of(format.width, format.height);
    dwt_shape_ = device.cpu_tiles() ? kFloatAdmDwtCpuShape : kFloatAdmDwtGpuShape;
    mask_shape_ = device.cpu_tiles() ? kFloatAdmMaskCpuShape : kFloatAdmMaskGpuShape;
    kernels_ = {device.kernel(format.bits == 8 ? "float_adm_dwt_8" : "float_adm_dwt_16"),
                device.kernel("float_adm_dwt_f"),
                device.kernel("float_adm_mask"),
                device.kernel("float_adm_mask_plain"),
                device.kernel("float_adm_power"),
                device.kernel("row_sums"),
                device.kernel("ordered_sum_f32")};
    allocate_bands(device);
    allocate_sums(device);
}

size_t FloatAdmPlan::result_words() const
{
    return variants_.size() * kScales * kFloatAdmMaps;
}

void FloatAdmPlan::transform(const FrameJob &job, int scale) const
{
    FloatAdmDwtArgs args = {};
    const PlaneView *planes[2] = {&job.reference.plane[0], &job.distorted.plane[0]};
    for (int p = 0; p < 2; ++p) {
        const FloatAdmBands &from = bands_[scale > 0 ? scale - 1 : 0][p];
        args.source[p] = scale == 0 ? planes[p]->data : from.first;
        args.source_pitch[p] = scale == 0 ? planes[p]->pitch : from.pitch * sizeof(float);
        args.out[p] = bands_[scale][p];
    }
    args.width = scale == 0 ? static_cast<int32_t>(format_.width) : geometry_[scale - 1].width;
    args.height = scale == 0 ? static_cast<int32_t>(format_.height) : geometry_[scale - 1].height;
    args.step = step_;
    const ScaleGeometry &g = geometry_[scale];
    args.details = {std::max(g.window.left - 1, 0), std::max(g.window.top - 1, 0),
                    std::min(g.window.right + 1, g.width), std::min(g.window.bottom + 1, g.height)};
    const Grid grid = {groups_for(g.width, dwt_shape_.columns),
                       groups_for(g.height, dwt_shape_.rows), 2, kFloatAdmThreads};
    job.stream->launch(scale == 0 ? kernels_.dwt : kernels_.dwt_f, grid, args);
}

void FloatAdmPlan::measure(const FrameJob &job, int scale, size_t index) const
{
    const Variant &variant = variants_[index];
    const FloatAdmRect &window = geometry_[scale].window;
    FloatAdmMaskArgs args = {};
    args.reference = bands_[scale][0];
    args.distorted = bands_[scale][1];
    args.window = window;
    for (int d = 0; d < 2; ++d)
        args.factor[d] = variant.csf[scale][d];
    args.gain = variant.gain;
    args.unmasked = variant.unmasked;
    args.has_denominator = variant.den_owner == index;
    args.maps = maps_;
    args.map = map_;
    args.pitch = pitch_of(columns_of(window));
    const Grid grid = {groups_for(columns_of(window), mask_shape_.columns),
                       groups_for(rows_of(window), mask_shape_.rows), 1, kFloatAdmThreads};
    const bool cube = variant.norm == 3;
    job.stream->launch(cube ? kernels_.mask : kernels_.mask_plain, grid, args);
    if (!cube)
        take_power(job, args, maps_of(index), variant.norm);

    RowSumsArgs sums = {};
    sums.maps = maps_;
    sums.map = map_;
    sums.pitch = args.pitch;
    sums.width = columns_of(window);
    sums.height = rows_of(window);
    sums.sums = variant.sums[scale];
    job.stream->launch(
        kernels_.row_sums,
        Grid{groups_for(sums.height, kRowSumsRows), maps_of(index), 1, kRowSumsThreads}, sums);
}

void FloatAdmPlan::take_power(const FrameJob &job, const FloatAdmMaskArgs &from, uint32_t maps,
                              double norm) const
{
    FloatAdmPowerArgs args = {};
    args.maps = from.maps;
    args.map = from.map;
    args.pitch = from.pitch;
    args.width = columns_of(from.window);
    args.exponent = static_cast<float>(norm);
    const Grid grid = {groups_for(args.width, kFloatAdmPowerColumns),
                       static_cast<uint32_t>(rows_of(from.window)), maps, kFloatAdmThreads};
    job.stream->launch(kernels_.power, grid, args);
}

void FloatAdmPlan::add_up(const FrameJob &job) const
{
    OrderedSumArgs args = {};
    uint32_t tasks = 0;
    const auto flush = [&] {
        if (tasks > 0)
            job.stream->launch(kernels_.totals, Grid{tasks, 1, 1, kOrderedThreads}, args);
        tasks = 0;
    };
    for (size_t i = 0; i < variants_.size(); ++i) {
        for (int s = variants_[i].wants_scale0 ? 0 : 1; s < kScales; ++s) {
            const int rows = rows_of(geometry_[s].window);
            uint64_t *out = job.results + (i * kScales + static_cast<size_t>(s)) * kFloatAdmMaps;
            for (uint32_t map = 0; map < maps_of(i); ++map) {
                args.map[tasks++] = {variants_[i].sums[s] + size_t{map} * static_cast<size_t>(rows),
                                     rows, out + map};
                if (tasks == kOrderedMaps)
                    flush();
            }
        }
    }
    flush();
}

void FloatAdmPlan::enqueue(const FrameJob &job)
{
    for (int s = 0; s < kScales; ++s) {
        transform(job, s);
        for (size_t i = 0; i < variants_.size(); ++i)
            if (s > 0 || variants_[i].wants_scale0)
                measure(job, s, i);
    }
    add_up(job);
}

void FloatAdmPlan::collect(size_t instance, const uint64_t *results, uint64_t index,
                           ScoreSink &sink)
{
    const Instance &in = instances_[instance];
    std::array<ScaleSums, kScales> sums;
    for (size_t s = 0; s < kScales; ++s) {
        const auto words = [&](size_t variant) {
            return results + (variant * kScales + s) * kFloatAdmMaps;
        };
        const uint64_t *own = words(in.variant);
        sums[s] = {own + kFloatAdmNum, own + kFloatAdmAim,
                   words(variants_[in.variant].den_owner) + kFloatAdmDen};
    }
    const std::vector<double> values =
        values_of(scores_of(geometry_, format_.width, format_.height, in.options, sums));
    for (size_t k = 0; k < in.names.size(); ++k)
        sink.write(in.names[k], index, values[k]);
}

const FeatureDescription *float_adm_feature()
{
    static const FeatureDescription description = {
        "float_adm", &option_table(), base_names(),
        [] { return std::unique_ptr<FeaturePlan>(std::make_unique<FloatAdmPlan>()); }};
    return &description;
}

} // namespace vmafx
