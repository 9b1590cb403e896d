/* SPDX-License-Identifier: BSD-2-Clause */
#include "late_producer.h"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace
{

constexpr std::chrono::seconds kPatience{20};
constexpr useconds_t kLookEveryUs = 1000;

/** The kernel tells in which system call a thread sleeps. */
bool sleeps_in_poll(const std::string &thread)
{
    std::ifstream file(thread + "/syscall");
    long number = -1; /* a thread that runs has no number */
    return file >> number && (number == SYS_poll || number == SYS_ppoll);
}

bool wait_for_sleep(const std::string &thread)
{
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (!sleeps_in_poll(thread)) {
        if (std::chrono::steady_clock::now() > deadline)
            return false;
        usleep(kLookEveryUs);
    }
    return true;
}

} // namespace

LateProducer::LateProducer(const std::function<void()> &act)
{
    const std::string thread =
        "/proc/" + std::to_string(getpid()) + "/task/" + std::to_string(gettid());
    child_ = fork();
    if (child_ < 0)
        throw std::runtime_error("cannot fork");
    if (child_ > 0)
        return;
    bool done = false;
    try {
        done = wait_for_sleep(thread);
        if (done)
            act();
    } catch (const std::exception &) {
        done = false;
    }
    _exit(done ? EXIT_SUCCESS : EXIT_FAILURE);
}

LateProducer::~LateProducer()
{
    acted();
}

bool LateProducer::acted()
{
    int status = 0;
    if (child_ <= 0 || waitpid(child_, &status, 0) != child_)
        return false;
    child_ = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}
