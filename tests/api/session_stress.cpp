/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Two threads with contexts of their own on one device import, submit, flush, change size and close
 * in random order. Every score that comes out is compared with the one of a quiet session. Meant
 * for ThreadSanitizer and AddressSanitizer, but fails without them too.
 *
 *     session_stress [ROUNDS [SEED]]
 */
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <random>
#include <thread>

#include "support/picture.h"
#include "support/scores.h"
#include "support/shared_memory.h"

using namespace support;

namespace
{

constexpr size_t kPictures = 4; /* a clip cycles through them */
constexpr uint32_t kLayouts[] = {VMAFX_LAYOUT_420, VMAFX_LAYOUT_NV12};
constexpr struct {
    uint32_t width, height;
} kSizes[] = {{64, 48}, {97, 65}, {160, 90}};
constexpr const char *kChecked[] = {"psnr_y", "psnr_cb", "integer_vif_scale0", "integer_adm2"};

struct Clip {
    std::vector<Picture> reference, distorted;
    std::vector<double> expected[std::size(kChecked)];
};

class Stress
{
  public:
    explicit Stress(const Device &device) : device_(device)
    {
        for (const auto &size : kSizes)
            clips_.push_back(quiet_session(size.width, size.height));
    }

    /** Sessions of one thread. */
    void run(int rounds, uint32_t seed)
    {
        std::mt19937 random(seed);
        while (rounds-- > 0 && !failed_)
            session(random);
    }

    bool failed() const { return failed_; }
    uint64_t compared() const { return compared_; }
    uint64_t imports() const { return imports_; }

  private:
    Clip quiet_session(uint32_t width, uint32_t height);
    void session(std::mt19937 &random);
    struct Producer {
        std::deque<PlacedPicture> memory; /* must live until all of it is released */
        Releases releases;
    };
    Frame import(const Picture &picture, std::mt19937 &random, Producer &producer);
    void check(const Context &context, const Clip &clip, size_t frames);

    const Device &device_;
    std::vector<Clip> clips_;
    std::atomic<bool> failed_ = false;
    std::atomic<uint64_t> compared_ = 0, imports_ = 0;
};

void use_checked_features(const Context &context)
{
    for (const char *feature : {"psnr", "vif", "adm", "motion"})
        must(vmafx_context_use_feature, context.get(), feature, nullptr);
}

Clip Stress::quiet_session(uint32_t width, uint32_t height)
{
    Clip clip;
    const Context context = create_context(device_);
    use_checked_features(context);
    for (uint32_t i = 0; i < kPictures; ++i) {
        clip.reference.push_back(natural_picture(VMAFX_LAYOUT_420, 8, width, height, i));
        clip.distorted.push_back(distorted(clip.reference.back(), i + 10));
        const LayoutFacts &layout = facts_of(VMAFX_LAYOUT_420);
        const Frame r = import_frame(device_, HostPicture(clip.reference[i], layout).desc());
        const Frame d = import_frame(device_, HostPicture(clip.distorted[i], layout).desc());
        submit(context, r, d, i);
    }
    must(vmafx_context_flush, context.get());
    for (size_t name = 0; name < std::size(kChecked); ++name)
        for (size_t i = 0; i < kPictures; ++i) {
            double score = 0;
            must(vmafx_score_at, context.get(), kChecked[name], uint64_t{i}, &score);
            clip.expected[name].push_back(score);
        }
    return clip;
}

Frame Stress::import(const Picture &picture, std::mt19937 &random, Producer &producer)
{
    const LayoutFacts &layout = facts_of(kLayouts[random() % std::size(kLayouts)]);
    const size_t choice = random() % (all_placements().size() + 1);
    if (choice == all_placements().size())
        return import_frame(device_, HostPicture(picture, layout).desc());
    producer.memory.emplace_back(picture, layout, all_placements()[choice]);
    ++imports_;
    return import_frame(device_, producer.releases.counted(producer.memory.back().desc()));
}

void Stress::session(std::mt19937 &random)
{
    const Clip &clip = clips_[random() % clips_.size()];
    const size_t frames = random() % 12;
    const bool early_close = random() % 4 == 0;
    const bool asks_meanwhile = random() % 2;
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    desc.frames_in_flight = random() % 4;
    Producer producer;
    Context context = create_context(device_, &desc);
    use_checked_features(context);
    if (random() % 3 == 0)
        use_builtin_model(context, VMAFX_MODEL_DEFAULT);
    for (size_t i = 0; i < frames; ++i) {
        const Frame r = import(clip.reference[i % kPictures], random, producer);
        const Frame d = import(clip.distorted[i % kPictures], random, producer);
        if (random() % 8 == 0) /* a frame that nobody scores */
            import(clip.reference[0], random, producer);
        submit(context, r, d, i);
        double score = 0;
        if (asks_meanwhile && vmafx_score_at(context.get(), "integer_adm2", i, &score, nullptr) < 0)
            failed_ = true;
    }
    if (!early_close) {
        must(vmafx_context_flush, context.get());
        check(context, clip, frames);
    }
    context.close();
    const size_t owed = producer.memory.size();
    if (producer.releases.wait_for(owed) && producer.releases.count() == owed)
        return;
    std::printf("%zu imports, %llu released\n", owed,
                static_cast<unsigned long long>(producer.releases.count()));
    failed_ = true;
}

void Stress::check(const Context &context, const Clip &clip, size_t frames)
{
    for (size_t name = 0; name < std::size(kChecked); ++name) {
        for (size_t i = 0; i < frames; ++i) {
            double score = -1;
            must(vmafx_score_at, context.get(), kChecked[name], uint64_t{i}, &score);
            ++compared_;
            if (score == clip.expected[name][i % kPictures])
                continue;
            std::printf("%s[%zu] is %.17g, not %.17g\n", kChecked[name], i, score,
                        clip.expected[name][i % kPictures]);
            failed_ = true;
        }
    }
}

int run(int rounds, uint32_t seed)
{
    const Device device = open_test_device();
    Stress stress(device);
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < 2; ++i)
        threads.emplace_back([&, i] {
            try {
                stress.run(rounds, seed + i);
            } catch (const std::exception &e) {
                std::fprintf(stderr, "%s\n", e.what());
                std::abort();
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    std::printf("seed %u: %llu values compared, %llu imports\n", seed,
                static_cast<unsigned long long>(stress.compared()),
                static_cast<unsigned long long>(stress.imports()));
    return stress.failed() || stress.compared() == 0 || stress.imports() == 0;
}

} // namespace

int main(int argc, char **argv)
try {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 60;
    const auto seed = static_cast<uint32_t>(argc > 2 ? std::atoi(argv[2]) : 1);
    return run(rounds, seed);
} catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
