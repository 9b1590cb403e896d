/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Preloaded where there is no GPU: libva takes any descriptor, /dev/null's too, for a render node.
 */
#include <xf86drm.h>

__attribute__((visibility("default"))) int drmGetNodeTypeFromFd(int fd)
{
    return DRM_NODE_RENDER;
}
