/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The descriptor of the x86-64 image that this file is linked into.
 */
#include "kernels/cpu_image.h"

VX_CPU_IMAGE
