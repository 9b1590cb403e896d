/* SPDX-License-Identifier: BSD-2-Clause */
/** @file device.h  A device: one GPU (or the CPU) behind one HIP runtime. */
#ifndef LIBVMAFX_DEVICE_H
#define LIBVMAFX_DEVICE_H

#include <stdint.h>

#include <libvmafx/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A device and its library stream: all reads of imported memory are on that stream, or ordered with
 * it. Thread-safe: frames may be imported on one device from several threads. Contexts and frames
 * hold a reference, so that closing the handle first is allowed. A frame of one handle is accepted
 * by a context on another handle of the same GPU.
 */
typedef struct VmafxDevice VmafxDevice;

/* Which HIP runtime to load. */
#define VMAFX_RUNTIME_AUTO 0u /**< ROCm where a device answers, else CUDA, else the CPU */
#define VMAFX_RUNTIME_ROCM 1u /**< libamdhip64 */
#define VMAFX_RUNTIME_CUDA 2u /**< libvmafx-hip-cuda: HIP on the CUDA driver */
#define VMAFX_RUNTIME_CPU 3u  /**< libvmafx-hip-cpu: HIP on CPU threads */

/** Times of kernels, conversions and uploads are taken; see profile.h. Costs some speed. */
#define VMAFX_DEVICE_PROFILING 1u

typedef struct VmafxDeviceDesc {
    uint32_t struct_size; /**< sizeof(VmafxDeviceDesc), set by VMAFX_DEVICE_DESC_INIT */
    uint32_t runtime;     /**< VMAFX_RUNTIME_*; 0 = auto */
    uint32_t index;       /**< device ordinal in the runtime, from 0; unused with pci_address */
    uint32_t flags;       /**< VMAFX_DEVICE_PROFILING or 0 */
    /** PCI address "dddd:bb:dd.f" of the wanted device, or NULL. The CPU runtime answers to any. */
    const char *pci_address;
    /** File name or path of the runtime's library; needs a runtime other than auto, and must be a
     *  library of that runtime. NULL: the one that the environment variable VMAFX_HIP_LIBRARY
     * names, and no other (with auto the library itself says which runtime it is); else a built-in
     * list. */
    const char *runtime_path;
    /** CPU runtime: worker threads of the process, 0 = as many as it has or, at first, one per CPU
     *  allowed to the process. Other runtimes do not read it. */
    uint32_t workers;
    uint32_t reserved; /**< 0 */
    /**
     * [0]: a hipStream_t of the caller to be the library stream, or NULL: the library makes one.
     * The device is the stream's; before ROCm 5.6, where a stream does not tell it, that which is
     * current in the calling thread. Needs a runtime other than auto, index 0 and no pci_address;
     * the null stream and the other default streams are refused. The library never destroys it;
     * it has to live until the device and all that was made of it are closed, and the closing waits
     * for what the caller put on it. [1]: NULL.
     */
    void *external[2];
} VmafxDeviceDesc;

#define VMAFX_DEVICE_DESC_INIT {sizeof(VmafxDeviceDesc), 0, 0, 0, 0, 0, 0, 0, {0, 0}}

typedef struct VmafxDeviceInfo {
    uint32_t struct_size; /**< sizeof(VmafxDeviceInfo), set by VMAFX_DEVICE_INFO_INIT */
    uint32_t runtime;     /**< VMAFX_RUNTIME_*, never auto */
    uint32_t pci_domain;  /**< PCI address; all four are 0 for the CPU */
    uint32_t pci_bus;
    uint32_t pci_device;
    uint32_t pci_function;
    uint64_t memory_total;        /**< bytes */
    uint64_t memory_free;         /**< bytes, at the time of the call */
    uint64_t memory_kinds;        /**< bit n: VMAFX_MEMORY_* n can be imported */
    uint64_t acquire_fence_kinds; /**< bit n: VMAFX_FENCE_* n is taken as acquire fence */
    uint64_t release_fence_kinds; /**< bit n: VMAFX_FENCE_* n is taken as release fence */
    uint32_t modifier_count;      /**< entries of modifiers[] in use */
    int32_t runtime_version;      /**< the runtime's own version number */
    /** DRM format modifiers that can be read: linear, and those that decoders are known to use.
     *  There are more: vmafx_device_supports_modifier() answers for any. */
    uint64_t modifiers[16];
    char name[128];         /**< such as "AMD Radeon RX 7900 XT" */
    char target[64];        /**< code object target: "gfx1100", "sm_90", "x86-64-v3" */
    char runtime_name[16];  /**< "rocm", "cuda" or "cpu" */
    char runtime_file[256]; /**< the runtime's library as it was loaded */
} VmafxDeviceInfo;

#define VMAFX_DEVICE_INFO_INIT                                                                     \
    {sizeof(VmafxDeviceInfo), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {0}, "", "", "", ""}

/**
 * Opens a device. NULL desc: all defaults.
 * @param[out] device a new handle, to be closed by vmafx_device_close(); NULL on failure
 * @return VMAFX_OK;
 *         VMAFX_E_NOTFOUND: no runtime could be loaded (the message lists the files tried and what
 *         each answered), it has no device, or no device has that index or PCI address;
 *         VMAFX_E_NOTSUP: the library holds no code object for the device's target;
 *         VMAFX_E_BUSY: the CPU runtime already runs with another number of workers;
 *         VMAFX_E_INVALID, VMAFX_E_ABI, VMAFX_E_NOMEM, VMAFX_E_DEVICE
 */
VMAFX_API int32_t vmafx_device_open(const VmafxDeviceDesc *desc, VmafxDevice **device,
                                    VmafxError *error);

/** Fills info. @return VMAFX_OK, VMAFX_E_INVALID, VMAFX_E_ABI, VMAFX_E_DEVICE */
VMAFX_API int32_t vmafx_device_get_info(const VmafxDevice *device, VmafxDeviceInfo *info,
                                        VmafxError *error);

/** What the device has done so far, and holds now. All counts start at 0. */
typedef struct VmafxDeviceCounters {
    uint32_t struct_size;     /**< sizeof(VmafxDeviceCounters), set by VMAFX_DEVICE_COUNTERS_INIT */
    uint32_t reserved;        /**< 0 */
    uint64_t frames_imported; /**< frames whose memory was bound or converted on the device */
    uint64_t frames_uploaded; /**< frames of kind HOST */
    uint64_t planes_converted;  /**< planes that a conversion kernel wrote */
    uint64_t host_plane_copies; /**< planes of imported frames that went through the host: 0 */
    uint64_t import_cache_hits;
    uint64_t import_cache_misses;
    uint64_t import_cache_evictions; /**< buffers dropped for want of room */
    uint64_t import_cache_buffers;   /**< in the cache now */
    uint64_t import_cache_mapped; /**< mapped now: those, and dropped ones still to be unmapped */
    uint64_t planes_copied;       /**< planes of arrays that were copied on the device */
    uint64_t planes_detiled;      /**< of planes_converted, those whose source was tiled */
    uint64_t kernels_launched;
    uint64_t frames_rerun;  /**< frames enqueued again, as the device lost commands of theirs */
    uint64_t marks_missing; /**< kernels and uploads that were found not to have run */
} VmafxDeviceCounters;

#define VMAFX_DEVICE_COUNTERS_INIT                                                                 \
    {sizeof(VmafxDeviceCounters), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/** Reads the counters. @return VMAFX_OK, VMAFX_E_INVALID, VMAFX_E_ABI */
VMAFX_API int32_t vmafx_device_get_counters(const VmafxDevice *device,
                                            VmafxDeviceCounters *counters, VmafxError *error);

/**
 * Drops the buffers in the import cache; a buffer that comes again is mapped anew. Never blocks:
 * a mapping is undone once no frame uses it and the device has done what it was given so far, at
 * an import when the device is idle, at a further call of this function, or when the device closes.
 * @return VMAFX_OK, VMAFX_E_INVALID, VMAFX_E_DEVICE
 */
VMAFX_API int32_t vmafx_device_empty_import_cache(VmafxDevice *device, VmafxError *error);

/**
 * Tells, without waiting, whether the reads of a frame are done whose release fence is the event:
 * pending while the frame lives, and until the device has done the last read. The runtime's own
 * hipEventQuery() would call an event complete that the library has yet to record.
 * @param device the one that the frame was imported on
 * @param event a hipEvent_t. One that is no release fence is answered as the runtime does.
 * @return VMAFX_OK; VMAFX_PENDING; VMAFX_E_INVALID; VMAFX_E_DEVICE: the device failed, and the
 *         event could not be recorded
 */
VMAFX_API int32_t vmafx_device_query_release_event(const VmafxDevice *device, void *event,
                                                   VmafxError *error);

/**
 * Waits on the host for the same.
 * @param timeout_ns at most 600 s; 0 only asks
 * @return VMAFX_OK; VMAFX_E_TIMEOUT; VMAFX_E_RANGE: timeout_ns; VMAFX_E_INVALID; VMAFX_E_DEVICE
 */
VMAFX_API int32_t vmafx_device_wait_release_event(const VmafxDevice *device, void *event,
                                                  uint64_t timeout_ns, VmafxError *error);

/** Closes the handle and sets it to NULL. NULL and pointer to NULL are allowed. */
VMAFX_API void vmafx_device_close(VmafxDevice **device);

#ifdef __cplusplus
}
#endif
#endif
