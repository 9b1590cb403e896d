/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Allocations, copies, fills and arrays.
 */
#include <cstring>
#include <numeric>

#include "runtime_test.h"

namespace
{

/** Bytes 0, 1, 2 ... with a step that does not repeat with powers of two. */
std::vector<unsigned char> pattern(size_t count)
{
    std::vector<unsigned char> bytes(count);
    for (size_t i = 0; i < count; ++i)
        bytes[i] = static_cast<unsigned char>(i * 7 % 251);
    return bytes;
}

/** Whether a rectangle holds the pattern's rectangle, and nothing beside it was touched. */
bool holds(const std::vector<unsigned char> &to, size_t to_pitch, const unsigned char *from,
           size_t from_pitch, size_t width, size_t height, unsigned char untouched)
{
    for (size_t i = 0; i < to.size(); ++i) {
        const size_t x = i % to_pitch;
        const size_t y = i / to_pitch;
        const bool inside = x < width && y < height;
        if (to[i] != (inside ? from[y * from_pitch + x] : untouched))
            return false;
    }
    return true;
}

const hipMemcpyKind kKinds[] = {hipMemcpyHostToHost, hipMemcpyHostToDevice, hipMemcpyDeviceToHost,
                                hipMemcpyDeviceToDevice, hipMemcpyDefault};
const auto kNoKind = static_cast<hipMemcpyKind>(5);
const hipChannelFormatDesc kBytes = {8, 0, 0, 0, hipChannelFormatKindUnsigned};

} // namespace

START_TEST(allocations_are_aligned_and_apart)
{
    unsigned char *memory[8];
    for (unsigned char *&m : memory) {
        m = device_memory<unsigned char>(1000);
        ck_assert_uint_eq(reinterpret_cast<uintptr_t>(m) % 256, 0);
        assert_ok(hipMemset(m, static_cast<int>(&m - memory), 1000));
    }
    for (unsigned char *&m : memory) {
        ck_assert_int_eq(m[0], &m - memory);
        ck_assert_int_eq(m[999], &m - memory);
        assert_ok(hipFree(m));
    }
    void *pinned = nullptr;
    assert_ok(hipHostMalloc(&pinned, 5, host_malloc_portable | host_malloc_mapped));
    ck_assert_uint_eq(reinterpret_cast<uintptr_t>(pinned) % 256, 0);
    assert_ok(hipHostFree(pinned));
}
END_TEST

START_TEST(no_more_memory_than_there_is)
{
    size_t free_bytes = 0, total = 0;
    assert_ok(hipMemGetInfo(&free_bytes, &total));
    /* Refused before anything is touched: what was granted would be filled with garbage. */
    void *some = nullptr, *more = nullptr;
    assert_hip(hipMalloc(&more, total + 1), hipErrorOutOfMemory);
    constexpr size_t kSome = size_t{1} << 20;
    assert_ok(hipMalloc(&some, kSome));
    assert_hip(hipMalloc(&more, total - kSome / 2), hipErrorOutOfMemory);
    assert_hip(hipHostMalloc(&more, total - kSome / 2, 0), hipErrorOutOfMemory);
    ck_assert_ptr_null(more);
    assert_ok(hipFree(some));
}
END_TEST

START_TEST(allocation_errors)
{
    int local = 0;
    void *memory = &local;
    assert_hip(hipMalloc(nullptr, 1), hipErrorInvalidValue);
    assert_hip(hipMalloc(&memory, SIZE_MAX), hipErrorOutOfMemory);
    ck_assert_ptr_null(memory);
    assert_ok(hipMalloc(&memory, 0));
    ck_assert_ptr_null(memory);
    assert_hip(hipHostMalloc(&memory, 1, 0x1000), hipErrorInvalidValue);
    assert_hip(hipMallocAsync(&memory, 1, reinterpret_cast<hipStream_t>(&local)),
               hipErrorInvalidHandle);
    assert_ok(hipFree(nullptr));
    assert_ok(hipHostFree(nullptr));
    assert_ok(hipFreeAsync(nullptr, nullptr));
    assert_hip(hipFree(&local), hipErrorInvalidValue);
    assert_hip(hipHostFree(&local), hipErrorInvalidValue);
    assert_hip(hipFreeAsync(&local, nullptr), hipErrorInvalidValue);

    assert_ok(hipMalloc(&memory, 100));
    assert_hip(hipHostFree(memory), hipErrorInvalidValue);
    assert_hip(hipFree(static_cast<char *>(memory) + 1), hipErrorInvalidValue);
    assert_ok(hipFree(memory));
    assert_hip(hipFree(memory), hipErrorInvalidValue);

    size_t free_bytes = 0;
    size_t total = 0;
    assert_ok(hipMemGetInfo(&free_bytes, &total));
    ck_assert_uint_gt(free_bytes, 0);
    ck_assert_uint_le(free_bytes, total);
    assert_hip(hipMemGetInfo(nullptr, &total), hipErrorInvalidValue);
}
END_TEST

START_TEST(stream_ordered_memory_lives_until_its_turn)
{
    constexpr size_t kSize = size_t{3} << 20;
    const std::vector<unsigned char> source = pattern(kSize);
    std::vector<unsigned char> result(kSize, 0);
    hipStream_t stream = make_stream(stream_non_blocking);
    Gate gate(stream);
    void *memory = nullptr;
    assert_ok(hipMallocAsync(&memory, kSize, stream));
    assert_ok(hipMemcpyAsync(memory, source.data(), kSize, hipMemcpyHostToDevice, stream));
    assert_ok(hipMemcpyAsync(result.data(), memory, kSize, hipMemcpyDeviceToHost, stream));
    assert_ok(hipFreeAsync(memory, stream));
    assert_hip(hipFree(memory), hipErrorInvalidValue);
    gate.open();
    assert_ok(hipStreamSynchronize(stream));
    ck_assert(result == source);
    assert_ok(hipStreamDestroy(stream));
}
END_TEST

START_TEST(free_waits_for_the_device)
{
    constexpr size_t kSize = size_t{4} << 20;
    hipStream_t stream = make_stream(stream_non_blocking);
    unsigned char *memory = device_memory<unsigned char>(kSize);
    for (int i = 0; i < 20; ++i)
        assert_ok(hipMemsetAsync(memory, i, kSize, stream));
    assert_ok(hipFree(memory));
    assert_ok(hipStreamQuery(stream));
    assert_ok(hipStreamDestroy(stream));
}
END_TEST

START_TEST(copies_of_every_size_and_pitch)
{
    const struct {
        size_t width, height, to_pitch, from_pitch;
    } cases[] = {
        {1, 1, 1, 1},
        {7, 5, 7, 7},
        {7, 5, 13, 9},
        {64, 33, 64, 65},
        {1000, 3, 1001, 1000},
        {4099, 700, 4103, 4111},
        {300001, 7, 300007, 300001},
        {1921, 541, 1921, 1921},
    };
    hipStream_t stream = make_stream(stream_default);
    for (const auto &c : cases) {
        const std::vector<unsigned char> source = pattern(c.from_pitch * c.height + 1);
        const unsigned char *from = source.data() + 1; /* at an odd address */
        for (const hipMemcpyKind kind : kKinds) {
            std::vector<unsigned char> now(c.to_pitch * c.height, 254);
            std::vector<unsigned char> later(c.to_pitch * c.height, 254);
            assert_ok(
                hipMemcpy2D(now.data(), c.to_pitch, from, c.from_pitch, c.width, c.height, kind));
            ck_assert(holds(now, c.to_pitch, from, c.from_pitch, c.width, c.height, 254));
            assert_ok(hipMemcpy2DAsync(later.data(), c.to_pitch, from, c.from_pitch, c.width,
                                       c.height, kind, stream));
            assert_ok(hipStreamSynchronize(stream));
            ck_assert(now == later);
        }
        std::vector<unsigned char> filled(c.to_pitch * c.height, 254);
        const std::vector<unsigned char> fill(c.from_pitch * c.height, 0x5c);
        assert_ok(hipMemset2DAsync(filled.data(), c.to_pitch, 0x15c, c.width, c.height, stream));
        assert_ok(hipStreamSynchronize(stream));
        ck_assert(holds(filled, c.to_pitch, fill.data(), c.from_pitch, c.width, c.height, 254));
    }
    assert_ok(hipStreamDestroy(stream));
}
END_TEST

START_TEST(one_dimensional_copies)
{
    hipStream_t stream = make_stream(stream_non_blocking);
    for (const size_t bytes : {size_t{1}, size_t{262144}, size_t{262145}, size_t{1234567}}) {
        const std::vector<unsigned char> source = pattern(bytes);
        std::vector<unsigned char> result(bytes + 1, 254);
        assert_ok(hipMemcpy(result.data(), source.data(), bytes, hipMemcpyDefault));
        ck_assert(std::memcmp(result.data(), source.data(), bytes) == 0);
        ck_assert_int_eq(result[bytes], 254);
        assert_ok(hipMemsetAsync(result.data(), 3, bytes, stream));
        assert_ok(hipStreamSynchronize(stream));
        ck_assert_uint_eq(std::accumulate(result.begin(), result.end(), size_t{0}),
                          3 * bytes + 254);
    }
    assert_ok(hipStreamDestroy(stream));
}
END_TEST

START_TEST(copy_errors)
{
    unsigned char host[64] = {};
    unsigned char *memory = device_memory<unsigned char>(64);
    const auto bogus = reinterpret_cast<hipStream_t>(host);
    assert_ok(hipMemcpy(nullptr, nullptr, 0, hipMemcpyDefault));
    assert_ok(hipMemcpy2D(memory, 8, host, 8, 8, 0, hipMemcpyDefault));
    assert_hip(hipMemcpy(memory, nullptr, 1, hipMemcpyDefault), hipErrorInvalidValue);
    assert_hip(hipMemcpy(nullptr, host, 1, hipMemcpyDefault), hipErrorInvalidValue);
    assert_hip(hipMemcpy(memory, host, 65, hipMemcpyDefault), hipErrorInvalidValue);
    assert_hip(hipMemcpy(host, memory + 60, 5, hipMemcpyDefault), hipErrorInvalidValue);
    assert_hip(hipMemcpy(memory, host, SIZE_MAX, hipMemcpyDefault), hipErrorInvalidValue);
    assert_hip(hipMemcpy(memory, host, 64, kNoKind), hipErrorInvalidMemcpyDirection);
    assert_hip(hipMemcpyAsync(memory, host, 64, hipMemcpyDefault, bogus), hipErrorInvalidHandle);
    assert_hip(hipMemcpy2D(memory, 7, host, 8, 8, 2, hipMemcpyDefault), hipErrorInvalidPitchValue);
    assert_hip(hipMemcpy2D(memory, 8, host, 7, 8, 2, hipMemcpyDefault), hipErrorInvalidPitchValue);
    assert_hip(hipMemcpy2D(memory, 9, host, 8, 8, 8, hipMemcpyDefault), hipErrorInvalidValue);
    assert_hip(hipMemcpy2D(memory, SIZE_MAX / 2, host, 8, 8, 4, hipMemcpyDefault),
               hipErrorInvalidValue);
    assert_hip(hipMemset(nullptr, 0, 1), hipErrorInvalidValue);
    assert_hip(hipMemset(memory, 0, 65), hipErrorInvalidValue);
    assert_hip(hipMemset2DAsync(memory, 8, 0, 9, 2, nullptr), hipErrorInvalidPitchValue);
    assert_hip(hipMemset2DAsync(memory, 8, 0, 8, 9, nullptr), hipErrorInvalidValue);
    assert_hip(hipMemsetAsync(memory, 0, 1, bogus), hipErrorInvalidHandle);
    assert_ok(hipFree(memory));
}
END_TEST

START_TEST(arrays_hold_what_is_copied)
{
    constexpr size_t kWidth = 37; /* elements of 4 bytes */
    constexpr size_t kHeight = 11;
    const hipChannelFormatDesc format = {16, 16, 0, 0, hipChannelFormatKindUnsigned};
    const std::vector<unsigned char> source = pattern(151 * kHeight);
    hipArray_t array = nullptr;
    assert_ok(hipMallocArray(&array, &format, kWidth, kHeight, array_default));
    assert_ok(hipMemcpy2DToArray(array, 0, 0, source.data(), 151, kWidth * 4, kHeight,
                                 hipMemcpyHostToDevice));
    std::vector<unsigned char> result(149 * kHeight, 254);
    assert_ok(hipMemcpy2DFromArrayAsync(result.data(), 149, array, 0, 0, kWidth * 4, kHeight,
                                        hipMemcpyDeviceToHost, nullptr));
    assert_ok(hipStreamSynchronize(nullptr));
    ck_assert(holds(result, 149, source.data(), 151, kWidth * 4, kHeight, 254));

    std::vector<unsigned char> part(20 * 3, 254);
    assert_ok(
        hipMemcpy2DFromArrayAsync(part.data(), 20, array, 9, 8, 19, 3, hipMemcpyDefault, nullptr));
    assert_ok(hipStreamSynchronize(nullptr));
    ck_assert(holds(part, 20, source.data() + 8 * 151 + 9, 151, 19, 3, 254));

    hipChannelFormatDesc told = {};
    hipExtent extent = {};
    unsigned int flags = 99;
    assert_ok(hipArrayGetInfo(&told, &extent, &flags, array));
    ck_assert_int_eq(told.y, 16);
    ck_assert_uint_eq(extent.width, kWidth);
    ck_assert_uint_eq(extent.height, kHeight);
    ck_assert_uint_eq(extent.depth, 0);
    ck_assert_uint_eq(flags, 0);
    assert_ok(hipFreeArray(array));
    assert_hip(hipFreeArray(array), hipErrorInvalidHandle);
}
END_TEST

START_TEST(array_errors)
{
    unsigned char host[64] = {};
    hipArray_t array = nullptr;
    const hipChannelFormatDesc formats[] = {
        {0, 0, 0, 0, hipChannelFormatKindUnsigned},  {8, 8, 8, 0, hipChannelFormatKindUnsigned},
        {8, 16, 0, 0, hipChannelFormatKindUnsigned}, {8, 0, 8, 0, hipChannelFormatKindUnsigned},
        {12, 0, 0, 0, hipChannelFormatKindUnsigned}, {8, 0, 0, 0, hipChannelFormatKindFloat},
        {8, 0, 0, 0, hipChannelFormatKindNone},      {-8, 0, 0, 0, hipChannelFormatKindSigned},
    };
    for (const hipChannelFormatDesc &format : formats)
        assert_hip(hipMallocArray(&array, &format, 4, 4, 0), hipErrorInvalidValue);
    assert_hip(hipMallocArray(nullptr, &kBytes, 4, 4, 0), hipErrorInvalidValue);
    assert_hip(hipMallocArray(&array, nullptr, 4, 4, 0), hipErrorInvalidValue);
    assert_hip(hipMallocArray(&array, &kBytes, 0, 4, 0), hipErrorInvalidValue);
    assert_hip(hipMallocArray(&array, &kBytes, SIZE_MAX, 4, 0), hipErrorInvalidValue);
    assert_hip(hipMallocArray(&array, &kBytes, 4, 4, 0x4), hipErrorNotSupported);
    assert_hip(hipFreeArray(nullptr), hipErrorInvalidHandle);
    assert_hip(hipArrayGetInfo(nullptr, nullptr, nullptr, nullptr), hipErrorInvalidHandle);

    assert_ok(hipMallocArray(&array, &kBytes, 8, 4, 0));
    const struct {
        size_t x, y, width, height;
    } outside[] = {{0, 0, 9, 1}, {1, 0, 8, 1}, {9, 0, 1, 1},        {0, 0, 8, 5},
                   {0, 4, 1, 1}, {0, 5, 0, 0}, {SIZE_MAX, 0, 1, 1}, {1, 1, SIZE_MAX, 1}};
    for (const auto &o : outside) {
        assert_hip(
            hipMemcpy2DToArray(array, o.x, o.y, host, 16, o.width, o.height, hipMemcpyDefault),
            hipErrorInvalidValue);
        assert_hip(hipMemcpy2DFromArrayAsync(host, 16, array, o.x, o.y, o.width, o.height,
                                             hipMemcpyDefault, nullptr),
                   hipErrorInvalidValue);
    }
    assert_hip(hipMemcpy2DToArray(array, 0, 0, host, 7, 8, 2, hipMemcpyDefault),
               hipErrorInvalidPitchValue);
    assert_hip(hipMemcpy2DToArray(array, 0, 0, host, 8, 8, 2, kNoKind),
               hipErrorInvalidMemcpyDirection);
    assert_hip(hipMemcpy2DToArray(array, 0, 0, nullptr, 8, 8, 2, hipMemcpyDefault),
               hipErrorInvalidValue);
    assert_hip(hipMemcpy2DToArray(nullptr, 0, 0, host, 8, 8, 2, hipMemcpyDefault),
               hipErrorInvalidHandle);
    assert_ok(hipFreeArray(array));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("memory");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, allocations_are_aligned_and_apart);
    tcase_add_test(tcase, no_more_memory_than_there_is);
    tcase_add_test(tcase, allocation_errors);
    tcase_add_test(tcase, stream_ordered_memory_lives_until_its_turn);
    tcase_add_test(tcase, free_waits_for_the_device);
    tcase_add_test(tcase, copies_of_every_size_and_pitch);
    tcase_add_test(tcase, one_dimensional_copies);
    tcase_add_test(tcase, copy_errors);
    tcase_add_test(tcase, arrays_hold_what_is_copied);
    tcase_add_test(tcase, array_errors);
    return run_tests(tcase, "runtime_cpu memory");
}
