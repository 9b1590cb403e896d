/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_HOSTILE_RANDOM_H
#define TESTS_HOSTILE_RANDOM_H

#include <cstddef>
#include <cstdint>
#include <iterator>

/** Numbers out of a seed, the same with every compiler and library. */
class Random
{
  public:
    explicit Random(uint64_t seed) : state_(mix(seed)) {}

    uint64_t next()
    {
        state_ += 0x9e3779b97f4a7c15u;
        return mix(state_);
    }
    uint32_t below(size_t n) { return static_cast<uint32_t>(next() % n); }
    uint32_t between(uint32_t low, uint32_t high) { return low + below(high - low + 1); }
    bool one_in(uint32_t n) { return below(n) == 0; }
    template <class List> auto &pick(List &list) { return std::data(list)[below(std::size(list))]; }

  private:
    /** The output function of splitmix64. */
    static uint64_t mix(uint64_t x)
    {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        return x ^ (x >> 31);
    }

    uint64_t state_;
};

#endif
