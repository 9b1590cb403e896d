/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One way to run libvmafx and libvmaf, so that both are measured by the same loop.
 */
#ifndef TESTS_BENCH_ENGINE_H
#define TESTS_BENCH_ENGINE_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/pictures.h"

namespace bench
{

/** What to compute. */
struct Task {
    std::vector<std::string> models;   /* built-in models by name */
    std::vector<std::string> features; /* extractors, as libvmaf names them */

    /** The features' scores, by the names that both libraries take; some come with options alone.
     */
    std::vector<std::string> feature_scores() const;
};

/** One stream of picture pairs from the first to the last. */
class Session
{
  public:
    virtual ~Session() = default;
    virtual void submit(const PicturePair &pair, uint32_t index) = 0;
    /** Completes every score. */
    virtual void flush() = 0;
    virtual double model_mean(const std::string &model, uint32_t frames) = 0;
    virtual bool has_feature_score(const std::string &name, uint32_t index) = 0;
    virtual double feature_mean(const std::string &name, uint32_t frames) = 0;
    virtual double model_score(const std::string &model, uint32_t index) = 0;
    virtual double feature_score(const std::string &name, uint32_t index) = 0;
};

class Engine
{
  public:
    virtual ~Engine() = default;
    /** Library, version and code path. */
    virtual std::string description() const = 0;
    virtual bool has_feature(const std::string &name) = 0;
    virtual std::unique_ptr<Session> start(const Task &task, const PictureShape &shape) = 0;
};

/** libvmafx on the CPU runtime. Throws std::runtime_error, as all of these do. */
std::unique_ptr<Engine> open_vmafx(uint32_t workers);

/** libvmaf 3.2 from a shared library. */
std::unique_ptr<Engine> open_libvmaf(const std::string &path, uint32_t workers);

} // namespace bench

#endif
