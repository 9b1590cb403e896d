/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The scores of float_motion, from the distances of successive pictures that the device measured.
 */
#ifndef VMAFX_FEATURES_FLOAT_MOTION_SCORES_H
#define VMAFX_FEATURES_FLOAT_MOTION_SCORES_H

#include <string>
#include <vector>

#include "features/feature.h"

namespace vmafx
{

/** One option set of float_motion and its scores so far. */
class FloatMotionScores
{
  public:
    static constexpr const char *kMotionName = "VMAF_feature_motion_score";
    static constexpr const char *kMotion2Name = "VMAF_feature_motion2_score";
    static constexpr const char *kMotion3Name = "VMAF_feature_motion3_score";

    explicit FloatMotionScores(const OptionSet &set);

    /** false: all scores are 0. */
    bool needs_pictures() const { return !force_zero_; }

    /** In the order of indices. The distance to the picture before; not looked at for the first
     * one. Writes what is known by now. */
    void add_frame(uint64_t index, double distance, ScoreSink &sink);

    ScoreNames names() const;
    /** true: the frame was added, its motion2 and motion3 are still to be written. */
    bool is_open(uint64_t index) const { return index >= open_ && index < run_.size(); }

    /** Writes those that are still open, up to the first gap in the indices. */
    void finish(ScoreSink &sink);

  private:
    double clipped(double distance) const;
    double blended(double distance) const;
    void write_open(ScoreSink &sink);

    bool force_zero_, debug_;
    double blend_factor_, blend_offset_, fps_weight_, max_value_;
    std::string motion_name_, motion2_name_, motion3_name_;
    std::vector<double> run_; /* distances of frames 0, 1, 2, … up to the first gap */
    bool broken_ = false;     /* there was a gap */
    size_t open_ = 0;         /* the first frame of the run without motion2 and motion3 */
};

} // namespace vmafx

#endif
