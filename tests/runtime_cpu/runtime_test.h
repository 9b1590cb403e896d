/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the tests of the CPU runtime share. They are linked with it and call its exports.
 */
#ifndef TESTS_RUNTIME_CPU_RUNTIME_TEST_H
#define TESTS_RUNTIME_CPU_RUNTIME_TEST_H

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <semaphore>
#include <string>
#include <vector>

#include "abi/entry_points.h"
#include "kernels/mark.h"

#include "check_text.h"

using namespace vmafx::hip;

#define assert_hip(call, expected)                                                                 \
    do {                                                                                           \
        const hipError_t actual_error = (call);                                                    \
        ck_assert_msg(actual_error == (expected), "%s is %s, not %s", #call,                       \
                      hipGetErrorName(actual_error), hipGetErrorName(expected));                   \
    } while (0)
#define assert_ok(call) assert_hip(call, hipSuccess)

/** Holds a stream at one place until it is opened. */
class Gate
{
  public:
    explicit Gate(hipStream_t stream) { assert_ok(hipLaunchHostFunc(stream, wait, this)); }
    void open() { semaphore_.release(); }

  private:
    static void wait(void *gate) { static_cast<Gate *>(gate)->semaphore_.acquire(); }

    std::binary_semaphore semaphore_{0};
};

inline hipStream_t make_stream(unsigned int flags)
{
    hipStream_t stream = nullptr;
    assert_ok(hipStreamCreateWithFlags(&stream, flags));
    return stream;
}

inline hipEvent_t make_event(unsigned int flags = event_default)
{
    hipEvent_t event = nullptr;
    assert_ok(hipEventCreateWithFlags(&event, flags));
    return event;
}

template <class T> T *device_memory(size_t count)
{
    void *memory = nullptr;
    assert_ok(hipMalloc(&memory, count * sizeof(T)));
    return static_cast<T *>(memory);
}

/** The image that the environment names. */
inline std::vector<char> read_image()
{
    const char *path = std::getenv("TEST_IMAGE");
    ck_assert_msg(path != nullptr, "TEST_IMAGE names no file");
    std::ifstream file(path, std::ios::binary);
    std::vector<char> image{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    ck_assert_uint_gt(image.size(), 64);
    return image;
}

inline hipModule_t load_module()
{
    const std::vector<char> image = read_image();
    hipModule_t module = nullptr;
    assert_ok(hipModuleLoadData(&module, image.data()));
    return module;
}

inline hipFunction_t function_of(hipModule_t module, const char *name)
{
    hipFunction_t function = nullptr;
    assert_ok(hipModuleGetFunction(&function, module, name));
    return function;
}

/** Launches x tiles with one argument struct. */
template <class Args>
hipError_t launch(hipFunction_t function, unsigned int x, const Args &args, hipStream_t stream,
                  vx::Mark mark = {})
{
    vx::Marked<Args> marked = {args, mark};
    void *arguments[] = {&marked};
    return hipModuleLaunchKernel(function, x, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr);
}

#endif
