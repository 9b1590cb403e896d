/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The models that are part of the library, generated from libvmafx/models.
 */
#ifndef VMAFX_MODEL_BUILTIN_H
#define VMAFX_MODEL_BUILTIN_H

#include <span>
#include <string>
#include <string_view>

namespace vmafx
{

struct BuiltinModel {
    const char *name;      /* "vmaf_v0.6.1" */
    std::string_view text; /* JSON */
    bool in_floats;        /* read "VMAF_feature_" where the text has "VMAF_integer_feature_" */
};

std::span<const BuiltinModel> builtin_models();

/** The JSON as a file would have it. */
std::string text_of(const BuiltinModel &model);

} // namespace vmafx

#endif
