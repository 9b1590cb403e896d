/* SPDX-License-Identifier: BSD-2-Clause */
#include "images/resources_table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "images/occupancy.h"

namespace vmafx_test
{

namespace
{

using vmafx::Image;
using vmafx::ImageKind;

constexpr char kIntroduction[] = R"(# What kernels take of AMD GPUs

Written by `make kernel-resources` from the metadata of the code objects in the library, and compared with them by the test
`kernel-resources`. No kernel spills registers or has scratch memory, on any target.

Occupancy is in waves per SIMD: as many whole work-groups of the kernel's size as fit on a compute unit (GFX9) or a work-group
processor (GFX10 and later; wave32), by vector registers, scalar registers (GFX9), tile memory (LDS), barriers and the hardware's limit
of waves. Sizes and granules of the register files stand in `tests/images/occupancy.cpp`. clang's own figure
(`-Rpass-analysis=kernel-resource-usage`) rounds up to whole waves and counts work-groups that fit in part; elsewhere it is the same.

)";

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%g", std::round(value * 100) / 100);
    return text;
}

struct Worst {
    double value = 0;
    std::string kernel;
};

/** The kernel with the largest value; the first by name of several. */
Worst worst_of(const TargetKernels &target, const std::function<double(const GpuKernel &)> &value)
{
    Worst worst;
    for (const auto &[name, kernel] : target.kernels) {
        if (worst.kernel.empty() || value(kernel) > worst.value)
            worst = {value(kernel), name};
    }
    return worst;
}

std::string summary_row(const TargetKernels &target)
{
    const RegisterFiles files = register_files(target.target);
    uint64_t code = 0, spills = 0, scratch = 0;
    for (const auto &[name, kernel] : target.kernels) {
        code += kernel.code;
        spills += kernel.spills;
        scratch += kernel.scratch;
    }
    const Worst vgprs = worst_of(target, [](const GpuKernel &k) { return k.vgprs; });
    const Worst tile = worst_of(target, [](const GpuKernel &k) { return double(k.tile); });
    const Worst waves =
        worst_of(target, [&](const GpuKernel &k) { return -waves_per_simd(k, files); });
    const auto cell = [](double value, const Worst &worst) {
        return " | " + number(value) + " `" + worst.kernel + "`";
    };
    return "| " + target.target + " | " + std::to_string(target.kernels.size()) + " | " +
           std::to_string((target.bytes + 512) / 1024) + " | " + std::to_string(code) +
           cell(vgprs.value, vgprs) + cell(-waves.value, waves) + " of " +
           std::to_string(files.waves) + cell(tile.value, tile) + " | " + std::to_string(spills) +
           " | " + std::to_string(scratch) + " |\n";
}

/** Targets with the same figures for every kernel share a column. */
struct Column {
    std::string title;
    std::map<std::string, std::string> cells;
};

std::string cell_of(const GpuKernel &kernel, const RegisterFiles &files)
{
    return std::to_string(kernel.vgprs) + " " + std::to_string(kernel.sgprs) + " " +
           number(waves_per_simd(kernel, files));
}

std::vector<Column> columns_of(const std::vector<TargetKernels> &targets)
{
    std::vector<Column> columns;
    for (const TargetKernels &target : targets) {
        const RegisterFiles files = register_files(target.target);
        Column column = {target.target, {}};
        for (const auto &[name, kernel] : target.kernels)
            column.cells[name] = cell_of(kernel, files);
        const auto same = std::find_if(columns.begin(), columns.end(),
                                       [&](const Column &c) { return c.cells == column.cells; });
        if (same == columns.end())
            columns.push_back(column);
        else
            same->title += ", " + column.title;
    }
    return columns;
}

/** What is the same on all targets once; else smallest and largest. */
std::string over_targets(const std::vector<TargetKernels> &targets, const std::string &name,
                         uint64_t (*value)(const GpuKernel &))
{
    uint64_t least = UINT64_MAX, most = 0;
    for (const TargetKernels &target : targets) {
        const auto found = target.kernels.find(name);
        if (found == target.kernels.end())
            continue;
        least = std::min(least, value(found->second));
        most = std::max(most, value(found->second));
    }
    return least == most ? std::to_string(most)
                         : std::to_string(least) + "–" + std::to_string(most);
}

} // namespace

std::vector<TargetKernels> amd_targets()
{
    std::vector<TargetKernels> targets;
    for (const Image &image : vmafx::all_images()) {
        if (image.kind == ImageKind::kAmd)
            targets.push_back({image.target, image.size, amd_kernels(image)});
    }
    return targets;
}

std::string compiler_line()
{
    for (const Image &image : vmafx::all_images()) {
        if (image.kind == ImageKind::kAmd)
            return "Compiled by " + amd_compiler(image) + ".\n";
    }
    return "No AMD code object.\n";
}

std::string resources_table(const std::vector<TargetKernels> &targets)
{
    std::string text = kIntroduction + compiler_line() + R"(
## Summary

Kernels, KiB of the code object, bytes of instructions, and the kernels with the most vector registers, the lowest occupancy and the
largest tile memory.

| target | kernels | KiB | code | VGPRs | occupancy | tile memory | spills | scratch |
|---|---|---|---|---|---|---|---|---|
)";
    for (const TargetKernels &target : targets)
        text += summary_row(target);
    text += R"(
## Kernels

Threads of a work-group, bytes of tile memory, then for each target vector registers (with accumulators), scalar registers and
occupancy.

| kernel | threads | tile |)";
    const std::vector<Column> columns = columns_of(targets);
    for (const Column &column : columns)
        text += " " + column.title + " |";
    text += "\n|---|---|---|";
    for (size_t i = 0; i < columns.size(); ++i)
        text += "---|";
    text += "\n";
    for (const auto &[name, kernel] : targets.front().kernels) {
        text +=
            "| `" + name + "` | " +
            over_targets(targets, name, [](const GpuKernel &k) -> uint64_t { return k.threads; }) +
            " | " + over_targets(targets, name, [](const GpuKernel &k) { return k.tile; }) + " |";
        for (const Column &column : columns) {
            const auto cell = column.cells.find(name);
            text += " " + (cell == column.cells.end() ? "absent" : cell->second) + " |";
        }
        text += "\n";
    }
    return text;
}

} // namespace vmafx_test
