/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Events of the producer as fences: the device waits for the first, and records the second behind
 * its last read. An event that is not recorded yet is pending, whatever the runtime says of it.
 */
#include <deque>
#include <optional>

#include "api/refusal.h"

#include "picture_pairs.h"
#include "support/producer_stream.h"

using namespace support;

namespace
{

constexpr uint64_t kBoundNs = UINT64_C(20'000'000'000);

const LayoutFacts &nv12()
{
    return facts_of(VMAFX_LAYOUT_NV12);
}

const Placement &placement_at(int i)
{
    return all_placements().at(static_cast<size_t>(i));
}

PicturePair test_pair()
{
    return picture_pairs(VMAFX_LAYOUT_420, 8, 96, 64, 3)[0];
}

int32_t query(const Device &device, const ProducerEvent &event)
{
    return vmafx_device_query_release_event(device.get(), event.handle(), nullptr);
}

/** A picture that is in its planes only when the stream has come that far. */
class LatePicture
{
  public:
    LatePicture(const Picture &picture, const LayoutFacts &layout, ProducerStream &stream)
        : desc_(describe(picture, layout, VMAFX_MEMORY_DEVICE_POINTER))
    {
        uint32_t i = 0;
        for (PackedPlane &plane : pack(picture, layout)) {
            samples_.emplace_back(plane.bytes);
            std::fill(plane.bytes.begin(), plane.bytes.end(), uint8_t{0x5a});
            planes_.emplace_back(plane.bytes);
            stream.copy(planes_.back().address(), samples_.back().address(), plane.bytes.size());
            desc_.plane[i].address = planes_.back().address();
            desc_.plane[i++].pitch = plane.row_bytes;
        }
        stream.record(written_);
        desc_.acquire = written_.fence();
    }
    const VmafxFrameImport &desc() const { return desc_; }

  private:
    std::deque<ProducerMemory> samples_, planes_;
    ProducerEvent written_;
    VmafxFrameImport desc_;
};

/** A frame that keeps the library stream of a device waiting until the stream is let go. */
class Blockade
{
  public:
    explicit Blockade(const Device &device)
    {
        stream_.hold();
        late_.emplace(test_pair().reference, nv12(), stream_);
        frame_ = import_frame(device, late_->desc());
    }
    ~Blockade() { lift(); }
    void lift()
    {
        stream_.let_go();
        stream_.finish();
    }

  private:
    ProducerStream stream_;
    std::optional<LatePicture> late_;
    Frame frame_;
};

} // namespace

START_TEST(device_waits_for_the_acquire_event)
{
    const LayoutFacts &layout = all_layouts().at(static_cast<size_t>(_i));
    const uint32_t bits = layout.bits ? layout.bits : 10;
    const auto pairs = picture_pairs(layout.chroma, bits, 96, 64, 3);
    const Device device = open_test_device(), other = open_test_device();
    const AllScores uploaded = score_uploaded(device, pairs, layout);
    ProducerStream stream;
    std::deque<LatePicture> producer;
    const Context context = create_context(device);
    use_everything(context);
    stream.hold();
    for (size_t i = 0; i < pairs.size(); ++i) {
        producer.emplace_back(pairs[i].reference, layout, stream);
        const Frame reference = import_frame(device, producer.back().desc());
        producer.emplace_back(pairs[i].distorted, layout, stream);
        const Frame distorted = import_frame(other, producer.back().desc());
        submit(context, reference, distorted, i);
    }
    double score = 0;
    ck_assert_int_eq(vmafx_score_at(context.get(), VMAFX_MODEL_DEFAULT, 0, &score, nullptr),
                     VMAFX_PENDING);
    stream.let_go();
    must(vmafx_context_flush, context.get());
    const std::string found = difference(uploaded, all_scores(context, pairs.size()));
    ck_assert_msg(found.empty(), "%s: %s", layout.name, found.c_str());
}
END_TEST

START_TEST(release_event_is_pending_until_the_last_read)
{
    const PicturePair pair = test_pair();
    const Device device = open_test_device(), scorer = open_test_device();
    const ProducerEvent reference_read, distorted_read;
    Releases releases;
    PlacedPicture reference(pair.reference, nv12(), placement_at(_i));
    PlacedPicture distorted(pair.distorted, nv12(), placement_at(_i));
    VmafxFrameImport desc = releases.counted(reference.desc());
    desc.release_fence = reference_read.fence();
    Frame r = import_frame(device, desc);
    desc = releases.counted(distorted.desc());
    desc.release_fence = distorted_read.fence();
    Frame d = import_frame(device, desc);
    {
        const Context first = create_context(device), second = create_context(scorer);
        use_everything(first);
        use_everything(second);
        submit(first, r, d, 0);
        must(vmafx_context_flush, first.get());
        /* The caller may still submit them. */
        ck_assert(reference_read.complete()); /* says the runtime */
        ck_assert_int_eq(query(device, reference_read), VMAFX_PENDING);
        ck_assert_int_eq(query(device, distorted_read), VMAFX_PENDING);
        assert_refused(VMAFX_E_TIMEOUT, "event", "0.001", vmafx_device_wait_release_event,
                       device.get(), reference_read.handle(), UINT64_C(1000000));
        submit(second, r, d, 0);
        r.close();
        d.close();
        must(vmafx_context_flush, second.get());
    }
    ck_assert(releases.wait_for(2));
    must(vmafx_device_wait_release_event, device.get(), reference_read.handle(), kBoundNs);
    must(vmafx_device_wait_release_event, device.get(), distorted_read.handle(), kBoundNs);
    ck_assert_int_eq(query(device, reference_read), VMAFX_OK);
    ck_assert(reference_read.complete());
    ck_assert_uint_eq(releases.count(), 2);
}
END_TEST

/* The callback comes as soon as the event can be trusted, not when it is complete. */
START_TEST(callback_follows_the_record)
{
    const Device device = open_test_device();
    const ProducerEvent event;
    Releases releases;
    PlacedPicture picture(test_pair().reference, nv12(), placement_at(0));
    VmafxFrameImport desc = releases.counted(picture.desc());
    desc.release_fence = event.fence();
    Blockade blockade(device);
    Frame frame = import_frame(device, desc);
    ck_assert_uint_eq(releases.count(), 0);
    frame.close();
    ck_assert_uint_eq(releases.count(), 1);
    ck_assert(!event.complete());
    ck_assert_int_eq(query(device, event), VMAFX_PENDING);
    blockade.lift();
    must(vmafx_device_wait_release_event, device.get(), event.handle(), kBoundNs);
    ck_assert(event.complete());
    ck_assert_uint_eq(releases.count(), 1);
}
END_TEST

START_TEST(event_serves_one_live_frame)
{
    const Device device = open_test_device();
    const ProducerEvent event;
    PlacedPicture one(test_pair().reference, nv12(), placement_at(_i));
    PlacedPicture two(test_pair().distorted, nv12(), placement_at(_i));
    VmafxFrameImport desc = one.desc(), second = two.desc();
    desc.release_fence = second.release_fence = event.fence();
    Frame frame = import_frame(device, desc);
    VmafxFrame *refused = nullptr;
    assert_refused(VMAFX_E_BUSY, "desc.release_fence.handle", "one event per frame",
                   vmafx_frame_import, device.get(), &second, &refused);
    const Context context = create_context(device);
    assert_refused(VMAFX_E_BUSY, "desc.release_fence.handle", "1 attempt",
                   vmafx_context_import_frame, context.get(), &second, uint64_t{1}, &refused);
    ck_assert_int_eq(query(device, event), VMAFX_PENDING);
    frame.close();
    const Frame next = import_frame(device, second);
    ck_assert_int_eq(query(device, event), VMAFX_PENDING);
}
END_TEST

START_TEST(failed_import_leaves_the_event)
{
    const Device device = open_test_device();
    const ProducerEvent event;
    PlacedPicture picture(test_pair().reference, nv12(), placement_at(_i));
    Releases releases;
    VmafxFrameImport desc = releases.counted(picture.desc());
    desc.release_fence = event.fence();
    desc.plane[1].pitch = 1;
    VmafxFrame *frame = nullptr;
    assert_refused(VMAFX_E_RANGE, "desc.plane[1].pitch", "pitch", vmafx_frame_import, device.get(),
                   &desc, &frame);
    ck_assert_int_eq(query(device, event), VMAFX_OK);
    ck_assert_uint_eq(releases.count(), 0);
}
END_TEST

/* An event that this very library still has to record would let the device run ahead. */
START_TEST(release_event_of_a_live_frame_is_a_pending_acquire_fence)
{
    const Device device = open_test_device();
    const Context context = create_context(device);
    const ProducerEvent event;
    PlacedPicture one(test_pair().reference, nv12(), placement_at(_i));
    PlacedPicture two(test_pair().distorted, nv12(), placement_at(_i));
    VmafxFrameImport desc = one.desc(), second = two.desc();
    desc.release_fence = second.acquire = event.fence();
    Frame frame = import_frame(device, desc);
    VmafxFrame *refused = nullptr;
    assert_refused(VMAFX_E_BUSY, "desc.acquire", "pending", vmafx_frame_import, device.get(),
                   &second, &refused);
    assert_refused(VMAFX_E_TIMEOUT, "desc.acquire", "pending", vmafx_context_import_frame,
                   context.get(), &second, uint64_t{1}, &refused);
    frame.close();
    const Frame next = import_frame(device, second);
    ck_assert_ptr_nonnull(next.get());
}
END_TEST

START_TEST(events_are_checked)
{
    const Device device = open_test_device();
    const ProducerEvent event;
    assert_refused(VMAFX_E_INVALID, "event", "NULL", vmafx_device_query_release_event, device.get(),
                   nullptr);
    assert_refused(VMAFX_E_INVALID, "event", "NULL", vmafx_device_wait_release_event, device.get(),
                   nullptr, uint64_t{0});
    assert_refused(VMAFX_E_INVALID, "device", "NULL", vmafx_device_query_release_event, nullptr,
                   event.handle());
    assert_refused(VMAFX_E_INVALID, "device", "NULL", vmafx_device_wait_release_event, nullptr,
                   event.handle(), uint64_t{0});
    assert_refused(VMAFX_E_RANGE, "timeout_ns", "600000000000", vmafx_device_wait_release_event,
                   device.get(), event.handle(), UINT64_C(600'000'000'001));
    if (test_runtime() != VMAFX_RUNTIME_CPU)
        return; /* others may crash of what is no event */
    int no_event = 0;
    assert_refused(VMAFX_E_INVALID, "event", "event", vmafx_device_query_release_event,
                   device.get(), static_cast<void *>(&no_event));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("events");
    tcase_set_timeout(tcase, 120);
    const int placements = static_cast<int>(all_placements().size());
    tcase_add_loop_test(tcase, device_waits_for_the_acquire_event, 0,
                        static_cast<int>(all_layouts().size()));
    tcase_add_loop_test(tcase, release_event_is_pending_until_the_last_read, 0, placements);
    tcase_add_test(tcase, callback_follows_the_record);
    tcase_add_loop_test(tcase, event_serves_one_live_frame, 0, placements);
    tcase_add_loop_test(tcase, failed_import_leaves_the_event, 0, placements);
    tcase_add_loop_test(tcase, release_event_of_a_live_frame_is_a_pending_acquire_fence, 0,
                        placements);
    tcase_add_test(tcase, events_are_checked);
    return run_tests(tcase, "events");
}
