/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reports in the structure of libvmaf's.
 */
#ifndef VMAFX_CORE_REPORT_H
#define VMAFX_CORE_REPORT_H

#include <cstdint>
#include <cstdio>
#include <string>

#include "core/score_store.h"

namespace vmafx
{

struct ReportInfo {
    uint32_t width = 0;       /* luma samples */
    uint32_t height = 0;      /* luma rows */
    uint64_t frames = 0;      /* pairs submitted; pooling covers indices 0..frames-1 */
    uint32_t n_subsample = 0; /* of the context */
    double fps = 0;           /* NaN: unknown */
};

/** A score as reports print it: 6 decimals, 16 where the fraction would vanish. */
std::string score_text(double value);

/** format: VMAFX_REPORT_*. Throws E_INVALID for another number, E_IO. Does not close the file. */
void write_report(std::FILE *file, const ScoreStore &store, const ReportInfo &info,
                  uint32_t format);

/** Creates or replaces the file. Throws E_INVALID, E_IO with errno and subject "path". */
void write_report_file(const char *path, const ScoreStore &store, const ReportInfo &info,
                       uint32_t format);

} // namespace vmafx

#endif
