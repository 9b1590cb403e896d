/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The end of the runtime: unloaded or at exit, idle or with work queued. Loaded by dlopen, as the
 * library does; every test is a process.
 */
#include <atomic>
#include <cstdlib>
#include <semaphore>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hip/hip_abi.h"

#include "check_text.h"

using namespace vmafx::hip;

/* LeakSanitizer crashes over threads that still run while the process exits. */
static std::atomic<int> threads_run_at_exit{0};
extern "C" __attribute__((visibility("default"))) int __lsan_is_turned_off()
{
    return threads_run_at_exit;
}

namespace
{

/** The entry points used here, of one load. */
struct Loaded {
    void *library = nullptr;
#define VMAFX_HIP_ENTRY(name, result, parameters, need) result(*name) parameters = nullptr;
#define VMAFX_HIP_OWN_ENTRY(name, result, parameters, need)                                        \
    VMAFX_HIP_ENTRY(name, result, parameters, need)
#include "hip/entry_points.def"
#undef VMAFX_HIP_OWN_ENTRY
#undef VMAFX_HIP_ENTRY
};

Loaded load()
{
    Loaded hip;
    hip.library = dlopen(std::getenv("TEST_RUNTIME"), RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(hip.library != nullptr, "%s", dlerror());
#define VMAFX_HIP_ENTRY(name, result, parameters, need)                                            \
    hip.name = reinterpret_cast<decltype(hip.name)>(dlsym(hip.library, #name));                    \
    ck_assert_msg(hip.name != nullptr, "%s is not exported", #name);
#define VMAFX_HIP_OWN_ENTRY(name, result, parameters, need)                                        \
    VMAFX_HIP_ENTRY(name, result, parameters, need)
#include "hip/entry_points.def"
#undef VMAFX_HIP_OWN_ENTRY
#undef VMAFX_HIP_ENTRY
    return hip;
}

bool is_loaded()
{
    void *library = dlopen(std::getenv("TEST_RUNTIME"), RTLD_NOW | RTLD_NOLOAD);
    if (library)
        dlclose(library);
    return library != nullptr;
}

/** Fills memory on a stream of its own, many times; returns the stream, unfinished. */
hipStream_t start_work(const Loaded &hip, std::vector<char> &bytes, int commands)
{
    hipStream_t stream = nullptr;
    ck_assert_int_eq(hip.hipStreamCreateWithFlags(&stream, stream_non_blocking), hipSuccess);
    for (int i = 0; i < commands; ++i)
        ck_assert_int_eq(hip.hipMemsetAsync(bytes.data(), i, bytes.size(), stream), hipSuccess);
    return stream;
}

} // namespace

START_TEST(unload_and_load_again)
{
    std::vector<char> bytes(100000);
    for (int round = 0; round < 5; ++round) {
        const Loaded hip = load();
        hipStream_t stream = start_work(hip, bytes, 10);
        ck_assert_int_eq(hip.hipStreamSynchronize(stream), hipSuccess);
        ck_assert_int_eq(bytes.back(), 9);
        ck_assert_int_eq(hip.hipStreamDestroy(stream), hipSuccess);
        ck_assert_int_eq(dlclose(hip.library), 0);
        ck_assert(!is_loaded());
    }
}
END_TEST

START_TEST(unload_with_work_queued)
{
    std::vector<char> bytes(1000000);
    const Loaded hip = load();
    start_work(hip, bytes, 50000);
    ck_assert_int_eq(dlclose(hip.library), 0);
    ck_assert(!is_loaded());
    /* Nothing writes any more. */
    bytes.clear();
    bytes.shrink_to_fit();
}
END_TEST

START_TEST(unload_without_any_call)
{
    ck_assert_int_eq(dlclose(load().library), 0);
    ck_assert(!is_loaded());
}
END_TEST

START_TEST(exit_with_work_queued)
{
    static std::vector<char> bytes(1000000);
    const Loaded hip = load();
    start_work(hip, bytes, 50000);
    exit(7);
}
END_TEST

START_TEST(exit_while_a_host_function_is_stuck)
{
    static std::binary_semaphore never(0);
    const Loaded hip = load();
    hipStream_t stream = nullptr;
    static std::atomic<bool> running{false};
    ck_assert_int_eq(hip.hipStreamCreateWithFlags(&stream, stream_default), hipSuccess);
    const auto stick = [](void *) {
        running = true;
        running.notify_all();
        never.acquire();
    };
    ck_assert_int_eq(hip.hipLaunchHostFunc(stream, stick, nullptr), hipSuccess);
    running.wait(false);
    threads_run_at_exit = 1;
    exit(7);
}
END_TEST

START_TEST(exit_from_a_host_function)
{
    const Loaded hip = load();
    static std::binary_semaphore never(0);
    threads_run_at_exit = 1;
    ck_assert_int_eq(hip.hipLaunchHostFunc(nullptr, [](void *) { exit(7); }, nullptr), hipSuccess);
    never.acquire();
}
END_TEST

START_TEST(a_forked_child_can_exit)
{
    std::vector<char> bytes(100000);
    const Loaded hip = load();
    hipStream_t stream = start_work(hip, bytes, 2);
    ck_assert_int_eq(hip.hipStreamSynchronize(stream), hipSuccess);
    const pid_t child = ::fork();
    if (child == 0)
        exit(7);
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 7);
    ck_assert_int_eq(hip.hipStreamDestroy(stream), hipSuccess);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("unload");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, unload_and_load_again);
    tcase_add_test(tcase, unload_with_work_queued);
    tcase_add_test(tcase, unload_without_any_call);
    tcase_add_exit_test(tcase, exit_with_work_queued, 7);
    tcase_add_exit_test(tcase, exit_while_a_host_function_is_stuck, 7);
    tcase_add_exit_test(tcase, exit_from_a_host_function, 7);
    tcase_add_test(tcase, a_forked_child_can_exit);
    return run_tests(tcase, "runtime_cpu unload");
}
