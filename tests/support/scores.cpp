/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/scores.h"

#include <bit>

namespace support
{

namespace
{

std::optional<uint64_t> bits_at(const Context &context, const char *name, size_t frame)
{
    VmafxError error = VMAFX_ERROR_INIT;
    double score = 0;
    const int32_t status = vmafx_score_at(context.get(), name, frame, &score, &error);
    if (status == VMAFX_E_NOTFOUND)
        return std::nullopt;
    if (status != VMAFX_OK)
        throw CallFailed(status, error);
    return std::bit_cast<uint64_t>(score);
}

std::string text_of(const std::optional<uint64_t> &bits)
{
    return bits ? std::to_string(std::bit_cast<double>(*bits)) : "none";
}

} // namespace

AllScores all_scores(const Context &context, size_t frames)
{
    AllScores scores;
    for (uint32_t i = 0; const char *name = vmafx_score_name(context.get(), i); ++i)
        for (size_t frame = 0; frame < frames; ++frame)
            scores[name].push_back(bits_at(context, name, frame));
    for (uint32_t i = 0; const char *name = vmafx_score_aggregate_name(context.get(), i); ++i) {
        double value = 0;
        must(vmafx_score_aggregate, context.get(), name, &value);
        scores[std::string("aggregate ") + name].push_back(std::bit_cast<uint64_t>(value));
    }
    return scores;
}

std::string difference(const AllScores &expected, const AllScores &actual)
{
    if (expected.empty())
        return "there are no scores";
    if (expected.size() != actual.size())
        return std::to_string(actual.size()) + " scores in place of " +
               std::to_string(expected.size());
    for (const auto &[name, values] : expected) {
        const auto found = actual.find(name);
        if (found == actual.end() || found->second.size() != values.size())
            return name + " is missing";
        for (size_t i = 0; i < values.size(); ++i)
            if (values[i] != found->second[i])
                return name + "[" + std::to_string(i) + "] is " + text_of(found->second[i]) +
                       ", not " + text_of(values[i]);
    }
    return "";
}

void use_everything(const Context &context)
{
    must(vmafx_context_use_feature, context.get(), "psnr", "enable_mse=true:enable_apsnr=true");
    must(vmafx_context_use_feature, context.get(), "vif", "debug=true");
    must(vmafx_context_use_feature, context.get(), "adm", "debug=true");
    must(vmafx_context_use_feature, context.get(), "motion", "debug=true");
    use_builtin_model(context, VMAFX_MODEL_DEFAULT);
}

void submit(const Context &context, const Frame &reference, const Frame &distorted, uint64_t index)
{
    must(vmafx_context_submit, context.get(), reference.get(), distorted.get(), index);
}

} // namespace support
