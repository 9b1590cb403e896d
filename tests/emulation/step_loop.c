/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The inner loop of the emulator: instructions that are functions, called one after the other.
 */
#include <stdint.h>

#define BUFFERS 6

typedef void (*Instruction)(void *, void *, void *, void *, void *, void *);

/* One word of the code. */
typedef struct Slot {
    Instruction call;        /* NULL until the instruction was met */
    uint8_t buffer[BUFFERS]; /* which of the wave's buffers the function takes */
    uint8_t barrier;
    uint8_t executed;
} Slot;

enum { kEnded, kAtBarrier, kUnknown, kTired };

/**
 * Runs a wave until it ends or comes to a barrier, to a word that is no known instruction, or has
 * executed `limit` instructions. pc: its two registers.
 */
int run_wave(Slot *slots, uint64_t base, uint64_t words, void *const *buffers,
             const volatile uint32_t *pc, uint64_t limit)
{
    for (; limit > 0; --limit) {
        const uint64_t at = (uint64_t)pc[1] << 32 | pc[0];
        if (at == UINT64_MAX)
            return kEnded;
        const uint64_t word = (at - base) / 4;
        if (at < base || word >= words || !slots[word].call)
            return kUnknown;
        Slot *slot = &slots[word];
        const uint8_t *b = slot->buffer;
        slot->executed = 1;
        slot->call(buffers[b[0]], buffers[b[1]], buffers[b[2]], buffers[b[3]], buffers[b[4]],
                   buffers[b[5]]);
        if (slot->barrier)
            return kAtBarrier;
    }
    return kTired;
}
