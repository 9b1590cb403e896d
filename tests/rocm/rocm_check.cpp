/* SPDX-License-Identifier: BSD-2-Clause
 *
 * usage: rocm_check LIBRARY VERSION
 * A real libamdhip64 ("5.2", "6.4") on a machine without an AMD GPU: every entry point of the table
 * is there, the version is the one expected, and the answer is "no device" all the way up. Plain
 * output, so that it also runs beside another C library than the one it was built with.
 */
#include <cstdio>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <unistd.h>

#include <libvmafx/vmafx.h>

#include "core/failure.h"
#include "hip/runtime.h"

using namespace vmafx;
using namespace vmafx::hip;

namespace
{

int passed = 0, failed = 0;

void expect(bool met, const std::string &what)
{
    std::printf("%s %s\n", met ? "ok  " : "FAIL", what.c_str());
    (met ? passed : failed)++;
}

bool has(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

/** Fills the table; the entry points that are absent, each with a space behind. */
std::string resolve(void *library, EntryPoints &hip)
{
    std::string absent;
#define VMAFX_HIP_ENTRY(name, result, params, need)                                                \
    hip.name = reinterpret_cast<name##_fn>(dlsym(library, #name));                                 \
    if (!hip.name)                                                                                 \
        absent += #name " (" #need ") ";
#include "hip/entry_points.def"
    return absent;
}

void check_answers(const EntryPoints &hip, const std::string &version)
{
    const hipError_t begun = hip.hipInit(0);
    /* Release 5.2 has no such device, later ones have none. */
    expect(begun == hipErrorNoDevice || begun == hipErrorInvalidDevice,
           "hipInit: " + describe_error(hip, begun));
    int count = -1;
    const hipError_t error = hip.hipGetDeviceCount(&count);
    expect(error == hipErrorNoDevice, "hipGetDeviceCount: " + describe_error(hip, error));
    expect(has(describe_error(hip, hipErrorNoDevice), "hipErrorNoDevice"), "errors have names");

    /* Release 5.2 counts 50213601: major, two digits of minor, patch. */
    int number = 0;
    const hipError_t asked = hip.hipRuntimeGetVersion(&number);
    const std::string found =
        std::to_string(number / 10000000) + "." + std::to_string(number / 100000 % 100);
    expect(asked == hipSuccess && found == version,
           "hipRuntimeGetVersion: " + std::to_string(number) + ", " + describe_error(hip, asked));
}

void check_loader(const std::string &library)
{
    try {
        load_runtime({VMAFX_RUNTIME_ROCM, library, 0});
        expect(false, "the loader found a device");
    } catch (const Failure &f) {
        expect(f.status() == VMAFX_E_NOTFOUND && f.native() == hipErrorNoDevice &&
                   has(f.what(), library + ": no device (hipErrorNoDevice"),
               std::string("loader: ") + f.what());
        expect(access("/dev/kfd", F_OK) == 0 || has(f.what(), "there is no /dev/kfd"),
               "the loader says what is missing");
    }
}

void check_api(const std::string &library)
{
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    desc.runtime = VMAFX_RUNTIME_ROCM;
    desc.runtime_path = library.c_str();
    VmafxDevice *device = nullptr;
    VmafxError error = VMAFX_ERROR_INIT;
    const int32_t status = vmafx_device_open(&desc, &device, &error);
    expect(status == VMAFX_E_NOTFOUND && !device && has(error.message, "hipErrorNoDevice") &&
               has(error.subject, "desc.runtime_path"),
           std::string("vmafx_device_open: ") + error.subject + ": " + error.message);
    vmafx_device_close(&device);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: rocm_check LIBRARY VERSION\n");
        return 2;
    }
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        std::printf("FAIL %s\n0 passed, 1 failed\n", dlerror());
        return 1;
    }
    if (access("/dev/kfd", F_OK) == 0)
        std::printf("there is an AMD GPU: the answers below may differ\n");
    EntryPoints hip;
    const std::string absent = resolve(library, hip);
    expect(!has(absent, "(required)"),
           "entry points, absent: " + (absent.empty() ? "none" : absent));
    if (failed == 0) {
        check_answers(hip, argv[2]);
        check_loader(argv[1]);
        check_api(argv[1]);
    }
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
