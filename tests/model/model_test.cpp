/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Predictions worked out by libvmaf itself, and the options and flags of models.
 */
#include <cmath>
#include <functional>
#include <vector>

#include <nlohmann/json.hpp>

#include <libvmafx/model.h>

#include "core/failure.h"
#include "model/builtin.h"
#include "model/model.h"

#include "check_text.h"

using namespace vmafx;
using json = nlohmann::ordered_json;

namespace
{

/* adm2, motion2, vif_scale0..3 */
const std::vector<double> features = {0.95, 4.25, 0.5, 0.875, 0.9375, 0.96875};
std::string models; /* folder of model files */

std::string builtin_text(const std::string &name)
{
    for (const BuiltinModel &model : builtin_models())
        if (name == model.name)
            return text_of(model);
    ck_abort_msg("no built-in model %s", name.c_str());
    return {};
}

double predict_single(const Model &model, const std::vector<double> &values = features)
{
    std::vector<double> scores(model.score_names().size());
    ck_assert_uint_eq(model.required_features().size(), values.size());
    model.predict(values, scores);
    return scores[0];
}

/** Prediction of vmaf_v0.6.1 after a change of its file. */
double predict_altered(const std::function<void(json &)> &alter, uint32_t flags = 0)
{
    json root = json::parse(builtin_text("vmaf_v0.6.1"));
    alter(root["model_dict"]);
    return predict_single(Model(root.dump(), "vmaf", flags));
}

double predict_transformed(const json &transform)
{
    return predict_altered([&](json &dict) {
        dict["score_transform"] = transform;
        dict["score_transform"]["enabled"] = true;
    });
}

int32_t status_of(const std::function<void()> &body)
{
    try {
        body();
    } catch (const Failure &failure) {
        return failure.status();
    }
    return VMAFX_OK;
}

} // namespace

START_TEST(single_models)
{
    const auto score = [](const char *version, uint32_t flags) {
        return predict_single(*load_builtin_model(version, "vmaf", flags));
    };
    const uint32_t transform = VMAFX_MODEL_ENABLE_TRANSFORM;
    ck_assert_double_eq(score("vmaf_v0.6.1", 0), 86.693491818400844);
    ck_assert_double_eq(score("vmaf_v0.6.1", VMAFX_MODEL_DISABLE_CLIP), 86.693491818400844);
    ck_assert_double_eq(score("vmaf_v0.6.1", transform), 98.368681878612222);
    ck_assert_double_eq(score("vmaf_v0.6.1neg", 0), 86.693491818400844);
    ck_assert_double_eq(score("vmaf_4k_v0.6.1", 0), 90.939653318927014);
    ck_assert_double_eq(score("vmaf_4k_v0.6.1", transform), 90.939653318927014);
}
END_TEST

START_TEST(bootstrap_set)
{
    const auto model = load_builtin_model("vmaf_b_v0.6.3", "b", 0);
    ck_assert(model->is_set());
    const std::vector<std::string> &names = model->score_names();
    ck_assert_uint_eq(names.size(), 25);
    assert_text(names[0], "b");
    assert_text(names[1], "b_0001");
    assert_text(names[20], "b_0020");
    assert_text(names[21], "b_bagging");
    assert_text(names[24], "b_ci_p95_hi");

    std::vector<double> scores(25);
    model->predict(features, scores);
    ck_assert_double_eq(scores[0], 85.413779612066577);
    ck_assert_double_eq(scores[1], 85.44828583821743);
    ck_assert_double_eq(scores[2], 85.126862740660414);
    ck_assert_double_eq(scores[3], 85.133380666454002);
    ck_assert_double_eq(scores[21], 84.838882239263739);
    ck_assert_double_eq(scores[22], 1.4928889457577335);
    ck_assert_double_eq(scores[23], 81.906570327389602);
    ck_assert_double_eq(scores[24], 87.072921069639023);
}
END_TEST

START_TEST(bootstrap_set_with_transform)
{
    const auto model = load_builtin_model("vmaf_b_v0.6.3", "b", VMAFX_MODEL_ENABLE_TRANSFORM);
    std::vector<double> scores(25);
    model->predict(features, scores);
    ck_assert_double_eq(scores[0], 97.712756110318082);
    ck_assert_double_eq(scores[21], 97.41056826064839);
    ck_assert_double_eq(scores[22], 0.79077235146591562);
    ck_assert_double_eq(scores[23], 95.796698775958134);
    ck_assert_double_eq(scores[24], 98.558721007903642);
}
END_TEST

START_TEST(chroma_correction)
{
    const auto model = load_model_file(models + "/vmaf_v1.0.16_3d0h.json", "vmaf", 0);
    /* cambi, speed_chroma_uv, adm3, motion3 */
    ck_assert_double_eq(predict_single(*model, {2.5, 12.25, 0.90625, 6.5}), 65.978258705422647);
    ck_assert_double_eq(predict_single(*model, {2.5, 0, 0.90625, 6.5}), 66.83019442548823);
}
END_TEST

START_TEST(score_transforms)
{
    const double plain = 86.693491818400844;
    const auto knots = [](const char *text) {
        return predict_transformed({{"knots", json::parse(text)}});
    };
    ck_assert_double_eq(knots("[[0,5],[50,60],[80,80],[100,110]]"), 90.040237727601266);
    ck_assert_double_eq(knots("[[20,20],[50,50],[60,50]]"), 50);
    ck_assert_double_eq(knots("[[0,5],[50,60],[50,80],[100,110]]"), 0);
    ck_assert_double_eq(knots("[[0,5]]"), plain);
    ck_assert_double_eq(knots("[[90,30],[95,40]]"), 23.386983636801688); /* before the first */
    ck_assert_double_eq(predict_transformed({{"p0", 10}, {"out_lte_in", "true"}}), 10);
    ck_assert_double_eq(predict_transformed({{"p0", 99}, {"out_lte_in", "true"}}), plain);
    ck_assert_double_eq(predict_transformed({{"p0", 10}, {"out_gte_in", "true"}}), plain);
    ck_assert_double_eq(predict_transformed({{"p0", 10}, {"out_gte_in", "false"}}), 10);
    ck_assert_double_eq(predict_transformed(json::object()), plain);
}
END_TEST

START_TEST(clip_and_scale)
{
    const auto shifted = [](json &dict) {
        dict["score_transform"] = {{"enabled", true}, {"p0", 100}, {"p1", 1}};
    };
    ck_assert_double_eq(predict_altered(shifted), 100);
    ck_assert_double_eq(predict_altered(shifted, VMAFX_MODEL_DISABLE_CLIP), 186.69349181840084);
    ck_assert_double_eq(predict_altered([](json &dict) { dict["norm_type"] = "none"; }),
                        1.104322039600683);
    ck_assert_double_eq(predict_altered([](json &dict) { dict["score_clip"] = {50, 60}; }), 60);
    ck_assert_double_eq(predict_altered([](json &dict) { dict["score_clip"] = {90, 95}; }), 90);
    ck_assert_double_eq(predict_altered([](json &dict) { dict.erase("model_type"); }),
                        86.693491818400844);
}
END_TEST

START_TEST(required_features_and_overloads)
{
    const auto neg = load_builtin_model("vmaf_v0.6.1neg", "vmaf", 0);
    const auto required = neg->required_features();
    ck_assert_uint_eq(required.size(), 6);
    assert_text(required[0].extractor, "adm");
    assert_text(required[0].base_name, "VMAF_integer_feature_adm2_score");
    assert_text(required[0].options.at("adm_enhn_gain_limit"), "1");
    assert_text(required[1].extractor, "motion");
    ck_assert(required[1].options.empty());
    assert_text(required[5].options.at("vif_enhn_gain_limit"), "1");

    neg->set_option("vif", "vif_enhn_gain_limit", "1.5");
    neg->set_option("motion", "motion_max_val", "18");
    assert_text(neg->required_features()[2].options.at("vif_enhn_gain_limit"), "1.5");
    assert_text(neg->required_features()[1].options.at("motion_max_val"), "18");
    assert_text(neg->required_features()[0].options.at("adm_enhn_gain_limit"), "1");
    for (const char *extractor : {"psnr", "", "no such"})
        ck_assert_int_eq(status_of([&] { neg->set_option(extractor, "a", "b"); }),
                         VMAFX_E_NOTFOUND);

    const auto set = load_builtin_model("vmaf_b_v0.6.3", "vmaf", 0);
    ck_assert_uint_eq(set->required_features().size(), 6);
    set->set_option("vif", "vif_enhn_gain_limit", "1");
    ck_assert_uint_eq(set->required_features().size(), 6);
    ck_assert_double_eq(predict_single(*set), 85.413779612066577);
}
END_TEST

START_TEST(options_keep_their_spelling)
{
    json root = json::parse(builtin_text("vmaf_v0.6.1"));
    root["model_dict"]["feature_opts_dicts"] =
        json::parse(R"([{"a":1.23456789,"b":"1.0","c":true,"d":18.0,"e":2160},{},{},{},{},{}])");
    const auto required = Model(root.dump(), "vmaf", 0).required_features();
    const OptionDict expected = {
        {"a", "1.23457"}, {"b", "1.0"}, {"c", "true"}, {"d", "18"}, {"e", "2160"}};
    ck_assert(required[0].options == expected);
}
END_TEST

START_TEST(unusual_numbers_do_not_break_prediction)
{
    const auto set = load_builtin_model("vmaf_b_v0.6.3", "vmaf", 0);
    std::vector<double> scores(25);
    for (const double value : {double(NAN), double(INFINITY), -double(INFINITY), 1e300}) {
        std::vector<double> values = features;
        values[0] = value;
        set->predict(values, scores);
    }
    ck_assert_double_eq(scores[0], scores[0]); /* 1e300 is far from all vectors, not NaN */
}
END_TEST

int main(int, char **argv)
{
    models = argv[1];
    TCase *tcase = tcase_create("model");
    tcase_add_test(tcase, single_models);
    tcase_add_test(tcase, bootstrap_set);
    tcase_add_test(tcase, bootstrap_set_with_transform);
    tcase_add_test(tcase, chroma_correction);
    tcase_add_test(tcase, score_transforms);
    tcase_add_test(tcase, clip_and_scale);
    tcase_add_test(tcase, required_features_and_overloads);
    tcase_add_test(tcase, options_keep_their_spelling);
    tcase_add_test(tcase, unusual_numbers_do_not_break_prediction);
    return run_tests(tcase, "model");
}
