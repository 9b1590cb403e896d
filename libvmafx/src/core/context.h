/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A scoring session: registration, submission, collection of results in frame order, prediction.
 */
#ifndef VMAFX_CORE_CONTEXT_H
#define VMAFX_CORE_CONTEXT_H

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <libvmafx/context.h>

#include "core/failure.h"
#include "core/frame.h"
#include "core/frame_profiles.h"
#include "core/frame_ring.h"
#include "core/frame_work.h"
#include "core/lanes.h"
#include "core/plan_set.h"
#include "core/predictor.h"
#include "core/score_store.h"

/** One thread at a time; see context.h of the API. */
struct VmafxContext {
  public:
    VmafxContext(const std::shared_ptr<vmafx::Device> &device, const VmafxContextDesc &desc);
    ~VmafxContext();

    void use_model(std::shared_ptr<const vmafx::Model> model);
    void use_feature(const std::string &extractor, const std::string &options);

    const std::shared_ptr<vmafx::Device> &device() const { return device_; }
    /** Planes that the registered features read of either picture; all before there is one. */
    uint32_t wanted_planes() const;

    void submit(VmafxFrame &reference, VmafxFrame &distorted, uint64_t index);
    void flush();

    /** Takes over what the device has finished; does not wait. */
    void collect_finished();
    /** true: pairs are in flight, or finished and not taken over yet; false for ever after a
     *  failure. */
    bool holds_pairs() const { return !failure_ && !ring_.empty(); }

    bool flushed() const { return flushed_; }
    /** false: no further score will come. */
    bool running() const { return !flushed_ && !failure_; }
    /** Throws what ended the session, if anything did. */
    void repeat_failure() const
    {
        if (failure_)
            throw *failure_;
    }
    /** true: the frame was submitted, and may still get the score that it lacks. */
    bool may_come(const std::string &name, uint64_t index) const;
    uint32_t n_subsample() const { return n_subsample_; }
    const vmafx::ScoreStore &scores() const { return scores_; }
    const vmafx::FrameProfiles &profiles() const { return profiles_; }
    const std::optional<vmafx::PictureFormat> &format() const { return format_; }
    /** Frames submitted, and wall-clock seconds from the first submission to the last result. */
    uint64_t frames() const { return submitted_; }
    double seconds() const;
    VmafxContextCounters counters() const;

  private:
    VmafxContext(std::shared_ptr<vmafx::Device> device, const VmafxContextDesc &desc,
                 const vmafx::Overlap &overlap);
    void check_pair(const VmafxFrame &reference, const VmafxFrame &distorted, uint64_t index) const;
    void check_planes(const VmafxFrame &frame, uint32_t needed, const char *which) const;
    void prepare(const vmafx::PictureFormat &format);
    void declare_scores();
    void enqueue(VmafxFrame &reference, VmafxFrame &distorted, uint64_t index);
    void remember(VmafxFrame &reference, VmafxFrame &distorted);
    void take_over(vmafx::InFlight &slot);
    void run_again(vmafx::InFlight &slot, size_t missing);
    void collect(vmafx::InFlight &slot);
    void predict(bool final);
    bool hopeless(const vmafx::Predictor &model, uint64_t index) const;
    bool collected(uint64_t index) const;
    bool skipped(uint64_t index) const { return n_subsample_ > 1 && index % n_subsample_ != 0; }
    template <class Body> void failing_for_good(Body &&body);

    class Sink;

    const std::shared_ptr<vmafx::Device> device_;
    const uint32_t n_subsample_;
    const std::chrono::nanoseconds wait_limit_;
    const bool release_early_;

    std::vector<vmafx::Predictor> models_;
    vmafx::Lanes lanes_;   /* outlive the plans, which hold memory of theirs */
    vmafx::PlanSet plans_; /* the first lane's; they have what goes on from frame to frame */
    vmafx::FrameRing ring_;
    vmafx::FrameWork work_;
    vmafx::FrameProfiles profiles_;
    vmafx::ScoreStore scores_;

    std::optional<vmafx::PictureFormat> format_;
    vmafx::EarlierPictures history_, distorted_history_;
    uint64_t submitted_ = 0;
    uint64_t scored_ = 0; /* of them, those that n_subsample does not skip */
    uint64_t last_index_ = 0;
    std::vector<uint64_t> indices_; /* submitted */
    size_t collected_ = 0;          /* of them, from the first on */
    uint64_t rerun_ = 0;            /* frames whose work was enqueued again */
    uint64_t marks_missing_ = 0;
    std::vector<size_t> sources_; /* of the store's columns: option set, or the models' number */
    bool flushed_ = false;
    std::optional<vmafx::Failure> failure_; /* of the device; the session is over */

    std::deque<uint64_t> unpredicted_; /* collected indices that models still have to score */
    std::chrono::steady_clock::time_point started_, last_result_;
};

#endif
