/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/motion/motion_scores.h"

#include <algorithm>

namespace vmafx
{

namespace
{

constexpr double kSadScale = 256.0; /* the filtered picture's step per 8-bit step */

double smaller(double a, double b)
{
    return a < b ? a : b;
}

} // namespace

MotionScores::MotionScores(const OptionSet &set, const MotionNames &names)
    : feature_(names.feature), lag_(set.flag("motion_five_frame_window") ? 2 : 1),
      force_zero_(set.flag("motion_force_zero")),
      moving_average_(set.flag("motion_moving_average")), debug_(names.motion && set.flag("debug")),
      blend_factor_(set.number("motion_blend_factor")),
      blend_offset_(set.number("motion_blend_offset")),
      fps_weight_(set.number("motion_fps_weight")), max_value_(set.number("motion_max_val")),
      sad_name_(set.score_name(names.sad)),
      motion_name_(names.motion ? set.score_name(names.motion) : std::string()),
      motion2_name_(set.score_name(names.motion2)), motion3_name_(set.score_name(names.motion3))
{
}

ScoreNames MotionScores::names() const
{
    ScoreNames names{{sad_name_}, {motion2_name_, motion3_name_}};
    if (debug_)
        names.prompt.push_back(motion_name_);
    return names;
}

double MotionScores::clipped(double score) const
{
    return smaller(score, max_value_);
}

double MotionScores::blended(double score) const
{
    return score * blend_factor_ + (1 - blend_factor_) * smaller(blend_offset_, score);
}

void MotionScores::add_frame(uint64_t index, uint64_t sad, uint32_t samples, ScoreSink &sink)
{
    const bool zero = force_zero_ || index < lag_;
    const double mean = static_cast<double>(sad) / kSadScale / static_cast<double>(samples);
    const double score = zero ? 0.0 : clipped(mean * fps_weight_);
    sink.write(sad_name_, index, score);
    if (debug_)
        sink.write(motion_name_, index, score);
    broken_ = broken_ || index != run_.size();
    if (broken_)
        return;
    run_.push_back(score);
    /* Frame i waits for its successor, the first ones for the first real difference. */
    while (run_.size() > std::max<size_t>(open_ + 1, lag_))
        write_open(sink);
}

/** The smaller of the differences around frame i, as far as they exist. */
double MotionScores::motion2(size_t i) const
{
    if (i < lag_)
        return 0.0;
    if (i + 1 == run_.size())
        return run_[i];
    const size_t before = i - (lag_ - 1);
    return before < lag_ ? run_[i + 1] : smaller(run_[before], run_[i + 1]);
}

void MotionScores::write_open(ScoreSink &sink)
{
    const size_t i = open_++;
    const double stamp = run_.size() > lag_ ? clipped(blended(run_[lag_])) : 0.0;
    const double second = motion2(i);
    const double own = i < lag_ ? stamp : clipped(blended(second));
    const bool averaged = moving_average_ && i >= lag_;
    sink.write(motion2_name_, i, second);
    sink.write(motion3_name_, i, averaged ? (own + previous_) / 2.0 : own);
    previous_ = own;
}

void MotionScores::finish(ScoreSink &sink)
{
    while (open_ < run_.size())
        write_open(sink);
}

} // namespace vmafx
