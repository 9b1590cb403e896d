/* SPDX-License-Identifier: BSD-2-Clause */
/** @file status.h  Status codes, the error object and the log callback. */
#ifndef LIBVMAFX_STATUS_H
#define LIBVMAFX_STATUS_H

#include <stdint.h>

#include <libvmafx/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Status of a call. Negative values are errors. */
#define VMAFX_OK 0            /**< done */
#define VMAFX_PENDING 1       /**< an answer, not an error: not there yet */
#define VMAFX_E_INVALID (-1)  /**< an argument is wrong; the subject names it */
#define VMAFX_E_NOMEM (-2)    /**< host or device memory is exhausted */
#define VMAFX_E_NOTSUP (-3)   /**< legal, but not possible on this device or in this build */
#define VMAFX_E_NOTFOUND (-4) /**< no such runtime, device, model, feature, score or file */
#define VMAFX_E_BUSY (-5)     /**< a fence is pending or a pool is in use; try again later */
#define VMAFX_E_DEVICE (-6)   /**< the device or its runtime failed */
#define VMAFX_E_IO (-7)       /**< a file cannot be read or written */
#define VMAFX_E_RANGE (-8)    /**< a number lies outside its range, a plane outside its buffer */
#define VMAFX_E_INTERNAL (-9) /**< a defect of this library */
#define VMAFX_E_TIMEOUT (-10) /**< a bounded wait ended first */
#define VMAFX_E_ABI (-11)     /**< struct_size is smaller than the first version of the struct */

/** Short name of a status, such as "VMAFX_E_RANGE"; "unknown status" for others. Any thread. */
VMAFX_API const char *vmafx_status_name(int32_t status);

/**
 * What went wrong. Allocated by the caller, filled by a call that fails, left alone by one that
 * succeeds. Every call takes a pointer to one as its last argument; with NULL there the message
 * goes to the log callback instead.
 */
typedef struct VmafxError {
    uint32_t struct_size; /**< sizeof(VmafxError), set by VMAFX_ERROR_INIT */
    int32_t status;       /**< the status that the call returned */
    int32_t native_code;  /**< errno or the HIP runtime's error, 0 if neither applies */
    uint32_t reserved;    /**< 0 */
    char function[64];    /**< API function that failed */
    char subject[64];     /**< field path such as "desc.plane[1].modifier", or "" */
    char message[512];    /**< one line: what is wrong and what to change */
} VmafxError;

#define VMAFX_ERROR_INIT {sizeof(VmafxError), 0, 0, 0, "", "", ""}

/* Log levels, from the fewest to the most messages. */
#define VMAFX_LOG_NONE 0
#define VMAFX_LOG_ERROR 1
#define VMAFX_LOG_WARNING 2
#define VMAFX_LOG_INFO 3
#define VMAFX_LOG_DEBUG 4

/**
 * Receives one line of text without a newline. May be called from any thread, also from threads
 * of the library, but never while the library holds a lock. It must not call back into libvmafx.
 */
typedef void (*VmafxLogCallback)(void *opaque, int32_t level, const char *message);

/**
 * Sets the process-wide log callback. NULL restores the default, which writes messages up to
 * VMAFX_LOG_WARNING to stderr. Any thread; a message that is being delivered meanwhile may still
 * reach the old callback.
 * @param level messages above it are dropped, VMAFX_LOG_*
 */
VMAFX_API void vmafx_log_set_callback(VmafxLogCallback callback, void *opaque, int32_t level);

#ifdef __cplusplus
}
#endif
#endif
