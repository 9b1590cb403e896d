/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the loader tried and what each file answered, as one message.
 */
#ifndef VMAFX_HIP_ATTEMPTS_H
#define VMAFX_HIP_ATTEMPTS_H

#include <string>
#include <vector>

namespace vmafx::hip
{

class Attempts
{
  public:
    /** The file does not exist. */
    void absent(const std::string &file) { absent_.push_back(file); }
    /** The file exists but cannot serve. */
    void refused(const std::string &file, const std::string &answer)
    {
        refused_.push_back(file + ": " + answer);
    }

    /** The refusals first, then the absent files, versions in braces, so that a cut end hurts
     * least.
     */
    std::string text() const;

  private:
    std::vector<std::string> refused_;
    std::vector<std::string> absent_;
};

} // namespace vmafx::hip

#endif
