/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The scores of motion, from the sums of absolute differences that the device made.
 */
#ifndef VMAFX_FEATURES_MOTION_SCORES_H
#define VMAFX_FEATURES_MOTION_SCORES_H

#include <map>
#include <string>
#include <vector>

#include "features/feature.h"

namespace vmafx
{

/** One option set of motion and its scores so far. */
class MotionScores
{
  public:
    static constexpr const char *kSadName = "VMAF_integer_feature_motion_sad_score";
    static constexpr const char *kMotionName = "VMAF_integer_feature_motion_score";
    static constexpr const char *kMotion2Name = "VMAF_integer_feature_motion2_score";
    static constexpr const char *kMotion3Name = "VMAF_integer_feature_motion3_score";

    explicit MotionScores(const OptionSet &set);

    /** Distance in submissions to the picture that is compared, 1 or 2. */
    uint32_t lag() const { return lag_; }
    bool needs_pictures() const { return !force_zero_; }

    /** sad is not looked at for the first lag() indices. */
    void add_frame(uint64_t index, uint64_t sad, uint32_t samples, ScoreSink &sink);

    /** Writes motion2 and motion3 of frames 0, 1, 2, … up to the first gap. */
    void finish(ScoreSink &sink) const;

  private:
    double clipped(double score) const;
    double blended(double score) const;
    std::vector<double> unbroken_run() const;
    double motion2(const std::vector<double> &sad, size_t i) const;

    uint32_t lag_;
    bool force_zero_, moving_average_, debug_;
    double blend_factor_, blend_offset_, fps_weight_, max_value_;
    std::string sad_name_, motion_name_, motion2_name_, motion3_name_;
    std::map<uint64_t, double> sad_; /* index -> score */
};

} // namespace vmafx

#endif
