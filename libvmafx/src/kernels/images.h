/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The compiled kernels that the library carries, one image per target.
 */
#ifndef VMAFX_KERNELS_IMAGES_H
#define VMAFX_KERNELS_IMAGES_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vmafx
{

enum class ImageKind : uint32_t { kAmd, kPtx, kX86 };

/** Laid out as the generated table of embed_images.py. */
struct Image {
    const char *target; /* "gfx1036", "gfx11-generic", "sm_75", "x86-64-v3" */
    const std::byte *data;
    uint64_t size; /* bytes; a zero byte follows, so that PTX can be read as a C string */
    ImageKind kind;

    std::span<const std::byte> bytes() const { return {data, static_cast<size_t>(size)}; }
};

/** All images, in the order in which they are built. */
std::span<const Image> all_images();

/**
 * The image for a device's target, nullptr if there is none: the target itself; for an AMD target
 * the generic one of its family; for sm_NN the PTX whose number is not above NN. Features after a
 * colon
 * ("gfx90a:sramecc+:xnack-") are ignored.
 */
const Image *image_for(std::string_view target);

/** "gfx900 gfx906 …": what was built of a kind, for error messages; "none" if nothing was. */
std::string built_targets(ImageKind kind);

} // namespace vmafx

#endif
