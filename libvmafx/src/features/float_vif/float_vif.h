/* SPDX-License-Identifier: BSD-2-Clause
 *
 * VIF in floats: description and plan. Option sets share what they can: pictures at another size,
 * the pictures of the scales, and filtered planes where only gain limits differ.
 */
#ifndef VMAFX_FEATURES_FLOAT_VIF_H
#define VMAFX_FEATURES_FLOAT_VIF_H

#include <array>
#include <vector>

#include "features/feature.h"
#include "features/float_vif/float_vif_taps.h"
#include "features/resampling.h"
#include "kernels/ordered_sum_kernels.h"
#include "kernels/row_sums_kernels.h"

namespace vmafx
{

class FloatVifPlan final : public FeaturePlan
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
    static constexpr size_t kScales = float_vif::kScales;

    struct Instance {
        OptionSet options;
        bool debug, skip_scale0;
        size_t group, gain; /* gain: index into the group's */
        std::array<double, kScales> least;
    };
    /** Pictures before the first scale. */
    struct Picture {
        double prescale;
        Resampling method;
        FloatVifSource source; /* pictures are null while they are the frame's */
        const ResampleTap *columns, *rows;
    };
    /** The pictures of all scales. */
    struct Pyramid {
        size_t picture;
        double kernel_scale;
        std::array<FloatVifTaps, kScales> taps;
        std::array<FloatVifSource, kScales> source;
    };
    /** What one pass over a pyramid serves. */
    struct Group {
        size_t pyramid;
        double noise;
        std::vector<double> gains;
        bool wants_scale0;
        std::array<float *, kScales> sums; /* [den, each gain][rows of the scale] */
        size_t words;                      /* where its results begin */

        size_t maps() const { return 1 + gains.size(); }
    };
    struct Ratio {
        double num, den;
    };
    struct Kernels {
        const Kernel *resample, *scale, *scale_f, *next, *next_f, *row_sums, *totals;
    };

    size_t picture_of(double prescale, Resampling method);
    size_t pyramid_of(size_t picture, double kernel_scale);
    size_t group_of(size_t pyramid, double noise);

    bool is_frame(const Picture &picture) const;
    void check_size(const Pyramid &pyramid, const FloatVifSource &source) const;
    void prepare_picture(PlanDevice &device, Picture &picture, float step);
    void prepare_pyramid(PlanDevice &device, Pyramid &pyramid);
    void prepare_groups(PlanDevice &device);
    void prepare_maps(PlanDevice &device);

    FloatVifSource resampled(const FrameJob &job, const Picture &picture) const;
    void next_pictures(const FrameJob &job, const FloatVifSource &from, const Pyramid &pyramid,
                       size_t scale) const;
    void measure(const FrameJob &job, const FloatVifSource &source, const Group &group,
                 size_t scale) const;
    void add_up(const FrameJob &job) const;
    Ratio ratio_of(const uint64_t *results, const Instance &instance, size_t scale) const;

    std::vector<Instance> instances_;
    std::vector<Picture> pictures_;
    std::vector<Pyramid> pyramids_;
    std::vector<Group> groups_;
    PictureFormat format_;
    FloatVifShape shape_{}, next_shape_{};
    Kernels kernels_{};
    float *maps_ = nullptr;
    uint64_t map_ = 0; /* elements of a map */
};

} // namespace vmafx

#endif
