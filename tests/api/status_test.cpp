/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Status names, version, fences, the log, and the page of errors.
 */
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "refusal.h"

using namespace support;

namespace
{

std::string errors_page;

/** Lines of the log. */
class Log
{
  public:
    explicit Log(int32_t level) { vmafx_log_set_callback(receive, this, level); }
    ~Log() { vmafx_log_set_callback(nullptr, nullptr, VMAFX_LOG_WARNING); }
    std::vector<std::pair<int32_t, std::string>> lines()
    {
        const std::lock_guard lock(lock_);
        return lines_;
    }

  private:
    static void receive(void *opaque, int32_t level, const char *message)
    {
        auto *self = static_cast<Log *>(opaque);
        const std::lock_guard lock(self->lock_);
        self->lines_.emplace_back(level, message);
    }
    std::mutex lock_;
    std::vector<std::pair<int32_t, std::string>> lines_;
};

std::vector<std::string> error_names()
{
    std::vector<std::string> names;
    for (int32_t status = -1; status >= -100; --status)
        if (std::string(vmafx_status_name(status)) != "unknown status")
            names.push_back(vmafx_status_name(status));
    return names;
}

} // namespace

START_TEST(statuses_have_names)
{
    assert_text(vmafx_status_name(VMAFX_OK), "VMAFX_OK");
    assert_text(vmafx_status_name(VMAFX_PENDING), "VMAFX_PENDING");
    assert_text(vmafx_status_name(VMAFX_E_INVALID), "VMAFX_E_INVALID");
    assert_text(vmafx_status_name(VMAFX_E_ABI), "VMAFX_E_ABI");
    for (const int32_t status : {2, 1000, -1000, INT32_MIN, INT32_MAX})
        assert_text(vmafx_status_name(status), "unknown status");
    const auto names = error_names();
    ck_assert_uint_eq(names.size(), 11);
    ck_assert_uint_eq(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}
END_TEST

START_TEST(version_of_headers_and_library)
{
    ck_assert_uint_eq(vmafx_version(), VMAFX_VERSION);
    const uint32_t version = vmafx_version();
    assert_text(vmafx_version_string(), std::to_string(version >> 16) + "." +
                                            std::to_string(version >> 8 & 255) + "." +
                                            std::to_string(version & 255));
}
END_TEST

START_TEST(every_error_is_explained)
{
    std::ifstream file(errors_page);
    ck_assert_msg(bool(file), "cannot read %s", errors_page.c_str());
    std::map<std::string, size_t> length; /* of each section */
    std::string line, section;
    while (std::getline(file, line)) {
        if (line.starts_with("## "))
            section = line.substr(3);
        else
            length[section] += line.size();
    }
    for (const std::string &name : error_names())
        ck_assert_msg(length[name] > 100, "%s has no section of its own in %s", name.c_str(),
                      errors_page.c_str());
}
END_TEST

START_TEST(fences)
{
    Fence fence;
    must(vmafx_fence_create, fence.out());
    ck_assert_int_eq(vmafx_fence_query(fence.get(), nullptr), VMAFX_PENDING);
    assert_refused(VMAFX_E_TIMEOUT, "fence", "not signalled", vmafx_fence_wait, fence.get(),
                   uint64_t{0});
    assert_refused(VMAFX_E_TIMEOUT, "fence", "0.001", vmafx_fence_wait, fence.get(),
                   uint64_t{1'000'000});
    assert_refused(VMAFX_E_RANGE, "timeout_ns", "600000000000", vmafx_fence_wait, fence.get(),
                   UINT64_C(600'000'000'001));
    std::thread signaller([&] { must(vmafx_fence_signal, fence.get()); });
    must(vmafx_fence_wait, fence.get(), UINT64_C(20'000'000'000));
    signaller.join();
    must(vmafx_fence_signal, fence.get());
    must(vmafx_fence_query, fence.get());
    must(vmafx_fence_wait, fence.get(), uint64_t{0});
}
END_TEST

/* Without an error object the message goes to the log, never nowhere. */
START_TEST(errors_reach_the_log)
{
    Log log(VMAFX_LOG_ERROR);
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    desc.runtime = 99;
    VmafxDevice *device = nullptr;
    VmafxError error = VMAFX_ERROR_INIT;
    ck_assert_int_eq(vmafx_device_open(&desc, &device, &error), VMAFX_E_INVALID);
    ck_assert_uint_eq(log.lines().size(), 0);
    ck_assert_int_eq(vmafx_device_open(&desc, &device, nullptr), VMAFX_E_INVALID);
    const auto lines = log.lines();
    ck_assert_uint_eq(lines.size(), 1);
    ck_assert_int_eq(lines[0].first, VMAFX_LOG_ERROR);
    for (const char *part : {"vmafx_device_open", "VMAFX_E_INVALID", "desc.runtime", "99"})
        ck_assert_msg(lines[0].second.find(part) != std::string::npos, "no %s in: %s", part,
                      lines[0].second.c_str());
    ck_assert(lines[0].second.find('\n') == std::string::npos);
}
END_TEST

START_TEST(log_level_drops_messages)
{
    Log log(VMAFX_LOG_NONE);
    ck_assert_int_eq(vmafx_fence_signal(nullptr, nullptr), VMAFX_E_INVALID);
    ck_assert_uint_eq(log.lines().size(), 0);
}
END_TEST

START_TEST(opening_a_device_is_logged_once)
{
    Log log(VMAFX_LOG_INFO);
    const Device device = open_cpu_device();
    VmafxDeviceInfo info = VMAFX_DEVICE_INFO_INIT;
    must(vmafx_device_get_info, device.get(), &info);
    size_t described = 0;
    for (const auto &[level, text] : log.lines()) {
        ck_assert_int_le(level, VMAFX_LOG_INFO);
        described += text.find(info.name) != std::string::npos &&
                     text.find(info.target) != std::string::npos &&
                     text.find("cpu") != std::string::npos;
    }
    ck_assert_uint_eq(described, 1);
}
END_TEST

START_TEST(error_object_of_a_wrong_size)
{
    VmafxError error = VMAFX_ERROR_INIT;
    error.struct_size = 3;
    error.message[0] = 'x';
    ck_assert_int_lt(vmafx_fence_signal(nullptr, &error), 0);
    ck_assert_int_eq(error.message[0], 'x'); /* too small to be written */
}
END_TEST

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    errors_page = argv[1];
    TCase *tcase = tcase_create("status");
    tcase_add_test(tcase, statuses_have_names);
    tcase_add_test(tcase, version_of_headers_and_library);
    tcase_add_test(tcase, every_error_is_explained);
    tcase_add_test(tcase, fences);
    tcase_add_test(tcase, errors_reach_the_log);
    tcase_add_test(tcase, log_level_drops_messages);
    tcase_add_test(tcase, opening_a_device_is_logged_once);
    tcase_add_test(tcase, error_object_of_a_wrong_size);
    return run_tests(tcase, "status");
}
