/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Frames per second of pictures that are in the device's memory already, on the runtime that
 * VMAFX_TEST_RUNTIME names.
 *
 *     device_bench WIDTH HEIGHT BITS FRAMES NAME...     models; features where NAME begins with '+'
 *
 * DEVICE_BENCH_IN_FLIGHT is the number of frames in flight. With no more FRAMES than that nothing
 * waits while frames are submitted: what is told then is the host's own time.
 * DEVICE_BENCH_PROFILING=ROUNDS tells what profiling costs instead: rounds without and with it in
 * turn, of FRAMES each, and the medians of their ratios.
 */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>

#include "bench/resources.h"
#include "support/handles.h"
#include "support/shared_memory.h"

using namespace support;

namespace
{

constexpr uint32_t kPairs = 8; /* a clip cycles through them */
constexpr uint64_t kWarmUpFrames = 16;

struct Pair {
    PlacedPicture reference, distorted;
};

double seconds_since(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void use(const Context &context, const std::string &name)
{
    if (name.starts_with("+"))
        must(vmafx_context_use_feature, context.get(), name.c_str() + 1,
             static_cast<const char *>(nullptr));
    else
        use_builtin_model(context, name.c_str());
}

/** Seconds from the first submit to the end of the flush. */
double score(const Device &device, const std::deque<Pair> &pairs, std::span<char *const> names,
             uint64_t frames, double &submitting)
{
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    if (const char *in_flight = std::getenv("DEVICE_BENCH_IN_FLIGHT"))
        desc.frames_in_flight = static_cast<uint32_t>(std::stoul(in_flight));
    const Context context = create_context(device, &desc);
    for (const char *name : names)
        use(context, name);
    const auto start = std::chrono::steady_clock::now();
    for (uint64_t i = 0; i < frames; ++i) {
        const Pair &pair = pairs[i % pairs.size()];
        Frame reference, distorted;
        must(vmafx_context_import_frame, context.get(), &pair.reference.desc(), uint64_t{0},
             reference.out());
        must(vmafx_context_import_frame, context.get(), &pair.distorted.desc(), uint64_t{0},
             distorted.out());
        must(vmafx_context_submit, context.get(), reference.get(), distorted.get(), i);
    }
    submitting = seconds_since(start);
    must(vmafx_context_flush, context.get());
    return seconds_since(start);
}

Device open_profiled_device()
{
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    desc.runtime = test_runtime();
    desc.flags = VMAFX_DEVICE_PROFILING;
    Device device;
    must(vmafx_device_open, &desc, device.out());
    return device;
}

void print_ratio(const char *what, std::vector<double> ratios)
{
    std::sort(ratios.begin(), ratios.end());
    std::printf(" %s %.3f (%.3f to %.3f)", what, ratios[ratios.size() / 2], ratios.front(),
                ratios.back());
}

void compare_profiling(const Device &plain, const std::deque<Pair> &pairs,
                       std::span<char *const> names, uint64_t frames, size_t rounds)
{
    const Device profiled = open_profiled_device();
    double submitting = 0;
    score(profiled, pairs, names, kWarmUpFrames, submitting);
    std::vector<double> wall, cpu;
    for (size_t i = 0; i < rounds; ++i) {
        const bench::Stopwatch without;
        score(plain, pairs, names, frames, submitting);
        const double wall_without = without.wall(), cpu_without = without.cpu();
        const bench::Stopwatch with;
        score(profiled, pairs, names, frames, submitting);
        wall.push_back(with.wall() / wall_without);
        cpu.push_back(with.cpu() / cpu_without);
    }
    std::printf(": with profiling / without:");
    print_ratio("time", std::move(wall));
    print_ratio("CPU time", std::move(cpu));
    VmafxProfileEntry frame = VMAFX_PROFILE_ENTRY_INIT, entry = VMAFX_PROFILE_ENTRY_INIT;
    must(vmafx_device_profile_sum, profiled.get(), 0u, &frame);
    uint64_t commands = 0, busy = 0;
    for (uint32_t i = 1; i < frame.entries; ++i) {
        must(vmafx_device_profile_sum, profiled.get(), i, &entry);
        commands += entry.count;
        busy += entry.time_ns;
    }
    std::printf(", %.1f commands per frame, %.0f us of %.0f us in them\n",
                static_cast<double>(commands) / static_cast<double>(frame.count),
                1e-3 * static_cast<double>(busy) / static_cast<double>(frame.count),
                1e-3 * static_cast<double>(frame.time_ns) / static_cast<double>(frame.count));
}

void run(char **arguments, std::span<char *const> names)
{
    const auto number = [&](int i) { return static_cast<uint32_t>(std::stoul(arguments[i])); };
    const uint32_t width = number(0), height = number(1), bits = number(2), frames = number(3);
    const Device device = open_test_device();
    const LayoutFacts &layout = facts_of(VMAFX_LAYOUT_420);
    const Placement &pointers = all_placements().front();
    std::deque<Pair> pairs;
    for (uint32_t i = 0; i < kPairs; ++i) {
        const Picture picture = natural_picture(VMAFX_LAYOUT_420, bits, width, height, i);
        pairs.push_back({PlacedPicture(picture, layout, pointers),
                         PlacedPicture(distorted(picture, i + 50), layout, pointers)});
    }
    std::printf("%s %ux%u %u bit", info_of(device).name, width, height, bits);
    for (const char *name : names)
        std::printf(" %s", name);
    double submitting = 0;
    score(device, pairs, names, kWarmUpFrames, submitting);
    if (const char *rounds = std::getenv("DEVICE_BENCH_PROFILING")) {
        compare_profiling(device, pairs, names, frames, std::max(1ul, std::stoul(rounds)));
        return;
    }
    const double seconds = score(device, pairs, names, frames, submitting);
    std::printf(": %.0f fps, %u frames, %.0f us per frame until submitted\n", frames / seconds,
                frames, 1e6 * submitting / frames);
}

} // namespace

int main(int argc, char **argv)
try {
    if (argc < 6)
        throw std::invalid_argument("WIDTH HEIGHT BITS FRAMES NAME...");
    run(argv + 1, {argv + 5, argv + argc});
} catch (const std::exception &e) {
    std::fprintf(stderr, "device_bench: %s\n", e.what());
    return 1;
}
