/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The device's work of SpEED on pairs of fields, which both features share: planes with one filter,
 * and scores of them with several weightings.
 */
#ifndef VMAFX_FEATURES_SPEED_ANALYSIS_H
#define VMAFX_FEATURES_SPEED_ANALYSIS_H

#include <span>
#include <vector>

#include "features/feature.h"
#include "features/speed/speed_kernels.h"
#include "features/speed/speed_options.h"

namespace vmafx
{

/** Fields before they are resampled. */
struct SpeedFormat {
    uint32_t width, height;
    uint32_t sample_bytes;
    float step;     /* of a sample, in 8-bit steps */
    uint32_t pairs; /* of reference and distorted; 1 or 2 */
};

/** A pair's score as the device gives it. */
struct SpeedScore {
    float value;
    bool unstable; /* the covariance of one side at least has no inverse */
};

class SpeedAnalysis
{
  public:
    explicit SpeedAnalysis(const SpeedFilter &filter) : filter_(filter) {}

    const SpeedFilter &filter() const { return filter_; }
    /** feature: for the message of a format that is too small, E_RANGE. */
    void prepare(PlanDevice &device, const SpeedFormat &format, const char *feature);

    /** Up to the variances of the blocks. source: reference, distorted, reference, distorted. */
    void enqueue(PlanStream &stream, std::span<const SpeedSource> source) const;
    /** A word per pair. After enqueue(), which the next one overwrites. */
    void enqueue_scores(PlanStream &stream, const SpeedWeighting &weighting, uint64_t *score) const;

    static SpeedScore read_score(uint64_t word);

  private:
    struct Kernels {
        const Kernel *reduce, *centre, *covariance, *system, *solve, *terms, *score;
    };
    void find_size(const SpeedFormat &format, const char *feature);
    void allocate(PlanDevice &device, const SpeedFormat &format);
    void fill_reduce(PlanDevice &device, const SpeedFormat &format);

    SpeedFilter filter_;
    SpeedShape shape_ = {};
    Kernels kernels_ = {};
    uint32_t fields_ = 0;
    uint32_t width_ = 0, height_ = 0; /* resampled */
    uint32_t reduced_width_ = 0, reduced_height_ = 0;
    uint32_t across_ = 0, down_ = 0; /* blocks */
    SpeedReduceArgs reduce_ = {};
    SpeedCentreArgs centre_ = {};
    SpeedSystem *system_ = nullptr;
    float *variance_ = nullptr;
    float *term_ = nullptr;
};

} // namespace vmafx

#endif
