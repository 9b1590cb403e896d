/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A decoder's pool of eight surfaces, exported anew for every picture: each is mapped once, and
 * nothing grows.
 *
 *     surfaces_test [IMPORTS]
 */
#include <cstdlib>
#include <deque>

#include <fcntl.h>

#include "check_text.h"

#include "support/process_resources.h"
#include "support/producer_stream.h"
#include "support/runtime_calls.h"
#include "support/scores.h"
#include "support/shared_memory.h"

using namespace support;

namespace
{

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true; /* keeps freed memory */
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

constexpr size_t kSurfaces = 8;
constexpr size_t kPerRound = 1000;
constexpr size_t kScoredEvery = 50; /* pairs */
constexpr size_t kWarmUpRounds = 2;
/* Threads of the CPU runtime may start late: at most 64, of two mappings each. A leak of 32 bytes
 * per import, or of a mapping per 400, is more. */
constexpr size_t kGrowthBound = 2 << 20;
constexpr size_t kMappingBound = 200;
constexpr uint64_t kWaitNs = UINT64_C(20'000'000'000);

size_t imports = 100000;

bool takes(uint64_t mask, uint32_t kind)
{
    return mask >> kind & 1;
}

std::vector<uint32_t> kinds_in(uint64_t mask, std::initializer_list<uint32_t> kinds)
{
    std::vector<uint32_t> taken;
    for (const uint32_t kind : kinds)
        if (takes(mask, kind))
            taken.push_back(kind);
    return taken;
}

Fence create_fence()
{
    Fence fence;
    must(vmafx_fence_create, fence.out());
    return fence;
}

VmafxFenceDesc fence_of(const Fence &fence)
{
    return {VMAFX_FENCE_HOST, 0, fence.get()};
}

/** The producer: surfaces, and the fences of a round of imports. */
class Decoder
{
  public:
    explicit Decoder(const Device &device) : device_(device), info_(info_of(device))
    {
        const LayoutFacts &nv12 = facts_of(VMAFX_LAYOUT_NV12);
        const Placement placement = {"one fd", VMAFX_MEMORY_DMABUF, Sharing::kOneDescriptor,
                                     Spacing::kOdd};
        for (uint32_t i = 0; i < kSurfaces; ++i)
            surfaces_.emplace_back(natural_picture(VMAFX_LAYOUT_420, 8, 95, 63, i), nv12,
                                   placement);
        must(vmafx_fence_signal, signalled_.get());
        acquire_kinds_ = kinds_in(info_.acquire_fence_kinds,
                                  {VMAFX_FENCE_NONE, VMAFX_FENCE_HOST, VMAFX_FENCE_HIP_EVENT});
        release_kinds_ = kinds_in(info_.release_fence_kinds,
                                  {VMAFX_FENCE_NONE, VMAFX_FENCE_HOST, VMAFX_FENCE_HIP_EVENT});
    }

    /** The next import of a surface, through descriptors that are closed afterwards. */
    Frame import_next()
    {
        const size_t i = count_++;
        VmafxFrameImport desc = surfaces_[i % kSurfaces].desc();
        const Descriptor luma = export_again(desc.plane[0].fd), chroma = export_again(luma.get());
        desc.plane[0].fd = luma.get();
        desc.plane[1].fd = chroma.get();
        desc.acquire = next_acquire(acquire_kinds_[i / kSurfaces % acquire_kinds_.size()]);
        desc.release_fence = next_release(release_kinds_[i % release_kinds_.size()]);
        if (i % 5 > 0) {
            desc = releases_.counted(desc);
            ++callbacks_;
        }
        return import_frame(device_, desc);
    }

    /** Every release fence of the round is signalled, every callback has run. */
    void finish_round()
    {
        for (const Fence &fence : released_)
            must(vmafx_fence_wait, fence.get(), kWaitNs);
        ck_assert(releases_.wait_for(callbacks_));
        ck_assert_uint_eq(releases_.count(), callbacks_);
        for (const ProducerEvent &event : read_)
            must(vmafx_device_wait_release_event, device_.get(), event.handle(), kWaitNs);
        released_.clear();
        written_.clear();
        read_.clear();
    }

  private:
    /** Another number each time, as an exporter gives it. */
    Descriptor export_again(int fd)
    {
        number_ = (number_ + 1) % 512;
        return Descriptor(fcntl(fd, F_DUPFD_CLOEXEC, 128 + static_cast<int>(number_)));
    }

    VmafxFenceDesc next_acquire(uint32_t kind)
    {
        if (kind == VMAFX_FENCE_HOST)
            return fence_of(signalled_);
        if (kind != VMAFX_FENCE_HIP_EVENT)
            return {};
        stream_.record(written_.emplace_back());
        return written_.back().fence();
    }

    VmafxFenceDesc next_release(uint32_t kind)
    {
        if (kind == VMAFX_FENCE_HOST)
            return fence_of(released_.emplace_back(create_fence()));
        if (kind == VMAFX_FENCE_HIP_EVENT)
            return read_.emplace_back().fence();
        return {};
    }

    const Device &device_;
    const VmafxDeviceInfo info_;
    std::deque<PlacedPicture> surfaces_;
    std::vector<uint32_t> acquire_kinds_, release_kinds_;
    const Fence signalled_ = create_fence();
    std::deque<Fence> released_;
    ProducerStream stream_;
    std::deque<ProducerEvent> written_, read_;
    Releases releases_;
    size_t count_ = 0, callbacks_ = 0;
    unsigned number_ = 0;
};

/** Imports pairs, of which some are scored and the others dropped. */
AllScores round_of(const Device &device, Decoder &decoder)
{
    const Context context = create_context(device);
    must(vmafx_context_use_feature, context.get(), "psnr", "enable_mse=true");
    must(vmafx_context_use_feature, context.get(), "motion", nullptr);
    size_t scored = 0;
    for (size_t pair = 0; pair < kPerRound / 2; ++pair) {
        const Frame reference = decoder.import_next(), distorted = decoder.import_next();
        if (pair % kScoredEvery == 0)
            submit(context, reference, distorted, scored++);
    }
    must(vmafx_context_flush, context.get());
    return all_scores(context, scored);
}

void check_mapped_once(const Device &device, size_t imported)
{
    const VmafxDeviceCounters counters = counters_of(device);
    ck_assert_uint_eq(counters.frames_imported, imported);
    ck_assert_uint_eq(counters.import_cache_misses, kSurfaces);
    ck_assert_uint_eq(counters.import_cache_hits, 2 * imported - kSurfaces);
    ck_assert_uint_eq(counters.import_cache_evictions, 0);
    ck_assert_uint_eq(counters.host_plane_copies, 0);
    if (test_runtime() != VMAFX_RUNTIME_CPU)
        return; /* which keeps count of calls */
    const RuntimeCalls &calls = RuntimeCalls::get();
    ck_assert_uint_eq(calls.count("hipImportExternalMemory"), kSurfaces);
    ck_assert_uint_eq(calls.count("hipExternalMemoryGetMappedBuffer"), kSurfaces);
}

} // namespace

START_TEST(surfaces_are_mapped_once_and_nothing_grows)
{
    const Device device = open_test_device();
    Decoder decoder(device);
    AllScores first;
    ProcessResources before;
    const size_t rounds = imports / kPerRound;
    for (size_t round = 0; round < rounds; ++round) {
        const AllScores scores = round_of(device, decoder);
        decoder.finish_round();
        if (round == 0)
            first = scores;
        assert_text(difference(first, scores), "");
        if (round + 1 == kWarmUpRounds)
            before = ProcessResources::now();
    }
    check_mapped_once(device, rounds * kPerRound);
    const ProcessResources after = ProcessResources::now();
    printf(
        "%zu imports; after them, and after %zu: %zu and %zu descriptors, %zu and %zu mappings of "
        "files, of which %zu and %zu of buffers, %zu and %zu others, %zu and %zu KiB resident\n",
        rounds * kPerRound, kWarmUpRounds * kPerRound, after.descriptors, before.descriptors,
        after.file_mappings, before.file_mappings, after.memfd_mappings, before.memfd_mappings,
        after.other_mappings, before.other_mappings, after.resident_bytes >> 10,
        before.resident_bytes >> 10);
    fflush(stdout);
    ck_assert_uint_eq(after.descriptors, before.descriptors);
    ck_assert_uint_eq(after.file_mappings, before.file_mappings);
    ck_assert_uint_eq(after.memfd_mappings, before.memfd_mappings);
    ck_assert_uint_le(after.memfd_mappings, kSurfaces);
    ck_assert_uint_le(after.other_mappings, before.other_mappings + kMappingBound);
    if (!kSanitized)
        ck_assert_uint_le(after.resident_bytes, before.resident_bytes + kGrowthBound);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc > 1)
        imports = strtoul(argv[1], nullptr, 10);
    if (!takes_memfds())
        return 77;
    TCase *tcase = tcase_create("surfaces");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, surfaces_are_mapped_once_and_nothing_grows);
    return run_tests(tcase, "surfaces");
}
