/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a descriptor of memory is, and which descriptors are one buffer.
 */
#include "core/failure.h"
#include "core/sync_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check_text.h"

using namespace vmafx;

static UniqueFd open_device()
{
    return UniqueFd(open("/dev/null", O_RDWR | O_CLOEXEC));
}

START_TEST(kinds_are_told_apart)
{
    const UniqueFd device = open_device();
    const BufferInfo opaque = inspect_buffer(device.get(), "fd");
    ck_assert(opaque.kind == BufferKind::kOpaque);
    ck_assert_uint_eq(opaque.size, 0);

    const UniqueFd memfd(memfd_create("picture", MFD_CLOEXEC));
    ck_assert_int_eq(ftruncate(memfd.get(), 4096), 0);
    const BufferInfo file = inspect_buffer(memfd.get(), "fd");
    ck_assert(file.kind == BufferKind::kMemfd);
    ck_assert_uint_eq(file.size, 4096);

    int ends[2] = {-1, -1};
    ck_assert_int_eq(pipe(ends), 0);
    const UniqueFd reader(ends[0]), writer(ends[1]);
    ck_assert(inspect_buffer(reader.get(), "fd").kind == BufferKind::kOther);
}
END_TEST

START_TEST(duplicates_are_one_buffer)
{
    const UniqueFd first = open_device(), second = open_device();
    const UniqueFd duplicate(fcntl(first.get(), F_DUPFD_CLOEXEC, 0));
    /* One device and inode for all. */
    ck_assert(inspect_buffer(first.get(), "fd").identity ==
              inspect_buffer(second.get(), "fd").identity);
    ck_assert(!same_open_file(first.get(), second.get()));
    ck_assert(!same_open_file(first.get(), -1));
    if (!same_open_file(first.get(), first.get()))
        return; /* a sandbox that forbids the question */
    ck_assert(same_open_file(first.get(), duplicate.get()));
}
END_TEST

/* A driver's device may be polled for events of its own, which are no fences. */
START_TEST(opaque_memory_has_no_fences)
{
    const UniqueFd terminal(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (!terminal)
        return;
    ck_assert(!wait_readable(terminal.get(), {}));
    ck_assert(write_fences_wait(terminal.get(), {}, "fd") == FenceState::kSignalled);
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("descriptors");
    tcase_add_test(tcase, kinds_are_told_apart);
    tcase_add_test(tcase, duplicates_are_one_buffer);
    tcase_add_test(tcase, opaque_memory_has_no_fences);
    return run_tests(tcase, "descriptors");
}
