/* SPDX-License-Identifier: BSD-2-Clause */
#include <cinttypes>

#include "core/report_format.h"

namespace vmafx
{

namespace
{

/** A name that would break a row is quoted. */
std::string csv_field(const std::string &text)
{
    if (text.find_first_of(",\"\n\r") == std::string::npos)
        return text;
    std::string result = "\"";
    for (const char c : text)
        result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + "\"";
}

/** '|' separates fields of a subtitle. */
std::string sub_field(std::string text)
{
    for (char &c : text)
        if (c == '|' || static_cast<unsigned char>(c) < ' ')
            c = '_';
    return text;
}

} // namespace

/* As libvmaf writes it: a score that is missing in a row leaves no empty field. */
void write_csv(std::FILE *file, const ScoreStore &store, const ReportInfo &info)
{
    std::fputs("Frame,", file);
    for (const ScoreColumn &column : store.columns())
        if (!column.entries().empty())
            std::fprintf(file, "%s,", csv_field(column.alias()).c_str());
    std::fputc('\n', file);
    for (RowWalk rows(store, info.n_subsample); rows.next();) {
        std::fprintf(file, "%" PRIu64 ",", rows.index());
        for (const RowWalk::Cell &cell : rows.cells())
            std::fprintf(file, "%s,", score_text(cell.value).c_str());
        std::fputc('\n', file);
    }
}

void write_sub(std::FILE *file, const ScoreStore &store, const ReportInfo &info)
{
    for (RowWalk rows(store, info.n_subsample); rows.next();) {
        std::fprintf(file, "{%" PRIu64 "}{%" PRIu64 "}frame: %" PRIu64 "|", rows.index(),
                     rows.index() + 1, rows.index());
        for (const RowWalk::Cell &cell : rows.cells())
            std::fprintf(file, "%s: %s|", sub_field(*cell.name).c_str(),
                         score_text(cell.value).c_str());
        std::fputc('\n', file);
    }
}

} // namespace vmafx
