/* SPDX-License-Identifier: BSD-2-Clause */
#include "hostile.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace vmafx::cpu
{

using namespace hip;

namespace
{

constexpr uint32_t kMillion = 1000000;
constexpr uint32_t kDefaultPatienceMs = 20;
constexpr uint32_t kMaxPatienceMs = 60000;
constexpr uint32_t kMaxLostRun = 6;      /* commands */
constexpr uint32_t kStepsPerRanking = 8; /* of the streams, on average */
/* Queries of which one lets commands run, and how many commands at most. A seed has one of each:
 * some machines are lazy. */
constexpr uint32_t kLaziness[] = {2, 4, 16};
constexpr uint32_t kBursts[] = {2, 8, 32, 128};
constexpr uint64_t kMaxTakes = 1u << 31; /* below, no product of two overflows */

/** The output function of splitmix64. */
uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

bool is_done(const Command &command)
{
    return command.done.load(std::memory_order_acquire);
}

/** The switch for losing commands of the kind; 0 for those that are never lost. */
uint32_t drop_fact(Work::Nature nature)
{
    switch (nature) {
    case Work::Nature::kernel:
        return cpu_hostile_drop_kernels;
    case Work::Nature::copy:
    case Work::Nature::upload:
        return cpu_hostile_drop_copies;
    case Work::Nature::fill:
        return cpu_hostile_drop_fills;
    case Work::Nature::other:
        break;
    }
    return 0;
}

bool is_copy(const Command &command)
{
    return command.nature == Work::Nature::copy || command.nature == Work::Nature::upload;
}

} // namespace

hipError_t check_hostile(const CpuHostileOptions &options)
{
    const bool valid = (options.facts & ~cpu_hostile_all_facts) == 0 &&
                       options.drops_per_million <= kMillion &&
                       options.patience_ms <= kMaxPatienceMs;
    return valid ? hipSuccess : hipErrorInvalidValue;
}

void Hostility::reset(const CpuHostileOptions &options)
{
    options_ = options;
    if (options_.patience_ms == 0)
        options_.patience_ms = kDefaultPatienceMs;
    state_ = mix(options.seed);
    ++run_;
    epoch_ = next();
    streams_ = 0;
    lost_ = 0;
    laziness_ = kLaziness[draw(std::size(kLaziness))];
    burst_ = kBursts[draw(std::size(kBursts))];
}

uint64_t Hostility::next()
{
    state_ += 0x9e3779b97f4a7c15u;
    return mix(state_);
}

uint32_t Hostility::draw(uint32_t below)
{
    return static_cast<uint32_t>(((next() >> 32) * below) >> 32);
}

void Hostility::meet(Stream &stream)
{
    if (stream.traits.run == run_)
        return;
    stream.traits = {};
    stream.traits.run = run_;
    stream.traits.number = streams_++;
}

void Hostility::enqueue(Stream &stream, Command &command, const Command *after)
{
    CommandTraits &traits = command.traits;
    traits.stream = stream.traits.number;
    traits.serial = ++serial_;
    traits.lost = loses(stream, command);
    lost_ += traits.lost;
    shuffle_parts(command);
    traits.caller = std::this_thread::get_id();
    if (command.nature == Work::Nature::upload)
        stream.traits.upload = {serial_, traits.caller};
    if (after && after->traits.upload.serial > stream.traits.upload.serial)
        stream.traits.upload = after->traits.upload;
    traits.upload = stream.traits.upload;
}

/** A run of a stream's commands, counted over those that can be lost. */
bool Hostility::loses(Stream &stream, const Command &command)
{
    if (command.reliable || !has(drop_fact(command.nature)))
        return false;
    if (stream.traits.to_lose != 0) {
        --stream.traits.to_lose;
        return true;
    }
    if (draw(kMillion) >= options_.drops_per_million)
        return false;
    stream.traits.to_lose = draw(kMaxLostRun);
    return true;
}

void Hostility::shuffle_parts(Command &command)
{
    if (!command.work)
        return;
    const uint64_t takes = (command.work->parts() - 1) / command.work->grain() + 1;
    if (takes < 2 || takes > kMaxTakes)
        return;
    const auto count = static_cast<uint32_t>(takes);
    uint64_t stride = 1 + draw(count - 1);
    while (std::gcd(stride, takes) != 1)
        ++stride;
    command.traits.stride = stride;
    command.traits.shift = draw(count);
}

/* ---- work that was not submitted is overtaken */

bool Hostility::overtakes(const Stream &stream, const Command &command) const
{
    if (!has(cpu_hostile_overtaken) || !is_copy(command))
        return false;
    return std::any_of(
        stream.traits.awaited.begin(), stream.traits.awaited.end(),
        [](const CommandRef &record) { return !is_done(*record) && !record->traits.submitted; });
}

void Hostility::note_order(Stream &stream, const CommandRef &command, const CommandRef &old_tail,
                           const CommandRef &after)
{
    StreamTraits &traits = stream.traits;
    if (after && !is_done(*after) && after->traits.stream != traits.number) {
        std::erase_if(traits.awaited, [](const CommandRef &record) { return is_done(*record); });
        if (traits.awaited.empty())
            traits.lane = old_tail;
        traits.awaited.push_back(after);
        return;
    }
    if (command->place == Work::Place::none)
        return;
    traits.awaited.clear();
    traits.lane.reset();
}

/* ---- a clear ahead of an upload is lost */

void Hostility::note_clears(Stream &stream, const CommandRef &command, const Command *after)
{
    if (!has(cpu_hostile_lost_clear))
        return;
    std::erase_if(stream.traits.clears, [](const CommandRef &clear) { return is_done(*clear); });
    if (command->nature == Work::Nature::fill && !command->reliable)
        stream.traits.clears.push_back(command);
    else if (command->nature == Work::Nature::kernel)
        stream.traits.clears.clear();
    else if (command->nature == Work::Nature::upload || after)
        lose_clears(stream);
}

/** Only those of the thread that uploads: what other threads upload meanwhile is not theirs to
 * order. */
void Hostility::lose_clears(Stream &stream)
{
    const UploadMark &upload = stream.traits.upload;
    std::erase_if(stream.traits.clears, [&](const CommandRef &clear) {
        if (clear->traits.serial > upload.serial || clear->traits.caller != upload.caller)
            return false;
        if (!is_done(*clear) && clear->runners == 0 && !clear->traits.lost) {
            clear->traits.lost = true;
            ++lost_;
        }
        return true;
    });
}

/* ---- turns */

uint32_t Hostility::turns_of_enqueue()
{
    return draw(4) == 0 ? 1 + draw(2) : 0;
}

uint32_t Hostility::turns_of_query()
{
    return draw(laziness_) == 0 ? 1 + draw(burst_) : 0;
}

/** Streams have ranks, which change now and then: that starves some for long, which drawing each
 * command evenly hardly ever does. */
size_t Hostility::pick(std::span<Command *const> commands)
{
    if (draw(kStepsPerRanking) == 0)
        epoch_ = next();
    size_t best = 0;
    uint64_t best_rank = 0;
    for (size_t i = 0; i < commands.size(); ++i) {
        const uint64_t rank = mix(epoch_ + commands[i]->traits.stream);
        if (i == 0 || rank > best_rank) {
            best = i;
            best_rank = rank;
        }
    }
    return best;
}

} // namespace vmafx::cpu
