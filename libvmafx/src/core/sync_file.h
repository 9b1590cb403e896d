/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Linux file descriptors that carry memory or fences: what they are, and whether they are ready.
 */
#ifndef VMAFX_CORE_SYNC_FILE_H
#define VMAFX_CORE_SYNC_FILE_H

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace vmafx
{

/** An owned file descriptor. */
class UniqueFd
{
  public:
    UniqueFd() = default;
    explicit UniqueFd(int fd) : fd_(fd) {}
    UniqueFd(UniqueFd &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    UniqueFd &operator=(UniqueFd &&other) noexcept
    {
        std::swap(fd_, other.fd_);
        return *this;
    }
    UniqueFd(const UniqueFd &) = delete;
    UniqueFd &operator=(const UniqueFd &) = delete;
    ~UniqueFd();

    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }

  private:
    int fd_ = -1;
};

enum class FenceState { kSignalled, kPending };

/** State of a sync_file. Throws with this subject: E_INVALID if fd is none, E_DEVICE if the fence
 *  signalled with an error. */
FenceState sync_file_state(int fd, const char *subject);

/** Waits for a sync_file; kPending when the time ran out. Throws as sync_file_state(). */
FenceState sync_file_wait(int fd, std::chrono::nanoseconds timeout, const char *subject);

/** State of a buffer's implicit write fences after a wait of at most timeout; signalled for a
 * buffer that has none. Throws with this subject: E_DEVICE if a fence signalled with an error,
 * E_NOMEM if there are no descriptors to ask with. */
FenceState write_fences_wait(int buffer, std::chrono::nanoseconds timeout, const char *subject);

/** Waits until fd is ready for reading, however often signals interrupt it. false: the time ran
 * out. */
bool wait_readable(int fd, std::chrono::nanoseconds timeout);

/** An opaque descriptor is a character device of the driver that exported it: which memory it
 * stands for, and how much, that driver's import alone can tell. */
enum class BufferKind { kDmaBuf, kMemfd, kOpaque, kOther };

struct BufferIdentity {
    uint64_t device = 0;
    uint64_t inode = 0;
    bool operator==(const BufferIdentity &) const = default;
};

struct BufferInfo {
    BufferKind kind = BufferKind::kOther;
    BufferIdentity identity;
    uint64_t size = 0; /* bytes, as the buffer itself reports them; 0 where it is opaque */
};

/** What a descriptor is. Throws E_INVALID with the subject if it is closed. */
BufferInfo inspect_buffer(int fd, const char *subject);

/** Whether two descriptors are duplicates of one; false where the kernel does not tell. */
bool same_open_file(int a, int b);

/** Name of the driver that exported a dma-buf, as the kernel tells it; "" where it does not. */
std::string exporter_of(int fd);
/** The same from the text of the descriptor's fdinfo. */
std::string exporter_in(std::string_view fdinfo);

/** A close-on-exec duplicate. Throws with the subject: E_INVALID if fd is closed, E_NOMEM if there
 * are no descriptors left. */
UniqueFd duplicate_fd(int fd, const char *subject);

} // namespace vmafx

#endif
