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
 * Sets of surfaces that never grow. The producer overwrites a surface the moment it comes back, and
 * a surface that is not there when it is needed is a failure, since a producer that waits for one
 * would wait for ever.
 */

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "libavutil/buffer.h"
#include "libavutil/macros.h"

#include "drm_check.h"

enum { WIDTH = 64, HEIGHT = 48, MAX_SURFACES = 40, FORMAT = AV_PIX_FMT_NV12 };

static const Placement placement = { "separate", 0, OBJECT_PER_PLANE };

typedef struct Pool {
    Surface *surfaces[MAX_SURFACES];
    atomic_int in_use[MAX_SURFACES];
    int nb_surfaces;
} Pool;

static void make_pool(Pool *pool, int nb_surfaces)
{
    memset(pool, 0, sizeof(*pool));
    pool->nb_surfaces = nb_surfaces;
    for (int i = 0; i < nb_surfaces; i++)
        pool->surfaces[i] = surface_create(FORMAT, WIDTH, HEIGHT, &placement);
}

static void free_pool(Pool *pool)
{
    for (int i = 0; i < pool->nb_surfaces; i++)
        surface_free(pool->surfaces[i]);
}

static void come_back(void *opaque, uint8_t *data)
{
    surface_poison((Surface *)data);
    atomic_store((atomic_int *)opaque, 0);
}

static int count_in_use(Pool *pool)
{
    int count = 0;

    for (int i = 0; i < pool->nb_surfaces; i++)
        count += atomic_load(&pool->in_use[i]);
    return count;
}

static AVFrame *take(Pool *pool, const AVBufferRef *hw_frames, int number, int distorted)
{
    for (int i = 0; i < pool->nb_surfaces; i++)
        if (!atomic_exchange(&pool->in_use[i], 1)) {
            AVFrame *software = draw(FORMAT, WIDTH, HEIGHT, number, distorted);

            surface_write(pool->surfaces[i], software);
            av_frame_free(&software);
            return surface_frame(pool->surfaces[i], hw_frames, number, come_back, &pool->in_use[i]);
        }
    return NULL;
}

static const char *finish(Session *session, const char *expected, Pool pools[NB_INPUTS])
{
    const char *problem = NULL;

    session_end(session);
    if (session->error < 0)
        problem = log_last_error();
    else if (strcmp(session->scores.str, expected))
        problem = "scores differ from those of software frames";
    session_close(session);
    for (int i = 0; i < NB_INPUTS; i++)
        if (!problem && count_in_use(&pools[i]))
            problem = "surfaces are kept after the end";
    return problem;
}

/* One input is that many frames ahead of the other. */
static const char *run(int in_flight, const int sizes[NB_INPUTS], const int ahead[NB_INPUTS], const char *features)
{
    int nb_frames = 2 * in_flight + 20, next[NB_INPUTS] = { 0 };
    AVBufferRef *ref = make_hw_frames(FORMAT, WIDTH, HEIGHT), *hw_frames[] = { ref, ref };
    const char *problem = NULL;
    char options[256];
    AVBPrint expected;
    Pool pools[NB_INPUTS];
    Session session;

    score_software(&expected, FORMAT, WIDTH, HEIGHT, nb_frames, features);
    log_forget();
    for (int i = 0; i < NB_INPUTS; i++)
        make_pool(&pools[i], sizes[i]);
    snprintf(options, sizeof(options), "frames_in_flight=%d:%s", in_flight, features);
    session_open(&session, FORMAT, WIDTH, HEIGHT, hw_frames, options);
    for (int n = 0; !problem && (next[INPUT_MAIN] < nb_frames || next[INPUT_REFERENCE] < nb_frames); n++)
        for (int i = 0; !problem && i < NB_INPUTS; i++)
            while (next[i] < FFMIN(n + 1 + ahead[i], nb_frames)) {
                AVFrame *frame = take(&pools[i], ref, next[i], i == INPUT_MAIN);

                if (!frame) {
                    problem = i == INPUT_MAIN ? "no surface for main" : "no surface for the reference";
                    break;
                }
                next[i]++;
                session_push(&session, i, frame);
            }
    if (problem)
        session_close(&session);
    else
        problem = finish(&session, expected.str, pools);
    for (int i = 0; i < NB_INPUTS; i++)
        free_pool(&pools[i]);
    av_bprint_finalize(&expected, NULL);
    av_buffer_unref(&ref);
    return problem;
}

void check_pools(void)
{
    static const char *const features[] = {
        "model=:feature=name=psnr|name=motion",
        "model=:feature=name=psnr|name=motion\\:motion_five_frame_window=true",
    };
    static const int together[NB_INPUTS] = { 0, 0 };
    int descriptors = count_descriptors();

    for (int size = 5; size <= 32; size++)
        for (int f = 0; f < (size < 10 ? 2 : 1); f++)
            report(run(size - 4, (int[]){ size, size }, together, features[f]), "pools of %d surfaces, %d pairs in flight%s",
                   size, size - 4, f ? ", a window of five frames" : "");
    for (int skew = 1; skew <= 7; skew += 3)
        for (int i = 0; i < NB_INPUTS; i++) {
            int ahead[NB_INPUTS] = { 0 }, sizes[NB_INPUTS] = { 8, 8 };

            ahead[i]  = skew;
            sizes[i] += skew;
            report(run(4, sizes, ahead, features[0]), "%s is %d frames ahead", i == INPUT_MAIN ? "main" : "reference", skew);
        }
    report(count_descriptors() == descriptors ? NULL : "descriptors are left", "descriptors of all pools");
}
