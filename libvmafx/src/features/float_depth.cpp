/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/float_depth.h"

#include "core/failure.h"

namespace vmafx
{

FloatDepth float_depth(const PictureFormat &format, const char *feature)
{
    const uint32_t bits = format.bits;
    if (bits != 8 && bits != 10 && bits != 12 && bits != 16)
        fail(VMAFX_E_NOTSUP, "bits",
             "%s takes 8, 10, 12 or 16 bits a sample, not %u; convert the pictures to one of them",
             feature, bits);
    const uint32_t steps = 1u << (bits - 8);
    return {1.0f / static_cast<float>(steps), static_cast<double>((1u << bits) - 1) / steps,
            6.0 * bits + 12};
}

void require_size(const PictureFormat &format, const char *feature, uint32_t width, uint32_t height)
{
    if (format.width < width || format.height < height)
        fail(VMAFX_E_RANGE, format.width < width ? "width" : "height",
             "%s needs pictures of at least %ux%u, these are %ux%u", feature, width, height,
             format.width, format.height);
}

} // namespace vmafx
