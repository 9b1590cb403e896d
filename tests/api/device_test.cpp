/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Opening devices: what is found, what is refused, what a missing runtime says.
 */
#include <cstdlib>

#include "refusal.h"
#include "support/cpu_level.h"
#include "support/shared_memory.h"

using namespace support;

namespace
{

/** What opening the desc answers; there is no device afterwards. */
struct Answer {
    int32_t status;
    VmafxError error;
};

Answer open_refused(const VmafxDeviceDesc &desc)
{
    Answer answer = {VMAFX_OK, VMAFX_ERROR_INIT};
    VmafxDevice *device = reinterpret_cast<VmafxDevice *>(1);
    answer.status = vmafx_device_open(&desc, &device, &answer.error);
    ck_assert_msg(answer.status < 0, "the device was opened");
    ck_assert_ptr_null(device);
    return answer;
}

void check_answer(const VmafxDeviceDesc &desc, int32_t status, const char *subject,
                  const char *word)
{
    const Answer answer = open_refused(desc);
    const VmafxError &error = answer.error;
    ck_assert_msg(answer.status == status, "%s, not %s: %s", vmafx_status_name(answer.status),
                  vmafx_status_name(status), error.message);
    assert_text(error.subject, subject);
    ck_assert_msg(strstr(error.message, word) != nullptr, "no \"%s\" in: %s", word, error.message);
}

VmafxDeviceDesc describe(uint32_t runtime)
{
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    desc.runtime = runtime;
    return desc;
}

} // namespace

START_TEST(cpu_device_describes_itself)
{
    const Device device = open_cpu_device();
    VmafxDeviceInfo info = VMAFX_DEVICE_INFO_INIT;
    must(vmafx_device_get_info, device.get(), &info);
    ck_assert_uint_eq(info.runtime, VMAFX_RUNTIME_CPU);
    assert_text(info.runtime_name, "cpu");
    ck_assert_msg(std::string(info.target).starts_with("x86-64-v"), "target %s", info.target);
    ck_assert_ptr_nonnull(strstr(info.runtime_file, "libvmafx-hip-cpu"));
    ck_assert_uint_gt(strlen(info.name), 0);
    ck_assert_uint_gt(info.memory_total, 0);
    ck_assert_uint_le(info.memory_free, info.memory_total);
    ck_assert_uint_eq(info.pci_domain | info.pci_bus | info.pci_device | info.pci_function, 0);
    const auto has = [](uint64_t mask, uint32_t kind) { return (mask >> kind & 1) != 0; };
    for (const uint32_t memory : {VMAFX_MEMORY_HOST, VMAFX_MEMORY_DEVICE_POINTER,
                                  VMAFX_MEMORY_DMABUF, VMAFX_MEMORY_DEVICE_ARRAY})
        ck_assert(has(info.memory_kinds, memory));
    ck_assert(!has(info.memory_kinds, VMAFX_MEMORY_GL_TEXTURE));
    for (const uint32_t fence :
         {VMAFX_FENCE_NONE, VMAFX_FENCE_HOST, VMAFX_FENCE_SYNC_FILE, VMAFX_FENCE_HIP_EVENT})
        ck_assert(has(info.acquire_fence_kinds, fence));
    ck_assert(!has(info.acquire_fence_kinds, VMAFX_FENCE_GL_SYNC));
    for (const uint32_t fence : {VMAFX_FENCE_NONE, VMAFX_FENCE_HOST, VMAFX_FENCE_HIP_EVENT})
        ck_assert(has(info.release_fence_kinds, fence));
    ck_assert(!has(info.release_fence_kinds, VMAFX_FENCE_SYNC_FILE));
    ck_assert_uint_gt(info.modifier_count, 1);
    ck_assert_uint_eq(info.modifiers[0], VMAFX_MODIFIER_LINEAR);
}
END_TEST

START_TEST(counters_start_at_zero)
{
    const VmafxDeviceCounters c = counters_of(open_cpu_device());
    ck_assert_uint_eq(c.frames_imported + c.frames_uploaded + c.planes_converted +
                          c.host_plane_copies + c.import_cache_hits + c.import_cache_misses +
                          c.import_cache_evictions,
                      0);
}
END_TEST

START_TEST(level_is_that_of_the_environment)
{
    const char *levels[] = {"v2", "v3", "v4"};
    const std::string level = levels[_i];
    setenv("VMAFX_CPU_LEVEL", level.c_str(), 1);
    if (!cpu_has_level(level)) {
        const Answer answer = open_refused(describe(VMAFX_RUNTIME_CPU));
        ck_assert_ptr_nonnull(strstr(answer.error.message, "VMAFX_CPU_LEVEL"));
        return;
    }
    const Device device = open_cpu_device();
    VmafxDeviceInfo info = VMAFX_DEVICE_INFO_INIT;
    must(vmafx_device_get_info, device.get(), &info);
    assert_text(info.target, "x86-64-" + level);
}
END_TEST

START_TEST(broken_environment_is_named)
{
    setenv("VMAFX_CPU_LEVEL", "v9", 1);
    const Answer answer = open_refused(describe(VMAFX_RUNTIME_CPU));
    ck_assert_msg(strstr(answer.error.message, "VMAFX_CPU_LEVEL") != nullptr, "%s",
                  answer.error.message);
}
END_TEST

/* A machine without the GPU names the library that cannot serve. */
START_TEST(gpu_is_there_or_its_library_is_named)
{
    const struct {
        uint32_t runtime;
        const char *library;
    } gpus[] = {{VMAFX_RUNTIME_ROCM, "libamdhip64"}, {VMAFX_RUNTIME_CUDA, "libvmafx-hip-cuda"}};
    VmafxDeviceDesc desc = describe(gpus[_i].runtime);
    VmafxDevice *device = nullptr;
    VmafxError error = VMAFX_ERROR_INIT;
    const int32_t status = vmafx_device_open(&desc, &device, &error);
    if (status == VMAFX_OK) {
        vmafx_device_close(&device);
        return;
    }
    ck_assert_msg(status == VMAFX_E_NOTFOUND, "%s: %s", vmafx_status_name(status), error.message);
    ck_assert_msg(strstr(error.message, gpus[_i].library) != nullptr, "%s", error.message);
}
END_TEST

START_TEST(path_of_a_runtime)
{
    VmafxDeviceDesc desc = describe(VMAFX_RUNTIME_ROCM);
    desc.runtime_path = "/no/such/libamdhip64.so";
    check_answer(desc, VMAFX_E_NOTFOUND, "desc.runtime_path", "/no/such/libamdhip64.so");
    desc.runtime_path = "/etc/hostname";
    check_answer(desc, VMAFX_E_NOTFOUND, "desc.runtime_path", "/etc/hostname");
    desc = describe(VMAFX_RUNTIME_AUTO);
    desc.runtime_path = "libamdhip64.so";
    check_answer(desc, VMAFX_E_INVALID, "desc.runtime_path", "desc.runtime");
}
END_TEST

START_TEST(fields_are_checked)
{
    check_answer(describe(99), VMAFX_E_INVALID, "desc.runtime", "99");
    VmafxDeviceDesc desc = describe(VMAFX_RUNTIME_CPU);
    desc.index = 99;
    check_answer(desc, VMAFX_E_NOTFOUND, "desc.index", "99");
    desc = describe(VMAFX_RUNTIME_CPU);
    desc.flags = 8;
    check_answer(desc, VMAFX_E_INVALID, "desc.flags", "0x8");
    desc = describe(VMAFX_RUNTIME_CPU);
    desc.reserved = 1;
    check_answer(desc, VMAFX_E_INVALID, "desc.reserved", "0");
    desc = describe(VMAFX_RUNTIME_CPU);
    desc.pci_address = "third slot";
    check_answer(desc, VMAFX_E_INVALID, "desc.pci_address", "third slot");
    desc = describe(VMAFX_RUNTIME_CPU);
    desc.struct_size = 8;
    check_answer(desc, VMAFX_E_ABI, "desc", "INIT");
    desc = describe(VMAFX_RUNTIME_CPU);
    desc.struct_size = 1 << 24;
    check_answer(desc, VMAFX_E_ABI, "desc", "INIT");
}
END_TEST

/* An address says which GPU a surface came from; the CPU can read any of them. */
START_TEST(cpu_answers_to_any_pci_address)
{
    VmafxDeviceDesc desc = describe(VMAFX_RUNTIME_CPU);
    desc.pci_address = "0000:c1:00.0";
    desc.index = 7; /* not used beside an address */
    Device device;
    must(vmafx_device_open, &desc, device.out());
}
END_TEST

START_TEST(outputs_are_checked)
{
    const Device device = open_cpu_device();
    VmafxDeviceInfo info = VMAFX_DEVICE_INFO_INIT;
    info.struct_size = 16;
    assert_refused(VMAFX_E_ABI, "info", "INIT", vmafx_device_get_info, device.get(), &info);
    VmafxDeviceCounters counters = VMAFX_DEVICE_COUNTERS_INIT;
    counters.struct_size = 0;
    assert_refused(VMAFX_E_ABI, "counters", "INIT", vmafx_device_get_counters, device.get(),
                   &counters);
}
END_TEST

START_TEST(refusals_leak_nothing)
{
    const auto refuse = [] {
        VmafxDeviceDesc desc = describe(VMAFX_RUNTIME_CUDA);
        desc.index = 99;
        open_refused(desc);
        desc = describe(VMAFX_RUNTIME_CPU);
        desc.index = 99;
        open_refused(desc);
    };
    refuse();
    const size_t before = open_descriptors();
    for (int i = 0; i < 20; ++i)
        refuse();
    ck_assert_uint_eq(open_descriptors(), before);
}
END_TEST

int main(void)
{
    unsetenv("VMAFX_HIP_LIBRARY");
    TCase *tcase = tcase_create("device");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, cpu_device_describes_itself);
    tcase_add_test(tcase, counters_start_at_zero);
    tcase_add_loop_test(tcase, level_is_that_of_the_environment, 0, 3);
    tcase_add_test(tcase, broken_environment_is_named);
    tcase_add_loop_test(tcase, gpu_is_there_or_its_library_is_named, 0, 2);
    tcase_add_test(tcase, path_of_a_runtime);
    tcase_add_test(tcase, fields_are_checked);
    tcase_add_test(tcase, cpu_answers_to_any_pci_address);
    tcase_add_test(tcase, outputs_are_checked);
    tcase_add_test(tcase, refusals_leak_nothing);
    return run_tests(tcase, "device");
}
