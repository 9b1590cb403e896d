/* SPDX-License-Identifier: BSD-2-Clause */
#include "errors.h"

#include "abi/error_texts.h"
#include "engine.h"

namespace vmafx::cpu
{

namespace
{

thread_local hip::hipError_t last_error = hip::hipSuccess;

} // namespace

hip::hipError_t remember(hip::hipError_t error)
{
    /* "Not ready" is an answer of a query, not an error. */
    if (error != hip::hipSuccess && error != hip::hipErrorNotReady)
        last_error = error;
    return error;
}

hip::hipError_t engine_state()
{
    return Engine::get().state();
}

} // namespace vmafx::cpu

namespace vmafx::hip
{

extern "C" const char *hipGetErrorName(hipError_t error)
{
    return abi::error_name(error);
}

extern "C" const char *hipGetErrorString(hipError_t error)
{
    /* A runtime that could not start says why; there is no other way to hand out the reason. */
    if (error == hipErrorNotInitialized && cpu::Engine::get().settings().error[0] != '\0')
        return cpu::Engine::get().settings().error;
    return abi::error_text(error);
}

extern "C" hipError_t hipGetLastError()
{
    const hipError_t error = cpu::last_error;
    cpu::last_error = hipSuccess;
    return error;
}

} // namespace vmafx::hip
