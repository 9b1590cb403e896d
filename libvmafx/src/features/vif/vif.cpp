/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/vif/vif.h"

#include <algorithm>

#include <libvmafx/status.h>

#include "core/failure.h"
#include "features/registry.h"
#include "features/vif/vif_log_table.h"

namespace vmafx
{

namespace
{

constexpr uint32_t kSmallest = 16; /* below it the coarsest scale lacks a neighbour to mirror */
constexpr const char *kKernels[] = {"vif_scale0", "vif_scale1", "vif_scale2", "vif_scale3"};
/* Rows of a tile: few enough for all cores to have work, many against the rows above and below that
 * are read once more. */
constexpr uint32_t kCpuBand = 64;
/* A GPU has cores for many tiles, and a tile goes through its rows one after the other. */
constexpr uint32_t kMostGpuBand = 32, kLeastGpuBand = 8;
constexpr uint32_t kMostMatrixBand = 64;
constexpr uint32_t kEnoughGpuTiles = 512;

uint32_t gpu_band(uint32_t columns_of_tiles, uint32_t height, uint32_t most, uint32_t least)
{
    uint32_t band = most;
    while (band > least && columns_of_tiles * (height / band) < kEnoughGpuTiles)
        band /= 2;
    return band;
}

const OptionTable &options()
{
    static const OptionTable table = {
        {"debug", nullptr, OptionType::kBool, 0, 0, 0, false},
        {"vif_enhn_gain_limit", "egl", OptionType::kDouble, 100.0, 1.0, 100.0, true},
        {"vif_skip_scale0", "ssclz", OptionType::kBool, 0, 0, 0, true},
    };
    return table;
}

constexpr const char *kScorePrefix = "VMAF_integer_feature_vif_scale";

std::string scale_name(const char *prefix, size_t scale, const char *suffix)
{
    return prefix + std::to_string(scale) + suffix;
}

} // namespace

const FeatureDescription *vif_feature()
{
    static const FeatureDescription description = {
        "vif",
        &options(),
        {"VMAF_integer_feature_vif_scale0_score", "VMAF_integer_feature_vif_scale1_score",
         "VMAF_integer_feature_vif_scale2_score", "VMAF_integer_feature_vif_scale3_score",
         "integer_vif", "integer_vif_num", "integer_vif_den", "integer_vif_num_scale0",
         "integer_vif_den_scale0", "integer_vif_num_scale1", "integer_vif_den_scale1",
         "integer_vif_num_scale2", "integer_vif_den_scale2", "integer_vif_num_scale3",
         "integer_vif_den_scale3"},
        []() -> std::unique_ptr<FeaturePlan> { return std::make_unique<VifPlan>(); },
    };
    return &description;
}

size_t VifPlan::add_instance(const OptionSet &options)
{
    const double limit = options.number("vif_enhn_gain_limit");
    const auto found = std::find(gains_.begin(), gains_.end(), limit);
    const size_t gain = static_cast<size_t>(found - gains_.begin());
    if (found == gains_.end())
        gains_.push_back(limit);
    const bool skip = options.flag("vif_skip_scale0");
    wants_scale0_ = wants_scale0_ || !skip;
    instances_.push_back({options, options.flag("debug"), skip, gain});
    return instances_.size() - 1;
}

void VifPlan::prepare(PlanDevice &device, const PictureFormat &format)
{
    if (format.width < kSmallest || format.height < kSmallest)
        fail(VMAFX_E_RANGE, format.width < kSmallest ? "width" : "height",
             "vif needs pictures of at least %ux%u pixels, this one is %ux%u", kSmallest, kSmallest,
             format.width, format.height);
    if (format.bits < 8 || format.bits > 16)
        fail(VMAFX_E_NOTSUP, "bits", "vif takes 8 to 16 bits per sample, not %u", format.bits);

    static const std::vector<uint32_t> lines = vif_log_lines(); /* more than a millisecond */
    log_lines_ =
        static_cast<const uint32_t *>(device.upload(lines.data(), lines.size() * sizeof(lines[0])));
    const bool matrix = device.has_kernel("vif_scale1_matrix");
    tile_width_ = device.cpu_tiles() ? kVifCpuWidth : matrix ? kVifMatrixWidth : kVifGpuWidth;
    shift_ = 16 - static_cast<int32_t>(format.bits);

    for (size_t s = 0; s < kScales; ++s) {
        Scale &scale = scales_[s];
        std::string kernel = kKernels[s];
        if (s == 0)
            kernel += format.bits == 8 ? "_8" : "_16";
        if (matrix)
            kernel += "_matrix";
        scale.kernel = device.kernel(kernel.c_str());
        scale.width = format.width >> s;
        scale.height = format.height >> s;
        const uint32_t tiles = groups_for(scale.width, tile_width_);
        scale.band = device.cpu_tiles() ? kCpuBand
                     : matrix ? gpu_band(tiles, scale.height, kMostMatrixBand, kVifMatrixRows)
                              : gpu_band(tiles, scale.height, kMostGpuBand, kLeastGpuBand);
        if (s == 0)
            continue;
        scale.pitch = vif_next_pitch(format.width >> (s - 1), tile_width_);
        for (uint16_t *&plane : scale.plane)
            plane = static_cast<uint16_t *>(device.allocate(scale.pitch * scale.height));
    }
}

size_t VifPlan::passes() const
{
    return (gains_.size() + kVifGains - 1) / kVifGains;
}

size_t VifPlan::result_words() const
{
    return passes() * kScales * kVifWords;
}

ScoreNames VifPlan::score_names(size_t instance) const
{
    const Instance &in = instances_[instance];
    std::vector<std::string> bases;
    bases.reserve(kScales);
    for (size_t s = 0; s < kScales; ++s)
        bases.push_back(scale_name(kScorePrefix, s, "_score"));
    if (in.debug) {
        bases.insert(bases.end(), {"integer_vif", "integer_vif_num", "integer_vif_den"});
        for (size_t s = 0; s < kScales; ++s) {
            bases.push_back(scale_name("integer_vif_num_scale", s, ""));
            bases.push_back(scale_name("integer_vif_den_scale", s, ""));
        }
    }
    ScoreNames names;
    for (const std::string &base : bases)
        names.prompt.push_back(in.options.score_name(base));
    return names;
}

void VifPlan::enqueue(const FrameJob &job)
{
    for (size_t s = 0; s < kScales; ++s) {
        const Scale &scale = scales_[s];
        VifArgs args = {};
        args.reference = s == 0 ? job.reference.plane[0].data : scale.plane[0];
        args.distorted = s == 0 ? job.distorted.plane[0].data : scale.plane[1];
        args.reference_pitch = s == 0 ? job.reference.plane[0].pitch : scale.pitch;
        args.distorted_pitch = s == 0 ? job.distorted.plane[0].pitch : scale.pitch;
        args.width = static_cast<int32_t>(scale.width);
        args.height = static_cast<int32_t>(scale.height);
        args.shift = s == 0 ? shift_ : 0;
        args.band = static_cast<int32_t>(scale.band);
        args.log_lines = log_lines_;
        if (s + 1 < kScales) {
            args.next_reference = scales_[s + 1].plane[0];
            args.next_distorted = scales_[s + 1].plane[1];
            args.next_pitch = scales_[s + 1].pitch;
        }
        Grid grid;
        grid.x = groups_for(scale.width, tile_width_);
        grid.y = groups_for(scale.height, scale.band);
        grid.threads = kVifThreads;

        for (size_t pass = 0; pass < passes(); ++pass) {
            const size_t first = pass * kVifGains;
            const size_t count = std::min<size_t>(kVifGains, gains_.size() - first);
            std::copy_n(gains_.begin() + static_cast<std::ptrdiff_t>(first), count,
                        args.gain_limit);
            args.gains = static_cast<int32_t>(count);
            args.results =
                s == 0 && !wants_scale0_ ? nullptr : job.results + (pass * kScales + s) * kVifWords;
            if (args.results != nullptr || args.next_reference != nullptr)
                job.stream->launch(scale.kernel, grid, args);
            args.next_reference = nullptr; /* the first pass has written the next scale */
        }
    }
}

VifPlan::Ratio VifPlan::ratio_of(const uint64_t *results, size_t scale, size_t gain) const
{
    const uint64_t *words = results + (gain / kVifGains * kScales + scale) * kVifWords;
    const auto real = [&](size_t word) {
        return static_cast<double>(static_cast<int64_t>(words[word]));
    };
    const double pixels =
        static_cast<double>(uint64_t{scales_[scale].width} * scales_[scale].height);
    const double plain = pixels - real(kVifLogCount);
    /* Variances are in 1/65536 and the plain part weighs them by 4 / 255^2. */
    const double distortion = real(kVifPlainNum) / 16384.0 / 65025.0;
    const double num = real(kVifLogNum + gain % kVifGains) / 2048.0 + (plain - distortion);
    const double den = real(kVifLogDen) / 2048.0 + plain;
    return {static_cast<float>(num), static_cast<float>(den)};
}

void VifPlan::collect(size_t instance, const uint64_t *results, uint64_t index, ScoreSink &sink)
{
    const Instance &in = instances_[instance];
    std::array<Ratio, kScales> ratios = {};
    for (size_t s = 0; s < kScales; ++s) {
        const bool skipped = s == 0 && in.skip_scale0;
        ratios[s] = skipped ? Ratio{0.0f, -1.0f} : ratio_of(results, s, in.gain);
        const float score = skipped ? 0.0f : ratios[s].num / ratios[s].den;
        sink.write(in.options.score_name(scale_name(kScorePrefix, s, "_score")), index, score);
    }
    if (in.debug)
        write_debug(in, ratios, index, sink);
}

void VifPlan::write_debug(const Instance &instance, const std::array<Ratio, kScales> &ratios,
                          uint64_t index, ScoreSink &sink) const
{
    double num = 0.0, den = 0.0;
    for (size_t s = instance.skip_scale0 ? 1 : 0; s < kScales; ++s) {
        num += static_cast<double>(ratios[s].num);
        den += static_cast<double>(ratios[s].den);
    }
    const auto write = [&](const std::string &base, double value) {
        sink.write(instance.options.score_name(base), index, value);
    };
    write("integer_vif", den == 0.0 ? 1.0 : num / den);
    write("integer_vif_num", num);
    write("integer_vif_den", den);
    for (size_t s = 0; s < kScales; ++s) {
        write(scale_name("integer_vif_num_scale", s, ""), static_cast<double>(ratios[s].num));
        write(scale_name("integer_vif_den_scale", s, ""), static_cast<double>(ratios[s].den));
    }
}

} // namespace vmafx
