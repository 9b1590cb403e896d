/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The order in which the hostile machine runs commands: late, of the seed, and yet legal.
 */
#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "hostile_test.h"

START_TEST(streams_advance_only_when_something_forces_them)
{
    Machine machine;
    auto *other = device_memory<uint64_t>(1);
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        be_hostile(seed);
        *machine.number = 0;
        *other = 0;
        machine.append(1, machine.a);
        for (int i = 0; i < 50; ++i)
            machine.append_to(other, 0, machine.b);
        assert_ok(hipStreamSynchronize(machine.b));
        while (hipStreamQuery(machine.b) != hipSuccess)
            ;
        ck_assert_uint_eq(*machine.number, 0);
        while (hipStreamQuery(machine.a) != hipSuccess)
            ;
        ck_assert_uint_eq(*machine.number, 1);
    }
    assert_ok(hipFree(other));
}
END_TEST

START_TEST(waits_force_what_a_stream_depends_on)
{
    Machine machine;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        be_hostile(seed, cpu_hostile_all_facts);
        *machine.number = 0;
        machine.append(1, machine.a);
        machine.wait_for(machine.b, machine.a);
        machine.append(2, machine.b);
        machine.wait_for(machine.a, machine.b);
        machine.append(3, machine.a);
        assert_ok(hipStreamSynchronize(machine.a));
        ck_assert_uint_eq(*machine.number, 123);
    }
}
END_TEST

START_TEST(queries_of_an_event_come_to_an_end)
{
    Machine machine;
    hipEvent_t event = make_event();
    int late = 0;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        be_hostile(seed, cpu_hostile_all_facts);
        *machine.number = 0;
        machine.append(1, machine.a);
        assert_ok(hipEventRecord(event, machine.a));
        int queries = 1;
        while (hipEventQuery(event) != hipSuccess) {
            /* Far beyond what chance makes of it. */
            ck_assert_int_lt(queries, 100000);
            ++queries;
        }
        late += queries > 1;
        ck_assert_uint_eq(*machine.number, 1);
    }
    ck_assert_int_gt(late, 0);
    assert_ok(hipEventDestroy(event));
}
END_TEST

START_TEST(destroyed_streams_need_nobody_to_wait)
{
    Machine machine;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        be_hostile(seed, cpu_hostile_all_facts);
        *machine.number = 0;
        hipStream_t stream = make_stream(stream_non_blocking);
        machine.append(1, stream);
        machine.wait_for(machine.a, stream);
        assert_ok(hipStreamDestroy(stream));
        machine.append(2, machine.a);
        while (hipStreamQuery(machine.a) != hipSuccess)
            ;
        ck_assert_uint_eq(*machine.number, 12);
    }
}
END_TEST

namespace
{

struct Signal {
    std::mutex mutex;
    std::condition_variable condition;
    bool set = false;

    static void raise(void *signal)
    {
        auto *self = static_cast<Signal *>(signal);
        std::lock_guard lock(self->mutex);
        self->set = true;
        self->condition.notify_one();
    }
    void wait()
    {
        std::unique_lock lock(mutex);
        condition.wait(lock, [this] { return set; });
        set = false;
    }
};

} // namespace

START_TEST(functions_come_without_a_further_call)
{
    Machine machine;
    Signal signal;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        be_hostile(seed, cpu_hostile_all_facts, 0, 1);
        machine.append(0, machine.a);
        machine.wait_for(machine.b, machine.a);
        assert_ok(hipLaunchHostFunc(machine.b, Signal::raise, &signal));
        signal.wait();
        /* After one that is under way. */
        assert_ok(hipLaunchHostFunc(machine.a, Signal::raise, &signal));
        machine.append(0, machine.a);
        signal.wait();
    }
    assert_ok(hipDeviceSynchronize());
}
END_TEST

START_TEST(functions_may_need_a_lock_of_the_caller)
{
    Machine machine;
    Signal signal;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        be_hostile(seed, cpu_hostile_all_facts, 0, 1);
        {
            std::lock_guard lock(signal.mutex);
            assert_ok(hipLaunchHostFunc(machine.a, Signal::raise, &signal));
            (void)hipStreamQuery(machine.a);
            machine.append(0, machine.b);
            assert_ok(hipStreamSynchronize(machine.b));
        }
        signal.wait();
    }
    assert_ok(hipDeviceSynchronize());
}
END_TEST

START_TEST(functions_that_block_hold_up_their_stream_alone)
{
    Machine machine;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        be_hostile(seed, cpu_hostile_all_facts, 0, 1);
        *machine.number = 0;
        Gate gate(machine.a);
        machine.append(2, machine.a);
        machine.append(1, machine.b);
        assert_ok(hipStreamSynchronize(machine.b));
        assert_hip(hipStreamQuery(machine.a), hipErrorNotReady);
        ck_assert_uint_eq(*machine.number, 1);
        gate.open();
        assert_ok(hipStreamSynchronize(machine.a));
        ck_assert_uint_eq(*machine.number, 12);
    }
}
END_TEST

START_TEST(work_goes_on_when_nobody_calls_for_long)
{
    Machine machine;
    be_hostile(1, 0, 0, 1);
    Signal signal;
    /* One that is due calls at once, one that is not takes patience; a hundred have both. */
    for (int i = 0; i < 100; ++i) {
        hipStream_t stream = i % 2 == 0 ? machine.a : machine.b;
        assert_ok(hipLaunchHostFunc(stream, Signal::raise, &signal));
        signal.wait();
    }
}
END_TEST

/* ---- the seed */

namespace
{

struct Stamp {
    uint64_t *counter;
    uint64_t *cell;

    static void call(void *opaque)
    {
        auto *stamp = static_cast<Stamp *>(opaque);
        *stamp->cell = ++*stamp->counter;
    }
};

constexpr size_t kCommands = 40;
using Order = std::array<uint64_t, kCommands>;

/** Kernels and functions on three streams, with some queries: when each of them ran. With functions
 * that come without a call only one at a time is under way. */
Order order_of(uint64_t seed, bool functions)
{
    hipModule_t module = load_module();
    hipFunction_t stamp_tiles = function_of(module, "stamp_tiles");
    be_hostile(seed, cpu_hostile_all_facts & ~cpu_hostile_semaphore_aborts);
    std::array<hipStream_t, 3> streams = {};
    for (hipStream_t &stream : streams)
        stream = make_stream(stream_non_blocking);
    auto *stamps = device_memory<uint64_t>(kCommands + 1);
    assert_ok(hipMemset(stamps, 0, (kCommands + 1) * sizeof(*stamps)));
    std::array<Stamp, kCommands> calls = {};
    hipEvent_t event = make_event();
    for (size_t i = 0; i < kCommands; ++i) {
        hipStream_t stream = streams[i % 3];
        calls[i] = {stamps, stamps + 1 + i};
        if (functions && i % 4 == 1)
            assert_ok(hipLaunchHostFunc(stream, Stamp::call, &calls[i]));
        else
            assert_ok(launch(stamp_tiles, 1, StampTilesArgs{stamps, stamps + 1 + i}, stream));
        if (i % 7 == 2)
            (void)hipStreamQuery(streams[i % 2]);
        if (i % 10 == 4)
            assert_ok(hipEventRecord(event, stream));
        if (i % 10 == 8)
            (void)hipEventQuery(event);
    }
    assert_ok(hipDeviceSynchronize());
    Order order;
    std::copy_n(stamps + 1, kCommands, order.begin());
    for (size_t i = 3; i < kCommands; ++i)
        ck_assert_uint_lt(order[i - 3], order[i]); /* that of each stream */
    assert_ok(hipFree(stamps));
    assert_ok(hipEventDestroy(event));
    for (hipStream_t stream : streams)
        assert_ok(hipStreamDestroy(stream));
    assert_ok(hipModuleUnload(module));
    return order;
}

} // namespace

START_TEST(one_worker_repeats_what_a_seed_did)
{
    assert_ok(vmafx_cpu_set_workers(1));
    std::set<Order> orders;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        const Order order = order_of(seed, _i != 0);
        ck_assert(order == order_of(seed, _i != 0));
        orders.insert(order);
    }
    ck_assert_uint_gt(orders.size(), kSeeds - 3);
}
END_TEST

START_TEST(parts_of_a_kernel_come_in_any_order)
{
    constexpr size_t kTiles = 12;
    assert_ok(vmafx_cpu_set_workers(1));
    hipModule_t module = load_module();
    hipFunction_t stamp_tiles = function_of(module, "stamp_tiles");
    auto *stamps = device_memory<uint64_t>(kTiles + 1);
    std::set<std::vector<uint64_t>> orders;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        be_hostile(seed);
        assert_ok(hipMemset(stamps, 0, (kTiles + 1) * sizeof(*stamps)));
        assert_ok(launch(stamp_tiles, kTiles, StampTilesArgs{stamps, stamps + 1}, nullptr));
        assert_ok(hipDeviceSynchronize());
        std::vector<uint64_t> order(stamps + 1, stamps + 1 + kTiles);
        orders.insert(order);
        std::sort(order.begin(), order.end());
        for (size_t i = 0; i < kTiles; ++i)
            ck_assert_uint_eq(order[i], i + 1); /* each tile once */
    }
    ck_assert_uint_gt(orders.size(), 10);
    assert_ok(hipFree(stamps));
    assert_ok(hipModuleUnload(module));
}
END_TEST

/* ---- programs that keep the rules get what a machine without any streams computes */

namespace
{

constexpr size_t kBuffers = 5;
constexpr uint32_t kTilesOfBuffer = 4;
constexpr size_t kItems = size_t{kTilesOfBuffer} * kMixItems;
constexpr size_t kBytes = kItems * sizeof(uint32_t);
constexpr size_t kStreams = 4;
constexpr int kSteps = 60;

using Buffer = std::array<uint32_t, kItems>;

/** A program out of random numbers, and what its buffers have to hold. */
class RandomProgram
{
  public:
    RandomProgram(uint64_t seed, bool waits) : random_(seed), waits_(waits), module_(load_module())
    {
        mix_ = function_of(module_, "mix");
        streams_ = {nullptr, make_stream(stream_default), make_stream(stream_non_blocking),
                    make_stream(stream_non_blocking)};
        for (size_t i = 0; i < kBuffers; ++i) {
            buffers_[i].data = device_memory<uint32_t>(kItems);
            assert_ok(hipMemset(buffers_[i].data, 0, kBytes));
        }
        for (uint32_t &item : input_)
            item = draw(UINT32_MAX);
    }
    ~RandomProgram()
    {
        for (Tracked &buffer : buffers_)
            hipFree(buffer.data);
        for (size_t i = 1; i < kStreams; ++i)
            hipStreamDestroy(streams_[i]);
        hipModuleUnload(module_);
    }

    /** Whether the buffers hold what they have to. */
    bool run()
    {
        for (int i = 0; i < kSteps; ++i)
            step();
        assert_ok(hipDeviceSynchronize());
        bool right = true;
        for (Tracked &buffer : buffers_) {
            right = right && std::equal(buffer.data, buffer.data + kItems, buffer.model.begin());
            drop(buffer.uses);
        }
        return right;
    }

  private:
    struct Use {
        size_t stream;
        hipEvent_t done;
        bool writes;
    };
    struct Tracked {
        uint32_t *data = nullptr;
        Buffer model = {};
        std::vector<Use> uses; /* since, and with, the latest write */
    };

    uint32_t draw(uint32_t below) { return static_cast<uint32_t>(random_() % below); }

    static void drop(std::vector<Use> &uses)
    {
        for (const Use &use : uses)
            assert_ok(hipEventDestroy(use.done));
        uses.clear();
    }

    /** The stream comes after all that must not be overtaken. */
    void acquire(Tracked &buffer, size_t stream, bool writes)
    {
        for (const Use &use : buffer.uses) {
            if (waits_ && use.stream != stream && (writes || use.writes))
                assert_ok(hipStreamWaitEvent(streams_[stream], use.done, 0));
        }
        if (writes)
            drop(buffer.uses);
    }

    void release(Tracked &buffer, size_t stream, bool writes)
    {
        hipEvent_t done = make_event(event_disable_timing);
        assert_ok(hipEventRecord(done, streams_[stream]));
        if (waits_)
            (void)hipStreamQuery(streams_[stream]); /* so that copies do not overtake it */
        buffer.uses.push_back({stream, done, writes});
    }

    void step()
    {
        const size_t stream = draw(kStreams);
        Tracked &to = buffers_[draw(kBuffers)];
        Tracked &from = buffers_[draw(kBuffers)];
        const uint32_t what = draw(6);
        const bool reads = what < 3 && &to != &from;
        acquire(to, stream, true);
        if (reads)
            acquire(from, stream, false);
        enqueue(what, to, reads ? from : to, streams_[stream]);
        release(to, stream, true);
        if (reads)
            release(from, stream, false);
        if (draw(8) == 0)
            assert_ok(hipStreamSynchronize(streams_[draw(kStreams)]));
        if (draw(4) == 0)
            (void)hipEventQuery(to.uses.back().done);
    }

    void enqueue(uint32_t what, Tracked &to, Tracked &from, hipStream_t stream)
    {
        const uint32_t number = draw(200);
        switch (what) {
        case 0:
        case 1:
            assert_ok(launch(mix_, kTilesOfBuffer, MixArgs{to.data, from.data, number}, stream));
            for (size_t i = 0; i < kItems; ++i)
                to.model[i] = to.model[i] * 3 + from.model[i] + number;
            return;
        case 2:
            assert_ok(hipMemcpyAsync(to.data, from.data, kBytes, hipMemcpyDeviceToDevice, stream));
            to.model = from.model;
            return;
        case 3:
            assert_ok(hipMemsetAsync(to.data, static_cast<int>(number), kBytes, stream));
            to.model.fill(number * 0x01010101u);
            return;
        case 4:
            assert_ok(
                hipMemcpyAsync(to.data, input_.data(), kBytes, hipMemcpyHostToDevice, stream));
            to.model = input_;
            return;
        default:
            assert_ok(hipLaunchHostFunc(
                stream, [](void *data) { ++*static_cast<uint32_t *>(data); }, to.data));
            ++to.model[0];
            return;
        }
    }

    std::mt19937_64 random_;
    const bool waits_;
    hipModule_t module_;
    hipFunction_t mix_;
    std::array<hipStream_t, kStreams> streams_;
    std::array<Tracked, kBuffers> buffers_;
    Buffer input_;
};

} // namespace

START_TEST(legal_programs_get_what_they_computed)
{
    /* But a clear ahead of an upload is legal too, and lost all the same. */
    constexpr uint32_t kFacts =
        cpu_hostile_overtaken | cpu_hostile_null_stream | cpu_hostile_unrecorded;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        be_hostile(seed, kFacts);
        ck_assert_msg(RandomProgram(seed, true).run(), "seed %d differs", static_cast<int>(seed));
    }
}
END_TEST

START_TEST(programs_that_do_not_wait_are_caught)
{
    assert_ok(vmafx_cpu_set_workers(1)); /* no data races: only the order is wrong */
    int caught = 0;
    for (uint64_t seed = 0; seed < 50; ++seed) {
        be_hostile(seed, cpu_hostile_null_stream);
        caught += !RandomProgram(seed, false).run();
    }
    ck_assert_int_gt(caught, 45);
}
END_TEST

START_TEST(threads_of_a_hostile_machine)
{
    constexpr int kThreads = 3;
    be_hostile(9, cpu_hostile_overtaken | cpu_hostile_null_stream, 0, 2);
    std::array<std::atomic<bool>, kThreads> right = {};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
            bool all = true;
            for (uint64_t i = 0; i < 10; ++i)
                all = all && RandomProgram(static_cast<uint64_t>(t) * 100 + i, true).run();
            right[static_cast<size_t>(t)] = all;
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    for (const std::atomic<bool> &each : right)
        ck_assert(each);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("order");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, streams_advance_only_when_something_forces_them);
    tcase_add_test(tcase, waits_force_what_a_stream_depends_on);
    tcase_add_test(tcase, queries_of_an_event_come_to_an_end);
    tcase_add_test(tcase, destroyed_streams_need_nobody_to_wait);
    tcase_add_test(tcase, functions_come_without_a_further_call);
    tcase_add_test(tcase, functions_may_need_a_lock_of_the_caller);
    tcase_add_test(tcase, functions_that_block_hold_up_their_stream_alone);
    tcase_add_test(tcase, work_goes_on_when_nobody_calls_for_long);
    tcase_add_loop_test(tcase, one_worker_repeats_what_a_seed_did, 0, 2);
    tcase_add_test(tcase, parts_of_a_kernel_come_in_any_order);
    tcase_add_test(tcase, legal_programs_get_what_they_computed);
    tcase_add_test(tcase, programs_that_do_not_wait_are_caught);
    tcase_add_test(tcase, threads_of_a_hostile_machine);
    return run_tests(tcase, "runtime_cpu hostile order");
}
