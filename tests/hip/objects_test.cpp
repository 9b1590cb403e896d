/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Owners, checked calls and the device probe, on a fake runtime.
 */
#include <cstring>
#include <dlfcn.h>

#include "core/failure.h"
#include "fake_runtime.h"
#include "hip/device_probe.h"
#include "hip/objects.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx::hip;

static std::shared_ptr<const Runtime> fake(const char *file)
{
    return load_runtime({VMAFX_RUNTIME_ROCM, file, 0});
}

static int live_objects(const Runtime &runtime)
{
    void *library = dlopen(runtime.file.c_str(), RTLD_NOW | RTLD_NOLOAD);
    ck_assert_ptr_nonnull(library);
    const auto count =
        reinterpret_cast<decltype(&fake_live_objects)>(dlsym(library, "fake_live_objects"));
    ck_assert(count != nullptr);
    const int live = count();
    dlclose(library);
    return live;
}

template <typename Call> static Failure failure_of(Call call)
{
    try {
        call();
    } catch (const Failure &failure) {
        return failure;
    }
    ck_abort_msg("no failure");
    return {0, "", ""};
}

static void count_call(void *opaque)
{
    ++*static_cast<int *>(opaque);
}

START_TEST(failures_name_call_and_error)
{
    const auto runtime = fake(FAKE_ROCM);
    check(*runtime, hipSuccess, "hipFree");
    const Failure memory = failure_of([&] { DeviceMemory big(*runtime, 1000); });
    ck_assert_int_eq(memory.status(), VMAFX_E_NOMEM);
    ck_assert_int_eq(memory.native(), hipErrorOutOfMemory);
    assert_text(memory.what(),
                "hipMalloc of 1000 bytes failed: hipErrorOutOfMemory: out of memory");
    const Failure other = failure_of([&] { PinnedMemory pinned(*runtime, 16); });
    ck_assert_int_eq(other.status(), VMAFX_E_DEVICE);
    assert_text(other.what(), "hipHostMalloc of 16 bytes failed: error 801");
    const Failure load = failure_of([&] { Module module(*runtime, {}); });
    assert_text(load.what(), "hipModuleLoadData of the rocm runtime failed: error 801");
    ck_assert_int_eq(runtime->hip.hipGetLastError(), hipSuccess);
}
END_TEST

START_TEST(owners_release_once)
{
    const auto runtime = fake(FAKE_ROCM);
    {
        Stream stream(*runtime);
        Event event(*runtime, event_disable_timing);
        DeviceMemory first(*runtime, 8), second(*runtime, 16);
        ck_assert_int_eq(live_objects(*runtime), 4);
        DeviceMemory moved(std::move(first));
        ck_assert(!first);
        ck_assert_uint_eq(first.size(), 0);
        ck_assert_uint_eq(moved.size(), 8);
        moved = std::move(second);
        ck_assert_uint_eq(moved.size(), 16);
        ck_assert_int_eq(live_objects(*runtime), 3); /* the memory it held is gone at once */
        ExternalMemory external(*runtime, 0, 64);
        ck_assert_ptr_nonnull(external.address());
        ck_assert_int_eq(live_objects(*runtime), 5);
    }
    ck_assert_int_eq(live_objects(*runtime), 0);
}
END_TEST

START_TEST(a_failed_mapping_releases_the_import)
{
    const auto runtime = fake(FAKE_ROCM);
    const Failure f = failure_of([&] { ExternalMemory external(*runtime, 0, 65); });
    ck_assert_int_eq(f.status(), VMAFX_E_DEVICE);
    ck_assert_ptr_nonnull(std::strstr(f.what(), "hipExternalMemoryGetMappedBuffer"));
    ck_assert_int_eq(live_objects(*runtime), 0);
}
END_TEST

START_TEST(pending_is_no_error)
{
    const auto runtime = fake(FAKE_ROCM);
    Stream stream(*runtime);
    ck_assert(!stream.idle());
    ck_assert_int_eq(runtime->hip.hipGetLastError(), hipSuccess);
    ck_assert(Event(*runtime, event_default).done());
}
END_TEST

START_TEST(host_calls_work_with_old_and_new_runtimes)
{
    for (const char *file : {FAKE_ROCM, FAKE_MODERN_ROCM}) {
        const auto runtime = fake(file);
        int calls = 0;
        Stream(*runtime).call(count_call, &calls);
        ck_assert_int_eq(calls, 1);
    }
}
END_TEST

START_TEST(the_current_device_is_put_back)
{
    const auto runtime = fake(FAKE_ROCM);
    int device = -1;
    {
        DeviceGuard guard(*runtime, 1);
        runtime->hip.hipGetDevice(&device);
        ck_assert_int_eq(device, 1);
        DeviceGuard same(*runtime, 1);
    }
    runtime->hip.hipGetDevice(&device);
    ck_assert_int_eq(device, 0);
    ck_assert_int_eq(failure_of([&] { DeviceGuard bad(*runtime, 2); }).native(),
                     hipErrorInvalidDevice);
}
END_TEST

START_TEST(the_probe_reads_both_layouts)
{
    for (const char *file : {FAKE_ROCM, FAKE_MODERN_ROCM}) {
        const DeviceFacts facts = probe_device(*fake(file), 0);
        assert_text(facts.name, "Fake Instinct");
        assert_text(facts.target, "gfx90a");
        ck_assert(facts.pci == (PciAddress{1, 0xc3, 0x1f, 0}));
        ck_assert_uint_eq(facts.memory_total, uint64_t{6} << 30);
        ck_assert_uint_eq(facts.multiprocessors, 40);
    }
}
END_TEST

START_TEST(the_probe_refuses_nonsense)
{
    const auto runtime = fake(FAKE_ROCM);
    const Failure none = failure_of([&] { probe_device(*runtime, 2); });
    ck_assert_int_eq(none.status(), VMAFX_E_NOTFOUND);
    assert_text(none.subject(), "desc.index");
    const Failure nowhere = failure_of([&] { probe_device(*runtime, 1); });
    ck_assert_int_eq(nowhere.status(), VMAFX_E_DEVICE);
    ck_assert_ptr_nonnull(std::strstr(nowhere.what(), "\"nowhere\""));
}
END_TEST

START_TEST(pci_addresses_are_parsed_whole)
{
    PciAddress address;
    ck_assert(parse_pci_address("0000:03:00.1", address));
    ck_assert(address == (PciAddress{0, 3, 0, 1}));
    ck_assert(parse_pci_address("ffff:FF:1f", address));
    ck_assert(address == (PciAddress{0xffff, 0xff, 0x1f, 0}));
    const PciAddress before = address;
    for (const char *bad : {"", "0000", "0000:03", "0000:03:00.", "0000:03:00.8", "0000:03:20.0",
                            "00000:03:00.0", "0000:03:00.0 ", "-1:03:00.0", "0000:+3:00.0"})
        ck_assert_msg(!parse_pci_address(bad, address), "\"%s\" taken", bad);
    ck_assert(address == before);
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("objects");
    tcase_add_test(tcase, failures_name_call_and_error);
    tcase_add_test(tcase, owners_release_once);
    tcase_add_test(tcase, a_failed_mapping_releases_the_import);
    tcase_add_test(tcase, pending_is_no_error);
    tcase_add_test(tcase, host_calls_work_with_old_and_new_runtimes);
    tcase_add_test(tcase, the_current_device_is_put_back);
    tcase_add_test(tcase, the_probe_reads_both_layouts);
    tcase_add_test(tcase, the_probe_refuses_nonsense);
    tcase_add_test(tcase, pci_addresses_are_parsed_whole);
    return run_tests(tcase, "objects");
}
