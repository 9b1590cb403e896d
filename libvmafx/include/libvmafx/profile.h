/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * @file profile.h  Device times, of devices that were opened with VMAFX_DEVICE_PROFILING.
 *
 * The device takes the times itself, with events around each command. They are read when a frame's
 * results are; nothing waits for them. All entries of a frame:
 *
 *     VmafxProfileEntry e = VMAFX_PROFILE_ENTRY_INIT;
 *     for (uint32_t i = 0; i == 0 || i < e.entries; i++)
 *         if (vmafx_context_profile_at(context, index, i, &e, NULL) == VMAFX_OK)
 *             printf("%s: %.3f ms\n", e.name, e.time_ns * 1e-6);
 */
#ifndef LIBVMAFX_PROFILE_H
#define LIBVMAFX_PROFILE_H

#include <stdint.h>

#include <libvmafx/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What an entry is about. */
/** "frame": from the first to the end of the last command of a frame, gaps included. */
#define VMAFX_PROFILE_FRAME 0u
/** A kernel of a feature, by its name. */
#define VMAFX_PROFILE_KERNEL 1u
/** A kernel that converts planes of an import, by its name; "copy_array": the copy of an array,
 *  which is none of a frame, since it is enqueued by the import. */
#define VMAFX_PROFILE_CONVERSION 2u
/** "upload": copies of HOST planes, on a stream of their own. None on the CPU, where they are read
 *  where the import put them. */
#define VMAFX_PROFILE_UPLOAD 3u
/** "clear": of results and accumulators. */
#define VMAFX_PROFILE_CLEAR 4u
/** "readback": the results on their way to the host. */
#define VMAFX_PROFILE_READBACK 5u

/** Frames of a context whose entries are kept, the latest ones. */
#define VMAFX_PROFILE_FRAMES 256

/** Commands of one kind and name. */
typedef struct VmafxProfileEntry {
    uint32_t struct_size; /**< sizeof(VmafxProfileEntry), set by VMAFX_PROFILE_ENTRY_INIT */
    uint32_t kind;        /**< VMAFX_PROFILE_* */
    uint32_t entries;     /**< how many there are to ask for */
    uint32_t reserved;    /**< 0 */
    uint64_t count;       /**< commands */
    uint64_t untimed;     /**< of them, those that the runtime has no time of */
    uint64_t time_ns;     /**< sum of the others' times */
    char name[64];
} VmafxProfileEntry;

#define VMAFX_PROFILE_ENTRY_INIT {sizeof(VmafxProfileEntry), 0, 0, 0, 0, 0, 0, ""}

/**
 * Times of one frame. A frame that several contexts score counts its upload and conversion where it
 * was submitted first.
 * @param index frame number, as submitted
 * @param entry 0 is the frame itself
 * @return VMAFX_OK; VMAFX_PENDING: the frame is not finished;
 *         VMAFX_E_NOTFOUND "index": it was not submitted, or VMAFX_PROFILE_FRAMES others came after
 *         it; VMAFX_E_NOTFOUND "entry": it has fewer entries;
 *         VMAFX_E_NOTSUP "desc.flags": the device was opened without VMAFX_DEVICE_PROFILING;
 *         VMAFX_E_INVALID, VMAFX_E_ABI; what vmafx_context_submit() returns of older frames
 */
VMAFX_API int32_t vmafx_context_profile_at(VmafxContext *context, uint64_t index, uint32_t entry,
                                           VmafxProfileEntry *out, VmafxError *error);

/**
 * Sums over all finished frames of all contexts of the device's handle, and over commands of no
 * frame, in no particular order.
 * @return VMAFX_OK; VMAFX_E_NOTFOUND "entry": there are fewer entries, none before the first frame;
 *         VMAFX_E_NOTSUP "desc.flags": the device was opened without VMAFX_DEVICE_PROFILING;
 *         VMAFX_E_INVALID, VMAFX_E_ABI
 */
VMAFX_API int32_t vmafx_device_profile_sum(const VmafxDevice *device, uint32_t entry,
                                           VmafxProfileEntry *out, VmafxError *error);

#ifdef __cplusplus
}
#endif
#endif
