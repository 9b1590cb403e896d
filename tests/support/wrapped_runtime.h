/* SPDX-License-Identifier: BSD-2-Clause
 *
 * For shared objects that stand between the library and the CPU runtime: what they do not define
 * the dynamic linker finds there.
 */
#ifndef TESTS_SUPPORT_WRAPPED_RUNTIME_H
#define TESTS_SUPPORT_WRAPPED_RUNTIME_H

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#include <dlfcn.h>

#include "hip/hip_abi.h"

namespace support
{

/** The CPU runtime's function of the name that the caller defines. */
template <class Function> Function *forwarded(const char *name)
{
    void *address = dlsym(RTLD_NEXT, name);
    if (!address)
        std::abort();
    return reinterpret_cast<Function *>(address);
}

/** Loads the image in the file in place of the library's own. */
inline vmafx::hip::hipError_t load_image_file(vmafx::hip::hipModule_t *module, const char *path)
{
    using Load = vmafx::hip::hipError_t(vmafx::hip::hipModule_t *, const void *);
    static auto *const next = forwarded<Load>("hipModuleLoadData");
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> image{std::istreambuf_iterator<char>(file),
                                  std::istreambuf_iterator<char>()};
    return next(module, image.data());
}

} // namespace support

#endif
