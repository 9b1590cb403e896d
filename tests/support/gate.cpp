/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/gate.h"

#include <chrono>
#include <vector>

namespace support
{

namespace
{

constexpr auto kBound = std::chrono::seconds(60);

} // namespace

Gate::Gate(const Device &device) : memory_(std::vector<uint8_t>(64 * 64))
{
    VmafxFrameImport desc = VMAFX_FRAME_IMPORT_INIT;
    desc.memory = VMAFX_MEMORY_DEVICE_POINTER;
    desc.layout = VMAFX_LAYOUT_400;
    desc.bits = 8;
    desc.width = desc.height = desc.plane[0].pitch = 64;
    desc.plane_count = 1;
    desc.plane[0].address = memory_.address();
    desc.release = hold;
    desc.release_opaque = this;
    import_frame(device, desc).close();
}

void Gate::open()
{
    std::unique_lock lock(lock_);
    open_ = true;
    changed_.notify_all();
    changed_.wait_for(lock, kBound, [this] { return passed_; });
}

void Gate::hold(void *gate)
{
    auto &self = *static_cast<Gate *>(gate);
    std::unique_lock lock(self.lock_);
    self.changed_.wait_for(lock, kBound, [&] { return self.open_; });
    self.passed_ = true;
    self.changed_.notify_all();
}

} // namespace support
