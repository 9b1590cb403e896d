/* SPDX-License-Identifier: BSD-2-Clause
 *
 * usage: record_session RUNTIME FOLDER
 * Sessions whose launches the recording runtime keeps, so that every kernel is launched: every
 * feature whose smallest picture allows it, on a square and on an odd picture, of 8, 10 and 16
 * bits; options that have kernels of their own; imports of layouts that kernels convert. A case is
 * a subfolder.
 */
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "features/feature.h"
#include "support/handles.h"
#include "support/picture.h"
#include "support/scores.h"
#include "tiling/tiled_picture.h"

using namespace support;

namespace
{

constexpr uint64_t kTiled = UINT64_C(0x0200000000000901); /* AMD GFX9 64K_S */

struct Case {
    uint32_t width, height, bits;
    uint32_t layout;       /* of the uploads */
    uint64_t modifier = 0; /* of imports in their place */
    bool noise = false;    /* of a large mean square */
};

struct Session {
    std::string folder;
    std::vector<std::pair<std::string, std::string>> features; /* with options */
};

constexpr uint32_t kFrames = 3;
constexpr int kRefused = 77;

std::string name_of(const Case &c)
{
    return std::to_string(c.width) + "x" + std::to_string(c.height) + "-" + std::to_string(c.bits) +
           "-" + facts_of(c.layout).name + (c.modifier != 0 ? "-tiled" : "");
}

void submit_frame(const Device &device, const Context &context, const Case &c, uint32_t i)
{
    const LayoutFacts &facts = facts_of(c.layout);
    const auto make = c.noise ? random_picture : natural_picture;
    const Picture picture = make(facts.chroma, c.bits, c.width, c.height, i + 1);
    const Picture worse = distorted(picture, i + 50);
    if (c.modifier == 0) {
        const HostPicture reference(picture, facts), bad(worse, facts);
        submit(context, import_frame(device, reference.desc()), import_frame(device, bad.desc()),
               i);
        return;
    }
    const tiling_test::TiledPicture reference(picture, facts, c.modifier);
    const tiling_test::TiledPicture bad(worse, facts, c.modifier);
    submit(context, import_frame(device, reference.desc()), import_frame(device, bad.desc()), i);
    must(vmafx_context_flush, context.get()); /* before the memory goes */
}

void submit_frames(const char *runtime, const Case &c, const Session &session)
{
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    desc.runtime = VMAFX_RUNTIME_CUDA;
    desc.runtime_path = runtime;
    Device device;
    must(vmafx_device_open, &desc, device.out());
    const Context context = create_context(device);
    for (const auto &[feature, options] : session.features)
        must(vmafx_context_use_feature, context.get(), feature.c_str(), options.c_str());
    for (uint32_t i = 0; i < (c.modifier == 0 && !c.noise ? kFrames : 1); ++i)
        submit_frame(device, context, c, i);
    if (c.modifier == 0)
        must(vmafx_context_flush, context.get());
}

/** In a process of its own, since the recording runtime has one folder. */
int record(const char *runtime, const Case &c, const Session &session, const std::string &folder)
try {
    setenv("VMAFX_RECORD", folder.c_str(), 1);
    submit_frames(runtime, c, session);
    return 0;
} catch (const CallFailed &failed) {
    std::fprintf(stderr, "%s\n", failed.what());
    return failed.status == VMAFX_E_RANGE || failed.status == VMAFX_E_NOTSUP ? kRefused : 1;
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}

/** Whether it was recorded, or refused for its size or format. */
bool record_apart(const char *runtime, const Case &c, const Session &session,
                  const std::filesystem::path &folder)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(record(runtime, c, session, folder));
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return false;
    if (WEXITSTATUS(status) == kRefused)
        std::filesystem::remove_all(folder);
    return WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == kRefused;
}

std::vector<Session> sessions()
{
    std::vector<Session> all;
    for (const vmafx::FeatureDescription *feature : vmafx::all_features())
        all.push_back({feature->name, {{feature->name, ""}}});
    all.push_back({"adm-pair", {{"adm", ""}, {"adm", "adm_enhn_gain_limit=1"}}});
    all.push_back({"adm-real", {{"adm", "adm_enhn_gain_limit=1.05"}}});
    all.push_back({"float_adm-plain", {{"float_adm", "adm_p_norm=1"}}});
    all.push_back({"float_adm-power", {{"float_adm", "adm_p_norm=2.5"}}});
    all.push_back(
        {"float_motion-more", {{"float_motion", "motion_add_scale1=true:motion_add_uv=true"}}});
    all.push_back(
        {"float_vif-half", {{"float_vif", "vif_prescale=0.5:vif_prescale_method=bicubic"}}});
    all.push_back({"speed_chroma-half",
                   {{"speed_chroma", "speed_prescale=0.5:speed_prescale_method=bicubic"}}});
    all.push_back({"speed_temporal-half",
                   {{"speed_temporal", "speed_prescale=0.5:speed_prescale_method=bilinear"}}});
    all.push_back({"float_ssim-half", {{"float_ssim", "scale=2"}}});
    all.push_back({"cambi-source", {{"cambi", "full_ref=true"}}});
    return all;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: record_session RUNTIME FOLDER\n");
        return 2;
    }
    const std::vector<Case> cases = {
        {64, 64, 8, VMAFX_LAYOUT_420},    {67, 49, 8, VMAFX_LAYOUT_NV12},
        {64, 64, 10, VMAFX_LAYOUT_P010},  {67, 49, 10, VMAFX_LAYOUT_444},
        {64, 64, 16, VMAFX_LAYOUT_420},   {243, 177, 8, VMAFX_LAYOUT_420}, /* every feature takes */
        {243, 177, 10, VMAFX_LAYOUT_420}, {243, 177, 16, VMAFX_LAYOUT_420},
    };
    int failed = 0;
    for (const Session &session : sessions()) {
        for (const Case &c : cases) {
            const auto folder = std::filesystem::path(argv[2]) / session.folder / name_of(c);
            failed += !record_apart(argv[1], c, session, folder);
        }
    }
    const Session tiled = {"tiled", {{"psnr", ""}}}, large = {"large", {{"float_moment", ""}}};
    const Case tiled_cases[] = {
        {64, 64, 8, VMAFX_LAYOUT_420, kTiled},
        {67, 49, 8, VMAFX_LAYOUT_NV12, kTiled},
        {64, 64, 10, VMAFX_LAYOUT_P010, kTiled},
        {67, 49, 10, VMAFX_LAYOUT_444, kTiled},
    };
    for (const Case &c : tiled_cases) {
        const auto folder = std::filesystem::path(argv[2]) / tiled.folder / name_of(c);
        failed += !record_apart(argv[1], c, tiled, folder);
    }
    /* Squares that a double does not add exactly. */
    const Case sums = {2600, 2600, 16, VMAFX_LAYOUT_400, 0, true};
    const auto folder = std::filesystem::path(argv[2]) / large.folder / name_of(sums);
    failed += !record_apart(argv[1], sums, large, folder);
    return failed == 0 ? 0 : 1;
}
