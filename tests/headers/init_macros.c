/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Every _INIT macro sets its struct's size and nothing else, in C and in C++.
 */
#include <libvmafx/vmafx.h>

#include <stdio.h>
#include <string.h>

#define CHECK(Type, INIT)                                                                          \
    do {                                                                                           \
        Type value = INIT, zero;                                                                   \
        memset(&zero, 0, sizeof zero);                                                             \
        zero.struct_size = (uint32_t)sizeof zero;                                                  \
        if (memcmp(&value, &zero, sizeof zero) != 0) {                                             \
            printf("%s sets more than struct_size of %s\n", #INIT, #Type);                         \
            failed = 1;                                                                            \
        }                                                                                          \
    } while (0)

int main(void)
{
    int failed = 0;
    CHECK(VmafxError, VMAFX_ERROR_INIT);
    CHECK(VmafxDeviceDesc, VMAFX_DEVICE_DESC_INIT);
    CHECK(VmafxDeviceInfo, VMAFX_DEVICE_INFO_INIT);
    CHECK(VmafxDeviceCounters, VMAFX_DEVICE_COUNTERS_INIT);
    CHECK(VmafxContextDesc, VMAFX_CONTEXT_DESC_INIT);
    CHECK(VmafxContextCounters, VMAFX_CONTEXT_COUNTERS_INIT);
    CHECK(VmafxFrameImport, VMAFX_FRAME_IMPORT_INIT);
    CHECK(VmafxFrameInfo, VMAFX_FRAME_INFO_INIT);
    CHECK(VmafxFramePoolDesc, VMAFX_FRAME_POOL_DESC_INIT);
    CHECK(VmafxPoolFrameInfo, VMAFX_POOL_FRAME_INFO_INIT);
    CHECK(VmafxProfileEntry, VMAFX_PROFILE_ENTRY_INIT);
    CHECK(VmafxModelDesc, VMAFX_MODEL_DESC_INIT);
    return failed;
}
