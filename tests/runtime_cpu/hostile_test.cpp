/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The facts about real devices that the hostile machine can have, each with and without its switch.
 */
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hostile_test.h"

extern "C" hipError_t hipImportExternalSemaphore(void **semaphore, const void *desc);

namespace
{

/** A small memfd, imported and mapped. */
class Mapping
{
  public:
    static constexpr size_t kBytes = 4096;

    explicit Mapping(size_t import_bytes) : fd(memfd_create("hostile-test", MFD_CLOEXEC))
    {
        ck_assert_int_eq(ftruncate(fd, kBytes), 0);
        ck_assert_int_eq(pwrite(fd, "file", 4, kBytes - 4), 4);
        hipExternalMemoryHandleDesc desc = {};
        desc.type = hipExternalMemoryHandleTypeOpaqueFd;
        desc.handle.fd = fd;
        desc.size = import_bytes;
        status = hipImportExternalMemory(&memory_, &desc);
        if (status != hipSuccess)
            return;
        hipExternalMemoryBufferDesc buffer = {};
        buffer.size = import_bytes;
        void *address = nullptr;
        assert_ok(hipExternalMemoryGetMappedBuffer(&address, memory_, &buffer));
        data = static_cast<unsigned char *>(address);
        assert_ok(hipDestroyExternalMemory(memory_));
    }
    ~Mapping() { close(fd); }

    int fd;
    hipError_t status;
    unsigned char *data = nullptr;

  private:
    hipExternalMemory_t memory_ = nullptr;
};

/** A stream copies 1 over 0, another one waits for it and copies what is there; returns that. With
 * `submits` the first one is told to go on. */
uint64_t copy_behind(Machine &machine, bool submits)
{
    auto *memory = device_memory<uint64_t>(3); /* 1, what is copied over, the result */
    const uint64_t start[3] = {1, 0, 7};
    assert_ok(hipMemcpy(memory, start, sizeof(start), hipMemcpyHostToDevice));
    const auto copy = [&](size_t to, size_t from, hipStream_t stream) {
        assert_ok(hipMemcpyAsync(memory + to, memory + from, sizeof(*memory),
                                 hipMemcpyDeviceToDevice, stream));
    };
    copy(1, 0, machine.a);
    machine.wait_for(machine.b, machine.a);
    if (submits)
        (void)hipStreamQuery(machine.a);
    copy(2, 1, machine.b);
    assert_ok(hipStreamSynchronize(machine.b));
    const uint64_t result = memory[2];
    ck_assert_uint_eq(memory[1], 1); /* the stream is done when all of it is */
    assert_ok(hipFree(memory));
    return result;
}

/** The sum that a kernel adds 1 to after it was cleared and something was uploaded. */
struct Clear {
    bool upload_first = false;
    bool other_stream = false; /* uploads, and is waited for */
    bool other_thread = false; /* uploads */
    uint64_t of(Machine &machine) const;
};

uint64_t Clear::of(Machine &machine) const
{
    auto *memory = device_memory<uint64_t>(2); /* the sum, what is uploaded */
    const uint64_t start[2] = {5, 5};
    uint64_t uploaded = 9;
    assert_ok(hipMemcpy(memory, start, sizeof(start), hipMemcpyHostToDevice));
    const auto upload = [&] {
        hipStream_t on = other_stream ? machine.b : machine.a;
        assert_ok(
            hipMemcpyAsync(memory + 1, &uploaded, sizeof(uploaded), hipMemcpyHostToDevice, on));
        if (other_stream)
            machine.wait_for(machine.a, machine.b);
    };
    if (upload_first)
        upload();
    assert_ok(hipMemsetAsync(memory, 0, sizeof(*memory), machine.a));
    if (other_thread)
        std::thread(upload).join();
    else if (!upload_first)
        upload();
    machine.append_to(memory, 1, machine.a);
    assert_ok(hipStreamSynchronize(machine.a));
    ck_assert_uint_eq(memory[1], 9);
    const uint64_t result = memory[0];
    assert_ok(hipFree(memory));
    return result;
}

void count_call(void *calls)
{
    ++*static_cast<int *>(calls);
}

} // namespace

START_TEST(copies_overtake_what_was_not_submitted)
{
    Machine machine;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        be_hostile(seed, cpu_hostile_overtaken);
        ck_assert_uint_eq(copy_behind(machine, false), 0);
        ck_assert_uint_eq(copy_behind(machine, true), 1);
        be_hostile(seed, cpu_hostile_all_facts & ~cpu_hostile_overtaken);
        ck_assert_uint_eq(copy_behind(machine, false), 1);
    }
}
END_TEST

START_TEST(kernels_overtake_nothing)
{
    Machine machine;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        be_hostile(seed, cpu_hostile_overtaken);
        *machine.number = 0;
        machine.append(1, machine.a);
        machine.wait_for(machine.b, machine.a);
        machine.append(2, machine.b);
        assert_ok(hipStreamSynchronize(machine.b));
        ck_assert_uint_eq(*machine.number, 12);
    }
}
END_TEST

/* Copies that overtake keep their order, also against what the stream does itself. */
START_TEST(copies_that_overtake_stay_in_line)
{
    Machine machine;
    auto *memory = device_memory<uint64_t>(4);
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        be_hostile(seed, cpu_hostile_overtaken);
        const uint64_t start[4] = {1, 2, 3, 4};
        assert_ok(hipMemcpy(memory, start, sizeof(start), hipMemcpyHostToDevice));
        machine.append_to(memory, 1, machine.a);
        machine.append_to(memory + 1, 2, machine.b);
        machine.wait_for(machine.b, machine.a);
        for (size_t to = 1; to < 4; ++to)
            assert_ok(hipMemcpyAsync(memory + to, memory + to - 1, sizeof(*memory),
                                     hipMemcpyDeviceToDevice, machine.b));
        machine.append_to(memory + 3, 5, machine.b);
        assert_ok(hipStreamSynchronize(machine.b));
        const uint64_t expected[4] = {11, 1, 1, 15};
        ck_assert_mem_eq(memory, expected, sizeof(expected));
    }
    assert_ok(hipFree(memory));
}
END_TEST

START_TEST(unrecorded_event)
{
    hipEvent_t event = make_event();
    assert_ok(hipEventQuery(event));
    be_hostile(1, cpu_hostile_unrecorded);
    assert_ok(hipEventQuery(event));
    be_hostile(1, cpu_hostile_all_facts & ~cpu_hostile_unrecorded);
    assert_hip(hipEventQuery(event), hipErrorNotReady);
    assert_ok(hipEventSynchronize(event));
    assert_ok(hipStreamWaitEvent(nullptr, event, 0));
    assert_ok(hipEventDestroy(event));
}
END_TEST

START_TEST(free_of_a_mapping)
{
    Machine machine;
    for (const bool waits : {false, true}) {
        be_hostile(1, waits ? cpu_hostile_free_waits : 0);
        *machine.number = 0;
        Mapping mapping(Mapping::kBytes);
        assert_ok(mapping.status);
        machine.append(1, machine.a);
        assert_ok(hipFree(mapping.data));
        ck_assert_uint_eq(*machine.number, waits ? 1 : 0);
        assert_ok(hipDeviceSynchronize());
    }
}
END_TEST

START_TEST(import_of_any_size)
{
    constexpr size_t kTooLarge = 3 * Mapping::kBytes;
    be_hostile(1, cpu_hostile_all_facts & ~cpu_hostile_any_size);
    assert_hip(Mapping(kTooLarge).status, hipErrorInvalidValue);
    be_hostile(1, cpu_hostile_any_size);
    Mapping mapping(kTooLarge);
    assert_ok(mapping.status);
    ck_assert_int_ge(fcntl(mapping.fd, F_GETFD), 0);
    ck_assert_mem_eq(mapping.data + Mapping::kBytes - 4, "file", 4);
    ck_assert_uint_eq(mapping.data[Mapping::kBytes], 0xa5);
    ck_assert_uint_eq(mapping.data[kTooLarge - 1], 0xa5);
    mapping.data[0] = 'x'; /* still the file */
    char first = 0;
    ck_assert_int_eq(pread(mapping.fd, &first, 1, 0), 1);
    ck_assert_int_eq(first, 'x');
    assert_ok(hipFree(mapping.data));
}
END_TEST

START_TEST(clear_ahead_of_an_upload)
{
    Machine machine;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        be_hostile(seed, cpu_hostile_lost_clear);
        ck_assert_uint_eq(Clear{.upload_first = true}.of(machine), 1);
        ck_assert_uint_eq((Clear{.upload_first = true, .other_stream = true}.of(machine)), 1);
        ck_assert_uint_eq((Clear{.other_stream = true, .other_thread = true}.of(machine)), 1);
        ck_assert_uint_eq(vmafx_cpu_lost_commands(), 0);
        ck_assert_uint_eq(Clear{}.of(machine), 51);
        ck_assert_uint_eq(Clear{.other_stream = true}.of(machine), 51);
        ck_assert_uint_eq(vmafx_cpu_lost_commands(), 2);
        be_hostile(seed, cpu_hostile_all_facts & ~cpu_hostile_lost_clear);
        ck_assert_uint_eq(Clear{}.of(machine), 1);
        ck_assert_uint_eq(Clear{.other_stream = true}.of(machine), 1);
    }
}
END_TEST

START_TEST(null_stream_and_non_blocking_streams)
{
    Machine machine;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        for (const bool independent : {false, true}) {
            be_hostile(seed, independent ? cpu_hostile_null_stream : 0);
            *machine.number = 0;
            machine.append(1, machine.a);
            machine.append(2, nullptr);
            assert_ok(hipStreamSynchronize(nullptr));
            assert_ok(hipDeviceSynchronize());
            ck_assert_uint_eq(*machine.number, independent ? 21 : 12);
        }
    }
}
END_TEST

START_TEST(dropped_commands)
{
    constexpr uint32_t kAlways = 1000000;
    Machine machine;
    auto *memory = device_memory<uint64_t>(3);
    const uint64_t start[3] = {0, 5, 5};
    const uint64_t copied = 7;
    for (const uint32_t kind :
         {cpu_hostile_drop_kernels, cpu_hostile_drop_copies, cpu_hostile_drop_fills}) {
        for (const uint32_t drops : {0u, kAlways}) {
            be_hostile(1, kind, drops);
            assert_ok(hipMemcpy(memory, start, sizeof(start), hipMemcpyHostToDevice));
            int calls = 0;
            machine.append_to(memory, 1, machine.a);
            assert_ok(
                hipMemcpyAsync(memory + 1, &copied, sizeof(copied), hipMemcpyDefault, machine.a));
            assert_ok(hipMemsetAsync(memory + 2, 0, sizeof(*memory), machine.a));
            assert_ok(hipLaunchHostFunc(machine.a, count_call, &calls));
            assert_ok(hipStreamSynchronize(machine.a));
            const bool lost = drops != 0;
            ck_assert_uint_eq(memory[0], lost && kind == cpu_hostile_drop_kernels ? 0 : 1);
            ck_assert_uint_eq(memory[1], lost && kind == cpu_hostile_drop_copies ? 5 : 7);
            ck_assert_uint_eq(memory[2], lost && kind == cpu_hostile_drop_fills ? 5 : 0);
            ck_assert_int_eq(calls, 1);
            ck_assert_uint_eq(vmafx_cpu_lost_commands(), lost ? 1 : 0);
        }
    }
    assert_ok(hipFree(memory));
}
END_TEST

namespace
{

/** 1 for each of some launches that was lost. */
std::vector<int> losses(Machine &machine, uint64_t seed)
{
    constexpr size_t kLaunches = 2000;
    be_hostile(seed, cpu_hostile_drop_kernels, 20000);
    auto *memory = device_memory<uint64_t>(kLaunches);
    assert_ok(hipMemset(memory, 0, kLaunches * sizeof(*memory)));
    for (size_t i = 0; i < kLaunches; ++i)
        machine.append_to(memory + i, 1, machine.a);
    assert_ok(hipStreamSynchronize(machine.a));
    std::vector<int> lost;
    for (size_t i = 0; i < kLaunches; ++i)
        lost.push_back(memory[i] == 0);
    assert_ok(hipFree(memory));
    return lost;
}

} // namespace

START_TEST(drops_come_in_runs_of_the_seed)
{
    Machine machine;
    const std::vector<int> lost = losses(machine, 4);
    size_t count = 0;
    size_t runs = 0;
    for (size_t i = 0; i < lost.size(); ++i) {
        count += static_cast<size_t>(lost[i]);
        runs += static_cast<size_t>(lost[i] && (i == 0 || !lost[i - 1]));
    }
    ck_assert_uint_eq(vmafx_cpu_lost_commands(), count);
    ck_assert_uint_gt(runs, 5);
    ck_assert_uint_gt(count, runs);
    ck_assert_uint_lt(count, lost.size() / 2);
    /* Several workers take their random numbers in whatever order they come. */
    const char *workers = std::getenv("VMAFX_CPU_WORKERS");
    if (workers && std::string_view(workers) == "1")
        ck_assert(losses(machine, 4) == lost);
    ck_assert(losses(machine, 5) != lost);
}
END_TEST

START_TEST(semaphores_are_refused)
{
    int semaphore = 0;
    void *imported = nullptr;
    assert_hip(hipImportExternalSemaphore(&imported, &semaphore), hipErrorNotSupported);
    be_hostile(1, cpu_hostile_all_facts & ~cpu_hostile_semaphore_aborts);
    assert_hip(hipImportExternalSemaphore(&imported, &semaphore), hipErrorNotSupported);
}
END_TEST

START_TEST(semaphores_abort)
{
    int semaphore = 0;
    void *imported = nullptr;
    be_hostile(1, cpu_hostile_semaphore_aborts);
    (void)hipImportExternalSemaphore(&imported, &semaphore);
}
END_TEST

START_TEST(undefined_memory_is_poisoned)
{
    be_hostile(1);
    auto *memory = device_memory<unsigned char>(100);
    for (size_t i = 0; i < 100; ++i)
        ck_assert_uint_eq(memory[i], 0xa5);
    assert_ok(hipFree(memory));
}
END_TEST

START_TEST(pinned_memory_is_far)
{
    int answer = -1;
    assert_ok(vmafx_cpu_reads_pinned_memory(&answer));
    ck_assert_int_eq(answer, 1);
    be_hostile(1);
    assert_ok(vmafx_cpu_reads_pinned_memory(&answer));
    ck_assert_int_eq(answer, 0);
    assert_ok(vmafx_cpu_set_hostile(nullptr));
    assert_ok(vmafx_cpu_reads_pinned_memory(&answer));
    ck_assert_int_eq(answer, 1);
    assert_hip(vmafx_cpu_reads_pinned_memory(nullptr), hipErrorInvalidValue);
}
END_TEST

START_TEST(options_that_make_no_sense)
{
    CpuHostileOptions options = {1, cpu_hostile_all_facts + 1, 0, 0};
    assert_hip(vmafx_cpu_set_hostile(&options), hipErrorInvalidValue);
    options = {1, 0, 1000001, 0};
    assert_hip(vmafx_cpu_set_hostile(&options), hipErrorInvalidValue);
    options = {1, 0, 0, 60001};
    assert_hip(vmafx_cpu_set_hostile(&options), hipErrorInvalidValue);
    hipEvent_t event = make_event();
    assert_ok(hipEventQuery(event)); /* as before */
    assert_ok(hipEventDestroy(event));
}
END_TEST

START_TEST(environment_chooses_it)
{
    ck_assert_int_eq(setenv("VMAFX_CPU_HOSTILE", "0xfedcba9876543210", 1), 0);
    ck_assert_int_eq(setenv("VMAFX_CPU_HOSTILE_FACTS", "overtaken,any-size", 1), 0);
    hipEvent_t event = make_event();
    assert_hip(hipEventQuery(event), hipErrorNotReady);
    const Mapping larger(2 * Mapping::kBytes);
    assert_ok(larger.status);
    assert_ok(hipFree(larger.data));
    assert_ok(vmafx_cpu_set_hostile(nullptr));
    assert_ok(hipEventQuery(event));
    assert_hip(Mapping(2 * Mapping::kBytes).status, hipErrorInvalidValue);
    assert_ok(hipEventDestroy(event));
}
END_TEST

namespace
{

struct BadSetting {
    const char *name;
    const char *value;
    const char *part; /* of the message */
};
const BadSetting kBadSettings[] = {
    {"VMAFX_CPU_HOSTILE", "", "VMAFX_CPU_HOSTILE is ''"},
    {"VMAFX_CPU_HOSTILE", "-1", "VMAFX_CPU_HOSTILE is '-1'"},
    {"VMAFX_CPU_HOSTILE", "18446744073709551616", "VMAFX_CPU_HOSTILE is '184"},
    {"VMAFX_CPU_HOSTILE_FACTS", "overtaken,", "VMAFX_CPU_HOSTILE_FACTS has ''"},
    {"VMAFX_CPU_HOSTILE_FACTS", "over", "VMAFX_CPU_HOSTILE_FACTS has 'over'"},
    {"VMAFX_CPU_HOSTILE_DROPS", "1000001", "VMAFX_CPU_HOSTILE_DROPS is '1000001'"},
    {"VMAFX_CPU_HOSTILE_PATIENCE", "1s", "VMAFX_CPU_HOSTILE_PATIENCE is '1s'"},
};

} // namespace

START_TEST(environment_that_makes_no_sense)
{
    const BadSetting &bad = kBadSettings[_i];
    ck_assert_int_eq(setenv("VMAFX_CPU_HOSTILE", "1", 1), 0);
    ck_assert_int_eq(setenv(bad.name, bad.value, 1), 0);
    int count = 0;
    assert_hip(hipGetDeviceCount(&count), hipErrorNotInitialized);
    const std::string text = hipGetErrorString(hipErrorNotInitialized);
    ck_assert_msg(text.find(bad.part) != std::string::npos, "'%s' is not in '%s'", bad.part,
                  text.c_str());
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("facts");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, copies_overtake_what_was_not_submitted);
    tcase_add_test(tcase, kernels_overtake_nothing);
    tcase_add_test(tcase, copies_that_overtake_stay_in_line);
    tcase_add_test(tcase, unrecorded_event);
    tcase_add_test(tcase, free_of_a_mapping);
    tcase_add_test(tcase, import_of_any_size);
    tcase_add_test(tcase, clear_ahead_of_an_upload);
    tcase_add_test(tcase, null_stream_and_non_blocking_streams);
    tcase_add_test(tcase, dropped_commands);
    tcase_add_test(tcase, drops_come_in_runs_of_the_seed);
    tcase_add_test(tcase, semaphores_are_refused);
    tcase_add_test_raise_signal(tcase, semaphores_abort, SIGABRT);
    tcase_add_test(tcase, undefined_memory_is_poisoned);
    tcase_add_test(tcase, pinned_memory_is_far);
    tcase_add_test(tcase, options_that_make_no_sense);
    tcase_add_test(tcase, environment_chooses_it);
    tcase_add_loop_test(tcase, environment_that_makes_no_sense, 0,
                        static_cast<int>(std::size(kBadSettings)));
    return run_tests(tcase, "runtime_cpu hostile facts");
}
