/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How the tables of layouts are written: for each address bit the coordinate bits whose exclusive
 * or it is, "x5^y4 y3 -" for three bits, the last of which is none of the coordinates'.
 */
#ifndef VMAFX_TILING_TERMS_H
#define VMAFX_TILING_TERMS_H

#include <array>
#include <cstdint>

namespace vmafx::tiling
{

/** A set of coordinate bits: bit i for bit i of x, bit 16 + i for bit i of y. */
using Terms = uint32_t;

constexpr Terms x_bit(int bit)
{
    return Terms{1} << bit;
}
constexpr Terms y_bit(int bit)
{
    return Terms{1} << (16 + bit);
}

/** The terms of a few neighbouring address bits, read at compile time. */
struct TermList {
    std::array<Terms, 10> terms{};
    int count = 0;

    consteval TermList(const char *text)
    {
        for (; *text; ++count) {
            while (*text && *text != ' ')
                terms.at(static_cast<size_t>(count)) ^= next_term(text);
            if (*text == ' ')
                ++text;
        }
    }

  private:
    static consteval Terms next_term(const char *&text)
    {
        const char axis = *text++;
        if (axis == '-')
            return 0;
        int bit = 0;
        while (*text >= '0' && *text <= '9')
            bit = 10 * bit + (*text++ - '0');
        if (*text == '^')
            ++text;
        if (axis != 'x' && axis != 'y')
            throw "neither x nor y"; /* stops the compiler */
        return axis == 'x' ? x_bit(bit) : y_bit(bit);
    }
};

} // namespace vmafx::tiling

#endif
