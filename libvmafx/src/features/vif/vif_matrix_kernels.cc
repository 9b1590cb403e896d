/* SPDX-License-Identifier: BSD-2-Clause
 *
 * VIF of one scale by matrix units: a filter of 17 taps is a product with a banded matrix, of which
 * 16 rows by 32 columns hold what 16 outputs need. Samples, squares and taps go in as bytes, least
 * first; a sum of byte products of weight 256^w is kept for each w and they are put together
 * afterwards. Scales of fewer taps have zeros outside.
 *
 * A work-group walks down 128 columns of samples, 16 rows at a time; its 112 columns of output lie
 * in the middle:
 *
 *     vertical    a warp has 32 columns: four bytes down a column are a word of the right matrix.
 *                 Filtered means and squares go to tile memory as planes of bytes.
 *     horizontal  four bytes along a row are a word of it. A lane gets all moments of four pixels.
 *
 * The arithmetic is that of vif_kernels.cc, to the bit.
 */
#include "kernels/matrix.h"

#if VX_MATRIX

#include "features/vif/vif_kernels.h"
#include "features/vif/vif_matrix_taps.h"
#include "features/vif/vif_pixel.h"
#include "kernels/lanes.h"

namespace vif_matrix_kernels
{

using vif_kernels::Moments;
using vif_kernels::PixelSums;
using vx::Left;
using vx::Sums16x8;

constexpr int kWidth = kVifMatrixWidth;
constexpr int kRows = 16;
constexpr int kColumns = kWidth + 2 * kRadius;
constexpr int kWarps = kVifThreads / 32;
static_assert(kColumns == 32 * kWarps);

enum Plane { kMeanR = 0, kMeanD = 2, kSquareRR = 4, kSquareDD = 8, kSquareRD = 12, kPlanes = 16 };

/** Filters as left matrices, by lane. */
enum Word { kDown = 0, kAcross = 8, kDownNext = 16, kAcrossNext = 20, kWords = 24 };

struct Tile {
    uint32_t filter[kWords][32]; /* in registers they would be in the way of others */
    alignas(128) uint8_t plane[kPlanes][kRows][kColumns];
    alignas(128) uint8_t next[2][2][kRows / 2][kColumns]; /* picture, byte */
    vx::Sums<kVifWords> sums;
};

typedef uint32_t Pair __attribute__((vector_size(8)));

/** Where a byte of a row is kept: rows that are read together lie in different banks. */
VX_INLINE int place(int row, int column)
{
    return column ^ ((row & 3) * 32);
}

/* ---- taps ----------------------------------------------------------------------------------- */

/** The lane's place in matrices. */
struct Lane {
    int warp, index, c, q;
};

/** The filter as a left matrix, by bytes of the taps. */
struct Filter {
    Left byte[2];
};

template <int scale> VX_INLINE uint32_t run(int byte, int tap)
{
    return kTapRuns[scale].byte[byte][tap - kFirstRun];
}

/** Of a filter's matrix, four words of a lane from a tap on: the rows for 16 outputs; the second
 * words of a row are `right` columns from the first. */
template <int scale> VX_INLINE void put_filter(Tile &tile, int word, int lane, int tap, int right)
{
    VX_UNROLL
    for (int b = 0; b < 2; ++b) {
        tile.filter[word + 4 * b][lane] = run<scale>(b, tap);
        tile.filter[word + 4 * b + 1][lane] = run<scale>(b, tap - 8);
        tile.filter[word + 4 * b + 2][lane] = run<scale>(b, tap + right);
        tile.filter[word + 4 * b + 3][lane] = run<scale>(b, tap - 8 + right);
    }
}

/** The same for every second output: rows of low bytes, then rows of high bytes. */
template <int scale> VX_INLINE void put_halving(Tile &tile, int word, int lane, int tap, int right)
{
    VX_UNROLL
    for (int b = 0; b < 2; ++b) {
        tile.filter[word + b][lane] = run<scale>(b, tap);
        tile.filter[word + 2 + b][lane] = run<scale>(b, tap + right);
    }
}

/** Down the columns a lane has rows 4q.. and 16 + 4q.., along the rows columns 8q..8q+7. */
template <int scale, int next> VX_INLINE void put_filters(Tile &tile, int lane)
{
    const int c = lane / 4, q = lane % 4;
    put_filter<scale>(tile, kDown, lane, 4 * q - c, 16);
    put_filter<scale>(tile, kAcross, lane, 8 * q - c, 4);
    put_halving<next>(tile, kDownNext, lane, 4 * q - 2 * c, 16);
    put_halving<next>(tile, kAcrossNext, lane, 8 * q - 2 * c, 4);
}

VX_INLINE Left left(const Tile &tile, int word, const Lane &lane)
{
    Left left;
    VX_UNROLL
    for (int k = 0; k < 4; ++k)
        left.w[k] = tile.filter[word + k][lane.index];
    return left;
}

VX_INLINE Filter filter(const Tile &tile, int word, const Lane &lane)
{
    return {{left(tile, word, lane), left(tile, word + 4, lane)}};
}

/* ---- samples -------------------------------------------------------------------------------- */

/** Four rows by four columns of a picture, a word down each column: low bytes, then high ones. */
template <class Sample> struct Block {
    uint32_t w[sizeof(Sample)][4];
};

struct Source {
    const char *data;
    uint64_t pitch;
};

VX_INLINE int clamp(int v, int n)
{
    v = vx::mirror(v, n);
    return v < 0 ? 0 : v >= n ? n - 1 : v;
}

/** A word from any address; bytes before and behind it are read only where words hold some of it.
 */
VX_INLINE uint32_t load_word(const char *p)
{
    const uint64_t address = reinterpret_cast<uint64_t>(p);
    const uint32_t skip = static_cast<uint32_t>(address & 3u) * 8;
    const auto *word = reinterpret_cast<const uint32_t *>(address & ~uint64_t{3});
    const uint32_t first = word[0];
    const uint32_t second = skip != 0 ? word[1] : 0;
    return static_cast<uint32_t>((static_cast<uint64_t>(second) << 32 | first) >> skip);
}

/** Columns x..x+3 of a row. */
template <class Sample>
VX_INLINE void load_row(const char *row, int x, int width, bool inside,
                        uint32_t (&w)[sizeof(Sample)])
{
    if (inside) {
        VX_UNROLL
        for (uint32_t k = 0; k < sizeof(Sample); ++k)
            w[k] =
                load_word(row + (x * static_cast<int>(sizeof(Sample)) + 4 * static_cast<int>(k)));
        return;
    }
    VX_UNROLL
    for (uint32_t k = 0; k < sizeof(Sample); ++k)
        w[k] = 0;
    VX_UNROLL
    for (int k = 0; k < 4; ++k) {
        const auto *samples = reinterpret_cast<const typename vx::SampleOf<Sample>::type *>(row);
        const uint32_t v = samples[clamp(x + k, width)];
        const int at = k * static_cast<int>(sizeof(Sample));
        w[at / 4] |= v << (at % 4 * 8);
    }
}

/** Rows y..y+3. 16-bit samples are brought to 16 bits. */
template <class Sample>
VX_INLINE Block<Sample> load_block(const Source &source, const VifArgs &args, int x, int y,
                                   bool inside)
{
    Block<Sample> block;
    VX_UNROLL
    for (int r = 0; r < 4; ++r) {
        const char *row =
            source.data + static_cast<uint64_t>(clamp(y + r, args.height)) * source.pitch;
        uint32_t w[sizeof(Sample)];
        load_row<Sample>(row, x, args.width, inside, w);
        if constexpr (sizeof(Sample) == 1) {
            block.w[0][r] = w[0];
        } else {
            const uint32_t mask = ((0xffffu << args.shift) & 0xffffu) * 0x10001u;
            const uint32_t a = (w[0] << args.shift) & mask, b = (w[1] << args.shift) & mask;
            block.w[0][r] = vx::pick_bytes<0x6420>(a, b);
            block.w[1][r] = vx::pick_bytes<0x7531>(a, b);
        }
    }
    VX_UNROLL
    for (auto &words : block.w)
        vx::transpose(words);
    return block;
}

/** Sample r of a column. */
VX_INLINE uint32_t sample(const Block<uint8_t> &block, int column, int r)
{
    return (block.w[0][column] >> (8 * r)) & 0xffu;
}
VX_INLINE uint32_t sample(const Block<uint16_t> &block, int column, int r)
{
    const uint32_t low = (block.w[0][column] >> (8 * r)) & 0xffu;
    return low | ((block.w[1][column] >> (8 * r)) & 0xffu) << 8;
}

/** Products of four samples down a column, as words of their bytes. */
template <class Sample>
VX_INLINE void products(const Block<Sample> &a, const Block<Sample> &b, int column,
                        uint32_t (&bytes)[2 * sizeof(Sample)])
{
    uint32_t p[4];
    VX_UNROLL
    for (int r = 0; r < 4; ++r)
        p[r] = sample(a, column, r) * sample(b, column, r);
    if constexpr (sizeof(Sample) == 1) {
        const uint32_t p01 = vx::pick_bytes<0x5140>(p[0], p[1]);
        const uint32_t p23 = vx::pick_bytes<0x5140>(p[2], p[3]);
        bytes[0] = vx::pick_bytes<0x5410>(p01, p23);
        bytes[1] = vx::pick_bytes<0x7632>(p01, p23);
    } else {
        vx::transpose(p);
        VX_UNROLL
        for (int k = 0; k < 4; ++k)
            bytes[k] = p[k];
    }
}

/* ---- filters -------------------------------------------------------------------------------- */

/** Sums of byte products by their weight; add = 0: nothing is added to the lowest one. */
template <int bytes> struct Weighted {
    Sums16x8 sums[bytes + 1];
};

template <int bytes> VX_INLINE void start(Weighted<bytes> &w, uint32_t add)
{
    VX_UNROLL
    for (int k = 0; k <= bytes; ++k)
        vx::start(w.sums[k], k == 0 ? add : 0);
}

template <int bytes>
VX_INLINE void add_byte(Weighted<bytes> &w, int byte, const Filter &filter, uint32_t right0,
                        uint32_t right1)
{
    vx::multiply_add(w.sums[byte], filter.byte[0], right0, right1);
    vx::multiply_add(w.sums[byte + 1], filter.byte[1], right0, right1);
}

/** The sum modulo 2^32. */
template <int bytes> VX_INLINE uint32_t whole(const Weighted<bytes> &w, int k)
{
    uint32_t sum = w.sums[0].v[k];
    VX_UNROLL
    for (int b = 1; b <= bytes && b < 4; ++b)
        sum += w.sums[b].v[k] << (8 * b);
    return sum;
}

/** The sum shifted right by 16. */
VX_INLINE uint32_t high(const Weighted<4> &w, int k)
{
    return ((w.sums[0].v[k] + (w.sums[1].v[k] << 8)) >> 16) + w.sums[2].v[k] +
           (w.sums[3].v[k] << 8) + (w.sums[4].v[k] << 16);
}

/* ---- vertical ------------------------------------------------------------------------------- */

template <class Sample> struct Window {
    Block<Sample> picture[2];
};

/** A lane's eight columns of a row: c, or 8 below it. */
VX_INLINE void store_pair(uint8_t (*plane)[kColumns], const Lane &lane, int below, uint32_t w0,
                          uint32_t w1)
{
    const int at = place(lane.c, 32 * lane.warp + 8 * lane.q);
    *reinterpret_cast<Pair *>(&plane[lane.c + below][at]) = Pair{w0, w1};
}

/** From values of four columns by four sums to planes of their bytes first..first+count-1. */
template <int first, int count>
VX_INLINE void store_bytes(Tile &tile, int plane, const Lane &lane, uint32_t (&value)[4][4])
{
    VX_UNROLL
    for (auto &of_sum : value)
        vx::transpose(of_sum);
    VX_UNROLL
    for (int b = 0; b < count; ++b) {
        auto *bytes = tile.plane[plane + b];
        store_pair(bytes, lane, 0, value[0][first + b], value[1][first + b]);
        store_pair(bytes, lane, 8, value[2][first + b], value[3][first + b]);
    }
}

template <class Sample>
VX_INLINE void vertical_mean(Tile &tile, int plane, const Lane &lane, const Filter &filter,
                             const Block<Sample> &upper, const Block<Sample> &lower)
{
    constexpr int kBytes = sizeof(Sample);
    uint32_t value[4][4]; /* sum, column */
    VX_UNROLL
    for (int column = 0; column < 4; ++column) {
        Weighted<kBytes> w;
        start(w, kBytes == 1 ? 128 : 32768);
        VX_UNROLL
        for (int b = 0; b < kBytes; ++b)
            add_byte(w, b, filter, upper.w[b][column], lower.w[b][column]);
        VX_UNROLL
        for (int k = 0; k < 4; ++k)
            value[k][column] = whole(w, k);
    }
    store_bytes<kBytes, 2>(tile, plane, lane, value);
}

template <class Sample>
VX_INLINE void vertical_square(Tile &tile, int plane, const Lane &lane, const Filter &filter,
                               const Window<Sample> &upper, const Window<Sample> &lower, int a,
                               int b)
{
    constexpr int kBytes = 2 * sizeof(Sample);
    uint32_t value[4][4];
    VX_UNROLL
    for (int column = 0; column < 4; ++column) {
        uint32_t right0[kBytes], right1[kBytes];
        products(upper.picture[a], upper.picture[b], column, right0);
        products(lower.picture[a], lower.picture[b], column, right1);
        Weighted<kBytes> w;
        start(w, kBytes == 2 ? 0 : 32768);
        VX_UNROLL
        for (int k = 0; k < kBytes; ++k)
            add_byte(w, k, filter, right0[k], right1[k]);
        VX_UNROLL
        for (int k = 0; k < 4; ++k) {
            if constexpr (kBytes == 2)
                value[k][column] = whole(w, k);
            else
                value[k][column] = high(w, k);
        }
    }
    store_bytes<0, 4>(tile, plane, lane, value);
}

/** Every second row, through the filter of the next scale. */
template <class Sample>
VX_INLINE void vertical_next(Tile &tile, int picture, const Lane &lane, const Left &filter,
                             const Block<Sample> &upper, const Block<Sample> &lower)
{
    constexpr int kBytes = sizeof(Sample);
    uint32_t value[2][4]; /* sum, column */
    VX_UNROLL
    for (int column = 0; column < 4; ++column) {
        Sums16x8 sums[kBytes];
        VX_UNROLL
        for (int b = 0; b < kBytes; ++b) {
            vx::start(sums[b], 0);
            vx::multiply_add(sums[b], filter, upper.w[b][column], lower.w[b][column]);
        }
        VX_UNROLL
        for (int k = 0; k < 2; ++k) {
            uint32_t v = sums[0].v[k] + (sums[0].v[k + 2] << 8);
            if constexpr (kBytes == 2)
                v += (sums[1].v[k] << 8) + (sums[1].v[k + 2] << 16) + 32768u;
            else
                v = (v + 128u) << 8;
            value[k][column] = v;
        }
    }
    VX_UNROLL
    for (auto &of_sum : value)
        vx::transpose(of_sum);
    VX_UNROLL
    for (int b = 0; b < 2; ++b)
        store_pair(tile.next[picture][b], lane, 0, value[0][2 + b], value[1][2 + b]);
}

/* ---- horizontal ----------------------------------------------------------------------------- */

struct Words {
    uint32_t right0, right1;
};

/** A lane's 8 bytes of row c, from a block's first column on. */
VX_INLINE Words load_words(const uint8_t (*plane)[kColumns], int row, int column)
{
    const Pair pair = *reinterpret_cast<const Pair *>(&plane[row][place(row, column)]);
    return {pair[0], pair[1]};
}

template <int bytes>
VX_INLINE Weighted<bytes> along(const Tile &tile, int plane, const Filter &filter, int row,
                                int column, uint32_t add)
{
    Weighted<bytes> w;
    start(w, add);
    VX_UNROLL
    for (int b = 0; b < bytes; ++b) {
        const Words words = load_words(tile.plane[plane + b], row, column);
        add_byte(w, b, filter, words.right0, words.right1);
    }
    return w;
}

/** 16 columns by 8 rows from tile column `column` and row `row` on. */
VX_INLINE void horizontal(const VifArgs &args, const Tile &tile, const Lane &lane,
                          const Filter &filter, int row, int column, int x, int y, int end,
                          PixelSums &sums)
{
    const int from = column + 8 * lane.q;
    uint32_t mean[2][4], square[3][4];
    VX_UNROLL
    for (int p = 0; p < 2; ++p) {
        const Weighted<2> w = along<2>(tile, kMeanR + 2 * p, filter, row + lane.c, from, 0);
        VX_UNROLL
        for (int k = 0; k < 4; ++k)
            mean[p][k] = whole(w, k);
    }
    VX_UNROLL
    for (int p = 0; p < 3; ++p) {
        const Weighted<4> w = along<4>(tile, kSquareRR + 4 * p, filter, row + lane.c, from, 32768);
        VX_UNROLL
        for (int k = 0; k < 4; ++k)
            square[p][k] = high(w, k);
    }
    constexpr int kTogether = 4; /* pixels that hide each other's latency */
    VX_UNROLL
    for (int half = 0; half < 4; half += kTogether) {
        vif_kernels::Gain gain[kTogether];
        VX_UNROLL
        for (int j = 0; j < kTogether; ++j) {
            const int k = half + j;
            const bool inside =
                x + column + lane.c + 8 * (k / 2) < args.width && y + 2 * lane.q + k % 2 < end;
            const uint32_t mask = inside ? ~0u : 0u;
            const Moments m = {mean[0][k] & mask, mean[1][k] & mask, square[0][k] & mask,
                               square[1][k] & mask, square[2][k] & mask};
            gain[j] = vif_kernels::gain_of(args, vif_kernels::add_moments(args, m, sums));
        }
        VX_UNROLL
        for (int g = 0; g < kVifGains; ++g) {
            if (g >= args.gains)
                break;
            VX_UNROLL
            for (int j = 0; j < kTogether; ++j)
                sums.log_num[g] += vif_kernels::log_numerator(args, gain[j], args.gain_limit[g]);
        }
    }
}

VX_INLINE void horizontal_next(const VifArgs &args, const Tile &tile, const Lane &lane,
                               const Left &filter, int picture, int column, int x, int y)
{
    const int from = column + 8 * lane.q;
    Sums16x8 sums[2];
    VX_UNROLL
    for (int b = 0; b < 2; ++b) {
        vx::start(sums[b], 0);
        const Words words = load_words(tile.next[picture][b], lane.c, from);
        vx::multiply_add(sums[b], filter, words.right0, words.right1);
    }
    uint16_t *plane = picture == 0 ? args.next_reference : args.next_distorted;
    const int out_x = (x + column) / 2 + lane.c;
    VX_UNROLL
    for (int k = 0; k < 2; ++k) {
        const int out_y = y / 2 + 2 * lane.q + k;
        const uint32_t v = sums[0].v[k] + ((sums[0].v[k + 2] + sums[1].v[k]) << 8) +
                           (sums[1].v[k + 2] << 16) + 32768u;
        if (out_x < args.width / 2 && out_y < args.height / 2)
            plane[static_cast<uint64_t>(out_y) * (args.next_pitch / 2) +
                  static_cast<uint64_t>(out_x)] = static_cast<uint16_t>(v >> 16);
    }
}

/* ---- tile ----------------------------------------------------------------------------------- */

template <int scale, class Sample>
VX_INLINE void body(const VifArgs &args, Tile &tile, const vx::Group &group)
{
    const int x = static_cast<int>(group.x) * kWidth;
    const int y0 = static_cast<int>(group.y) * args.band;
    const int end = y0 + args.band < args.height ? y0 + args.band : args.height;
    const Lane lane = {group.thread / 32, group.thread % 32, group.thread % 32 / 4,
                       group.thread % 4};
    const bool wants_sums = args.results != nullptr;
    const bool wants_next = scale < 3 && args.next_reference != nullptr;
    constexpr int next = scale < 3 ? scale + 1 : 3;

    if (lane.warp == 0)
        put_filters<scale, next>(tile, lane.index);

    const Source source[2] = {{static_cast<const char *>(args.reference), args.reference_pitch},
                              {static_cast<const char *>(args.distorted), args.distorted_pitch}};
    const int first = x - kRadius + 32 * lane.warp; /* of the warp's columns */
    const bool inside = first >= 0 && first + 32 + 4 <= args.width;
    const auto load = [&](int y) __attribute__((always_inline)) {
        Window<Sample> window;
        VX_UNROLL
        for (int p = 0; p < 2; ++p)
            window.picture[p] =
                load_block<Sample>(source[p], args, first + 4 * lane.c, y + 4 * lane.q, inside);
        return window;
    };

    PixelSums sums;
    vif_kernels::clear(sums);
    Window<Sample> upper = load(y0 - kRadius);
    for (int y = y0; y < end; y += kRows) {
        const Window<Sample> lower = load(y + kRadius);
        VX_SYNC(group);
        if (wants_sums) {
            const Filter down = filter(tile, kDown, lane);
            VX_UNROLL
            for (int p = 0; p < 2; ++p)
                vertical_mean<Sample>(tile, kMeanR + 2 * p, lane, down, upper.picture[p],
                                      lower.picture[p]);
            vertical_square<Sample>(tile, kSquareRR, lane, down, upper, lower, 0, 0);
            vertical_square<Sample>(tile, kSquareDD, lane, down, upper, lower, 1, 1);
            vertical_square<Sample>(tile, kSquareRD, lane, down, upper, lower, 0, 1);
        }
        if (wants_next) {
            const Left down_next = left(tile, kDownNext, lane);
            VX_UNROLL
            for (int p = 0; p < 2; ++p)
                vertical_next<Sample>(tile, p, lane, down_next, upper.picture[p], lower.picture[p]);
        }
        upper = lower;
        VX_SYNC(group);
        constexpr int kBlocks = kWidth / 16;
        if (wants_sums) {
            const Filter across = filter(tile, kAcross, lane);
            VX_ROLLED
            for (int i = lane.warp; i < 2 * kBlocks; i += kWarps) {
                const int row = i < kBlocks ? 0 : 8;
                const int column = 16 * (i < kBlocks ? i : i - kBlocks);
                if (x + column < args.width && y + row < end)
                    horizontal(args, tile, lane, across, row, column, x, y + row, end, sums);
            }
        }
        if (wants_next) {
            const Left across_next = left(tile, kAcrossNext, lane);
            VX_ROLLED
            for (int i = kWarps - 1 - lane.warp; i < 2 * kBlocks; i += kWarps) {
                const int picture = i < kBlocks ? 0 : 1;
                const int column = 16 * (i < kBlocks ? i : i - kBlocks);
                if (x + column < args.width)
                    horizontal_next(args, tile, lane, across_next, picture, column, x, y);
            }
        }
    }
    if (!wants_sums)
        return;
    vx::sums_clear(group, tile.sums);
    vx::sums_add(group, tile.sums, kVifLogCount,
                 -static_cast<int64_t>(static_cast<int32_t>(sums.log_count)));
    vx::sums_add(group, tile.sums, kVifLogDen, sums.log_den);
    vx::sums_add(group, tile.sums, kVifPlainNum, static_cast<int64_t>(vx::total(sums.plain_num)));
    VX_UNROLL
    for (int k = 0; k < kVifGains; ++k)
        vx::sums_add(group, tile.sums, kVifLogNum + k, sums.log_num[k]);
    vx::sums_store(group, tile.sums, args.results);
}

} // namespace vif_matrix_kernels

VX_MATRIX_KERNEL(vif_scale0_8_matrix, VifArgs, vif_matrix_kernels::Tile, kVifThreads, 4)
{
    vif_matrix_kernels::body<0, uint8_t>(args, tile, group);
}

VX_MATRIX_KERNEL(vif_scale0_16_matrix, VifArgs, vif_matrix_kernels::Tile, kVifThreads, 4)
{
    vif_matrix_kernels::body<0, uint16_t>(args, tile, group);
}

VX_MATRIX_KERNEL(vif_scale1_matrix, VifArgs, vif_matrix_kernels::Tile, kVifThreads, 4)
{
    vif_matrix_kernels::body<1, uint16_t>(args, tile, group);
}

VX_MATRIX_KERNEL(vif_scale2_matrix, VifArgs, vif_matrix_kernels::Tile, kVifThreads, 4)
{
    vif_matrix_kernels::body<2, uint16_t>(args, tile, group);
}

VX_MATRIX_KERNEL(vif_scale3_matrix, VifArgs, vif_matrix_kernels::Tile, kVifThreads, 4)
{
    vif_matrix_kernels::body<3, uint16_t>(args, tile, group);
}

#endif
