/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/frame_pool.h"

#include <cinttypes>

#include "api/boundary.h"
#include "api/handles.h"
#include "core/failure.h"

using namespace vmafx;

namespace
{

constexpr uint64_t kMaxTimeoutNs = UINT64_C(600'000'000'000);

} // namespace

extern "C" {

int32_t vmafx_frame_pool_create(VmafxDevice *device, const VmafxFramePoolDesc *desc,
                                VmafxFramePool **pool, VmafxError *error)
{
    if (pool)
        *pool = nullptr;
    return guard("vmafx_frame_pool_create", error, [&] {
        check_not_null(device, "device");
        check_not_null(pool, "pool");
        auto handle = std::make_unique<VmafxFramePool>();
        handle->pool = FramePool::create(
            device->device, read_struct(desc, "desc", offsetof(VmafxFramePoolDesc, matrix)));
        *pool = handle.release();
    });
}

int32_t vmafx_frame_pool_acquire(VmafxFramePool *pool, VmafxPoolFrame **frame, VmafxError *error)
{
    if (frame)
        *frame = nullptr;
    return guard("vmafx_frame_pool_acquire", error, [&] {
        check_not_null(pool, "pool");
        check_not_null(frame, "frame");
        auto handle = std::make_unique<VmafxPoolFrame>();
        handle->loan = pool->pool->acquire();
        *frame = handle.release();
    });
}

void vmafx_frame_pool_close(VmafxFramePool **pool)
{
    if (!pool)
        return;
    delete *pool;
    *pool = nullptr;
}

int32_t vmafx_pool_frame_get_info(const VmafxPoolFrame *frame, VmafxPoolFrameInfo *info,
                                  VmafxError *error)
{
    return guard("vmafx_pool_frame_get_info", error, [&] {
        check_not_null(frame, "frame");
        check_not_null(info, "info");
        write_struct(info, frame->loan->pool().describe(frame->loan->block()), "info");
    });
}

int32_t vmafx_pool_frame_wait(VmafxPoolFrame *frame, uint64_t timeout_ns, VmafxError *error)
{
    return guard("vmafx_pool_frame_wait", error, [&] {
        check_not_null(frame, "frame");
        if (timeout_ns > kMaxTimeoutNs)
            fail(VMAFX_E_RANGE, "timeout_ns", "timeout_ns is %" PRIu64 "; at most %" PRIu64,
                 timeout_ns, kMaxTimeoutNs);
        if (!frame->wait_writable(std::chrono::nanoseconds(timeout_ns)))
            fail(VMAFX_E_TIMEOUT, "frame", "the frame's memory was still read after %.3f s",
                 static_cast<double>(timeout_ns) * 1e-9);
    });
}

int32_t vmafx_pool_frame_submit(VmafxPoolFrame **picture, const VmafxFenceDesc *ready,
                                VmafxFrame **frame, VmafxError *error)
{
    if (frame)
        *frame = nullptr;
    return guard("vmafx_pool_frame_submit", error, [&] {
        check_not_null(picture, "picture");
        check_not_null(*picture, "picture");
        check_not_null(frame, "frame");
        auto &loan = (*picture)->loan;
        FramePool &pool = loan->pool();
        *frame = pool.submit(loan, ready ? *ready : VmafxFenceDesc{});
        delete std::exchange(*picture, nullptr);
    });
}

void vmafx_pool_frame_close(VmafxPoolFrame **frame)
{
    if (!frame)
        return;
    delete *frame;
    *frame = nullptr;
}

} // extern "C"
