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
    size_t file_mappings = 0;  /* lines of /proc/self/maps that name a file */
    size_t memfd_mappings = 0; /* those of memfds that create_memfd() made */
    size_t other_mappings = 0; /* of stacks and of the allocator */
    size_t resident_bytes = 0;

    static ProcessResources now();
};

} // namespace support

#endif
