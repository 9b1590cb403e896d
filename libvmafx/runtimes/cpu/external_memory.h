/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef VMAFX_CPU_EXTERNAL_MEMORY_H
#define VMAFX_CPU_EXTERNAL_MEMORY_H

#include <cstddef>

namespace vmafx::cpu
{

/** A file's memory, mapped for as long as the import or a buffer of it lives. */
struct ExternalMemory {
    ExternalMemory(void *a, size_t b, bool w) : address(a), bytes(b), writable(w) {}
    ExternalMemory(const ExternalMemory &) = delete;
    ExternalMemory &operator=(const ExternalMemory &) = delete;
    ~ExternalMemory();

    void *const address;
    const size_t bytes;
    const bool writable;
};

} // namespace vmafx::cpu

#endif
