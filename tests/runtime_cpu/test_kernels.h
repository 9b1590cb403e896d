/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Arguments of the kernels that the tests of the CPU runtime launch.
 */
#ifndef TESTS_RUNTIME_CPU_TEST_KERNELS_H
#define TESTS_RUNTIME_CPU_TEST_KERNELS_H

#include <stdint.h>

/** Writes x + 1000 * y + 1000000 * z to the cell of each tile. */
struct NumberTilesArgs {
    uint32_t *cells;
    uint32_t columns;
    uint32_t rows;
};

/** Appends a digit in base 10 to a number: shows the order of launches. One tile. */
struct AppendDigitArgs {
    uint64_t *number;
    uint64_t digit;
};

/** Adds the squares of the items of each tile, through tile memory, to sum[0]. */
struct SumSquaresArgs {
    const uint32_t *values;
    uint32_t count;
    uint64_t *sum;
};
constexpr int kSumSquaresItems = 256; /* of a tile */

/** More arguments than a launch keeps in place. One tile: to[i] = from[i]. */
struct ManyArgs {
    uint64_t from[100];
    uint64_t *to;
};

/** One tile: quotient[0] = numerator / denominator, which shows the floating-point mode. */
struct DivideArgs {
    float numerator;
    float denominator;
    float *quotient;
};

/** Each tile takes the next number: shows the order of tiles and of launches. With one worker only.
 */
struct StampTilesArgs {
    uint64_t *counter;
    uint64_t *cells; /* one of each tile */
};

/** to[i] = to[i] * 3 + from[i] + number, for the items of each tile. */
struct MixArgs {
    uint32_t *to;
    const uint32_t *from;
    uint32_t number;
};
constexpr int kMixItems = 16; /* of a tile */

#endif
