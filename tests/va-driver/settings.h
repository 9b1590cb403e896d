/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the environment asks of the driver. A variable VMAFXTEST_... that is unknown or has no
 * sense ends the process: a misspelt test would pass otherwise.
 *
 *   VMAFXTEST_MEMORY              memfd or vgem (default: vgem where the node is vgem's, else
 * memfd) VMAFXTEST_MODIFIER            linear, invalid or a number: of surfaces whose maker leaves
 * it open VMAFXTEST_OBJECTS             1 or 2 buffers for a surface VMAFXTEST_LAYERS asked,
 * separate or composed VMAFXTEST_CHROMA              gr or rg: the second layer is GR88 or RG88
 *   VMAFXTEST_PITCH_ALIGN         bytes, a power of two
 *   VMAFXTEST_CHROMA_PITCH_ALIGN  bytes, a power of two
 *   VMAFXTEST_ROW_ALIGN           rows, a power of two
 *   VMAFXTEST_OFFSET              of the first plane in its buffer, a multiple of 256
 *   VMAFXTEST_REPORT_SIZE         0: exported sizes are 0
 *   VMAFXTEST_LATE_MS             how long after the call the writes of a job come; vgem's fences
 *                                 signal after 10 s even if they have not come
 *   VMAFXTEST_LATE_FROM           the first job that is late (default: 0, the very first)
 *   VMAFXTEST_STUCK_FROM          the first job whose writes come and whose fence never does
 *                                 (vgem's buffers, and the module of tests/kernel)
 *   VMAFXTEST_DERIVE              0: no derived images
 *   VMAFXTEST_VIDEO_PROC          0: no video processor
 *   VMAFXTEST_VERBOSE             1: says what it does
 */
#ifndef VMAFXTEST_SETTINGS_H
#define VMAFXTEST_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "tiles.h"

enum memory_kind { MEMORY_AUTO, MEMORY_MEMFD, MEMORY_VGEM };
enum layers { LAYERS_AS_ASKED, LAYERS_SEPARATE, LAYERS_COMPOSED };

struct settings {
    enum memory_kind memory;
    const struct tile *tile;
    unsigned objects;
    enum layers layers;
    bool swapped_chroma;
    size_t pitch_align, chroma_pitch_align, row_align;
    size_t offset;
    bool report_size;
    unsigned late_ms, late_from;
    unsigned stuck_from;
    bool derive;
    bool video_proc;
    bool verbose;
};

void settings_read(struct settings *settings);

#endif
