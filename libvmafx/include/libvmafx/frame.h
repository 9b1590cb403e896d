/* SPDX-License-Identifier: BSD-2-Clause */
/** @file frame.h  Frames: a picture's planes on the device, imported or uploaded. */
#ifndef LIBVMAFX_FRAME_H
#define LIBVMAFX_FRAME_H

#include <stdint.h>

#include <libvmafx/device.h>
#include <libvmafx/fence.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A picture on the device. Immutable, reference counted, thread-safe. */
typedef struct VmafxFrame VmafxFrame;

/* Where the planes are. */
#define VMAFX_MEMORY_HOST 0u           /**< host addresses; uploaded before the call returns */
#define VMAFX_MEMORY_DEVICE_POINTER 1u /**< device addresses; read in place */
#define VMAFX_MEMORY_DMABUF 2u         /**< dma-buf (CPU, CUDA: memfd too); read in place */
#define VMAFX_MEMORY_DEVICE_ARRAY 3u   /**< hipArray_t per plane; copied on the device */
#define VMAFX_MEMORY_GL_TEXTURE 4u     /**< OpenGL texture name per plane; not taken yet */

/* Layouts. Planar layouts take bits 8..16; the others fix the depth. Samples above 8 bits are
 * 16-bit little-endian words, value in the low bits unless said otherwise. Odd sizes round
 * chroma up. */
#define VMAFX_LAYOUT_NONE 0u
#define VMAFX_LAYOUT_400 1u   /**< luma only, 1 plane */
#define VMAFX_LAYOUT_420 2u   /**< planar 4:2:0, 3 planes Y Cb Cr */
#define VMAFX_LAYOUT_422 3u   /**< planar 4:2:2 */
#define VMAFX_LAYOUT_444 4u   /**< planar 4:4:4 */
#define VMAFX_LAYOUT_NV12 5u  /**< 4:2:0, 2 planes: Y, CbCr; 8 bits */
#define VMAFX_LAYOUT_P010 6u  /**< as NV12, 10 bits in the high bits of 16 */
#define VMAFX_LAYOUT_P012 7u  /**< as NV12, 12 bits in the high bits of 16 */
#define VMAFX_LAYOUT_P016 8u  /**< as NV12, 16 bits */
#define VMAFX_LAYOUT_NV16 9u  /**< 4:2:2, Y, CbCr; 8 bits */
#define VMAFX_LAYOUT_P210 10u /**< as NV16, 10 bits in the high bits of 16 */
#define VMAFX_LAYOUT_P216 11u /**< as NV16, 16 bits */
#define VMAFX_LAYOUT_NV24 12u /**< 4:4:4, Y, CbCr; 8 bits */
#define VMAFX_LAYOUT_P410 13u /**< as NV24, 10 bits in the high bits of 16 */
#define VMAFX_LAYOUT_P416 14u /**< as NV24, 16 bits */

/* What the samples mean, for features that read colour; see docs/features.md. Matrix and transfer
 * are code points of ISO/IEC 23091-2 (MatrixCoefficients, TransferCharacteristics), where 0 and 2
 * both say that it is not known. */
#define VMAFX_MATRIX_UNSPECIFIED 0u
#define VMAFX_MATRIX_IDENTITY 256u /**< code point 0: the planes are G, B and R */
#define VMAFX_TRANSFER_UNSPECIFIED 0u
#define VMAFX_RANGE_UNSPECIFIED 0u
#define VMAFX_RANGE_LIMITED 1u
#define VMAFX_RANGE_FULL 2u
#define VMAFX_MAX_CODE_POINT 255

/** DRM_FORMAT_MOD_LINEAR of drm_fourcc.h: rows of pitch bytes, one after the other. A dma-buf may
 *  also have tiles that vmafx_device_supports_modifier() knows; other memory is linear. */
#define VMAFX_MODIFIER_LINEAR UINT64_C(0)

#define VMAFX_MAX_PLANES 4
#define VMAFX_MAX_SIZE 32768 /**< largest width and height, luma samples */

/**
 * One plane of an import. Fields that the memory kind does not use are 0.
 *
 * The hipArray_t of a DEVICE_ARRAY plane has elements of unsigned components of 8 or 16 bits, as
 * the samples: one component, and two in the chroma plane of a semi-planar layout. It is at least
 * as large as the plane, and read from its first element on.
 */
typedef struct VmafxPlane {
    /** HOST: host address. DEVICE_POINTER: device address. DEVICE_ARRAY: hipArray_t. Else NULL. */
    void *address;
    int32_t fd;        /**< DMABUF: descriptor, borrowed for the call; else 0 */
    uint32_t texture;  /**< GL_TEXTURE: texture name; else 0 */
    uint64_t modifier; /**< DMABUF: DRM format modifier of the plane; else 0 */
    uint64_t offset;   /**< bytes from the start of the buffer (or address) to the first row; a
                            multiple of 256 if tiled; 0 for an array */
    uint64_t pitch;    /**< bytes from one row to the next, at least the row's bytes, any alignment;
                            a multiple of a tile block's row if tiled; 0 for an array */
    uint64_t size; /**< bytes of the buffer from its start; 0 = unknown (HOST, DEVICE_POINTER) or
                        the dma-buf's own size; 0 for an array. An opaque descriptor, which does not
                        tell it, needs it. A tiled plane takes pitch times the
                        rows of whole blocks. */
} VmafxPlane;

/** Planar arrays may be copied on the device. Those of semi-planar layouts, which are converted
 *  anyhow, do not need it. */
#define VMAFX_IMPORT_ALLOW_COPY 1u

/**
 * Called exactly once when an import that returned VMAFX_OK no longer uses the planes: after the
 * release fence was enqueued, or, with a release fence of kind NONE, after the last read has
 * completed. Arrays are used until they are copied, which may be before the import returns. Never
 * called for an import that failed. Any thread, that of a call of the library too; must not block
 * and must not call into libvmafx.
 */
typedef void (*VmafxReleaseCallback)(void *opaque);

/** Describes a picture to import. The struct and what it points to are borrowed for the call. */
typedef struct VmafxFrameImport {
    uint32_t struct_size; /**< sizeof(VmafxFrameImport), set by VMAFX_FRAME_IMPORT_INIT */
    uint32_t memory;      /**< VMAFX_MEMORY_* */
    uint32_t layout;      /**< VMAFX_LAYOUT_* */
    uint32_t bits;        /**< bits per sample of planar layouts, 8..16; else 0 or the layout's */
    uint32_t width;       /**< luma samples, 1..VMAFX_MAX_SIZE */
    uint32_t height;      /**< luma rows, 1..VMAFX_MAX_SIZE */
    uint32_t plane_count; /**< as the layout has, or 1 to give luma only to luma features */
    uint32_t flags;       /**< VMAFX_IMPORT_* */
    VmafxPlane plane[VMAFX_MAX_PLANES];
    VmafxFenceDesc acquire; /**< the producer's writes are done when it is signalled; borrowed */
    /** Signalled behind the last read: a HOST fence, or a HIP_EVENT that the library records. */
    VmafxFenceDesc release_fence;
    VmafxReleaseCallback release; /**< or NULL; not called for HOST memory */
    void *release_opaque;
    const char *input; /**< the producer's name in messages, such as "reference", or NULL */
    uint32_t matrix;   /**< code point 1..VMAFX_MAX_CODE_POINT or VMAFX_MATRIX_*; default 0 */
    uint32_t transfer; /**< code point 1..VMAFX_MAX_CODE_POINT or VMAFX_TRANSFER_*; default 0 */
    uint32_t range;    /**< VMAFX_RANGE_*; default 0 */
    uint32_t reserved; /**< 0 */
} VmafxFrameImport;

#define VMAFX_FRAME_IMPORT_INIT                                                                    \
    {sizeof(VmafxFrameImport),                                                                     \
     0,                                                                                            \
     0,                                                                                            \
     0,                                                                                            \
     0,                                                                                            \
     0,                                                                                            \
     0,                                                                                            \
     0,                                                                                            \
     {{0, 0, 0, 0, 0, 0, 0}},                                                                      \
     {0, 0, 0},                                                                                    \
     {0, 0, 0},                                                                                    \
     0,                                                                                            \
     0,                                                                                            \
     0,                                                                                            \
     0,                                                                                            \
     0,                                                                                            \
     0,                                                                                            \
     0}

/**
 * Makes a frame of the planes. Never blocks on the device; HOST planes have been read when it
 * returns, so that the caller may refill them at once.
 * @param[out] frame a new reference, to be dropped by vmafx_frame_unref(); NULL on failure
 * @return VMAFX_OK;
 *         VMAFX_E_BUSY: the acquire fence is pending (subject "desc.acquire"): try again; the
 *         release event is that of another frame (subject "desc.release_fence.handle");
 *         VMAFX_E_INVALID, VMAFX_E_RANGE, VMAFX_E_NOTSUP: the subject names the field;
 *         VMAFX_E_ABI, VMAFX_E_NOMEM, VMAFX_E_DEVICE
 *         On failure nothing was enqueued, nothing is kept and the callback will not run.
 */
VMAFX_API int32_t vmafx_frame_import(VmafxDevice *device, const VmafxFrameImport *desc,
                                     VmafxFrame **frame, VmafxError *error);

/**
 * Tells whether dma-bufs with a DRM format modifier can be read: linear ones where they are, tiles
 * of AMD GPUs (GFX9 to GFX12, not compressed) by the kernel that converts them, on any device.
 * @param layout VMAFX_LAYOUT_*; the same modifier can be clear for one and ambiguous for another
 * @param bits bits per sample of planar layouts, 8..16; else 0 or the layout's
 * @return VMAFX_OK; VMAFX_E_NOTSUP: no; the message has the modifier in words, why, and what to do;
 *         VMAFX_E_INVALID, VMAFX_E_RANGE: the subject names the argument
 */
VMAFX_API int32_t vmafx_device_supports_modifier(const VmafxDevice *device, uint64_t modifier,
                                                 uint32_t layout, uint32_t bits, VmafxError *error);

typedef struct VmafxFrameInfo {
    uint32_t struct_size;      /**< sizeof(VmafxFrameInfo), set by VMAFX_FRAME_INFO_INIT */
    uint32_t memory;           /**< VMAFX_MEMORY_* of the import */
    uint32_t layout;           /**< VMAFX_LAYOUT_* of the import */
    uint32_t bits;             /**< bits per sample */
    uint32_t width;            /**< luma samples */
    uint32_t height;           /**< luma rows */
    uint32_t planes_in_place;  /**< bit i: source plane i is read where the producer put it */
    uint32_t planes_converted; /**< bit i: source plane i was converted on the device */
    uint32_t planes_detiled;   /**< bit i: source plane i is tiled; converted, too */
    uint32_t reserved;         /**< 0 */
} VmafxFrameInfo;

#define VMAFX_FRAME_INFO_INIT {sizeof(VmafxFrameInfo), 0, 0, 0, 0, 0, 0, 0, 0, 0}

/** Fills info. @return VMAFX_OK, VMAFX_E_INVALID, VMAFX_E_ABI */
VMAFX_API int32_t vmafx_frame_get_info(const VmafxFrame *frame, VmafxFrameInfo *info,
                                       VmafxError *error);

/** Adds a reference and returns the frame. NULL gives NULL. */
VMAFX_API VmafxFrame *vmafx_frame_ref(VmafxFrame *frame);

/** Drops a reference and sets the handle to NULL. NULL and pointer to NULL are allowed. */
VMAFX_API void vmafx_frame_unref(VmafxFrame **frame);

#ifdef __cplusplus
}
#endif
#endif
