/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What an import and a submit cost the calling thread on the runtime that VMAFX_TEST_RUNTIME names:
 * time, and on the CPU runtime, which is the default, calls of it as well. Prints a table.
 *
 *     import_bench [WIDTH HEIGHT [ROUNDS]]
 */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <functional>

#include "support/runtime_calls.h"
#include "support/scores.h"
#include "support/shared_memory.h"

using namespace support;

namespace
{

constexpr size_t kBuffers = 8;     /* of a decoder's pool */
constexpr uint32_t kInFlight = 32; /* pairs: no submit of a round waits for the device */
constexpr size_t kDefaultRounds = 40;

using Clock = std::chrono::steady_clock;

bool counts_calls()
{
    return test_runtime() == VMAFX_RUNTIME_CPU;
}

uint64_t calls_so_far()
{
    return counts_calls() ? RuntimeCalls::get().count(nullptr) : 0;
}

/** Microseconds of single calls, and the runtime's calls in all of them. */
struct Measure {
    std::vector<double> times;
    uint64_t calls = 0;

    template <class Body> void take(Body &&body)
    {
        const uint64_t before = calls_so_far();
        const auto start = Clock::now();
        body();
        times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
        calls += calls_so_far() - before;
    }

    void print(const char *layout, const char *what)
    {
        std::sort(times.begin(), times.end());
        const auto at = [&](size_t percent) { return times[(times.size() - 1) * percent / 100]; };
        std::printf("| %s | %s | %zu | %.1f | %.1f | ", layout, what, times.size(), at(50), at(95));
        if (counts_calls())
            std::printf("%.1f |\n", static_cast<double>(calls) / static_cast<double>(times.size()));
        else
            std::printf("not counted |\n");
    }
};

const Placement &placement(const std::string &name)
{
    for (const Placement &placement : all_placements())
        if (name == placement.name)
            return placement;
    throw std::runtime_error("no placement " + name);
}

struct Size {
    uint32_t width, height;
};

struct Pool {
    std::deque<PlacedPicture> buffers, pointers;
    std::deque<HostPicture> host;

    Pool(const LayoutFacts &layout, Size size)
    {
        const uint32_t bits = layout.bits ? layout.bits : 8;
        for (uint32_t i = 0; i < kBuffers; ++i) {
            const Picture picture =
                natural_picture(layout.chroma, bits, size.width, size.height, i + 1);
            buffers.emplace_back(picture, layout, placement("one fd"));
            pointers.emplace_back(picture, layout, placement("pointers"));
            host.emplace_back(picture, layout);
        }
    }
};

/** Imports all sources of a pool; what is before and behind is not counted. */
template <class Sources>
void import_all(const Device &device, const Sources &sources, Measure &measure)
{
    std::deque<Frame> frames;
    for (const auto &source : sources)
        measure.take([&] { frames.push_back(import_frame(device, source.desc())); });
}

void submit_rounds(const Device &device, const Pool &pool, size_t rounds, Measure &measure)
{
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    desc.frames_in_flight = kInFlight;
    for (size_t round = 0; round < rounds; ++round) {
        const Context context = create_context(device, &desc);
        use_builtin_model(context, VMAFX_MODEL_DEFAULT);
        for (uint64_t i = 0; i < kBuffers; ++i) {
            const Frame reference = import_frame(device, pool.buffers[i].desc());
            const Frame distorted = import_frame(device, pool.buffers[(i + 1) % kBuffers].desc());
            const auto submit_one = [&] { submit(context, reference, distorted, i); };
            if (i == 0)
                submit_one(); /* makes the plans */
            else
                measure.take(submit_one);
        }
        must(vmafx_context_flush, context.get());
    }
}

void measure_layout(const LayoutFacts &layout, Size size, size_t rounds)
{
    const Pool pool(layout, size);
    Measure hit, miss, pointer, host, submitting;
    for (size_t round = 0; round < rounds; ++round) {
        const Device device = open_test_device();
        import_all(device, pool.buffers, miss);
        import_all(device, pool.buffers, hit);
        import_all(device, pool.pointers, pointer);
        Measure first; /* allocates */
        import_all(device, pool.host, first);
        import_all(device, pool.host, host);
    }
    const Device device = open_test_device();
    submit_rounds(device, pool, std::max<size_t>(1, rounds / 8), submitting);
    miss.print(layout.name, "import of a new buffer");
    hit.print(layout.name, "import of a buffer that is known");
    pointer.print(layout.name, "import of device pointers");
    host.print(layout.name, "import of host planes");
    submitting.print(layout.name, "submit to vmaf_v0.6.1");
}

int run(int argc, char **argv)
{
    Size size = {1920, 1080};
    if (argc > 2)
        size = {static_cast<uint32_t>(std::stoul(argv[1])),
                static_cast<uint32_t>(std::stoul(argv[2]))};
    const size_t rounds = argc > 3 ? std::stoul(argv[3]) : kDefaultRounds;
    std::printf(
        "\nTime of the calling thread per call, and calls of the runtime, on the %s; pictures of "
        "%ux%u.\n\n",
        counts_calls() ? "CPU runtime" : info_of(open_test_device()).name, size.width, size.height);
    std::printf("| layout | call | calls measured | median us | 95%% us | runtime calls |\n"
                "| --- | --- | --- | --- | --- | --- |\n");
    for (const uint32_t layout : {VMAFX_LAYOUT_420, VMAFX_LAYOUT_NV12, VMAFX_LAYOUT_P010})
        measure_layout(facts_of(layout), size, rounds);
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    try {
        return run(argc, argv);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "import_bench: %s\n", e.what());
        return 1;
    }
}
