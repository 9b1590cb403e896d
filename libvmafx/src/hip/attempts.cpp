/* SPDX-License-Identifier: BSD-2-Clause */
#include "hip/attempts.h"

namespace vmafx::hip
{

namespace
{

/** Where the versions begin: after ".so", else at the end. */
size_t stem_length(const std::string &file)
{
    const size_t at = file.rfind(".so");
    return at == std::string::npos ? file.size() : at + 3;
}

/** "libx.so.2", "libx.so" as "libx.so{.2,}". */
std::string join_versions(const std::string &stem, const std::vector<std::string> &versions)
{
    if (versions.size() == 1)
        return stem + versions[0];
    std::string out = stem + "{";
    for (size_t i = 0; i < versions.size(); i++)
        out += (i ? "," : "") + versions[i];
    return out + "}";
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
    for (size_t i = 0; i < absent_.size();) {
        const std::string stem = absent_[i].substr(0, stem_length(absent_[i]));
        std::vector<std::string> versions;
        const size_t first = i;
        for (; i < absent_.size() && stem_length(absent_[i]) == stem.size() &&
               absent_[i].starts_with(stem);
             i++)
            versions.push_back(absent_[i].substr(stem.size()));
        out += (first ? ", " : "") + join_versions(stem, versions);
    }
    return out;
}

} // namespace vmafx::hip
