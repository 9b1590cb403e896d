/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The models that are part of the library, generated from libvmafx/models.
 */
#ifndef VMAFX_MODEL_BUILTIN_H
#define VMAFX_MODEL_BUILTIN_H

#include <span>
#include <string_view>

namespace vmafx
{

struct BuiltinModel {
    const char *name;      /* "vmaf_v0.6.1" */
    std::string_view text; /* JSON */
};

std::span<const BuiltinModel> builtin_models();

} // namespace vmafx

#endif
