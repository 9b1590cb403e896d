/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What SSIM and MS-SSIM in floats do with a pair of pictures on the device: sums of luminance,
 * contrast, structure and their product over all windows, added up in raster order.
 */
#ifndef VMAFX_FEATURES_SSIM_CORE_H
#define VMAFX_FEATURES_SSIM_CORE_H

#include "features/feature.h"

namespace vmafx
{

/** Words of results, each the bits of a binary64 sum. */
enum SsimSum { kSsimScore, kSsimLuminance, kSsimContrast, kSsimStructure, kSsimSums };

constexpr uint32_t kSsimSmallest = 11; /* side of a window */

/** Two pictures of one size on the device. */
struct SsimPictures {
    const void *reference;
    const void *distorted;
    uint64_t reference_pitch, distorted_pitch; /* bytes */
    uint32_t width, height;                    /* >= kSsimSmallest */
    bool floats;                               /* else samples as the frames have them */
};

SsimPictures ssim_pictures(const FrameJob &job, const PictureFormat &format);
SsimPictures ssim_pictures(const float *reference, const float *distorted, uint32_t width,
                           uint32_t height);

/** Means over all windows, rounded as libvmaf rounds them. */
struct SsimMeans {
    float mean[kSsimSums];
};
SsimMeans ssim_means(const uint64_t *results, uint32_t width, uint32_t height);

class SsimCore
{
  public:
    /** windows: of the largest picture. wanted: bits 1 << SsimSum of any of them. */
    void prepare(PlanDevice &device, uint32_t bits, float step, uint64_t windows, unsigned wanted);

    /** Writes the wanted sums to results, which are zero before. */
    void enqueue(PlanStream &stream, const SsimPictures &pictures, unsigned wanted,
                 uint64_t *results) const;

  private:
    void enqueue_rows(PlanStream &stream, const SsimPictures &pictures, unsigned wanted,
                      uint32_t first, uint32_t end, uint64_t *results) const;

    bool cpu_tiles_ = false;
    float step_ = 1;
    const Kernel *samples_ = nullptr, *floats_ = nullptr;
    const Kernel *sum_doubles_ = nullptr, *sum_floats_ = nullptr;
    void *map_[kSsimSums] = {};
};

/** Decibels of a score; bounded if wanted: no picture but the same one can have more. */
double ssim_decibels(double score, bool bounded, const PictureFormat &format);

} // namespace vmafx

#endif
