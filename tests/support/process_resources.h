/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the process holds, as the kernel counts it.
 */
#ifndef TESTS_SUPPORT_PROCESS_RESOURCES_H
#define TESTS_SUPPORT_PROCESS_RESOURCES_H

#include <cstddef>

namespace support
{

struct ProcessResources {
    size_t descriptors = 0;
    size_t mappings = 0;       /* lines of /proc/self/maps */
    size_t memfd_mappings = 0; /* those of memfds that create_memfd() made */
    size_t resident_bytes = 0;

    static ProcessResources now();
};

} // namespace support

#endif
