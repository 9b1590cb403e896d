/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which calls of the runtime an import and a submit make once a session runs, and which kernels.
 * They never wait for the device, never allocate or free, and copy nothing but the results.
 */
#include <deque>
#include <optional>

#include "check_text.h"

#include "picture_pairs.h"
#include "support/producer_stream.h"
#include "support/runtime_calls.h"

using namespace support;

namespace
{

constexpr uint32_t kWidth = 96, kHeight = 64;
constexpr uint64_t kInFlight = 4;
constexpr uint64_t kWarmUp = 4 * kInFlight; /* after it every block there is a need for exists */

const Placement &placement(const std::string &name)
{
    for (const Placement &placement : all_placements())
        if (name == placement.name)
            return placement;
    abort();
}

std::string text_of(const CallCounts &counts)
{
    std::string text;
    for (const auto &[entry, count] : counts)
        text += (text.empty() ? "" : ", ") + entry + " " + std::to_string(count);
    return text;
}

/** Calls that may be made any number of times: they ask, and never wait. */
CallCounts without_questions(CallCounts counts)
{
    counts.erase("hipEventQuery");
    counts.erase("hipGetLastError");
    return counts;
}

#define assert_calls(actual, ...)                                                                  \
    assert_text(text_of(without_questions(actual)), text_of(CallCounts __VA_ARGS__))

/** A session that runs: all plans are made, all slots have been used. Frames are let go early, so
 * that what ends in a call does not depend on how far the device is. */
class Session
{
  public:
    Session(uint32_t layout, const char *where, uint32_t flags = VMAFX_CONTEXT_RELEASE_EARLY,
            uint32_t lanes = 0)
        : pair_(picture_pairs(facts_of(layout).chroma,
                              facts_of(layout).bits ? facts_of(layout).bits : 8, kWidth,
                              kHeight)[0]),
          reference_(pair_.reference, facts_of(layout), placement(where)),
          distorted_(pair_.distorted, facts_of(layout), placement(where)),
          device_(open_cpu_device())
    {
        VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
        desc.frames_in_flight = kInFlight;
        desc.flags = flags;
        desc.lanes = lanes;
        context_ = create_context(device_, &desc);
        use_everything(context_);
        for (uint64_t i = 0; i < kWarmUp; ++i)
            submit_pair();
        settle();
    }

    const Device &device() const { return device_; }
    VmafxFrameImport reference() { return releases_.counted(reference_.desc()); }
    Frame import_reference() { return import_frame(device_, reference_.desc()); }

    /** Imports and submits a pair. */
    void submit_pair()
    {
        const Frame r = import_reference();
        const Frame d = import_frame(device_, distorted_.desc());
        submit(r, d);
    }
    void submit(const Frame &reference, const Frame &distorted)
    {
        support::submit(context_, reference, distorted, next_++);
    }
    /** Waits until the device is idle: what was submitted can be collected without a wait. */
    void settle()
    {
        Frame frame = import_frame(device_, releases_.counted(reference_.desc()));
        frame.close();
        ck_assert(releases_.wait_for(1));
    }

  private:
    PicturePair pair_;
    PlacedPicture reference_, distorted_;
    Releases releases_;
    Device device_;
    Context context_;
    uint64_t next_ = 0;
};

uint64_t conversions()
{
    uint64_t launches = 0;
    for (const char *kernel : {"planarise_split_8", "planarise_split_16", "planarise_shift_16"})
        launches += RuntimeCalls::get().launches(kernel);
    return launches;
}

} // namespace

START_TEST(import_of_a_buffer_that_is_known)
{
    Session session(VMAFX_LAYOUT_420, "one fd");
    std::optional<Frame> frame;
    const CallCounts calls = calls_of([&] { frame = session.import_reference(); });
    assert_calls(calls, {});
}
END_TEST

START_TEST(import_of_a_new_buffer)
{
    Session session(VMAFX_LAYOUT_420, "one fd");
    const PlacedPicture fresh(picture_pairs(VMAFX_LAYOUT_420, 8, kWidth, kHeight, 9)[0].reference,
                              facts_of(VMAFX_LAYOUT_420), placement("one fd"));
    std::optional<Frame> frame;
    const CallCounts calls =
        calls_of([&] { frame = import_frame(session.device(), fresh.desc()); });
    assert_calls(calls, {{"hipGetDevice", 1},
                         {"hipImportExternalMemory", 1},
                         {"hipExternalMemoryGetMappedBuffer", 1}});
}
END_TEST

START_TEST(import_of_pointers)
{
    Session session(VMAFX_LAYOUT_420, "pointers");
    std::optional<Frame> frame;
    const CallCounts calls = calls_of([&] { frame = session.import_reference(); });
    assert_calls(calls, {});
}
END_TEST

START_TEST(import_of_host_planes)
{
    Session session(VMAFX_LAYOUT_420, "one fd");
    const HostPicture picture(picture_pairs(VMAFX_LAYOUT_420, 8, kWidth, kHeight)[0].reference,
                              facts_of(VMAFX_LAYOUT_420));
    std::deque<Frame> frames;
    frames.push_back(import_frame(session.device(), picture.desc()));
    frames.clear(); /* its memory is there for the next one */
    const CallCounts calls =
        calls_of([&] { frames.push_back(import_frame(session.device(), picture.desc())); });
    assert_calls(calls, {{"hipGetDevice", 1}});
}
END_TEST

/* The device waits for the event, the host only looks at it; what has to wait is handed over. */
START_TEST(import_behind_an_event)
{
    ProducerStream stream;
    const ProducerEvent written, read;
    stream.record(written);
    Session session(VMAFX_LAYOUT_420, "one fd");
    VmafxFrameImport desc = session.reference();
    desc.acquire = written.fence();
    desc.release_fence = read.fence();
    Frame frame;
    const CallCounts import = calls_of([&] { frame = import_frame(session.device(), desc); });
    assert_calls(import, {{"hipGetDevice", 1}, {"hipStreamQuery", 1}, {"hipStreamWaitEvent", 1}});
    const CallCounts release = calls_of([&] { frame.close(); });
    assert_calls(release, {{"hipEventRecord", 1}, {"hipGetDevice", 1}, {"hipStreamQuery", 1}});
}
END_TEST

/* A planar array cannot be read in place: one copy on the device for each plane. */
START_TEST(import_of_arrays)
{
    Session session(VMAFX_LAYOUT_420, "one fd");
    const ArrayPicture picture(picture_pairs(VMAFX_LAYOUT_420, 8, kWidth, kHeight)[0].reference,
                               facts_of(VMAFX_LAYOUT_420));
    Frame frame = import_frame(session.device(), picture.desc());
    frame.close(); /* its memory is there for the next one */
    const CallCounts calls =
        calls_of([&] { frame = import_frame(session.device(), picture.desc()); });
    assert_calls(calls, {{"hipArrayGetInfo", 3},
                         {"hipGetDevice", 1},
                         {"hipMemcpy2DFromArrayAsync", 3},
                         {"hipStreamQuery", 1}});
}
END_TEST

START_TEST(last_reference_of_a_frame)
{
    Session session(VMAFX_LAYOUT_420, "one fd");
    Frame frame = session.import_reference();
    assert_calls(calls_of([&] { frame.close(); }), {});
    Frame owed = import_frame(session.device(), session.reference());
    const CallCounts calls = calls_of([&] { owed.close(); });
    assert_calls(calls, {{"hipGetDevice", 1}, {"hipLaunchHostFunc", 1}, {"hipStreamQuery", 1}});
}
END_TEST

/* Beside the kernels, the clears among them: one copy of the results, the event behind it, and
 * the end of the reference frame that motion had kept. */
START_TEST(submit_of_planar_frames)
{
    Session session(VMAFX_LAYOUT_420, "fd per plane");
    const Frame reference = session.import_reference(), distorted = session.import_reference();
    CallCounts calls = calls_of([&] { session.submit(reference, distorted); });
    ck_assert_uint_eq(conversions(), 0);
    ck_assert_uint_eq(calls["hipModuleLaunchKernel"], RuntimeCalls::get().launches());
    ck_assert_uint_gt(calls["hipModuleLaunchKernel"], 4);
    calls.erase("hipModuleLaunchKernel");
    assert_calls(
        calls,
        {{"hipGetDevice", 1}, {"hipMemcpyAsync", 1}, {"hipEventRecord", 1}, {"hipStreamQuery", 1}});
}
END_TEST

/* A lane waits for the library stream, which does not wait for the lane. */
START_TEST(submit_on_a_lane)
{
    Session session(VMAFX_LAYOUT_420, "fd per plane", 0, 2);
    const Frame reference = session.import_reference(), distorted = session.import_reference();
    CallCounts calls = calls_of([&] { session.submit(reference, distorted); });
    ck_assert_uint_gt(calls["hipModuleLaunchKernel"], 4);
    calls.erase("hipModuleLaunchKernel");
    assert_calls(calls, {{"hipGetDevice", 1},
                         {"hipMemcpyAsync", 1},
                         {"hipEventRecord", 2},
                         {"hipStreamQuery", 2},
                         {"hipStreamWaitEvent", 1}});
}
END_TEST

/* Beside that, one conversion per picture; the block of the frame that ends goes back behind an
 * event. */
START_TEST(submit_of_semi_planar_frames)
{
    struct Case {
        uint32_t layout;
        std::map<std::string, uint64_t> kernels; /* per picture */
    };
    const Case cases[] = {
        {VMAFX_LAYOUT_NV12, {{"planarise_split_8", 1}}},
        {VMAFX_LAYOUT_P010, {{"planarise_split_16", 1}, {"planarise_shift_16", 1}}},
    };
    for (const Case &c : cases) {
        Session session(c.layout, "one fd");
        const Frame reference = session.import_reference(), distorted = session.import_reference();
        CallCounts calls = calls_of([&] { session.submit(reference, distorted); });
        uint64_t expected = 0;
        for (const auto &[kernel, launches] : c.kernels) {
            ck_assert_uint_eq(RuntimeCalls::get().launches(kernel), 2 * launches);
            expected += 2 * launches;
        }
        ck_assert_uint_eq(conversions(), expected);
        calls.erase("hipModuleLaunchKernel");
        assert_calls(calls, {{"hipGetDevice", 2},
                             {"hipMemcpyAsync", 1},
                             {"hipEventRecord", 1 + c.kernels.size()},
                             {"hipStreamQuery", 1}});
        /* Frames that are read again are not converted again. */
        (void)calls_of([&] { session.submit(reference, distorted); });
        ck_assert_uint_eq(conversions(), 0);
    }
}
END_TEST

namespace
{

/** Launches and copies of one pair that is submitted. */
struct Work {
    uint64_t launches, copies;
};

Work work_of_pair(const Device &device, const VmafxFrameImport &desc)
{
    const Context context = create_context(device);
    must(vmafx_context_use_feature, context.get(), "psnr", static_cast<const char *>(nullptr));
    const Frame reference = import_frame(device, desc), distorted = import_frame(device, desc);
    const CallCounts calls = calls_of([&] { support::submit(context, reference, distorted, 0); });
    uint64_t copies = 0;
    for (const auto &[entry, count] : calls)
        copies += entry.starts_with("hipMemcpy") ? count : 0;
    return {RuntimeCalls::get().launches(), copies};
}

uint32_t planes_to_convert(const LayoutFacts &layout)
{
    return layout.shift ? 2 : layout.semi_planar ? 1 : 0;
}

} // namespace

/* Wherever the planes are, the work is that of the same samples as planes of the host, and one
 * launch for each plane that no kernel can read in place. */
START_TEST(every_layout_from_everywhere)
{
    const Device device = open_cpu_device();
    for (const LayoutFacts &layout : all_layouts()) {
        const uint32_t bits = layout.bits ? layout.bits : 10;
        const Picture picture = natural_picture(layout.chroma, bits, kWidth, kHeight, 1);
        const HostPicture planes(picture, facts_of(layout.chroma));
        const Work plain = work_of_pair(device, planes.desc());
        for (const Placement &placement : all_placements()) {
            const PlacedPicture placed(picture, layout, placement);
            const Work work = work_of_pair(device, placed.desc());
            ck_assert_msg(work.launches == plain.launches + 2 * planes_to_convert(layout),
                          "%s, %s: %lu launches, planar %lu", layout.name, placement.name,
                          work.launches, plain.launches);
            ck_assert_msg(work.copies == 1, "%s, %s: %lu copies", layout.name, placement.name,
                          work.copies);
        }
    }
}
END_TEST

/* Import, submit and release of a pair, over and over, with the device at work. */
START_TEST(a_running_session_asks_for_nothing_new)
{
    const bool early = _i == 1;
    Session session(VMAFX_LAYOUT_NV12, "one fd", early ? VMAFX_CONTEXT_RELEASE_EARLY : 0,
                    _i == 2 ? 3 : 0);
    constexpr uint64_t kPairs = 20;
    const CallCounts calls = calls_of([&] {
        for (uint64_t i = 0; i < kPairs; ++i)
            session.submit_pair();
    });
    std::vector<const char *> refused = {"hipDeviceSynchronize",
                                         "hipStreamSynchronize",
                                         "hipEventSynchronize",
                                         "hipFree",
                                         "hipHostMalloc",
                                         "hipHostFree",
                                         "hipMemcpy",
                                         "hipMemcpy2D",
                                         "hipMemset",
                                         "hipMemsetAsync",
                                         "hipMemcpy2DAsync",
                                         "hipImportExternalMemory",
                                         "hipDestroyExternalMemory",
                                         "hipEventDestroy",
                                         "hipStreamCreateWithFlags",
                                         "hipModuleGetFunction",
                                         "hipModuleLoadData"};
    /* A context that keeps frames needs a block for each, and how many those are the device says.
     */
    if (early)
        refused.insert(refused.end(), {"hipMalloc", "hipEventCreateWithFlags"});
    for (const char *entry : refused)
        ck_assert_msg(calls.count(entry) == 0, "%s is called", entry);
    ck_assert_uint_eq(calls.at("hipMemcpyAsync"), kPairs);
    ck_assert_uint_eq(conversions(), 2 * kPairs);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("calls");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, import_of_a_buffer_that_is_known);
    tcase_add_test(tcase, import_of_a_new_buffer);
    tcase_add_test(tcase, import_of_pointers);
    tcase_add_test(tcase, import_of_host_planes);
    tcase_add_test(tcase, import_behind_an_event);
    tcase_add_test(tcase, import_of_arrays);
    tcase_add_test(tcase, last_reference_of_a_frame);
    tcase_add_test(tcase, submit_of_planar_frames);
    tcase_add_test(tcase, submit_on_a_lane);
    tcase_add_test(tcase, submit_of_semi_planar_frames);
    tcase_add_test(tcase, every_layout_from_everywhere);
    tcase_add_loop_test(tcase, a_running_session_asks_for_nothing_new, 0, 3);
    return run_tests(tcase, "import calls");
}
