/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_fence.h"

#include <stdexcept>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace
{

constexpr unsigned long kExport = _IO('V', 0); /* module/test_fence.c */

} // namespace

TestFence::TestFence()
    : file_(open("/dev/test_fence", O_RDWR | O_CLOEXEC)), sync_file_(ioctl(file_.get(), kExport))
{
}

void TestFence::signal(int error) const
{
    const int32_t code = -error;
    if (write(file_.get(), &code, sizeof(code)) != sizeof(code))
        throw std::runtime_error("the fence is signalled already");
}
