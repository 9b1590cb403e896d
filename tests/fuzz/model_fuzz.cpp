/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any bytes as a model file: refused with a message, or a model that predicts without a fault.
 */
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/failure.h"
#include "model/model.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try {
        const std::string_view text(reinterpret_cast<const char *>(data), size);
        vmafx::Model model(text, "vmaf", VMAFX_OK);
        const std::vector<double> features(model.required_features().size(), 0.5);
        std::vector<double> scores(model.score_names().size());
        model.predict(features, scores);
    } catch (const vmafx::Failure &failure) {
        if (!*failure.what())
            std::abort(); /* a refusal says why */
    }
    return 0;
}
