/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Copies and fills of rows of bytes, and the checks of their arguments.
 */
#ifndef VMAFX_CPU_COPY_H
#define VMAFX_CPU_COPY_H

#include <memory>

#include "command.h"
#include "hip/hip_abi.h"

namespace vmafx::cpu
{

/** Rows at an address. All numbers in bytes, but height. */
struct Rows {
    std::byte *data;
    size_t pitch;
};

/** hipSuccess when a rectangle of width x height can be read or written at rows. */
hip::hipError_t check_rows(const Rows &rows, size_t width, size_t height, bool write);
hip::hipError_t check_kind(hip::hipMemcpyKind kind);

/** Whether a copy goes from the host's memory to the device's. */
bool is_upload(const void *to, const void *from, hip::hipMemcpyKind kind);

/** A copy that keeps `holds` until it is done. width and height are not 0. */
std::unique_ptr<Work> copy_work(const Rows &to, const Rows &from, size_t width, size_t height,
                                bool upload, std::shared_ptr<void> holds = nullptr);
std::unique_ptr<Work> fill_work(const Rows &to, int value, size_t width, size_t height);

} // namespace vmafx::cpu

#endif
