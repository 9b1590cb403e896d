/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Scores two y4m files (8 bits, 4:2:0): prints the mean VMAF of the second against the first.
 *
 *     cc score_y4m.c $(pkg-config --cflags --libs libvmafx) -o score_y4m
 *     ./score_y4m reference.y4m distorted.y4m
 */
#include <stdio.h>
#include <stdlib.h>

#include <libvmafx/vmafx.h>

static VmafxError error = VMAFX_ERROR_INIT;

static void check(int32_t status)
{
    if (status != VMAFX_OK) {
        fprintf(stderr, "%s: %s\n", error.function, error.message);
        exit(1);
    }
}

/* Opens a file and reads its header line; planes of every frame will be read to `samples`. */
static FILE *open_y4m(const char *path, VmafxFrameImport *desc, unsigned char **samples)
{
    char line[256];
    FILE *file = fopen(path, "rb");
    if (!file || !fgets(line, sizeof line, file) ||
        sscanf(line, "YUV4MPEG2 W%u H%u", &desc->width, &desc->height) != 2) {
        fprintf(stderr, "%s is no y4m file\n", path);
        exit(1);
    }
    desc->memory = VMAFX_MEMORY_HOST;
    desc->layout = VMAFX_LAYOUT_420;
    desc->bits = 8;
    desc->plane_count = 3;
    size_t end = 0;
    for (int i = 0; i < 3; i++) {
        const size_t halves = i ? 2 : 1;
        desc->plane[i].offset = end;
        desc->plane[i].pitch = (desc->width + halves - 1) / halves;
        end += desc->plane[i].pitch * ((desc->height + halves - 1) / halves);
    }
    *samples = malloc(end);
    for (int i = 0; i < 3; i++) {
        desc->plane[i].address = *samples;
        desc->plane[i].size = end;
    }
    return file;
}

static int read_frame(FILE *file, const VmafxFrameImport *desc)
{
    char line[256];
    return fgets(line, sizeof line, file) &&
           fread(desc->plane[0].address, desc->plane[0].size, 1, file) == 1;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return fprintf(stderr, "usage: %s REFERENCE.y4m DISTORTED.y4m\n", argv[0]), 2;
    VmafxFrameImport reference_desc = VMAFX_FRAME_IMPORT_INIT, distorted_desc = reference_desc;
    unsigned char *samples[2];
    FILE *reference_file = open_y4m(argv[1], &reference_desc, &samples[0]);
    FILE *distorted_file = open_y4m(argv[2], &distorted_desc, &samples[1]);

    VmafxDevice *device;
    VmafxContext *context;
    VmafxModel *model;
    check(vmafx_device_open(NULL, &device, &error));
    check(vmafx_context_create(device, NULL, &context, &error));
    check(vmafx_model_load(NULL, &model, &error));
    check(vmafx_context_use_model(context, model, &error));

    uint64_t frames = 0;
    while (read_frame(reference_file, &reference_desc) &&
           read_frame(distorted_file, &distorted_desc)) {
        VmafxFrame *reference, *distorted;
        check(vmafx_context_import_frame(context, &reference_desc, 0, &reference, &error));
        check(vmafx_context_import_frame(context, &distorted_desc, 0, &distorted, &error));
        check(vmafx_context_submit(context, reference, distorted, frames++, &error));
        vmafx_frame_unref(&reference);
        vmafx_frame_unref(&distorted);
    }
    check(vmafx_context_flush(context, &error));

    double score;
    check(vmafx_score_pooled(context, "vmaf", VMAFX_POOL_MEAN, 0, frames - 1, &score, &error));
    printf("%.17g\n", score);

    vmafx_context_close(&context);
    vmafx_model_close(&model);
    vmafx_device_close(&device);
    fclose(reference_file);
    fclose(distorted_file);
    free(samples[0]);
    free(samples[1]);
    return 0;
}
