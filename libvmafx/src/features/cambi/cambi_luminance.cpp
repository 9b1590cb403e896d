/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/cambi/cambi_luminance.h"

#include <algorithm>
#include <cmath>

namespace vmafx
{

namespace
{

constexpr int kFoot = 64, kHead = 940; /* black and white of 10-bit limited range */
constexpr int kEveryCode = 1023;

/** ITU-R BT.1886 for a display of 0.01 to 300 cd/m2. */
double bt1886(double signal)
{
    constexpr double kGamma = 2.4, kWhite = 300.0, kBlack = 0.01;
    const double white = std::pow(kWhite, 1.0 / kGamma), black = std::pow(kBlack, 1.0 / kGamma);
    const double range = white - black;
    const double lifted = signal + black / range;
    return std::pow(range, kGamma) * std::pow(lifted > 0 ? lifted : 0.0, kGamma);
}

/** SMPTE ST 2084. */
double pq(double signal)
{
    constexpr double kM1 = 0.1593017578125, kM2 = 78.84375;
    constexpr double kC1 = 0.8359375, kC2 = 18.8515625, kC3 = 18.6875;
    constexpr double kPeak = 10000.0;
    const double power = std::pow(signal, 1.0 / kM2);
    const double top = power - kC1 > 0 ? power - kC1 : 0.0;
    return kPeak * std::pow(top / (kC2 - kC3 * power), 1.0 / kM1);
}

enum class Place { kBeyond, kAtLimit, kBefore };

bool is_seen(CambiTransfer transfer, int code, int step, double threshold)
{
    const double luminance = cambi_luminance(transfer, code);
    return cambi_luminance(transfer, code + step) - luminance > threshold * luminance;
}

/** Where a code lies from the last one at which the step is seen. */
Place place_of(CambiTransfer transfer, int code, int step, double threshold)
{
    if (!is_seen(transfer, code, step, threshold))
        return Place::kBeyond;
    return is_seen(transfer, code + 1, step, threshold) ? Place::kBefore : Place::kAtLimit;
}

} // namespace

double cambi_luminance(CambiTransfer transfer, int code)
{
    const int clamped = std::clamp(code, kFoot, kHead);
    const double signal = static_cast<double>(clamped - kFoot) / (kHead - kFoot);
    return transfer == CambiTransfer::kPq ? pq(signal) : bt1886(signal);
}

int cambi_visible_limit(CambiTransfer transfer, int step, double threshold)
{
    const auto place = [&](int code) { return place_of(transfer, code, step, threshold); };
    int low = kFoot, high = kHead - step - 1;
    const Place at_low = place(low), at_high = place(high);
    if (at_low != Place::kBefore)
        return at_low == Place::kBeyond ? 0 : low;
    if (at_high != Place::kBeyond)
        return at_high == Place::kBefore ? kEveryCode : high;
    /* Codes need not be ordered by visibility where the threshold is small: the search stops when
     * there is no code between. */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        const Place at_middle = place(middle);
        if (at_middle == Place::kAtLimit)
            return middle;
        (at_middle == Place::kBeyond ? high : low) = middle;
    }
    return low;
}

int cambi_darkest_code(CambiTransfer transfer, double luminance)
{
    if (cambi_luminance(transfer, kFoot) >= luminance)
        return 0;
    int code = kFoot + 1;
    while (code < kHead && cambi_luminance(transfer, code) < luminance)
        ++code;
    return code;
}

} // namespace vmafx
