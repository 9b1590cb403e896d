/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/context.h"

#include <algorithm>
#include <cinttypes>

#include "core/failure.h"

using namespace vmafx;
using std::chrono::steady_clock;

namespace
{

constexpr uint64_t kDefaultWaitNs = UINT64_C(60'000'000'000);
constexpr uint64_t kMaxWaitNs = UINT64_C(600'000'000'000);
constexpr uint32_t kMaxRuns = 3;        /* of a frame's work, whose commands the device loses */
constexpr size_t kFromModel = SIZE_MAX; /* source of a column */

std::chrono::nanoseconds wait_limit(const VmafxContextDesc &desc)
{
    if (desc.wait_limit_ns > kMaxWaitNs)
        fail(VMAFX_E_RANGE, "desc.wait_limit_ns", "wait_limit_ns is %" PRIu64 "; at most %" PRIu64,
             desc.wait_limit_ns, kMaxWaitNs);
    return std::chrono::nanoseconds(desc.wait_limit_ns ? desc.wait_limit_ns : kDefaultWaitNs);
}

bool release_early(const VmafxContextDesc &desc)
{
    if (desc.flags & ~VMAFX_CONTEXT_RELEASE_EARLY)
        fail(VMAFX_E_INVALID, "desc.flags", "flags is 0x%x; see VMAFX_CONTEXT_*", desc.flags);
    return desc.flags & VMAFX_CONTEXT_RELEASE_EARLY;
}

std::string describe(const PictureFormat &f)
{
    return format("%ux%u %s %u bits", f.width, f.height, chroma_name(f.chroma), f.bits);
}

bool same_format(const PictureFormat &a, const PictureFormat &b)
{
    return a.width == b.width && a.height == b.height && a.bits == b.bits && a.chroma == b.chroma;
}

std::string feature_list()
{
    std::string names;
    for (const FeatureDescription *feature : all_features())
        names += (names.empty() ? "" : ", ") + std::string(feature->name);
    return names;
}

} // namespace

/** Scores of the plans go to the store under their index. */
class VmafxContext::Sink final : public ScoreSink
{
  public:
    explicit Sink(ScoreStore &store) : store_(store) {}
    void write(const std::string &name, uint64_t index, double value) override
    {
        store_.write(name, index, value);
    }
    void write_aggregate(const std::string &name, double value) override
    {
        store_.write_aggregate(name, value);
    }

  private:
    ScoreStore &store_;
};

VmafxContext::VmafxContext(const std::shared_ptr<Device> &device, const VmafxContextDesc &desc)
    : VmafxContext(device, desc, Overlap::choose(desc, *device))
{
}

VmafxContext::VmafxContext(std::shared_ptr<Device> device, const VmafxContextDesc &desc,
                           const Overlap &overlap)
    : device_(std::move(device)), n_subsample_(desc.n_subsample), wait_limit_(wait_limit(desc)),
      release_early_(release_early(desc)), lanes_(device_, overlap.lanes),
      ring_(device_, overlap.in_flight), work_(device_, lanes_, ring_, wait_limit_),
      profiles_(device_->profiler())
{
}

VmafxContext::~VmafxContext()
{
    if (ring_.empty() && !failure_)
        return;
    /* The device may still write into the slots and the plans' memory. */
    work_.let_all_go();
    try {
        hip::DeviceGuard guard(device_->runtime(), device_->ordinal());
        if (!lanes_.wait(wait_limit_))
            log_message(VMAFX_LOG_WARNING, "closing a context: the device is still at work");
    } catch (const std::exception &e) {
        log_message(VMAFX_LOG_WARNING, "closing a context: %s", e.what());
    }
}

void VmafxContext::use_model(std::shared_ptr<const Model> model)
{
    if (format_ || flushed_)
        fail(VMAFX_E_BUSY, "context", "models are added before the first frame");
    for (const Predictor &other : models_)
        for (const std::string &used : other.model().score_names())
            for (const std::string &name : model->score_names())
                if (name == used)
                    fail(VMAFX_E_BUSY, "model.name",
                         "the name \"%s\" is in use by another model; give this one another name",
                         name.c_str());
    Predictor predictor(std::move(model));
    PlanSet plans = plans_.again();
    for (const Predictor::Input &input : predictor.inputs())
        if (plans.add(*input.feature, input.options) == PlanSet::Added::kOtherOptions)
            log_message(VMAFX_LOG_INFO,
                        "model %s shares %s with an earlier registration of other options that "
                        "form no name",
                        predictor.model().name().c_str(), input.feature->name);
    models_.push_back(std::move(predictor));
    plans_ = std::move(plans);
}

void VmafxContext::use_feature(const std::string &extractor, const std::string &options)
{
    if (format_ || flushed_)
        fail(VMAFX_E_BUSY, "context", "features are added before the first frame");
    const FeatureDescription *feature = find_feature(extractor);
    if (!feature)
        fail(VMAFX_E_NOTFOUND, "feature", "there is no feature \"%s\"; there are: %s",
             extractor.c_str(), feature_list().c_str());
    const OptionSet set(*feature->options, parse_option_list(options), true);
    if (plans_.add(*feature, set) == PlanSet::Added::kOtherOptions)
        fail(VMAFX_E_INVALID, "options",
             "%s is in use with other options and the same score names; ask for it once, before "
             "the models, with all its options",
             extractor.c_str());
}

uint32_t VmafxContext::wanted_planes() const
{
    constexpr uint32_t kAllPlanes = 7;
    return plans_.empty() ? kAllPlanes
                          : plans_.reference_planes(false) | plans_.distorted_planes(false);
}

/** Runs what enqueues or awaits device work: after a failure in there the session is over. */
template <class Body> void VmafxContext::failing_for_good(Body &&body)
{
    try {
        body();
        return;
    } catch (const Failure &failure) {
        failure_ = failure;
    } catch (const std::bad_alloc &) {
        failure_.emplace(VMAFX_E_NOMEM, "", "out of host memory");
    } catch (const std::exception &e) {
        failure_.emplace(VMAFX_E_INTERNAL, "", e.what());
    }
    work_.let_all_go();
    throw *failure_;
}

void VmafxContext::check_pair(const VmafxFrame &reference, const VmafxFrame &distorted,
                              uint64_t index) const
{
    repeat_failure();
    if (flushed_)
        fail(VMAFX_E_INVALID, "context", "frame %" PRIu64 " comes after the flush", index);
    if (plans_.empty())
        fail(VMAFX_E_INVALID, "context", "there is no model and no feature to score");
    if (submitted_ && index <= last_index_)
        fail(VMAFX_E_RANGE, "index", "index %" PRIu64 " does not rise above the last one, %" PRIu64,
             index, last_index_);
    const auto &device = *device_;
    if (!device.same_gpu(reference.device()) || !device.same_gpu(distorted.device()))
        fail(VMAFX_E_INVALID, device.same_gpu(reference.device()) ? "distorted" : "reference",
             "the frame was imported on another GPU than the context's, %s",
             device.facts().name.c_str());
    const PictureFormat &r = reference.format(), &d = distorted.format();
    if (!same_format(r, d))
        fail(VMAFX_E_INVALID, "distorted", "reference is %s, distorted is %s; they must agree",
             describe(r).c_str(), describe(d).c_str());
    if (format_ && !same_format(*format_, r))
        fail(VMAFX_E_INVALID, "reference", "frame is %s, but the first one was %s",
             describe(r).c_str(), describe(*format_).c_str());
}

void VmafxContext::check_planes(const VmafxFrame &frame, uint32_t needed, const char *which) const
{
    const uint32_t exist = frame.format().chroma == Chroma::k400 ? 1u : 7u;
    if (needed & exist & ~frame.available())
        fail(VMAFX_E_INVALID, which,
             "the %s frame was imported without the chroma planes that the features read", which);
}

void VmafxContext::submit(VmafxFrame &reference, VmafxFrame &distorted, uint64_t index)
{
    check_pair(reference, distorted, index);
    check_planes(reference, plans_.reference_planes(skipped(index)), "reference");
    check_planes(distorted, plans_.distorted_planes(skipped(index)), "distorted");
    plans_.check_frame(index, submitted_, skipped(index));
    plans_.check_colours(reference.format(), reference.colour(), distorted.colour(),
                         skipped(index));
    if (!format_)
        prepare(reference.format());
    failing_for_good([&] {
        hip::DeviceGuard guard(device_->runtime(), device_->ordinal());
        while (ring_.full())
            take_over(ring_.wait_oldest(wait_limit_));
        indices_.push_back(index);
        enqueue(reference, distorted, index);
    });
    last_index_ = index;
    ++submitted_;
    scored_ += skipped(index) ? 0 : 1;
    collect_finished();
}

/** When it throws the context is as before, so that another size can be tried. */
void VmafxContext::prepare(const PictureFormat &format)
{
    hip::DeviceGuard guard(device_->runtime(), device_->ordinal());
    PlanSet fresh = plans_.again();
    try {
        lanes_.prepare(plans_, format);
        declare_scores();
        ring_.allocate(plans_.result_words(), work_.mark_words());
    } catch (...) {
        plans_ = std::move(fresh);
        lanes_.clear();
        ring_.clear();
        scores_ = ScoreStore();
        sources_.clear();
        throw;
    }
    format_ = format;
    started_ = last_result_ = steady_clock::now();
}

/** All columns, in the order in which predict() and the plans write them. */
void VmafxContext::declare_scores()
{
    const auto declare = [this](const std::string &name, size_t source) {
        scores_.declare(name);
        if (scores_.columns().size() > sources_.size())
            sources_.push_back(source);
    };
    for (const PlanSet::Name &name : plans_.score_names())
        declare(name.text, name.source);
    for (const Predictor &model : models_)
        for (const std::string &name : model.model().score_names())
            if (scores_.find(name))
                fail(VMAFX_E_INVALID, "model.name",
                     "score %s of model %s has the name of a feature's score; give the model "
                     "another name",
                     name.c_str(), model.model().name().c_str());
    for (const Predictor &model : models_)
        declare(model.model().name(), kFromModel);
    for (const Predictor &model : models_)
        for (const std::string &name : model.model().score_names())
            declare(name, kFromModel);
}

void VmafxContext::enqueue(VmafxFrame &reference, VmafxFrame &distorted, uint64_t index)
{
    const auto trace = profiles_.trace(index);
    InFlight &slot = ring_.begin();
    slot.index = index;
    slot.skipped = skipped(index);
    slot.lane = &lanes_.of(scored_);
    slot.pictures = {FrameRef(&reference), FrameRef(&distorted), history_, distorted_history_};
    work_.enqueue(slot);
    if (release_early_)
        work_.let_go(slot);
    remember(reference, distorted);
}

void VmafxContext::remember(VmafxFrame &reference, VmafxFrame &distorted)
{
    const auto keep = [](EarlierPictures &history, uint32_t wanted, VmafxFrame &frame) {
        if (wanted > 1)
            history[1] = std::move(history[0]);
        if (wanted > 0)
            history[0] = FrameRef(&frame);
    };
    keep(history_, plans_.history(), reference);
    keep(distorted_history_, plans_.distorted_history(), distorted);
}

void VmafxContext::take_over(InFlight &slot)
{
    const size_t missing = slot.marks.missing(slot.mark_words());
    if (missing > 0)
        return run_again(slot, missing);
    work_.settle(slot);
    collect(slot);
}

/** Its place in the order of the results stays. */
void VmafxContext::run_again(InFlight &slot, size_t missing)
{
    marks_missing_ += missing;
    device_->counters().marks_missing += missing;
    const std::string lost =
        vmafx::format("the device lost commands of frame %" PRIu64 ": %zu of %zu marks are missing",
                      slot.index, missing, slot.marks.size());
    if (release_early_)
        fail(VMAFX_E_DEVICE, "context",
             "%s, and the frame was released early, so that it cannot be run again", lost.c_str());
    if (slot.runs == kMaxRuns)
        fail(VMAFX_E_DEVICE, "context", "%s after %u runs", lost.c_str(), slot.runs);
    log_message(VMAFX_LOG_WARNING, "%s; it is run again", lost.c_str());
    if (slot.runs == 1) {
        ++rerun_;
        ++device_->counters().frames_rerun;
    }
    const auto trace = profiles_.trace(slot.index);
    hip::DeviceGuard guard(device_->runtime(), device_->ordinal());
    work_.enqueue_again(slot);
}

void VmafxContext::collect(InFlight &slot)
{
    Sink sink(scores_);
    plans_.collect(slot.words(), slot.index, slot.skipped, sink);
    profiles_.collect(slot.index);
    ++collected_;
    if (!slot.skipped && !models_.empty())
        unpredicted_.push_back(slot.index);
    ring_.pop();
    last_result_ = steady_clock::now();
    predict(false);
}

void VmafxContext::collect_finished()
{
    if (failure_)
        return;
    failing_for_good([&] {
        while (InFlight *slot = ring_.oldest_if_done())
            take_over(*slot);
    });
}

/** Scores the collected frames in order, as far as the features are there. A frame that lacks one
 * for good, which a gap in the indices causes, gets no score of the models that read it. */
void VmafxContext::predict(bool final)
{
    for (; !unpredicted_.empty(); unpredicted_.pop_front()) {
        const uint64_t index = unpredicted_.front();
        std::vector<Predictor *> ready;
        for (Predictor &model : models_) {
            if (model.fetch(scores_, index))
                ready.push_back(&model);
            else if (!final && !hopeless(model, index))
                return;
        }
        for (Predictor *model : ready)
            model->store_first(scores_, index);
        for (Predictor *model : ready)
            model->store_rest(scores_, index);
    }
}

bool VmafxContext::hopeless(const Predictor &model, uint64_t index) const
{
    const auto &names = model.feature_names();
    return std::any_of(names.begin(), names.end(), [&](const std::string &name) {
        return !scores_.find(name, index) && !may_come(name, index);
    });
}

void VmafxContext::flush()
{
    repeat_failure();
    if (flushed_)
        return;
    failing_for_good([&] {
        while (!ring_.empty())
            take_over(ring_.wait_oldest(wait_limit_));
        history_ = EarlierPictures();
        distorted_history_ = EarlierPictures();
        Sink sink(scores_);
        if (format_)
            plans_.finish(sink);
        predict(true);
    });
    flushed_ = true;
}

bool VmafxContext::may_come(const std::string &name, uint64_t index) const
{
    const auto column = scores_.place_of(name);
    if (!running() || !column || !std::binary_search(indices_.begin(), indices_.end(), index))
        return false;
    const size_t source = *column < sources_.size() ? sources_[*column] : kFromModel;
    if (source != kFromModel)
        return plans_.may_come(source, index, skipped(index), collected(index));
    if (!collected(index))
        return !skipped(index);
    return std::binary_search(unpredicted_.begin(), unpredicted_.end(), index);
}

bool VmafxContext::collected(uint64_t index) const
{
    return collected_ == indices_.size() || index < indices_[collected_];
}

VmafxContextCounters VmafxContext::counters() const
{
    VmafxContextCounters counters = VMAFX_CONTEXT_COUNTERS_INIT;
    counters.frames_submitted = submitted_;
    counters.frames_collected = collected_;
    counters.frames_rerun = rerun_;
    counters.marks_missing = marks_missing_;
    counters.feature_bytes = lanes_.bytes();
    counters.frame_bytes = ring_.frame_bytes();
    return counters;
}

double VmafxContext::seconds() const
{
    return std::chrono::duration<double>(last_result_ - started_).count();
}
