/* SPDX-License-Identifier: BSD-2-Clause */
#include "copy.h"

#include <algorithm>
#include <cstring>

#include "engine.h"

namespace vmafx::cpu
{

using namespace hip;

namespace
{

/* What a worker copies at once: enough to hide the hand-over, little enough to share. */
constexpr size_t kPieceBytes = size_t{256} << 10;

/** Cuts a rectangle into pieces of whole rows, or a single row into pieces of bytes. */
class RectangleWork : public Work
{
  public:
    RectangleWork(size_t width, size_t height) : width_(width), height_(height)
    {
        rows_per_part_ = std::max<size_t>(1, kPieceBytes / width);
    }

    uint64_t parts() const final
    {
        if (height_ == 1)
            return (width_ - 1) / kPieceBytes + 1;
        return (height_ - 1) / rows_per_part_ + 1;
    }

    void run(uint64_t first, uint64_t end, WorkerMemory &) final
    {
        for (uint64_t part = first; part < end; ++part)
            run_part(part);
    }

  protected:
    virtual void piece(size_t x, size_t y, size_t bytes) = 0;

  private:
    void run_part(uint64_t part)
    {
        if (height_ == 1) {
            const size_t x = part * kPieceBytes;
            piece(x, 0, std::min(kPieceBytes, width_ - x));
            return;
        }
        const size_t begin = part * rows_per_part_;
        const size_t end = std::min(height_, begin + rows_per_part_);
        for (size_t y = begin; y < end; ++y)
            piece(0, y, width_);
    }

    size_t width_;
    size_t height_;
    size_t rows_per_part_;
};

class CopyWork final : public RectangleWork
{
  public:
    CopyWork(const Rows &to, const Rows &from, size_t width, size_t height, bool upload,
             std::shared_ptr<void> holds)
        : RectangleWork(width, height), to_(to), from_(from),
          nature_(upload ? Nature::upload : Nature::copy), holds_(std::move(holds))
    {
    }
    Nature nature() const override { return nature_; }

  private:
    void piece(size_t x, size_t y, size_t bytes) override
    {
        std::memcpy(to_.data + y * to_.pitch + x, from_.data + y * from_.pitch + x, bytes);
    }

    Rows to_;
    Rows from_;
    Nature nature_;
    std::shared_ptr<void> holds_;
};

class FillWork final : public RectangleWork
{
  public:
    FillWork(const Rows &to, int value, size_t width, size_t height)
        : RectangleWork(width, height), to_(to), value_(value)
    {
    }
    Nature nature() const override { return Nature::fill; }

  private:
    void piece(size_t x, size_t y, size_t bytes) override
    {
        std::memset(to_.data + y * to_.pitch + x, value_, bytes);
    }

    Rows to_;
    int value_;
};

} // namespace

hipError_t check_rows(const Rows &rows, size_t width, size_t height, bool write)
{
    if (rows.pitch < width)
        return hipErrorInvalidPitchValue;
    if (width == 0 || height == 0)
        return hipSuccess;
    size_t bytes = 0;
    if (!rows.data || __builtin_mul_overflow(height - 1, rows.pitch, &bytes) ||
        __builtin_add_overflow(bytes, width, &bytes) ||
        bytes > UINTPTR_MAX - reinterpret_cast<uintptr_t>(rows.data))
        return hipErrorInvalidValue;
    return Engine::get().allocations.accessible(rows.data, bytes, write) ? hipSuccess
                                                                         : hipErrorInvalidValue;
}

hipError_t check_kind(hipMemcpyKind kind)
{
    return kind <= hipMemcpyDefault ? hipSuccess : hipErrorInvalidMemcpyDirection;
}

bool is_upload(const void *to, const void *from, hipMemcpyKind kind)
{
    if (kind != hipMemcpyDefault)
        return kind == hipMemcpyHostToDevice;
    const Allocations &allocations = Engine::get().allocations;
    return !allocations.on_device(from) && allocations.on_device(to);
}

std::unique_ptr<Work> copy_work(const Rows &to, const Rows &from, size_t width, size_t height,
                                bool upload, std::shared_ptr<void> holds)
{
    if (to.pitch == width && from.pitch == width)
        return std::make_unique<CopyWork>(to, from, width * height, 1, upload, std::move(holds));
    return std::make_unique<CopyWork>(to, from, width, height, upload, std::move(holds));
}

std::unique_ptr<Work> fill_work(const Rows &to, int value, size_t width, size_t height)
{
    if (to.pitch == width)
        return std::make_unique<FillWork>(to, value, width * height, 1);
    return std::make_unique<FillWork>(to, value, width, height);
}

} // namespace vmafx::cpu
