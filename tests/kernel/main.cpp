/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The library on real dma-bufs and sync_files. Needs the vgem module, and root for its card: run.sh
 * runs it in a guest.
 */
#include "cases.h"

#include <cstdio>

int main()
{
    Suite *suite = suite_create("kernel");
    for (TCase *(*make)() :
         {buffers_case, exporters_case, explicit_fences_case, implicit_fences_case,
          fence_errors_case, descriptors_case, release_case, resources_case}) {
        TCase *tcase = make();
        tcase_set_timeout(tcase, 60);
        suite_add_tcase(suite, tcase);
    }
    std::fflush(stdout); /* each test runs in a copy of this process */
    SRunner *runner = srunner_create(suite);
    srunner_set_tap(runner, "-"); /* a line as each test ends */
    srunner_run_all(runner, CK_SILENT);
    const int failed = srunner_ntests_failed(runner);
    const int passed = srunner_ntests_run(runner) - failed;
    srunner_free(runner);
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed || !passed;
}
