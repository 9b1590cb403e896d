/* SPDX-License-Identifier: BSD-2-Clause */
#include <libvmafx/score.h>

#include <cinttypes>

#include "api/boundary.h"
#include "core/context.h"
#include "core/failure.h"
#include "core/pooling.h"
#include "core/report.h"

using namespace vmafx;

namespace
{

void check_format(uint32_t format)
{
    if (format < VMAFX_REPORT_JSON || format > VMAFX_REPORT_SUB)
        fail(VMAFX_E_INVALID, "format", "format is %u; see VMAFX_REPORT_*", format);
}

[[noreturn]] void fail_unknown(const char *name)
{
    fail(VMAFX_E_NOTFOUND, "name", "there is no score \"%s\"", name);
}

} // namespace

extern "C" {

int32_t vmafx_score_at(VmafxContext *context, const char *name, uint64_t index, double *score,
                       VmafxError *error)
{
    return guard("vmafx_score_at", error, [&]() -> int32_t {
        check_not_null(context, "context");
        check_not_null(name, "name");
        check_not_null(score, "score");
        context->collect_finished();
        if (const auto value = context->scores().find(name, index)) {
            *score = *value;
            return VMAFX_OK;
        }
        if (context->may_come(name, index))
            return VMAFX_PENDING;
        if (!context->scores().find(name))
            fail_unknown(name);
        context->repeat_failure();
        fail(VMAFX_E_NOTFOUND, "index", "frame %" PRIu64 " has no score \"%s\"", index, name);
    });
}

int32_t vmafx_score_pooled(VmafxContext *context, const char *name, uint32_t method, uint64_t first,
                           uint64_t last, double *score, VmafxError *error)
{
    return guard("vmafx_score_pooled", error, [&]() -> int32_t {
        check_not_null(context, "context");
        check_not_null(name, "name");
        check_not_null(score, "score");
        check_method(method);
        if (first > last)
            fail(VMAFX_E_RANGE, "first", "first, %" PRIu64 ", is above last, %" PRIu64, first,
                 last);
        context->collect_finished();
        const ScoreColumn *column = context->scores().find(name);
        if (!column)
            fail_unknown(name);
        const PoolRange range = {first, last, context->n_subsample()};
        const auto missing = first_missing(*column, range);
        if (missing && context->may_come(name, *missing))
            return VMAFX_PENDING;
        if (missing)
            context->repeat_failure();
        *score = pool(*column, range).get(method);
        return VMAFX_OK;
    });
}

int32_t vmafx_score_aggregate(VmafxContext *context, const char *name, double *score,
                              VmafxError *error)
{
    return guard("vmafx_score_aggregate", error, [&]() -> int32_t {
        check_not_null(context, "context");
        check_not_null(name, "name");
        check_not_null(score, "score");
        if (const auto value = context->scores().find_aggregate(name)) {
            *score = *value;
            return VMAFX_OK;
        }
        if (context->running())
            return VMAFX_PENDING;
        context->repeat_failure();
        fail_unknown(name);
    });
}

const char *vmafx_score_name(VmafxContext *context, uint32_t index)
{
    if (!context || index >= context->scores().columns().size())
        return nullptr;
    return context->scores().columns()[index].alias().c_str();
}

const char *vmafx_score_aggregate_name(VmafxContext *context, uint32_t index)
{
    if (!context || index >= context->scores().aggregates().size())
        return nullptr;
    return context->scores().aggregates()[index].name.c_str();
}

int32_t vmafx_report_write(VmafxContext *context, const char *path, uint32_t format,
                           VmafxError *error)
{
    return guard("vmafx_report_write", error, [&] {
        check_not_null(context, "context");
        check_not_null(path, "path");
        check_format(format);
        if (!context->flushed())
            fail(VMAFX_E_INVALID, "context", "a report is written after the flush");
        ReportInfo info;
        if (const auto &picture = context->format()) {
            info.width = picture->width;
            info.height = picture->height;
        }
        info.frames = context->frames();
        info.n_subsample = context->n_subsample();
        info.fps = static_cast<double>(context->frames()) / context->seconds();
        write_report_file(path, context->scores(), info, format);
    });
}

} // extern "C"
