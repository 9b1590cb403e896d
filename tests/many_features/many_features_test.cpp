/* SPDX-License-Identifier: BSD-2-Clause
 *
 * All features in one session: each plane goes to the device once, is converted once, what two
 * features or option sets have in common is computed once, and the scores are those of sessions of
 * their own; memory is what the counters say.
 */
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <sstream>

#include "support/picture.h"
#include "support/runtime_calls.h"
#include "support/scores.h"

#include "check_text.h"

using namespace support;

namespace
{

constexpr uint32_t kWidth = 320, kHeight = 240; /* large enough for every feature */
constexpr size_t kFrames = 3;
constexpr uint32_t kPlanes = 6; /* of a pair */

using Names = std::vector<std::string>;

Device open_profiled()
{
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    desc.runtime = test_runtime();
    desc.flags = VMAFX_DEVICE_PROFILING;
    Device device;
    must(vmafx_device_open, &desc, device.out());
    return device;
}

/** The message about a name that is none lists them. */
Names all_features(const Device &device)
{
    const Context context = create_context(device);
    VmafxError error = VMAFX_ERROR_INIT;
    ck_assert_int_eq(vmafx_context_use_feature(context.get(), "none", "", &error),
                     VMAFX_E_NOTFOUND);
    const std::string message = error.message;
    std::istringstream list(message.substr(message.rfind(": ") + 2));
    Names names;
    for (std::string name; std::getline(list >> std::ws, name, ',');)
        names.push_back(name);
    return names;
}

/** features: "name" or "name:options". */
Context context_of(const Device &device, const Names &features, uint32_t in_flight = 0,
                   uint32_t lanes = 0)
{
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    desc.frames_in_flight = in_flight;
    desc.lanes = lanes;
    Context context = create_context(device, &desc);
    for (const std::string &feature : features) {
        const size_t end = std::min(feature.find(':'), feature.size());
        const std::string name = feature.substr(0, end);
        const std::string options = end < feature.size() ? feature.substr(end + 1) : "";
        must(vmafx_context_use_feature, context.get(), name.c_str(), options.c_str());
    }
    return context;
}

/** What a session takes to the device, and what comes out. */
struct Outcome {
    std::vector<uint64_t> uploads; /* per frame */
    uint64_t converted = 0;        /* planes */
    AllScores scores;
};

Outcome score(const Device &device, const Names &features, uint32_t layout)
{
    const Context context = context_of(device, features);
    const LayoutFacts &facts = facts_of(layout);
    VmafxDeviceCounters before = VMAFX_DEVICE_COUNTERS_INIT, after = VMAFX_DEVICE_COUNTERS_INIT;
    must(vmafx_device_get_counters, device.get(), &before);
    for (size_t i = 0; i < kFrames; ++i) {
        const Picture picture = natural_picture(facts.chroma, facts.bits ? facts.bits : 8, kWidth,
                                                kHeight, static_cast<uint32_t>(i));
        const HostPicture reference(picture, facts), other(distorted(picture, 7), facts);
        const VmafxFrameImport r = reference.desc(), d = other.desc();
        Frame a, b;
        must(vmafx_context_import_frame, context.get(), &r, uint64_t{0}, a.out());
        must(vmafx_context_import_frame, context.get(), &d, uint64_t{0}, b.out());
        submit(context, a, b, i);
    }
    must(vmafx_context_flush, context.get());
    must(vmafx_device_get_counters, device.get(), &after);

    Outcome outcome;
    outcome.converted = after.planes_converted - before.planes_converted;
    outcome.scores = all_scores(context, kFrames);
    for (size_t i = 0; i < kFrames; ++i) {
        uint64_t uploads = 0;
        VmafxProfileEntry entry = VMAFX_PROFILE_ENTRY_INIT;
        for (uint32_t at = 0; at == 0 || at < entry.entries; ++at) {
            must(vmafx_context_profile_at, context.get(), uint64_t{i}, at, &entry);
            uploads += entry.kind == VMAFX_PROFILE_UPLOAD ? entry.count : 0;
        }
        outcome.uploads.push_back(uploads);
    }
    return outcome;
}

/** The CPU reads host planes where the import put them. */
bool uploads_are_copies()
{
    return test_runtime() != VMAFX_RUNTIME_CPU || std::getenv("VMAFX_CPU_HOSTILE");
}

void assert_uploads(const Outcome &outcome, uint64_t planes)
{
    for (const uint64_t uploads : outcome.uploads)
        ck_assert_uint_eq(uploads, uploads_are_copies() ? planes : 0);
}

VmafxContextCounters counters_of(const Context &context)
{
    VmafxContextCounters counters = VMAFX_CONTEXT_COUNTERS_INIT;
    must(vmafx_context_get_counters, context.get(), &counters);
    return counters;
}

} // namespace

START_TEST(a_plane_is_uploaded_once_for_all_features)
{
    const Device device = open_profiled();
    const Names all = all_features(device);
    ck_assert_uint_ge(all.size(), 13);
    assert_uploads(score(device, all, VMAFX_LAYOUT_420), kPlanes);
    assert_uploads(score(device, Names(all.begin(), all.begin() + 13), VMAFX_LAYOUT_420), kPlanes);
    assert_uploads(score(device, {"vif", "adm", "motion"}, VMAFX_LAYOUT_420), 2);
    assert_uploads(score(device, {"motion"}, VMAFX_LAYOUT_420), 1);
    assert_uploads(score(device, {"cambi"}, VMAFX_LAYOUT_420), 1);
}
END_TEST

START_TEST(a_plane_is_converted_once_for_all_features)
{
    const Device device = open_profiled();
    const Names all = all_features(device);
    /* Of NV12 the chroma; luma is read where it lies. P010 has its luma shifted, too. */
    ck_assert_uint_eq(score(device, all, VMAFX_LAYOUT_NV12).converted, 2 * kFrames);
    ck_assert_uint_eq(score(device, all, VMAFX_LAYOUT_P010).converted, 4 * kFrames);
}
END_TEST

START_TEST(features_score_together_as_alone)
{
    const Device device = open_profiled();
    const Names all = all_features(device);
    const AllScores together = score(device, all, VMAFX_LAYOUT_420).scores;
    size_t names = 0;
    for (const std::string &feature : all) {
        for (const auto &[name, values] : score(device, {feature}, VMAFX_LAYOUT_420).scores) {
            const auto found = together.find(name);
            ck_assert_msg(found != together.end(), "%s: there is no %s among all features",
                          feature.c_str(), name.c_str());
            ck_assert_msg(found->second == values, "%s: %s differs", feature.c_str(), name.c_str());
            ++names;
        }
    }
    ck_assert_uint_eq(names, together.size());
}
END_TEST

/** Launches of features' kernels: clears are those of all features together. */
static uint64_t launches_of(const Device &device, const Names &features)
{
    const RuntimeCalls &calls = RuntimeCalls::get();
    calls.reset();
    score(device, features, VMAFX_LAYOUT_420);
    return calls.launches() - calls.launches("clear");
}

static const Names kOneWork[] = {
    /* One metric under two names. */
    {"ms_ssim", "float_ms_ssim"},
    {"float_ms_ssim:enable_lcs=true", "ms_ssim:enable_db=true"},
    {"motion", "motion_v2"},
    {"motion_v2:motion_five_frame_window=true", "motion:motion_five_frame_window=true"},
    /* Options of the arithmetic on the host. */
    {"motion", "motion:motion_max_val=18", "motion:motion_force_zero=true"},
    {"float_motion", "float_motion:motion_blend_factor=0.5"},
    {"vif", "vif:vif_enhn_gain_limit=1"},
    {"float_vif", "float_vif:vif_scale1_min_val=0.5"},
    {"adm", "adm:adm_noise_weight=0.02"},
    {"float_adm", "float_adm:adm_dlm_weight=0.7"},
    {"cambi", "cambi:cambi_max_val=17"},
    {"speed_chroma", "speed_chroma:speed_max_val=45"},
    {"speed_temporal", "speed_temporal:speed_max_val=45"},
    /* An option that does nothing without another one. */
    {"float_vif", "float_vif:vif_prescale_method=bicubic"},
    {"speed_chroma", "speed_chroma:speed_prescale_method=bicubic"},
};

START_TEST(what_is_in_common_is_computed_once)
{
    /* Commands that are lost are launched again. */
    if (test_runtime() != VMAFX_RUNTIME_CPU || std::getenv("VMAFX_CPU_HOSTILE"))
        return;
    const Device device = open_profiled();
    const Names &features = kOneWork[_i];
    const uint64_t alone = launches_of(device, {features[0]});
    ck_assert_uint_gt(alone, 0);
    ck_assert_msg(launches_of(device, features) == alone, "%s", features[1].c_str());
}
END_TEST

START_TEST(what_is_in_common_scores_as_alone)
{
    const Device device = open_profiled();
    const AllScores together = score(device, kOneWork[_i], VMAFX_LAYOUT_420).scores;
    size_t names = 0;
    for (const std::string &feature : kOneWork[_i])
        for (const auto &[name, values] : score(device, {feature}, VMAFX_LAYOUT_420).scores) {
            ck_assert_msg(together.at(name) == values, "%s: %s differs", feature.c_str(),
                          name.c_str());
            ++names;
        }
    ck_assert_uint_eq(names, together.size());
}
END_TEST

/* A limit of the format names the feature that was asked for. */
START_TEST(refusals_name_the_feature)
{
    const Device device = open_profiled();
    for (const char *feature : {"ms_ssim", "float_ms_ssim", "motion", "motion_v2"}) {
        const Context context = context_of(device, {feature});
        const Picture picture = natural_picture(facts_of(VMAFX_LAYOUT_420).chroma, 8, 2, 2, 1);
        const HostPicture host(picture, facts_of(VMAFX_LAYOUT_420));
        const VmafxFrameImport desc = host.desc();
        Frame frame;
        must(vmafx_context_import_frame, context.get(), &desc, uint64_t{0}, frame.out());
        VmafxError error = VMAFX_ERROR_INIT;
        ck_assert_int_eq(vmafx_context_submit(context.get(), frame.get(), frame.get(), 0, &error),
                         VMAFX_E_RANGE);
        ck_assert_msg(std::string(error.message).find(std::string(feature) + " needs") == 0, "%s",
                      error.message);
    }
}
END_TEST

/* The second session of a device finds the first one's blocks for its pictures: what it adds is its
 * own. */
START_TEST(memory_is_what_the_counters_say)
{
    if (test_runtime() != VMAFX_RUNTIME_CPU)
        return;
    const Device device = open_profiled();
    const RuntimeCalls &calls = RuntimeCalls::get();
    const Names all = all_features(device);
    const LayoutFacts &facts = facts_of(VMAFX_LAYOUT_420);
    const Picture picture = natural_picture(facts.chroma, 8, kWidth, kHeight, 1);
    const HostPicture host(picture, facts);
    const auto first_pair = [&](const Context &context) {
        const VmafxFrameImport desc = host.desc();
        Frame a, b;
        must(vmafx_context_import_frame, context.get(), &desc, uint64_t{0}, a.out());
        must(vmafx_context_import_frame, context.get(), &desc, uint64_t{0}, b.out());
        submit(context, a, b, 0);
    };
    first_pair(context_of(device, all));
    uint64_t frame_bytes = 0, lane_bytes = 0;
    constexpr uint32_t kNumbers[][3] = {{2, 1, 1}, {9, 1, 1}, {9, 3, 3}, {2, 4, 2}};
    for (const auto &[in_flight, wanted, lanes] : kNumbers) {
        const Context context = context_of(device, all, in_flight, wanted);
        ck_assert_uint_eq(counters_of(context).feature_bytes, 0);
        ck_assert_uint_eq(counters_of(context).frame_bytes, 0);
        const uint64_t before = calls.allocated_bytes();
        first_pair(context);
        must(vmafx_context_flush, context.get());
        const VmafxContextCounters counters = counters_of(context);
        ck_assert_uint_gt(counters.feature_bytes, 0);
        ck_assert_uint_eq(calls.allocated_bytes() - before,
                          counters.feature_bytes + in_flight * counters.frame_bytes);
        ck_assert(frame_bytes == 0 || frame_bytes == counters.frame_bytes);
        ck_assert(lane_bytes == 0 || lanes * lane_bytes == counters.feature_bytes);
        frame_bytes = counters.frame_bytes;
        lane_bytes = counters.feature_bytes / lanes;
    }
    /* Scores and marks; planes are a lane's. */
    ck_assert_uint_lt(frame_bytes, 256 << 10);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("many features");
    tcase_set_timeout(tcase, 240);
    tcase_add_test(tcase, a_plane_is_uploaded_once_for_all_features);
    tcase_add_test(tcase, a_plane_is_converted_once_for_all_features);
    tcase_add_test(tcase, features_score_together_as_alone);
    tcase_add_loop_test(tcase, what_is_in_common_is_computed_once, 0, std::size(kOneWork));
    tcase_add_loop_test(tcase, what_is_in_common_scores_as_alone, 0, std::size(kOneWork));
    tcase_add_test(tcase, refusals_name_the_feature);
    tcase_add_test(tcase, memory_is_what_the_counters_say);
    return run_tests(tcase, "many features");
}
