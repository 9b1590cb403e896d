/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Frames per second of pictures that are in the device's memory already, on the runtime that
 * VMAFX_TEST_RUNTIME names.
 *
 *     device_bench WIDTH HEIGHT BITS FRAMES NAME...     models; features where NAME begins with '+'
 *
 * DEVICE_BENCH_IN_FLIGHT is the number of frames in flight. With no more FRAMES than that nothing
 * waits while frames are submitted: what is told then is the host's own time.
 */
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>

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
    double submitting = 0;
    score(device, pairs, names, kWarmUpFrames, submitting);
    const double seconds = score(device, pairs, names, frames, submitting);
    std::printf("%s %ux%u %u bit", info_of(device).name, width, height, bits);
    for (const char *name : names)
        std::printf(" %s", name);
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
