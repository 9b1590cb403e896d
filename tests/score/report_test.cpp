/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reports, byte for byte.
 */
#include <cmath>
#include <cstdlib>
#include <functional>

#include <libvmafx/score.h>

#include <nlohmann/json.hpp>

#include "core/failure.h"
#include "core/report.h"

#include "check_text.h"

using namespace vmafx;

namespace
{

std::string report(const ScoreStore &store, const ReportInfo &info, uint32_t format)
{
    char *text = nullptr;
    size_t size = 0;
    std::FILE *file = open_memstream(&text, &size);
    write_report(file, store, info, format);
    std::fclose(file);
    const std::string result(text, size);
    std::free(text);
    return result;
}

ScoreStore two_frames()
{
    ScoreStore store;
    store.write("VMAF_integer_feature_adm2_score", 0, 0.5);
    store.write("vmaf", 0, 90.25);
    store.write("VMAF_integer_feature_adm2_score", 1, 1e-7);
    store.write("vmaf", 1, 80.75);
    store.write_aggregate("apsnr_y", 32.770051);
    return store;
}

const ReportInfo two_frames_info = {64, 48, 2, 0, 123.456};

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

START_TEST(numbers)
{
    const struct {
        double value;
        const char *text;
    } cases[] = {
        {1e-7, "0.0000001000000000"},
        {9.9e-7, "0.0000009900000000"},
        {1e-6, "0.000001"},
        {1.0000001, "1.0000001000000001"},
        {-3.00000004, "-3.0000000400000002"},
        {0.99999999, "1.000000"},
        {-0.0, "-0.000000"},
        {0, "0.000000"},
        {100, "100.000000"},
        {2147483648.0000005, "2147483648.000000"},
        {NAN, "nan"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
    };
    for (const auto &c : cases)
        assert_text(score_text(c.value), c.text);
    ck_assert_uint_eq(score_text(1e308).size(), 309 + 7);
    assert_text(score_text(5e-324), "0.0000000000000000");
}
END_TEST

START_TEST(json_report)
{
    assert_text(report(two_frames(), two_frames_info, VMAFX_REPORT_JSON), R"({
  "version": ")" + std::string(vmafx_version_string()) + R"(",
  "fps": 123.46,
  "frames": [
    {
      "frameNum": 0,
      "metrics": {
        "integer_adm2": 0.500000,
        "vmaf": 90.250000
      }
    },
    {
      "frameNum": 1,
      "metrics": {
        "integer_adm2": 0.0000001000000000,
        "vmaf": 80.750000
      }
    }
  ],
  "pooled_metrics": {
    "integer_adm2": {
      "min": 0.0000001000000000,
      "max": 0.500000,
      "mean": 0.250000,
      "harmonic_mean": 0.200000
    },
    "vmaf": {
      "min": 80.750000,
      "max": 90.250000,
      "mean": 85.500000,
      "harmonic_mean": 85.239162
    }
  },
  "aggregate_metrics": {
    "apsnr_y": 32.770051
  }
}
)");
}
END_TEST

START_TEST(xml_report)
{
    assert_text(report(two_frames(), two_frames_info, VMAFX_REPORT_XML),
                R"(<VMAF version=")" + std::string(vmafx_version_string()) + R"(">
  <params qualityWidth="64" qualityHeight="48" />
  <fyi fps="123.46" />
  <frames>
    <frame frameNum="0" integer_adm2="0.500000" vmaf="90.250000" />
    <frame frameNum="1" integer_adm2="0.0000001000000000" vmaf="80.750000" />
  </frames>
  <pooled_metrics>
    <metric name="integer_adm2" min="0.0000001000000000" max="0.500000" mean="0.250000" harmonic_mean="0.200000" />
    <metric name="vmaf" min="80.750000" max="90.250000" mean="85.500000" harmonic_mean="85.239162" />
  </pooled_metrics>
  <aggregate_metrics apsnr_y="32.770051" />
</VMAF>
)");
}
END_TEST

START_TEST(csv_and_sub_reports)
{
    assert_text(report(two_frames(), two_frames_info, VMAFX_REPORT_CSV),
                "Frame,integer_adm2,vmaf,\n"
                "0,0.500000,90.250000,\n"
                "1,0.0000001000000000,80.750000,\n");
    assert_text(report(two_frames(), two_frames_info, VMAFX_REPORT_SUB),
                "{0}{1}frame: 0|integer_adm2: 0.500000|vmaf: 90.250000|\n"
                "{1}{2}frame: 1|integer_adm2: 0.0000001000000000|vmaf: 80.750000|\n");
}
END_TEST

START_TEST(empty_reports)
{
    const ScoreStore none;
    const std::string version = vmafx_version_string();
    assert_text(report(none, {0, 0, 0, 0, NAN}, VMAFX_REPORT_JSON),
                "{\n  \"version\": \"" + version +
                    "\",\n  \"fps\": null,\n  \"frames\": [\n  ],\n  \"pooled_metrics\": {\n  },\n"
                    "  \"aggregate_metrics\": {\n  }\n}\n");
    assert_text(report(none, {0, 0, 0, 0, 0}, VMAFX_REPORT_CSV), "Frame,\n");
    assert_text(report(none, {0, 0, 0, 0, 0}, VMAFX_REPORT_SUB), "");
    const std::string xml = report(none, {0, 0, 0, 0, 0}, VMAFX_REPORT_XML);
    ck_assert(xml.ends_with("  <aggregate_metrics />\n</VMAF>\n"));
}
END_TEST

START_TEST(rows_follow_subsampling_and_gaps)
{
    ScoreStore store;
    for (uint64_t index = 0; index < 5; index++)
        store.write("motion", index, static_cast<double>(index));
    store.write("vmaf", 0, 50);
    store.write("vmaf", 4, 70);
    const ReportInfo info = {64, 48, 5, 2, 1};
    assert_text(report(store, info, VMAFX_REPORT_CSV), "Frame,motion,vmaf,\n"
                                                       "0,0.000000,50.000000,\n"
                                                       "2,2.000000,\n"
                                                       "4,4.000000,70.000000,\n");
    const auto root = nlohmann::json::parse(report(store, info, VMAFX_REPORT_JSON));
    ck_assert_uint_eq(root["frames"].size(), 3);
    ck_assert_double_eq(root["pooled_metrics"]["motion"]["mean"].get<double>(), 2);
    ck_assert(root["pooled_metrics"]["vmaf"].empty()); /* frame 2 is missing */
}
END_TEST

START_TEST(reports_stay_well_formed)
{
    ScoreStore store;
    store.write("a\"<\\\n,|", 5, NAN);
    store.write("b", 5, -INFINITY);
    const ReportInfo info = {64, 48, 1, 0, INFINITY};
    const auto root = nlohmann::json::parse(report(store, info, VMAFX_REPORT_JSON));
    ck_assert(root["fps"].is_null());
    ck_assert(root["frames"][0]["metrics"]["a\"<\\\n,|"].is_null());
    const std::string xml = report(store, info, VMAFX_REPORT_XML);
    ck_assert(xml.find("<frame frameNum=\"5\" a______=\"nan\" b=\"-inf\" />") != xml.npos);
    ck_assert(xml.find("<metric name=\"a&quot;&lt;\\ ,|\" />") != xml.npos);
    assert_text(report(store, info, VMAFX_REPORT_SUB), "{5}{6}frame: 5|a\"<\\_,_: nan|b: -inf|\n");
    assert_text(report(store, info, VMAFX_REPORT_CSV), "Frame,\"a\"\"<\\\n,|\",b,\n5,nan,-inf,\n");
}
END_TEST

START_TEST(files)
{
    char path[] = "/tmp/vmafx-report-XXXXXX";
    std::fclose(fdopen(mkstemp(path), "w"));
    const std::string expected = report(two_frames(), two_frames_info, VMAFX_REPORT_CSV);
    for (int i = 0; i < 2; i++) /* the second replaces the first */
        write_report_file(path, two_frames(), two_frames_info, VMAFX_REPORT_CSV);
    std::string text(expected.size() + 1, '\0');
    std::FILE *file = std::fopen(path, "r");
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    assert_text(text, expected);

    /* A wrong format leaves the file alone. */
    ck_assert_int_eq(status_of([&] { write_report_file(path, two_frames(), two_frames_info, 5); }),
                     VMAFX_E_INVALID);
    file = std::fopen(path, "r");
    ck_assert_int_eq(std::fgetc(file), 'F');
    std::fclose(file);
    std::remove(path);

    for (const char *bad : {"/nonexistent/report", "/", "/dev/full"})
        ck_assert_msg(status_of([&] {
                          write_report_file(bad, two_frames(), two_frames_info, VMAFX_REPORT_JSON);
                      }) == VMAFX_E_IO,
                      "%s", bad);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("report");
    tcase_add_test(tcase, numbers);
    tcase_add_test(tcase, json_report);
    tcase_add_test(tcase, xml_report);
    tcase_add_test(tcase, csv_and_sub_reports);
    tcase_add_test(tcase, empty_reports);
    tcase_add_test(tcase, rows_follow_subsampling_and_gaps);
    tcase_add_test(tcase, reports_stay_well_formed);
    tcase_add_test(tcase, files);
    return run_tests(tcase, "reports");
}
