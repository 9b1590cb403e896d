/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A session on the CPU for tests of its calls.
 */
#ifndef TESTS_API_SESSION_H
#define TESTS_API_SESSION_H

#include <filesystem>
#include <string>

#include <unistd.h>

#include "refusal.h"
#include "support/picture.h"
#include "support/scores.h"

namespace support
{

inline Picture picture_of(uint32_t chroma, uint32_t bits, uint32_t width, uint32_t height)
{
    return natural_picture(chroma, bits, width, height, 3);
}

inline Frame upload(const Device &device, const Picture &picture)
{
    return import_frame(device, HostPicture(picture, facts_of(picture.chroma)).desc());
}

inline Frame upload_luma(const Device &device, const Picture &picture)
{
    const HostPicture host(picture, facts_of(picture.chroma));
    VmafxFrameImport desc = host.desc();
    desc.plane_count = 1;
    return import_frame(device, desc);
}

/** A device, a context with psnr and motion, and one good frame. */
struct Session {
    Device device = open_cpu_device();
    Context context = create_context(device);
    Frame frame = upload(device, picture_of(VMAFX_LAYOUT_420, 8, 96, 64));

    Session()
    {
        must(vmafx_context_use_feature, context.get(), "psnr", "enable_apsnr=true");
        must(vmafx_context_use_feature, context.get(), "motion", nullptr);
    }
    void submit_good(uint64_t index) { submit(context, frame, frame, index); }
    void flush() { must(vmafx_context_flush, context.get()); }
};

inline std::filesystem::path scratch_file(const char *name)
{
    return std::filesystem::temp_directory_path() / (std::to_string(getpid()) + name);
}

} // namespace support

#endif
