/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Buffers that the cache of imports has dropped: unmapped when nobody reads them, and when
 * unmapping waits for nothing.
 */
#include <deque>

#include "check_text.h"

#include "picture_pairs.h"
#include "support/producer_stream.h"

using namespace support;

namespace
{

PlacedPicture a_picture(uint32_t seed)
{
    return {natural_picture(VMAFX_LAYOUT_420, 8, 96, 64, seed),
            facts_of(VMAFX_LAYOUT_NV12),
            {"one fd", VMAFX_MEMORY_DMABUF, Sharing::kOneDescriptor, Spacing::kAligned}};
}

} // namespace

/* Emptied, the cache holds nothing; what a frame still uses goes once the frame has gone. */
START_TEST(cache_can_be_emptied)
{
    const Device device = open_test_device();
    const PlacedPicture kept = a_picture(1), dropped = a_picture(2);
    Frame frame = import_frame(device, kept.desc());
    import_frame(device, dropped.desc()).close();
    ck_assert_uint_eq(counters_of(device).import_cache_buffers, 2);
    ck_assert_uint_eq(counters_of(device).import_cache_mapped, 2);
    must(vmafx_device_empty_import_cache, device.get());
    ck_assert_uint_eq(counters_of(device).import_cache_buffers, 0);
    ck_assert_uint_ge(counters_of(device).import_cache_mapped, 1);
    frame.close();
    for (int i = 0; i < 1000 && counters_of(device).import_cache_mapped; ++i)
        must(vmafx_device_empty_import_cache, device.get());
    ck_assert_uint_eq(counters_of(device).import_cache_mapped, 0);
    const Frame again = import_frame(device, kept.desc());
    ck_assert_uint_eq(counters_of(device).import_cache_misses, 3);
    ck_assert_uint_eq(counters_of(device).import_cache_evictions, 0);
}
END_TEST

/* Unmapping waits for the device: while it is at work, a dropped buffer stays mapped. */
START_TEST(dropped_buffer_stays_mapped_while_the_device_works)
{
    const Device device = open_test_device();
    const PlacedPicture picture = a_picture(1);
    import_frame(device, picture.desc()).close();
    ProducerStream stream;
    const ProducerEvent event;
    stream.hold();
    stream.record(event);
    VmafxFrameImport desc = picture.desc();
    desc.acquire = event.fence();
    import_frame(device, desc).close();
    must(vmafx_device_empty_import_cache, device.get());
    const Frame again = import_frame(device, picture.desc());
    ck_assert_uint_eq(counters_of(device).import_cache_buffers, 1);
    ck_assert_uint_eq(counters_of(device).import_cache_mapped, 2);
    stream.let_go();
    stream.finish();
    for (int i = 0; i < 1000 && counters_of(device).import_cache_mapped > 1; ++i)
        import_frame(device, picture.desc()).close();
    ck_assert_uint_eq(counters_of(device).import_cache_mapped, 1);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("unmap");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, cache_can_be_emptied);
    tcase_add_test(tcase, dropped_buffer_stays_mapped_while_the_device_works);
    return run_tests(tcase, "unmap");
}
