/* SPDX-License-Identifier: BSD-2-Clause */
#include "scenarios.h"

#include <array>
#include <cstring>
#include <memory>

#include <unistd.h>

#include "support/picture.h"
#include "support/producer_stream.h"
#include "support/shared_memory.h"

using namespace support;

namespace
{

using Pool = Handle<VmafxFramePool, vmafx_frame_pool_close>;
using PoolFrame = Handle<VmafxPoolFrame, vmafx_pool_frame_close>;

constexpr uint32_t kWidth = 64, kHeight = 48;
constexpr size_t kFrames = 3;

const Placement &placement(const std::string &name)
{
    for (const Placement &placement : all_placements())
        if (name == placement.name)
            return placement;
    throw std::runtime_error("no placement " + name);
}

struct Clip {
    std::deque<Picture> pictures; /* reference, distorted, reference, ... */
    std::deque<HostPicture> host;
    std::deque<PlacedPicture> pointers, one_fd, fd_per_plane;

    explicit Clip(const LayoutFacts &layout)
    {
        const uint32_t bits = layout.bits ? layout.bits : 8;
        for (uint32_t i = 0; i < kFrames; ++i) {
            pictures.push_back(natural_picture(layout.chroma, bits, kWidth, kHeight, i + 1));
            pictures.push_back(distorted(pictures.back(), i + 50));
        }
        for (const Picture &picture : pictures) {
            host.emplace_back(picture, layout);
            pointers.emplace_back(picture, layout, placement("odd pointers"));
            one_fd.emplace_back(picture, layout, placement("one fd"));
            fd_per_plane.emplace_back(picture, layout, placement("fd per plane"));
        }
    }
};

struct Pictures {
    Clip planar{facts_of(VMAFX_LAYOUT_420)};
    Clip nv12{facts_of(VMAFX_LAYOUT_NV12)};
    Clip p010{facts_of(VMAFX_LAYOUT_P010)};

    static const Pictures &get()
    {
        static const Pictures pictures;
        return pictures;
    }
};

/** A producer's stream, events and arrays. */
struct Producer {
    ProducerStream stream;
    ProducerEvent written; /* recorded behind all writes */
    std::array<ProducerEvent, 2 * kFrames> read;
    std::deque<ArrayPicture> planar_arrays, nv12_arrays;

    Producer()
    {
        stream.record(written);
        stream.finish();
        for (const Picture &picture : Pictures::get().nv12.pictures) {
            planar_arrays.emplace_back(picture, facts_of(VMAFX_LAYOUT_420));
            nv12_arrays.emplace_back(picture, facts_of(VMAFX_LAYOUT_NV12));
        }
    }

    static const Producer &get()
    {
        static const Producer producer;
        return producer;
    }
};

Context create_session(Trial &trial, const Device &device, uint32_t lanes = 0, uint32_t flags = 0)
{
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    desc.lanes = lanes;
    desc.flags = flags;
    Context context = trial.create<Context>(vmafx_context_create, device.get(), &desc);
    use_everything(context);
    return context;
}

/** Scores a clip, all of it. */
template <class Sources>
void score(Trial &trial, const Device &device, const Sources &sources, bool fenced = false,
           uint32_t lanes = 0, uint32_t flags = 0)
{
    const Context context = create_session(trial, device, lanes, flags);
    for (size_t i = 0; i < kFrames; ++i) {
        const Frame reference = trial.import(device, sources[2 * i].desc(), fenced);
        const Frame distorted = trial.import(device, sources[2 * i + 1].desc(), fenced, &context);
        trial.submit(context, reference, distorted, i);
    }
    trial.finish(context, kFrames);
}

void host_planes(Trial &trial)
{
    const Device device = trial.open();
    score(trial, device, Pictures::get().planar.host);
}

void host_semi_planar(Trial &trial)
{
    const Device device = trial.open();
    score(trial, device, Pictures::get().p010.host);
}

void pointers(Trial &trial)
{
    const Device device = trial.open();
    score(trial, device, Pictures::get().nv12.pointers);
}

void planar_buffers(Trial &trial)
{
    const Device device = trial.open();
    score(trial, device, Pictures::get().planar.fd_per_plane, true);
}

void semi_planar_buffers(Trial &trial)
{
    const Device device = trial.open();
    score(trial, device, Pictures::get().p010.one_fd);
}

/* Streams of their own for two pairs, before which or behind which imports and releases are. */
void lanes(Trial &trial)
{
    const Device device = trial.open();
    score(trial, device, Pictures::get().p010.fd_per_plane, true, 2);
}

void lanes_released_early(Trial &trial)
{
    const Device device = trial.open();
    score(trial, device, Pictures::get().nv12.one_fd, true, 2, VMAFX_CONTEXT_RELEASE_EARLY);
}

/* One import for two contexts, on two handles of the device. */
void two_contexts(Trial &trial)
{
    const auto &sources = Pictures::get().nv12.one_fd;
    const Device first = trial.open(), second = trial.open();
    const Context own = create_session(trial, first), other = create_session(trial, second, 2);
    for (size_t i = 0; i < kFrames; ++i) {
        const Frame reference = trial.import(first, sources[2 * i].desc(), true);
        const Frame distorted = trial.import(second, sources[2 * i + 1].desc());
        trial.submit(own, reference, distorted, i);
        trial.submit(other, reference, distorted, i);
    }
    trial.finish(own, kFrames);
    trial.finish(other, kFrames);
}

/* Frames that nobody scores, and buffers that change their size while they are kept. */
void changing_buffers(Trial &trial)
{
    constexpr off_t kSmall = 1 << 16, kLarge = 1 << 17;
    const Device device = trial.open();
    const std::vector<uint8_t> contents(kLarge);
    const Descriptor buffer = create_memfd(contents);
    VmafxFrameImport desc = Pictures::get().planar.one_fd[0].desc();
    for (VmafxPlane &plane : desc.plane)
        plane.fd = buffer.get();
    for (int i = 0; i < 6; ++i) {
        if (ftruncate(buffer.get(), i % 2 ? kLarge : kSmall) != 0)
            throw std::runtime_error("ftruncate");
        const Frame frame = trial.import(device, desc, i % 3 == 0);
    }
}

/** Fills the planes of a pool's frame as its producer would. */
void fill(const PoolFrame &frame, const Picture &picture, const LayoutFacts &layout)
{
    VmafxPoolFrameInfo info = VMAFX_POOL_FRAME_INFO_INIT;
    must(vmafx_pool_frame_get_info, frame.get(), &info);
    const std::vector<PackedPlane> planes = pack(picture, layout);
    for (size_t i = 0; i < planes.size(); ++i)
        for (uint32_t y = 0; y < planes[i].rows; ++y)
            std::memcpy(static_cast<char *>(info.plane[i].address) + y * info.plane[i].pitch,
                        planes[i].bytes.data() + y * planes[i].row_bytes, planes[i].row_bytes);
}

Frame produce(Trial &trial, const Pool &pool, const Picture &picture, const LayoutFacts &layout)
{
    constexpr uint64_t kBoundNs = 10'000'000'000;
    PoolFrame memory = trial.create<PoolFrame>(vmafx_frame_pool_acquire, pool.get());
    trial.call(vmafx_pool_frame_wait, memory.get(), kBoundNs);
    fill(memory, picture, layout);
    Frame frame;
    VmafxPoolFrame *handle = memory.get();
    trial.call([&](VmafxError *error) {
        return vmafx_pool_frame_submit(&handle, nullptr, frame.out(), error);
    });
    if (handle)
        trial.complain("a submitted frame is still its producer's");
    memory.forget();
    return frame;
}

void frame_pool(Trial &trial)
{
    const Clip &clip = Pictures::get().nv12;
    const LayoutFacts &layout = facts_of(VMAFX_LAYOUT_NV12);
    const Device device = trial.open();
    VmafxFramePoolDesc desc = VMAFX_FRAME_POOL_DESC_INIT;
    desc.layout = layout.layout;
    desc.width = kWidth;
    desc.height = kHeight;
    desc.frames = 6;
    const Pool pool = trial.create<Pool>(vmafx_frame_pool_create, device.get(), &desc);
    const Context context = create_session(trial, device);
    for (size_t i = 0; i < kFrames; ++i) {
        const Frame reference = produce(trial, pool, clip.pictures[2 * i], layout);
        const Frame distorted = produce(trial, pool, clip.pictures[2 * i + 1], layout);
        trial.submit(context, reference, distorted, i);
    }
    trial.finish(context, kFrames);
}

/* Not the device that is the thread's current one. */
void other_device(Trial &trial)
{
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    desc.runtime = VMAFX_RUNTIME_CPU;
    desc.index = 1;
    const Device device = trial.open(&desc);
    score(trial, device, Pictures::get().nv12.one_fd);
}

/* Fences that the device waits for, and that it signals; the cache is emptied in between. */
void events(Trial &trial)
{
    constexpr uint64_t kBoundNs = 10'000'000'000;
    const auto &sources = Pictures::get().planar.one_fd;
    const Producer &producer = Producer::get();
    const Device device = trial.open();
    const Context context = create_session(trial, device);
    const auto import_one = [&](size_t i) {
        VmafxFrameImport desc = sources[i].desc();
        desc.acquire = producer.written.fence();
        desc.release_fence = producer.read[i].fence();
        return trial.import(device, desc);
    };
    for (size_t i = 0; i < kFrames; ++i) {
        const Frame reference = import_one(2 * i), distorted = import_one(2 * i + 1);
        trial.submit(context, reference, distorted, i);
        trial.call(vmafx_device_empty_import_cache, device.get());
    }
    trial.finish(context, kFrames);
    for (const ProducerEvent &event : producer.read)
        trial.call(vmafx_device_wait_release_event, device.get(), event.handle(), kBoundNs);
}

void planar_arrays(Trial &trial)
{
    const Device device = trial.open();
    score(trial, device, Producer::get().planar_arrays, true);
}

void semi_planar_arrays(Trial &trial)
{
    const Device device = trial.open();
    score(trial, device, Producer::get().nv12_arrays);
}

void callers_stream(Trial &trial)
{
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    desc.runtime = VMAFX_RUNTIME_CPU;
    desc.external[0] = Producer::get().stream.handle();
    const Device device = trial.open(&desc);
    score(trial, device, Pictures::get().nv12.pointers);
}

void profiled(Trial &trial)
{
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    desc.runtime = VMAFX_RUNTIME_CPU;
    desc.flags = VMAFX_DEVICE_PROFILING;
    const Device device = trial.open(&desc);
    score(trial, device, Pictures::get().nv12.one_fd);
    VmafxProfileEntry entry = VMAFX_PROFILE_ENTRY_INIT;
    trial.call(vmafx_device_profile_sum, device.get(), 0u, &entry);
}

/* What is asked of a device, and a session that is closed with work on it. */
void early_close(Trial &trial)
{
    const auto &sources = Pictures::get().planar.one_fd;
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    desc.runtime = VMAFX_RUNTIME_CPU;
    desc.pci_address = "0000:00:00.0";
    desc.workers = 2;
    const Device device = trial.open(&desc);
    VmafxDeviceInfo info = VMAFX_DEVICE_INFO_INIT;
    trial.call(vmafx_device_get_info, device.get(), &info);
    const Context context = create_session(trial, device);
    const Frame reference = trial.import(device, sources[0].desc(), true);
    const Frame distorted = trial.import(device, sources[1].desc());
    trial.submit(context, reference, distorted, 0);
    const Context other = create_session(trial, device, 3);
    for (uint64_t i = 0; i < 3; ++i)
        trial.submit(other, reference, distorted, i);
}

constexpr Scenario kScenarios[] = {
    {"host planes", host_planes},
    {"host semi-planar", host_semi_planar},
    {"pointers", pointers},
    {"planar buffers", planar_buffers},
    {"semi-planar buffers", semi_planar_buffers},
    {"lanes", lanes},
    {"lanes, released early", lanes_released_early},
    {"two contexts", two_contexts},
    {"changing buffers", changing_buffers},
    {"frame pool", frame_pool},
    {"other device", other_device},
    {"events", events},
    {"planar arrays", planar_arrays},
    {"semi-planar arrays", semi_planar_arrays},
    {"caller's stream", callers_stream},
    {"profiled", profiled},
    {"early close", early_close},
};

} // namespace

std::span<const Scenario> all_scenarios()
{
    return kScenarios;
}

void prepare_pictures()
{
    (void)Pictures::get();
    (void)Producer::get();
}
