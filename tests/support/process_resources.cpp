/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/process_resources.h"

#include <fstream>
#include <string>

#include <unistd.h>

#include "support/shared_memory.h"

namespace support
{

ProcessResources ProcessResources::now()
{
    ProcessResources resources;
    resources.descriptors = open_descriptors();
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        const bool file = line.find(" /") != std::string::npos;
        ++(file ? resources.file_mappings : resources.other_mappings);
        resources.memfd_mappings += line.find("/memfd:picture") != std::string::npos;
    }
    size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages >> pages;
    resources.resident_bytes = pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
    return resources;
}

} // namespace support
