/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/shared_memory.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/handles.h"

namespace support
{

namespace
{

constexpr std::chrono::seconds kReleaseBound{20};

} // namespace

Descriptor::Descriptor(int fd) : fd_(fd)
{
    if (fd < 0)
        throw std::runtime_error("no descriptor");
}

Descriptor::Descriptor(Descriptor &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

Descriptor::~Descriptor()
{
    if (fd_ >= 0)
        close(fd_);
}

Descriptor Descriptor::duplicate() const
{
    return Descriptor(fcntl(fd_, F_DUPFD_CLOEXEC, 0));
}

Descriptor create_memfd(std::span<const uint8_t> contents)
{
    Descriptor memfd(memfd_create("picture", MFD_CLOEXEC));
    overwrite(memfd, contents);
    return memfd;
}

void overwrite(const Descriptor &buffer, std::span<const uint8_t> contents)
{
    size_t done = 0;
    while (done < contents.size()) {
        const ssize_t n = pwrite(buffer.get(), contents.data() + done, contents.size() - done,
                                 static_cast<off_t>(done));
        if (n <= 0)
            return overwrite_mapping(buffer, 0, contents); /* a dma-buf has no call to write */
        done += static_cast<size_t>(n);
    }
}

void overwrite_mapping(const Descriptor &file, uint64_t offset, std::span<const uint8_t> contents)
{
    void *memory = mmap(nullptr, contents.size(), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(),
                        static_cast<off_t>(offset));
    if (memory == MAP_FAILED)
        throw std::runtime_error("cannot write a buffer");
    std::memcpy(memory, contents.data(), contents.size());
    munmap(memory, contents.size());
}

void Releases::callback(void *opaque)
{
    auto *self = static_cast<Releases *>(opaque);
    const std::lock_guard lock(self->lock_);
    ++self->count_;
    self->changed_.notify_all();
}

bool Releases::wait_for(uint64_t wanted)
{
    std::unique_lock lock(lock_);
    return changed_.wait_for(lock, kReleaseBound, [&] { return count_ >= wanted; });
}

uint64_t Releases::count()
{
    const std::lock_guard lock(lock_);
    return count_;
}

VmafxFrameImport Releases::counted(VmafxFrameImport desc)
{
    desc.release = callback;
    desc.release_opaque = this;
    return desc;
}

size_t open_descriptors()
{
    /* The iteration itself holds one, at every call. */
    const std::filesystem::directory_iterator entries("/proc/self/fd");
    return static_cast<size_t>(std::distance(begin(entries), end(entries)));
}

namespace
{

constexpr Placement kImports[] = {
    {"pointers", VMAFX_MEMORY_DEVICE_POINTER, Sharing::kBufferPerPlane, Spacing::kAligned},
    {"tight pointers", VMAFX_MEMORY_DEVICE_POINTER, Sharing::kBufferPerPlane, Spacing::kTight},
    {"odd pointers", VMAFX_MEMORY_DEVICE_POINTER, Sharing::kBufferPerPlane, Spacing::kOdd},
    {"one pointer, odd offsets", VMAFX_MEMORY_DEVICE_POINTER, Sharing::kOneDescriptor,
     Spacing::kOddOffsets},
    {"one pointer, odd pitches", VMAFX_MEMORY_DEVICE_POINTER, Sharing::kOneDescriptor,
     Spacing::kOddPitches},
    {"one pointer, odd", VMAFX_MEMORY_DEVICE_POINTER, Sharing::kOneDescriptor, Spacing::kOdd},
    {"one fd", VMAFX_MEMORY_DMABUF, Sharing::kOneDescriptor, Spacing::kAligned},
    {"one fd, tight", VMAFX_MEMORY_DMABUF, Sharing::kOneDescriptor, Spacing::kTight},
    {"one fd, odd offsets", VMAFX_MEMORY_DMABUF, Sharing::kOneDescriptor, Spacing::kOddOffsets},
    {"one fd, odd pitches", VMAFX_MEMORY_DMABUF, Sharing::kOneDescriptor, Spacing::kOddPitches},
    {"one fd, odd", VMAFX_MEMORY_DMABUF, Sharing::kOneDescriptor, Spacing::kOdd},
    {"duplicated fds", VMAFX_MEMORY_DMABUF, Sharing::kDuplicateDescriptor, Spacing::kAligned},
    {"duplicated fds, odd", VMAFX_MEMORY_DMABUF, Sharing::kDuplicateDescriptor, Spacing::kOdd},
    {"fd per plane", VMAFX_MEMORY_DMABUF, Sharing::kBufferPerPlane, Spacing::kAligned},
    {"fd per plane, odd", VMAFX_MEMORY_DMABUF, Sharing::kBufferPerPlane, Spacing::kOdd},
};

constexpr Placement kUploads[] = {
    {"host", VMAFX_MEMORY_HOST, Sharing::kBufferPerPlane, Spacing::kTight},
    {"host, odd", VMAFX_MEMORY_HOST, Sharing::kBufferPerPlane, Spacing::kOdd},
};

bool odd_offsets(Spacing spacing)
{
    return spacing == Spacing::kOdd || spacing == Spacing::kOddOffsets;
}

bool odd_pitches(Spacing spacing)
{
    return spacing == Spacing::kOdd || spacing == Spacing::kOddPitches;
}

size_t pitch_of(Spacing spacing, size_t row_bytes, size_t plane)
{
    if (odd_pitches(spacing))
        return (row_bytes + 7 + 2 * plane) | 1;
    return spacing == Spacing::kTight ? row_bytes : (row_bytes + 63) / 64 * 64;
}

/** The first such offset behind what the buffer has. */
size_t offset_of(Spacing spacing, size_t bytes)
{
    if (odd_offsets(spacing))
        return (bytes + 5) | 1;
    return spacing == Spacing::kTight ? bytes : (bytes + 255) / 256 * 256;
}

} // namespace

const std::vector<Placement> &all_placements()
{
    static const std::vector<Placement> placements = [] {
        std::vector<Placement> taken;
        for (const Placement &placement : kImports)
            if (placement.memory != VMAFX_MEMORY_DMABUF || takes_memfds())
                taken.push_back(placement);
        return taken;
    }();
    return placements;
}

const std::vector<Placement> &host_placements()
{
    static const std::vector<Placement> placements(std::begin(kUploads), std::end(kUploads));
    return placements;
}

PlacedPicture::PlacedPicture(const Picture &picture, const LayoutFacts &layout,
                             const Placement &placement, const CreateBuffer &create_buffer)
    : layout_(layout), spacing_(placement.spacing),
      desc_(describe(picture, layout, placement.memory))
{
    for (size_t i = 0; i < desc_.plane_count; ++i)
        buffer_of_.push_back(placement.sharing == Sharing::kBufferPerPlane ? i : 0);
    contents_.resize(buffer_of_.back() + 1);
    place(picture);
    if (placement.memory == VMAFX_MEMORY_DMABUF)
        bind_descriptors(placement.sharing, create_buffer);
    else
        bind_addresses();
}

void PlacedPicture::place(const Picture &picture)
{
    const std::vector<PackedPlane> planes = pack(picture, layout_);
    std::mt19937 random(static_cast<uint32_t>(planes.size()) + picture.width);
    for (auto &buffer : contents_)
        buffer.clear();
    for (size_t i = 0; i < planes.size(); ++i) {
        const PackedPlane &plane = planes[i];
        std::vector<uint8_t> &buffer = contents_[buffer_of_[i]];
        const auto garbage_up_to = [&](size_t end) {
            while (buffer.size() < end)
                buffer.push_back(static_cast<uint8_t>(random()));
        };
        const size_t pitch = pitch_of(spacing_, plane.row_bytes, i);
        garbage_up_to(offset_of(spacing_, buffer.size()));
        desc_.plane[i].offset = buffer.size();
        desc_.plane[i].pitch = pitch;
        for (uint32_t y = 0; y < plane.rows; ++y) {
            garbage_up_to(desc_.plane[i].offset + y * pitch);
            const auto row = plane.bytes.begin() + static_cast<std::ptrdiff_t>(y * plane.row_bytes);
            buffer.insert(buffer.end(), row, row + static_cast<std::ptrdiff_t>(plane.row_bytes));
        }
        /* The buffer ends with the last sample of its last plane: nothing behind may be read. */
    }
    for (auto &buffer : contents_)
        buffer.shrink_to_fit();
}

void PlacedPicture::bind_addresses()
{
    /* The CPU reads host memory, where a checker of accesses sees each byte too many. */
    const bool host = desc_.memory == VMAFX_MEMORY_HOST || test_runtime() == VMAFX_RUNTIME_CPU;
    for (size_t i = 0; !host && i < contents_.size(); ++i)
        memories_.emplace_back(contents_[i]);
    for (size_t i = 0; i < desc_.plane_count; ++i) {
        const size_t buffer = buffer_of_[i];
        desc_.plane[i].address = host ? contents_[buffer].data() : memories_[buffer].address();
        desc_.plane[i].size = spacing_ == Spacing::kAligned ? 0 : contents_[buffer].size();
    }
}

void PlacedPicture::bind_descriptors(Sharing sharing, const CreateBuffer &create_buffer)
{
    for (const auto &buffer : contents_)
        descriptors_.push_back(create_buffer(buffer));
    for (size_t i = 0; i < desc_.plane_count; ++i) {
        if (sharing == Sharing::kDuplicateDescriptor && i > 0) {
            duplicates_.push_back(descriptors_[0].duplicate());
            desc_.plane[i].fd = duplicates_.back().get();
        } else {
            desc_.plane[i].fd = descriptors_[buffer_of_[i]].get();
        }
    }
}

VmafxFrameImport PlacedPicture::luma_desc() const
{
    VmafxFrameImport desc = desc_;
    desc.plane_count = 1;
    return desc;
}

void PlacedPicture::refill(const Picture &picture)
{
    if (descriptors_.empty())
        throw std::runtime_error("only shared buffers are refilled");
    place(picture);
    for (size_t i = 0; i < descriptors_.size(); ++i)
        overwrite(descriptors_[i], contents_[i]);
}

} // namespace support
