/* SPDX-License-Identifier: BSD-2-Clause */
#include "session.h"

#include <bit>
#include <cstring>
#include <iterator>
#include <stdexcept>

using namespace support;

namespace
{

/* Motion keeps two pictures of the reference. */
constexpr uint32_t kFewestFrames[] = {3, 1};
constexpr uint32_t kPairs[] = {3, 6, Sequence::kPairs};

} // namespace

std::vector<size_t> Workplace::handles_of(int gpu) const
{
    std::vector<size_t> found;
    for (size_t i = 0; i < handles.size(); ++i)
        if (handles[i].gpu == gpu)
            found.push_back(i);
    return found;
}

SessionPlan SessionPlan::draw(Random &random, const Workplace &place)
{
    SessionPlan plan = {};
    plan.gpu = random.pick(place.handles).gpu;
    const std::vector<size_t> near = place.handles_of(plan.gpu);
    const Format &format = random.pick(all_formats());
    plan.sequence = &Sequence::get(format, random.below(Sequence::kVariants));
    plan.pairs = random.pick(kPairs);
    plan.close_after = random.one_in(5) ? random.below(plan.pairs) : plan.pairs;
    plan.keeps_a_frame = random.one_in(8);
    for (int i = 0; i < 2; ++i) {
        plan.habits[i] = Habits::draw(random, kFewestFrames[i], place.lossy);
        plan.handles[i] = random.pick(near);
    }
    plan.habits[0].frames += plan.keeps_a_frame;
    const uint32_t readers = random.one_in(4) ? 2 : 1;
    for (uint32_t i = 0; i < readers; ++i) {
        Reader reader = {random.pick(near),
                         {random.one_in(8), random.one_in(4) ? 2u : 1u},
                         VMAFX_CONTEXT_DESC_INIT};
        reader.desc.n_subsample = reader.wish.n_subsample;
        reader.desc.frames_in_flight = random.between(1, 5);
        reader.desc.lanes = random.one_in(3) ? 1 : random.between(2, 4);
        reader.desc.flags = random.one_in(place.lossy ? 8 : 2) ? VMAFX_CONTEXT_RELEASE_EARLY : 0;
        plan.readers.push_back(reader);
    }
    return plan;
}

std::string SessionPlan::text() const
{
    std::string text = "GPU " + std::to_string(gpu) + ", " + std::to_string(pairs) + " pairs " +
                       sequence->format().name;
    for (int i = 0; i < 2; ++i)
        text += std::string(i ? "\n    distorted: " : "\n    reference: ") + habits[i].text() +
                ", by handle " + std::to_string(handles[i]);
    for (const Reader &reader : readers)
        text += std::string("\n    ") + (reader.wish.everything ? "everything" : "psnr, motion") +
                " on handle " + std::to_string(reader.handle) + ", every " +
                std::to_string(reader.wish.n_subsample) + ", in flight " +
                std::to_string(reader.desc.frames_in_flight) + ", lanes " +
                std::to_string(reader.desc.lanes) + ", flags " + std::to_string(reader.desc.flags);
    if (close_after < pairs)
        text += "\n    closed after " + std::to_string(close_after);
    if (keeps_a_frame)
        text += "\n    keeps a frame";
    return text;
}

Session::Session(const SessionPlan &plan, Workplace &place, Random &random)
    : plan_(plan), place_(place), random_(random)
{
    producer().be_current();
    for (int i = 0; i < 2; ++i) {
        const Habits &habits = plan_.habits[i];
        const Format &format = plan_.sequence->format();
        supply_[i] = habits.memory == kPoolMemory
                         ? make_pool(producer(), place_.handles[plan_.handles[i]].device, format,
                                     habits, random_)
                         : make_ring(producer(), place_.ledger, format, habits, random_);
    }
    for (const SessionPlan::Reader &reader : plan_.readers) {
        Reader made;
        made.context = create_context(place_.handles[reader.handle].device, &reader.desc);
        reader.wish.register_on(made.context);
        made.expected = &expected_scores(*plan_.sequence, reader.wish, plan_.pairs);
        readers_.push_back(std::move(made));
    }
}

Nudge Session::nudge()
{
    return [this](uint32_t round) {
        producer().submit();
        place_.nudge(round);
        if (round >= kPatientNudges)
            producer().synchronise_device();
        producer().be_current();
    };
}

/** Whether it is the answer to commands that were lost again and again. */
bool Session::is_loss(const CallFailed &failure) const
{
    return place_.lossy && failure.status == VMAFX_E_DEVICE &&
           std::strstr(failure.what(), "lost commands of frame ");
}

void Session::step()
{
    producer().be_current();
    try {
        go_on();
    } catch (const CallFailed &failure) {
        if (!is_loss(failure))
            throw;
        ++place_.sessions_given_up;
        finish();
    }
}

std::string Session::next_step() const
{
    if (stage_ == Stage::kFlushing)
        return "flush or end";
    if (submitted_ == plan_.close_after)
        return "close";
    const char *what = !frame_[0].get()   ? "import reference "
                       : !frame_[1].get() ? "import distorted "
                                          : "submit ";
    return what + std::to_string(submitted_);
}

void Session::go_on()
{
    if (stage_ == Stage::kFlushing)
        return flush_one();
    if (submitted_ == plan_.close_after)
        return finish();
    if (!frame_[0].get())
        import(0);
    else if (!frame_[1].get())
        import(1);
    else
        submit_pair();
}

void Session::import(int which)
{
    const Device &device = place_.handles[plan_.handles[which]].device;
    if (which == 0 && plan_.keeps_a_frame && !kept_.get())
        kept_ = supply_[0]->next(plan_.sequence->planes(true, 0), device, nudge());
    frame_[which] =
        supply_[which]->next(plan_.sequence->planes(which != 0, submitted_), device, nudge());
}

void Session::submit_pair()
{
    for (Reader &reader : readers_)
        submit(reader.context, frame_[0], frame_[1], submitted_);
    frame_[0].close();
    frame_[1].close();
    if (++submitted_ == plan_.pairs)
        stage_ = Stage::kFlushing;
}

void Session::peek()
{
    if (submitted_ == 0 || stage_ == Stage::kOver)
        return;
    for (Reader &reader : readers_)
        look_at(reader);
}

void Session::look_at(Reader &reader)
{
    const auto scores = std::next(reader.expected->begin(), random_.below(reader.expected->size()));
    const auto index = random_.below(submitted_);
    if (scores->first.starts_with("aggregate ") || index >= scores->second.size())
        return;
    double score = 0;
    VmafxError error = VMAFX_ERROR_INIT;
    const int32_t status =
        vmafx_score_at(reader.context.get(), scores->first.c_str(), index, &score, &error);
    const std::optional<uint64_t> expected = scores->second[index];
    const CallFailed failure(status, error);
    reader.lost = reader.lost || is_loss(failure);
    const bool has_none = status == VMAFX_E_NOTFOUND && (!expected || reader.lost);
    if (status == VMAFX_PENDING || has_none || is_loss(failure))
        return;
    if (status != VMAFX_OK)
        throw failure;
    if (expected != std::bit_cast<uint64_t>(score))
        throw std::runtime_error(scores->first + "[" + std::to_string(index) + "] is " +
                                 std::to_string(score) + " for now");
}

void Session::check_counters(const Reader &reader)
{
    VmafxContextCounters counters = VMAFX_CONTEXT_COUNTERS_INIT;
    must(vmafx_context_get_counters, reader.context.get(), &counters);
    place_.frames_rerun += counters.frames_rerun;
    if (!place_.lossy && (counters.frames_rerun != 0 || counters.marks_missing != 0))
        throw std::runtime_error(std::to_string(counters.frames_rerun) +
                                 " frames were run again, but no command was lost");
}

void Session::flush_one()
{
    for (Reader &reader : readers_) {
        if (reader.flushed)
            continue;
        must(vmafx_context_flush, reader.context.get());
        reader.flushed = true;
        check_counters(reader);
        const std::string found =
            difference(*reader.expected, all_scores(reader.context, plan_.pairs));
        if (!found.empty())
            throw std::runtime_error(found);
        return;
    }
    finish();
}

/** Everything is given back, in any state. */
void Session::finish()
{
    stage_ = Stage::kOver;
    if (random_.one_in(2))
        kept_.close();
    frame_[1].close();
    frame_[0].close();
    readers_.clear();
    kept_.close();
    for (auto &supply : supply_)
        supply->settle(nudge());
    for (auto &supply : supply_)
        supply.reset();
}
