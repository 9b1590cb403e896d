/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/sync_file.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/kcmp.h>
#include <linux/magic.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/failure.h"

#ifndef DMA_BUF_MAGIC
#define DMA_BUF_MAGIC 0x444d4142 /* linux/magic.h since 5.3 */
#endif

namespace vmafx
{

namespace
{

/* Since Linux 6.0; older user-space headers lack it. */
struct ExportSyncFile {
    uint32_t flags;
    int32_t fd;
};
constexpr unsigned long kExportSyncFile = _IOWR('b', 2, ExportSyncFile);
constexpr uint32_t kSyncRead = 1 << 0; /* what a reader has to wait for: the writers */

bool is_memfd(int fd)
{
    char link[64];
    char target[64];
    std::snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(link, target, sizeof(target));
    constexpr char kPrefix[] = "/memfd:";
    return n >= static_cast<ssize_t>(sizeof(kPrefix) - 1) &&
           !std::memcmp(target, kPrefix, sizeof(kPrefix) - 1);
}

bool descriptors_exhausted(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM;
}

/** The write fences of a dma-buf as a sync_file; empty where the kernel, or what is no dma-buf, has
 *  no such call. */
UniqueFd export_write_fences(int buffer, const char *subject)
{
    ExportSyncFile request = {kSyncRead, -1};
    if (ioctl(buffer, kExportSyncFile, &request) == 0)
        return UniqueFd(request.fd);
    if (errno == ENOTTY || errno == EINVAL)
        return UniqueFd();
    throw Failure(descriptors_exhausted(errno) ? VMAFX_E_NOMEM : VMAFX_E_DEVICE, subject,
                  format("the write fences of descriptor %d cannot be had (%s)", buffer,
                         std::strerror(errno)),
                  errno);
}

void query_sync_file(int fd, sync_file_info &info, const char *subject)
{
    if (ioctl(fd, SYNC_IOC_FILE_INFO, &info) < 0)
        throw Failure(VMAFX_E_INVALID, subject,
                      format("descriptor %d is no sync_file (%s)", fd, std::strerror(errno)),
                      errno);
}

/** 0: pending, 1: signalled, negative: an error. Where nobody waited for several fences, the kernel
 *  has not gathered their errors in the status of them all: each is asked. */
int sync_file_status(int fd, const char *subject)
{
    sync_file_info info = {};
    query_sync_file(fd, info, subject);
    if (info.status <= 0 || info.num_fences < 2)
        return info.status;
    std::vector<sync_fence_info> fences(info.num_fences);
    info.sync_fence_info = reinterpret_cast<uintptr_t>(fences.data());
    query_sync_file(fd, info, subject);
    return info.status;
}

/** named: the caller's descriptor, which messages speak of. */
FenceState state_of(int fd, int named, const char *subject)
{
    const int status = sync_file_status(fd, subject);
    if (status < 0)
        throw Failure(VMAFX_E_DEVICE, subject,
                      format("the fence of descriptor %d signalled with error %d (%s)", named,
                             status, std::strerror(-status)),
                      -status);
    return status > 0 ? FenceState::kSignalled : FenceState::kPending;
}

FenceState wait_for(int fd, int named, std::chrono::nanoseconds timeout, const char *subject)
{
    if (state_of(fd, named, subject) == FenceState::kSignalled)
        return FenceState::kSignalled;
    if (timeout <= timeout.zero() || !wait_readable(fd, timeout))
        return FenceState::kPending;
    return state_of(fd, named, subject);
}

} // namespace

UniqueFd::~UniqueFd()
{
    if (fd_ >= 0)
        close(fd_);
}

bool wait_readable(int fd, std::chrono::nanoseconds timeout)
{
    using namespace std::chrono;
    const auto deadline = steady_clock::now() + timeout;
    for (;;) {
        const auto left =
            std::max<long long>(ceil<milliseconds>(deadline - steady_clock::now()).count(), 0);
        pollfd p = {fd, POLLIN, 0};
        const int n = poll(&p, 1, static_cast<int>(std::min<long long>(left, INT_MAX)));
        if (n > 0)
            return true;
        if (left == 0 || (n < 0 && errno != EINTR))
            return false;
    }
}

FenceState sync_file_state(int fd, const char *subject)
{
    return state_of(fd, fd, subject);
}

FenceState sync_file_wait(int fd, std::chrono::nanoseconds timeout, const char *subject)
{
    return wait_for(fd, fd, timeout, subject);
}

FenceState write_fences_wait(int buffer, std::chrono::nanoseconds timeout, const char *subject)
{
    struct stat status = {};
    if (fstat(buffer, &status) == 0 && S_ISCHR(status.st_mode))
        return FenceState::kSignalled; /* opaque: the kernel has no fences of it */
    if (const UniqueFd fences = export_write_fences(buffer, subject))
        return wait_for(fences.get(), buffer, timeout, subject);
    /* Before Linux 6.0 a dma-buf itself can be polled for its writers; a memfd is always ready. */
    return wait_readable(buffer, timeout) ? FenceState::kSignalled : FenceState::kPending;
}

BufferInfo inspect_buffer(int fd, const char *subject)
{
    struct stat status = {};
    struct statfs filesystem = {};
    if (fstat(fd, &status) < 0 || fstatfs(fd, &filesystem) < 0)
        throw Failure(VMAFX_E_INVALID, subject,
                      format("descriptor %d is not open (%s)", fd, std::strerror(errno)), errno);
    BufferInfo info;
    info.identity = {status.st_dev, status.st_ino};
    if (static_cast<unsigned long>(filesystem.f_type) == DMA_BUF_MAGIC)
        info.kind = BufferKind::kDmaBuf;
    else if (is_memfd(fd))
        info.kind = BufferKind::kMemfd;
    else if (S_ISCHR(status.st_mode))
        info.kind = BufferKind::kOpaque;
    if (info.kind == BufferKind::kOpaque || info.kind == BufferKind::kOther)
        return info;
    /* The seek position of a dma-buf carries no state, and that of a memfd is kept. */
    if (info.kind == BufferKind::kDmaBuf) {
        const off_t end = lseek(fd, 0, SEEK_END);
        info.size = end > 0 ? static_cast<uint64_t>(end) : 0;
    } else {
        info.size = static_cast<uint64_t>(status.st_size);
    }
    return info;
}

bool same_open_file(int a, int b)
{
    const pid_t self = getpid();
    return syscall(SYS_kcmp, self, self, KCMP_FILE, a, b) == 0;
}

std::string exporter_in(std::string_view fdinfo)
{
    constexpr std::string_view kKey = "exp_name:";
    size_t start = fdinfo.starts_with(kKey) ? 0 : fdinfo.find("\nexp_name:");
    if (start == fdinfo.npos)
        return "";
    start = fdinfo.find_first_not_of(" \t", fdinfo.find(':', start) + 1);
    if (start == fdinfo.npos)
        return "";
    return std::string(fdinfo.substr(start, fdinfo.find('\n', start) - start));
}

std::string exporter_of(int fd)
{
    std::ifstream fdinfo(format("/proc/self/fdinfo/%d", fd));
    std::ostringstream text;
    text << fdinfo.rdbuf();
    return exporter_in(text.str());
}

UniqueFd duplicate_fd(int fd, const char *subject)
{
    UniqueFd copy(fcntl(fd, F_DUPFD_CLOEXEC, 0));
    if (!copy)
        throw Failure(descriptors_exhausted(errno) ? VMAFX_E_NOMEM : VMAFX_E_INVALID, subject,
                      format("descriptor %d cannot be duplicated (%s)", fd, std::strerror(errno)),
                      errno);
    return copy;
}

} // namespace vmafx
