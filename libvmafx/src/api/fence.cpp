/* SPDX-License-Identifier: BSD-2-Clause */
#include <cinttypes>

#include "api/boundary.h"
#include "core/failure.h"
#include "core/fence.h"

using namespace vmafx;

namespace
{

constexpr uint64_t kMaxTimeoutNs = UINT64_C(600'000'000'000);

} // namespace

extern "C" {

int32_t vmafx_fence_create(VmafxFence **fence, VmafxError *error)
{
    return guard("vmafx_fence_create", error, [&] {
        check_not_null(fence, "fence");
        *fence = nullptr;
        *fence = VmafxFence::create();
    });
}

int32_t vmafx_fence_signal(VmafxFence *fence, VmafxError *error)
{
    return guard("vmafx_fence_signal", error, [&] {
        check_not_null(fence, "fence");
        fence->signal();
    });
}

int32_t vmafx_fence_query(const VmafxFence *fence, VmafxError *error)
{
    return guard("vmafx_fence_query", error, [&]() -> int32_t {
        check_not_null(fence, "fence");
        return fence->signalled() ? VMAFX_OK : VMAFX_PENDING;
    });
}

int32_t vmafx_fence_wait(VmafxFence *fence, uint64_t timeout_ns, VmafxError *error)
{
    return guard("vmafx_fence_wait", error, [&] {
        check_not_null(fence, "fence");
        if (timeout_ns > kMaxTimeoutNs)
            fail(VMAFX_E_RANGE, "timeout_ns", "timeout_ns is %" PRIu64 "; at most %" PRIu64,
                 timeout_ns, kMaxTimeoutNs);
        if (!fence->wait(std::chrono::nanoseconds(timeout_ns)))
            fail(VMAFX_E_TIMEOUT, "fence", "the fence was not signalled within %.3f s",
                 static_cast<double>(timeout_ns) * 1e-9);
    });
}

void vmafx_fence_close(VmafxFence **fence)
{
    if (!fence || !*fence)
        return;
    (*fence)->unref();
    *fence = nullptr;
}

} // extern "C"
