/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the library relies on in a HIP runtime, asked of the one that VMAFX_TEST_RUNTIME names:
 * rows, arrays, order of streams, external memory, answers to mistakes.
 */
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <semaphore>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hip/device_probe.h"
#include "hip/objects.h"
#include "hip/runtime.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx::hip;

namespace
{

const Runtime &runtime()
{
    static const std::shared_ptr<const Runtime> loaded = [] {
        const char *name = std::getenv("VMAFX_TEST_RUNTIME");
        for (const uint32_t kind : {VMAFX_RUNTIME_ROCM, VMAFX_RUNTIME_CUDA, VMAFX_RUNTIME_CPU})
            if (std::string(name ? name : "cpu") == runtime_kind_name(kind))
                return load_runtime({kind, "", 0});
        ck_abort_msg("VMAFX_TEST_RUNTIME names no runtime");
        abort();
    }();
    return *loaded;
}

const EntryPoints &api()
{
    return runtime().hip;
}

#define assert_hip(call, expected)                                                                 \
    do {                                                                                           \
        const hipError_t actual = (call);                                                          \
        ck_assert_msg(actual == (expected), "%s is %s, not %s", #call,                             \
                      describe_error(api(), actual).c_str(), api().hipGetErrorName(expected));     \
    } while (0)
#define assert_ok(call) assert_hip(call, hipSuccess)

std::vector<uint8_t> counted(size_t bytes)
{
    std::vector<uint8_t> data(bytes);
    std::iota(data.begin(), data.end(), uint8_t{1});
    return data;
}

std::vector<uint8_t> read_back(const void *device, size_t bytes)
{
    std::vector<uint8_t> data(bytes);
    assert_ok(api().hipMemcpy(data.data(), device, bytes, hipMemcpyDeviceToHost));
    return data;
}

/** Holds a stream at one place until it is opened. */
class Gate
{
  public:
    explicit Gate(Stream &stream) { stream.call(wait, this); }
    void open() { semaphore_.release(); }

  private:
    static void wait(void *gate) { static_cast<Gate *>(gate)->semaphore_.acquire(); }
    std::binary_semaphore semaphore_{0};
};

} // namespace

START_TEST(device_is_described_twice_alike)
{
    DevicePropertiesR0000 old = {};
    DevicePropertiesR0600 present = {};
    if (api().hipGetDeviceProperties && api().hipGetDevicePropertiesR0600) {
        assert_ok(api().hipGetDeviceProperties(&old, 0));
        assert_ok(api().hipGetDevicePropertiesR0600(&present, 0));
        assert_text(old.name, present.name);
        assert_text(old.gcnArchName, present.gcnArchName);
        ck_assert_int_eq(old.multiProcessorCount, present.multiProcessorCount);
        ck_assert_uint_eq(old.totalGlobalMem, present.totalGlobalMem);
    }
    const DeviceFacts facts = probe_device(runtime(), 0);
    ck_assert(!facts.target.empty());
    ck_assert_uint_gt(facts.multiprocessors, 0);
    size_t free = 0, total = 0;
    assert_ok(api().hipMemGetInfo(&free, &total));
    ck_assert_uint_gt(free, 0);
    ck_assert_uint_le(free, total);
    char address[32] = "";
    int found = -1;
    assert_ok(api().hipDeviceGetPCIBusId(address, sizeof address, 0));
    assert_ok(api().hipDeviceGetByPCIBusId(&found, address));
    ck_assert_int_eq(found, 0);
}
END_TEST

START_TEST(rows_are_copied_and_nothing_beside_them)
{
    constexpr size_t kWidth = 37, kHeight = 5, kHostPitch = 41, kDevicePitch = 64;
    const std::vector<uint8_t> source = counted(kHostPitch * kHeight);
    const DeviceMemory device(runtime(), kDevicePitch * kHeight);
    Stream stream(runtime());
    assert_ok(api().hipMemset(device.get(), 0xee, device.size()));
    assert_ok(api().hipMemcpy2DAsync(device.get(), kDevicePitch, source.data(), kHostPitch, kWidth,
                                     kHeight, hipMemcpyHostToDevice, stream.get()));
    std::vector<uint8_t> result(kHostPitch * kHeight, 0xdd);
    assert_ok(api().hipMemcpy2DAsync(result.data(), kHostPitch, device.get(), kDevicePitch, kWidth,
                                     kHeight, hipMemcpyDeviceToHost, stream.get()));
    stream.synchronize();
    const std::vector<uint8_t> whole = read_back(device.get(), device.size());
    for (size_t y = 0; y < kHeight; ++y) {
        for (size_t x = 0; x < kDevicePitch; ++x)
            ck_assert_uint_eq(whole[y * kDevicePitch + x],
                              x < kWidth ? source[y * kHostPitch + x] : 0xee);
        for (size_t x = 0; x < kHostPitch; ++x)
            ck_assert_uint_eq(result[y * kHostPitch + x],
                              x < kWidth ? source[y * kHostPitch + x] : 0xdd);
    }
    assert_ok(api().hipMemcpy2D(result.data(), kHostPitch, device.get(), kDevicePitch, kWidth,
                                kHeight, hipMemcpyDefault));
    assert_ok(api().hipMemcpyAsync(device.get(), nullptr, 0, hipMemcpyHostToDevice, stream.get()));
}
END_TEST

START_TEST(rows_are_filled_and_nothing_beside_them)
{
    constexpr size_t kWidth = 9, kHeight = 4, kPitch = 32;
    const DeviceMemory device(runtime(), kPitch * kHeight);
    Stream stream(runtime());
    assert_ok(api().hipMemsetAsync(device.get(), 1, device.size(), stream.get()));
    assert_ok(api().hipMemset2DAsync(device.get(), kPitch, 2, kWidth, kHeight, stream.get()));
    stream.synchronize();
    const std::vector<uint8_t> whole = read_back(device.get(), device.size());
    for (size_t i = 0; i < whole.size(); ++i)
        ck_assert_uint_eq(whole[i], i % kPitch < kWidth ? 2 : 1);
}
END_TEST

START_TEST(arrays_take_rows_and_give_them_back)
{
    constexpr size_t kWidth = 24, kHeight = 6, kRow = 2 * kWidth;
    const hipChannelFormatDesc format = {16, 0, 0, 0, hipChannelFormatKindUnsigned};
    hipArray_t array = nullptr;
    assert_ok(api().hipMallocArray(&array, &format, kWidth, kHeight, array_default));
    const std::vector<uint8_t> source = counted(kRow * kHeight);
    assert_ok(api().hipMemcpy2DToArray(array, 0, 0, source.data(), kRow, kRow, kHeight,
                                       hipMemcpyHostToDevice));
    if (api().hipArrayGetInfo) {
        hipChannelFormatDesc told = {};
        hipExtent extent = {};
        assert_ok(api().hipArrayGetInfo(&told, &extent, nullptr, array));
        ck_assert_int_eq(told.x, 16);
        ck_assert_int_eq(told.y, 0);
        ck_assert_uint_eq(extent.width, kWidth);
        ck_assert_uint_eq(extent.height, kHeight);
    }
    constexpr size_t kX = 6, kY = 2, kPart = 20, kRows = 3;
    const DeviceMemory device(runtime(), kPart * kRows);
    Stream stream(runtime());
    assert_ok(api().hipMemcpy2DFromArrayAsync(device.get(), kPart, array, kX, kY, kPart, kRows,
                                              hipMemcpyDeviceToDevice, stream.get()));
    stream.synchronize();
    const std::vector<uint8_t> part = read_back(device.get(), device.size());
    for (size_t y = 0; y < kRows; ++y)
        for (size_t x = 0; x < kPart; ++x)
            ck_assert_uint_eq(part[y * kPart + x], source[(kY + y) * kRow + kX + x]);
    assert_ok(api().hipFreeArray(array));
}
END_TEST

START_TEST(streams_wait_for_events_and_functions)
{
    Stream first(runtime()), second(runtime());
    Event reached(runtime(), event_disable_timing), end(runtime(), event_disable_timing);
    const DeviceMemory device(runtime(), 1024);
    assert_ok(api().hipMemset(device.get(), 1, device.size()));
    ck_assert(end.done()); /* never recorded */
    Gate gate(first);
    assert_ok(api().hipMemsetAsync(device.get(), 2, device.size(), first.get()));
    reached.record(first.get());
    second.wait_for(reached.get());
    const PinnedMemory copy(runtime(), device.size());
    assert_ok(api().hipMemcpyAsync(copy.get(), device.get(), device.size(), hipMemcpyDeviceToHost,
                                   second.get()));
    end.record(second.get());
    ck_assert(!end.done());
    ck_assert(!second.idle());
    gate.open();
    end.wait();
    ck_assert(end.done());
    for (const std::byte byte : copy.bytes())
        ck_assert_uint_eq(static_cast<unsigned int>(byte), 2);
}
END_TEST

START_TEST(events_tell_the_time_between_them)
{
    Stream stream(runtime());
    Event start(runtime(), event_default), stop(runtime(), event_default);
    start.record(stream.get());
    stop.record(stream.get());
    stream.synchronize();
    float milliseconds = -1;
    assert_ok(api().hipEventElapsedTime(&milliseconds, start.get(), stop.get()));
    ck_assert(milliseconds >= 0 && milliseconds < 60000);
}
END_TEST

START_TEST(memory_in_the_order_of_a_stream)
{
    if (!api().hipMallocAsync || !api().hipFreeAsync)
        return;
    Stream stream(runtime());
    void *memory = nullptr;
    assert_ok(api().hipMallocAsync(&memory, 4096, stream.get()));
    assert_ok(api().hipMemsetAsync(memory, 7, 4096, stream.get()));
    std::vector<uint8_t> copy(4096);
    assert_ok(api().hipMemcpyAsync(copy.data(), memory, copy.size(), hipMemcpyDeviceToHost,
                                   stream.get()));
    assert_ok(api().hipFreeAsync(memory, stream.get()));
    stream.synchronize();
    ck_assert_uint_eq(copy[0], 7);
    ck_assert_uint_eq(copy[4095], 7);
}
END_TEST

/* A memfd stands for what an exporter of dma-bufs hands over; ROCm takes none. */
START_TEST(external_memory_leaves_the_descriptor)
{
    if (runtime().kind == VMAFX_RUNTIME_ROCM)
        return;
    const std::vector<uint8_t> contents = counted(5000);
    const int fd = memfd_create("buffer", MFD_CLOEXEC);
    ck_assert_int_eq(write(fd, contents.data(), contents.size()), 5000);
    for (int i = 0; i < 2; ++i) {
        const ExternalMemory memory(runtime(), fd, contents.size());
        ck_assert(read_back(memory.address(), contents.size()) == contents);
        ck_assert_int_ne(fcntl(fd, F_GETFD), -1);
    }
    hipExternalMemoryHandleDesc desc = {};
    desc.type = hipExternalMemoryHandleTypeOpaqueFd;
    desc.handle.fd = fd;
    desc.size = contents.size() + 1;
    hipExternalMemory_t memory = nullptr;
    assert_hip(api().hipImportExternalMemory(&memory, &desc), hipErrorInvalidValue);
    ck_assert_int_ne(fcntl(fd, F_GETFD), -1);
    close(fd);
    desc.size = contents.size();
    assert_hip(api().hipImportExternalMemory(&memory, &desc), hipErrorInvalidValue);
}
END_TEST

START_TEST(no_image_is_an_error_with_a_text)
{
    const char text[] = ".version 6.3\n.target sm_75\n.address_size 64\nno such instruction;\n";
    hipModule_t module = nullptr;
    const hipError_t error = api().hipModuleLoadData(&module, text);
    ck_assert_int_ne(error, hipSuccess);
    ck_assert_int_eq(api().hipGetLastError(), error);
    ck_assert_int_eq(api().hipGetLastError(), hipSuccess);
    const std::string said = api().hipGetErrorString(error);
    std::printf("%s\n", said.c_str());
    if (runtime().kind == VMAFX_RUNTIME_CUDA)
        ck_assert_msg(said.find("line 4") != std::string::npos, "%s", said.c_str());
}
END_TEST

START_TEST(mistakes_are_answered)
{
    void *memory = nullptr;
    hipStream_t stream = nullptr;
    hipEvent_t event = nullptr;
    assert_hip(api().hipSetDevice(9999), hipErrorInvalidDevice);
    assert_hip(api().hipSetDevice(-1), hipErrorInvalidDevice);
    assert_hip(api().hipMalloc(nullptr, 16), hipErrorInvalidValue);
    assert_hip(api().hipMalloc(&memory, size_t{1} << 62), hipErrorOutOfMemory);
    assert_hip(api().hipStreamCreateWithFlags(&stream, 0x80), hipErrorInvalidValue);
    assert_hip(api().hipEventCreateWithFlags(&event, 0x8000000), hipErrorInvalidValue);
    assert_ok(api().hipMalloc(&memory, 0));
    ck_assert_ptr_null(memory);
    assert_ok(api().hipFree(nullptr));
    (void)api().hipGetLastError();
    ck_assert_int_eq(api().hipGetLastError(), hipSuccess);
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("table");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, device_is_described_twice_alike);
    tcase_add_test(tcase, rows_are_copied_and_nothing_beside_them);
    tcase_add_test(tcase, rows_are_filled_and_nothing_beside_them);
    tcase_add_test(tcase, arrays_take_rows_and_give_them_back);
    tcase_add_test(tcase, streams_wait_for_events_and_functions);
    tcase_add_test(tcase, events_tell_the_time_between_them);
    tcase_add_test(tcase, memory_in_the_order_of_a_stream);
    tcase_add_test(tcase, external_memory_leaves_the_descriptor);
    tcase_add_test(tcase, no_image_is_an_error_with_a_text);
    tcase_add_test(tcase, mistakes_are_answered);
    return run_tests(tcase, "hip_device");
}
