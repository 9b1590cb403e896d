/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What an import owes to its producer: a release fence, a callback, or both.
 */
#ifndef VMAFX_CORE_RELEASE_H
#define VMAFX_CORE_RELEASE_H

#include <memory>

#include <libvmafx/frame.h>

#include "core/fence.h"
#include "hip/device.h"

namespace vmafx
{

/** Until settle() it owes; destroyed before, as when an import fails, it never promised anything.
 * Does not keep its device, since it may be destroyed on a thread of the runtime; its frame does.
 */
class Release
{
  public:
    /** nullptr if nothing is owed. Throws E_BUSY "desc.release_fence.handle" for an event that
     * another frame is going to record, E_INVALID for what is no event. */
    static std::unique_ptr<Release> promise(Device &device, const VmafxFrameImport &desc);
    ~Release();
    Release(const Release &) = delete;
    Release &operator=(const Release &) = delete;

    /** Enqueues the fence behind all that is on the library stream, and sees to the callback. */
    static void settle(std::unique_ptr<Release> owed) noexcept;
    /** The same where the reads are known to be done: only an event waits for the stream. */
    static void settle_read(std::unique_ptr<Release> owed) noexcept;

  private:
    Release(Device &device, const VmafxFrameImport &desc);
    void record_event() noexcept;
    static void run(void *release); /* and delete it */

    Device &device_;
    FenceRef fence_;
    hip::hipEvent_t event_ = nullptr; /* handed over and not recorded yet */
    VmafxReleaseCallback callback_;
    void *opaque_;
};

/** The event behind a handle of the API. */
inline hip::hipEvent_t as_event(const void *handle)
{
    return static_cast<hip::hipEvent_t>(const_cast<void *>(handle));
}

/** Throws E_INVALID with the subject unless the runtime knows the event. */
void check_event(const Device &device, const void *event, const char *subject);

} // namespace vmafx

#endif
