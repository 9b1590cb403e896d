/* SPDX-License-Identifier: BSD-2-Clause */
#include <cctype>
#include <cinttypes>

#include <libvmafx/version.h>

#include "core/report_format.h"

namespace vmafx
{

namespace
{

/** A score name as attribute name. Only texts of options can bring other characters into it. */
std::string attribute_name(const std::string &name)
{
    std::string result = name;
    for (char &c : result)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-' && c != '.')
            c = '_';
    return result;
}

std::string escaped(const std::string &text)
{
    std::string result;
    for (const char c : text) {
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '"')
            result += "&quot;";
        else
            result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return result;
}

void write_frames(std::FILE *file, const ScoreStore &store, const ReportInfo &info)
{
    std::fputs("  <frames>\n", file);
    for (RowWalk rows(store, info.n_subsample); rows.next();) {
        std::fprintf(file, "    <frame frameNum=\"%" PRIu64 "\" ", rows.index());
        for (const RowWalk::Cell &cell : rows.cells())
            std::fprintf(file, "%s=\"%s\" ", attribute_name(*cell.name).c_str(),
                         score_text(cell.value).c_str());
        std::fputs("/>\n", file);
    }
    std::fputs("  </frames>\n", file);
}

void write_pooled(std::FILE *file, const ScoreStore &store, const ReportInfo &info)
{
    std::fputs("  <pooled_metrics>\n", file);
    for (const ScoreColumn &column : store.columns()) {
        if (column.entries().empty())
            continue;
        std::fprintf(file, "    <metric name=\"%s\" ", escaped(column.alias()).c_str());
        if (const auto pooled = pool_all(column, info))
            std::fprintf(file, "min=\"%s\" max=\"%s\" mean=\"%s\" harmonic_mean=\"%s\" ",
                         score_text(pooled->min).c_str(), score_text(pooled->max).c_str(),
                         score_text(pooled->mean).c_str(),
                         score_text(pooled->harmonic_mean).c_str());
        std::fputs("/>\n", file);
    }
    std::fputs("  </pooled_metrics>\n", file);
}

} // namespace

void write_xml(std::FILE *file, const ScoreStore &store, const ReportInfo &info)
{
    std::fprintf(file,
                 "<VMAF version=\"%s\">\n  <params qualityWidth=\"%u\" qualityHeight=\"%u\" />\n"
                 "  <fyi fps=\"%s\" />\n",
                 vmafx_version_string(), info.width, info.height, fixed_text(info.fps, 2).c_str());
    write_frames(file, store, info);
    write_pooled(file, store, info);
    std::fputs("  <aggregate_metrics ", file);
    for (const ScoreStore::Aggregate &aggregate : store.aggregates())
        std::fprintf(file, "%s=\"%s\" ", attribute_name(aggregate.name).c_str(),
                     score_text(aggregate.value).c_str());
    std::fputs("/>\n</VMAF>\n", file);
}

} // namespace vmafx
