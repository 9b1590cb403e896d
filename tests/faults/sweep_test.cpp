/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Every call of the runtime that the library makes fails once. Whichever it is, nothing crashes,
 * hangs or leaks; the failure has its status, words and the runtime's code; callbacks come once for
 * what was accepted; and the work, done again, gives the same scores.
 */
#include <chrono>
#include <cstdio>
#include <fstream>
#include <set>

#include "hip/hip_abi.h"

#include "check_text.h"

#include "scenarios.h"
#include "support/runtime_calls.h"
#include "support/shared_memory.h"

#if defined(__SANITIZE_ADDRESS__)
#define VMAFX_TEST_LSAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define VMAFX_TEST_LSAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define VMAFX_TEST_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define VMAFX_TEST_TSAN 1
#endif
#endif
#ifdef VMAFX_TEST_LSAN
#include <sanitizer/lsan_interface.h>
#endif

using namespace support;
using namespace vmafx::hip;

namespace
{

#ifdef VMAFX_TEST_TSAN
/* Threads meet in the same way whichever of many calls fails. */
constexpr uint64_t kEveryCall = 12, kSampled = 4, kBothErrors = 2;
#else
constexpr uint64_t kEveryCall = 64; /* of an entry point: up to here each call fails in its turn */
constexpr uint64_t kSampled = 16;   /* as many of the later ones */
constexpr uint64_t kBothErrors = 8; /* up to here with either error, then with one */
#endif
constexpr std::chrono::seconds kHang{20};

/* Where what is given back is kept by a call that fails, and of which kind it is. */
const std::map<std::string, std::set<std::string>> kReleases = {
    {"hipStreamDestroy", {"streams"}},  {"hipEventDestroy", {"events"}},
    {"hipModuleUnload", {"modules"}},   {"hipFree", {"device memory", "mappings"}},
    {"hipHostFree", {"pinned memory"}}, {"hipDestroyExternalMemory", {"external memory"}},
};

/* Entry points that only others use: tests, profilers, producers. */
const std::set<std::string> kNotTheLibrarys = {
    "hipInit",                /* the first call does it */
    "hipDriverGetVersion",    /* */
    "hipDeviceGetByPCIBusId", /* it compares the addresses itself */
    "hipGetDeviceProperties", /* the one of release 6 goes before it */
    "hipDeviceSynchronize",   /* it waits for events */
    "hipStreamSynchronize",   /* */
    "hipEventSynchronize",    /* */
    "hipStreamAddCallback",   /* for releases without hipLaunchHostFunc */
    "hipMallocAsync",         /* it has pools of its own */
    "hipFreeAsync",           /* */
    "hipMemcpy",              /* it copies on streams */
    "hipMemcpy2D",            /* */
    "hipMemcpy2DAsync",       /* */
    "hipMemset",              /* */
    "hipMemset2DAsync",       /* */
    "hipMemsetAsync",         /* */
    "hipMallocArray",         /* */
    "hipFreeArray",           /* */
    "hipMemcpy2DToArray",     /* */
};

/** What the process holds. */
struct Holdings {
    std::map<std::string, uint64_t> objects;
    size_t descriptors = 0, mappings = 0;
};

size_t memfd_mappings()
{
    std::ifstream maps("/proc/self/maps");
    size_t count = 0;
    for (std::string line; std::getline(maps, line);)
        count += line.find("memfd:") != std::string::npos ? 1 : 0;
    return count;
}

Holdings holdings()
{
    return {RuntimeCalls::get().live(), open_descriptors(), memfd_mappings()};
}

/** What was not given back, in words. A call that fails to release something keeps that one. */
std::string leaks(const Holdings &before, const Holdings &after, const Fault &fault)
{
    const auto kept = kReleases.find(fault.entry);
    std::string text;
    size_t kept_objects = 0;
    for (const auto &[kind, count] : after.objects) {
        const uint64_t was = before.objects.at(kind);
        if (count == was)
            continue;
        const bool allowed = kept != kReleases.end() && kept->second.count(kind) > 0;
        if (count == was + 1 && allowed && ++kept_objects == 1)
            continue;
        text += kind + ": " + std::to_string(was) + " became " + std::to_string(count) + "; ";
    }
    /* A module keeps its file, a mapping its buffer. */
    if (after.descriptors != before.descriptors &&
        !(kept_objects == 1 && after.descriptors == before.descriptors + 1 &&
          fault.entry == "hipModuleUnload"))
        text += "descriptors: " + std::to_string(before.descriptors) + " became " +
                std::to_string(after.descriptors) + "; ";
    if (after.mappings != before.mappings && kept_objects != 1)
        text += "mappings: " + std::to_string(before.mappings) + " became " +
                std::to_string(after.mappings) + "; ";
    return text;
}

/** What a failed release keeps is the runtime's fault; LeakSanitizer is not told of it. */
class KeptOnPurpose
{
  public:
    explicit KeptOnPurpose([[maybe_unused]] const Fault &fault)
        : off_(kReleases.count(fault.entry) > 0)
    {
#ifdef VMAFX_TEST_LSAN
        if (off_)
            __lsan_disable();
#endif
    }
    ~KeptOnPurpose()
    {
#ifdef VMAFX_TEST_LSAN
        if (off_)
            __lsan_enable();
#endif
    }

  private:
    [[maybe_unused]] bool off_;
};

class Sweep
{
  public:
    explicit Sweep(const Scenario &scenario) : scenario_(scenario) {}

    void run()
    {
        run_once({});
        const CallCounts counts = run_once({});
        for (const auto &[entry, count] : counts)
            if (entry != "hipGetErrorName" && entry != "hipGetErrorString" &&
                entry != "vmafx_hip_runtime_name")
                sweep_entry(entry, count);
    }

    const CallCounts &used() const { return used_; }
    const std::vector<std::string> &complaints() const { return complaints_; }
    size_t trials() const { return trials_; }

  private:
    void sweep_entry(const std::string &entry, uint64_t count)
    {
        const uint64_t step =
            std::max<uint64_t>(1, (count - std::min(count, kEveryCall)) / kSampled);
        for (uint64_t n = 1; n <= count; n += n < kEveryCall ? 1 : step) {
            run_once({entry, n, n % 2 ? hipErrorUnknown : hipErrorOutOfMemory});
            if (n <= kBothErrors)
                run_once({entry, n, n % 2 ? hipErrorOutOfMemory : hipErrorUnknown});
        }
        run_once({});
    }

    CallCounts run_once(const Fault &fault)
    {
        const RuntimeCalls &calls = RuntimeCalls::get();
        const KeptOnPurpose kept(fault);
        const Holdings before = holdings();
        const auto start = std::chrono::steady_clock::now();
        Trial trial(fault);
        ++trials_;
        if (std::getenv("VMAFX_TEST_TRACE"))
            std::fprintf(stderr, "%s: %s\n", scenario_.name, describe(fault).c_str());
        calls.reset();
        if (!fault.entry.empty())
            calls.fail(fault.entry, fault.n, fault.error);
        bool over = false;
        try {
            scenario_.run(trial);
        } catch (const SessionOver &) {
            over = true;
        } catch (const std::exception &e) {
            trial.complain(e.what());
        }
        const CallCounts counts = calls.counts();
        used_.insert(counts.begin(), counts.end());
        trial.check_releases();
        calls.reset();
        if (expected_.empty())
            expected_ = trial.scores();
        else if (!over)
            compare(trial);
        if (const std::string text = leaks(before, holdings(), fault); !text.empty())
            trial.complain(text);
        if (std::chrono::steady_clock::now() - start > kHang)
            trial.complain("takes very long");
        for (const std::string &what : trial.complaints())
            complaints_.push_back(std::string(scenario_.name) + ": " + describe(fault) + ": " +
                                  what);
        return counts;
    }

    void compare(Trial &trial)
    {
        if (trial.scores().size() != expected_.size())
            return trial.complain("some scores are missing");
        for (size_t i = 0; i < expected_.size(); ++i)
            if (const std::string text = difference(expected_[i], trial.scores()[i]); !text.empty())
                trial.complain(text);
    }

    const Scenario &scenario_;
    std::vector<AllScores> expected_;
    CallCounts used_;
    std::vector<std::string> complaints_;
    size_t trials_ = 0;
};

std::set<std::string> used_by_scenarios;

void ignore_log(void *, int32_t, const char *) {}

} // namespace

START_TEST(every_call_fails_once)
{
    constexpr size_t kShown = 20;
    Sweep sweep(all_scenarios()[static_cast<size_t>(_i)]);
    sweep.run();
    for (const auto &[entry, count] : sweep.used())
        used_by_scenarios.insert(entry);
    std::printf("%s: %zu trials\n", all_scenarios()[static_cast<size_t>(_i)].name, sweep.trials());
    for (size_t i = 0; i < std::min(kShown, sweep.complaints().size()); ++i)
        std::printf("%s\n", sweep.complaints()[i].c_str());
    ck_assert_msg(sweep.complaints().empty(), "%zu complaints", sweep.complaints().size());
}
END_TEST

/* After all scenarios. */
START_TEST(every_entry_point_is_covered)
{
    for (const std::string &entry : RuntimeCalls::get().entries())
        ck_assert_msg(used_by_scenarios.count(entry) + kNotTheLibrarys.count(entry) == 1,
                      "%s is %s", entry.c_str(),
                      used_by_scenarios.count(entry) ? "used by the library after all"
                                                     : "not reached by any scenario");
}
END_TEST

int main(void)
{
    vmafx_log_set_callback(ignore_log, nullptr, VMAFX_LOG_NONE);
    prepare_pictures();
    TCase *tcase = tcase_create("sweep");
    tcase_set_timeout(tcase, 600);
    tcase_add_loop_test(tcase, every_call_fails_once, 0, static_cast<int>(all_scenarios().size()));
    tcase_add_test(tcase, every_entry_point_is_covered);
    return run_tests(tcase, "faults sweep");
}
