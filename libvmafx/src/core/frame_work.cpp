/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/frame_work.h"

#include <algorithm>
#include <thread>

#include "core/failure.h"
#include "kernels/clear_kernels.h"

namespace vmafx
{

namespace
{

/* A picture has an upload per source plane and two conversions. */
constexpr size_t kStampsOfPicture = VMAFX_MAX_PLANES + 2;
constexpr size_t kPictures = std::tuple_size_v<decltype(Pictures().all())>;

/** A runner that leaves marks for a scope. */
class Marking
{
  public:
    Marking(PlanRunner &runner, MarkList &marks) : runner_(runner) { runner.leave_marks(&marks); }
    ~Marking() { runner_.leave_marks(nullptr); }
    Marking(const Marking &) = delete;
    Marking &operator=(const Marking &) = delete;

  private:
    PlanRunner &runner_;
};

} // namespace

size_t FrameWork::mark_words() const
{
    const size_t stamps = kPictures * kStampsOfPicture + runner_.uploads();
    const size_t clears = 1 + stamps / kClearStamps;
    return plans_.count_commands() + clears + stamps;
}

void FrameWork::enqueue(InFlight &slot)
{
    const Pictures &pictures = slot.pictures;
    for (VmafxFrame *frame : pictures.all())
        if (frame)
            frame->begin_read();
    ++slot.runs;
    FrameJob job;
    job.stream = &runner_;
    job.index = slot.index;
    job.reference = pictures.reference->materialise(plans_.reference_planes(slot.skipped));
    job.distorted = pictures.distorted->materialise(plans_.distorted_planes(slot.skipped));
    const auto view_earlier = [](const EarlierPictures &from, PictureView *to) {
        for (size_t i = 0; i < from.size(); ++i)
            if (from[i])
                to[i] = from[i]->materialise(0);
    };
    view_earlier(pictures.previous, job.previous);
    view_earlier(pictures.previous_distorted, job.previous_distorted);

    /* A frame of another handle of this GPU was prepared on, and is released on, another stream. */
    std::vector<Device *> others;
    for (VmafxFrame *frame : pictures.all())
        if (frame && &frame->device() != device_.get() &&
            std::find(others.begin(), others.end(), &frame->device()) == others.end())
            others.push_back(&frame->device());
    for (Device *other : others)
        device_->join(other->stream(), device_->stream());
    const auto let_go = [&] {
        try {
            for (Device *other : others)
                device_->join(device_->stream(), other->stream());
        } catch (...) {
            await_reads();
            throw;
        }
    };
    try {
        enqueue_plans(job, slot);
    } catch (...) {
        let_go(); /* what was enqueued reads the frames all the same */
        throw;
    }
    let_go();
}

/** Where another stream could not be told to wait, which lets its frames go, the host does. */
void FrameWork::await_reads() noexcept
try {
    using std::chrono::steady_clock;
    constexpr std::chrono::microseconds kPause{100};
    const auto deadline = steady_clock::now() + wait_limit_;
    while (!device_->stream().submit()) {
        if (steady_clock::now() >= deadline)
            return log_message(VMAFX_LOG_WARNING, "the device still reads frames that are let go");
        std::this_thread::sleep_for(kPause);
    }
} catch (const std::exception &e) {
    log_message(VMAFX_LOG_WARNING, "waiting for the last reads of frames: %s", e.what());
}

/* The stamps are read before the plans read the pictures: a picture that comes later does not
 * count. */
void FrameWork::enqueue_plans(FrameJob &job, InFlight &slot)
{
    stamps_.clear();
    runner_.add_stamps(stamps_);
    for (VmafxFrame *frame : slot.pictures.all())
        if (frame)
            frame->add_stamps(stamps_);
    slot.marks.start(device_->new_stamp());
    const Marking marking(runner_, slot.marks);
    job.results = slot.device_words();
    runner_.clear(job.results, slot.result_words * sizeof(uint64_t), stamps_);
    plans_.enqueue(job, slot.skipped);
    ring_.commit(slot);
}

void FrameWork::settle(const InFlight &slot)
{
    const std::vector<uint64_t> seen = slot.marks.stamps_seen(slot.mark_words());
    if (!seen.empty())
        runner_.settle(seen);
    for (VmafxFrame *frame : slot.pictures.all()) {
        if (!frame)
            continue;
        frame->settle(seen);
        frame->end_reads(slot.runs);
    }
}

/* A stamp is missing too when the kernel that fetches it was lost; filling the same memory with the
 * same bytes once more does no harm to those who read it. */
void FrameWork::enqueue_again(InFlight &slot)
{
    const std::vector<uint64_t> lost = slot.marks.missing_stamps(slot.mark_words());
    runner_.upload_again(lost);
    for (VmafxFrame *frame : slot.pictures.all())
        if (frame)
            frame->materialise_again(lost);
    enqueue(slot);
}

} // namespace vmafx
