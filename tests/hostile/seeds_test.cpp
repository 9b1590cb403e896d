/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Random programs on the hostile machine:
 *     hostile_seeds_test FIRST COUNT     runs the seeds, and says how to repeat those that fail
 *     hostile_seeds_test --seed N        repeats one, and prints its program
 * With VMAFX_CPU_WORKERS=2 and more the order of things depends on time, too.
 */
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>

#include <unistd.h>

#include <libvmafx/status.h>

#include "program.h"

namespace
{

constexpr unsigned kSecondsPerSeed = 120; /* a program takes milliseconds */
constexpr int kMaxFailures = 5;
constexpr uint64_t kSeedsPerRepeat = 50; /* of which one runs twice, and must not differ */
constexpr int kSignals[] = {SIGALRM, SIGSEGV, SIGBUS, SIGABRT, SIGFPE};

constexpr uint64_t kEnoughToLose = 300; /* seeds: some frames among them lose commands */

char program_name[256];
char last_words[512];
size_t last_words_length;
struct sigaction before[std::size(kSignals)];

void describe_repeat(uint64_t seed)
{
    const auto number = static_cast<unsigned long long>(seed);
    const int length =
        std::snprintf(last_words, sizeof(last_words),
                      "seed %llu failed; repeat it with\n    VMAFX_CPU_WORKERS=%s %s --seed %llu\n",
                      number, std::getenv("VMAFX_CPU_WORKERS"), program_name, number);
    last_words_length = static_cast<size_t>(length);
}

/** A crash or a hang names its seed too; then it takes its course. */
void name_seed(int signal)
{
    (void)!write(STDOUT_FILENO, last_words, last_words_length);
    for (size_t i = 0; i < std::size(kSignals); ++i)
        if (kSignals[i] == signal)
            (void)sigaction(signal, &before[i], nullptr);
    if (signal == SIGALRM)
        (void)raise(signal);
}

void watch_signals()
{
    struct sigaction action = {};
    action.sa_handler = name_seed;
    for (size_t i = 0; i < std::size(kSignals); ++i)
        (void)sigaction(kSignals[i], &action, &before[i]);
}

/* Commands that were lost are expected, and counted. */
void ignore_log(void *, int32_t, const char *) {}

struct Sum {
    int failures = 0;
    uint64_t frames_rerun = 0, sessions_given_up = 0;
};

bool passes(uint64_t seed, Sum &sum, bool verbose = false)
{
    describe_repeat(seed);
    alarm(kSecondsPerSeed);
    Outcome outcome = run_program(seed, verbose);
    if (outcome.wrong.empty() && one_worker() && seed % kSeedsPerRepeat == 0 &&
        run_program(seed).calls != outcome.calls)
        outcome.wrong = "it is another program the second time";
    sum.frames_rerun += outcome.frames_rerun;
    sum.sessions_given_up += outcome.sessions_given_up;
    if (outcome.wrong.empty())
        return true;
    std::printf("%s    %s\n", last_words, outcome.wrong.c_str());
    std::fflush(stdout);
    return false;
}

} // namespace

int main(int argc, char **argv)
try {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s FIRST COUNT | --seed N\n", argv[0]);
        return 2;
    }
    std::snprintf(program_name, sizeof(program_name), "%s", argv[0]);
    prepare_environment();
    watch_signals();
    vmafx_log_set_callback(ignore_log, nullptr, VMAFX_LOG_NONE);
    Sum sum;
    const uint64_t number = std::strtoull(argv[2], nullptr, 10);
    if (std::strcmp(argv[1], "--seed") == 0) {
        const bool passed = passes(number, sum, true);
        std::printf("seed %s %s\n", argv[2], passed ? "passes" : "fails");
        return passed ? 0 : 1;
    }
    const uint64_t first = std::strtoull(argv[1], nullptr, 10);
    for (uint64_t seed = first; seed < first + number && sum.failures < kMaxFailures; ++seed)
        sum.failures += !passes(seed, sum);
    std::printf("seeds %s to %llu: %d failed; %llu frames were run again, %llu sessions given up\n",
                argv[1], static_cast<unsigned long long>(first + number - 1), sum.failures,
                static_cast<unsigned long long>(sum.frames_rerun),
                static_cast<unsigned long long>(sum.sessions_given_up));
    const bool lost_some = number < kEnoughToLose || sum.frames_rerun != 0;
    if (!lost_some)
        std::printf("no frame lost commands\n");
    return sum.failures == 0 && lost_some ? 0 : 1;
} catch (const std::exception &e) {
    std::printf("%s\n", e.what());
    return 1;
}
