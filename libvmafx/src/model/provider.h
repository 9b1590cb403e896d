/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which feature extractor computes a feature that a model names. The list is libvmaf's, whether or
 * not this library has the extractor: a missing one can then be named.
 */
#ifndef VMAFX_MODEL_PROVIDER_H
#define VMAFX_MODEL_PROVIDER_H

#include <string>

namespace vmafx
{

/** "VMAF_integer_feature_adm2_score" -> "adm"; empty if no extractor of libvmaf provides it. */
std::string provider_of(const std::string &base_name);

} // namespace vmafx

#endif
