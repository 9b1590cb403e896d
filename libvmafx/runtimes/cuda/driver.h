/* SPDX-License-Identifier: BSD-2-Clause
 *
 * NVIDIA's driver library as this process sees it: its functions, its devices and their primary
 * contexts. Loaded by the first call and kept until the process ends.
 */
#ifndef VMAFX_CUDA_DRIVER_H
#define VMAFX_CUDA_DRIVER_H

#include <atomic>
#include <memory>

#include "driver_api.h"
#include "mapped_files.h"

namespace vmafx::cuda
{

extern "C" {
#define VMAFX_CUDA_ENTRY(name, symbol, parameters, need) using name##_fn = CUresult(*) parameters;
#include "driver_entries.def"
#undef VMAFX_CUDA_ENTRY
}

/** Those listed as optional may be null. */
struct DriverFunctions {
#define VMAFX_CUDA_ENTRY(name, symbol, parameters, need) name##_fn name = nullptr;
#include "driver_entries.def"
#undef VMAFX_CUDA_ENTRY
};

class Driver
{
  public:
    static Driver &get();

    /** hipSuccess once there is a device, else why there is none. */
    hip::hipError_t state() const { return state_; }
    /** What to say of a state other than hipSuccess. */
    const char *state_text() const { return text_; }

    int device_count() const { return count_; }
    bool has(int device) const { return device >= 0 && device < count_; }
    /** The device's primary context, which programs that use CUDA share. */
    CUresult context(int device, CUcontext &context);

    DriverFunctions cu;
    MappedFiles mapped_files;

  private:
    struct Kept;
    Driver();
    void refuse(hip::hipError_t state, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
    bool load();
    bool start();

    hip::hipError_t state_ = hip::hipSuccess;
    char text_[256] = {};
    int count_ = 0;
    std::unique_ptr<std::atomic<CUcontext>[]> contexts_;
};

/** The device that the calling thread works on. */
int current_device();
void set_current_device(int device);

/** Makes a device's context current for a scope, and then the one that the program had. */
class CurrentContext
{
  public:
    CurrentContext(Driver &driver, int device);
    ~CurrentContext();
    CurrentContext(const CurrentContext &) = delete;
    CurrentContext &operator=(const CurrentContext &) = delete;

    CUresult result() const { return result_; }

  private:
    Driver &driver_;
    CUresult result_ = kSuccess;
    bool pushed_ = false;
};

} // namespace vmafx::cuda

#endif
