/* SPDX-License-Identifier: BSD-2-Clause
 *
 * SSIMULACRA 2. A scale is worked off in strips of rows, so that its planes in floats need little
 * memory; results do not depend on the strips, because sums are those of blocks of the picture.
 */
#include <algorithm>
#include <bit>
#include <cmath>

#include "core/failure.h"
#include "features/float_depth.h"
#include "features/registry.h"
#include "features/ssimulacra2/ssimulacra2_colour.h"
#include "features/ssimulacra2/ssimulacra2_score.h"

namespace vmafx
{

namespace
{

constexpr const char *kName = "ssimulacra2";
constexpr uint32_t kSmallest = 8; /* side of a picture, and of one that is halved */
constexpr uint32_t kMargin = kSsimulacra2Margin;
constexpr size_t kPlanes = kSsimulacra2Planes;
constexpr size_t kHalves = 2; /* scales whose linear RGB is in memory at once */

/* Pixels of a strip: enough work for a launch, little memory; in caches, on a CPU. */
constexpr uint32_t kCpuStrip = 1u << 18, kGpuStrip = 1u << 20;

const OptionTable &options()
{
    static const OptionTable table = {
        {"matrix", nullptr, OptionType::kString, 0, 0, 0, true, "auto"},
        {"range", nullptr, OptionType::kString, 0, 0, 0, true, "auto"},
        {"transfer", nullptr, OptionType::kString, 0, 0, 0, true, "auto"},
        {"chroma", nullptr, OptionType::kString, 0, 0, 0, true, "repeat"},
    };
    return table;
}

struct Instance {
    ColourOptions colour;
    std::string name;
};

struct Scale {
    uint32_t width, height;
    uint32_t pitch; /* of strips, in floats */
    uint32_t rows;  /* of a strip, without its margin */
    uint32_t across, blocks;
    float *sums[kPlanes][kSsimulacra2Maps]; /* null: not wanted */

    uint64_t plane() const { return uint64_t{pitch} * (rows + 2 * kMargin); }
};

constexpr uint32_t rounded_up(uint32_t value, uint32_t unit)
{
    return groups_for(value, unit) * unit;
}

class Ssimulacra2Plan final : public FeaturePlan
{
  public:
    size_t add_instance(const OptionSet &set) override
    {
        instances_.push_back({colour_options(set), set.score_name(kName)});
        return instances_.size() - 1;
    }
    uint32_t reference_planes() const override { return 7; }
    uint32_t distorted_planes() const override { return 7; }
    void check_colours(const PictureFormat &format, const ColourTags &reference,
                       const ColourTags &distorted) const override;
    void prepare(PlanDevice &device, const PictureFormat &format) override;
    size_t result_words() const override { return instances_.size() * words(); }
    ScoreNames score_names(size_t instance) const override
    {
        return {{instances_[instance].name}, {}};
    }
    void enqueue(const FrameJob &job) override;
    void collect(size_t instance, const uint64_t *results, uint64_t index,
                 ScoreSink &sink) override;

  private:
    size_t words() const { return maps_.size() * kSsimulacra2Norms; }
    void plan_scales();
    void allocate_sums(PlanDevice &device);
    void allocate_planes(PlanDevice &device);
    Ssimulacra2PlanesArgs first_planes(const FrameJob &job, const ColourOptions &colour) const;
    Ssimulacra2PlanesArgs halved_planes(size_t scale) const;
    void enqueue_scale(PlanStream &stream, size_t scale, Ssimulacra2PlanesArgs args) const;
    void enqueue_maps(PlanStream &stream, const Scale &scale, uint32_t first, uint32_t end) const;
    void enqueue_sums(PlanStream &stream, uint64_t *results) const;

    std::vector<Instance> instances_;
    std::vector<Scale> scales_;
    std::vector<ErrorMap> maps_;
    PictureFormat format_;
    bool cpu_tiles_ = false;
    Ssimulacra2MapsShape maps_shape_{};
    float *strip_ = nullptr;
    float *half_[kHalves][2][kPlanes] = {}; /* R G B of both pictures; scale k in half_[k % 2] */
    const Kernel *samples_ = nullptr, *light_ = nullptr, *sum_maps_ = nullptr, *sum_up_ = nullptr;
};

void Ssimulacra2Plan::check_colours(const PictureFormat &format, const ColourTags &reference,
                                    const ColourTags &distorted) const
{
    for (const Instance &instance : instances_) {
        colour_conversion(instance.colour, reference, format, "reference");
        colour_conversion(instance.colour, distorted, format, "distorted");
    }
}

/* ---- preparation ---------------------------------------------------------------------------- */

void Ssimulacra2Plan::prepare(PlanDevice &device, const PictureFormat &format)
{
    require_size(format, kName, kSmallest, kSmallest);
    format_ = format;
    cpu_tiles_ = device.cpu_tiles();
    maps_shape_ = cpu_tiles_ ? kSsimulacra2MapsCpuShape : kSsimulacra2MapsGpuShape;
    samples_ = device.kernel(format.bits == 8 ? "ssimulacra2_planes_8" : "ssimulacra2_planes_16");
    light_ = device.kernel("ssimulacra2_planes_f32");
    sum_maps_ = device.kernel("ssimulacra2_maps");
    sum_up_ = device.kernel("ssimulacra2_sums");
    plan_scales();
    maps_ = weighted_maps(scales_.size());
    allocate_sums(device);
    allocate_planes(device);
}

void Ssimulacra2Plan::plan_scales()
{
    const auto tile = static_cast<uint32_t>(maps_shape_.rows);
    uint32_t width = format_.width, height = format_.height;
    while (scales_.size() < kSsimulacra2Scales) {
        Scale scale = {};
        scale.width = width;
        scale.height = height;
        scale.pitch = rounded_up(width, kSsimulacra2BlockWidth) + 2 * kMargin;
        const uint32_t tiles = (cpu_tiles_ ? kCpuStrip : kGpuStrip) / (scale.pitch * tile);
        scale.rows =
            std::min(std::max(tiles, 1u) * tile, rounded_up(height, kSsimulacra2BlockRows));
        scale.across = groups_for(width, kSsimulacra2BlockWidth);
        scale.blocks = scale.across * groups_for(height, kSsimulacra2BlockRows);
        scales_.push_back(scale);
        if (width < kSmallest || height < kSmallest)
            break;
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
}

void Ssimulacra2Plan::allocate_sums(PlanDevice &device)
{
    for (const ErrorMap &map : maps_) {
        Scale &scale = scales_[map.scale];
        scale.sums[map.plane][map.map] = static_cast<float *>(
            device.allocate(uint64_t{scale.blocks} * kSsimulacra2Norms * sizeof(float)));
    }
}

void Ssimulacra2Plan::allocate_planes(PlanDevice &device)
{
    uint64_t largest = 0;
    for (const Scale &scale : scales_)
        largest = std::max(largest, scale.plane());
    strip_ = static_cast<float *>(device.allocate(2 * kPlanes * largest * sizeof(float)));
    for (size_t k = 1; k < std::min(scales_.size(), kHalves + 1); ++k)
        for (auto &picture : half_[k % kHalves])
            for (float *&plane : picture)
                plane = static_cast<float *>(device.allocate(uint64_t{scales_[k].width} *
                                                             scales_[k].height * sizeof(float)));
}

/* ---- a frame -------------------------------------------------------------------------------- */

Ssimulacra2PlanesArgs Ssimulacra2Plan::first_planes(const FrameJob &job,
                                                    const ColourOptions &colour) const
{
    Ssimulacra2PlanesArgs args = {};
    const PictureView *const views[] = {&job.reference, &job.distorted};
    const char *const names[] = {"reference", "distorted"};
    for (size_t i = 0; i < 2; ++i) {
        Ssimulacra2Picture &picture = args.picture[i];
        for (uint32_t p = 0; p < format_.plane_count(); ++p) {
            picture.plane[p] = views[i]->plane[p].data;
            picture.pitch[p] = views[i]->plane[p].pitch;
        }
        const ColourConversion conversion =
            colour_conversion(colour, views[i]->colour, format_, names[i]);
        picture.matrix = conversion.matrix;
        picture.curve = conversion.curve;
    }
    args.halve_x = format_.chroma == Chroma::k420 || format_.chroma == Chroma::k422;
    args.halve_y = format_.chroma == Chroma::k420;
    args.smooth = colour.smooth;
    return args;
}

Ssimulacra2PlanesArgs Ssimulacra2Plan::halved_planes(size_t scale) const
{
    Ssimulacra2PlanesArgs args = {};
    for (size_t i = 0; i < 2; ++i) {
        for (size_t p = 0; p < kPlanes; ++p) {
            args.picture[i].plane[p] = half_[scale % kHalves][i][p];
            args.picture[i].pitch[p] = scales_[scale].width * sizeof(float);
        }
    }
    return args;
}

void Ssimulacra2Plan::enqueue(const FrameJob &job)
{
    uint64_t *results = job.results;
    for (const Instance &instance : instances_) {
        enqueue_scale(*job.stream, 0, first_planes(job, instance.colour));
        for (size_t k = 1; k < scales_.size(); ++k)
            enqueue_scale(*job.stream, k, halved_planes(k));
        enqueue_sums(*job.stream, results);
        results += words();
    }
}

void Ssimulacra2Plan::enqueue_scale(PlanStream &stream, size_t number,
                                    Ssimulacra2PlanesArgs args) const
{
    const Scale &scale = scales_[number];
    const Ssimulacra2PlanesShape shape =
        cpu_tiles_ ? kSsimulacra2PlanesCpuShape : kSsimulacra2PlanesGpuShape;
    args.strip = strip_;
    args.plane = scale.plane();
    args.pitch = static_cast<int32_t>(scale.pitch);
    args.width = static_cast<int32_t>(scale.width);
    args.height = static_cast<int32_t>(scale.height);
    if (number + 1 < scales_.size())
        for (size_t i = 0; i < 2; ++i)
            std::copy_n(half_[(number + 1) % kHalves][i], kPlanes, args.picture[i].half);
    for (uint32_t first = 0; first < scale.height; first += scale.rows) {
        const uint32_t end = std::min(first + scale.rows, scale.height);
        args.first = static_cast<int32_t>(first);
        args.end = static_cast<int32_t>(end);
        const Grid grid = {groups_for(scale.width, static_cast<uint32_t>(shape.width)),
                           groups_for(end - first + 2 * kMargin, static_cast<uint32_t>(shape.rows)),
                           2, kSsimulacra2PlanesThreads};
        stream.launch(number == 0 ? samples_ : light_, grid, args);
        enqueue_maps(stream, scale, first, end);
    }
}

void Ssimulacra2Plan::enqueue_maps(PlanStream &stream, const Scale &scale, uint32_t first,
                                   uint32_t end) const
{
    Ssimulacra2MapsArgs args = {};
    uint32_t planes = 0;
    for (size_t p = 0; p < kPlanes; ++p) {
        float *const *sums = scale.sums[p];
        if (std::all_of(sums, sums + kSsimulacra2Maps, [](float *s) { return s == nullptr; }))
            continue;
        args.planes[planes].plane = static_cast<int32_t>(p);
        std::copy_n(sums, kSsimulacra2Maps, args.planes[planes].sums);
        ++planes;
    }
    args.strip = strip_;
    args.plane = scale.plane();
    args.pitch = static_cast<int32_t>(scale.pitch);
    args.width = static_cast<int32_t>(scale.width);
    args.first = static_cast<int32_t>(first);
    args.end = static_cast<int32_t>(end);
    args.across = static_cast<int32_t>(scale.across);
    args.blocks = static_cast<int32_t>(scale.blocks);
    stream.launch(sum_maps_,
                  Grid{groups_for(scale.width, static_cast<uint32_t>(maps_shape_.width)),
                       groups_for(end - first, static_cast<uint32_t>(maps_shape_.rows)), planes,
                       kSsimulacra2MapsThreads},
                  args);
}

void Ssimulacra2Plan::enqueue_sums(PlanStream &stream, uint64_t *results) const
{
    Ssimulacra2SumsArgs args = {};
    args.results = results;
    uint32_t count = 0;
    for (const ErrorMap &map : maps_) {
        const Scale &scale = scales_[map.scale];
        for (uint32_t norm = 0; norm < kSsimulacra2Norms; ++norm)
            args.sum[count++] = {scale.sums[map.plane][map.map] + uint64_t{norm} * scale.blocks,
                                 scale.blocks};
    }
    stream.launch(sum_up_, Grid{count, 1, 1, kSsimulacra2SumsThreads}, args);
}

void Ssimulacra2Plan::collect(size_t instance, const uint64_t *results, uint64_t index,
                              ScoreSink &sink)
{
    const uint64_t *word = results + instance * words();
    std::vector<MapNorms> norms;
    for (const ErrorMap &map : maps_) {
        const Scale &scale = scales_[map.scale];
        const double pixels = static_cast<double>(uint64_t{scale.width} * scale.height);
        const double mean = std::bit_cast<double>(word[0]) / pixels;
        const double fourths = std::bit_cast<double>(word[1]) / pixels;
        norms.push_back({{mean, std::sqrt(std::sqrt(fourths))}});
        word += kSsimulacra2Norms;
    }
    sink.write(instances_[instance].name, index, ssimulacra2_score(scales_.size(), norms));
}

std::unique_ptr<FeaturePlan> create()
{
    return std::make_unique<Ssimulacra2Plan>();
}

} // namespace

const FeatureDescription *ssimulacra2_feature()
{
    static const FeatureDescription description = {kName, &options(), {kName}, create};
    return &description;
}

} // namespace vmafx
