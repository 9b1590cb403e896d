/* SPDX-License-Identifier: BSD-2-Clause */
#include "image_scores.h"

#include <cmath>

#include "check_text.h"

namespace vmafx_test
{

using vmafx::OptionDict;
using vmafx::OptionSet;
using vmafx::ssimulacra2_feature;

OptionSet option_set(const OptionDict &dict)
{
    return OptionSet(*ssimulacra2_feature()->options, dict, true);
}

std::string name_with(const OptionDict &dict)
{
    return option_set(dict).score_name("ssimulacra2");
}

std::vector<double> scores_of(const ClipPair &clips, const OptionDict &dict)
{
    std::vector<double> first;
    for (const std::string &image : DirectRunner::names()) {
        const auto runner = DirectRunner::of_name(image);
        const Scores scores = score_clips(*runner, *ssimulacra2_feature(), {dict}, clips.reference,
                                          clips.distorted)[0];
        std::vector<double> values;
        for (const auto &[index, value] : scores.frames.at(name_with(dict)))
            values.push_back(value);
        if (first.empty())
            first = values;
        ck_assert_uint_eq(values.size(), first.size());
        for (size_t i = 0; i < first.size(); ++i)
            ck_assert_msg(same_bits(values[i], first[i]), "%s: frame %zu is %.17g, not %.17g",
                          image.c_str(), i, values[i], first[i]);
    }
    return first;
}

void assert_near(const std::string &what, double value, double expected, double bound)
{
    ck_assert_msg(std::fabs(value - expected) <= bound, "%s is %.10f, %.2g from %.10f",
                  what.c_str(), value, value - expected, expected);
}

} // namespace vmafx_test
