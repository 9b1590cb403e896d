/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/runtime_entry.h"

#include <dlfcn.h>

#include "support/handles.h"

namespace support
{

void *find_runtime_entry(const char *name)
{
    static void *const library = [] {
        const std::string file = info_of(open_test_device()).runtime_file;
        void *loaded = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!loaded)
            throw std::runtime_error(dlerror());
        return loaded;
    }();
    return dlsym(library, name);
}

} // namespace support
