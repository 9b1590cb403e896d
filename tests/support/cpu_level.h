/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_SUPPORT_CPU_LEVEL_H
#define TESTS_SUPPORT_CPU_LEVEL_H

#include <string>

namespace support
{

/** Exit status by which meson knows a skipped test. */
constexpr int kSkipped = 77;

/** true: this CPU runs x86-64 code of the level "v2", "v3" or "v4". */
inline bool cpu_has_level(const std::string &level)
{
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi2");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return level == "v4" ? v4 : level == "v3" ? v3 : true;
}

} // namespace support

#endif
