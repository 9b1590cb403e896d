/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/context.h"

#include <algorithm>
#include <cinttypes>

#include "api/boundary.h"
#include "api/handles.h"
#include "core/failure.h"
#include "model/handle.h"

using namespace vmafx;

namespace
{

constexpr uint64_t kDefaultImportWaitNs = UINT64_C(10'000'000'000);
constexpr uint64_t kMaxImportWaitNs = UINT64_C(600'000'000'000);

/** What was tried, for the one message of a failed import. */
std::string describe_attempt(const VmafxContext &context, const VmafxFrameImport &desc,
                             int attempts)
{
    const Layout *layout = find_layout(desc.layout);
    const uint32_t bits = layout && layout->bits ? layout->bits : desc.bits;
    std::string text = format(
        "import of %.60s to device %s, memory %s, layout %s of %u bits, %ux%u",
        desc.input ? desc.input : "a frame", context.device()->facts().name.c_str(),
        memory_name(desc.memory), layout ? layout->name : "unknown", bits, desc.width, desc.height);
    if (desc.memory == VMAFX_MEMORY_DMABUF)
        for (uint32_t i = 0; i < desc.plane_count && i < VMAFX_MAX_PLANES; ++i)
            text += format("%s0x%016" PRIx64, i ? ", " : ", modifiers ", desc.plane[i].modifier);
    return text + format(", %d attempt%s", attempts, attempts == 1 ? "" : "s");
}

/** The one failure that goes away by waiting. */
bool acquire_pending(const Failure &failure)
{
    return failure.status() == VMAFX_E_BUSY && failure.subject() == "desc.acquire";
}

/** After the wait: a fence that is pending once more, as a buffer gets new ones, is a timeout. */
VmafxFrame *import_again(const std::shared_ptr<Device> &device, const VmafxFrameImport &desc,
                         uint32_t wanted)
{
    try {
        return VmafxFrame::import(device, desc, wanted);
    } catch (const Failure &failure) {
        if (!acquire_pending(failure))
            throw;
        throw Failure(VMAFX_E_TIMEOUT, failure.subject(),
                      "the acquire fence is pending again after it was waited for");
    }
}

/** The fence may hang on a frame that this context holds: it lets go of what is finished. */
FenceState wait_letting_go(VmafxContext &context, const VmafxFrameImport &desc,
                           std::chrono::nanoseconds timeout)
{
    using namespace std::chrono;
    constexpr nanoseconds kStep = 2ms;
    const auto deadline = steady_clock::now() + timeout;
    while (context.holds_pairs()) {
        context.collect_finished();
        const nanoseconds left = deadline - steady_clock::now();
        if (wait_for_acquire(*context.device(), desc, std::clamp(left, 0ns, kStep)) ==
            FenceState::kSignalled)
            return FenceState::kSignalled;
        if (left <= 0ns)
            return FenceState::kPending;
    }
    return wait_for_acquire(*context.device(), desc,
                            std::max<nanoseconds>(deadline - steady_clock::now(), 0ns));
}

VmafxFrame *import_waiting(VmafxContext &context, const VmafxFrameImport &desc, uint64_t timeout_ns)
{
    int attempts = 1;
    try {
        try {
            return VmafxFrame::import(context.device(), desc, context.wanted_planes());
        } catch (const Failure &failure) {
            if (!acquire_pending(failure))
                throw;
        }
        if (wait_letting_go(context, desc, std::chrono::nanoseconds(timeout_ns)) ==
            FenceState::kPending)
            fail(VMAFX_E_TIMEOUT, "desc.acquire",
                 "the acquire fence was still pending after %.3f s",
                 static_cast<double>(timeout_ns) * 1e-9);
        ++attempts;
        return import_again(context.device(), desc, context.wanted_planes());
    } catch (const Failure &failure) {
        throw Failure(failure.status(), failure.subject(),
                      std::string(failure.what()) + " (" +
                          describe_attempt(context, desc, attempts) + ")",
                      failure.native());
    }
}

} // namespace

extern "C" {

int32_t vmafx_context_create(VmafxDevice *device, const VmafxContextDesc *desc,
                             VmafxContext **context, VmafxError *error)
{
    if (context)
        *context = nullptr;
    return guard("vmafx_context_create", error, [&] {
        check_not_null(device, "device");
        check_not_null(context, "context");
        const VmafxContextDesc defaults = VMAFX_CONTEXT_DESC_INIT;
        *context = new VmafxContext(device->device, read_struct(desc ? desc : &defaults, "desc",
                                                                offsetof(VmafxContextDesc, lanes)));
    });
}

int32_t vmafx_context_use_model(VmafxContext *context, VmafxModel *model, VmafxError *error)
{
    return guard("vmafx_context_use_model", error, [&] {
        check_not_null(context, "context");
        check_not_null(model, "model");
        context->use_model(model->model);
    });
}

int32_t vmafx_context_use_feature(VmafxContext *context, const char *feature, const char *options,
                                  VmafxError *error)
{
    return guard("vmafx_context_use_feature", error, [&] {
        check_not_null(context, "context");
        check_not_null(feature, "feature");
        context->use_feature(feature, options ? options : "");
    });
}

int32_t vmafx_context_import_frame(VmafxContext *context, const VmafxFrameImport *desc,
                                   uint64_t timeout_ns, VmafxFrame **frame, VmafxError *error)
{
    if (frame)
        *frame = nullptr;
    return guard("vmafx_context_import_frame", error, [&] {
        check_not_null(context, "context");
        check_not_null(frame, "frame");
        if (timeout_ns > kMaxImportWaitNs)
            fail(VMAFX_E_RANGE, "timeout_ns", "timeout_ns is %" PRIu64 "; at most %" PRIu64,
                 timeout_ns, kMaxImportWaitNs);
        *frame = import_waiting(*context, read_import(desc),
                                timeout_ns ? timeout_ns : kDefaultImportWaitNs);
    });
}

int32_t vmafx_context_submit(VmafxContext *context, VmafxFrame *reference, VmafxFrame *distorted,
                             uint64_t index, VmafxError *error)
{
    return guard("vmafx_context_submit", error, [&] {
        check_not_null(context, "context");
        check_not_null(reference, "reference");
        check_not_null(distorted, "distorted");
        context->submit(*reference, *distorted, index);
    });
}

int32_t vmafx_context_flush(VmafxContext *context, VmafxError *error)
{
    return guard("vmafx_context_flush", error, [&] {
        check_not_null(context, "context");
        context->flush();
    });
}

int32_t vmafx_context_get_counters(const VmafxContext *context, VmafxContextCounters *counters,
                                   VmafxError *error)
{
    return guard("vmafx_context_get_counters", error, [&] {
        check_not_null(context, "context");
        check_not_null(counters, "counters");
        write_struct(counters, context->counters(), "counters",
                     offsetof(VmafxContextCounters, feature_bytes));
    });
}

void vmafx_context_close(VmafxContext **context)
{
    if (!context)
        return;
    delete *context;
    *context = nullptr;
}

} // extern "C"
