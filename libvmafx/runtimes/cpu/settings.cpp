/* SPDX-License-Identifier: BSD-2-Clause */
#include "settings.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <cpuid.h>
#include <sched.h>

#include "hostile.h"

namespace vmafx::cpu
{

namespace
{

/** The level of the CPU and the operating system; 0 below x86-64-v2. */
int level_of_cpu()
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4"))
        return 4;
    if (__builtin_cpu_supports("x86-64-v3"))
        return 3;
    return __builtin_cpu_supports("x86-64-v2") ? 2 : 0;
}

std::string brand_of_cpu()
{
    unsigned int words[12] = {};
    for (unsigned int i = 0; i < 3; ++i) {
        unsigned int *w = words + size_t{4} * i;
        if (!__get_cpuid(0x80000002u + i, &w[0], &w[1], &w[2], &w[3]))
            return "x86-64";
    }
    char text[sizeof(words) + 1] = {};
    std::memcpy(text, words, sizeof(words));
    std::string brand;
    for (const char *c = text; *c; ++c) {
        const bool space = *c == ' ';
        if (!space || (!brand.empty() && brand.back() != ' '))
            brand += *c;
    }
    while (!brand.empty() && brand.back() == ' ')
        brand.pop_back();
    return brand.empty() ? "x86-64" : brand;
}

std::string read_level(Settings &settings)
{
    const int has = level_of_cpu();
    if (has == 0)
        return "this CPU is older than x86-64-v2, which the CPU runtime needs";
    settings.level = has;
    const char *text = std::getenv("VMAFX_CPU_LEVEL");
    if (!text)
        return {};
    if (text[0] != 'v' || text[1] < '2' || text[1] > '4' || text[2] != '\0')
        return std::string("VMAFX_CPU_LEVEL is '") + text + "', expected v2, v3 or v4";
    settings.level = text[1] - '0';
    if (settings.level <= has)
        return {};
    return std::string("VMAFX_CPU_LEVEL asks for x86-64-") + text + ", this CPU has x86-64-v" +
           std::to_string(has);
}

std::string read_number(const char *name, unsigned long low, unsigned long high,
                        unsigned long &value)
{
    const char *text = std::getenv(name);
    if (!text)
        return {};
    char *end = nullptr;
    const unsigned long number = std::strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || number < low || number > high)
        return std::string(name) + " is '" + text + "', expected a number from " +
               std::to_string(low) + " to " + std::to_string(high);
    value = number;
    return {};
}

} // namespace

uint32_t allowed_cpus()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) != 0)
        return 1;
    return std::clamp<uint32_t>(static_cast<uint32_t>(CPU_COUNT(&set)), 1, kMaxWorkers);
}

Settings read_settings()
{
    Settings settings;
    unsigned long devices = 1;
    unsigned long workers = 0;
    unsigned long poison = 0;
    for (const std::string &error :
         {read_level(settings), read_number("VMAFX_CPU_DEVICES", 1, kMaxDevices, devices),
          read_number("VMAFX_CPU_WORKERS", 0, kMaxWorkers, workers),
          read_number("VMAFX_CPU_POISON", 0, 1, poison),
          read_hostile(settings.hostile, settings.hostile_options)}) {
        if (settings.error[0] == '\0')
            std::snprintf(settings.error, sizeof(settings.error), "%s", error.c_str());
    }
    settings.devices = static_cast<int>(devices);
    settings.workers = workers ? static_cast<uint32_t>(workers) : allowed_cpus();
    settings.poison = poison != 0;
    std::snprintf(settings.device_name, sizeof(settings.device_name), "CPU (%.56s)",
                  brand_of_cpu().c_str());
    return settings;
}

} // namespace vmafx::cpu
