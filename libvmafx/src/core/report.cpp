/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/report.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <memory>

#include <libvmafx/score.h>

#include "core/failure.h"
#include "core/report_format.h"

namespace vmafx
{

namespace
{

/** How often the fraction must be multiplied by 10 to reach 1; 0 for whole numbers. */
int leading_zeros(double value)
{
    const double magnitude = std::fabs(value);
    if (!(magnitude < 2147483648.0))
        return 0;
    double fraction = magnitude - std::trunc(magnitude);
    int count = 0;
    for (; fraction != 0 && fraction < 1; fraction *= 10)
        count++;
    return count;
}

void write_format(std::FILE *file, const ScoreStore &store, const ReportInfo &info, uint32_t format)
{
    switch (format) {
    case VMAFX_REPORT_JSON:
        return write_json(file, store, info);
    case VMAFX_REPORT_XML:
        return write_xml(file, store, info);
    case VMAFX_REPORT_CSV:
        return write_csv(file, store, info);
    case VMAFX_REPORT_SUB:
        return write_sub(file, store, info);
    default:
        fail(VMAFX_E_INVALID, "format", "there is no report format %u; use VMAFX_REPORT_*", format);
    }
}

[[noreturn]] void refuse_io(const char *path, int error)
{
    throw Failure(VMAFX_E_IO, "path",
                  format("cannot write report \"%.300s\": %s", path, std::strerror(error)), error);
}

} // namespace

std::string fixed_text(double value, int decimals)
{
    std::array<char, 400> text; /* the largest double has 309 digits */
    const auto result = std::to_chars(text.data(), text.data() + text.size(), value,
                                      std::chars_format::fixed, decimals);
    return std::string(text.data(), result.ptr);
}

std::string score_text(double value)
{
    return fixed_text(value, leading_zeros(value) > 6 ? 16 : 6);
}

RowWalk::RowWalk(const ScoreStore &store, uint32_t n_subsample)
    : step_(n_subsample > 1 ? n_subsample : 1)
{
    for (const ScoreColumn &column : store.columns())
        cursors_.push_back({&column, column.entries().begin()});
}

bool RowWalk::next()
{
    for (;;) {
        bool any = false;
        for (const Cursor &cursor : cursors_) {
            if (cursor.entry == cursor.column->entries().end())
                continue;
            if (!any || cursor.entry->index < index_)
                index_ = cursor.entry->index;
            any = true;
        }
        if (!any)
            return false;
        cells_.clear();
        for (Cursor &cursor : cursors_) {
            if (cursor.entry == cursor.column->entries().end() || cursor.entry->index != index_)
                continue;
            cells_.push_back({&cursor.column->alias(), cursor.entry->value});
            ++cursor.entry;
        }
        if (index_ % step_ == 0)
            return true;
    }
}

std::optional<PooledScore> pool_all(const ScoreColumn &column, const ReportInfo &info)
{
    if (info.frames == 0)
        return std::nullopt;
    try {
        return pool(column, {0, info.frames - 1, info.n_subsample});
    } catch (const Failure &) {
        return std::nullopt;
    }
}

void write_report(std::FILE *file, const ScoreStore &store, const ReportInfo &info, uint32_t format)
{
    write_format(file, store, info, format);
    errno = 0;
    if (std::fflush(file) != 0 || std::ferror(file))
        throw Failure(VMAFX_E_IO, "path", "cannot write the report", errno);
}

void write_report_file(const char *path, const ScoreStore &store, const ReportInfo &info,
                       uint32_t format)
{
    if (format < VMAFX_REPORT_JSON || format > VMAFX_REPORT_SUB)
        fail(VMAFX_E_INVALID, "format", "there is no report format %u; use VMAFX_REPORT_*", format);
    struct Closer {
        void operator()(std::FILE *file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Closer> file(std::fopen(path, "we"));
    if (!file)
        refuse_io(path, errno);
    write_format(file.get(), store, info, format);
    const bool failed = std::ferror(file.get()) != 0;
    if (std::fclose(file.release()) != 0)
        refuse_io(path, errno);
    if (failed)
        refuse_io(path, EIO);
}

} // namespace vmafx
