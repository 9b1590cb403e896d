/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A producer in another process that is late: it acts once this thread sleeps in a wait.
 */
#ifndef TESTS_KERNEL_LATE_PRODUCER_H
#define TESTS_KERNEL_LATE_PRODUCER_H

#include <functional>

#include <sys/types.h>

class LateProducer
{
  public:
    /** Starts the process. It gives up if the thread never waits. */
    explicit LateProducer(const std::function<void()> &act);
    LateProducer(const LateProducer &) = delete;
    LateProducer &operator=(const LateProducer &) = delete;
    ~LateProducer();

    /** Waits for the process's end. true: it has seen the thread wait, and has acted. */
    bool acted();

  private:
    pid_t child_;
};

#endif
