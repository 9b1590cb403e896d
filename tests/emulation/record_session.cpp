/* SPDX-License-Identifier: BSD-2-Clause
 *
 * usage: record_session RUNTIME FOLDER
 * Sessions whose launches the recording runtime keeps: every feature whose smallest picture allows
 * it, on a square and on an odd picture, of 8 and of 10 bits, and imports of layouts that kernels
 * convert. A case is a subfolder.
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

using namespace support;

namespace
{

struct Case {
    uint32_t width, height, bits;
    uint32_t layout; /* of the uploads */
};

constexpr uint32_t kFrames = 3;
constexpr int kRefused = 77;

std::string name_of(const Case &c)
{
    return std::to_string(c.width) + "x" + std::to_string(c.height) + "-" + std::to_string(c.bits) +
           "-" + facts_of(c.layout).name;
}

void submit_frames(const char *runtime, const Case &c, const char *feature)
{
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    desc.runtime = VMAFX_RUNTIME_CUDA;
    desc.runtime_path = runtime;
    Device device;
    must(vmafx_device_open, &desc, device.out());
    const Context context = create_context(device);
    must(vmafx_context_use_feature, context.get(), feature, "");
    const LayoutFacts &facts = facts_of(c.layout);
    for (uint32_t i = 0; i < kFrames; ++i) {
        const Picture picture = natural_picture(facts.chroma, c.bits, c.width, c.height, i + 1);
        const HostPicture reference(picture, facts);
        const HostPicture bad(distorted(picture, i + 50), facts);
        submit(context, import_frame(device, reference.desc()), import_frame(device, bad.desc()),
               i);
    }
    must(vmafx_context_flush, context.get());
}

/** In a process of its own, since the recording runtime has one folder. */
int record(const char *runtime, const Case &c, const char *feature, const std::string &folder)
try {
    setenv("VMAFX_RECORD", folder.c_str(), 1);
    submit_frames(runtime, c, feature);
    return 0;
} catch (const CallFailed &failed) {
    std::fprintf(stderr, "%s\n", failed.what());
    return failed.status == VMAFX_E_RANGE || failed.status == VMAFX_E_NOTSUP ? kRefused : 1;
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}

/** Whether it was recorded, or refused for its size or format. */
bool record_apart(const char *runtime, const Case &c, const char *feature,
                  const std::filesystem::path &folder)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(record(runtime, c, feature, folder));
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return false;
    if (WEXITSTATUS(status) == kRefused)
        std::filesystem::remove_all(folder);
    return WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == kRefused;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: record_session RUNTIME FOLDER\n");
        return 2;
    }
    const std::vector<Case> cases = {
        {64, 64, 8, VMAFX_LAYOUT_420},   {67, 49, 8, VMAFX_LAYOUT_NV12},
        {64, 64, 10, VMAFX_LAYOUT_P010}, {67, 49, 10, VMAFX_LAYOUT_444},
        {243, 177, 8, VMAFX_LAYOUT_420}, /* every feature takes it */
    };
    int failed = 0;
    for (const vmafx::FeatureDescription *feature : vmafx::all_features()) {
        for (const Case &c : cases) {
            const auto folder = std::filesystem::path(argv[2]) / feature->name / name_of(c);
            failed += !record_apart(argv[1], c, feature->name, folder);
        }
    }
    return failed == 0 ? 0 : 1;
}
