/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels/images.h"

#include <algorithm>
#include <charconv>
#include <new>

#include <zlib.h>

#include "core/failure.h"

/* The generated table. */
extern "C" {
extern const vmafx::Image vmafx_images_begin[] __attribute__((visibility("hidden")));
extern const vmafx::Image vmafx_images_end[] __attribute__((visibility("hidden")));
}

namespace vmafx
{

namespace
{

/* The loader of code objects maps whole pages. */
constexpr size_t kPage = 4096;

/** Devices that a generic target runs on; '?' stands for one character. Source: LLVM's table of
 *  generic processors. */
struct Family {
    const char *generic;
    const char *members;
};
constexpr Family kFamilies[] = {
    {"gfx9-generic", "gfx900 gfx902 gfx904 gfx906 gfx909 gfx90c"},
    {"gfx10-1-generic", "gfx101?"},
    {"gfx10-3-generic", "gfx103?"},
    {"gfx11-generic", "gfx110? gfx115?"},
    {"gfx12-generic", "gfx120?"},
};

bool matches(std::string_view pattern, std::string_view target)
{
    if (pattern.size() != target.size())
        return false;
    for (size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '?' && pattern[i] != target[i])
            return false;
    }
    return true;
}

bool lists(std::string_view members, std::string_view target)
{
    while (!members.empty()) {
        const size_t end = std::min(members.find(' '), members.size());
        if (matches(members.substr(0, end), target))
            return true;
        members.remove_prefix(std::min(end + 1, members.size()));
    }
    return false;
}

const Image *exact(std::string_view target)
{
    for (const Image &image : all_images()) {
        if (target == image.target)
            return &image;
    }
    return nullptr;
}

/** The number of "sm_75" or "sm_90a", -1 for other texts. */
int sm_number(std::string_view target)
{
    if (!target.starts_with("sm_"))
        return -1;
    int number = -1;
    std::from_chars(target.data() + 3, target.data() + target.size(), number);
    return number;
}

/** The newest PTX that a GPU of this number runs. */
const Image *ptx_for(int number)
{
    const Image *best = nullptr;
    for (const Image &image : all_images()) {
        if (image.kind != ImageKind::kPtx || sm_number(image.target) > number)
            continue;
        if (!best || sm_number(image.target) > sm_number(best->target))
            best = &image;
    }
    return best;
}

} // namespace

UnpackedImage::UnpackedImage(size_t size)
    : data_(static_cast<std::byte *>(std::aligned_alloc(kPage, (size / kPage + 1) * kPage))),
      size_(size)
{
    if (!data_)
        throw std::bad_alloc();
    data_.get()[size] = std::byte{0};
}

UnpackedImage Image::unpack() const
{
    UnpackedImage image(static_cast<size_t>(size));
    uLongf length = size;
    const int status = uncompress(reinterpret_cast<Bytef *>(image.data()), &length,
                                  reinterpret_cast<const Bytef *>(packed), packed_size);
    if (status != Z_OK || length != size)
        fail(VMAFX_E_INTERNAL, "library", "its kernels for %s are damaged; install it again",
             target);
    return image;
}

std::span<const Image> all_images()
{
    return {vmafx_images_begin, vmafx_images_end};
}

const Image *image_for(std::string_view target)
{
    target = target.substr(0, target.find(':'));
    if (const Image *image = exact(target))
        return image;
    if (const int number = sm_number(target); number >= 0)
        return ptx_for(number);
    for (const Family &family : kFamilies) {
        if (lists(family.members, target))
            return exact(family.generic);
    }
    return nullptr;
}

std::string built_targets(ImageKind kind)
{
    std::string text;
    for (const Image &image : all_images()) {
        if (image.kind == kind)
            text += (text.empty() ? "" : " ") + std::string(image.target);
    }
    return text.empty() ? "none" : text;
}

} // namespace vmafx
