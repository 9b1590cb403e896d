/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The device's part of CAMBI: what option sets ask for, each once, in scratch memory that they
 * share.
 */
#ifndef VMAFX_FEATURES_CAMBI_PASSES_H
#define VMAFX_FEATURES_CAMBI_PASSES_H

#include <vector>

#include "features/cambi/cambi_kernels.h"
#include "features/cambi/cambi_setting.h"

namespace vmafx
{

class CambiPasses
{
  public:
    /** Asks for the mean of the top share of contrasts of each scale; returns the number of the
     *  mean, for scores(). */
    size_t add(const CambiPicture &picture, const CambiMeasure &measure, double top_share);

    void prepare(PlanDevice &device, const PictureFormat &format);
    size_t result_words() const;
    void enqueue(const FrameJob &job);

    /** Samples above the largest of the depth. */
    uint64_t excess(const uint64_t *results, bool reference) const;
    /** The weighted mean over scales, in proportion to the largest contrast of a window. */
    double score(const uint64_t *results, size_t mean) const;

  private:
    struct Plane {
        uint32_t width, height;
        size_t samples() const { return size_t{width} * height; }
    };
    struct Mean {
        double top_share;
        size_t number;
    };
    struct Pass {
        CambiMeasure measure;
        std::vector<Mean> means;
        int low = 0, high = 0; /* codes that have bins */
        const uint8_t *weights = nullptr;
        int bins() const { return high - low + 1 + 2 * measure.steps; }
    };
    struct Sampled {
        CambiPicture picture;
        std::vector<Pass> passes;
        const int32_t *columns = nullptr, *rows = nullptr;
    };
    /** What makes a mean's score of its sums. */
    struct Divisors {
        int counts[kCambiScales]; /* of contrasts */
        uint32_t window;
    };

    static Plane scale_of(const CambiPicture &picture, const CambiMeasure &measure, int scale);
    static int wanted(const Plane &plane, double top_share);
    void upload_tables(PlanDevice &device, Sampled &sampled);
    void allocate(PlanDevice &device);
    void enqueue_excess(const FrameJob &job, bool reference);
    void enqueue_picture(const FrameJob &job, const Sampled &sampled);
    void enqueue_scales(const FrameJob &job, const Sampled &sampled, const Pass &pass);
    void enqueue_contrast(const FrameJob &job, const Sampled &sampled, const Pass &pass);
    void enqueue_mean(const FrameJob &job, const Sampled &sampled, const Pass &pass,
                      const Mean &mean);

    std::vector<Sampled> sampled_;
    std::vector<Divisors> means_;
    PictureFormat format_;
    bool cpu_ = false;
    const Kernel *excess_kernel_ = nullptr, *prepare_kernel_ = nullptr, *mask_kernel_ = nullptr,
                 *scale_kernel_ = nullptr, *contrast_kernel_ = nullptr, *count_kernel_ = nullptr,
                 *pick_kernel_ = nullptr;
    uint16_t *codes_ = nullptr;
    uint8_t *mask_ = nullptr;
    uint16_t *scaled_[2] = {};
    uint16_t *bins_[kCambiScales] = {};
    float *contrast_[kCambiScales] = {};
    CambiSelection *selection_ = nullptr;
    const float *reciprocals_ = nullptr;
};

} // namespace vmafx

#endif
