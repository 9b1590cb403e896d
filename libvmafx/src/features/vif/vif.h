/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Integer VIF: description and plan.
 */
#ifndef VMAFX_FEATURES_VIF_H
#define VMAFX_FEATURES_VIF_H

#include <array>
#include <vector>

#include "features/feature.h"
#include "features/vif/vif_kernels.h"

namespace vmafx
{

class VifPlan : public FeaturePlan
{
  public:
    size_t add_instance(const OptionSet &options) override;
    uint32_t reference_planes() const override { return 1; }
    uint32_t distorted_planes() const override { return 1; }
    void prepare(PlanDevice &device, const PictureFormat &format) override;
    size_t result_words() const override;
    ScoreNames score_names(size_t instance) const override;
    void enqueue(const FrameJob &job) override;
    void collect(size_t instance, const uint64_t *results, uint64_t index,
                 ScoreSink &sink) override;

  private:
    static constexpr size_t kScales = 4;

    struct Instance {
        OptionSet options;
        bool debug;
        bool skip_scale0;
        size_t gain; /* index into gains_ */
    };
    struct Scale {
        const Kernel *kernel = nullptr;
        uint32_t width = 0, height = 0;
        uint32_t band = 0;       /* rows of a tile */
        uint16_t *plane[2] = {}; /* reference, distorted; null in scale 0 */
        uint64_t pitch = 0;      /* of these, in bytes */
    };
    struct Ratio {
        float num, den;
    };

    size_t passes() const;
    Ratio ratio_of(const uint64_t *results, size_t scale, size_t gain) const;
    void write_debug(const Instance &instance, const std::array<Ratio, kScales> &ratios,
                     uint64_t index, ScoreSink &sink) const;

    std::vector<Instance> instances_;
    std::vector<double> gains_; /* distinct gain limits; each launch serves kVifGains of them */
    bool wants_scale0_ = false;
    std::array<Scale, kScales> scales_;
    uint32_t tile_width_ = 0;
    int32_t shift_ = 0;
    const uint32_t *log_lines_ = nullptr;
};

} // namespace vmafx

#endif
