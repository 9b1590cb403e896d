/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ADM in floats, with AIM: description and plan. All option sets share the transforms; those that
 * agree in CSF and norm share the denominators, with the same gain limit too everything on the
 * device.
 */
#ifndef VMAFX_FEATURES_FLOAT_ADM_H
#define VMAFX_FEATURES_FLOAT_ADM_H

#include <string>
#include <vector>

#include "features/feature.h"
#include "features/float_adm/float_adm_score.h"

namespace vmafx
{

class FloatAdmPlan final : public FeaturePlan
{
  public:
    size_t add_instance(const OptionSet &options) override;
    uint32_t reference_planes() const override { return 1; }
    uint32_t distorted_planes() const override { return 1; }
    void prepare(PlanDevice &device, const PictureFormat &format) override;
    size_t result_words() const override;
    ScoreNames score_names(size_t instance) const override
    {
        return {instances_[instance].names, {}};
    }
    void enqueue(const FrameJob &job) override;
    void collect(size_t instance, const uint64_t *results, uint64_t index,
                 ScoreSink &sink) override;

  private:
    static constexpr int kScales = float_adm::kScales;

    /** What sums depend on. */
    struct Variant {
        float_adm::Csf csf;
        double norm, gain;
        bool unmasked;
        bool wants_scale0;
        size_t den_owner;     /* the variant whose denominators these are, too */
        float *sums[kScales]; /* [map][row of the window] on the device */
    };
    struct Instance {
        float_adm::ScoreOptions options;
        size_t variant;
        std::vector<std::string> names; /* in the order of scores, debug ones last */
    };
    struct Kernels {
        const Kernel *dwt, *dwt_f, *mask, *mask_plain, *power, *row_sums, *totals;
    };

    size_t variant_of(const Variant &wanted);
    bool wants_scale0() const;
    void allocate_bands(PlanDevice &device);
    void allocate_sums(PlanDevice &device);
    void transform(const FrameJob &job, int scale) const;
    void measure(const FrameJob &job, int scale, size_t variant) const;
    void take_power(const FrameJob &job, const FloatAdmMaskArgs &from, uint32_t maps,
                    double norm) const;
    void add_up(const FrameJob &job) const;
    uint32_t maps_of(size_t variant) const
    {
        return variants_[variant].den_owner == variant ? kFloatAdmMaps : kFloatAdmDen;
    }

    std::vector<Instance> instances_;
    std::vector<Variant> variants_;
    PictureFormat format_;
    float step_ = 0;
    float_adm::Geometry geometry_{};
    FloatAdmBands bands_[kScales][2]{}; /* reference, distorted */
    FloatAdmShape dwt_shape_{}, mask_shape_{};
    Kernels kernels_{};
    float *maps_ = nullptr;
    uint64_t map_ = 0; /* elements of a map */
};

} // namespace vmafx

#endif
