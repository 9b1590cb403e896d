/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One run of a scenario in which at most one call of the runtime fails, and what has to hold
 * whichever it is.
 */
#ifndef TESTS_FAULTS_TRIAL_H
#define TESTS_FAULTS_TRIAL_H

#include <atomic>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "support/handles.h"
#include "support/scores.h"

struct Fault {
    std::string entry; /* "" for none */
    uint64_t n = 0;
    int error = 0;        /* hipError_t */
    bool lasting = false; /* every later call fails too */
};

std::string describe(const Fault &fault);

/** Thrown where the library refuses to go on, as its documentation says it may. */
struct SessionOver {
};

class Trial
{
  public:
    explicit Trial(Fault fault) : fault_(std::move(fault)) {}

    /** Runs a call of the API. One that the fault makes fail is made again, and has to work then.
     */
    template <class Function, class... Args> void call(Function function, Args... args)
    {
        attempt([&](VmafxError *error) { return function(args..., error); }, false);
    }

    /** The same for a call of a context, which may be over for good: then it fails again likewise.
     */
    template <class Function, class... Args> void call_session(Function function, Args... args)
    {
        attempt([&](VmafxError *error) { return function(args..., error); }, true);
    }

    /** The same for a call that creates the last argument's handle. */
    template <class Handle, class Function, class... Args>
    Handle create(Function function, Args... args)
    {
        Handle handle;
        attempt(
            [&](VmafxError *error) {
                const int32_t status = function(args..., handle.out(), error);
                if ((status == VMAFX_OK) != (handle.get() != nullptr))
                    complain("status and handle disagree");
                return status;
            },
            false);
        return handle;
    }

    support::Device open(const VmafxDeviceDesc *desc = nullptr);
    /** Imports with a release callback that is watched, and a HOST release fence if asked for;
     *  through the context if there is one. */
    support::Frame import(const support::Device &device, const VmafxFrameImport &desc,
                          bool fenced = false, const support::Context *context = nullptr);
    void submit(const support::Context &context, const support::Frame &reference,
                const support::Frame &distorted, uint64_t index);
    /** Flushes and keeps the scores. */
    void finish(const support::Context &context, size_t frames);

    void complain(const std::string &what) { complaints_.push_back(what); }

    /** After everything was closed: the callbacks have come, each once. */
    void check_releases();
    const std::vector<support::AllScores> &scores() const { return scores_; }
    const std::vector<std::string> &complaints() const { return complaints_; }

  private:
    struct Import {
        std::atomic<unsigned> released{0};
        bool accepted = false;
        support::Fence fence;
    };

    void attempt(const std::function<int32_t(VmafxError *)> &call, bool may_end);
    void check_refusal(int32_t status, const VmafxError &error);

    const Fault fault_;
    std::deque<Import> imports_;
    std::vector<support::AllScores> scores_;
    std::vector<std::string> complaints_;
};

#endif
