/* SPDX-License-Identifier: BSD-2-Clause
 *
 * External memory: descriptors of memory that somebody else made, here memfds.
 */
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime_test.h"

namespace
{

constexpr size_t kSize = 10000; /* not a multiple of a page */

/** A memfd with bytes i * 3 at i. */
class File
{
  public:
    File() : fd(memfd_create("runtime-test", MFD_CLOEXEC))
    {
        std::vector<unsigned char> bytes(kSize);
        for (size_t i = 0; i < kSize; ++i)
            bytes[i] = static_cast<unsigned char>(i * 3);
        ck_assert_int_eq(write(fd, bytes.data(), kSize), kSize);
    }
    ~File() { close_now(); }

    void close_now()
    {
        if (fd >= 0)
            close(fd);
        fd = -1;
    }

    int fd;
};

hipExternalMemoryHandleDesc handle_desc(int fd, unsigned long long size)
{
    hipExternalMemoryHandleDesc desc = {};
    desc.type = hipExternalMemoryHandleTypeOpaqueFd;
    desc.handle.fd = fd;
    desc.size = size;
    return desc;
}

hipExternalMemoryBufferDesc buffer_desc(unsigned long long offset, unsigned long long size)
{
    hipExternalMemoryBufferDesc desc = {};
    desc.offset = offset;
    desc.size = size;
    return desc;
}

hipError_t map(hipExternalMemory_t memory, unsigned long long offset, unsigned long long size,
               unsigned char **mapped)
{
    const hipExternalMemoryBufferDesc desc = buffer_desc(offset, size);
    void *address = nullptr;
    const hipError_t error = hipExternalMemoryGetMappedBuffer(&address, memory, &desc);
    *mapped = static_cast<unsigned char *>(address);
    return error;
}

hipExternalMemory_t import(int fd, unsigned long long size)
{
    const hipExternalMemoryHandleDesc desc = handle_desc(fd, size);
    hipExternalMemory_t memory = nullptr;
    assert_ok(hipImportExternalMemory(&memory, &desc));
    return memory;
}

} // namespace

START_TEST(mapping_outlives_the_descriptor)
{
    File file;
    const int watched = fcntl(file.fd, F_DUPFD_CLOEXEC, 0);
    hipExternalMemory_t memory = import(file.fd, kSize);
    ck_assert_int_ne(fcntl(file.fd, F_GETFD), -1); /* not taken, and where it was */
    ck_assert_int_eq(lseek(file.fd, 0, SEEK_CUR), kSize);
    file.close_now();

    unsigned char *mapped = nullptr;
    assert_ok(map(memory, 0, kSize, &mapped));
    std::vector<unsigned char> copy(100);
    assert_ok(hipMemcpy(copy.data(), mapped + 9900, 100, hipMemcpyDeviceToHost));
    ck_assert_int_eq(copy[0], static_cast<unsigned char>(9900 * 3));
    ck_assert_int_eq(copy[99], static_cast<unsigned char>(9999 * 3));

    /* It is the file's memory, not a copy of it. */
    const unsigned char marks[2] = {201, 202};
    ck_assert_int_eq(pwrite(watched, marks, 1, 5000), 1);
    assert_ok(hipMemcpy(copy.data(), mapped + 5000, 1, hipMemcpyDeviceToHost));
    ck_assert_int_eq(copy[0], 201);
    assert_ok(hipMemcpy(mapped + 5001, marks + 1, 1, hipMemcpyHostToDevice));
    ck_assert_int_eq(pread(watched, copy.data(), 1, 5001), 1);
    ck_assert_int_eq(copy[0], 202);

    assert_ok(hipFree(mapped));
    assert_ok(hipDestroyExternalMemory(memory));
    assert_hip(hipDestroyExternalMemory(memory), hipErrorInvalidHandle);
    close(watched);
}
END_TEST

START_TEST(buffers_of_one_import)
{
    File file;
    hipExternalMemory_t memory = import(file.fd, kSize - 1);
    unsigned char *whole = nullptr;
    unsigned char *again = nullptr;
    unsigned char *part = nullptr;
    assert_ok(map(memory, 0, kSize - 1, &whole));
    assert_ok(map(memory, 0, 10, &again));
    assert_ok(map(memory, 4097, 100, &part));
    ck_assert_ptr_eq(part, whole + 4097);
    ck_assert_ptr_eq(again, whole);
    assert_hip(map(memory, 0, kSize, &again), hipErrorInvalidValue);
    assert_hip(map(memory, kSize - 2, 2, &again), hipErrorInvalidValue);
    assert_hip(map(memory, 1, ~0ull, &again), hipErrorInvalidValue);
    assert_hip(map(memory, ~0ull, 1, &again), hipErrorInvalidValue);
    assert_hip(map(memory, 0, 0, &again), hipErrorInvalidValue);
    assert_hip(map(nullptr, 0, 1, &again), hipErrorInvalidHandle);

    /* A buffer keeps the memory, whatever goes first. */
    assert_ok(hipDestroyExternalMemory(memory));
    assert_ok(hipFree(whole));
    assert_ok(hipFree(whole));
    assert_hip(hipFree(whole), hipErrorInvalidValue);
    unsigned char byte = 0;
    assert_ok(hipMemcpy(&byte, part, 1, hipMemcpyDefault));
    ck_assert_int_eq(byte, static_cast<unsigned char>(4097 * 3));
    assert_ok(hipFree(part));
}
END_TEST

START_TEST(read_only_descriptors_are_read_only)
{
    File file;
    char path[64];
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file.fd);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    hipExternalMemory_t memory = import(fd, kSize);
    close(fd);
    unsigned char *mapped = nullptr;
    unsigned char byte = 0;
    assert_ok(map(memory, 0, kSize, &mapped));
    assert_ok(hipMemcpy(&byte, mapped + 7, 1, hipMemcpyDefault));
    ck_assert_int_eq(byte, 21);
    assert_hip(hipMemcpy(mapped, &byte, 1, hipMemcpyDefault), hipErrorInvalidValue);
    assert_hip(hipMemset(mapped, 0, 1), hipErrorInvalidValue);
    assert_ok(hipFree(mapped));
    assert_ok(hipDestroyExternalMemory(memory));
}
END_TEST

START_TEST(imports_that_are_refused)
{
    File file;
    int pipes[2];
    ck_assert_int_eq(pipe2(pipes, O_CLOEXEC), 0);
    hipExternalMemory_t memory = nullptr;
    hipExternalMemoryHandleDesc desc = handle_desc(file.fd, kSize + 1);
    assert_hip(hipImportExternalMemory(&memory, &desc), hipErrorInvalidValue);
    desc = handle_desc(file.fd, ~0ull);
    assert_hip(hipImportExternalMemory(&memory, &desc), hipErrorInvalidValue);
    desc = handle_desc(file.fd, 0);
    assert_hip(hipImportExternalMemory(&memory, &desc), hipErrorInvalidValue);
    desc = handle_desc(-1, kSize);
    assert_hip(hipImportExternalMemory(&memory, &desc), hipErrorInvalidValue);
    desc = handle_desc(pipes[0], kSize);
    assert_hip(hipImportExternalMemory(&memory, &desc), hipErrorInvalidValue);
    desc = handle_desc(file.fd, kSize);
    desc.type = static_cast<hipExternalMemoryHandleType>(4);
    assert_hip(hipImportExternalMemory(&memory, &desc), hipErrorInvalidValue);
    desc = handle_desc(file.fd, kSize);
    desc.flags = 0x10;
    assert_hip(hipImportExternalMemory(&memory, &desc), hipErrorInvalidValue);
    assert_hip(hipImportExternalMemory(nullptr, &desc), hipErrorInvalidValue);
    assert_hip(hipImportExternalMemory(&memory, nullptr), hipErrorInvalidValue);
    assert_hip(hipDestroyExternalMemory(nullptr), hipErrorInvalidHandle);
    ck_assert_ptr_null(memory);
    close(pipes[0]);
    close(pipes[1]);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("external memory");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, mapping_outlives_the_descriptor);
    tcase_add_test(tcase, buffers_of_one_import);
    tcase_add_test(tcase, read_only_descriptors_are_read_only);
    tcase_add_test(tcase, imports_that_are_refused);
    return run_tests(tcase, "runtime_cpu external memory");
}
