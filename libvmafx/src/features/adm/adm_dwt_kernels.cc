/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ADM's wavelet transform: one level, columns first, then rows.
 */
#include "features/adm/adm_dwt_arithmetic.h"
#include "features/adm/adm_dwt_rows.h"
#include "features/adm/adm_dwt_walk.h"

VX_KERNEL(adm_dwt0_8, AdmDwtArgs, adm_dwt_kernels::Tile<int16_t>, kAdmThreads)
{
    adm_dwt_kernels::body<uint8_t>(args, tile, group, adm_dwt_kernels::PictureColumns{8});
}

VX_KERNEL(adm_dwt0_16, AdmDwtArgs, adm_dwt_kernels::Tile<int16_t>, kAdmThreads)
{
    adm_dwt_kernels::body<uint16_t>(args, tile, group, adm_dwt_kernels::PictureColumns{args.bits});
}

VX_KERNEL(adm_dwt1, AdmDwtArgs, adm_dwt_kernels::Tile<int32_t>, kAdmThreads)
{
    adm_dwt_kernels::body<int16_t>(args, tile, group, adm_dwt_kernels::PlainColumns{});
}

VX_KERNEL(adm_dwt2, AdmDwtArgs, adm_dwt_kernels::Tile<int32_t>, kAdmThreads)
{
    adm_dwt_kernels::body<int32_t>(args, tile, group, adm_dwt_kernels::WideColumns{});
}
