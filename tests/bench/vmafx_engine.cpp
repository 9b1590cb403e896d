/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/engine.h"
#include "support/handles.h"

namespace bench
{

namespace
{

using support::must;

VmafxFrameImport host_import(const Picture &picture, const PictureShape &shape)
{
    VmafxFrameImport import = VMAFX_FRAME_IMPORT_INIT;
    import.memory = VMAFX_MEMORY_HOST;
    import.layout = VMAFX_LAYOUT_420;
    import.bits = shape.bits;
    import.width = shape.width;
    import.height = shape.height;
    import.plane_count = 3;
    for (uint32_t plane = 0; plane < 3; ++plane) {
        import.plane[plane].address = const_cast<uint8_t *>(picture.plane[plane]);
        import.plane[plane].pitch = shape.row_bytes(plane);
        import.plane[plane].size = shape.plane_bytes(plane);
    }
    return import;
}

class VmafxSession final : public Session
{
  public:
    VmafxSession(const support::Device &device, const Task &task, const PictureShape &shape)
        : shape_(shape), context_(support::create_context(device))
    {
        for (const std::string &name : task.models)
            support::use_builtin_model(context_, name.c_str());
        for (const std::string &name : task.features)
            must(vmafx_context_use_feature, context_.get(), name.c_str(),
                 static_cast<const char *>(nullptr));
    }

    void submit(const PicturePair &pair, uint32_t index) override
    {
        const support::Frame reference = imported(pair.reference);
        const support::Frame distorted = imported(pair.distorted);
        must(vmafx_context_submit, context_.get(), reference.get(), distorted.get(),
             uint64_t{index});
    }

    void flush() override { must(vmafx_context_flush, context_.get()); }

    double model_mean(const std::string &model, uint32_t frames) override
    {
        return feature_mean(model, frames);
    }

    bool has_feature_score(const std::string &name, uint32_t index) override
    {
        double score = 0;
        return vmafx_score_at(context_.get(), name.c_str(), index, &score, nullptr) == VMAFX_OK;
    }

    double feature_mean(const std::string &name, uint32_t frames) override
    {
        double score = 0;
        must(vmafx_score_pooled, context_.get(), name.c_str(), VMAFX_POOL_MEAN, uint64_t{0},
             uint64_t{frames - 1}, &score);
        return score;
    }

    double model_score(const std::string &model, uint32_t index) override
    {
        return feature_score(model, index);
    }

    double feature_score(const std::string &name, uint32_t index) override
    {
        double score = 0;
        must(vmafx_score_at, context_.get(), name.c_str(), uint64_t{index}, &score);
        return score;
    }

  private:
    PictureShape shape_;
    support::Context context_;

    support::Frame imported(const Picture &picture)
    {
        const VmafxFrameImport import = host_import(picture, shape_);
        support::Frame frame;
        must(vmafx_context_import_frame, context_.get(), &import, uint64_t{0}, frame.out());
        return frame;
    }
};

class VmafxEngine final : public Engine
{
  public:
    explicit VmafxEngine(uint32_t workers)
    {
        /* It is asked for scores and features that there may not be; what fails is thrown. */
        vmafx_log_set_callback([](void *, int32_t, const char *) {}, nullptr, VMAFX_LOG_NONE);
        VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
        desc.runtime = VMAFX_RUNTIME_CPU;
        desc.workers = workers;
        must(vmafx_device_open, &desc, device_.out());
    }

    std::string description() const override
    {
        VmafxDeviceInfo info = VMAFX_DEVICE_INFO_INIT;
        must(vmafx_device_get_info, device_.get(), &info);
        return std::string("libvmafx ") + vmafx_version_string() + ", " + info.target;
    }

    bool has_feature(const std::string &name) override
    {
        return vmafx_context_use_feature(support::create_context(device_).get(), name.c_str(),
                                         nullptr, nullptr) == VMAFX_OK;
    }

    std::unique_ptr<Session> start(const Task &task, const PictureShape &shape) override
    {
        return std::make_unique<VmafxSession>(device_, task, shape);
    }

  private:
    support::Device device_;
};

} // namespace

std::unique_ptr<Engine> open_vmafx(uint32_t workers)
{
    return std::make_unique<VmafxEngine>(workers);
}

} // namespace bench
