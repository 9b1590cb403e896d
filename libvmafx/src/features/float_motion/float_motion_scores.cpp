/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/float_motion/float_motion_scores.h"

namespace vmafx
{

namespace
{

double smaller(double a, double b)
{
    return a < b ? a : b;
}

} // namespace

FloatMotionScores::FloatMotionScores(const OptionSet &set)
    : force_zero_(set.flag("motion_force_zero")), debug_(set.flag("debug")),
      blend_factor_(set.number("motion_blend_factor")),
      blend_offset_(set.number("motion_blend_offset")),
      fps_weight_(set.number("motion_fps_weight")), max_value_(set.number("motion_max_val")),
      motion_name_(set.score_name(kMotionName)), motion2_name_(set.score_name(kMotion2Name)),
      motion3_name_(set.score_name(kMotion3Name))
{
}

/* Of the first frame libvmaf writes motion2 and motion at once; where all is 0, motion3 too. */
ScoreNames FloatMotionScores::names() const
{
    ScoreNames names{{motion2_name_}, {}};
    (force_zero_ ? names.prompt : names.late).push_back(motion3_name_);
    if (debug_)
        names.prompt.push_back(motion_name_);
    return names;
}

double FloatMotionScores::clipped(double distance) const
{
    return smaller(distance * fps_weight_, max_value_);
}

double FloatMotionScores::blended(double distance) const
{
    const double score = distance * fps_weight_;
    const double blend =
        score * blend_factor_ + (1 - blend_factor_) * smaller(blend_offset_, score);
    return smaller(blend, max_value_);
}

void FloatMotionScores::add_frame(uint64_t index, double distance, ScoreSink &sink)
{
    if (force_zero_) {
        sink.write(motion2_name_, index, 0);
        sink.write(motion3_name_, index, 0);
    }
    const bool zero = force_zero_ || index == 0;
    if (debug_)
        sink.write(motion_name_, index, zero ? 0 : clipped(distance));
    if (force_zero_)
        return;
    broken_ = broken_ || index != run_.size();
    if (broken_)
        return;
    run_.push_back(distance);
    while (run_.size() > open_ + 1)
        write_open(sink);
}

/** A frame's distances are those to its neighbours, of which the first and the last have one. */
void FloatMotionScores::write_open(ScoreSink &sink)
{
    const size_t i = open_++;
    const bool last = i + 1 == run_.size();
    if (i == 0) {
        sink.write(motion2_name_, i, 0);
        sink.write(motion3_name_, i, last ? 0 : blended(run_[1]));
        return;
    }
    const double distance = last ? run_[i] : smaller(run_[i], run_[i + 1]);
    sink.write(motion2_name_, i, clipped(distance));
    sink.write(motion3_name_, i, blended(distance));
}

void FloatMotionScores::finish(ScoreSink &sink)
{
    while (open_ < run_.size())
        write_open(sink);
}

} // namespace vmafx
