/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernel of float_psnr, which takes the arguments and the tile shape of psnr:
 *
 *     float_psnr_16   the sum of squared differences of 16-bit samples, each square rounded to a
 *                     float
 */
#ifndef VMAFX_FEATURES_FLOAT_PSNR_KERNELS_H
#define VMAFX_FEATURES_FLOAT_PSNR_KERNELS_H

#include "features/psnr/psnr_kernels.h"

#endif
