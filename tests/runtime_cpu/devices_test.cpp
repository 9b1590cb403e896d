/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Devices, and what the environment changes about them. The engine reads it once per process; every
 * test is one.
 */
#include <cstring>
#include <thread>

#include "runtime_test.h"

START_TEST(one_device_by_default)
{
    int count = 0;
    int device = -1;
    assert_ok(hipInit(0));
    assert_hip(hipInit(1), hipErrorInvalidValue);
    assert_ok(hipGetDeviceCount(&count));
    ck_assert_int_eq(count, 1);
    assert_ok(hipGetDevice(&device));
    ck_assert_int_eq(device, 0);
    assert_hip(hipSetDevice(1), hipErrorInvalidDevice);
    assert_hip(hipSetDevice(-1), hipErrorInvalidDevice);
    assert_text(vmafx_hip_runtime_name(), "cpu");

    char text[64] = {};
    assert_ok(hipDeviceGetName(text, sizeof(text), 0));
    ck_assert_int_eq(std::strncmp(text, "CPU (", 5), 0);
    ck_assert_int_eq(text[std::strlen(text) - 1], ')');
    assert_ok(hipDeviceGetName(text, 4, 0));
    assert_text(text, "CPU");
    assert_hip(hipDeviceGetName(text, 0, 0), hipErrorInvalidValue);
    assert_ok(hipDeviceGetPCIBusId(text, sizeof(text), 0));
    assert_text(text, "0000:00:00.0");
    size_t bytes = 0;
    assert_ok(hipDeviceTotalMem(&bytes, 0));
    ck_assert_uint_gt(bytes, 0);
}
END_TEST

START_TEST(properties_of_both_layouts)
{
    setenv("VMAFX_CPU_LEVEL", "v2", 1);
    assert_ok(vmafx_cpu_set_workers(3));
    char name[64] = {};
    size_t total = 0;
    assert_ok(hipDeviceGetName(name, sizeof(name), 0));
    assert_ok(hipDeviceTotalMem(&total, 0));

    DevicePropertiesR0600 now;
    std::memset(&now, 0x77, sizeof(now));
    assert_ok(hipGetDevicePropertiesR0600(&now, 0));
    assert_text(now.gcnArchName, "x86-64-v2");
    assert_text(now.name, name);
    ck_assert_uint_eq(now.totalGlobalMem, total);
    ck_assert_int_eq(now.multiProcessorCount, 3);
    ck_assert_int_eq(reinterpret_cast<unsigned char *>(&now)[device_properties_r0600_size], 0x77);

    DevicePropertiesR0000 old;
    std::memset(&old, 0x77, sizeof(old));
    assert_ok(hipGetDeviceProperties(&old, 0));
    assert_text(old.gcnArchName, "x86-64-v2");
    assert_text(old.name, name);
    ck_assert_uint_eq(old.totalGlobalMem, total);
    ck_assert_int_eq(reinterpret_cast<unsigned char *>(&old)[device_properties_r0000_size], 0x77);

    assert_hip(hipGetDevicePropertiesR0600(nullptr, 0), hipErrorInvalidValue);
    assert_hip(hipGetDevicePropertiesR0600(&now, 1), hipErrorInvalidDevice);
}
END_TEST

START_TEST(several_devices)
{
    setenv("VMAFX_CPU_DEVICES", "3", 1);
    int count = 0;
    int device = -1;
    assert_ok(hipGetDeviceCount(&count));
    ck_assert_int_eq(count, 3);
    assert_ok(hipDeviceGetByPCIBusId(&device, "0000:00:02.0"));
    ck_assert_int_eq(device, 2);
    assert_hip(hipDeviceGetByPCIBusId(&device, "0000:00:03.0"), hipErrorInvalidDevice);
    assert_hip(hipDeviceGetByPCIBusId(&device, "0000:03:00.0"), hipErrorInvalidDevice);
    assert_hip(hipDeviceGetByPCIBusId(&device, "gpu"), hipErrorInvalidValue);

    /* A device is of the thread; work and waits are of a device. */
    assert_ok(hipSetDevice(2));
    std::thread([] {
        int other = -1;
        assert_ok(hipGetDevice(&other));
        ck_assert_int_eq(other, 0);
    }).join();
    hipStream_t stream = make_stream(stream_default);
    assert_ok(hipStreamGetDevice(stream, &device));
    ck_assert_int_eq(device, 2);
    Gate gate(stream);
    assert_hip(hipStreamQuery(nullptr), hipErrorNotReady);
    assert_ok(hipSetDevice(0));
    assert_ok(hipStreamQuery(nullptr));
    assert_ok(hipDeviceSynchronize());
    gate.open();
    assert_ok(hipStreamSynchronize(stream));
    assert_ok(hipStreamDestroy(stream));
}
END_TEST

START_TEST(workers_are_fixed_once_they_run)
{
    assert_hip(vmafx_cpu_set_workers(100000), hipErrorInvalidValue);
    assert_ok(vmafx_cpu_set_workers(0));
    assert_ok(vmafx_cpu_set_workers(2));
    char bytes[4] = {};
    assert_ok(hipMemset(bytes, 1, sizeof(bytes)));
    assert_hip(vmafx_cpu_set_workers(1), hipErrorNotSupported);
    assert_ok(vmafx_cpu_set_workers(2));
    assert_ok(hipMemset(bytes, 2, sizeof(bytes)));
}
END_TEST

static const struct {
    const char *name, *value, *says;
} kBadSettings[] = {
    {"VMAFX_CPU_LEVEL", "v5", "VMAFX_CPU_LEVEL is 'v5', expected v2, v3 or v4"},
    {"VMAFX_CPU_LEVEL", "", "VMAFX_CPU_LEVEL is '', expected v2, v3 or v4"},
    {"VMAFX_CPU_DEVICES", "0", "VMAFX_CPU_DEVICES is '0', expected a number from 1 to 16"},
    {"VMAFX_CPU_WORKERS", "-1", "VMAFX_CPU_WORKERS is '-1', expected a number from 0 to 1024"},
    {"VMAFX_CPU_WORKERS", "2x", "VMAFX_CPU_WORKERS is '2x', expected a number from 0 to 1024"},
};

START_TEST(bad_settings_say_why_nothing_works)
{
    setenv(kBadSettings[_i].name, kBadSettings[_i].value, 1);
    int count = -1;
    hipStream_t stream = nullptr;
    assert_hip(hipInit(0), hipErrorNotInitialized);
    assert_hip(hipGetDeviceCount(&count), hipErrorNotInitialized);
    assert_hip(hipStreamCreateWithFlags(&stream, 0), hipErrorNotInitialized);
    assert_text(hipGetErrorString(hipErrorNotInitialized), kBadSettings[_i].says);
}
END_TEST

START_TEST(error_names)
{
    assert_text(hipGetErrorName(hipErrorNotReady), "hipErrorNotReady");
    assert_text(hipGetErrorName(12345), "hipErrorUnknown");
    assert_text(hipGetErrorString(hipErrorInvalidPitchValue), "pitch is smaller than the width");
    assert_text(hipGetErrorString(-1), "unrecognised error code");
    int version = 0;
    assert_ok(hipRuntimeGetVersion(&version));
    ck_assert_int_ge(version, 60000000);
    assert_hip(hipDriverGetVersion(nullptr), hipErrorInvalidValue);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("devices");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, one_device_by_default);
    tcase_add_test(tcase, properties_of_both_layouts);
    tcase_add_test(tcase, several_devices);
    tcase_add_test(tcase, workers_are_fixed_once_they_run);
    tcase_add_loop_test(tcase, bad_settings_say_why_nothing_works, 0,
                        sizeof(kBadSettings) / sizeof(kBadSettings[0]));
    tcase_add_test(tcase, error_names);
    return run_tests(tcase, "runtime_cpu devices");
}
