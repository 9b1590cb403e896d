/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernel dialect: C++ that is compiled to amdgcn, PTX and x86-64 from one source.
 *
 * A kernel is a sequence of phases over a tile. A phase is a loop over independent items
 * (VX_FOR, VX_FOR2); VX_SYNC stands between phases that exchange data through tile memory. On a
 * GPU the threads of a work-group stride over the items; on the CPU one thread runs the tile and a
 * phase is a plain loop, which the compiler vectorises.
 *
 *     struct FooTile { uint16_t row[kFooWidth + 4]; vx::Sums<1> sums; };
 *     VX_KERNEL(foo, FooArgs, FooTile, kFooThreads)   // threads of a work-group; 1 on the CPU
 *     {
 *         vx::sums_clear(group, tile.sums);
 *         VX_FOR (group, i, kFooWidth + 4) { tile.row[i] = ...args.src...; }
 *         VX_SYNC(group);
 *         int64_t sum = 0;
 *         VX_FOR (group, i, kFooWidth) { sum += tile.row[i] * ...; }
 *         vx::sums_add(group, tile.sums, 0, sum);
 *         vx::sums_store(group, tile.sums, args.result);
 *     }
 *
 * The argument struct is followed by a mark (mark.h), which the kernel leaves without a word of its
 * own about it.
 *
 * Rules: items of a phase do not depend on each other; VX_SYNC is reached by all threads, so never
 * inside a phase or a branch that differs between threads; contraction is off; only + - * / sqrt on
 * floats; sums of floats in a fixed order. Nothing depends on the width of a wave. Lambdas take
 * what they need of the arguments by value: behind a reference the compiler does not see that a
 * pointer of theirs is the device's memory, and addresses it as if it could be tile memory too.
 */
#ifndef VMAFX_KERNELS_KERNEL_H
#define VMAFX_KERNELS_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/mark.h"

#if defined(__AMDGCN__) || defined(__NVPTX__)
#define VX_GPU 1
#pragma clang force_cuda_host_device begin
#elif defined(VX_THREADS_OF_TEST)
#define VX_GPU 1 /* a test runs the threads of a work-group on the host; names what they call */
#else
#define VX_GPU 0
#endif

/* Kernels take their tile shapes from VX_CPU_TILES, hosts from PlanDevice::cpu_tiles(). An image
 * for tests is compiled for the CPU with the shapes of GPUs: VX_GPU_TILES. */
#if VX_GPU || defined(VX_GPU_TILES)
#define VX_CPU_TILES 0
#else
#define VX_CPU_TILES 1
#endif

#define VX_INLINE [[maybe_unused]] static inline __attribute__((always_inline))

#if VX_GPU && !defined(VX_THREADS_OF_TEST)
/** A constant table at namespace scope. */
#define VX_TABLE __attribute__((device)) static const
#define VX_RESTRICT __restrict__
#else
#define VX_TABLE alignas(64) static const
#define VX_RESTRICT __restrict__
#endif

#if VX_GPU && !defined(VX_THREADS_OF_TEST)
#define VX_UNROLL _Pragma("unroll")
#elif defined(__clang__)
#define VX_UNROLL _Pragma("clang loop unroll(full)")
#else
#define VX_UNROLL _Pragma("GCC unroll 32")
#endif

/* Keeps a loop a loop: unrolled copies would need more registers than there are. */
#if defined(__clang__)
#define VX_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define VX_ROLLED _Pragma("GCC unroll 1")
#endif

namespace vx
{

/** The work-group that runs: its position in the grid, and on a GPU the thread in it. */
struct Group {
    uint32_t x, y, z;
#if VX_GPU
    int thread;  /* of the work-group */
    int threads; /* in the work-group, a constant after inlining */
#endif
};

/** For kernels without tile memory. */
struct NoTile {
    uint32_t unused;
};

VX_INLINE int smaller(int a, int b)
{
    return a < b ? a : b;
}
VX_INLINE uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}
VX_INLINE int larger(int a, int b)
{
    return a > b ? a : b;
}

/** The first work-group's mark, which stands for the launch: launches are lost whole. On a GPU it
 * is the first thing that the kernel does, so that nothing of it is held in registers. */
VX_INLINE void leave_mark(const Mark &mark, uint32_t x, uint32_t y, uint32_t z)
{
    if ((x | y | z) == 0 && mark.word != nullptr)
        *mark.word = mark.value;
}

/* ---- GPU ------------------------------------------------------------------------------------ */
#if VX_GPU

#if defined(__AMDGCN__)
VX_INLINE int thread_index()
{
    return static_cast<int>(__builtin_amdgcn_workitem_id_x());
}
VX_INLINE uint32_t group_x()
{
    return __builtin_amdgcn_workgroup_id_x();
}
VX_INLINE uint32_t group_y()
{
    return __builtin_amdgcn_workgroup_id_y();
}
VX_INLINE uint32_t group_z()
{
    return __builtin_amdgcn_workgroup_id_z();
}
VX_INLINE void barrier()
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
VX_INLINE void atomic_add(uint64_t *p, uint64_t v)
{
    __hip_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
/** Adds every thread's v to one word of tile memory. */
VX_INLINE void add_to_tile(uint64_t *p, uint64_t v)
{
    __hip_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
VX_INLINE void atomic_add(uint32_t *p, uint32_t v)
{
    __hip_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
/** Adds to a word of tile memory that other items of the phase add to as well. */
VX_INLINE void add_in_tile(uint32_t *p, uint32_t v)
{
    __hip_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
#define VX_BOUNDS(threads) amdgpu_flat_work_group_size(threads, threads)
#elif defined(VX_THREADS_OF_TEST)
} // namespace vx
#include VX_THREADS_OF_TEST
namespace vx
{
#else
VX_INLINE int thread_index()
{
    return __nvvm_read_ptx_sreg_tid_x();
}
VX_INLINE uint32_t group_x()
{
    return __nvvm_read_ptx_sreg_ctaid_x();
}
VX_INLINE uint32_t group_y()
{
    return __nvvm_read_ptx_sreg_ctaid_y();
}
VX_INLINE uint32_t group_z()
{
    return __nvvm_read_ptx_sreg_ctaid_z();
}
VX_INLINE void barrier()
{
    __nvvm_bar_sync(0);
}
VX_INLINE void atomic_add(uint64_t *p, uint64_t v)
{
    __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
VX_INLINE void atomic_add(uint32_t *p, uint32_t v)
{
    __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
/** Adds to a word of tile memory that other items of the phase add to as well. */
VX_INLINE void add_in_tile(uint32_t *p, uint32_t v)
{
    __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
/** Adds every thread's v to one word of tile memory. 64-bit atomics there are loops on NVIDIA GPUs,
 * so a warp adds up its threads first; all of them come here together. */
VX_INLINE void add_to_tile(uint64_t *p, uint64_t v)
{
    constexpr int kWarp = 32, kFull = -1, kClamp = 31;
    VX_UNROLL
    for (int distance = kWarp / 2; distance > 0; distance /= 2) {
        const int low = __nvvm_shfl_sync_bfly_i32(kFull, static_cast<int>(v), distance, kClamp);
        const int high =
            __nvvm_shfl_sync_bfly_i32(kFull, static_cast<int>(v >> 32), distance, kClamp);
        v += static_cast<uint64_t>(static_cast<uint32_t>(high)) << 32 | static_cast<uint32_t>(low);
    }
    if (thread_index() % kWarp == 0)
        __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
#define VX_BOUNDS(threads) launch_bounds(threads)
#endif

#define VX_SYNC(group) ::vx::barrier()

#define VX_FOR(group, i, count)                                                                    \
    for (int i = (group).thread, vx_end_##i = (count); i < vx_end_##i; i += (group).threads)

#define VX_FOR2(group, y, x, rows, cols)                                                           \
    for (int vx_at_##y = (group).thread, vx_end_##y = (rows) * (cols); vx_at_##y < vx_end_##y;     \
         vx_at_##y += (group).threads)                                                             \
        if (const int y = vx_at_##y / (cols), x = vx_at_##y - y * (cols); true)

#define VX_KERNEL(name, Args, Tile, Threads)                                                       \
    VX_GPU_KERNEL(name, Args, Tile, Threads, VX_BOUNDS(Threads))

#ifndef VX_GPU_KERNEL
#define VX_GPU_KERNEL(name, Args, Tile, Threads, bounds)                                           \
    VX_INLINE void name##_body(const Args &args, Tile &tile, const vx::Group group);               \
    extern "C" __attribute__((global, bounds)) void name(const vx::Marked<Args> marked)            \
    {                                                                                              \
        if (vx::thread_index() == 0)                                                               \
            vx::leave_mark(marked.mark, vx::group_x(), vx::group_y(), vx::group_z());              \
        __attribute__((shared)) static Tile tile;                                                  \
        name##_body(marked.args, tile,                                                             \
                    vx::Group{vx::group_x(), vx::group_y(), vx::group_z(), vx::thread_index(),     \
                              (Threads)});                                                         \
    }                                                                                              \
    VX_INLINE void name##_body([[maybe_unused]] const Args &args, [[maybe_unused]] Tile &tile,     \
                               [[maybe_unused]] const vx::Group group)
#endif

/* ---- CPU ------------------------------------------------------------------------------------ */
#else

/** One kernel of an x86-64 image, as the CPU runtime reads it. */
struct CpuKernel {
    const char *name;
    void (*run)(const void *args, void *tile, uint32_t x, uint32_t y, uint32_t z);
    uint64_t args_size; /* bytes of the argument struct and the mark */
    uint64_t tile_size; /* bytes of tile memory, 64-byte aligned, contents undefined at entry */
};

VX_INLINE void atomic_add(uint64_t *p, uint64_t v)
{
    __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
VX_INLINE void atomic_add(uint32_t *p, uint32_t v)
{
    __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
/** Adds to a word of tile memory that other items of the phase add to as well. An atomic keeps the
 * vectoriser from taking the items for independent. */
VX_INLINE void add_in_tile(uint32_t *p, uint32_t v)
{
    __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}

#define VX_SYNC(group) ((void)(group))

#if defined(__clang__)
/* Not every loop is one that a vector unit can take: no warning about those. */
#pragma clang diagnostic ignored "-Wpass-failed"
#define VX_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define VX_INDEPENDENT _Pragma("GCC ivdep")
#endif

#define VX_FOR(group, i, count)                                                                    \
    VX_INDEPENDENT                                                                                 \
    for (int i = ((void)(group), 0), vx_end_##i = (count); i < vx_end_##i; ++i)

#define VX_FOR2(group, y, x, rows, cols)                                                           \
    for (int y = ((void)(group), 0), vx_end_##y = (rows); y < vx_end_##y; ++y)                     \
        VX_INDEPENDENT                                                                             \
    for (int x = 0, vx_end_##x = (cols); x < vx_end_##x; ++x)

#define VX_KERNEL(name, Args, Tile, Threads)                                                       \
    VX_INLINE void name##_body(const Args &args, Tile &tile, const vx::Group group);               \
    static void name##_run(const void *args, void *tile, uint32_t x, uint32_t y, uint32_t z)       \
    {                                                                                              \
        const auto &marked = *static_cast<const vx::Marked<Args> *>(args);                         \
        name##_body(marked.args, *static_cast<Tile *>(tile), vx::Group{x, y, z});                  \
        vx::leave_mark(marked.mark, x, y, z);                                                      \
    }                                                                                              \
    static const vx::CpuKernel name##_kernel = {#name, name##_run, sizeof(vx::Marked<Args>),       \
                                                sizeof(Tile)};                                     \
    __attribute__((section("vmafx_kernels"),                                                       \
                   used)) static const vx::CpuKernel *const name##_entry = &name##_kernel;         \
    VX_INLINE void name##_body([[maybe_unused]] const Args &args, [[maybe_unused]] Tile &tile,     \
                               [[maybe_unused]] const vx::Group group)
#endif

/* ---- sums over a work-group ------------------------------------------------------------------ */

/** N 64-bit sums in tile memory. Signed values are added modulo 2^64. */
template <int N> struct Sums {
    uint64_t v[N];
};

template <int N> VX_INLINE void sums_clear(const Group &group, Sums<N> &sums)
{
    VX_FOR (group, i, N) {
        sums.v[i] = 0;
    }
    VX_SYNC(group);
}

/** Adds the calling thread's share. Outside of phases, by all threads of the work-group. */
template <int N>
VX_INLINE void sums_add([[maybe_unused]] const Group &group, Sums<N> &sums, int k, int64_t value)
{
#if VX_GPU
    add_to_tile(&sums.v[k], static_cast<uint64_t>(value));
#else
    sums.v[k] += static_cast<uint64_t>(value);
#endif
}

/** Adds the sums of the work-group to N words of global memory. */
template <int N> VX_INLINE void sums_store(const Group &group, Sums<N> &sums, uint64_t *global)
{
    VX_SYNC(group);
    VX_FOR (group, i, N) {
        if (sums.v[i] != 0)
            atomic_add(global + i, sums.v[i]);
    }
}

/* ---- estimates ------------------------------------------------------------------------------- */

/** 1 / x within 2^-22 of it, relatively, for normal x: not the same everywhere, so only for what
 *  comes out the same from any such value. */
VX_INLINE float near_reciprocal(float x)
{
#if defined(__AMDGCN__)
    return __builtin_amdgcn_rcpf(x);
#elif defined(__NVPTX__)
    return __nvvm_rcp_approx_ftz_f(x);
#else
    return 1.0f / x;
#endif
}

/** v, of which the compiler no longer knows what it proved: that a value is not negative lets it
 *  make a product of a signed and an unsigned number, for which GPUs have no instruction. */
VX_INLINE int32_t any_value(int32_t v)
{
#if defined(__AMDGCN__)
    __asm__("" : "+v"(v));
#elif defined(__NVPTX__)
    __asm__("" : "+r"(v));
#endif
    return v;
}

/* ---- samples ----------------------------------------------------------------------------------
 */

/** A 16-bit sample at any byte address. A struct, because templates drop a type's alignment. */
struct __attribute__((packed, may_alias)) UnalignedU16 {
    uint16_t value;
    __attribute__((always_inline)) inline operator uint16_t() const { return value; }
};

template <class T> struct SampleOf;
template <> struct SampleOf<uint8_t> {
    typedef uint8_t type;
};
template <> struct SampleOf<uint16_t> {
    typedef UnalignedU16 type;
};

/** Row y of a plane of T samples (uint8_t or uint16_t) with a pitch in bytes. */
template <class T>
VX_INLINE const typename SampleOf<T>::type *row_of(const void *plane, uint64_t pitch, int y)
{
    return reinterpret_cast<const typename SampleOf<T>::type *>(static_cast<const char *>(plane) +
                                                                static_cast<uint64_t>(y) * pitch);
}

/** Whole-sample mirror of an index into 0..n-1; exact for -n < i < 2n-1. n >= 2. */
VX_INLINE int mirror(int i, int n)
{
    i = i < 0 ? -i : i;
    return i >= n ? 2 * (n - 1) - i : i;
}

} // namespace vx

#endif
