/* SPDX-License-Identifier: BSD-2-Clause
 *
 * From samples to the analysed plane. Of the low-passed plane every 16th column and row is used, so
 * only those are computed. Sums are rounded tap by tap, down the columns first.
 */
#include "features/speed/speed_kernels.h"

#include "kernels/float_sample.h"
#include "kernels/kernel.h"

namespace speed_kernels
{

constexpr SpeedShape kShape = VX_CPU_TILES ? kSpeedCpuShape : kSpeedGpuShape;
constexpr int kReduceSpan = (kShape.reduce - 1) * kSpeedStep + kSpeedTaps;
constexpr int kCentreSpan = kShape.centre + kSpeedMeanTaps - 1;

struct ReduceTile {
    float column[kReduceSpan]; /* filtered down the columns */
};
struct CentreTile {
    float column[kCentreSpan];
};

using vx::smaller;

/** One row of samples. */
template <class T> struct FieldRow {
    const typename vx::SampleOf<T>::type *plane, *minus;
};

template <class T> VX_INLINE FieldRow<T> row_at(const SpeedSource &source, int y)
{
    return {vx::row_of<T>(source.plane, source.plane_pitch, y),
            vx::row_of<T>(source.minus, source.minus_pitch, y)};
}

/** The difference of two samples in 8-bit steps has few enough bits to be exact. */
template <class T, bool difference>
VX_INLINE float sample_at(const FieldRow<T> &row, int x, float step)
{
    if constexpr (difference)
        return static_cast<float>(static_cast<int>(row.plane[x]) - static_cast<int>(row.minus[x])) *
               step;
    else
        return vx::centred_sample(row.plane, x, step);
}

/** A field at its own size. */
template <class T, bool difference> struct Plain {
    typedef FieldRow<T> Row;
};
template <class T, bool difference>
VX_INLINE FieldRow<T> row_of_field(Plain<T, difference>, const SpeedReduceArgs &,
                                   const SpeedSource &source, int y)
{
    return row_at<T>(source, y);
}
template <class T, bool difference>
VX_INLINE float value_at(Plain<T, difference>, const SpeedReduceArgs &args, const SpeedSource &,
                         const FieldRow<T> &row, int x)
{
    return sample_at<T, difference>(row, x, args.step);
}

/** A field resampled to another size, value by value. */
template <class T, bool difference> struct Rescaled {
    typedef int Row;
};
template <class T, bool difference>
VX_INLINE int row_of_field(Rescaled<T, difference>, const SpeedReduceArgs &, const SpeedSource &,
                           int y)
{
    return y;
}
template <class T, bool difference>
VX_INLINE float value_at(Rescaled<T, difference>, const SpeedReduceArgs &args,
                         const SpeedSource &source, int y, int x)
{
    const ResampleTap *const down = args.rows + static_cast<int64_t>(y) * args.axis_taps;
    const ResampleTap *const along = args.columns + static_cast<int64_t>(x) * args.axis_taps;
    float sum = 0, weights = 0;
    VX_ROLLED
    for (int j = 0; j < args.axis_taps; ++j) {
        const FieldRow<T> row = row_at<T>(source, down[j].at);
        VX_ROLLED
        for (int i = 0; i < args.axis_taps; ++i) {
            const float weight = along[i].weight * down[j].weight;
            sum += sample_at<T, difference>(row, along[i].at, args.step) * weight;
            weights += weight;
        }
    }
    return args.divide ? sum / weights : sum;
}

#if VX_CPU_TILES

/** Tap by tap: contiguous loops over columns of the plane, then over the few that are mirrored. */
template <class Field>
VX_INLINE void filter_columns(const vx::Group &group, Field field, const SpeedReduceArgs &args,
                              const SpeedSource &source, float *column, int begin, int span, int y)
{
    const int first = begin < 0 ? 0 : begin;
    const int last = smaller(begin + span, args.width);
    float *const inside = column + (first - begin);
    VX_FOR (group, i, span) {
        column[i] = 0;
    }
    for (int t = 0; t < args.taps; ++t) {
        const typename Field::Row row =
            row_of_field(field, args, source, vx::mirror(y + t, args.height));
        const float tap = args.tap[t];
        VX_FOR (group, i, last - first) {
            inside[i] += tap * value_at(field, args, source, row, first + i);
        }
        for (int x = begin; x < first; ++x)
            column[x - begin] += tap * value_at(field, args, source, row, -x);
        for (int x = last; x < begin + span; ++x)
            column[x - begin] +=
                tap * value_at(field, args, source, row, vx::mirror(x, args.width));
    }
}

#else

template <class Field>
VX_INLINE void filter_columns(const vx::Group &group, Field field, const SpeedReduceArgs &args,
                              const SpeedSource &source, float *column, int begin, int span, int y)
{
    VX_FOR (group, i, span) {
        const int x = vx::mirror(begin + i, args.width);
        float sum = 0;
        for (int t = 0; t < args.taps; ++t) {
            const typename Field::Row row =
                row_of_field(field, args, source, vx::mirror(y + t, args.height));
            sum += args.tap[t] * value_at(field, args, source, row, x);
        }
        column[i] = sum;
    }
}

#endif

template <class Field>
VX_INLINE void reduce(const SpeedReduceArgs &args, ReduceTile &tile, const vx::Group &group,
                      Field field)
{
    const SpeedSource &source = args.source[group.z];
    const int radius = args.taps / 2;
    const int x0 = static_cast<int>(group.x) * kShape.reduce, y = static_cast<int>(group.y);
    const int cols = smaller(kShape.reduce, args.out_width - x0);
    const int row = static_cast<int>(group.z) * args.out_height + y;
    float *const out = args.out + static_cast<int64_t>(row) * args.out_width + x0;

    filter_columns(group, field, args, source, tile.column, x0 * kSpeedStep - radius,
                   (cols - 1) * kSpeedStep + args.taps, y * kSpeedStep - radius);
    VX_SYNC(group);
    VX_FOR (group, x, cols) {
        float sum = 0;
        for (int t = 0; t < args.taps; ++t)
            sum += args.tap[t] * tile.column[x * kSpeedStep + t];
        out[x] = sum;
    }
}

template <class T, template <class, bool> class Field>
VX_INLINE void reduce_any(const SpeedReduceArgs &args, ReduceTile &tile, const vx::Group &group)
{
    if (args.source[group.z].minus)
        reduce(args, tile, group, Field<T, true>());
    else
        reduce(args, tile, group, Field<T, false>());
}

VX_INLINE void centre(const SpeedCentreArgs &args, CentreTile &tile, const vx::Group &group)
{
    const int radius = args.taps / 2;
    const int x0 = static_cast<int>(group.x) * kShape.centre, y = static_cast<int>(group.y);
    const int z = static_cast<int>(group.z);
    const int cols = smaller(kShape.centre, args.out_width - x0);
    const float *const in = args.in + static_cast<int64_t>(z) * args.width * args.height;
    const float *const middle = in + static_cast<int64_t>(y) * args.width + x0;
    float *const out =
        args.out + static_cast<int64_t>(z * args.out_height + y) * args.out_pitch + x0;

    VX_FOR (group, i, cols + args.taps - 1) {
        const int x = vx::mirror(x0 - radius + i, args.width);
        float sum = 0;
        for (int t = 0; t < args.taps; ++t)
            sum += args.tap[t] * in[vx::mirror(y - radius + t, args.height) * args.width + x];
        tile.column[i] = sum;
    }
    VX_SYNC(group);
    VX_FOR (group, x, cols) {
        float sum = 0;
        for (int t = 0; t < args.taps; ++t)
            sum += args.tap[t] * tile.column[x + t];
        out[x] = middle[x] - sum;
    }
}

} // namespace speed_kernels

VX_KERNEL(speed_reduce_8, SpeedReduceArgs, speed_kernels::ReduceTile, kSpeedThreads)
{
    speed_kernels::reduce_any<uint8_t, speed_kernels::Plain>(args, tile, group);
}

VX_KERNEL(speed_reduce_16, SpeedReduceArgs, speed_kernels::ReduceTile, kSpeedThreads)
{
    speed_kernels::reduce_any<uint16_t, speed_kernels::Plain>(args, tile, group);
}

VX_KERNEL(speed_rescale_8, SpeedReduceArgs, speed_kernels::ReduceTile, kSpeedThreads)
{
    speed_kernels::reduce_any<uint8_t, speed_kernels::Rescaled>(args, tile, group);
}

VX_KERNEL(speed_rescale_16, SpeedReduceArgs, speed_kernels::ReduceTile, kSpeedThreads)
{
    speed_kernels::reduce_any<uint16_t, speed_kernels::Rescaled>(args, tile, group);
}

VX_KERNEL(speed_centre, SpeedCentreArgs, speed_kernels::CentreTile, kSpeedNarrowThreads)
{
    speed_kernels::centre(args, tile, group);
}
