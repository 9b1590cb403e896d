/* SPDX-License-Identifier: BSD-2-Clause */
#include <libvmafx/status.h>
#include <libvmafx/version.h>

#define TEXT_OF(number) #number
#define EXPANDED_TEXT_OF(number) TEXT_OF(number)

extern "C" const char *vmafx_status_name(int32_t status)
{
    switch (status) {
    case VMAFX_OK:
        return "VMAFX_OK";
    case VMAFX_PENDING:
        return "VMAFX_PENDING";
    case VMAFX_E_INVALID:
        return "VMAFX_E_INVALID";
    case VMAFX_E_NOMEM:
        return "VMAFX_E_NOMEM";
    case VMAFX_E_NOTSUP:
        return "VMAFX_E_NOTSUP";
    case VMAFX_E_NOTFOUND:
        return "VMAFX_E_NOTFOUND";
    case VMAFX_E_BUSY:
        return "VMAFX_E_BUSY";
    case VMAFX_E_DEVICE:
        return "VMAFX_E_DEVICE";
    case VMAFX_E_IO:
        return "VMAFX_E_IO";
    case VMAFX_E_RANGE:
        return "VMAFX_E_RANGE";
    case VMAFX_E_INTERNAL:
        return "VMAFX_E_INTERNAL";
    case VMAFX_E_TIMEOUT:
        return "VMAFX_E_TIMEOUT";
    case VMAFX_E_ABI:
        return "VMAFX_E_ABI";
    default:
        return "unknown status";
    }
}

extern "C" uint32_t vmafx_version(void)
{
    return VMAFX_VERSION;
}

extern "C" const char *vmafx_version_string(void)
{
    return EXPANDED_TEXT_OF(VMAFX_VERSION_MAJOR) "." EXPANDED_TEXT_OF(
        VMAFX_VERSION_MINOR) "." EXPANDED_TEXT_OF(VMAFX_VERSION_PATCH);
}
