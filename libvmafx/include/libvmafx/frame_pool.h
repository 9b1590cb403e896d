/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * @file frame_pool.h  Frames whose memory the library allocates and a producer fills on the device.
 *
 * One picture on its way, errors left out:
 *
 *     vmafx_frame_pool_acquire(pool, &picture, NULL);
 *     vmafx_pool_frame_get_info(picture, &info, NULL);
 *     hipStreamWaitEvent(stream, info.writable.handle, 0);    if writable.kind is not NONE
 *     ... enqueue what writes info.plane[] on the stream ...
 *     hipEventRecord(event, stream);
 *     hipStreamQuery(stream);    hands it to the device: what is not may be overtaken
 *     vmafx_pool_frame_submit(&picture, &ready, &frame, NULL);    ready: the event
 *     vmafx_context_submit(context, frame, other, index, NULL);
 *     vmafx_frame_unref(&frame);
 */
#ifndef LIBVMAFX_FRAME_POOL_H
#define LIBVMAFX_FRAME_POOL_H

#include <stdint.h>

#include <libvmafx/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Device memory for a number of frames of one format. Thread-safe. What was acquired from it, and
 * frames made of that, may outlive the pool's handle, and the pool the device's handle.
 */
typedef struct VmafxFramePool VmafxFramePool;

/** The memory of one frame in its producer's hands. One thread at a time. */
typedef struct VmafxPoolFrame VmafxPoolFrame;

#define VMAFX_MAX_POOL_FRAMES 256

typedef struct VmafxFramePoolDesc {
    uint32_t struct_size; /**< sizeof(VmafxFramePoolDesc), set by VMAFX_FRAME_POOL_DESC_INIT */
    uint32_t layout;      /**< VMAFX_LAYOUT_* */
    uint32_t bits;        /**< bits per sample of planar layouts, 8..16; else 0 or the layout's */
    uint32_t width;       /**< luma samples, 1..VMAFX_MAX_SIZE */
    uint32_t height;      /**< luma rows, 1..VMAFX_MAX_SIZE */
    uint32_t plane_count; /**< 0 or as the layout has, or 1 for luma only */
    uint32_t frames;      /**< 1..VMAFX_MAX_POOL_FRAMES. A context may hold two for each pair in
                               flight and two reference pictures more */
    uint32_t flags;       /**< 0 */
    uint32_t matrix;      /**< of the frames, as in VmafxFrameImport; default 0 */
    uint32_t transfer;    /**< same */
    uint32_t range;       /**< VMAFX_RANGE_*; default 0 */
} VmafxFramePoolDesc;

#define VMAFX_FRAME_POOL_DESC_INIT {sizeof(VmafxFramePoolDesc), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/**
 * Allocates the memory of all frames.
 * @param[out] pool a new handle, to be closed by vmafx_frame_pool_close(); NULL on failure
 * @return VMAFX_OK; VMAFX_E_INVALID, VMAFX_E_RANGE: the subject names the field; VMAFX_E_ABI;
 *         VMAFX_E_NOMEM: the device has not that much memory; VMAFX_E_DEVICE
 */
VMAFX_API int32_t vmafx_frame_pool_create(VmafxDevice *device, const VmafxFramePoolDesc *desc,
                                          VmafxFramePool **pool, VmafxError *error);

/**
 * Takes the memory of a frame out of the pool. Never blocks.
 *
 * It comes back when its producer closes it unsubmitted, or when the last reference to the frame
 * made of it goes (the caller's, and those of contexts). The device may still have to do its last
 * reads then: whoever writes next waits for `writable`, see VmafxPoolFrameInfo.
 * @param[out] frame a new handle, to be given to vmafx_pool_frame_submit() or
 *             vmafx_pool_frame_close(); NULL on failure
 * @return VMAFX_OK; VMAFX_E_BUSY: all frames are in use (subject "pool"); VMAFX_E_INVALID,
 *         VMAFX_E_NOMEM, VMAFX_E_DEVICE
 */
VMAFX_API int32_t vmafx_frame_pool_acquire(VmafxFramePool *pool, VmafxPoolFrame **frame,
                                           VmafxError *error);

/** Closes the handle and sets it to NULL. NULL and pointer to NULL are allowed. */
VMAFX_API void vmafx_frame_pool_close(VmafxFramePool **pool);

typedef struct VmafxPoolFrameInfo {
    uint32_t struct_size; /**< sizeof(VmafxPoolFrameInfo), set by VMAFX_POOL_FRAME_INFO_INIT */
    uint32_t plane_count;
    /** Where to write: address on the device, offset 0, pitch, and size in bytes of what may be
     *  written from the address on. Contents are undefined. */
    VmafxPlane plane[VMAFX_MAX_PLANES];
    /** What writes wait for. HIP_EVENT: an event of the device's runtime, recorded behind the last
     *  read of what was there; valid until submit or close. NONE: nothing reads the memory. */
    VmafxFenceDesc writable;
} VmafxPoolFrameInfo;

#define VMAFX_POOL_FRAME_INFO_INIT                                                                 \
    {sizeof(VmafxPoolFrameInfo), 0, {{0, 0, 0, 0, 0, 0, 0}}, {0, 0, 0}}

/** Fills info. @return VMAFX_OK, VMAFX_E_INVALID, VMAFX_E_ABI */
VMAFX_API int32_t vmafx_pool_frame_get_info(const VmafxPoolFrame *frame, VmafxPoolFrameInfo *info,
                                            VmafxError *error);

/**
 * Waits on the host until the memory may be written, for a producer without a stream of its own.
 * @param timeout_ns at most 600 s; 0 only asks
 * @return VMAFX_OK; VMAFX_E_TIMEOUT: it is still read; VMAFX_E_RANGE: timeout_ns; VMAFX_E_INVALID,
 *         VMAFX_E_DEVICE
 */
VMAFX_API int32_t vmafx_pool_frame_wait(VmafxPoolFrame *frame, uint64_t timeout_ns,
                                        VmafxError *error);

/**
 * Makes a frame of what the producer wrote. Never blocks. The frame is as one of
 * vmafx_frame_import() of DEVICE_POINTER memory.
 * @param picture set to NULL on success; on failure it stays the caller's as it was
 * @param ready when the producer's writes are done, any kind that the device takes as acquire fence
 *        (HIP_EVENT: recorded already); borrowed for the call. NULL or kind NONE: they are done.
 * @param[out] frame a new reference, to be dropped by vmafx_frame_unref(); NULL on failure
 * @return VMAFX_OK; VMAFX_E_BUSY: the fence is pending, of a kind that the host has to wait for
 *         (subject "ready"): submit again later; VMAFX_E_INVALID, VMAFX_E_NOTSUP: the subject names
 *         the field, "ready.kind", "ready.fd" or "ready.handle"; VMAFX_E_NOMEM, VMAFX_E_DEVICE
 */
VMAFX_API int32_t vmafx_pool_frame_submit(VmafxPoolFrame **picture, const VmafxFenceDesc *ready,
                                          VmafxFrame **frame, VmafxError *error);

/** Gives the memory back unread and sets the handle to NULL. What the producer wrote, or enqueued
 * to be written, has to be complete. NULL and pointer to NULL are allowed. */
VMAFX_API void vmafx_pool_frame_close(VmafxPoolFrame **frame);

#ifdef __cplusplus
}
#endif
#endif
