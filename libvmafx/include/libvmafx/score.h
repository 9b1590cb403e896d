/* SPDX-License-Identifier: BSD-2-Clause */
/** @file score.h  Scores per frame, pooled scores and reports. */
#ifndef LIBVMAFX_SCORE_H
#define LIBVMAFX_SCORE_H

#include <stdint.h>

#include <libvmafx/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Pooling methods, numbered as in libvmaf. */
#define VMAFX_POOL_MIN 1u
#define VMAFX_POOL_MAX 2u
#define VMAFX_POOL_MEAN 3u
#define VMAFX_POOL_HARMONIC_MEAN 4u

/* Report formats, structured as libvmaf's. */
#define VMAFX_REPORT_JSON 1u
#define VMAFX_REPORT_XML 2u
#define VMAFX_REPORT_CSV 3u
#define VMAFX_REPORT_SUB 4u /**< MicroDVD subtitles */

/**
 * A score of one frame.
 * @param name a score name as vmafx_score_name() gives ("integer_vif_scale0", "vmaf"); the long
 *        base name that libvmaf uses internally is taken as well
 * @return VMAFX_OK; VMAFX_PENDING: the frame was submitted and its score may still come;
 *         VMAFX_E_NOTFOUND: no such name, or that frame has no such score: it was not submitted,
 *         n_subsample skips it, or a gap in the indices leaves it without a neighbour; what ended
 *         the session (VMAFX_E_DEVICE, VMAFX_E_TIMEOUT, VMAFX_E_NOMEM), for scores that it lost
 */
VMAFX_API int32_t vmafx_score_at(VmafxContext *context, const char *name, uint64_t index,
                                 double *score, VmafxError *error);

/**
 * Pools a score over the frames first..last that n_subsample selects.
 * @param method VMAFX_POOL_*
 * @return VMAFX_OK; VMAFX_PENDING: before the flush, a score is not there yet; VMAFX_E_NOTFOUND: no
 *         such name, or a frame in between has no such score; what ended the session, if that is
 *         why; VMAFX_E_INVALID, VMAFX_E_RANGE
 */
VMAFX_API int32_t vmafx_score_pooled(VmafxContext *context, const char *name, uint32_t method,
                                     uint64_t first, uint64_t last, double *score,
                                     VmafxError *error);

/** A value of the whole sequence, such as "apsnr_y"; complete after the flush.
 *  @return VMAFX_OK, VMAFX_PENDING, VMAFX_E_NOTFOUND, VMAFX_E_INVALID; what ended the session */
VMAFX_API int32_t vmafx_score_aggregate(VmafxContext *context, const char *name, double *score,
                                        VmafxError *error);

/** Name of the index-th score in the order of the report's columns, NULL past the last. The list is
 *  complete after the first submit; the report leaves out those that no frame has. The text is
 * valid until the context is closed. */
VMAFX_API const char *vmafx_score_name(VmafxContext *context, uint32_t index);

/** Name of the index-th aggregate, NULL past the last. The list is complete after the flush. The
 * text is valid until the context is closed. */
VMAFX_API const char *vmafx_score_aggregate_name(VmafxContext *context, uint32_t index);

/** Writes a report after the flush.
 *  @param path file to create or replace @param format VMAFX_REPORT_*
 *  @return VMAFX_OK, VMAFX_E_IO, VMAFX_E_INVALID: format, or no flush yet */
VMAFX_API int32_t vmafx_report_write(VmafxContext *context, const char *path, uint32_t format,
                                     VmafxError *error);

#ifdef __cplusplus
}
#endif
#endif
