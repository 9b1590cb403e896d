/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The four writers of reports and what they share.
 */
#ifndef VMAFX_CORE_REPORT_FORMAT_H
#define VMAFX_CORE_REPORT_FORMAT_H

#include <optional>
#include <string>
#include <vector>

#include "core/pooling.h"
#include "core/report.h"

namespace vmafx
{

/** As printf's "%.*f", whatever the locale. */
std::string fixed_text(double value, int decimals);

/** Goes through the frames that have scores and that subsampling selects. */
class RowWalk
{
  public:
    struct Cell {
        const std::string *name;
        double value;
    };

    RowWalk(const ScoreStore &store, uint32_t n_subsample);
    bool next(); /* false: no more rows */
    uint64_t index() const { return index_; }
    const std::vector<Cell> &cells() const { return cells_; }

  private:
    struct Cursor {
        const ScoreColumn *column;
        std::vector<ScoreColumn::Entry>::const_iterator entry;
    };
    std::vector<Cursor> cursors_;
    std::vector<Cell> cells_;
    uint64_t index_ = 0;
    uint64_t step_;
};

/** The pooled scores of the whole session; nothing if a frame lacks the score. */
std::optional<PooledScore> pool_all(const ScoreColumn &column, const ReportInfo &info);

void write_json(std::FILE *file, const ScoreStore &store, const ReportInfo &info);
void write_xml(std::FILE *file, const ScoreStore &store, const ReportInfo &info);
void write_csv(std::FILE *file, const ScoreStore &store, const ReportInfo &info);
void write_sub(std::FILE *file, const ScoreStore &store, const ReportInfo &info);

} // namespace vmafx

#endif
