/* SPDX-License-Identifier: BSD-2-Clause */
#include <cstring>
#include <map>
#include <stdexcept>

#include "bench/engine.h"
#include "bench/libvmaf_abi.h"

namespace bench
{

namespace
{

using libvmaf::Api;

void must(int result, const std::string &what)
{
    if (result)
        throw std::runtime_error("libvmaf: " + what + " failed with " + std::to_string(result));
}

class LibvmafSession final : public Session
{
  public:
    LibvmafSession(const Api &api, uint32_t workers, const Task &task, const PictureShape &shape)
        : api_(api), shape_(shape)
    {
        /* One worker is the caller itself. With more, whole frames go to the threads, and the
         * caller fills the next pictures meanwhile. No instruction set is masked. */
        const unsigned threads = workers > 1 ? workers : 0;
        must(api_.init(&context_, {1, threads, 1, 0, 0}), "vmaf_init");
        for (const std::string &name : task.models)
            use_model(name);
        for (const std::string &name : task.features)
            must(api_.use_feature(context_, name.c_str(), nullptr), "vmaf_use_feature " + name);
        /* Two pairs per thread (one in work, one queued), the caller's pair and the two references
         * that are kept for motion: nobody waits for a free picture. */
        const unsigned pictures = 4 * threads + 4;
        must(api_.preallocate(
                 context_, {shape.width, shape.height, shape.bits, libvmaf::kFormat420, pictures}),
             "vmaf_preallocate_pictures");
    }

    ~LibvmafSession() override
    {
        api_.close(context_);
        for (const auto &[name, model] : models_)
            api_.model_destroy(model);
    }

    void submit(const PicturePair &pair, uint32_t index) override
    {
        libvmaf::Picture reference = filled_picture(pair.reference);
        libvmaf::Picture distorted = filled_picture(pair.distorted);
        must(api_.read_pictures(context_, &reference, &distorted, index), "vmaf_read_pictures");
    }

    void flush() override { must(api_.read_pictures(context_, nullptr, nullptr, 0), "flush"); }

    double model_mean(const std::string &model, uint32_t frames) override
    {
        double score = 0;
        must(api_.model_pooled(context_, models_.at(model), libvmaf::kPoolMean, &score, 0,
                               frames - 1),
             "vmaf_score_pooled");
        return score;
    }

    bool has_feature_score(const std::string &name, uint32_t index) override
    {
        double score = 0;
        return api_.feature_at(context_, name.c_str(), &score, index) == 0;
    }

    double feature_mean(const std::string &name, uint32_t frames) override
    {
        double score = 0;
        must(api_.feature_pooled(context_, name.c_str(), libvmaf::kPoolMean, &score, 0, frames - 1),
             "vmaf_feature_score_pooled " + name);
        return score;
    }

    double model_score(const std::string &model, uint32_t index) override
    {
        double score = 0;
        must(api_.model_at(context_, models_.at(model), &score, index), "vmaf_score_at_index");
        return score;
    }

    double feature_score(const std::string &name, uint32_t index) override
    {
        double score = 0;
        must(api_.feature_at(context_, name.c_str(), &score, index),
             "vmaf_feature_score_at_index " + name);
        return score;
    }

  private:
    const Api &api_;
    PictureShape shape_;
    libvmaf::Context *context_ = nullptr;
    std::map<std::string, libvmaf::Model *> models_;

    void use_model(const std::string &name)
    {
        libvmaf::ModelSettings settings = {name.c_str(), 0};
        libvmaf::Model *model = nullptr;
        must(api_.model_load(&model, &settings, name.c_str()), "vmaf_model_load " + name);
        models_[name] = model;
        must(api_.use_model(context_, model), "vmaf_use_features_from_model " + name);
    }

    libvmaf::Picture filled_picture(const Picture &source)
    {
        libvmaf::Picture picture = {};
        must(api_.fetch_picture(context_, &picture), "vmaf_fetch_preallocated_picture");
        check_layout(picture);
        for (uint32_t plane = 0; plane < 3; ++plane) {
            const size_t bytes = shape_.row_bytes(plane);
            auto *row = static_cast<uint8_t *>(picture.plane[plane]);
            const uint8_t *from = source.plane[plane];
            for (uint32_t y = 0; y < shape_.plane_height(plane); ++y) {
                std::memcpy(row, from, bytes);
                row += picture.pitch[plane];
                from += bytes;
            }
        }
        return picture;
    }

    /** A library whose struct differs from ours would answer nonsense here. */
    void check_layout(const libvmaf::Picture &picture) const
    {
        bool sane = picture.format == libvmaf::kFormat420 && picture.bits == shape_.bits;
        for (uint32_t plane = 0; plane < 3; ++plane) {
            const auto row = static_cast<ptrdiff_t>(shape_.row_bytes(plane));
            sane = sane && picture.width[plane] == shape_.plane_width(plane) &&
                   picture.height[plane] == shape_.plane_height(plane) && picture.plane[plane] &&
                   picture.pitch[plane] >= row && picture.pitch[plane] < row + 4096;
        }
        if (!sane)
            throw std::runtime_error("libvmaf: its pictures are laid out in an unknown way");
    }
};

class LibvmafEngine final : public Engine
{
  public:
    LibvmafEngine(const std::string &path, uint32_t workers)
        : api_(libvmaf::load(path)), workers_(workers)
    {
    }

    std::string description() const override
    {
        return std::string("libvmaf ") + api_.version() + ", all instruction sets";
    }

    bool has_feature(const std::string &name) override
    {
        libvmaf::Context *context = nullptr;
        must(api_.init(&context, {0, 0, 1, 0, 0}), "vmaf_init");
        const bool has = api_.use_feature(context, name.c_str(), nullptr) == 0;
        api_.close(context);
        return has;
    }

    std::unique_ptr<Session> start(const Task &task, const PictureShape &shape) override
    {
        return std::make_unique<LibvmafSession>(api_, workers_, task, shape);
    }

  private:
    Api api_;
    uint32_t workers_;
};

} // namespace

std::unique_ptr<Engine> open_libvmaf(const std::string &path, uint32_t workers)
{
    return std::make_unique<LibvmafEngine>(path, workers);
}

} // namespace bench
