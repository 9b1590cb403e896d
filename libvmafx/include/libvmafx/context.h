/* SPDX-License-Identifier: BSD-2-Clause */
/** @file context.h  A context scores one pair of streams. */
#ifndef LIBVMAFX_CONTEXT_H
#define LIBVMAFX_CONTEXT_H

#include <stdint.h>

#include <libvmafx/frame.h>
#include <libvmafx/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One scoring session. Not thread-safe: one thread at a time. Several contexts may share a device.
 */
typedef struct VmafxContext VmafxContext;

/** Frames are let go as soon as their work is enqueued, their release fences follow the last read;
 *  see vmafx_context_submit() for what is given up. */
#define VMAFX_CONTEXT_RELEASE_EARLY 1u

typedef struct VmafxContextDesc {
    uint32_t struct_size;      /**< sizeof(VmafxContextDesc), set by VMAFX_CONTEXT_DESC_INIT */
    uint32_t n_subsample;      /**< score every n-th frame; 0 and 1 = all */
    uint32_t frames_in_flight; /**< pairs on the device at once, at most 64; 0 = automatic: 4, and
                                    at least two for each lane */
    uint32_t flags;            /**< VMAFX_CONTEXT_* */
    uint64_t wait_limit_ns;    /**< bound of every wait for the device; 0 = 60 s, at most 600 s */
    /** Streams that the work of successive pairs is dealt out to, so that it overlaps; at most 16,
     *  and no more are made than frames_in_flight. Each has feature_bytes of its own. 1: all work
     *  is on the library stream. 0 = automatic: 4 on CUDA, 2 on ROCm, 1 on the CPU; 1 on a caller's
     *  stream, on a profiling device and with VMAFX_CONTEXT_RELEASE_EARLY. */
    uint32_t lanes;
    uint32_t reserved; /**< 0 */
} VmafxContextDesc;

#define VMAFX_CONTEXT_DESC_INIT {sizeof(VmafxContextDesc), 0, 0, 0, 0, 0, 0}

/** Creates a context on a device. NULL desc: all defaults. The device is referenced.
 *  @return VMAFX_OK, VMAFX_E_INVALID, VMAFX_E_RANGE, VMAFX_E_ABI, VMAFX_E_NOMEM, VMAFX_E_DEVICE */
VMAFX_API int32_t vmafx_context_create(VmafxDevice *device, const VmafxContextDesc *desc,
                                       VmafxContext **context, VmafxError *error);

/** Adds a model before the first frame. The model is referenced. Features that models share are
 *  computed once.
 *  @return VMAFX_OK; VMAFX_E_NOTFOUND: it needs a feature this library lacks (named);
 *          VMAFX_E_BUSY: frames were submitted already, or a name of the model's scores is another
 *          model's;
 *          VMAFX_E_INVALID, VMAFX_E_RANGE: an option of the model */
VMAFX_API int32_t vmafx_context_use_model(VmafxContext *context, VmafxModel *model,
                                          VmafxError *error);

/** Adds a feature extractor before the first frame.
 *  @param feature extractor name, such as "vif" or "psnr_hvs"; docs/features.md has all of them
 *  @param options "name=value:name=value" or NULL
 *  @return VMAFX_OK; VMAFX_E_NOTFOUND: unknown feature or option (the message lists the known
 *          ones); VMAFX_E_INVALID, VMAFX_E_RANGE: the option's value; VMAFX_E_INVALID "options":
 * the feature is in use with other options that lead to the same score names; VMAFX_E_NOTSUP: the
 * option's value is legal but not available; VMAFX_E_BUSY: frames were submitted already. On
 * failure the context is as before. */
VMAFX_API int32_t vmafx_context_use_feature(VmafxContext *context, const char *feature,
                                            const char *options, VmafxError *error);

/**
 * As vmafx_frame_import() on the context's device, with one bounded wait on the host for a pending
 * acquire fence and one retry. While it waits, the context lets go of frames that are finished, so
 * that the fence may hang on their release. It never copies through the host.
 * @param timeout_ns bound of the wait; 0 = 10 s, at most 600 s (more is VMAFX_E_RANGE)
 * @return as vmafx_frame_import(), VMAFX_E_TIMEOUT in place of VMAFX_E_BUSY of the acquire fence;
 * while it waits, what vmafx_context_submit() returns of older frames.
 * The message of a failure gives cause, input, device, memory kind, layout, size, modifiers and
 * attempts.
 */
VMAFX_API int32_t vmafx_context_import_frame(VmafxContext *context, const VmafxFrameImport *desc,
                                             uint64_t timeout_ns, VmafxFrame **frame,
                                             VmafxError *error);

/**
 * Enqueues the scoring of one pair and returns; it waits for the device only while
 * frames_in_flight pairs are there already.
 *
 * A device may lose commands: it never executes them and reports nothing. Every kernel and every
 * upload leaves a mark, and a frame whose marks are incomplete is run again, three times in all,
 * which is logged and counted (vmafx_context_get_counters()); after that the session ends with
 * VMAFX_E_DEVICE naming the frame. For this the context references the frames until their results
 * are there: it lets them go in the first call of submit, flush, of a score query or of an import
 * that waits which finds them finished (a temporal feature keeps the reference frame for one or two
 * more submissions, speed_temporal the distorted one too for one), so that up to frames_in_flight
 * pairs are held between calls. With VMAFX_CONTEXT_RELEASE_EARLY they are let go in the call of
 * submit that enqueues their last read; a frame with missing marks then ends the session with
 * VMAFX_E_DEVICE at once.
 *
 * The first pair fixes size, layout of chroma and depth. What is refused as INVALID, RANGE or
 * NOTSUP leaves the context as before, and so does the first pair where there is no memory for the
 * session. After another TIMEOUT, DEVICE or NOMEM the session is over: further calls of submit and
 * flush return the same failure, what was scored stays, and frames that the context still holds are
 * let go when it is closed.
 * @param index frame number, rising from call to call
 * @return VMAFX_OK; VMAFX_E_INVALID: pair that differs (both are named), frame of another GPU,
 * frames after flush, no model and no feature, a model whose score has the name of a feature's, a
 *         frame without the predecessors that a temporal feature needs; VMAFX_E_RANGE: index not
 * above the last one, a size below a feature's minimum; VMAFX_E_NOTSUP: a depth, chroma or colours
 * that a feature does not take; VMAFX_E_TIMEOUT: the device did not finish
 * older work in time; VMAFX_E_DEVICE, VMAFX_E_NOMEM
 */
VMAFX_API int32_t vmafx_context_submit(VmafxContext *context, VmafxFrame *reference,
                                       VmafxFrame *distorted, uint64_t index, VmafxError *error);

/** Waits (bounded) for all submitted work and completes every score. No frames may follow.
 *  A second flush does nothing. @return VMAFX_OK, VMAFX_E_TIMEOUT, VMAFX_E_DEVICE, VMAFX_E_INVALID
 */
VMAFX_API int32_t vmafx_context_flush(VmafxContext *context, VmafxError *error);

/** What a session has done so far. */
typedef struct VmafxContextCounters {
    uint32_t struct_size;      /**< sizeof(VmafxContextCounters), set by the INIT macro */
    uint32_t reserved;         /**< 0 */
    uint64_t frames_submitted; /**< pairs */
    uint64_t frames_collected; /**< pairs whose results have come back */
    uint64_t frames_rerun;     /**< pairs enqueued again, as the device lost commands of theirs */
    uint64_t marks_missing;    /**< kernels and uploads that were found not to have run */
    /** Memory in bytes, device and pinned memory together; 0 before the first pair. */
    uint64_t feature_bytes; /**< the features' own: planes between kernels, tables; of all lanes */
    uint64_t frame_bytes;   /**< for each of frames_in_flight pairs, without its pictures */
} VmafxContextCounters;

#define VMAFX_CONTEXT_COUNTERS_INIT {sizeof(VmafxContextCounters), 0, 0, 0, 0, 0, 0, 0}

/** Reads the counters. @return VMAFX_OK, VMAFX_E_INVALID, VMAFX_E_ABI */
VMAFX_API int32_t vmafx_context_get_counters(const VmafxContext *context,
                                             VmafxContextCounters *counters, VmafxError *error);

/** Ends the session, dropping what is in flight, and sets the handle to NULL. NULL is allowed. */
VMAFX_API void vmafx_context_close(VmafxContext **context);

#ifdef __cplusplus
}
#endif
#endif
