/* SPDX-License-Identifier: BSD-2-Clause
 *
 * usage: kernel_resources          prints docs/kernel-resources.md
 *        kernel_resources FILE     compares it with the library's images
 * Figures of another compiler are not compared: only that every kernel and target is there.
 */
#include <cstdio>
#include <fstream>
#include <sstream>

#include "images/resources_table.h"

using namespace vmafx_test;

namespace
{

std::string contents_of(const char *path)
{
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/** The number of the first line that differs. */
size_t differing_line(const std::string &a, const std::string &b)
{
    size_t line = 1;
    for (size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i)
        line += a[i] == '\n';
    return line;
}

int require(bool met, const std::string &complaint)
{
    if (!met)
        std::printf("%s\n", complaint.c_str());
    return met ? 0 : 1;
}

int compare_names(const std::string &text, const std::vector<TargetKernels> &targets)
{
    int failed = 0;
    for (const TargetKernels &target : targets) {
        failed += require(text.find("\n| " + target.target + " | ") != std::string::npos,
                          "no row for " + target.target);
        for (const auto &[name, kernel] : target.kernels)
            failed += require(text.find("\n| `" + name + "` | ") != std::string::npos,
                              "no row for " + name + " of " + target.target);
    }
    return failed;
}

int check(const char *path)
{
    const std::string text = contents_of(path);
    const std::vector<TargetKernels> targets = amd_targets();
    int failed = compare_names(text, targets);
    for (const TargetKernels &target : targets) {
        for (const auto &[name, kernel] : target.kernels)
            failed += require(kernel.spills == 0 && kernel.scratch == 0,
                              name + " of " + target.target + " spills or has scratch memory");
    }
    if (text.find("\n" + compiler_line()) == std::string::npos) {
        std::printf("the figures are another compiler's and were not compared\n");
    } else {
        const std::string wanted = resources_table(targets);
        failed +=
            require(text == wanted, std::string(path) + ", line " +
                                        std::to_string(differing_line(text, wanted)) +
                                        ": not what the images have; run make kernel-resources");
    }
    return failed == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
try {
    if (argc == 2)
        return check(argv[1]);
    std::fputs(resources_table(amd_targets()).c_str(), stdout);
    return 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
