/* SPDX-License-Identifier: BSD-2-Clause */
#include <new>
#include <vector>

#include "api/boundary.h"
#include "core/failure.h"

#include "check_text.h"

using namespace vmafx;

namespace
{

struct Desc {
    uint32_t struct_size;
    uint32_t first;
    uint64_t later;
};
constexpr size_t kFirst = 8;

std::vector<std::string> lines;

void collect(void *, int32_t level, const char *message)
{
    ck_assert_int_eq(level, VMAFX_LOG_ERROR);
    lines.push_back(message);
}

template <class Body> int32_t status_of(Body body)
{
    VmafxError error = VMAFX_ERROR_INIT;
    return guard("test", &error, body);
}

} // namespace

START_TEST(success_leaves_the_error_alone)
{
    VmafxError error = VMAFX_ERROR_INIT;
    error.status = 77;
    ck_assert_int_eq(guard("test", &error, [] {}), VMAFX_OK);
    ck_assert_int_eq(guard("test", &error, [] { return VMAFX_PENDING; }), VMAFX_PENDING);
    ck_assert_int_eq(error.status, 77);
}
END_TEST

START_TEST(failure_fills_the_error)
{
    VmafxError error = VMAFX_ERROR_INIT;
    const int32_t status =
        guard("vmafx_test", &error, [] { throw Failure(VMAFX_E_RANGE, "desc.x", "a\nb", 5); });
    ck_assert_int_eq(status, VMAFX_E_RANGE);
    ck_assert_int_eq(error.status, VMAFX_E_RANGE);
    ck_assert_int_eq(error.native_code, 5);
    assert_text(error.function, "vmafx_test");
    assert_text(error.subject, "desc.x");
    assert_text(error.message, "a b");
}
END_TEST

START_TEST(every_exception_has_a_status)
{
    ck_assert_int_eq(status_of([] { throw std::bad_alloc(); }), VMAFX_E_NOMEM);
    ck_assert_int_eq(status_of([] { throw std::runtime_error("x"); }), VMAFX_E_INTERNAL);
    ck_assert_int_eq(status_of([] { throw 1; }), VMAFX_E_INTERNAL);
}
END_TEST

START_TEST(long_texts_are_cut_between_characters)
{
    VmafxError error = VMAFX_ERROR_INIT;
    std::string text(510, 'a');
    text += "\xc3\xa9\xc3\xa9"; /* a two-byte character across the limit */
    guard("test", &error, [&] { throw Failure(VMAFX_E_INVALID, std::string(99, 's'), text); });
    assert_text(error.message, std::string(510, 'a'));
    assert_text(error.subject, std::string(63, 's'));
}
END_TEST

START_TEST(without_an_error_object_the_log_gets_the_line)
{
    lines.clear();
    vmafx_log_set_callback(collect, nullptr, VMAFX_LOG_ERROR);
    guard("vmafx_test", nullptr, [] { fail(VMAFX_E_RANGE, "desc.x", "is %d", 3); });
    VmafxError small = VMAFX_ERROR_INIT;
    small.struct_size = 8;
    guard("vmafx_test", &small, [] { fail(VMAFX_E_IO, "", "gone"); });
    vmafx_log_set_callback(nullptr, nullptr, VMAFX_LOG_WARNING);
    ck_assert_uint_eq(lines.size(), 2);
    assert_text(lines[0], "vmafx_test: desc.x: is 3 (VMAFX_E_RANGE)");
    assert_text(lines[1], "vmafx_test: gone (VMAFX_E_IO)");
    ck_assert_int_eq(small.status, 0);
}
END_TEST

START_TEST(structs_of_other_versions)
{
    Desc desc = {sizeof(Desc), 1, 2};
    ck_assert_uint_eq(read_struct(&desc, "desc", kFirst).later, 2);
    desc.struct_size = kFirst;
    ck_assert_uint_eq(read_struct(&desc, "desc", kFirst).later, 0);
    desc.struct_size = kFirst - 1;
    ck_assert_int_eq(status_of([&] { read_struct(&desc, "desc", kFirst); }), VMAFX_E_ABI);
    for (uint32_t cut = kFirst + 1; cut < sizeof(Desc); cut++) {
        desc.struct_size = cut;
        ck_assert_int_eq(status_of([&] { read_struct(&desc, "desc", kFirst); }), VMAFX_E_ABI);
        ck_assert_int_eq(status_of([&] { write_struct(&desc, Desc{}, "desc", kFirst); }),
                         VMAFX_E_ABI);
    }
    desc.struct_size = UINT32_MAX;
    ck_assert_int_eq(status_of([&] { read_struct(&desc, "desc", kFirst); }), VMAFX_E_ABI);
    ck_assert_int_eq(status_of([&] { read_struct<Desc>(nullptr, "desc"); }), VMAFX_E_INVALID);

    struct {
        Desc known;
        uint64_t newer;
    } big = {{sizeof(big), 1, 2}, 0};
    ck_assert_uint_eq(read_struct(&big.known, "desc", kFirst).first, 1);
    big.newer = 1;
    ck_assert_int_eq(status_of([&] { read_struct(&big.known, "desc", kFirst); }), VMAFX_E_NOTSUP);
}
END_TEST

START_TEST(structs_are_written_within_their_size)
{
    Desc target = {kFirst, 9, 9};
    write_struct(&target, {sizeof(Desc), 1, 2}, "info", kFirst);
    ck_assert_uint_eq(target.struct_size, kFirst);
    ck_assert_uint_eq(target.first, 1);
    ck_assert_uint_eq(target.later, 9);
    target.struct_size = 4;
    ck_assert_int_eq(status_of([&] { write_struct(&target, {}, "info", kFirst); }), VMAFX_E_ABI);
}
END_TEST

START_TEST(status_names)
{
    assert_text(vmafx_status_name(VMAFX_OK), "VMAFX_OK");
    assert_text(vmafx_status_name(VMAFX_PENDING), "VMAFX_PENDING");
    for (int32_t status = VMAFX_E_ABI; status < 0; status++)
        ck_assert_int_eq(std::string(vmafx_status_name(status)).rfind("VMAFX_E_", 0), 0);
    assert_text(vmafx_status_name(-12), "unknown status");
    assert_text(vmafx_version_string(), format("%u.%u.%u", vmafx_version() >> 16,
                                               vmafx_version() >> 8 & 255, vmafx_version() & 255));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("boundary");
    tcase_add_test(tcase, success_leaves_the_error_alone);
    tcase_add_test(tcase, failure_fills_the_error);
    tcase_add_test(tcase, every_exception_has_a_status);
    tcase_add_test(tcase, long_texts_are_cut_between_characters);
    tcase_add_test(tcase, without_an_error_object_the_log_gets_the_line);
    tcase_add_test(tcase, structs_of_other_versions);
    tcase_add_test(tcase, structs_are_written_within_their_size);
    tcase_add_test(tcase, status_names);
    return run_tests(tcase, "boundary");
}
