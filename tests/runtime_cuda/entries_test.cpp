/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The CUDA runtime as a library: all entry points are there, and without a device every one of them
 * answers instead of crashing. With a device there is nothing to see here.
 */
#include <cstdlib>
#include <dlfcn.h>
#include <string>

#include "hip/runtime.h"

#include "check_text.h"

using namespace vmafx::hip;

namespace
{

EntryPoints load()
{
    const char *file = std::getenv("TEST_RUNTIME");
    void *library = file ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : nullptr;
    ck_assert_msg(library != nullptr, "TEST_RUNTIME names no library: %s", file ? dlerror() : "");
    EntryPoints hip;
#define VMAFX_HIP_ENTRY(name, result, params, need)                                                \
    hip.name = reinterpret_cast<name##_fn>(dlsym(library, #name));
#define VMAFX_HIP_OWN_ENTRY VMAFX_HIP_ENTRY
#include "hip/entry_points.def"
#undef VMAFX_HIP_ENTRY
#undef VMAFX_HIP_OWN_ENTRY
    return hip;
}

} // namespace

START_TEST(all_entry_points_are_there)
{
    const EntryPoints hip = load();
#define VMAFX_HIP_ENTRY(name, result, params, need)                                                \
    ck_assert_msg(hip.name != nullptr, "%s is missing", #name);
#include "hip/entry_points.def"
#undef VMAFX_HIP_ENTRY
    assert_text(hip.vmafx_hip_runtime_name(), "cuda");
    ck_assert_ptr_null(reinterpret_cast<void *>(hip.vmafx_cpu_set_workers));
}
END_TEST

START_TEST(no_device_is_an_answer)
{
    const EntryPoints hip = load();
    int number = -1;
    const hipError_t state = hip.hipGetDeviceCount(&number);
    if (state == hipSuccess)
        return;
    ck_assert_int_eq(number, 0);
    ck_assert(state == hipErrorNoDevice || state == hipErrorInsufficientDriver);
    ck_assert_msg(std::string(hip.hipGetErrorString(state)).find("libcuda.so.1") !=
                      std::string::npos,
                  "%s", hip.hipGetErrorString(state));
    void *memory = nullptr;
    hipStream_t stream = nullptr;
    hipEvent_t event = nullptr;
    hipModule_t module = nullptr;
    hipExternalMemory_t external = nullptr;
    const hipExternalMemoryHandleDesc desc = {};
    DevicePropertiesR0600 properties;
    ck_assert_int_eq(hip.hipInit(0), state);
    ck_assert_int_eq(hip.hipSetDevice(0), state);
    ck_assert_int_eq(hip.hipGetDevice(&number), state);
    ck_assert_int_eq(hip.hipGetDevicePropertiesR0600(&properties, 0), state);
    ck_assert_int_eq(hip.hipDeviceSynchronize(), state);
    ck_assert_int_eq(hip.hipMalloc(&memory, 16), state);
    ck_assert_int_eq(hip.hipHostMalloc(&memory, 16, 0), state);
    ck_assert_int_eq(hip.hipStreamCreateWithFlags(&stream, 0), state);
    ck_assert_int_eq(hip.hipEventCreateWithFlags(&event, 0), state);
    ck_assert_int_eq(hip.hipModuleLoadData(&module, ".version 6.3"), state);
    ck_assert_int_eq(hip.hipImportExternalMemory(&external, &desc), state);
    ck_assert_int_eq(hip.hipGetLastError(), state);
    ck_assert_int_eq(hip.hipGetLastError(), hipSuccess);
}
END_TEST

START_TEST(codes_have_names)
{
    const EntryPoints hip = load();
    assert_text(hip.hipGetErrorName(hipErrorInvalidImage), "hipErrorInvalidImage");
    assert_text(hip.hipGetErrorName(12345), "hipErrorUnknown");
    assert_text(hip.hipGetErrorString(hipSuccess), "no error");
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("entries");
    tcase_add_test(tcase, all_entry_points_are_there);
    tcase_add_test(tcase, no_device_is_an_answer);
    tcase_add_test(tcase, codes_have_names);
    return run_tests(tcase, "runtime_cuda");
}
