/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sums of squares as doubles (kernels/squares_in_order_kernels.h).
 */
#ifndef VMAFX_FEATURES_SQUARES_H
#define VMAFX_FEATURES_SQUARES_H

#include <bit>
#include <cstdint>

namespace vmafx
{

/** The sum in integers, and what squares_in_order wrote: 0 where it wrote nothing. */
inline double sum_of_squares(uint64_t sum, uint64_t in_order)
{
    return in_order != 0 ? std::bit_cast<double>(in_order) : static_cast<double>(sum);
}

} // namespace vmafx

#endif
