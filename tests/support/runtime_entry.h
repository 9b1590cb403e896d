/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_SUPPORT_RUNTIME_ENTRY_H
#define TESTS_SUPPORT_RUNTIME_ENTRY_H

#include <stdexcept>
#include <string>

namespace support
{

/** The function of that name in the library of the tested runtime; NULL if it has none. */
void *find_runtime_entry(const char *name);

/** Sets a pointer to such a function, as a producer calls it. Throws if there is none. */
template <class Function> void resolve(Function &function, const char *name)
{
    function = reinterpret_cast<Function>(find_runtime_entry(name));
    if (!function)
        throw std::runtime_error(std::string("the runtime lacks ") + name);
}

} // namespace support

#endif
