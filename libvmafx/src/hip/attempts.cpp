/* SPDX-License-Identifier: BSD-2-Clause */
#include "hip/attempts.h"

namespace vmafx::hip
{

namespace
{

std::string folder_of(const std::string &file)
{
    const size_t slash = file.rfind('/');
    return slash == std::string::npos ? "" : file.substr(0, slash + 1);
}

} // namespace

std::string Attempts::text() const
{
    std::string out;
    for (const std::string &line : refused_)
        out += (out.empty() ? "" : "; ") + line;
    if (absent_.empty())
        return out;
    out += out.empty() ? "no such file: " : "; no such file: ";
    std::string folder;
    for (size_t i = 0; i < absent_.size(); i++) {
        const std::string own = folder_of(absent_[i]);
        const bool same_folder = i > 0 && own == folder;
        if (i > 0)
            out += ", ";
        out += same_folder ? absent_[i].substr(own.size()) : absent_[i];
        folder = own;
    }
    return out;
}

} // namespace vmafx::hip
