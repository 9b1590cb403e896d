/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_GOLDEN_COMPARISON_H
#define TESTS_GOLDEN_COMPARISON_H

#include <cstdint>
#include <functional>
#include <string>

#include <libvmafx/vmafx.h>
#include <nlohmann/json.hpp>

/** Says of a metric's name whether it is to be compared. */
using Wanted = std::function<bool(const std::string &)>;

/** Counts values that were compared bit for bit, and prints those that differ. */
class Comparison
{
  public:
    explicit Comparison(std::string title) : title_(std::move(title)) {}

    /** Every value of the metrics that `wanted` accepts, as the context has them. */
    void metrics(VmafxContext *context, const nlohmann::json &golden, const Wanted &wanted);
    /** Pooled over frames 0..last: name -> method -> value. */
    void pooled(VmafxContext *context, const nlohmann::json &golden, uint64_t last,
                const Wanted &wanted);
    void aggregates(VmafxContext *context, const nlohmann::json &golden);

    uint64_t compared() const { return compared_; }
    uint64_t different() const { return different_; }
    void add(const Comparison &other);

  private:
    void value(const std::string &where, const nlohmann::json &golden, int32_t status,
               double score);
    void differs(const std::string &where, const std::string &how);

    std::string title_;
    uint64_t compared_ = 0, different_ = 0;
};

#endif
