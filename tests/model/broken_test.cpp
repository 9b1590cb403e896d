/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Broken model files: each is refused with what is wrong and where.
 */
#include <functional>

#include <nlohmann/json.hpp>

#include "core/failure.h"
#include "model/builtin.h"
#include "model/model.h"

#include "check_text.h"

using namespace vmafx;
using json = nlohmann::ordered_json;

namespace
{

const char *const good_svm = "svm_type nu_svr\nkernel_type rbf\ngamma 0.5\nnr_class 2\n"
                             "total_sv 2\nrho -1\nSV\n1 1:0.5 2:0.25 \n-1 2:0.75 \n";

json good()
{
    return json{{"model_dict",
                 {{"model_type", "LIBSVMNUSVR"},
                  {"feature_names", {"VMAF_integer_feature_adm3_score", "psnr_y"}},
                  {"norm_type", "linear_rescale"},
                  {"slopes", {1, 2, 3}},
                  {"intercepts", {0, 0.5, 0.25}},
                  {"model", good_svm}}}};
}

/** Status and message of a load. */
struct Outcome {
    int32_t status = VMAFX_OK;
    std::string message;
};

Outcome load(const std::string &text)
{
    try {
        Model model(text, "vmaf", 0);
    } catch (const Failure &failure) {
        return {failure.status(), failure.what()};
    }
    return {};
}

void assert_refused(const std::string &text, const std::string &part,
                    int32_t status = VMAFX_E_INVALID)
{
    const Outcome outcome = load(text);
    ck_assert_msg(outcome.status == status, "status %d for %.300s", outcome.status, text.c_str());
    ck_assert_msg(outcome.message.find(part) != std::string::npos, "\"%s\" lacks \"%s\"",
                  outcome.message.c_str(), part.c_str());
}

void assert_member_refused(const char *member, const char *value, const std::string &part)
{
    json root = good();
    root["model_dict"][member] = json::parse(value);
    assert_refused(root.dump(), part);
}

void assert_svm_refused(const std::string &svm, const std::string &part,
                        int32_t status = VMAFX_E_INVALID)
{
    json root = good();
    root["model_dict"]["model"] = svm;
    assert_refused(root.dump(), part, status);
}

std::string replaced(std::string text, const std::string &from, const std::string &to)
{
    const size_t at = text.find(from);
    ck_assert(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

} // namespace

START_TEST(the_good_file_loads)
{
    assert_text(load(good().dump()).message, "");
}
END_TEST

START_TEST(no_json)
{
    for (const char *text : {"", "{", "[]", "null", "{}", "3", "\"x\"", "{\"a\":1,}", "{\"a\":NaN}",
                             "\xff\xfe", "{\"model_dict\":1e999}", "{\"0\":{}}", "{\"1\":{}}"})
        ck_assert_msg(load(text).status == VMAFX_E_INVALID, "accepted %s", text);
    assert_refused("{\n\"a\": tru }", "line 2");
    assert_refused(std::string(100000, '['), "nested deeper");
    assert_refused("{\"a\":1,\"a\":2}", "given twice");
    std::string deep;
    for (int i = 0; i < 100000; i++)
        deep += "{\"a\":";
    assert_refused(deep, "nested deeper");
}
END_TEST

START_TEST(every_truncation)
{
    const std::string text = good().dump();
    for (size_t size = 0; size < text.size(); size++)
        ck_assert_int_eq(load(text.substr(0, size)).status, VMAFX_E_INVALID);
}
END_TEST

START_TEST(missing_members)
{
    for (const char *member : {"feature_names", "norm_type", "slopes", "intercepts", "model"}) {
        json root = good();
        root["model_dict"].erase(member);
        assert_refused(root.dump(), std::string("has no member \"") + member + "\"");
    }
}
END_TEST

START_TEST(wrong_members)
{
    const struct {
        const char *member, *value, *part;
    } cases[] = {
        {"model_type", "\"LINEAR\"", "model_dict.model_type is not LIBSVMNUSVR"},
        {"model_type", "7", "model_dict.model_type is not a string"},
        {"norm_type", "\"log\"", "model_dict.norm_type"},
        {"feature_names", "[]", "has 0 names"},
        {"feature_names", "\"adm\"", "is not an array"},
        {"feature_names", "[\"a\",7]", "model_dict.feature_names[1] is not a string"},
        {"feature_names", "[\"a\",\"\"]", "model_dict.feature_names[1] is empty"},
        {"feature_names", "[\"a\"]", "model_dict.slopes has 3 numbers"},
        {"slopes", "[1,2]", "model_dict.slopes has 2 numbers"},
        {"slopes", "[1,2,null]", "model_dict.slopes[2] is not a number"},
        {"slopes", "[0,1,1]", "model_dict.slopes[0] is 0"},
        {"slopes", "[1,1,0]", "model_dict.slopes[2] is 0"},
        {"intercepts", "[1,2,3,4]", "model_dict.intercepts has 4 numbers"},
        {"intercepts", "{}", "model_dict.intercepts is not an array"},
        {"score_clip", "[1]", "model_dict.score_clip is not a pair"},
        {"score_clip", "[2,1]", "model_dict.score_clip is not a pair"},
        {"score_clip", "null", "model_dict.score_clip is not an array"},
        {"feature_opts_dicts", "[{}]", "has 1 elements for 2 features"},
        {"feature_opts_dicts", "[{},3]", "model_dict.feature_opts_dicts[1] is not an object"},
        {"feature_opts_dicts", "[{\"a\":[]},{}]", "model_dict.feature_opts_dicts[0].a is not"},
        {"score_transform", "[]", "model_dict.score_transform is not an object"},
        {"score_transform", "{\"enabled\":\"true\"}", "score_transform.enabled is not true"},
        {"score_transform", "{\"p1\":null}", "score_transform.p1 is not a number"},
        {"score_transform", "{\"out_gte_in\":true}", "out_gte_in is not a string"},
        {"score_transform", "{\"knots\":null}", "knots is not an array"},
        {"score_transform", "{\"knots\":[[1]]}", "knots[0] is not a pair"},
        {"score_transform", "{\"knots\":[[1,2,3]]}", "knots[0] is not a pair"},
        {"score_transform",
         "{\"knots\":[[1,1],[2,2],[3,3],[4,4],[5,5],[6,6],[7,7],[8,8],[9,9],[10,10],[11,11]]}",
         "more than 10 knots"},
        {"chroma_correction_parameter", "0", "is 0"},
        {"chroma_correction_parameter", "\"1\"", "is not a number"},
        {"chroma_correction_parameter", "120", "contains speed_chroma"},
        {"model", "7", "model_dict.model is not a string"},
    };
    for (const auto &c : cases)
        assert_member_refused(c.member, c.value, c.part);
    json root = good();
    root["model_dict"]["feature_names"] = std::vector<std::string>(65, "psnr_y");
    assert_refused(root.dump(), "has 65 names");
}
END_TEST

START_TEST(chroma_correction_needs_one_of_each)
{
    json root = good();
    json &dict = root["model_dict"];
    dict["chroma_correction_parameter"] = 120;
    dict["feature_names"] = {"adm3", "speed_chroma"};
    ck_assert_int_eq(load(root.dump()).status, VMAFX_OK);
    dict["feature_names"] = {"adm3_speed_chroma", "psnr_y"};
    assert_refused(root.dump(), "both");
    dict["feature_names"] = {"adm3", "adm3"};
    assert_refused(root.dump(), "several");
}
END_TEST

START_TEST(bad_svm_texts)
{
    assert_svm_refused("", "without SV");
    assert_svm_refused("SV\n", "lacks gamma");
    const struct {
        const char *from, *to, *part;
    } cases[] = {
        {"gamma 0.5\n", "", "lacks gamma"},
        {"rho -1\n", "", "lacks rho"},
        {"total_sv 2\n", "", "lacks total_sv"},
        {"gamma 0.5", "gamma x", "line 3 of the SVM text: gamma is \"x\""},
        {"gamma 0.5", "gamma nan", "not a finite number"},
        {"gamma 0.5", "gamma 1e999", "not a finite number"},
        {"gamma 0.5", "gamma", "gamma is \"nr_class\""},
        {"gamma 0.5", "depth 3", "unknown header field \"depth\""},
        {"nr_class 2", "probA", "probA is \"total_sv\""},
        {"total_sv 2", "total_sv 3", "2 support vectors, total_sv says 3"},
        {"total_sv 2", "total_sv 1", "more than the 1 support vectors"},
        {"total_sv 2", "total_sv 0", "total_sv is 0"},
        {"total_sv 2", "total_sv -1", "not a count"},
        {"total_sv 2", "total_sv 99999999999999999999", "not a count"},
        {"total_sv 2", "total_sv 1000000", "at most"},
        {"1 1:0.5", "1 0:0.5", "index 0 is not in rising order"},
        {"1 1:0.5", "1 3:0.5", "index 3 is not in rising order within 1..2"},
        {"1 1:0.5", "1 2:0.5", "line 8 of the SVM text: index 2 is not in rising order"},
        {"1 1:0.5", "1 1:", "line 8 of the SVM text: a component is \"\""},
        {"1 1:0.5", "1 1", "\"1\" is not index:value"},
        {"1 1:0.5", "1 1:inf", "not a finite number"},
        {"1 1:0.5", "1 1:0.5x", "a component is \"0.5x\""},
        {"-1 2:0.75", "2:0.75", "line 9 of the SVM text: a coefficient is"},
    };
    for (const auto &c : cases)
        assert_svm_refused(replaced(good_svm, c.from, c.to), c.part);
    assert_svm_refused(replaced(good_svm, "rbf", "linear"), "linear", VMAFX_E_NOTSUP);
    assert_svm_refused(replaced(good_svm, "nu_svr", "c_svc"), "c_svc", VMAFX_E_NOTSUP);
    assert_svm_refused(replaced(good_svm, "nr_class 2", "nr_class 3"), "3", VMAFX_E_NOTSUP);
}
END_TEST

START_TEST(bad_sets)
{
    json member = good();
    member["model_dict"]["model_type"] = "BOOTSTRAP_LIBSVMNUSVR";
    ck_assert_int_eq(load(json{{"0", member}, {"1", member}}.dump()).status, VMAFX_OK);
    ck_assert_int_eq(load(json{{"0", member}, {"x", 3}, {"1", member}}.dump()).status, VMAFX_OK);
    assert_refused(json{{"0", member}}.dump(), "only model 0");
    assert_refused(json{{"1", member}, {"0", member}}.dump(), "only model 0");
    assert_refused(json{{"0", member}, {"1", good()}}.dump(), "not a bootstrap type");
    json other = member;
    other["model_dict"]["model_type"] = "RESIDUEBOOTSTRAP_LIBSVMNUSVR";
    assert_refused(json{{"0", member}, {"1", other}}.dump(), "another model_type than model 0");
    other["model_dict"].erase("slopes");
    assert_refused(json{{"0", member}, {"1", other}}.dump(), "1.model_dict has no member");
    json many;
    for (int i = 0; i < 102; i++)
        many[std::to_string(i)] = member;
    assert_refused(many.dump(), "too many");
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("broken");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, the_good_file_loads);
    tcase_add_test(tcase, no_json);
    tcase_add_test(tcase, every_truncation);
    tcase_add_test(tcase, missing_members);
    tcase_add_test(tcase, wrong_members);
    tcase_add_test(tcase, chroma_correction_needs_one_of_each);
    tcase_add_test(tcase, bad_svm_texts);
    tcase_add_test(tcase, bad_sets);
    return run_tests(tcase, "broken model files");
}
