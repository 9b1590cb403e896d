/* SPDX-License-Identifier: BSD-2-Clause */
/** @file version.h  Version of the API and of the library. */
#ifndef LIBVMAFX_VERSION_H
#define LIBVMAFX_VERSION_H

#include <stdint.h>

#define VMAFX_VERSION_MAJOR 0
#define VMAFX_VERSION_MINOR 1
#define VMAFX_VERSION_PATCH 0

/** major << 16 | minor << 8 | patch */
#define VMAFX_VERSION                                                                              \
    ((VMAFX_VERSION_MAJOR << 16) | (VMAFX_VERSION_MINOR << 8) | VMAFX_VERSION_PATCH)

#if defined(__GNUC__)
#define VMAFX_API __attribute__((visibility("default")))
#else
#define VMAFX_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Version of the library in use, encoded as #VMAFX_VERSION. Any thread. */
VMAFX_API uint32_t vmafx_version(void);

/** Version of the library in use as text, for example "0.1.0". Static storage. Any thread. */
VMAFX_API const char *vmafx_version_string(void);

#ifdef __cplusplus
}
#endif
#endif
