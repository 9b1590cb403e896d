/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Imports that are refused: the field is named, nothing is kept, nothing is leaked.
 */
#include <cinttypes>
#include <filesystem>
#include <functional>
#include <optional>

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "refusal.h"
#include "support/picture.h"
#include "support/shared_memory.h"

using namespace support;

namespace
{

enum Source { kHost, kPointer, kBuffer };

struct Case {
    Source source;
    uint32_t layout;
    const char *subject;
    int32_t status;
    const char *word;
    std::function<void(VmafxFrameImport &)> spoil;
};

constexpr uint32_t k420 = VMAFX_LAYOUT_420, kNv12 = VMAFX_LAYOUT_NV12;
constexpr uint32_t kWidth = 96, kHeight = 64;
using Import = VmafxFrameImport;

const std::vector<Case> &geometry_cases()
{
    static const std::vector<Case> cases = {
        {kHost, k420, "desc.width", VMAFX_E_RANGE, "0", [](Import &d) { d.width = 0; }},
        {kBuffer, k420, "desc.height", VMAFX_E_RANGE, "0", [](Import &d) { d.height = 0; }},
        {kHost, k420, "desc.width", VMAFX_E_RANGE, "32768", [](Import &d) { d.width = 32769; }},
        {kBuffer, kNv12, "desc.height", VMAFX_E_RANGE, "4294967295",
         [](Import &d) { d.height = UINT32_MAX; }},
        {kHost, k420, "desc.layout", VMAFX_E_INVALID, "0", [](Import &d) { d.layout = 0; }},
        {kHost, k420, "desc.layout", VMAFX_E_INVALID, "99", [](Import &d) { d.layout = 99; }},
        {kHost, k420, "desc.bits", VMAFX_E_RANGE, "7", [](Import &d) { d.bits = 7; }},
        {kHost, k420, "desc.bits", VMAFX_E_RANGE, "17", [](Import &d) { d.bits = 17; }},
        {kHost, k420, "desc.bits", VMAFX_E_RANGE, "8..16", [](Import &d) { d.bits = 0; }},
        {kHost, kNv12, "desc.bits", VMAFX_E_INVALID, "NV12", [](Import &d) { d.bits = 10; }},
        {kHost, k420, "desc.plane_count", VMAFX_E_INVALID, "3",
         [](Import &d) { d.plane_count = 2; }},
        {kHost, k420, "desc.plane_count", VMAFX_E_INVALID, "0",
         [](Import &d) { d.plane_count = 0; }},
        {kBuffer, kNv12, "desc.plane_count", VMAFX_E_INVALID, "2",
         [](Import &d) { d.plane_count = 200; }},
        {kHost, k420, "desc.flags", VMAFX_E_INVALID, "0x80", [](Import &d) { d.flags = 0x80; }},
        {kHost, k420, "desc.memory", VMAFX_E_INVALID, "77", [](Import &d) { d.memory = 77; }},
        {kHost, k420, "desc.memory", VMAFX_E_NOTSUP, "GL_TEXTURE",
         [](Import &d) { d.memory = VMAFX_MEMORY_GL_TEXTURE; }},
        {kPointer, k420, "desc.flags", VMAFX_E_NOTSUP, "ALLOW_COPY",
         [](Import &d) { d.memory = VMAFX_MEMORY_DEVICE_ARRAY; }},
        {kPointer, VMAFX_LAYOUT_400, "desc.flags", VMAFX_E_NOTSUP, "ALLOW_COPY",
         [](Import &d) { d.memory = VMAFX_MEMORY_DEVICE_ARRAY; }},
        {kHost, k420, "desc.matrix", VMAFX_E_RANGE, "257", [](Import &d) { d.matrix = 257; }},
        {kBuffer, kNv12, "desc.transfer", VMAFX_E_RANGE, "256",
         [](Import &d) { d.transfer = 256; }},
        {kHost, k420, "desc.range", VMAFX_E_INVALID, "3", [](Import &d) { d.range = 3; }},
        {kHost, k420, "desc.reserved", VMAFX_E_INVALID, "1", [](Import &d) { d.reserved = 1; }},
        {kHost, k420, "desc", VMAFX_E_ABI, "INIT", [](Import &d) { d.struct_size = 0; }},
        {kHost, k420, "desc", VMAFX_E_ABI, "INIT", [](Import &d) { d.struct_size = 100; }},
    };
    return cases;
}

void as_arrays(Import &desc)
{
    desc.memory = VMAFX_MEMORY_DEVICE_ARRAY;
    for (VmafxPlane &plane : desc.plane)
        plane.offset = plane.pitch = plane.size = 0;
}

const std::vector<Case> &plane_cases()
{
    static const std::vector<Case> cases = {
        {kHost, k420, "desc.plane[0].address", VMAFX_E_INVALID, "address",
         [](Import &d) { d.plane[0].address = nullptr; }},
        {kPointer, k420, "desc.plane[2].address", VMAFX_E_INVALID, "address",
         [](Import &d) { d.plane[2].address = nullptr; }},
        {kPointer, k420, "desc.plane[1].address", VMAFX_E_RANGE, "last address",
         [](Import &d) { d.plane[1].address = reinterpret_cast<void *>(UINTPTR_MAX - 100); }},
        {kHost, k420, "desc.plane[0].address", VMAFX_E_RANGE, "last address",
         [](Import &d) { d.plane[0].address = reinterpret_cast<void *>(UINTPTR_MAX); }},
        {kHost, k420, "desc.plane[0].pitch", VMAFX_E_RANGE, "96",
         [](Import &d) { d.plane[0].pitch = kWidth - 1; }},
        {kPointer, kNv12, "desc.plane[1].pitch", VMAFX_E_RANGE, "0",
         [](Import &d) { d.plane[1].pitch = 0; }},
        {kBuffer, k420, "desc.plane[1].pitch", VMAFX_E_RANGE, "48",
         [](Import &d) { d.plane[1].pitch = kWidth / 2 - 1; }},
        {kBuffer, k420, "desc.plane[0].pitch", VMAFX_E_RANGE, "pitch",
         [](Import &d) { d.plane[0].pitch = UINT64_MAX; }},
        {kBuffer, k420, "desc.plane[0].pitch", VMAFX_E_RANGE, "pitch",
         [](Import &d) { d.plane[0].pitch = UINT64_C(1) << 63; }},
        {kBuffer, k420, "desc.plane[0].offset", VMAFX_E_RANGE, "offset",
         [](Import &d) { d.plane[0].offset = UINT64_MAX; }},
        {kBuffer, k420, "desc.plane[2].size", VMAFX_E_RANGE, "plane 2 ends at",
         [](Import &d) { d.plane[2].offset += 1; }},
        {kBuffer, kNv12, "desc.plane[1].size", VMAFX_E_RANGE, "plane 1 ends at",
         [](Import &d) { d.plane[1].offset = 1 << 20; }},
        {kBuffer, k420, "desc.plane[0].size", VMAFX_E_RANGE, "plane 0 ends at",
         [](Import &d) { d.height = VMAFX_MAX_SIZE; }},
        {kBuffer, k420, "desc.plane[0].size", VMAFX_E_RANGE, "has",
         [](Import &d) { d.plane[0].size = 1 << 30; }},
        {kBuffer, k420, "desc.plane[0].size", VMAFX_E_RANGE, "plane 0 ends at",
         [](Import &d) { d.plane[0].size = 100; }},
        {kPointer, k420, "desc.plane[1].size", VMAFX_E_RANGE, "plane 1 ends at",
         [](Import &d) { d.plane[1].size = kWidth / 2 * kHeight / 2 - 1; }},
        {kHost, k420, "desc.plane[0].size", VMAFX_E_RANGE, "plane 0 ends at",
         [](Import &d) { d.plane[0].size = kWidth * kHeight - 1; }},
        {kBuffer, k420, "desc.plane[0].modifier", VMAFX_E_NOTSUP, "0x0200000000082305",
         [](Import &d) { d.plane[0].modifier = UINT64_C(0x0200000000082305); }},
        {kBuffer, kNv12, "desc.plane[1].modifier", VMAFX_E_NOTSUP, "0x00ffffffffffffff",
         [](Import &d) { d.plane[1].modifier = UINT64_C(0x00ffffffffffffff); }},
        {kBuffer, k420, "desc.plane[0].fd", VMAFX_E_INVALID, "-1",
         [](Import &d) { d.plane[0].fd = -1; }},
        {kBuffer, k420, "desc.plane[1].fd", VMAFX_E_INVALID, "descriptor",
         [](Import &d) { d.plane[1].fd = 987654; }},
        {kPointer, k420, "desc.plane[1].fd", VMAFX_E_INVALID, "set it to 0",
         [](Import &d) { d.plane[1].fd = 5; }},
        {kHost, k420, "desc.plane[0].fd", VMAFX_E_INVALID, "set it to 0",
         [](Import &d) { d.plane[0].fd = -1; }},
        {kBuffer, k420, "desc.plane[2].address", VMAFX_E_INVALID, "NULL",
         [](Import &d) { d.plane[2].address = &d; }},
        {kBuffer, k420, "desc.plane[0].texture", VMAFX_E_INVALID, "9",
         [](Import &d) { d.plane[0].texture = 9; }},
        {kHost, kNv12, "desc.plane[1].texture", VMAFX_E_INVALID, "texture",
         [](Import &d) { d.plane[1].texture = 1; }},
        {kPointer, k420, "desc.plane[0].modifier", VMAFX_E_NOTSUP, "modifier",
         [](Import &d) { d.plane[0].modifier = 1; }},
        {kPointer, kNv12, "desc.plane[0].offset", VMAFX_E_INVALID, "set it to 0",
         [](Import &d) {
             as_arrays(d);
             d.plane[0].offset = 64;
         }},
        {kPointer, kNv12, "desc.plane[1].pitch", VMAFX_E_INVALID, "set it to 0",
         [](Import &d) {
             as_arrays(d);
             d.plane[1].pitch = 96;
         }},
        {kPointer, kNv12, "desc.plane[0].size", VMAFX_E_INVALID, "set it to 0",
         [](Import &d) {
             as_arrays(d);
             d.plane[0].size = 96 * 64;
         }},
        {kPointer, kNv12, "desc.plane[0].address", VMAFX_E_INVALID, "hipArray_t", as_arrays},
    };
    return cases;
}

const std::vector<Case> &fence_cases()
{
    static const std::vector<Case> cases = {
        {kBuffer, k420, "desc.acquire.kind", VMAFX_E_INVALID, "9",
         [](Import &d) { d.acquire.kind = 9; }},
        {kBuffer, k420, "desc.acquire.kind", VMAFX_E_INVALID, "4294967295",
         [](Import &d) { d.acquire.kind = UINT32_MAX; }},
        {kHost, k420, "desc.acquire.kind", VMAFX_E_NOTSUP, "HOST",
         [](Import &d) { d.acquire = {VMAFX_FENCE_HIP_EVENT, 0, &d}; }},
        {kBuffer, k420, "desc.acquire.kind", VMAFX_E_NOTSUP, "GL_SYNC",
         [](Import &d) { d.acquire = {VMAFX_FENCE_GL_SYNC, 0, &d}; }},
        {kBuffer, k420, "desc.acquire.handle", VMAFX_E_INVALID, "HIP_EVENT",
         [](Import &d) { d.acquire = {VMAFX_FENCE_HIP_EVENT, 0, nullptr}; }},
        {kBuffer, k420, "desc.acquire.handle", VMAFX_E_INVALID, "event",
         [](Import &d) { d.acquire = {VMAFX_FENCE_HIP_EVENT, 0, &d}; }},
        {kBuffer, k420, "desc.acquire.fd", VMAFX_E_INVALID, "set it to 0",
         [](Import &d) { d.acquire = {VMAFX_FENCE_HIP_EVENT, 7, &d}; }},
        {kBuffer, k420, "desc.acquire.fd", VMAFX_E_INVALID, "set it to 0",
         [](Import &d) { d.acquire = {VMAFX_FENCE_HOST, -1, &d}; }},
        {kBuffer, k420, "desc.acquire.handle", VMAFX_E_INVALID, "NULL",
         [](Import &d) { d.acquire = {VMAFX_FENCE_SYNC_FILE, 7, &d}; }},
        {kBuffer, k420, "desc.acquire.kind", VMAFX_E_INVALID, "set the kind",
         [](Import &d) { d.acquire.fd = 3; }},
        {kBuffer, k420, "desc.release_fence.kind", VMAFX_E_INVALID, "set the kind",
         [](Import &d) { d.release_fence.handle = &d; }},
        {kBuffer, k420, "desc.acquire.handle", VMAFX_E_INVALID, "handle",
         [](Import &d) { d.acquire.kind = VMAFX_FENCE_HOST; }},
        {kBuffer, k420, "desc.acquire.fd", VMAFX_E_INVALID, "-1",
         [](Import &d) {
             d.acquire.kind = VMAFX_FENCE_SYNC_FILE;
             d.acquire.fd = -1;
         }},
        {kBuffer, k420, "desc.acquire.fd", VMAFX_E_INVALID, "sync_file",
         [](Import &d) {
             d.acquire.kind = VMAFX_FENCE_SYNC_FILE;
             d.acquire.fd = d.plane[0].fd; /* a memfd */
         }},
        {kBuffer, k420, "desc.release_fence.kind", VMAFX_E_INVALID, "9",
         [](Import &d) { d.release_fence.kind = 9; }},
        {kBuffer, k420, "desc.release_fence.kind", VMAFX_E_NOTSUP, "SYNC_FILE",
         [](Import &d) { d.release_fence = {VMAFX_FENCE_SYNC_FILE, 7, nullptr}; }},
        {kBuffer, k420, "desc.release_fence.kind", VMAFX_E_NOTSUP, "GL_SYNC",
         [](Import &d) { d.release_fence = {VMAFX_FENCE_GL_SYNC, 0, &d}; }},
        {kBuffer, k420, "desc.release_fence.handle", VMAFX_E_INVALID, "HIP_EVENT",
         [](Import &d) { d.release_fence = {VMAFX_FENCE_HIP_EVENT, 0, nullptr}; }},
        {kPointer, k420, "desc.release_fence.handle", VMAFX_E_INVALID, "event",
         [](Import &d) { d.release_fence = {VMAFX_FENCE_HIP_EVENT, 0, &d}; }},
        {kBuffer, k420, "desc.release_fence.fd", VMAFX_E_INVALID, "set it to 0",
         [](Import &d) { d.release_fence = {VMAFX_FENCE_HIP_EVENT, 3, &d}; }},
        {kHost, k420, "desc.release_fence.kind", VMAFX_E_INVALID, "HOST",
         [](Import &d) { d.release_fence = {VMAFX_FENCE_HIP_EVENT, 0, &d}; }},
        {kBuffer, k420, "desc.release_fence.handle", VMAFX_E_INVALID, "handle",
         [](Import &d) { d.release_fence.kind = VMAFX_FENCE_HOST; }},
    };
    return cases;
}

Placement placement_of(Source source)
{
    return source == kPointer
               ? Placement{"pointers", VMAFX_MEMORY_DEVICE_POINTER, Sharing::kBufferPerPlane,
                           Spacing::kAligned}
               : Placement{"one fd", VMAFX_MEMORY_DMABUF, Sharing::kOneDescriptor, Spacing::kOdd};
}

void must_not_run(void *)
{
    abort();
}

/** A good import, which a case spoils. */
class Producer
{
  public:
    Producer(Source source, uint32_t layout)
        : picture_(natural_picture(facts_of(layout).chroma, 8, kWidth, kHeight, 1)),
          host_(picture_, facts_of(layout)),
          placed_(picture_, facts_of(layout), placement_of(source)),
          desc_(source == kHost ? host_.desc() : placed_.desc())
    {
        desc_.release = must_not_run;
    }
    Import desc() const { return desc_; }

  private:
    Picture picture_;
    HostPicture host_;
    PlacedPicture placed_;
    Import desc_;
};

void refuse_all(const std::vector<Case> &cases)
{
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    for (const Case &c : cases) {
        const Producer producer(c.source, c.layout);
        Import desc = producer.desc();
        c.spoil(desc);
        const size_t open_before = open_descriptors();
        VmafxFrame *frame = reinterpret_cast<VmafxFrame *>(1);
        assert_refused(c.status, c.subject, c.word, vmafx_frame_import, device.get(), &desc,
                       &frame);
        ck_assert_ptr_null(frame);
        frame = reinterpret_cast<VmafxFrame *>(1);
        /* With a wait the message says more, but the field stays named. */
        assert_refused(c.status, c.subject, c.status == VMAFX_E_ABI ? "" : "attempt",
                       vmafx_context_import_frame, context.get(), &desc, uint64_t{1}, &frame);
        ck_assert_ptr_null(frame);
        ck_assert_uint_eq(open_descriptors(), open_before);
    }
    const VmafxDeviceCounters counters = counters_of(device);
    ck_assert_uint_eq(counters.frames_imported + counters.frames_uploaded, 0);
}

void refuse_descriptor(const Device &device, int fd, const char *what)
{
    const Producer producer(kBuffer, kNv12);
    for (const int plane : {0, 1}) {
        Import desc = producer.desc();
        desc.plane[plane].fd = fd;
        VmafxFrame *frame = nullptr;
        VmafxError error = VMAFX_ERROR_INIT;
        const int32_t status = vmafx_frame_import(device.get(), &desc, &frame, &error);
        ck_assert_msg(status == VMAFX_E_INVALID, "%s: %s %s", what, vmafx_status_name(status),
                      error.message);
        assert_text(error.subject, "desc.plane[" + std::to_string(plane) + "].fd");
        ck_assert_msg(strstr(error.message, std::to_string(fd).c_str()) != nullptr, "%s: %s", what,
                      error.message);
    }
}

} // namespace

START_TEST(geometry_is_refused)
{
    refuse_all(geometry_cases());
}
END_TEST

START_TEST(planes_are_refused)
{
    refuse_all(plane_cases());
}
END_TEST

START_TEST(fences_are_refused)
{
    refuse_all(fence_cases());
}
END_TEST

START_TEST(descriptors_that_are_no_buffer_are_refused)
{
    const Device device = open_cpu_device();
    int ends[2];
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    const Descriptor reading(ends[0]), writing(ends[1]);
    refuse_descriptor(device, reading.get(), "pipe");
    refuse_descriptor(device, writing.get(), "pipe's end");
    refuse_descriptor(device, Descriptor(eventfd(0, EFD_CLOEXEC)).get(), "eventfd");
    refuse_descriptor(device, Descriptor(open("/proc/self/exe", O_RDONLY | O_CLOEXEC)).get(),
                      "regular file");
    refuse_descriptor(device, Descriptor(open("/", O_RDONLY | O_CLOEXEC)).get(), "directory");
    refuse_descriptor(device, Descriptor(open("/dev/null", O_RDWR | O_CLOEXEC)).get(), "device");
    const int closed = fcntl(reading.get(), F_DUPFD_CLOEXEC, 500); /* no other takes the number */
    close(closed);
    refuse_descriptor(device, closed, "closed descriptor");
}
END_TEST

START_TEST(empty_buffer_is_refused)
{
    const Device device = open_cpu_device();
    const Descriptor empty = create_memfd({});
    const Producer producer(kBuffer, kNv12);
    Import desc = producer.desc();
    desc.plane[0].fd = empty.get();
    VmafxFrame *frame = nullptr;
    assert_refused(VMAFX_E_RANGE, "desc.plane[0].size", "plane 0 ends at", vmafx_frame_import,
                   device.get(), &desc, &frame);
}
END_TEST

START_TEST(pipe_as_acquire_fence_is_refused)
{
    const Device device = open_cpu_device();
    int ends[2];
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    const Descriptor reading(ends[0]), writing(ends[1]);
    const Producer producer(kBuffer, kNv12);
    Import desc = producer.desc();
    desc.acquire.kind = VMAFX_FENCE_SYNC_FILE;
    desc.acquire.fd = reading.get();
    VmafxFrame *frame = nullptr;
    assert_refused(VMAFX_E_INVALID, "desc.acquire.fd", "sync_file", vmafx_frame_import,
                   device.get(), &desc, &frame);
    const Context context = create_context(device);
    assert_refused(VMAFX_E_INVALID, "desc.acquire.fd", "sync_file", vmafx_context_import_frame,
                   context.get(), &desc, uint64_t{0}, &frame);
}
END_TEST

START_TEST(host_memory_takes_no_release_fence)
{
    const Device device = open_cpu_device();
    Fence fence;
    must(vmafx_fence_create, fence.out());
    const Producer producer(kHost, kNv12);
    Import desc = producer.desc();
    desc.release_fence.kind = VMAFX_FENCE_HOST;
    desc.release_fence.handle = fence.get();
    VmafxFrame *frame = nullptr;
    assert_refused(VMAFX_E_INVALID, "desc.release_fence.kind", "HOST", vmafx_frame_import,
                   device.get(), &desc, &frame);
}
END_TEST

START_TEST(wait_limit_of_an_import)
{
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    const Producer producer(kHost, kNv12);
    Import desc = producer.desc();
    VmafxFrame *frame = nullptr;
    assert_refused(VMAFX_E_RANGE, "timeout_ns", "600000000000", vmafx_context_import_frame,
                   context.get(), &desc, UINT64_C(600'000'000'001), &frame);
}
END_TEST

/* What was refused leaves the device and the buffer as they were. */
START_TEST(good_import_after_refusals)
{
    const Device device = open_cpu_device();
    const Producer producer(kBuffer, kNv12);
    Import desc = producer.desc();
    desc.plane[1].offset = UINT64_C(1) << 30;
    VmafxFrame *refused = nullptr;
    assert_refused(VMAFX_E_RANGE, "desc.plane[1].size", "ends", vmafx_frame_import, device.get(),
                   &desc, &refused);
    desc = producer.desc();
    desc.release = nullptr;
    const Frame frame = import_frame(device, desc);
    ck_assert_ptr_nonnull(frame.get());
}
END_TEST

/* A caller built against a later, larger struct whose new fields are zero is served. */
START_TEST(larger_struct_is_taken)
{
    const Device device = open_cpu_device();
    const Producer producer(kHost, kNv12);
    struct {
        Import desc;
        uint64_t later;
    } caller = {producer.desc(), 0};
    caller.desc.release = nullptr;
    caller.desc.struct_size = sizeof caller;
    const Frame frame = import_frame(device, caller.desc);
    ck_assert_ptr_nonnull(frame.get());
    caller.later = 1;
    VmafxFrame *refused = nullptr;
    assert_refused(VMAFX_E_NOTSUP, "desc", "field", vmafx_frame_import, device.get(), &caller.desc,
                   &refused);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("import refusals");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, geometry_is_refused);
    tcase_add_test(tcase, planes_are_refused);
    tcase_add_test(tcase, fences_are_refused);
    tcase_add_test(tcase, descriptors_that_are_no_buffer_are_refused);
    tcase_add_test(tcase, empty_buffer_is_refused);
    tcase_add_test(tcase, pipe_as_acquire_fence_is_refused);
    tcase_add_test(tcase, host_memory_takes_no_release_fence);
    tcase_add_test(tcase, wait_limit_of_an_import);
    tcase_add_test(tcase, good_import_after_refusals);
    tcase_add_test(tcase, larger_struct_is_taken);
    return run_tests(tcase, "import refusals");
}
