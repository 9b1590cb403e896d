/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the opaque handles of the API are.
 */
#ifndef VMAFX_API_HANDLES_H
#define VMAFX_API_HANDLES_H

#include <memory>

#include <libvmafx/vmafx.h>

#include "hip/device.h"

/** Frames and contexts share the device, so that the handle may be closed before them. */
struct VmafxDevice {
    std::shared_ptr<vmafx::Device> device;
};

#endif
