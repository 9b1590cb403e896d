/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the cases of the guest's test program share, and the list of them.
 */
#ifndef TESTS_KERNEL_CASES_H
#define TESTS_KERNEL_CASES_H

#include "api/refusal.h"
#include "import/picture_pairs.h"
#include "vgem.h"

#include <cstdio>

constexpr uint64_t kMillisecondNs = UINT64_C(1'000'000);
/** Bound of a wait that must succeed: below the 10 s after which vgem signals by itself. */
constexpr uint64_t kLongWaitNs = UINT64_C(8'000'000'000);

inline const support::LayoutFacts &nv12()
{
    return support::facts_of(VMAFX_LAYOUT_NV12);
}

/** A small NV12 picture; another seed is another picture. */
inline support::Picture test_picture(uint32_t seed)
{
    return support::natural_picture(VMAFX_LAYOUT_420, 8, 48, 32, seed);
}

inline const support::Placement &placement(const char *name)
{
    for (const support::Placement &p : support::all_placements())
        if (std::string(p.name) == name)
            return p;
    throw std::runtime_error(std::string("no placement ") + name);
}

inline support::CreateBuffer buffers_of(const Vgem &vgem)
{
    return [&vgem](std::span<const uint8_t> contents) { return vgem.create_buffer(contents); };
}

/** An NV12 picture in vgem's buffers. */
inline support::PlacedPicture place(const Vgem &vgem, const support::Picture &picture,
                                    const char *where = "one fd")
{
    return support::PlacedPicture(picture, nv12(), placement(where), buffers_of(vgem));
}

/** The frame holds this very NV12 picture: no sample differs from an upload. */
void check_shows(const support::Device &device, const support::Frame &frame,
                 const support::Picture &picture);

inline VmafxFrameImport with_sync_file(VmafxFrameImport desc, int fd)
{
    desc.acquire.kind = VMAFX_FENCE_SYNC_FILE;
    desc.acquire.fd = fd;
    return desc;
}

/** A line of output that says which round of a loop runs. */
inline void announce(const std::string &round)
{
    std::printf("# %s\n", round.c_str());
    std::fflush(stdout);
}

/** The import is refused as pending, and leaves no frame. */
#define assert_busy(device, desc)                                                                  \
    do {                                                                                           \
        VmafxFrame *frame_ = nullptr;                                                              \
        const VmafxFrameImport desc_ = (desc);                                                     \
        assert_refused(VMAFX_E_BUSY, "desc.acquire", "pending", vmafx_frame_import,                \
                       (device).get(), &desc_, &frame_);                                           \
        ck_assert_ptr_null(frame_);                                                                \
    } while (0)

TCase *buffers_case();
TCase *explicit_fences_case();
TCase *implicit_fences_case();
TCase *fence_errors_case();
TCase *descriptors_case();
TCase *resources_case();
TCase *release_case();
/** Exporters that only some kernels have; those that this one lacks are named. */
TCase *exporters_case();

#endif
