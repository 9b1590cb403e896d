/* SPDX-License-Identifier: BSD-2-Clause */
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "hostile.h"

namespace vmafx::cpu
{

using namespace hip;

namespace
{

struct FactName {
    const char *name;
    uint32_t facts;
};

constexpr FactName kFactNames[] = {
    {"all", cpu_hostile_all_facts},
    {"none", 0},
    {"overtaken", cpu_hostile_overtaken},
    {"unrecorded", cpu_hostile_unrecorded},
    {"free-waits", cpu_hostile_free_waits},
    {"any-size", cpu_hostile_any_size},
    {"lost-clear", cpu_hostile_lost_clear},
    {"null-stream", cpu_hostile_null_stream},
    {"drop-kernels", cpu_hostile_drop_kernels},
    {"drop-copies", cpu_hostile_drop_copies},
    {"drop-fills", cpu_hostile_drop_fills},
    {"semaphore-aborts", cpu_hostile_semaphore_aborts},
};

/** A number of any base that C has; false when the text is none or too large. */
bool parse_number(const char *text, uint64_t largest, uint64_t &number)
{
    char *end = nullptr;
    errno = 0;
    number = std::strtoull(text, &end, 0);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && number <= largest;
}

std::string read_small(const char *name, uint32_t largest, uint32_t &value)
{
    const char *text = std::getenv(name);
    uint64_t number = 0;
    if (!text)
        return {};
    if (!parse_number(text, largest, number))
        return std::string(name) + " is '" + text + "', expected a number up to " +
               std::to_string(largest);
    value = static_cast<uint32_t>(number);
    return {};
}

std::string read_facts(uint32_t &facts)
{
    const char *text = std::getenv("VMAFX_CPU_HOSTILE_FACTS");
    if (!text)
        return {};
    facts = 0;
    for (const char *at = text;;) {
        const size_t length = std::strcspn(at, ",");
        const FactName *found = nullptr;
        for (const FactName &fact : kFactNames) {
            if (std::strlen(fact.name) == length && std::memcmp(fact.name, at, length) == 0)
                found = &fact;
        }
        if (!found)
            return "VMAFX_CPU_HOSTILE_FACTS has '" + std::string(at, length) +
                   "', which is no name of a fact";
        facts |= found->facts;
        if (at[length] == '\0')
            return {};
        at += length + 1;
    }
}

} // namespace

std::string read_hostile(bool &hostile, CpuHostileOptions &options)
{
    options = {};
    options.facts = cpu_hostile_all_facts;
    const char *seed = std::getenv("VMAFX_CPU_HOSTILE");
    hostile = seed != nullptr;
    if (!hostile)
        return {};
    if (!parse_number(seed, UINT64_MAX, options.seed))
        return std::string("VMAFX_CPU_HOSTILE is '") + seed +
               "', expected a seed, a number of 64 bits";
    for (const std::string &error :
         {read_facts(options.facts),
          read_small("VMAFX_CPU_HOSTILE_DROPS", 1000000, options.drops_per_million),
          read_small("VMAFX_CPU_HOSTILE_PATIENCE", 60000, options.patience_ms)}) {
        if (!error.empty())
            return error;
    }
    return {};
}

} // namespace vmafx::cpu
