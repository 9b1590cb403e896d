/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The scores of motion, from the sums of absolute differences that the device made.
 */
#ifndef VMAFX_FEATURES_MOTION_SCORES_H
#define VMAFX_FEATURES_MOTION_SCORES_H

#include <string>
#include <vector>

#include "features/feature.h"

namespace vmafx
{

/** What the scores are called. */
struct MotionNames {
    const char *feature;
    const char *sad;
    const char *motion; /* with the option "debug"; null: there is no such option */
    const char *motion2;
    const char *motion3;
};
inline constexpr MotionNames kMotionNames = {
    "motion", "VMAF_integer_feature_motion_sad_score", "VMAF_integer_feature_motion_score",
    "VMAF_integer_feature_motion2_score", "VMAF_integer_feature_motion3_score"};
inline constexpr MotionNames kMotionV2Names = {
    "motion_v2", "VMAF_integer_feature_motion_v2_sad_score", nullptr,
    "VMAF_integer_feature_motion2_v2_score", "VMAF_integer_feature_motion3_v2_score"};

/** One option set of motion and its scores so far. */
class MotionScores
{
  public:
    MotionScores(const OptionSet &set, const MotionNames &names);

    /** Distance in submissions to the picture that is compared, 1 or 2. */
    uint32_t lag() const { return lag_; }
    bool needs_pictures() const { return !force_zero_; }

    /** In the order of indices. sad is not looked at for the first lag() of them. Writes motion2
     * and motion3 of the frames whose neighbours are known by now. */
    void add_frame(uint64_t index, uint64_t sad, uint32_t samples, ScoreSink &sink);

    const char *feature() const { return feature_; }
    ScoreNames names() const;
    /** true: the frame was added, its motion2 and motion3 are still to be written. */
    bool is_open(uint64_t index) const { return index >= open_ && index < run_.size(); }

    /** Writes those that are still open, up to the first gap in the indices. */
    void finish(ScoreSink &sink);

  private:
    double clipped(double score) const;
    double blended(double score) const;
    double motion2(size_t i) const;
    void write_open(ScoreSink &sink);

    const char *feature_;
    uint32_t lag_;
    bool force_zero_, moving_average_, debug_;
    double blend_factor_, blend_offset_, fps_weight_, max_value_;
    std::string sad_name_, motion_name_, motion2_name_, motion3_name_;
    std::vector<double> run_; /* scores of frames 0, 1, 2, … up to the first gap */
    bool broken_ = false;     /* there was a gap */
    size_t open_ = 0;         /* the first frame of the run without motion2 and motion3 */
    double previous_ = 0.0;   /* motion3 of the frame before it, not averaged */
};

} // namespace vmafx

#endif
