/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The compiled kernels that the library carries, one image per target.
 */
#ifndef VMAFX_KERNELS_IMAGES_H
#define VMAFX_KERNELS_IMAGES_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace vmafx
{

enum class ImageKind : uint32_t { kAmd, kPtx, kX86 };

/** An image as runtimes load it. They may read it as long as the module lives. */
class UnpackedImage
{
  public:
    UnpackedImage() = default;
    /** Page-aligned, uninitialised, with a zero byte behind, so that PTX can be read as a C string.
     */
    explicit UnpackedImage(size_t size);

    std::span<const std::byte> bytes() const { return {data_.get(), size_}; }
    std::byte *data() { return data_.get(); }

  private:
    struct Free {
        void operator()(std::byte *data) const { std::free(data); }
    };
    std::unique_ptr<std::byte, Free> data_;
    size_t size_ = 0;
};

/** Laid out as the generated table of embed_images.py. */
struct Image {
    const char *target;      /* "gfx1036", "gfx11-generic", "sm_75", "x86-64-v3" */
    const std::byte *packed; /* by zlib */
    uint64_t packed_size;    /* bytes */
    uint64_t size;           /* bytes when unpacked */
    ImageKind kind;

    UnpackedImage unpack() const;
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
