/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Gaussian filters of metrics whose length an option *_kernelscale changes.
 */
#ifndef VMAFX_FEATURES_GAUSSIAN_H
#define VMAFX_FEATURES_GAUSSIAN_H

#include <vector>

namespace vmafx
{

/** true for the scales that libvmaf knows. */
bool is_kernel_scale(double kernel_scale);

/** An odd number of taps whose sum is 1, with the roundings that scores depend on. */
std::vector<float> gaussian_taps(int count, float deviation);

} // namespace vmafx

#endif
