/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One pair of streams on its way through one context, or through two that share the frames.
 */
#ifndef TESTS_HOSTILE_SESSION_H
#define TESTS_HOSTILE_SESSION_H

#include <memory>
#include <string>
#include <vector>

#include "supply.h"

/** What the sessions of a program work with. */
struct Workplace {
    struct Handle {
        int gpu;
        bool callers_stream; /* the producers' stream is the library's */
        bool profiles;
        support::Device device;
    };
    std::vector<std::unique_ptr<Producer>> producers; /* per GPU */
    Ledger ledger;
    std::vector<Handle> handles;
    Nudge nudge; /* polls every session */
    /* Commands get lost: frames are run again, and some sessions are given up. */
    bool lossy = false;
    uint64_t frames_rerun = 0;
    uint64_t sessions_given_up = 0;

    /** Indices of the handles of one GPU. */
    std::vector<size_t> handles_of(int gpu) const;
};

struct SessionPlan {
    struct Reader {
        size_t handle;
        Wish wish;
        VmafxContextDesc desc;
    };
    const Sequence *sequence;
    int gpu;
    uint32_t pairs;
    uint32_t close_after; /* pairs, after which it ends without a flush; pairs or more: never */
    bool keeps_a_frame;   /* that is never submitted */
    Habits habits[2];
    size_t handles[2]; /* that import */
    std::vector<Reader> readers;

    static SessionPlan draw(Random &random, const Workplace &place);
    std::string text() const;
};

class Session
{
  public:
    enum class Stage { kSubmitting, kFlushing, kOver };

    Session(const SessionPlan &plan, Workplace &place, Random &random);
    Stage stage() const { return stage_; }
    /** The next step in words. */
    std::string next_step() const;
    /** Does a little. Throws what went wrong. */
    void step();
    /** Looks for a score, and whether it is right. */
    void peek();

  private:
    struct Reader {
        support::Context context;
        const support::AllScores *expected;
        bool flushed = false;
        bool lost = false; /* its next call of submit or flush will say so */
    };
    Producer &producer() const { return *place_.producers.at(static_cast<size_t>(plan_.gpu)); }
    bool is_loss(const support::CallFailed &failure) const;
    void look_at(Reader &reader);
    void import(int which);
    void submit_pair();
    void go_on();
    void check_counters(const Reader &reader);
    void flush_one();
    void finish();
    Nudge nudge();

    const SessionPlan plan_;
    Workplace &place_;
    Random &random_;
    std::unique_ptr<Supply> supply_[2];
    std::vector<Reader> readers_;
    support::Frame kept_, frame_[2];
    uint32_t submitted_ = 0;
    Stage stage_ = Stage::kSubmitting;
};

#endif
