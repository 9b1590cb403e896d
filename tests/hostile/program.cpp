/* SPDX-License-Identifier: BSD-2-Clause */
#include "program.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>

#include "producer_calls.h"
#include "session.h"
#include "support/shared_memory.h"

using namespace support;
using namespace vmafx::hip;

namespace
{

constexpr uint32_t kForever = 60000;         /* ms, longer than any program takes */
constexpr uint32_t kPatience[] = {1, 5, 20}; /* ms */
constexpr uint32_t kTurnsPerEmptying[] = {2, 8, 100};
constexpr uint32_t kLossFacts =
    cpu_hostile_drop_kernels | cpu_hostile_drop_copies | cpu_hostile_drop_fills;
constexpr uint32_t kLosses[] = {cpu_hostile_drop_kernels, cpu_hostile_drop_copies, kLossFacts};
constexpr uint32_t kDrops[] = {1000, 5000, 20000}; /* per million commands */

CpuHostileOptions draw_machine(Random &random)
{
    CpuHostileOptions options = {};
    options.seed = random.next();
    options.facts = cpu_hostile_all_facts;
    if (!random.one_in(3))
        options.facts = static_cast<uint32_t>(random.next()) & cpu_hostile_all_facts;
    options.facts &= ~kLossFacts;
    if (random.one_in(6)) {
        options.drops_per_million = random.pick(kDrops);
        options.facts |= random.pick(kLosses);
    }
    const uint32_t patience = random.pick(kPatience);
    options.patience_ms = one_worker() ? kForever : patience;
    return options;
}

class Program
{
  public:
    /** Only plans it, and computes what has to come out. */
    Program(Random &random, bool lossy, bool verbose);
    const Workplace &place() const { return place_; }
    ~Program();
    void run();

  private:
    using Lane = std::deque<SessionPlan>; /* sessions one after the other */

    void plan_handles();
    void plan_handle(int gpu);
    void plan_lanes();
    void open(Workplace::Handle &handle) const;
    bool turn();
    bool has_to_wait(size_t lane) const;
    void empty_a_cache();
    void say(const std::string &line) const
    {
        if (verbose_)
            std::puts(line.c_str());
    }

    Random &random_;
    const bool verbose_;
    Workplace place_;
    std::vector<Lane> lanes_;
    std::vector<std::unique_ptr<Session>> running_; /* per lane */
    int gpus_ = 1;
    uint32_t turns_per_emptying_ = 1; /* of an import cache */
    bool closes_handles_first_ = false;
};

Program::Program(Random &random, bool lossy, bool verbose) : random_(random), verbose_(verbose)
{
    place_.lossy = lossy;
    plan_handles();
    plan_lanes();
    for (const Lane &lane : lanes_)
        for (const SessionPlan &plan : lane)
            for (const SessionPlan::Reader &reader : plan.readers)
                (void)expected_scores(*plan.sequence, reader.wish, plan.pairs);
}

/** After a failure there may be work left. */
Program::~Program()
{
    try {
        for (const auto &producer : place_.producers)
            producer->synchronise_device();
    } catch (const std::exception &e) {
        std::printf("%s\n", e.what());
    }
    running_.clear();
    place_.handles.clear();
}

void Program::plan_handles()
{
    gpus_ = random_.one_in(3) ? 2 : 1;
    for (int gpu = 0; gpu < gpus_; ++gpu)
        plan_handle(gpu);
    if (random_.one_in(2))
        plan_handle(static_cast<int>(random_.below(static_cast<size_t>(gpus_))));
}

void Program::plan_handle(int gpu)
{
    const bool callers = random_.one_in(6);
    const bool profiles = random_.one_in(6);
    say("handle " + std::to_string(place_.handles.size()) + ": GPU " + std::to_string(gpu) +
        (callers ? ", the producers' stream" : "") + (profiles ? ", profiling" : ""));
    place_.handles.push_back({gpu, callers, profiles, {}});
}

void Program::open(Workplace::Handle &handle) const
{
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    desc.runtime = VMAFX_RUNTIME_CPU;
    desc.flags = handle.profiles ? VMAFX_DEVICE_PROFILING : 0;
    if (handle.callers_stream)
        desc.external[0] = place_.producers.at(static_cast<size_t>(handle.gpu))->stream();
    else
        desc.index = static_cast<uint32_t>(handle.gpu);
    must(vmafx_device_open, &desc, handle.device.out());
}

void Program::plan_lanes()
{
    constexpr uint32_t kLanes[] = {1, 1, 2, 2, 3};
    lanes_.resize(random_.pick(kLanes));
    running_.resize(lanes_.size());
    closes_handles_first_ = random_.one_in(4);
    turns_per_emptying_ = random_.pick(kTurnsPerEmptying);
    for (size_t i = 0; i < lanes_.size(); ++i) {
        lanes_[i].push_back(SessionPlan::draw(random_, place_));
        if (random_.one_in(4))
            lanes_[i].push_back(SessionPlan::draw(random_, place_));
        for (const SessionPlan &plan : lanes_[i])
            say("lane " + std::to_string(i) + ": " + plan.text());
    }
    if (closes_handles_first_)
        say("handles are closed before the flushes");
}

/** Those that have submitted everything wait until the handles are closed. */
bool Program::has_to_wait(size_t lane) const
{
    return closes_handles_first_ && !place_.handles.empty() && lanes_[lane].empty() &&
           running_[lane] && running_[lane]->stage() == Session::Stage::kFlushing;
}

void Program::empty_a_cache()
{
    if (place_.handles.empty() || !random_.one_in(turns_per_emptying_))
        return;
    say("the import cache is emptied");
    must(vmafx_device_empty_import_cache, random_.pick(place_.handles).device.get());
}

/** One step of one session. false: all are over. */
bool Program::turn()
{
    std::vector<size_t> able;
    bool waiting = false;
    for (size_t i = 0; i < lanes_.size(); ++i) {
        if (has_to_wait(i))
            waiting = true;
        else if (running_[i] || !lanes_[i].empty())
            able.push_back(i);
    }
    if (able.empty() && !waiting)
        return false;
    if (able.empty()) {
        say("handles are closed");
        place_.handles.clear();
        return true;
    }
    const size_t lane = random_.pick(able);
    if (!running_[lane]) {
        running_[lane] = std::make_unique<Session>(lanes_[lane].front(), place_, random_);
        lanes_[lane].pop_front();
    }
    Session &session = *running_[lane];
    say("step of lane " + std::to_string(lane) + ": " + session.next_step());
    session.step();
    if (random_.one_in(3))
        session.peek();
    if (session.stage() == Session::Stage::kOver)
        running_[lane].reset();
    empty_a_cache();
    return true;
}

void Program::run()
{
    place_.nudge = [this](uint32_t) {
        for (const auto &session : running_)
            if (session)
                session->peek();
    };
    for (int gpu = 0; gpu < gpus_; ++gpu)
        place_.producers.push_back(std::make_unique<Producer>(gpu));
    for (Workplace::Handle &handle : place_.handles)
        open(handle);
    while (turn())
        ;
    place_.handles.clear();
    if (const std::string wrong = place_.ledger.audit(); !wrong.empty())
        throw std::runtime_error(wrong);
}

struct Holdings {
    uint64_t objects;
    size_t descriptors;

    static Holdings now()
    {
        return {ProducerCalls::get().vmafx_cpu_live_count(nullptr), open_descriptors()};
    }
};

} // namespace

bool one_worker()
{
    const char *workers = std::getenv("VMAFX_CPU_WORKERS");
    return workers && std::strcmp(workers, "1") == 0;
}

void prepare_environment()
{
    setenv("VMAFX_CPU_DEVICES", "2", 1);
    setenv("VMAFX_CPU_WORKERS", "1", 0);
}

Outcome run_program(uint64_t seed, bool verbose)
{
    const ProducerCalls &hip = ProducerCalls::get();
    const Holdings before = Holdings::now();
    Random random(seed);
    const CpuHostileOptions options = draw_machine(random);
    if (verbose)
        std::printf("machine: facts 0x%x, %u of a million commands lost, patience %u ms\n",
                    options.facts, options.drops_per_million, options.patience_ms);
    Outcome outcome;
    std::string &wrong = outcome.wrong;
    try {
        Program program(random, options.drops_per_million != 0, verbose);
        hip_must(hip.vmafx_cpu_set_hostile(&options), "vmafx_cpu_set_hostile");
        hip.vmafx_cpu_reset_calls();
        program.run();
        outcome.calls = hip.vmafx_cpu_call_count(nullptr);
        outcome.frames_rerun = program.place().frames_rerun;
        outcome.sessions_given_up = program.place().sessions_given_up;
    } catch (const std::exception &e) {
        wrong = e.what();
    }
    (void)hip.vmafx_cpu_set_hostile(nullptr);
    const Holdings after = Holdings::now();
    if (wrong.empty() && after.objects != before.objects)
        wrong = std::to_string(after.objects - before.objects) + " objects are left";
    if (wrong.empty() && after.descriptors != before.descriptors)
        wrong = std::to_string(after.descriptors) + " descriptors in place of " +
                std::to_string(before.descriptors);
    return outcome;
}
