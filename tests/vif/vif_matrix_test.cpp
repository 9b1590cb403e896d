/* SPDX-License-Identifier: BSD-2-Clause
 *
 * VIF by matrix units gives the sums of the CPU's kernels, bit for bit: sizes about a tile's, all
 * scales, depths, gain limits, addresses and pitches of any alignment, samples beyond their depth.
 */
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "features/registry.h"
#include "kernels/direct_runner.h"
#include "vif/matrix_kernels.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx_test;

namespace
{

using Words = std::vector<uint64_t>;

/** A device that has matrix units. */
class MatrixRunner final : public PlanDevice, public PlanStream
{
  public:
    bool cpu_tiles() const override { return false; }
    uint32_t multiprocessors() const override { return 1; }
    bool has_kernel(const char *name) override { return find_matrix_kernel(name) != nullptr; }
    const Kernel *kernel(const char *name) override
    {
        return reinterpret_cast<const Kernel *>(find_matrix_kernel(name));
    }
    void *allocate(size_t bytes) override
    {
        constexpr int kRubbish = 0x5A;
        memory_.push_back(std::make_unique<std::byte[]>(bytes));
        std::memset(memory_.back().get(), kRubbish, bytes);
        return memory_.back().get();
    }
    void *upload(const void *data, size_t bytes) override
    {
        return std::memcpy(allocate(bytes), data, bytes);
    }
    void launch(const Kernel *kernel, const Grid &grid, const void *args, size_t) override
    {
        const auto &threads = *reinterpret_cast<const GpuThreadsKernel *>(kernel);
        ck_assert_int_eq(threads.threads, static_cast<int>(grid.threads));
        ck_assert_uint_eq(grid.z, 1);
        threads.launch(args, grid.x, grid.y);
    }
    void clear(void *device, size_t bytes) override { std::memset(device, 0, bytes); }

  private:
    std::vector<std::unique_ptr<std::byte[]>> memory_;
};

/** A plane whose rows lie anywhere. */
struct Plane {
    std::vector<uint8_t> bytes;
    size_t offset = 0, pitch = 0;

    PlaneView view() const { return {bytes.data() + offset, pitch}; }
};

struct Case {
    uint32_t width, height, bits;
    size_t offset, more_pitch; /* bytes before the first sample, bytes between rows */
    bool beyond;               /* 16-bit words hold more than the depth allows */
};

Plane random_plane(const Case &c, uint32_t seed)
{
    std::mt19937 random(seed);
    const uint32_t sample = c.bits > 8 ? 2 : 1;
    Plane plane;
    plane.offset = c.offset;
    plane.pitch = c.width * sample + c.more_pitch;
    plane.bytes.resize(c.offset + plane.pitch * c.height);
    const uint32_t range = c.beyond ? 65536 : 1u << c.bits;
    for (uint32_t y = 0; y < c.height; ++y) {
        uint32_t value = random() % range;
        for (uint32_t x = 0; x < c.width; ++x) {
            /* Runs of smooth parts and of noise: both branches of the statistics. */
            value =
                random() % 8 == 0 || y % 16 < 5 ? random() % range : (value + random() % 3) % range;
            uint8_t *to = plane.bytes.data() + plane.offset + y * plane.pitch + x * sample;
            to[0] = static_cast<uint8_t>(value);
            if (sample == 2)
                to[1] = static_cast<uint8_t>(value >> 8);
        }
    }
    return plane;
}

template <class Runner> Words words_of(Runner &runner, const Case &c, const char *const *limits)
{
    const FeatureDescription &vif = *vif_feature();
    const auto plan = vif.create();
    for (; *limits; ++limits)
        plan->add_instance(OptionSet(*vif.options, {{"vif_enhn_gain_limit", *limits}}, true));
    PictureFormat format;
    format.width = c.width;
    format.height = c.height;
    format.bits = c.bits;
    format.chroma = Chroma::k400;
    plan->prepare(runner, format);
    const Plane reference = random_plane(c, 1), distorted = random_plane(c, 2);
    Words words(plan->result_words());
    FrameJob job;
    job.stream = &runner;
    job.reference.plane[0] = reference.view();
    job.distorted.plane[0] = distorted.view();
    job.results = words.data();
    plan->enqueue(job);
    return words;
}

void compare(const Case &c, const char *const *limits)
{
    MatrixRunner matrix;
    const auto cpu = DirectRunner::of_target("x86-64-v2");
    const Words expected = words_of(*cpu, c, limits), actual = words_of(matrix, c, limits);
    ck_assert_uint_eq(expected.size(), actual.size());
    for (size_t i = 0; i < expected.size(); ++i)
        ck_assert_msg(expected[i] == actual[i],
                      "%ux%u, %u bits, offset %zu: word %zu is %lld, not %lld", c.width, c.height,
                      c.bits, c.offset, i, static_cast<long long>(actual[i]),
                      static_cast<long long>(expected[i]));
}

} // namespace

static const Case kCases[] = {
    {16, 16, 8, 0, 0, false},   {17, 19, 8, 1, 3, false},   {111, 33, 8, 2, 5, false},
    {112, 16, 8, 3, 0, false},  {113, 47, 8, 0, 1, false},  {225, 64, 8, 1, 2, false},
    {240, 50, 10, 0, 0, false}, {131, 49, 10, 1, 3, false}, {127, 35, 12, 2, 2, true},
    {97, 40, 16, 3, 1, false},  {64, 130, 9, 0, 7, true},   {337, 18, 8, 5, 0, false},
};
static const char *const kOne[] = {"100", nullptr};
static const char *const kTwo[] = {"100", "1", nullptr};
static const char *const kThree[] = {"1", "1.5", "100", nullptr};

START_TEST(one_gain_limit)
{
    compare(kCases[_i], kOne);
}
END_TEST

START_TEST(several_gain_limits)
{
    compare(kCases[_i], _i % 2 ? kTwo : kThree);
}
END_TEST

int main()
{
    Suite *suite = suite_create("vif by matrix units");
    TCase *tcase = tcase_create("vif by matrix units");
    constexpr int kCount = sizeof(kCases) / sizeof(kCases[0]);
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, one_gain_limit, 0, kCount);
    tcase_add_loop_test(tcase, several_gain_limits, 0, kCount);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
