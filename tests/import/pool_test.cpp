/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Frame pools: a picture that a producer writes into a pool's frame scores as an uploaded one, and
 * memory that comes round again is not written while it is read.
 */
#include "api/refusal.h"

#include <deque>
#include <functional>

#include "picture_pairs.h"
#include "pool_producer.h"
#include "support/gate.h"

using namespace support;

namespace
{

constexpr uint64_t kBoundNs = UINT64_C(20'000'000'000);

struct Format {
    const LayoutFacts *layout;
    uint32_t bits;
};

std::vector<Format> all_formats()
{
    std::vector<Format> formats;
    for (const LayoutFacts &layout : all_layouts()) {
        if (layout.bits)
            formats.push_back({&layout, layout.bits});
        else
            for (const uint32_t bits : {8u, 10u, 12u, 16u})
                formats.push_back({&layout, bits});
    }
    return formats;
}

const LayoutFacts &nv12()
{
    return facts_of(VMAFX_LAYOUT_NV12);
}

std::vector<PicturePair> some_pairs(uint32_t seed)
{
    return picture_pairs(VMAFX_LAYOUT_420, 8, 96, 64, seed);
}

void check_same(const AllScores &expected, const AllScores &actual, const char *what)
{
    const std::string found = difference(expected, actual);
    ck_assert_msg(found.empty(), "%s: %s", what, found.c_str());
}

/** The picture in a frame of the pool, written and complete. */
Frame produced(const Pool &pool, PoolProducer &producer, const Picture &picture,
               const LayoutFacts &layout)
{
    const DevicePicture source(picture, layout);
    PoolFrame target = acquire(pool);
    producer.wait_for(info_of(target).writable);
    producer.write(target, source);
    producer.finish();
    return submit_ready(target);
}

/** A context that holds no frame longer than it has to enqueue work for it. */
Context create_early_context(const Device &device)
{
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    desc.flags = VMAFX_CONTEXT_RELEASE_EARLY;
    return create_context(device, &desc);
}

bool takes_events(const Device &device)
{
    return support::info_of(device).acquire_fence_kinds >> VMAFX_FENCE_HIP_EVENT & 1;
}

} // namespace

START_TEST(pooled_is_uploaded)
{
    const Format format = all_formats().at(static_cast<size_t>(_i));
    const Device device = open_test_device();
    const auto pairs = picture_pairs(format.layout->chroma, format.bits, 101, 67, format.bits);
    PoolProducer producer;
    const auto frames = static_cast<uint32_t>(2 * pairs.size());
    const Pool pool = create_pool(device, pairs[0].reference, *format.layout, frames);
    const AllScores pooled = score_pairs(device, pairs, [&](const Picture &picture) {
        return produced(pool, producer, picture, *format.layout);
    });
    const VmafxDeviceCounters counters = counters_of(device);
    ck_assert_uint_eq(counters.frames_imported, 2 * pairs.size());
    ck_assert_uint_eq(counters.frames_uploaded, 0);
    check_same(score_uploaded(device, pairs, *format.layout), pooled, format.layout->name);
}
END_TEST

/* A luma plane alone serves features that read no chroma, and has no memory for the rest. */
START_TEST(luma_alone)
{
    const Device device = open_test_device();
    const auto pairs = some_pairs(1);
    PoolProducer producer;
    const Pool pool = create_pool(device, pairs[0].reference, nv12(), 4, 1);
    const Context pooled = create_early_context(device), uploaded = create_context(device);
    for (const Context *context : {&pooled, &uploaded})
        use_builtin_model(*context, VMAFX_MODEL_DEFAULT);
    for (size_t i = 0; i < pairs.size(); ++i) {
        submit(pooled, produced(pool, producer, pairs[i].reference, nv12()),
               produced(pool, producer, pairs[i].distorted, nv12()), i);
        submit(uploaded, import_frame(device, HostPicture(pairs[i].reference, nv12()).desc()),
               import_frame(device, HostPicture(pairs[i].distorted, nv12()).desc()), i);
    }
    must(vmafx_context_flush, pooled.get());
    must(vmafx_context_flush, uploaded.get());
    check_same(all_scores(uploaded, pairs.size()), all_scores(pooled, pairs.size()), "luma");
    ck_assert_uint_eq(info_of(acquire(pool)).plane_count, 1);
}
END_TEST

/* Planes lie apart from each other, in one frame and in several. */
START_TEST(planes_do_not_overlap)
{
    const Device device = open_test_device();
    const Picture like = natural_picture(VMAFX_LAYOUT_444, 10, 101, 67, 1);
    const Pool pool = create_pool(device, like, facts_of(VMAFX_LAYOUT_444), 3);
    std::vector<PoolFrame> frames;
    std::vector<std::pair<uintptr_t, uintptr_t>> extents;
    for (int i = 0; i < 3; ++i) {
        frames.push_back(acquire(pool));
        const VmafxPoolFrameInfo info = info_of(frames.back());
        ck_assert_uint_eq(info.plane_count, 3);
        for (uint32_t p = 0; p < 3; ++p) {
            const VmafxPlane &plane = info.plane[p];
            const auto start = reinterpret_cast<uintptr_t>(plane.address);
            ck_assert_uint_eq(plane.offset, 0);
            ck_assert_uint_ge(plane.pitch, 202);
            ck_assert_uint_ge(plane.size, plane.pitch * 66 + 202);
            extents.emplace_back(start, start + plane.size);
        }
    }
    for (size_t i = 0; i < extents.size(); ++i)
        for (size_t j = 0; j < i; ++j)
            ck_assert(extents[i].second <= extents[j].first ||
                      extents[j].second <= extents[i].first);
}
END_TEST

START_TEST(all_in_use_is_busy)
{
    const Device device = open_test_device();
    const auto pairs = some_pairs(1);
    PoolProducer producer;
    const Pool pool = create_pool(device, pairs[0].reference, nv12(), 2);
    VmafxPoolFrame *none = nullptr;
    const auto refused = [&] {
        assert_refused(VMAFX_E_BUSY, "pool", "in use", vmafx_frame_pool_acquire, pool.get(), &none);
        ck_assert_ptr_null(none);
    };

    PoolFrame unwritten = acquire(pool);
    Frame frame = produced(pool, producer, pairs[0].reference, nv12());
    refused();
    unwritten.close(); /* comes back unsubmitted */
    PoolFrame again = acquire(pool);
    refused();

    Frame second(vmafx_frame_ref(frame.get()));
    frame.close();
    refused();
    second.close(); /* the last reference */
    const PoolFrame last = acquire(pool);
    refused();
}
END_TEST

/* Contexts hold what they still read. */
START_TEST(frames_of_a_context_are_in_use)
{
    const Device device = open_test_device();
    const auto pairs = some_pairs(1);
    PoolProducer producer;
    const Pool pool = create_pool(device, pairs[0].reference, nv12(), 2);
    const Context context = create_early_context(device);
    use_everything(context); /* with motion, which reads a reference picture twice */
    Frame reference = produced(pool, producer, pairs[0].reference, nv12());
    Frame distorted = produced(pool, producer, pairs[0].distorted, nv12());
    submit(context, reference, distorted, 0);
    reference.close();
    distorted.close();
    const PoolFrame free = acquire(pool);
    VmafxPoolFrame *none = nullptr;
    assert_refused(VMAFX_E_BUSY, "pool", "in use", vmafx_frame_pool_acquire, pool.get(), &none);
    must(vmafx_context_flush, context.get());
    const PoolFrame reference_again = acquire(pool);
    ck_assert_ptr_nonnull(reference_again.get());
}
END_TEST

START_TEST(frames_outlive_pool_and_device)
{
    const auto pairs = some_pairs(3);
    AllScores pooled;
    {
        Device device = open_test_device();
        const Context context = create_context(device);
        use_everything(context);
        PoolProducer producer;
        Pool pool = create_pool(device, pairs[0].reference, nv12(), 6);
        std::vector<PoolFrame> pictures;
        for (size_t i = 0; i < 2 * pairs.size(); ++i)
            pictures.push_back(acquire(pool));
        pool.close();
        device.close();
        std::vector<Frame> frames;
        std::deque<DevicePicture> sources;
        for (size_t i = 0; i < pairs.size(); ++i) {
            producer.write(pictures[2 * i], sources.emplace_back(pairs[i].reference, nv12()));
            producer.write(pictures[2 * i + 1], sources.emplace_back(pairs[i].distorted, nv12()));
        }
        producer.finish();
        for (PoolFrame &picture : pictures)
            frames.push_back(submit_ready(picture));
        for (size_t i = 0; i < pairs.size(); ++i)
            submit(context, frames[2 * i], frames[2 * i + 1], i);
        frames.clear();
        must(vmafx_context_flush, context.get());
        pooled = all_scores(context, pairs.size());
    }
    check_same(score_uploaded(open_test_device(), pairs, nv12()), pooled, "outliving");
}
END_TEST

/* A frame may be the last that is left of all. */
START_TEST(frame_outlives_everything)
{
    Frame frame;
    PoolFrame picture;
    {
        const Device device = open_test_device();
        const auto pairs = some_pairs(1);
        PoolProducer producer;
        const Pool pool = create_pool(device, pairs[0].reference, nv12(), 2);
        frame = produced(pool, producer, pairs[0].reference, nv12());
        picture = acquire(pool);
    }
    VmafxFrameInfo info = VMAFX_FRAME_INFO_INIT;
    must(vmafx_frame_get_info, frame.get(), &info);
    ck_assert_uint_eq(info.memory, VMAFX_MEMORY_DEVICE_POINTER);
    ck_assert_uint_eq(info.layout, VMAFX_LAYOUT_NV12);
    ck_assert_uint_eq(info.width, 96);
    ck_assert_uint_eq(info.height, 64);
    ck_assert_uint_eq(info_of(picture).plane_count, 2);
}
END_TEST

namespace
{

/** A pool whose two frames hold a pair that a context has been given, and that the device, held
 *  back, has not read yet. What is needed later is allocated before, since a device may allocate
 *  nothing while it is held. */
struct Reuse {
    std::vector<PicturePair> pairs = some_pairs(5);
    Device device = open_test_device();
    Device other = open_test_device();
    Context context;
    Pool pool;
    DevicePicture next_reference, next_distorted;
    PoolProducer producer;
    std::unique_ptr<Gate> gate;

    /** through_other: the context is of another handle of the same GPU. */
    explicit Reuse(bool through_other)
        : context(create_early_context(through_other ? other : device)),
          pool(create_pool(device, pairs[0].reference, nv12(), 2)),
          next_reference(pairs[2].reference, nv12()), next_distorted(pairs[2].distorted, nv12())
    {
        use_features(context);
        for (uint64_t i = 0; i < 2; ++i) {
            const Frame reference = produced(pool, producer, pairs[i].reference, nv12());
            const Frame distorted = produced(pool, producer, pairs[i].distorted, nv12());
            if (i == 1)
                gate = std::make_unique<Gate>(through_other ? other : device);
            submit(context, reference, distorted, i);
        }
    }
    ~Reuse() { gate->open(); }

    static void use_features(const Context &context)
    {
        must(vmafx_context_use_feature, context.get(), "vif", nullptr);
        must(vmafx_context_use_feature, context.get(), "psnr", nullptr);
    }

    AllScores finish()
    {
        must(vmafx_context_flush, context.get());
        return all_scores(context, pairs.size());
    }

    AllScores expected() const
    {
        const Context fresh = create_context(device);
        use_features(fresh);
        for (size_t i = 0; i < pairs.size(); ++i)
            submit(fresh, import_frame(device, HostPicture(pairs[i].reference, nv12()).desc()),
                   import_frame(device, HostPicture(pairs[i].distorted, nv12()).desc()), i);
        must(vmafx_context_flush, fresh.get());
        return all_scores(fresh, pairs.size());
    }
};

} // namespace

START_TEST(a_reader_does_not_see_the_next_picture)
{
    Reuse reuse(_i == 1);
    PoolFrame reference = acquire(reuse.pool), distorted = acquire(reuse.pool);
    for (const PoolFrame *frame : {&reference, &distorted}) {
        const VmafxFenceDesc writable = info_of(*frame).writable;
        ck_assert_uint_eq(writable.kind, VMAFX_FENCE_HIP_EVENT);
        ck_assert_ptr_nonnull(writable.handle);
        reuse.producer.wait_for(writable);
    }
    reuse.producer.write(reference, reuse.next_reference);
    reuse.producer.write(distorted, reuse.next_distorted);
    /* Not earlier: to be asked makes a device get on with its work. */
    assert_refused(VMAFX_E_TIMEOUT, "frame", "still read", vmafx_pool_frame_wait, reference.get(),
                   uint64_t{1'000'000});
    if (takes_events(reuse.device)) {
        /* All of it is enqueued while nothing has run. */
        const VmafxFenceDesc ready = reuse.producer.record();
        submit(reuse.context, submit_ready(reference, &ready), submit_ready(distorted, &ready), 2);
        reuse.gate->open();
    } else {
        reuse.gate->open();
        reuse.producer.finish();
        submit(reuse.context, submit_ready(reference), submit_ready(distorted), 2);
    }
    check_same(reuse.expected(), reuse.finish(), "reuse");
}
END_TEST

/* The test above can fail: a producer that does not wait is seen. */
START_TEST(a_fence_that_is_ignored_shows)
{
    Reuse reuse(_i == 1);
    PoolFrame reference = acquire(reuse.pool), distorted = acquire(reuse.pool);
    reuse.producer.write(reference, reuse.next_reference);
    reuse.producer.write(distorted, reuse.next_distorted);
    reuse.producer.finish();
    reuse.gate->open();
    submit(reuse.context, submit_ready(reference), submit_ready(distorted), 2);
    ck_assert(!difference(reuse.expected(), reuse.finish()).empty());
}
END_TEST

START_TEST(host_producer_waits_until_it_may_write)
{
    Reuse reuse(false);
    PoolFrame reference = acquire(reuse.pool);
    reuse.gate->open();
    must(vmafx_pool_frame_wait, reference.get(), kBoundNs);
    must(vmafx_pool_frame_wait, reference.get(), uint64_t{0});
}
END_TEST

namespace
{

using Desc = VmafxFramePoolDesc;

struct Case {
    const char *subject;
    int32_t status;
    const char *word;
    std::function<void(Desc &)> spoil;
};

const std::vector<Case> &wrong_descs()
{
    static const std::vector<Case> cases = {
        {"desc.layout", VMAFX_E_INVALID, "0", [](Desc &d) { d.layout = 0; }},
        {"desc.layout", VMAFX_E_INVALID, "15", [](Desc &d) { d.layout = 15; }},
        {"desc.bits", VMAFX_E_INVALID, "NV12", [](Desc &d) { d.bits = 10; }},
        {"desc.bits", VMAFX_E_RANGE, "8..16",
         [](Desc &d) { d.layout = VMAFX_LAYOUT_420, d.bits = 7; }},
        {"desc.bits", VMAFX_E_RANGE, "17",
         [](Desc &d) { d.layout = VMAFX_LAYOUT_420, d.bits = 17; }},
        {"desc.width", VMAFX_E_RANGE, "32768", [](Desc &d) { d.width = 32769; }},
        {"desc.width", VMAFX_E_RANGE, "0", [](Desc &d) { d.width = 0; }},
        {"desc.height", VMAFX_E_RANGE, "4294967295", [](Desc &d) { d.height = UINT32_MAX; }},
        {"desc.plane_count", VMAFX_E_INVALID, "3", [](Desc &d) { d.plane_count = 3; }},
        {"desc.frames", VMAFX_E_RANGE, "1..256", [](Desc &d) { d.frames = 0; }},
        {"desc.frames", VMAFX_E_RANGE, "257", [](Desc &d) { d.frames = 257; }},
        {"desc.flags", VMAFX_E_INVALID, "0x4", [](Desc &d) { d.flags = 4; }},
        {"desc.matrix", VMAFX_E_RANGE, "257", [](Desc &d) { d.matrix = 257; }},
        {"desc.transfer", VMAFX_E_RANGE, "256", [](Desc &d) { d.transfer = 256; }},
        {"desc.range", VMAFX_E_INVALID, "VMAFX_RANGE", [](Desc &d) { d.range = 3; }},
        {"desc", VMAFX_E_ABI, "struct_size", [](Desc &d) { d.struct_size = 28; }},
    };
    return cases;
}

Desc good_desc()
{
    Desc desc = VMAFX_FRAME_POOL_DESC_INIT;
    desc.layout = VMAFX_LAYOUT_NV12;
    desc.width = 96;
    desc.height = 64;
    desc.frames = 1;
    return desc;
}

} // namespace

START_TEST(wrong_desc_is_refused)
{
    const Case &wrong = wrong_descs().at(static_cast<size_t>(_i));
    const Device device = open_test_device();
    Desc desc = good_desc();
    Pool pool;
    must(vmafx_frame_pool_create, device.get(), &desc, pool.out());
    wrong.spoil(desc);
    assert_refused(wrong.status, wrong.subject, wrong.word, vmafx_frame_pool_create, device.get(),
                   &desc, pool.out());
    ck_assert_ptr_null(pool.get());
}
END_TEST

START_TEST(wrong_info_and_wait_are_refused)
{
    const Device device = open_test_device();
    const Desc desc = good_desc();
    Pool pool;
    must(vmafx_frame_pool_create, device.get(), &desc, pool.out());
    const PoolFrame picture = acquire(pool);
    VmafxPoolFrameInfo info = VMAFX_POOL_FRAME_INFO_INIT;
    info.struct_size = 8;
    assert_refused(VMAFX_E_ABI, "info", "struct_size", vmafx_pool_frame_get_info, picture.get(),
                   &info);
    assert_refused(VMAFX_E_RANGE, "timeout_ns", "600000000000", vmafx_pool_frame_wait,
                   picture.get(), uint64_t{600'000'000'001});
}
END_TEST

namespace
{

struct WrongFence {
    VmafxFenceDesc fence;
    int32_t status;
    const char *subject, *word;
};

const WrongFence kWrongFences[] = {
    {{77, 0, nullptr}, VMAFX_E_INVALID, "ready.kind", "77"},
    {{VMAFX_FENCE_GL_SYNC, 0, nullptr}, VMAFX_E_NOTSUP, "ready.kind", "4"},
    {{VMAFX_FENCE_HOST, 0, nullptr}, VMAFX_E_INVALID, "ready.handle", "handle"},
    {{VMAFX_FENCE_SYNC_FILE, -1, nullptr}, VMAFX_E_INVALID, "ready.fd", "-1"},
    {{VMAFX_FENCE_SYNC_FILE, 0, nullptr}, VMAFX_E_INVALID, "ready.fd", "0"},
    {{VMAFX_FENCE_NONE, 3, nullptr}, VMAFX_E_INVALID, "ready.kind", "NONE"},
    {{VMAFX_FENCE_HIP_EVENT, 0, nullptr}, VMAFX_E_INVALID, "ready.handle", "HIP_EVENT"},
    {{VMAFX_FENCE_HIP_EVENT, 3, nullptr}, VMAFX_E_INVALID, "ready.fd", "3"},
};

} // namespace

START_TEST(wrong_ready_fence_is_refused)
{
    const WrongFence &wrong = kWrongFences[_i];
    const Device device = open_test_device();
    const Desc desc = good_desc();
    Pool pool;
    must(vmafx_frame_pool_create, device.get(), &desc, pool.out());
    PoolFrame picture = acquire(pool);
    VmafxPoolFrame *handle = picture.get();
    VmafxFrame *frame = nullptr;
    assert_refused(wrong.status, wrong.subject, wrong.word, vmafx_pool_frame_submit, &handle,
                   &wrong.fence, &frame);
    ck_assert_ptr_eq(handle, picture.get());
    ck_assert_ptr_null(frame);
    /* The picture is as it was. */
    submit_ready(picture).close();
    acquire(pool);
}
END_TEST

START_TEST(pending_ready_fence_is_busy)
{
    const Device device = open_test_device();
    const Desc desc = good_desc();
    Pool pool;
    must(vmafx_frame_pool_create, device.get(), &desc, pool.out());
    PoolFrame picture = acquire(pool);
    Fence fence;
    must(vmafx_fence_create, fence.out());
    const VmafxFenceDesc ready = {VMAFX_FENCE_HOST, 0, fence.get()};
    VmafxPoolFrame *handle = picture.get();
    VmafxFrame *frame = nullptr;
    assert_refused(VMAFX_E_BUSY, "ready", "submit the picture again", vmafx_pool_frame_submit,
                   &handle, &ready, &frame);
    ck_assert_ptr_eq(handle, picture.get());
    must(vmafx_fence_signal, fence.get());
    submit_ready(picture, &ready);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("pool");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, pooled_is_uploaded, 0, static_cast<int>(all_formats().size()));
    tcase_add_test(tcase, luma_alone);
    tcase_add_test(tcase, planes_do_not_overlap);
    tcase_add_test(tcase, all_in_use_is_busy);
    tcase_add_test(tcase, frames_of_a_context_are_in_use);
    tcase_add_test(tcase, frames_outlive_pool_and_device);
    tcase_add_test(tcase, frame_outlives_everything);
    tcase_add_loop_test(tcase, a_reader_does_not_see_the_next_picture, 0, 2);
    tcase_add_loop_test(tcase, a_fence_that_is_ignored_shows, 0, 2);
    tcase_add_test(tcase, host_producer_waits_until_it_may_write);
    tcase_add_loop_test(tcase, wrong_desc_is_refused, 0, static_cast<int>(wrong_descs().size()));
    tcase_add_test(tcase, wrong_info_and_wait_are_refused);
    tcase_add_loop_test(tcase, wrong_ready_fence_is_refused, 0,
                        static_cast<int>(std::size(kWrongFences)));
    tcase_add_test(tcase, pending_ready_fence_is_busy);
    return run_tests(tcase, "pool");
}
