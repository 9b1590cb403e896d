/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How visible a step of codes is: thresholds of CAMBI on the codes of 10-bit limited range.
 */
#ifndef VMAFX_FEATURES_CAMBI_LUMINANCE_H
#define VMAFX_FEATURES_CAMBI_LUMINANCE_H

namespace vmafx
{

enum class CambiTransfer { kBt1886, kPq };

/** cd/m2 of a code; below 64 it counts as 64, above 940 as 940. */
double cambi_luminance(CambiTransfer transfer, int code);

/** The largest code at which a step of `step` codes is seen: the change of luminance is more than
 *  threshold times the luminance. 0: at none, 1023: at all. */
int cambi_visible_limit(CambiTransfer transfer, int step, double threshold);

/** The smallest code from 64 on that is at least so bright; 0 if 64 is. */
int cambi_darkest_code(CambiTransfer transfer, double luminance);

} // namespace vmafx

#endif
