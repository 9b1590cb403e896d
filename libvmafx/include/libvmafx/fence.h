/* SPDX-License-Identifier: BSD-2-Clause */
/** @file fence.h  Fences: when memory may be read, and when it may be written again. */
#ifndef LIBVMAFX_FENCE_H
#define LIBVMAFX_FENCE_H

#include <stdint.h>

#include <libvmafx/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of fences. */
#define VMAFX_FENCE_NONE                                                                           \
    0u /**< none; a dma-buf's implicit write fences are honoured all the same */
#define VMAFX_FENCE_HOST 1u      /**< a VmafxFence object */
#define VMAFX_FENCE_SYNC_FILE 2u /**< file descriptor of a Linux sync_file */
#define VMAFX_FENCE_HIP_EVENT 3u /**< hipEvent_t of the device and its runtime, see below */
#define VMAFX_FENCE_GL_SYNC 4u   /**< GLsync, for GL imports; not taken yet */

/**
 * A fence that lives on the host. Starts unsignalled, can be signalled once. Reference counted:
 * an import that uses it holds a reference of its own. Thread-safe.
 */
typedef struct VmafxFence VmafxFence;

/**
 * A fence as a field of an import. All zero: no fence. What the kind does not use is 0.
 *
 * HIP_EVENT as acquire fence: an event that is recorded already. The device waits for it, not the
 * host, and the event may be destroyed, or recorded again, when the import has returned. Query the
 * stream that it is recorded on before the import, so that the work ahead of it is handed to the
 * device: copies of arrays may overtake what is not. HOST
 * memory is read by the host and does not take it. An event that is at the same time the release
 * fence of a frame of this device, and not recorded yet, is pending: VMAFX_E_BUSY "desc.acquire".
 *
 * HIP_EVENT as release fence: an event of the caller's, with or without timing, that belongs to one
 * frame until the library has recorded it, behind the last read of the planes. Until then
 * hipEventQuery(), hipEventSynchronize() and hipStreamWaitEvent() take it for complete: an event
 * that was never recorded counts as complete, and one that is used again still tells of its last
 * record. They can be trusted once the release callback of the import has run, or
 * vmafx_device_query_release_event() or vmafx_device_wait_release_event() has returned VMAFX_OK.
 * Destroy the event only after that.
 */
typedef struct VmafxFenceDesc {
    uint32_t kind; /**< VMAFX_FENCE_* */
    int32_t fd;    /**< SYNC_FILE: borrowed for the call; else 0 */
    void *handle;  /**< HOST: VmafxFence*; HIP_EVENT: hipEvent_t; GL_SYNC: GLsync; else NULL */
} VmafxFenceDesc;

/** Creates an unsignalled host fence. @return VMAFX_OK, VMAFX_E_INVALID, VMAFX_E_NOMEM */
VMAFX_API int32_t vmafx_fence_create(VmafxFence **fence, VmafxError *error);

/** Signals the fence. A second signal does nothing. @return VMAFX_OK, VMAFX_E_INVALID */
VMAFX_API int32_t vmafx_fence_signal(VmafxFence *fence, VmafxError *error);

/** Tells whether the fence is signalled, without waiting.
 *  @return VMAFX_OK: signalled; VMAFX_PENDING: not yet; VMAFX_E_INVALID */
VMAFX_API int32_t vmafx_fence_query(const VmafxFence *fence, VmafxError *error);

/** Waits on the host.
 *  @param timeout_ns at most 600 s; 0 only asks
 *  @return VMAFX_OK: signalled; VMAFX_E_TIMEOUT; VMAFX_E_RANGE: timeout_ns; VMAFX_E_INVALID */
VMAFX_API int32_t vmafx_fence_wait(VmafxFence *fence, uint64_t timeout_ns, VmafxError *error);

/** Drops the caller's reference and sets the handle to NULL. NULL is allowed. */
VMAFX_API void vmafx_fence_close(VmafxFence **fence);

#ifdef __cplusplus
}
#endif
#endif
