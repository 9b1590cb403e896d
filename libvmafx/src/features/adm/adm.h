/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Integer ADM with AIM. All option sets share the transforms and the denominators; those that agree
 * in gain limit and CSF share everything on the device, and two whole gain limits with the same CSF
 * run in one kernel.
 */
#ifndef VMAFX_FEATURES_ADM_H
#define VMAFX_FEATURES_ADM_H

#include <string>
#include <vector>

#include "features/adm/adm_score.h"
#include "features/feature.h"

namespace vmafx
{

class AdmPlan final : public FeaturePlan
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
    /** What numerators depend on. */
    struct Variant {
        adm::Csf csf;
        double gain;
        uint64_t *rows[adm::kScales]; /* sums of rows of tiles, on the device */
    };
    /** One launch: a variant, or two whose CSF agrees. */
    struct Launch {
        size_t variant[2];
        bool pair, whole;
    };
    struct Instance {
        adm::ScoreOptions options;
        size_t variant;
        std::vector<std::string> names; /* in the order of scores, debug ones last */
    };
    /** How a scale is cut. */
    struct Tiles {
        int dwt_rows;
        int strip, strips, rows; /* of masks, see AdmMaskScale */
        int count;
    };
    struct Kernels {
        const Kernel *dwt[adm::kScales];
        const Kernel *mask, *mask_pair, *mask_real;
        const Kernel *finish;
    };

    size_t variant_of(const adm::Csf &csf, double gain);
    void plan_launches();
    void find_kernels(PlanDevice &device);
    void allocate_bands(PlanDevice &device);
    void choose_tiles(PlanDevice &device);
    void allocate_rows(PlanDevice &device);
    void transform(const FrameJob &job, int scale);
    AdmMaskScale mask_scale(int scale, const Launch &launch, bool denominators) const;
    void mask(const FrameJob &job, const Launch &launch, bool denominators);
    void finish(const FrameJob &job);
    using FeaturePlan::finish;

    std::vector<Instance> instances_;
    std::vector<Variant> variants_;
    std::vector<Launch> launches_;
    int first_scale_ = 1; /* 0 unless every instance skips it */

    PictureFormat format_;
    adm::Geometry geometry_{};
    AdmBands bands_[adm::kScales][2]{}; /* reference, distorted */
    AdmDwtShape dwt_shape_{};
    Tiles tiles_[adm::kScales]{};
    Kernels kernels_{};
    uint64_t *den_rows_[adm::kScales]{};
};

} // namespace vmafx

#endif
