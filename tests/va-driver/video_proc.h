/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef VMAFXTEST_VIDEO_PROC_H
#define VMAFXTEST_VIDEO_PROC_H

#include <va/va.h>
#include <va/va_vpp.h>

struct driver;
struct surface;

/* Gives the worker a copy from one surface to another of the same format. */
VAStatus video_proc_copy(struct driver *driver, struct surface *target,
                         const VAProcPipelineParameterBuffer *parameters);

#endif
