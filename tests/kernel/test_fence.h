/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A fence of the guest's own module: it can fail, and nothing signals it by itself.
 */
#ifndef TESTS_KERNEL_TEST_FENCE_H
#define TESTS_KERNEL_TEST_FENCE_H

#include "support/shared_memory.h"

class TestFence
{
  public:
    TestFence();

    const support::Descriptor &sync_file() const { return sync_file_; }
    /** error: 0 or an errno value. */
    void signal(int error) const;

  private:
    support::Descriptor file_;
    support::Descriptor sync_file_;
};

#endif
