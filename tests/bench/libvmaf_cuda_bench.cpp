/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Frames per second of libvmaf's CUDA extractors on the pictures of device_bench, which are in the
 * device's memory as libvmaf keeps them there.
 *
 *     libvmaf_cuda_bench LIBVMAF WIDTH HEIGHT BITS FRAMES MODEL...
 *
 * LIBVMAF is a library of version 3.2 that was built with enable_cuda.
 */
#include <chrono>
#include <cstdio>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <dlfcn.h>

#include "bench/libvmaf_abi.h"
#include "support/picture.h"

namespace
{

using namespace bench;
using support::PackedPlane;

constexpr uint32_t kPairs = 8;
constexpr unsigned kWarmUpFrames = 16;

/* ---- what is used of libcuda */

typedef int (*CudaInit)(unsigned);
typedef int (*CudaRetain)(void **context, int device);
typedef int (*CudaPush)(void *context);
typedef int (*CudaSynchronize)();
typedef int (*CudaUpload)(uint64_t to, const void *from, size_t bytes);

void must(int result, const char *what)
{
    if (result)
        throw std::runtime_error(std::string(what) + " failed with " + std::to_string(result));
}

template <class Function> Function find(void *library, const char *name)
{
    void *symbol = library ? dlsym(library, name) : nullptr;
    if (!symbol)
        throw std::runtime_error(std::string("there is no ") + name);
    return reinterpret_cast<Function>(symbol);
}

struct Cuda {
    void *context = nullptr;
    CudaUpload upload;
    CudaSynchronize synchronize;
};

Cuda open_cuda()
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    Cuda cuda;
    must(find<CudaInit>(library, "cuInit")(0), "cuInit");
    must(find<CudaRetain>(library, "cuDevicePrimaryCtxRetain")(&cuda.context, 0),
         "cuDevicePrimaryCtxRetain");
    must(find<CudaPush>(library, "cuCtxPushCurrent_v2")(cuda.context), "cuCtxPushCurrent");
    cuda.upload = find<CudaUpload>(library, "cuMemcpyHtoD_v2");
    cuda.synchronize = find<CudaSynchronize>(library, "cuCtxSynchronize");
    return cuda;
}

/* ---- libvmaf's own CUDA calls */

struct State;
struct StateSettings {
    void *context;
};
struct PoolOfDevice {
    unsigned width, height, bits;
    int format;
    int method;
};
constexpr int kInDeviceMemory = 1;

struct CudaApi {
    int (*state)(State **, StateSettings);
    int (*import)(libvmaf::Context *, State *);
    int (*preallocate)(libvmaf::Context *, PoolOfDevice);
    int (*fetch)(libvmaf::Context *, libvmaf::Picture *);
};

CudaApi load_cuda_api(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CudaApi api;
    api.state = find<decltype(api.state)>(library, "vmaf_cuda_state_init");
    api.import = find<decltype(api.import)>(library, "vmaf_cuda_import_state");
    api.preallocate = find<decltype(api.preallocate)>(library, "vmaf_cuda_preallocate_pictures");
    api.fetch = find<decltype(api.fetch)>(library, "vmaf_cuda_fetch_preallocated_picture");
    return api;
}

/* ---- the measurement */

struct Shape {
    uint32_t width, height, bits;
};

class Bench
{
  public:
    Bench(const char *path, const Shape &shape)
        : api_(libvmaf::load(path)), cuda_api_(load_cuda_api(path)), cuda_(open_cuda()),
          shape_(shape)
    {
        const support::LayoutFacts &layout = support::facts_of(VMAFX_LAYOUT_420);
        for (uint32_t i = 0; i < kPairs; ++i) {
            const support::Picture picture = support::natural_picture(VMAFX_LAYOUT_420, shape.bits,
                                                                      shape.width, shape.height, i);
            luma_.push_back(support::pack(picture, layout)[0]);
            luma_.push_back(support::pack(support::distorted(picture, i + 50), layout)[0]);
        }
    }

    /** Seconds for frames, after some that are not counted. */
    double score(std::span<char *const> models, unsigned frames)
    {
        libvmaf::Context *context = nullptr;
        must(api_.init(&context, {1, 0, 1, 0, 0}), "vmaf_init");
        State *state = nullptr;
        must(cuda_api_.state(&state, {cuda_.context}), "vmaf_cuda_state_init");
        must(cuda_api_.import(context, state), "vmaf_cuda_import_state");
        std::vector<libvmaf::Model *> loaded;
        for (const char *name : models) {
            libvmaf::ModelSettings settings = {name, 0};
            loaded.push_back(nullptr);
            must(api_.model_load(&loaded.back(), &settings, name), "vmaf_model_load");
            must(api_.use_model(context, loaded.back()), "vmaf_use_features_from_model");
        }
        must(cuda_api_.preallocate(context, {shape_.width, shape_.height, shape_.bits,
                                             libvmaf::kFormat420, kInDeviceMemory}),
             "vmaf_cuda_preallocate_pictures");
        unsigned index = 0;
        for (; index < kWarmUpFrames; ++index)
            submit(context, index);
        must(cuda_.synchronize(), "cuCtxSynchronize");
        const auto start = std::chrono::steady_clock::now();
        for (; index < kWarmUpFrames + frames; ++index)
            submit(context, index);
        must(api_.read_pictures(context, nullptr, nullptr, 0), "flush");
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        for (libvmaf::Model *model : loaded) {
            double mean = 0;
            must(api_.model_pooled(context, model, libvmaf::kPoolMean, &mean, 0, index - 1),
                 "vmaf_score_pooled");
        }
        api_.close(context);
        for (libvmaf::Model *model : loaded)
            api_.model_destroy(model);
        return time.count();
    }

  private:
    void submit(libvmaf::Context *context, unsigned index)
    {
        libvmaf::Picture pair[2];
        for (libvmaf::Picture &picture : pair)
            must(cuda_api_.fetch(context, &picture), "vmaf_cuda_fetch_preallocated_picture");
        for (unsigned side = 0; side < 2; ++side)
            fill_once(pair[side], luma_[2 * (index % kPairs) + side]);
        must(api_.read_pictures(context, &pair[0], &pair[1], index), "vmaf_read_pictures");
    }

    /** Pictures come back to the pool as they are. */
    void fill_once(const libvmaf::Picture &to, const PackedPlane &from)
    {
        if (!filled_.insert(to.plane[0]).second)
            return;
        for (uint32_t y = 0; y < from.rows; ++y)
            must(cuda_.upload(reinterpret_cast<uint64_t>(to.plane[0]) +
                                  y * static_cast<uint64_t>(to.pitch[0]),
                              from.bytes.data() + y * from.row_bytes, from.row_bytes),
                 "cuMemcpyHtoD");
    }

    libvmaf::Api api_;
    CudaApi cuda_api_;
    Cuda cuda_;
    Shape shape_;
    std::vector<PackedPlane> luma_; /* reference, distorted, … */
    std::set<void *> filled_;
};

} // namespace

int main(int argc, char **argv)
try {
    if (argc < 7)
        throw std::invalid_argument("LIBVMAF WIDTH HEIGHT BITS FRAMES MODEL...");
    const auto number = [&](int i) { return static_cast<uint32_t>(std::stoul(argv[i])); };
    const unsigned frames = number(5);
    Bench bench(argv[1], {number(2), number(3), number(4)});
    const double seconds = bench.score({argv + 6, argv + argc}, frames);
    std::printf("libvmaf CUDA %sx%s %s bit", argv[2], argv[3], argv[4]);
    for (int i = 6; i < argc; ++i)
        std::printf(" %s", argv[i]);
    std::printf(": %.0f fps, %u frames\n", frames / seconds, frames);
} catch (const std::exception &e) {
    std::fprintf(stderr, "libvmaf_cuda_bench: %s\n", e.what());
    return 1;
}
