/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lost_commands_test RUNTIME-LIBRARY cpu|cuda
 * Commands that the device never executes: the scores are right all the same, or there are none.
 */
#include <cstdlib>
#include <memory>
#include <sstream>

#include <dlfcn.h>

#include "check_text.h"

#include "lost_commands/lossy_runtime.h"
#include "support/cpu_level.h"
#include "support/scores.h"
#include "support/shared_memory.h"

using namespace support;

namespace
{

const char *library;
uint32_t runtime;
uint64_t most_losses; /* of a feature's commands, one in a session */

constexpr uint64_t kNothing = UINT64_MAX;

template <class Function> Function *lossy(const char *name)
{
    static void *const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(handle != nullptr, "%s", dlerror());
    return reinterpret_cast<Function *>(dlsym(handle, name));
}

void lose(uint64_t first, uint64_t end)
{
    lossy<decltype(lossy_lose)>("lossy_lose")(first, end);
}

uint64_t commands()
{
    return lossy<decltype(lossy_commands)>("lossy_commands")();
}

Device open_lossy_device()
{
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    desc.runtime = runtime;
    desc.runtime_path = library;
    Device device;
    must(vmafx_device_open, &desc, device.out());
    return device;
}

VmafxContextCounters counters_of(const Context &context)
{
    VmafxContextCounters counters = VMAFX_CONTEXT_COUNTERS_INIT;
    must(vmafx_context_get_counters, context.get(), &counters);
    return counters;
}

struct Pair {
    std::unique_ptr<HostPicture> reference, distorted;
};

std::vector<Pair> uploads(uint32_t layout, uint32_t bits, uint32_t frames)
{
    const LayoutFacts &facts = facts_of(layout);
    std::vector<Pair> pairs;
    for (uint32_t i = 0; i < frames; ++i) {
        const Picture picture = natural_picture(facts.chroma, bits, 96, 64, i + 1);
        pairs.push_back({std::make_unique<HostPicture>(picture, facts),
                         std::make_unique<HostPicture>(distorted(picture, i + 50), facts)});
    }
    return pairs;
}

void submit_all(const Context &context, const Device &device, const std::vector<Pair> &pairs)
{
    for (size_t i = 0; i < pairs.size(); ++i) {
        const Frame r = import_frame(device, pairs[i].reference->desc());
        const Frame d = import_frame(device, pairs[i].distorted->desc());
        submit(context, r, d, i);
    }
}

struct Session {
    AllScores scores;
    VmafxContextCounters counters;
    VmafxDeviceCounters device_counters;
    uint64_t commands;
};

/** A session that loses the commands first..end-1. */
Session run_session(const std::vector<Pair> &pairs, uint32_t n_subsample, uint64_t first,
                    uint64_t end)
{
    const Device device = open_lossy_device();
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    desc.n_subsample = n_subsample;
    const Context context = create_context(device, &desc);
    use_everything(context);
    must(vmafx_context_use_feature, context.get(), "motion", "motion_five_frame_window=true");
    lose(first, end);
    submit_all(context, device, pairs);
    must(vmafx_context_flush, context.get());
    Session session = {all_scores(context, pairs.size()), counters_of(context),
                       support::counters_of(device), commands()};
    return session;
}

void every_run_is_noticed(uint32_t layout, uint32_t bits, uint32_t n_subsample, uint64_t length,
                          uint64_t step)
{
    const std::vector<Pair> pairs = uploads(layout, bits, 6);
    const Session whole = run_session(pairs, n_subsample, kNothing, kNothing);
    ck_assert_uint_eq(whole.counters.frames_rerun, 0);
    ck_assert_uint_eq(whole.counters.marks_missing, 0);
    ck_assert_uint_gt(whole.commands, 50);
    for (uint64_t first = 0; first < whole.commands; first += step) {
        const Session session = run_session(pairs, n_subsample, first, first + length);
        const std::string different = difference(whole.scores, session.scores);
        ck_assert_msg(different.empty(), "commands %zu to %zu lost: %s", size_t{first},
                      size_t{first + length - 1}, different.c_str());
        const VmafxContextCounters &c = session.counters;
        ck_assert_msg(c.frames_rerun >= 1 && c.frames_rerun <= pairs.size(),
                      "commands from %zu on lost: %zu frames were run again", size_t{first},
                      size_t{c.frames_rerun});
        ck_assert_uint_ge(c.marks_missing, c.frames_rerun);
        ck_assert_uint_eq(c.frames_collected, pairs.size());
        ck_assert_uint_eq(session.device_counters.frames_rerun, c.frames_rerun);
        ck_assert_uint_eq(session.device_counters.marks_missing, c.marks_missing);
    }
}

} // namespace

/* Every kernel, upload, conversion and way back in turn. */
START_TEST(each_single_command)
{
    every_run_is_noticed(VMAFX_LAYOUT_P010, 10, 1, 1, 1);
}
END_TEST

START_TEST(each_single_command_of_planar_pictures)
{
    every_run_is_noticed(VMAFX_LAYOUT_422, 12, 1, 1, 3);
}
END_TEST

START_TEST(each_single_command_of_every_other_frame)
{
    every_run_is_noticed(VMAFX_LAYOUT_NV12, 8, 2, 1, 3);
}
END_TEST

START_TEST(runs_of_commands)
{
    for (const uint64_t length : {2, 7, 25})
        every_run_is_noticed(VMAFX_LAYOUT_NV12, 8, 1, length, 17);
}
END_TEST

namespace
{

std::vector<Pair> large_uploads()
{
    const LayoutFacts &facts = facts_of(VMAFX_LAYOUT_P010);
    std::vector<Pair> pairs;
    for (uint32_t i = 0; i < 4; ++i) {
        const Picture picture = natural_picture(facts.chroma, 10, 256, 176, i + 1);
        pairs.push_back({std::make_unique<HostPicture>(picture, facts),
                         std::make_unique<HostPicture>(distorted(picture, i + 50), facts)});
    }
    return pairs;
}

/** Scores of a session with one feature that loses a command; how many commands it has. */
AllScores score_feature(const std::vector<Pair> &pairs, const std::string &feature, uint64_t lost,
                        uint64_t *count)
{
    const Device device = open_lossy_device();
    const Context context = create_context(device);
    must(vmafx_context_use_feature, context.get(), feature.c_str(), nullptr);
    lose(lost, lost == kNothing ? lost : lost + 1);
    submit_all(context, device, pairs);
    must(vmafx_context_flush, context.get());
    ck_assert_uint_eq(counters_of(context).frames_rerun > 0, lost != kNothing);
    *count = commands();
    return all_scores(context, pairs.size());
}

void lose_every(const std::vector<Pair> &pairs, const std::string &feature, uint64_t most)
{
    uint64_t whole_count = 0, count = 0;
    const AllScores whole = score_feature(pairs, feature, kNothing, &whole_count);
    ck_assert_uint_gt(whole_count, 2 * pairs.size());
    const uint64_t step = (whole_count + most - 1) / most;
    for (uint64_t lost = 0; lost < whole_count; lost += step) {
        const std::string different =
            difference(whole, score_feature(pairs, feature, lost, &count));
        ck_assert_msg(different.empty(), "%s, command %zu lost: %s", feature.c_str(), size_t{lost},
                      different.c_str());
    }
}

/** The message about a name that is none lists them. */
std::vector<std::string> every_feature()
{
    const Context context = create_context(open_lossy_device());
    VmafxError error = VMAFX_ERROR_INIT;
    ck_assert_int_eq(vmafx_context_use_feature(context.get(), "none", "", &error),
                     VMAFX_E_NOTFOUND);
    const std::string message = error.message;
    std::istringstream list(message.substr(message.rfind(": ") + 2));
    std::vector<std::string> names;
    for (std::string name; std::getline(list >> std::ws, name, ',');)
        names.push_back(name);
    return names;
}

} // namespace

/* A picture that is uploaded again is read by its own frame and, as an earlier one of either side,
 * by the next. */
START_TEST(features_that_read_earlier_pictures)
{
    lose_every(large_uploads(), "speed_temporal", UINT64_MAX / 2);
}
END_TEST

/* What a kernel finds in memory that a lost one should have written leads it nowhere. */
START_TEST(features_one_by_one)
{
    const std::vector<Pair> pairs = large_uploads();
    const std::vector<std::string> features = every_feature();
    ck_assert_uint_ge(features.size(), 4);
    for (const std::string &feature : features)
        lose_every(pairs, feature, most_losses);
}
END_TEST

static void assert_ended(const Context &context, int32_t status, const VmafxError &error,
                         const char *text)
{
    ck_assert_int_eq(status, VMAFX_E_DEVICE);
    ck_assert_msg(std::string(error.message).find(text) != std::string::npos, "%s", error.message);
    VmafxError again = VMAFX_ERROR_INIT;
    ck_assert_int_eq(vmafx_context_flush(context.get(), &again), VMAFX_E_DEVICE);
    assert_text(again.message, error.message);
    double score = 0;
    VmafxError lost = VMAFX_ERROR_INIT;
    ck_assert_int_eq(vmafx_score_pooled(context.get(), VMAFX_MODEL_DEFAULT, VMAFX_POOL_MEAN, 0, 99,
                                        &score, &lost),
                     VMAFX_E_DEVICE);
    assert_text(lost.message, error.message);
}

/** Submits until it fails, and flushes if it does not. */
static int32_t submit_until_failure(const Context &context, const Device &device,
                                    const std::vector<Pair> &pairs, VmafxError &error)
{
    for (size_t i = 0; i < pairs.size(); ++i) {
        const Frame r = import_frame(device, pairs[i].reference->desc());
        const Frame d = import_frame(device, pairs[i].distorted->desc());
        const int32_t status = vmafx_context_submit(context.get(), r.get(), d.get(), i, &error);
        if (status != VMAFX_OK)
            return status;
    }
    return vmafx_context_flush(context.get(), &error);
}

START_TEST(nothing_runs_any_more)
{
    const std::vector<Pair> pairs = uploads(VMAFX_LAYOUT_NV12, 8, 6);
    const Device device = open_lossy_device();
    const Context context = create_context(device);
    use_everything(context);
    lose(60, kNothing);
    VmafxError error = VMAFX_ERROR_INIT;
    const int32_t status = submit_until_failure(context, device, pairs, error);
    assert_ended(context, status, error, " marks are missing after 3 runs");
    ck_assert_ptr_nonnull(strstr(error.message, "lost commands of frame "));
    const VmafxContextCounters counters = counters_of(context);
    ck_assert_uint_eq(counters.frames_rerun, 1);
    ck_assert_uint_lt(counters.frames_collected, pairs.size());
}
END_TEST

START_TEST(frames_released_early_are_not_run_again)
{
    const std::vector<Pair> pairs = uploads(VMAFX_LAYOUT_NV12, 8, 6);
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    desc.flags = VMAFX_CONTEXT_RELEASE_EARLY;
    const Device device = open_lossy_device();
    const Context whole = create_context(device, &desc);
    use_everything(whole);
    submit_all(whole, device, pairs);
    must(vmafx_context_flush, whole.get());

    const Context context = create_context(device, &desc);
    use_everything(context);
    lose(60, 61);
    VmafxError error = VMAFX_ERROR_INIT;
    const int32_t status = submit_until_failure(context, device, pairs, error);
    assert_ended(context, status, error, "released early");
    ck_assert_uint_eq(counters_of(context).frames_rerun, 0);
    ck_assert_uint_eq(counters_of(context).marks_missing, 1);
}
END_TEST

/* Both lanes get work, whatever n_subsample skips. Luma of 8 bits is read in place, so that the
 * library stream has no kernels. */
START_TEST(lanes_take_turns)
{
    const std::vector<Pair> pairs = uploads(VMAFX_LAYOUT_NV12, 8, 8);
    for (const uint32_t n_subsample : {1, 2, 4}) {
        const Device device = open_lossy_device();
        VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
        desc.lanes = 2;
        desc.n_subsample = n_subsample;
        const Context context = create_context(device, &desc);
        must(vmafx_context_use_feature, context.get(), "vif", nullptr);
        lose(kNothing, kNothing);
        submit_all(context, device, pairs);
        must(vmafx_context_flush, context.get());
        uint64_t most = 0, fewest = 0;
        lossy<decltype(lossy_spread)>("lossy_spread")(&most, &fewest);
        const uint64_t scored = pairs.size() / n_subsample;
        ck_assert_uint_gt(fewest, pairs.size() / 2 + scored / 2); /* more than the clears */
        ck_assert_uint_le(most, 2 * fewest);
    }
}
END_TEST

/* Both contexts read what one of them had uploaded and converted. */
START_TEST(frames_of_two_contexts)
{
    const std::vector<Pair> pairs = uploads(VMAFX_LAYOUT_P010, 10, 4);
    const Session whole = run_session(pairs, 1, kNothing, kNothing);
    for (uint64_t first = 0; first < 2 * whole.commands; first += 5) {
        const Device device = open_lossy_device(), other = open_lossy_device();
        const Context contexts[] = {create_context(device), create_context(other)};
        for (const Context &context : contexts) {
            use_everything(context);
            must(vmafx_context_use_feature, context.get(), "motion",
                 "motion_five_frame_window=true");
        }
        lose(first, first + 1);
        for (size_t i = 0; i < pairs.size(); ++i) {
            const Frame r = import_frame(device, pairs[i].reference->desc());
            const Frame d = import_frame(device, pairs[i].distorted->desc());
            for (const Context &context : contexts)
                submit(context, r, d, i);
        }
        for (const Context &context : contexts) {
            must(vmafx_context_flush, context.get());
            assert_text(difference(whole.scores, all_scores(context, pairs.size())), "");
        }
    }
}
END_TEST

/* By default a frame is held until its results are there; early, no further call is needed. */
START_TEST(when_frames_are_let_go)
{
    const LayoutFacts &facts = facts_of(VMAFX_LAYOUT_420);
    const Picture picture = natural_picture(VMAFX_LAYOUT_420, 8, 96, 64, 1);
    const PlacedPicture placed(picture, facts, all_placements()[0]);
    const bool early = _i == 1;
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    desc.flags = early ? VMAFX_CONTEXT_RELEASE_EARLY : 0;
    const Device device = open_lossy_device();
    const Context context = create_context(device, &desc);
    must(vmafx_context_use_feature, context.get(), "psnr", nullptr);
    Releases releases;
    lose(kNothing, kNothing);
    {
        const Frame r = import_frame(device, releases.counted(placed.desc()));
        const Frame d = import_frame(device, releases.counted(placed.desc()));
        submit(context, r, d, 0);
    }
    if (early)
        ck_assert(releases.wait_for(2));
    must(vmafx_context_flush, context.get());
    ck_assert(releases.wait_for(2));
    ck_assert_uint_eq(releases.count(), 2);
}
END_TEST

int main(int, char **argv)
{
    library = argv[1];
    const bool gpu = std::string(argv[2]) == "cuda";
    most_losses = std::strtoull(argv[3], nullptr, 10);
    if (!cpu_has_level("v3"))
        return kSkipped;
    runtime = gpu ? VMAFX_RUNTIME_CUDA : VMAFX_RUNTIME_CPU;
    TCase *tcase = tcase_create("lost commands");
    tcase_set_timeout(tcase, 900);
    tcase_add_test(tcase, each_single_command);
    tcase_add_test(tcase, each_single_command_of_planar_pictures);
    tcase_add_test(tcase, each_single_command_of_every_other_frame);
    tcase_add_test(tcase, runs_of_commands);
    tcase_add_test(tcase, features_that_read_earlier_pictures);
    tcase_add_test(tcase, features_one_by_one);
    tcase_add_test(tcase, nothing_runs_any_more);
    tcase_add_test(tcase, frames_released_early_are_not_run_again);
    tcase_add_test(tcase, lanes_take_turns);
    tcase_add_test(tcase, frames_of_two_contexts);
    tcase_add_loop_test(tcase, when_frames_are_let_go, 0, 2);
    return run_tests(tcase, "lost commands");
}
