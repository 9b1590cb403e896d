/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Owners of the HIP objects that the library uses. Constructors throw Failure; destructors log what
 * fails. Each refers to its Runtime, which has to outlive it. Creating calls act on the thread's
 * current device: hold a DeviceGuard.
 */
#ifndef VMAFX_HIP_OBJECTS_H
#define VMAFX_HIP_OBJECTS_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "hip/runtime.h"

namespace vmafx::hip
{

/**
 * Makes a device the thread's current one for a scope. The current device is per thread and belongs
 * to the caller's program too, so that it is put back at the end.
 */
class DeviceGuard
{
  public:
    DeviceGuard(const Runtime &runtime, int ordinal);
    ~DeviceGuard();
    DeviceGuard(const DeviceGuard &) = delete;
    DeviceGuard &operator=(const DeviceGuard &) = delete;

  private:
    const Runtime &runtime_;
    int previous_ = 0;
    bool changed_ = false;
};

/** A handle and its runtime; Release is called with both. Empty when made by default or moved from.
 */
template <typename Handle, void (*Release)(const Runtime &, Handle)> class Owned
{
  public:
    Owned() = default;
    Owned(const Runtime &runtime, Handle handle) : runtime_(&runtime), handle_(handle) {}
    Owned(Owned &&other) noexcept
        : runtime_(other.runtime_), handle_(std::exchange(other.handle_, nullptr))
    {
    }
    Owned &operator=(Owned &&other) noexcept
    {
        Owned taken(std::move(other));
        std::swap(runtime_, taken.runtime_);
        std::swap(handle_, taken.handle_);
        return *this;
    }
    ~Owned()
    {
        if (handle_)
            Release(*runtime_, handle_);
    }

    explicit operator bool() const { return handle_ != nullptr; }
    Handle get() const { return handle_; }
    /** Gives the handle up; the caller releases it. */
    Handle release() { return std::exchange(handle_, nullptr); }
    const Runtime &runtime() const { return *runtime_; }

  private:
    const Runtime *runtime_ = nullptr;
    Handle handle_ = nullptr;
};

void release_stream(const Runtime &runtime, hipStream_t stream);
void release_event(const Runtime &runtime, hipEvent_t event);
void release_device_memory(const Runtime &runtime, void *memory);
void release_pinned_memory(const Runtime &runtime, void *memory);
void release_module(const Runtime &runtime, hipModule_t module);
void release_external_memory(const Runtime &runtime, hipExternalMemory_t memory);

/** Whether the work ahead of the event's last record is done. HIP says so too of an event never
 * recorded. */
bool event_done(const Runtime &runtime, hipEvent_t event);

class Event : public Owned<hipEvent_t, release_event>
{
  public:
    Event() = default;
    /** flags: event_disable_timing and so on. */
    Event(const Runtime &runtime, unsigned int flags);

    void record(hipStream_t stream);
    /** See event_done(). */
    bool done() const { return event_done(runtime(), get()); }
    /** Blocks the thread until done. */
    void wait() const;
};

/** A stream that does not wait for the null stream. */
class Stream : public Owned<hipStream_t, release_stream>
{
  public:
    Stream() = default;
    explicit Stream(const Runtime &runtime);
    /** Takes a stream over; release() gives it back. */
    Stream(const Runtime &runtime, hipStream_t stream) : Owned(runtime, stream) {}

    /** Work enqueued from here on waits for the event. */
    void wait_for(hipEvent_t event);
    /** The event stands for all that is enqueued so far. */
    void record(hipEvent_t event);
    /** Hands what is enqueued to the device. CUDA has it as soon as it is enqueued. */
    void submit();
    /** The same, and whether nothing is left to do. */
    bool idle();
    /** Blocks the thread until all work is done. */
    void synchronize();
    /**
     * Calls function(opaque) on a thread of the runtime once the work ahead of it is done. It must
     * not call HIP.
     */
    void call(hipHostFn_t function, void *opaque);
};

/** Memory from hipMalloc. Releasing it waits for the device: never on an import or submit path. */
class DeviceMemory : public Owned<void *, release_device_memory>
{
  public:
    DeviceMemory() = default;
    DeviceMemory(const Runtime &runtime, size_t bytes);

    size_t size() const { return get() ? size_ : 0; }

  private:
    size_t size_ = 0;
};

/** Host memory that the device reads and writes. */
class PinnedMemory : public Owned<void *, release_pinned_memory>
{
  public:
    PinnedMemory() = default;
    PinnedMemory(const Runtime &runtime, size_t bytes);

    std::span<std::byte> bytes() const
    {
        return {static_cast<std::byte *>(get()), get() ? size_ : 0};
    }

  private:
    size_t size_ = 0;
};

/** A code object, loaded on the device that was current. */
class Module : public Owned<hipModule_t, release_module>
{
  public:
    Module() = default;
    /** The runtime may read the image as long as the module lives. */
    Module(const Runtime &runtime, std::span<const std::byte> image);

    /** Valid as long as the module. Throws VMAFX_E_INTERNAL for a name that the module lacks. */
    hipFunction_t function(const char *name) const;
    /** nullptr: it is not there. */
    hipFunction_t find(const char *name) const;
};

struct LaunchShape {
    uint32_t grid_x = 1; /* in work-groups */
    uint32_t grid_y = 1;
    uint32_t grid_z = 1;
    uint32_t threads = 1; /* of a work-group */
};

/** Enqueues a kernel with its arguments packed as the kernel sees them. They are copied. */
void launch(const Runtime &runtime, hipFunction_t function, const LaunchShape &shape,
            hipStream_t stream, std::span<const std::byte> arguments);

/** A file descriptor's memory, mapped for the device. */
class ExternalMemory
{
  public:
    ExternalMemory() = default;
    /**
     * Maps all of the buffer. The descriptor stays the caller's and may be closed afterwards. The
     * runtime does not check the size: it has to be the buffer's own, and not 0.
     */
    ExternalMemory(const Runtime &runtime, int fd, uint64_t size);

    void *address() const { return mapping_.get(); }
    uint64_t size() const { return size_; }

  private:
    /* Released in reverse: the mapping first. It waits for the device. */
    Owned<hipExternalMemory_t, release_external_memory> memory_;
    Owned<void *, release_device_memory> mapping_;
    uint64_t size_ = 0;
};

} // namespace vmafx::hip

#endif
