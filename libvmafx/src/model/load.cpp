/* SPDX-License-Identifier: BSD-2-Clause */
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libvmafx/model.h>

#include "core/failure.h"
#include "model/builtin.h"
#include "model/model.h"

namespace vmafx
{

namespace
{

constexpr size_t kMaxFileSize = 8 << 20; /* the largest shipped model has 0.4 MiB */

class FileDescriptor
{
  public:
    explicit FileDescriptor(int fd) : fd_(fd) {}
    ~FileDescriptor()
    {
        if (fd_ >= 0)
            close(fd_);
    }
    FileDescriptor(const FileDescriptor &) = delete;
    FileDescriptor &operator=(const FileDescriptor &) = delete;
    int get() const { return fd_; }

  private:
    int fd_;
};

[[noreturn]] void refuse_file(int32_t status, const std::string &path, const char *what,
                              int native = 0)
{
    throw Failure(status, "desc.path",
                  format("cannot read model file \"%.300s\": %s", path.c_str(), what), native);
}

/** The content of a file, nothing if there is no such file. */
std::optional<std::string> read_file(const std::string &path)
{
    /* O_NONBLOCK: a pipe must not block before it is refused. */
    const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0 && (errno == ENOENT || errno == ENOTDIR))
        return std::nullopt;
    struct stat info;
    if (file.get() < 0 || fstat(file.get(), &info) != 0)
        refuse_file(VMAFX_E_IO, path, std::strerror(errno), errno);
    if (!S_ISREG(info.st_mode))
        refuse_file(VMAFX_E_IO, path, "it is not a regular file");
    if (static_cast<uint64_t>(info.st_size) > kMaxFileSize)
        refuse_file(VMAFX_E_INVALID, path, "it is larger than 8 MiB, hence no model");

    std::string text(static_cast<size_t>(info.st_size), '\0');
    size_t done = 0;
    while (done < text.size()) {
        const ssize_t n = read(file.get(), text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            refuse_file(VMAFX_E_IO, path, std::strerror(errno), errno);
        if (n == 0)
            break;
        done += static_cast<size_t>(n);
    }
    text.resize(done);
    return text;
}

std::vector<std::string> candidates(const std::string &path)
{
    std::vector<std::string> list = {path};
    const char *folders = std::getenv("VMAFX_MODEL_PATH");
    if (!folders || path.starts_with('/'))
        return list;
    const std::string text = folders;
    for (size_t start = 0; start <= text.size();) {
        const size_t end = std::min(text.find(':', start), text.size());
        if (end > start)
            list.push_back(text.substr(start, end - start) + "/" + path);
        start = end + 1;
    }
    return list;
}

/** The last part of a long path, so that the message has room for what is wrong. */
std::string short_path(const std::string &path)
{
    constexpr size_t limit = 120;
    return path.size() <= limit ? path : "..." + path.substr(path.size() - limit);
}

std::shared_ptr<Model> parse_model(std::string_view text, const std::string &source,
                                   const char *subject, const std::string &name, uint32_t flags)
{
    try {
        return std::make_shared<Model>(text, name, flags);
    } catch (const Failure &failure) {
        fail(failure.status(), subject, "model %s: %s", short_path(source).c_str(), failure.what());
    }
}

} // namespace

std::string text_of(const BuiltinModel &model)
{
    constexpr std::string_view kInteger = "VMAF_integer_feature_", kFloat = "VMAF_feature_";
    std::string text(model.text);
    if (!model.in_floats)
        return text;
    for (size_t at = 0; (at = text.find(kInteger, at)) != std::string::npos;)
        text.replace(at, kInteger.size(), kFloat);
    return text;
}

std::shared_ptr<Model> load_builtin_model(const std::string &version, const std::string &name,
                                          uint32_t flags)
{
    std::string known;
    for (const BuiltinModel &model : builtin_models()) {
        if (version == model.name)
            return parse_model(text_of(model), version, "desc.version", name, flags);
        known += std::string(known.empty() ? "" : ", ") + model.name;
    }
    fail(VMAFX_E_NOTFOUND, "desc.version",
         "there is no built-in model \"%.100s\"; there are %s; other models are loaded by path",
         version.c_str(), known.c_str());
}

std::shared_ptr<Model> load_model_file(const std::string &path, const std::string &name,
                                       uint32_t flags)
{
    std::string tried;
    for (const std::string &candidate : candidates(path)) {
        if (const auto text = read_file(candidate))
            return parse_model(*text, candidate, "desc.path", name, flags);
        tried += (tried.empty() ? "" : ", ") + short_path(candidate);
    }
    fail(VMAFX_E_NOTFOUND, "desc.path", "there is no model file %s%s", tried.c_str(),
         path.starts_with('/') ? "" : "; VMAFX_MODEL_PATH can name folders to look in");
}

} // namespace vmafx
