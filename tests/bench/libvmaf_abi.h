/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the measurement needs of libvmaf's C ABI, version 3.2, on 64-bit Linux. Names of functions
 * are those of the library; everything else is named here.
 */
#ifndef TESTS_BENCH_LIBVMAF_ABI_H
#define TESTS_BENCH_LIBVMAF_ABI_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace bench::libvmaf
{

struct Context;
struct Model;
struct Options;

struct Settings {
    int log_level;      /* 0 none, 1 errors */
    unsigned threads;   /* 0: all work in the caller's thread */
    unsigned subsample; /* every n-th frame */
    uint64_t cpu_mask;  /* bits of instruction sets not to use */
    uint64_t gpu_mask;
};
static_assert(sizeof(Settings) == 32);

struct ModelSettings {
    const char *name;
    uint64_t flags;
};

struct Picture {
    int format; /* kFormat420 */
    unsigned bits;
    unsigned width[3], height[3];
    ptrdiff_t pitch[3];
    void *plane[3];
    void *reference_count;
    void *owner;
};
static_assert(sizeof(Picture) == 96);

struct PoolSettings {
    unsigned width, height, bits;
    int format;
    unsigned pictures;
};

constexpr int kFormat420 = 1;
constexpr int kPoolMean = 3;

/** The functions of a loaded library. */
struct Api {
    const char *(*version)();
    int (*init)(Context **, Settings);
    int (*close)(Context *);
    int (*model_load)(Model **, ModelSettings *, const char *name);
    void (*model_destroy)(Model *);
    int (*use_model)(Context *, Model *);
    int (*use_feature)(Context *, const char *, Options *);
    int (*preallocate)(Context *, PoolSettings);
    int (*fetch_picture)(Context *, Picture *);
    int (*unref_picture)(Picture *);
    int (*read_pictures)(Context *, Picture *, Picture *, unsigned index);
    int (*model_at)(Context *, Model *, double *, unsigned index);
    int (*feature_at)(Context *, const char *, double *, unsigned index);
    int (*model_pooled)(Context *, Model *, int method, double *, unsigned first, unsigned last);
    int (*feature_pooled)(Context *, const char *, int method, double *, unsigned first,
                          unsigned last);
};

/** The library stays loaded. Throws if the library cannot be loaded, lacks a function or is no
 * version 3.2. */
Api load(const std::string &path);

} // namespace bench::libvmaf

#endif
