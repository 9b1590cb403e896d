/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Finding a runtime, and what is said when there is none. The fake runtimes stand for installed
 * ones.
 */
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <unistd.h>

#include "core/failure.h"
#include "hip/attempts.h"
#include "hip/runtime.h"
#include "hip/runtime_files.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx::hip;

static Failure failure_of(const std::function<void()> &call)
{
    try {
        call();
    } catch (const Failure &failure) {
        return failure;
    }
    ck_abort_msg("no failure");
    return {0, "", ""};
}

static Failure load_failure(uint32_t kind, const std::string &path = "", uint32_t workers = 0)
{
    return failure_of([&] { load_runtime({kind, path, workers}); });
}

static void assert_contains(const char *text, const char *part)
{
    ck_assert_msg(std::string(text).find(part) != std::string::npos, "no \"%s\" in \"%s\"", part,
                  text);
}

#define assert_failure(failure, wanted_status, wanted_subject)                                     \
    do {                                                                                           \
        ck_assert_msg((failure).status() == (wanted_status), "status %d: %s", (failure).status(),  \
                      (failure).what());                                                           \
        assert_text((failure).subject(), wanted_subject);                                          \
    } while (0)

START_TEST(a_missing_file_is_named)
{
    const Failure f = load_failure(VMAFX_RUNTIME_ROCM, "/nonexistent/libamdhip64.so");
    assert_failure(f, VMAFX_E_NOTFOUND, "desc.runtime_path");
    assert_text(f.what(), "no such file: /nonexistent/libamdhip64.so");
}
END_TEST

START_TEST(a_file_that_is_no_library_says_so)
{
    const Failure f = load_failure(VMAFX_RUNTIME_CPU, TEST_NO_LIBRARY);
    assert_failure(f, VMAFX_E_NOTFOUND, "desc.runtime_path");
    assert_text(f.what(), TEST_NO_LIBRARY ": invalid ELF header");
}
END_TEST

START_TEST(a_library_without_hip_lacks_symbols)
{
    const Failure f = load_failure(VMAFX_RUNTIME_ROCM, "libm.so.6");
    assert_failure(f, VMAFX_E_NOTFOUND, "desc.runtime_path");
    assert_contains(f.what(), "libm.so.6: lacks the symbols hipGetErrorName, hipGetErrorString, ");
    assert_contains(f.what(), " more");
}
END_TEST

START_TEST(one_lacking_symbol_is_named)
{
    const Failure f = load_failure(VMAFX_RUNTIME_ROCM, FAKE_SHORT);
    assert_failure(f, VMAFX_E_NOTFOUND, "desc.runtime_path");
    assert_text(f.what(), FAKE_SHORT ": lacks the symbol hipModuleUnload");
}
END_TEST

START_TEST(a_runtime_without_device_is_no_runtime)
{
    const Failure f = load_failure(VMAFX_RUNTIME_CUDA, FAKE_EMPTY);
    assert_failure(f, VMAFX_E_NOTFOUND, "desc.runtime_path");
    ck_assert_int_eq(f.native(), hipErrorNoDevice);
    assert_text(f.what(), FAKE_EMPTY ": no device (hipErrorNoDevice)");
}
END_TEST

START_TEST(a_file_of_another_runtime_is_refused)
{
    assert_text(load_failure(VMAFX_RUNTIME_ROCM, FAKE_CPU).what(),
                FAKE_CPU ": is the runtime cpu, not rocm");
    assert_text(load_failure(VMAFX_RUNTIME_CPU, FAKE_ROCM).what(),
                FAKE_ROCM ": is the runtime rocm, not cpu");
}
END_TEST

START_TEST(requests_are_checked)
{
    assert_failure(load_failure(4), VMAFX_E_INVALID, "desc.runtime");
    assert_failure(load_failure(VMAFX_RUNTIME_AUTO, FAKE_CPU), VMAFX_E_INVALID,
                   "desc.runtime_path");
}
END_TEST

START_TEST(a_cuda_runtime_is_looked_for_in_its_places)
{
    const auto files = runtime_files(VMAFX_RUNTIME_CUDA);
    ck_assert_uint_ge(files.size(), 6);
    ck_assert_msg(files[0].ends_with("/libvmafx-hip-cuda.so.0"), "%s", files[0].c_str());
    ck_assert_msg(files[2].ends_with("/../runtimes/cuda/libvmafx-hip-cuda.so.0"), "%s",
                  files[2].c_str());
    assert_text(files.back(), "libvmafx-hip-cuda.so");
}
END_TEST

/* A machine with NVIDIA's driver answers otherwise. */
START_TEST(cuda_without_its_driver_names_the_library)
{
    try {
        load_runtime({VMAFX_RUNTIME_CUDA, TEST_CUDA_RUNTIME, 0});
    } catch (const Failure &f) {
        assert_failure(f, VMAFX_E_NOTFOUND, "desc.runtime_path");
        ck_assert_int_eq(f.native(), hipErrorNoDevice);
        assert_contains(f.what(), TEST_CUDA_RUNTIME ": no device (hipErrorNoDevice: ");
        assert_contains(f.what(), "libcuda.so.1");
        if (void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL))
            dlclose(driver);
        else
            assert_contains(f.what(), "it comes with NVIDIA's driver");
        const Failure listed = load_failure(VMAFX_RUNTIME_CUDA);
        assert_failure(listed, VMAFX_E_NOTFOUND, "desc.runtime");
        assert_contains(listed.what(), "no HIP runtime with a device for cuda: ");
        ck_assert_ptr_null(std::strstr(listed.what(), "libamdhip64"));
        ck_assert_ptr_null(std::strstr(listed.what(), "libvmafx-hip-cpu"));
    }
}
END_TEST

START_TEST(the_list_goes_from_new_to_old)
{
    const auto files = runtime_files(VMAFX_RUNTIME_ROCM);
    ck_assert_uint_ge(files.size(), 10);
    assert_text(files[0], "libamdhip64.so.8");
    assert_text(files[3], "libamdhip64.so.5");
    assert_text(files[4], "libamdhip64.so");
    assert_text(files[5], "/opt/rocm/lib/libamdhip64.so.8");
    ck_assert_uint_eq(runtime_files(VMAFX_RUNTIME_AUTO).size(), 0);
}
END_TEST

START_TEST(telling_answers_come_first)
{
    Attempts attempts;
    attempts.absent("libx.so.2");
    attempts.absent("/opt/a/libx.so.2");
    attempts.absent("/opt/a/libx.so");
    attempts.refused("libx.so.1", "no device");
    attempts.absent("/opt/b/libx.so");
    assert_text(attempts.text(), "libx.so.1: no device; no such file: libx.so.2, "
                                 "/opt/a/libx.so{.2,}, /opt/b/libx.so");
}
END_TEST

START_TEST(a_good_runtime_is_loaded)
{
    const auto runtime = load_runtime({VMAFX_RUNTIME_ROCM, FAKE_ROCM, 0});
    ck_assert_uint_eq(runtime->kind, VMAFX_RUNTIME_ROCM);
    ck_assert_int_eq(runtime->device_count, 2);
    ck_assert_int_eq(runtime->version, 50221153);
    assert_text(runtime->file, FAKE_ROCM);
    ck_assert_ptr_nonnull(reinterpret_cast<void *>(runtime->hip.hipModuleLaunchKernel));
    ck_assert_ptr_null(reinterpret_cast<void *>(runtime->hip.hipLaunchHostFunc));
    ck_assert_ptr_null(reinterpret_cast<void *>(runtime->hip.vmafx_cpu_set_workers));
}
END_TEST

START_TEST(the_environment_names_a_file)
{
    setenv("VMAFX_HIP_LIBRARY", FAKE_CPU, 1);
    ck_assert_uint_eq(load_runtime({VMAFX_RUNTIME_CPU, "", 0})->kind, VMAFX_RUNTIME_CPU);
    /* auto takes the runtime that the file says it is, and no other file */
    ck_assert_uint_eq(load_runtime({})->kind, VMAFX_RUNTIME_CPU);
    const Failure f = load_failure(VMAFX_RUNTIME_CUDA);
    assert_failure(f, VMAFX_E_NOTFOUND, "desc.runtime");
    assert_text(f.what(), FAKE_CPU ": is the runtime cpu, not cuda (named by VMAFX_HIP_LIBRARY)");
    /* the request goes before it */
    ck_assert_uint_eq(load_runtime({VMAFX_RUNTIME_ROCM, FAKE_ROCM, 0})->kind, VMAFX_RUNTIME_ROCM);

    setenv("VMAFX_HIP_LIBRARY", "/nonexistent/x.so", 1);
    assert_text(load_failure(VMAFX_RUNTIME_AUTO).what(),
                "no such file: /nonexistent/x.so (named by VMAFX_HIP_LIBRARY)");
}
END_TEST

START_TEST(the_number_of_workers_reaches_the_cpu_runtime)
{
    load_runtime({VMAFX_RUNTIME_CPU, FAKE_CPU, 0}); /* says nothing */
    load_runtime({VMAFX_RUNTIME_CPU, FAKE_CPU, 3});
    load_runtime({VMAFX_RUNTIME_CPU, FAKE_CPU, 3});
    const Failure other = load_failure(VMAFX_RUNTIME_CPU, FAKE_CPU, 4);
    assert_failure(other, VMAFX_E_BUSY, "desc.workers");
    assert_contains(other.what(), "other than 4");
    const Failure many = load_failure(VMAFX_RUNTIME_CPU, FAKE_CPU, 65);
    assert_failure(many, VMAFX_E_INVALID, "desc.workers");
    /* other runtimes have no use for it */
    load_runtime({VMAFX_RUNTIME_ROCM, FAKE_ROCM, 3});
}
END_TEST

#ifdef TEST_ROCM_LIBRARY
/* A machine with an AMD GPU answers otherwise; there is nothing to see there then. */
START_TEST(rocm_without_a_gpu_says_no_device)
{
    try {
        load_runtime({VMAFX_RUNTIME_ROCM, TEST_ROCM_LIBRARY, 0});
    } catch (const Failure &f) {
        assert_failure(f, VMAFX_E_NOTFOUND, "desc.runtime_path");
        ck_assert_int_eq(f.native(), hipErrorNoDevice);
        assert_contains(f.what(), TEST_ROCM_LIBRARY ": no device (hipErrorNoDevice");
        if (access("/dev/kfd", F_OK) != 0)
            assert_contains(f.what(), "there is no /dev/kfd");
        const Failure listed = load_failure(VMAFX_RUNTIME_ROCM);
        assert_failure(listed, VMAFX_E_NOTFOUND, "desc.runtime");
        assert_contains(listed.what(), ": no device (hipErrorNoDevice");
        assert_contains(listed.what(), "no HIP runtime with a device for rocm: libamdhip64.so");
    }
}
END_TEST
#endif

static void forget_environment()
{
    unsetenv("VMAFX_HIP_LIBRARY");
}

int main()
{
    TCase *tcase = tcase_create("loader");
    tcase_add_checked_fixture(tcase, forget_environment, nullptr);
    tcase_add_test(tcase, a_missing_file_is_named);
    tcase_add_test(tcase, a_file_that_is_no_library_says_so);
    tcase_add_test(tcase, a_library_without_hip_lacks_symbols);
    tcase_add_test(tcase, one_lacking_symbol_is_named);
    tcase_add_test(tcase, a_runtime_without_device_is_no_runtime);
    tcase_add_test(tcase, a_file_of_another_runtime_is_refused);
    tcase_add_test(tcase, requests_are_checked);
    tcase_add_test(tcase, a_cuda_runtime_is_looked_for_in_its_places);
    tcase_add_test(tcase, cuda_without_its_driver_names_the_library);
    tcase_add_test(tcase, the_list_goes_from_new_to_old);
    tcase_add_test(tcase, telling_answers_come_first);
    tcase_add_test(tcase, a_good_runtime_is_loaded);
    tcase_add_test(tcase, the_environment_names_a_file);
    tcase_add_test(tcase, the_number_of_workers_reaches_the_cpu_runtime);
#ifdef TEST_ROCM_LIBRARY
    tcase_add_test(tcase, rocm_without_a_gpu_says_no_device);
#endif
    return run_tests(tcase, "loader");
}
