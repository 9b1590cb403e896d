/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Predicts from the recorded feature scores of libvmaf and compares with its recorded model scores,
 * bit for bit. Arguments: folder of model files, folders of score files; a folder that is absent is
 * skipped.
 */
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/failure.h"
#include "core/pooling.h"
#include "core/score_store.h"
#include "feature_tables.h"
#include "model/builtin.h"
#include "model/model.h"

#include "check_text.h"

using namespace vmafx;
using nlohmann::json;

namespace
{

std::filesystem::path models;
std::vector<std::filesystem::path> folders;
size_t values_compared;

double value_of(const json &item)
{
    if (item.is_string())
        return std::strtod(item.get<std::string>().c_str(), nullptr);
    return item.get<double>();
}

/** All recorded values of a clip under the name that reports show. */
struct Clip {
    std::string name;
    uint64_t frames = 0;
    std::map<std::string, std::vector<double>> metrics;
    json pooled;

    Clip(const std::filesystem::path &folder, const std::string &clip) : name(clip)
    {
        for (const char *what : {"features", "vmaf", "vmafb", "vmafv1", "vmaffloat"}) {
            std::ifstream file(folder / (clip + "." + what + ".json"));
            if (!file)
                continue;
            const json data = json::parse(file);
            frames = data.at("frames");
            for (const auto &[key, list] : data.at("metrics").items())
                for (const json &item : list)
                    metrics[key].push_back(value_of(item));
            if (data.contains("pooled"))
                pooled.update(data.at("pooled"));
        }
    }
};

void assert_same_bits(double actual, double expected, const std::string &where)
{
    ck_assert_msg(std::bit_cast<uint64_t>(actual) == std::bit_cast<uint64_t>(expected),
                  "%s is %.17g, not %.17g", where.c_str(), actual, expected);
    values_compared++;
}

/** The columns of a model's features; nothing if the oracle recorded none. */
std::optional<std::vector<const std::vector<double> *>> inputs_of(const Model &model,
                                                                  const Clip &clip)
{
    std::vector<const std::vector<double> *> inputs;
    for (const RequiredFeature &feature : model.required_features()) {
        const OptionSet options(table_of(feature.extractor), feature.options, true);
        const auto found = clip.metrics.find(alias_of(options.score_name(feature.base_name)));
        if (found == clip.metrics.end())
            return std::nullopt;
        inputs.push_back(&found->second);
    }
    return inputs;
}

void check_pooled(const ScoreStore &store, const Clip &clip)
{
    for (const ScoreColumn &column : store.columns()) {
        if (!clip.pooled.contains(column.name()))
            continue;
        const PooledScore pooled = pool(column, {0, clip.frames - 1, 0});
        const json &expected = clip.pooled.at(column.name());
        const std::string where = clip.name + " " + column.name();
        assert_same_bits(pooled.min, value_of(expected.at("min")), where + " min");
        assert_same_bits(pooled.max, value_of(expected.at("max")), where + " max");
        assert_same_bits(pooled.mean, value_of(expected.at("mean")), where + " mean");
        assert_same_bits(pooled.harmonic_mean, value_of(expected.at("harmonic_mean")),
                         where + " harmonic_mean");
    }
}

void check_clip(const Model &model, const Clip &clip)
{
    if (!clip.metrics.contains(model.name()))
        return;
    const auto inputs = inputs_of(model, clip);
    ck_assert_msg(inputs.has_value(), "%s: a feature of %s was not recorded", clip.name.c_str(),
                  model.name().c_str());
    ScoreStore store;
    std::vector<double> features(inputs->size()), scores(model.score_names().size());
    for (uint64_t frame = 0; frame < clip.frames; frame++) {
        for (size_t i = 0; i < features.size(); i++)
            features[i] = inputs->at(i)->at(frame);
        model.predict(features, scores);
        for (size_t i = 0; i < scores.size(); i++) {
            const std::string &name = model.score_names()[i];
            assert_same_bits(scores[i], clip.metrics.at(name).at(frame),
                             clip.name + " " + name + " frame " + std::to_string(frame));
            store.write(name, frame, scores[i]);
        }
    }
    check_pooled(store, clip);
}

std::vector<std::string> clips_in(const std::filesystem::path &folder)
{
    const std::string tail = ".vmaf.json";
    std::vector<std::string> clips;
    if (std::filesystem::is_directory(folder))
        for (const auto &entry : std::filesystem::directory_iterator(folder)) {
            const std::string file = entry.path().filename();
            if (file.ends_with(tail))
                clips.push_back(file.substr(0, file.size() - tail.size()));
        }
    return clips;
}

void check_everywhere(const Model &model)
{
    for (const auto &folder : folders)
        for (const std::string &clip : clips_in(folder))
            check_clip(model, Clip(folder, clip));
}

} // namespace

START_TEST(builtin_models_predict_as_recorded)
{
    values_compared = 0;
    for (const BuiltinModel &builtin : builtin_models())
        check_everywhere(*load_builtin_model(builtin.name, builtin.name, 0));
    ck_assert_uint_ge(values_compared, 100);
    std::printf("built-in models: %zu values\n", values_compared);
}
END_TEST

START_TEST(models_of_files_predict_as_recorded)
{
    values_compared = 0;
    for (const auto &entry : std::filesystem::directory_iterator(models)) {
        const std::string name = entry.path().stem();
        if (entry.path().extension() == ".json")
            check_everywhere(*load_model_file(entry.path(), name, 0));
    }
    ck_assert_uint_ge(values_compared, 100);
    std::printf("models of files: %zu values\n", values_compared);
}
END_TEST

int main(int argc, char **argv)
{
    models = argv[1];
    folders.assign(argv + 2, argv + argc);
    TCase *tcase = tcase_create("golden");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, builtin_models_predict_as_recorded);
    tcase_add_test(tcase, models_of_files_predict_as_recorded);
    return run_tests(tcase, "golden predictions");
}
