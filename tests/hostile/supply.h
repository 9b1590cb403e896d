/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where a session gets its frames from: a ring of surfaces that a producer fills again and again,
 * or a pool of the library's. Memory is filled anew as soon as the producer is told that it may be,
 * which is what shows a release that comes too early.
 */
#ifndef TESTS_HOSTILE_SUPPLY_H
#define TESTS_HOSTILE_SUPPLY_H

#include <memory>
#include <string>

#include "producer.h"
#include "random.h"
#include "sequence.h"

enum class Acquire { kNone, kHost, kEvent };
enum class Release { kCallback, kHostFence, kEventOnStream, kEventQuery, kEventWait };

constexpr uint32_t kPoolMemory = 100; /* beside VMAFX_MEMORY_* */

/** How a producer works. */
struct Habits {
    uint32_t memory = 0; /* VMAFX_MEMORY_* or kPoolMemory */
    Acquire acquire = Acquire::kNone;
    Release release = Release::kCallback;
    bool waits_for_copies = false; /* fills with calls that wait */
    bool newest_first = false;     /* of the memory that came back it takes that of last use */
    uint32_t frames = 5;

    /** fewest: frames. lossy: nothing of the producer's is a command that may be lost, or is copied
     * at an import.
     */
    static Habits draw(Random &random, uint32_t fewest, bool lossy);
    std::string text() const;
};

class Supply
{
  public:
    virtual ~Supply() = default;
    /** A frame with the planes of a picture. */
    virtual support::Frame next(const std::vector<support::PackedPlane> &planes,
                                const support::Device &device, const Nudge &nudge) = 0;
    /** No frame is used any more: waits until all memory has come back. */
    virtual void settle(const Nudge &nudge) = 0;
};

std::unique_ptr<Supply> make_ring(Producer &producer, Ledger &ledger, const Format &format,
                                  const Habits &habits, Random &random);
std::unique_ptr<Supply> make_pool(Producer &producer, const support::Device &device,
                                  const Format &format, const Habits &habits, Random &random);

#endif
