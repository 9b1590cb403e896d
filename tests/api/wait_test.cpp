/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Waits for descriptors end in time, also while signals keep interrupting them.
 */
#include "check_text.h"

#include <chrono>
#include <csignal>

#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "core/sync_file.h"

using namespace vmafx;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace
{

volatile std::sig_atomic_t interruptions = 0;

void interrupt_every_2ms()
{
    struct sigaction action = {};
    action.sa_handler = [](int) { interruptions = interruptions + 1; };
    sigaction(SIGALRM, &action, nullptr);
    const itimerval timer = {{0, 2000}, {0, 2000}};
    setitimer(ITIMER_REAL, &timer, nullptr);
}

struct Pipe {
    int ends[2];
    Pipe() { ck_assert_int_eq(pipe(ends), 0); }
    ~Pipe()
    {
        close(ends[0]);
        close(ends[1]);
    }
};

} // namespace

START_TEST(an_empty_pipe_times_out)
{
    const Pipe empty;
    interrupt_every_2ms();
    const auto start = steady_clock::now();
    ck_assert(!wait_readable(empty.ends[0], 60ms));
    ck_assert(steady_clock::now() - start >= 60ms);
    ck_assert(interruptions > 0);
}
END_TEST

START_TEST(what_is_ready_needs_no_wait)
{
    const Pipe full;
    ck_assert_int_eq(write(full.ends[1], "x", 1), 1);
    ck_assert(wait_readable(full.ends[0], 0ms));
    ck_assert(wait_readable(full.ends[0], 600s));
}
END_TEST

START_TEST(a_buffer_without_fences_is_ready)
{
    const int memory = memfd_create("buffer", MFD_CLOEXEC);
    ck_assert(memory >= 0);
    ck_assert(write_fences_wait(memory, 0ms, "fd") == FenceState::kSignalled);
    close(memory);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("wait");
    tcase_set_timeout(tcase, 20);
    tcase_add_test(tcase, an_empty_pipe_times_out);
    tcase_add_test(tcase, what_is_ready_needs_no_wait);
    tcase_add_test(tcase, a_buffer_without_fences_is_ready);
    return run_tests(tcase, "wait");
}
