/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/frame_work.h"

#include <algorithm>
#include <utility>

#include "core/failure.h"
#include "hip/planted.h"
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

/** The library streams of the pictures' device handles, which are of one GPU, each once. */
std::vector<hip::Stream *> library_streams(const Pictures &pictures)
{
    std::vector<hip::Stream *> streams;
    for (VmafxFrame *frame : pictures.all()) {
        if (!frame)
            continue;
        hip::Stream *stream = &frame->device().stream();
        if (std::find(streams.begin(), streams.end(), stream) == streams.end())
            streams.push_back(stream);
    }
    return streams;
}

} // namespace

size_t FrameWork::mark_words() const
{
    const Lane &lane = lanes_.first();
    const size_t stamps = kPictures * kStampsOfPicture + lane.runner.uploads();
    const size_t clears = 1 + stamps / kClearStamps;
    return lane.plans.count_commands() + clears + stamps;
}

void FrameWork::enqueue(InFlight &slot)
{
    for (VmafxFrame *frame : slot.pictures.all())
        if (frame)
            frame->begin_read();
    ++slot.runs;
    FrameJob job = job_of(slot);
    follow_library_stream(slot);
    enqueue_plans(job, slot);
}

FrameJob FrameWork::job_of(InFlight &slot)
{
    const Pictures &pictures = slot.pictures;
    const PlanSet &plans = slot.lane->plans;
    FrameJob job;
    job.stream = &slot.lane->runner;
    job.index = slot.index;
    job.results = slot.device_words();
    job.reference = pictures.reference->materialise(plans.reference_planes(slot.skipped));
    job.distorted = pictures.distorted->materialise(plans.distorted_planes(slot.skipped));
    const auto view_earlier = [](const EarlierPictures &from, PictureView *to) {
        for (size_t i = 0; i < from.size(); ++i)
            if (from[i])
                to[i] = from[i]->materialise(0);
    };
    view_earlier(pictures.previous, job.previous);
    view_earlier(pictures.previous_distorted, job.previous_distorted);
    return job;
}

/** What the pictures need was enqueued on the library streams of their handles. The library stream
 * does not wait for the lane in turn: what it does for the next pair goes on at once. */
void FrameWork::follow_library_stream(InFlight &slot)
{
    hip::Stream &library = device_->stream(), &lane = slot.lane->stream;
    for (hip::Stream *other : library_streams(slot.pictures))
        if (other != &library)
            device_->join(*other, library);
    if (&lane == &library || planted(Planted::kHastyLane))
        return;
    slot.ready.record(library.get());
    lane.wait_for(slot.ready.get());
    library.submit(); /* what is not may be overtaken by work of another stream */
}

/* The stamps are read before the plans read the pictures: a picture that comes later does not
 * count. */
void FrameWork::enqueue_plans(FrameJob &job, InFlight &slot)
{
    PlanRunner &runner = slot.lane->runner;
    stamps_.clear();
    runner.add_stamps(stamps_);
    for (VmafxFrame *frame : slot.pictures.all())
        if (frame)
            frame->add_stamps(stamps_);
    slot.marks.start(device_->new_stamp());
    const Marking marking(runner, slot.marks);
    runner.clear(job.results, slot.result_words * sizeof(uint64_t), stamps_);
    slot.lane->plans.enqueue(job, slot.skipped);
    ring_.commit(slot);
}

void FrameWork::settle(const InFlight &slot)
{
    const std::vector<uint64_t> seen = slot.marks.stamps_seen(slot.mark_words());
    if (!seen.empty())
        slot.lane->runner.settle(seen);
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
    slot.lane->runner.upload_again(lost);
    for (VmafxFrame *frame : slot.pictures.all())
        if (frame)
            frame->materialise_again(lost);
    enqueue(slot);
}

void FrameWork::let_go(InFlight &slot)
{
    const Pictures pictures = std::exchange(slot.pictures, Pictures());
    try {
        /* Releases are ordered by the library stream of the frame's handle. */
        for (hip::Stream *library : library_streams(pictures))
            if (library != &slot.lane->stream && !planted(Planted::kUnjoinedLane))
                device_->join(slot.lane->stream, *library);
    } catch (...) {
        await_reads();
        throw;
    }
}

/** Where a stream cannot be told to wait for the last reads, the host does. */
void FrameWork::await_reads() noexcept
try {
    if (!lanes_.wait(wait_limit_))
        log_message(VMAFX_LOG_WARNING, "the device still reads frames that are let go");
} catch (const std::exception &e) {
    log_message(VMAFX_LOG_WARNING, "waiting for the last reads of frames: %s", e.what());
}

void FrameWork::let_all_go() noexcept
{
    for (const auto &slot : ring_.pairs())
        try {
            hip::DeviceGuard guard(device_->runtime(), device_->ordinal());
            let_go(*slot);
        } catch (const std::exception &e) {
            log_message(VMAFX_LOG_WARNING, "frames that are let go were waited for: %s", e.what());
        }
}

} // namespace vmafx
