/* SPDX-License-Identifier: BSD-2-Clause */
#include "comparison.h"

#include <bit>
#include <cmath>
#include <cstdio>

#include "support/golden_set.h"

namespace
{

constexpr uint64_t kPrintedDifferences = 12; /* per clip */

struct PoolMethod {
    const char *name;
    uint32_t method;
};
constexpr PoolMethod kPoolMethods[] = {
    {"min", VMAFX_POOL_MIN},
    {"max", VMAFX_POOL_MAX},
    {"mean", VMAFX_POOL_MEAN},
    {"harmonic_mean", VMAFX_POOL_HARMONIC_MEAN},
};

/** All NaNs are one value: which one a computation gives is not part of the scores. */
bool same_bits(double a, double b)
{
    return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b) ||
           (std::isnan(a) && std::isnan(b));
}

std::string text_of(double value)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

} // namespace

void Comparison::add(const Comparison &other)
{
    compared_ += other.compared_;
    different_ += other.different_;
}

void Comparison::differs(const std::string &where, const std::string &how)
{
    if (++different_ <= kPrintedDifferences)
        std::printf("%s: %s: %s\n", title_.c_str(), where.c_str(), how.c_str());
}

void Comparison::value(const std::string &where, const nlohmann::json &golden, int32_t status,
                       double score)
{
    const auto expected = support::golden_value(golden);
    ++compared_;
    if (!expected) {
        if (status != VMAFX_E_NOTFOUND)
            differs(where,
                    std::string("no score expected, status is ") + vmafx_status_name(status));
        return;
    }
    if (status != VMAFX_OK)
        differs(where, vmafx_status_name(status));
    else if (!same_bits(*expected, score))
        differs(where, text_of(score) + ", golden " + text_of(*expected));
}

void Comparison::metrics(VmafxContext *context, const nlohmann::json &golden, const Wanted &wanted)
{
    for (const auto &[name, values] : golden.items()) {
        if (!wanted(name))
            continue;
        for (size_t i = 0; i < values.size(); ++i) {
            VmafxError error = VMAFX_ERROR_INIT;
            double score = 0;
            const int32_t status = vmafx_score_at(context, name.c_str(), i, &score, &error);
            value(name + "[" + std::to_string(i) + "]", values[i], status, score);
        }
    }
}

void Comparison::pooled(VmafxContext *context, const nlohmann::json &golden, uint64_t last,
                        const Wanted &wanted)
{
    for (const auto &[name, methods] : golden.items()) {
        if (!wanted(name))
            continue;
        for (const PoolMethod &pool : kPoolMethods) {
            VmafxError error = VMAFX_ERROR_INIT;
            double score = 0;
            const int32_t status =
                vmafx_score_pooled(context, name.c_str(), pool.method, 0, last, &score, &error);
            value(name + " " + pool.name, methods.at(pool.name), status, score);
        }
    }
}

void Comparison::aggregates(VmafxContext *context, const nlohmann::json &golden)
{
    for (const auto &[name, golden_score] : golden.items()) {
        VmafxError error = VMAFX_ERROR_INIT;
        double score = 0;
        const int32_t status = vmafx_score_aggregate(context, name.c_str(), &score, &error);
        value(name, golden_score, status, score);
    }
}
