/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The random programs find each defect that hip/planted.h can plant, and nothing where there is
 * none. A process per defect, which may crash.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libvmafx/status.h>

#include "hip/planted.h"
#include "program.h"

namespace vmafx
{

Planted planted_defect = Planted::kNothing;

} // namespace vmafx

namespace
{

using vmafx::Planted;

constexpr uint64_t kMaxSeeds = 300;
constexpr unsigned kBoundSeconds = 120;
constexpr int kFound = 1, kFoundNothing = 0;

struct Defect {
    Planted defect;
    const char *name;
};
constexpr Defect kDefects[] = {
    {Planted::kSkippedAcquireWait, "skipped acquire wait"},
    {Planted::kSkippedSubmit, "skipped submit"},
    {Planted::kEarlyRelease, "early release"},
    {Planted::kBelievedEvent, "event believed"},
    {Planted::kHastyUnmap, "hasty unmap"},
    {Planted::kNullStream, "null stream"},
    {Planted::kHastyLane, "hasty lane"},
    {Planted::kUnjoinedLane, "unjoined lane"},
};

/** What a process says of the seed that it is at. */
struct Note {
    uint64_t seed;
    char text[200];
};

struct Result {
    int status = 0;
    Note note = {};
};

void ignore_log(void *, int32_t, const char *) {}

[[noreturn]] void look_for(Planted defect, uint64_t seeds, int notes)
{
    const rlimit no_core = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &no_core);
    alarm(kBoundSeconds);
    prepare_environment();
    vmafx_log_set_callback(ignore_log, nullptr, VMAFX_LOG_NONE);
    vmafx::planted_defect = defect;
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
        Note note = {seed, "crash or hang"};
        (void)!write(notes, &note, sizeof(note));
        const std::string wrong = run_program(seed).wrong;
        if (wrong.empty())
            continue;
        std::snprintf(note.text, sizeof(note.text), "%s", wrong.c_str());
        (void)!write(notes, &note, sizeof(note));
        _exit(kFound);
    }
    _exit(kFoundNothing);
}

/** Forks, so that nothing of a runtime may have been loaded before. */
Result search(Planted defect, uint64_t seeds)
{
    int ends[2];
    if (pipe(ends) != 0)
        abort();
    const pid_t child = fork();
    if (child == 0)
        look_for(defect, seeds, ends[1]);
    close(ends[1]);
    Result result;
    Note note;
    while (read(ends[0], &note, sizeof(note)) == sizeof(note))
        result.note = note;
    close(ends[0]);
    if (child < 0 || waitpid(child, &result.status, 0) != child)
        abort();
    return result;
}

} // namespace

int main()
{
    int failures = 0;
    uint64_t most = 100;
    for (const Defect &defect : kDefects) {
        const Result result = search(defect.defect, kMaxSeeds);
        const bool caught = !WIFEXITED(result.status) || WEXITSTATUS(result.status) == kFound;
        failures += !caught;
        most = std::max(most, result.note.seed);
        std::printf("%s: %s %llu%s%s\n", defect.name, caught ? "caught by seed" : "NOT caught by",
                    static_cast<unsigned long long>(result.note.seed), caught ? ": " : " seeds",
                    caught ? result.note.text : "");
        std::fflush(stdout);
    }
    const Result control = search(Planted::kNothing, most);
    const bool passed = WIFEXITED(control.status) && WEXITSTATUS(control.status) == kFoundNothing;
    std::printf("no defect: %llu seeds %s%s\n", static_cast<unsigned long long>(control.note.seed),
                passed ? "pass" : "and then: ", passed ? "" : control.note.text);
    return failures == 0 && passed ? 0 : 1;
}
