/* SPDX-License-Identifier: BSD-2-Clause */
#include "driver.h"

#include <cstdarg>
#include <cstdio>
#include <dlfcn.h>
#include <new>

namespace vmafx::cuda
{

namespace
{

constexpr const char *kLibrary = "libcuda.so.1";

thread_local int device_of_thread = 0;

constexpr bool required = true;
constexpr bool optional = false;

/** Null, or the first required symbol that is missing. */
const char *fill(void *library, DriverFunctions &cu)
{
    const char *missing = nullptr;
#define VMAFX_CUDA_ENTRY(name, symbol, parameters, need)                                           \
    cu.name = reinterpret_cast<name##_fn>(dlsym(library, symbol));                                 \
    if (!cu.name && (need) && !missing)                                                            \
        missing = symbol;
#include "driver_entries.def"
#undef VMAFX_CUDA_ENTRY
    return missing;
}

hip::hipError_t start_error(CUresult result)
{
    const bool driver_at_fault = result == kStubLibrary || result == kDriverMismatch ||
                                 result == kCompatNotSupported || result == kDeviceNotLicensed;
    return driver_at_fault ? hip::hipErrorInsufficientDriver : hip::hipErrorNoDevice;
}

} // namespace

/* Never destroyed: calls may come, and mappings be open, while the process ends. */
struct Driver::Kept {
    union {
        Driver driver;
    };
    Kept() { new (&driver) Driver; }
    ~Kept() {}
};

Driver &Driver::get()
{
    static Kept kept;
    return kept.driver;
}

Driver::Driver()
{
    if (load())
        start();
}

void Driver::refuse(hip::hipError_t state, const char *format, ...)
{
    state_ = state;
    va_list values;
    va_start(values, format);
    std::vsnprintf(text_, sizeof(text_), format, values);
    va_end(values);
}

bool Driver::load()
{
    /* Never closed: the driver has threads and exit handlers of its own. */
    void *library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *error = dlerror();
        refuse(hip::hipErrorNoDevice, "%s; it comes with NVIDIA's driver",
               error ? error : kLibrary);
        return false;
    }
    if (const char *missing = fill(library, cu)) {
        refuse(hip::hipErrorInsufficientDriver,
               "%s lacks the symbol %s: NVIDIA's driver is too old", kLibrary, missing);
        return false;
    }
    return true;
}

bool Driver::start()
{
    CUresult result = cu.cuInit(0);
    if (result == kSuccess)
        result = cu.cuDeviceGetCount(&count_);
    if (result == kSuccess && count_ > 0) {
        contexts_ = std::make_unique<std::atomic<CUcontext>[]>(static_cast<size_t>(count_));
        return true;
    }
    count_ = 0;
    if (result == kSuccess)
        result = kNoDevice;
    const char *text = nullptr;
    if (cu.cuGetErrorString(result, &text) != kSuccess || !text)
        text = "unknown error";
    refuse(start_error(result), "cuInit of %s: %s (CUDA error %d)", kLibrary, text, result);
    return false;
}

CUresult Driver::context(int device, CUcontext &context)
{
    std::atomic<CUcontext> &known = contexts_[static_cast<size_t>(device)];
    context = known.load(std::memory_order_acquire);
    if (context)
        return kSuccess;
    /* Retained once for the process; a second thread's retain does no harm. */
    const CUresult result = cu.cuDevicePrimaryCtxRetain(&context, device);
    if (result == kSuccess)
        known.store(context, std::memory_order_release);
    return result;
}

int current_device()
{
    return device_of_thread;
}

void set_current_device(int device)
{
    device_of_thread = device;
}

CurrentContext::CurrentContext(Driver &driver, int device) : driver_(driver)
{
    CUcontext wanted = nullptr, current = nullptr;
    result_ = driver.context(device, wanted);
    if (result_ == kSuccess)
        result_ = driver.cu.cuCtxGetCurrent(&current);
    if (result_ != kSuccess || current == wanted)
        return;
    result_ = driver.cu.cuCtxPushCurrent(wanted);
    pushed_ = result_ == kSuccess;
}

CurrentContext::~CurrentContext()
{
    CUcontext popped = nullptr;
    if (pushed_)
        driver_.cu.cuCtxPopCurrent(&popped);
}

} // namespace vmafx::cuda
