/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Work-groups of a GPU on the host, for tests of code that only GPUs have: each thread runs until
 * it waits for others. A file that is compiled with VX_THREADS_OF_TEST="kernels/threads.h" and
 * includes kernels has them as objects of type GpuThreadsKernel.
 */
#ifndef VMAFX_TESTS_THREADS_H
#define VMAFX_TESTS_THREADS_H

#include <cstddef>
#include <cstdint>

namespace vmafx_test
{

/** Where the thread that runs stands. */
struct ThreadPlace {
    uint32_t x, y, z; /* of the work-group */
    int thread;
};

struct GpuThreadsKernel {
    void (*run)(const void *args, void *tile, const ThreadPlace &place);
    size_t tile_size;
    int threads;

    /** All work-groups of a grid, one after the other; tile memory starts as rubbish. Throws when a
     *  thread waits for one that has ended. */
    void launch(const void *args, uint32_t groups_x, uint32_t groups_y) const;
};

/** Waits for all threads of the work-group. */
void wait_for_group();

} // namespace vmafx_test

#ifdef VX_THREADS_OF_TEST

namespace vx
{

inline void barrier()
{
    vmafx_test::wait_for_group();
}
inline void atomic_add(uint64_t *p, uint64_t v)
{
    *p += v;
}
inline void atomic_add(uint32_t *p, uint32_t v)
{
    *p += v;
}
inline void add_in_tile(uint32_t *p, uint32_t v)
{
    *p += v;
}
inline void add_to_tile(uint64_t *p, uint64_t v)
{
    *p += v;
}

/** sums += left * right of the warp's matrices, as matrix.h lays them out. */
void multiply_add_of_warp(uint32_t (&sums)[4], const uint32_t (&left)[4], uint32_t right0,
                          uint32_t right1);

} // namespace vx

#define VX_BOUNDS(threads)
#define VX_GPU_KERNEL(name, Args, Tile, Threads, bounds)                                           \
    VX_INLINE void name##_body(const Args &args, Tile &tile, const vx::Group group);               \
    static void name##_thread(const void *args, void *tile, const vmafx_test::ThreadPlace &place)  \
    {                                                                                              \
        name##_body(*static_cast<const Args *>(args), *static_cast<Tile *>(tile),                  \
                    vx::Group{place.x, place.y, place.z, place.thread, (Threads)});                \
    }                                                                                              \
    [[maybe_unused]] static const vmafx_test::GpuThreadsKernel name = {name##_thread,              \
                                                                       sizeof(Tile), (Threads)};   \
    VX_INLINE void name##_body([[maybe_unused]] const Args &args, [[maybe_unused]] Tile &tile,     \
                               [[maybe_unused]] const vx::Group group)

#endif

#endif
