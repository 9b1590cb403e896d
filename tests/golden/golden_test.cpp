/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Scores clips and compares every value with the golden one, all bits.
 *
 *     golden_test FOLDER...   the clips of the first FOLDER there is
 *
 * VMAFX_GOLDEN_DIR names another folder, VMAFX_GOLDEN_CLIP one clip, VMAFX_TEST_RUNTIME the
 * runtime. VMAFX_CPU_LEVEL and VMAFX_CPU_WORKERS choose kernels and threads of the CPU.
 */
#include <cstdio>
#include <cstdlib>
#include <string>

#include "comparison.h"
#include "metric_names.h"
#include "support/cpu_level.h"
#include "support/golden_set.h"
#include "support/handles.h"

using namespace support;

namespace
{

constexpr const char *kModels[] = {"vmaf_v0.6.1", "vmaf_v0.6.1neg", "vmaf_4k_v0.6.1",
                                   "vmaf_4k_v0.6.1neg", "vmaf_b_v0.6.3"};

void use_feature(const Context &context, const std::string &name, const std::string &options)
{
    must(vmafx_context_use_feature, context.get(), name.c_str(), options.c_str());
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

/** All features with all their outputs, and all models, in one session. */
Comparison compare_defaults(const Device &device, const GoldenSet &set, const GoldenPair &pair,
                            const ClipPair &clips)
{
    const nlohmann::json features = set.scores(pair.name, "features");
    const bool has_adm = features.at("metrics").contains("integer_adm2");
    const Context context = create_context(device);
    use_feature(context, "psnr", "enable_mse=true:enable_apsnr=true");
    use_feature(context, "vif", "debug=true");
    use_feature(context, "motion", "debug=true");
    const nlohmann::json v1 = set.scores(pair.name, "vmafv1").value("metrics", nlohmann::json());
    for (const std::string &options : options_in_names(v1, "integer_motion2"))
        use_feature(context, "motion", options);
    if (has_adm) {
        use_feature(context, "adm", "debug=true");
        for (const std::string &options : options_in_names(v1, "integer_adm2"))
            use_feature(context, "adm", options);
        for (const char *model : kModels)
            use_builtin_model(context, model);
    }
    score(context, clips, clips.frames());

    Comparison comparison(pair.name);
    for (const char *what : {"features", "vmaf", "vmafb", "vmafv1"}) {
        const nlohmann::json golden = set.scores(pair.name, what);
        comparison.metrics(context.get(), golden.value("metrics", nlohmann::json::object()),
                           is_known_metric);
        comparison.pooled(context.get(), golden.value("pooled", nlohmann::json::object()),
                          clips.frames() - 1, is_known_metric);
    }
    comparison.aggregates(context.get(), features.at("aggregate_metrics"));
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
        if (!is_known_metric(metrics.begin().key()))
            continue;
        const Context context = create_context(device);
        use_feature(context, feature, run.substr(feature.size() + 1));
        score(context, clips, metrics.begin()->size());
        Comparison comparison(pair.name + " " + run);
        comparison.metrics(context.get(), metrics, [](const std::string &) { return true; });
        comparison.aggregates(context.get(),
                              golden.at("aggregate_metrics").value(run, nlohmann::json::object()));
        sum.add(comparison);
    }
    return sum;
}

/** Pictures too small for adm are refused by name, not scored. */
bool adm_is_refused(const Device &device, const ClipPair &clips)
{
    const Context context = create_context(device);
    use_feature(context, "adm", "");
    VmafxError error = VMAFX_ERROR_INIT;
    const int32_t status = submit_pair(context, clips, 0, &error);
    std::printf("adm at %ux%u: %s: %s\n", clips.reference->width(), clips.reference->height(),
                vmafx_status_name(status), error.message);
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
    if (!set.scores(pair.name, "features").at("metrics").contains("integer_adm2"))
        good = adm_is_refused(device, clips) && good;
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
