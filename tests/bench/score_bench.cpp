/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Measures one library on one task, and prints a line of JSON; compare.py runs it many times.
 *     score_bench prepare WIDTH HEIGHT BITS GOLDEN REFERENCE DISTORTED
 *     score_bench features LIBVMAF.SO
 *     score_bench run vmafx|LIBVMAF.SO TASK WIDTH HEIGHT BITS REFERENCE DISTORTED WORKERS FRAMES
 * TASK is a list of models and features, such as "vmaf_v0.6.1,psnr".
 */
#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "bench/engine.h"
#include "bench/resources.h"
#include "features/feature.h"

namespace bench
{

std::vector<std::string> Task::feature_scores() const
{
    std::vector<std::string> names;
    for (const std::string &feature : features)
        if (const vmafx::FeatureDescription *found = vmafx::find_feature(feature))
            names.insert(names.end(), found->provided.begin(), found->provided.end());
    /* What it provides is the name of none of its scores. */
    if (std::find(features.begin(), features.end(), "float_moment") != features.end())
        for (const char *moment : {"ref1st", "dis1st", "ref2nd", "dis2nd"})
            names.push_back(std::string("float_moment_") + moment);
    return names;
}

namespace
{

constexpr uint32_t kWarmUpFrames = 2;

Task parse_task(const std::string &list)
{
    Task task;
    for (size_t start = 0; start < list.size();) {
        const size_t end = std::min(list.find(',', start), list.size());
        const std::string name = list.substr(start, end - start);
        (name.starts_with("vmaf") ? task.models : task.features).push_back(name);
        start = end + 1;
    }
    return task;
}

struct Clip {
    PictureFile reference, distorted;

    PicturePair pair(size_t index) const
    {
        return {reference.frame(index), distorted.frame(index)};
    }
};

/** Scores the clip, over and over, until there are `frames` of them, and pools. */
std::unique_ptr<Session> score(Engine &engine, const Task &task, const PictureShape &shape,
                               const Clip &clip, uint32_t frames)
{
    std::unique_ptr<Session> session = engine.start(task, shape);
    for (uint32_t i = 0; i < frames; ++i)
        session->submit(clip.pair(i), i);
    session->flush();
    for (const std::string &model : task.models)
        session->model_mean(model, frames);
    for (const std::string &name : task.feature_scores())
        if (session->has_feature_score(name, 0))
            session->feature_mean(name, frames);
    return session;
}

nlohmann::json all_scores(Session &session, const Task &task, uint32_t frames)
{
    nlohmann::json scores = nlohmann::json::object();
    for (uint32_t i = 0; i < frames; ++i) {
        for (const std::string &model : task.models)
            scores[model].push_back(session.model_score(model, i));
        for (const std::string &name : task.feature_scores())
            if (session.has_feature_score(name, i))
                scores[name].push_back(session.feature_score(name, i));
    }
    return scores;
}

uint32_t number(const char *text)
{
    return static_cast<uint32_t>(std::stoul(text));
}

void run(char **arguments)
{
    const std::string library = arguments[0];
    const Task task = parse_task(arguments[1]);
    const PictureShape shape = {number(arguments[2]), number(arguments[3]), number(arguments[4])};
    const Clip clip = {{arguments[5], shape}, {arguments[6], shape}};
    const uint32_t workers = number(arguments[7]), frames = number(arguments[8]);

    const int64_t before = peak_bytes();
    const std::unique_ptr<Engine> engine =
        library == "vmafx" ? open_vmafx(workers) : open_libvmaf(library, workers);
    /* Code, worker threads and memory of the allocator are there before the time starts. */
    score(*engine, task, shape, clip, kWarmUpFrames);

    const Stopwatch watch;
    const std::unique_ptr<Session> session = score(*engine, task, shape, clip, frames);
    const double wall = watch.wall(), cpu = watch.cpu();
    const int64_t memory = peak_bytes() - before;
    const nlohmann::json result = {{"library", engine->description()},
                                   {"wall", wall},
                                   {"cpu", cpu},
                                   {"memory", memory},
                                   {"scores", all_scores(*session, task, frames)}};
    std::printf("%s\n", result.dump().c_str());
}

/** All features of libvmafx, and those of them that libvmaf was built with. */
void list_features(const char *libvmaf)
{
    const std::unique_ptr<Engine> theirs = open_libvmaf(libvmaf, 1);
    nlohmann::json all = nlohmann::json::array(), shared = all;
    for (const vmafx::FeatureDescription *feature : vmafx::all_features()) {
        all.push_back(feature->name);
        if (theirs->has_feature(feature->name))
            shared.push_back(feature->name);
    }
    std::printf("%s\n", nlohmann::json{{"libvmafx", all}, {"libvmaf", shared}}.dump().c_str());
}

void prepare(char **arguments)
{
    const PictureShape shape = {number(arguments[0]), number(arguments[1]), number(arguments[2])};
    const std::string clip = prepare_pictures(shape, arguments[3], arguments[4], arguments[5]);
    std::printf("%s\n", nlohmann::json{{"clip", clip}}.dump().c_str());
}

} // namespace

} // namespace bench

int main(int count, char **arguments)
{
    const std::string mode = count > 1 ? arguments[1] : "";
    try {
        if (mode == "prepare" && count == 8)
            bench::prepare(arguments + 2);
        else if (mode == "features" && count == 3)
            bench::list_features(arguments[2]);
        else if (mode == "run" && count == 11)
            bench::run(arguments + 2);
        else
            throw std::invalid_argument("unknown arguments; compare.py runs this program");
    } catch (const std::exception &error) {
        std::fprintf(stderr, "score_bench: %s\n", error.what());
        return 1;
    }
    return 0;
}
