/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Milliseconds per frame on one core, the least of several runs, for each metric and image;
 * x2: the metric with and without a gain limit, in one plan.
 *
 * usage: feature_bench WIDTH HEIGHT BITS RUNS [metric ...]
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include <time.h>

#include "features/registry.h"
#include "kernels/clip.h"
#include "kernels/direct_runner.h"

using namespace vmafx;
using namespace vmafx_test;

namespace
{

/** One picture pair of the generator, with its luma standing in for chroma too. */
struct Frames {
    PictureFormat format;
    ClipPair pair;

    Frames(uint32_t width, uint32_t height, uint32_t bits)
        : format{width, height, bits, Chroma::k420}, pair(generated_clips(width, height, bits, 2))
    {
        for (Clip *clip : {&pair.reference, &pair.distorted}) {
            for (Picture &picture : clip->pictures)
                picture.plane[1] = picture.plane[2] = picture.plane[0];
        }
    }
};

/** Option sets to measure together: the default alone, and with it that of the "neg" models. */
std::vector<std::vector<OptionDict>> workloads(const std::string &feature)
{
    if (feature == "vif" || feature == "adm")
        return {{{}}, {{}, {{feature + "_enhn_gain_limit", "1"}}}};
    return {{{}}};
}

/** Time that the thread ran: others may want the processor too. */
double thread_milliseconds()
{
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

double milliseconds(DirectRunner &runner, const FeatureDescription &feature,
                    const std::vector<OptionDict> &option_sets, const Frames &frames, int runs)
{
    const auto plan = feature.create();
    for (const OptionDict &options : option_sets)
        plan->add_instance(OptionSet(*feature.options, options, true));
    plan->prepare(runner, frames.format);
    std::vector<uint64_t> results(plan->result_words());

    FrameJob job;
    job.stream = &runner;
    job.index = 1;
    job.reference = frames.pair.reference.pictures[1].view(frames.format);
    job.distorted = frames.pair.distorted.pictures[1].view(frames.format);
    job.previous[0] = frames.pair.reference.pictures[0].view(frames.format);
    job.previous_distorted[0] = frames.pair.distorted.pictures[0].view(frames.format);
    job.results = results.data();

    double least = 1e9;
    for (int i = 0; i < runs; ++i) {
        const double start = thread_milliseconds();
        plan->enqueue(job);
        least = std::min(least, thread_milliseconds() - start);
    }
    return least;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 5) {
        std::fprintf(stderr, "usage: %s WIDTH HEIGHT BITS RUNS [metric ...]\n", argv[0]);
        return 2;
    }
    const auto number = [argv](int i) { return static_cast<uint32_t>(std::atoi(argv[i])); };
    const Frames frames(number(1), number(2), number(3));
    const std::set<std::string> only(argv + 5, argv + argc);
    for (const FeatureDescription *feature : all_features()) {
        if (!only.empty() && only.count(feature->name) == 0)
            continue;
        for (const std::string &image : DirectRunner::names()) {
            const auto runner = DirectRunner::of_name(image);
            runner->set_poison(false);
            for (const auto &option_sets : workloads(feature->name))
                std::printf(
                    "%-8s x%zu %-10s %8.3f ms\n", feature->name, option_sets.size(), image.c_str(),
                    milliseconds(*runner, *feature, option_sets, frames, std::atoi(argv[4])));
        }
    }
}
