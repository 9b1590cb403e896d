/*
 * Copyright (c) 2026 the libvmafx authors
 *
 * This file is part of FFmpeg.
 *
 * FFmpeg is free software; you can redistribute it and/or
 * modify it under the terms of the GNU Lesser General Public
 * License as published by the Free Software Foundation; either
 * version 2.1 of the License, or (at your option) any later version.
 *
 * FFmpeg is distributed in the hope that it will be useful,
 * but WITHOUT ANY WARRANTY; without even the implied warranty of
 * MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the GNU
 * Lesser General Public License for more details.
 *
 * You should have received a copy of the GNU Lesser General Public
 * License along with FFmpeg; if not, write to the Free Software
 * Foundation, Inc., 51 Franklin Street, Fifth Floor, Boston, MA 02110-1301 USA
 */
/**
 * @file
 * Usage: drm_check [CARD]. Without a card, the buffers are memfds; with one, they are its dumb buffers
 * exported as dma-bufs, and their fences are checked as well.
 */

#include "drm_check.h"

int main(int argc, char **argv)
{
    log_keep();
    buffers_open(argc > 1 ? argv[1] : NULL);
    check_layouts();
    check_refusals();
    check_pools();
    check_changes();
    if (buffers_are_real())
        check_fences();
    return sum_up();
}
