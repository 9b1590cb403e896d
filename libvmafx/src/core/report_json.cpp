/* SPDX-License-Identifier: BSD-2-Clause */
#include <cinttypes>
#include <cmath>

#include "core/failure.h"
#include "core/report_format.h"

namespace vmafx
{

namespace
{

std::string quoted(const std::string &text)
{
    std::string result = "\"";
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < ' ')
            result += format("\\u%04x", static_cast<unsigned>(c));
        else if (c == '"' || c == '\\')
            (result += '\\') += c;
        else
            result += c;
    }
    return result + "\"";
}

/** JSON has no words for NaN and infinity. */
std::string json_number(double value)
{
    return std::isfinite(value) ? score_text(value) : "null";
}

void write_frames(std::FILE *file, const ScoreStore &store, const ReportInfo &info)
{
    std::fputs("  \"frames\": [", file);
    RowWalk rows(store, info.n_subsample);
    for (bool first_row = true; rows.next(); first_row = false) {
        std::fprintf(file, "%s\n    {\n      \"frameNum\": %" PRIu64 ",\n      \"metrics\": {",
                     first_row ? "" : ",", rows.index());
        bool first = true;
        for (const RowWalk::Cell &cell : rows.cells()) {
            std::fprintf(file, "%s\n        %s: %s", first ? "" : ",", quoted(*cell.name).c_str(),
                         json_number(cell.value).c_str());
            first = false;
        }
        std::fputs("\n      }\n    }", file);
    }
    std::fputs("\n  ],\n", file);
}

void write_pooled(std::FILE *file, const ScoreStore &store, const ReportInfo &info)
{
    std::fputs("  \"pooled_metrics\": {", file);
    bool first = true;
    for (const ScoreColumn &column : store.columns()) {
        if (column.entries().empty())
            continue;
        std::fprintf(file, "%s\n    %s: {", first ? "" : ",", quoted(column.alias()).c_str());
        first = false;
        if (const auto pooled = pool_all(column, info))
            std::fprintf(file,
                         "\n      \"min\": %s,\n      \"max\": %s,\n      \"mean\": %s,\n"
                         "      \"harmonic_mean\": %s",
                         json_number(pooled->min).c_str(), json_number(pooled->max).c_str(),
                         json_number(pooled->mean).c_str(),
                         json_number(pooled->harmonic_mean).c_str());
        std::fputs("\n    }", file);
    }
    std::fputs("\n  },\n", file);
}

void write_aggregates(std::FILE *file, const ScoreStore &store)
{
    std::fputs("  \"aggregate_metrics\": {", file);
    bool first = true;
    for (const ScoreStore::Aggregate &aggregate : store.aggregates()) {
        std::fprintf(file, "%s\n    %s: %s", first ? "" : ",", quoted(aggregate.name).c_str(),
                     json_number(aggregate.value).c_str());
        first = false;
    }
    std::fputs("\n  }\n", file);
}

} // namespace

void write_json(std::FILE *file, const ScoreStore &store, const ReportInfo &info)
{
    const std::string fps = std::isfinite(info.fps) ? fixed_text(info.fps, 2) : "null";
    std::fprintf(file, "{\n  \"version\": \"%s\",\n  \"fps\": %s,\n", vmafx_version_string(),
                 fps.c_str());
    write_frames(file, store, info);
    write_pooled(file, store, info);
    write_aggregates(file, store);
    std::fputs("}\n", file);
}

} // namespace vmafx
