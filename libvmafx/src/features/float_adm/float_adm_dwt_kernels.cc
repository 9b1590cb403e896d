/* SPDX-License-Identifier: BSD-2-Clause
 *
 * float_adm's wavelet transform: one level, columns first, then rows.
 */
#include "features/dwt_span.h"
#include "features/float_adm/float_adm_arithmetic.h"
#include "features/float_adm/float_adm_kernels.h"
#include "kernels/float_sample.h"

namespace float_adm_dwt_kernels
{

using namespace float_adm_kernels;
using dwt::position;
using dwt::Span;

constexpr FloatAdmShape kShape = VX_CPU_TILES ? kFloatAdmDwtCpuShape : kFloatAdmDwtGpuShape;
constexpr int kStep = VX_CPU_TILES ? 1 : kShape.rows; /* rows that are filtered at a time */
constexpr int kColumns = 2 * kShape.columns + 2;      /* inputs that one row of outputs reads */

struct Tile {
    alignas(64) float low[kStep][kColumns];
    alignas(64) float high[kStep][kColumns];
};

template <class Sample> VX_INLINE const auto *source_row(const void *source, uint64_t pitch, int y)
{
    if constexpr (sizeof(Sample) == sizeof(float))
        return reinterpret_cast<const float *>(static_cast<const char *>(source) +
                                               static_cast<uint64_t>(y) * pitch);
    else
        return vx::row_of<Sample>(source, pitch, y);
}

VX_INLINE float sample_at(const float *row, int x, float)
{
    return row[x];
}
template <class Sample> VX_INLINE float sample_at(const Sample *row, int x, float step)
{
    return vx::centred_sample(row, x, step);
}

VX_INLINE bool has_details(const FloatAdmDwtArgs &args, int y)
{
    return y >= args.details.top && y < args.details.bottom;
}

template <class Sample>
VX_INLINE void filter_columns(const FloatAdmDwtArgs &args, Tile &tile, const vx::Group &group,
                              const Span &span, int y, int r)
{
    const auto row = [source = args.source[group.z], pitch = args.source_pitch[group.z], y,
                      height = args.height,
                      x = span.input + span.input_first](int tap) __attribute__((always_inline)) {
        return source_row<Sample>(source, pitch, position(2 * y - 1 + tap, height)) + x;
    };
    const auto *VX_RESTRICT row0 = row(0);
    const auto *VX_RESTRICT row1 = row(1);
    const auto *VX_RESTRICT row2 = row(2);
    const auto *VX_RESTRICT row3 = row(3);
    float *VX_RESTRICT low = tile.low[r] + span.input_first;
    float *VX_RESTRICT high = tile.high[r] + span.input_first;
    const float step = args.step;
    const int count = span.input_end - span.input_first;
    if (has_details(args, y)) {
        VX_FOR (group, x, count) {
            const float a = sample_at(row0, x, step), b = sample_at(row1, x, step);
            const float c = sample_at(row2, x, step), d = sample_at(row3, x, step);
            low[x] = dot(kLow, a, b, c, d);
            high[x] = dot(kHigh, a, b, c, d);
        }
        return;
    }
    VX_FOR (group, x, count) {
        low[x] = dot(kLow, sample_at(row0, x, step), sample_at(row1, x, step),
                     sample_at(row2, x, step), sample_at(row3, x, step));
    }
}

/** Fills the inputs outside of the picture, which are copies of columns inside. */
VX_INLINE void mirror_columns(const FloatAdmDwtArgs &args, Tile &tile, const vx::Group &group,
                              const Span &span)
{
    const int outside = 2 * span.count + 2 - span.input_end;
    VX_FOR (group, i, kStep * 3) {
        const int r = i / 3;
        const int k = i - 3 * r;
        const int to = k == 0 ? 0 : span.input_end + k - 1;
        const bool wanted = k == 0 ? span.input_first == 1 : k <= outside;
        if (wanted) {
            const int from = position(span.input + to, args.width) - span.input;
            tile.low[r][to] = tile.low[r][from];
            tile.high[r][to] = tile.high[r][from];
        }
    }
}

VX_INLINE float across(const float (&taps)[4], const float *row, int i)
{
    return dot(taps, row[2 * i], row[2 * i + 1], row[2 * i + 2], row[2 * i + 3]);
}

VX_INLINE void row_out(const FloatAdmDwtArgs &args, const Tile &tile, const vx::Group &group,
                       const Span &span, int y, int r)
{
    const FloatAdmBands &out = args.out[group.z];
    float *VX_RESTRICT a = out.first + static_cast<uint64_t>(y) * out.pitch + span.x;
    const float *VX_RESTRICT low = tile.low[r];
    VX_FOR (group, i, span.count) {
        a[i] = across(kLow, low, i);
    }
    if (!has_details(args, y))
        return;
    const int first = span.detail_first;
    low += 2 * first;
    const float *VX_RESTRICT high = tile.high[r] + 2 * first;
    float *VX_RESTRICT h = a + out.plane + first;
    float *VX_RESTRICT v = h + out.plane;
    float *VX_RESTRICT d = v + out.plane;
    VX_FOR (group, i, span.detail_end - first) {
        v[i] = across(kHigh, low, i);
        h[i] = across(kLow, high, i);
        d[i] = across(kHigh, high, i);
    }
}

template <class Sample>
VX_INLINE void run(const FloatAdmDwtArgs &args, Tile &tile, const vx::Group &group)
{
    const Span span = dwt::span_of(args, group, kShape.columns);
    const int first = static_cast<int>(group.y) * kShape.rows;
    const int end = smaller(first + kShape.rows, args.out[0].height);
    for (int y = first; y < end; y += kStep) {
        const int rows = smaller(kStep, end - y);
        for (int r = 0; r < rows; ++r)
            filter_columns<Sample>(args, tile, group, span, y + r, r);
        VX_SYNC(group);
        mirror_columns(args, tile, group, span);
        VX_SYNC(group);
        for (int r = 0; r < rows; ++r)
            row_out(args, tile, group, span, y + r, r);
    }
}

} // namespace float_adm_dwt_kernels

VX_KERNEL(float_adm_dwt_8, FloatAdmDwtArgs, float_adm_dwt_kernels::Tile, kFloatAdmThreads)
{
    float_adm_dwt_kernels::run<uint8_t>(args, tile, group);
}

VX_KERNEL(float_adm_dwt_16, FloatAdmDwtArgs, float_adm_dwt_kernels::Tile, kFloatAdmThreads)
{
    float_adm_dwt_kernels::run<uint16_t>(args, tile, group);
}

VX_KERNEL(float_adm_dwt_f, FloatAdmDwtArgs, float_adm_dwt_kernels::Tile, kFloatAdmThreads)
{
    float_adm_dwt_kernels::run<float>(args, tile, group);
}
