/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Order within and between streams, events, functions of the caller.
 */
#include <atomic>
#include <thread>

#include "runtime_test.h"
#include "test_kernels.h"

namespace
{

/** Launches append_digit on streams, so that a number tells in which order they ran. */
class Digits
{
  public:
    Digits() : module_(load_module()), append_(function_of(module_, "append_digit"))
    {
        number_ = device_memory<uint64_t>(1);
        assert_ok(hipMemset(number_, 0, sizeof(*number_)));
    }
    ~Digits()
    {
        hipFree(number_);
        hipModuleUnload(module_);
    }

    void append(uint64_t digit, hipStream_t stream)
    {
        assert_ok(launch(append_, 1, AppendDigitArgs{number_, digit}, stream));
    }
    uint64_t after_all()
    {
        assert_ok(hipDeviceSynchronize());
        return *number_;
    }

  private:
    hipModule_t module_;
    hipFunction_t append_;
    uint64_t *number_;
};

/** A gate that is opened once the calls after it have been made, to prove that none of them waits.
 */
class Order
{
  public:
    Order()
        : null(nullptr), blocking(make_stream(stream_default)), other(make_stream(stream_default)),
          free(make_stream(stream_non_blocking))
    {
    }
    ~Order()
    {
        hipStreamDestroy(blocking);
        hipStreamDestroy(other);
        hipStreamDestroy(free);
    }

    hipStream_t null, blocking, other, free;
};

} // namespace

START_TEST(commands_of_a_stream_run_in_order)
{
    Order order;
    Digits digits;
    Gate gate(order.free);
    for (uint64_t digit = 1; digit <= 9; ++digit)
        digits.append(digit, order.free);
    assert_hip(hipStreamQuery(order.free), hipErrorNotReady);
    gate.open();
    assert_ok(hipStreamSynchronize(order.free));
    assert_ok(hipStreamQuery(order.free));
    ck_assert_uint_eq(digits.after_all(), 123456789);
}
END_TEST

START_TEST(streams_do_not_wait_for_each_other)
{
    Order order;
    Digits digits;
    Gate gate(order.blocking);
    digits.append(2, order.blocking);
    digits.append(1, order.other);
    assert_ok(hipStreamSynchronize(order.other));
    assert_hip(hipStreamQuery(order.blocking), hipErrorNotReady);
    gate.open();
    ck_assert_uint_eq(digits.after_all(), 12);
}
END_TEST

START_TEST(null_stream_waits_for_blocking_streams)
{
    Order order;
    Digits digits;
    Gate first(order.blocking);
    Gate second(order.other);
    digits.append(1, order.blocking);
    digits.append(9, order.null);
    first.open();
    assert_ok(hipStreamSynchronize(order.blocking));
    assert_hip(hipStreamQuery(order.null), hipErrorNotReady);
    digits.append(3, order.free);
    assert_ok(hipStreamSynchronize(order.free));
    second.open();
    assert_ok(hipStreamSynchronize(order.null));
    ck_assert_uint_eq(digits.after_all(), 139);
}
END_TEST

START_TEST(blocking_streams_wait_for_the_null_stream)
{
    Order order;
    Digits digits;
    Gate gate(order.null);
    digits.append(1, order.null);
    digits.append(2, order.blocking);
    digits.append(7, order.free);
    assert_ok(hipStreamSynchronize(order.free));
    assert_hip(hipStreamQuery(order.blocking), hipErrorNotReady);
    gate.open();
    assert_ok(hipStreamSynchronize(order.blocking));
    ck_assert_uint_eq(digits.after_all(), 712);
}
END_TEST

START_TEST(destroyed_stream_finishes_its_work)
{
    Order order;
    Digits digits;
    hipStream_t stream = make_stream(stream_default);
    Gate gate(stream);
    digits.append(1, stream);
    assert_ok(hipStreamDestroy(stream));
    assert_hip(hipStreamDestroy(stream), hipErrorInvalidHandle);
    digits.append(2, order.null);
    assert_hip(hipStreamQuery(order.null), hipErrorNotReady);
    gate.open();
    ck_assert_uint_eq(digits.after_all(), 12);
}
END_TEST

START_TEST(event_stands_for_its_latest_record)
{
    Order order;
    hipEvent_t event = make_event();
    assert_ok(hipEventQuery(event));
    assert_ok(hipEventSynchronize(event));

    Gate first(order.free);
    assert_ok(hipEventRecord(event, order.free));
    Gate second(order.free);
    assert_hip(hipEventQuery(event), hipErrorNotReady);
    first.open();
    assert_ok(hipEventSynchronize(event));
    assert_ok(hipEventRecord(event, order.free));
    assert_hip(hipEventQuery(event), hipErrorNotReady);
    second.open();
    assert_ok(hipEventSynchronize(event));
    assert_ok(hipEventDestroy(event));
    assert_hip(hipEventDestroy(event), hipErrorInvalidHandle);
}
END_TEST

START_TEST(stream_waits_for_the_record_at_the_time_of_the_call)
{
    Order order;
    Digits digits;
    hipEvent_t event = make_event(event_disable_timing);
    assert_ok(hipStreamWaitEvent(order.other, event, 0)); /* never recorded: nothing to wait for */
    Gate first(order.blocking);
    digits.append(1, order.blocking);
    assert_ok(hipEventRecord(event, order.blocking));
    assert_ok(hipStreamWaitEvent(order.other, event, 0));
    digits.append(2, order.other);
    Gate second(order.blocking);
    assert_ok(hipEventRecord(event, order.blocking));
    assert_ok(hipEventDestroy(event));
    digits.append(3, order.blocking);

    assert_hip(hipStreamQuery(order.other), hipErrorNotReady);
    first.open();
    assert_ok(hipStreamSynchronize(order.other)); /* not held by the second record */
    second.open();
    ck_assert_uint_eq(digits.after_all(), 123);
}
END_TEST

START_TEST(elapsed_time_is_between_two_records)
{
    Order order;
    hipEvent_t start = make_event();
    hipEvent_t stop = make_event();
    hipEvent_t untimed = make_event(event_disable_timing);
    float ms = -1;
    assert_hip(hipEventElapsedTime(&ms, start, stop), hipErrorInvalidHandle);
    assert_ok(hipEventRecord(start, order.free));
    Gate gate(order.free);
    assert_ok(hipEventRecord(stop, order.free));
    assert_hip(hipEventElapsedTime(&ms, start, stop), hipErrorNotReady);
    assert_ok(hipEventSynchronize(start));
    timespec before = {};
    timespec after = {};
    clock_gettime(CLOCK_MONOTONIC, &before);
    do {
        std::this_thread::yield();
        clock_gettime(CLOCK_MONOTONIC, &after);
    } while ((after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec <
             2000000);
    gate.open();
    assert_ok(hipEventSynchronize(stop));
    assert_ok(hipEventElapsedTime(&ms, start, stop));
    ck_assert(ms >= 2.0f);
    assert_ok(hipEventElapsedTime(&ms, stop, start));
    ck_assert(ms <= -2.0f);
    assert_hip(hipEventElapsedTime(&ms, start, untimed), hipErrorInvalidHandle);
    assert_hip(hipEventElapsedTime(nullptr, start, stop), hipErrorInvalidValue);
    for (hipEvent_t event : {start, stop, untimed})
        assert_ok(hipEventDestroy(event));
}
END_TEST

namespace
{

struct Calls {
    std::vector<int> seen; /* in the order of the stream, which orders the accesses too */
    std::thread::id thread;
    hipStream_t stream = nullptr;
    hipError_t status = hipErrorUnknown;
    hipError_t wait = hipSuccess;
};

void first_call(void *opaque)
{
    auto *calls = static_cast<Calls *>(opaque);
    calls->seen.push_back(1);
    calls->thread = std::this_thread::get_id();
    /* Its own stream has not come past it: waiting would never end. */
    calls->wait = hipStreamSynchronize(calls->stream);
}

void second_call(hipStream_t stream, hipError_t status, void *opaque)
{
    auto *calls = static_cast<Calls *>(opaque);
    calls->seen.push_back(2);
    calls->stream = stream;
    calls->status = status;
}

} // namespace

START_TEST(host_functions_run_in_order_on_another_thread)
{
    Order order;
    Calls calls;
    calls.stream = order.free;
    Gate gate(order.free);
    assert_ok(hipLaunchHostFunc(order.free, first_call, &calls));
    assert_ok(hipStreamAddCallback(order.free, second_call, &calls, 0));
    ck_assert_uint_eq(calls.seen.size(), 0);
    gate.open();
    assert_ok(hipStreamSynchronize(order.free));
    ck_assert(calls.seen == std::vector<int>({1, 2}));
    ck_assert(calls.thread != std::this_thread::get_id());
    ck_assert(calls.stream == order.free);
    assert_hip(calls.status, hipSuccess);
    assert_hip(calls.wait, hipErrorNotSupported);
}
END_TEST

START_TEST(long_queues_of_markers_and_work)
{
    constexpr int kRounds = 20000;
    Order order;
    Digits digits;
    hipEvent_t event = make_event(event_disable_timing);
    Gate gate(order.free);
    for (int i = 0; i < kRounds; ++i) {
        assert_ok(hipEventRecord(event, order.free));
        assert_ok(hipStreamWaitEvent(order.other, event, 0));
        if (i % 16 == 0)
            digits.append(0, order.other);
    }
    digits.append(4, order.other);
    gate.open();
    ck_assert_uint_eq(digits.after_all(), 4);
    assert_ok(hipEventDestroy(event));
}
END_TEST

START_TEST(several_threads_submit)
{
    constexpr int kThreads = 4;
    constexpr int kRounds = 500;
    hipModule_t module = load_module();
    hipFunction_t append = function_of(module, "append_digit");
    uint64_t *numbers = device_memory<uint64_t>(kThreads);
    assert_ok(hipMemset(numbers, 0, kThreads * sizeof(*numbers)));
    hipStream_t shared = make_stream(stream_default);
    std::atomic<int> functions{0};
    std::atomic<int> errors{0};

    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
            hipStream_t own = nullptr;
            hipEvent_t event = nullptr;
            errors += hipStreamCreateWithFlags(&own, stream_non_blocking) != hipSuccess;
            errors += hipEventCreateWithFlags(&event, event_default) != hipSuccess;
            const auto count = [](void *n) { ++*static_cast<std::atomic<int> *>(n); };
            for (int i = 0; i < kRounds; ++i) {
                const AppendDigitArgs args = {numbers + t, static_cast<uint64_t>(i == kRounds - 1)};
                errors += launch(append, 1, args, own) != hipSuccess;
                errors += hipEventRecord(event, own) != hipSuccess;
                errors += hipStreamWaitEvent(shared, event, 0) != hipSuccess;
                errors += hipLaunchHostFunc(shared, count, &functions) != hipSuccess;
                if (i % 100 == 99)
                    errors += hipStreamSynchronize(i % 200 == 99 ? own : shared) != hipSuccess;
            }
            errors += hipStreamSynchronize(own) != hipSuccess;
            errors += hipEventDestroy(event) != hipSuccess;
            errors += hipStreamDestroy(own) != hipSuccess;
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    assert_ok(hipDeviceSynchronize());
    ck_assert_int_eq(errors, 0);
    ck_assert_int_eq(functions, kThreads * kRounds);
    for (int t = 0; t < kThreads; ++t)
        ck_assert_uint_eq(numbers[t], 1);
    assert_ok(hipStreamDestroy(shared));
    assert_ok(hipFree(numbers));
    assert_ok(hipModuleUnload(module));
}
END_TEST

START_TEST(bad_handles_and_flags)
{
    const auto bogus = reinterpret_cast<hipStream_t>(uintptr_t{0x1234});
    const auto bogus_event = reinterpret_cast<hipEvent_t>(uintptr_t{0x1234});
    hipStream_t stream = nullptr;
    hipEvent_t event = nullptr;
    int device = -1;
    assert_hip(hipStreamCreateWithFlags(nullptr, 0), hipErrorInvalidValue);
    assert_hip(hipStreamCreateWithFlags(&stream, 0x80), hipErrorInvalidValue);
    assert_hip(hipStreamDestroy(nullptr), hipErrorInvalidHandle);
    assert_hip(hipStreamDestroy(bogus), hipErrorInvalidHandle);
    assert_hip(hipStreamQuery(bogus), hipErrorInvalidHandle);
    assert_hip(hipStreamSynchronize(bogus), hipErrorInvalidHandle);
    assert_hip(hipStreamWaitEvent(nullptr, nullptr, 0), hipErrorInvalidHandle);
    assert_hip(hipStreamGetDevice(bogus, &device), hipErrorInvalidHandle);
    assert_hip(hipStreamGetDevice(nullptr, nullptr), hipErrorInvalidValue);
    assert_hip(hipLaunchHostFunc(bogus, first_call, nullptr), hipErrorInvalidHandle);
    assert_hip(hipLaunchHostFunc(nullptr, nullptr, nullptr), hipErrorInvalidValue);
    assert_hip(hipStreamAddCallback(nullptr, second_call, nullptr, 1), hipErrorInvalidValue);
    assert_hip(hipEventCreateWithFlags(nullptr, 0), hipErrorInvalidValue);
    assert_hip(hipEventCreateWithFlags(&event, 0x80), hipErrorInvalidValue);
    assert_hip(hipEventRecord(bogus_event, nullptr), hipErrorInvalidHandle);
    assert_hip(hipEventQuery(bogus_event), hipErrorInvalidHandle);
    assert_hip(hipEventSynchronize(nullptr), hipErrorInvalidHandle);
    assert_hip(hipGetLastError(), hipErrorInvalidHandle);
    assert_ok(hipGetLastError());
    std::thread([] { assert_ok(hipGetLastError()); }).join();
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("streams");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, commands_of_a_stream_run_in_order);
    tcase_add_test(tcase, streams_do_not_wait_for_each_other);
    tcase_add_test(tcase, null_stream_waits_for_blocking_streams);
    tcase_add_test(tcase, blocking_streams_wait_for_the_null_stream);
    tcase_add_test(tcase, destroyed_stream_finishes_its_work);
    tcase_add_test(tcase, event_stands_for_its_latest_record);
    tcase_add_test(tcase, stream_waits_for_the_record_at_the_time_of_the_call);
    tcase_add_test(tcase, elapsed_time_is_between_two_records);
    tcase_add_test(tcase, host_functions_run_in_order_on_another_thread);
    tcase_add_test(tcase, long_queues_of_markers_and_work);
    tcase_add_test(tcase, several_threads_submit);
    tcase_add_test(tcase, bad_handles_and_flags);
    return run_tests(tcase, "runtime_cpu streams");
}
