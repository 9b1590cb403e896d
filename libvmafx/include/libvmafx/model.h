/* SPDX-License-Identifier: BSD-2-Clause */
/** @file model.h  Models: what turns features into a VMAF score. */
#ifndef LIBVMAFX_MODEL_H
#define LIBVMAFX_MODEL_H

#include <stdint.h>

#include <libvmafx/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A model or a bootstrap set of models. Immutable once a context uses it; one thread until then.
 */
typedef struct VmafxModel VmafxModel;

#define VMAFX_MODEL_DISABLE_CLIP 1u     /**< scores are not clipped to the model's range */
#define VMAFX_MODEL_ENABLE_TRANSFORM 2u /**< apply the score transform ("phone model") */

/** The model of vmafx_model_load() without path and version. */
#define VMAFX_MODEL_DEFAULT "vmaf_v0.6.1"

typedef struct VmafxModelDesc {
    uint32_t struct_size; /**< sizeof(VmafxModelDesc), set by VMAFX_MODEL_DESC_INIT */
    uint32_t flags;       /**< VMAFX_MODEL_* */
    const char *version;  /**< name of a built-in model; NULL = VMAFX_MODEL_DEFAULT if no path */
    const char *path;     /**< JSON model file, absolute, relative or in a folder of
                               VMAFX_MODEL_PATH (colon-separated); excludes version */
    const char *name;     /**< name of its scores; NULL = "vmaf" */
} VmafxModelDesc;

#define VMAFX_MODEL_DESC_INIT {sizeof(VmafxModelDesc), 0, 0, 0, 0}

/**
 * Loads a model. NULL desc: all defaults.
 * @param[out] model to be closed by vmafx_model_close(); NULL on failure
 * @return VMAFX_OK; VMAFX_E_NOTFOUND: no such version (the message lists the built-in ones) or
 * file; VMAFX_E_INVALID: broken file (the message says what and where); VMAFX_E_NOTSUP: not a
 * regression with an RBF kernel; VMAFX_E_IO, VMAFX_E_ABI, VMAFX_E_NOMEM
 */
VMAFX_API int32_t vmafx_model_load(const VmafxModelDesc *desc, VmafxModel **model,
                                   VmafxError *error);

/**
 * Sets an option of a feature extractor for this model, replacing the model's own value.
 * @param extractor such as "vif" @param option such as "vif_enhn_gain_limit" @param value text
 * @return VMAFX_OK; VMAFX_E_NOTFOUND: no feature of the model comes from that extractor;
 *         VMAFX_E_BUSY: a context uses the model already; VMAFX_E_INVALID
 */
VMAFX_API int32_t vmafx_model_set_option(VmafxModel *model, const char *extractor,
                                         const char *option, const char *value, VmafxError *error);

/** The name of the model's scores. Valid until the model is closed. */
VMAFX_API const char *vmafx_model_name(const VmafxModel *model);

/** Name of the index-th built-in model, from 0; NULL past the last. Static storage. */
VMAFX_API const char *vmafx_model_builtin(uint32_t index);

/** Drops the caller's reference and sets the handle to NULL. NULL is allowed. */
VMAFX_API void vmafx_model_close(VmafxModel **model);

#ifdef __cplusplus
}
#endif
#endif
