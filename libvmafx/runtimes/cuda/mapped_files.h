/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The memory of a memfd, mapped and locked so that a GPU reads it where it lies. The driver's
 * external memory knows nothing but what a graphics driver exported.
 */
#ifndef VMAFX_CUDA_MAPPED_FILES_H
#define VMAFX_CUDA_MAPPED_FILES_H

#include <map>
#include <memory>
#include <mutex>

#include "driver_api.h"

namespace vmafx::cuda
{

struct DriverFunctions;

class MappedFile
{
  public:
    /** Maps the first `bytes` of a regular file, in the current context. */
    static hip::hipError_t map(const DriverFunctions &cu, int fd, size_t bytes,
                               std::shared_ptr<MappedFile> &file);

    MappedFile(const DriverFunctions &cu, void *memory, size_t bytes)
        : cu_(cu), memory_(memory), bytes_(bytes)
    {
    }
    MappedFile(const MappedFile &) = delete;
    MappedFile &operator=(const MappedFile &) = delete;
    ~MappedFile();

    CUdeviceptr address() const { return address_; }

  private:
    hip::hipError_t lock(unsigned int flags);

    const DriverFunctions &cu_;
    void *const memory_;
    const size_t bytes_;
    CUdeviceptr address_ = 0; /* 0 until it is locked */
};

/** Addresses inside mapped files that callers hold as buffers. */
class MappedFiles
{
  public:
    void add(const void *address, std::shared_ptr<MappedFile> file);
    /** Gives up one use of a buffer; false where there is none. */
    bool take(const void *address);

  private:
    std::mutex mutex_;
    std::multimap<const void *, std::shared_ptr<MappedFile>> buffers_;
};

} // namespace vmafx::cuda

#endif
