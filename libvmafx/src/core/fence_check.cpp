/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fences of an import, as far as the struct alone can tell.
 */
#include "core/failure.h"
#include "core/import_check.h"

namespace vmafx
{

namespace
{

const char *fence_name(uint32_t kind)
{
    constexpr const char *kNames[] = {"NONE", "HOST", "SYNC_FILE", "HIP_EVENT", "GL_SYNC"};
    return kNames[kind];
}

/** The kind says which field counts; a value in another one belongs to another kind. */
void check_fields(const std::string &path, const VmafxFenceDesc &fence)
{
    if (fence.kind > VMAFX_FENCE_GL_SYNC)
        fail(VMAFX_E_INVALID, (path + ".kind").c_str(), "kind is %u; see VMAFX_FENCE_*",
             fence.kind);
    if (fence.kind == VMAFX_FENCE_NONE && (fence.fd || fence.handle))
        fail(VMAFX_E_INVALID, (path + ".kind").c_str(),
             "kind is NONE, but fd is %d and handle is %p; set the kind, or both to 0", fence.fd,
             fence.handle);
    if (fence.kind == VMAFX_FENCE_NONE)
        return;
    const char *name = fence_name(fence.kind);
    const bool has_fd = fence.kind == VMAFX_FENCE_SYNC_FILE;
    if (!has_fd && fence.fd)
        fail(VMAFX_E_INVALID, (path + ".fd").c_str(),
             "fd is %d, but a fence of kind %s has none; set it to 0", fence.fd, name);
    if (has_fd && fence.handle)
        fail(VMAFX_E_INVALID, (path + ".handle").c_str(),
             "handle is %p, but a fence of kind %s has none; set it to NULL", fence.handle, name);
    if (!has_fd && !fence.handle)
        fail(VMAFX_E_INVALID, (path + ".handle").c_str(), "a fence of kind %s needs its handle",
             name);
}

void check_acquire(const VmafxFrameImport &desc)
{
    const uint32_t kind = desc.acquire.kind;
    if (kind == VMAFX_FENCE_GL_SYNC)
        fail(
            VMAFX_E_NOTSUP, "desc.acquire.kind",
            "acquire fence kind %u (GL_SYNC) is not taken for memory %s; use NONE, HOST, SYNC_FILE "
            "or HIP_EVENT",
            kind, memory_name(desc.memory));
    if (kind == VMAFX_FENCE_HIP_EVENT && desc.memory == VMAFX_MEMORY_HOST)
        fail(VMAFX_E_NOTSUP, "desc.acquire.kind",
             "acquire fence kind HIP_EVENT makes the device wait, but HOST planes are read by the "
             "host; wait for the event first, or use HOST");
    check_fields("desc.acquire", desc.acquire);
}

void check_release(const VmafxFrameImport &desc)
{
    const uint32_t kind = desc.release_fence.kind;
    if (kind == VMAFX_FENCE_SYNC_FILE || kind == VMAFX_FENCE_GL_SYNC)
        fail(VMAFX_E_NOTSUP, "desc.release_fence.kind",
             "release fence kind %u (%s) cannot be made; use NONE with a callback, HOST or "
             "HIP_EVENT",
             kind, fence_name(kind));
    check_fields("desc.release_fence", desc.release_fence);
    if (desc.memory == VMAFX_MEMORY_HOST && kind != VMAFX_FENCE_NONE)
        fail(VMAFX_E_INVALID, "desc.release_fence.kind",
             "HOST planes have been read when the import returns; leave the release fence NONE");
}

} // namespace

void check_fences(const VmafxFrameImport &desc)
{
    check_acquire(desc);
    check_release(desc);
}

} // namespace vmafx
