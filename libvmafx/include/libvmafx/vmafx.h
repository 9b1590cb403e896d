/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * @file vmafx.h  All of libvmafx.
 *
 * A whole session, errors left out:
 *
 *     VmafxDevice *device;
 *     VmafxContext *context;
 *     VmafxModel *model;
 *     vmafx_device_open(NULL, &device, NULL);
 *     vmafx_context_create(device, NULL, &context, NULL);
 *     vmafx_model_load(NULL, &model, NULL);
 *     vmafx_context_use_model(context, model, NULL);
 *     for (uint64_t i = 0; next_pair(&reference_desc, &distorted_desc); i++) {
 *         VmafxFrame *reference, *distorted;
 *         vmafx_context_import_frame(context, &reference_desc, 0, &reference, NULL);
 *         vmafx_context_import_frame(context, &distorted_desc, 0, &distorted, NULL);
 *         vmafx_context_submit(context, reference, distorted, i, NULL);
 *         vmafx_frame_unref(&reference);
 *         vmafx_frame_unref(&distorted);
 *     }
 *     vmafx_context_flush(context, NULL);
 *     vmafx_score_pooled(context, "vmaf", VMAFX_POOL_MEAN, 0, last, &score, NULL);
 *     vmafx_context_close(&context);
 *     vmafx_model_close(&model);
 *     vmafx_device_close(&device);
 *
 * A child of fork() has none of the runtime's threads and must not use its parent's handles, nor
 * open a device of a runtime that its parent has opened one of: its waits time out, and closing may
 * never return. A child that calls exec may do all this.
 *
 * Calls that can fail return a status, VMAFX_OK or negative, and take an optional VmafxError.
 * Structs of the caller start with struct_size, set by their _INIT macro; zero is the default of
 * every field.
 */
#ifndef LIBVMAFX_VMAFX_H
#define LIBVMAFX_VMAFX_H

#include <libvmafx/context.h>
#include <libvmafx/device.h>
#include <libvmafx/fence.h>
#include <libvmafx/frame.h>
#include <libvmafx/frame_pool.h>
#include <libvmafx/model.h>
#include <libvmafx/profile.h>
#include <libvmafx/score.h>
#include <libvmafx/status.h>
#include <libvmafx/version.h>

#endif
