/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Linear algebra on a covariance matrix, in single precision, in one fixed order of operations: of
 * a badly conditioned matrix, which smooth pictures have, any other order gives other scores.
 */
#include "features/speed/speed_kernels.h"

#include "kernels/lanes.h"

namespace speed_kernels
{

constexpr int kOrder = kSpeedSize;
constexpr int kPitch = 32; /* of a matrix in tile memory */
constexpr int kRowGroups = (kOrder + vx::kLanes - 1) / vx::kLanes;
constexpr double kSmall = 1e-6; /* below it a number counts as zero */
constexpr int kMostSteps = 500; /* of the QR algorithm */

struct alignas(64) Matrix {
    float at[kOrder][kPitch];
};

/** Of the eigenvalues' work-group: the matrix becomes tridiagonal, then its diagonal is refined. */
struct EigenTile {
    Matrix a;
    float v[kPitch], x[kPitch]; /* reflection */
    float tau;
    float diagonal[kOrder], beside[kOrder];
};

/** Of the decomposition's. A product needs its factors until it is complete. */
struct FactorTile {
    Matrix h, z, q, next_z, next_q;
    float v[kPitch];
};

union SystemTile {
    EigenTile eigen;
    FactorTile factor;
};

VX_INLINE float root(float v)
{
    return __builtin_sqrtf(v);
}
VX_INLINE float magnitude(float v)
{
    return __builtin_fabsf(v);
}
VX_INLINE float hypotenuse(float a, float b)
{
    return root(a * a + b * b);
}

/* ---- eigenvalues ------------------------------------------------------------------------------
 */

/** The reflection that clears column i below the subdiagonal. tau is 0 if there is nothing to do.
 */
VX_INLINE void find_reflection(EigenTile &tile, int i)
{
    const float alpha = tile.a.at[i + 1][i];
    float sum = 0;
    for (int j = i + 2; j < kOrder; ++j)
        sum += tile.a.at[j][i] * tile.a.at[j][i];
    const float norm = root(sum);
    tile.tau = 0;
    if (norm == 0)
        return;
    const float length = hypotenuse(alpha, norm);
    const float beta = alpha >= 0 ? -length : length;
    const float scale = alpha - beta;
    tile.tau = (beta - alpha) / beta;
    tile.v[i + 1] = 1;
    for (int j = i + 2; j < kOrder; ++j)
        tile.v[j] = tile.a.at[j][i] / scale;
    tile.a.at[i + 1][i] = beta;
}

VX_INLINE void reflect(const vx::Group &group, EigenTile &tile, int i)
{
    const float tau = tile.tau;
    const int first = i + 1;
    VX_FOR (group, r, kOrder) {
        float sum = 0;
        for (int c = first; c < kOrder; ++c)
            sum += tau * tile.a.at[r][c] * tile.v[c];
        if (r >= first)
            tile.x[r] = sum;
    }
    VX_SYNC(group);
    VX_FOR (group, only, 1) {
        float q = 0;
        for (int r = first; r < kOrder; ++r)
            q += tile.x[r] * tile.v[r];
        const float g = -0.5f * tau * q;
        for (int r = first; r < kOrder; ++r)
            tile.x[r] += g * tile.v[r];
    }
    VX_SYNC(group);
    VX_FOR2 (group, r, c, kOrder - first, kOrder - first) {
        float &element = tile.a.at[first + r][first + c];
        element -= tile.x[first + r] * tile.v[first + c] + tile.v[first + r] * tile.x[first + c];
    }
}

VX_INLINE void make_tridiagonal(const vx::Group &group, EigenTile &tile)
{
    VX_ROLLED
    for (int i = 0; i < kOrder - 2; ++i) {
        VX_FOR (group, only, 1) {
            find_reflection(tile, i);
        }
        VX_SYNC(group);
        if (tile.tau != 0)
            reflect(group, tile, i);
        VX_SYNC(group);
    }
    VX_FOR (group, i, kOrder) {
        tile.diagonal[i] = tile.a.at[i][i];
        tile.beside[i] = i + 1 < kOrder ? tile.a.at[i + 1][i] : 0;
    }
    VX_SYNC(group);
}

/** Clears what is next to nothing beside the diagonal of rows first..last. */
VX_INLINE void chop(const float *d, float *u, int first, int last)
{
    VX_ROLLED
    for (int i = first; i < last; ++i) {
        const float size = magnitude(d[i]) + magnitude(d[i + 1]);
        if (static_cast<double>(magnitude(u[i])) < kSmall * static_cast<double>(size))
            u[i] = 0;
    }
}

/** 1 / sqrt(1 + t^2), root and quotient in double. */
VX_INLINE float cosine_of(float t)
{
    const float square = 1 + t * t;
    return static_cast<float>(1 / __builtin_sqrt(static_cast<double>(square)));
}

struct Rotation {
    float c, s;
};

VX_INLINE Rotation rotation(float a, float b)
{
    if (b == 0)
        return {1, 0};
    if (magnitude(b) > magnitude(a)) {
        const float t = -a / b;
        const float s = cosine_of(t);
        return {s * t, s};
    }
    const float t = -b / a;
    const float c = cosine_of(t);
    return {c, c * t};
}

/** An eigenvalue of the last 2x2 block, which the step converges to. */
VX_INLINE float find_shift(const float *d, const float *u, int m)
{
    const float ta = d[m - 2], tb = d[m - 1], t = u[m - 2];
    const float half = (ta - tb) / 2;
    float shift;
    if (half > 0)
        shift = tb - t * (t / (half + hypotenuse(half, t)));
    else if (half == 0)
        shift = tb - magnitude(t);
    else
        shift = tb + t * (t / (-half + hypotenuse(half, t)));
    const float first = magnitude(d[0]) + magnitude(u[0]);
    return kSmall * static_cast<double>(magnitude(shift)) > static_cast<double>(first) ? 0 : shift;
}

/** One implicit QR step on a block of m >= 2 rows. */
VX_INLINE void step(float *d, float *u, int m)
{
    float x = d[0] - find_shift(d, u, m), z = u[0];
    float bk = 0, zk = 0, ap = d[0], bp = u[0], aq = d[1];
    float bq = m > 2 ? u[1] : 0;
    VX_ROLLED
    for (int k = 0; k < m - 1; ++k) {
        const Rotation rotated = rotation(x, z);
        const float c = rotated.c, s = rotated.s;
        const float bk1 = c * bk - s * zk;
        const float e = s * ap + c * bp, f = s * bp + c * aq;
        const float ap1 = c * (c * ap - s * bp) + s * (s * aq - c * bp);
        const float bp1 = c * e - s * f;
        const float aq1 = s * e + c * f;
        const float zp1 = -s * bq, bq1 = c * bq;
        d[k] = ap1;
        if (k > 0)
            u[k - 1] = bk1;
        bk = bp1;
        zk = zp1;
        ap = aq1;
        bp = bq1;
        if (k < m - 2) {
            u[k + 1] = bp;
            aq = d[k + 2];
        }
        if (k < m - 3)
            bq = u[k + 2];
        x = bk;
        z = zk;
    }
    d[m - 1] = ap;
    u[m - 2] = bk;
}

VX_INLINE void refine(float *d, float *u)
{
    chop(d, u, 0, kOrder - 1);
    int last = kOrder - 1, steps = 0;
    while (last > 0 && steps < kMostSteps) {
        if (u[last - 1] == 0) {
            --last;
            continue;
        }
        int first = last - 1;
        while (first > 0 && u[first - 1] != 0)
            --first;
        step(d + first, u + first, last - first + 1);
        chop(d, u, first, last);
        ++steps;
    }
}

VX_INLINE void find_eigenvalues(const vx::Group &group, EigenTile &tile, SpeedSystem &system)
{
    VX_FOR2 (group, r, c, kOrder, kOrder) {
        tile.a.at[r][c] = system.covariance[r * kOrder + c];
    }
    VX_SYNC(group);
    make_tridiagonal(group, tile);
    VX_FOR (group, only, 1) {
        refine(tile.diagonal, tile.beside);
        int irregular = 0;
        for (int i = 0; i < kOrder; ++i)
            irregular |= !(static_cast<double>(tile.diagonal[i]) >= kSmall);
        system.irregular = irregular;
    }
    VX_SYNC(group);
    VX_FOR (group, i, kOrder) {
        system.eigenvalue[i] = tile.diagonal[i];
    }
}

/* ---- QR decomposition -------------------------------------------------------------------------
 */

/** out = a * b from row and column `first` on, where a is the unit matrix before them. */
VX_INLINE void multiply(const vx::Group &group, const Matrix &a, const Matrix &b, Matrix &out,
                        int first)
{
    VX_LANES_FOR2 (group, r, g, kOrder, kRowGroups) {
        if (r < first) {
            vx::store(&out.at[r][g * vx::kLanes], vx::load(&b.at[r][g * vx::kLanes]));
        } else {
            vx::F32 sum = {};
            for (int k = first; k < kOrder; ++k)
                sum += a.at[r][k] * vx::load(&b.at[k][g * vx::kLanes]);
            vx::store(&out.at[r][g * vx::kLanes], sum);
        }
    }
}

/** The unit vector v of the reflection that clears column k of z below the diagonal. */
VX_INLINE void find_vector(FactorTile &tile, const Matrix &z, int k, float original)
{
    float sum = 0;
    for (int i = 0; i < kOrder; ++i) {
        tile.v[i] = i < k ? 0 : z.at[i][k];
        sum += tile.v[i] * tile.v[i];
    }
    const float norm = root(sum);
    tile.v[k] += original >= 0 ? norm : -norm;
    sum = 0;
    for (int i = 0; i < kOrder; ++i)
        sum += tile.v[i] * tile.v[i];
    const float length = root(sum);
    for (int i = 0; i < kOrder; ++i)
        tile.v[i] /= length;
}

VX_INLINE void eliminate(const vx::Group &group, FactorTile &tile, const Matrix &z, const Matrix &q,
                         Matrix &next_z, Matrix &next_q, int k, float original)
{
    VX_FOR (group, only, 1) {
        find_vector(tile, z, k, original);
    }
    VX_SYNC(group);
    VX_FOR2 (group, i, j, kOrder, kOrder) {
        const float product = -2 * tile.v[i] * tile.v[j];
        tile.h.at[i][j] = i == j ? product + 1 : product;
    }
    VX_SYNC(group);
    multiply(group, tile.h, z, next_z, k);
    multiply(group, tile.h, q, next_q, k);
    VX_SYNC(group);
}

VX_INLINE void factorise(const vx::Group &group, FactorTile &tile, SpeedSystem &system)
{
    const float *const covariance = system.covariance;
    VX_FOR2 (group, r, c, kOrder, kPitch) {
        tile.z.at[r][c] = c < kOrder ? covariance[r * kOrder + c] : 0;
        tile.q.at[r][c] = r == c ? 1 : 0;
    }
    VX_SYNC(group);
    static_assert((kOrder - 1) % 2 == 0);
    VX_ROLLED
    for (int k = 0; k < kOrder - 1; k += 2) {
        eliminate(group, tile, tile.z, tile.q, tile.next_z, tile.next_q, k,
                  covariance[k * kOrder + k]);
        eliminate(group, tile, tile.next_z, tile.next_q, tile.z, tile.q, k + 1,
                  covariance[(k + 1) * kOrder + k + 1]);
    }
    VX_FOR2 (group, r, c, kOrder, kPitch) {
        tile.z.at[r][c] = c < kOrder ? covariance[r * kOrder + c] : 0;
    }
    VX_SYNC(group);
    multiply(group, tile.q, tile.z, tile.next_z, 0);
    VX_SYNC(group);
    VX_FOR2 (group, r, c, kOrder, kOrder) {
        system.q[r * kOrder + c] = tile.q.at[r][c];
        system.r[r * kOrder + c] = tile.next_z.at[r][c];
    }
    VX_FOR (group, only, 1) {
        int unsolvable = 0;
        for (int i = 0; i < kOrder; ++i)
            unsolvable |= static_cast<double>(magnitude(tile.next_z.at[i][i])) < kSmall;
        system.unsolvable = unsolvable;
    }
}

} // namespace speed_kernels

VX_KERNEL(speed_system, SpeedSystemArgs, speed_kernels::SystemTile, kSpeedThreads)
{
    SpeedSystem &system = args.system[group.z];
    if (group.x == 0)
        speed_kernels::find_eigenvalues(group, tile.eigen, system);
    else
        speed_kernels::factorise(group, tile.factor, system);
}
