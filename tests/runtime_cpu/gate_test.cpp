/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The call log and the faults: no entry point goes past them.
 */
#include "runtime_test.h"

#include "test_kernels.h"

namespace
{

/** Calls with zeros; the answer is an error or not, but never a crash. */
template <class Result, class... Parameters>
Result call_with_zeros(Result (*function)(Parameters...))
{
    return function(Parameters{}...);
}

std::vector<std::string> entry_names()
{
    std::vector<std::string> names;
    for (uint32_t i = 0; const char *name = vmafx_cpu_entry_name(i); ++i)
        names.emplace_back(name);
    return names;
}

uint64_t calls_of_all_one_by_one()
{
    uint64_t sum = 0;
    for (const std::string &name : entry_names())
        sum += vmafx_cpu_call_count(name.c_str());
    return sum;
}

constexpr hipError_t kError = hipErrorMapFailed; /* no entry point's own answer to zeros */

/** The second call fails, the first and the third are as ever. */
template <class... Parameters>
void check_fault(const char *name, hipError_t (*function)(Parameters...))
{
    vmafx_cpu_reset_calls();
    assert_ok(vmafx_cpu_set_fault(name, 2, kError));
    ck_assert_msg(call_with_zeros(function) != kError, "%s fails too early", name);
    ck_assert_uint_eq(vmafx_cpu_fault_count(), 0);
    ck_assert_msg(call_with_zeros(function) == kError, "%s does not fail", name);
    ck_assert_uint_eq(vmafx_cpu_fault_count(), 1);
    (void)hipGetLastError();
    ck_assert_msg(call_with_zeros(function) != kError, "%s fails twice", name);
    ck_assert_uint_eq(vmafx_cpu_fault_count(), 1);
}

/** What answers with a text has no error to give. */
template <class... Parameters> void check_fault(const char *name, const char *(*)(Parameters...))
{
    assert_hip(vmafx_cpu_set_fault(name, 1, kError), hipErrorNotFound);
}

} // namespace

START_TEST(every_entry_point_is_listed)
{
    const std::vector<std::string> names = entry_names();
    size_t i = 0;
#define VMAFX_HIP_ENTRY(name, result, parameters, need)                                            \
    ck_assert_uint_lt(i, names.size());                                                            \
    assert_text(names[i++], #name);
#define VMAFX_HIP_OWN_ENTRY VMAFX_HIP_ENTRY
#include "hip/entry_points.def"
#undef VMAFX_HIP_OWN_ENTRY
#undef VMAFX_HIP_ENTRY
    ck_assert_uint_eq(i, names.size());
}
END_TEST

/* One call counts once, under its own name and under no other. */
START_TEST(every_entry_point_is_counted)
{
#define VMAFX_HIP_ENTRY(name, result, parameters, need)                                            \
    {                                                                                              \
        const uint64_t own = vmafx_cpu_call_count(#name), all = vmafx_cpu_call_count(nullptr);     \
        (void)call_with_zeros(name);                                                               \
        ck_assert_msg(vmafx_cpu_call_count(#name) == own + 1, "%s is not counted", #name);         \
        ck_assert_msg(vmafx_cpu_call_count(nullptr) == all + 1, "%s counts for others", #name);    \
    }
#define VMAFX_HIP_OWN_ENTRY VMAFX_HIP_ENTRY
#include "hip/entry_points.def"
#undef VMAFX_HIP_OWN_ENTRY
#undef VMAFX_HIP_ENTRY
    ck_assert_uint_eq(vmafx_cpu_call_count(nullptr), calls_of_all_one_by_one());
    ck_assert_uint_eq(vmafx_cpu_call_count("hipNothing"), UINT64_MAX);
    vmafx_cpu_reset_calls();
    ck_assert_uint_eq(vmafx_cpu_call_count(nullptr), 0);
}
END_TEST

START_TEST(every_entry_point_can_fail)
{
#define VMAFX_HIP_ENTRY(name, result, parameters, need) check_fault(#name, name);
#define VMAFX_HIP_OWN_ENTRY VMAFX_HIP_ENTRY
#include "hip/entry_points.def"
#undef VMAFX_HIP_OWN_ENTRY
#undef VMAFX_HIP_ENTRY
}
END_TEST

START_TEST(failed_call_does_nothing)
{
    int somewhere = 0;
    void *memory = &somewhere;
    assert_ok(vmafx_cpu_set_fault("hipMalloc", 1, hipErrorOutOfMemory));
    assert_hip(hipMalloc(&memory, 64), hipErrorOutOfMemory);
    ck_assert_ptr_eq(memory, &somewhere);
    ck_assert_uint_eq(vmafx_cpu_live_count("device memory"), 0);
    assert_hip(hipGetLastError(), hipErrorOutOfMemory);
    assert_hip(hipGetLastError(), hipSuccess);

    assert_ok(hipMalloc(&memory, 64));
    assert_ok(hipMemset(memory, 7, 64));
    assert_ok(vmafx_cpu_set_fault("hipMemset", 1, hipErrorUnknown));
    assert_hip(hipMemset(memory, 8, 64), hipErrorUnknown);
    ck_assert_int_eq(*static_cast<char *>(memory), 7);
    assert_ok(vmafx_cpu_set_fault("hipFree", 1, hipErrorUnknown));
    assert_hip(hipFree(memory), hipErrorUnknown);
    ck_assert_uint_eq(vmafx_cpu_live_count("device memory"), 1);
    assert_ok(hipFree(memory));
    ck_assert_uint_eq(vmafx_cpu_live_count("device memory"), 0);
}
END_TEST

START_TEST(fault_of_any_entry_point)
{
    assert_ok(vmafx_cpu_set_fault(nullptr, 3, hipErrorMapFailed));
    int count = 0;
    assert_ok(hipGetDeviceCount(&count));
    (void)hipGetLastError(); /* is not one of them */
    assert_ok(hipGetDevice(&count));
    assert_hip(hipInit(0), hipErrorMapFailed);
    assert_ok(hipInit(0));
}
END_TEST

START_TEST(lost_device_stays_lost)
{
    hipEvent_t event = make_event();
    assert_ok(vmafx_cpu_set_fault("hipEventRecord", 1, hipErrorIllegalAddress));
    assert_hip(hipEventRecord(event, nullptr), hipErrorIllegalAddress);
    assert_hip(hipEventQuery(event), hipErrorIllegalAddress);
    assert_hip(hipDeviceSynchronize(), hipErrorIllegalAddress);
    assert_hip(hipGetLastError(), hipErrorIllegalAddress);
    assert_text(hipGetErrorName(hipErrorIllegalAddress), "hipErrorIllegalAddress");
    vmafx_cpu_reset_calls();
    assert_ok(hipEventDestroy(event));
}
END_TEST

START_TEST(faults_that_are_refused)
{
    assert_hip(vmafx_cpu_set_fault("hipInit", 0, hipErrorUnknown), hipErrorInvalidValue);
    assert_hip(vmafx_cpu_set_fault("hipInit", 1, hipSuccess), hipErrorInvalidValue);
    assert_hip(vmafx_cpu_set_fault("hipNothing", 1, hipErrorUnknown), hipErrorNotFound);
    assert_hip(vmafx_cpu_set_fault("", 1, hipErrorUnknown), hipErrorNotFound);
    assert_ok(hipInit(0));
}
END_TEST

START_TEST(live_objects_are_counted)
{
    ck_assert_uint_eq(vmafx_cpu_live_count(nullptr), 0);
    hipStream_t stream = make_stream(stream_non_blocking);
    hipEvent_t event = make_event();
    void *device = nullptr, *pinned = nullptr;
    assert_ok(hipMalloc(&device, 1));
    assert_ok(hipHostMalloc(&pinned, 1, host_malloc_default));
    hipModule_t module = load_module();
    for (const char *kind : {"streams", "events", "device memory", "pinned memory", "modules"})
        ck_assert_msg(vmafx_cpu_live_count(kind) == 1, "%s are not counted", kind);
    for (const char *kind : {"arrays", "external memory", "mappings"})
        ck_assert_msg(vmafx_cpu_live_count(kind) == 0, "there are no %s", kind);
    ck_assert_uint_eq(vmafx_cpu_live_count("ghosts"), UINT64_MAX);
    ck_assert_uint_eq(vmafx_cpu_live_count(nullptr), 5);
    assert_ok(hipModuleUnload(module));
    assert_ok(hipHostFree(pinned));
    assert_ok(hipFree(device));
    assert_ok(hipEventDestroy(event));
    assert_ok(hipStreamDestroy(stream));
    ck_assert_uint_eq(vmafx_cpu_live_count(nullptr), 0);
}
END_TEST

START_TEST(launches_are_counted_by_name)
{
    hipModule_t module = load_module();
    const hipFunction_t append = function_of(module, "append_digit");
    uint64_t number = 0;
    const AppendDigitArgs args = {&number, 5};
    for (int i = 0; i < 3; ++i)
        assert_ok(launch(append, 1, args, nullptr));
    assert_ok(hipDeviceSynchronize());
    ck_assert_uint_eq(vmafx_cpu_launch_count("append_digit"), 3);
    ck_assert_uint_eq(vmafx_cpu_launch_count(nullptr), 3);
    ck_assert_uint_eq(vmafx_cpu_launch_count("nothing"), 0);
    assert_ok(vmafx_cpu_set_fault("hipModuleLaunchKernel", 1, hipErrorUnknown));
    assert_hip(launch(append, 1, args, nullptr), hipErrorUnknown);
    ck_assert_uint_eq(vmafx_cpu_launch_count("append_digit"), 3);
    vmafx_cpu_reset_calls();
    ck_assert_uint_eq(vmafx_cpu_launch_count(nullptr), 0);
    assert_ok(hipModuleUnload(module));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("gate");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, every_entry_point_is_listed);
    tcase_add_test(tcase, every_entry_point_is_counted);
    tcase_add_test(tcase, every_entry_point_can_fail);
    tcase_add_test(tcase, failed_call_does_nothing);
    tcase_add_test(tcase, fault_of_any_entry_point);
    tcase_add_test(tcase, lost_device_stays_lost);
    tcase_add_test(tcase, faults_that_are_refused);
    tcase_add_test(tcase, live_objects_are_counted);
    tcase_add_test(tcase, launches_are_counted_by_name);
    return run_tests(tcase, "runtime_cpu gate");
}
