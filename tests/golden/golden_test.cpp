/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Scores clips and compares every value with the golden one, all bits.
 *
 *     golden_test FOLDER...   the clips of the first FOLDER there is
 *
 * VMAFX_GOLDEN_DIR names another folder, VMAFX_GOLDEN_CLIP one clip, VMAFX_TEST_RUNTIME the
 * runtime. VMAFX_CPU_LEVEL and VMAFX_CPU_WORKERS choose kernels and threads of the CPU.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "comparison.h"
#include "extractors.h"
#include "support/cpu_level.h"
#include "support/golden_set.h"
#include "support/handles.h"

using namespace support;

namespace
{

/** false: the library has no such feature. */
bool use_feature(const Context &context, const std::string &name, const std::string &options)
{
    VmafxError error = VMAFX_ERROR_INIT;
    const int32_t status =
        vmafx_context_use_feature(context.get(), name.c_str(), options.c_str(), &error);
    if (status != VMAFX_OK && status != VMAFX_E_NOTFOUND)
        throw CallFailed(status, error);
    return status == VMAFX_OK;
}

struct ClipPair {
    std::shared_ptr<const Y4mClip> reference, distorted;

    ClipPair(GoldenSet &set, const GoldenPair &pair)
        : reference(set.clip(pair.reference)), distorted(set.clip(pair.distorted))
    {
    }
    size_t frames() const { return std::min(reference->frames(), distorted->frames()); }
};

int32_t submit_pair(const Context &context, const ClipPair &clips, size_t frame, VmafxError *error)
{
    Frame reference, distorted;
    const VmafxFrameImport r = clips.reference->host_import(frame);
    const VmafxFrameImport d = clips.distorted->host_import(frame);
    must(vmafx_context_import_frame, context.get(), &r, uint64_t{0}, reference.out());
    must(vmafx_context_import_frame, context.get(), &d, uint64_t{0}, distorted.out());
    return vmafx_context_submit(context.get(), reference.get(), distorted.get(), frame, error);
}

void score(const Context &context, const ClipPair &clips, size_t frames)
{
    for (size_t i = 0; i < frames; ++i) {
        VmafxError error = VMAFX_ERROR_INIT;
        const int32_t status = submit_pair(context, clips, i, &error);
        if (status != VMAFX_OK)
            throw CallFailed(status, error);
    }
    must(vmafx_context_flush, context.get());
}

bool is_smaller(const ClipPair &clips, uint32_t least)
{
    return std::min(clips.reference->width(), clips.reference->height()) < least;
}

/** libvmaf's run of the extractor failed on this clip, or might as well have. */
bool is_refused(const nlohmann::json &features, const ClipPair &clips, const Extractor &extractor)
{
    if (is_smaller(clips, extractor.least))
        return true;
    const std::string name = extractor.name;
    const nlohmann::json failed = features.value("failed", nlohmann::json::object());
    for (const auto &[run, how] : failed.items())
        if (run == name || run.starts_with(name + "="))
            return true;
    return false;
}

/** What a session scores, and what is compared of it. */
class Registered
{
  public:
    void feature(const Extractor &extractor)
    {
        starts_.insert(starts_.end(), extractor.starts.begin(), extractor.starts.end());
    }
    void model(const char *name) { models_.push_back(name); }

    bool has(const std::string &metric) const
    {
        for (const std::string &start : starts_)
            if (metric.starts_with(start))
                return true;
        for (const std::string &model : models_)
            if (metric == model || metric.starts_with(model + "_"))
                return true;
        return false;
    }

  private:
    std::vector<std::string> starts_, models_;
};

/** All features with all their outputs, and all models, in one session. */
Comparison compare_defaults(const Device &device, const GoldenSet &set, const GoldenPair &pair,
                            const ClipPair &clips)
{
    std::map<std::string, nlohmann::json> golden;
    for (const char *what : {"features", "vmaf", "vmafb", "vmafv1", "vmaffloat"})
        golden[what] = set.scores(pair.name, what);
    if (is_smaller(clips, kLeastForFloats))
        golden.erase("vmaffloat");
    const auto metrics = [&](const char *what) {
        return golden.at(what).value("metrics", nlohmann::json::object());
    };

    const Context context = create_context(device);
    Registered registered;
    for (const Extractor &extractor : extractors()) {
        if (is_refused(golden.at("features"), clips, extractor) ||
            misplaces_chroma(pair, extractor.name) ||
            !use_feature(context, extractor.name, extractor.options))
            continue;
        registered.feature(extractor);
        for (const std::string &options : options_in_names(extractor, metrics("vmafv1")))
            use_feature(context, extractor.name, options);
    }
    for (const char *model : golden_models()) {
        const bool is_golden = std::any_of(golden.begin(), golden.end(), [&](const auto &file) {
            return metrics(file.first.c_str()).contains(model);
        });
        if (!is_golden)
            continue;
        use_builtin_model(context, model);
        registered.model(model);
    }
    score(context, clips, clips.frames());

    Comparison comparison(pair.name);
    const auto wanted = [&](const std::string &name) { return registered.has(name); };
    for (const auto &[what, file] : golden) {
        comparison.metrics(context.get(), metrics(what.c_str()), wanted);
        comparison.pooled(context.get(), file.value("pooled", nlohmann::json::object()),
                          clips.frames() - 1, wanted);
    }
    comparison.aggregates(context.get(), golden.at("features").at("aggregate_metrics"));
    return comparison;
}

/** "adm=adm_csf_mode=2:debug=true" -> scores, each in a session of its own. */
Comparison compare_options(const Device &device, const GoldenSet &set, const GoldenPair &pair,
                           const ClipPair &clips)
{
    Comparison sum(pair.name);
    const nlohmann::json golden = set.scores(pair.name, "options");
    if (golden.is_null())
        return sum;
    for (const auto &[run, metrics] : golden.at("options").items()) {
        const std::string feature = run.substr(0, run.find('='));
        const Context context = create_context(device);
        if (!use_feature(context, feature, run.substr(feature.size() + 1)))
            continue;
        score(context, clips, metrics.begin()->size());
        Comparison comparison(pair.name + " " + run);
        comparison.metrics(context.get(), metrics, [](const std::string &) { return true; });
        comparison.aggregates(context.get(),
                              golden.at("aggregate_metrics").value(run, nlohmann::json::object()));
        sum.add(comparison);
    }
    return sum;
}

/** What libvmaf fails on is refused by name, not scored. */
bool refuses(const Device &device, const ClipPair &clips, const Extractor &extractor)
{
    const Context context = create_context(device);
    if (!use_feature(context, extractor.name, extractor.options))
        return true;
    VmafxError error = VMAFX_ERROR_INIT;
    const int32_t status = submit_pair(context, clips, 0, &error);
    std::printf("%s at %ux%u: %s: %s\n", extractor.name, clips.reference->width(),
                clips.reference->height(), vmafx_status_name(status), error.message);
    return status == VMAFX_E_RANGE;
}

bool compare_clip(const Device &device, GoldenSet &set, const GoldenPair &pair)
{
    const ClipPair clips(set, pair);
    Comparison comparison = compare_defaults(device, set, pair, clips);
    comparison.add(compare_options(device, set, pair, clips));
    std::printf("%-20s %2zu frames, %5llu values compared, %llu differ\n", pair.name.c_str(),
                clips.frames(), static_cast<unsigned long long>(comparison.compared()),
                static_cast<unsigned long long>(comparison.different()));
    bool good = comparison.compared() > 0 && comparison.different() == 0;
    const nlohmann::json features = set.scores(pair.name, "features");
    for (const Extractor &extractor : extractors())
        if (is_refused(features, clips, extractor))
            good = refuses(device, clips, extractor) && good;
    std::fflush(stdout);
    return good;
}

/** The kernels that run must be those that the test is about. */
bool runs_level(const Device &device, const std::string &level)
{
    const VmafxDeviceInfo info = info_of(device);
    std::printf("%s, %s, %s\n", info.runtime_name, info.name, info.target);
    return level.empty() || std::string(info.target) == "x86-64-" + level;
}

int run(const std::vector<std::filesystem::path> &folders)
{
    const char *level = std::getenv("VMAFX_CPU_LEVEL");
    if (level && !cpu_has_level(level))
        return kSkipped;
    const char *only = std::getenv("VMAFX_GOLDEN_CLIP");
    GoldenSet set(find_golden_folder(folders));
    std::printf("clips of %s\n", set.folder().c_str());
    const Device device = open_test_device();
    if (!runs_level(device, level ? level : ""))
        return 1;
    size_t clips = 0, bad = 0;
    for (const GoldenPair &pair : set.pairs()) {
        if (only && pair.name != only)
            continue;
        ++clips;
        bad += !compare_clip(device, set, pair);
    }
    std::printf("%zu clips, %zu bad\n", clips, bad);
    return clips == 0 || bad > 0;
}

} // namespace

int main(int argc, char **argv)
try {
    return run({argv + 1, argv + argc});
} catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
