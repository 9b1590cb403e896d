/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A picture in a tiled buffer, as a driver exports it.
 */
#ifndef TESTS_TILING_TILED_PICTURE_H
#define TESTS_TILING_TILED_PICTURE_H

#include <vector>

#include "support/picture.h"
#include "support/shared_memory.h"

namespace tiling_test
{

class TiledPicture
{
  public:
    /** more_blocks: of pitch, beyond what the width needs. What no element occupies is garbage. */
    TiledPicture(const support::Picture &picture, const support::LayoutFacts &layout,
                 uint64_t modifier, uint32_t more_blocks = 0);
    const VmafxFrameImport &desc() const { return desc_; }

  private:
    std::vector<uint8_t> bytes_;
    VmafxFrameImport desc_;
    std::vector<support::Descriptor> memfd_;
};

} // namespace tiling_test

#endif
