/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Frames whose release could not be put behind the reads of another handle's stream: they stay
 * until the reads are done all the same.
 */
#include <thread>

#include "check_text.h"

#include "support/gate.h"
#include "support/picture.h"
#include "support/runtime_calls.h"
#include "support/scores.h"
#include "support/shared_memory.h"

using namespace support;

namespace
{

constexpr int kUnknownError = 999;
constexpr int kLooks = 20;
constexpr auto kLook = std::chrono::milliseconds(2);

const Placement &pointers()
{
    return all_placements()[0];
}

} // namespace

START_TEST(frames_stay_until_they_are_read)
{
    const LayoutFacts &layout = facts_of(VMAFX_LAYOUT_420);
    const PlacedPicture picture(natural_picture(layout.layout, 8, 64, 64, 1), layout, pointers());
    const Device scorer = open_cpu_device(), importer = open_cpu_device();
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    desc.flags = VMAFX_CONTEXT_RELEASE_EARLY; /* else it holds the frames until it has collected */
    const Context context = create_context(scorer, &desc);
    must(vmafx_context_use_feature, context.get(), "psnr", static_cast<const char *>(nullptr));
    Releases releases;
    const auto import_one = [&] {
        return import_frame(importer, releases.counted(picture.desc()));
    };
    const auto submit_one = [&](uint64_t index, VmafxError *error) {
        const Frame reference = import_one(), distorted = import_one();
        return vmafx_context_submit(context.get(), reference.get(), distorted.get(), index, error);
    };
    ck_assert_int_eq(submit_one(0, nullptr), VMAFX_OK);
    ck_assert(releases.wait_for(2));

    Gate gate(scorer);
    const RuntimeCalls &calls = RuntimeCalls::get();
    calls.reset();
    calls.fail("hipStreamWaitEvent", 2, kUnknownError); /* 1: the scorer's wait for the import */
    int32_t status = VMAFX_OK;
    std::thread submitter([&] {
        VmafxError error = VMAFX_ERROR_INIT;
        status = submit_one(1, &error);
    });
    while (calls.failed() == 0)
        std::this_thread::yield();
    /* Whoever lets go too early does it at once. */
    for (int i = 0; i < kLooks && releases.count() == 2; ++i)
        std::this_thread::sleep_for(kLook);
    ck_assert_uint_eq(releases.count(), 2);
    gate.open();
    submitter.join();
    ck_assert_int_eq(status, VMAFX_E_DEVICE);
    ck_assert(releases.wait_for(4));
    calls.reset();
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("release");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, frames_stay_until_they_are_read);
    return run_tests(tcase, "faults release");
}
