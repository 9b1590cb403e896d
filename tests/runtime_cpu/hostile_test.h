/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the tests of the hostile machine share.
 */
#ifndef TESTS_RUNTIME_CPU_HOSTILE_TEST_H
#define TESTS_RUNTIME_CPU_HOSTILE_TEST_H

#include "runtime_test.h"
#include "test_kernels.h"

/* So long that nothing goes on by itself. */
constexpr uint32_t kForever = 60000;
/* A test that holds for each of some seeds. */
constexpr uint64_t kSeeds = 30;

inline void be_hostile(uint64_t seed, uint32_t facts = 0, uint32_t drops_per_million = 0,
                       uint32_t patience_ms = kForever)
{
    const CpuHostileOptions options = {seed, facts, drops_per_million, patience_ms};
    assert_ok(vmafx_cpu_set_hostile(&options));
}

/** Two streams, and the number that kernels append digits to. */
class Machine
{
  public:
    Machine()
        : a(make_stream(stream_non_blocking)), b(make_stream(stream_non_blocking)),
          number(device_memory<uint64_t>(1)), module_(load_module()),
          append_(function_of(module_, "append_digit"))
    {
        assert_ok(hipMemset(number, 0, sizeof(*number)));
    }
    ~Machine()
    {
        hipFree(number);
        hipStreamDestroy(a);
        hipStreamDestroy(b);
        hipModuleUnload(module_);
    }

    void append(uint64_t digit, hipStream_t stream) { append_to(number, digit, stream); }
    void append_to(uint64_t *to, uint64_t digit, hipStream_t stream)
    {
        assert_ok(launch(append_, 1, AppendDigitArgs{to, digit}, stream));
    }
    void wait_for(hipStream_t later, hipStream_t earlier)
    {
        hipEvent_t event = make_event(event_disable_timing);
        assert_ok(hipEventRecord(event, earlier));
        assert_ok(hipStreamWaitEvent(later, event, 0));
        assert_ok(hipEventDestroy(event));
    }
    hipModule_t module() const { return module_; }

    hipStream_t a, b;
    uint64_t *number;

  private:
    hipModule_t module_;
    hipFunction_t append_;
};

#endif
